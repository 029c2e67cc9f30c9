"""The rows of scatter against plain counting and a fine grid of directions; what is drawn against the rows."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import cos, hypot, pi, sin
from pathlib import Path

import numpy as np
import pytest

from analysis.charts import cover_chart, scatter_chart
from analysis.charts.style import PHONE, WIDE
from analysis.cli import run
from analysis.commands.charts import gallery
from analysis.commands.charts.gallery import examples
from analysis.findings import scatter as findings
from analysis.rows.scatter import DOTS, Target, cover_chances, cover_rows, landing_rows, targets, variants
from sims.dice import PMF
from tests.readable import assert_readable

INCHES: dict[str, Callable[[int, int], int]] = {
    "scatter": lambda a, b: 0 if a == b else a + b,
    "scatter, double or 7": lambda a, b: 0 if a == b or a + b == 7 else a + b,
    "scatter only": lambda a, b: a + b,
    "scatter less BS 4": lambda a, b: 0 if a == b else max(0, a + b - 4),
    "short scatter": lambda a, b: abs(a - b),
    "short scatter only": lambda a, b: abs(a - b) or a,
}
"""Each variant as the book has it (ARAP-023 to ARAP-028)."""


def thrown(name: str) -> list[int]:
    return [INCHES[name](a, b) for a, b in product(range(1, 7), repeat=2)]


def test_landings_are_counted_out() -> None:
    rows = landing_rows(variants([], BS=4))
    assert list(dict.fromkeys(row.variant for row in rows)) == [*INCHES]
    assert list(dict.fromkeys(row.clause for row in rows)) == [f"ARAP-{n:03}" for n in range(23, 29)]
    for name in INCHES:
        own, throws = [row for row in rows if row.variant == name], thrown(name)
        assert {row.inches: row.chance for row in own} == {
            inches: pytest.approx(throws.count(inches) / 36) for inches in throws
        }
        for row in own:
            assert row.within == pytest.approx(sum(inches <= row.inches for inches in throws) / 36)
            assert row.dots == DOTS * throws.count(row.inches) // 36


def test_variants_are_known_by_name_and_clause() -> None:
    asked = variants(["scatter less BS", "SCATTER, double or 7", "short-scatter", "arap-031"], BS=-1)
    assert [each.clause for each in asked] == ["ARAP-026", "ARAP-024", "ARAP-027", "ARAP-031"]
    assert asked[0].name == "scatter less BS -1"
    assert asked[0].inches[12] == Fraction(1, 18)  # the catalogue: M=-1
    assert asked[3].inches[5] == Fraction(25, 216)


def cover_chance(inches: PMF, distance: float, target: Target, radius: float) -> float:
    (chance,) = cover_chances(inches, [distance], target, radius)
    return chance


def part_of(landed: int, distance: float, target: Target, radius: float, steps: int = 40_000) -> float:
    """Go around a circle in small steps, and count those from which the target is near enough."""
    angle = (np.arange(steps) + 0.5) * 2 * pi / steps
    x, y = landed * np.cos(angle), landed * np.sin(angle)
    nearest = np.clip(y, -target.length / 2, target.length / 2)
    return float(np.mean(np.hypot(x - distance, y - nearest) <= radius + target.thick))


@pytest.mark.parametrize("radius", [1.5, 2.5])
@pytest.mark.parametrize("target", [Target("model", 0), Target("base", 0, 0.7), Target("wall", 6), Target("long", 20)])
def test_what_a_marker_covers_is_what_a_fine_grid_of_directions_counts(target: Target, radius: float) -> None:
    """At most six edges, each missed by a step at most; distances at which a circle just touches are left out."""
    for landed, distance in product((0, 1, 3, 7, 12), (0.01, 0.83, 2.21, 5.87, 9.13, 13.1)):
        found = cover_chance(PMF.constant(landed), distance, target, radius)
        assert found == pytest.approx(part_of(landed, distance, target, radius), abs=6 / 40_000)


def test_what_a_marker_covers_is_known_where_geometry_is_plain() -> None:
    model, wall = Target("model", 0), Target("wall", 6)
    three = PMF.constant(3)
    assert cover_chance(three, 3, model, 3) == pytest.approx(1 / 3)  # equilateral: 60 degrees to either side
    assert cover_chance(three, 0, model, 3) == cover_chance(three, 0, model, 3.1) == 1
    assert cover_chance(three, 0, model, 2.9) == cover_chance(three, 6.1, model, 3) == 0
    assert cover_chance(PMF.constant(2), 0, wall, 1) == pytest.approx(1 / 3)  # 30 degrees beside the wall, four times
    assert cover_chance(PMF.constant(2), 2, wall, 2) == pytest.approx(1 / 2)
    assert cover_chance(PMF.constant(0), 1.5, model, 1.5) == 1  # limits are inclusive
    assert cover_chance(PMF.constant(0), 0.1 + 0.2, model, 0.3) == 1  # however they are rounded
    assert cover_chance(PMF.of({0: 1, 3: 2}), 3, model, 3) == pytest.approx(1 / 3 + 2 / 9)


def test_chances_to_cover_are_those_of_each_landing_by_its_chance() -> None:
    of = variants(["scatter", "short scatter only"], BS=0)
    rows = cover_rows(of, targets(1, 1, 6), marker=3)
    assert len({row.distance for row in rows}) == len(rows) / 6
    for row in (row for row in rows if row.distance in (0.5, 4.5)):
        target = Target("", 0, 0.5) if "base" in row.target else Target("", 1 if "opening" in row.target else 6)
        parts = [part_of(landed, row.distance, target, 1.5, 4_000) for landed in thrown(row.variant)]
        assert row.chance == pytest.approx(sum(parts) / 36, abs=6 / 4_000)
    farthest = max(row.distance for row in rows)
    assert farthest == 13  # 11 inches, half of the marker and of the base
    assert all(row.chance < 1e-9 for row in rows if row.distance == farthest and "base" in row.target)


def test_dots_lie_on_their_circles_as_many_as_the_rows_say() -> None:
    rows = landing_rows(variants([], BS=4))
    names = list(dict.fromkeys(row.variant for row in rows))
    for axes, name in zip(scatter_chart(rows).axes, names, strict=True):
        drawn = {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}
        own = [row for row in rows if row.variant == name]
        assert [*drawn] == [str(row.inches) for row in own]
        for row in own:
            x, y = drawn[str(row.inches)].get_data()
            assert len(x) == row.dots
            assert np.hypot(x, y) == pytest.approx(row.inches)
            if row.inches:
                assert hypot(x.mean(), y.mean()) < 1e-9  # no side has more of them
        half = next(row.inches for row in own if row.within >= 0.5)
        (circle,) = axes.patches
        assert half < circle.get_radius() < half + 1
        assert f"half within {half} inches" in axes.get_title(loc="left")
        on_target = 100 * sum(inches == 0 for inches in thrown(name)) / 36
        assert f"\n{on_target:.0f} % on target" in axes.get_title(loc="left")


def test_dots_of_a_circle_are_evenly_spread() -> None:
    line = next(line for line in scatter_chart(landing_rows(variants(["scatter"], 0))).axes[0].lines[1:])
    x, y = line.get_data()
    turned = np.sort(np.mod(np.arctan2(y, x), 2 * pi))
    assert np.diff(turned) == pytest.approx(2 * pi / len(x))
    assert (cos(turned[0]), sin(turned[0])) != (1, 0)


def test_lines_of_what_is_covered_are_the_rows() -> None:
    one = cover_rows(variants(["scatter"], 0), targets(0, 1, 6), 3)
    for line, name in zip(cover_chart(one).axes[0].lines, dict.fromkeys(row.target for row in one), strict=True):
        own = [row for row in one if row.target == name]
        assert line.get_label().replace("\n", " ").startswith(f"{name}: ")
        assert line.get_xydata().tolist() == [[row.distance, row.chance] for row in own]
    many = cover_rows(variants(["scatter", "scatter only"], 0), targets(0, 1, 6), 3)
    for axes, target in zip(cover_chart(many).axes, dict.fromkeys(row.target for row in many), strict=True):
        assert axes.get_title(loc="left") == target
        for line, name in zip(axes.lines, ("scatter", "scatter only"), strict=True):
            own = [row for row in many if (row.target, row.variant) == (target, name)]
            assert line.get_xydata().tolist() == [[row.distance, row.chance] for row in own]


def test_targets_that_come_to_the_same_are_one_line_and_said_to_be() -> None:
    rows = cover_rows(variants(["scatter"], 0), targets(0, 0, 6), 3)
    labels = [line.get_label().replace("\n", " ") for line in cover_chart(rows).axes[0].lines]
    assert labels[0].startswith("the centre of a model and an opening of 0 inches, one line: 17 %")
    assert len(labels) == 2


def test_findings_say_who_is_on_target() -> None:
    of = variants([], BS=4)
    assert findings.landings(landing_rows(of)) == (
        "On target most often by scatter, double or 7, in 33 shots in 100; never by scatter only and short scatter only"
    )
    assert findings.landings(landing_rows(of[2:3])) == (
        "Scatter only: on target in 0 shots in 100; half of all land within 7 inches"
    )
    assert findings.covers(cover_rows(of, targets(0, 1, 6), 3)) == (  # 1 inch or less: 6 doubles and 10 neighbours
        "Aimed at it, a marker covers the centre of a model most often by short scatter, 44 shots in 100, "
        "and least by scatter only, 0"
    )
    assert findings.covers(cover_rows(of[:1], targets(0, 1, 6), 3)).startswith(
        "Scatter: aimed at it, a marker covers the centre of a model in 17 shots in 100, an opening of 1 inch in 17"
    )


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_charts_of_scatter_can_be_read(width: float) -> None:
    told = "Inches by ARAP-023, every direction alike by ARAP-022; no limit by range (ARAP-149). Exact."
    for names, at in (([], (0, 1, 6)), (["scatter"], (1, 0, 5)), (["short scatter", "arap-031"], (0, 1, 6))):
        of = variants(names, BS=4)
        assert_readable(scatter_chart(landing_rows(of), caption=told, width=width))
        for marker in (3, 48):
            covers = cover_chart(cover_rows(of, targets(*at), marker), caption=told, width=width)
            assert_readable(covers)
            names = [legend for part in (covers, *covers.subfigs) for legend in part.legends]
            beside = [
                axes.get_window_extent().overlaps(name.get_window_extent()) for axes in covers.axes for name in names
            ]
            assert {*beside} == {False}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["scatter", "foo"], 'there is no scatter "foo"; expected one of ARAP-023'),
        (["scatter", "scatter-onyl"], 'did you mean "scatter-only"?'),
        (["scatter", "--bs", "100"], "Must be <= 20"),
        (["covers", "--marker", "0"], "a marker cannot be 0 inches across"),
        (["covers", "--marker", "nan"], "a marker cannot be nan inches across"),
        (["covers", "--base", "-1"], "the base cannot be -1 inches"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    asked: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.svg"
    assert run(["chart", *asked, "--out", str(file)]) == 2
    assert said in capsys.readouterr().err
    assert not file.exists()


def test_the_gallery_has_the_examples_that_help_gives() -> None:
    assert [one.command for one in examples("scatter")] == [
        "casemate chart scatter",
        'casemate chart scatter short-scatter "short scatter only"',
        "casemate chart scatter --models 10 --wall -1,-6,-1,1",
    ]


def test_the_gallery_has_each_picture_for_a_page_and_for_a_phone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery, "chart_names", lambda: ["to-hit", "scatter"])
    assert run(["chart", "gallery", "--out", str(tmp_path / "it")]) == 0
    page = (tmp_path / "it" / "index.html").read_text("utf-8")
    for name in ("to-hit", "scatter"):
        for each in examples(name):
            wide, narrow = ((tmp_path / "it" / file).read_text("utf-8") for file in (each.file, each.phone))
            assert wide != narrow
            assert f'<div class="at-desk">{wide}</div><div class="on-phone">{narrow}</div>' in page

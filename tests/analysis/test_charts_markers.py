"""The rows of a marker over a unit against an independent judge and against throws; what is drawn against the rows."""

import csv
from collections import Counter
from itertools import product
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, Wedge
from matplotlib.text import Text

from analysis.charts import marker_chart
from analysis.charts.palette import HEAT
from analysis.charts.style import PHONE, STYLE, WIDE, Chart
from analysis.cli import run
from analysis.findings import markers as findings
from analysis.rows.markers import Shot, UnderRow, thrown_rows, under_rows
from analysis.rows.scatter import Target, cover_chances, variants
from analysis.say.numbers import bare_percent, whole_percent
from sims.errors import CasemateError
from sims.games.arap.areas.marker import Markers
from sims.games.arap.areas.ranks import Ranks
from sims.ground import MOST_WALLS
from sims.profiles import MOST_MODELS
from sims.rulesets import rule_set
from tests.geometry import plane_oracle
from tests.geometry.judged import judged
from tests.readable import assert_readable

(LESS_BS,) = variants(["scatter less BS"], BS=4)
CAPTION = "Inches by ARAP-026, every direction alike by ARAP-022. Exact."
FAR = (-15, -6, -15, 1)
"""A wall outside the picture."""
SHOTS = {
    "in the open": Shot(LESS_BS, 10),
    "half a wall": Shot(LESS_BS, 10, walls=[(-1, -6, -1, 1)]),
    "behind a wall": Shot(LESS_BS, 10, walls=[(-1, -6, -1, 6)]),
    "a house with a door": Shot(
        LESS_BS,
        10,
        distance=20,
        walls=[(-1, -6, -1, 1), (-1, 3, -1, 6), (-1, -6, 5, -6), (5, -6, 5, 6), (-1, 6, 5, 6)],
    ),
    "a model alone": Shot(LESS_BS, 1),
    "centres": Shot(LESS_BS, 7, files=3, base=0, walls=[(-1, -6, -1, 1)]),
    "base to base": Shot(LESS_BS, 12, files=4, gap=1, base=1, marker=5, walls=[(-0.5, -6, -0.5, 0.6)]),
    "near": Shot(LESS_BS, 10, distance=2, walls=[(-1, -6, -1, 1)]),
    "never": Shot(LESS_BS, 10, walls=[FAR, (-2, -9, -2, 30)]),
    "one long rank": Shot(LESS_BS, 37, files=40, gap=1.95),
    "one long file": Shot(LESS_BS, 37, files=1, gap=1.95, walls=[(20, -2, 20, 3)]),
    "as many as there may be": Shot(LESS_BS, 60, walls=[(3, -6, 3, 1), (8, -3, 12, 4)]),
    "all": Shot(LESS_BS, 60, files=10, gap=1, marker=48),
    "large models": Shot(LESS_BS, 2, files=1, gap=48, base=24, marker=48, walls=[(-30, 0, 30, 30)]),
}
EACH = pytest.mark.parametrize("shot", SHOTS.values(), ids=SHOTS)


def of(rows: list[UnderRow], kind: str) -> list[UnderRow]:
    return [row for row in rows if row.of == kind]


@pytest.mark.parametrize(
    "name", ["in the open", "half a wall", "a house with a door", "centres", "base to base", "near"]
)
def test_rows_are_what_the_judge_of_planes_counts(name: str) -> None:
    shot = SHOTS[name]
    field = shot.field

    def pair(z: complex) -> tuple[float, float]:
        return z.real, z.imag

    expected_law = judged(
        (-shot.distance, 0.0),
        pair(field.aim),
        plane_oracle.limited(plane_oracle.scattered("area", skill=4), abs(field.aim + shot.distance) / 2),
        [pair(complex(at)) for at in field.targets.starts],
        shot.marker / 2,
        shot.base / 2,
        [((x, y), (to_x, to_y)) for x, y, to_x, to_y in shot.walls],
    )
    rows = under_rows(shot)
    kinds = {"under": (1, 2), "open": (1,), "behind": (2,)}
    for column, codes in kinds.items():
        counts = Counter[int]()
        for each, chance in expected_law.items():
            counts[sum(code in codes for code in each)] += chance
        for row in of(rows, "count"):
            assert getattr(row, column) == pytest.approx(counts[row.number], abs=1e-9)
        for row in of(rows, "model"):
            expected = sum(chance for each, chance in expected_law.items() if each[row.number - 1] in codes)
            assert getattr(row, column) == pytest.approx(expected, abs=1e-9)


@EACH
def test_rows_add_up(shot: Shot) -> None:
    rows = under_rows(shot)
    models, counts = of(rows, "model"), of(rows, "count")
    assert [row.number for row in models] == [*range(1, shot.models + 1)]
    assert [row.number for row in counts] == [*range(len(counts))]
    assert all(row.under == pytest.approx(row.open + row.behind, abs=1e-12) for row in models)
    for column in ("under", "open", "behind"):
        assert sum(getattr(row, column) for row in counts) == pytest.approx(1)
        mean = sum(row.number * getattr(row, column) for row in counts)
        assert mean == pytest.approx(sum(getattr(row, column) for row in models), abs=1e-9)


@pytest.mark.parametrize("name", ["half a wall", "one long file"])
def test_throws_come_near_to_the_chances(name: str) -> None:
    """Six times the standard error of each: less than one false alarm in ten million, whatever the seed."""
    n = 40_000
    rows, thrown = under_rows(SHOTS[name]), thrown_rows(SHOTS[name], n)
    there = {(row.of, row.number): row for row in thrown}
    for row, column in product(rows, ("under", "open", "behind")):
        found = getattr(there[row.of, row.number], column) if (row.of, row.number) in there else 0.0
        chance = getattr(row, column)
        assert abs(found - chance) <= 6 * np.sqrt(chance * (1 - chance) / n) + 10 / n
    assert thrown == thrown_rows(SHOTS[name], n) != thrown_rows(SHOTS[name], n, seed=2)


def test_a_model_alone_is_covered_as_often_as_the_other_chart_of_scatter_says() -> None:
    far = Shot(LESS_BS, 1, base=1, distance=120)  # nothing limits the scatter
    (expected,) = cover_chances(LESS_BS.inches, [0], Target("a model", 0, 0.5), 1.5)
    assert under_rows(far)[0].under == pytest.approx(expected)


def test_a_unit_stands_as_the_book_has_it_if_nothing_else_is_said() -> None:
    tables = rule_set("gemini").book.game.tables
    usual = Shot(LESS_BS, 10)
    how = tables.formation
    assert (usual.files, usual.gap, usual.base) == (how.files, how.gap, how.across)
    assert usual.marker == tables.markers.small
    ranks = Ranks(how.files, float(how.gap), float(how.across))
    played = Markers(ranks, tables.markers.small, 5, 4).field_of(10, 24)
    assert (usual.field.aim, usual.field.reach, usual.field.shooter) == (played.aim, played.reach, played.shooter)
    assert (usual.field.targets.starts == played.targets.starts).all()


def test_the_most_that_may_be_asked_is_answered() -> None:
    walls = [(x, y, x + 1, y + 2) for x in range(-2, 23, 3) for y in (-6, -3, 0, 3, 5)][:MOST_WALLS]
    rows = under_rows(Shot(LESS_BS, MOST_MODELS, walls=walls))
    assert len(walls) == MOST_WALLS
    assert sum(row.under for row in of(rows, "count")) == pytest.approx(1)


def discs(figure: Chart) -> list[Circle]:
    return [each for each in figure.axes[0].patches if isinstance(each, Circle) and each.get_label() == "model"]


@EACH
def test_models_walls_and_marker_are_drawn_where_they_are(shot: Shot) -> None:
    rows = under_rows(shot)
    figure = marker_chart(rows, shot)
    models, table = of(rows, "model"), figure.axes[0]
    assert [disc.get_center() for disc in discs(figure)] == [(row.x, row.y) for row in models]
    assert all(disc.get_radius() >= shot.base / 2 for disc in discs(figure))
    assert all(2 * disc.get_radius() <= shot.gap for disc in discs(figure))
    top = next(each for each in (0.25, 0.5, 1.0) if each >= max(row.under for row in models) - 1e-9)
    for disc, row in zip(discs(figure), models, strict=True):
        assert disc.get_facecolor() == pytest.approx(to_rgba(HEAT(row.under / top)))
    drawn = [line.get_xydata().ravel().tolist() for line in table.lines if line.get_label() == "wall"]
    assert drawn == [[*wall] for wall in shot.walls if wall != FAR]
    (marker,) = [each for each in table.patches if each.get_label() == "marker"]
    assert marker.get_radius() == shot.marker / 2
    assert complex(*marker.get_center()) == shot.field.aim
    assert table.get_aspect() == 1


def test_models_are_to_scale_where_they_can_be_seen() -> None:
    rows = under_rows(SHOTS["half a wall"])
    assert {disc.get_radius() for disc in discs(marker_chart(rows, SHOTS["half a wall"]))} == {0.375}


@EACH
def test_a_ring_goes_as_far_round_as_the_part_behind_a_wall(shot: Shot) -> None:
    rows = under_rows(shot)
    found = {
        each.center: (each.theta2 - each.theta1) / 360
        for each in marker_chart(rows, shot).axes[0].patches
        if isinstance(each, Wedge) and each.get_label() == "ring"
    }
    expected = {(row.x, row.y): row.behind / row.under for row in of(rows, "model") if row.behind}
    assert found == {at: pytest.approx(share) for at, share in expected.items()}


@EACH
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_chances_are_written_in_all_models_or_below_or_shown_by_a_scale(shot: Shot, width: float) -> None:
    rows = under_rows(shot)
    figure = marker_chart(rows, shot, width=width)
    with matplotlib.rc_context(STYLE):
        FigureCanvasAgg(figure).draw()
    table = figure.axes[0]
    if len(figure.axes) == 3:
        assert not table.texts
        assert "%" not in table.get_title(loc="left")
        return
    said = whole_percent if "%" not in table.get_title(loc="left") else bare_percent
    assert [text.get_text() for text in table.texts] == [said(row.under) for row in of(rows, "model")]
    for text, disc in zip(table.texts, discs(figure), strict=True):
        words, model = text.get_window_extent(), disc.get_window_extent()
        if text.get_position() == disc.get_center():
            assert model.x0 < words.x0 < words.x1 < model.x1
            assert model.y0 < words.y0 < words.y1 < model.y1
        else:
            assert not any(words.padded(-1).overlaps(each.get_window_extent()) for each in discs(figure))


@EACH
def test_bars_are_the_rows_of_how_many(shot: Shot) -> None:
    rows = under_rows(shot)
    axes = marker_chart(rows, shot).axes[-1]
    columns = ("under", "open", "behind") if shot.walls else ("under",)
    assert len(axes.containers) == len(columns)
    counts = of(rows, "count")
    least = next(n for n, row in enumerate(counts) if any(getattr(row, column) for column in columns))
    for bars, column in zip(axes.containers, columns, strict=True):
        assert [bar.get_height() for bar in bars] == [getattr(row, column) for row in counts[least:]]
        assert {round(bar.get_x() + bar.get_width() / 2) for bar in bars} == {row.number for row in counts[least:]}


@EACH
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_charts_of_markers_can_be_read(shot: Shot, width: float) -> None:
    figure = marker_chart(under_rows(shot), shot, caption=f"{CAPTION}\n{CAPTION} {CAPTION}", width=width)
    assert_readable(figure)
    keys = [legend.get_window_extent() for part in figure.subfigs for legend in part.legends]
    assert len(keys) == 1
    assert not any(axes.get_tightbbox().padded(-1).overlaps(key) for axes in figure.axes for key in keys)
    assert all(figure.bbox.padded(0.5).x0 <= key.x0 < key.x1 <= figure.bbox.padded(0.5).x1 for key in keys)


def test_walls_that_are_not_seen_are_told() -> None:
    said = [text.get_text() for text in marker_chart(under_rows(SHOTS["never"]), SHOTS["never"]).findobj(Text)]
    assert "wall, and 1 more outside the picture" in said
    said = [
        text.get_text() for text in marker_chart(under_rows(SHOTS["half a wall"]), SHOTS["half a wall"]).findobj(Text)
    ]
    assert "wall" in said


def made(*models: tuple[float, float], none: float) -> list[UnderRow]:
    """Rows of models that are so often in the open, and so often behind a wall."""
    rows = [UnderRow("model", n + 1, 0, n, a + b, a, b) for n, (a, b) in enumerate(models)]
    return [*rows, UnderRow("count", 0, None, None, none, none, none)]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (made((0, 0), (0, 0), none=1), "The marker never covers a model"),
        (made((0.3, 0), none=0.7), "The marker covers the model in 30 shots in 100"),
        (made((0.01, 0), none=0.99), "The marker covers the model in 1 shot in 100"),
        (made((1, 0), none=0), "The marker covers the model in every shot"),
        (made((0, 1), none=0), "The marker covers the model in every shot, always behind a wall"),
        (made((0.2, 0.1), none=0.7), "The marker covers the model in 30 shots in 100, in 10 behind a wall"),
        (made((1, 0), (1, 0), none=0), "The marker covers all 2 models in every shot"),
        (
            made((1, 0), (0.4, 0.6), none=0),
            "The marker covers all 2 models in every shot, 0.6 of them behind a wall",
        ),
        (
            made((0.5, 0), (0.7, 0), none=0.2),
            "The marker covers 1.2 of 2 models on average; in 20 shots in 100 it misses them all",
        ),
        (
            made((0.5, 0), (0.7, 0), none=0.001),
            "The marker covers 1.2 of 2 models on average; in less than 1 shot in 100 it misses them all",
        ),
        (
            made((1, 0), (0.7, 0.02), none=0),
            "The marker covers 1.7 of 2 models on average, fewer than 0.1 of them behind a wall; it never misses them all",
        ),
        (
            made((0, 0.5), (0, 0.01), none=0.5),
            "The marker covers 0.5 of 2 models on average, all of them behind a wall; in 50 shots in 100 it misses them all",
        ),
    ],
)
def test_the_first_sentence_is_true_whatever_the_numbers(rows: list[UnderRow], said: str) -> None:
    assert findings.under(rows) == said


def test_who_cannot_see_the_chart_is_told_every_value() -> None:
    rows = under_rows(SHOTS["half a wall"])
    shows = marker_chart(rows, SHOTS["half a wall"], caption=CAPTION).shows
    assert shows.startswith("The marker covers 1.1 of 10 models on average, 0.5 of them behind a wall; in 24 shots")
    assert all(f"{row.of}, {row.number}, " in shows and f"{row.under:.4g}, {row.open:.4g}" in shows for row in rows)


def test_the_command_draws_the_same_and_writes_its_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A wall may begin with a minus, and there may be several."""
    drawn, table = tmp_path / "it.svg", tmp_path / "it.csv"
    asked = ["--models", "10", "--wall", "-1,-6,-1,1", "--wall=2,-1,2,3", "--distance", "20", "--files", "4"]
    assert run(["chart", "scatter", "short-scatter", *asked, "--out", str(drawn), "--csv", str(table)]) == 0
    assert capsys.readouterr().err == f"The chart: {drawn}\nThe rows: {table}\n"
    assert not caplog.records
    shot = Shot(variants(["short scatter"], 4)[0], 10, files=4, distance=20, walls=[(-1, -6, -1, 1), (2, -1, 2, 3)])
    with table.open(newline="") as lines:
        rows = [*csv.DictReader(lines)]
    assert [(row["of"], int(row["number"]), float(row["behind"])) for row in rows] == [
        (row.of, row.number, row.behind) for row in under_rows(shot)
    ]
    assert findings.under(under_rows(shot)) in drawn.read_text("utf-8")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--models 0", "a unit cannot have no models; expected 1 to 60"),
        ("--models 61", "a unit cannot have 61 models; expected 1 to 60"),
        ("--models 2.5", 'expected a whole number, got "2.5"'),
        ("--models 10 --files 0", "models cannot stand 0 abreast; expected 1 or more"),
        ("--models 40 --files 40", "the unit cannot be 78.75 inches wide; expected 72 at most: fewer files, or"),
        ("--models 60 --files 1", "the unit cannot be 118.75 inches deep; expected 72 at most: more files, or"),
        ("--models 10 --gap 0.5", "the gap cannot be 0.5 inches; expected 0.75 or more"),
        ("--models 10 --gap 0 --base 0", "the gap cannot be 0 inches; expected more than 0"),
        ("--models 10 --gap nan", "the gap cannot be nan inches"),
        ("--models 10 --base -1", "the base cannot be -1 inches; expected 0 to 48"),
        ("--models 10 --marker 0", "a marker cannot be 0 inches across; expected more than 0, and 48 at most"),
        ("--models 10 --distance 0", "the distance cannot be 0 inches; expected more than 0, and 120 at most"),
        ("--models 10 --wall 1,1,1,1", "the wall 1,1,1,1 has no length; expected ends at least 0.1 inches apart"),
        ("--models 10 --wall 1,1,1,1.01", "the wall 1,1,1,1.01 is only 0.01 inches long; expected ends"),
        ("--models 10 --wall nan,1,1,1", "the wall nan,1,1,1 cannot be there; expected no number beyond -120 and 120"),
        ("--models 10 --wall 1,2,3", '--wall cannot be "1,2,3"; expected both its ends, such as -1,-6,-1,6'),
        ("--models 10 --wall", '--wall cannot be "--out"; expected both its ends'),
        (f"--models 10{' --wall -1,-6,-1,6' * 41}", "there cannot be 41 walls; expected 40 at most"),
        ("--wall -1,-6,-1,6", "--wall is about a unit; expected it with --models, such as --models 10"),
        ("--files 5", "--files is about a unit; expected it with --models, such as --models 10"),
        ("scatter short-scatter --models 10", "a marker scatters in one way, not in 2; expected one with --models"),
    ],
)
def test_what_cannot_be_shot_at_is_said(
    asked: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.svg"
    assert run(["chart", "scatter", *asked.split(), "--out", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert not file.exists()


def test_the_same_is_said_in_a_notebook() -> None:
    with pytest.raises(CasemateError, match="a unit cannot have 61 models"):
        Shot(LESS_BS, 61)

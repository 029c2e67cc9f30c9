"""Contours: those of functions that are known, and crossings of grid edges by hand; every one of them is there."""

import csv
import json
import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from analysis.charts import contour_chart
from analysis.charts.palette import LOOKS
from analysis.charts.style import PHONE, STYLE
from analysis.cli import run
from analysis.findings import sweeps
from analysis.points.point import How
from analysis.rows.sweeps import ContourRow, RangeRow, contour_rows, range_rows
from analysis.say.numbers import goal
from analysis.sweeps.contour_words import notes, summary
from analysis.sweeps.contours import Contours, Plane, contours, lines, plane, rows
from analysis.sweeps.design import design, factor
from analysis.sweeps.study import typed_factors
from analysis.sweeps.sweep import answers, sweep
from sims.errors import CasemateError

XS, YS = [0, 1, 3, 4, 8, 10], [2, 3, 7, 8]
X, Y = np.meshgrid(XS, YS)


def by_hand(xs, ys, grid, target):
    """Return where a target is crossed on every edge of a grid, by linear interpolation."""
    found = []
    for j, y in enumerate(ys):
        for i, x in enumerate(xs):
            for k, m in ((i + 1, j), (i, j + 1)):
                if k < len(xs) and m < len(ys) and (grid[j, i] - target) * (grid[m, k] - target) < 0:
                    part = (target - grid[j, i]) / (grid[m, k] - grid[j, i])
                    found.append((x + part * (xs[k] - x), y + part * (ys[m] - y)))
    return in_order(found)


def in_order(points):
    return np.array(sorted(points, key=lambda at: tuple(np.round(at, 9))))


def points(found):
    """Every point of some lines once: a line that closes ends where it began."""
    return in_order([at for line in found for at in (line[:-1] if (line[0] == line[-1]).all() else line).tolist()])


def test_the_line_of_a_plane_is_straight_whatever_the_steps():
    (line,) = lines(XS, YS, 0.3 * X + 0.2 * Y, 2.5)
    assert 0.3 * line[:, 0] + 0.2 * line[:, 1] == pytest.approx(2.5, abs=1e-12)
    ends = sorted(map(tuple, line[[0, -1]].tolist()))
    assert ends == [pytest.approx((3, 8), abs=1e-12), pytest.approx((7, 2), abs=1e-12)]


def test_a_circle_is_one_line_that_closes():
    steps = np.linspace(-2, 2, 81)
    x, y = np.meshgrid(steps, steps)
    (line,) = lines(steps, steps, x**2 + y**2, 1)
    assert line[0].tolist() == line[-1].tolist()
    assert np.hypot(*line.T) == pytest.approx(1, abs=0.05**2)
    turn = np.unwrap(np.arctan2(*line.T[::-1]))
    assert abs(turn[-1] - turn[0]) == pytest.approx(2 * np.pi, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_every_crossing_of_an_edge_is_there_once(seed):
    grid = np.random.default_rng(seed).random((len(YS), len(XS)))
    expected = by_hand(XS, YS, grid, 0.5)
    assert len(expected) > 8
    assert points(lines(XS, YS, grid, 0.5)) == pytest.approx(expected, abs=1e-12)


def test_a_response_that_comes_back_has_a_line_for_each_crossing():
    found = lines(XS, YS, np.array([[0, 1, 1, 0, 0, 1]] * len(YS), dtype=float), 0.25)
    assert sorted(round(float(line[0, 0]), 12) for line in found) == [0.25, 3.75, 8.5]
    assert all(np.ptp(line[:, 0]) < 1e-12 and np.ptp(line[:, 1]) == 6 for line in found)


def test_it_is_more_on_the_left_of_a_line():
    def value(x, y):
        return np.sin(x / 2) + np.cos(y / 3)

    steps = np.linspace(0, 12, 60)
    for line in lines(steps, steps, value(*np.meshgrid(steps, steps)), 0.4):
        for start, end in pairwise(line):
            (x, y), (dx, dy) = (start + end) / 2, (end - start) / np.hypot(*(end - start)) / 5
            assert value(x - dy, y + dx) > 0.4 > value(x + dy, y - dx)


def test_there_is_no_line_beside_what_cannot_be_played():
    grid = np.array([[0, 1.0, 1.0]] * 4)
    grid[0, 0] = np.nan
    (line,) = lines([0, 1, 2], YS, grid, 0.5)
    assert sorted(map(tuple, line.tolist())) == [(0.5, 3), (0.5, 7), (0.5, 8)]
    assert lines([0, 1, 2], YS, np.full((4, 3), np.nan), 0.5) == []
    assert lines([0, 1, 2], YS, np.zeros((4, 3)), 0.5) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_line_through_levels_that_meet_the_target_does_not_pause(seed):
    grid = np.random.default_rng(seed).integers(0, 3, (len(YS), len(XS))).astype(float)
    for line in lines(XS, YS, grid, 1):
        assert len(line) > 1
        assert np.any(np.diff(line, axis=0), axis=1).all()


SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], dtype=float)


def test_a_line_is_said_by_its_ends_and_its_middle():
    found = [Contours("a", (SQUARE, SQUARE[:2], SQUARE[1:4]), 0.0, 1.0, 0)]
    _, grid = summary(a_plane()[0], found)
    assert [row[1:] for row in grid.rows] == [
        ("0.00, 0.00", "1.00, 1.00", "there again"),
        ("0.00, 0.00", "", "1.00, 0.00"),
        ("1.00, 0.00", "1.00, 1.00", "0.00, 1.00"),
    ]


def test_what_lines_may_lack_is_said():
    on, _, _ = a_plane()
    found = [
        Contours("drawn", (SQUARE,), 0.0, 1.0, 0),
        Contours("part", (SQUARE,), 0.0, 1.0, 1),
        Contours("low", (), 0.1, 0.25, 2),
        Contours("shut", (), None, None, 9),
    ]
    assert notes(on, found) == [
        "part: 1 point cannot be played.",
        "low: nowhere, from 10.0 % to 25.0 % over these levels, and 2 points cannot be played.",
        "shut: 9 points cannot be played.",
    ]


def test_what_cannot_be_played_is_counted(skirmish):
    """Without a door nobody gets in under these rules."""
    of = design(typed_factors(["building.doors=0..2", "distance=5,6"]), skirmish, ["storming"])
    (one,) = contours(plane(of, "p_captured", 0.5), answers(of, How("sampled", trials=1)))
    assert one.refused == 2


TYPED = ["attackers.models=14,4,8", "defenders.models=2,5,12"]
ASKED = [part for text in TYPED for part in ("--vary", text)]
RULES = ["storming", "gw_updated"]


def test_lines_of_a_sweep_are_interpolated_by_hand(skirmish):
    """The levels are not in their order, and not equally far apart."""
    of = design(typed_factors(TYPED), skirmish, RULES)
    on = plane(of, "p_captured", 0.5)
    found = contours(on, answers(of))
    table = sweep(skirmish, {"attackers.models": [4, 8, 14], "defenders.models": [2, 5, 12]}, rules=RULES)
    captured = table[table["response"] == "p_captured"]
    assert [one.rules for one in found] == RULES
    for one in found:
        grid = captured[captured["rules"] == one.rules].pivot(
            index="defenders.models", columns="attackers.models", values="value"
        )
        expected = by_hand([4, 8, 14], [2, 5, 12], grid.to_numpy(), 0.5)
        assert len(expected)
        assert points(one.lines) == pytest.approx(expected, abs=1e-12)
        assert (one.least, one.most) == pytest.approx((grid.min(axis=None), grid.max(axis=None)), abs=1e-12)
        assert one.refused == 0


def test_the_command_gives_the_lines_as_rows_in_json_and_in_words(skirmish, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["sweep", skirmish, *ASKED, "--rules", "storming,gw_updated", "--workers", "1", "--target", "0.5"]
    assert run([*asked, "--json", "--out", "rows"]) == 0
    told = capsys.readouterr()
    assert (
        told.err
        == f"The lines: {Path('rows/contours.csv')}\nThe rows: {Path('rows/sweep.csv')}\nThe page: {Path('rows/sweep.html')}\n"
    )
    found = json.loads(told.out)["contours"]
    of = design(typed_factors(TYPED), skirmish, RULES)
    on = plane(of, "p_captured", 0.5)
    expected = contours(on, answers(of))
    assert found == {
        "response": "p_captured", "target": 0.5, "x": "attackers.models", "y": "defenders.models",
        "results": [{"rules": one.rules, "lines": [line.tolist() for line in one.lines]} for one in expected],
    }  # fmt: skip
    written = list(csv.DictReader(Path("rows/contours.csv").read_text().splitlines()))
    assert [{key: str(value) for key, value in row.items()} for row in rows(on, expected)] == written
    assert [(row["line"], row["point"]) for row in written if row["rules"] == "storming"][:2] == [
        ("1", "1"),
        ("1", "2"),
    ]
    assert run([*asked[:-1], "0.999"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Where it is captured in 99.9 % of games, as attackers.models, defenders.models:" in out
    most = max(line["value"] for line in json.loads(told.out)["rows"] if is_chance(line, "gw_updated"))
    assert re.search(rf"gw_updated: nowhere, from \d+\.\d % to {100 * most:.1f} % over these levels", out)


def is_chance(row, rules):
    return (row["rules"], row["response"]) == (rules, "p_captured")


@pytest.mark.parametrize(
    ("vary", "target", "words"),
    [
        (["distance=5,6"], "0.5", "two factors of several numbers; got distance"),
        (["distance=5,6", "turns=3"], "0.5", "two factors of several numbers; got distance"),
        (["distance=5,6", "turns=3,4", "building.doors=1,2"], "0.5", "got distance, turns, building.doors"),
        (["distance=5,6", "first=attackers,defenders"], "0.5", "first has the level attackers"),
        (["distance=5,6", "tables.grenade.hits=1,D3"], "0.5", "tables.grenade.hits has the level D3"),
        (["distance=5,6", "turns=3,4"], "50", "cannot be 50; expected a chance from 0 to 1"),
        (["distance=5,6", "turns=3,4"], "half", "half"),
    ],
)
def test_what_has_no_lines_is_one_message(skirmish, vary, target, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = [part for text in vary for part in ("--vary", text)]
    for command in (["sweep"], ["chart", "contours"]):
        assert run([*command, skirmish, *asked, "--target", target, "--rules", "storming"]) == 2
        out, err = capsys.readouterr()
        assert words in err
        assert (out, err.count("\n")) == ("", 1)


def test_levels_that_set_more_than_themselves_are_no_axis():
    named = factor("distance", {"5": {"distance": 5, "turns": 3}, "6": {"distance": 6, "turns": 4}})
    with pytest.raises(CasemateError, match="distance has the level 5; lines of a target take numbers"):
        plane(design([named, *typed_factors(["attackers.models=5,6"])], "farmhouse"), "p_captured", 0.5)


def a_plane(target=0.5):
    xs, ys = range(0, 41, 2), range(4, 16)
    return Plane(factor("distance", xs), factor("defenders.models", ys), "p_captured", target), *np.meshgrid(xs, ys)


def drawn(*grids):
    on, x, y = a_plane()
    found = [
        Contours(f"rules-{i}", tuple(lines(x[0], y[:, 0], grid, 0.5)), float(grid.min()), float(grid.max()), 0)
        for i, grid in enumerate(grids)
    ]
    looked = {one.rules: look for one, look in zip(found, LOOKS, strict=False)}
    rows = contour_rows(found, {one.rules: one.rules for one in found}, looked)
    notes = "\n".join(f"{one.rules}: nowhere" for one in found if not one.lines)
    return contour_chart(rows, on, title="Title", caption=notes), found


def waves():
    _, x, y = a_plane()
    back = 0.5 + 0.2 * np.sin(x / 4) - (y - 9) / 30
    loop = 1 - ((x - 25) / 10) ** 2 / 2 - ((y - 9) / 4) ** 2 / 2
    crowd = (0.5 + (x - 2 * y - off) / 40 for off in (0, 2, 4, 6))
    return back, loop, 0.5 + 0.3 * np.cos(x / 3) * np.cos(y / 2), *crowd


def test_what_is_drawn_are_the_lines():
    figure, found = drawn(*waves()[:4])
    (axes,) = figure.axes
    assert max(len(one.lines) for one in found) > 2
    for one in found:
        shown = [line.get_xydata() for line in axes.lines if line.get_label() == one.rules]
        assert len(shown) == len(one.lines)
        assert all(np.array_equal(*pair) for pair in zip(shown, one.lines, strict=True))
    assert axes.get_xlim() == (0, 40)
    assert axes.get_ylim() == (4, 15)


def test_sets_of_rules_differ_in_more_than_colour_and_keep_their_look():
    figure, found = drawn(*waves()[:4])
    looks = {
        line.get_label(): (line.get_color(), line.get_marker(), str(line._dash_pattern))
        for line in figure.axes[0].lines
        if line.get_label() in {one.rules for one in found}
    }
    assert all(len({look[i] for look in looks.values()}) == 4 for i in range(3))
    without, _ = drawn(np.zeros((12, 21)), *waves()[1:4])
    (kept,) = {line.get_color() for line in without.axes[0].lines if line.get_label() == "rules-3"}
    assert kept == looks["rules-3"][0]


def test_a_set_of_rules_without_a_line_is_said_below():
    figure, _ = drawn(waves()[0], np.zeros((12, 21)))
    assert figure.get_supxlabel() == "Ticks point to where it is more.\nrules-1: nowhere"
    assert "rules-1: nowhere" in figure.shows
    assert [text.get_text() for text in figure.axes[0].texts] == ["rules-0"]
    narrow = figure.anew(PHONE)
    assert [text.get_text() for legend in narrow.legends for text in legend.texts] == ["rules-0"]


def test_without_any_line_there_is_nothing_to_list():
    figure, _ = drawn(np.zeros((12, 21)))
    assert figure.get_supxlabel() == "rules-0: nowhere"
    assert not figure.anew(PHONE).legends


@pytest.mark.parametrize("which", [[0], [1], [1, 3], [0, 1, 3], [0, 1, 2, 3], [3, 4, 5, 6]])
def test_names_stand_in_the_plane_and_cover_neither_each_other_nor_a_line(which):
    figure, found = drawn(*(waves()[i] for i in which))
    with matplotlib.rc_context(STYLE):
        FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    names = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert {*names} == {one.rules for one in found}
    told = {"Title", axes.get_xlabel(), axes.get_ylabel(), figure.get_supxlabel(), *names}
    for box in (
        text.get_window_extent() for text in figure.findobj(Text) if text.get_text() and text.get_text() in told
    ):
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1
    for one, other in combinations(names.values(), 2):
        assert not one.overlaps(other)
    for one in found:
        for line in one.lines:
            corners = axes.transData.transform(line)
            along = np.linspace(0, len(corners) - 1, 40 * len(corners))
            dense = np.column_stack([np.interp(along, range(len(corners)), corners[:, i]) for i in (0, 1)])
            assert not any(box.count_contains(dense) for box in names.values())


def test_beside_each_name_is_a_piece_of_its_line():
    figure, found = drawn(*(waves()[i] for i in (0, 1, 3)))

    def seen(*labels):
        lines = [line for line in figure.axes[0].lines if line.get_label() in labels]
        return {(line.get_color(), line.get_marker(), str(line._dash_pattern)) for line in lines}

    assert seen("_name") == seen(*(one.rules for one in found))
    assert seen("_name")
    assert all(line.get_linestyle() != "None" for line in figure.axes[0].lines)


def test_the_title_says_between_which_levels_lines_pass_a_level_that_most_of_them_pass():
    """A rises from 4 at 5 to 8 at 13, B has two lines over 8 to 12, C one that ends at 7."""
    ends = {
        ("A", 1): ((5, 4), (13, 8)),
        ("B", 1): ((8, 2), (12, 2)),
        ("B", 2): ((8, 9), (12, 10)),
        ("C", 1): ((5, 5), (7, 6)),
    }
    rows = [
        ContourRow(name, "blue", line, n, *place)
        for (name, line), places in ends.items()
        for n, place in enumerate(places, 1)
    ]
    met = goal("p_captured", 0.5)[1:]
    by, inside = factor("attackers.models", range(5, 14)), factor("defenders.models", range(2, 11))
    assert sweeps.lines(rows, Plane(by, inside, "p_captured", 0.5)) == (
        f"C{met} with 9 attackers: with 6 models in the garrison under A, 2 and between 9 and 10 under B; "
        "elsewhere under C"
    )
    upright = [ContourRow("A", "blue", 1, n, 6.5, y) for n, y in ((1, 4.0), (2, 8.0))]
    assert sweeps.lines(upright, Plane(by, inside, "p_captured", 0.5)) == (
        f"C{met} with 6 models in the garrison: with between 6 and 7 attackers under A"
    )
    far = factor("distance", (4, 6, 8))
    assert sweeps.lines(upright, Plane(by, far, "p_captured", 0.5)) == (
        f"C{met} at 6 inches apart at the start: with between 6 and 7 attackers under A"
    )
    tough = factor("units.trooper.T", (3, 5, 8))
    assert sweeps.lines(upright, Plane(tough, far, "p_captured", 0.5)) == (
        f"C{met} at 6 inches apart at the start: with trooper: Toughness between 5 and 8 under A"
    )
    one = [row._replace(x=1.0) for row in upright]
    few = factor("attackers.models", (1, 3))
    assert sweeps.lines(one, Plane(few, inside, "p_captured", 0.5)).endswith(": with 1 attacker under A")


def test_levels_between_which_a_title_says_lines_pass_have_the_target_between_them():
    """On a plane with steps of 5 by 2, the neighbours that are said were played, one above and one below."""
    on = Plane(factor("attackers.models", (5, 10, 15)), factor("distance", (6, 8, 10, 12)), "p_captured", 0.5)
    grid = np.array([[0.1, 0.2, 0.3], [0.2, 0.4, 0.6], [0.3, 0.9, 1.0], [0.4, 1.0, 1.0]])
    found = [Contours("a", tuple(lines([5, 10, 15], [6, 8, 10, 12], grid, 0.5)), 0.1, 1.0, 0)]
    said = sweeps.lines(contour_rows(found, {"a": "A"}, {"a": "blue"}), on)
    told = re.search(r" (?:at|with) (\d+) (\w+) .*between (\d+) and (\d+)", said.replace("attackers:", "attackers :"))
    at, what, *neighbours = told.groups()
    of = {n: i for i, n in enumerate((5, 10, 15))}, {n: i for i, n in enumerate((6, 8, 10, 12))}
    if what == "attackers":
        values = [grid[of[1][int(n)], of[0][int(at)]] for n in neighbours]
    else:
        values = [grid[of[1][int(at)], of[0][int(n)]] for n in neighbours]
    assert min(values) < 0.5 < max(values)


def test_a_title_without_a_line_says_on_which_side_of_the_target_all_is():
    on = Plane(factor("attackers.models", (5, 6)), factor("defenders.models", (4, 5)), "p_captured", 0.05)
    above, below = (
        f"C{goal('p_captured', 0.05, f'{than} than ')[1:]} at every point played" for than in ("more", "less")
    )
    ranges = [RangeRow("A", 0.96, 0.98, False), RangeRow("B", 0.06, 1.0, False)]
    assert sweeps.lines([], on, ranges) == f"{above} under A and B"
    less, shut = RangeRow("C", 0.0, 0.04, False), RangeRow("D", None, None, False)
    assert sweeps.lines([], on, [less]) == f"{below} under C"
    none = f"no line where {goal('p_captured', 0.05)}"
    assert sweeps.lines([], on, [*ranges, less, shut]) == (
        f"{above} under A and B; {below[0].lower()}{below[1:]} under C; {none} under D"
    )
    assert sweeps.lines([], on) == f"N{none[1:]}"


def test_a_title_of_lines_says_that_they_are_sampled(skirmish):
    of = design(typed_factors(["attackers.models=4,8", "defenders.models=3,6"]), skirmish, ["storming"])
    on = plane(of, "p_captured", 0.5)
    for how, sampled in ((How("sampled", trials=200), True), (How("exact"), False)):
        found = contours(on, answers(of, how))
        ranges = range_rows(found, {"storming": "A"})
        rows = contour_rows(found, {"storming": "A"}, {"storming": "blue"})
        assert [each[1:] for each in ranges] == [(found[0].least, found[0].most, sampled)]
        assert contour_chart(rows, on, ranges).title.endswith(" (sampled)") is sampled


def test_the_command_draws_and_says_who_has_no_line(skirmish, tmp_path, capsys):
    file = tmp_path / "contours.svg"
    asked = ["chart", "contours", skirmish, *ASKED, "--rules", "storming,gw_updated", "--workers", "1"]
    assert run([*asked, "--target", "0.9", "--out", str(file)]) == 0
    assert capsys.readouterr() == ("", f"The chart: {file}\n")
    root = ElementTree.parse(file).getroot()
    words = " ".join("".join(part.itertext()) for part in root.iter() if part.tag.endswith("text"))
    assert f"C{goal('p_captured', 0.9)[1:]} with " in words
    assert "A skirmish: storm against hold. All numbers are exact." in words
    assert "Storming buildings" in words
    assert "Updated building rules: nowhere, from " in words
    assert "Updated building rules: nowhere, from " in root.get("aria-label")
    assert "gw_updated" not in words
    alone = ["chart", "contours", skirmish, *ASKED, "--rules", "gw_updated", "--target", "0.9", "--workers", "1"]
    assert run([*alone, "--out", str(file)]) == 0
    less = f"C{goal('p_captured', 0.9, 'less than ')[1:]} at every point played under Updated building rules"
    assert less in ElementTree.parse(file).getroot().get("aria-label")

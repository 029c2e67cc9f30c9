import json
import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import get_type_hints
from xml.etree import ElementTree

import matplotlib
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from analysis import charts
from analysis.charts import capture_chart, end_chart, game_chart, loss_chart, svg, write
from analysis.charts.palette import LOOKS, looks
from analysis.charts.style import INK, PAPER, PHONE, STYLE, WIDE, Chart
from analysis.cli import run
from analysis.comparing.compare import Comparison
from analysis.findings import assaults as findings
from analysis.points.margins import ENDS
from analysis.points.point import point
from analysis.rows.assaults import EndRow, TurnRow, end_rows, loss_marks, loss_rows, turn_rows
from analysis.rows.games import PointRow, StepRow, game_rows
from analysis.rows.sweeps import LevelRow
from analysis.say.numbers import games
from analysis.told.chances import Course
from analysis.told.replay import events, turning_point
from sims.replay import replay
from sims.rulesets import rule_set
from sims.script import RollFile, Script
from tests.engines.test_engines import race


def test_bars_are_as_long_as_the_shares(exact: Comparison) -> None:
    rows = end_rows(exact)
    drawn = [bar[0].get_width() for bar in end_chart(rows).axes[0].containers if bar[0].get_fill()]
    assert drawn == pytest.approx([row.share for row in rows])


def test_bars_of_one_rule_set_fill_the_whole_width(exact: Comparison) -> None:
    ends = [bar[0].get_x() + bar[0].get_width() for bar in end_chart(end_rows(exact)).axes[0].containers]
    assert max(ends) == pytest.approx(1)


def test_steps_are_as_high_as_the_chances(exact: Comparison) -> None:
    rows = turn_rows(exact)
    for line in capture_chart(rows).axes[0].lines:
        expected = [row.captured for row in rows if row.rules == line.get_label()]
        assert list(line.get_ydata()) == pytest.approx([0, *expected])


def test_intervals_are_drawn_where_sampled(exact: Comparison, sampled: Comparison) -> None:
    assert not capture_chart(turn_rows(exact)).axes[0].collections
    rows = turn_rows(sampled)
    (bars,) = capture_chart(rows).axes[0].collections
    assert [tuple(path[:, 1]) for path in bars.get_segments()] == [(row.low, row.high) for row in rows]


def test_loss_bars_and_marks_are_the_rows(exact: Comparison) -> None:
    rows, marks = loss_rows(exact), loss_marks(exact)
    for axes, mark in zip(loss_chart(rows, marks).axes, marks, strict=True):
        expected = [row.chance for row in rows if (row.rules, row.side) == (mark.rules, mark.side)]
        assert [bar.get_height() for bar in axes.patches] == pytest.approx(expected)
        span, mean = axes.lines
        assert list(span.get_xdata()) == [mark.least, mark.most]
        assert list(mean.get_xdata()) == [mark.mean]


def test_series_differ_in_more_than_colour() -> None:
    rows = [
        TurnRow(f"rules {n}", look, turn, 0.1 * n, None, None)
        for n, look in enumerate(("blue", "green", "purple", "vermillion", "blue, dashed"))
        for turn in (1, 2)
    ]
    lines = capture_chart(rows).axes[0].lines
    assert len({line.get_marker() for line in lines[:4]}) == 4
    assert len({str(line._dash_pattern) for line in lines}) == 5
    assert lines[0].get_color() == lines[4].get_color()
    assert len({look.colour for look in LOOKS.values()}) == len(LOOKS) / 2
    assert lines[0].get_markerfacecolor() != lines[4].get_markerfacecolor()
    parts = [EndRow("rules", "blue", end, 0.25) for end in ("destroyed", "captured", "broken", "held")]
    bars = [bar[0] for bar in end_chart(parts).axes[0].containers if bar[0].get_fill()]
    assert len({bar.get_hatch() for bar in bars}) == 4


def test_beside_each_name_is_a_piece_of_its_line() -> None:
    """Of two house rules of one base as well, which have its colour."""
    rows = [
        TurnRow(name, look, turn, 0.2 * n, None, None)
        for n, (name, look) in enumerate([("book", "blue"), ("house", "blue, dashed"), ("other", "blue, dashed")])
        for turn in (1, 2)
    ]
    figure = capture_chart(rows)

    def seen(lines: list[Line2D]) -> list[tuple[object, ...]]:
        return [(each.get_color(), str(each.get_marker()), str(each._dash_pattern)) for each in lines]

    pieces = [each for each in figure.artists if isinstance(each, Line2D)]
    assert seen(pieces) == seen([*figure.axes[0].lines])
    assert len({*seen(pieces)}) == 3


def test_labels_do_not_cover_each_other() -> None:
    rows = [TurnRow(f"rules {n}", "blue", 1, 0.5 + 0.001 * n, None, None) for n in range(6)]
    heights = sorted(text.get_position()[1] for text in capture_chart(rows).axes[0].texts if text.get_text())
    assert min(b - a for a, b in pairwise(heights)) > 0.06


def test_svg_is_the_same_twice_and_stands_alone(exact: Comparison) -> None:
    first, second = (svg(end_chart(end_rows(exact)), "ends") for _ in range(2))
    assert first == second
    ElementTree.fromstring(first)
    assert not re.search(r'(src|href)="(?!#)', first)
    assert "Date" not in first
    assert all(id.startswith("ends-") for id in re.findall(r' id="([^"]+)"', first))


def test_a_notebook_draws_every_chart(exact: Comparison) -> None:
    """Jupyter asks for a picture of what a cell comes to; each chart has one, whoever draws it."""
    for chart in (charts.end_chart(end_rows(exact)), charts.capture_chart(turn_rows(exact))):
        data, _ = DisplayFormatter().format(chart)
        assert data["image/png"].startswith(b"\x89PNG")
    assert all(is_chart(draw) for name, draw in vars(charts).items() if name.endswith("_chart"))


def is_chart(draw) -> bool:
    return get_type_hints(draw)["return"] is Chart


def test_charts_leave_matplotlib_as_it_was(exact: Comparison) -> None:
    before, figures = [matplotlib.rcParams[name] for name in STYLE], pyplot.get_fignums()
    svg(end_chart(end_rows(exact)), "ends")
    assert [matplotlib.rcParams[name] for name in STYLE] == before
    assert pyplot.get_fignums() == figures


def test_what_a_chart_shows_may_hold_any_sign(exact: Comparison) -> None:
    said = 'Grenades & "<b>" of ours'
    shows = ElementTree.fromstring(svg(end_chart(end_rows(exact), title=said), "ends")).get("aria-label")
    assert shows.startswith(f"{said}. rules, end, share: ")


def test_who_cannot_see_a_chart_is_told_every_value(exact: Comparison, sampled: Comparison) -> None:
    shows = end_chart(end_rows(exact)).shows
    assert all(f"{row.rules}, {row.end}, {row.share:.4g}" in shows for row in end_rows(exact))
    rows = turn_rows(sampled)
    assert all(
        f"{row.turn}, {row.captured:.4g}, {row.low:.4g}, {row.high:.4g}" in capture_chart(rows).shows for row in rows
    )


def test_rows_of_a_game_are_what_its_course_says(skirmish: str, rules: str) -> None:
    assault = point(skirmish, rule_set(rules), {"defenders.plan": "sally"}).assault
    played, course = replay(assault, seed=2), Course(assault)
    rows, points = game_rows(played, Course(assault))
    steps = [{row.end: row.chance for row in rows if row.step == n} for n in range(rows[-1].step + 1)]
    turns = {row.step: row.turn for row in rows}
    assert len(rows) == len(ENDS) * len(steps)
    assert steps[0] == course.now
    n, where = 0, {}
    for move in played.moves:
        for shift in course.follow(move):
            n += 1
            where[turning_point(shift)] = n
            assert turns[n] == move.turn
            for end, by in shift.change.items():
                assert steps[n][end] - steps[n - 1][end] == pytest.approx(by, abs=1e-12)
        if not move.rolls and events(move):
            n += 1
            assert (steps[n], turns[n]) == (steps[n - 1], move.turn)
        assert steps[n] == course.now
    assert n == rows[-1].step
    assert [f"{row.roll} ({row.moved})" for row in points] == [turning_point(shift) for shift in course.turning_points]
    assert [row.step for row in points] == [where[turning_point(shift)] for shift in course.turning_points]


def test_rolls_that_are_alike_are_turning_points_of_their_own() -> None:
    assault = race(9, 3)
    played = replay(assault, script=Script([RollFile(label="move", answer=2)] * 3))
    _, points = game_rows(played, Course(assault))
    assert sorted(point.step for point in points) == [1, 2, 3]


def steps_of(*chances: tuple[float, ...], turns: int = 1) -> list[StepRow]:
    """Rows of a game by the chances of destroyed, captured, broken and held at each step, over so many turns."""
    last = len(chances) - 1
    return [
        StepRow(step, 1 + max(step - 1, 0) * turns // max(last, 1), end, chance)
        for step, now in enumerate(chances)
        for end, chance in zip(ENDS, now, strict=True)
    ]


GAME = steps_of((0, 0.6, 0.37, 0.03), (0, 0.8, 0.2, 0), (0, 0.3, 0.7, 0), (0, 0, 1, 0), turns=2)
POINTS = (
    PointRow(2, "turn 1, defenders: shoot, shots 4", "captured -50.0"),
    PointRow(3, "turn 2, x: y, z", "broken +30.0"),
)


def areas(figure: Chart) -> dict[str, StepPatch]:
    return {patch.get_label(): patch for patch in figure.axes[0].patches if isinstance(patch, StepPatch)}


def said(figure: Chart) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


def test_areas_of_a_game_are_as_high_as_the_chances_and_lie_on_each_other() -> None:
    drawn, top = areas(game_chart(GAME, POINTS, "told")), [0.0] * 4
    assert [*drawn] == ["captured", "broken", "held"]
    for end, area in drawn.items():
        upper, edges, lower = area.get_data()
        assert list(lower) == pytest.approx(top)
        assert list(upper - lower) == pytest.approx([row.chance for row in GAME if row.end == end])
        assert list(edges) == [0, 0.5, 1.5, 2.5, 3]
        top = list(upper)
    assert top == pytest.approx([1] * 4)


def test_ends_are_named_in_their_areas_or_beside_and_those_that_cannot_come_nowhere() -> None:
    figure = game_chart(GAME, POINTS, "told")
    (legend,) = [text.get_text() for text in figure.subfigs[0].legends[0].texts]
    assert legend == "held, 3 % at most"
    assert {"captured", "broken"} <= {*said(figure)}
    assert not [text for text in said(figure) if "destroyed" in text or text == "held"]
    faces = areas(game_chart(steps_of((0.25,) * 4, (1, 0, 0, 0)), [], "told"))
    assert (
        len({area.get_hatch() for area in faces.values()})
        == len({area.get_facecolor() for area in faces.values()})
        == 4
    )


def test_turning_points_are_pinned_where_they_stand_and_told_by_their_numbers() -> None:
    figure = game_chart(GAME, POINTS, "told")
    (plot,), (_, below) = figure.axes, figure.subfigs
    assert {line.get_xdata()[-1] for line in plot.lines} == {1.5, 2.5}
    heads = {text.get_text(): text.get_position()[0] for text in plot.texts if text.get_text().isdigit()}
    assert heads == {"1": pytest.approx(1.5), "2": pytest.approx(2.5)}
    told = [text.get_text() for text in below.texts]
    assert told == ["Where it turned:", "1", POINTS[0].roll, POINTS[0].moved, "2", POINTS[1].roll, POINTS[1].moved]
    assert any("nowhere" in text for text in said(game_chart(GAME, [], "told")))


def test_turns_are_marked_and_numbered() -> None:
    plot = game_chart(GAME, [], "told").axes[0]
    assert list(plot.get_xticks()) == [0, 2]
    numbers = {tick.get_text(): tick.get_position()[0] for tick in plot.get_xticklabels(minor=True)}
    assert numbers == {"1": 1, "2": 2.5}


def test_the_title_of_a_game_says_how_it_ended_and_on_what_it_turned() -> None:
    told = "The attackers broke, 37 % likely at the start"
    assert game_chart(GAME, [], "told").title == told
    for chance, begun in ((1.0, "certain from the start"), (0.002, "<1 % likely at the start")):
        rows = steps_of((0, 1 - chance, chance, 0), (0, 0, 1, 0))
        assert game_chart(rows, [], "told").title == f"The attackers broke, {begun}"
    assert [games(chance) for chance in (0.005, 0.995)] == ["less than 1", "more than 99"]
    rare, common = (steps_of((0, 1 - chance, chance, 0), (0, 0, 1, 0)) for chance in (0.01, 0.9999))
    assert game_chart(rare, [], "told").title == "The attackers broke, 1 % likely at the start"
    assert game_chart(common, [], "told").title == "The attackers broke, >99 % likely at the start"
    assert game_chart(GAME, POINTS, "told").title == f"{told}; the turning point was {POINTS[0].roll}"


LONG = "turn 12, attackers' turn, building: strike at structure, way 1: damage (Vanguard in power armour), damage 1"
GAMES = {
    "nothing rolled": (steps_of((0, 0, 0, 1)), 0),
    "one roll": (steps_of((0.02, 0.03, 0.9, 0.05), (0, 0, 1, 0)), 1),
    "thin areas": (steps_of(*[(0.05, 0.06, 0.86, 0.03)] * 20, (0, 0, 1, 0), turns=20), 3),
    "short turns": ([row._replace(turn=max(row.step - 130, 1)) for row in steps_of(*[(0, 0.5, 0.5, 0)] * 151)], 1),
    "long": (steps_of(*[(0.5 - n / 400, n / 400, 0.25, 0.25) for n in range(150)], (1, 0, 0, 0), turns=20), 3),
}


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize(("rows", "points"), GAMES.values(), ids=GAMES)
def test_nothing_in_the_chart_of_a_game_covers_another_or_is_cut_off(
    rows: list[StepRow], points: int, width: float
) -> None:
    """The last rolls of all are the turning points, so that their pins stand close at the edge."""
    last = [PointRow(rows[-1].step - n, LONG, "destroyed -31.0, captured +10.0, broken -20.0") for n in range(points)]
    title = "Grenades & <b>$x$</b> " * 6
    figure = game_chart(rows, last, f"seed {2**63}, rolls as they are written. " * 3, title=title, width=width)
    with matplotlib.rc_context(STYLE):
        FigureCanvasAgg(figure).draw()
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    boxes = [(text.get_bbox_patch() or text).get_window_extent() for text in texts]
    whole = figure.bbox
    for box in boxes:
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1
    for one, other in combinations(boxes, 2):
        assert not one.padded(-0.5).overlaps(other.padded(-0.5))
    plot = figure.axes[0]
    pins = [plot.transData.transform((point.step - 0.5, 0))[0] for point in last]
    for text, box in zip(texts, boxes, strict=True):
        assert text.get_text() not in ENDS or not any(box.x0 < x < box.x1 for x in pins)


def styles_in(picture: str) -> list[list[tuple[str, str]]]:
    """The declarations of every style of a picture, in order."""
    found = [part.get("style") for part in ElementTree.fromstring(picture).iter() if part.get("style")]
    return [[tuple(each.split(": ", 1)) for each in style.rstrip(";").split("; ")] for style in found]


def test_ink_and_paper_are_plain_colours_where_a_viewer_knows_no_variables(exact: Comparison) -> None:
    """Such a viewer drops what it cannot read, and keeps what the same style said before."""
    replaced = set()
    for style in styles_in(svg(end_chart(end_rows(exact)), "ends")):
        for n, (name, colour) in enumerate(style):
            if colour.startswith("var("):
                replaced.add(colour)
                assert style[n - 1][0] == name
                assert colour.endswith(f", {style[n - 1][1]})")
    assert replaced == {f"var(--ink, {INK})", f"var(--paper, {PAPER})"}


def test_a_picture_that_stands_alone_is_light_on_dark_only_with_a_background(exact: Comparison, tmp_path: Path) -> None:
    chart, file = end_chart(end_rows(exact)), tmp_path / "ends.svg"
    write(chart, file)
    alone, on_a_page = file.read_text("utf-8"), svg(chart, "ends")
    (rule,) = re.findall(r"@media \(prefers-color-scheme: dark\) \{ svg \{(.*?)\}", alone)
    said = dict(each.strip().split(": ") for each in rule.split(";"))
    assert said["background"] == "var(--paper)"
    assert {"--ink", "--paper"} < set(said)
    assert "background" not in on_a_page + alone.replace(rule, "")


def words_in(path: Path) -> str:
    return " ".join("".join(part.itertext()) for part in ElementTree.parse(path).iter() if part.tag.endswith("text"))


def test_the_command_draws_a_game_with_its_turning_points(skirmish: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "game.svg"
    asked = [skirmish, "--rules", "gemini", "--defence", "sally", "--seed", "2"]
    assert run(["chart", "game", *asked, "--out", str(file)]) == 0
    assert capsys.readouterr() == ("", f"The chart: {file}\nSeed 2: with --seed 2 the same dice fall.\n")
    assert run(["play", *asked, "--chances", "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["turning_points"]
    drawn = words_in(file)
    assert "A skirmish, Gemini building rules: " in drawn
    assert "storm against sally, seed 2. The attackers have broken in turn" in drawn
    assert points
    for told in points:
        assert f"{told['move']}, {told['label']}" in drawn
        assert f"captured {100 * told['change']['captured']:+.1f}" in drawn


def test_a_game_of_nobodys_seed_can_be_drawn_again_and_one_that_is_written_too(skirmish, tmp_path, capsys) -> None:
    file, again, script = (tmp_path / name for name in ("game.svg", "again.svg", "mine.toml"))
    assert run(["chart", "game", skirmish, "--out", str(file)]) == 0
    seed = re.search(r"with --seed (\d+) the same dice fall", capsys.readouterr().err)[1]
    assert run(["chart", "game", skirmish, "--seed", seed, "--out", str(again)]) == 0
    assert words_in(file) == words_in(again)
    played = replay(point(skirmish, rule_set("storming")).assault, seed=int(seed))
    rolls = [(roll.label, list(roll.faces)) for move in played.moves for roll in move.rolls]
    script.write_text("".join(f'[[roll]]\nlabel = "{label}"\nfaces = {faces}\n' for label, faces in rolls))
    assert run(["chart", "game", skirmish, "--script", str(script), "--out", str(again)]) == 0
    assert words_in(again) == words_in(file).replace(f"seed {seed}", "rolls as they are written")
    assert capsys.readouterr().err.endswith("Every roll as it is written.\n")
    script.write_text('[[roll]]\nlabel = "moral"\nanswer = "passed"\n')
    again.unlink()
    assert run(["chart", "game", skirmish, "--script", str(script), "--out", str(again)]) == 2
    assert "the script has no roll" in capsys.readouterr().err
    assert not again.exists()


def ends_of(rules: str, low: float | None = None, **shares: float) -> list[EndRow]:
    return [EndRow(rules, "blue", end, shares.get(end, 0.0), low, low and 1.0) for end in ENDS]


def test_ends_that_come_as_often_are_told_together() -> None:
    rows = ends_of("A", destroyed=0.434, broken=0.436, held=0.13) + ends_of("B", captured=0.6, broken=0.4)
    assert findings.ends(rows) == (
        "The attackers take the building in 60 games in 100 under B; "
        "the attackers are broken in 44 and the building is destroyed in 43 under A"
    )
    sampled = ends_of("C", low=0.4, captured=0.55, broken=0.45)
    assert findings.ends(sampled, "the hut") == (
        "The attackers take the hut in about 55 games in 100 and the attackers are broken in about 45 under C"
    )


def test_house_rules_of_one_base_have_a_marker_and_a_dash_each() -> None:
    titles = ["book", *(f"house {n}" for n in range(12))]
    rows = [LevelRow(name, "blue, dashed" if n else "blue", 1, 0.5, None, None) for n, name in enumerate(titles)]
    drawn = looks(rows)
    assert [*drawn] == titles
    assert len({look.dashes for look in list(drawn.values())[:7]}) == 7
    assert len({(look.marker, look.hollow) for look in list(drawn.values())[:7]}) == 7
    assert len({(look.marker, look.dashes) for look in drawn.values()}) == 13
    assert {look.colour for look in drawn.values()} == {drawn["book"].colour}

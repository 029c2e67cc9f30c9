"""What an assault costs and when it is taken: rows against each other and by hand, drawings and findings against rows."""

from itertools import pairwise

import pytest
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.colors import same_color

from analysis.charts import both_chart, capture_chart, end_chart, loss_chart
from analysis.charts.heat import level_names
from analysis.charts.palette import LOOKS
from analysis.charts.style import PAPER, PHONE, WIDE
from analysis.comparing.compare import Comparison
from analysis.findings import assaults as findings
from analysis.points.margins import SIDES
from analysis.rows.assaults import (
    BothRow,
    EndRow,
    LeftRow,
    LossMark,
    LossRow,
    TurnRow,
    both_rows,
    end_rows,
    loss_marks,
    loss_rows,
    turn_rows,
)
from tests.readable import assert_readable


def test_what_both_sides_lose_together_comes_to_what_each_loses(exact: Comparison) -> None:
    both, each = both_rows(exact), loss_rows(exact)
    assert len({row[:4] for row in both}) == len(both)
    for row in each:
        own = [one.chance for one in both if (one.rules, getattr(one, f"{row.side}_lost")) == (row.rules, row.lost)]
        assert sum(own) == pytest.approx(row.chance, abs=1e-12)
    for name in exact.names():
        assert sum(row.chance for row in both if row.rules == name) == pytest.approx(1)


def test_marks_of_losses_are_those_of_the_bars(exact: Comparison) -> None:
    """The mean; and the fewest that one game in twenty does not exceed, and that nineteen do not."""
    rows = loss_rows(exact)
    for mark in loss_marks(exact):
        own = [row for row in rows if (row.rules, row.side) == (mark.rules, mark.side)]
        within = {row.lost: sum(one.chance for one in own if one.lost <= row.lost) for row in own}
        assert mark.mean == pytest.approx(sum(row.lost * row.chance for row in own))
        assert mark.least == min(lost for lost, chance in within.items() if chance >= 0.05)
        assert mark.most == min(lost for lost, chance in within.items() if chance >= 0.95)


def test_a_house_rule_looks_like_its_base_and_is_dashed(exact: Comparison) -> None:
    for rows in (end_rows(exact), turn_rows(exact), loss_rows(exact), loss_marks(exact), both_rows(exact)):
        assert list(dict.fromkeys(row.look for row in rows)) == ["vermillion", "vermillion, dashed"]


def test_steps_begin_with_no_turn_played_and_go_to_the_last(exact: Comparison) -> None:
    rows, turns = turn_rows(exact), exact.scenario.turns
    assert [row.turn for row in rows] == [*range(1, turns + 1)] * 2
    assert all(list(line.get_xdata()) == [*range(turns + 1)] for line in capture_chart(rows).axes[0].lines)


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_numbers_of_losses_stand_apart(exact: Comparison, width: float) -> None:
    """As far as a digit is wide, or they read as one."""
    figure = loss_chart(loss_rows(exact), loss_marks(exact), width=width)
    assert_readable(figure)
    for axes in figure.axes[-2:]:
        low, high = axes.get_xlim()
        numbers = [label for label in axes.get_xticklabels() if low <= label.get_position()[0] <= high]
        boxes = [label.get_window_extent() for label in numbers]
        assert all(after.x0 - before.x1 > boxes[0].width for before, after in pairwise(boxes))


def test_heat_of_both_losses_is_the_rows_attackers_to_the_right() -> None:
    rows = [BothRow("A", "blue", 0, 1, 0.3), BothRow("A", "blue", 2, 0, 0.5), BothRow("B", "green", 1, 1, 0.2)]
    figure = both_chart(rows)
    one, other = figure.axes[:2]
    for axes, cells in ((one, {(1, 0): 0.3, (0, 2): 0.5}), (other, {(1, 1): 0.2})):
        (mesh,) = (part for part in axes.collections if isinstance(part, QuadMesh))
        drawn = mesh.get_array()
        assert drawn.shape == (2, 3)
        assert {place: drawn[place] for place in cells} == cells
        assert drawn.count() == len(cells)
        assert mesh.norm.vmax == 0.5
    assert [tick.get_text() for tick in one.get_xticklabels()] == ["0", "1", "2"]
    assert [tick.get_text() for tick in one.get_yticklabels()] == ["0", "1"]
    assert one.get_ylabel() == "■ garrison lost"
    assert one.get_xlabel() == "▲ attackers lost"
    assert figure.title == "Likeliest losses, attackers against garrison: 2 against 0 under A, 1 against 1 under B"


def test_bars_of_losses_are_full_for_attackers_and_have_intervals_where_sampled() -> None:
    rows = [LossRow("A", "blue", side, lost, 0.5, 0.4, 0.7) for side in SIDES for lost in (0, 1)]
    marks = [LossMark("A", "blue", side, 0.5, 0, 1) for side in SIDES]
    mine, theirs = loss_chart(rows, marks).axes
    assert same_color(mine.patches[0].get_facecolor(), LOOKS["blue"].colour)
    assert not mine.patches[0].get_hatch()
    assert same_color(theirs.patches[0].get_facecolor(), PAPER)
    assert theirs.patches[0].get_hatch()
    for axes in (mine, theirs):
        (intervals,) = (part for part in axes.collections if isinstance(part, LineCollection))
        assert [path.tolist() for path in intervals.get_segments()] == [[[n, 0.4], [n, 0.7]] for n in (0, 1)]


def test_the_interval_of_an_end_is_told_by_its_longer_side() -> None:
    rows = [EndRow("A", "blue", end, 0.5, 0.38, 0.6) for end in ("captured", "held")]
    assert [text.get_text() for text in end_chart(rows).axes[0].texts] == ["captured 50 ± 12.0 %", "held 50 ± 12.0 %"]


def test_findings_say_how_assaults_end_those_that_end_alike_together() -> None:
    shares = {
        "A": (0.1, 0.5, 0.2, 0.2),
        "B": (0.0, 0.7, 0.3, 0.0),
        "C": (0.63, 0.26, 0.1, 0.01),
        "D": (0, 0.002, 0, 0.998),
    }
    rows = [
        EndRow(name, "blue", end, share)
        for name, each in shares.items()
        for end, share in zip(("destroyed", "captured", "broken", "held"), each, strict=True)
    ]
    assert findings.ends(rows, "the mill") == (
        "The attackers take the mill in 70 games in 100 under B, in 50 under A; "
        "the mill is destroyed in 63 under C; the mill holds out in more than 99 under D"
    )
    thrown = [row._replace(low=row.share - 0.1, high=row.share + 0.1) for row in rows[:4]]
    assert findings.ends(thrown) == "The attackers take the building in about 50 games in 100 under A"
    sure = [EndRow("A", "blue", "held", 1.0)]
    assert findings.ends(sure, "the mill") == "The mill holds out in 100 games in 100 under A"


def test_findings_say_when_half_of_the_captures_have_come() -> None:
    by_turn = {"A": (0.15, 0.2, 0.4), "B": (0.0, 0.35, 0.6), "C": (0.0, 0.0, 0.0), "D": (0.3, 0.5, 0.6)}
    rows = [TurnRow(name, "blue", n, p, None, None) for name, each in by_turn.items() for n, p in enumerate(each, 1)]
    assert findings.turns(rows) == (
        "At least half of the captures come by turn 1 under D, by turn 2 under A and B; never captured under C"
    )
    never = [row for row in rows if row.rules == "C"]
    assert findings.turns(never) == "Never captured under C"
    unseen = [row._replace(low=0.0, high=0.01) for row in never]
    assert findings.turns(unseen) == "Captured in none of the games sampled under C"
    thrown = [row._replace(rules="E", captured=0.5, low=0.4, high=0.6) for row in never]
    assert findings.turns([*thrown, *unseen, *(row._replace(rules="F") for row in never)]) == (
        "At least half of the captures come by turn 1 under E; captured in none of the games sampled under C; "
        "never captured under F (sampled)"
    )
    tiny = [row._replace(captured=1e-6) for row in never]
    assert findings.turns(tiny) == "Captured in less than 1 game in 100 under C"
    few = [row._replace(captured=0.01 * row.captured) for row in rows]
    assert findings.turns(few) == "Captured in less than 1 game in 100 under A, B and D; never captured under C"


def test_titles_of_losses_say_where_they_are_sampled(sampled: Comparison, exact: Comparison) -> None:
    drawn = both_chart(both_rows(sampled)), loss_chart(loss_rows(sampled), loss_marks(sampled))
    assert all(chart.title.endswith(" (sampled)") for chart in drawn)
    assert "sampled" not in both_chart(both_rows(exact)).title + loss_chart(loss_rows(exact), loss_marks(exact)).title


def test_levels_of_heat_maps_are_named_at_even_steps_where_they_are_many() -> None:
    assert level_names([4, 5.5]) == ["4", "5.5"]
    assert level_names(range(12)) == [str(n) for n in range(12)]
    assert level_names(range(13)) == [str(n) if n % 2 == 0 else "" for n in range(13)]
    assert level_names(range(5), room=2) == ["0", "", "", "3", ""]


def test_findings_say_who_loses_most_and_who_has_most_left() -> None:
    marks = [
        LossMark(name, "blue", side, mean + 5 * (side == "defenders"), 0, 9)
        for name, mean in (("A", 4.0), ("B", 2.5), ("C", 3.0))
        for side in SIDES
    ]
    assert findings.losses(marks) == "The attackers lose least under B, 2.5 models on average, and most under A, 4.0"
    assert findings.losses(marks[:2]) == "The attackers lose 4.0 models on average"
    close = [mark._replace(mean=mean) for mark, mean in zip(marks[::2], (10.8, 10.9, 10.84), strict=True)]
    assert findings.losses(close) == "The attackers lose 10.8 to 10.9 models on average under each set of rules"
    rows = [
        LeftRow(name, "blue", turn, 10 - turn * lost) for name, lost in (("A", 3.0), ("B", 1.5)) for turn in range(3)
    ]
    assert findings.survivors(rows) == ("Left of the garrison of 10 at the end, on average: 7.0 under B, 4.0 under A")

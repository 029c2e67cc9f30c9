import re
from itertools import pairwise
from typing import get_type_hints
from xml.etree import ElementTree

import matplotlib
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib import pyplot

from analysis import charts
from analysis.charts import capture_chart, end_chart, loss_chart, svg
from analysis.charts.style import STYLE, Chart
from analysis.compare import Comparison
from analysis.rows import EndRow, TurnRow, end_rows, loss_marks, loss_rows, turn_rows


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
        assert list(span.get_xdata()) == [mark.low, mark.high]
        assert list(mean.get_xdata()) == [mark.mean]


def test_series_differ_in_more_than_colour() -> None:
    rows = [TurnRow(f"rules {n}", turn, 0.1 * n, None, None) for n in range(4) for turn in (1, 2)]
    lines = capture_chart(rows).axes[0].lines
    assert len({line.get_marker() for line in lines}) == 4
    assert len({str(line._dash_pattern) for line in lines}) == 4
    parts = [EndRow("rules", end, 0.25) for end in ("destroyed", "captured", "broken", "held")]
    bars = [bar[0] for bar in end_chart(parts).axes[0].containers if bar[0].get_fill()]
    assert len({bar.get_hatch() for bar in bars}) == 4


def test_labels_do_not_cover_each_other() -> None:
    rows = [TurnRow(f"rules {n}", 1, 0.5, None, None) for n in range(6)]
    heights = sorted(text.get_position()[1] for text in capture_chart(rows).axes[0].texts if text.get_text())
    assert min(b - a for a, b in pairwise(heights)) > 0.06


def test_svg_is_the_same_twice_and_stands_alone(exact: Comparison) -> None:
    first, second = (svg(end_chart(end_rows(exact)), "ends", "what it shows") for _ in range(2))
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
    before = [matplotlib.rcParams[name] for name in STYLE]
    svg(end_chart(end_rows(exact)), "ends", "what it shows")
    assert [matplotlib.rcParams[name] for name in STYLE] == before
    assert not pyplot.get_fignums()

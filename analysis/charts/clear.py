"""The chance to clear a building over the number of attackers: panels side by side, lines labelled at their ends."""

from collections.abc import Sequence
from itertools import cycle

from matplotlib.axes import Axes

from analysis.charts.style import SERIES, Chart, apart, draw_line, label_line, share, styled, tick
from analysis.studies import ClearRow


@styled
def clear_chart(rows: Sequence[ClearRow], title: str) -> Chart:
    """Draw P(cleared) over the attackers, one panel and one line for each name in the rows."""
    panels = list(dict.fromkeys(row.panel for row in rows))
    figure = Chart(figsize=(3.6 * len(panels) + 0.6, 3.9), layout="constrained")
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, panel in zip(grid, panels, strict=True):
        _panel(axes, [row for row in rows if row.panel == panel])
        axes.set_title(panel, fontweight="normal")
    grid[0].set_ylabel("games in which the building is cleared")
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=11)
    return figure


def _panel(axes: Axes, rows: Sequence[ClearRow]) -> None:
    names = list(dict.fromkeys(row.line for row in rows))
    lines = [[row for row in rows if row.line == name] for name in names]
    levels = sorted({row.attackers for row in rows})
    span = max(levels) - min(levels) or 1
    heights = apart([line[-1].cleared for line in lines], 0.075)
    for line, look, height in zip(lines, cycle(SERIES), heights, strict=False):
        values, intervals = [row.cleared for row in line], [(row.low, row.high) for row in line]
        draw_line(axes, [row.attackers for row in line], values, intervals, look, line[0].line)
        label = f"{line[0].line}  {share(line[-1].cleared)}"
        label_line(axes, line[-1].attackers, span / 14, line[-1].cleared, height, label, look.colour)
    axes.set_xlim(min(levels), max(levels) + 0.62 * span)
    axes.set_ylim(0, 1)
    axes.set_xticks(levels)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.set_xlabel("attackers", x=0.3)
    axes.grid(axis="y")

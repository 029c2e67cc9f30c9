"""A response over the levels of a factor, one line for each set of rules."""

from collections.abc import Sequence
from itertools import cycle

from matplotlib.ticker import MaxNLocator

from analysis.charts.style import SERIES, Chart, apart, draw_line, label_line, share, styled, tick
from analysis.sweep import SweepRow


@styled
def sweep_chart(rows: Sequence[SweepRow], response: str, *, factor: str, title: str) -> Chart:
    """Draw one response, a share, over the levels of a factor."""
    drawn = [row for row in rows if row.response == response]
    names = list(dict.fromkeys(row.rules for row in drawn))
    figure = Chart(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    lines = [[row for row in drawn if row.rules == name] for name in names]
    last = max(row.level for row in drawn)
    heights = apart([line[-1].value for line in lines], 0.095)
    for line, look, height in zip(lines, cycle(SERIES), heights, strict=False):
        levels, values = [row.level for row in line], [row.value for row in line]
        draw_line(axes, levels, values, [(row.low, row.high) for row in line], look, line[0].rules)
        span = last - min(row.level for row in drawn)
        label_line(axes, last, span / 30, values[-1], height, f"{line[0].rules}  {share(values[-1])}", look.colour)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(factor)
    axes.set_title(title)
    axes.grid(axis="y")
    return figure

"""A response over the levels of a factor, one line for each set of rules."""

from itertools import cycle
from typing import Any

from matplotlib.ticker import MaxNLocator

from analysis.charts.style import SERIES, Chart, apart, draw_line, label_line, share, styled, tick


@styled
def sweep_chart(rows: Any, response: str, *, factor: str, title: str) -> Chart:
    """Draw one response, a share, over the levels of a factor.

    The rows are the pandas frame that `analysis.sweep.sweep` gives; pandas itself takes long to import.
    """
    drawn = rows[rows["response"] == response]
    figure = Chart(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    lines = [(str(rules), line) for rules, line in drawn.groupby("rules", sort=False)]
    last, span = drawn[factor].max(), drawn[factor].max() - drawn[factor].min()
    heights = apart([line["value"].iloc[-1] for _, line in lines], 0.095)
    for (rules, line), look, height in zip(lines, cycle(SERIES), heights, strict=False):
        values, sampled = line["value"].tolist(), line["low"].notna().any()
        band = [*zip(line["low"], line["high"], strict=True)] if sampled else [(None, None)] * len(line)
        draw_line(axes, line[factor].tolist(), values, band, look, rules)
        label_line(axes, last, span / 30, values[-1], height, f"{rules}  {share(values[-1])}", look.colour)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(factor)
    axes.set_title(title)
    axes.grid(axis="y")
    return figure

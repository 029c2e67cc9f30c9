"""When the building is captured, by rule set."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from analysis.charts.style import PAPER, SERIES, Chart, Look, apart, label_line, share, styled, tick
from analysis.rows import TurnRow


@styled
def capture_chart(rows: Sequence[TurnRow]) -> Chart:
    """Draw P(captured by the end of turn t) as steps, one line for each set of rules, labelled at its end."""
    names = list(dict.fromkeys(row.rules for row in rows))
    limit = max(row.turn for row in rows)
    figure = Chart(figsize=(8, 3.8), layout="constrained")
    axes = figure.subplots()
    ends = []
    for number, name in enumerate(names):
        line = [row for row in rows if row.rules == name]
        _line(axes, line, SERIES[number % len(SERIES)])
        ends.append(line[-1].captured)
    for number, height in enumerate(apart(ends, 0.095)):
        colour = SERIES[number % len(SERIES)].colour
        label_line(axes, limit, 0.3, ends[number], height, f"{names[number]}  {share(ends[number])}", colour)
    axes.set_xlim(0, limit + 0.05)
    axes.set_ylim(0, 1)
    axes.set_xticks(range(limit + 1))
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.set_xlabel("by the end of turn")
    axes.set_ylabel("games in which the building is captured")
    axes.grid(axis="y")
    return figure


def _line(axes: Axes, line: Sequence[TurnRow], look: Look) -> None:
    turns = [0, *(row.turn for row in line)]
    heights = [0.0, *(row.captured for row in line)]
    axes.step(
        turns,
        heights,
        where="post",
        color=look.colour,
        marker=look.marker,
        markevery=slice(1, None),
        dashes=look.dashes or (None, None),
        markersize=6,
        markeredgecolor=PAPER,
        linewidth=1.8,
        clip_on=False,
        label=line[0].rules,
    )
    sampled = [row for row in line if row.low is not None and row.high is not None]
    if sampled:
        lows, highs = [row.low or 0.0 for row in sampled], [row.high or 0.0 for row in sampled]
        axes.vlines([row.turn for row in sampled], lows, highs, color=look.colour, linewidth=4, alpha=0.35)

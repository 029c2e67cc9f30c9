"""Two sets of rules, or two scenarios, against each other: a response by plan, and how far the two are apart."""

from collections.abc import Sequence

from analysis.charts.lines import label_beside
from analysis.charts.palette import LOOKS
from analysis.charts.style import FAINT, INK, PAPER, WIDE, Chart, in_style, new_chart, tick, wrap
from analysis.findings import decisions
from analysis.points.responses import scale
from analysis.rows.decisions import VersusRow
from analysis.say.axes import response_words
from analysis.say.numbers import bare_percent, number


@in_style
def versus_chart(
    rows: Sequence[VersusRow],
    response: str = "p_captured",
    *,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw a line for each pair of plans, from the response of the first (a ring) to that of the second (a full mark).

    Where they were sampled a band shows how far from the first the second may be.
    """
    chance = scale(response) == 100
    said = bare_percent if chance else number
    figure = new_chart(title or decisions.versus(rows, response), width, 1.3 + 0.42 * len(rows), caption)
    axes = figure.subplots()
    for down, row in enumerate(rows):
        look = LOOKS[row.look]
        if row.low is not None and row.high is not None:
            axes.hlines(down, row.one + row.low, row.one + row.high, color=look.colour, linewidth=7, alpha=0.3)
        axes.plot([row.one, row.other], [down, down], "-", color=look.colour, linewidth=2, clip_on=False)
        axes.plot([row.one], [down], "o", color=PAPER, markeredgecolor=INK, markersize=9, clip_on=False)
        axes.plot([row.other], [down], "D", color=look.colour, markeredgecolor=INK, markersize=5, clip_on=False)
        label_beside(axes, row.one, down, said(row.one), left=row.one < row.other)
        if said(row.one) != said(row.other):
            label_beside(axes, row.other, down, said(row.other), left=row.other < row.one)
    axes.set_yticks(range(len(rows)), [f"{row.plan} against {row.defence}" for row in rows])
    axes.tick_params(axis="y", length=0, pad=18)  # room for the number beside a chance of nothing
    axes.set_ylim(len(rows) - 0.5, -0.6)
    axes.grid(axis="x")
    if chance:
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(tick)
        axes.axvline(0.5, color=FAINT, linewidth=0.8)
    else:
        axes.set_xlim(0, 1.1 * axes.get_xlim()[1])
    key = f"ring: {rows[0].first}; full mark: {rows[0].second}"
    axes.set_xlabel("\n".join(wrap(line, int(7 * width)) for line in (response_words(response), key)))
    return figure

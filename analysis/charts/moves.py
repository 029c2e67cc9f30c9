"""What a change of rules does to assaults: each before and now."""

from collections.abc import Sequence

from analysis.charts.looks import LOOKS
from analysis.charts.style import FAINT, INK, PAPER, WIDE, Chart, new_chart, styled, tick, wrapped
from analysis.rows.decisions import MoveRow


@styled
def move_chart(rows: Sequence[MoveRow], title: str, *, caption: str = "", width: float = WIDE) -> Chart:
    """Draw an arrow for each assault, from the chance before (a ring) to the chance now (a full mark)."""
    figure = new_chart(title, width, 0.9 + 0.36 * len(rows), caption)
    axes = figure.subplots()
    for down, row in enumerate(rows):
        look = LOOKS[row.look]
        axes.plot([row.before, row.now], [down, down], "-", color=look.colour, linewidth=2, clip_on=False)
        axes.plot([row.before], [down], "o", color=PAPER, markeredgecolor=INK, markersize=7, clip_on=False)
        mark = ">" if row.now > row.before else "<"
        axes.plot([row.now], [down], mark, color=look.colour, markeredgecolor=INK, markersize=8, clip_on=False)
        left, right = sorted((row.before, row.now))
        says_before, says_now = (f"{100 * value:.0f}" for value in (row.before, row.now))
        first, last = (says_before, says_now) if row.now > row.before else (says_now, says_before)
        axes.annotate(first, (left, down), (-7, 0), textcoords="offset points", ha="right", va="center", fontsize=8.5)
        axes.annotate(last, (right, down), (7, 0), textcoords="offset points", ha="left", va="center", fontsize=8.5)
    axes.set_yticks(range(len(rows)), [wrapped(row.label, int(4.5 * width)) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(tick)
    axes.tick_params(axis="y", length=0, pad=18)  # room for the number beside a chance of nothing
    axes.grid(axis="x")
    axes.axvline(0.5, color=FAINT, linewidth=0.8)
    axes.set_xlabel("ring: before; arrowhead: now")
    return figure

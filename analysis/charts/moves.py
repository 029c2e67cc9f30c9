"""What a change of rules does to assaults: each before and now."""

from collections.abc import Sequence

from analysis.charts.style import BLUE, FAINT, INK, PAPER, VERMILLION, Chart, styled, tick
from analysis.rows import MoveRow


@styled
def move_chart(rows: Sequence[MoveRow], title: str) -> Chart:
    """Draw one line for each assault, from the chance before (a ring) to the chance now (a disk)."""
    figure = Chart(figsize=(8, 1.3 + 0.34 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for down, row in enumerate(rows):
        colour = BLUE if row.now > row.before else VERMILLION
        axes.plot([row.before, row.now], [down, down], "-", color=colour, linewidth=2, clip_on=False)
        axes.plot([row.before], [down], "o", color=PAPER, markeredgecolor=INK, markersize=7, clip_on=False)
        axes.plot([row.now], [down], "o", color=colour, markeredgecolor=INK, markersize=7, clip_on=False)
        left, right = sorted((row.before, row.now))
        says_before, says_now = (f"{100 * value:.0f}" for value in (row.before, row.now))
        first, last = (says_before, says_now) if row.now > row.before else (says_now, says_before)
        axes.annotate(first, (left, down), (-7, 0), textcoords="offset points", ha="right", va="center", fontsize=8.5)
        axes.annotate(last, (right, down), (7, 0), textcoords="offset points", ha="left", va="center", fontsize=8.5)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(tick)
    axes.tick_params(axis="y", length=0, pad=18)  # room for the number beside a chance of nothing
    axes.grid(axis="x")
    axes.axvline(0.5, color=FAINT, linewidth=0.8)
    axes.set_title(title, loc="left")
    axes.set_xlabel("ring: before; disk: now")
    return figure

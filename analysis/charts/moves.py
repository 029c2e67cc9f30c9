"""What a change of rules does to assaults: each before and now, and how much of it each part of the change has done."""

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from analysis.charts.lines import label_beside
from analysis.charts.palette import LOOKS, SHADES
from analysis.charts.style import FAINT, INK, NARROW, PAPER, WIDE, Chart, in_style, legend_below, new_chart, tick, wrap
from analysis.rows.decisions import MoveRow, ShareRow

MOST_MOVES = 24
"""Moves that are drawn, the first of the rows; how many more there are is said."""
LINE, GAP = 0.175, 0.1
"""How tall a line of a label is, and the room between two labels, in inches."""


@in_style
def move_chart(
    rows: Sequence[MoveRow],
    title: str,
    shares: Sequence[ShareRow] = (),
    *,
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw an arrow for each assault, from the chance before (a ring) to the chance now (a full mark).

    Beside them, or below on a phone, bars share each move out among the parts of the change.
    """
    shown, narrow = rows[:MOST_MOVES], width < NARROW
    left_out = f"{len(rows) - len(shown)} more that move are not drawn." if len(rows) > len(shown) else ""
    panels = 2 if shares else 1
    each = 0.36 if not narrow else 0.5
    labels = [wrap(row.label, int(4.5 * width)) for row in shown]
    places, top, bottom = _places([max(1.0, (LINE * (label.count("\n") + 1) + GAP) / each) for label in labels])
    height = 0.9 + each * (bottom - top)
    foot = "\n".join(line for line in (caption, left_out) if line)
    figure = new_chart(title, width, height * (panels if narrow else 1), foot)
    if narrow:
        every = figure.subplots(panels, 1, squeeze=False)[:, 0]
    else:
        every = figure.subplots(1, panels, squeeze=False, sharey=True, width_ratios=[2, 1][:panels])[0]
    _arrows(every[0], shown, places)
    if shares:
        legend_below(figure, _shares(every[1], shown, places, shares))
    for axes in every if narrow else every[:1]:
        axes.set_yticks(places, labels)
        axes.tick_params(axis="y", length=0, pad=18)  # room for the number beside a chance of nothing
    for axes in every[1:] if not narrow else ():
        axes.tick_params(axis="y", length=0)
    for axes in every:
        axes.set_ylim(bottom, top - 0.1)
    return figure


def _places(tall: Sequence[float]) -> tuple[list[float], float, float]:
    """Return how far down the middle of each row is, the first at 0, and where the rows begin and end."""
    places = [0.0]
    for above, below in pairwise(tall):
        places.append(places[-1] + (above + below) / 2)
    return places[: len(tall)], -tall[0] / 2, places[-1] + tall[-1] / 2


def _arrows(axes: Axes, rows: Sequence[MoveRow], places: Sequence[float]) -> None:
    for down, row in zip(places, rows, strict=True):
        look = LOOKS[row.look]
        if row.low is not None and row.high is not None:
            axes.hlines(down, row.low, row.high, color=look.colour, linewidth=7, alpha=0.3)
        axes.plot([row.before, row.now], [down, down], "-", color=look.colour, linewidth=2, clip_on=False)
        axes.plot([row.before], [down], "o", color=PAPER, markeredgecolor=INK, markersize=7, clip_on=False)
        mark = ">" if row.now > row.before else "<"
        axes.plot([row.now], [down], mark, color=look.colour, markeredgecolor=INK, markersize=8, clip_on=False)
        for value, other in ((row.before, row.now), (row.now, row.before)):
            label_beside(axes, value, down, f"{100 * value:.0f}", left=value < other)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(tick)
    axes.grid(axis="x")
    axes.axvline(0.5, color=FAINT, linewidth=0.8)
    axes.set_xlabel("ring: before; arrowhead: now")


def _shares(axes: Axes, rows: Sequence[MoveRow], places: Sequence[float], shares: Sequence[ShareRow]) -> list[Patch]:
    """Draw what each part of the change has done, what it adds to the right and what it takes to the left.

    A share that rounds to nothing has no number. Returns the entries of the legend.
    """
    parts = list(dict.fromkeys(row.part for row in shares))
    tall = 0.8 / len(parts)
    for down, move in zip(places, rows, strict=True):
        for row in (row for row in shares if row.label == move.label):
            n = parts.index(row.part)
            face, place = SHADES[n], down - 0.4 + (n + 0.5) * tall
            axes.barh(place, row.share, tall, color=face.colour, hatch=face.hatch, edgecolor=PAPER, linewidth=0.5)
            if number := round(100 * row.share):
                label_beside(axes, row.share, place, f"{number:+d}", left=row.share < 0)
    axes.axvline(0, color=INK, linewidth=1)
    axes.margins(x=0.3)
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:+.0f}" if value else "0")
    axes.grid(axis="x")
    axes.set_xlabel("games in 100, by key")
    faces = zip(parts, SHADES, strict=False)
    return [Patch(label=part, facecolor=f.colour, hatch=f.hatch, edgecolor=PAPER) for part, f in faces]

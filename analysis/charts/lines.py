"""Lines with their names: at their ends where there is room, else in a list below."""

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from analysis.charts.palette import Look, looks
from analysis.charts.style import NARROW, PAPER, legend_below, wrap
from analysis.say.numbers import listed

KEY = 0.42
"""How long the piece of a line beside its name is, in inches."""


class Line(NamedTuple):
    """A line with its name; `low` and `high` are None where its values are exact; a note is said beside its name."""

    name: str
    look: Look
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float | None]
    high: Sequence[float | None]
    note: str = ""

    @property
    def sampled(self) -> list[tuple[float, float, float]]:
        """Where it is, from where and to where it may be, of those values that were sampled."""
        every = zip(self.x, self.low, self.high, strict=True)
        return [(x, low, high) for x, low, high in every if low is not None and high is not None]


def lines_of(rows: Sequence[Any], x: str, y: str) -> list[Line]:
    """Return a line for each set of rules that rows have, by the columns that it runs over."""
    return [line_of(name, look, [row for row in rows if row.rules == name], x, y) for name, look in looks(rows).items()]


def line_of(name: str, look: Look, rows: Sequence[Any], x: str, y: str) -> Line:
    """Return a line through rows of one set of rules."""
    over, along, low, high = zip(*((getattr(row, x), getattr(row, y), row.low, row.high) for row in rows), strict=True)
    return Line(name, look, over, along, low, high)


def draw_lines(
    axes: Axes, lines: Sequence[Line], said: Callable[[float], str], *, steps: bool = False, letters: int = 24
) -> None:
    """Draw lines with a marker at each level and an interval where sampled, each with its name and its last value.

    Lines that coincide are drawn once, with one name. Where there is room names stand at the ends of their lines, else
    in a list below.

    Args:
        axes: The only ones of their figure that have these lines.
        steps: A value holds from its level to the next.
        letters: The room beside the lines.
    """
    drawn = coinciding_lines(lines)
    for line in drawn:
        _draw_line(axes, line, steps=steps)
    labels = [f"{line.name}  {said(line.y[-1])}{line.note}".replace(" %", "\u00a0%") for line in drawn]
    figure, part = axes.get_figure(root=True), axes.get_figure(root=False)
    if figure is not None and part is not None and figure.get_figwidth() < NARROW:
        handles = [handle(line.look, label) for line, label in zip(drawn, labels, strict=True)]
        legend_below(part, handles, handlelength=3.2)
        return
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    gap = (right - left) / 22
    told = [wrap(label, letters) for label in labels]
    tall = [max(0.1, 0.056 * (words.count("\n") + 1)) for words in told]
    tops = apart([[round((y - low) / (high - low), 3) for y in reversed(line.y)] for line in drawn], tall)
    for line, words, top in zip(drawn, told, tops, strict=True):
        label_line(axes, line.x[-1], gap, line.y[-1], low + top * (high - low), words, line.look)


def coinciding_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that differ; one where others run has their names too, and says so."""
    found = list[list[Line]]()
    for line in lines:
        for same in found:
            if _coincide(same[0], line):
                same.append(line)
                break
        else:
            found.append([line])
    return [
        same[0]._replace(name=listed([line.name for line in same]), note=f", one line{same[0].note}")
        if len(same) > 1
        else same[0]
        for same in found
    ]


def _coincide(one: Line, other: Line) -> bool:
    """Return whether two exact lines are one."""
    exact = not one.sampled and not other.sampled
    return exact and [*one.x] == [*other.x] and np.allclose(one.y, other.y, rtol=0, atol=1e-9)


def _draw_line(axes: Axes, line: Line, *, steps: bool) -> None:
    look = line.look
    drawing: dict[str, Any] = {"drawstyle": "steps-post"} if steps else {}
    axes.plot(line.x, line.y, clip_on=False, label=line.name, **drawing, **marks(look))
    if not line.sampled:
        return
    x, low, high = zip(*line.sampled, strict=True)
    if steps:
        axes.vlines(x, low, high, color=look.colour, linewidth=4, alpha=0.35)
    else:
        axes.fill_between(x, low, high, color=look.colour, alpha=0.2)


def marks(look: Look) -> dict[str, Any]:
    """Return how Matplotlib draws a look."""
    return {
        "color": look.colour,
        "marker": look.marker,
        "dashes": look.dashes or (None, None),
        "linewidth": 1.8,
        "markersize": 6,
        "markerfacecolor": PAPER if look.hollow else look.colour,
        "markeredgecolor": look.colour if look.hollow else PAPER,
    }


def handle(look: Look, label: str) -> Line2D:
    """Return a line as a list of names has it."""
    return Line2D([], [], label=fill(label, 36), **marks(look))


def label_line(axes: Axes, x: float, gap: float, end: float, height: float, label: str, look: Look) -> None:
    """Write a line's name to the right of its end, at its own height, behind a piece of it, with a leader to it."""
    leader = {"arrowstyle": "-", "color": look.colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 4}
    axes.annotate("", (x, end), (x + gap, height), arrowprops=leader, annotation_clip=False)
    part, figure = axes.get_figure(root=False), axes.get_figure(root=True)
    inches: Any = figure.dpi_scale_trans if figure else None
    units: Any = axes.transData
    here = ScaledTranslation(x + gap, height, units)
    if part:
        part.add_artist(Line2D([0, KEY / 2, KEY], [0, 0, 0], transform=inches + here, markevery=[1], **marks(look)))
    beside = units + ScaledTranslation(KEY + 0.06, 0, inches)
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.5}
    looks: dict[str, Any] = {"va": "center", "linespacing": 1.05, "fontweight": "bold", "fontsize": 9, "bbox": box}
    axes.text(x + gap, height, label, transform=beside, **looks)


def label_beside(axes: Axes, x: float, y: float, label: str, *, left: bool = False) -> None:
    """Write something in small letters to the right of a mark, or to its left."""
    by, ha = (-7, "right") if left else (7, "left")
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    axes.annotate(label, (x, y), (by, 0), textcoords="offset points", ha=ha, va="center", fontsize=8, bbox=box)


def apart(heights: Sequence[Sequence[float]], tall: Sequence[float]) -> list[float]:
    """Return heights for labels at the ends of lines, in the order of the lines, so that none covers another.

    Args:
        heights: Of each line from its end back, from 0 to 1; of lines that meet, the one from above is named above.
        tall: How much of that each label takes.
    """
    order = sorted(range(len(heights)), key=lambda i: [*heights[i]])
    placed = [back[0] for back in heights]
    for below, i in zip([None, *order], order, strict=False):
        least = max(0.045, tall[i] / 2 - 0.01) if below is None else placed[below] + (tall[below] + tall[i]) / 2
        placed[i] = max(placed[i], least)
    for above, i in zip([None, *reversed(order)], reversed(order), strict=False):
        most = min(0.98, 1.03 - tall[i] / 2) if above is None else placed[above] - (tall[above] + tall[i]) / 2
        placed[i] = min(placed[i], most)
    return placed

"""The chances in a game: how likely each end is, roll by roll, and the rolls on which it turned."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from analysis.charts.lines import apart
from analysis.charts.palette import ENDS
from analysis.charts.style import NARROW, PAPER, WIDE, Chart, in_style, legend_below, new_chart, tick
from analysis.findings import turning as findings
from analysis.rows.games import PointRow, StepRow
from analysis.say.numbers import whole_percent

Heights = NDArray[np.float64]

MARGIN, HEIGHT, LINE = 0.8, 3.3, 0.2
"""What stands beside the areas, how tall they are, and a line of words below them, in inches."""
DISC = 0.29
"""How wide the head of a pin is, in inches."""
LETTER, TALL = 0.1, 0.25
"""The room that a name takes, in inches: by letters, and upwards."""
SEEN = 0.005
"""An area that is thinner everywhere cannot be seen."""
NOWHERE = "It turned nowhere: no roll has given one game in a hundred another end."
PIN, CASING = "#000000", "#ffffff"
"""Pins stand on areas, whose colours no page replaces."""


class _Area(NamedTuple):
    """Where the area of an end lies at each step."""

    end: str
    lower: Heights
    upper: Heights


@in_style
def game_chart(
    rows: Sequence[StepRow], points: Sequence[PointRow], told: str, *, title: str = "", width: float = WIDE
) -> Chart:
    """Draw the chance of each end over the steps of a game, as areas, and pin its turning points, told below.

    Args:
        points: As they are numbered.
        told: What was played, and how the game went.
    """
    words = [["Where it turned:" if points else NOWHERE], *([point.roll, point.moved] for point in points)]
    letters = int(12.5 * width) - 4
    lines = [[line for said in some for line in wrap(said, letters)] for some in words]
    tall = LINE * sum(map(len, lines)) + 0.1
    figure = new_chart(title or findings.turning_point(rows, points), width, HEIGHT + tall, told)
    above, below = figure.subfigures(2, 1, height_ratios=(HEIGHT, tall), squeeze=False).flat
    axes, wide = above.subplots(), width - MARGIN
    areas = _areas(rows)
    edges = [0, *(step + 0.5 for step in range(rows[-1].step)), max(rows[-1].step, 1)]
    if beside := _draw(axes, wide, areas, edges, [point.step - 0.5 for point in points]):
        legend_below(above, beside, ncols=1 if width < NARROW else len(beside))
    _turns(axes, wide, rows)
    _pins(axes, wide, areas, points)
    _tell(below, width, tall, lines)
    axes.set_xlim(0, edges[-1])
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.set_ylabel("chance of each end")
    return figure


def _areas(rows: Sequence[StepRow]) -> list[_Area]:
    """Return the areas of those ends that can come at any step, one on top of the other."""
    areas, lower = [], np.zeros(rows[-1].step + 1)
    for end in ENDS:
        upper = lower + [row.chance for row in rows if row.end == end]
        if np.any(upper > lower):
            areas.append(_Area(end, lower, upper))
        lower = upper
    return areas


def _draw(
    axes: Axes, wide: float, areas: Sequence[_Area], edges: Sequence[float], pinned: Sequence[float]
) -> list[Patch]:
    """Draw the areas, each with its name where it has most room; return what names those without room."""
    beside = []
    for area in areas:
        face = ENDS[area.end]
        look: dict[str, Any] = {"facecolor": face.colour, "hatch": face.hatch, "edgecolor": face.text}
        axes.stairs(area.upper, edges, baseline=area.lower, fill=True, linewidth=0, label=area.end, **look)
        x, y, room = _place(area, wide, np.array(edges), pinned)
        if room > TALL / HEIGHT:
            box = {"facecolor": face.colour, "edgecolor": "none", "boxstyle": "round,pad=0.2"}
            axes.text(x, y, area.end, ha="center", va="center", color=face.text, fontweight="bold", bbox=box)
        elif (most := float(np.max(area.upper - area.lower))) >= SEEN:
            beside.append(Patch(label=f"{area.end}, {whole_percent(most)} at most", linewidth=0, **look))
    return beside


def _place(area: _Area, wide: float, edges: Heights, pinned: Sequence[float]) -> tuple[float, float, float]:
    """Return the middle of the place where the name of an area has most room upwards, and that room.

    A place with a pin is taken only where no other has room enough.
    """
    half = LETTER * (len(area.end) + 2) * edges[-1] / wide / 2
    places = []
    for x in np.linspace(half, edges[-1] - half, 200).tolist():
        under = (edges[:-1] < x + half) & (edges[1:] > x - half)
        low, high = area.lower[under].max(), area.upper[under].min()
        free = high - low > TALL / HEIGHT and all(abs(pin - x) > half for pin in pinned)
        places.append((free, high - low, x, (low + high) / 2))
    _, room, x, y = max(places)
    return x, y, room


def _turns(axes: Axes, wide: float, rows: Sequence[StepRow]) -> None:
    """Mark where each turn begins, and number those for which there is room."""
    ends = {row.turn: row.step for row in rows if row.step}
    starts = [0, *ends.values()][: len(ends)]
    axes.vlines(starts[1:], 0, 1, color=PAPER, linewidth=1, linestyles=(0, (1, 2)))
    axes.set_xticks(starts, [""] * len(starts))
    numbers, free = dict[float, str](), 0.0
    for start, (turn, end) in zip(starts, ends.items(), strict=True):
        middle = (start + end) / 2
        if middle >= free:
            numbers[middle] = str(turn)
            free = middle + 2 * LETTER * rows[-1].step / wide
    axes.set_xticks([*numbers], [*numbers.values()], minor=True)
    axes.tick_params(axis="x", which="minor", length=0)
    axes.set_xlabel("turn, roll by roll", loc="left")


def _pins(axes: Axes, wide: float, areas: Sequence[_Area], points: Sequence[PointRow]) -> None:
    """Pin each turning point to the edges between areas that it has moved."""
    last = len(areas[0].upper) - 1
    heads = apart([[(point.step - 0.5) / last] for point in points], [DISC / wide] * len(points))
    for number, (point, head) in enumerate(zip(points, heads, strict=True), 1):
        x = point.step - 0.5
        _pin(axes, [head * last, x, x], [1.05, 1, 0], 1)
        for area in areas:
            _pin(axes, [x, x], area.upper[point.step - 1 : point.step + 1], 3.5)
        _disc(axes, head * last, 1.075, number)


def _pin(axes: Axes, x: Sequence[float], y: Sequence[float] | Heights, width: float) -> None:
    cased = withStroke(linewidth=width + 2, foreground=CASING)
    axes.plot(x, y, color=PIN, linewidth=width, solid_capstyle="butt", path_effects=[cased], clip_on=False)


def _disc(part: Axes | SubFigure, x: float, y: float, number: int) -> None:
    box = {"facecolor": CASING, "edgecolor": PIN, "boxstyle": "circle,pad=0.25"}
    part.text(x, y, str(number), ha="center", va="center", color=PIN, fontsize=9, fontweight="bold", bbox=box)


def _tell(below: SubFigure, width: float, tall: float, lines: Sequence[Sequence[str]]) -> None:
    """Tell the turning points by their numbers, after a line about all of them."""
    down = 0.5 * LINE
    for number, told in enumerate(lines):
        if number:
            _disc(below, 0.2 / width, 1 - (down + LINE * (len(told) - 1) / 2) / tall, number)
        for line in told:
            below.text((0.4 if number else 0.08) / width, 1 - down / tall, line, va="center", fontsize=9)
            down += LINE

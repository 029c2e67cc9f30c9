"""Lines on the plane of two numbers where a response meets a target, those of each set of rules named beside them."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import TickedStroke
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from analysis.charts.lines import handle, marks
from analysis.charts.palette import Look, looks
from analysis.charts.style import NARROW, PAPER, WIDE, Chart, in_style, legend_below, new_chart
from analysis.findings import sweeps as findings
from analysis.rows.sweeps import ContourRow, RangeRow
from analysis.say.axes import factor_words
from analysis.sweeps.contours import Line, Plane

TICKS = "Ticks point to where it is more."
MARGIN, RATIO = 0.7, 0.63
"""How much wider the chart is than the plane, in inches, and how tall the plane is for its width."""
LETTER, TALL, GAP = 0.083, 0.18, 0.09
"""The room that a name takes, in inches: by letters, upwards, and between it and its line."""
REACH, STEP = 0.25, 0.05
"""How far from other lines is far enough, and how far apart places are that are tried, in inches."""

Places = NDArray[np.float64]
"""[n, 2]: where things stand on the plane, in inches."""


class _Box(NamedTuple):
    """The place of a name: its middle, and half its sides."""

    at: Places
    half: Places


class _Drawn(NamedTuple):
    """A line on the plane, and its like in inches."""

    rules: str
    look: Look
    places: Places


class _Frame(NamedTuple):
    """Where the plane begins and ends in its own units, and how large it is, in inches."""

    low: Places
    high: Places
    size: Places

    def inches(self, at: Places) -> Places:
        return (at - self.low) / (self.high - self.low) * self.size

    def units(self, at: Places) -> Places:
        return self.low + at / self.size * (self.high - self.low)


@in_style
def contour_chart(
    rows: Sequence[ContourRow],
    on: Plane,
    ranges: Sequence[RangeRow] = (),
    *,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw the lines of each set of rules; their ticks point to where the response is greater.

    Names stand beside the lines where there is room, else in a list below.

    Args:
        ranges: Between what the response lies, which the title says where no line is, and whether it was sampled.
        title, caption: What is said above and below; the latter says which rules have no line, and why.
    """
    size = np.array([width - MARGIN, RATIO * (width - MARGIN)])
    title = title or findings.lines(rows, on, ranges)
    figure = new_chart(title, width, size[1] + 0.7, "\n".join([*([TICKS] if rows else ()), *caption.splitlines()]))
    axes = figure.subplots()
    levels = [[float(level.values[each.name]) for level in each.levels] for each in (on.x, on.y)]
    low, high = np.array([[min(each), max(each)] for each in levels]).T
    frame = _Frame(low, high, size)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    drawn, own = list[_Drawn](), looks(rows)
    for (rules, _), points in groupby(rows, lambda row: (row.rules, row.line)):
        line = np.array([(row.x, row.y) for row in points])
        _line(axes, line, own[rules], rules)
        drawn.append(_Drawn(rules, own[rules], _dense(frame.inches(line))))
    if width >= NARROW:
        _names(axes, frame, drawn)
    elif drawn:
        legend_below(figure, [handle(look, rules) for rules, look in own.items()], handlelength=3.2)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(factor_words(on.x.name))
    axes.set_ylabel(factor_words(on.y.name))
    axes.grid()
    return figure


def _line(axes: Axes, line: Line, look: Look, rules: str) -> None:
    """Draw a line with its markers, and ticks on its left, where the response is greater."""
    x, y = line[:, 0], line[:, 1]
    axes.plot(x, y, clip_on=False, label=rules, markevery=(0.04, 0.15), **marks(look))
    ticks = TickedStroke(spacing=9, angle=90, length=0.55)
    axes.plot(x, y, color=look.colour, linewidth=0.9, path_effects=[ticks], label="_ticks")


def _names(axes: Axes, frame: _Frame, drawn: Sequence[_Drawn]) -> None:
    """Write the name of each set of rules beside one of its lines, with a leader to it."""
    taken, every = list[_Box](), [(one.rules, one.places) for one in drawn]
    for rules, look in {one.rules: one.look for one in drawn}.items():
        half = np.array([LETTER * (len(rules) + 6), TALL]) / 2
        own, others = (
            np.concatenate([np.empty((0, 2)), *(line for name, line in every if (name == rules) is ours)])
            for ours in (True, False)
        )
        at, leader = _place(frame.size, own, others, half, taken)
        taken.append(_Box(at, half))
        every.append(("", leader))
        axes.plot(*frame.units(leader).T, color=look.colour, linewidth=0.9, label="_leader")
        piece = frame.units(at - half * [1, 0] + LETTER * np.array([[0, 0], [2.6, 0], [5.2, 0]]))
        axes.plot(*piece.T, label="_name", zorder=5, markevery=[1], **marks(look))
        paper = {"facecolor": PAPER, "edgecolor": "none", "boxstyle": "square,pad=0.1"}
        words: dict[str, Any] = {"ha": "left", "va": "center", "fontweight": "bold", "fontsize": 9}
        x, y = frame.units(at - half * [1, 0] + [6.2 * LETTER, 0])
        axes.text(x, y, rules, bbox=paper, **words)


def _dense(corners: Places) -> Places:
    """Return where a line runs, in inches, a point at each tenth."""
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    steps = np.linspace(0, along[-1], max(2, int(10 * along[-1])))
    return np.column_stack([np.interp(steps, along, corners[:, i]) for i in (0, 1)])


def _place(size: Places, own: Places, others: Places, half: Places, taken: Sequence[_Box]) -> tuple[Places, Places]:
    """Return the middle of a name, and its leader.

    It stands on no line if that can be, no leader crosses one, and it is close to its own and far from the others.
    """
    sides = (np.arange(least + 0.02, most - least, STEP) for least, most in zip(half, size, strict=True))
    middles = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    for box in taken:
        middles = middles[np.any(np.abs(middles - box.at) >= half + box.half + GAP / 2, axis=1)]
    gaps = _gaps(own, middles[:, None], half)
    near, far = gaps.min(axis=1), _gaps(others, middles[:, None], half).min(axis=1, initial=REACH)
    scores = far - near - 9 * (near < GAP / 2) - 9 * (far < GAP / 2)
    best, found = -np.inf, (own[0], own[:1])
    for i in np.argsort(-scores, kind="stable"):
        if scores[i] <= best:
            break
        point = own[gaps[i].argmin()]
        leader = np.linspace(point, np.clip(point, middles[i] - half, middles[i] + half), 20)
        crossed = _gaps(others, leader[:, None], np.zeros(2)).min(initial=GAP) < GAP / 2
        crossed = crossed or any(_gaps(leader, box.at, box.half).min() < GAP / 2 for box in taken)
        if scores[i] - crossed > best:
            best, found = scores[i] - crossed, (middles[i], leader)
    return found


def _gaps(points: Places, middles: Places, half: Places) -> Places:
    """Return how far points are from boxes: for each box, where there are many, of each point."""
    across, up = np.moveaxis(np.maximum(np.abs(points - middles) - half, 0), -1, 0)
    return np.hypot(across, up)

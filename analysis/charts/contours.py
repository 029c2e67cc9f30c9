"""Lines on the plane of two numbers where a response meets a target, those of each set of rules named beside them."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import TickedStroke
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from analysis.charts.style import PAPER, SERIES, Chart, Look, styled
from analysis.contours import Contours, Line, Plane

WIDTH, HEIGHT = 7.3, 4.6
"""Of the plane, in inches."""
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


@styled
def contour_chart(on: Plane, found: Sequence[Contours], title: str, notes: Sequence[str] = ()) -> Chart:
    """Draw the lines of each set of rules; their ticks point to where the response is greater.

    Parameters
    ----------
    on : Plane
    found : sequence of Contours
    title : str
    notes : sequence of str
        Said below: which rules have no line, and why.
    """
    figure = Chart(figsize=(WIDTH + 0.7, HEIGHT + 1 + 0.2 * len(notes)), layout="constrained")
    axes = figure.subplots()
    xs, ys = ([float(level.values[each.name]) for level in each.levels] for each in (on.x, on.y))
    axes.set_xlim(min(xs), max(xs))
    axes.set_ylim(min(ys), max(ys))
    drawn = [(one, look) for one, look in zip(found, cycle(SERIES), strict=False) if one.lines]
    for one, look in drawn:
        for line in one.lines:
            _line(axes, line, look, one.rules)
    _names(axes, drawn)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("\n".join((on.x.name, "ticks point to where it is more", *notes)))
    axes.set_ylabel(on.y.name)
    axes.set_title(title)
    axes.grid()
    return figure


def _line(axes: Axes, line: Line, look: Look, rules: str) -> None:
    """Draw a line with its markers, and ticks on its left, where the response is greater."""
    x, y = line[:, 0], line[:, 1]
    marks: dict[str, Any] = {
        "marker": look.marker,
        "markersize": 6,
        "markeredgecolor": PAPER,
        "markevery": (0.04, 0.15),
    }
    axes.plot(
        x, y, color=look.colour, dashes=look.dashes or (None, None), linewidth=2, clip_on=False, label=rules, **marks
    )
    ticks = TickedStroke(spacing=9, angle=90, length=0.55)
    axes.plot(x, y, color=look.colour, linewidth=0.9, path_effects=[ticks], label="_ticks")


def _names(axes: Axes, drawn: Sequence[tuple[Contours, Look]]) -> None:
    """Write the name of each set of rules beside one of its lines, with a leader to it."""
    taken = list[_Box]()
    every = [(one.rules, _dense(axes, line)) for one, _ in drawn for line in one.lines]
    for one, look in drawn:
        half = np.array([LETTER * (len(one.rules) + 2), TALL]) / 2
        own, others = (
            np.concatenate([np.empty((0, 2)), *(line for rules, line in every if (rules == one.rules) is ours)])
            for ours in (True, False)
        )
        at, leader = _place(own, others, half, taken)
        taken.append(_Box(at, half))
        every.append(("", leader))
        axes.plot(*_data(axes, leader).T, color=look.colour, linewidth=0.9, label="_leader")
        points: dict[str, Any] = {"marker": look.marker, "markersize": 7, "markeredgecolor": PAPER, "zorder": 5}
        mark = _data(axes, at - half * [1, 0] + [LETTER, 0])
        axes.plot(*mark[:, None], linestyle="", color=look.colour, label="_name", **points)
        paper = {"facecolor": PAPER, "edgecolor": "none", "boxstyle": "square,pad=0.1"}
        words: dict[str, Any] = {"ha": "left", "va": "center", "fontweight": "bold", "fontsize": 9}
        x, y = _data(axes, at - half * [1, 0] + [2.2 * LETTER, 0])
        axes.text(x, y, one.rules, bbox=paper, **words)


def _dense(axes: Axes, line: Line) -> Places:
    """Return where a line runs, a point at each tenth of an inch."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    corners = (line - low) / (high - low) * [WIDTH, HEIGHT]
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    steps = np.linspace(0, along[-1], max(2, int(10 * along[-1])))
    return np.column_stack([np.interp(steps, along, corners[:, i]) for i in (0, 1)])


def _data(axes: Axes, at: Places) -> Places:
    """Return a place in the units of the axes."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    return low + at / [WIDTH, HEIGHT] * (high - low)


def _place(own: Places, others: Places, half: Places, taken: Sequence[_Box]) -> tuple[Places, Places]:
    """Return the middle of a name, and its leader.

    It stands on no line if that can be, no leader crosses one, and it is close to its own and far from the others.
    """
    sides = (np.arange(size + 0.02, most - size, STEP) for size, most in zip(half, (WIDTH, HEIGHT), strict=True))
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

"""A marker over a unit, seen from above: how often each model is under it, and how many are."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Wedge
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from analysis.charts.dice import EDGE
from analysis.charts.heat import ink_on
from analysis.charts.palette import HEAT, SHADES
from analysis.charts.style import FAINT, INK, NARROW, PAPER, WIDE, Chart, in_style, legend_below, new_chart, tick, wrap
from analysis.findings import markers as findings
from analysis.rows.markers import Shot, UnderRow, Wall
from analysis.rows.scatter import inches_words
from analysis.say.numbers import bare_percent, whole_percent

WHOLE, OPEN, BEHIND = SHADES[0], SHADES[2], SHADES[1]
KINDS = {"under": ("under the marker", WHOLE), "open": ("in the open", OPEN), "behind": ("behind a wall", BEHIND)}
"""The columns of rows, what they are called, and how their bars look."""
SHOWN, LEFT, RIM = 3.0, 2.0, 0.8
"""Inches of table: how far from unit and marker a wall is still shown, the room towards the shooter, and elsewhere."""
SQUAREST, TALLEST = 0.7, 2.6
"""How tall the table is drawn, for its width: beside the bars, at least, and at most."""
SMALLEST = 0.1
"""How wide a model is drawn, in inches of the picture, at least; neighbours never touch."""
RING = 1.32
"""How far out a ring is, for the radius of its model, if neighbours leave room for that."""
FIRE: dict[str, Any] = {"color": INK, "linewidth": 0.8, "linestyle": (0, (1, 3))}
MARKER: dict[str, Any] = {"linestyle": (0, (4, 2)), "linewidth": 1}
WALL: dict[str, Any] = {"color": INK, "linewidth": 3.5, "solid_capstyle": "butt"}


class View(NamedTuple):
    """What is seen of the table, from one corner to the other, in its inches."""

    left: float
    low: float
    right: float
    high: float

    @property
    def wide(self) -> float:
        """How many inches of table it is wide."""
        return self.right - self.left

    @property
    def aspect(self) -> float:
        """How tall it is for its width."""
        return (self.high - self.low) / self.wide

    def shows(self, wall: Wall) -> bool:
        """Return whether some of a wall is seen."""
        x, y = (np.linspace(wall[i], wall[i + 2], 1000) for i in range(2))
        return bool(np.any((self.left < x) & (x < self.right) & (self.low < y) & (y < self.high)))


class Writing(NamedTuple):
    """How the chances of models are written, if at all: how far below the middle, with letters of which size."""

    how: Callable[[float], str] | None = None
    below: float = 0.0
    letters: float = 8


@in_style
def marker_chart(
    rows: Sequence[UnderRow], shot: Shot, *, title: str = "", caption: str = "", width: float = WIDE
) -> Chart:
    """Draw a unit from above, each model the darker the likelier it is under a marker, and how many are.

    Models, marker and walls are to scale. A whole ring around a model says that it is always behind a wall, half a ring
    that it is in half of the shots that cover it.
    """
    view, narrow = _view(shot), width < NARROW
    beside = not narrow and view.aspect >= SQUAREST
    tall = min(4.6, 3.8 * view.aspect) if beside else (width - 0.9) * view.aspect
    wide = tall / view.aspect
    room = width - wide - 1.8 if beside else wide
    columns, writing = [*KINDS] if shot.walls else ["under"], _writing(shot, wide / view.wide)
    keys = _keys(shot, view, columns, int((room if beside else width - 0.75 if narrow else wide / 2) / 0.08))
    above = tall + 1.0 + 0.5 * (not writing.how)
    head = title or findings.under(rows)
    if beside:
        figure = new_chart(head, width, above, caption)
        parts = figure.subfigures(1, 2, squeeze=False, width_ratios=[wide + 1.0, room + 0.8])
    else:
        below = 2.3 + 0.25 * sum(str(key.get_label()).count("\n") + 1 for key in keys) / (1 if narrow else 2)
        figure = new_chart(head, width, above + below, caption)
        parts = figure.subfigures(2, 1, squeeze=False, height_ratios=[above, below])
    first, second = parts.flat
    _table(first, rows, shot, view, writing, wide)
    _bars(second, [row for row in rows if row.of == "count"], columns, room)
    legend_below(second, keys, ncols=1 if beside or narrow else 2)
    return figure


def _view(shot: Shot) -> View:
    """Return what is seen: the unit, the marker at its aim, and the walls near them."""
    half, aim, there = shot.marker / 2, shot.field.aim, shot.field.targets.starts
    xs = np.array([aim.real - half, aim.real + half, *(there.real - shot.base / 2), *(there.real + shot.base / 2)])
    ys = np.array([aim.imag - half, aim.imag + half, *(there.imag - shot.base / 2), *(there.imag + shot.base / 2)])
    left, low, right, high = xs.min() - LEFT, ys.min() - RIM, xs.max() + RIM, ys.max() + RIM
    ends = [(x, y) for wall in shot.walls for x, y in (wall[:2], wall[2:])]
    near = [(x, y) for x, y in ends if left - SHOWN <= x <= right + SHOWN and low - SHOWN <= y <= high + SHOWN]
    for x, y in near:
        left, right = min(left, x - RIM), max(right, x + RIM)
        low, high = min(low, y - RIM), max(high, y + RIM)
    wide = max(right - left, (high - low) / TALLEST)
    tall = max(high - low, (right - left) / TALLEST)
    x, y = (left + right) / 2, (low + high) / 2
    return View(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _table(part: SubFigure, rows: Sequence[UnderRow], shot: Shot, view: View, writing: Writing, width: float) -> None:
    """Draw the table from above, so many inches of the picture wide."""
    axes, aim = part.subplots(), shot.field.aim
    models = [row for row in rows if row.of == "model"]
    top = next(each for each in (0.25, 0.5, 1.0) if each >= max(row.under for row in models) - 1e-9)
    shades = Normalize(0, top)
    axes.plot([-shot.distance, aim.real], [0, aim.imag], marker=">", markevery=[0], markersize=5, zorder=0, **FIRE)
    axes.add_patch(Circle((aim.real, aim.imag), shot.marker / 2, facecolor=FAINT, alpha=0.15, zorder=0))
    axes.add_patch(Circle((aim.real, aim.imag), shot.marker / 2, fill=False, edgecolor=INK, **MARKER, label="marker"))
    for row in models:
        place = row.place
        _model(axes, row, place, _drawn(shot, width / view.wide), shot.gap, shades)
        if writing.how:
            inside = not writing.below
            ink = ink_on(shades(row.under)) if inside else INK
            rim = [] if inside else [withStroke(linewidth=2, foreground=PAPER)]
            look: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4, "color": ink, "path_effects": rim}
            axes.text(place[0], place[1] - writing.below, writing.how(row.under), fontsize=writing.letters, **look)
    for wall in filter(view.shows, shot.walls):
        axes.plot(wall[::2], wall[1::2], **WALL, label="wall")
    axes.set_xlim(view.left, view.right, auto=True)
    axes.set_ylim(view.low, view.high, auto=True)
    axes.set_aspect("equal", adjustable="datalim")  # more of the table rather than less room for titles
    tall = width * view.aspect
    for axis, inches in ((axes.xaxis, width), (axes.yaxis, tall)):
        axis.set_major_locator(MaxNLocator(min(7, max(2, int(inches / 0.45))), integer=True, steps=[1, 2, 3, 6, 10]))
    axes.set_xlabel("x: inches away from the shooter" if width > 2.3 else "x: inches away")
    axes.set_ylabel("y: inches to the shooter's left" if tall > 2.3 else "y: inches left")
    head = "Chance to be under it" + ", in %" * (writing.how is bare_percent)
    axes.set_title(wrap(head, int((width + 0.3) / 0.078)))
    if not writing.how:
        long = width > 4
        bar = part.colorbar(
            ScalarMappable(shades, HEAT),
            ax=axes,
            location="bottom",
            format=tick,
            ticks=[0, top / 2, top],
            aspect=50 if long else 25,
            shrink=0.6 if long else 1.0,
        )
        bar.outline.set_visible(False)


def _model(axes: Axes, row: UnderRow, at: tuple[float, float], wide: float, gap: float, shades: Normalize) -> None:
    """Draw a model, and around it a ring for as much of its chance as it has behind a wall."""
    radius = wide / 2
    look: dict[str, Any] = {"facecolor": HEAT(shades(row.under)), "edgecolor": INK, "linewidth": 0.7}
    axes.add_patch(Circle(at, radius, **look, label="model"))
    if row.behind:
        begin, out = 90 - 360 * row.behind / row.under, min(RING * radius, 0.49 * gap)
        for far, width, colour in ((out - 0.2 * radius, 0.12 * radius, PAPER), (out, 0.2 * radius, INK)):
            name = "ring" if colour == INK else "_"
            axes.add_patch(Wedge(at, far, begin, 90, width=width, color=colour, linewidth=0, label=name))


def _drawn(shot: Shot, scale: float) -> float:
    """Return how wide models are drawn, in inches of table: to scale, where they can be seen then."""
    return max(shot.base, min(SMALLEST / scale, 0.8 * shot.gap))


def _writing(shot: Shot, scale: float) -> Writing:
    """Return how chances are written if an inch of table is so many of the picture: in the models, below, or not."""
    wide = _drawn(shot, scale)
    if wide * scale > 0.5:
        return Writing(whole_percent)
    if wide * scale > 0.27:
        return Writing(bare_percent)
    if (shot.gap - RING * wide) * scale > 0.2 and shot.gap * scale > 0.3:
        return Writing(bare_percent, RING * wide / 2 + 0.09 / scale, 7.5)
    return Writing()


def _bars(part: SubFigure, rows: Sequence[UnderRow], columns: Sequence[str], width: float) -> None:
    """Draw how many models are under the marker, in some inches of picture."""
    axes = part.subplots()
    least = next(n for n, row in enumerate(rows) if any(getattr(row, column) for column in columns))
    rows = rows[least:]
    each = 0.86 / len(columns)
    room = each * width / (len(rows) + 0.2)
    for n, column in enumerate(columns):
        name, face = KINDS[column]
        places = [row.number + (n - (len(columns) - 1) / 2) * each for row in rows]
        heights = [getattr(row, column) for row in rows]
        look = EDGE | {"linewidth": EDGE["linewidth"] * (room > 0.05), "hatch": face.hatch if room > 0.1 else ""}
        bars = axes.bar(places, heights, each, color=face.colour, label=name, **look)
        if room > 0.2:
            said = whole_percent if room > 0.35 else bare_percent
            axes.bar_label(bars, [said(height) if height else "" for height in heights], fontsize=8, padding=1)
    axes.set_title("How many models it covers")
    axes.set_xlim(rows[0].number - 0.6, rows[-1].number + 0.6)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, nbins=10))
    axes.set_xlabel("models")
    axes.set_ylim(0, 1.15 * max(getattr(row, column) for row in rows for column in columns))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(tick)
    axes.set_ylabel("of all shots")
    axes.grid(axis="y")


def _keys(shot: Shot, view: View, columns: Sequence[str], letters: int) -> list[Artist]:
    """Return the list of what is drawn, in lines of so many letters."""
    ring: dict[str, Any] = {"marker": "o", "linestyle": "none", "color": PAPER, "markeredgecolor": INK}
    far, across = inches_words(shot.distance), inches_words(shot.marker)
    found = [
        Line2D([], [], **FIRE, label=f"line of fire, from {far} away"),
        Line2D([], [], color=INK, **MARKER, label=f"marker of {across}, at its aim"),
    ]
    if shot.walls:
        unseen = sum(not view.shows(wall) for wall in shot.walls)
        found += [
            Line2D([], [], **WALL, label="wall" + f", and {unseen} more outside the picture" * bool(unseen)),
            Line2D([], [], **ring, markersize=9, markeredgewidth=2, label="ring: the part behind a wall"),
        ]
    bars = [KINDS[column] for column in columns] if shot.walls else []
    handles = [*found, *(Patch(facecolor=face.colour, hatch=face.hatch, label=name, **EDGE) for name, face in bars)]
    for each in handles:
        each.set_label(wrap(str(each.get_label()), letters))
    return handles

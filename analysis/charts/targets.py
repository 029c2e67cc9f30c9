"""What targets, goals, saves and Leadership are worth: heat maps, a second die beside none, a test with a re-roll."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from analysis.charts.heat import draw_heat, ink_on
from analysis.charts.lines import Line, draw_lines
from analysis.charts.palette import SERIES, SHADES, Look
from analysis.charts.style import INK, NARROW, WIDE, Chart, chances_up, in_style, legend_below, new_chart, wrap
from analysis.findings import dice as findings
from analysis.rows.dice import ExtendedRow, HitRow, PassRow, SaveRow, WoundRow
from analysis.say.numbers import bare_percent, whole_percent

Inside = npt.NDArray[np.bool_]


@in_style
def hit_chart(rows: Sequence[HitRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the chance to hit by skill and modifiers; a line goes around what a second die confirms."""
    figure = new_chart(title or findings.hits(rows), width, 4.2, caption)
    axes = figure.subplots()
    _heat(axes, rows, "modifiers", "skill")
    axes.set_xticklabels([f"{modifiers:+}" if modifiers else "0" for modifiers in _levels(rows, "modifiers")])
    _outline(axes, _inside(rows, "modifiers", "skill", [row.needs in findings.BY_TWO_DICE for row in rows]))
    axes.set_xlabel("all modifiers to hit, added up")
    axes.set_ylabel("Ballistic Skill")
    return figure


@in_style
def wound_chart(rows: Sequence[WoundRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the chance to wound by Strength and Toughness; a line goes around what a second die confirms.

    A dashed one parts from it what cannot be tried beyond short range.
    """
    figure = new_chart(title or findings.wounds(rows), width, 4.8, caption)
    axes = figure.subplots()
    _heat(axes, rows, "S", "T")
    _outline(axes, _inside(rows, "S", "T", [row.beyond < row.chance for row in rows]), linestyle=(0, (1.2, 1.2)))
    _outline(axes, _inside(rows, "S", "T", [row.needs in findings.BY_TWO_DICE for row in rows]))
    axes.set_xlabel("Strength")
    axes.set_ylabel("Toughness")
    return figure


@in_style
def save_chart(rows: Sequence[SaveRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the chance that a wound is saved by armour save and AP; a line goes around what armour saves.

    Without another save there is no line.
    """
    figure = new_chart(title or findings.saves(rows), width, 2.8, caption)
    axes = figure.subplots()
    _heat(axes, rows, "AP", "save")
    if any(row.by not in ("armour", None) for row in rows):
        rim = [withStroke(linewidth=4, foreground=ink_on(1))]
        _outline(axes, _inside(rows, "AP", "save", [row.by == "armour" for row in rows]), path_effects=rim)
    axes.set_xlabel("AP of the weapon")
    axes.set_ylabel("armour save")
    return figure


def _levels(rows: Sequence[Any], name: str) -> list[Any]:
    return list(dict.fromkeys(getattr(row, name) for row in rows))


def _heat(axes: Axes, rows: Sequence[Any], x: str, y: str) -> None:
    """Draw the chances of rows on the plane of two of their columns; where there is room with what is rolled."""
    figure = axes.get_figure(root=True)
    narrow = figure is not None and figure.get_figwidth() < NARROW
    across, up = _levels(rows, x), _levels(rows, y)
    grid = np.full((len(up), len(across)), np.nan)
    for row in rows:
        column, line = across.index(getattr(row, x)), up.index(getattr(row, y))
        grid[line, column] = row.chance
        needs = getattr(row, "needs", None)
        if needs and not narrow:
            place, ink = (column + 0.95, line + 0.08), ink_on(row.chance)
            told = f"{needs} {row.by}" if getattr(row, "by", None) else needs
            axes.text(*place, told, ha="right", va="bottom", fontsize=6.5, color=ink)
    draw_heat(axes, grid, list(map(str, across)), list(map(str, up)), said=bare_percent if narrow else whole_percent)


def _inside(rows: Sequence[Any], x: str, y: str, within: Sequence[bool]) -> Inside:
    """Return which cells of a plane are within a region."""
    across, up = _levels(rows, x), _levels(rows, y)
    inside = np.zeros((len(up), len(across)), dtype=np.bool_)
    for row, is_in in zip(rows, within, strict=True):
        inside[up.index(getattr(row, y)), across.index(getattr(row, x))] = is_in
    return inside


def _outline(axes: Axes, inside: Inside, **line: Any) -> None:
    """Draw a line around cells, in the ink of light ones, which no page replaces."""
    padded = np.pad(inside, 1)
    style: dict[str, Any] = {"color": ink_on(0), "linewidth": 1.6} | line
    sides = np.argwhere(padded[1:-1, 1:] != padded[1:-1, :-1])
    axes.vlines(sides[:, 1], sides[:, 0], sides[:, 0] + 1, clip_on=False, **style)
    steps = np.argwhere(padded[1:, 1:-1] != padded[:-1, 1:-1])
    axes.hlines(steps[:, 0], steps[:, 1], steps[:, 1] + 1, clip_on=False, **style)


@in_style
def extended_chart(rows: Sequence[ExtendedRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw rolls that a second die may confirm as bars beside those without it, a panel for each kind of roll."""
    rolls, narrow = _levels(rows, "roll"), width < NARROW
    figure = new_chart(title or findings.extended(rows), width, 0.6 + 2.2 * len(rolls), caption)
    with_die, without = SHADES[0], SHADES[1]
    for axes, roll in zip(figure.subplots(len(rolls), 1, squeeze=False).flat, rolls, strict=True):
        own = [row for row in rows if row.roll == roll]
        for n, (face, name) in enumerate(((with_die, "extended"), (without, "plain"))):
            heights = [getattr(row, name) for row in own]
            places = [i + (n - 0.5) * 0.42 for i in range(len(own))]
            axes.bar(places, heights, 0.42, color=face.colour, hatch=face.hatch, edgecolor=face.text, linewidth=0)
        for i, row in enumerate(own):
            said = bare_percent if narrow else whole_percent
            alike = row.extended == row.plain
            told = said(row.extended) if alike else f"{said(row.extended)}, {said(row.plain)}"
            axes.text(i, max(row.extended, row.plain) + 0.02, told, ha="center", va="bottom", fontsize=8)
        axes.set_title(roll)
        axes.set_xticks(range(len(own)), [row.needs if narrow else _in_words(row.needs) for row in own])
        axes.tick_params(axis="x", length=0, labelsize=7 if narrow else 9)
        chances_up(axes, "succeeds")
    names = ((with_die, "a second die may confirm"), (without, "one die alone"))
    handles = [Patch(facecolor=f.colour, hatch=f.hatch, edgecolor=f.text, linewidth=0, label=name) for f, name in names]
    legend_below(figure, handles, ncols=1 if narrow else 2)
    return figure


def _in_words(needs: str) -> str:
    """Say what is rolled as a player would: "4 or less" of ``4-``, "6, then 4 or more" of ``6/4+``."""
    first, _, last = needs.rpartition("/")
    roll = last.replace("-", " or less").replace("+", " or more")
    return wrap(f"{first}, then {roll}" if first else roll, 9)


@in_style
def leadership_chart(rows: Sequence[PassRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the chance to pass a test against Leadership, once and with a re-roll."""
    figure = new_chart(title or findings.leadership(rows), width, 3.7, caption)
    axes = figure.subplots()
    levels = [row.Ld for row in rows]
    axes.set_xlim(min(levels), max(levels))
    axes.set_xticks(levels)
    axes.set_xlabel("Leadership, after modifiers")
    chances_up(axes, "tests passed")
    lines = []
    for name, column, (marker, dashes) in zip(("one roll", "with a re-roll"), ("once", "again"), SERIES, strict=False):
        y = [getattr(row, column) for row in rows]
        lines.append(Line(name, Look(INK, marker, dashes), levels, y, [None] * len(y), [None] * len(y)))
    draw_lines(axes, lines, whole_percent)
    return figure

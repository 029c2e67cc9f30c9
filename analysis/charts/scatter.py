"""Scatter: where markers land on the table, and how often they cover something there."""

from collections.abc import Sequence
from math import pi

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator, MultipleLocator

from analysis.charts.lines import Line, coinciding_lines, marks
from analysis.charts.palette import SERIES, Look
from analysis.charts.style import FAINT, INK, NARROW, WIDE, Chart, chances_up, in_style, legend_below, new_chart, wrap
from analysis.findings import scatter as findings
from analysis.rows.scatter import CoverRow, LandingRow
from analysis.say.numbers import whole_percent
from sims.words import counted

GOLDEN = pi * (3 - 5**0.5)
"""The angle by which circles are turned against each other, so that their dots make no pattern."""


@in_style
def scatter_chart(rows: Sequence[LandingRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw where markers land as dots on the table, more of them the likelier it is: a panel for each variant.

    Those on target lie on one another; a dashed circle holds half of all landings or more.
    """
    names = list(dict.fromkeys(row.variant for row in rows))
    columns = min(2 if width < NARROW else 3, len(names))
    down = -(-len(names) // columns)
    far = max(row.inches for row in rows) + 1
    each = width / max(columns, 2) - 0.2
    figure = new_chart(title or findings.landings(rows), width, 0.3 + (each + 0.8) * down + 0.1, caption)
    panels = figure.subplots(down, columns, squeeze=False, sharex=True, sharey=True)
    for axes, name in zip(panels.flat, names, strict=False):
        _table(axes, [row for row in rows if row.variant == name], far, small=width < NARROW)
    for axes in panels.flat[len(names) :]:
        axes.set_axis_off()
    for axes in panels[-1]:
        axes.set_xlabel("inches from the aim")
    return figure


def _table(axes: Axes, rows: Sequence[LandingRow], far: int, *, small: bool) -> None:
    for row in rows:
        around = row.inches * GOLDEN + np.arange(row.dots) * 2 * pi / max(row.dots, 1)
        x, y = row.inches * np.cos(around), row.inches * np.sin(around)
        axes.plot(x, y, ".", color=INK, markersize=2 if small else 3, label=str(row.inches))
    half = next(row.inches for row in rows if row.within >= 0.5)
    hit = next((row.chance for row in rows if row.inches == 0), 0.0)
    if half:
        axes.add_patch(Circle((0, 0), half + 0.4, fill=False, edgecolor=INK, linestyle=(0, (4, 2)), linewidth=1))
    axes.axhline(0, color=FAINT, linewidth=0.6, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=0.6, zorder=0)
    lines = [rows[0].variant, f"{whole_percent(hit)} on target"] + [
        f"half within {counted(half, 'inch', 'inches')}"
    ] * (half > 0)
    axes.set_title("\n".join(lines), fontsize=8 if small else 9)
    axes.set_xlim(-far, far)
    axes.set_ylim(-far, far)
    axes.set_aspect("equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MultipleLocator(6 if far > 8 else 3))
        axis.set_major_formatter(lambda inches, _: f"{abs(inches):g}")


@in_style
def cover_chart(rows: Sequence[CoverRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the chance that a marker covers something at a distance from the aim.

    One variant has a line for each target; several have one each, in a panel for each target.
    """
    several = len({row.variant for row in rows}) > 1
    panel, line = ("target", "variant") if several else ("variant", "target")
    panels, lines = (list(dict.fromkeys(getattr(row, name) for row in rows)) for name in (panel, line))
    narrow = width < NARROW
    columns = 1 if narrow else 2
    each = 2.2 + 0.25 * -(-len(lines) // columns)
    figure = new_chart(title or findings.covers(rows), width, 0.4 + each * len(panels), caption)
    top = next(each for each in (0.25, 0.5, 1.0) if each >= max(row.chance for row in rows) - 1e-9)
    parts = figure.subfigures(len(panels), 1, squeeze=False)[:, 0] if several else [figure]
    for part, name in zip(parts, panels, strict=True):
        axes = part.subplots()
        if several:
            axes.set_title(name)
        drawn = []
        for other, (marker, dashes) in zip(lines, SERIES, strict=False):
            own = [row for row in rows if (getattr(row, panel), getattr(row, line)) == (name, other)]
            none = [None] * len(own)
            look = Look(INK, marker, dashes)
            drawn.append(Line(other, look, [row.distance for row in own], [row.chance for row in own], none, none))
        for one in coinciding_lines(drawn):
            label = wrap(f"{one.name}{one.note}: {whole_percent(one.y[0])} at 0", 38)
            axes.plot(one.x, one.y, label=label, clip_on=False, markevery=2, **marks(one.look))
        axes.set_xlim(0, max(row.distance for row in rows))
        axes.xaxis.set_major_locator(MaxNLocator(8 if narrow else 16, integer=True, steps=[1, 2, 5, 10]))
        chances_up(axes, "covered")
        axes.set_yticks([top * n / 5 for n in range(6)])
        axes.set_ylim(0, top)
        axes.set_xlabel("inches from the aim to its middle")
        legend_below(part, axes.lines, ncols=columns, handlelength=3.2)
    return figure

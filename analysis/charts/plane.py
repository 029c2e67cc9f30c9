"""A response over the plane of two numbers as heat maps, one for each set of rules, each with its line of a target."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patheffects import withStroke

from analysis.charts.heat import draw_heat, level_names
from analysis.charts.lines import marks
from analysis.charts.palette import LOOKS
from analysis.charts.style import NARROW, PAPER, WIDE, Chart, in_style, new_chart, tick, wrap
from analysis.charts.sweep import said_as
from analysis.findings import sweeps as findings
from analysis.points.responses import scale
from analysis.rows import names
from analysis.rows.sweeps import ContourRow, PlaneRow
from analysis.say.axes import factor_words, response_words
from analysis.sweeps.contours import Plane


@in_style
def plane_chart(
    rows: Sequence[PlaneRow],
    lines: Sequence[ContourRow],
    on: Plane,
    *,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw a heat map for each set of rules, all on one scale, with the lines on which the target is met."""
    rules, said = names(rows), said_as(on.response)
    columns = 1 if width < NARROW else min(2, len(rules))
    down = -(-len(rules) // columns)
    title = title or findings.plane(rows, on.response, on.target)
    foot = "\n".join(line for line in (caption, findings.widest(rows, on.response)) if line)
    figure = new_chart(title, width, 0.6 + 2.6 * down, foot)
    figure.get_layout_engine().set(w_pad=0.08)  # type: ignore[union-attr, call-arg]
    panels = figure.subplots(down, columns, squeeze=False, sharex=True, sharey=True)
    xs, ys = sorted({row.x for row in rows}), sorted({row.y for row in rows})
    chance = scale(on.response) == 100
    shades = Normalize(0, 1 if chance else max(row.value for row in rows) or 1)
    for axes, name in zip(panels.flat, rules, strict=False):
        grid = np.full((len(ys), len(xs)), np.nan)
        for row in (row for row in rows if row.rules == name):
            grid[ys.index(row.y), xs.index(row.x)] = row.value
        draw_heat(axes, grid, level_names(xs, 10 if width < NARROW else 12), level_names(ys), said=said, scale=shades)
        own = [row for row in lines if row.rules == name]
        for _, points in groupby(own, lambda row: row.line):
            _line(axes, [*points], xs, ys)
        axes.set_title(wrap(name if own else f"{name}: {said(on.target)} nowhere", 44))
    for axes in panels[:, 0]:
        axes.set_ylabel(factor_words(on.y.name))
    for axes in panels.flat[max(len(rules) - columns, 0) : len(rules)]:
        axes.set_xlabel(factor_words(on.x.name))
        axes.tick_params(labelbottom=True)
    for axes in panels.flat[len(rules) :]:
        axes.set_axis_off()
    place = {"location": "bottom", "aspect": 30, "shrink": 0.8} if columns == 1 else {"shrink": 0.7}
    bar = figure.colorbar(panels[0, 0].collections[0], ax=panels, pad=0.02, format=tick if chance else None, **place)
    bar.outline.set_visible(False)
    bar.set_label(f"{response_words(on.response)}\nthe line: {said(on.target)}")
    return figure


def _line(axes: Axes, points: Sequence[ContourRow], xs: Sequence[float], ys: Sequence[float]) -> None:
    """Draw a line from the middle of cell to cell, in the colour of its rules, with a rim that shows on dark cells."""
    x, y = (
        np.interp([getattr(row, along) for row in points], levels, np.arange(len(levels)) + 0.5)
        for along, levels in (("x", xs), ("y", ys))
    )
    rim = [withStroke(linewidth=4.5, foreground=PAPER)]
    look = marks(LOOKS[points[0].look]) | {"linewidth": 2.4}
    axes.plot(x, y, label=points[0].rules, path_effects=rim, markevery=(0.1, 0.4), **look)

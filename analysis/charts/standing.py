"""Whether a building stands after so many hits, or turns; and how many hits it takes."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from analysis.charts.heat import UNDER, draw_heat
from analysis.charts.lines import Line, draw_lines
from analysis.charts.palette import LOOKS, NEVER, SERIES
from analysis.charts.style import NARROW, WIDE, Chart, chances_up, in_style, new_chart
from analysis.findings import buildings as findings
from analysis.rows import names
from analysis.rows.standing import MOST, HalfRow, StandRow, by_name
from analysis.say.numbers import whole_percent


@in_style
def standing_chart(
    rows: Sequence[StandRow],
    *,
    across: str,
    what: str = "The building",
    unit: str = "hit",
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw the chance that a building still stands after so many hits or turns, one line for each that differs.

    Args:
        across: What is counted to the right, as an axis says it.
        what, unit: What stands or falls, and one of what is counted: a hit, a turn.
    """
    figure = new_chart(title or findings.standing(rows, what, unit), width, 3.7, caption)
    axes = figure.subplots()
    axes.set_xlim(0, max(max(row.after for row in rows), 1))
    axes.set_xlabel(across)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    chances_up(axes, "games in which it still stands")
    lines, alike = by_name(rows), list(dict.fromkeys(row.of for row in rows))
    single = len(lines) == len(names(rows))
    drawn = [_line(name, line, None if single else alike.index(line[0].of)) for name, line in lines.items()]
    draw_lines(axes, drawn, whole_percent)
    return figure


def _line(name: str, rows: Sequence[StandRow], n: int | None) -> Line:
    """Return a line, the `n`-th of several under its set of rules if there are."""
    look = LOOKS[rows[0].look]
    if n is not None:
        marker, dashes = SERIES[n % len(SERIES)]
        look = look._replace(marker=marker, dashes=dashes)
    nothing = [None] * len(rows)
    return Line(name, look, [row.after for row in rows], [row.stands for row in rows], nothing, nothing)


@in_style
def breach_chart(rows: Sequence[HalfRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw after how many hits walls are as likely down as not, as a heat map for each set of rules, on one scale."""
    rules = names(rows)
    columns = 1 if width < NARROW else min(2, len(rules))
    down = -(-len(rules) // columns)
    figure = new_chart(title or findings.breaching(rows), width, 0.5 + 2.3 * down, caption)
    panels = figure.subplots(down, columns, squeeze=False)
    for axes, name in zip(panels.flat, rules, strict=False):
        mine = [row for row in rows if row.rules == name]
        walls, strengths = (list(dict.fromkeys(getattr(row, key) for row in mine)) for key in ("walls", "strength"))
        grid = np.full((len(walls), len(strengths)), np.nan)
        for row in mine:
            at = walls.index(row.walls), strengths.index(row.strength)
            if row.hits is not None:
                grid[at] = row.hits
            else:
                _no_number(axes, *at, row)
        draw_heat(axes, grid, [str(S) for S in strengths], walls, said="{:.0f}".format, scale=Normalize(0, MOST))
        axes.set_title(name)
        axes.set_xlabel("Strength of the hits")
    for axes in panels.flat[len(rules) :]:
        axes.set_axis_off()
    return figure


def _no_number(axes: Axes, up: int, across: int, row: HalfRow) -> None:
    """Fill the cell of walls that no number of hits brings down, or more than `MOST`: no hit is harder than that."""
    face = NEVER if row.stands == 1 else NEVER._replace(hatch="")
    cell = Rectangle((across, up), 1, 1, facecolor=face.colour, hatch=face.hatch, edgecolor=UNDER, linewidth=0.4)
    axes.add_patch(cell)
    box = {"facecolor": face.colour, "edgecolor": "none", "boxstyle": "round,pad=0.15"}
    said = "never" if row.stands == 1 else f">{MOST}"
    middle = across + 0.5, up + 0.5
    axes.text(*middle, said, ha="center", va="center", fontsize=8, color=face.text, bbox=box)

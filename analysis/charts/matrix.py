"""The plans of both sides against each other as heat maps, one for each set of rules, with the best replies marked."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from analysis.charts.heat import draw_heat, ink_on
from analysis.charts.palette import SIDES
from analysis.charts.style import NARROW, WIDE, Chart, in_style, new_chart, wrap
from analysis.findings import plans as findings
from analysis.points.margins import SIDES as BOTH
from analysis.rows import names
from analysis.rows.plans import AlikeRow, PlansRow
from analysis.say.axes import CHANCES
from analysis.say.numbers import percent_within


@in_style
def matrix_chart(
    rows: Sequence[PlansRow],
    alike: Sequence[AlikeRow],
    response: str = "p_captured",
    *,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw a heat map for each set of rules, with the signs of the sides in the cells that are their best replies."""
    rules = names(rows)
    columns = 1 if width < NARROW else min(2, len(rules))
    down = -(-len(rules) // columns)
    across, up = (list(dict.fromkeys(getattr(row, side) for row in rows)) for side in BOTH)
    marks = (
        f"Of all games those in which {CHANCES[response]}. {SIDES['attackers']} best reply of the attackers to that "
        f"plan of the garrison, {SIDES['defenders']} best reply of the garrison to that of the attackers"
        f"{', as far as the intervals tell' if any(row.low is not None for row in rows) else ''}."
    )
    foot = "\n".join([marks, *findings.alike(alike), *caption.splitlines()])
    height = 0.7 + down * (0.45 + 0.5 * len(up))
    figure = new_chart(title or findings.best(rows), width, height, foot)
    figure.get_layout_engine().set(w_pad=0.08)  # type: ignore[union-attr, call-arg]
    panels = figure.subplots(down, columns, squeeze=False, sharey=True)
    for axes, name in zip(panels.flat, rules, strict=False):
        own = [row for row in rows if row.rules == name]
        grid = np.full((len(up), len(across)), np.nan)
        for row in own:
            grid[up.index(row.defenders), across.index(row.attackers)] = row.chance
        draw_heat(axes, grid, across, up, said=lambda _: "")
        for row in own:
            _cell(axes, row, across.index(row.attackers) + 0.5, up.index(row.defenders) + 0.5)
        axes.set_title(wrap(name, 40))
    for axes in panels.flat[max(len(rules) - columns, 0) : len(rules)]:
        axes.set_xlabel(f"{SIDES['attackers']} attackers")
    for axes in panels[:, 0]:
        axes.set_ylabel(f"{SIDES['defenders']} garrison")
    for axes in panels.flat[len(rules) :]:
        axes.set_axis_off()
    return figure


def _cell(axes: Axes, row: PlansRow, x: float, y: float) -> None:
    told = percent_within(row.chance, row.low, row.high)
    signs = " ".join(SIDES[side] for side in BOTH if side in row.best)
    ink = ink_on(row.chance)
    axes.text(x, y + (0.17 if signs else 0), told, ha="center", va="center", fontsize=8.5, color=ink)
    if signs:
        axes.text(x, y - 0.2, signs, ha="center", va="center", fontsize=9.5, color=ink)

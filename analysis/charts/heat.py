"""Heat maps: values on a plane, written in their cells where there is room."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, to_hex
from numpy.typing import ArrayLike

from analysis.charts.palette import HEAT
from analysis.say.numbers import whole_percent

UNDER = to_hex(HEAT(0.0))
"""What heat maps lie on, be the page dark or light: the colour of none."""


def draw_heat(
    axes: Axes,
    grid: ArrayLike,
    across: Sequence[str],
    up: Sequence[str],
    *,
    said: Callable[[float], str] = whole_percent,
    scale: Normalize | None = None,
) -> None:
    """Draw values on a plane as a heat map, each written in its cell where there is room; nothing where it is NaN.

    Args:
        grid: ``[up, across]``.
        across, up: What the columns and the rows are called, the first at the left and below.
        scale: How dark a value is: from 0 to 1 if not given.
    """
    values = np.asarray(grid, dtype=float)
    scale = scale or Normalize(0, 1)
    mesh = axes.pcolormesh(values, cmap=HEAT, norm=scale, edgecolors=UNDER, linewidth=0.4)
    axes.set_facecolor(UNDER)
    mesh.set_label("heat")
    width, height = _size(axes)
    rows, columns = values.shape
    letters = max((len(said(value)) for value in values.flat if not np.isnan(value)), default=0)
    if width / columns > 0.07 * (letters + 1) and height / rows > 0.2:
        for (y, x), value in np.ndenumerate(values):
            if not np.isnan(value):
                ink = ink_on(scale(value))
                axes.text(x + 0.5, y + 0.5, said(value), ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(np.arange(columns) + 0.5, across)
    axes.set_yticks(np.arange(rows) + 0.5, up)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def level_names(levels: Sequence[float], room: int = 12) -> list[str]:
    """Return the names of levels: of all, or of as many as there is room for, at even steps."""
    step = -(-len(levels) // room)
    return [f"{level:g}" if i % step == 0 else "" for i, level in enumerate(levels)]


def ink_on(shade: float) -> str:
    """Return the ink for a cell of a heat map by its shade, from 0 to 1: black or white, whichever contrasts more."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in HEAT(float(shade))[:3]]
    return "#000000" if float(np.dot(linear, (0.2126, 0.7152, 0.0722))) > 0.179 else "#ffffff"


def _size(axes: Axes) -> tuple[float, float]:
    """Return about how wide and tall axes are, in inches."""
    figure, place = axes.get_figure(root=True), axes.get_subplotspec()
    if figure is None or place is None:
        return 0.0, 0.0
    down, across = place.get_gridspec().get_geometry()
    width, height = figure.get_size_inches().tolist()
    return (width - 1.2) / across, (height - 1) / down

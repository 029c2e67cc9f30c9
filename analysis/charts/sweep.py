"""A response over the levels of a factor, one line for each set of rules."""

from collections.abc import Callable, Sequence

from matplotlib.ticker import MaxNLocator

from analysis.charts.looks import LOOKS
from analysis.charts.style import WIDE, Chart, Line, chances_up, draw_lines, new_chart, share, styled
from analysis.responses import NAMES, scale
from analysis.rows import names
from analysis.rows.sweeps import LevelRow


@styled
def sweep_chart(
    rows: Sequence[LevelRow],
    response: str = "p_captured",
    *,
    factor: str,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw one response over the levels of a factor; a line that the factor does not move says so.

    Parameters
    ----------
    rows : sequence of LevelRow
    response : str
        What they are of; one of `analysis.responses.NAMES`.
    factor : str
        What the levels are called.
    title, caption : str
    width : float
        In inches.
    """
    if response not in NAMES:
        raise ValueError(f"expected one of {', '.join(NAMES)}; got {response}")
    figure = new_chart(title, width, 3.7, caption)
    axes = figure.subplots()
    levels = [row.level for row in rows]
    axes.set_xlim(min(levels), max(levels))
    axes.set_xlabel(factor)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if scale(response) == 100:
        chances_up(axes, f"games: {response.removeprefix('p_')}")
    else:
        axes.set_ylim(0, 1.05 * max(row.high or row.value for row in rows) or 1)
        axes.set_ylabel(response.replace("_", " "))
        axes.grid(axis="y")
    said: Callable[[float], str] = share if scale(response) == 100 else "{:.1f}".format
    draw_lines(axes, [_line([row for row in rows if row.rules == name]) for name in names(rows)], said)
    return figure


def _line(rows: Sequence[LevelRow]) -> Line:
    flat = len(rows) > 1 and max(row.value for row in rows) - min(row.value for row in rows) < 1e-9
    x, y, low, high = zip(*((row.level, row.value, row.low, row.high) for row in rows), strict=True)
    return Line(rows[0].rules, LOOKS[rows[0].look], x, y, low, high, ", it changes nothing" if flat else "")

"""What all charts share: ink and letters, a figure with its title and caption, axes of chances, lines with names."""

from collections.abc import Callable, Sequence
from functools import wraps
from io import BytesIO
from textwrap import fill
from typing import Any, NamedTuple, ParamSpec, cast

import numpy as np
from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from analysis.charts.looks import HEAT, Look
from analysis.rows import described

INK, PAPER, FAINT = "#1b1f24", "#fefefe", "#8c959f"
"""Text and axes, background, guide lines. A page replaces the first two by its own (`analysis.charts.pictures`)."""

WIDE, PHONE = 8.0, 3.6
"""How wide a chart is, in inches: on a page, and on a phone, where it is drawn anew."""
NARROW = 5.5
"""Below this there is no room for names at the ends of lines."""
LETTER = 0.095
"""How wide a letter of a title is at most, in inches."""

STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "hatch.linewidth": 0.8,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "figure.facecolor": "none",
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "casemate",
}

P = ParamSpec("P")


class Chart(Figure):
    """A figure that a notebook draws where it is the value of a cell.

    Attributes
    ----------
    title : str
        What it finds.
    caption : str
        Where it comes from, and what is not drawn.
    shows : str
        Both and every value that is drawn, for those who cannot see it.
    foot : float
        How tall its caption is, in inches.
    """

    title = ""
    caption = ""
    shows = ""
    foot = 0.0

    def _repr_png_(self) -> bytes:
        out = BytesIO()
        with rc_context(STYLE):
            self.savefig(out, format="png", dpi=110, facecolor=PAPER)
        return out.getvalue()


def styled(chart: Callable[P, Chart]) -> Callable[P, Chart]:
    """Draw a chart in Casemate's style, leaving Matplotlib's own settings as they were, and say what it shows.

    Its rows are its first arguments.
    """

    @wraps(chart)
    def draw(*args: P.args, **kwargs: P.kwargs) -> Chart:
        with rc_context(STYLE):
            figure = chart(*args, **kwargs)
        tables = [each for each in args if isinstance(each, Sequence) and each and hasattr(each[0], "_fields")]
        said = [f"{each.rstrip('.')}." for each in (figure.title, *figure.caption.splitlines()) if each]
        figure.shows = " ".join([*said, *map(described, tables)])
        return figure

    return draw


def new_chart(title: str, width: float, height: float, caption: str = "") -> Chart:
    """Return a chart with its title and, below, a caption in small letters; both add to its height, in inches."""
    letters = int((width - 0.2) / LETTER)
    head = fill(title, letters)
    foot = "\n".join(fill(line, int(1.25 * letters)) for line in caption.splitlines())
    lines = 0.2 * (head.count("\n") + bool(head)) + 0.17 * (foot.count("\n") + bool(foot))
    figure = Chart(figsize=(width, height + lines), layout="constrained")
    figure.title, figure.caption = title, caption
    if head:
        figure.suptitle(head, x=0.01, ha="left", fontweight="bold", fontsize=11)
    if foot:
        figure.foot = 0.17 * (foot.count("\n") + 1) + 0.08
        _reserve(figure, figure.foot, foot)
    return figure


def _reserve(figure: Chart, low: float, foot: str) -> None:
    """Keep the axes of a chart above so many inches: the layout alone would let a list below stand on the caption."""
    height, engine = figure.get_figheight(), cast("Any", figure.get_layout_engine())
    engine.set(rect=(0, low / height, 1, 1 - low / height))
    if foot:
        caption = figure.supxlabel(foot, x=0.01, y=0.04 / height, va="bottom", ha="left", fontsize=8.5)
        caption.set_in_layout(False)


def legend_below(
    part: Figure | SubFigure, handles: Sequence[Artist], *, loc: str = "lower left", ncols: int = 1, **looks: Any
) -> None:
    """Put a list of what is drawn below all axes of a chart, or a part of one, and above its caption.

    The chart grows by it.
    """
    looks |= {"handles": handles, "ncols": ncols, "frameon": False, "borderaxespad": 0.2}
    if not isinstance(part, Chart):
        part.legend(**looks | {"loc": f"outside {loc}"})
        return
    lines = [str(each.get_label()).count("\n") + 1 for each in handles]
    down = -(-len(lines) // ncols)
    tall = max(sum(0.17 * n + 0.07 for n in lines[i : i + down]) for i in range(0, len(lines), down)) + 0.12
    height = part.get_figheight() + tall
    part.set_figheight(height)
    part.legend(**looks | {"loc": loc, "bbox_to_anchor": (0, part.foot / height, 1, 1)})
    _reserve(part, part.foot + tall, part.get_supxlabel())


def share(value: float) -> str:
    """Write a share as a whole percentage; only what is certain reads 0 or 100 %."""
    if 0 < value < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < value < 1 - 1e-12 else f"{100 * value:.0f} %"


def of_100(value: float) -> str:
    """Write a share as a number out of 100, where there is no room for more."""
    return share(value).removesuffix(" %")


def tick(value: float, _position: float) -> str:
    """Write a share at an axis."""
    return f"{round(100 * value, 6):g} %"


def chances_up(axes: Axes, label: str) -> None:
    """Make the axis upwards one of chances, from none to certain."""
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.set_ylabel(wrapped(label, 30))
    axes.grid(axis="y")


def wrapped(name: str, letters: int = 24) -> str:
    """Break a long name into lines."""
    return fill(name, letters)


class Line(NamedTuple):
    """A line with its name; `low` and `high` are None where its values are exact; a note is said beside its name."""

    name: str
    look: Look
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float | None]
    high: Sequence[float | None]
    note: str = ""

    @property
    def sampled(self) -> list[tuple[float, float, float]]:
        """Where it is, from where and to where it may be, of those values that were sampled."""
        every = zip(self.x, self.low, self.high, strict=True)
        return [(x, low, high) for x, low, high in every if low is not None and high is not None]


def draw_lines(axes: Axes, lines: Sequence[Line], said: Callable[[float], str], *, steps: bool = False) -> None:
    """Draw lines with a marker at each level and an interval where sampled, each with its name and its last value.

    Lines that coincide are drawn once, with one name. Where there is room names stand at the ends of their lines, else
    in a list below.

    Parameters
    ----------
    axes : Axes
        The only ones of their figure that have these lines.
    lines : sequence of Line
    said : callable
        Writes a value.
    steps : bool
        A value holds from its level to the next.
    """
    drawn = coinciding(lines)
    for line in drawn:
        _draw_line(axes, line, steps=steps)
    labels = [f"{line.name}  {said(line.y[-1])}{line.note}".replace(" %", "\u00a0%") for line in drawn]
    figure, part = axes.get_figure(root=True), axes.get_figure(root=False)
    if figure is not None and part is not None and figure.get_figwidth() < NARROW:
        handles = [_handle(line.look, label) for line, label in zip(drawn, labels, strict=True)]
        legend_below(part, handles, handlelength=3.2)
        return
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    gap = (right - left) / 22
    tops = apart([(line.y[-1] - low) / (high - low) for line in drawn], 0.095)
    for line, label, top in zip(drawn, labels, tops, strict=True):
        label_line(axes, line.x[-1], gap, line.y[-1], low + top * (high - low), label, line.look.colour)


def coinciding(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that differ; one where others run has their names too, and says so."""
    found = list[list[Line]]()
    for line in lines:
        for same in found:
            if _coincide(same[0], line):
                same.append(line)
                break
        else:
            found.append([line])
    return [
        same[0]._replace(name=" and ".join(line.name for line in same), note=f", one line{same[0].note}")
        if len(same) > 1
        else same[0]
        for same in found
    ]


def _coincide(one: Line, other: Line) -> bool:
    """Return whether two exact lines are one."""
    exact = not one.sampled and not other.sampled
    return exact and [*one.x] == [*other.x] and np.allclose(one.y, other.y, rtol=0, atol=1e-9)


def _draw_line(axes: Axes, line: Line, *, steps: bool) -> None:
    look = line.look
    drawing: dict[str, Any] = {"drawstyle": "steps-post"} if steps else {}
    axes.plot(line.x, line.y, clip_on=False, label=line.name, **drawing, **marks(look))
    if not line.sampled:
        return
    x, low, high = zip(*line.sampled, strict=True)
    if steps:
        axes.vlines(x, low, high, color=look.colour, linewidth=4, alpha=0.35)
    else:
        axes.fill_between(x, low, high, color=look.colour, alpha=0.2)


def marks(look: Look) -> dict[str, Any]:
    """Return how Matplotlib draws a look."""
    return {
        "color": look.colour,
        "marker": look.marker,
        "dashes": look.dashes or (None, None),
        "linewidth": 1.8,
        "markersize": 6,
        "markerfacecolor": PAPER if look.hollow else look.colour,
        "markeredgecolor": look.colour if look.hollow else PAPER,
    }


def _handle(look: Look, label: str) -> Line2D:
    return Line2D([], [], label=fill(label, 36), **marks(look))


def label_line(axes: Axes, x: float, gap: float, end: float, height: float, label: str, colour: str) -> None:
    """Write a line's name to the right of its end, at a height of its own, with a leader to it."""
    leader = {"arrowstyle": "-", "color": colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 4}
    axes.annotate("", (x, end), (x + gap, height), arrowprops=leader, annotation_clip=False)
    axes.text(x + 1.15 * gap, height, wrapped(label), va="center", linespacing=0.95, fontweight="bold", fontsize=9)


def label_beside(axes: Axes, x: float, y: float, label: str, *, left: bool = False) -> None:
    """Write something in small letters to the right of a mark, or to its left."""
    by, ha = (-7, "right") if left else (7, "left")
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    axes.annotate(label, (x, y), (by, 0), textcoords="offset points", ha=ha, va="center", fontsize=8, bbox=box)


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Move labels apart, keeping their order, so that none covers another."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = list(heights)
    for below, i in zip([None, *order], order, strict=False):
        placed[i] = max(heights[i], 0.045 if below is None else placed[below] + gap)
    for above, i in zip([None, *reversed(order)], reversed(order), strict=False):
        placed[i] = min(placed[i], 0.98 if above is None else placed[above] - gap)
    return placed


def draw_heat(
    axes: Axes,
    grid: ArrayLike,
    across: Sequence[str],
    up: Sequence[str],
    *,
    said: Callable[[float], str] = share,
    most: float = 1.0,
) -> None:
    """Draw values on a plane as a heat map, each written in its cell where there is room; nothing where it is NaN.

    Parameters
    ----------
    axes : Axes
    grid : array, [up, across]
    across, up : sequence of str
        What the columns and the rows are called, the first at the left and below.
    said : callable
        Writes a value.
    most : float
        The value of the darkest colour.
    """
    values = np.asarray(grid, dtype=float)
    scale = Normalize(0, most)
    mesh = axes.pcolormesh(values, cmap=HEAT, norm=scale, edgecolors=PAPER, linewidth=0.4)
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


def ink_on(shade: float) -> str:
    """Return the ink of what is written on a heat map, on so much of its darkest colour."""
    return "#ffffff" if shade > 0.5 else "#16191d"


def _size(axes: Axes) -> tuple[float, float]:
    """Return about how wide and tall axes are, in inches."""
    figure, place = axes.get_figure(root=True), axes.get_subplotspec()
    if figure is None or place is None:
        return 0.0, 0.0
    down, across = place.get_gridspec().get_geometry()
    width, height = figure.get_size_inches().tolist()
    return (width - 1.2) / across, (height - 1) / down

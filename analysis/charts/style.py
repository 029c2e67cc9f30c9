"""What all charts share: ink and letters, a figure with its title and caption, axes of chances, a list below."""

from collections.abc import Callable, Sequence
from functools import wraps
from io import BytesIO
from textwrap import fill
from typing import Any, ParamSpec, cast

from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from analysis.rows import description

INK, PAPER, FAINT = "#1b1f24", "#fefefd", "#8c959f"
"""Text and axes, background, guide lines. A page replaces the first two by its own
(`analysis.charts.pictures`), so no shade of a heat map is one of them."""

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

    Attributes:
        title (str): What it finds.
        caption (str): Where it comes from, and what is not drawn.
        shows (str): Both and every value that is drawn, for those who cannot see it.
        foot (float): How tall its caption is, in inches.
        anew: Draws the same for another width, in inches.
    """

    anew: "Callable[[float], Chart]"

    title = ""
    caption = ""
    shows = ""
    foot = 0.0

    def _repr_png_(self) -> bytes:
        out = BytesIO()
        with rc_context(STYLE):
            self.savefig(out, format="png", dpi=110, facecolor=PAPER)
        return out.getvalue()


def in_style(chart: Callable[P, Chart]) -> Callable[P, Chart]:
    """Draw a chart in Casemate's style, leaving Matplotlib's own settings as they were, and say what it shows.

    Its rows are its first arguments.
    """

    @wraps(chart)
    def draw(*args: P.args, **kwargs: P.kwargs) -> Chart:
        with rc_context(STYLE):
            figure = chart(*args, **kwargs)
        tables = [each for each in args if isinstance(each, Sequence) and each and hasattr(each[0], "_fields")]
        said = [f"{each.rstrip('.')}." for each in (figure.title, *figure.caption.splitlines()) if each]
        figure.shows = " ".join([*said, *map(description, tables)])
        figure.anew = lambda width: cast(Any, draw)(*args, **{**kwargs, "width": width})
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


def tick(value: float, _position: float) -> str:
    """Write a share at an axis."""
    return f"{round(100 * value, 6):g} %"


def chances_up(axes: Axes, label: str) -> None:
    """Make the axis upwards one of chances, from none to certain."""
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(tick)
    axes.set_ylabel(wrap(label, 30 if len(label) <= 30 else 24))
    axes.grid(axis="y")


def wrap(name: str, letters: int = 24) -> str:
    """Break a long name into lines."""
    return fill(name, letters)

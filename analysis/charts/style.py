"""What all charts share: ink, colours that a colour-blind reader can tell apart, and how to write an SVG.

Colour is never alone: every series has a marker, a dash or a hatch of its own and a label beside it.
"""

import re
from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple, ParamSpec

from matplotlib import color_sequences, rc_context
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

INK, PAPER, FAINT = "#1b1f24", "#fefefe", "#8c959f"
"""Text and axes, background, guide lines. A page may replace the first two by its own (see `svg`)."""

_BLACK, ORANGE, SKY, GREEN, _YELLOW, BLUE, VERMILLION, PURPLE = (to_hex(c) for c in color_sequences["okabe_ito"])

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
    "axes.titleweight": "bold",
    "axes.titlesize": 11,
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


class Look(NamedTuple):
    """How one series looks."""

    colour: str
    marker: str
    dashes: tuple[float, ...]


SERIES = (
    Look(BLUE, "o", ()),
    Look(VERMILLION, "s", (6, 2)),
    Look(GREEN, "^", (2, 1.5)),
    Look(PURPLE, "D", (6, 2, 1.5, 2)),
    Look(ORANGE, "v", (1, 1.2)),
    Look(SKY, "P", (9, 2)),
)

P = ParamSpec("P")


class Chart(Figure):
    """A figure that a notebook draws where it is the value of a cell."""

    def _repr_png_(self) -> bytes:
        out = BytesIO()
        with rc_context(STYLE):
            self.savefig(out, format="png", dpi=110, facecolor=PAPER)
        return out.getvalue()


def share(value: float) -> str:
    """Write a share as a whole percentage; only what is certain reads 0 or 100 %."""
    if 0 < value < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < value < 1 - 1e-12 else f"{100 * value:.0f} %"


def tick(value: float, _position: float) -> str:
    """Write a share at an axis."""
    return f"{round(100 * value, 6):g} %"


def wrapped(name: str) -> str:
    """Break a long name into lines."""
    return fill(name, 24)


def styled(chart: Callable[P, Chart]) -> Callable[P, Chart]:
    """Draw a chart in Casemate's style, leaving Matplotlib's own settings as they were."""

    @wraps(chart)
    def draw(*args: P.args, **kwargs: P.kwargs) -> Chart:
        with rc_context(STYLE):
            return chart(*args, **kwargs)

    return draw


def draw_line(
    axes: Axes,
    levels: Sequence[float],
    values: Sequence[float],
    intervals: Sequence[tuple[float | None, float | None]],
    look: Look,
    label: str,
) -> None:
    """Draw a line with a marker at each level, and a band where its values were sampled."""
    axes.plot(
        levels,
        values,
        color=look.colour,
        marker=look.marker,
        dashes=look.dashes or (None, None),
        markeredgecolor=PAPER,
        markersize=6,
        clip_on=False,
        label=label,
    )
    band = [(x, low, high) for x, (low, high) in zip(levels, intervals, strict=True) if low is not None]
    if band:
        at, lows, highs = zip(*band, strict=True)
        axes.fill_between(at, lows, highs, color=look.colour, alpha=0.2)


def label_line(axes: Axes, x: float, gap: float, end: float, height: float, label: str, colour: str) -> None:
    """Write a line's name to the right of its end, at a height of its own, with a leader to it."""
    leader = {"arrowstyle": "-", "color": colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 4}
    axes.annotate("", (x, end), (x + gap, height), arrowprops=leader)
    axes.text(
        x + 1.15 * gap,
        height,
        wrapped(label.replace(" %", "\u00a0%")),
        va="center",
        linespacing=0.95,
        fontweight="bold",
        fontsize=9,
    )


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Move labels apart, keeping their order, so that none covers another."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = list(heights)
    for below, i in zip([None, *order], order, strict=False):
        placed[i] = max(heights[i], 0.045 if below is None else placed[below] + gap)
    for above, i in zip([None, *reversed(order)], reversed(order), strict=False):
        placed[i] = min(placed[i], 0.98 if above is None else placed[above] - gap)
    return placed


def svg(figure: Figure, name: str, description: str) -> str:
    """Write a figure as SVG to be put into a page; the same figure gives the same text.

    Parameters
    ----------
    figure : Figure
    name : str
        Put before every id, so that several charts fit on one page.
    description : str
        What the chart shows, for those who cannot see it.
    """
    out = StringIO()
    with rc_context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="', f' id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    text = text.replace(INK, "var(--ink, #1b1f24)").replace(PAPER, "var(--paper, #fefefe)")
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(description)}"', 1)


def write(figure: Figure, path: Path, description: str) -> None:
    """Write a figure to a file: SVG, or what its ending says.

    Parameters
    ----------
    figure : Figure
    path : Path
        Ends in .svg, .png or .pdf.
    description : str
        What the chart shows, for those who cannot see it.
    """
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".svg":
        path.write_text(svg(figure, path.stem, description), "utf-8")
        return
    with rc_context(STYLE):
        figure.savefig(path, dpi=150, facecolor=PAPER)

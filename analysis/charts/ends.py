"""How the assault ends, by rule set."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from analysis.charts.style import BLUE, INK, ORANGE, PAPER, SKY, VERMILLION, Chart, share, styled, tick, wrapped
from analysis.rows import EndRow


class _Face(NamedTuple):
    colour: str
    hatch: str
    text: str


FACES = {
    "destroyed": _Face(VERMILLION, "xxx", "#ffffff"),
    "captured": _Face(BLUE, "", "#ffffff"),
    "broken": _Face(ORANGE, "///", "#1c1400"),
    "held": _Face(SKY, "..", "#04202e"),
}


@styled
def end_chart(rows: Sequence[EndRow]) -> Chart:
    """Draw the shares of the end states as stacked bars, one for each set of rules, each part labelled."""
    names = list(dict.fromkeys(row.rules for row in rows))
    figure = Chart(figsize=(8, 1.0 + 0.62 * len(names)), layout="constrained")
    axes = figure.subplots()
    for row_number, name in enumerate(names):
        left = 0.0
        for row in (row for row in rows if row.rules == name):
            _part(axes, row, row_number, left)
            left += row.share
    axes.set_xlim(0, 1)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), [wrapped(name) for name in names])
    axes.tick_params(axis="y", length=0)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(tick)
    axes.set_xlabel("of all games")
    axes.spines["left"].set_color(INK)
    handles = [Patch(facecolor=f.colour, hatch=f.hatch, edgecolor=f.text, linewidth=0) for f in FACES.values()]
    figure.legend(handles, list(FACES), loc="outside upper left", ncols=4, frameon=False, handlelength=1.6)
    return figure


def _part(axes: Axes, row: EndRow, y: int, left: float) -> None:
    face = FACES[row.end]
    axes.barh(y, row.share, 0.62, left=left, color=face.colour, hatch=face.hatch, edgecolor=face.text, linewidth=0)
    axes.barh(y, row.share, 0.62, left=left, fill=False, edgecolor=PAPER, linewidth=1.2)
    label = f"{row.end} {share(row.share)}" if row.share >= 0.17 else share(row.share) if row.share >= 0.05 else ""
    if label:
        box = {"facecolor": face.colour, "edgecolor": "none", "boxstyle": "round,pad=0.2"}
        axes.text(left + row.share / 2, y, label, ha="center", va="center", color=face.text, fontsize=9, bbox=box)

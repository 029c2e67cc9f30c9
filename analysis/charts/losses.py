"""What the assault costs each side, by rule set."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from analysis.charts.style import BLUE, INK, ORANGE, PAPER, Chart, styled, tick, wrapped
from analysis.margins import SIDES
from analysis.rows import LossMark, LossRow

FACES = {"attackers": (BLUE, ""), "defenders": (ORANGE, "////")}


@styled
def loss_chart(rows: Sequence[LossRow], marks: Sequence[LossMark]) -> Chart:
    """Draw the distribution of each side's losses: a row for each set of rules, a column for each side.

    Above the bars a diamond marks the mean, a line the range that nine games out of ten keep to.
    """
    names = list(dict.fromkeys(row.rules for row in rows))
    figure = Chart(figsize=(8, 0.9 + 1.25 * len(names)), layout="constrained")
    grid = figure.subplots(len(names), 2, sharex="col", squeeze=False)
    figure.get_layout_engine().set(h_pad=0.06, w_pad=0.08)  # type: ignore[union-attr, call-arg]
    for down, name in enumerate(names):
        for across, side in enumerate(SIDES):
            axes = grid[down, across]
            bars = [row for row in rows if row.rules == name and row.side == side]
            mark = next(mark for mark in marks if mark.rules == name and mark.side == side)
            _panel(axes, bars, mark)
            axes.set_xlim(-0.6, max(row.lost for row in rows if row.side == side) + 0.6)
            if down == 0:
                axes.set_title(f"{side} lost", pad=34)
            if down == len(names) - 1:
                axes.set_xlabel("models")
        grid[down, 0].set_ylabel(wrapped(name), rotation=0, ha="right", va="center", labelpad=12)
    return figure


def _panel(axes: Axes, bars: Sequence[LossRow], mark: LossMark) -> None:
    colour, hatch = FACES[mark.side]
    lost, chances = [row.lost for row in bars], [row.chance for row in bars]
    axes.bar(lost, chances, 0.85, color=colour, hatch=hatch, edgecolor=PAPER, linewidth=0)
    above = 1.1
    place = axes.get_xaxis_transform()
    axes.plot([mark.low, mark.high], [above, above], "|-", color=INK, linewidth=1.2, transform=place, clip_on=False)
    axes.plot([mark.mean], [above], "D", color=INK, markersize=4.5, transform=place, clip_on=False)
    axes.text(mark.mean, above + 0.1, f"{mark.mean:.1f}", transform=place, ha="center", va="bottom", fontsize=8.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=2))
    axes.yaxis.set_major_formatter(tick)
    axes.grid(axis="y")

"""Dice as players write them: how often each outcome comes, it or more, it or less."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from analysis.charts.palette import SHADES
from analysis.charts.style import INK, NARROW, WIDE, Chart, chances_up, in_style, legend_below, new_chart, tick
from analysis.findings import dice as findings
from analysis.rows.dice import DiceMark, DiceRow
from analysis.say.numbers import bare_percent, whole_percent

PANELS = {"chance": "exactly so many", "at_least": "so many or more", "at_most": "so many or less"}
EDGE: dict[str, Any] = {"edgecolor": INK, "linewidth": 0.5}
"""Bars of many notations are too thin for hatches."""


@in_style
def dice_chart(
    rows: Sequence[DiceRow], marks: Sequence[DiceMark], *, title: str = "", caption: str = "", width: float = WIDE
) -> Chart:
    """Draw the chance of each outcome of dice as bars, notations beside each other; a diamond marks each mean.

    What can only be yes or no, or words, has no panels of "or more" and "or less".
    """
    narrow, words = width < NARROW, all(row.said for row in rows)
    layout: list[Any] = [["chance"]]
    if not words:
        below = ["at_least", "at_most"]
        layout = [["chance"], *([name] for name in below)] if narrow else [["chance"] * 2, below]
    figure = new_chart(title or findings.dice(rows, marks), width, 0.7 + 2.2 * len(layout), caption)
    notations = [mark.notation for mark in marks]
    for name, axes in figure.subplot_mosaic(layout).items():
        _panel(axes, rows, notations, name, narrow=narrow)
        if name == "chance" and not words:
            _means(axes, marks)
    if len(notations) > 1:
        faces = zip(notations, SHADES, strict=False)
        handles = [Patch(facecolor=face.colour, label=name, **EDGE) for name, face in faces]
        legend_below(figure, handles, ncols=1 if narrow else 3)
    return figure


def _panel(axes: Axes, rows: Sequence[DiceRow], notations: Sequence[str], name: str, *, narrow: bool) -> None:
    outcomes = sorted({row.outcome for row in rows})
    wide = 0.86 / len(notations)
    room = wide * (3.0 if narrow else 3.4 if name != "chance" else 7.2) / (outcomes[-1] - outcomes[0] + 1)
    edge = EDGE | {"linewidth": EDGE["linewidth"] * (room > 0.05)}
    for n, (notation, face) in enumerate(zip(notations, SHADES, strict=False)):
        own = [row for row in rows if row.notation == notation]
        places = [row.outcome + (n - (len(notations) - 1) / 2) * wide for row in own]
        heights = [getattr(row, name) for row in own]
        bars = axes.bar(places, heights, wide, color=face.colour, **edge)
        if room > 0.2:
            said = whole_percent if room > 0.35 else bare_percent
            axes.bar_label(bars, [said(height) for height in heights], fontsize=8, padding=1)
    if all(row.said for row in rows):
        words = {row.outcome: row.said or "" for row in rows}
        axes.set_xticks([*words], [*words.values()])
    else:
        axes.xaxis.set_major_locator(
            MaxNLocator(integer=True, min_n_ticks=1, nbins=12 if name == "chance" and not narrow else 6)
        )
        axes.set_title(PANELS[name], pad=14 if name == "chance" else 8)
    axes.set_xlim(outcomes[0] - 0.6, outcomes[-1] + 0.6)
    if name == "chance":
        axes.set_ylim(0, 1.12 * max(row.chance for row in rows))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 2.5, 5, 10]))
        axes.yaxis.set_major_formatter(tick)
        axes.set_ylabel("of all rolls")
        axes.grid(axis="y")
    else:
        chances_up(axes, "of all rolls")
        axes.set_ylim(0, 1.1)


def _means(axes: Axes, marks: Sequence[DiceMark]) -> None:
    for mark, face in zip(marks, SHADES, strict=False):
        place = axes.get_xaxis_transform()
        drawn: dict[str, Any] = {"color": face.colour, "markeredgecolor": INK, "markersize": 6, "linestyle": "none"}
        axes.plot([mark.mean], [1.02], "D", transform=place, clip_on=False, label=mark.notation, **drawn)

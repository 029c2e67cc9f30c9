"""A tornado: how far a response swings by one step of each thing that a player would vary."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from analysis.charts.style import BLUE, INK, PAPER, VERMILLION, Chart, share, styled, tick
from analysis.scenario_steps import told
from analysis.tornado import Bar, End, Tornado

MOST_BARS = 12
ROW, HEAD = 0.36, 0.75
"""Inches that a bar takes, and what stands above and below the bars of one set of rules."""
DOWN: dict[str, Any] = {"facecolor": VERMILLION, "hatch": "////"}
UP: dict[str, Any] = {"facecolor": BLUE, "hatch": ""}


@styled
def tornado_chart(found: Sequence[Tornado], title: str, axis: str) -> Chart:
    """Draw what steps are worth under each set of rules: from the response as it is to what each step makes of it.

    Parameters
    ----------
    found : sequence of Tornado
        Under rules that play the scenario as it is.
    title, axis : str
        What is played, and what the response is called.
    """
    shown = [one.seen[:MOST_BARS] for one in found]
    heights = [HEAD + ROW * max(len(bars), 1) for bars in shown]
    figure = Chart(figsize=(8, 0.9 + sum(heights)), layout="constrained")
    panels = figure.subplots(len(found), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, one, bars in zip(panels, found, shown, strict=True):
        _panel(axes, one, bars)
    panels[-1].set_xlabel(axis)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=11)
    figure.legend(
        handles=[
            Patch(label=f"one step {name}", edgecolor=PAPER, **look) for name, look in (("down", DOWN), ("up", UP))
        ],
        loc="outside lower right",
        ncols=2,
        frameon=False,
    )
    return figure


def _panel(axes: Axes, one: Tornado, bars: Sequence[Bar]) -> None:
    now = one.now.value if one.now else 0.0
    for row, bar in enumerate(bars):
        for end, look, place in ((bar.down, DOWN, row - 0.19), (bar.up, UP, row + 0.19)):
            if end:
                _bar(axes, now, end, place, look)
    axes.axvline(now, color=INK, linewidth=1)
    axes.set_yticks(range(len(bars)), [_name(bar) for bar in bars])
    axes.set_ylim(max(len(bars), 1) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.08)
    axes.grid(axis="x")
    chance = one.response.startswith("p_")
    if chance:
        axes.xaxis.set_major_formatter(tick)
    more = len(one.bars) - len(bars)
    as_it_is = f"{one.rules}  {share(now) if chance else f'{now:.2f}'}"
    axes.set_title(f"{as_it_is}{f', and {more} more that swing it less' if more else ''}", fontweight="normal")
    if not bars:
        axes.text(0.5, 0.5, "nothing changes it by one step", transform=axes.transAxes, ha="center", va="center")


def _bar(axes: Axes, now: float, end: End, place: float, look: dict[str, Any]) -> None:
    """Draw what one step comes to, with its value at the end of the bar."""
    value = end.response.value
    axes.barh(place, value - now, left=now, height=0.36, edgecolor=PAPER, linewidth=0.5, **look)
    right = (value >= now) is not isinstance(end.value, str)  # a word stands across, where there is room
    axes.annotate(
        told(end.value),
        (now if isinstance(end.value, str) else value, place),
        (4 if right else -4, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        fontsize=8,
    )


def _name(bar: Bar) -> str:
    """Return what a value is called, whose it is, and what it is now."""
    unit = bar.key.removeprefix("units.")
    return f"{unit if unit == bar.key else f'{bar.of}: {unit}'}  {told(bar.now)}"

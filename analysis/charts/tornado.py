"""How far a response swings: by one step of each thing that a player would vary, by each option of a ruling."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from analysis.charts.lines import label_beside
from analysis.charts.palette import LOOKS, Look
from analysis.charts.style import INK, NARROW, PAPER, WIDE, Chart, in_style, legend_below, new_chart, tick, wrap
from analysis.findings import decisions
from analysis.findings import sweeps as findings
from analysis.points.responses import scale
from analysis.rows import names
from analysis.rows.decisions import RulingRow
from analysis.rows.sweeps import SwingRow
from analysis.say.axes import response_words, step_words
from analysis.say.numbers import number, percent, whole_percent

MOST_BARS = 12
ROW, HEAD = 0.36, 0.75
"""Inches that a value takes, and what stands above and below the values of one set of rules."""
UP_OR_DOWN = {"down": "////", "up": "", "another": ""}
BAR, LETTERS = 0.24, 0.155
"""How tall a bar is, and a line of what stands above it, in inches."""


@in_style
def tornado_chart(
    rows: Sequence[SwingRow],
    response: str = "p_captured",
    *,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw what steps are worth under each set of rules: from the response as it is to what each step makes of it."""
    rules = names(rows)
    by_key = [_by_key([row for row in rows if row.rules == name]) for name in rules]
    heights = [HEAD + ROW * min(len(keys), MOST_BARS) * (1.5 if width < NARROW else 1) for keys in by_key]
    figure = new_chart(title or findings.largest_swings(rows, response), width, 0.6 + sum(heights), caption)
    panels = figure.subplots(len(rules), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, keys in zip(panels, by_key, strict=True):
        _panel(axes, keys, chance=scale(response) == 100, width=width)
    panels[-1].set_xlabel(wrap(response_words(response), int(7.5 * width)))
    handles = [
        Patch(label=f"one step {name}", edgecolor=PAPER, facecolor=INK, hatch=UP_OR_DOWN[name])
        for name in ("down", "up")
    ]
    legend_below(figure, handles, loc="lower right", ncols=2)
    return figure


def _by_key(rows: Sequence[SwingRow]) -> list[list[SwingRow]]:
    """Return the rows of each value by itself, in their order."""
    found = dict[tuple[str, str], list[SwingRow]]()
    for row in rows:
        found.setdefault((row.key, row.of), []).append(row)
    return [*found.values()]


def _panel(axes: Axes, keys: Sequence[Sequence[SwingRow]], *, chance: bool, width: float) -> None:
    """Draw the bars of one set of rules, those that swing most first."""
    shown, first = keys[:MOST_BARS], keys[0][0]
    for place, rows in enumerate(shown):
        for row in rows:
            _bar(axes, row, place + (-0.19 if row.step == "down" else 0.19))
    axes.axvline(first.now, color=INK, linewidth=1)
    axes.set_yticks(range(len(shown)), [wrap(_name(rows[0]), int(4.2 * width)) for rows in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.08)
    axes.grid(axis="x")
    if chance:
        axes.xaxis.set_major_formatter(tick)
    more = len(keys) - len(shown)
    as_it_is = f"{first.rules}\u00a0\u00a0{whole_percent(first.now) if chance else f'{first.now:.2f}'}"
    left_out = f", and {more} more that swing it less" if more else ""
    axes.set_title(wrap(f"{as_it_is}{left_out}", int(7.5 * width)), fontweight="normal")


def _bar(axes: Axes, row: SwingRow, place: float) -> None:
    """Draw what one step comes to, with its value at the end of the bar."""
    look, now = LOOKS[row.look], row.now
    hatch = UP_OR_DOWN[row.step]
    axes.barh(
        place,
        row.value - now,
        left=now,
        height=0.36,
        hatch=hatch,
        **_face(look),
    )
    if row.low is not None and row.high is not None:
        axes.hlines(place, row.low, row.high, color=INK, linewidth=1.2)
    word = row.step == "another"  # a word stands across, where there is room
    right = (row.value >= now) is not word
    beyond = (row.high if right else row.low) or row.value
    axes.annotate(
        row.to,
        (now if word else beyond, place),
        (4 if right else -4, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        fontsize=8,
    )


def _face(look: Look) -> dict[str, Any]:
    """Return how bars of a set of rules look: those of a house rule are hollow, with dashed edges."""
    if look.hollow:
        return {"facecolor": PAPER, "edgecolor": look.colour, "linestyle": "--", "linewidth": 1}
    return {"facecolor": look.colour, "edgecolor": PAPER, "linewidth": 0.5}


def _name(row: SwingRow) -> str:
    """Return what a value is called, whose it is, and what it is now."""
    words = step_words(row.key, row.of)
    return f"{words[0].upper()}{words[1:]}\u00a0\u00a0{row.at}"


@in_style
def rulings_chart(
    rows: Sequence[RulingRow],
    response: str = "p_captured",
    *,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw a bar for each other option of a ruling, from the response as it is; above it what is decided otherwise.

    Args:
        rows: Those that move the response most first.
    """
    chance, now = scale(response) == 100, rows[0].now
    said = percent if chance else number
    letters = int(14.5 * (width - 0.3))
    told = [f"{wrap(f'{row.question} ({row.clause})', letters)}\n{wrap(f'→ {row.to}', letters)}" for row in rows]
    heights = [BAR + LETTERS * (words.count("\n") + 1) + 0.1 for words in told]
    figure = new_chart(title or decisions.rulings(rows, response), width, 0.6 + sum(heights), caption)
    axes = figure.subplots()
    down = 0.0
    for row, words, height in zip(rows, told, heights, strict=True):
        down += height
        place = down - BAR / 2
        look = LOOKS[row.look]
        axes.barh(place, row.value - now, BAR * 0.8, left=now, facecolor=look.colour, label=row.to)
        if row.low is not None and row.high is not None:
            axes.hlines(place, row.low, row.high, color=INK, linewidth=1.2)
        more = row.value >= now
        ends = [end for end in (row.value, row.low, row.high) if end is not None]
        label_beside(axes, max(ends) if more else min(ends), place, said(row.value), left=not more)
        axes.plot([now, now], [place - BAR / 2, place + BAR / 2], color=INK, linewidth=1.2, label="_now")
        axes.text(0, down - BAR - 0.03, words, transform=axes.get_yaxis_transform(), va="bottom", fontsize=8)
    axes.set_ylim(down + 0.08, 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.margins(x=0.1)
    if chance:
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(tick)
    axes.set_xlabel(f"{response_words(response)}\nupright lines: as it is, {said(now)}")
    return figure

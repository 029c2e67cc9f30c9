"""What the rulings of a book are worth: how far each other option moves a response."""

from collections.abc import Sequence

from analysis.charts.lines import label_beside
from analysis.charts.palette import LOOKS
from analysis.charts.style import INK, WIDE, Chart, in_style, new_chart, tick, wrap
from analysis.findings import decisions as findings
from analysis.points.responses import scale
from analysis.rows.decisions import RulingRow
from analysis.say.axes import response_words
from analysis.say.numbers import number, percent

BAR, LETTERS = 0.24, 0.155
"""How tall a bar is, and a line of what stands above it, in inches."""


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
    figure = new_chart(title or findings.rulings(rows, response), width, 0.6 + sum(heights), caption)
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

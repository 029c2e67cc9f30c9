"""How the cost of an answer grows with the models on both sides: exactly, and certified."""

from collections.abc import Sequence
from math import ceil, floor, log10

from matplotlib.axes import Axes

from analysis.charts.lines import Line, draw_lines
from analysis.charts.palette import looks
from analysis.charts.style import NARROW, WIDE, Chart, in_style, new_chart
from analysis.findings import growth as findings
from analysis.rows.growth import GrowthRow


@in_style
def growth_chart(rows: Sequence[GrowthRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw seconds of processor time over the models, tenfold by tenfold: a panel for each kind of answer.

    A line ends where an assault is too large.
    """
    answers = list(dict.fromkeys(row.answer for row in rows))
    narrow = width < NARROW
    figure = new_chart(title or findings.largest(rows), width, 3.6 * len(answers) if narrow else 3.6, caption)
    if narrow:
        panels = [part.subplots() for part in figure.subfigures(len(answers), 1, squeeze=False)[:, 0]]
    else:
        panels = [*figure.subplots(1, len(answers), squeeze=False, sharey=True)[0]]
    tens = [log10(row.seconds) for row in rows if row.seconds]
    for axes, answer in zip(panels, answers, strict=True):
        axes.set_title(answer)
        _axes(axes, rows, (min(tens), max(tens)), narrow=narrow)
        own = [row for row in rows if row.answer == answer and row.seconds]
        draw_lines(axes, [*_lines(own)], lambda ten: f"{findings.seconds(10**ten)}\u00a0s", letters=14)
    panels[0].set_ylabel("seconds of processor time")
    return figure


def _axes(axes: Axes, rows: Sequence[GrowthRow], tens: tuple[float, float], *, narrow: bool) -> None:
    sizes = {row.attackers: f"{row.attackers}\nv {row.garrison}" for row in rows}
    least, most = min(sizes), max(sizes)
    axes.set_xlim(least, most if narrow else most + 0.75 * (most - least or 1))
    axes.set_xticks([*sizes], [*sizes.values()])
    axes.set_xlabel("attackers against garrison", x=0.3)
    low, high = tens
    shown = [digit * 10.0**ten for ten in range(floor(low), ceil(high)) for digit in (1, 2, 5)]
    axes.set_yticks([*map(log10, shown)], [f"{seconds:g}" for seconds in shown])
    axes.set_ylim(low - 0.1, high + 0.1)  # ticks widen it
    axes.grid(axis="y")


def _lines(rows: Sequence[GrowthRow]) -> list[Line]:
    lines = []
    for name, look in looks(rows).items():
        own = [(row.attackers, log10(row.seconds)) for row in rows if row.rules == name and row.seconds]
        x, y = zip(*own, strict=True)
        lines.append(Line(name, look, x, y, [None] * len(own), [None] * len(own)))
    return lines

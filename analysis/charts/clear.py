"""The chance to clear a building over the number of attackers: panels side by side, lines named at their ends."""

from collections.abc import Sequence

from analysis.charts.lines import draw_lines, line_of
from analysis.charts.palette import LOOKS, SERIES
from analysis.charts.style import NARROW, WIDE, Chart, chances_up, in_style, new_chart, wrap
from analysis.findings import clearing as findings
from analysis.rows.clearing import ClearRow
from analysis.say.numbers import whole_percent


@in_style
def clear_chart(rows: Sequence[ClearRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw P(cleared) over the attackers, one panel and one line for each name in the rows.

    All lines have the colour of the rules; markers and dashes tell them apart.
    """
    panels = list(dict.fromkeys(row.panel for row in rows))
    narrow = width < NARROW
    down, across = (len(panels), 1) if narrow else (1, len(panels))
    figure = new_chart(
        title or findings.best_and_worst(rows), width if narrow else max(width, 3.6 * across + 0.6), 3.6 * down, caption
    )
    if narrow:
        drawn_on = [part.subplots() for part in figure.subfigures(down, across, squeeze=False)[:, 0]]
    else:
        drawn_on = [*figure.subplots(down, across, squeeze=False, sharey=True)[0]]
    lines = list(dict.fromkeys(row.line for row in rows))
    markers = dict(zip(lines, (SERIES * len(lines))[: len(lines)], strict=True))
    levels = sorted({row.attackers for row in rows})
    for n, (axes, panel) in enumerate(zip(drawn_on, panels, strict=True)):
        axes.set_title(wrap(panel, 40))
        axes.set_xlim(min(levels), max(levels) if narrow else max(levels) + 0.62 * (max(levels) - min(levels) or 1))
        axes.set_xticks(levels)
        axes.set_xlabel("attackers", x=0.3)
        chances_up(axes, "games in which the building is cleared" if narrow or n == 0 else "")
        drawn = []
        for name in lines:
            line = [row for row in rows if (row.panel, row.line) == (panel, name)]
            marker, dashes = markers[name]
            if line:
                look = LOOKS[line[0].look]._replace(marker=marker, dashes=dashes)
                drawn.append(line_of(name, look, line, "attackers", "cleared"))
        draw_lines(axes, drawn, whole_percent, letters=14)
    return figure

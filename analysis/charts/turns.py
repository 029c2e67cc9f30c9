"""Turn by turn, by rule set: when the building is captured, and how many of the garrison are left."""

from collections.abc import Sequence

from matplotlib.ticker import MaxNLocator

from analysis.charts.lines import draw_lines, lines_of
from analysis.charts.style import WIDE, Chart, chances_up, in_style, new_chart
from analysis.findings import assaults as findings
from analysis.rows.assaults import LeftRow, TurnRow
from analysis.say.numbers import whole_percent


@in_style
def capture_chart(rows: Sequence[TurnRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw P(captured by the end of turn t) as steps, one line for each set of rules."""
    limit = max(row.turn for row in rows)
    figure = new_chart(title or findings.turns(rows), width, 3.6, caption)
    axes = figure.subplots()
    axes.set_xlim(0, limit + 0.05)
    axes.set_xticks(range(limit + 1))
    axes.set_xlabel("by the end of turn")
    chances_up(axes, "games in which the building is captured")
    since_the_start = [
        line._replace(x=[0, *line.x], y=[0.0, *line.y], low=[None, *line.low], high=[None, *line.high])
        for line in lines_of(rows, "turn", "captured")
    ]
    draw_lines(axes, since_the_start, whole_percent, steps=True)
    return figure


@in_style
def garrison_chart(rows: Sequence[LeftRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the mean number of models that the garrison has left, from the start on, one line for each set of rules."""
    limit, most = max(row.turn for row in rows), max(row.left for row in rows)
    figure = new_chart(title or findings.survivors(rows), width, 3.6, caption)
    axes = figure.subplots()
    axes.set_xlim(0, limit + 0.05)
    axes.set_xticks(range(limit + 1), ["start", *map(str, range(1, limit + 1))])
    axes.set_xlabel("by the end of turn")
    axes.set_ylim(0, most)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("models of the garrison left, on average")
    axes.grid(axis="y")
    draw_lines(axes, lines_of(rows, "turn", "left"), "{:.1f}".format)
    return figure

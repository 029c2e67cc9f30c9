"""How many of the garrison are left, turn by turn, by rule set."""

from collections.abc import Sequence

from matplotlib.ticker import MaxNLocator

from analysis.charts.lines import Line, draw_lines
from analysis.charts.palette import Look, looks
from analysis.charts.style import WIDE, Chart, new_chart, styled
from analysis.findings import assaults as findings
from analysis.rows.assaults import LeftRow


@styled
def garrison_chart(rows: Sequence[LeftRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the mean number of models that the garrison has left, from the start on, one line for each set of rules."""
    limit, most = max(row.turn for row in rows), max(row.left for row in rows)
    figure = new_chart(title or findings.left(rows), width, 3.6, caption)
    axes = figure.subplots()
    axes.set_xlim(0, limit + 0.05)
    axes.set_xticks(range(limit + 1), ["start", *map(str, range(1, limit + 1))])
    axes.set_xlabel("by the end of turn")
    axes.set_ylim(0, most)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("models of the garrison left, on average")
    axes.grid(axis="y")
    lines = [_line([row for row in rows if row.rules == name], look) for name, look in looks(rows).items()]
    draw_lines(axes, lines, "{:.1f}".format)
    return figure


def _line(rows: Sequence[LeftRow], look: Look) -> Line:
    x, y, low, high = zip(*((row.turn, row.left, row.low, row.high) for row in rows), strict=True)
    return Line(rows[0].rules, look, x, y, low, high)

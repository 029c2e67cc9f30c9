"""When the building is captured, by rule set."""

from collections.abc import Sequence

from analysis.charts.lines import Line, draw_lines
from analysis.charts.palette import Look, looks
from analysis.charts.style import WIDE, Chart, chances_up, new_chart, styled
from analysis.findings import assaults as findings
from analysis.rows.assaults import TurnRow
from analysis.say.numbers import whole_percent


@styled
def capture_chart(rows: Sequence[TurnRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw P(captured by the end of turn t) as steps, one line for each set of rules."""
    limit = max(row.turn for row in rows)
    figure = new_chart(title or findings.turns(rows), width, 3.6, caption)
    axes = figure.subplots()
    axes.set_xlim(0, limit + 0.05)
    axes.set_xticks(range(limit + 1))
    axes.set_xlabel("by the end of turn")
    chances_up(axes, "games in which the building is captured")
    lines = [_line([row for row in rows if row.rules == name], look) for name, look in looks(rows).items()]
    draw_lines(axes, lines, whole_percent, steps=True)
    return figure


def _line(rows: Sequence[TurnRow], look: Look) -> Line:
    """Return a line that begins with no turn played."""
    return Line(
        rows[0].rules,
        look,
        [0, *(row.turn for row in rows)],
        [0.0, *(row.captured for row in rows)],
        [None, *(row.low for row in rows)],
        [None, *(row.high for row in rows)],
    )

"""A response over the values of one number, and where it meets a target, by rule set."""

from collections.abc import Sequence

from matplotlib.ticker import MaxNLocator

from analysis.charts.lines import Line, draw_lines
from analysis.charts.palette import looks
from analysis.charts.style import INK, NARROW, WIDE, Chart, in_style, new_chart
from analysis.charts.sweep import response_up, said_as
from analysis.findings import decisions as findings
from analysis.rows.decisions import CrossingRow
from analysis.rows.sweeps import LevelRow


@in_style
def crossings_chart(
    rows: Sequence[LevelRow],
    crossings: Sequence[CrossingRow],
    response: str = "p_captured",
    *,
    factor: str,
    target: float,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw a line for each set of rules, that of the target across, and a ring where they meet."""
    title = title or findings.meeting_points(rows, crossings, factor, response, target)
    across = f"Line across: the target, {said_as(response)(target)}; rings: where it is met."
    figure = new_chart(title, width, 3.7, "\n".join([across, *caption.splitlines()]))
    axes = figure.subplots()
    words = [level for level in dict.fromkeys(row.level for row in rows) if isinstance(level, str)]

    def at(level: float | str) -> float:
        return words.index(level) if isinstance(level, str) else level

    axes.set_xlim(min(at(row.level) for row in rows), max(at(row.level) for row in rows))
    axes.set_xlabel(factor)
    if words:
        step = -(-len(words) // (5 if width < NARROW else 10))
        axes.set_xticks(range(0, len(words), step), words[::step])
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    response_up(axes, response, [target, *(row.high or row.value for row in rows)])
    axes.axhline(target, color=INK, linewidth=1, label="target")
    lines = []
    for name, look in looks(rows).items():
        own, met = [row for row in rows if row.rules == name], [row for row in crossings if row.rules == name]
        x, y, low, high = zip(*((at(row.level), row.value, row.low, row.high) for row in own), strict=True)
        note = f", met at {' and '.join(findings.between(row) for row in met)}" if met else ", not met"
        lines.append(Line(name, look, x, y, low, high, note))
    draw_lines(axes, lines, said_as(response))
    for row in crossings:
        place = at(row.one) + row.part * (at(row.other) - at(row.one))
        axes.plot([place], [row.target], "o", color="none", markeredgecolor=INK, markersize=12, label="met")
    return figure

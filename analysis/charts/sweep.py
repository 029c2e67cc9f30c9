"""A response over levels: of a factor, with dots where they are words; of one number, and where it meets a target."""

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from analysis.charts.lines import Line, draw_lines, label_beside, line_of, marks
from analysis.charts.palette import Look, looks
from analysis.charts.style import (
    FAINT,
    INK,
    NARROW,
    WIDE,
    Chart,
    chances_up,
    in_style,
    legend_below,
    new_chart,
    tick,
    wrap,
)
from analysis.findings import decisions
from analysis.findings import sweeps as findings
from analysis.points.responses import NAMES, scale
from analysis.rows import names
from analysis.rows.decisions import CrossingRow
from analysis.rows.sweeps import LevelRow
from analysis.say.axes import response_words
from analysis.say.numbers import whole_percent

NOTHING = ", it changes nothing"
"""Said of what the factor does not move."""


@in_style
def sweep_chart(
    rows: Sequence[LevelRow],
    response: str = "p_captured",
    *,
    factor: str,
    title: str = "",
    caption: str = "",
    width: float = WIDE,
) -> Chart:
    """Draw one response over the levels of a factor; a line that the factor does not move says so.

    Args:
        response: What they are of; one of `analysis.points.responses.NAMES`.
    """
    if response not in NAMES:
        raise ValueError(f"expected one of {', '.join(NAMES)}; got {response}")
    title = title or findings.over_levels(rows, factor, response)
    if any(isinstance(row.level, str) for row in rows):
        return _dots(rows, response, factor, title, caption, width)
    figure = new_chart(title, width, 3.7, caption)
    axes = figure.subplots()
    levels = [float(row.level) for row in rows]
    axes.set_xlim(min(levels), max(levels))
    axes.set_xlabel(factor)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    response_up(axes, response, [row.high or row.value for row in rows])
    lines = [_line([row for row in rows if row.rules == name], look) for name, look in looks(rows).items()]
    draw_lines(axes, lines, said_as(response))
    return figure


def response_up(axes: Axes, response: str, values: Sequence[float]) -> None:
    """Make the axis upwards one of a response that takes some values."""
    if scale(response) == 100:
        chances_up(axes, response_words(response))
    else:
        axes.set_ylim(0, 1.05 * max(values) or 1)
        axes.set_ylabel(response_words(response))
        axes.grid(axis="y")


def said_as(response: str) -> Callable[[float], str]:
    """Return what writes values of a response."""
    return whole_percent if scale(response) == 100 else "{:.1f}".format


def _line(rows: Sequence[LevelRow], look: Look) -> Line:
    return line_of(rows[0].rules, look, rows, "level", "value")._replace(note=NOTHING * findings.still(rows))


def _dots(rows: Sequence[LevelRow], response: str, factor: str, title: str, caption: str, width: float) -> Chart:
    """Draw a band for each level, and in it a dot for each set of rules."""
    rules, levels = names(rows), list(dict.fromkeys(str(row.level) for row in rows))
    figure = new_chart(title, width, 0.7 + len(levels) * (0.17 * len(rules) + 0.12), caption)
    axes = figure.subplots()
    step = 0.8 / len(rules)
    handles = list[Line2D]()
    for i, (name, own_look) in enumerate(looks(rows).items()):
        own = [row for row in rows if row.rules == name]
        look = marks(own_look) | {"linestyle": ""}
        look.pop("dashes")
        places = [levels.index(str(row.level)) - 0.4 + (i + 0.5) * step for row in own]
        for row, place in zip(own, places, strict=True):
            if row.low is not None and row.high is not None:
                axes.hlines(place, row.low, row.high, color=look["color"], linewidth=2.5, alpha=0.6)
            label_beside(axes, row.high or row.value, place, said_as(response)(row.value))
        axes.plot([row.value for row in own], places, clip_on=False, label=name, **look)
        handles.append(Line2D([], [], label=wrap(f"{name}{NOTHING * findings.still(own)}", 40), **look))
    for between in range(1, len(levels)):
        axes.axhline(between - 0.5, color=FAINT, linewidth=0.5, alpha=0.6)
    axes.set_ylim(len(levels) - 0.5, -0.5)
    axes.set_yticks(range(len(levels)), [wrap(level, int(3.2 * width)) for level in levels])
    axes.tick_params(axis="y", length=0)
    axes.set_ylabel(factor)
    if scale(response) == 100:
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(tick)
    else:
        axes.set_xlim(0, 1.08 * max(row.high or row.value for row in rows) or 1)
    axes.set_xlabel(response_words(response))
    axes.grid(axis="x")
    legend_below(figure, handles, ncols=1 if width < NARROW else 2)
    return figure


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
    title = title or decisions.meeting_points(rows, crossings, factor, response, target)
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
        note = f", met at {' and '.join(decisions.between(row) for row in met)}" if met else ", not met"
        lines.append(Line(name, look, x, y, low, high, note))
    draw_lines(axes, lines, said_as(response))
    for row in crossings:
        place = at(row.one) + row.part * (at(row.other) - at(row.one))
        axes.plot([place], [row.target], "o", color="none", markeredgecolor=INK, markersize=12, label="met")
    return figure

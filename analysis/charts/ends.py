"""How the assault ends, by rule set."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from analysis.charts.palette import ENDS
from analysis.charts.style import INK, NARROW, PAPER, WIDE, Chart, in_style, new_chart, tick, wrap
from analysis.findings import assaults as findings
from analysis.rows import names
from analysis.rows.assaults import EndRow
from analysis.say.numbers import percent_within


@in_style
def end_chart(rows: Sequence[EndRow], *, title: str | None = None, caption: str = "", width: float = WIDE) -> Chart:
    """Draw the shares of the end states as stacked bars, one for each set of rules, each part labelled.

    Without a title it says what it finds; with an empty one it leaves that to the page that it stands on.
    """
    rules, narrow = names(rows), width < NARROW
    finding = findings.ends(rows)
    height = 0.95 + (0.72 if narrow else 0.55) * len(rules)
    figure = new_chart(finding if title is None else title, width, height, caption)
    figure.title = figure.title or finding
    axes = figure.subplots()
    for down, name in enumerate(rules):
        left = 0.0
        for row in (row for row in rows if row.rules == name):
            _part(axes, row, down, left, narrow=narrow)
            left += row.share
        if narrow:
            axes.text(0, down - 0.37, name, va="bottom", fontsize=9, fontweight="bold")
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rules) - 0.5, -0.8 if narrow else -0.5)
    axes.set_yticks(range(len(rules)), [""] * len(rules) if narrow else [wrap(name) for name in rules])
    axes.tick_params(axis="y", length=0)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(tick)
    axes.set_xlabel("of all games")
    axes.spines["left"].set_color(INK)
    handles = [Patch(facecolor=f.colour, hatch=f.hatch, edgecolor=f.text, linewidth=0) for f in ENDS.values()]
    columns = 2 if narrow else 4
    axes.legend(
        handles,
        list(ENDS),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=columns,
        frameon=False,
        handlelength=1.6,
        borderaxespad=0,
    )
    return figure


def _part(axes: Axes, row: EndRow, y: int, left: float, *, narrow: bool) -> None:
    face = ENDS[row.end]
    axes.barh(y, row.share, 0.62, left=left, color=face.colour, hatch=face.hatch, edgecolor=face.text, linewidth=0)
    axes.barh(y, row.share, 0.62, left=left, fill=False, edgecolor=PAPER, linewidth=1.2)
    told = percent_within(row.share, row.low, row.high)
    room = row.share * (2.4 if narrow else 6)
    full = f"{row.end} {told}"
    label = full if room > 0.085 * len(full) + 0.1 else told if room > 0.085 * len(told) else ""
    if label:
        box = {"facecolor": face.colour, "edgecolor": "none", "boxstyle": "round,pad=0.2"}
        axes.text(left + row.share / 2, y, label, ha="center", va="center", color=face.text, fontsize=9, bbox=box)

"""What a roll on a damage table comes to, case by case."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from analysis.charts.palette import DAMAGE, Face
from analysis.charts.style import INK, NARROW, WIDE, Chart, in_style, legend_below, new_chart, tick, wrap
from analysis.findings import buildings as findings
from analysis.rows.tables import ResultRow
from analysis.say.numbers import whole_percent


@in_style
def table_chart(
    rows: Sequence[ResultRow], *, cases: str, title: str = "", caption: str = "", width: float = WIDE
) -> Chart:
    """Draw the results of damage tables as stacked bars, one for each case, the worst result the darkest.

    Args:
        cases: What the cases are of: "AP".
    """
    faces, narrow = faces_of(rows), width < NARROW
    panels = list(dict.fromkeys((row.rules, row.table) for row in rows))
    rules = list(dict.fromkeys(name for name, _ in panels))
    columns = 1 if narrow else 2
    down = -(-len(panels) // columns)
    bars = max(len(_cases(rows, panel)) for panel in panels)
    height = down * (0.6 + 0.2 * (len(rules) > 1) + 0.3 * bars) + 0.5
    figure = new_chart(title or findings.falls(rows, cases), width, height, caption)
    grid = figure.subplots(down, columns, squeeze=False, sharex=True)
    for axes, panel in zip(grid.flat, panels, strict=False):
        _panel(axes, [row for row in rows if (row.rules, row.table) == panel], faces, room=width / columns - 1.2)
        of, called = panel
        axes.set_title(
            f"{wrap(of, 26 if narrow else 36)},\n{called}" if len(rules) > 1 else f"{called[0].upper()}{called[1:]}"
        )
    for axes in grid[:, 0]:
        axes.set_ylabel(cases)
    for axes in grid[-1]:
        axes.set_xlabel("of all rolls")
    shown = [
        Patch(facecolor=f.colour, hatch=f.hatch, edgecolor=f.text, linewidth=0.6, label=name)
        for name, f in faces.items()
    ]
    legend_below(figure, shown, ncols=1 if narrow else 4, handlelength=1.6)
    return figure


def faces_of(rows: Sequence[ResultRow]) -> dict[str, Face]:
    """Return how the results look that come up at all, the worst the darkest."""
    results = list(dict.fromkeys(row.result for row in rows))
    faces = dict(zip(results, DAMAGE[-len(results) :], strict=True))
    return {name: face for name, face in faces.items() if any(row.result == name and row.chance > 0 for row in rows)}


def _cases(rows: Sequence[ResultRow], panel: tuple[str, str]) -> list[str]:
    return list(dict.fromkeys(row.case for row in rows if (row.rules, row.table) == panel))


def _panel(axes: Axes, rows: Sequence[ResultRow], faces: dict[str, Face], room: float) -> None:
    cases = list(dict.fromkeys(row.case for row in rows))
    for y, case in enumerate(cases):
        left = 0.0
        for row in (row for row in rows if row.case == case and row.chance > 0):
            face = faces[row.result]
            axes.barh(
                y, row.chance, 0.74, left=left, color=face.colour, hatch=face.hatch, edgecolor=face.text, linewidth=0
            )
            axes.barh(y, row.chance, 0.74, left=left, fill=False, edgecolor=INK, linewidth=0.5)
            if row.chance * room > 0.35:
                box = {"facecolor": face.colour, "edgecolor": "none", "boxstyle": "round,pad=0.15"}
                at = left + row.chance / 2
                axes.text(
                    at, y, whole_percent(row.chance), ha="center", va="center", color=face.text, fontsize=8, bbox=box
                )
            left += row.chance
    axes.set_xlim(0, 1)
    axes.set_ylim(len(cases) - 0.5, -0.5)
    axes.set_yticks(range(len(cases)), cases)
    axes.tick_params(axis="y", length=0)
    axes.set_xticks([0, 0.5, 1])
    axes.xaxis.set_major_formatter(tick)

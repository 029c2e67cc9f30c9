"""Which plan is best, by turn and by the models that both sides have left."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from analysis.charts.palette import PLANS, SIDES
from analysis.charts.style import FAINT, INK, NARROW, WIDE, Chart, in_style, legend_below, new_chart, wrap
from analysis.findings import choices as findings
from analysis.rows import names
from analysis.rows.choices import ChoiceRow

FADES = ((0.1, 1.0, "1 game in 10 or more comes there"), (0.01, 0.6, "1 in 100"), (0.0, 0.35, "1 in 1,000"))
"""Where so many games come at least, how strong a colour is, and what that is called."""

ANY = "any plan: the choice is worth less than a tenth of a point"


@in_style
def choice_chart(rows: Sequence[ChoiceRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw the best plan by the models left, a panel for each turn, paler the fewer games come there.

    Turns in which no choice matters have no panel.
    """
    rules, narrow = names(rows), width < NARROW
    panels = {name: _panels([row for row in rows if row.rules == name]) for name in rules}
    most = max(map(len, panels.values()))
    columns = max(2, -(-most // -(-most // (2 if narrow else 4))))
    places = [panel for name in rules for panel in (*panels[name], *[()] * (-len(panels[name]) % columns))]
    down = len(places) // columns
    foot = "\n".join([findings.what_is_shown(rows), *caption.splitlines()])
    figure = new_chart(title or findings.by_turn(rows), width, 0.4 + 2.1 * down, foot)
    grid = figure.subplots(down, columns, squeeze=False, sharex=True, sharey=True)
    for n, (axes, panel) in enumerate(zip(grid.flat, places, strict=True)):
        if not panel:
            axes.set_axis_off()
            continue
        _draw(axes, panel)
        of = panel[0].rules
        head = [of, _heading(panel)] if len(rules) > 1 and panel is panels[of][0] else [_heading(panel)]
        axes.set_title("\n".join(wrap(line, 19 if narrow else 26) for line in head), fontsize=9)
        if n + columns >= len(places) or not places[n + columns]:
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(f"{SIDES['attackers']} attackers left")
        if n % columns == 0:
            axes.set_ylabel(f"{SIDES['defenders']} garrison left")
    grid[0, 0].set_xlim(-1, max(row.attackers for row in rows) + 1)
    grid[0, 0].set_ylim(-1, max(row.defenders for row in rows) + 1)
    legend_below(figure, _list([row for panel in places for row in panel], narrow=narrow), ncols=1 if narrow else 2)
    return figure


def _panels(rows: Sequence[ChoiceRow]) -> list[Sequence[ChoiceRow]]:
    """Return the rows of each turn in which a choice matters."""
    turns = ([*some] for _, some in groupby(rows, lambda row: row.turn))
    return [some for some in turns if any(row.plan for row in some)]


def _heading(rows: Sequence[ChoiceRow]) -> str:
    return f"turn {rows[0].turn}: {', '.join(findings.in_order(rows))}"


def _draw(axes: Axes, rows: Sequence[ChoiceRow]) -> None:
    """Draw the cells of a turn, those together that look alike."""
    for (plan, fade), some in groupby(sorted(rows, key=_look), _look):
        cells = [Rectangle((row.attackers - 0.5, row.defenders - 0.5), 1, 1) for row in some]
        axes.add_collection(PatchCollection(cells, label=plan or ANY, **_face(plan, fade)))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))


def _look(row: ChoiceRow) -> tuple[str, float]:
    return row.plan or "", next(fade for least, fade, _ in FADES if row.chance >= least)


def _face(plan: str, fade: float = 1.0) -> dict[str, Any]:
    """Return how cells look: those with no plan are all but blank."""
    if not plan:
        return {"facecolor": FAINT, "linewidth": 0, "alpha": 0.2}
    face = PLANS[plan]
    return {"facecolor": face.colour, "hatch": face.hatch, "edgecolor": face.text, "linewidth": 0, "alpha": fade}


def _list(rows: Sequence[ChoiceRow], *, narrow: bool) -> list[Patch]:
    """Return what the list below names: plans, and how strong they are, beside them where there is room."""
    plans = [Patch(label=plan, **_face(plan)) for plan in PLANS if any(row.plan == plan for row in rows)]
    plans += [Patch(label=wrap(ANY, 36), **_face(""))] if any(not row.plan for row in rows) else []
    fades = [Patch(label=said, facecolor=INK, alpha=fade, linewidth=0) for _, fade, said in FADES]
    down = 0 if narrow else max(len(plans), len(fades))
    return [
        each for column in (plans, fades) for each in (*column, *[Patch(alpha=0, label=" ")] * (down - len(column)))
    ]

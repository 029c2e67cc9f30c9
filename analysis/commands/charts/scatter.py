"""The charts of scatter: where markers land, and what they cover."""

from typing import Annotated

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.charts.base import SCATTER, chart
from analysis.commands.pictures import IN_REPORTS, Pictured

Skill = Annotated[int, options.between(-20, 20), Parameter(name="--bs")]


@chart.command(group=SCATTER)
def scatter(*variants: str, BS: Skill = 4, pictured: Pictured = IN_REPORTS) -> None:
    """Draw where markers land on the table when they scatter, under Gemini-ARAP.

    For example:

    - `casemate chart scatter`
    - `casemate chart scatter short-scatter "short scatter only"`

    Args:
        variants: By name or clause: scatter or ARAP-023, "scatter, double or 7", "scatter only", "scatter less BS",
            "short scatter", "short scatter only", "three-dice scatter". All with two dice if not given.
        BS: What scatter less BS subtracts: Ballistic Skill and modifiers.
    """
    from analysis.rows.scatter import DOTS

    picture = pictured.ready("scatter")
    of = rows.variants(variants, BS)
    shown = rows.landing_rows(of)
    told = f"A dot is one landing of {DOTS}; those on target lie on one another. Dashed circles hold half or more."
    picture.write(charts.scatter_chart(shown, caption=f"{told}\n{_source(of)}"), shown)


@chart.command(group=SCATTER)
def covers(
    *variants: str,
    BS: Skill = 4,
    marker: float = 3,
    base: float = 0,
    opening: float = 1,
    section: float = 6,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance that a marker that scatters covers a model, an opening or a wall section at a distance.

    For example:

    - `casemate chart covers`
    - `casemate chart covers scatter "scatter less BS" "short scatter only" --marker 5`

    Args:
        variants: By name or clause, as for `casemate chart scatter`: scatter if not given.
        BS: What scatter less BS subtracts: Ballistic Skill and modifiers.
        marker: Inches that the marker is across.
        base: Inches that the base of the model is across; 0 for its centre.
        opening: Inches that the opening is wide.
        section: Inches that the wall section is long.
    """
    picture = pictured.ready("covers")
    of = rows.variants(variants or ("scatter",), BS)
    shown = rows.cover_rows(of, rows.targets(base, opening, section), marker)
    told = (
        f"A marker of {rows.inches_words(marker)} that lies over some of the target; nothing stops it. Openings and "
        "walls lie across the line from the aim to their middle. Landings are whole inches away, so that lines are "
        "rough."
    )
    picture.write(charts.cover_chart(shown, caption=f"{told}\n{_source(of)}"), shown)


def _source(of: "list[rows.Variant]") -> str:
    clauses = ", ".join(each.clause for each in of)
    return f"Inches by {clauses}, every direction alike by ARAP-022; no limit by range (ARAP-149). Exact."

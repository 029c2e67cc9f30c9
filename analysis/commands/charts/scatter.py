"""The charts of scatter: where markers land, and what they cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.charts.base import SCATTER, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from sims.errors import CasemateError

Skill = Annotated[int, options.between(-20, 20), Parameter(name="--bs")]
Walls = Annotated[list[str] | None, Parameter(name="--wall", negative=(), allow_leading_hyphen=True)]


@Parameter(name="*")
@dataclass(frozen=True)
class Unit:
    """The unit that a marker is shot at, and the walls there.

    Args:
        models: Draw a unit of 1 to 60 models from above: how often each is under the marker, and how many are.
        files: With --models: models side by side in one rank; 5 if not given.
        gap: With --models: inches from the middle of one model to the next, to the side and behind; 2 if not given.
        base: With --models: how much of a model counts, in inches across; 0 for its centre. 0.75 if not given, less
            than its base (ARAP-153).
        distance: With --models: inches from the shooter to the first rank; 24 if not given.
        marker: With --models: inches that the marker is across; 3 if not given.
        walls: With --models: both ends of a wall, x,y,x,y, in inches from the middle of the first rank: x away from
            the shooter, y to the shooter's left. Repeat it for more walls.
    """

    models: Annotated[int | None, options.WHOLE] = None
    files: Annotated[int | None, options.WHOLE] = None
    gap: float | None = None
    base: float | None = None
    distance: float | None = None
    marker: float | None = None
    walls: Walls = None

    def shot(self, variants: Sequence[str], BS: int) -> "rows.Shot | None":
        """Return the shot at it, if there is one, or raise `CasemateError` if there cannot be."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        if self.models is None:
            for name in given:
                option = "--wall" if name == "walls" else f"--{name}"
                raise CasemateError(f"{option} is about a unit; expected it with --models, such as --models 10")
            return None
        walls = [_wall(each) for each in self.walls or ()]
        if len(variants) > 1:
            raise CasemateError(f"a marker scatters in one way, not in {len(variants)}; expected one with --models")
        (way,) = rows.variants(variants or ("scatter less BS",), BS)
        return rows.Shot(way, **given | {"walls": walls})


NO_UNIT = Unit()


@chart.command(group=SCATTER)
def scatter(*variants: str, BS: Skill = 4, unit: Unit = NO_UNIT, pictured: Pictured = IN_REPORTS) -> None:
    """Draw where markers land on the table when they scatter, or which models of a unit they cover.

    Under Gemini-ARAP. For example:

    - `casemate chart scatter`
    - `casemate chart scatter short-scatter "short scatter only"`
    - `casemate chart scatter --models 10 --wall -1,-6,-1,1`

    Args:
        variants: By name or clause: scatter or ARAP-023, "scatter, double or 7", "scatter only", "scatter less BS",
            "short scatter", "short scatter only", "three-dice scatter". All with two dice if not given; with --models
            one, scatter less BS if not given.
        BS: What scatter less BS subtracts: Ballistic Skill and modifiers.
    """
    from analysis.rows.scatter import DOTS

    shot = unit.shot(variants, BS)
    picture = pictured.ready("scatter")
    if shot:
        found = rows.under_rows(shot)
        told = (
            "The aim is the model nearest to the middle of the unit (ARAP-147). The marker strays by half of the range "
            "at most (ARAP-149), and one that strays is stopped by the first wall in its way (ARAP-152). A model is "
            "behind a wall that lies between it and the middle of the marker (ARAP-150)."
        )
        inches = f"Inches by {shot.scatter.clause}, every direction alike by ARAP-022. Exact."
        picture.write(charts.marker_chart(found, shot, caption=f"{told}\n{inches}"), found)
        return
    of = rows.variants(variants, BS)
    shown = rows.landing_rows(of)
    told = f"A dot is one landing of {DOTS}; those on target lie on one another. Dashed circles hold half or more."
    picture.write(charts.scatter_chart(shown, caption=f"{told}\n{_source(of)}"), shown)


def _wall(typed: str) -> "tuple[float, float, float, float]":
    """Read a wall, or raise `CasemateError` if it is none."""
    try:
        x, y, to_x, to_y = map(float, typed.split(","))
    except ValueError:
        raise CasemateError(f'--wall cannot be "{typed}"; expected both its ends, such as -1,-6,-1,6') from None
    return x, y, to_x, to_y


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

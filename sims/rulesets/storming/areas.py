"""Template and blast weapons, which count no single shots: at models, and at the walls."""

from typing import Literal

from sims.dice import PMF, Dice, Die, Ints, Mechanic, Volley
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.areas import MARKER, MARKERS
from sims.games.wh40k.structures import ArmourRoll
from sims.inputs import at_most
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene
from sims.rulesets.storming.support import hits_each
from sims.scenario import Force

Area = Literal["template", "small marker", "large marker"]
SHOT, STRIKE, MARKED = ArmourRoll(wh40k.BALLISTIC), ArmourRoll(), ArmourRoll(MARKER)
"""An attack at the walls that must hit by BS, one that hits without a roll (BASE-007, BASE-019), and a marker."""


def is_area(weapon: Weapon) -> bool:
    """Return whether a weapon lays a template or a marker."""
    return weapon.kind in ("template", "blast")


def stands_to_fire(weapon: Weapon) -> bool:
    """Return whether a weapon may not be moved and fired; blast weapons, whose profile does not say, are heavy ones."""
    return weapon.kind in ("heavy", "blast")


def has_the_skill(weapon: Weapon, bearer: Unit) -> bool:
    """Return whether a model can fire a weapon: with BS 0 nothing but a template."""
    return bearer.BS > 0 or weapon.kind == "template"


def area_of(weapon: Weapon) -> Area:
    """Return what such a weapon lays; a marker without a size is a small one."""
    return "template" if weapon.kind == "template" else "large marker" if weapon.blast == 5 else "small marker"


def covers(rules: Storming, area: Area) -> Die:
    """Return the dice of hits on models, as a scenario does not say how they stand (BASE-007)."""
    table = rules.tables.covered
    return {"template": table.template, "small marker": table.small, "large marker": table.large}[area]


@asks("BASE-007", name="hits of a template or marker on models")
def area_hits(rules: Storming, area: Area = "template", n: int = 1, BS: int = 4) -> PMF:
    """Return how many hits templates or markers make on models outside an intact building (BASE-007).

    Parameters
    ----------
    rules : Storming
    area : str
        A template, which hits without a roll, or a small or large marker, which scatters.
    n : int
        Templates or markers.
    BS : int
        Ballistic Skill, for markers.
    """
    at_most(20, n=n, BS=BS)
    on_target = PMF.constant(1) if area == "template" else MARKERS.pmf(1, BS)
    one = PMF.mixture((p, covers(rules, area).pmf if hit else PMF.constant(0)) for hit, p in on_target)
    return n @ one


def at_models(
    dice: Dice,
    scene: Scene,
    weapon: Weapon,
    bearer: Unit,
    n: Ints,
    target: Unit,
    distance: Ints,
    cover: int | None = None,
) -> tuple[Volley, list[Argument]]:
    """Return what templates or markers do to models: hits that wound and are not saved, and the arguments.

    A marker that drifts away hits nobody; one that does not counts as many hits as the table says. Templates leave no
    cover save.

    Source: base rules (BASE-007, BASE-011, BASE-013).

    Parameters
    ----------
    n : array
        Models that fire the weapon.
    cover : int, optional
        The target's cover save.
    """
    game, area = scene.rules.game, area_of(weapon)
    laid = n * wh40k.shots(game, weapon, distance)
    if area != "template":
        laid = dice.draw("markers on target", MARKERS, laid * has_the_skill(weapon, bearer), bearer.BS)
    save = wh40k.save_against(target, weapon.AP, None if area == "template" else cover)
    wounding = wh40k.need_to_wound(game, weapon.strength(bearer), target.T)
    return hits_each(covers(scene.rules, area)), [laid, wounding, save]


def volley(
    dice: Dice, scene: Scene, force: Force, shooters: Models, target: Unit, distance: Ints, cover: int | None = None
) -> tuple[list[Mechanic], list[Argument]]:
    """Return what a unit fires at models: single shots, templates and markers, to be drawn as one total.

    Source: base rules (BASE-002, BASE-003, BASE-005, BASE-007).
    """
    parts, arguments = wh40k.shooting(scene.rules.game, force, shooters, target, distance, cover)
    for i, (group, n) in enumerate(zip(force.groups, shooters, strict=True), start=1):
        if group.weapon is not None and is_area(group.weapon):
            own = dice.within(f"group {i}")
            part, more = at_models(own, scene, group.weapon, group.profile, n, target, distance, cover)
            parts.append(part.by(group.title))
            arguments += more
    return parts, arguments


def drift(scene: Scene) -> int:
    """Return how many inches a marker may drift that is aimed at the middle of the building: to its nearer walls."""
    return min(scene.scenario.building.footprint) // 2


def at_walls(scene: Scene, weapon: Weapon, BS: int) -> tuple[ArmourRoll, list[int]]:
    """Return how a shot hits the walls: by BS, without a roll with a template, or where its marker comes down.

    Source: base rules (BASE-002, BASE-007).
    """
    if weapon.kind == "template":
        return STRIKE, []
    return (MARKED, [BS + drift(scene)]) if weapon.kind == "blast" else (SHOT, [BS])

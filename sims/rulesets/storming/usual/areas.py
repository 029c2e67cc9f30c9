"""Template and blast weapons, which count no single shots: at models, and at the walls."""

from typing import Annotated, Literal

import numpy as np

from sims.dice import Dice, Die, Draw, Ints, Throw
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.areas import marker
from sims.games.wh40k.rules import Hit, Target
from sims.inputs import NONE, Number, Skill
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene
from sims.scenario import Force

Area = Literal["template", "small marker", "large marker"]
Few = Annotated[Argument, Number("How many.", 0, 20)]


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


def covers(book: Storming, area: Area) -> Die:
    """Return the dice of hits on models, as a scenario does not say how they stand (BASE-007)."""
    table = book.tables.covered
    return {"template": table.template, "small marker": table.small, "large marker": table.large}[area]


def on_target(dice: Dice, area: Area, n: Argument, BS: Argument) -> Ints:
    """Return how many of some templates and markers come down on models: markers must not drift away (BASE-007)."""
    return np.asarray(n) if area == "template" else marker(BS).times(n).made(dice, "markers on target")


@asks("BASE-007", name="hits of a template or marker on models")
def area_hits(dice: Dice, book: Storming, area: Area = "template", n: Few = 1, BS: Skill = 4) -> Ints:
    """Return how many hits templates or markers make on models outside an intact building (BASE-007).

    Parameters
    ----------
    area : str
        A template, which hits without a roll, or a small or large marker, which scatters.
    n : int
        Templates or markers.
    BS : int
        Ballistic Skill, for markers.
    """
    return dice.draw("hits", Throw(covers(book, area)), on_target(dice, area, n, BS))


def at_models(
    dice: Dice, book: Storming, weapon: Weapon, bearer: Unit, laid: Ints, at: Target, cover: Argument = NONE
) -> Draw:
    """Return what templates or markers do to models: hits that wound and are not saved.

    A marker that drifts away hits nobody; one that does not counts as many hits as the table says. Templates leave no
    cover save.

    Source: base rules (BASE-007, BASE-011, BASE-013).

    Parameters
    ----------
    laid : array
        Templates or markers.
    cover : array
        The target's cover save.
    """
    area = area_of(weapon)
    hits = on_target(dice, area, laid * has_the_skill(weapon, bearer), bearer.BS)
    hurt = wh40k.hurt(book.game, Hit.of(weapon, bearer), at, NONE if area == "template" else cover)
    return hurt.hitting(covers(book, area)).times(hits)


def volley(
    dice: Dice, book: Storming, force: Force, shooters: Models, at: Target, distance: Ints, cover: Argument = NONE
) -> list[Draw]:
    """Return what a unit fires at models: single shots, templates and markers, to be drawn as one total.

    Source: base rules (BASE-002, BASE-003, BASE-005, BASE-007).
    """
    draws = wh40k.shooting(book.game, force, shooters, at, distance, cover)
    for i, (group, n) in enumerate(zip(force.groups, shooters, strict=True), start=1):
        weapon, own = group.weapon, dice.within(f"group {i}")
        if weapon is not None and is_area(weapon):
            laid = n * wh40k.shots(book.game, weapon, distance)
            draws.append(at_models(own, book, weapon, group.profile, laid, at, cover).by(group.title))
    return draws


def drift(scene: Scene) -> int:
    """Return how many inches a marker may drift that is aimed at the middle of the building: to its nearer walls."""
    return min(scene.scenario.building.footprint) // 2


def at_walls(scene: Scene, weapon: Weapon, BS: int) -> Draw | None:
    """Return how a shot hits the walls: by BS, or where its marker comes down; a template needs no roll.

    Source: base rules (BASE-002, BASE-007).
    """
    if weapon.kind == "template":
        return None
    return marker(BS, drift(scene)) if weapon.kind == "blast" else wh40k.shot(BS)

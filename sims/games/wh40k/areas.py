"""Template and blast weapons: what hits without a roll to hit, how near its aim a marker comes down, whom it hits."""

from fractions import Fraction
from functools import cache
from typing import Annotated, Literal

import numpy as np

from sims.dice import Bools, Dice, Die, Draw, Ints, Test, Throw, once, without_a_roll
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.wh40k.book import Fifth
from sims.games.wh40k.rules import Attack, Hit, shooting, shot, shots
from sims.inputs import NONE, Number, Skill
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Force

Area = Literal["template", "small marker", "large marker"]
Few = Annotated[Argument, Number("How many.", 0, 20)]


@cache
def scatter(hits: int) -> Test:
    """Return whether a marker comes down near enough, if so many faces of the scatter die show a hit (partly BASE-006).

    The scatter die shows one, or 2D6 less BS are no more inches than it may drift. The target is BS plus those inches.
    """

    def chance(reach: int) -> Fraction:
        stays = Fraction(hits, 6)
        return stays + (1 - stays) * Fraction(sum(a + b <= reach for a in range(1, 7) for b in range(1, 7)), 36)

    def near(reach: Ints, arrow: Ints, first: Ints, second: Ints) -> Bools:
        return (arrow <= hits) | (first + second <= reach)

    return Test("scatter", 3, chance, near, "a hit, or 2D6 of {} or less")


def marker(book: Fifth, BS: Argument, drift: Argument = 0) -> Draw:
    """Return a marker that comes down within so many inches of where it is aimed (partly BASE-006)."""
    return once(scatter(book.tables.scatter.hits), BS + drift)


def is_area(weapon: Weapon) -> bool:
    """Return whether a weapon lays a template or a marker."""
    return weapon.kind in ("template", "blast")


def has_the_skill(weapon: Weapon, bearer: Unit) -> bool:
    """Return whether a model can fire a weapon: with BS 0 nothing but a template."""
    return bearer.BS > 0 or weapon.kind == "template"


def area_of(weapon: Weapon) -> Area:
    """Return what such a weapon lays."""
    return "template" if weapon.kind == "template" else "large marker" if weapon.blast == 5 else "small marker"


def covers(book: Fifth, area: Area) -> Die:
    """Return the dice of hits on models, as a scenario does not say how they stand (partly BASE-007)."""
    table = book.tables.covered
    return {"template": table.template, "small marker": table.small, "large marker": table.large}[area]


def on_target(dice: Dice, book: Fifth, area: Area, n: Argument, BS: Argument) -> Ints:
    """Return how many templates and markers come down on models: markers must not drift away (partly BASE-007)."""
    return np.asarray(n if area == "template" else marker(book, BS).times(n).made(dice, "markers on target"))


@asks("BASE-007", name="hits of a template or marker on models")
def area_hits(dice: Dice, book: Fifth, area: Area = "template", n: Few = 1, BS: Skill = 4) -> Ints:
    """Return how many hits templates or markers make on models outside an intact building (partly BASE-007).

    Args:
        area: A template, which hits without a roll, or a small or large marker, which scatters.
        n: Templates or markers.
        BS: Ballistic Skill, for markers.
    """
    return dice.draw("hits", Throw(covers(book, area)), on_target(dice, book, area, n, BS))


def at_models(dice: Dice, book: Fifth, weapon: Weapon, bearer: Unit, laid: Ints, cover: Argument = NONE) -> Attack:
    """Return the hits of templates or markers on models.

    A marker that drifts away hits nobody; one that does not counts as many hits as the table says. Templates leave no
    cover save.

    Source: base rules (BASE-013; partly BASE-007).

    Args:
        laid: Templates or markers.
        cover: The target's cover save.
    """
    area = area_of(weapon)
    hits = on_target(dice, book, area, laid * has_the_skill(weapon, bearer), bearer.BS)
    covered = without_a_roll(hits).hitting(covers(book, area))
    return Attack(covered, Hit.of(weapon, bearer), NONE if area == "template" else cover)


def volley(
    dice: Dice, book: Fifth, force: Force, shooters: Models, distance: Ints, cover: Argument = NONE
) -> list[Attack]:
    """Return what a unit fires at models: single shots, templates and markers.

    Source: base rules (BASE-002, BASE-003; partly BASE-005, partly BASE-007).
    """
    fired = shooting(book, force, shooters, distance, cover)
    for i, (group, n) in enumerate(zip(force.groups, shooters, strict=True), start=1):
        weapon, own = group.weapon, dice.within(f"group {i}")
        if weapon is not None and is_area(weapon):
            laid = n * shots(book, weapon, distance)
            attack = at_models(own, book, weapon, group.profile, laid, cover)
            fired.append(attack.told_of(group.title))
    return fired


def at_walls(book: Fifth, weapon: Weapon, BS: int, drift: int) -> Draw | None:
    """Return how a shot hits walls: by BS, or where its marker comes down; a template needs no roll.

    Source: base rules (BASE-002; partly BASE-005, partly BASE-007).

    Args:
        drift: Inches that a marker may drift and still hit them.
    """
    if weapon.kind == "template":
        return None
    return marker(book, BS, drift) if weapon.kind == "blast" else shot(book, BS, weapon.twin_linked)

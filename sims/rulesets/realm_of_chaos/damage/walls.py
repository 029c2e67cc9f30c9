"""The walls: what can hurt them, what burns them, and what hits them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from sims.dice import GOAL, Draw, Ints, Volley
from sims.dice.source import Argument
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy.fire import strength_gained
from sims.games.fantasy.shooting import LARGE, Aim, shot
from sims.games.fantasy.wounds import need_to_wound
from sims.inputs import Many, Skill, Strength
from sims.profiles import Material, Weapon
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import Burns, Fabric, FabricName, RealmOfChaos, is_flaming

DAMAGE = Volley((GOAL,))
"""Hits on a wall that do a point of damage; walls never save (RC-041). Arguments: hits, need."""


def class_of(book: RealmOfChaos, material: Material) -> FabricName:
    """Return the class of walls that a scenario's material belongs to (partly RC-040)."""
    name: FabricName = getattr(book.tables.materials, material)
    return name


def fabric_of(book: RealmOfChaos, walls: FabricName) -> Fabric:
    """Return the Toughness of a class of walls, and what can hurt them (RC-039)."""
    fabric: Fabric = getattr(book.tables.fabrics, walls)
    return fabric


def need_to_damage(book: RealmOfChaos, walls: FabricName, S: Argument) -> Ints:
    """Return the need to do a point of damage to a wall (RC-039)."""
    fabric = fabric_of(book, walls)
    return np.where(fabric.needs_S <= S, need_to_wound(book.game, S, fabric.T), IMPOSSIBLE)


@asks("RC-039", "RC-041", "RC-044", name="damage to the fabric")
def damage(book: RealmOfChaos, material: FabricName, S: Strength, hits: Many = 1) -> Draw:
    """Return how many points of damage hits do; walls never save, blows always hit (RC-039, RC-041, RC-044).

    Args:
        material: Class of the walls.
        S: Strength of the hits.
    """
    return Draw(DAMAGE, (hits, need_to_damage(book, material, S)))


@asks("RC-039", name="hits until damage")
def hits_until_damage(book: RealmOfChaos, material: FabricName, S: Strength, points: int = 6) -> Fraction:
    """Return how many hits it takes on average to do some points of damage (RC-039).

    Args:
        material: Class of the walls.
        S: Strength of the hits.
        points: Points of damage.

    Raises:
        ValueError: If that Strength does nothing.
    """
    chance = damage(book, material, S).pmf.at_least(1)
    if not chance:
        raise ValueError(f"Strength {S} does nothing to {material}")
    return points / chance


def shot_at_fabric(
    book: RealmOfChaos, walls: FabricName, S: Argument, BS: Argument, aim: Aim, *, template: bool = False
) -> Draw:
    """Return a shot at the building itself that does a point of damage: at a large target without cover (RC-038).

    By rulings a flame template, or any shot, hits by itself (partly RC-042).

    Args:
        template: It is a flame template.
    """
    template = template and book.rulings.flame_templates("by_themselves")
    if template or book.rulings.hitting_the_fabric("automatic"):
        return damage(book, walls, S)
    return shot(book.game, BS, replace(aim, size=LARGE)).then(damage(book, walls, S))


@asks("RC-038", name="shot at the fabric", ask="P(=1)")
def shot_nearby(book: RealmOfChaos, S: Strength, material: FabricName, BS: Skill = 3) -> Draw:
    """Return a shot at the building itself, at short range, that does a point of damage (RC-038).

    Args:
        S: Strength of the weapon.
        material: Class of the walls.
        BS: Ballistic Skill.
    """
    return shot_at_fabric(book, material, S, BS, Aim())


def burns(book: RealmOfChaos, walls: FabricName) -> Burns:
    """Return where a class of walls catches fire (RC-071)."""
    table = book.tables.flammable
    if walls == "wattle":
        return table.wood if book.rulings.wattle_burns("like_wood") else table.stone
    return table.wood if walls == "wood" else table.stone


@asks("RC-071", name="what catches fire")
def may_catch_fire(book: RealmOfChaos, material: FabricName, inside: bool = False) -> bool:
    """Return whether a building may catch fire (RC-071).

    Args:
        material: Class of the walls.
        inside: The fire is inside, not at the walls.
    """
    return burns(book, material) in (("anywhere", "within") if inside else ("anywhere",))


def flames_gain(book: RealmOfChaos, walls: FabricName) -> int:
    """Return the Strength that flames gain against walls, burning or not (RC-076)."""
    return strength_gained(book.tables.fire.extra_S, may_catch_fire(book, walls))


def gain_of(book: RealmOfChaos, walls: FabricName, weapon: Weapon | None) -> int:
    """Return the Strength that a weapon gains against walls (RC-076)."""
    return flames_gain(book, walls) if is_flaming(weapon) else 0


@asks("RC-076", name="flaming hit", ask="P(=1)")
def flaming_hit(book: RealmOfChaos, S: Strength, material: FabricName, burning: bool = False) -> Draw:
    """Return a flaming hit from outside that does a point of damage (RC-076).

    Args:
        S: Strength of the weapon, without what it gains against things that burn.
        material: Class of the walls.
        burning: The section burns already: no difference.
    """
    return damage(book, material, S + flames_gain(book, material))


def added(before: Ints, points: Argument, most: int) -> Ints:
    """Return the damage of a section after some more points; what changes nothing is not counted (RC-047)."""
    return np.minimum(before + points, most)


def most_damage(book: RealmOfChaos) -> int:
    """Return the damage beyond which no more changes anything (RC-047)."""
    return book.tables.stability.starts_at + book.tables.stability.neighbours_fall - 1

"""The building: its sections, its doors, its walls."""

from fractions import Fraction
from math import ceil, floor

import numpy as np

from sims.dice import GOAL, PMF, Ints, Volley
from sims.dice.source import Argument
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy.rules import need_to_wound
from sims.profiles import Material, Weapon
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import Burns, Fabric, FabricName, RealmOfChaos, is_flaming
from sims.scenario import Group

DAMAGE = Volley((GOAL,))
"""Hits on a wall that do a point of damage; walls never save (RC-041). Arguments: hits, need."""


@asks("RC-001", name="sections of a floor")
def sections(rules: RealmOfChaos, length: int, width: int) -> int:
    """Return how many sections a level has (RC-001).

    Parameters
    ----------
    rules : RealmOfChaos
    length : int
        Length of the floor in inches.
    width : int
        Its width.
    """
    along, across = ceil(length / rules.tables.sections.side), ceil(width / rules.tables.sections.side)
    return along * across if rules.rulings.sections_of_a_floor("grid") else max(along, across)


@asks("RC-002", name="locations of a building")
def locations(rules: RealmOfChaos, length: int, width: int, levels: int) -> int:
    """Return how many places a building has where models can be (partly RC-002).

    Parameters
    ----------
    rules : RealmOfChaos
    length : int
        Length of each floor in inches.
    width : int
        Its width.
    levels : int
        Storeys.
    """
    return sections(rules, length, width) * levels


@asks("RC-003", "RC-051", name="room in a section")
def capacity(rules: RealmOfChaos, unsafe: bool = False) -> int:
    """Return how many models of one side a section holds: fewer once it is unsafe (RC-003, RC-051).

    Each side of an assault is a single unit, so that it does not matter whether the book means a side or a unit.

    Parameters
    ----------
    rules : RealmOfChaos
    unsafe : bool
        A stability roll has made it unsafe.
    """
    return rules.tables.stability.unsafe_models if unsafe else rules.tables.sections.models


@asks("RC-003", name="models of one side in a section")
def has_room(rules: RealmOfChaos, models: int) -> bool:
    """Return whether so many models of one side may be in a section (RC-003).

    Parameters
    ----------
    rules : RealmOfChaos
    models : int
        Models of one side.
    """
    return models <= capacity(rules)


@asks("RC-004", name="models in a contested section")
def most_in_a_fight(rules: RealmOfChaos) -> int:
    """Return how many models fit into a section in which both sides fight (RC-004)."""
    return 2 * capacity(rules)


def door_width(rules: RealmOfChaos, single: int = 0, double: int = 0, barn: int = 0) -> int:
    """Return how many models pass some doors in one turn (RC-012).

    Parameters
    ----------
    single, double, barn : int
        Doors of each kind.
    """
    doors = rules.tables.doors
    return single * doors.single + double * doors.double + barn * doors.barn


@asks("RC-012", name="turns to pass doors")
def turns_to_pass(rules: RealmOfChaos, models: int, single: int = 0, double: int = 0, barn: int = 0) -> int:
    """Return in how many turns some models pass some doors (RC-012).

    Parameters
    ----------
    rules : RealmOfChaos
    models : int
        Models that want to pass.
    single : int
        Ordinary doors.
    double : int
        Double doors.
    barn : int
        Barn doors.

    Raises
    ------
    ValueError
        If there is no door.
    """
    width = door_width(rules, single, double, barn)
    if width < 1:
        raise ValueError("expected at least one door")
    return ceil(models / width)


@asks("RC-027", name="shooters at the walls")
def shooters(length: Fraction, models: int = 12, walls: int = 1) -> int:
    """Return how many models can shoot from a section: one for each full inch of wall (RC-027).

    Parameters
    ----------
    length : Fraction
        Length of a wall in inches.
    models : int
        Models in the section.
    walls : int
        Walls of that length that they may shoot from.
    """
    return min(floor(length) * walls, models)


@asks("RC-028", name="range downhill")
def range_downhill(rules: RealmOfChaos, inches: int) -> int:
    """Return the range of a weapon that shoots down from a building (RC-028).

    Parameters
    ----------
    rules : RealmOfChaos
    inches : int
        Its range.
    """
    return ceil(Fraction(inches * rules.tables.range.downhill, 10))


def class_of(rules: RealmOfChaos, material: Material) -> FabricName:
    """Return the class of walls that a scenario's material belongs to (partly RC-040)."""
    name: FabricName = getattr(rules.tables.materials, material)
    return name


def fabric_of(rules: RealmOfChaos, material: Material) -> Fabric:
    """Return the Toughness of walls, and what can hurt them (RC-039)."""
    fabric: Fabric = getattr(rules.tables.fabrics, class_of(rules, material))
    return fabric


def burns(rules: RealmOfChaos, walls: FabricName) -> Burns:
    """Return where a class of walls catches fire (RC-071)."""
    table = rules.tables.flammable
    if walls == "wattle":
        return table.wood if rules.rulings.wattle_burns("like_wood") else table.stone
    return table.wood if walls == "wood" else table.stone


def flames_gain(rules: RealmOfChaos, weapon: Weapon | None, where: Burns) -> int:
    """Return the Strength that a weapon gains against walls, burning or not (RC-076; partly BASE-059)."""
    return rules.tables.fire.extra_S if is_flaming(weapon) and where == "anywhere" else 0


def need_to_damage(rules: RealmOfChaos, fabric: Fabric, S: int) -> int:
    """Return the need to do a point of damage to a wall (RC-039)."""
    return need_to_wound(rules.game, S, fabric.T) if fabric.needs_S <= S else IMPOSSIBLE


@asks("RC-039", "RC-041", "RC-044", name="damage to the fabric")
def damage_to_fabric(rules: RealmOfChaos, material: FabricName, S: int, hits: int = 1) -> PMF:
    """Return how many points of damage hits do; walls never save, blows always hit (RC-039, RC-041, RC-044).

    Parameters
    ----------
    rules : RealmOfChaos
    material : str
        Class of the walls.
    S : int
        Strength of the hits.
    hits : int
        How many.
    """
    return DAMAGE.pmf(hits, need_to_damage(rules, getattr(rules.tables.fabrics, material), S))


@asks("RC-039", name="hits until damage")
def hits_until_damage(rules: RealmOfChaos, material: FabricName, S: int, points: int = 6) -> Fraction:
    """Return how many hits it takes on average to do some points of damage (RC-039).

    Parameters
    ----------
    rules : RealmOfChaos
    material : str
        Class of the walls.
    S : int
        Strength of the hits.
    points : int
        Points of damage.

    Raises
    ------
    ValueError
        If that Strength does nothing.
    """
    chance = damage_to_fabric(rules, material, S).at_least(1)
    if not chance:
        raise ValueError(f"Strength {S} does nothing to {material}")
    return points / chance


def added(damage: Ints, points: Argument, most: int) -> Ints:
    """Return the damage of a section after some more points; what changes nothing is not counted (RC-047)."""
    return np.asarray(np.minimum(damage + points, most))


def most_damage(rules: RealmOfChaos) -> int:
    """Return the damage beyond which no more changes anything (RC-047)."""
    return rules.tables.stability.starts_at + rules.tables.stability.neighbours_fall - 1


def has_flames(group: Group) -> bool:
    """Return whether models of a group have a flaming weapon (RC-073)."""
    return any(is_flaming(weapon) for weapon in (group.weapon, group.melee))


def strength_of_blows(group: Group) -> int:
    """Return the Strength of a group's blows."""
    return group.profile.S if group.melee is None else group.melee.strength(group.profile)

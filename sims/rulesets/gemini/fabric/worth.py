"""What a structure resists with, and from how near weapons can hurt it, and how much."""

from fractions import Fraction

from sims.dice import D6
from sims.games.arap.allocation import damage_of
from sims.games.arap.rolls.hits import can_shoot, to_hit
from sims.games.arap.rolls.wounds import wound
from sims.games.arap.shooting import DIRECT, shots_of, strength_of_shot
from sims.profiles import Building, Weapon
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.bunkers.armour import TWO_DICE, armour_value, dice_to_penetrate, hull_points
from sims.rulesets.gemini.fabric.materials import door_points, toughness
from sims.rulesets.gemini.state import Structure
from sims.rulesets.gemini.tables import DoorKind
from sims.scenario import Group, Scenario


def gate_of(building: Building, book: Gemini) -> DoorKind:
    """Return the kind of the doors of a building: what is said of it, or what such a building has (GB-060)."""
    return OwnBuilding.of(building).gate or book.tables.gates.of[building.archetype]


def strength_of(building: Building, structure: Structure, book: Gemini) -> tuple[int, int]:
    """Return what the structure resists with, and its hull points or damage points (GB-053, GB-060, GB-138).

    A building that is known to have an Armour Value, or hull points, has those, where Armour Values are used at all
    (GB-135, GB-138).
    """
    tables = book.tables
    if structure == "armour":
        row = tables.armoured.of.get(building.archetype) or tables.armoured.of[building.material]
        whole = book.rulings.hull_points("whole_building")
        capacity = building.capacity if whole else min(building.capacity, tables.sections.models)
        known = OwnBuilding.of(building).hull
        return building.armour or armour_value(book, row), hull_points(book, capacity, known)
    if structure == "door":
        door = gate_of(building, book)
        return tables.doors.kinds[door].T, door_points(book, door, tables.gates.width[building.door])
    wall = tables.walls.of.get(building.archetype) or tables.walls.of[building.material]
    return toughness(book, wall.T), getattr(tables.wall_points, wall.points)


def from_clear_view(scenario: Scenario, group: Group, structure: Structure, resists: int, book: Gemini) -> int | None:
    """Return from how many inches a group shoots at the structure; None if it is no use.

    Those whose lasers are too weak in smoke, or at that range, go on until it is behind them (ARAP-113).
    """
    clear, hampered = (reach_to_hurt(group, structure, resists, book, smoke) for smoke in (False, True))
    return None if clear is None else max(before_smoke(scenario, clear), hampered or 0)


def before_smoke(scenario: Scenario, inches: int) -> int:
    """Return the inches, or from how many fewer nothing is seen through smoke: an inch at the least."""
    return min([inches, *(max(band.near, 1) for band in scenario.bands if band.ground == "smoke")])


def reach_to_hurt(group: Group, structure: Structure, resists: int, book: Gemini, smoke: bool = False) -> int | None:
    """Return from how many inches a group can hurt the structure: a melta from half range; None if it is no use.

    Args:
        smoke: Whether it shoots through smoke.
    """
    weapon = group.weapon
    if weapon is None or weapon.kind not in DIRECT or not can_shoot(group.profile.BS):
        return None
    S, half = int(strength_of_shot(book.game, weapon, group.profile, smoke)), half_range(weapon, book)
    if not S:
        return None
    if structure == "armour":
        near = weapon.melta and resists <= S + 6 * dice_at_best(weapon, book)
        return (half if near else weapon.range if resists <= S + 6 else 0) or None
    table, short = book.game.tables.to_wound, min(book.game.tables.short_range.most, half)
    goal = resists + table.plus - S
    if goal > table.short_range:
        return None
    return (half if weapon.melta else weapon.range if goal <= table.any_range else short) or None


def half_range(weapon: Weapon, book: Gemini) -> int:
    """Return half the range of a weapon, in whole inches."""
    return weapon.range // book.game.tables.short_range.share


def dice_at_best(weapon: Weapon, book: Gemini) -> int:
    """Return how many dice a weapon adds to its Strength at half range; of two whose best counts, one."""
    return 2 if dice_to_penetrate(book, weapon, half_range(weapon, book)) == TWO_DICE else 1


def chance_to_hurt(S: int, structure: Structure, resists: int, book: Gemini, dice: int = 1) -> Fraction:
    """Return the chance that a hit hurts the structure at the best range, with so many dice against armour."""
    if structure == "armour":
        return (dice @ D6.pmf).at_least(resists - S)
    return wound(book.game, S, resists).pmf[1]


def worth_of_shots(group: Group, structure: Structure, resists: int, book: Gemini) -> Fraction:
    """Return how many shots of a group hurt the structure on average, for two action points at half range."""
    weapon, BS = group.weapon, group.profile.BS
    assert weapon is not None
    fired = group.count * int(shots_of(book.game, group, half_range(weapon, book), 2))
    hurt = chance_to_hurt(weapon.strength(group.profile), structure, resists, book, dice_at_best(weapon, book))
    return fired * to_hit(book.game, "shooting", BS).pmf[1] * hurt * points(weapon, structure)


def worth_of_blows(group: Group, structure: Structure, resists: int, book: Gemini) -> Fraction:
    """Return how many blows of a group hurt the structure on average."""
    S = group.melee.strength(group.profile) if group.melee else group.profile.S
    blows = group.count * group.profile.A
    return blows * chance_to_hurt(S, structure, resists, book) * points(group.melee, structure)


def points(weapon: Weapon | None, structure: Structure) -> int:
    """Return what a wound by a weapon does to the structure: armour has no damage points, but a table of its own."""
    return 1 if structure == "armour" else damage_of(weapon)

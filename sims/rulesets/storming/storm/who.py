"""Who storms: which units may, what is declared with a charge, and how many squads."""

from typing import Literal

from sims.questions import asks
from sims.rulesets.storming.book import Class, Storming, UnitKind
from sims.rulesets.storming.buildings.classes import allows

Mode = Literal["attack", "storm"]


@asks("ST-019", "ST-001", name="who may storm")
def may_storm(book: Storming, unit: UnitKind, building_class: Class = "stronghold") -> bool:
    """Return whether a unit may storm a building; by the standard rules none may (ST-001, ST-019).

    Args:
        unit: What kind of unit it is.
        building_class: Impassable, ruins, defensible or stronghold.
    """
    stormed = book.rulings.way_to_the_garrison("storm") and allows(book, building_class, "storm")
    return stormed and unit in book.tables.party.kinds


@asks("ST-020", "ST-024", name="attack or storm")
def mode(
    book: Storming,
    declared: Mode,
    unit: UnitKind = "infantry",
    viable: int = 1,
    building_class: Class = "defensible",
) -> Literal["attack", "storm", "support only"]:
    """Return what a unit does that has declared with its charge to attack or to storm (ST-020, ST-024).

    Args:
        declared: Attack or storm.
        unit: What kind of unit it is.
        viable: Viable access points after the charge.
        building_class: Impassable, ruins, defensible or stronghold.
    """
    if declared == "attack" or not may_storm(book, unit, building_class):
        return "attack"
    if viable == 0:
        return "attack" if book.rulings.no_viable_point("attack_structure") else "support only"
    return "storm"


@asks("ST-021", name="squads that storm")
def squads_storming(book: Storming, charging: int, stormed_before: int = 0) -> int:
    """Return how many of the squads that charge a building may storm it (ST-021).

    Args:
        charging: Squads that would storm it in this assault phase.
        stormed_before: Other squads that have stormed it in this game.
    """
    used = stormed_before if book.rulings.squads_storming("whole_game") else 0
    return min(charging, max(0, book.tables.party.squads - used))


@asks("ST-021", name="squads that attack the structure")
def squads_attacking(book: Storming, charging: int, stormed_before: int = 0) -> int:
    """Return how many of the squads that charge a building may attack its structure beside a storming (ST-021).

    Args:
        charging: Squads that charge it in this assault phase.
        stormed_before: Other squads that have stormed it in this game.
    """
    others = charging - squads_storming(book, charging, stormed_before)
    return others if book.rulings.other_squads("attack_structure") else 0

"""Armour: the Armour Value of a building, what a hit does to it, and hull points."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import D6, PMF, Ints, pick
from sims.dice.source import Argument
from sims.games.arap.shooting import half_range
from sims.inputs import Number
from sims.profiles import Weapon
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.tables import ArmouredKind

Capacity = Annotated[int, Number("Models that it holds.", 1, 10**6)]
HullPoints = Annotated[int | None, Number("Hull points in its profile, if it has any there.", 1, 60)]

NOTHING, GLANCING, PENETRATING = range(3)
"""What an attack does to an Armour Value."""
DOES = ("no effect", "a glancing hit", "a penetrating hit")
"""The same in words."""
ONE_DIE, TWO_DICE, BEST_OF_TWO = 1, 2, 3
"""The dice that are added to Strength."""


def armour_value(book: Gemini, building: ArmouredKind) -> int:
    """Return the Armour Value of a row of the table (GB-135)."""
    AV: int = getattr(book.tables.armour, building)
    return AV


@asks("GB-138", name="hull points")
def hull_points(book: Gemini, capacity: Capacity, profile: HullPoints = None) -> int:
    """Return a building's hull points: those of its profile, or of the smallest size that holds so many (GB-138)."""
    if profile is not None:
        return profile
    table = book.tables.hull_points
    return next((points for most, points in table.sizes if capacity <= most), table.larger)


def dice_to_penetrate(book: Gemini, weapon: Weapon, distance: Argument) -> Ints:
    """Return the dice that a weapon adds to its Strength (GB-133)."""
    close = TWO_DICE if book.rulings.melta_penetration("two_dice") else BEST_OF_TWO
    return np.where(weapon.melta & half_range(book.game, weapon, distance), close, ONE_DIE)


def penetration(dice: int, needed: int) -> PMF:
    """Return what a hit does to an Armour Value: equal to it glances, more penetrates (GB-133).

    Args:
        dice: `ONE_DIE`, `TWO_DICE` or `BEST_OF_TWO`.
        needed: Armour Value less Strength.
    """
    added = {ONE_DIE: D6, TWO_DICE: 2 @ D6, BEST_OF_TWO: pick(2, D6, 1)}[dice].pmf
    return added.map(lambda n: NOTHING if n < needed else GLANCING if n == needed else PENETRATING)


@asks("GB-133", "GB-135", name="shot at a bunker")
def armour_chance(
    book: Gemini,
    S: int,
    effect: Literal["glancing", "penetrating", "any"] | None = None,
    AV: int | None = None,
    building: ArmouredKind | None = None,
    dice: int = 1,
) -> PMF | Fraction:
    """Return the chance that a hit glances off an Armour Value, or penetrates it (GB-133, GB-135).

    Args:
        S: Strength of the hit.
        effect: Glancing, penetrating, or any of the two; all that it may do if not given.
        AV: Armour Value, if no building is named.
        building: A row of the table of Armour Values.
        dice: Dice added to Strength, 1 or 2.

    Raises:
        ValueError: If neither Armour Value nor building is given, or the dice are not 1 or 2.
    """
    does = penetration(_one_or_two(dice), armour_of(book, AV, building) - S)
    if effect is None:
        return does.named(dict(enumerate(DOES)))
    return {"glancing": does[GLANCING], "penetrating": does[PENETRATING], "any": 1 - does[NOTHING]}[effect]


def armour_of(book: Gemini, AV: int | None, building: ArmouredKind | None) -> int:
    """Return the Armour Value of a building that is named, else the one given.

    Raises:
        ValueError: If neither is.
    """
    if building is not None:
        return armour_value(book, building)
    if AV is None:
        raise ValueError("expected AV= (a whole number) or building= (a row of the table)")
    return AV


def _one_or_two(dice: int) -> int:
    if dice not in (ONE_DIE, TWO_DICE):
        raise ValueError(f"expected 1 or 2 dice, got {dice}")
    return dice

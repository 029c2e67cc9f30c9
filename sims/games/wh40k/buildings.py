"""Buildings of the 6th edition: their walls, their room, what glancing hits do to them, and who may be attacked."""

from typing import Annotated, Literal

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.games.wh40k.book import Sixth, Size, Walls
from sims.games.wh40k.structures import GLANCING, PENETRATING
from sims.inputs import Armour, Many, Number, Truth
from sims.profiles import MOST_MODELS, Archetype
from sims.questions import asks

NOBODY, THE_BUILDING, THE_UNIT = 0, 1, 2
"""Who is struck by a charge."""

Known = Annotated[int | None, Number("Its own Armour Value, where that is known.", 1, 20)]
Room = Annotated[int | None, Number("The number of its own profile, if it has one.", 1, MOST_MODELS)]


@asks("BASE-022", name="walls of a building")
def armour_value(book: Sixth, building: Archetype, known: Known = None) -> int:
    """Return the Armour Value of a building, the same on every side (BASE-022).

    Args:
        building: What kind of building it is.
    """
    return book.tables.buildings.of(building).AV if known is None else known


def walls_of(book: Sixth, building: Archetype, known: int | None = None) -> Walls:
    """Return the walls of a kind of building, with its Armour Value where that is known (BASE-022)."""
    return book.tables.buildings.of(building).model_copy(update={"AV": armour_value(book, building, known)})


@asks("BASE-022", name="capacity of a building")
def capacity(book: Sixth, building: Archetype, own: Room = None) -> int:
    """Return how many models a building holds, by its own profile or by its size (BASE-022).

    Args:
        building: What kind of building it is.
    """
    if own is not None and book.rulings.room_inside("own"):
        return own
    places: int = getattr(book.tables.capacity, book.tables.buildings.of(building).size)
    return places


def hull_points(book: Sixth, size: Size) -> int:
    """Return the hull points of a building: none, unless a ruling has them counted (BASE-020, BASE-021)."""
    points: int = getattr(book.tables.hull_points, size)
    return points if book.rulings.glancing_hits("hull_points") else 0


def effect(book: Sixth, hit: Argument) -> Ints:
    """Return what a hit does to a building: a glancing one nothing, unless it has hull points (BASE-020)."""
    least = GLANCING if book.rulings.glancing_hits("hull_points") else PENETRATING
    return np.where(np.greater_equal(hit, least), hit, 0)


def least_total(book: Sixth, AV: Argument) -> Ints:
    """Return the least total of Strength and dice that does anything to a building (BASE-020)."""
    return np.asarray(AV + np.where(effect(book, GLANCING) > 0, 0, 1))


def hull_left(hull: Argument, hit: Argument) -> Ints:
    """Return the hull points that a hit leaves: one that glances or penetrates takes one (BASE-021)."""
    return np.maximum(hull - np.greater_equal(hit, GLANCING), 0)


@asks("BASE-020", "BASE-021", name="glancing hits that destroy a building")
def glancing_hits_to_destroy(book: Sixth, size: Size = "medium") -> str:
    """Return how many glancing hits destroy a building (BASE-020, BASE-021).

    Args:
        size: How large it is.
    """
    hit, hull, hits = effect(book, GLANCING), hull_points(book, size), 0
    while hit and hull:
        hull, hits = int(hull_left(hull, hit)), hits + 1
    return str(hits) if hit else "never"


def collapses(AV: Argument) -> Bools:
    """Return where an Armour Value has come to nothing, which is a Total Collapse (BASE-023)."""
    return np.asarray(np.less_equal(AV, 0))


@asks("BASE-023", name="result of Armour Value lost")
def result_of_armour_lost(AV: Armour, lost: Many) -> Literal["nothing more", "Total Collapse"]:
    """Return what the loss of Armour Value brings with it (BASE-023).

    Args:
        AV: Armour Value before.
        lost: Points that it loses.
    """
    return "Total Collapse" if collapses(AV - lost) else "nothing more"


@asks("BASE-026", name="attack on a building")
def may_be_attacked(occupied: Truth, claimed: Truth = False) -> Bools:
    """Return whether a building may be shot at or charged: an empty one only while it is claimed (BASE-026).

    Args:
        occupied: Whether anybody is in it.
        claimed: Whether a side has claimed it, which the updated rules know.
    """
    return np.asarray(np.logical_or(occupied, claimed))


def struck(charges: Truth, in_the_open: Truth) -> Ints:
    """Return whom a charge strikes: a unit in the open, else the building and never the unit in it (BASE-027)."""
    return np.where(charges, np.where(in_the_open, THE_UNIT, THE_BUILDING), NOBODY)


@asks("BASE-027", name="struck by a charge")
def struck_by_a_charge(inside: bool) -> Literal["the building", "the unit"]:
    """Return whom the charge at a unit strikes (BASE-027).

    Args:
        inside: Whether the unit is in a building.
    """
    return "the unit" if struck(charges=True, in_the_open=not inside) == THE_UNIT else "the building"

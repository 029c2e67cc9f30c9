"""What walls, floors and doors are made of, and what a hit does to it."""

from fractions import Fraction
from typing import Annotated

from sims.dice import Draw
from sims.dice.source import Argument
from sims.errors import CasemateError
from sims.games.arap.rolls.wounds import goal_where_allowed, to_wound, wound_goal
from sims.inputs import Count, Number, Strength, Truth
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.tables import DoorKind, Material

Wide = Annotated[int, Number("Inches across a door: one, or two for a double door.", 1, 12)]


def toughness(book: Gemini, material: Material) -> int:
    """Return the Toughness of a material (GB-052)."""
    T: int = getattr(book.tables.materials, material)
    return T


@asks("GB-052", name="damage point", needs=("ARAP-009", "ARAP-010", "ARAP-014"), ask="P(passed)")
def damage_point(book: Gemini, material: Material, S: Strength, near: Truth = True) -> Draw:
    """Return the roll by which a hit does a damage point to a material (GB-052).

    Args:
        material: Brick and concrete are as stone.
        near: Whether it is struck, or shot at from short range.
    """
    return point_on(book, toughness(book, material), S, near)


def point_on(book: Gemini, T: int, S: Argument, near: Argument) -> Draw:
    """Return the roll by which a hit does a damage point to what has a Toughness."""
    return to_wound(goal_where_allowed(book.game, wound_goal(book.game, S, T), near))


@asks("GB-059", name="damage points of a door")
def door_points(book: Gemini, door: DoorKind, inches: Wide = 1) -> int:
    """Return the damage points of a door: those of its kind for each inch (GB-059).

    Args:
        door: What it is made of.
        inches: How wide it is; a single door has one.
    """
    return book.tables.doors.kinds[door].points * int(inches)


@asks("GB-060", name="hit on a door", needs=("ARAP-009", "ARAP-010"), ask="P(passed)")
def door_point(book: Gemini, door: DoorKind, S: Strength, near: Truth = True) -> Draw:
    """Return the roll by which a hit does a damage point to a door (GB-060).

    Args:
        door: What it is made of.
        near: Whether it is struck, or shot at from short range.
    """
    return point_on(book, book.tables.doors.kinds[door].T, S, near)


@asks("GB-060", name="hits that break a door down", needs=("GB-059",))
def hits_to_break(book: Gemini, door: DoorKind, S: Strength, inches: Wide = 1, near: Truth = True) -> Fraction:
    """Return how many hits it takes on average until a door is gone (GB-060).

    Args:
        door: What it is made of.
        inches: How wide it is.
        near: Whether it is struck, or shot at from short range.

    Raises:
        CasemateError: If such hits never harm it.
    """
    chance = door_point(book, door, S, near).pmf.at_least(1)
    if not chance:
        raise CasemateError(f"hits of Strength {S} never harm a door of Toughness {book.tables.doors.kinds[door].T}")
    return door_points(book, door, inches) / chance


@asks("GB-060", name="door broken down", needs=("GB-059",))
def broken_down(
    book: Gemini, door: DoorKind, S: Strength, hits: Count, inches: Wide = 1, near: Truth = True
) -> Fraction:
    """Return the chance that a door is gone after some hits (GB-060).

    Args:
        door: What it is made of.
        hits: Each of which may do a damage point.
        inches: How wide it is.
        near: Whether it is struck, or shot at from short range.
    """
    return door_point(book, door, S, near).times(hits).pmf.at_least(door_points(book, door, inches))

"""Moves: what a unit covers for its action points, and the free move."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import PMF, Bools, Ints
from sims.dice.source import Argument
from sims.errors import CasemateError, nearest
from sims.games.arap.activation import Thrown, successes
from sims.games.arap.book import Arap
from sims.games.arap.moving.measuring import within
from sims.games.arap.unit import Band
from sims.inputs import Inches, Initiative, Length
from sims.questions import asks


@asks("ARAP-060", name="basic move")
def basic_move(book: Arap, creature: str) -> int:
    """Return the basic move of a creature in inches (ARAP-060).

    Args:
        creature: Such as human, squat or horse.

    Raises:
        CasemateError: If the book has no move of such a creature.
    """
    creatures = book.tables.basic_moves.creatures
    if creature not in creatures:
        raise CasemateError(f'there is no creature "{creature}"; {nearest(creature, creatures)}')
    return creatures[creature]


@asks("ARAP-060", name="creatures with a basic move")
def creatures_that_move(book: Arap) -> int:
    """Return of how many creatures the book has a basic move (ARAP-060)."""
    return len(book.tables.basic_moves.creatures)


@asks("ARAP-061", name="move used by ground")
def allowance_used(
    book: Arap,
    clear: Fraction = Fraction(0),
    difficult: Fraction = Fraction(0),
    very_difficult: Fraction = Fraction(0),
) -> Fraction:
    """Return the inches of a move that some ground takes (ARAP-061).

    Args:
        clear: Inches of open ground.
        difficult: Inches of difficult ground.
        very_difficult: Inches of very difficult ground.
    """
    table = book.tables.movement
    return clear + table.difficult * difficult + table.very_difficult * very_difficult


@asks("ARAP-061", name="distance over bad ground")
def distance_covered(
    book: Arap, M: Fraction, ground: Literal["difficult", "very difficult"], clear: Fraction = Fraction(0)
) -> Fraction:
    """Return the inches that a move covers which leads over open ground and then over worse (ARAP-061).

    Args:
        M: Inches of the move.
        ground: What the rest of the ground is like.
        clear: Inches of open ground before it.
    """
    if clear >= M:
        return M
    inch = Fraction(1)
    each = allowance_used(book, difficult=inch) if ground == "difficult" else allowance_used(book, very_difficult=inch)
    return clear + (M - clear) / each


def after_moves(M: int, distance: Ints, moves: Argument, halt: Argument) -> Ints:
    """Return the inches to the enemy after some basic moves, less of them if the unit halts (ARAP-057, ARAP-060).

    Args:
        M: Basic move in inches.
        distance: Inches to the enemy.
        moves: How many.
        halt: Inches from which the unit goes no nearer.
    """
    return np.maximum(distance - M * moves, np.minimum(halt, distance))


def advance(unit: Band, M: int, distance: Ints, enough: Argument, halt: Argument) -> tuple[Band, Ints]:
    """Move a unit, all together, until it is near enough, for an action point each basic move.

    Return the unit with the points that are left, and its distance (ARAP-052, ARAP-053; partly ARAP-057).

    Args:
        M: Basic move in inches.
        distance: Inches to the enemy.
        enough: Inches from which the unit needs no further move.
        halt: Inches from which it goes no nearer.
    """
    moves = np.minimum(unit.points, -(-np.maximum(0, distance - enough) // M))
    return unit.replace(points=unit.points - moves), after_moves(M, distance, moves, halt)


@asks("ARAP-058", name="free turn")
def free_turn(book: Arap) -> int:
    """Return by how many degrees a model may turn within an action or a reaction, for nothing (ARAP-058)."""
    return book.tables.movement.free_turn


@asks("ARAP-059", name="in reach of a door or ladder", needs=("ARAP-032",))
def can_use(book: Arap, distance: Length, same_level: bool = True) -> Bools:
    """Return whether a model can use a door, a ladder, a console or the like (ARAP-059).

    Args:
        distance: Inches from the centre of its base.
        same_level: Whether both are on one level.
    """
    return within(distance, book.tables.movement.uses_within) & same_level


@asks("ARAP-076", name="free move")
def moves_freely(book: Arap, distance: Inches) -> Bools:
    """Return where a unit has a free move: no enemy is within 12 inches (ARAP-076).

    Args:
        distance: Inches to the nearest enemy that it knows of.
    """
    return ~within(distance, book.tables.movement.free_beyond)


@asks("ARAP-076", name="inches moved in a turn", needs=("ARAP-047",))
def inches_moved(book: Arap, M: int, I: Initiative, thrown: Thrown, distance: Inches) -> PMF:
    """Return how far a unit moves in a turn that goes straight for the enemy and does nothing else (ARAP-076).

    Args:
        M: Basic move in inches.
        thrown: Activation dice.
        distance: Inches to the enemy.
    """
    left = after_moves(M, np.asarray(distance), moves_freely(book, distance), 0)
    actions = successes(book, I, thrown).pmf
    return actions.map(lambda points: int(distance - after_moves(M, left, points, 0)))

"""Moves: what a unit covers for its action points, and the free move."""

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.moving.measuring import within
from sims.games.arap.unit import Band


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


def moves_freely(book: Arap, distance: Ints) -> Bools:
    """Return where a unit has a free move: no enemy is within 12 inches (ARAP-076)."""
    return ~within(distance, book.tables.movement.free_beyond)

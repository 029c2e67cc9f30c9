"""The Movement phase: the walk, and the charge."""

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.games.fantasy.book import Fantasy


def walk(distance: Ints, move: int, halt: Argument = 0) -> Ints:
    """Return how far away a unit is that has walked in its own turn, no nearer than where it halts (partly BASE-043).

    Args:
        distance: Inches to where it goes.
        move: Its move in inches.
        halt: Inches at which it halts.
    """
    return np.minimum(distance, np.maximum(distance - move, halt))


def charge_move(book: Fantasy, move: int) -> int:
    """Return how many inches a unit charges (BASE-056)."""
    return book.tables.charge_move.times * move


def reaches(book: Fantasy, distance: Argument, move: int) -> Bools:
    """Return whether a charge goes so far (BASE-056)."""
    return np.asarray(distance <= charge_move(book, move))

"""Moving and charging: how far models go."""

from fractions import Fraction

import numpy as np

from sims.dice import AtLeast, Bools, Die, Draw
from sims.dice.source import Argument
from sims.games.wh40k.book import AnyEdition, Edition, Fifth, Sixth
from sims.inputs import Inches
from sims.profiles import Unit
from sims.questions import asks


def move(book: Edition, unit: Unit) -> int:
    """Return how far a unit moves in the open, in inches."""
    table = book.tables.movement
    return table.jump_move if unit.kind == "jump infantry" else table.move


def charge_dice(book: Sixth, *, difficult: bool) -> Die:
    """Return the dice of inches that a 6th-edition charge goes (BASE-033)."""
    moves = book.tables.movement
    return moves.difficult_charge if difficult else moves.charge


def difficult_ground(book: Sixth) -> bool:
    """Return whether the ground that is charged over counts as difficult, which no scenario says (BASE-033)."""
    return book.rulings.charge_ground("difficult")


def charge(book: Sixth, distance: Argument, *, difficult: bool) -> Draw:
    """Return a 6th-edition charge over a distance in inches, which the dice cover or not (BASE-033)."""
    return Draw(AtLeast(charge_dice(book, difficult=difficult)), (distance,))


def charge_reach(book: Sixth) -> int:
    """Return the longest charge, in inches (BASE-033)."""
    return charge_dice(book, difficult=difficult_ground(book)).pmf.outcomes[-1]


def likely_charge(book: Sixth) -> int:
    """Return the longest charge that succeeds more often than not, in inches (BASE-033)."""
    charge = charge_dice(book, difficult=difficult_ground(book)).pmf
    return max((inches for inches in range(charge.outcomes[-1] + 1) if 2 * charge.at_least(inches) > 1), default=0)


def within_charge(book: Fifth, distance: Argument) -> Bools:
    """Return where a 5th-edition charge reaches: it has a fixed distance (BASE-033)."""
    return np.asarray(distance <= book.tables.movement.charge)


@asks("BASE-033", name="charge")
def charge_reaches(book: AnyEdition, distance: Inches, difficult: bool = False) -> Fraction:
    """Return the chance that a charge reaches a distance (BASE-033).

    Args:
        distance: Inches to go.
        edition: The 5th has a fixed distance, the 6th rolls for it.
        difficult: Whether a 6th-edition charge goes through difficult terrain.
    """
    if isinstance(book, Fifth):
        return Fraction(int(within_charge(book, distance)))
    return charge(book, distance, difficult=difficult).pmf[1]

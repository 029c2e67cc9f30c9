"""Template and blast weapons: what hits without a roll to hit, and how near to its aim a marker comes down."""

from fractions import Fraction

import numpy as np

from sims.dice import Bools, Draw, Ints, Test, once
from sims.dice.source import Argument

SCATTER_HITS = 2
"""Faces of the scatter die, of six, that show a hit."""


def _near_chance(reach: int) -> Fraction:
    stays = Fraction(SCATTER_HITS, 6)
    return stays + (1 - stays) * Fraction(sum(a + b <= reach for a in range(1, 7) for b in range(1, 7)), 36)


def _near(reach: Ints, arrow: Ints, first: Ints, second: Ints) -> Bools:
    return (arrow <= SCATTER_HITS) | (first + second <= reach)


MARKER = Test("scatter", 3, _near_chance, _near, "a hit, or 2D6 of {} or less")
"""A marker comes down near enough: the scatter die shows a hit, or 2D6 less BS are no more inches than it may drift.

The target is BS plus those inches.
"""


def marker(BS: Argument, drift: Argument = 0) -> Draw:
    """Return a marker that comes down within so many inches of where it is aimed (partly BASE-006)."""
    return once(MARKER, BS + np.asarray(drift))

"""Pinning: the tests that losses to some weapons ask for."""

import numpy as np

from sims.dice import Draw, Ints
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.rolls.hits import Modifiers
from sims.inputs import Count, Leadership
from sims.questions import asks


def pinning_tests(book: Arap, wounds: Ints, weapons: Argument) -> Ints:
    """Return how many pinning tests are due for wounds by some pinning weapons (ARAP-128)."""
    return np.minimum(wounds, weapons if book.rulings.pinning_tests("each_weapon") else 1)


@asks("ARAP-128", name="pinning tests that fail", needs=("ARAP-127",), ask="P(>=1)")
def pinning(book: Arap, tests: Count, Ld: Leadership, *, rerolls: bool = False) -> Draw:
    """Return how many of its pinning tests a unit fails; one pins it (ARAP-127, ARAP-128).

    Args:
        tests: How many are due.
        rerolls: Whether it knows no fear, and rolls failed tests again.
    """
    return leadership(book, Ld, "pinning", rerolls).failed.times(tests)


@asks("ARAP-127", name="pinning by a casualty", needs=("ARAP-012", "ARAP-013"), ask="P(=1)")
def pinning_by_casualty(book: Arap, Ld: Leadership, modifiers: Modifiers = 0, routing: bool = False) -> Draw:
    """Return the pinning test of a unit that has lost a model to a pinning weapon (ARAP-127).

    Args:
        modifiers: Such as -1 for a battery of several pieces of ordnance.
        routing: Whether the unit routs, and takes no test.
    """
    return pinning(book, int(not routing), Ld + modifiers)

"""Pinning: the tests that losses to some weapons ask for."""

import numpy as np

from sims.dice import Draw, Ints
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.rolls.hits import Modifiers
from sims.inputs import Leadership
from sims.questions import asks


def pinning_tests(book: Arap, wounds: Ints, weapons: Argument) -> Ints:
    """Return how many pinning tests are due for wounds by some pinning weapons (partly ARAP-128)."""
    return np.minimum(wounds, weapons if book.rulings.pinning_tests("each_weapon") else 1)


def pinning(book: Arap, tests: Argument, Ld: Argument) -> Draw:
    """Return how many of its pinning tests a unit fails; one pins it (ARAP-127; partly ARAP-128)."""
    return leadership(book, Ld, "pinning").failed.times(tests)


@asks("ARAP-127", name="pinning by a casualty", needs=("ARAP-012", "ARAP-013"), ask="P(=1)")
def pinning_by_casualty(book: Arap, Ld: Leadership, modifiers: Modifiers = 0, routing: bool = False) -> Draw:
    """Return the pinning test of a unit that has lost a model to a pinning weapon (ARAP-127).

    Args:
        modifiers: Such as -1 for a battery of several pieces of ordnance.
        routing: Whether the unit routs, and takes no test.
    """
    return pinning(book, int(not routing), Ld + modifiers)

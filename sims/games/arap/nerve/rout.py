"""Rout: the test of who has lost a round."""

from typing import Annotated

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.unit import Band
from sims.inputs import Leadership, Number
from sims.questions import asks

Difference = Annotated[Argument, Number("Wounds inflicted less those taken.", -60, 60)]


@asks("ARAP-204", name="rout test", needs=("ARAP-012",))
def rout(book: Arap, Ld: Leadership, difference: Difference) -> Draw:
    """Return the test not to rout: Leadership and the wound difference, down to a limit (ARAP-204)."""
    return leadership(book, Ld + np.maximum(difference, book.tables.combat.worst_difference), "rout")


def rout_test(
    dice: Dice, book: Arap, units: tuple[Band, Band], lead: Ints, margin: Ints, Ld: tuple[Argument, Argument]
) -> tuple[Bools, Bools]:
    """Test the loser of a round, if both sides are left; return where there is a test, and where it is failed.

    Who fails it is gone, wherever he flees (ARAP-202, ARAP-204; partly ARAP-206, partly ARAP-207).

    Args:
        units: Both units.
        lead: Combat resolution score of the first less that of the second.
        margin: Wounds inflicted by the first less those it took.
        Ld: Of both.
    """
    (ours, theirs), (own, other) = units, Ld
    tests = (lead != 0) & (ours.models > 0) & (theirs.models > 0)
    difference = np.where(lead < 0, margin, -margin)
    stands = rout(book, np.where(tests, np.where(lead < 0, own, other), 0), np.where(tests, difference, 0))
    return tests, tests & ~stands.times(tests).passed(dice, "rout test")

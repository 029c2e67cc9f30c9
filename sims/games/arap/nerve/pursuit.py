"""Pursuit: who goes after routers, and who stays where he has won."""

from fractions import Fraction

from sims.games.arap.book import Arap
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.rolls.hits import Modifiers
from sims.inputs import Leadership
from sims.questions import asks


@asks("ARAP-215", name="staying where a fight was won", needs=("ARAP-013", "ARAP-204"))
def stays(book: Arap, Ld: Leadership = 0, modifiers: Modifiers = 0, frenzied: bool = False) -> Fraction:
    """Return the chance that the winners of a fight for a building may stay there rather than pursue (ARAP-215).

    Args:
        Ld: Leadership of the winners; it matters if they are frenzied.
        modifiers: Such as -1 if they hate those who rout.
        frenzied: Whether the winners are frenzied, and test not to pursue.
    """
    return leadership(book, Ld + modifiers, "not_pursuing").pmf[1] if frenzied else Fraction(1)

"""What 40k and the fantasy game share."""

from fractions import Fraction

from sims.dice import GOAL
from sims.questions import asks

IMPOSSIBLE = 7
"""The need of a roll of one die that cannot succeed."""


def need_to_wound(S: int, T: int) -> int:
    """Return the need to wound from Strength and Toughness (BASE-011)."""
    below = T - S
    if below >= 4:
        return IMPOSSIBLE
    return 6 if below >= 2 else max(2, 4 + below)


@asks("BASE-011", "BASE-046", name="to wound")
def chance_to_wound(S: int, T: int) -> Fraction:
    """Return the chance that a hit wounds, or does a point of damage to a building (BASE-011, BASE-046).

    Parameters
    ----------
    S : int
        Strength of the hit.
    T : int
        Toughness of the target.
    """
    return GOAL.chance(need_to_wound(S, T))

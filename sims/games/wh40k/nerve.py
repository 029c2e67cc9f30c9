"""Keeping one's nerve, and where those go who do not: morale, falling back, consolidating, pinning."""

from fractions import Fraction
from typing import Literal

from sims.dice import LEADERSHIP, PLAIN_LEADERSHIP, PMF, Die, Test
from sims.games.wh40k.book import Fifth, Wh40k
from sims.questions import asks

PINNED: Test = PLAIN_LEADERSHIP.failed
"""2D6 above Leadership (BASE-039)."""


@asks("BASE-035", name="morale check")
def holds(Ld: int, margin: int = 0) -> Fraction:
    """Return the chance that the loser of a combat holds (BASE-035).

    Parameters
    ----------
    Ld : int
        Leadership.
    margin : int
        By how many wounds it lost.
    """
    return LEADERSHIP.chance(Ld - margin)


def fall_back_dice(rules: Fifth, kind: str) -> Die:
    """Return the dice of inches that a unit falls back (BASE-037)."""
    table = rules.tables.fall_back
    return table.jump if kind == "jump infantry" else table.infantry


@asks("BASE-037", name="fall back")
def falls_back(rules: Fifth, kind: Literal["infantry", "jump infantry"] = "infantry") -> PMF:
    """Return how far a unit falls back, in inches (BASE-037).

    Parameters
    ----------
    rules : Fifth
    kind : str
        Of unit.
    """
    return fall_back_dice(rules, kind).pmf


@asks("BASE-038", name="consolidation")
def consolidates(rules: Wh40k) -> PMF:
    """Return how far a unit may move that has no enemy left to fight, in inches (BASE-038).

    Parameters
    ----------
    rules : Wh40k
    """
    return rules.tables.consolidation.inches.pmf


@asks("BASE-039", name="pinning test")
def pinned(Ld: int) -> Fraction:
    """Return the chance that a unit is pinned (BASE-039).

    Parameters
    ----------
    Ld : int
        Leadership, unmodified.
    """
    return PINNED.chance(Ld)

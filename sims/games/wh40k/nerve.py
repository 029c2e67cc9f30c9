"""Keeping one's nerve, and where those go who do not: morale, falling back, consolidating, pinning."""

from typing import Literal

from sims.dice import LEADERSHIP, PLAIN_LEADERSHIP, Draw, Throw, once
from sims.games.wh40k.book import Fifth, Wh40k
from sims.inputs import Leadership, Many
from sims.questions import asks


@asks("BASE-035", name="morale check", ask="P(passed)")
def morale_check(Ld: Leadership, margin: Many = 0) -> Draw:
    """Return whether the loser of a combat holds; a double 1 always does (BASE-035).

    Args:
        margin: By how many wounds it lost.
    """
    return once(LEADERSHIP, Ld - margin)


@asks("BASE-037", name="fall back")
def fall_back(book: Fifth, kind: Literal["infantry", "jump infantry"] = "infantry") -> Draw:
    """Return how far a unit falls back, in inches (BASE-037).

    Args:
        kind: Of unit.
    """
    table = book.tables.fall_back
    return Draw(Throw(table.jump if kind == "jump infantry" else table.infantry), (1,))


@asks("BASE-038", name="consolidation")
def consolidation(book: Wh40k) -> Draw:
    """Return how far a unit may move that has no enemy left to fight, in inches (BASE-038)."""
    return Draw(Throw(book.tables.consolidation.inches), (1,))


@asks("BASE-039", name="pinning test", ask="P(failed)")
def pinning_test(Ld: Leadership) -> Draw:
    """Return whether a unit is pinned: it rolls above its Leadership (BASE-039)."""
    return once(PLAIN_LEADERSHIP.failed, Ld)

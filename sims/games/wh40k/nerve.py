"""Keeping one's nerve, and where those go who do not: morale, falling back, regrouping, consolidating, pinning."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import LEADERSHIP, PLAIN_LEADERSHIP, Bools, Draw, Ints, Throw, once
from sims.dice.source import Argument
from sims.games.wh40k.book import AnyEdition, Edition, Fifth, Wh40k
from sims.inputs import Count, Inches, Leadership, Many, Number
from sims.questions import asks

Kind = Literal["infantry", "jump infantry"]
Phases = Annotated[int, Number("Shooting phases.", 1, 10)]
Tries = Annotated[int, Number("Turns in which they try to regroup.", 1, 10)]


@asks("BASE-035", name="morale check", ask="P(passed)")
def morale_check(Ld: Leadership, margin: Many = 0) -> Draw:
    """Return whether the loser of a combat holds, or a unit under fire; a double 1 always does (BASE-035).

    Args:
        margin: By how many wounds it lost.
    """
    return once(LEADERSHIP, Ld - margin)


@asks("BASE-061", name="check under fire")
def checks(book: Wh40k, models: Many, lost: Many) -> Bools:
    """Return whether a unit checks its morale at the end of a shooting phase (BASE-061).

    Args:
        models: Of the unit, when the phase began.
        lost: How many of them it lost in the phase.
    """
    return np.asarray((lost > 0) & (book.tables.under_fire.part * lost >= models))


@asks("BASE-061", name="falls back under fire", ask="P(failed)")
def shaken(Ld: Leadership) -> Draw:
    """Return whether a unit falls back that checks its morale under fire (BASE-061)."""
    return morale_check(Ld).failed


@asks("BASE-061", name="checks in several phases")
def checks_in_phases(book: Wh40k, models: Count, lost: Count, phases: Phases) -> int:
    """Return how many checks a unit takes that loses as many models in each of several shooting phases (BASE-061).

    Args:
        models: Of the unit, when the first phase began.
        lost: How many it lost in each.
    """
    return sum(int(checks(book, models - i * lost, lost)) for i in range(phases))


@asks("BASE-037", name="fall back")
def fall_back(book: Wh40k, kind: Kind = "infantry") -> Draw:
    """Return how far a unit falls back, in inches (BASE-037).

    Args:
        kind: Of unit.
    """
    table = book.tables.fall_back
    return Draw(Throw(table.jump if kind == "jump infantry" else table.infantry), (1,))


def off_the_table(book: Wh40k, away: Argument, edge: Argument) -> Bools:
    """Return where a unit is gone: one that reaches its table edge, or by a ruling would go beyond it (BASE-062).

    Args:
        away: Inches from some place, after it has fallen back.
        edge: Inches from there to the edge.
    """
    return np.asarray(away >= edge if book.rulings.reaching_the_edge("reached") else away > edge)


@asks("BASE-062", name="gone after falling back", needs=("BASE-037",))
def gone(book: Wh40k, edge: Inches, kind: Kind = "infantry") -> Fraction:
    """Return the chance that a unit is gone after it has fallen back once (BASE-062).

    Args:
        edge: Inches to its table edge.
        kind: Of unit.
    """
    inches = fall_back(book, kind).pmf
    return sum((p for n, p in inches if off_the_table(book, n, edge)), Fraction(0))


@asks("BASE-062", "BASE-063", name="regrouped", ask="P(=1)")
def regrouping(book: AnyEdition, Ld: Leadership, left: Many, begun: Many, nearest: Inches = 72) -> Draw:
    """Return whether a unit regroups that is falling back (BASE-062, partly BASE-063).

    Args:
        Ld: Leadership.
        left: Models left.
        begun: Models with which the unit began the game.
        nearest: Inches to the nearest enemy.
        edition: In the 5th no enemy may be within 6 inches, nor at 6, and half of the unit has to be left; in the 6th a
            quarter, and of fewer only a double 1 will do.
    """
    enough = np.asarray(left > too_few(book, np.asarray(begun)))
    if isinstance(book, Fifth):
        return once(LEADERSHIP, Ld).times(enough & (nearest > book.tables.regrouping.enemy))
    return once(LEADERSHIP, np.where(enough, Ld, book.tables.regrouping.few_Ld))


def too_few(book: Edition, begun: Ints) -> Ints:
    """Return how many of a unit that had so many are too few to regroup as ever, at most (BASE-062)."""
    return -(-begun // book.tables.regrouping.part) - 1


@asks("BASE-062", name="has not regrouped")
def runs_on(book: AnyEdition, Ld: Leadership, left: Many, begun: Many, tries: Tries, nearest: Inches = 72) -> Fraction:
    """Return the chance that a unit has not regrouped in so many turns (BASE-062).

    Args:
        Ld: Leadership.
        left: Models left.
        begun: Models with which the unit began the game.
        nearest: Inches to the nearest enemy.
        edition: Of the rules.
    """
    return regrouping(book, Ld, left, begun, nearest).pmf[0] ** tries


@asks("BASE-038", name="consolidation")
def consolidation(book: Wh40k) -> Draw:
    """Return how far a unit may move that has no enemy left to fight, in inches (BASE-038)."""
    return Draw(Throw(book.tables.consolidation.inches), (1,))


@asks("BASE-039", name="pinning test", ask="P(failed)")
def pinning_test(Ld: Leadership) -> Draw:
    """Return whether a unit is pinned: it rolls above its Leadership (BASE-039)."""
    return once(PLAIN_LEADERSHIP.failed, Ld)

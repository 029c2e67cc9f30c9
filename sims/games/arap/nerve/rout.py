"""Rout: the test of who has lost a round, how far routers run, and how they rally."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints, roll
from sims.dice.die import Die
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.moving.charge import Move
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.unit import RALLIED, RUNS, Band
from sims.ground import Band as Ground
from sims.ground import kind_at
from sims.inputs import Inches, Leadership, Number
from sims.questions import asks

Difference = Annotated[Argument, Number("Wounds inflicted less those taken.", -60, 60)]


@asks("ARAP-204", name="rout test", needs=("ARAP-012",))
def rout(book: Arap, Ld: Leadership, difference: Difference) -> Draw:
    """Return the test not to rout: Leadership and the wound difference, down to a limit (ARAP-204)."""
    return leadership(book, Ld + np.maximum(difference, book.tables.combat.worst_difference), "rout")


def rout_test(
    dice: Dice,
    book: Arap,
    units: tuple[Band, Band],
    lead: Ints,
    margin: Ints,
    Ld: tuple[Argument, Argument],
    rerolls: tuple[bool, bool] = (False, False),
    unrolled: tuple[bool, bool] = (False, False),
) -> tuple[Bools, Bools]:
    """Test the loser of a round, if both sides are left; return where there is a test, and where it is failed.

    Source: Resolving Combat; Rout Test (ARAP-202, ARAP-204).

    Args:
        units: Both units.
        lead: Combat resolution score of the first less that of the second.
        margin: Wounds inflicted by the first less those it took.
        Ld: Of both.
        rerolls: Which of them know no fear, and roll a failed test again (ARAP-210).
        unrolled: Which of them pass it without a roll (ARAP-013).
    """
    (ours, theirs), (own, other) = units, Ld
    tests = (lead != 0) & (ours.models > 0) & (theirs.models > 0)
    difference = np.where(lead < 0, margin, -margin)
    stands = rout(book, np.where(tests, np.where(lead < 0, own, other), 0), np.where(tests, difference, 0))
    rolled = tests & ~np.where(lead < 0, *unrolled)
    fails = rolled & ~stands.times(rolled).passed(dice, "rout test")
    if any(rerolls):
        again = fails & np.where(lead < 0, *rerolls)
        fails = fails & ~stands.times(again).passed(dice, "rout test, again")
    return tests, fails


def flight(book: Arap, M: int) -> Die:
    """Return the dice of a flight, or of a pursuit: more of them for fast units, of which two count (ARAP-063)."""
    return book.tables.rout.fast_flee if book.tables.movement.two_dice_up_to < M else book.tables.rout.flee


@asks("ARAP-063", name="flee rate", needs=("ARAP-003",))
def flee_rate(book: Arap, M: Move) -> PMF:
    """Return the inches that a unit moves which routs, pursues, runs from a charge or breaks off (ARAP-063)."""
    return flight(book, M).pmf


@asks("ARAP-206", name="inches of a rout", needs=("ARAP-063", "ARAP-041"))
def inches_of_rout(book: Arap, M: Move, phases: Annotated[int, Number("Compulsory phases.", 0, 6)] = 1) -> PMF:
    """Return how far a unit has run: at once, and in each compulsory phase after that (ARAP-206).

    Args:
        phases: How many compulsory phases it has run in.
    """
    return sum((flight(book, M).pmf for _ in range(phases)), book.tables.rout.at_once.pmf)


class Way(NamedTuple):
    """The way of routers: inches to the enemy at which they began, their move, and inches at which their table ends."""

    begun: Argument
    M: int
    edge: Argument


def after_flight(book: Arap, way: Way, distance: Argument, inches: Ints) -> Ints:
    """Return the inches to the enemy after a flight, at most to the table edge.

    By one ruling it ends as far off as they stood after whole moves, or would have, so that fewer distances differ.

    Source: Rout; Flinch and Flee (ARAP-206, ARAP-207).
    """
    there = distance + inches
    if book.rulings.flight("lines"):
        there = there + (way.begun - there) % way.M
    return np.minimum(there, np.maximum(way.edge, distance))


def turned(dice: Dice, book: Arap, unit: Band, routs: Bools, distance: Argument, way: Way) -> tuple[Band, Ints]:
    """Turn a unit away where it routs, and move it; return it, and its inches to the enemy, at most to the table edge.

    It owes no test any more, and has no action points left.

    Source: Heavy Casualty Test; Rout (ARAP-134, ARAP-206, ARAP-207).
    """
    run = after_flight(book, way, distance, roll(dice, "rout", book.tables.rout.at_once, routs))
    left = unit.replace(
        routs=np.where(routs, RUNS, unit.routs),
        due=np.where(routs, 0, unit.due),
        points=np.where(routs, 0, unit.points),
    )
    return left, np.where(routs, run, distance)


def flee(dice: Dice, book: Arap, way: Way, distance: Ints) -> Ints:
    """Return the inches of a unit that routs to the enemy after a flight, at most to the table edge.

    Source: Compulsory Phase; Rout (ARAP-206, ARAP-207; partly ARAP-041).
    """
    return after_flight(book, way, distance, roll(dice, "flight", flight(book, way.M)))


def rally_tests(bands: Sequence[Ground], before: Ints, after: Ints, edge: Argument) -> Ints:
    """Return how many tests to rally a unit may take after a flight: one, another in cover, a last at the edge.

    Source: Rally (ARAP-208, ARAP-209).

    Args:
        bands: The ground on its way.
        before, after: Inches at which it began and has ended.
    """
    return 1 + through_cover(bands, before, after) + (after >= edge)


def through_cover(bands: Sequence[Ground], near: Ints, far: Ints) -> Bools:
    """Return whether a way between two distances leads through an area of cover, or into one (ARAP-209)."""
    covered = [kind_at(bands, inches) in ("soft", "hard") for inches in range(int(far.max(initial=0)) + 1)]
    passed = np.concatenate([[0], np.cumsum(covered)])
    return passed[far + 1] > passed[near]


@asks("ARAP-208", name="rally test", needs=("ARAP-206", "ARAP-012"), ask="P(passed)")
def rally(book: Arap, Ld: Leadership, nearest: Inches = 0, rerolls: bool = False) -> Draw:
    """Return the test to rally: a control roll, easier with no enemy near (ARAP-208).

    Args:
        nearest: Inches to the nearest enemy who is not hidden.
        rerolls: Whether the routers know no fear, and roll a failed test again.
    """
    table = book.tables.rout
    return leadership(book, Ld + table.alone * ~within(nearest, table.near), "rally", rerolls)


@asks("ARAP-208", "ARAP-209", name="rallied by several tests", needs=("ARAP-206", "ARAP-012"))
def rallied(
    book: Arap,
    Ld: Leadership,
    nearest: Inches = 0,
    tests: Annotated[int, Number("Tests, such as another in cover, or a last one at the table edge.", 1, 6)] = 2,
) -> Fraction:
    """Return the chance to rally by any of several tests (ARAP-208, ARAP-209).

    Args:
        nearest: Inches to the nearest enemy who is not hidden.
        tests: One after each flight, one more on a way through cover, a last one at the table edge.
    """
    return 1 - rally(book, Ld, nearest).pmf[0] ** tests


def try_rally(
    dice: Dice,
    book: Arap,
    unit: Band,
    Ld: Argument,
    distance: Ints,
    edge: Argument,
    *,
    acts: bool,
    rerolls: bool = False,
) -> tuple[Band, Bools]:
    """Let a unit that has fled try to rally; return it, and whether it has failed at the table edge and is gone.

    It is activated in the next activation phase of its side, and picks up no dice before.

    Source: Rally (ARAP-208, ARAP-209).

    Args:
        acts: That phase is the next of all.
        rerolls: Whether it knows no fear, and rolls a failed test again (ARAP-210).
    """
    rallies = rally(book, Ld, distance, rerolls).times(unit.tests).passed(dice, "rally test")
    routs = np.where(rallies, 0 if acts else RALLIED, RUNS)
    return unit.replace(routs=routs, tests=0 * unit.tests), ~rallies & (distance >= edge)

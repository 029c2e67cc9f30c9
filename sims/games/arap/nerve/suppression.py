"""Suppression: hits that hurt nobody slow a unit down."""

from fractions import Fraction
from typing import Annotated, NamedTuple

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import total
from sims.games.arap.activation import Thrown, actions, successes
from sims.games.arap.areas.marker import is_large
from sims.games.arap.book import Arap, ArapUnit
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.unit import RUNS, SUPPRESSED, SUPPRESSED_NEXT, SUPPRESSED_TWICE, SUPPRESSION, Band, is_pinned
from sims.inputs import Count, Initiative, Leadership, Number, Some
from sims.questions import asks
from sims.scenario import Force, Group

Across = Annotated[int, Number("Inches across the marker of the weapon; 0 for one without.", 0, 20)]


class Hits(NamedTuple):
    """Hits on a unit in the shootings of a turn: those so far, and how many call for a test; 0 where none do."""

    so_far: Ints
    needed: Ints

    @property
    def matter(self) -> Ints:
        """How many more would matter."""
        return np.maximum(self.needed - self.so_far, 0)

    def more(self, made: Ints) -> "Hits":
        """Return the hits after some more."""
        return self._replace(so_far=self.so_far + made)


@asks("ARAP-137", name="hits that call for suppression", needs=("ARAP-133",))
def hits_needed(book: Arap, size: Some) -> Ints:
    """Return how many hits call for a suppression test: a quarter of a unit, or by some readings more (ARAP-137).

    Args:
        size: Models that it had at the end of its last turn.
    """
    table = book.tables.suppression
    if book.rulings.suppressed_by("more_than_a_quarter"):
        return np.asarray(size // table.quarter + 1)
    quarter = np.asarray((size + table.quarter - 1) // table.quarter)
    return np.maximum(quarter, table.least) if book.rulings.suppressed_by("two_at_least") else quarter


@asks("ARAP-137", "ARAP-138", name="suppression test", needs=("ARAP-133",))
def is_shaken(book: Arap, hits: Count, size: Some, across: Across = 0, heavy: bool = False) -> Bools:
    """Return whether hits call for a suppression test (ARAP-137, ARAP-138).

    Args:
        hits: On the unit since the end of its last turn, other than in close combat or while it charges.
        size: Models that it had then.
        across: Inches across the marker of the weapon: one hit by a large one is enough. A template has no diameter.
        heavy: Whether a heavy-casualty test is due, which takes the place of this one.
    """
    needed = np.where(is_large(book, across), 1, hits_needed(book, size))
    return is_enough(np.asarray(hits), needed) & ~np.asarray(heavy)


def is_enough(hits: Ints, needed: Ints) -> Bools:
    """Return whether there are as many hits as call for a test, if any do (ARAP-137)."""
    return (needed > 0) & (hits >= needed)


@asks("ARAP-139", name="can be suppressed")
def suppressible(
    book: Arap,
    size: Annotated[int, Number("Size category of a figure.", 1, 4)] = 2,
    invulnerable: bool = False,
    fearless: bool = False,
    character: bool = False,
    swarm: bool = False,
) -> bool:
    """Return whether a unit can be suppressed: not the fearless, monsters, and who has an invulnerable save (ARAP-139).

    Args:
        size: Monstrous and gargantuan creatures, dreadnoughts and robots are of size 3 or 4.
        invulnerable: Whether its models have an invulnerable save.
        fearless: Whether it is fearless.
        character: Whether it is a character by himself, which a ruling decides.
        swarm: Whether it is a swarm of animals, which another decides.
    """
    spared = fearless or invulnerable or size >= book.tables.suppression.monstrous
    spared |= character and book.rulings.suppressed_characters("no")
    return not (spared or (swarm and book.rulings.suppressed_swarms("no")))


def can_be(book: Arap, force: Force, unit: Band) -> Bools:
    """Return where a unit can be suppressed: by its ordinary models, by its leader once he alone is left (ARAP-139).

    It is fearless by its ordinary models all along, as for its other tests.
    """

    def able(group: Group) -> bool:
        own = ArapUnit.of(group.profile)
        fearless = ArapUnit.of(force.unit).fearless
        saved = group.profile.invulnerable is not None
        return suppressible(book, own.size, saved, fearless, group.leads, own.swarm)

    men = total(tuple(n for group, n in zip(force.groups, unit.standing, strict=True) if not group.leads))
    leader = any(able(group) for group in force.groups if group.leads)
    return (unit.models > 0) & np.where(men > 0, able(force.groups[-1]), leader)


def before_fire(book: Arap, force: Force, unit: Band, begun: Ints, heavy: Bools, so_far: Ints) -> Hits:
    """Return the hits on a unit that is about to be shot at, and how many call for a test, if any do.

    The pinned owe none, nor do routers, nor who has lost so many that they test for that (ARAP-137, ARAP-141).

    Args:
        begun: Models that there were when the turn began.
        heavy: Whether enough of them have fallen for the other test.
        so_far: Hits before, in the same turn.
    """
    owes = can_be(book, force, unit) & ~is_pinned(unit.pinned) & (unit.routs != RUNS) & ~heavy
    return Hits(so_far, np.where(owes, hits_needed(book, begun), 0))


def after_fire(book: Arap, force: Force, unit: Band, hits: Hits, heavy: Bools, last: Argument) -> tuple[Band, Ints]:
    """Return a unit that was shot at, with the suppression test that it owes, and the hits so far (ARAP-137, ARAP-141).

    Args:
        hits: Those of all shootings of the turn so far.
        heavy: Whether enough have fallen in them for the other test.
        last: No shooting comes after this one.
    """
    kept = hits_kept(book, force, unit, hits, heavy)
    owed = is_enough(kept, hits.needed)
    return unit.replace(due=np.where(last & owed, SUPPRESSION, unit.due)), np.where(last, 0, kept)


def hits_kept(book: Arap, force: Force, unit: Band, hits: Hits, heavy: Bools) -> Ints:
    """Return the hits so far on a unit that was shot at, as long as they may call for a test (ARAP-137, ARAP-141).

    Args:
        heavy: Whether enough of it have fallen for the other test.
    """
    may = (hits.needed > 0) & can_be(book, force, unit) & ~is_pinned(unit.pinned) & ~heavy
    return np.where(may, hits.so_far, 0)


@asks("ARAP-140", name="suppression", needs=("ARAP-012",), ask="P(failed)")
def suppression(book: Arap, Ld: Leadership, *, rerolls: bool = False) -> Draw:
    """Return the suppression test, a morale check (ARAP-140).

    Args:
        rerolls: Whether those who test know no fear, and roll a failed test again.
    """
    return leadership(book, Ld, "suppression", rerolls)


def try_suppression(dice: Dice, book: Arap, unit: Band, Ld: Argument, *, rerolls: bool = False) -> Band:
    """Test a unit that was hit often enough; who fails has an action less, in the turn that starts or the next.

    Who is pinned is not suppressed; who is suppressed for this turn already may be for the next one too (ARAP-140,
    ARAP-141).

    Args:
        rerolls: Whether the unit knows no fear.
    """
    tests = (unit.due == SUPPRESSION) & ~is_pinned(unit.pinned)
    fails = tests & ~suppression(book, Ld, rerolls=rerolls).times(tests).passed(dice, "suppression test")
    again = np.where(unit.pinned == SUPPRESSED, SUPPRESSED_TWICE, SUPPRESSED_NEXT)
    lasts = np.where(book.rulings.suppressed_turn("this_turn"), SUPPRESSED, again)
    return unit.replace(pinned=np.where(fails, lasts, unit.pinned), due=np.where(unit.due == SUPPRESSION, 0, unit.due))


@asks("ARAP-140", name="actions of a suppressed unit", needs=("ARAP-047",))
def actions_of_the_suppressed(book: Arap, I: Initiative, thrown: Thrown) -> PMF:
    """Return the actions of a suppressed unit: one less than successes (ARAP-140).

    Args:
        thrown: Activation dice.
    """
    return successes(book, I, thrown).pmf.map(lambda rolled: int(actions(book, np.asarray(rolled), 0, True)))


@asks("ARAP-140", name="actions under fire", needs=("ARAP-012", "ARAP-047"))
def actions_under_fire(book: Arap, Ld: Leadership, I: Initiative, thrown: Thrown) -> Fraction:
    """Return how many actions a unit has in the mean that was hit often enough to test for suppression (ARAP-140).

    Args:
        thrown: Activation dice.
    """
    failed, passed = suppression(book, Ld).pmf.chances
    return passed * successes(book, I, thrown).pmf.mean + failed * actions_of_the_suppressed(book, I, thrown).mean

"""Activation: how many actions a unit gets, and what its failed dice give to the other side."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import PLAIN_LOW, PMF, Dice, Draw, Ints, once
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.unit import PINNED, PINNED_NEXT, PURSUES, RUNS, SUPPRESSED, SUPPRESSED_NEXT, Band
from sims.inputs import Chance, Initiative, Number
from sims.questions import asks

PAID = np.array([0, PINNED, PINNED_NEXT, 0, SUPPRESSED_NEXT, SUPPRESSED_NEXT])
"""How a unit is held up after its activation, by how it was before: who is suppressed has paid for it."""
RECOVERED = np.array([0, 0, PINNED, 0, SUPPRESSED, SUPPRESSED])
"""The same after a turn of its own."""
Thrown = Annotated[Argument, Number("Activation dice.", 0, 3)]
Place = Annotated[int, Number("Units of a side.", 1, 20)]
Busts = Annotated[int, Number("Busts.", 1, 20)]


@asks("ARAP-046", name="activation value")
def activation_value(book: Arap, I: Initiative) -> Ints:
    """Return what each activation die must not exceed (ARAP-046)."""
    table = book.tables.activation
    return np.clip(I, table.least, table.most)


@asks("ARAP-046", "ARAP-047", name="activation dice")
def successes(book: Arap, I: Initiative, thrown: Thrown) -> Draw:
    """Return the activation dice thrown at or below the value, a 6 always fails; each is an action point.

    Two failures or more are a bust, which ends the turn of the whole side: with one unit a side it changes nothing,
    since the one action of three dice may still be taken (ARAP-047; partly ARAP-044).
    """
    return once(PLAIN_LOW, activation_value(book, I)).times(thrown)


@asks("ARAP-048", "ARAP-129", name="bust")
def bust(book: Arap, I: Initiative, thrown: Thrown, actions: Literal["any"] | int = "any") -> Fraction:
    """Return the chance that a unit goes bust: two of its activation dice fail or more (ARAP-048, ARAP-129).

    Args:
        thrown: Activation dice.
        actions: How many actions it has earned all the same, or any.
    """
    most = int(thrown) - book.tables.activation.bust
    return successes(book, I, thrown).pmf.where(lambda earned: earned <= most and actions in ("any", earned))


@asks("ARAP-051", name="turn that ends by a bust")
def turn_ends(book: Arap, I: Initiative, thrown: Thrown, picked_up: Chance = Fraction(0)) -> Fraction:
    """Return the chance that a bust ends a side's turn: it does not where an opponent picks up a die (ARAP-051).

    Args:
        thrown: Activation dice.
        picked_up: The chance that an opponent picks up any of the dice that failed.
    """
    return bust(book, I, thrown) * (1 - picked_up)


@asks("ARAP-050", name="dice picked up", needs=("ARAP-047",))
def picked_up(book: Arap, I: Initiative, taken: Thrown) -> Draw:
    """Return the actions that a unit gets by failed dice of the other side that it picks up (ARAP-050).

    Its own failures have no further effect.

    Args:
        taken: Failed dice that it takes, all or some.
    """
    return successes(book, I, taken)


@asks("ARAP-049", name="try before a bust", needs=("ARAP-048",))
def gets_its_try(book: Arap, I: Initiative, thrown: Thrown, unit: Place, busts: Busts = 1) -> Fraction:
    """Return the chance that a unit gets its try before its side has gone bust too often (ARAP-049).

    Args:
        thrown: Activation dice of each unit.
        unit: Which one it is, counted from 1.
        busts: How many busts end the turn of the side.
    """
    before = (unit - 1) @ PMF.chance(bust(book, I, thrown)) if unit > 1 else PMF.constant(0)
    return before.at_most(busts - 1)


@asks("ARAP-049", name="tries before a bust", needs=("ARAP-048",))
def tries(book: Arap, I: Initiative, thrown: Thrown, units: Place, busts: Busts = 1) -> Fraction:
    """Return how many of some units get their try before their side has gone bust too often, in the mean (ARAP-049).

    Args:
        thrown: Activation dice of each unit.
        units: How many there are.
        busts: How many busts end the turn of the side.
    """
    return sum((gets_its_try(book, I, thrown, unit, busts) for unit in range(1, units + 1)), Fraction(0))


def actions(book: Arap, successes: Ints, pinned: Argument, suppressed: Argument = False) -> Ints:
    """Return the actions of a unit: pinned or suppressed units have fewer than they roll (ARAP-129, ARAP-140)."""
    fewer = np.where(pinned, book.tables.activation.pinned, np.where(suppressed, book.tables.suppression.actions, 0))
    return np.maximum(0, successes - fewer)


def activate(
    dice: Dice,
    book: Arap,
    unit: Band,
    other: Band,
    initiatives: tuple[int, int],
    thrown: int,
) -> tuple[Band, Band]:
    """Throw activation dice for the unit whose turn it is; the other picks up every failed die and throws it too.

    Return both with their action points, and the other with whether it has used up its next try by that. Reactions
    come first, and an opponent who picks up dice cancels a bust. Who runs or pursues throws none; nor does he pick any
    up, or who has rallied in this player turn. Who is suppressed has paid for it.

    Source: Able, Active, Engaged and Otherwise; Activation Phase; Activation Rolls; Pick-Ups; Pinned and Pinning Tests
    (ARAP-042, ARAP-043, ARAP-045, ARAP-046, ARAP-047, ARAP-050, ARAP-051, ARAP-129, ARAP-140; partly ARAP-040).

    Args:
        unit, other: The unit whose turn it is, and the one that reacts.
        initiatives: Of both.
        thrown: Dice that the unit throws, if it still has its try.
    """
    own, theirs = initiatives
    unable = (unit.spent > 0) | (unit.routs == RUNS) | (unit.routs == PURSUES)
    thrown_now = np.where(unable, 0, thrown)
    earned = successes(book, own, thrown_now).made(dice, "activation dice")
    failed = np.where(other.routs > 0, 0, np.maximum(thrown_now - earned, 0))
    picked = picked_up(book, theirs, failed).made(dice, "dice picked up")
    reacted = (failed > 0) & book.rulings.pick_ups("only_try")
    return (
        unit.replace(
            points=actions(book, earned, unit.pinned == PINNED, PAID[unit.pinned] != unit.pinned),
            spent=0 * unit.spent,
            pinned=PAID[unit.pinned],
        ),
        other.replace(points=actions(book, picked, other.pinned == PINNED), spent=reacted.astype(int)),
    )


@asks("ARAP-129", name="actions of a pinned unit", needs=("ARAP-047", "ARAP-127"))
def actions_of_the_pinned(book: Arap, I: Initiative, thrown: Thrown) -> PMF:
    """Return the actions of a pinned unit (ARAP-129).

    Args:
        thrown: Activation dice.
    """
    return successes(book, I, thrown).pmf.map(lambda rolled: int(actions(book, np.asarray(rolled), pinned=1)))


def recovered(pinned: Ints) -> Ints:
    """Return how a unit is held up after a turn of its own: the effect lasts one turn (ARAP-129, ARAP-140)."""
    return RECOVERED[pinned]

"""Where area weapons land: how far a marker strays, aimed, indirect, at what is hidden, or thrown by hand."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Annotated

import numpy as np

from sims.dice import PMF, Draw, Ints, Test
from sims.dice.die import SCATTER_ONLY, SHORT_SCATTER_ONLY, Die, scatter_less
from sims.games.arap.book import Arap
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import Modifiers, Value, can_shoot, hit
from sims.games.arap.rolls.scatter import scatter_less_skill
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, shot_that_hurts
from sims.inputs import Number, Skill, Strength, Toughness
from sims.questions import asks

Heights = Annotated[Fraction, Number("Heights of the thrower.", 0, 20)]
Range = Annotated[Fraction, Number("Measured inches to the aim.", 0, 1000)]


def strays(scatter: PMF, measured: float | Fraction) -> Iterator[tuple[float | Fraction, int]]:
    """Yield how far a marker strays, at most half of the range, and the weight of that (ARAP-149)."""
    for inches, weight in zip(scatter.outcomes, scatter.weights, strict=True):
        yield min(inches, measured / 2), weight


@asks("ARAP-149", name="marker strays so far")
def strays_so_far(book: Arap, BS: int, R: Range, inches: Fraction, modifiers: int = 0) -> Fraction:
    """Return the chance that a marker strays so many inches, half of the range at most (ARAP-148, ARAP-149).

    Args:
        BS: Ballistic Skill.
        inches: How far.
        modifiers: The sum of all modifiers; positive ones help.
    """
    scatter = scatter_less_skill(book, BS, modifiers)
    return Fraction(sum(weight for far, weight in strays(scatter, R) if far == inches), scatter.total)


@asks("ARAP-149", name="inches a marker strays")
def mean_stray(book: Arap, BS: int, R: Range, modifiers: int = 0) -> Fraction:
    """Return how many inches a marker strays on average, half of the range at most (ARAP-148, ARAP-149).

    Args:
        BS: Ballistic Skill.
        modifiers: The sum of all modifiers; positive ones help.
    """
    scatter = scatter_less_skill(book, BS, modifiers)
    return sum((Fraction(far) * weight for far, weight in strays(scatter, R)), Fraction(0)) / scatter.total


@asks("ARAP-161", name="indirect fire")
def indirect(book: Arap, modifiers: int = 0) -> PMF:
    """Return the inches that a marker strays whose target is not seen: no skill is subtracted (ARAP-161).

    Args:
        modifiers: The sum of all modifiers; positive ones help.
    """
    if book.rulings.indirect_double("on_target"):
        return scatter_less(modifiers).pmf
    return SCATTER_ONLY.pmf.map(lambda inches: max(0, inches - modifiers))


def thrown_grenade(book: Arap, BS: Value, modifiers: Modifiers = 0) -> Draw:
    """Return the throw of a grenade at a place: the roll to hit, with its modifier for throwing (ARAP-157)."""
    return hit(book, BS, book.tables.grenades.modifier + modifiers)


@cache
def thrown_scatter(hitting: Test, target: int) -> Die:
    """Return the inches that a grenade goes astray whose thrower needs so much: none if he hits, else a short roll.

    Source: Hand Grenades (ARAP-157).
    """
    here, dice = hitting.chance(target), hitting.dice

    def astray(*faces: Ints) -> Ints:
        return np.where(hitting.passes(target, *faces[:dice]), 0, SHORT_SCATTER_ONLY.read(*faces[dice:]))

    pmf = PMF.mixture([(here, PMF.constant(0)), (1 - here, SHORT_SCATTER_ONLY.pmf)])
    return Die(f"thrown at {target}", (6,) * dice + SHORT_SCATTER_ONLY.sides, astray, pmf)


@asks("ARAP-157", "ARAP-158", name="grenade goes astray")
def grenade_strays(book: Arap, BS: int, modifiers: int = 0, heights: Heights = Fraction(1)) -> PMF:
    """Return the inches that a thrown grenade goes astray: none if it hits, else a short roll (ARAP-157, ARAP-158).

    Args:
        BS: Ballistic Skill, not 0.
        modifiers: The sum of all but those for throwing, and for what it is thrown over.
        heights: How many times as high as the thrower that is.
    """
    throw = thrown_grenade(book, BS, modifiers + thrown_over(book, heights))
    return thrown_scatter(throw.tests[0], int(throw.targets[0])).pmf


@asks("ARAP-158", name="grenade over an object")
def thrown_over(book: Arap, heights: Heights) -> int:
    """Return what it adds to Ballistic Skill to throw a grenade over something: less by each height (ARAP-158).

    Args:
        heights: How many times as high as the thrower it is; parts are rounded up.

    Raises:
        ValueError: If nobody can throw over it.
    """
    table, times = book.tables.grenades, max(-(-heights.numerator // heights.denominator), 1)
    if times > table.highest and book.rulings.thrown_over("highest"):
        raise ValueError(f"nobody throws over what is {heights} times as high; expected at most {table.highest}")
    return table.each_height * (times - 1)


@asks("ARAP-159", name="thrown rock", needs=("ARAP-005",))
def rock(book: Arap, BS: Skill, S: Strength = 0, T: Toughness = 0, save: SaveGoal = NO_SAVE) -> Draw:
    """Return whether a thrown rock hits, or wounds with the Strength of its thrower and is not saved (ARAP-159).

    Args:
        BS: Ballistic Skill.
        S: Strength of the thrower; 0 to ask for the hit.
        T: Toughness of the target.
        save: Its armour save, or none.
    """
    more = 0 if book.rulings.thrown_rocks("alone") else book.tables.grenades.modifier
    aimed = hit(book, BS, modifiers(book, Circumstances(thrown="improvised")) + more).times(can_shoot(BS))
    return shot_that_hurts(book, aimed, S, T, Saves(save))

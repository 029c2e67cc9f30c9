"""Wounding and saving: high rolls, and the rolls that a second die confirms.

Goals are integers, elementwise over arrays of any shape.
"""

from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import numpy as np

from sims.dice import BEST_OF_TWO, BEST_OF_TWO_TWICE, GOAL, HIGH, Draw, Ints, once
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.moving.measuring import at_short_range
from sims.inputs import NONE, Number, Piercing, Strength, Toughness
from sims.profiles import Unit
from sims.questions import asks

IMPOSSIBLE = 10
"""A goal that no high roll makes (ARAP-014)."""
NO_SAVE = IMPOSSIBLE
"""The save of a profile that has none: it gets no roll (ARAP-011)."""
Goal = Annotated[Argument, Number("What the die must show or beat, after modifiers.")]
SaveGoal = Annotated[Argument, Number("The goal after modifiers, or none for a profile without a save.", none=NO_SAVE)]


@asks("ARAP-014", name="extended high roll", ask="P(passed)")
def high_roll(goal: Goal) -> Draw:
    """Return a high roll: 7, 8 and 9 are a natural 6 and a second die (ARAP-014)."""
    return once(HIGH, goal)


def to_wound(goal: Argument) -> Draw:
    """Return the wound roll of a goal, which may be up to 9 (ARAP-009, ARAP-014)."""
    return high_roll(goal).named("to wound")


@asks("ARAP-009", name="wound roll", ask="P(passed)")
def wound(book: Arap, S: Strength, T: Toughness) -> Draw:
    """Return the wound roll of a hit, where a goal of up to 9 may be tried (ARAP-009).

    Args:
        S: Strength of the attack.
        T: Toughness of the target.
    """
    return to_wound(wound_goal(book, S, T))


@asks("ARAP-009", name="wound goal")
def wound_goal(book: Arap, S: Strength, T: Toughness) -> Ints:
    """Return the goal of a wound roll; 10 and more cannot be made (ARAP-009).

    Args:
        S: Strength of the attack; it is not capped.
        T: Toughness of the target.
    """
    table = book.tables.to_wound
    return np.maximum(table.best, T + table.plus - S)


def goal_where_allowed(book: Arap, goal: Argument, near: Argument) -> Ints:
    """Return the goal, or `IMPOSSIBLE` where it may not be tried (ARAP-010).

    Args:
        near (bool): In melee or at short range.
    """
    table = book.tables.to_wound
    highest = np.where(near, table.short_range, table.any_range)
    return np.where(goal <= highest, goal, IMPOSSIBLE)


@asks("ARAP-010", name="wound roll at a distance", ask="P(passed)")
def wound_at(
    book: Arap,
    goal: int,
    attack: Literal["shooting", "melee"] = "shooting",
    distance: Fraction | None = None,
    range: Fraction | None = None,
) -> Draw:
    """Return the wound roll where it is tried: goals 8 and 9 in melee or at short range only (ARAP-010).

    Args:
        goal: The goal to wound.
        attack: Shooting or melee.
        distance: Inches to the target, for shooting.
        range: The weapon's range in inches, for shooting.

    Raises:
        ValueError: If a shot lacks its distance or range, or is out of range.
    """
    if attack == "melee":
        return to_wound(goal_where_allowed(book, goal, True))
    if distance is None or range is None:
        raise ValueError("shooting needs distance= and range= (inches)")
    if distance > range:
        raise ValueError(f"a target at {distance} inches is out of range; expected at most {range}")
    return to_wound(goal_where_allowed(book, goal, at_short_range(book, distance, range)))


@asks("ARAP-004", name="melta wound roll", ask="P(passed)")
def melta(book: Arap, goal: Goal, close: bool = True) -> Draw:
    """Return the wound roll of a melta weapon: the better of two dice at half range or nearer (ARAP-004).

    Args:
        goal: The goal to wound.
        close: Whether the target is at half the weapon's range or nearer.
    """
    if not close:
        return to_wound(goal)
    roll = once(BEST_OF_TWO if book.rulings.melta_confirming("one_die") else BEST_OF_TWO_TWICE, goal)
    return roll.named("to wound")


@asks("ARAP-011", name="armour save", ask="P(passed)")
def save(book: Arap, save: SaveGoal) -> Draw:
    """Return the save roll: high, a natural 1 fails; `NO_SAVE` always fails (ARAP-011)."""
    roll = high_roll(save) if book.rulings.extended_saves("allowed") else once(GOAL, save)
    return roll.named("save")


class Saves(NamedTuple):
    """What a save needs by armour, and by what nothing pierces; `NO_SAVE` where there is none."""

    armour: Argument
    invulnerable: Argument = NO_SAVE

    @classmethod
    def of(cls, target: Unit, AP: int | None) -> "Saves":
        """Return the saves of a model against a weapon (ARAP-120, ARAP-121)."""
        Sv, proof = (NO_SAVE if save is None else save for save in (target.Sv, target.invulnerable))
        return cls(armour_against(Sv, NONE if AP is None else AP), proof)


def armour_against(Sv: Argument, AP: Argument) -> Ints:
    """Return the armour save that a weapon leaves: none where its AP is equal or lower (ARAP-120)."""
    return np.where((AP == NONE) | (Sv < AP), Sv, NO_SAVE)


@asks("ARAP-120", "ARAP-121", name="unsaved wound", needs=("ARAP-011",), ask="P(=1)")
def through_saves(book: Arap, Sv: SaveGoal, AP: Piercing = NONE, invulnerable: SaveGoal = NO_SAVE) -> Draw:
    """Return a wound that is not saved, by armour or by what nothing pierces (ARAP-120, ARAP-121).

    Args:
        Sv: Armour save, or none.
        invulnerable: Invulnerable save, or none.
    """
    return unsaved(book, Saves(armour_against(Sv, AP), invulnerable))


def unsaved(book: Arap, saves: Saves) -> Draw:
    """Return a wound that is not saved: the better save counts alone, or both are taken in turn (ARAP-121)."""
    armour, proof = saves
    if book.rulings.saves("both") and proof != NO_SAVE:
        return save(book, armour).failed.then(save(book, proof).failed)
    return save(book, np.minimum(armour, proof)).failed


def shot_that_hurts(book: Arap, aimed: Draw, S: Argument, T: Argument, saves: Saves, near: Argument = True) -> Draw:
    """Return a shot that hits, wounds and is not saved; only that it hits where its Strength is 0.

    Goals of 8 and 9 can be tried at short range only (ARAP-009, ARAP-010).
    """
    goal = goal_where_allowed(book, wound_goal(book, S, T), near)
    return aimed.then(hurt(book, goal, saves)) if S else aimed


def hurt(book: Arap, goal: Argument, saves: Saves) -> Draw:
    """Return a hit that wounds, and is not saved (ARAP-011, ARAP-014, ARAP-121)."""
    return to_wound(goal).then(unsaved(book, saves))

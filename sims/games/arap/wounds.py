"""Wounding and saving: high rolls, and the rolls that a second die confirms.

Goals are integers, elementwise over arrays of any shape.
"""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import BEST_OF_TWO, BEST_OF_TWO_TWICE, GOAL, HIGH, LOW, Ints, Test
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.measuring import short_range, within
from sims.questions import asks

IMPOSSIBLE = 10
"""A goal that no high roll makes (ARAP-014)."""
NO_SAVE = IMPOSSIBLE
"""The save of a profile that has none: it gets no roll (ARAP-011)."""


@asks("ARAP-014", name="extended high roll")
def high_roll(goal: int) -> Fraction:
    """Return the chance of a high roll: 7, 8 and 9 are a natural 6 and a second die (ARAP-014).

    Parameters
    ----------
    goal : int
        What the die must show or beat, after modifiers.
    """
    return HIGH.chance(goal)


@asks("ARAP-015", name="extended low roll")
def low_roll(target: int) -> Fraction:
    """Return the chance of a low roll: 0, -1 and -2 are a natural 1 and a second die (ARAP-015).

    Parameters
    ----------
    target : int
        What the die must not exceed, after modifiers.
    """
    return LOW.chance(target)


def wound_goal(rules: Arap, S: Argument, T: Argument) -> Ints:
    """Return the goal to wound (ARAP-009).

    Parameters
    ----------
    rules : Arap
    S, T : int or array of int
        Strength of the attack, Toughness of the target; neither is capped.
    """
    table = rules.tables.to_wound
    return np.asarray(np.maximum(table.best, T + table.plus - S))


@asks("ARAP-009", name="wound roll")
def wound(rules: Arap, S: int, T: int) -> Fraction:
    """Return the chance that a hit wounds, where a goal of up to 9 may be tried (ARAP-009).

    Parameters
    ----------
    rules : Arap
    S : int
        Strength of the attack.
    T : int
        Toughness of the target.
    """
    return HIGH.chance(int(wound_goal(rules, S, T)))


@asks("ARAP-009", name="wound goal")
def goal_to_wound(rules: Arap, S: int, T: int) -> int:
    """Return the goal of a wound roll; 10 and more cannot be made (ARAP-009).

    Parameters
    ----------
    rules : Arap
    S : int
        Strength of the attack.
    T : int
        Toughness of the target.
    """
    return int(wound_goal(rules, S, T))


def goal_where_allowed(rules: Arap, goal: Argument, near: Argument) -> Ints:
    """Return the goal, or `IMPOSSIBLE` where it may not be tried (ARAP-010).

    Parameters
    ----------
    rules : Arap
    goal : int or array of int
    near : bool or array of bool
        In melee or at short range.
    """
    table = rules.tables.to_wound
    highest = np.where(near, table.short_range, table.any_range)
    return np.where(goal <= highest, goal, IMPOSSIBLE)


@asks("ARAP-010", name="wound roll at a distance")
def wound_at(
    rules: Arap,
    goal: int,
    attack: Literal["shooting", "melee"] = "shooting",
    distance: Fraction | None = None,
    range: Fraction | None = None,  # noqa: A002 - the book's word, and the user's
) -> Fraction:
    """Return the chance of a wound goal where it is tried: 8 and 9 in melee or at short range only (ARAP-010).

    Parameters
    ----------
    rules : Arap
    goal : int
        The goal to wound.
    attack : str
        Shooting or melee.
    distance : Fraction
        Inches to the target, for shooting.
    range : Fraction
        The weapon's range in inches, for shooting.

    Raises
    ------
    ValueError
        If a shot lacks its distance or range, or is out of range.
    """
    near = attack == "melee"
    if not near:
        if distance is None or range is None:
            raise ValueError("shooting needs distance= and range= (inches)")
        if distance > range:
            raise ValueError(f"a target at {distance} inches is out of range; expected at most {range}")
        near = bool(within(distance, short_range(rules, range)))
    return HIGH.chance(int(goal_where_allowed(rules, goal, near)))


def melta_wound(rules: Arap) -> Test:
    """Return the wound roll of a melta weapon at half range or nearer: the better of two dice (ARAP-004)."""
    return BEST_OF_TWO if rules.rulings.melta_confirming("one_die") else BEST_OF_TWO_TWICE


@asks("ARAP-004", name="melta wound roll")
def melta(rules: Arap, goal: int, close: bool = True) -> Fraction:
    """Return the chance that a melta weapon wounds (ARAP-004).

    Parameters
    ----------
    rules : Arap
    goal : int
        The goal to wound.
    close : bool
        Whether the target is at half the weapon's range or nearer.
    """
    return (melta_wound(rules) if close else HIGH).chance(goal)


def armour_save(rules: Arap) -> Test:
    """Return the save roll: high, a natural 1 fails; `NO_SAVE` always fails (ARAP-011)."""
    return HIGH if rules.rulings.extended_saves("allowed") else GOAL


@asks("ARAP-011", name="armour save")
def save(rules: Arap, save: Literal["none"] | int) -> Fraction:
    """Return the chance to save (ARAP-011).

    Parameters
    ----------
    rules : Arap
    save : int
        The goal after modifiers, or none for a profile without a save.
    """
    return armour_save(rules).chance(NO_SAVE if save == "none" else save)

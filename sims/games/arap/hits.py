"""Hitting: low rolls with a cap.

Targets are integers, elementwise over arrays of any shape.
"""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import GOAL, LOW, PLAIN_LOW, Ints, Test
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.questions import asks


@asks("ARAP-002", name="low target of a high goal")
def low_target(rules: Arap, goal: int) -> int:
    """Return what "goal or more" of a 2.3 chapter is as "target or less" (ARAP-002).

    Parameters
    ----------
    rules : Arap
    goal : int
        The goal printed in the older chapter, 2 to 6.

    Raises
    ------
    ValueError
        If no low roll has the chance of that goal.
    """
    if not 2 <= goal <= 6:
        raise ValueError(f"expected a goal from 2 to 6, got {goal}")
    return rules.tables.conversion.sum - goal


@asks("ARAP-002", name="chance of a high goal")
def converted_chance(rules: Arap, goal: int) -> Fraction:
    """Return the chance of a to-hit roll printed as "goal or more", rolled low (ARAP-002).

    Parameters
    ----------
    rules : Arap
    goal : int
        The goal printed in the older chapter, 2 to 6.
    """
    return LOW.chance(low_target(rules, goal))


@asks("ARAP-002", name="one-in-six event")
def one_in_six() -> Fraction:
    """Return the chance of a one-in-six event, which is now a roll of 6 (ARAP-002)."""
    return GOAL.chance(6)


@asks("ARAP-007", name="skill of an 8th-edition profile")
def converted_skill(rules: Arap, printed: int) -> int:
    """Return the Weapon or Ballistic Skill of a profile that prints "printed+" (ARAP-007).

    Parameters
    ----------
    rules : Arap
    printed : int
        The goal on the profile, 2 to 6.
    """
    return low_target(rules, printed)


def to_hit(rules: Arap) -> Test:
    """Return the to-hit roll: low, a natural 6 misses (ARAP-005)."""
    return LOW if rules.rulings.extended_to_hit("allowed") else PLAIN_LOW


def hit_target(rules: Arap, skill: Argument, modifiers: Argument) -> Ints:
    """Return the target of a to-hit roll, capped after all modifiers (ARAP-005, ARAP-006).

    Parameters
    ----------
    rules : Arap
    skill, modifiers : int or array of int
        BS or WS; the sum of all modifiers.
    """
    return np.asarray(np.minimum(rules.tables.to_hit.best, skill + modifiers))


@asks("ARAP-005", "ARAP-006", name="low roll")
def low_roll_to_hit(rules: Arap, base: int, modifiers: int = 0) -> Fraction:
    """Return the chance to hit (ARAP-005, ARAP-006).

    Parameters
    ----------
    rules : Arap
    base : int
        BS or WS.
    modifiers : int
        The sum of all modifiers; positive ones help.
    """
    return to_hit(rules).chance(int(hit_target(rules, base, modifiers)))


@asks("ARAP-006", name="effective target")
def effective_target(rules: Arap, skill: int, modifiers: int = 0) -> int:
    """Return the target that is left of a skill: a surplus above the cap soaks up penalties (ARAP-006).

    Parameters
    ----------
    rules : Arap
    skill : int
        BS or WS.
    modifiers : int
        The sum of all modifiers; positive ones help.
    """
    return int(hit_target(rules, skill, modifiers))


@asks("ARAP-008", name="to hit")
def attack(
    rules: Arap,
    attack: Literal["shooting", "melee"],
    BS: int | None = None,
    WS: int | None = None,
    modifiers: int = 0,
) -> Fraction:
    """Return the chance to hit from the skill that counts: BS for shots, the fighter's own WS for blows (ARAP-008).

    Parameters
    ----------
    rules : Arap
    attack : str
        Shooting or melee.
    BS : int
        Ballistic Skill, for shooting.
    WS : int
        Weapon Skill, for melee; the defender's does not matter.
    modifiers : int
        The sum of all modifiers; positive ones help.

    Raises
    ------
    ValueError
        If the skill that counts is not given.
    """
    name, skill = ("BS", BS) if attack == "shooting" else ("WS", WS)
    if skill is None:
        raise ValueError(f"{attack} needs {name}= (a whole number)")
    return low_roll_to_hit(rules, skill, modifiers)

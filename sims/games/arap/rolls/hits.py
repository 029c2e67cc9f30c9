"""Hitting: low rolls with a cap.

Targets are integers, elementwise over arrays of any shape.
"""

from typing import Annotated, Literal

import numpy as np

from sims.dice import GOAL, LOW, PLAIN_LOW, Bools, Draw, Ints, once
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.inputs import Number
from sims.questions import asks

Target = Annotated[Argument, Number("What the die must not exceed, after modifiers.")]
Value = Annotated[Argument, Number("BS or WS.")]
Modifiers = Annotated[Argument, Number("The sum of all modifiers; positive ones help.")]


@asks("ARAP-002", name="low target of a high goal")
def low_target(book: Arap, goal: int) -> int:
    """Return what "goal or more" of a 2.3 chapter is as "target or less" (ARAP-002).

    Args:
        goal: The goal printed in the older chapter, 2 to 6.

    Raises:
        ValueError: If no low roll has the chance of that goal.
    """
    if not 2 <= goal <= 6:
        raise ValueError(f"expected a goal from 2 to 6, got {goal}")
    return book.tables.conversion.sum - goal


@asks("ARAP-002", name="chance of a high goal", ask="P(passed)")
def converted(book: Arap, goal: int) -> Draw:
    """Return the to-hit roll printed as "goal or more", rolled low (ARAP-002).

    Args:
        goal: The goal printed in the older chapter, 2 to 6.
    """
    return low_roll(low_target(book, goal))


@asks("ARAP-002", name="one-in-six event", ask="P(passed)")
def one_in_six() -> Draw:
    """Return the roll of a one-in-six event, which is now a roll of 6 (ARAP-002)."""
    return once(GOAL, 6)


@asks("ARAP-007", name="skill of an 8th-edition profile")
def converted_skill(book: Arap, printed: int) -> int:
    """Return the Weapon or Ballistic Skill of a profile that prints "printed+" (ARAP-007).

    Args:
        printed: The goal on the profile, 2 to 6.
    """
    return low_target(book, printed)


@asks("ARAP-015", name="extended low roll", ask="P(passed)")
def low_roll(target: Target) -> Draw:
    """Return a low roll: 0, -1 and -2 are a natural 1 and a second die (ARAP-015)."""
    return once(LOW, target)


def can_shoot(BS: Argument) -> Bools:
    """Return whether somebody shoots at all, by the Ballistic Skill on the profile: with 0 nobody does (ARAP-106)."""
    return np.asarray(BS > 0)


@asks("ARAP-005", "ARAP-006", name="low roll", ask="P(passed)")
def hit(book: Arap, base: Value, modifiers: Modifiers = 0) -> Draw:
    """Return the to-hit roll: low, capped after all modifiers, a natural 6 misses (ARAP-005, ARAP-006)."""
    target = hit_target(book, base, modifiers)
    roll = low_roll(target) if book.rulings.extended_to_hit("allowed") else once(PLAIN_LOW, target)
    return roll.named("to hit")


@asks("ARAP-006", name="effective target")
def hit_target(book: Arap, skill: Value, modifiers: Modifiers = 0) -> Ints:
    """Return the target that is left of a skill: a surplus above the cap soaks up penalties (ARAP-005, ARAP-006)."""
    return np.minimum(book.tables.to_hit.best, skill + modifiers)


@asks("ARAP-008", "ARAP-194", name="to hit", ask="P(passed)")
def to_hit(
    book: Arap,
    attack: Literal["shooting", "melee"],
    BS: int | None = None,
    WS: int | None = None,
    modifiers: Modifiers = 0,
) -> Draw:
    """Return the to-hit roll of the skill that counts: BS for shots, the fighter's own WS for blows (ARAP-008).

    Args:
        attack: Shooting or melee.
        BS: Ballistic Skill, for shooting.
        WS: Weapon Skill, for melee; the defender's does not matter.
        modifiers: The sum of all modifiers; positive ones help.

    Raises:
        ValueError: If the skill that counts is not given.
    """
    name, skill = ("BS", BS) if attack == "shooting" else ("WS", WS)
    if skill is None:
        raise ValueError(f"{attack} needs {name}= (a whole number)")
    return hit(book, skill, modifiers)

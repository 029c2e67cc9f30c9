"""Dice against a target: low and high rolls, saves, goals and Leadership.

A `Test` is a kind of roll; what it is rolled against is an integer that each attack or each column of a state
brings along. A test knows its chance by algebra and, separately, how players judge the faces they threw.
A natural face always means the die as it fell.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np

from sims.dice.die import Bools, Ints


@dataclass(frozen=True)
class Test:
    """One roll that passes or fails.

    Attributes:
        name: What players call it.
        dice: D6 that it takes at most; the second and third may stay unthrown on the table.
        chance: The chance to pass against an integer target.
        passes: Whether faces pass: ``passes(target, first, second, ...)``, elementwise.
        needs: What must be rolled, as a player says it, with the target in braces.
    """

    __test__ = False  # not a test case of pytest

    name: str
    dice: int
    chance: Callable[[int], Fraction]
    passes: Callable[..., Bools]
    needs: str = "against {}"

    def named(self, name: str) -> "Test":
        """Return the same roll by the name that it has in its place, with what its own name adds after a comma."""
        _, comma, more = self.name.partition(",")
        return replace(self, name=name + comma + more)

    @property
    def failed(self) -> "Test":
        """The test that passes where this one fails (unsaved wounds, units that break)."""
        return _failed(self)


@cache
def _failed(test: Test) -> Test:
    return Test(
        f"failed {test.name}",
        test.dice,
        lambda target: 1 - test.chance(target),
        lambda target, *faces: ~test.passes(target, *faces),
        test.needs,
    )


def _clamp(low: int, value: int, high: int) -> int:
    return max(low, min(value, high))


def _low_chance(target: int) -> Fraction:
    if target >= 1:
        return Fraction(min(target, 5), 6)
    return Fraction(_clamp(0, 3 + target, 3), 36)


def _low_passes(target: Ints, first: Ints, second: Ints) -> Bools:
    plain = (first <= target) & (first != 6)
    return np.where(target >= 1, plain, (first == 1) & (second <= 3 + target))


LOW = Test("low roll", 2, _low_chance, _low_passes, "{} or less")
"""Equal or under; a natural 6 misses, so 5 is the best target. Targets 0, -1 and -2 are 1/3-, 1/2- and 1/1: a
natural 1, then a second die of at most 3, 2 or 1. Lower is impossible (ARAP-005, ARAP-015)."""


PLAIN_LOW = Test(
    "plain low roll",
    1,
    lambda target: Fraction(_clamp(0, target, 5), 6),
    lambda target, face: (face <= target) & (face != 6),
    "{} or less",
)
"""Equal or under on one die; a natural 6 misses and targets below 1 are impossible."""


def _high_chance(goal: int) -> Fraction:
    if goal <= 6:
        return Fraction(7 - max(goal, 2), 6)
    return Fraction(_clamp(0, 10 - goal, 3), 36)


def _high_passes(goal: Ints, first: Ints, second: Ints) -> Bools:
    plain = (first >= goal) & (first != 1)
    return np.where(goal <= 6, plain, (first == 6) & (second >= goal - 3))


HIGH = Test("high roll", 2, _high_chance, _high_passes, "{}+")
"""Equal or over; a natural 1 fails. Goals 7, 8 and 9 are 6/4+, 6/5+ and 6/6: a natural 6, then a second die of at
least 4, 5 or 6. Higher is impossible (ARAP-009, ARAP-011, ARAP-014)."""


def _goal_chance(goal: int) -> Fraction:
    return Fraction(_clamp(0, 7 - max(goal, 2), 5), 6)


GOAL = Test(
    "goal",
    1,
    _goal_chance,
    lambda goal, face: (face >= goal) & (face != 1),
    "{}+",
)
"""Equal or over on one die; a natural 1 fails and goals above 6 are impossible."""


UNDER = Test(
    "equal or under",
    1,
    lambda value: Fraction(_clamp(0, value, 6), 6),
    lambda value, face: face <= value,
    "{} or less",
)
"""Equal or under on one die with no automatic failure (ARAP-021)."""


def _two_dice_at_most(target: int) -> int:
    return sum(max(0, min(6, target - face)) for face in range(1, 7))


LEADERSHIP = Test(
    "Leadership test",
    2,
    lambda target: Fraction(max(1, _two_dice_at_most(target)), 36),
    lambda target, a, b: (a + b <= target) | (a + b == 2),
    "{} or less",
)
"""2D6 equal or under; a double 1 always passes (ARAP-012)."""

PLAIN_LEADERSHIP = Test(
    "plain Leadership test",
    2,
    lambda target: Fraction(_two_dice_at_most(target), 36),
    lambda target, a, b: a + b <= target,
    "{} or less",
)
"""2D6 equal or under, with no automatic pass."""


def _twice(chance: Fraction) -> Fraction:
    """Return the chance that at least one of two tries succeeds."""
    return 1 - (1 - chance) ** 2


def _best_of_two_chance(goal: int) -> Fraction:
    if goal <= 6:
        return _twice(_high_chance(goal))
    return _twice(Fraction(1, 6)) * 6 * _high_chance(goal)


BEST_OF_TWO = Test(
    "high roll, best of two",
    3,
    _best_of_two_chance,
    lambda goal, a, b, confirm: _high_passes(goal, np.maximum(a, b), confirm),
)
"""A high roll whose first die is the better of two; goals 7 to 9 are confirmed by a third die (ARAP-004)."""


def _best_of_two_twice_chance(goal: int) -> Fraction:
    if goal <= 6:
        return _twice(_high_chance(goal))
    return _twice(Fraction(1, 6)) * _twice(6 * _high_chance(goal))


BEST_OF_TWO_TWICE = Test(
    "high roll, best of two twice",
    4,
    _best_of_two_twice_chance,
    lambda goal, a, b, c, d: _high_passes(goal, np.maximum(a, b), np.maximum(c, d)),
)
"""The same, where the confirming die is the better of two as well (ARAP-004)."""


@cache
def rerolled(test: Test) -> Test:
    """Return the test with a failure rolled once more (twin-linked)."""

    def passes(target: Ints, *faces: Ints) -> Bools:
        first, second = faces[: test.dice], faces[test.dice :]
        return test.passes(target, *first) | test.passes(target, *second)

    return Test(
        f"{test.name}, failures re-rolled",
        2 * test.dice,
        lambda target: _twice(test.chance(target)),
        passes,
        test.needs,
    )

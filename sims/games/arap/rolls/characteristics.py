"""Tests against characteristics: Leadership with two dice, all others with one."""

from fractions import Fraction
from typing import Annotated, Literal

from sims.dice import LEADERSHIP, PLAIN_LEADERSHIP, PLAIN_LOW, UNDER, Draw, Test, once, rerolled
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.rolls.hits import Target, low_roll
from sims.games.arap.tables import TestClass
from sims.inputs import Number, Strength
from sims.questions import asks

Kind = Literal[
    "pinning",
    "heavy_casualties",
    "suppression",
    "rout",
    "dangerous_ground",
    "rally",
    "not_pursuing",
    "halting_pursuit",
    "breaking_off",
    "confusion",
]
"""The kinds of Leadership test (ARAP-013)."""
Bonus = Annotated[int, Number("What a weapon adds to Strength.", -9, 9)]
Passes = Literal["none", "every_test", "morale_checks", Kind]
"""What a unit passes by its special rules: nothing, all tests, morale checks, or one kind of test (ARAP-013)."""


@asks("ARAP-013", name="class of a Leadership test")
def class_of(book: Arap, test: Kind) -> TestClass:
    """Return whether a test is a morale check, a control roll or a plain Leadership test (ARAP-013).

    Args:
        test: What is tested for.
    """
    if test == "pinning" and book.rulings.pinning_class("plain"):
        return "plain"
    return book.tables.leadership_tests.classes[test]


@asks("ARAP-013", name="passes without a roll")
def passes_unrolled(book: Arap, test: Kind, passes: Passes) -> bool:
    """Return whether a unit passes a test without rolling (ARAP-013).

    Args:
        test: What is tested for.
        passes: What the unit's special rules let it pass.
    """
    if passes == "morale_checks":
        return class_of(book, test) == "morale"
    return passes in {"every_test", test}


def leadership_test(book: Arap, test: Kind) -> Test:
    """Return the roll of 2D6 against Leadership, for a kind of test (ARAP-012)."""
    return LEADERSHIP if class_of(book, test) == "morale" else plain_test(book)


def plain_test(book: Arap) -> Test:
    """Return the roll of 2D6 against Leadership for a test that is no morale check (ARAP-012)."""
    return LEADERSHIP if book.rulings.double_one("every_test") else PLAIN_LEADERSHIP


def leadership(book: Arap, target: Argument, test: Kind, rerolls: bool = False) -> Draw:
    """Return a test against Leadership, modifiers among it (ARAP-012).

    Args:
        rerolls: Whether those who test know no fear, and roll again what they fail and may (ARAP-210).
    """
    rolled = leadership_test(book, test)
    return once(rerolled(rolled) if rerolls and may_reroll(book, test) else rolled, target)


def may_reroll(book: Arap, test: Kind) -> bool:
    """Return whether those who know no fear may roll a failed test again (ARAP-210)."""
    return test in ("rout", "rally") or (
        book.rulings.morale_rerolls("every_check") and class_of(book, test) == "morale"
    )


@asks("ARAP-210", name="test that may be rolled again", needs=("ARAP-204", "ARAP-208"))
def rolled_again(book: Arap, target: int, test: Kind = "rout") -> Fraction:
    """Return the chance of those who know no fear to pass a test against Leadership (ARAP-210).

    Args:
        target: Leadership plus modifiers.
        test: What is tested for.
    """
    return leadership(book, target, test, rerolls=True).pmf[1]


@asks("ARAP-012", "ARAP-013", name="Leadership test")
def leadership_of_unit(book: Arap, target: int, test: Kind = "rout", passes: Passes = "none") -> Fraction:
    """Return the chance to pass a test against Leadership (ARAP-012).

    Args:
        target: Leadership plus modifiers.
        test: What is tested for.
        passes: What the unit's special rules let it pass.
    """
    return Fraction(1) if passes_unrolled(book, test, passes) else leadership(book, target, test).pmf[1]


@asks("ARAP-039", name="doubled Strength")
def doubled_strength(S: Strength, weapon: Bonus = 0, doubled: Literal["user", "attack"] = "user") -> int:
    """Return the Strength of a blow where something is doubled: first comes what acts on the user alone (ARAP-039).

    Args:
        S: Of the user.
        weapon: What the weapon adds.
        doubled: Whether it is the user's Strength that is doubled, or that of the attack.
    """
    return int(2 * S + weapon if doubled == "user" else 2 * (S + weapon))


@asks("ARAP-020", name="Initiative test", ask="P(passed)")
def initiative(book: Arap, target: Target) -> Draw:
    """Return the Initiative test: a low roll, a natural 6 fails (ARAP-020).

    Args:
        target: Initiative plus modifiers.
    """
    return low_roll(target) if book.rulings.extended_initiative("allowed") else once(PLAIN_LOW, target)


@asks("ARAP-021", name="Strength or Toughness test", ask="P(passed)")
def characteristic(value: int, six_fails: bool = False) -> Draw:
    """Return the test against Strength, Toughness and the like (ARAP-021).

    Args:
        value: The characteristic plus modifiers.
        six_fails: Whether the game master lets a natural 6 fail.
    """
    return once(PLAIN_LOW if six_fails else UNDER, value)

"""Tests against characteristics: Leadership with two dice, all others with one."""

from fractions import Fraction
from typing import Literal

from sims.dice import LEADERSHIP, LOW, PLAIN_LEADERSHIP, PLAIN_LOW, UNDER, Test
from sims.games.arap.book import Arap
from sims.games.arap.tables import TestClass
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
Passes = Literal["none", "every_test", "morale_checks", Kind]
"""What a unit passes by its special rules: nothing, all tests, morale checks, or one kind of test (ARAP-013)."""


@asks("ARAP-013", name="class of a Leadership test")
def class_of(rules: Arap, test: Kind) -> TestClass:
    """Return whether a test is a morale check, a control roll or a plain Leadership test (ARAP-013).

    Parameters
    ----------
    rules : Arap
    test : str
        What is tested for.
    """
    if test == "pinning" and rules.rulings.pinning_class("plain"):
        return "plain"
    return rules.tables.leadership_tests.classes[test]


@asks("ARAP-013", name="passes without a roll")
def passes_unrolled(rules: Arap, test: Kind, passes: Passes) -> bool:
    """Return whether a unit passes a test without rolling (ARAP-013).

    Parameters
    ----------
    rules : Arap
    test : str
        What is tested for.
    passes : str
        What the unit's special rules let it pass.
    """
    if passes == "morale_checks":
        return class_of(rules, test) == "morale"
    return passes in {"every_test", test}


def leadership(rules: Arap, test: Kind) -> Test:
    """Return the roll of 2D6 against Leadership, for a kind of test (ARAP-012)."""
    if rules.rulings.double_one("every_test") or class_of(rules, test) == "morale":
        return LEADERSHIP
    return PLAIN_LEADERSHIP


@asks("ARAP-012", "ARAP-013", name="Leadership test")
def leadership_chance(rules: Arap, target: int, test: Kind = "rout", passes: Passes = "none") -> Fraction:
    """Return the chance to pass a test against Leadership (ARAP-012).

    Parameters
    ----------
    rules : Arap
    target : int
        Leadership plus modifiers.
    test : str
        What is tested for.
    passes : str
        What the unit's special rules let it pass.
    """
    return Fraction(1) if passes_unrolled(rules, test, passes) else leadership(rules, test).chance(target)


def initiative(rules: Arap) -> Test:
    """Return the Initiative test: a low roll, a natural 6 fails (ARAP-020)."""
    return LOW if rules.rulings.extended_initiative("allowed") else PLAIN_LOW


@asks("ARAP-020", name="Initiative test")
def initiative_chance(rules: Arap, target: int) -> Fraction:
    """Return the chance to pass an Initiative test (ARAP-020).

    Parameters
    ----------
    rules : Arap
    target : int
        Initiative plus modifiers.
    """
    return initiative(rules).chance(target)


@asks("ARAP-021", name="Strength or Toughness test")
def characteristic_chance(value: int, six_fails: bool = False) -> Fraction:
    """Return the chance to pass a test against Strength, Toughness and the like (ARAP-021).

    Parameters
    ----------
    value : int
        The characteristic plus modifiers.
    six_fails : bool
        Whether the game master lets a natural 6 fail.
    """
    return (PLAIN_LOW if six_fails else UNDER).chance(value)

"""Rolls against a target: chance and judgement of faces, each against brute force."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sims.dice as dice
from tests import oracle

TARGETS = range(-6, 16)
NAMES = sorted(oracle.TESTS)


@pytest.mark.parametrize("name", NAMES)
def test_chance(name):
    test = getattr(dice, name)
    assert [test.chance(t) for t in TARGETS] == [oracle.passing(name, t) for t in TARGETS]


@pytest.mark.parametrize("name", NAMES)
def test_every_fall(name):
    test = getattr(dice, name)
    number, passes = oracle.TESTS[name]
    assert test.dice == number
    fallen = oracle.faces(*[6] * number)
    columns = np.array(fallen, dtype=np.uint8).T
    for target in TARGETS:
        judged = test.passes(np.full(len(fallen), target), *columns)
        assert judged.tolist() == [bool(passes(target, *f)) for f in fallen]


@pytest.mark.parametrize("name", NAMES)
def test_failed(name):
    test = getattr(dice, name).failed
    assert [test.chance(t) for t in TARGETS] == [1 - oracle.passing(name, t) for t in TARGETS]
    number, passes = oracle.TESTS[name]
    fallen = oracle.faces(*[6] * number)
    judged = test.passes(np.full(len(fallen), 4), *np.array(fallen).T)
    assert judged.tolist() == [not passes(4, *f) for f in fallen]


@pytest.mark.parametrize("name", ["GOAL", "HIGH", "LOW", "UNDER", "LEADERSHIP"])
def test_rerolled(name):
    test = dice.rerolled(getattr(dice, name))
    number, passes = oracle.TESTS[name]
    fallen = oracle.faces(*[6] * (2 * number))
    columns = np.array(fallen).T
    for target in (-1, 1, 3, 5, 7, 9):
        assert test.chance(target) == oracle.rerolled_chance(name, target)
        judged = test.passes(np.full(len(fallen), target), *columns)
        expected = [bool(passes(target, *f[:number]) or passes(target, *f[number:])) for f in fallen]
        assert judged.tolist() == expected


@pytest.mark.parametrize("name", NAMES)
def test_each_column_has_its_own_target(name):
    test = getattr(dice, name)
    number, passes = oracle.TESTS[name]
    fallen = [(f,) * number for f in range(1, 7) for _ in TARGETS]
    targets = [t for _ in range(1, 7) for t in TARGETS]
    judged = test.passes(np.array(targets), *np.array(fallen).T)
    assert judged.tolist() == [bool(passes(t, *f)) for t, f in zip(targets, fallen, strict=True)]


@pytest.mark.parametrize("name", NAMES)
@given(target=st.integers(-20, 20))
def test_easier_targets_are_passed_more_often(name, target):
    test = getattr(dice, name)
    more = 1 if name in {"LOW", "PLAIN_LOW", "UNDER", "LEADERSHIP", "PLAIN_LEADERSHIP"} else -1
    assert 0 <= test.chance(target) <= test.chance(target + more) <= 1


@given(save=st.integers(-3, 12))
def test_a_better_save_never_costs_more(save):
    assert dice.HIGH.failed.chance(save) >= dice.HIGH.failed.chance(save - 1)


def test_equal_tests_are_one():
    """Tables are kept by test; a new object for each call would never be found again."""
    assert dice.rerolled(dice.HIGH) is dice.rerolled(dice.HIGH)
    assert dice.HIGH.failed is dice.HIGH.failed


def test_natural_faces_at_the_ends():
    assert dice.LOW.chance(99) == dice.HIGH.chance(-99) == Fraction(5, 6)
    assert dice.UNDER.chance(6) == dice.LEADERSHIP.chance(12) == 1

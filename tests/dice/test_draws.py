"""Draws that are not thrown yet, and rules under exact dice."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.answers import reduce
from sims.dice import (
    D2,
    D6,
    GOAL,
    LEADERSHIP,
    PMF,
    Draw,
    ExactDice,
    Throw,
    Volley,
    exactly,
    once,
    passes,
    roll,
    together,
)

HITS = Draw(Volley((GOAL, GOAL)), (2, 4, 5))


def by_hand(attacks: list[tuple[int, int]]) -> dict[int, Fraction]:
    """How many of some attacks hit and wound, each with its two goals: by going through all outcomes."""
    found: dict[int, Fraction] = {}
    for outcome in product((True, False), repeat=len(attacks)):
        chances = [Fraction(7 - hit, 6) * Fraction(7 - wound, 6) for hit, wound in attacks]
        p = Fraction(1)
        for success, chance in zip(outcome, chances, strict=True):
            p *= chance if success else 1 - chance
        found[sum(outcome)] = found.get(sum(outcome), Fraction(0)) + p
    return found


def test_the_distribution_of_a_draw():
    assert dict(HITS.pmf) == by_hand([(4, 5), (4, 5)])


def test_draws_are_added_up_and_capped():
    both = together([HITS.by("one"), Draw(Volley((GOAL, GOAL)), (1, 2, 2)).by("other")])
    expected = by_hand([(4, 5), (4, 5), (2, 2)])
    assert dict(both.pmf) == expected
    assert dict(both.up_to(1).pmf) == {0: expected[0], 1: 1 - expected[0]}
    assert both.up_to(None) is both


def test_a_volley_is_led_on_test_by_test():
    """One attack that hits on 4+ and wounds on 5+, twice over; then with as many hits as a D2 says."""
    hits, wounds = once(GOAL, 4), once(GOAL, 5)
    one = hits.then(wounds)
    assert dict(one.times(2).pmf) == by_hand([(4, 5), (4, 5)])
    assert dict(one.times(0).pmf) == {0: 1}
    single, double = by_hand([(4, 5)]), by_hand([(4, 5), (4, 5)])
    expected = {n: (single.get(n, 0) + double[n]) / 2 for n in double}
    assert dict(one.hitting(D2).pmf) == expected


def test_words_stand_for_answers_that_cannot_come_up_too():
    """A need of 7 is never rolled, and the chance to pass can be asked for all the same."""
    assert reduce(once(GOAL, 7).pmf, "P(passed)") == 0


def test_a_draw_is_made_for_every_state():
    dice = ExactDice(np.array([Fraction(1, 2), Fraction(1, 2)], dtype=object))
    wounds = Draw(Volley((GOAL,)), (np.array([0, 1]), 4)).made(dice, "blows")
    assert (dice.weights * wounds).sum() == Fraction(1, 4)


def test_answers_that_are_codes_have_names():
    assert Draw(Volley((LEADERSHIP,)), (1, 7)).pmf.names == {0: "failed", 1: "passed"}
    assert Draw(Volley((LEADERSHIP.failed,)), (1, 7)).pmf.names == {0: "passed", 1: "failed"}
    assert HITS.pmf.names == {}


def test_a_rule_under_exact_dice():
    def rule(dice, most):
        first = roll(dice, "first", D6)
        return np.minimum(first + roll(dice, "second", D6, first > 3), most)

    expected: dict[int, Fraction] = {}
    for first, second in product(range(1, 7), repeat=2):
        total = min(first + (second if first > 3 else 0), 8)
        expected[total] = expected.get(total, Fraction(0)) + Fraction(1, 36)
    assert dict(exactly(rule, 8)) == expected
    assert exactly(rule, most=3) == PMF.of({1: 1, 2: 1, 3: 4})


def test_a_truth_is_1_or_0():
    assert exactly(lambda dice: passes(dice, "morale", LEADERSHIP, 7)) == PMF.chance(Fraction(21, 36))


@pytest.mark.parametrize("n", [0, 3])
def test_a_draw_of_dice_added_up(n):
    assert Draw(Throw(D6), (n,)).pmf == n @ PMF.die(6)

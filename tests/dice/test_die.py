"""Dice as they fall, face by face, against brute force and against their own algebra."""

import numpy as np
import pytest

from sims.dice import AVERAGE, D2, D3, D5, D6, D10, D66, D100, fair, pick
from sims.dice import die as dice
from sims.errors import BudgetError
from tests import oracle

DICE = [
    (D6, [6], lambda face: face),
    (D10, [10], lambda face: face),
    (fair(4), [4], lambda face: face),
    (D3, [6], oracle.d3),
    (D5, [10], oracle.d5),
    (D2, [6], oracle.d2),
    (D100, [10, 10], oracle.d100),
    (D66, [6, 6], oracle.d66),
    (AVERAGE, [6], oracle.average),
    (2 @ D6, [6, 6], lambda a, b: a + b),
    (3 @ D3, [6, 6, 6], lambda *fallen: sum(map(oracle.d3, fallen))),
    (2 @ AVERAGE, [6, 6], lambda a, b: oracle.average(a) + oracle.average(b)),
    (pick(3, D6, 2), [6] * 3, oracle.picked(2, True)),
    (pick(3, D6, 2, highest=False), [6] * 3, oracle.picked(2, False)),
    (pick(4, D6, 2), [6] * 4, oracle.picked(2, True)),
    (pick(2, D10, 1), [10] * 2, oracle.picked(1, True)),
    (dice.SCATTER, [6, 6], oracle.scatter),
    (dice.SCATTER_AS_GW, [6, 6], oracle.scatter_as_gw),
    (dice.SCATTER_ONLY, [6, 6], oracle.scatter_only),
    (dice.SHORT_SCATTER, [6, 6], oracle.short_scatter),
    (dice.SHORT_SCATTER_ONLY, [6, 6], oracle.short_scatter_only),
    (dice.VEER, [6, 6], oracle.veer),
    (dice.CRAZED, [6, 6], oracle.crazed),
    (dice.CRAZED_MOVE, [6, 6], oracle.crazed_move),
    (dice.SCATTER_THREE, [6] * 3, oracle.three_dice(oracle.top_two_match)),
    (dice.SCATTER_THREE_ANY, [6] * 3, oracle.three_dice(oracle.any_two_match)),
    (dice.SCATTER_THREE_BASE, [6] * 3, oracle.three_dice(oracle.pointer_and_base_match)),
    (dice.DOUBLE_OF_THREE, [6] * 3, lambda *fallen: int(oracle.top_two_match(*fallen))),
    (dice.DOUBLE_OF_THREE_ANY, [6] * 3, lambda *fallen: int(oracle.any_two_match(*fallen))),
    (dice.DOUBLE_OF_THREE_BASE, [6] * 3, lambda *fallen: int(oracle.pointer_and_base_match(*fallen))),
    *[(dice.scatter_less(skill), [6, 6], oracle.scatter_less(skill)) for skill in range(-3, 13)],
]


@pytest.mark.parametrize(("die", "sides", "score"), DICE, ids=lambda value: getattr(value, "name", ""))
def test_algebra(die, sides, score):
    assert dict(die.pmf) == oracle.scored(sides, score)


@pytest.mark.parametrize(("die", "sides", "score"), DICE, ids=lambda value: getattr(value, "name", ""))
def test_every_fall(die, sides, score):
    assert die.sides == tuple(sides)
    fallen = oracle.faces(*sides)
    read = die.read(*np.array(fallen).T)
    assert read.tolist() == [score(*f) for f in fallen]


def test_faces_may_have_any_shape():
    assert (2 @ D3).read(np.full((4, 5), 6), np.full((4, 5), 4)).tolist() == np.full((4, 5), 4).tolist()


def test_a_die_has_a_side():
    with pytest.raises(ValueError, match="at least one side"):
        fair(0)


def test_too_many_dice_are_refused():
    with pytest.raises(BudgetError, match="expected at most"):
        pick(10_000, D6, 2)


def test_dice_are_equal_that_are_thrown_and_read_alike_whoever_makes_them():
    assert 2 @ D6 == 2 @ D6
    assert hash(pick(3, D6, 2)) == hash(pick(3, D6, 2))
    assert 2 @ D6 != 3 @ D6
    assert fair(3) != D3  # which is read off a D6

"""Wounds on models that do not fall alike, by the 5th edition (BASE-040): worked out by hand."""

from fractions import Fraction

import numpy as np
import pytest

from sims.dice import ExactDice
from sims.games.wh40k.allotment import Dealt, Kind, borne, first_of, ordinary_first
from sims.games.wh40k.book import Fifth
from sims.profiles import library
from sims.scenario import Body

OGRE = Body(library().units["ogre"].model_copy(update={"W": 2, "Sv": None}), (0,))
PLAIN, SLAYING = Kind(5), Kind(10)


@pytest.mark.parametrize(
    ("models", "hurt", "here", "dealt", "expected"),
    [
        (1, 1, False, [(PLAIN, 2)], (1, 1, 2)),  # one hurt elsewhere: his wound is carried on, and one is left over
        (1, 1, True, [(PLAIN, 2)], (1, 0, 1)),  # he himself: he can take one, the other is lost
        (2, 1, True, [(SLAYING, 1)], (1, 1, 1)),  # an unhurt one is slain
        (2, 1, True, [(SLAYING, 1), (PLAIN, 1)], (2, 0, 2)),
        (1, 0, True, [(SLAYING, 1), (PLAIN, 1)], (1, 0, 2)),
        (0, 1, True, [(PLAIN, 0)], (0, 1, 0)),  # nobody is here: what one carries elsewhere stays
    ],
)
def test_models_without_a_save_bear_wounds(models, hurt, here, dealt, expected):
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    given = [Dealt(kind, np.array([n])) for kind, n in dealt]
    found = borne(dice, Fifth.load(), OGRE, np.array([models]), np.array([hurt]), np.array([here]), given)
    assert tuple(n.item() for n in found) == expected


def test_ordinary_models_are_given_the_strongest():
    """Of five wounds, three of them strong, the leader has two by the count: those that are left are weak."""
    dealt = [
        [Dealt(SLAYING, np.array([2])), Dealt(PLAIN, np.array([0]))],
        [Dealt(SLAYING, np.array([1])), Dealt(PLAIN, np.array([2]))],
    ]
    leader, men = ordinary_first(dealt)
    assert [n.item() for _, n in leader] == [0, 2]
    assert [n.item() for _, n in men] == [3, 0]
    assert [n.item() for _, n in first_of(dealt[1], np.array([2]))] == [1, 1]

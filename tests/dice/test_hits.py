"""An answer with its hits beside it: against every fall of the dice, and against what one works out by hand."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest

from sims.dice import GOAL, PMF, UNDER, AtRandom, Capped, Evenly, InOrder, Mechanic, Total, Volley
from sims.dice.hits import harming, one_after_the_other
from sims.dice.mechanics import Beside, tell, words_of
from tests.dice.test_finding import thrown as thrown_in_turn
from tests.dice.test_mechanics import thrown

SHOTS = Volley((UNDER, GOAL))
DIGIT = 100
SHOT = {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 3), (1, 1): Fraction(1, 6)}
"""Hits on 3 or less, wounds on 5+: hits and wounds of one."""
SURE = {(0, 0): Fraction(1, 6), (1, 0): Fraction(5, 12), (1, 1): Fraction(5, 12)}
"""Hits on 5 or less, wounds on 4+."""


def expected(matter: int, *shots: dict[tuple[int, int], Fraction], most: int = 9) -> dict[int, Fraction]:
    """What shots come to: at most so many wounds, and 100 for each hit that is lacking."""
    found = Counter[int]()
    for falls in product(*(shot.items() for shot in shots)):
        hits, wounds = (sum(fall[0][i] for fall in falls) for i in (0, 1))
        chance = Fraction(1)
        for _, share in falls:
            chance *= share
        found[min(wounds, most) + DIGIT * max(matter - hits, 0)] += chance
    return dict(sorted(found.items()))


@pytest.mark.parametrize("matter", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("mechanic", "arguments", "shots", "most"),
    [
        (SHOTS, (3, 3, 5), [SHOT] * 3, 9),
        (SHOTS, (0, 3, 5), [], 9),
        (Capped(SHOTS), (3, 3, 5, 1), [SHOT] * 3, 1),
        (Total((SHOTS, SHOTS)), (2, 3, 5, 1, 5, 4), [SHOT, SHOT, SURE], 9),
        (Capped(Total((SHOTS, SHOTS))), (1, 3, 5, 1, 5, 4, 1), [SHOT, SURE], 1),
    ],
)
def test_hits_beside_wounds(mechanic, arguments, shots, most, matter):
    beside = Beside(mechanic, DIGIT)
    assert dict(beside.pmf(*arguments, matter)) == expected(matter, *shots, most=most)
    assert thrown(beside, *arguments, matter) == expected(matter, *shots, most=most)


@pytest.mark.parametrize("matter", [0, 1, 2])
@pytest.mark.parametrize("finding", [InOrder, AtRandom, Evenly])
@pytest.mark.parametrize("bodies", [(2, 1, 0, 1, 1, 0), (1, 1, 0, 0, 1, 0)])
def test_hits_that_find_somebody_are_counted_and_so_are_those_that_find_nobody_left(finding, bodies, matter):
    """Two shots that have to hit, and one that is no hit to be counted; men may be slain before the last of them."""
    mechanic = finding((SHOTS, Volley((UNDER,)), Volley(())), 2, 10, aimed=(True, True, False))
    arguments = (*bodies, 1, 3, 5, 3, 5, 1, 4, 4, 1)
    law = Beside(mechanic, DIGIT).pmf(*arguments, matter)
    assert dict(law) == thrown_in_turn(Beside(mechanic, DIGIT), (*arguments, matter), {})
    assert law.map(lambda both: both % DIGIT) == mechanic.pmf(*arguments)
    hits = PMF.chance(Fraction(1, 2)) + PMF.chance(Fraction(2, 3))
    assert law.map(lambda both: both // DIGIT) == hits.map(lambda n: max(matter - n, 0))


def test_a_hit_may_count_for_many():
    one = harming(9, PMF.chance(Fraction(1, 2)), Fraction(1, 2), each=4)
    assert one == {(0, 0): Fraction(1, 2), (4, 0): Fraction(1, 4), (4, 1): Fraction(1, 4)}
    assert one_after_the_other(5, [one, one]) == {
        (0, 0): Fraction(1, 4),
        (4, 0): Fraction(1, 4),
        (4, 1): Fraction(1, 4),
    }


def faces(*shown: int) -> Iterable[str]:
    """What is told of three shots, of which one more hit would matter than there is."""
    dice = iter(shown)
    return tell(Beside(SHOTS, DIGIT), lambda part, sides, row: next(dice), 3, 3, 5, 2)


def test_it_is_told_as_the_throws_that_it_is():
    assert list(faces(2, 6, 4, 5)) == list(tell_alone(SHOTS, 2, 6, 4, 5))
    words = words_of(Beside(SHOTS, DIGIT), 3, 3, 5, 2)
    assert (words[1], words[101], words[200]) == ("1, by 2 hits or more", "1, by 1 hit", "0, by no hits")
    assert words_of(Beside(SHOTS, DIGIT), 3, 3, 5, 0) == words_of(SHOTS, 3, 3, 5)


def tell_alone(mechanic: Mechanic, *shown: int) -> Iterable[str]:
    dice = iter(shown)
    return tell(mechanic, lambda part, sides, row: next(dice), 3, 3, 5)

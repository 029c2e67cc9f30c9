"""What rules ask for: the algebra against brute force, and every way the physical dice can fall against the algebra."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dice import (
    D3,
    D6,
    GOAL,
    HIGH,
    LEADERSHIP,
    LOW,
    PMF,
    UNDER,
    Capped,
    Mechanic,
    Share,
    Throw,
    Total,
    Volley,
    pick,
    rerolled,
)
from tests import oracle

HITS = oracle.scored([6], oracle.d3)
SHOTS = Volley((UNDER, GOAL, GOAL.failed))
GRENADES = Volley((GOAL,), hits=D3)


def thrown(mechanic: Mechanic, *arguments: int) -> oracle.Chances:
    """The distribution of what physical dice give: every face of every die, one column each."""
    asked: list[tuple[str, int, int]] = []

    def note(part: str, sides: int, rows: int) -> np.ndarray:
        asked.append((part, sides, rows))
        return np.ones((rows, 1), dtype=np.uint8)

    mechanic.throw(note, *(np.array([a]) for a in arguments))
    dice = [(part, sides) for part, sides, rows in asked for _ in range(rows)]
    assert len({part for part, _, _ in asked}) == len(asked), "each part is thrown once"
    falls = np.array(list(product(*(range(1, sides + 1) for _, sides in dice))), dtype=np.uint8)
    rows_of = {part: [i for i, (name, _) in enumerate(dice) if name == part] for part, _, _ in asked}

    def cast(part: str, sides: int, rows: int) -> np.ndarray:
        return falls[:, rows_of[part]].T

    answers = mechanic.throw(cast, *(np.full(len(falls), a) for a in arguments))
    counts = Counter(answers.tolist())
    return {k: Fraction(counts[k], len(falls)) for k in sorted(counts)}


CASES = [
    (Throw(D6), (2,), oracle.scored([6, 6], lambda a, b: a + b)),
    (Throw(D6), (0,), {0: Fraction(1)}),
    (Throw(2 @ D3), (2,), oracle.scored([6] * 4, lambda *f: sum(map(oracle.d3, f)))),
    (Throw(pick(3, D6, 2)), (1,), oracle.scored([6] * 3, oracle.picked(2, True))),
    (Volley((GOAL,)), (0, 4), {0: Fraction(1)}),
    (Volley((GOAL,)), (3, 5), oracle.volley(3, oracle.passing("GOAL", 5))),
    (Volley((HIGH,)), (2, 7), oracle.volley(2, oracle.passing("HIGH", 7))),
    (Volley((LOW,)), (2, -1), oracle.volley(2, oracle.passing("LOW", -1))),
    (Volley((LEADERSHIP,)), (1, 8), oracle.volley(1, oracle.passing("LEADERSHIP", 8))),
    (Volley((rerolled(GOAL),)), (2, 4), oracle.volley(2, oracle.rerolled_chance("GOAL", 4))),
    (
        SHOTS,
        (2, 3, 4, 5),
        oracle.volley(2, oracle.passing("UNDER", 3), oracle.passing("GOAL", 4), 1 - oracle.passing("GOAL", 5)),
    ),
    (
        Volley((LOW, HIGH)),
        (1, 0, 8),
        oracle.volley(1, oracle.passing("LOW", 0), oracle.passing("HIGH", 8)),
    ),
    (GRENADES, (1, 5), oracle.bursts(1, HITS, oracle.passing("GOAL", 5))),
    (
        Volley((GOAL, GOAL), hits=D3),
        (1, 3, 6),
        oracle.bursts(1, HITS, oracle.passing("GOAL", 3), oracle.passing("GOAL", 6)),
    ),
    (
        Total((Volley((GOAL,)), Volley((GOAL,)), Throw(D3))),
        (2, 4, 1, 6, 1),
        oracle.added(oracle.volley(2, oracle.passing("GOAL", 4)), oracle.volley(1, oracle.passing("GOAL", 6)), HITS),
    ),
    (Capped(Volley((GOAL,))), (3, 2, 2), oracle.capped(oracle.volley(3, oracle.passing("GOAL", 2)), 2)),
    (Capped(Throw(D6)), (1, 4), oracle.capped(oracle.scored([6], lambda a: a), 4)),
    (Capped(Volley((GOAL,))), (3, 2, 0), {0: Fraction(1)}),
    (Share(), (2, 5, 2), oracle.spread(sum(n < 2 for n in picked) for picked in combinations(range(5), 2))),
    (Share(), (3, 4, 3), oracle.spread(sum(n < 3 for n in picked) for picked in combinations(range(4), 3))),
    (Share(), (3, 3, 3), {3: Fraction(1)}),
    (Share(), (0, 3, 1), {0: Fraction(1)}),
]


@pytest.mark.parametrize(("mechanic", "arguments", "expected"), CASES)
def test_algebra(mechanic, arguments, expected):
    assert mechanic.arity == len(arguments)
    assert dict(mechanic.pmf(*arguments)) == expected


@pytest.mark.parametrize(("mechanic", "arguments", "expected"), CASES)
def test_every_fall_of_the_physical_dice(mechanic, arguments, expected):
    assert thrown(mechanic, *arguments) == expected


def test_grenades_in_number():
    """Two grenades, their D3 hits each, every hit to wound: 1296 falls and more, by brute force."""
    assert dict(GRENADES.pmf(2, 4)) == oracle.bursts(2, HITS, oracle.passing("GOAL", 4))
    with_save = Volley((GOAL, GOAL.failed), hits=D3)
    shares = oracle.passing("GOAL", 4), 1 - oracle.passing("GOAL", 3)
    assert dict(with_save.pmf(3, 4, 3)) == oracle.bursts(3, HITS, *shares)


def test_columns_throw_only_what_is_theirs():
    """A column with fewer attacks reads its first dice; the others change nothing."""
    faces = np.array([[6, 6, 6], [1, 6, 6], [1, 6, 6]], dtype=np.uint8)
    hits = Volley((GOAL,)).throw(lambda part, sides, rows: faces[:rows], np.array([3, 2, 0]), np.array([4, 4, 4]))
    assert hits.tolist() == [1, 2, 0]


@given(n=st.integers(0, 30), goal=st.integers(2, 6), save=st.integers(2, 6))
def test_better_saves_and_fewer_shots_never_cost_more(n, goal, save):
    volley = Volley((GOAL, GOAL.failed))
    here = volley.pmf(n, goal, save)
    assert sum(here.chances) == 1
    for worse in (volley.pmf(n + 1, goal, save), volley.pmf(n, goal - 1, save), volley.pmf(n, goal, save + 1)):
        assert all(worse.at_least(k) >= here.at_least(k) for k in range(n + 2))


@given(n=st.integers(0, 12), cap=st.integers(0, 12))
def test_a_cap_keeps_the_mass(n, cap):
    pmf = Capped(Volley((GOAL,))).pmf(n, 4, cap)
    assert sum(pmf.chances) == 1
    assert pmf.outcomes[-1] <= cap
    assert pmf[min(n, cap)] == Volley((GOAL,)).pmf(n, 4).at_least(min(n, cap))


def test_equal_mechanics_share_their_tables():
    assert hash(Volley((GOAL, GOAL.failed))) == hash(Volley((GOAL, GOAL.failed)))
    assert Volley((GOAL,)) != Volley((HIGH,))


def test_wrong_number_of_targets_is_refused():
    with pytest.raises(ValueError, match="zip"):
        Volley((GOAL, GOAL)).pmf(3, 4)


def test_no_attacks_give_nothing_for_certain():
    assert SHOTS.pmf(0, 3, 4, 5) == PMF.constant(0)

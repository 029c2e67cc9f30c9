"""Tables of distributions: packing of arguments, exact entries, inversion."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dice import D6, GOAL, PMF, Throw, Volley
from sims.dice.tables import Radix, Table, look_up, merge_keys

VOLLEY = Volley((GOAL,))


@given(st.lists(st.tuples(st.integers(-5, 5), st.just(3), st.integers(0, 40)), min_size=1, max_size=20))
def test_packing_and_unpacking(rows):
    arrays = [np.array(field) for field in zip(*rows, strict=True)]
    radix = Radix(arrays)
    key = np.broadcast_to(radix.pack(arrays), len(rows))
    assert key.min() >= 0
    assert key.max() < radix.span
    unpacked = [np.broadcast_to(field, len(rows)).tolist() for field in radix.unpack(key)]
    assert unpacked == [array.tolist() for array in arrays]


def test_equal_keys_are_equal_rows():
    arrays = [np.array([1, 2, 1, 2]), np.array([7, 7, 7, 8])]
    key = Radix(arrays).pack(arrays)
    assert key[0] == key[2]
    assert len(set(key.tolist())) == 3


def test_a_key_that_does_not_fit_is_refused():
    with pytest.raises(OverflowError, match="63 bits"):
        Radix([np.array([0, 2**40]), np.array([0, 2**40])])


@pytest.mark.parametrize("span", [10, 2**40])
def test_merging_keys(span):
    distinct, place = merge_keys(np.array([7, 3, 7, 9, 3]), span)
    assert distinct.tolist() == [3, 7, 9]
    assert distinct[place].tolist() == [7, 3, 7, 9, 3]


def test_look_up_gives_each_place_its_distribution():
    n, goal = np.array([0, 2, 2, 3]), np.array([4, 4, 6, 2])
    table, row = look_up(VOLLEY, (n, goal))
    assert table.outcomes.tolist() == [0, 1, 2, 3]
    for column in range(4):
        expected = VOLLEY.pmf(int(n[column]), int(goal[column]))
        assert table.fractions[:, row[column]].tolist() == [expected[k] for k in range(4)]
        assert table.floats[:, row[column]].tolist() == [float(expected[k]) for k in range(4)]


def test_look_up_checks_the_arguments():
    with pytest.raises(TypeError, match="2 arguments, got 1"):
        look_up(VOLLEY, (np.array([1]),))


def words(*chances: Fraction) -> np.ndarray:
    return np.array([int(chance * 2**32) for chance in chances], dtype=np.uint32)


def test_inversion_meets_every_boundary():
    """At the words just below and exactly at each cumulative chance, and at both ends."""
    pmf = PMF.of({-2: 1, 0: 3, 7: 3, 8: 1})
    table = Table([PMF.constant(4), pmf])
    reached = words(Fraction(1, 8), Fraction(1, 2), Fraction(7, 8))
    word = np.concatenate([words(Fraction(0)), reached - 1, reached, np.array([2**32 - 1], dtype=np.uint32)])
    drawn = table.sample(np.ones(word.size, dtype=np.int64), word)
    assert drawn.tolist() == [-2, -2, 0, 7, 0, 7, 8, 8]
    assert table.sample(np.zeros(word.size, dtype=np.int64), word).tolist() == [4] * word.size


def test_inversion_is_exact_on_a_grid():
    """A grid finer than the weights falls on outcomes in exact proportion, for many rows at once."""
    pmfs = [VOLLEY.pmf(n, goal) for n in range(4) for goal in (2, 4, 6)]
    table = Table(pmfs)
    size = 6**3 * 4
    grid = words(*(Fraction(2 * i + 1, 2 * size) for i in range(size)))
    for row, pmf in enumerate(pmfs):
        drawn = table.sample(np.full(size, row), grid)
        values, counts = np.unique(drawn, return_counts=True)
        assert {int(k): Fraction(int(c), size) for k, c in zip(values, counts, strict=True)} == dict(pmf)


def test_a_tail_far_below_rounding_is_kept():
    table, _ = look_up(Throw(D6), (30,))
    assert table.fractions[-1, 0] == Fraction(1, 6**30)
    assert table.floats[-1, 0] == 1 / 6**30

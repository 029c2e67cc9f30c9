"""Tables of distributions: packing of arguments, exact entries, inversion."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dice import D6, GOAL, Throw, Volley
from sims.dice.tables import Radix, Sampler, look_up, merge_keys, sampler, table
from tests import oracle

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


@pytest.mark.parametrize("lower", [1, 7, 500, 2**16, 2**20])
@pytest.mark.parametrize(("keys", "uppers", "most"), [(2000, 3, 2**22), (2000, 10**5, 2**42), (2**17, 2**16, 2**22)])
def test_keys_of_two_digits_are_merged_as_any_others(lower, keys, uppers, most):
    """Too many to be counted as they are, and few enough once the upper digits are ranked, or still too many."""
    rng = np.random.default_rng(3)
    key = rng.integers(lower, size=keys) + lower * rng.choice(rng.integers(most, size=uppers), size=keys)
    distinct, place = merge_keys(key, int(key.max()) + 1, lower)
    expected, at = np.unique(key, return_inverse=True)
    assert np.array_equal(distinct, expected)
    assert np.array_equal(place, at)


def test_look_up_gives_each_place_its_distribution():
    n, goal = np.array([0, 2, 2, 3]), np.array([4, 4, 6, 2])
    rows, index = look_up(VOLLEY, (n, goal))
    found = table(VOLLEY, rows)
    assert found.outcomes.tolist() == [0, 1, 2, 3]
    for column in range(4):
        expected = VOLLEY.pmf(int(n[column]), int(goal[column]))
        assert found.fractions[:, index[column]].tolist() == [expected[k] for k in range(4)]
        assert found.floats[:, index[column]].tolist() == [float(expected[k]) for k in range(4)]


class Wide:
    """A mechanic of many arguments."""

    arity = 80


def test_look_up_takes_more_arguments_than_a_key_of_63_bits_holds():
    rng = np.random.default_rng(4)
    arguments = [rng.integers(-3, 6, (5, 1) if i % 2 else 7) for i in range(Wide.arity - 1)] + [np.array([4])]
    rows, index = look_up(Wide(), tuple(arguments))
    assert (np.array(rows)[index] == np.stack(np.broadcast_arrays(*arguments), axis=-1)).all()
    assert len({*rows}) == len(rows)


def test_look_up_checks_the_arguments():
    with pytest.raises(TypeError, match="2 arguments, got 1"):
        look_up(VOLLEY, (np.array([1]),))


def words(*chances: Fraction) -> np.ndarray:
    return np.array([int(chance * 2**32) for chance in chances], dtype=np.uint32)


def test_inversion_meets_every_boundary():
    """At the words just below and exactly at each cumulative chance of two dice, and at both ends."""
    reached = words(Fraction(4, 9), Fraction(8, 9))
    word = np.concatenate([words(Fraction(0)), reached - 1, reached, np.array([2**32 - 1], dtype=np.uint32)])
    assert sampler(VOLLEY).sample(((2, 5),), np.array([0]), word).tolist() == [0, 0, 1, 1, 2, 2]
    assert sampler(VOLLEY).sample(((0, 5),), np.array([0]), word).tolist() == [0] * word.size


def test_inversion_is_exact_on_a_grid():
    """A grid finer than the weights falls on outcomes in exact proportion, for many rows at once."""
    rows = tuple((n, goal) for n in range(4) for goal in (2, 4, 6))
    size = 6**3 * 4
    grid = words(*(Fraction(2 * i + 1, 2 * size) for i in range(size)))
    index = np.repeat(np.arange(len(rows)), size)
    drawn = sampler(VOLLEY).sample(rows, index, np.tile(grid, len(rows))).reshape(len(rows), size)
    for arguments, mine in zip(rows, drawn, strict=True):
        values, counts = np.unique(mine, return_counts=True)
        shares = {int(k): Fraction(int(c), size) for k, c in zip(values, counts, strict=True)}
        assert shares == oracle.volley(arguments[0], oracle.passing("GOAL", arguments[1]))


def test_a_sampler_that_grew_still_knows_its_first_rows():
    word = words(*(Fraction(i, 100) for i in range(100)))
    fresh = Sampler(VOLLEY)
    first = fresh.sample(((5, 4),), np.array([0]), word)
    fresh.sample(((9, 3), (2, 6)), np.arange(100) % 2, word)
    assert fresh.sample(((9, 3), (5, 4)), np.array([1]), word).tolist() == first.tolist()


def test_a_tail_far_below_rounding_is_kept():
    rows, _ = look_up(Throw(D6), (30,))
    found = table(Throw(D6), rows)
    assert found.fractions[-1, 0] == Fraction(1, 6**30)
    assert found.floats[-1, 0] == 1 / 6**30


def test_large_numbers_close_together_are_packed_as_they_are():
    (found,) = Radix([numbers := np.array([2**40, 2**40 + 1])]).unpack(Radix([numbers]).pack([numbers]))
    assert found.tolist() == numbers.tolist()

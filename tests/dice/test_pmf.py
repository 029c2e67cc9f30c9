"""The algebra of distributions against brute force."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dice import PMF, compound, keep
from sims.errors import BudgetError
from tests import oracle

D6 = PMF.die(6)
WEIGHTS = st.dictionaries(st.integers(-5, 8), st.integers(0, 9), min_size=1, max_size=5).filter(
    lambda w: any(w.values())
)
PMFS = WEIGHTS.map(PMF.of)
COUNTS = st.dictionaries(st.integers(0, 4), st.integers(1, 9), min_size=1, max_size=4).map(PMF.of)


def test_a_die_shows_every_face():
    assert dict(PMF.die(6)) == {face: Fraction(1, 6) for face in range(1, 7)}


@pytest.mark.parametrize(("n", "sides"), [(0, 6), (1, 6), (2, 6), (5, 6), (3, 10), (7, 3), (4, 1)])
def test_sum_of_dice(n, sides):
    assert dict(n @ PMF.die(sides)) == oracle.scored([sides] * n, lambda *fallen: sum(fallen))


def test_sum_of_dice_with_negative_and_missing_outcomes():
    odd = PMF.of({-3: 1, 0: 2, 5: 4})
    assert dict(4 @ odd) == oracle.added(*[dict(odd)] * 4)


def test_sum_of_many_dice_loses_no_tail():
    many = 300 @ D6
    assert many.outcomes == tuple(range(300, 1801))
    assert many[300] == many[1800] == Fraction(1, 6**300)
    assert many.mean == 1050
    assert many.variance == 300 * Fraction(35, 12)


def test_many_dice_agree_with_icepool():
    theirs = 12 @ icepool.d6
    assert dict(12 @ D6) == {k: Fraction(theirs.quantity(k), theirs.denominator()) for k in theirs.outcomes()}


@pytest.mark.parametrize("highest", [True, False])
@pytest.mark.parametrize(("n", "sides", "k"), [(1, 6, 1), (2, 6, 1), (3, 6, 2), (4, 6, 2), (4, 4, 4), (5, 3, 3)])
def test_keep(n, sides, k, highest):
    assert dict(keep(n, PMF.die(sides), k, highest=highest)) == oracle.scored([sides] * n, oracle.picked(k, highest))


def test_keep_of_uneven_dice():
    faces = [2, 3, 3, 4, 4, 5]
    expected = oracle.scored([6] * 3, lambda *fallen: sum(sorted(faces[f - 1] for f in fallen)[1:]))
    assert dict(keep(3, PMF.of({2: 1, 3: 2, 4: 2, 5: 1}), 2)) == expected


@pytest.mark.parametrize(("n", "k"), [(6, 3), (9, 2)])
def test_keep_agrees_with_icepool(n, k):
    for highest, theirs in ((True, icepool.d6.highest(n, k)), (False, icepool.d6.lowest(n, k))):
        expected = {o: Fraction(theirs.quantity(o), theirs.denominator()) for o in theirs.outcomes()}
        assert dict(keep(n, D6, k, highest=highest)) == expected


@given(COUNTS, PMFS)
def test_compound(count, each):
    expected: oracle.Chances = {}
    for n, p in count:
        for k, q in oracle.added(*[dict(each)] * n).items():
            expected[k] = expected.get(k, Fraction(0)) + p * q
    assert dict(compound(count, each)) == dict(sorted(expected.items()))


@given(PMFS, PMFS)
def test_sum_and_difference(a, b):
    assert dict(a + b) == oracle.added(dict(a), dict(b))
    assert dict(a - b) == oracle.added(dict(a), {-k: p for k, p in b})


@given(PMFS, st.integers(0, 6))
def test_moments_of_a_sum(pmf, n):
    total = n @ pmf
    assert total.mean == n * pmf.mean
    assert total.variance == n * pmf.variance


@given(PMFS)
def test_moments(pmf):
    assert sum(pmf.chances) == 1
    assert pmf.mean == oracle.mean(dict(pmf))
    assert pmf.variance == oracle.variance(dict(pmf))


@given(PMFS, st.integers(-6, 9))
def test_tails(pmf, k):
    assert pmf.at_least(k) == sum(p for outcome, p in pmf if outcome >= k)
    assert pmf.at_most(k) + pmf.at_least(k + 1) == 1


@given(PMFS, st.integers(-6, 9))
def test_cap_moves_all_that_is_above(pmf, most):
    assert dict(pmf.cap(most)) == oracle.capped(dict(pmf), most)


@given(st.lists(st.tuples(st.integers(1, 9), PMFS), min_size=1, max_size=4))
def test_mixture(parts):
    total = sum(weight for weight, _ in parts)
    expected: oracle.Chances = {}
    for weight, pmf in parts:
        for k, p in pmf:
            expected[k] = expected.get(k, Fraction(0)) + Fraction(weight, total) * p
    assert dict(PMF.mixture((Fraction(weight, total), pmf) for weight, pmf in parts)) == dict(sorted(expected.items()))


@given(WEIGHTS, st.integers(1, 5))
def test_equal_distributions_are_equal(weights, factor):
    assert PMF.of(weights) == PMF.of({k: factor * w for k, w in reversed(weights.items())})


def test_quantiles():
    assert [D6.quantile(q) for q in (0.0, 0.5, 0.51, 1.0)] == [1, 3, 4, 6]


def test_floats_are_rounded_once():
    assert PMF.die(3).floats == (1 / 3, 1 / 3, 1 / 3)


@pytest.mark.parametrize("p", [Fraction(-1, 6), Fraction(7, 6)])
def test_a_chance_lies_between_0_and_1(p):
    with pytest.raises(ValueError, match="negative"):
        PMF.chance(p)


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: -1, 2: 3}])
def test_weights_that_are_no_distribution(weights):
    with pytest.raises(ValueError, match="weight"):
        PMF.of(weights)


@pytest.mark.parametrize(
    "absurd",
    [
        lambda: 999_999_999 @ D6,
        lambda: PMF.die(10**9),
        lambda: compound(PMF.constant(10**9), D6),
        lambda: compound(PMF.constant(10**4), D6),
        lambda: keep(10**6, D6, 10),
        lambda: (600 @ D6) + (600 @ D6),
    ],
)
def test_absurd_sizes_are_refused(absurd):
    with pytest.raises(BudgetError, match="expected at most"):
        absurd()


@pytest.mark.parametrize(
    "call", [lambda: -1 @ D6, lambda: PMF.die(0), lambda: compound(D6 - 2, D6), lambda: keep(2, D6, 3)]
)
def test_impossible_dice_are_refused(call):
    with pytest.raises(ValueError, match="got"):
        call()

"""The four answerers: each right by itself, and all of one mind."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from sims.dice import (
    BATCH,
    D3,
    D6,
    D66,
    D100,
    GOAL,
    HIGH,
    LOW,
    Address,
    Dice,
    ExactDice,
    Ints,
    LotsError,
    Mechanic,
    RolledDice,
    SampledDice,
    Throw,
    Total,
    Volley,
    passes,
    pick,
    rerolled,
    roll,
)
from sims.dice import source as source_module
from sims.errors import BudgetError
from tests import oracle

ADDRESS = Address(seed=20240229, batch=0, turn=1, player_turn="attackers", stage="shooting", repetition=0)
ALL = np.arange(BATCH)
SHOTS = Volley((GOAL, GOAL, GOAL.failed))
GRENADES = Volley((GOAL,), hits=D3)
TRIAL_DICE = [SampledDice, RolledDice]

MECHANICS: list[tuple[Mechanic, tuple[int, ...]]] = [
    (Throw(D6), (1,)),
    (Throw(D6), (2,)),
    (Throw(D66), (1,)),
    (Throw(D100), (1,)),
    (Throw(pick(3, D6, 2)), (1,)),
    (Volley((LOW,)), (6, 0)),
    (Volley((HIGH,)), (6, 7)),
    (Volley((rerolled(GOAL),)), (4, 5)),
    (SHOTS, (10, 3, 4, 4)),
    (GRENADES, (3, 4)),
    (Total((Volley((GOAL,)), Throw(D3))), (2, 4, 2)),
]
RATE = 1e-9
"""The chance that a right answerer fails one statistical test; with fixed seeds it passes or fails for good."""


def one() -> np.ndarray:
    return np.array([Fraction(1)], dtype=object)


def exact(mechanic: Mechanic, *arguments: int) -> oracle.Chances:
    dice = ExactDice(one())
    outcomes = dice.draw("it", mechanic, *arguments)
    return {int(k): p for k, p in zip(outcomes.ravel(), dice.weights.ravel(), strict=True) if p}


def check(drawn: Ints, chances: oracle.Chances) -> None:
    """Hold counts against exact binomial tails, with the false-alarm rate shared among the outcomes."""
    counts = Counter(drawn.tolist())
    assert counts.keys() <= chances.keys(), "an outcome that cannot be"
    tail = RATE / (2 * len(chances))
    for outcome, p in chances.items():
        low, high = binom.ppf([tail, 1 - tail], drawn.size, float(p))
        assert low <= counts[outcome] <= high, f"{outcome}: {counts[outcome]} not in {low:.0f} to {high:.0f}"


@pytest.mark.parametrize("source", TRIAL_DICE)
@pytest.mark.parametrize(("mechanic", "arguments"), MECHANICS)
def test_frequencies(source, mechanic, arguments):
    """Rate: 1e-9 for each case, by exact binomial tails."""
    drawn = source(ADDRESS, ALL).draw("it", mechanic, *arguments)
    assert drawn.shape == (BATCH,)
    check(drawn, exact(mechanic, *arguments))


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_every_face_of_a_die_shows(source):
    assert set(roll(source(ADDRESS, ALL), "it", D6).tolist()) == {1, 2, 3, 4, 5, 6}
    assert set(roll(ExactDice(np.ones(1)), "it", D6).ravel().tolist()) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_two_draws_are_independent(source):
    """Rate: 1e-9, on the 36 pairs of two labels of the same stage."""
    dice = source(ADDRESS, ALL)
    first, second = roll(dice, "first", D6), roll(dice, "second", D6)
    check(10 * first + second, oracle.scored([6, 6], oracle.d66))


def test_neighbouring_trials_are_independent():
    """Rate: 2e-9, on pairs of neighbours in the two halves of a batch."""
    for source in TRIAL_DICE:
        rolled = roll(source(ADDRESS, ALL), "it", D6)
        check(10 * rolled[::2] + rolled[1::2], oracle.scored([6, 6], oracle.d66))


# Exact.


def test_exact_weights_are_the_algebra():
    for mechanic, arguments in MECHANICS:
        assert exact(mechanic, *arguments) == dict(mechanic.pmf(*arguments))


def test_exact_draws_own_an_axis_each():
    dice = ExactDice(np.array([Fraction(1, 4), Fraction(3, 4)], dtype=object))
    first = roll(dice, "first", D6)
    second = dice.draw("second", Volley((GOAL,)), first, np.array([2, 6]))
    third = roll(dice, "third", D3)
    assert first.shape == (6, 1)
    assert second.shape == (7, 1, 1)
    assert third.shape == (3, 1, 1, 1)
    assert dice.weights.shape == (3, 7, 6, 2)
    assert dice.weights.sum() == 1
    for state, share, goal in ((0, Fraction(1, 4), 2), (1, Fraction(3, 4), 6)):
        for n in range(1, 7):
            column = dice.weights[:, :, n - 1, state].sum(axis=0)
            hits = oracle.volley(n, oracle.passing("GOAL", goal))
            assert column.tolist() == [share / 6 * hits.get(k, 0) for k in range(7)]


def test_exact_draw_where_it_does_not_apply():
    dice = ExactDice(one())
    first = roll(dice, "first", D6)
    second = roll(dice, "second", D6, when=first > 4)
    total = np.broadcast_to(first + second, dice.weights.shape)
    chances = {int(k): sum(dice.weights[total == k]) for k in np.unique(total)}
    expected = oracle.scored([6, 6], lambda a, b: a + b if a > 4 else a)
    assert {k: p for k, p in chances.items() if p} == expected


def test_exact_in_floats_is_the_same():
    dice = ExactDice(np.ones(1))
    outcomes = dice.draw("it", SHOTS, 10, 3, 4, 4)
    expected = SHOTS.pmf(10, 3, 4, 4)
    assert dict(zip(outcomes.ravel().tolist(), dice.weights.ravel().tolist(), strict=True)) == pytest.approx(
        dict(zip(expected.outcomes, expected.floats, strict=True)), rel=1e-15
    )


def test_exact_tallies_weigh_their_values():
    dice = ExactDice(one())
    hits = dice.draw("to hit", Volley((GOAL,)), 10, 3)
    dice.tally("hits", hits)
    dice.tally("hits", 2)
    assert dice.tallies == {"hits": 10 * Fraction(2, 3) + 2}


def test_exact_budget_names_the_draw():
    dice = ExactDice(np.ones(10), budget=1000)
    roll(dice, "first", D6)
    with pytest.raises(BudgetError, match='"second" needs 6,000 cells, the exact engine has 1,000'):
        roll(dice, "second", D100)


def test_exact_budget_counts_what_other_columns_fill():
    dice = ExactDice(np.ones(10), budget=1000, filled=980)
    with pytest.raises(BudgetError, match='"it" needs 1,040 cells, the exact engine has 1,000'):
        roll(dice, "it", D6)


def test_exact_asks_for_lots_where_few_fight_and_many(monkeypatch):
    monkeypatch.setattr(source_module, "LARGE", 20)
    dice, alike = ExactDice(np.ones(6)), ExactDice(np.ones(6))
    with pytest.raises(LotsError) as asked:
        dice.draw("to hit", Volley((GOAL,)), np.array([1, 9, 2, 1, 10, 1]), 3)
    assert asked.value.lot.tolist() == [0, 1, 0, 0, 1, 0]
    assert asked.value.lots == 2
    assert alike.draw("to hit", Volley((GOAL,)), np.array([8, 9, 8, 9, 9, 9]), 3).shape == (10, 1)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=40), st.integers(1, 6))
def test_lots_fill_what_no_other_cut_makes_much_less(needed, lead):
    """Judged by trying every cut of every lot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "LARGE", 30)
        cuts = source_module._cuts(np.bincount(needed), lead)
    assert cuts == sorted(set(cuts))
    for low, high in pairwise([0, *cuts, max(needed)]):
        lot = [n for n in needed if low < n <= high]
        fills = lead * len(lot) * max(lot)
        parted = [lead * sum(c if n <= c else max(lot) for n in lot) for c in range(low, high)]
        assert fills <= 30 or all(other >= source_module.WASTE * fills for other in parted)


def test_exact_scopes_share_the_weights():
    dice = ExactDice(one())
    for section in ("section 1", "section 2"):
        roll(dice.within(section), "damage", D3)
    assert dice.weights.shape == (3, 3, 1)


# Labels and addresses.


@pytest.mark.parametrize("dice", [ExactDice(np.ones(2)), SampledDice(ADDRESS, ALL[:2]), RolledDice(ADDRESS, ALL[:2])])
def test_a_repeated_label_is_an_error(dice):
    roll(dice, "to hit", D6)
    roll(dice.within("melee"), "to hit", D6)
    with pytest.raises(ValueError, match='"to hit" is drawn twice'):
        roll(dice, "to hit", D6)
    with pytest.raises(ValueError, match=r'"to hit" is drawn twice in one stage .*melee'):
        roll(dice.within("melee"), "to hit", D6)


ELSEWHERE = [
    Address(20240301, 0, 1, "attackers", "shooting", 0),
    Address(20240229, 1, 1, "attackers", "shooting", 0),
    Address(20240229, 0, 2, "attackers", "shooting", 0),
    Address(20240229, 0, 1, "defenders", "shooting", 0),
    Address(20240229, 0, 1, "attackers", "melee", 0),
    Address(20240229, 0, 1, "attackers", "shooting", 1),
]


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_every_part_of_the_address_matters(source):
    """Rate: each pair of rolls, compared to independent dice, 1e-9."""
    here = roll(source(ADDRESS, ALL), "it", D6)
    others = [roll(source(address, ALL), "it", D6) for address in ELSEWHERE]
    others.append(roll(source(ADDRESS, ALL), "that", D6))
    others.append(roll(source(ADDRESS, ALL).within("section 1"), "it", D6))
    for other in others:
        check((here == other).astype(np.int64), {0: Fraction(5, 6), 1: Fraction(1, 6)})


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_the_same_address_gives_the_same_luck(source):
    first, again = source(ADDRESS, ALL), source(ADDRESS, ALL)
    roll(again, "something before", D6)
    assert (first.draw("it", SHOTS, 5, 3, 4, 5) == again.draw("it", SHOTS, 5, 3, 4, 5)).all()


# Trials.

IDS = np.random.default_rng(5).permutation(BATCH)


@pytest.mark.parametrize("source", TRIAL_DICE)
@pytest.mark.parametrize(
    "ids", [ALL[:1], ALL[-1:], ALL[100:], ALL[::7], IDS[:1000], IDS, ALL[::-1]], ids=lambda ids: str(len(ids))
)
def test_a_trial_has_its_luck_in_any_company(source, ids):
    n, goal = ALL % 7, 2 + ALL % 5

    def play(ids: Ints) -> tuple[Ints, Ints]:
        dice = source(ADDRESS, ids)
        hits = dice.draw("to hit", Volley((GOAL,)), n[ids], goal[ids])
        return hits, dice.draw("grenades", GRENADES, hits, 4)

    for mine, everybody in zip(play(ids), play(ALL), strict=True):
        assert (mine == everybody[ids]).all()


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_one_more_shot_is_one_more_die(source):
    """Trials that ask for the same keep their luck, whatever the others ask for."""
    few, many = np.full(BATCH, 3), np.where(ALL % 2, 3, 40)
    same = ALL % 2 == 1
    here = source(ADDRESS, ALL).draw("to hit", Volley((GOAL,)), few, 4)
    there = source(ADDRESS, ALL).draw("to hit", Volley((GOAL,)), many, 4)
    assert (here[same] == there[same]).all()


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_easier_targets_never_hit_less(source):
    """The luck is shared: with one goal better no trial does worse."""
    hits = [source(ADDRESS, ALL).draw("to hit", Volley((GOAL,)), 10, goal) for goal in (3, 4, 5)]
    assert (hits[0] >= hits[1]).all()
    assert (hits[1] >= hits[2]).all()
    assert (hits[0] > hits[2]).any()


@pytest.mark.parametrize("source", TRIAL_DICE)
def test_tallies_belong_to_trials(source):
    dice = source(ADDRESS, ALL[:4])
    dice.tally("shots", np.array([1, 2, 3, 4]))
    dice.within("section 1").tally("shots", 10)
    assert dice.tallies["shots"].tolist() == [11, 12, 13, 14]


@pytest.mark.parametrize("source", [*TRIAL_DICE, ExactDice])
def test_passes(source):
    dice: Dice = ExactDice(np.ones(3)) if source is ExactDice else source(ADDRESS, ALL[:3])
    passed = passes(dice, "save", GOAL, np.array([2, 4, 9]), when=np.array([False, True, True]))
    assert passed.dtype == np.bool_
    if source is not ExactDice:
        assert not passed[0]
        assert not passed[2]

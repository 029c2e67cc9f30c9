"""Bounded answers: the true chance lies within its bounds, and what was left out is all that is missing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import get_args

import numpy as np
import pytest

from sims.assault import Assault, End, Moment, Outcome, PlayerTurn, Stage, Step
from sims.dice import BUDGET, D6, Ints, roll
from sims.dice.tables import Floats
from sims.engines import (
    LEFT_OUT,
    Bounded,
    Chain,
    Exact,
    Sampled,
    Values,
    bounded,
    play,
    run,
    solve,
    values,
    values_within,
)
from sims.errors import BudgetError
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, load_scenario, scenario_ids
from sims.state import State, kept
from tests.engines.test_engines import race

PLANS = list(product(get_args(AttackPlan), get_args(DefencePlan)))
TOLERANCES = (1e-3, 1e-6, 1e-9)
ROUNDING = 1e-12


def large(rules: str) -> dict[str, int]:
    """Sixty against forty, or where they fight from section to section half of them."""
    attackers, defenders = (30, 20) if rules in ("gemini", "realm_of_chaos") else (60, 40)
    return {"attackers.models": attackers, "defenders.models": defenders, "building.capacity": defenders}


Fact = tuple[str, int]


def facts(of: Exact | Bounded | Sampled) -> Mapping[Fact, float]:
    """Return the chance of everything that can be said of an outcome: its end, its turn, losses, clearing."""
    found = Counter[Fact]()
    for name, column in of.columns.items():
        for value, chance in zip(column.tolist(), of.probabilities.tolist(), strict=True):
            found[name, value] += chance
    return found


def check_bounds(answer: Bounded, true: Mapping[Fact, float], within: float) -> None:
    """See that every true chance lies between the one found and that plus what was left out."""
    assert 0 <= answer.left_out <= within
    assert abs(answer.weights.sum() + answer.left_out - 1) <= ROUNDING
    found = facts(answer)
    assert found.keys() <= true.keys()
    for fact, chance in true.items():
        assert found[fact] - ROUNDING <= chance <= found[fact] + answer.left_out + ROUNDING, fact


def check_nested(larger: Bounded, smaller: Bounded) -> None:
    """See that the bounds of a smaller tolerance lie within those of a larger one."""
    wide, narrow = facts(larger), facts(smaller)
    for fact in narrow:
        assert wide[fact] <= narrow[fact] + ROUNDING
        assert narrow[fact] + smaller.left_out <= wide[fact] + larger.left_out + ROUNDING


def test_true_chances_lie_within_their_bounds_in_every_assault(some):
    cases = product(rule_set_ids(), scenario_ids(), PLANS)
    for rules, name, (plan, defence) in some(cases, lambda case: case[0], lambda case: case[1], lambda case: case[2]):
        assault = rule_set(rules).assault(replace(load_scenario(name), plan=plan, defence=defence))
        true = facts(solve(assault, budget=2 * BUDGET))
        found = [bounded(assault, within=within) for within in TOLERANCES]
        for answer, within in zip(found, TOLERANCES, strict=True):
            check_bounds(answer, true, within)
        for larger, smaller in pairwise(found):
            check_nested(larger, smaller)


def test_with_nothing_left_out_it_is_what_is_exact(rules):
    assault = rule_set(rules).assault(load_scenario("toll-house"))
    found, exact = bounded(assault, within=0), solve(assault)
    assert found.left_out == 0
    check_bounds(found, facts(exact), 0)
    assert found.tallies.keys() == exact.tallies.keys()
    for name, expected in exact.tallies.items():
        assert found.tallies[name] == pytest.approx(expected, abs=ROUNDING)
    assert np.allclose(found.course, exact.course, atol=ROUNDING, rtol=0)


def test_equal_tolerance_gives_an_equal_answer():
    assault = rule_set("gemini").assault(load_scenario("toll-house"))
    one, other = bounded(assault, within=1e-4), bounded(assault, within=1e-4)
    assert one.left_out == other.left_out
    assert one.weights.tolist() == other.weights.tolist()


# Random chains, whose chances are known in fractions


@dataclass(frozen=True)
class Walk(State):
    """A walk over so many places, by one die a stage; the last three places are ends."""

    place: Ints


Steps = tuple[tuple[int, ...], ...]
"""For each place where each face of a die leads."""

WALK_ENDS = (End.BROKEN, End.CAPTURED, End.DESTROYED)


def walk(stages: tuple[Steps, ...], turns: int) -> Assault:
    size = len(stages[0])

    def end(state, scene):
        return np.maximum(state.place - (size - 1), 0).astype(np.int8)

    def outcome(state, scene):
        return Outcome(attackers_lost=state.place, defenders_lost=0 * state.place, cleared=state.place >= size)

    def stage(steps: Steps) -> Stage:
        leads = np.array([*steps, *([i] * 6 for i in range(size, size + 3))])
        return Stage(
            "step", lambda dice, state, scene: state.replace(place=leads[state.place, roll(dice, "d", D6) - 1])
        )

    turn = PlayerTurn("attackers", tuple(map(stage, stages)))
    return Assault("walk", None, Walk(np.array([0])), (turn,), turns, end, outcome)


def by_fractions(stages: tuple[Steps, ...], turns: int) -> dict[Fact, Fraction]:
    """Go through the walk with a dictionary of fractions."""
    size, weights, ends = len(stages[0]), {0: Fraction(1)}, Counter[Fact]()
    for turn in range(1, turns + 1):
        for steps in stages:
            after = Counter[int]()
            for place, weight in weights.items():
                for to in steps[place]:
                    after[to] += weight / 6
            for place in [place for place in after if place >= size]:
                ends["end", WALK_ENDS[place - size]] += after[place]
                ends["turn", turn] += after[place]
                ends["attackers_lost", place] += after.pop(place)
            weights = after
    for place, weight in weights.items():
        ends["end", End.HELD] += weight
        ends["turn", turns] += weight
        ends["attackers_lost", place] += weight
    ends["defenders_lost", 0] = Fraction(1)
    ends["cleared", 1] = sum((chance for (what, end), chance in ends.items() if what == "end" and end < 4), Fraction(0))
    ends["cleared", 0] = 1 - ends["cleared", 1]
    return ends


def random_walk(seed: int) -> tuple[tuple[Steps, ...], int]:
    luck = np.random.default_rng(seed)
    size = int(luck.integers(2, 8))
    stages = luck.integers(0, size + 3, size=(luck.integers(1, 4), size, 6)).tolist()
    return tuple(tuple(map(tuple, steps)) for steps in stages), int(luck.integers(1, 7))


@pytest.mark.parametrize("seed", range(40))
def test_bounds_of_random_chains_hold_their_fractions(seed):
    chain = random_walk(seed)
    true = by_fractions(*chain)
    found = [bounded(walk(*chain), within=within) for within in (1e-1, *TOLERANCES)]
    for answer, within in zip(found, (1e-1, *TOLERANCES), strict=True):
        check_bounds(answer, true, within)
    for larger, smaller in pairwise(found):
        check_nested(larger, smaller)


def check_values(found: Values, exact: Values, at: Moment) -> Floats:
    """See that what each state is worth lies within its bounds before a step, and return what was left out of each."""
    low, numbers = found.before(at), np.arange(len(found.chain.states))
    true = exact.of([kept(of) for of in found.chain.states.take(numbers).arrays()], numbers.size, exact.before(at))
    known = found.chain.known(Step(*at, "", "", 0)) & (true[:, :4].sum(axis=1) > 0)
    low, true = low[known], true[known]
    assert np.allclose(low[:, :4].sum(axis=1) + low[:, LEFT_OUT], 1, atol=ROUNDING, rtol=0)
    assert (low[:, :6] <= true + ROUNDING).all()
    assert (true[:, :4] <= low[:, :4] + low[:, [LEFT_OUT]] + ROUNDING).all()
    return low[:, LEFT_OUT]


def test_what_states_are_worth_lies_within_their_bounds(some):
    """Of every state that was met, at the start of every player turn; of the first no more is left out than may be."""
    loose = 0.0
    for rules, (plan, defence) in some(product(rule_set_ids(), PLANS), lambda case: case[0], lambda case: case[1]):
        game = load_scenario("toll-house", {"attackers.plan": plan, "defenders.plan": defence})
        assault = rule_set(rules).assault(game)
        exact = values(assault)
        for within in TOLERANCES:
            found = values_within(assault, within)
            for turn, side in product(range(1, assault.limit + 1), ("attackers", "defenders")):
                loose += check_values(found, exact, assault.opening(turn, side)).sum()
            assert found.turns[0][found.chain.start[0], LEFT_OUT] <= within
    assert loose > 0


def test_from_some_states_on_no_more_is_left_out_of_any_than_may_be(rules):
    assault = rule_set(rules).assault(load_scenario("toll-house"))
    exact, at = values(assault), assault.opening(2, "defenders")
    weights = Chain(assault, beside=exact.chain).weights(at)
    there = np.flatnonzero(weights)[:50]
    states = exact.chain.states.take(there)
    found = values_within(assault, 1e-4, since=at, states=states)
    check_values(found, exact, at)
    assert found.of(states.arrays(), there.size, found.before(at))[:, LEFT_OUT].max() <= 1e-4


def test_of_a_state_that_was_never_met_nothing_is_known():
    found = values_within(race(9, 3), 1e-6)
    never = [kept(of) + np.int16(90) for of in found.chain.states.take(found.chain.start).arrays()]
    (nothing,) = found.of(never, 1, found.turns[1])
    assert nothing.tolist() == [0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(("within", "left_out"), [(0.1, 0), (0.2, Fraction(1, 6))])
def test_the_lightest_states_are_left_out_if_that_is_within_the_tolerance(within, left_out):
    """Five faces lead to one place, the sixth to another: it is left out where a sixth may be."""
    answer = bounded(walk((((1, 1, 1, 1, 1, 2), (1,) * 6, (2,) * 6),), 1), within=within)
    assert answer.left_out == pytest.approx(float(left_out), abs=1e-15)
    assert facts(answer)["attackers_lost", 2] == pytest.approx(float(Fraction(1, 6) - left_out), abs=1e-15)


# The engine that is asked for


def test_auto_is_exact_within_its_budget_then_bounded_then_sampled(monkeypatch):
    assault = race()
    assert isinstance(run(assault), Exact)
    assert isinstance(run(assault, budget=1), Bounded)
    monkeypatch.setitem(bounded.__kwdefaults__, "budget", 1)
    assert isinstance(run(assault, budget=1, trials=100), Sampled)
    with pytest.raises(BudgetError, match="more than 1 transitions"):
        run(assault, engine="bounded")


def test_progress_is_told_each_turn():
    told = []
    bounded(race(9, 3), progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.slow
def test_a_large_assault_is_what_a_sample_of_it_says(rules, some):
    """Each end lies so near to a sample that one of 16 misses in less than one run of a million (Bernstein)."""
    assault = rule_set(rules).assault(load_scenario("farmhouse", large(rules)))
    (trials,) = some([1_000_000, 20_000], lambda _: None)[:1]
    sample = facts(play(assault, trials=trials))
    answer = facts(bounded(assault))
    for end in End:
        chance = answer["end", end]
        assert abs(sample["end", end] - chance) <= 6 * np.sqrt(chance / trials) + 20 / trials

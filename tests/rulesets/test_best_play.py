"""Best play is what brute force finds, which tries every plan at the start of every player turn, in fractions."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from analysis.points.plans import PLANS, assaults_by_plans
from sims.engines.contest import ATTACKERS, BOTH, CHOOSING, DEFENDERS, Choice, Opening, Pair
from sims.engines.follow import best_play, follow
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from tests.rulesets.contested_assaults import CONTESTS, Contested, contested
from tests.rulesets.expectimax import ALL, SIDES, Plans

FIRST = 4
"""States that are judged at an opening, and besides those that differ from them in a field."""


def of_one_name(case: tuple[str, str]) -> str:
    return case[0]


@pytest.mark.slow
@pytest.mark.parametrize("judged", CONTESTS)
def test_best_play_is_what_brute_force_finds(judged, some):
    for name, first in some(product(CONTESTS[judged], SIDES), of_one_name):
        contest = contested(judged, name, first)
        solution, judge = contest.solution, contest.judge
        assert {plans: solution.fixed[contest.place(plans)] for plans in judge.pairs} == judge.fixed, name
        assert {side: [*worth] for side, worth in solution.replies.items()} == judge.replies, name
        assert solution.best == judge.best, name
        judge_every_choice(contest, first)


def judge_every_choice(contest: Contested, first: str) -> None:
    worths = 0
    for opening, choice in contest.solution.choices.items():
        left = 2 * (contest.judge.turns - opening.turn) + (2 if opening.side == first else 1)
        for k, state in some_states(contest, choice):
            now = contest.now(state)
            assert choice.committed[k] == contest.judge.committed(opening.side, now)
            for plans in may_be_taken_up(contest, opening, choice, k):
                expected = [contest.judge.by(now, left, plans, who) for who in CHOOSING]
                assert choice.worth[(k, *contest.place(plans))].tolist() == expected, (opening, plans, now)
                worths += 1
    assert worths > 100


def some_states(contest: Contested, choice: Choice) -> Iterator[tuple[int, object]]:
    """Some of the states at an opening, each with its place there, in plain numbers: every value of a field is in one."""
    found, met = contest.solution.contest, set[tuple[int, int]]()
    shuffled = np.random.default_rng(14).permutation(choice.states.size)
    every = np.stack(np.broadcast_arrays(*found.states.take(choice.states[shuffled]).arrays()), axis=1)
    start = found.states.take(found.start[0])
    for n, (k, numbers) in enumerate(zip(shuffled, every.tolist(), strict=True)):
        new = {*enumerate(numbers)} - met
        if n < FIRST or new:
            met |= new
            yield k, start.rebuild(numbers)


def may_be_taken_up(contest: Contested, opening: Opening, choice: Choice, k: int) -> set[Plans]:
    """The pairs of plans by which a state may go on, from all that may be in force there."""
    found = set[Plans]()
    for pair, (states, since) in contest.solution.contest.met[opening.side].items():
        if np.any((states == choice.states[k]) & (since <= opening.turn)):
            own = (getattr(pair, opening.side),) if choice.committed[k] else ALL[opening.side]
            found |= {Plans(*pair)._replace(**{opening.side: plan}) for plan in own}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("judged", CONTESTS)
def test_choosing_is_worth_something_to_both_sides(judged):
    """What equals brute force would also do so if nobody ever had a reason to choose."""
    contests = [contested(judged, name, first) for name in CONTESTS[judged] for first in SIDES]
    assert any(contest.solution.best not in contest.solution.fixed for contest in contests)
    assert any((c.solution.replies["attackers"] > c.solution.fixed.max(axis=0)).any() for c in contests)
    assert any((c.solution.replies["defenders"] < c.solution.fixed.min(axis=1)).any() for c in contests)
    for side in SIDES:
        assert any(changes_its_plan(contest, side) for contest in contests)


def changes_its_plan(contest: Contested, side: str) -> bool:
    """Whether a side that plays its best takes up more plans than one at some time, whatever it has declared."""
    pairs, own = [Pair(*plans) for plans in contest.judge.pairs], SIDES.index(side)
    alone = DEFENDERS if own else ATTACKERS
    return any(
        all(len(taken_up(contest, side, chooses, pair)) > 1 for pair in pairs if pair[1 - own] == declared)
        for chooses, declared in product((BOTH, alone), ALL[SIDES[1 - own]])
    )


def taken_up(contest: Contested, side: str, chooses: int, begins: Pair) -> set[int]:
    """The plans that a side takes up at some time, as they are numbered."""
    solution, policy = contest.solution, best_play(chooses)
    visits = follow(solution, policy, begins).visits
    taken = (policy(at, solution.choices[at])[weight > 0] for at, weight in visits.items() if at.side == side)
    return {plan for there in taken for plan in there.tolist()}


def test_all_plans_begin_alike(rules, scenario_id):
    """Stages may be those of any pair of plans: all have one layout and one start."""
    every = assaults_by_plans(load_scenario(scenario_id), rule_set(rules), product(*PLANS))
    first, *others = (assault.start for assault in every.values())
    for other in others:
        assert [array.tolist() for array in other.arrays()] == [array.tolist() for array in first.arrays()]
        assert other.told == first.told

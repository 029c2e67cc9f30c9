"""The chain of an assault, read back: what hand, solve and the chain itself say of the value of a state."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import get_args

import numpy as np
import pytest

from sims.assault import Assault, End, Moment, Outcome, PlayerTurn, Stage
from sims.dice import D2, D6, GOAL, Volley, roll, source
from sims.engines import Exact, learner, solve
from sims.engines.chain import ENDS, Chain, Step, Values, values
from sims.engines.numbering import NONE, States
from sims.errors import BudgetError
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario, scenario_ids
from sims.state import State, kept
from tests.engines.test_engines import Race, race, shoot

PLANS = list(product(get_args(AttackPlan), get_args(DefencePlan)))
TINY = {
    "distance": 4,
    "turns": 2,
    "attackers.models": 3,
    "attackers.specials": [],
    "defenders.models": 2,
    "defenders.specials": [],
}


def of(result: Exact) -> list:
    """Return what an exact answer is worth, in the order of values."""
    ends = [result.weights[result.columns["end"] == end].sum() for end in ENDS]
    return [*ends, *((result.weights * result.columns[f"{s}_lost"]).sum() for s in ("attackers", "defenders"))]


def every_step(found: Values) -> list[Step]:
    limit = found.chain.assault.limit
    return [step._replace(turn=turn) for turn in range(1, limit + 1) for step, _ in found.chain.turn]


def rest(assault: Assault, step: Step, state: State) -> Assault:
    """Return what is left of an assault before a step, as one long turn."""
    once = [replace(stage, times=1) for player in assault.turn for stage in player.stages for _ in range(stage.times)]
    stages = once[step.place :] + once * (assault.limit - step.turn)
    return replace(assault, start=state, turn=(PlayerTurn("rest", tuple(stages)),), limit=1)


def known_states(found: Values, step: Step) -> np.ndarray:
    return np.flatnonzero(found.chain.known(step) & (found.chain.end == End.GOING_ON))


# The race, by hand


def by_hand(goal: int, total: int, turns: int) -> list[Fraction]:
    """Go through every sequence of faces from a total on."""
    value = [Fraction(0)] * 6
    for faces in product(range(1, 7), repeat=turns):
        now, end, ones = total, End.HELD, 0
        for face in faces:
            ones = int(face == 1 and now > 0)
            now = min(now + face, goal)
            if now == goal or ones:
                end = End.CAPTURED if now == goal else End.BROKEN
                break
        for i, amount in ((ENDS.index(end), 1), (4, ones), (5, now)):
            value[i] += Fraction(amount, 6**turns)
    return value


def test_every_state_of_a_race_is_worth_what_all_sequences_from_it_come_to():
    goal, turns = 9, 4
    found = values(race(goal, turns), number=Fraction)
    judged = Counter()
    for step in every_step(found):
        totals = found.chain.states.all.total
        for i in known_states(found, step):
            left = turns - step.turn + 1
            assert found.before(step)[i].tolist() == by_hand(goal, int(totals[i]), left)
            judged[step.turn] += 1
    assert [judged[turn] for turn in range(1, turns + 1)] == [1, 7, 9, 9]


def test_weights_and_tallies_of_a_race_are_those_of_solve():
    assault = race(9, 4)
    chain, pips = Chain(assault, Fraction), Fraction(0)
    for _, weights, tallies in chain.forward():
        assert sum(weights) == 1
        pips += tallies["pips"]
    assert weights @ chain.values_at_the_limit() == pytest.approx(of(solve(assault, number=Fraction)), abs=0)
    assert pips == solve(assault, number=Fraction).tallies["pips"]


def test_a_stage_that_is_learnt_in_lots_is_learnt_as_a_whole(monkeypatch):
    assault, parted, cuts = race(14, 4, shoot), [], source._cuts
    together = values(assault, number=Fraction)
    monkeypatch.setattr(source, "LARGE", 0)
    monkeypatch.setattr(source, "WASTE", 1)
    monkeypatch.setattr(source, "_cuts", lambda *given: parted.append(cut := cuts(*given)) or cut)
    apart = values(assault, number=Fraction)
    assert any(parted)
    assert apart.chain.size == together.chain.size
    assert apart.turns[0][0].tolist() == together.turns[0][0].tolist() == of(solve(assault, number=Fraction))
    hits = [sum(t.get("hits", 0) for _, _, t in found.chain.forward()) for found in (apart, together)]
    assert hits == [solve(assault, number=Fraction).tallies["hits"]] * 2


# Learnt once


def turns_of(*stages: Stage, turns: int = 2) -> Assault:
    return replace(race(99, turns), turn=(PlayerTurn("a", stages),))


def hit(dice, state, scene, shots):
    """Hit up to three."""
    hits = dice.draw("hit", Volley((GOAL,)), shots, 4)
    return state.replace(total=np.minimum(state.total + hits, 3))


def counted(rule, asked: Counter):
    """Return the rule, which counts how often it is asked about each total."""

    def one(dice, state, scene, **how):
        asked.update(np.broadcast_to(state.total, dice.weights.shape[-1:]).tolist())
        return rule(dice, state, scene, **how)

    return one


def test_a_stage_is_learnt_once_for_each_state_however_often_it_is_played():
    asked = Counter()
    rule = counted(hit, asked)
    assault = turns_of(
        Stage("repeated", partial(rule, shots=1), times=2),
        Stage("again", partial(rule, shots=1), when=lambda state, _: state.total < 2),
        turns=5,
    )
    found = values(assault, number=Fraction)
    assert asked == {0: 1, 1: 1, 2: 1, 3: 1}
    assert found.chain.size == 2 + 2 + 2 + 1
    assert found.turns[0][0].tolist() == of(solve(assault, number=Fraction))


def test_partials_with_other_arguments_are_other_rules():
    assault = turns_of(Stage("one", partial(hit, shots=1)), Stage("two", partial(hit, shots=2)))
    assert values(assault, number=Fraction).turns[0][0].tolist() == of(solve(assault, number=Fraction))


def test_so_are_those_with_other_arguments_in_order():
    def shots_first(shots, dice, state, scene):
        return hit(dice, state, scene, shots)

    assault = turns_of(Stage("one", partial(shots_first, 1)), Stage("two", partial(shots_first, 2)))
    assert values(assault, number=Fraction).turns[0][0].tolist() == of(solve(assault, number=Fraction))


def test_what_is_tallied_twice_counts_twice():
    def rolls(dice, state, scene):
        for label in ("one", "two"):
            dice.tally("pips", face := roll(dice, label, D6))
        return state.replace(total=face)

    assault = turns_of(Stage("rolls", rolls), turns=1)
    assert [tallies for *_, tallies in Chain(assault, Fraction).forward()] == [{"pips": 7}]


def test_what_is_tallied_in_some_states_alone_is_nothing_in_the_others():
    def walk(dice, state, scene):
        dice.tally("late" if np.all(state.total > 1) else "early", 1)
        return state.replace(total=state.total + (roll(dice, "step", D2) == 2))

    tallied = [tallies for *_, tallies in Chain(turns_of(Stage("walk", walk), turns=4), Fraction).forward()]
    late, early = ([tallies.get(name, 0) for tallies in tallied] for name in ("late", "early"))
    assert (late, early) == ([0, 0, Fraction(1, 4), Fraction(1, 2)], [1, 1, Fraction(3, 4), Fraction(1, 2)])


def test_a_player_turn_opens_after_every_repetition_of_the_stages_before_it():
    stages = Stage("one", hit, times=3), Stage("two", hit)
    assault = replace(race(), turn=(PlayerTurn("attackers", stages), PlayerTurn("defenders", stages)))
    assert (assault.opening(2, "attackers"), assault.opening(2, "defenders")) == (Moment(2, 0), Moment(2, 4))
    assert [step.player_turn for step, _ in assault.steps(2)][4] == "defenders"


def test_arguments_that_cannot_be_compared_are_each_their_own():
    def several(dice, state, scene, shots):
        return hit(dice, state, scene, shots[0])

    assault = turns_of(Stage("one", partial(several, shots=[1])), Stage("two", partial(several, shots=[2])))
    assert values(assault, number=Fraction).turns[0][0].tolist() == of(solve(assault, number=Fraction))


def test_what_a_stage_does_not_concern_is_not_changed_by_it():
    never = turns_of(Stage("hit", partial(hit, shots=1), when=lambda state, _: state.total > 0))
    found = values(never)
    assert found.chain.size == 0
    assert found.turns[0].tolist() == [[0, 0, 0, 1, 0, 0]]


def test_too_many_transitions_are_refused_with_what_helps():
    assert values(race(9, 3), budget=40).chain.size == 40
    with pytest.raises(BudgetError, match=r"more than 39 transitions.*fewer models.*garrison on hold"):
        values(race(9, 3), budget=39)


@pytest.mark.parametrize(
    ("name", "rulings", "helps"),
    [
        ("storming", {"under_fire": "test"}, ['rulings.under_fire = "steady"']),
        ("gw_updated", {"under_fire": "test"}, ['rulings.under_fire = "steady"']),
        (
            "gemini",
            {"routers": "rally"},
            [
                'rulings.flight = "lines"',
                "building.levels = 1",
            ],
        ),
        (
            "gemini",
            {"routers": "rally", "flight": "lines"},
            ['rulings.routers = "for_good"', "building.levels = 1"],
        ),
        ("gemini", {"suppression": "test"}, ['rulings.suppression = "off"', "building.levels = 1"]),
        ("gemini", {}, ["building.levels = 1"]),
        ("storming", {}, []),
    ],
)
def test_who_is_refused_is_told_what_would_make_the_assault_smaller(name, rulings, helps):
    rules = rule_set(name)
    assault = replace(rules, book=rules.book.with_rulings(rulings)).assault(load_scenario("farmhouse"))
    said = ", or with ".join(["fewer models", "the garrison on hold", *helps])
    with pytest.raises(BudgetError, match=re.escape(f"there are fewer with {said}") + "$"):
        values(assault, budget=100)


def test_what_is_too_much_at_a_time_is_learnt_half_by_half(monkeypatch):
    whole, sizes = values(race(14, 4), number=Fraction), []
    monkeypatch.setattr(learner, "BUDGET", 10)
    played = learner.played
    monkeypatch.setattr(learner, "played", lambda *given: sizes.append(given[4].size) or played(*given))
    assert values(race(14, 4), number=Fraction).turns[0][0].tolist() == whole.turns[0][0].tolist()
    assert max(sizes) > 3 > min(sizes)
    monkeypatch.setattr(learner, "BUDGET", 5)
    with pytest.raises(BudgetError, match=r'a single state has too many outcomes at "rule".*fewer models'):
        values(race(14, 4))


def test_what_a_rule_makes_of_many_states_is_learnt_a_few_at_a_time(monkeypatch):
    whole, sizes = values(race(14, 4), number=Fraction), []
    monkeypatch.setattr(learner, "AT_A_TIME", 2)
    played = learner.played
    monkeypatch.setattr(learner, "played", lambda *given: sizes.append(given[4].size) or played(*given))
    found = values(race(14, 4), number=Fraction)
    assert found.turns[0][0].tolist() == whole.turns[0][0].tolist()
    assert found.chain.size == whole.chain.size
    assert max(sizes) == 2


def test_progress_is_told_turn_by_turn():
    told = []
    values(race(9, 3), progress=lambda done, of: told.append((done, of)))
    values(race(9, 3), since=Moment(2, 0), progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 3), (1, 3), (2, 3), (0, 2), (1, 2)]


# Numbers of states


@pytest.mark.parametrize("odd", [None, 0], ids=["hashed", "all of one hash"])
def test_every_state_has_one_number(odd):
    states, rng, known = States(race().start), np.random.default_rng(5), {}
    if odd is not None:
        states._odd = states._odd * np.uint64(odd)
    for reach in (3, 50, 30_000):
        pairs = np.unique(rng.integers(-reach, reach, size=(200, 2)), axis=0)
        arrays = [kept(array) for array in pairs.T]
        missing = states.find(arrays, len(pairs)) == NONE
        assert missing.tolist() == [tuple(pair) not in known for pair in pairs.tolist()]
        twice = [np.concatenate([array, array[::-1]]) for array in arrays]
        numbers = states.number(twice, 2 * len(pairs))
        assert numbers[: len(pairs)].tolist() == numbers[: len(pairs) - 1 : -1].tolist()
        for pair, number in zip(pairs.tolist(), numbers, strict=False):
            assert known.setdefault(tuple(pair), number) == number
    assert sorted(known.values()) == list(range(len(states)))
    of_each = [*zip(states.all.total.tolist(), states.all.rolled_one.tolist(), strict=True)]
    assert of_each == sorted(known, key=lambda pair: known[pair])


def test_a_field_that_is_the_same_everywhere_is_taken_once():
    states = States(race().start)
    states.number([kept(np.array([4, 5, 6])), kept(np.array([1]))], 3)
    taken = states.take(np.array([0, 2]))
    assert isinstance(taken, Race)
    assert [array.tolist() for array in taken.arrays()] == [[4, 6], [1]]
    assert [array.size for array in states.take(np.array([], dtype=int)).arrays()] == [0, 0]


# Rule sets


@pytest.fixture
def assaults_by(rules, some):
    """Any scenario under every rule set and every pair of plans; in the short form under each plan of either side."""
    pairs = some(((rules, *pair) for pair in PLANS), lambda one: one[1], lambda one: one[2])

    def by(scenario: Scenario) -> Iterator[Assault]:
        for _, plan, defence in pairs:
            yield rule_set(rules).assault(replace(scenario, plan=plan, defence=defence))

    return by


def agrees(found: Values, result: Exact, within: float = 1e-12) -> None:
    """Values at the start are what solve says, and so is what is tallied on the way."""
    assert found.turns[0][0].tolist() == pytest.approx(of(result), rel=within, abs=within)
    tallied = Counter()
    for _, _, tallies in found.chain.forward():
        tallied.update(tallies)
    tallied = {name: amount for name, amount in tallied.items() if name in result.tallies or amount}
    assert tallied == pytest.approx(result.tallies, rel=within, abs=within)


def judged_in_mid_game(found: Values, number: type, steps: int, within: float = 1e-12) -> None:
    """Solve says the same of the rest of the assault, from some state before some steps."""
    rng, chain, judged = np.random.default_rng(12), found.chain, 0
    every = every_step(found)
    for k in rng.permutation(len(every)):
        there = known_states(found, every[k])
        if there.size and judged < steps:
            i = rng.choice(there)
            left = rest(chain.assault, every[k], chain.states.take(np.array([i])))
            expected = of(solve(left, number=number))
            assert found.before(every[k])[i].tolist() == pytest.approx(expected, rel=within, abs=within), every[k]
            judged += 1
    assert judged


def test_values_in_a_skirmish_are_those_of_solve(skirmish, assaults_by):
    for assault in assaults_by(load_scenario(skirmish)):
        found = values(assault)
        agrees(found, solve(assault))
        judged_in_mid_game(found, float, 3)


def test_in_fractions_a_small_assault_agrees_exactly(assaults_by):
    for assault in assaults_by(load_scenario("farmhouse", TINY)):
        found = values(assault, number=Fraction)
        agrees(found, solve(assault, number=Fraction), within=0)
        judged_in_mid_game(found, Fraction, 5, within=0)


def test_a_value_is_the_mean_of_those_after_it(skirmish, assaults_by):
    """Of every state at every step, and so of all of them weighted; ends keep what they are worth."""
    for assault in assaults_by(load_scenario(skirmish)):
        each_is_the_mean_of_those_after_it(values(assault))


def each_is_the_mean_of_those_after_it(found: Values) -> None:
    chain = found.chain
    over, after = chain.end != End.GOING_ON, found.turns[found.chain.assault.limit]
    weights = {step: weights for step, weights, _ in chain.forward()}
    worth = weights[every_step(found)[-1]] @ after
    for step, before in chain.backward():
        assert weights[step] @ after == pytest.approx(worth, rel=1e-12)
        expected = after.copy()
        if moves := chain.turn[step.place][1].transitions:
            source = np.repeat(moves.source, np.diff(moves.first))
            sums = [np.bincount(source, moves.chance * one[moves.target], len(over)) for one in after.T]
            expected[moves.source] = np.transpose(sums)[moves.source]
            chances = np.bincount(source, moves.chance)[moves.source]
            assert np.abs(chances - 1).max() < 1e-12
        np.testing.assert_allclose(before, expected, rtol=1e-12, atol=1e-15)
        assert (before[over] == found.turns[found.chain.assault.limit][over]).all()
        after = before.copy()
    assert after[0] == pytest.approx(worth, rel=1e-12)


def test_values_of_turns_and_of_steps_are_the_same(skirmish, rules):
    found = values(rule_set(rules).assault(load_scenario(skirmish)))
    for step, before in found.chain.backward():
        assert (found.before(step) == before).all()


def test_who_can_be_there_is_known(skirmish, rules):
    chain = values(rule_set(rules).assault(load_scenario(skirmish))).chain
    weights = np.zeros(len(chain.states))
    weights[0] = 1
    for step, after, _ in chain.forward():
        assert chain.known(step)[weights != 0].all()
        weights = after


@pytest.mark.slow
def test_values_of_shipped_scenarios_are_those_of_solve(some):
    """The short form: each scenario under one rule set, and each rule set in one."""
    for rules, name in some(product(rule_set_ids(), scenario_ids()), lambda game: game[0], lambda game: game[1]):
        assault = rule_set(rules).assault(load_scenario(name))
        agrees(values(assault), solve(assault))


# Beside each other


@pytest.mark.parametrize("plans", [("storm", "sally"), ("shoot", "hold"), ("demolish", "sally"), ("smoke", "hold")])
def test_a_chain_beside_another_has_the_same_values_as_alone(skirmish, rules, plans):
    under = rule_set(rules)
    other = under.assault(replace(load_scenario(skirmish), plan=plans[0], defence=plans[1]))
    beside = values(under.assault(load_scenario(skirmish))).chain
    alone, shared = values(other), values(other, beside=beside)
    for step in [alone.chain.turn[0][0]._replace(turn=2), *every_step(alone)[-3:]]:
        known = np.flatnonzero(alone.chain.known(step))
        states = alone.chain.states.take(known)
        numbers = shared.chain.states.find(list(np.broadcast_arrays(*states.arrays(), known))[:-1], known.size)
        np.testing.assert_allclose(shared.before(step)[numbers], alone.before(step)[known], rtol=1e-12, atol=1e-14)
    assert shared.chain.size <= alone.chain.size
    assert shared.turns[0][0].tolist() == pytest.approx(of(solve(other)), rel=1e-12, abs=1e-12)


@dataclass(frozen=True)
class Two:
    """A scene of two numbers, of which a rule may read one."""

    a: int
    b: int


def test_what_does_not_read_what_differs_is_learnt_once():
    asked = Counter()

    def reads_a(dice, state, scene):
        asked.update(["a"])
        return state.replace(total=np.minimum(state.total + scene.a, 3))

    def reads_b_late(dice, state, scene):
        asked.update(["b"])
        late = state.total > 2
        return state.replace(total=np.where(late, scene.b, state.total)) if late.any() else state

    stages = Stage("a", reads_a), Stage("b", reads_b_late)
    one, other = (replace(turns_of(*stages, turns=3), scene=Two(1, b)) for b in (7, 8))
    for each in (one, other):
        object.__setattr__(each, "end", lambda state, _: 0 * state.total)
        object.__setattr__(each, "outcome", lambda state, _: Outcome(0 * state.total, state.total, state.total > 0))
    first = values(one, number=Fraction)
    alone = Counter(asked)
    second = values(other, number=Fraction, beside=first.chain)
    assert asked["a"] - alone["a"] == 0
    assert asked["b"] > alone["b"]
    assert (first.turns[0][0][5], second.turns[0][0][5]) == (7, 8)


def test_what_is_known_of_a_rule_takes_room_for_the_states_it_has_met_alone(skirmish):
    """Chains of all plans beside each other have many states, of which each rule meets few."""
    game, under = load_scenario(skirmish), rule_set("gw_updated")
    chain = values(under.assault(game)).chain
    values(under.assault(replace(game, plan="shoot", defence="sally")), beside=chain)
    learnt = [rule for rules in chain.shared.rules.values() for rule in rules]
    assert all(rule._rows.size <= 1 + len(rule.table) for rule in learnt)
    assert max(len(rule.table) for rule in learnt) < len(chain.states)


def test_a_chain_beside_another_begins_where_its_own_assault_does():
    ahead = replace(race(9, 3), start=race().start.replace(total=np.array([4])))
    alone, beside = values(ahead, number=Fraction), values(race(9, 3), number=Fraction).chain
    chain = Chain(ahead, Fraction, beside=beside)
    (start,) = np.flatnonzero(chain.weights(Moment(1, 0)))
    assert (chain.states.all.total[start], beside.weights(Moment(1, 0)).tolist()) == (4, [1])
    *_, (_, weights, _) = chain.forward()
    assert (weights @ chain.values_at_the_limit()).tolist() == alone.turns[0][0].tolist()


def test_a_chain_knows_the_ends_among_the_states_that_one_beside_it_has_met():
    first = values(race(9, 1), number=Fraction)
    values(race(9, 4), number=Fraction, beside=first.chain)
    totals, ones = first.chain.states.all.arrays()
    assert len(totals) > len(first.turns[0])
    captured, broken = totals == 9, ones * (totals < 9) > 0
    assert (first.chain.end == np.select([captured, broken], [End.CAPTURED, End.BROKEN], End.GOING_ON)).all()
    *_, (_, weights, _) = first.chain.forward()
    assert (weights @ first.chain.values_at_the_limit()).tolist() == first.turns[0][0].tolist()


def test_a_chain_can_begin_anywhere_with_any_states():
    goal, turns = 9, 4
    whole = values(race(goal, turns), number=Fraction)
    totals = np.array([5, 2, 7])
    begun = race().start.replace(total=totals, rolled_one=np.array([0]))
    found = values(race(goal, turns), since=Moment(3, 0), states=begun, number=Fraction)
    numbers = found.chain.states.find([kept(totals), kept(np.zeros(3))], 3)
    for number, total in zip(numbers, totals, strict=True):
        assert found.before(Moment(3, 0))[number].tolist() == by_hand(goal, int(total), 2)
    assert set(found.turns) == {2, 3, 4}
    weights = whole.chain.weights(Moment(2, 0))
    assert {int(t): w for t, w in zip(whole.chain.states.all.total, weights, strict=True) if w} == dict.fromkeys(
        range(1, 7), Fraction(1, 6)
    )

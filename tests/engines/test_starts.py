"""Many starts read from one chain: each is what it is alone, and two are one only where nothing can tell them apart."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
import pytest

from analysis.points.margins import ENDS, SIDES, Models, margins
from sims.assault import Assault, End, Stage
from sims.engines import ahead, learner, solve, starts
from sims.errors import BudgetError
from sims.forces import begun, since, total
from sims.games.wh40k.book import Fifth
from sims.rulesets import RuleSet, rule_set
from sims.scenario import AttackPlan, DefencePlan, Force, Group, Scenario, load_scenario
from tests.oracle import left_after

PLANS = [*product(get_args(AttackPlan), get_args(DefencePlan))]
SMALL = {"attackers.specials": [{"weapon": "flamer"}], "defenders.specials": [{"weapon": "machine-gun"}]}
SMALL |= {"attackers.send": 2, "attackers.first_in": "leader"}  # nothing is chosen, for each start would for itself
WHO = {who: Fifth.load().with_rulings({"who_falls": who}).rulings.who_falls for who in ("owner", "spread", "drawn")}


@pytest.fixture(autouse=True)
def in_lots(monkeypatch):
    """Each answer is carried back by itself, past all states that cannot come to it."""
    monkeypatch.setattr(starts, "CELLS", 1)


def corners(name: str, **changes) -> list[Scenario]:
    """Return a scenario with few and many of all that starts may differ in, the most of everything first."""
    every = [(6, 4, 11, 3), (6, 3, 6, 1), (4, 4, 11, 2), (4, 3, 6, 3), (5, 3, 8, 2)]
    keys = ("attackers.models", "defenders.models", "distance", "turns")
    return [load_scenario(name, SMALL | dict(zip(keys, levels, strict=True)) | changes) for levels in every]


def built(rules: RuleSet, scenario: Scenario) -> Assault:
    return rules.assault(replace(scenario, one_of_several=True))


def off(rules: RuleSet, scenarios: list[Scenario]) -> float:
    """Return by how much the starts of one chain are off what each comes to alone, at most."""
    largest = scenarios[0]
    found = ahead(built(rules, largest), [built(rules, one) for one in scenarios])
    worst = 0.0
    assert sum(answer is not None for answer in found) >= 2
    for one, answer in zip(scenarios, found, strict=True):
        if answer is None:  # attackers who shoot from far away halt where they are if they start nearer
            mine, its = vars(built(rules, one).scene), vars(built(rules, largest).scene)
            assert {name for name in mine if mine[name] != its[name]} - {"scenario"}
            continue
        alone = margins(solve(rules.assault(one)), Models(one.attackers.models, one.defenders.models))
        pairs = [
            (np.array([answer.ends[end] for end in ENDS.values()]), alone.ends),
            *((getattr(answer, f"{side}_lost"), alone.lost[side]) for side in SIDES),
            (np.array(answer.cleared), np.array(alone.cleared)),
        ]
        assert all(mine.shape == its.shape for mine, its in pairs)
        worst = max(worst, *(float(abs(mine - its).max()) for mine, its in pairs))
    return worst


def test_starts_are_worth_what_each_is_alone(rules, some):
    """The short form: under each plan of either side."""
    for _, plan, defence in some(((rules, *pair) for pair in PLANS), lambda one: one[1], lambda one: one[2]):
        scenarios = corners("farmhouse", **{"attackers.plan": plan, "defenders.plan": defence})
        assert off(rule_set(rules), scenarios) < 1e-12


def test_starts_of_every_scenario_are_worth_what_each_is_alone(rules, scenario_id):
    assert off(rule_set(rules), corners(scenario_id)) < 1e-12


@pytest.mark.parametrize("who", WHO)
def test_starts_are_worth_what_each_is_alone_whoever_falls(rules, who):
    """Those of two Wounds stand in the open, too."""
    changed = rule_set(rules).with_values({"rulings.who_falls": who})
    scenarios = corners("farmhouse", **{"defenders.plan": "sally", "units.veteran.W": 2, "distance": 8})
    assert off(changed, scenarios) < 1e-12


@pytest.mark.parametrize("plan", ["smoke", "demolish"])
@pytest.mark.parametrize("who", WHO)
def test_starts_are_worth_what_each_is_alone_where_some_go_in(rules, who, plan):
    """Those who are inside fall alone, whoever would fall of all."""
    changed = rule_set(rules).with_values({"rulings.who_falls": who})
    scenarios = corners("farmhouse", **{"attackers.plan": plan, "distance": 8})[::2]
    assert off(changed, scenarios) < 1e-12


def test_starts_are_worth_what_each_is_alone_where_rules_are_learnt_for_a_few_states_at_a_time(rules, monkeypatch):
    monkeypatch.setattr(learner, "AT_A_TIME", 50)
    assert off(rule_set(rules), corners("farmhouse", distance=8)[::2]) < 1e-12


def test_answers_carried_back_in_lots_are_the_same(rules, monkeypatch):
    scenarios = corners("farmhouse", distance=8)[::2]
    largest, *others = (built(rule_set(rules), one) for one in scenarios)
    (one,) = ahead(largest, others[-1:])
    monkeypatch.setattr(starts, "CELLS", 2**24)
    (other,) = ahead(largest, others[-1:])
    for mine, its in zip((*one.ends.values(), *one[1:]), (*other.ends.values(), *other[1:]), strict=True):
        assert np.array_equal(mine, its)


def test_what_a_rule_reads_of_the_start_is_not_shared():
    """A garrison that settles by a roll is counted up to what there is at the start (ST-010): such starts are apart."""
    rules = rule_set("storming").with_values({"rulings.capacity_from": "random"})
    scenarios = [load_scenario("farmhouse", SMALL | {"attackers.models": n, "distance": 6, "turns": 1}) for n in (4, 5)]
    found = ahead(built(rules, scenarios[1]), [built(rules, one) for one in scenarios])
    assert [answer is None for answer in found] == [True, False]


def test_what_tests_read_of_the_start_is_not_shared_either():
    """Of when a stage is played, and which stages there are."""
    rules, scenarios = rule_set("storming"), corners("farmhouse")[::2]

    def with_stage(one: Assault, name: str, when) -> Assault:
        first, second = one.turn
        stage = Stage(name, lambda dice, state, scene: state, when=when)
        return replace(one, turn=(replace(first, stages=(stage, *first.stages)), second))

    plain = [built(rules, one) for one in scenarios]
    reading = [
        with_stage(one, "wait", lambda state, scene: scene.scenario.attackers.models + 0 * state.moved) for one in plain
    ]
    named = [with_stage(one, f"wait {one.scene.scenario.attackers.models}", None) for one in plain]
    alike = [with_stage(one, "wait", None) for one in plain]
    found = [[answer is None for answer in ahead(some[0], some)] for some in (plain, alike, reading, named)]
    assert found == [[False, False, False], [False, False, False], [False, True, True], [False, True, True]]


def test_a_stage_that_some_starts_lack_tells_them_apart_where_it_concerns_them():
    """Here one for five attackers and more, which is nothing to a start of four."""
    most, *_, few, five = (built(rule_set("storming"), one) for one in corners("farmhouse"))
    stage = Stage("rest", lambda dice, state, scene: state, when=lambda state, _: total(state.attackers) >= 5)
    first, second = most.turn
    resting = replace(most, turn=(replace(first, stages=(stage, *first.stages)), second))
    assert ahead(resting, [five]) == [None]
    later = replace(stage, when=lambda state, _: total(state.attackers) <= 3)  # when somebody has fallen, next turn
    assert ahead(replace(most, turn=(replace(first, stages=(later, *first.stages)), second)), [few]) == [None]
    (shared,), (plain,) = ahead(resting, [few]), ahead(most, [few])
    assert (shared.cleared, shared.ends[End.HELD].tolist()) == (plain.cleared, plain.ends[End.HELD].tolist())


def test_starts_of_long_assaults_are_worth_what_each_is_alone(rules):
    """In the end a turn begins as the one before, and no more is looked at."""
    assert off(rule_set(rules), [replace(one, turns=one.turns + 9) for one in corners("farmhouse", distance=6)]) < 1e-12


def test_too_much_for_one_chain_is_refused():
    rules, scenarios = rule_set("storming"), corners("farmhouse")
    with pytest.raises(BudgetError, match="more than 100 transitions"):
        ahead(built(rules, scenarios[0]), [built(rules, one) for one in scenarios], budget=100)


# When two starts are one


def unit(*counts: int) -> Force:
    trooper = load_scenario("farmhouse").attackers.unit
    return Force(trooper, tuple(Group(trooper, None, None, n) for n in counts))


def names(*counts: int) -> tuple[str, ...]:
    return tuple(name for name, n in zip("abc", counts, strict=False) for _ in range(n))


def lines(full: tuple[str, ...], left: tuple[int, ...]) -> tuple[str, ...]:
    """Return in which order those who are left fall if all can, as one model after the other does."""
    now = tuple(name for name, n in zip("abc", left, strict=False) for _ in range(n))
    order = []
    while now:
        ((after, _),) = left_after("spread", full, now, now, 1)
        order.append(next(name for name in "abc" if now.count(name) != after.count(name)))
        now = after
    return tuple(order)


def test_starts_are_one_exactly_where_who_is_left_falls_in_the_same_order():
    """Every unit of a leader, two others and up to six ordinary models, and all of it that can be left."""
    most, who = unit(1, 2, 6), WHO["spread"]
    for left in product(range(2), range(3), range(7)):
        by_order = dict[tuple[str, ...], set[int]]()
        for ordinary in range(max(left[2], 1), 7):
            models = tuple(np.array([n]) for n in left)
            kept = since(who, most, models, begun(unit(1, 2, ordinary), True))
            by_order.setdefault(lines(names(1, 2, ordinary), left), set()).add(kept[0].item())
        assert all(len(kept) == 1 for kept in by_order.values()), left
        assert len(set.union(*by_order.values())) == len(by_order), left


def test_a_unit_whose_owner_chooses_keeps_nothing_of_its_start():
    models = (np.array([1, 1]), np.array([2, 0]), np.array([3, 5]))
    kept = since(WHO["owner"], unit(1, 2, 6), models, (np.array([6, 5]),))
    assert kept[0].tolist() == [3, 5]


def test_what_else_depends_on_the_start_keeps_it_until_it_has_come():
    """Something that is so with half of the unit left: of four with two left and of six with three, not with more."""
    ordinary, left = (n.ravel() for n in np.meshgrid(range(2, 7), range(1, 6)))
    there = left <= ordinary
    ordinary, left = ordinary[there], left[there]
    kept = since(WHO["owner"], unit(6), (left,), (ordinary,), lambda models: models // 2)[0]
    for a, b in product(range(left.size), repeat=2):
        same = left[a] == left[b] and (min(left[a], ordinary[a] // 2) == min(left[b], ordinary[b] // 2))
        assert (kept[a] == kept[b]) == same or left[a] != left[b]

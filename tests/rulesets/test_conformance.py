"""What every rule set must do, on every scenario: found by folder, tested unasked."""

import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import sims.rulesets
from sims.assault import Assault, End
from sims.clauses import CITATION, documents
from sims.dice import BATCH, Address, ExactDice, RolledDice, SampledDice, source
from sims.engines import Exact, Result, Sampled, bounded, play, run, solve, values
from sims.engines.chain import ENDS
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario, scenario_ids
from sims.state import State
from tests.conftest import Some
from tests.played import books
from tests.status import citations

PLANS = list(product(get_args(AttackPlan), get_args(DefencePlan)))
OTHER_OPTIONS = [
    pytest.param(replace(rule_set(rules), book=book), id=f"{rules}-{k}")
    for rules in rule_set_ids()
    for k, book in enumerate(books(rule_set(rules)))
    if k
]
"""Every rule set under other rulings: for each k with the k-th other option of each that has so many."""
FALSE_ALARM = 1e-9
"""Chance that a statistical test here fails although nothing is wrong, for each test."""


def folder(rules: str) -> Path:
    return Path(sims.rulesets.__path__[0]) / rules


def stages(assault: Assault):
    return [(player, stage) for player in assault.turn for stage in player.stages]


def games(some: Some) -> Iterator[Scenario]:
    """Yield every scenario under every pair of plans; in the short form each pair in one scenario, and each scenario."""
    every = product(scenario_ids(), PLANS)
    for name, (plan, defence) in some(every, lambda game: game[0], lambda game: game[1]):
        yield replace(load_scenario(name), plan=plan, defence=defence)


def test_the_outcomes_of_every_plan_sum_to_one(rules, some):
    for scenario in games(some):
        result = run(rule_set(rules).assault(scenario), engine="exact")
        assert isinstance(result, Exact)
        assert abs(result.weights.sum() - 1) < 1e-12
        within_bounds(result, scenario)


def within_bounds(result: Result, scenario: Scenario) -> None:
    """Ends, turns and losses are such as there can be; a building that is taken or gone has nobody in it."""
    assert set(result.columns["end"]) <= {End.DESTROYED, End.CAPTURED, End.BROKEN, End.HELD}
    assert result.columns["turn"].min() >= 1
    assert result.columns["turn"].max() <= scenario.turns
    for side, force in (("attackers", scenario.attackers), ("defenders", scenario.defenders)):
        lost = result.columns[f"{side}_lost"]
        assert lost.min() >= 0
        assert lost.max() <= force.models
    held = result.columns["end"] == End.HELD
    assert (result.columns["turn"][held] == scenario.turns).all()
    taken = np.isin(result.columns["end"], [End.CAPTURED, End.DESTROYED])
    assert (result.columns["cleared"][taken] == 1).all()


@pytest.mark.parametrize("other", OTHER_OPTIONS)
def test_every_plan_is_played_under_the_other_options(other, some):
    trials = 256
    for scenario in games(some):
        result = play(other.assault(scenario), trials=trials, seed=22)
        assert result.counts.sum() == trials
        within_bounds(result, scenario)
        for side, force, at_last in zip(
            ("attackers", "defenders"), (scenario.attackers, scenario.defenders), result.course[-1], strict=True
        ):
            lost = int((result.counts * result.columns[f"{side}_lost"]).sum())
            assert at_last == pytest.approx(lost / trials, abs=1e-12)
            causes = (total for name, (total, _) in result.tallies.items() if name.startswith(f"{side} lost"))
            if all(group.profile.W == 1 for group in force.groups):
                assert sum(causes) == lost


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("plans", [("storm", "hold"), ("smoke", "hold"), ("demolish", "sally")], ids="-".join)
@pytest.mark.parametrize("other", OTHER_OPTIONS)
def test_drawn_and_exact_shares_agree_under_the_other_options(other, plans):
    """At a farmhouse with few men; four counts for each engine, together below `FALSE_ALARM`."""
    few = replace(load_scenario("farmhouse", SMALL), plan=plans[0], defence=plans[1], turns=3)
    assault, trials = other.assault(few), 2**13
    exact = solve(assault)
    for engine in ("sampled", "rolled"):
        shares_agree(exact, play(assault, engine=engine, trials=trials, seed=23), FALSE_ALARM / 8)


def engines_agree(assault: Assault, trials: int = 2**15) -> None:
    """Chains and bounds have the value of the exact engine; what is drawn, a false alarm once in `FALSE_ALARM`."""
    exact, learnt, near = solve(assault), values(assault), bounded(assault, within=1e-9)
    assert exact.weights.sum() == pytest.approx(1, abs=1e-12)
    for i, end in enumerate(ENDS):
        p = float(exact.weights[exact.columns["end"] == end].sum())
        assert learnt.turns[0][learnt.chain.start, i] == pytest.approx(p, abs=1e-12)
        assert float(near.probabilities[near.columns["end"] == end].sum()) == pytest.approx(p, abs=2e-9)
    for engine in ("sampled", "rolled"):
        shares_agree(exact, play(assault, engine=engine, trials=trials, seed=12), FALSE_ALARM / 8)


def shares_agree(exact: Exact, drawn: Sampled, false_alarm: float) -> None:
    """Each end state's count is binomial."""
    from scipy.stats import binom

    for end in (End.DESTROYED, End.CAPTURED, End.BROKEN, End.HELD):
        p = min(1.0, float(exact.weights[exact.columns["end"] == end].sum()))
        count = int(drawn.counts[drawn.columns["end"] == end].sum())
        tail = 2 * min(binom.cdf(count, drawn.trials, p), binom.sf(count - 1, drawn.trials, p))
        assert tail > false_alarm, (drawn.engine, end.name, p, count / drawn.trials)


def test_those_who_are_all_lost_have_cleared_the_building(rules):
    result = run(rule_set(rules).assault(load_scenario("farmhouse")), engine="exact")
    everybody = result.columns["defenders_lost"] == load_scenario("farmhouse").defenders.models
    assert (result.columns["cleared"][everybody] == 1).all()


@pytest.fixture
def exact(rules: str, scenario_id: str) -> Exact:
    """What comes of every scenario, as its file gives it."""
    return solved(rules, scenario_id)


@cache
def solved(rules: str, scenario_id: str) -> Exact:
    return solve(rule_set(rules).assault(load_scenario(scenario_id)))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("engine", ["sampled", "rolled"])
def test_drawn_and_exact_shares_and_mean_losses_agree(assault, exact, engine):
    """The chance of a false alarm over the four end states is below `FALSE_ALARM`, and so it is for each mean.

    Means are normal to a very good degree at this size; 6.2 standard errors are below `FALSE_ALARM` each.
    """
    trials = 2**15
    drawn = play(assault, engine=engine, trials=trials, seed=20)
    shares_agree(exact, drawn, FALSE_ALARM / 4)
    for side in ("attackers_lost", "defenders_lost"):
        mean = (exact.weights * exact.columns[side]).sum()
        variance = (exact.weights * exact.columns[side] ** 2).sum() - mean**2
        seen = (drawn.probabilities * drawn.columns[side]).sum()
        assert abs(seen - mean) <= 6.2 * np.sqrt(max(variance, 0) / trials) + 1e-12, side


def test_tallies_add_up_to_the_losses(assault, exact):
    for side in ("attackers", "defenders"):
        causes = [float(v) for name, v in exact.tallies.items() if name.startswith(f"{side} lost")]
        lost = float((exact.weights * exact.columns[f"{side}_lost"]).sum())
        if all(body.profile.W == 1 for body in getattr(assault.scene.scenario, side).bodies):
            assert sum(causes) == pytest.approx(lost, abs=1e-9), exact.tallies


def test_losses_by_turn_end_at_the_final_losses(assault, exact):
    assert len(exact.course) == assault.limit
    final = [(exact.weights * exact.columns[f"{side}_lost"]).sum() for side in ("attackers", "defenders")]
    assert exact.course[-1] == pytest.approx(final, abs=1e-12)
    for side in (0, 1):
        so_far = [turn[side] for turn in exact.course]
        assert all(b >= a - 1e-12 for a, b in pairwise(so_far))


def test_the_answer_does_not_depend_on_workers(rules):
    assault = rule_set(rules).assault(load_scenario("farmhouse"))
    alone = play(assault, trials=BATCH + 1000, seed=5, workers=1)
    together = play(assault, trials=BATCH + 1000, seed=5, workers=2)
    assert {n: c.tolist() for n, c in alone.columns.items()} == {n: c.tolist() for n, c in together.columns.items()}
    assert alone.counts.tolist() == together.counts.tolist()
    assert alone.tallies == together.tallies
    assert alone.course == together.course


def test_another_seed_gives_another_sample_and_the_same_seed_the_same(rules):
    assault = rule_set(rules).assault(load_scenario("farmhouse"))
    first, again, other = (play(assault, trials=2000, seed=seed) for seed in (1, 1, 2))
    assert first.counts.tolist() == again.counts.tolist()
    assert first.course == again.course
    assert first.course != other.course


def test_one_trial_works(assault):
    result = play(assault, trials=1, seed=3)
    assert result.counts.tolist() == [1]


@pytest.fixture(params=PLANS, ids="-".join)
def every_plan(request, rules, scenario_id):
    """Every scenario under every pair of plans."""
    plan, defence = request.param
    return rule_set(rules).assault(replace(load_scenario(scenario_id), plan=plan, defence=defence))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("dice_type", [SampledDice, RolledDice])
@pytest.mark.parametrize("plans", [("storm", "hold"), ("smoke", "hold"), ("demolish", "sally")], ids="-".join)
def test_each_trial_is_independent_of_the_others(rules, scenario_id, plans, dice_type):
    """Playing some trials alone gives what they get among all: through a whole turn, stage by stage."""
    plan, defence = plans
    assault = rule_set(rules).assault(replace(load_scenario(scenario_id), plan=plan, defence=defence))
    ids = np.array([7, 3, 100, 900])
    everyone = np.arange(1000)
    states = {
        "all": assault.start.rebuild([np.repeat(a, everyone.size) for a in assault.start.arrays()]),
        "some": assault.start.rebuild([np.repeat(a, ids.size) for a in assault.start.arrays()]),
    }
    for number, (player, stage) in enumerate(stages(assault)):
        address = Address(1, 0, 1, player.name, str(number), 0)
        for name, own in (("all", everyone), ("some", ids)):
            states[name] = step(stage, dice_type(address, own), states[name], assault)
    for whole, part in zip(states["all"].arrays(), states["some"].arrays(), strict=True):
        expected = np.broadcast_to(whole, everyone.shape)[ids]
        assert np.broadcast_to(part, ids.shape).tolist() == expected.tolist()


def step(stage, dice, state: State, assault: Assault) -> State:
    """Play a stage on the columns it concerns."""
    size = len(dice._ids)
    after = stage.rule(dice, state, assault.scene)
    mask = np.ones(size, bool) if stage.when is None else np.broadcast_to(stage.when(state, assault.scene), size)
    pairs = zip(state.arrays(), after.arrays(), strict=True)
    return state.rebuild([np.where(mask, new, old) for old, new in pairs])


def test_states_are_frozen_and_rules_do_not_mutate(every_plan):
    assault = every_plan
    with pytest.raises(FrozenInstanceError):
        setattr(assault.start, fields(assault.start)[0].name, None)
    state, weights = assault.start, np.ones(1)
    for _, stage in stages(assault):
        before = [a.copy() for a in state.arrays()]
        stage.rule(ExactDice(weights), state, assault.scene)
        for old, new in zip(before, state.arrays(), strict=True):
            assert np.array_equal(old, new), stage.name


def test_finished_assaults_stay_finished(rules):
    """A longer turn limit changes nothing about what had ended by then, if attackers go in as they did."""
    scenario = load_scenario("farmhouse", {"attackers.send": 2, "attackers.first_in": "leader"})
    short = run(rule_set(rules).assault(replace(scenario, turns=3)), engine="exact")
    long = run(rule_set(rules).assault(replace(scenario, turns=5)), engine="exact")
    for end in (End.DESTROYED, End.CAPTURED, End.BROKEN):
        by_then = (long.columns["end"] == end) & (long.columns["turn"] <= 3)
        assert long.weights[by_then].sum() == pytest.approx(short.weights[short.columns["end"] == end].sum(), abs=1e-12)


def test_fractions_and_floats_agree(rules):
    scenario = replace(load_scenario("farmhouse", SMALL), turns=2)
    assault = rule_set(rules).assault(scenario)
    true, rounded = solve(assault, number=Fraction), solve(assault)
    assert sum(true.weights) == 1
    assert [c.tolist() for c in true.columns.values()] == [c.tolist() for c in rounded.columns.values()]
    assert np.abs(true.probabilities - rounded.weights).max() < 1e-12


SMALL = {
    "distance": 6,
    "attackers.models": 3,
    "attackers.specials": [],
    "defenders.models": 3,
    "defenders.specials": [],
}


def test_every_table_says_where_it_stands(rules):
    book = rule_set(rules).book
    for table in type(book.tables).model_fields:
        assert getattr(book.tables, table).source
    for name, ruling in book.all_rulings():
        assert ruling.clause in {c.id for d in documents().values() for c in d.clauses}, name
        assert ruling.choice in ruling.options
        assert len(ruling.options) > 1


def test_every_ruling_is_used(rules):
    code = "".join(p.read_text() for p in (folder(rules)).rglob("*.py"))
    game = "".join(p.read_text() for p in (folder(rules).parent.parent / "games").rglob("*.py"))
    book = rule_set(rules).book
    for name in type(book.rulings).model_fields:
        assert re.search(rf"\.{name}\b", code + game), f"no rule asks for the ruling {name}"


def test_rules_cite_clauses_that_exist(rules):
    known = {clause.id for document in documents().values() for clause in document.clauses}
    for path in folder(rules).rglob("*.py"):
        whole, partial = citations(path.read_text())
        assert whole | partial <= known, path.name


def test_each_rule_has_a_source(every_plan):
    for _, stage in stages(every_plan):
        rule = getattr(stage.rule, "func", stage.rule)
        assert CITATION.search(rule.__doc__ or ""), f"{rule.__name__} cites no clause"


@pytest.mark.parametrize(("plan", "defence"), PLANS)
def test_the_translation_says_what_each_side_does(rules, scenario_id, plan, defence):
    assault = rule_set(rules).assault(replace(load_scenario(scenario_id), plan=plan, defence=defence))
    assert {"Building", "Attackers", "Garrison"} <= set(assault.translation)
    assert all(isinstance(k, str) and isinstance(v, str) and v for k, v in assault.translation.items())


def test_lots_of_columns_answer_as_all_of_them_together(rules, skirmish, monkeypatch):
    """Every stage whose draws have outcomes of their own for some columns is played in lots."""
    assault = rule_set(rules).assault(load_scenario(skirmish))
    together = solve(assault)
    monkeypatch.setattr(source, "LARGE", 0)
    monkeypatch.setattr(source, "WASTE", 1)
    apart = solve(assault)
    assert all(np.array_equal(apart.columns[name], together.columns[name]) for name in together.columns)
    assert np.abs(apart.weights - together.weights).max() < 1e-12
    assert apart.tallies == pytest.approx(together.tallies, rel=1e-12)


CAPTAIN = {"title": "Captain", "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 3, "I": 4, "A": 2, "Ld": 8, "Sv": 3}
ALONE = {"models": 1, "specials": [], "leader": {"unit": "own-captain", "weapon": "pistol"}}
LED = {"models": 4, "specials": [{"weapon": "flamer"}], "leader": {"unit": "own-captain", "weapon": "pistol"}}


@pytest.mark.parametrize(
    "sides", [(LED, ALONE), (ALONE, LED), (LED, LED)], ids=["garrison of one", "alone", "both led"]
)
def test_captains_alone_or_among_several_kinds_are_played_under_all_plans(rules, sides, some):
    """A side whose only model is not as its unit's are; and several groups that fall alike beside one who does not.

    The short form: each plan of either side, and each option of who falls.
    """
    rulings = dict(rule_set(rules).book.all_rulings())
    found = {
        who: rule_set(rules).with_values({"rulings.who_falls": who}) if who else rule_set(rules)
        for who in (rulings["who_falls"].options if "who_falls" in rulings else ("",))
    }
    given = {"units.own-captain": CAPTAIN, "distance": 8, "turns": 2}
    for side, force in zip(("attackers", "defenders"), sides, strict=True):
        given |= {f"{side}.{key}": value for key, value in force.items()}
    for (plan, defence), who in some(product(PLANS, found), lambda game: game[0], lambda game: game[1]):
        scenario = replace(load_scenario("farmhouse", given), plan=plan, defence=defence)
        within_bounds(solve(found[who].assault(scenario)), scenario)

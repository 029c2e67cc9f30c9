"""Morale under fire in the 40k rule sets, by a ruling: what all engines make of it, and what it does not touch."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.points.batches import play as play_points
from analysis.points.point import Played, point
from sims.assault import End
from sims.engines import solve
from sims.games.wh40k.open_fight import REGROUPED, RUNS
from sims.rulesets import RuleSet, rule_set
from sims.scenario import Scenario, load_scenario
from sims.words import NO_GROUND
from tests.rulesets.test_conformance import engines_agree

BOTH = ["storming", "gw_updated"]
SMALL = {"attackers.models": 6, "defenders.models": 5, "turns": 4, "attackers.send": 60, "attackers.first_in": "leader"}
GAMES: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("storming", {}, {}),
    ("storming", {"defenders.plan": "sally", "edge": 3}, {"reaching_the_edge": "passed"}),
    ("storming", {"attackers.plan": "demolish", "distance": 8}, {}),
    ("storming", {"building.doors": 1, "distance": 6}, {"second_round": "yes"}),
    ("gw_updated", {}, {}),
    ("gw_updated", {"defenders.plan": "sally", "edge": 6}, {"overwatch": "snap_shots"}),
    ("gw_updated", {"attackers.plan": "shoot"}, {}),
    ("gw_updated", {"attackers.plan": "smoke"}, {"embarked_units": "test"}),
]


def ruled(name: str, **rulings: str) -> RuleSet:
    rules = rule_set(name)
    return replace(rules, book=rules.book.with_rulings(rulings))


def small(**changes: Any) -> Scenario:
    return load_scenario("farmhouse", SMALL | changes)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("played", "changes", "rulings"), GAMES)
def test_all_engines_agree(played, changes, rulings):
    """And the ruling makes a difference."""
    steady, tested = (ruled(played, under_fire=how, **rulings).assault(small(**changes)) for how in ("steady", "test"))
    engines_agree(tested)
    assert not np.array_equal(solve(steady).weights, solve(tested).weights)


@pytest.mark.parametrize("played", BOTH)
def test_starts_beside_each_other_are_answered_as_alone(played):
    """How many have to be left to regroup hangs on how many there were; where the edge lies, on the distance."""
    book = ruled(played, under_fire="test")
    grid = [
        point("farmhouse", book, SMALL | {"attackers.models": models, "distance": inches, "turns": 3})
        for models in (5, 6, 7, 8)
        for inches in (12, 18)
    ]
    for one, margins in zip(grid, play_points(grid, Played()), strict=True):
        alone = one.play()
        for name, each in one.responses(margins).items():
            assert each.value == pytest.approx(one.responses(alone)[name].value, abs=1e-12), name


@pytest.mark.parametrize("played", BOTH)
def test_where_nobody_checks_his_morale_no_edge_moves_anything(played):
    near, far = (solve(ruled(played, under_fire="steady").assault(small(edge=edge))) for edge in (0, 72))
    assert np.array_equal(near.weights, far.weights)
    assert [np.array_equal(near.columns[k], far.columns[k]) for k in near.columns] == [True] * len(near.columns)


@pytest.mark.parametrize("played", BOTH)
def test_who_still_falls_back_when_the_limit_has_come_has_broken(played):
    assault = ruled(played, under_fire="test").assault(small())
    for retreat, end in ((0, End.HELD), (RUNS, End.BROKEN), (REGROUPED, End.HELD)):
        state = assault.start.replace(retreat=np.array([retreat]))
        assert assault.called(state, assault.end(state, assault.scene)).tolist() == [end]


@pytest.mark.parametrize(("played", "few"), [("storming", "half"), ("gw_updated", "a quarter")])
def test_the_translation_says_how_far_they_run_and_who_regroups(played, few):
    told = ruled(played, under_fire="test").assault(small(edge=7)).translation
    assert "a quarter falls" in told["Morale under fire"]
    assert "7 inches behind where they begin" in told["Attackers who fall back"]
    assert f"less than {few} of them is left" in told["Attackers who fall back"]
    assert "edge" not in told.get(NO_GROUND, "")

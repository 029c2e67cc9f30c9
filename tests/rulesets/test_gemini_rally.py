"""Gemini: attackers who rout run, rally and come back, by a ruling; what all engines make of it."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from analysis.points import batches
from analysis.points.batches import play as play_points
from analysis.points.point import Played, point
from sims.assault import End
from sims.dice import exactly
from sims.engines import solve
from sims.games.arap.activation import activate
from sims.games.arap.nerve import casualties, rout
from sims.games.arap.nerve.pinning import pinning
from sims.games.arap.unit import RALLIED, RUNS
from sims.ground import Band
from sims.rulesets.gemini import routs
from sims.scenario import Scenario, load_scenario
from tests.rulesets.gemini_cases import COWARDS, SALLIED_AT, STEADY, case, gemini
from tests.rulesets.judging import share
from tests.rulesets.scripted import scripted
from tests.rulesets.test_conformance import engines_agree

SMALL = {"attackers.models": 6, "defenders.models": 4, "turns": 3, "building.levels": 1}
GAMES = [
    ("farmhouse", {}, {}),
    ("farmhouse", {"defenders.plan": "sally", "edge": 0}, {}),
    ("farmhouse", {"building.levels": 2, "defenders.plan": "sally"}, {"rally_when": "end_of_turn"}),
    ("farmhouse", {"attackers.plan": "smoke", "edge": 3}, {"routers_move": "own_turn"}),
    ("farmhouse", {"attackers.plan": "demolish", "building.doors": 0, "building.gemini.windows": 0}, {}),
    ("farmhouse", {"units.trooper.gemini.rerolls_morale": True}, {}),
]


def small(name: str, **changes) -> Scenario:
    return load_scenario(name, SMALL | changes)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("name", "changes", "rulings"), GAMES)
def test_all_engines_agree(name, changes, rulings):
    engines_agree(gemini(routers="rally", **rulings).assault(small(name, **changes)))


def test_points_beside_each_other_are_answered_as_alone(monkeypatch):
    """Table edges lie elsewhere for those who begin elsewhere: those of each distance are a batch of their own."""
    sizes, plain = list[int](), batches.ahead
    monkeypatch.setattr(batches, "ahead", lambda one, some, **k: sizes.append(len(some)) or plain(one, some, **k))
    rules = gemini(routers="rally")
    grid = [
        point("farmhouse", rules, SMALL | {"attackers.models": models, "distance": inches, "turns": turns})
        for models in (5, 6, 7, 8)
        for inches in (8, 10, 12)
        for turns in (2,)
    ]
    for one, margins in zip(grid, play_points(grid, Played()), strict=True):
        alone = one.play()
        for name, each in one.responses(margins).items():
            assert each.value == pytest.approx(one.responses(alone)[name].value, abs=1e-12), name
    assert sizes == [12, 4, 4]


def test_for_good_no_edge_moves_anything():
    for name in ("farmhouse", "toll-house"):
        near, far = (solve(gemini(routers="for_good").assault(small(name, edge=edge))) for edge in (0, 72))
        assert np.array_equal(near.weights, far.weights)
        assert [np.array_equal(near.columns[k], far.columns[k]) for k in near.columns] == [True] * len(near.columns)


def test_who_still_runs_when_the_limit_has_come_has_broken():
    assault = gemini(routers="rally").assault(small("farmhouse"))
    for routing, end in ((0, End.HELD), (RUNS, End.BROKEN), (RALLIED, End.HELD)):
        unit = assault.start.attackers.replace(routs=np.array([routing]))
        state = assault.start.replace(attackers=unit)
        assert assault.called(state, assault.end(state, assault.scene)).tolist() == [end]


@pytest.mark.parametrize(("routing", "thrown", "picked"), [(0, 3, 3), (RUNS, 0, 0), (RALLIED, 3, 0)])
def test_routers_throw_no_dice_and_pick_none_up(routing, thrown, picked):
    """ARAP-042: who runs is not able; who has rallied reacts to nothing before his own turn."""
    book = gemini().book.game
    start = gemini().assault(small("farmhouse")).start
    unit, enemy = start.attackers.replace(routs=np.array([routing])), start.defenders

    def points_in_own_turn(dice):
        return activate(dice, book, unit, enemy, (3, 3), 3)[0].points

    def points_in_turn_of_the_enemy(dice):
        return activate(dice, book, enemy, unit, (3, 3), 3)[1].points

    assert max(exactly(points_in_own_turn).outcomes) == thrown
    assert max(exactly(points_in_turn_of_the_enemy).outcomes) == picked


@pytest.mark.clause("ARAP-207")
@pytest.mark.parametrize("distance", [0, 5, 24, 29])
def test_routers_go_away_from_the_enemy_to_their_table_edge(distance):
    """By what the dice show, and not beyond the edge; who has been pushed beyond it stays where he is."""
    rules = gemini(routers="rally")
    book, unit = rules.book.game, rules.assault(small("farmhouse")).start.attackers
    away = np.array([distance])
    turned = exactly(lambda dice: rout.turned(dice, book, unit, np.array([True]), away, rout.Way(24, 4, 27))[1])
    assert turned == book.tables.rout.at_once.pmf.map(lambda inches: max(distance, min(distance + inches, 27)))
    fled = exactly(lambda dice: rout.flee(dice, book, rout.Way(24, 4, 27), away))
    assert fled == book.tables.rout.flee.pmf.map(lambda inches: max(distance, min(distance + inches, 27)))


WOOD, SMOKE = Band(near=10, far=12, ground="soft"), Band(near=13, far=20, ground="smoke")


@pytest.mark.parametrize(
    ("start", "end", "tests"), [(2, 9, 1), (2, 10, 2), (11, 15, 2), (12, 15, 1), (8, 20, 2), (15, 30, 2), (11, 30, 3)]
)
def test_who_flees_tests_again_in_cover_and_at_the_edge(start, end, tests):
    """ARAP-209; soft cover from 10 to 12 inches off the building, smoke that is none, the table edge at 30."""
    assert rout.rally_tests([WOOD, SMOKE], np.array([start]), np.array([end]), 30).tolist() == [tests]


@pytest.mark.parametrize(
    ("distance", "passed", "acts", "left", "gone"),
    [
        (9, "passed", True, 0, False),
        (9, "passed", False, RALLIED, False),
        (9, "failed", True, RUNS, False),
        (24, "failed", False, RUNS, True),
    ],
)
def test_who_rallies_acts_in_his_own_turn(distance, passed, acts, left, gone):
    """ARAP-208; the table edge is 24 inches off the building."""
    assault = gemini(routers="rally").assault(small("farmhouse", edge=0))
    unit = assault.start.attackers.replace(routs=np.array([RUNS]), tests=np.array([1]))
    state = assault.start.replace(attackers=unit, distance=np.array([distance]))
    after = routs.try_rally(scripted({"rally test": passed}), state, assault.scene, acts=acts)
    assert (after.attackers.routs.tolist(), after.attackers.tests.tolist()) == ([left], [0])
    assert (after.broken > 0).tolist() == [gone]


def test_a_garrison_neither_charges_routers_nor_comes_out_at_them():
    """It shoots at them: with every point, in the open too."""
    from sims.rulesets.gemini.sections import sally
    from sims.rulesets.gemini.state import APART

    assault = gemini(routers="rally").assault(small("farmhouse", **{"defenders.plan": "sally"}))
    start = assault.start.replace(distance=np.array([4]))
    ready = start.replace(defenders=start.defenders.replace(points=np.array([3])))
    out = ready.replace(place=np.array([APART]))
    for routing, goes in ((0, True), (RUNS, False), (RALLIED, True)):
        there = {"attackers": start.attackers.replace(routs=np.array([routing]))}
        inside, outside = ready.replace(**there), out.replace(**there)
        assert sally.can_sally(inside, assault.scene).tolist() == [goes]
        assert sally.can_charge(outside, assault.scene, side="defenders").tolist() == [goes]
        assert sally.to_spare(outside, assault.scene, "defenders").tolist() == [3 - goes]


def test_an_edge_that_nobody_runs_for_is_told():
    given = small("farmhouse", edge=6)
    assert "edge" in gemini(routers="for_good").assault(given).translation["Not used of ground and deployment"]
    said = gemini(routers="rally").assault(given).translation
    assert "6 inches behind where they begin" in said["Attackers who rout"]
    assert "edge" not in said.get("Not used of ground and deployment", "")


TWO_OF = {"models": np.array([2]), "due": np.array([1]), "routs": np.array([RUNS]), "tests": np.array([1])}


@pytest.mark.parametrize("choice", ["every_check", "rout_and_rally"])
def test_those_who_know_no_fear_roll_again(choice):
    """ARAP-210: rout test of Leadership 8 lost by 3, rally of 8, heavy casualties and pinning of 9, by its checks."""
    rules = gemini(morale_rerolls=choice)
    book, unit = rules.book.game, rules.assault(small("farmhouse")).start.attackers.replace(**TWO_OF)
    every, lost, near = choice == "every_check", np.array([-3]), np.array([6])

    def routs(dice, rerolls=(True, False)):
        return rout.rout_test(dice, book, (unit, unit), lost, lost, (8, 8), rerolls)[1]

    assert exactly(routs)[0] == Fraction(155, 324)
    assert exactly(routs, (False, True))[0] == Fraction(5, 18)
    rallied = exactly(lambda dice: rout.try_rally(dice, book, unit, 8, near, 36, acts=True, rerolls=True)[0].routs)
    assert rallied[0] == Fraction(299, 324)
    steady = exactly(lambda dice: casualties.try_nerve(dice, book, unit, 9, rerolls=True)[0].pinned)
    gone = exactly(lambda dice: casualties.try_nerve(dice, book, unit, 9, rerolls=True)[1])
    failed = pinning(book, 1, 9, rerolls=True).pmf[1]
    assert failed == (Fraction(1, 36) if every else Fraction(1, 6))
    assert 1 - steady.at_least(1) - gone[1] == (Fraction(35, 36) if every else Fraction(5, 6))


def test_an_army_that_knows_no_fear_breaks_less_often():
    fearless = {"units.trooper.gemini.rerolls_morale": True}
    games = ({}, {}), (fearless, {"morale_rerolls": "rout_and_rally"}), (fearless, {})
    found = [solve(gemini(routers="rally", **how).assault(small("farmhouse", **changes))) for changes, how in games]
    broken = [float(share(result, End.BROKEN)) for result in found]
    assert broken[0] > broken[1] > broken[2]


def test_routers_run_from_where_a_flinch_has_left_them():
    """However far: whoever still owes a test after it runs from there (ARAP-134, ARAP-205)."""
    siege = replace(SALLIED_AT, ours=replace(COWARDS, Ld=7), theirs=replace(STEADY, BS=5, range=30, I=4, sword=True))
    case(siege, 3, 2, 9, 2, judged=replace(siege, excused=False), charged_units="tests").agree()

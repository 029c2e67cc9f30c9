"""Gemini: weapons whose wounds take more than one Wound, or more than one damage point (ARAP-119)."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.dice import GOAL, Draw, ExactDice, Volley
from sims.engines import solve
from sims.errors import CasemateError
from sims.games.arap.allocation import Attack
from sims.games.arap.shooting import shots
from sims.games.arap.stand_and_fire import standing_shots
from sims.rulesets import rule_set
from sims.rulesets.gemini.fabric.walls import damage_points
from sims.scenario import load_scenario
from sims.words import NOT_MODELLED
from tests.rulesets.judging import ends_and_losses


@pytest.mark.parametrize("left", range(6))
def test_each_hit_does_its_damage_to_a_wall_as_far_as_there_are_points_left(left):
    """Three hits of Damage 2 on 4+, two of Damage 1 on 5+."""
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    attacks = [Attack(Draw(Volley((GOAL,)), (3, 4)), 2), Attack(Draw(Volley((GOAL,)), (2, 5)))]
    points = damage_points(dice, attacks, np.array([left]))
    found = dict(zip(points.ravel().tolist(), dice.weights.ravel().tolist(), strict=True))
    expected = defaultdict(Fraction)
    for faces in product(range(1, 7), repeat=5):
        done = 2 * sum(face >= 4 for face in faces[:3]) + sum(face >= 5 for face in faces[3:])
        expected[min(done, left)] += Fraction(1, 6**5)
    assert found == expected


def changed(name: str, plan: str, **weapon: int):
    arms = {f"weapons.sword.{key}": value for key, value in weapon.items()}
    shots = {f"weapons.pistol.{key}": value for key, value in weapon.items()}
    return rule_set("gemini").assault(load_scenario(name, arms | shots | {"attackers.plan": plan}))


@pytest.mark.parametrize(
    ("name", "plan"),
    [("captain-at-the-gate", "storm"), ("captain-at-the-gate", "demolish"), ("toll-house", "demolish")],
)
def test_damage_moves_what_it_hits(name, plan):
    """A champion of several Wounds, by blows; the gate and walls, by blows and shots."""
    plain, one, two = (changed(name, plan, **damage) for damage in ({}, {"gemini.damage": 1}, {"gemini.damage": 2}))
    assert ends_and_losses(solve(plain)) == ends_and_losses(solve(one)) != ends_and_losses(solve(two))


def lost(**changes) -> float:
    scenario = load_scenario("farmhouse", {"attackers.models": 4, "defenders.models": 6, **changes})
    return ends_and_losses(solve(rule_set("gemini").assault(scenario)))["attackers lost"]


def test_a_slow_flamer_takes_two_action_points():
    flamers = {"defenders.weapon": "flamer"}
    assert lost(**flamers, **{"weapons.flamer.gemini.slow": True}) < lost(**flamers)


@pytest.mark.parametrize(
    ("weapon", "key", "value", "expected"),
    [
        ("sword", "slow", True, "a weapon that is fired, not one of kind melee"),
        ("sword", "laser", True, "a weapon that is fired, not one of kind melee"),
        ("sword", "salvo", [2, 4], "a weapon that is fired, not one of kind melee"),
        ("rifle", "torrent", 6, "a weapon of kind template, not rapid fire"),
        ("machine-gun", "slow", True, "false, as one of kind heavy is fired so in any case"),
        ("mortar", "slow", True, "false, as one of kind blast is fired so in any case"),
    ],
)
def test_what_would_change_nothing_of_a_weapon_is_refused(weapon, key, value, expected):
    with pytest.raises(CasemateError) as error:
        load_scenario("farmhouse", {f"weapons.{weapon}.gemini.{key}": value})
    assert f"weapons.{weapon}.gemini.{key}: expected {expected}" in str(error.value)


def test_ordnance_is_not_slow_as_well():
    with pytest.raises(CasemateError, match=r"weapons.rifle.gemini.ordnance: expected no slow beside it"):
        load_scenario("farmhouse", {"weapons.rifle.gemini.slow": True, "weapons.rifle.gemini.ordnance": True})


def test_who_is_large_makes_no_small_group():
    """Two ogres are a target of two, unless they are larger than size two (ARAP-107)."""
    pair = {"attackers.unit": "ogre", "attackers.models": 2, "attackers.specials": []}
    assert lost(**pair, **{"units.ogre.gemini.size": 3}) > lost(**pair, **{"units.ogre.gemini.size": 2})


def test_the_relentless_fire_heavy_weapons_at_chargers_on_one_success():
    """And for one action point otherwise (ARAP-105, ARAP-186)."""
    gun = load_scenario("farmhouse", {"defenders.weapon": "machine-gun"}).defenders.guns[0]
    book = rule_set("gemini").book.game
    for relentless, fired in ((False, [0, 0, 3]), (True, [0, 3, 3])):
        assert (standing_shots(book, gun, np.arange(3), relentless) > 0).tolist() == [n > 0 for n in fired]
        assert (shots(book, gun, 12, np.arange(3), relentless) > 0).tolist() == [n > 0 for n in fired]


def test_what_flames_do_not_do_yet_is_said():
    heavy = {"weapons.flamer.gemini.damage": 2, "attackers.specials": [{"weapon": "flamer"}], "attackers.plan": "smoke"}
    told = [
        rule_set("gemini").assault(load_scenario(name, heavy)).translation
        for name in ("captain-at-the-gate", "farmhouse")
    ]
    assert ["Damage of Flamer, whose hits take one Wound each" in one.get(NOT_MODELLED, "") for one in told] == [
        True,
        False,
    ]

"""Gemini: models that are unlike, each of whom takes what hits him as what he is; and what the rulings on it do."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from analysis.told.fields import fields, with_given
from sims.engines import solve
from sims.games.arap.allocation import Marks, in_sight
from sims.games.arap.unit import Band
from sims.reading import parse
from sims.scenario import Body, Force, build, load_scenario
from tests.rulesets.gemini_cases import case, gemini, scenario
from tests.rulesets.judging import ends_and_losses
from tests.rulesets.led_setups import GEMINI
from tests.rulesets.test_gemini import agrees_with_thrown_dice
from tests.rulesets.test_gemini_clauses import certain

SET_UPS = {name.split()[0]: (siege, numbers) for name, siege, numbers in GEMINI}
LOST, LOOK_OUT = {"left_over": "lost"}, {"look_out": "yes"}


def alike(siege):
    return replace(siege, leader=None, chief=None)


# Other options than the default, judged by brute force; the default is judged in `test_led`.


@pytest.mark.parametrize("name", ["M11", "M13"])
def test_what_is_left_over_may_be_lost(name):
    siege, numbers = SET_UPS[name]
    case(replace(siege, left_over="lost"), *numbers, who_falls="drawn", **LOST).agree()


@pytest.mark.slow
def test_what_is_left_over_may_be_lost_of_models_that_are_alike():
    siege, numbers = SET_UPS["M1"]
    case(replace(alike(siege), left_over="lost"), *numbers, who_falls="drawn", **LOST).agree()


@pytest.mark.parametrize("those", [SET_UPS["M13"][0], alike(SET_UPS["M13"][0])])
def test_a_leader_may_look_out(those):
    case(replace(those, look_out=True), *SET_UPS["M13"][1], who_falls="drawn", **LOOK_OUT).agree()


def test_both_rulings_move_an_assault():
    siege, numbers = SET_UPS["M14"]
    answers = [
        ends_and_losses(solve(gemini(**ruling).assault(scenario(siege, *numbers)))) for ruling in ({}, LOST, LOOK_OUT)
    ]
    assert answers[0] != answers[1] != answers[2] != answers[0]


# Models that are alike fall as they do, even where they are told apart.


def told_apart(force: Force) -> Force:
    """The same force, whose leader is a body of his own."""
    apart = Force(force.unit, force.groups)
    rest = Body(force.unit, tuple(range(1, len(force.groups))))
    if rest.groups:
        apart.__dict__.update(bodies=(Body(force.groups[0].profile, (0,)), rest), mixed=True)
    return apart


@pytest.mark.parametrize("who", ["owner", "spread", "drawn"])
@pytest.mark.parametrize("name", ["M1", "M11", "M13"])
def test_who_is_told_apart_but_alike_changes_nothing(name, who):
    siege, numbers = SET_UPS[name]
    game, rules = scenario(alike(siege), *numbers), gemini(who_falls=who)
    apart = replace(game, attackers=told_apart(game.attackers), defenders=told_apart(game.defenders))
    expected, played = (ends_and_losses(solve(rules.assault(one), number=Fraction)) for one in (game, apart))
    assert played == expected


def test_only_so_many_can_be_seen():
    """The first to fall, or any of them."""
    force = load_scenario("toll-house").attackers
    unit, six = Band.fresh(force), np.array([6])
    for who, leader in (("owner", 0), ("spread", 1)):
        seen = in_sight(certain(), gemini(who_falls=who).book.game, force, unit, unit.standing, six)
        assert [n.item() for n in seen] == [leader, 6 - leader]
    dice = certain()
    seen = in_sight(dice, gemini(who_falls="drawn").book.game, force, unit, unit.standing, six)
    assert (seen[0] * dice.weights).sum() == Fraction(6, 10)


# Exact, sampled and rolled dice agree; a position has the wounds of a leader.

CAPTAIN = """
title = "A captain"
distance = 10
turns = 2
building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", gemini.windows = 2, capacity = 6 }
attackers = { unit = "trooper", models = 4, weapon = "flamer", leader = { unit = "captain", weapon = "pistol" } }
defenders = { unit = "militia", models = 4, weapon = "rifle", leader = { unit = "captain", weapon = "pistol" } }
[units.captain]
title = "Captain"
WS = 5
BS = 4
S = 4
T = 4
W = 3
I = 5
A = 3
Ld = 9
Sv = 3
invulnerable = 4
"""


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("plan", ["storm", "smoke"])
def test_thrown_dice_agree_where_captains_lead(plan):
    agrees_with_thrown_dice(replace(build(parse("captain.toml", CAPTAIN), "captain"), plan=plan))


def test_a_position_has_the_wounds_of_a_leader():
    assault = gemini().assault(build(parse("captain.toml", CAPTAIN), "captain"))
    word = "wounds on the attackers' leader and specials"
    hurt = with_given(assault, assault.start, {word: 2})
    assert fields(assault, hurt)[word].tolist() == [2]
    assert hurt.attackers.others_hurt[0].tolist() == [2]
    gone = assault.scene.with_standing(hurt, "attackers", (np.array([0]), np.array([3])))
    assert gone.attackers.others_hurt[0].tolist() == [0]


def test_the_wounds_of_the_hurt_are_counted_by_body():
    """A leader who has lost two of three Wounds falls to one more; nobody else does (ARAP-119)."""
    force = build(parse("captain.toml", CAPTAIN), "captain").attackers
    unit = Band.fresh(force).replace(others_hurt=(np.array([2]),))
    book = gemini().book.game
    after = unit.wounded(certain(), book, force, (np.array([1]), np.array([0])), "", unit.standing)
    assert [n.item() for n in (*after.standing, *after.hurts)] == [0, 3, 0, 0]
    at = Marks.of(book, force, unit, None, unit.models)
    assert [(row.models.item(), row.hurt.item()) for row in at.rows if row.body == 0] == [(1, 2)]

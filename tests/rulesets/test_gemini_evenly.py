"""Gemini: hits that are shared out evenly over those who could be hit at first (ARAP-126), against brute force."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sims.dice import Body as Models
from sims.dice import ExactDice, once, without_a_roll
from sims.engines import solve
from sims.games.arap.allocation import Attack, at_random, wounds_suffered
from sims.games.arap.rolls.wounds import to_wound
from sims.reading import parse
from sims.scenario import build, load_scenario
from tests.rulesets.changes import compared
from tests.rulesets.gemini_cases import AT_PORTS, BASES, LED, PINNING_MORTARS, case, gemini, scenario
from tests.rulesets.gemini_oracle import Body, Hit, House, MixedSiege, Troops
from tests.rulesets.judging import ends_and_losses
from tests.rulesets.test_gemini import agrees_with_thrown_dice
from tests.rulesets.test_gemini_unlike import CAPTAIN, SET_UPS, alike

EVENLY = {"hits_shared": "evenly", "who_falls": "drawn"}
LEFT_OVER = pytest.mark.parametrize("left_over", ["passed", "lost"])
SALLY = MixedSiege(
    replace(LED, I=4), Troops(Ld=5, WS=4, A=2, I=4), House(openings=2), leader_A=2, chief_A=3, leader=Body(T=4, W=2, Sv=4),
    chief=Body(T=3, W=2, Sv=5), plan="shoot", defence="sally",
)  # fmt: skip
CASES = {
    "shots at a chief of two Wounds": SET_UPS["M11"],
    "shots of Damage 2 at a chief of three Wounds": SET_UPS["M12"],
    "shots and blows at a captain, by guns of Damage 2": SET_UPS["M6"],
    "shots of Damage 2 at men who are alike": SET_UPS["M23"],
    "blows of leader and chief in pairs": (SET_UPS["M10"][0], (2, 2, 12, 1)),
    "blows among leader and chief in the open": (SALLY, (2, 2, 11, 1)),
    "shots at ports": (AT_PORTS, (3, 3, 12, 2)),
    "shots at the ports of a chief who is another": (replace(AT_PORTS, chief=Body(T=4, W=2, Sv=4)), (3, 3, 12, 2)),
}


@LEFT_OVER
@pytest.mark.parametrize("name", CASES)
def test_hits_that_are_shared_out_are_what_brute_force_says(name, left_over):
    siege, numbers = CASES[name]
    judged = replace(siege, even=True, left_over=left_over)
    case(judged, *numbers, left_over=left_over, **EVENLY).agree()


@LEFT_OVER
def test_as_many_as_are_under_a_marker_are_shared_out(left_over):
    """Its law is in floats, so this is compared to 1e-12."""
    siege = replace(PINNING_MORTARS, even=True, left_over=left_over)
    judged = case(siege, 4, 2, 12, 1, tables=BASES, left_over=left_over, **EVENLY)
    for what, played, expected in compared(solve(judged.assault), judged.expected):
        assert played == pytest.approx(float(expected), abs=1e-12), what


@LEFT_OVER
@pytest.mark.parametrize("damage", [1, 2])
@pytest.mark.parametrize("hits", [0, 1, 3, 5, 8])
def test_however_many_hits_there_are(hits, damage, left_over):
    """Among two men of one Wound and a leader of three and T4: the wounds of each."""
    leader, S = Body(T=4, W=3, Sv=9), 4
    siege = MixedSiege(Troops(Sv=9), Troops(), House(1), leader_A=1, leader=leader, even=True, left_over=left_over)
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    book = gemini(left_over=left_over, **EVENLY).book.game
    volley = [Attack(without_a_roll(hits).then(once(*told(S, T))), damage) for T in (3, 4)]
    men, his = wounds_suffered(dice, "hits", [Models(2), Models(1, 3)], [volley], at_random(book))
    expected = defaultdict(Fraction)
    for (left, suffered), chance in siege.hits_on("a", ("leader", "other", "other"), hits, Hit(S, 1, damage)).items():
        slain = left[1:].count("")
        expected[slain, suffered - slain] += chance
    found = zip(men.ravel().tolist(), his.ravel().tolist(), dice.weights.ravel().tolist(), strict=True)
    assert {(a, b): chance for a, b, chance in found if chance} == {key: p for key, p in expected.items() if p}


def told(S, T):
    """The wound roll, and what it needs."""
    roll = to_wound(T + 4 - S)
    return roll.tests[0], roll.targets[0]


def test_it_moves_an_assault_whatever_becomes_of_what_is_left_over():
    siege, numbers = SET_UPS["M12"]
    answers = [
        ends_and_losses(solve(gemini(left_over=left_over, **ruling).assault(scenario(siege, *numbers))))
        for left_over in ("passed", "lost")
        for ruling in ({"who_falls": "drawn"}, EVENLY)
    ]
    assert all(one != other for i, one in enumerate(answers) for other in answers[:i])


def test_where_all_are_alike_and_nothing_is_lost_it_makes_no_difference():
    siege, numbers = SET_UPS["M1"]
    game = scenario(alike(siege), *numbers)
    for who in ("owner", "spread", "drawn"):
        plain, even = (gemini(who_falls=who, hits_shared=how) for how in ("one_by_one", "evenly"))
        assert ends_and_losses(solve(plain.assault(game))) == ends_and_losses(solve(even.assault(game)))


@pytest.mark.usefixtures("small_batches")
@LEFT_OVER
def test_thrown_dice_agree(left_over):
    game = build(parse("captain.toml", CAPTAIN), "captain")
    agrees_with_thrown_dice(replace(game, plan="storm"), left_over=left_over, **EVENLY)


def test_the_translation_says_how_hits_are_shared_out():
    told = [gemini(**ruling).assault(load_scenario("toll-house")).translation["Who falls"] for ruling in ({}, EVENLY)]
    assert ["hits are shared out evenly over those" in text for text in told] == [False, True]

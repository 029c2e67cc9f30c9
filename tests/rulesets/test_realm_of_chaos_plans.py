"""Realm of Chaos: every plan of both sides against brute force; the sally, the fight in the open, who goes in and when."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sims.assault import End
from sims.dice import ExactDice
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos import movement, open_fight, sally, shooting
from sims.rulesets.realm_of_chaos.assault import outcome, set_up
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS
from sims.scenario import load_scenario
from tests.rulesets.realm_of_chaos_oracle import Assault as BruteForce
from tests.rulesets.realm_of_chaos_oracle import House
from tests.rulesets.test_realm_of_chaos import (
    ENDS, FOOTMAN, GUNNERS, QUICK, SMASHERS, THREE, TOWER, at, book, mean, outcomes, play, scenario, share,
)  # fmt: skip

TWO = replace(FOOTMAN, number=2)
WARY = replace(THREE, Ld=4)
BURNERS = replace(FOOTMAN, number=3, BS=4, missile_S=8, range=12, flaming=True)
TORCHES = replace(FOOTMAN, number=2, Sv=4, WS=4, missile_S=3, range=10, flaming=True)
SLOW_AND_STRONG = replace(FOOTMAN, number=2, I=2, A=2, S=4, T=4)

STONE = {"T": 10, "needs_S": 7, "burns_outside": False}

CASES = {
    "storm, sally": (QUICK, THREE, House(), "storm", "sally", 12, 2, "attackers", 0, {}),
    "storm, sally by a narrow door": (
        SLOW_AND_STRONG, THREE, House(door=1, levels=2, room=2), "storm", "sally", 8, 3, "defenders", 0, {},
    ),
    "storm, equals sally": (replace(FOOTMAN, number=3), WARY, House(door=2), "storm", "sally", 9, 2, "defenders", 0, {}),
    "storm, they wait outside": (
        QUICK, THREE, House(door=2, waits=True), "storm", "sally", 7, 2, "defenders", 0, {"charging_out": "next_turn"},
    ),
    "shoot, sally": (replace(GUNNERS, range=8), THREE, House(), "shoot", "sally", 9, 2, "attackers", 8, {}),
    "shoot, they wait outside": (
        GUNNERS, THREE, House(waits=True, door=2), "shoot", "sally", 8, 2, "defenders", 18,
        {"charging_out": "next_turn"},
    ),
    "demolish, sally": (SMASHERS, WARY, House(door=1), "demolish", "sally", 5, 3, "attackers", 0, {}),
    "smoke, flames at wattle": (BURNERS, THREE, TOWER, "smoke", "hold", 14, 3, "attackers", 6, {}),
    "smoke, garrison first": (BURNERS, TWO, House(T=9, needs_S=6), "smoke", "hold", 12, 4, "defenders", 6, {}),
    "smoke, flames and sally": (BURNERS, THREE, House(door=2), "smoke", "sally", 14, 3, "attackers", 6, {}),
    "smoke, carried in": (TORCHES, TWO, House(**STONE, door=1), "smoke", "hold", 7, 4, "attackers", 10, {}),
    "smoke, carried in, reserves": (
        TORCHES, THREE, House(**STONE, levels=2, room=2, crowd=1), "smoke", "hold", 8, 3, "defenders", 10, {},
    ),
    "smoke, carried in, sally": (TORCHES, TWO, House(**STONE), "smoke", "sally", 9, 3, "attackers", 10, {}),
    "smoke, held to the walls": (
        TORCHES, TWO, House(T=9, needs_S=6, torches=True), "smoke", "hold", 7, 4, "attackers", 0,
        {"arson": "at_the_walls"},
    ),
    "smoke, driven out": (
        replace(BURNERS, range=24), TWO, House(drives_out=True, door=1), "smoke", "hold", 13, 4, "defenders", 12,
        {"garrison_in_a_fire": "comes_out"},
    ),
    "smoke, hit by the fire": (
        TORCHES, TWO, House(**STONE, scorches=True), "smoke", "hold", 6, 3, "attackers", 10,
        {"models_in_a_fire": "hit"},
    ),
    "storm, accidents": (
        replace(TORCHES, number=3), TWO, House(**STONE, accidents=True, door=2), "storm", "hold", 8, 3, "attackers", 0,
        {"who_carries_fire": "flaming_weapons"},
    ),
    "shoot, flames": (BURNERS, TWO, House(), "shoot", "hold", 12, 4, "attackers", 12, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_whole_assault_is_what_brute_force_says(case):
    us, them, house, plan, defence, away, turns, first, halt, rulings = CASES[case]
    kwargs = {"plan": plan, "defence": defence, "away": away, "turns": turns, "first": first}
    assert set_up(scenario(us, them, house, **kwargs), book(house, rulings)).halt == halt
    result = play(us, them, house, rulings, **kwargs)
    expected = BruteForce(us, them, house, plan, halt, defence).play(away, turns, first)
    for end in ENDS:
        assert share(result, end) == expected[end.name.lower()], end.name
    assert mean(result, "attackers_lost") == expected["attackers lost"]
    assert mean(result, "defenders_lost") == expected["defenders lost"]
    assert mean(result, "cleared") == expected["cleared"]
    assert (expected["fought outside"] > 0) == (defence == "sally" or house.drives_out)
    assert (expected["waited outside"] > 0) == (house.waits or house.drives_out)
    assert (expected["burning"] > 0) == (us.flaming and (plan != "storm" or house.accidents))

"""Gemini: smoking a garrison out, and sallies, against brute force; what each plan plays; clauses that they complete."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sims.assault import End
from sims.engines import play, solve
from sims.scenario import load_scenario
from tests.rulesets.gemini_oracle import House, Siege, Troops, whole_assault
from tests.rulesets.test_gemini import ENDS, FALSE_ALARM, gemini, mean, scenario, share

# A brute force written from the books judges whole assaults.

WHOLE = {
    "flamers at two windows": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=4),
            Troops(Ld=6, Sv=4),
            House(openings=2),
            plan="smoke",
        ), 2, 3, 11, 2,
    ),
    "grenades through a window": (
        Siege(Troops(Ld=6), Troops(Ld=5, BS=2), House(openings=1), grenades=True, plan="smoke"), 3, 4, 9, 2,
    ),
    "grenades at the ports of a bunker": (
        Siege(
            Troops(BS=5, weapon="pistol", range=12, weapon_S=4, Sv=3),
            Troops(Ld=5),
            House(kind="bunker", T=14, points=3, fire_out=2),
            grenades=True,
            plan="smoke",
            first="defenders",
        ), 3, 3, 9, 2,
    ),
    "flamers at the ports of a bunker": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, Sv=3),
            Troops(Ld=5),
            House(kind="bunker", T=14, points=3, fire_out=1),
            plan="smoke",
        ), 2, 3, 7, 2,
    ),
    "a door forced for grenades": (
        Siege(Troops(I=5), Troops(Ld=5, BS=1), House(kind="door"), grenades=True, plan="smoke"), 2, 3, 2, 2,
    ),
    "flamers that storm": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=5),
            Troops(Ld=6),
            House(openings=2),
            first="defenders",
        ), 2, 3, 8, 1,
    ),
    "a sally against those who shoot": (
        Siege(Troops(I=4), Troops(A=2, Ld=6), House(openings=2), plan="shoot", defence="sally"), 3, 3, 13, 2,
    ),
    "a sally against a storm": (
        Siege(
            Troops(I=4, WS=4, Ld=6),
            Troops(weapon="heavy", shots=2, weapon_S=5, AP=4, range=36, I=5, Ld=8),
            House(openings=2),
            defence="sally",
            first="defenders",
        ), 3, 2, 14, 2,
    ),
    "a sally against grenades": (
        Siege(
            Troops(A=2, Ld=8), Troops(I=4, Ld=8), House(openings=1), grenades=True, plan="smoke", defence="sally"
        ), 3, 3, 7, 3,
    ),
    "a sally out of a bunker": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4),
            Troops(Ld=7, BS=2, A=2),
            House(kind="bunker", T=14, points=3, fire_out=2),
            plan="demolish",
            defence="sally",
        ), 2, 3, 13, 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_assault_is_what_brute_force_says(name):
    siege, *numbers = WHOLE[name]
    result = solve(gemini().assault(scenario(siege, *numbers)), number=Fraction)
    expected = whole_assault(siege, *numbers)
    assert {end: share(result, end) for end in ENDS} == {end: expected[end.name.lower()] for end in ENDS}
    assert mean(result, "attackers_lost") == expected["attackers lost"]
    assert mean(result, "defenders_lost") == expected["defenders lost"]
    assert mean(result, "cleared") == expected["cleared"]

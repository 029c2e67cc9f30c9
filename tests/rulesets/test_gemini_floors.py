"""Gemini: a garrison in several sections of a house, against a brute force by who has read the texts alone."""

import pytest

from tests.rulesets.gemini_cases import case
from tests.rulesets.gemini_oracle import Floors, House, Troops

OURS = Troops(WS=4, BS=4, S=4, weapon_S=4, sword=True)
THEIRS = Troops(Sv=6)
FLAMERS = Troops(weapon="template", range=8, weapon_S=4, AP=5)
MACHINE_GUNS = Troops(weapon="heavy", shots=2, weapon_S=4)
ONE, TWO = House(openings=1), House(openings=2)
SET_UPS = {
    "two by stairs": (Floors(OURS, THEIRS, ONE), (3, 3, 6, 3)),
    "two by a ladder": (Floors(OURS, THEIRS, ONE, link="ladder"), (3, 3, 6, 3)),
    "three, whose garrison stays": (Floors(OURS, THEIRS, TWO, sections=3, evens_out=False), (3, 4, 6, 3)),
    "a sally": (Floors(OURS, THEIRS, TWO, defence="sally", grenades=True), (3, 3, 8, 2)),
    "shot at": (Floors(OURS, THEIRS, House(openings=1, fire_out=1), plan="shoot"), (3, 4, 2, 2)),
    "flamers": (Floors(FLAMERS, THEIRS, ONE, plan="smoke"), (3, 4, 7, 2)),
    "a door, behind which all stand": (
        Floors(OURS, THEIRS, House(kind="door"), first="defenders", deployment="doors", room=2), (3, 3, 2, 3),
    ),
    "nobody on the ground": (Floors(OURS, THEIRS, ONE, deployment="top"), (3, 3, 6, 2)),
    "three, the highest full": (
        Floors(OURS, THEIRS, TWO, sections=3, deployment="top", room=2, evens_out=False), (4, 3, 5, 2),
    ),
    "more attackers than have room": (
        Floors(Troops(WS=4, BS=4, S=4, weapon_S=4, sword=True, pinning=True), THEIRS, TWO, room=2), (4, 4, 4, 2),
    ),
    "smoked with grenades": (
        Floors(OURS, THEIRS, House(openings=1, fire_out=2), plan="smoke", grenades=True, first="defenders"), (3, 4, 5, 2),
    ),
    "machine guns, and a storm that goes on": (
        Floors(OURS, MACHINE_GUNS, ONE, link="ladder", continued=True, excused=False), (3, 3, 6, 3),
    ),
}  # fmt: skip


def judged(name):
    siege, numbers = SET_UPS[name]
    fire_out = siege.house.fire_out
    tables = f"[tables.sections]\nmodels = {siege.room}\nfire_out = {fire_out}\n"
    rulings = {
        "evens_out": "own_turn" if siege.evens_out else "stays",
        "renewed_storm": "continued" if siege.continued else "new_combat",
        "charged_units": "excused" if siege.excused else "tests",
    }
    return case(siege, *numbers, tables=tables, **rulings)


@pytest.mark.slow
@pytest.mark.parametrize("name", SET_UPS)
def test_sections_are_stormed_as_brute_force_says(name):
    judged(name).agree()

"""Gemini: cover, smoke and walls on the way, streams in the open, and aim; against a game written from the texts alone."""

from dataclasses import replace

import pytest

from sims.engines import solve
from sims.rulesets.gemini.fabric.worth import from_clear_view
from sims.scenario import load_scenario
from tests.rulesets.changes import compared
from tests.rulesets.gemini_cases import case, gemini, scenario
from tests.rulesets.gemini_oracle import House, Siege, Troops
from tests.rulesets.test_gemini import agrees_with_thrown_dice
from tests.rulesets.test_gemini_mortars import BASES

RIFLES = Troops(I=4)
GUNNERS = Troops(weapon="heavy", shots=2, weapon_S=5, AP=5, range=36)
WITHIN = House(openings=2)
OPEN = House(openings=2, inside="open", roof=False)
FLAMERS = Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5)
PIECES = Troops(weapon="blast", weapon_S=4, AP=6, range=48)
LASERS = Troops(weapon="assault", range=24, weapon_S=6, laser=True)
LANCES = Troops(weapon="heavy", range=48, weapon_S=8, AP=3, laser=True)
SOFT, HARD, SMOKE = ((4, 16, kind) for kind in ("soft", "hard", "smoke"))
ACROSS, HALF = (11.0, -6.0, 11.0, 6.0), (9.0, -1.0, 9.0, 6.0)
AIMS = {"aim_actions": "shooting"}
THROWN = {"grenades_outside": "thrown"}
CORRECTS = {"corrective_aiming": "yes"}
SET_UPS = {
    "soft cover": (Siege(RIFLES, GUNNERS, WITHIN, bands=(SOFT,)), (4, 3, 18, 2), {}),
    "hard cover that one fires from": (Siege(RIFLES, GUNNERS, WITHIN, plan="shoot", bands=(HARD,)), (4, 3, 14, 2), {}),
    "a wall shot at from hard cover": (
        Siege(
            Troops(weapon="assault", range=18, weapon_S=5, shots=2, I=5),
            Troops(Ld=5),
            House(kind="wall", openings=1, T=6, points=3),
            plan="demolish",
            bands=(HARD,),
        ), (2, 2, 15, 2), {},
    ),
    "a bunker shot at from hard cover": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4),
            Troops(Ld=5, BS=2),
            House(kind="bunker", T=14, points=3, fire_out=2),
            plan="demolish",
            bands=(HARD,),
        ), (2, 2, 14, 2), {},
    ),
    "smoke both ways": (Siege(RIFLES, GUNNERS, WITHIN, plan="shoot", bands=(SMOKE,)), (4, 3, 18, 2), {}),
    "lasers through smoke": (Siege(LASERS, LASERS, WITHIN, plan="shoot", bands=(SMOKE,)), (4, 3, 18, 2), {}),
    "lasers that smoke stops": (
        Siege(replace(LASERS, weapon_S=5), RIFLES, WITHIN, plan="shoot", bands=(SMOKE,)), (4, 3, 18, 2), {},
    ),
    "weak lasers go through it to batter a wall": (
        Siege(
            replace(LASERS, weapon="rapid fire", weapon_S=5, AP=5), RIFLES, House(kind="wall", T=6, points=3),
            plan="demolish", bands=((6, 9, "smoke"),),
        ), (3, 2, 14, 2), {},
    ),
    "strong ones batter a wall through it": (
        Siege(LANCES, RIFLES, House(kind="wall", T=8, points=7), plan="demolish", bands=((6, 9, "smoke"),)),
        (3, 2, 14, 2), {},
    ),
    "and a bunker": (
        Siege(replace(LANCES, weapon_S=10), RIFLES, House(kind="bunker", T=14, points=3), bands=((6, 9, "smoke"),)), (3, 2, 14, 2), {},
    ),
    "a wall before most of them": (Siege(RIFLES, GUNNERS, WITHIN, walls=(ACROSS,)), (5, 3, 19, 2), {}),
    "a wall before a file of a few": (
        Siege(RIFLES, GUNNERS, WITHIN, plan="shoot", walls=(HALF,), formation=(3, 1.5)), (4, 3, 13, 2), {},
    ),
    "markers over a wall": (Siege(RIFLES, PIECES, OPEN, plan="shoot", walls=(HALF,)), (6, 2, 12, 2), {}),
    "markers that fly over it": (
        Siege(RIFLES, replace(PIECES, guess=True), OPEN, plan="shoot", walls=(HALF,)), (6, 2, 12, 2), {},
    ),
    "markers at soft cover": (Siege(RIFLES, PIECES, OPEN, plan="shoot", bands=(SOFT,)), (6, 2, 12, 2), {}),
    "markers at what is hidden": (
        Siege(RIFLES, PIECES, OPEN, plan="shoot", bands=(SMOKE,), walls=(HALF,)), (6, 2, 12, 2), {},
    ),
    "under a roof nobody fires high": (
        Siege(RIFLES, replace(PIECES, guess=True), WITHIN, defence="sally"), (4, 3, 14, 2), {},
    ),
    "flamers inside": (Siege(RIFLES, FLAMERS, WITHIN), (6, 3, 12, 2), {}),
    "flamers inside, a torrent": (
        Siege(RIFLES, replace(FLAMERS, torrent=6), WITHIN, plan="shoot", formation=(4, 1.5)), (7, 2, 12, 2), {},
    ),
    "flamers inside, in cover and smoke": (
        Siege(RIFLES, FLAMERS, WITHIN, bands=((3, 6, "hard"), (1, 3, "smoke"))), (6, 3, 8, 2), {},
    ),
    "flamers inside, over a wall": (
        Siege(RIFLES, FLAMERS, WITHIN, plan="shoot", walls=((5.0, -1.0, 5.0, 0.5),)), (6, 2, 6, 2), {},
    ),
    "flamers in the open": (
        Siege(replace(FLAMERS, I=4, sword=True), replace(FLAMERS, Ld=8), WITHIN, defence="sally"), (4, 4, 12, 2), {},
    ),
    "flames through smoke": (Siege(FLAMERS, RIFLES, WITHIN, plan="smoke", bands=((2, 6, "smoke"),)), (3, 4, 8, 2), {}),
    "markers at those who storm": (Siege(RIFLES, PIECES, OPEN), (6, 2, 9, 2), {}),
    "markers at those who charge in the open": (
        Siege(replace(PIECES, I=4, sword=True), replace(PIECES, blast=5, Ld=8), OPEN, defence="sally"), (4, 4, 12, 2), {},
    ),
    "grenades out of a house": (
        Siege(RIFLES, RIFLES, WITHIN, plan="shoot", walls=((3.0, -1.0, 3.0, 5.0),), garrison_grenades=True, thrown=True),
        (6, 3, 5, 2), THROWN,
    ),
    "grenades at soft cover, through smoke": (
        Siege(
            RIFLES, RIFLES, WITHIN, plan="shoot", bands=((1, 3, "smoke"), (3, 9, "soft")), garrison_grenades=True,
            thrown=True,
        ), (6, 3, 5, 2), THROWN,
    ),
    "grenades of both sides in the open": (
        Siege(
            replace(RIFLES, BS=4), replace(RIFLES, I=5, Ld=8), WITHIN, defence="sally", first="defenders", grenades=True,
            garrison_grenades=True, thrown=True,
        ), (5, 4, 12, 2), THROWN,
    ),
    "who only shoots aims": (Siege(RIFLES, GUNNERS, WITHIN, plan="shoot", aims=True), (3, 3, 12, 2), AIMS),
    "who shoots heavy weapons aims": (
        Siege(replace(GUNNERS, I=5), RIFLES, WITHIN, plan="shoot", aims=True), (3, 3, 12, 2), AIMS,
    ),
    "who keeps on firing corrects": (
        Siege(RIFLES, GUNNERS, WITHIN, plan="shoot", corrective=True), (3, 3, 12, 3), CORRECTS,
    ),
    "who aims and corrects": (
        Siege(RIFLES, PIECES, OPEN, plan="shoot", corrective=True, aims=True, first="defenders"), (5, 2, 15, 3),
        AIMS | CORRECTS,
    ),
    "who comes nearer does not": (
        Siege(RIFLES, GUNNERS, WITHIN, corrective=True, bands=((6, 20, "soft"),)), (4, 3, 20, 3), CORRECTS,
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.clause("ARAP-146", "ARAP-147", "ARAP-152", "ARAP-153", "ARAP-155", "ARAP-160")
@pytest.mark.parametrize("name", SET_UPS)
def test_the_ground_is_what_brute_force_says(name):
    """The laws of markers are in floats, so these are compared to 1e-12, not in fractions."""
    siege, numbers, rulings = SET_UPS[name]
    judged = case(siege, *numbers, tables=BASES, **rulings)
    for what, played, expected in compared(solve(judged.assault), judged.expected):
        assert played == pytest.approx(float(expected), abs=1e-12), what


@pytest.mark.parametrize(
    ("S", "near", "halt"),
    [(5, 6, 6), (5, 0, 1), (6, 6, 12), (6, 14, 14), (8, 6, 36)],
)
def test_lasers_are_fired_from_where_they_hurt_a_wall(S, near, halt):
    """T8 through smoke: S5 cannot be fired, S6 hurts on 8 and so from short range, S8 is left 6 and hurts from anywhere."""
    changes = {
        "attackers.weapon": "beam-rifle",
        "weapons.beam-rifle": {
            "title": "Beam",
            "kind": "heavy",
            "range": 36,
            "S": S,
            "AP": 4,
            "gemini": {"laser": True},
        },
        "bands": [{"near": near, "far": near + 3, "ground": "smoke"}],
    }
    scenario = load_scenario("farmhouse", changes)
    assert from_clear_view(scenario, scenario.attackers.groups[-1], "wall", 8, gemini().book) == halt


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "markers at what is hidden",
        "flamers inside, over a wall",
        "markers at those who charge in the open",
        "grenades at soft cover, through smoke",
        "grenades of both sides in the open",
        "who aims and corrects",
    ],
)
def test_thrown_dice_fall_in_the_same_way(name):
    siege, numbers, rulings = SET_UPS[name]
    agrees_with_thrown_dice(scenario(siege, *numbers), **rulings)

"""Gemini: markers that scatter over a unit in the open, against brute force that takes their law from another judge."""

import numpy as np
import pytest

from sims.dice import GOAL
from sims.engines import solve
from sims.games.arap.areas.marker import Markers, marker, models_under
from sims.games.arap.areas.ranks import Ranks
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from sims.words import NOT_MODELLED
from tests.geometry import plane_oracle
from tests.rulesets.changes import compared
from tests.rulesets.gemini_cases import BASES, IN_FLOATS, case, gemini, scenario
from tests.rulesets.gemini_oracle import House, MixedSiege, Siege, Troops, ranks
from tests.rulesets.judging import ends_and_losses
from tests.rulesets.test_gemini import agrees_with_thrown_dice

MORTAR = Troops(weapon="blast", weapon_S=4, AP=5, range=48)
ONE_GUN = "[tables.sections]\nfire_out = 1\n"
SET_UPS = {
    "one that pins": (
        Siege(
            Troops(weapon="assault", range=18, sword=True),
            Troops(weapon="blast", weapon_S=4, AP=6, range=48, pinning=True),
            House(2, fire_out=1),
        ),
        (5, 3, 16, 2),
    ),
    "both sides' in the open": (
        Siege(
            Troops(weapon="blast", weapon_S=4, range=36, sword=True),
            Troops(weapon="blast", weapon_S=4, AP=5, range=48, I=4, sword=True),
            House(2),
            defence="sally",
            first="defenders",
        ),
        (4, 3, 13, 2),
    ),
    "a large one": (
        Siege(
            Troops(weapon="pistol", range=12, sword=True),
            Troops(weapon="blast", blast=5, weapon_S=5, AP=4, range=48, BS=4),
            House(2),
        ),
        (7, 1, 20, 2),
    ),
    "close by, two shots": (
        Siege(
            Troops(T=6, weapon="rapid fire", range=24),
            Troops(weapon="blast", blast=5, weapon_S=2, shots=2, BS=2, range=36, pinning=True),
            House(2),
            plan="shoot",
        ),
        (6, 2, 6, 2),
    ),
    "men of two Wounds": (
        MixedSiege(
            Troops(W=2, weapon="assault", range=18, sword=True),
            Troops(weapon="blast", blast=5, weapon_S=4, AP=5, range=48),
            House(2),
            plan="shoot",
            leader_A=0,
            under="drawn",
        ),
        (5, 2, 15, 2),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SET_UPS, *IN_FLOATS])
def test_mortars_are_what_brute_force_says(name):
    """Its law is in floats, so these are compared to 1e-12, not in fractions."""
    judged = IN_FLOATS.get(name) or armed_with_mortars(*SET_UPS[name])
    for what, played, expected in compared(solve(judged.assault), judged.expected):
        assert played == pytest.approx(float(expected), abs=1e-12), what


def armed_with_mortars(siege, numbers):
    rulings = {"who_falls": "drawn"} if isinstance(siege, MixedSiege) else {}
    tables = BASES + (ONE_GUN if siege.house.fire_out == 1 else "")
    return case(siege, *numbers, tables=tables, **rulings)


def test_thrown_dice_fall_as_the_law_says():
    siege, numbers = SET_UPS["close by, two shots"]
    agrees_with_thrown_dice(scenario(siege, *numbers))


@pytest.mark.parametrize(("models", "inches", "skill"), [(7, 9, 3), (3, 20, 5), (12, 4, -1)])
def test_models_under_a_marker_are_those_of_the_judge(models, inches, skill):
    there = ranks(models, 5)
    pairs = [(float(x), float(y)) for x, y in there]
    mean = tuple(sum(axis) / models for axis in zip(*pairs, strict=True))
    aim = min(pairs, key=lambda at: round((at[0] - mean[0]) ** 2 + (at[1] - mean[1]) ** 2, 9))
    limit = ((aim[0] + inches) ** 2 + aim[1] ** 2) ** 0.5 / 2
    scattered = plane_oracle.limited(plane_oracle.scattered("area", skill=skill), limit)
    judged = dict.fromkeys(range(models + 1), 0.0)
    for row, p in plane_oracle.by_arcs((-float(inches), 0.0), aim, scattered, pairs, 1.5, 0.5, []).items():
        judged[sum(map(bool, row))] += p
    found = models_under(Markers(Ranks(5, 2, 1), 3, 99, 4), models, inches, skill)
    assert all(float(found[n]) == pytest.approx(p, abs=1e-9) for n, p in judged.items())


def test_from_far_off_half_the_range_limits_nothing():
    force, game = load_scenario("farmhouse", {"attackers.weapon": "mortar"}).attackers, gemini().book.game
    found = marker(game, force.guns[0], Ranks.of(game, force))
    inches = np.arange(1, 40)
    as_far = found.as_far(inches, 4)
    assert as_far.tolist() == [min(n, 14) for n in range(1, 40)]
    near, far = (models_under(found, 8, n, 4) for n in (14, 39))
    assert all(float(near[n]) == pytest.approx(float(far[n]), abs=1e-12) for n in range(9))


def test_a_mortar_moves_an_assault_and_is_not_called_silent():
    """Out of a farmhouse whose roof is gone."""
    plain = {"building.gemini.interior": "open"}
    armed = plain | {"defenders.specials": [{"weapon": "mortar"}]}
    one, other = (rule_set("gemini").assault(load_scenario("farmhouse", extra)) for extra in (plain, armed))
    assert ends_and_losses(solve(one)) != ends_and_losses(solve(other))
    assert "Mortar" not in other.translation.get(NOT_MODELLED, "")


def test_a_marker_is_told_with_its_scatter_and_who_is_under_it():
    faces = iter([2, 5, 61, 120, 4, 1])
    mechanic = Markers(Ranks(5, 2, 1), 3, 99, 4, (GOAL,), who="Mortar")
    told = [*mechanic.tell(lambda *_: next(faces), 1, 5, 20, 4, 6, 4)]
    assert (
        told[0] == "Mortar: scatter, 2D6 less 4: 2 5, 3 inches off, 90 degrees round; under it: 2"
    )  # those at 2 and 4 inches to the left
    assert told[1].startswith("4+: 4 1")

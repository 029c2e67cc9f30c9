"""Storming buildings: corners of the rules that whole assaults seldom reach, worked out by hand or model by model."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sims.assault import End
from sims.dice import ExactDice
from sims.forces import total
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, NOBODY
from sims.profiles import library
from sims.rulesets import rule_set
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.buildings.firing import posts
from sims.rulesets.storming.storm.fight import saves
from sims.rulesets.storming.storm.result import morale
from sims.rulesets.storming.usual.structure import advance
from sims.scenario import Scenario
from tests.rulesets.judging import share
from tests.rulesets.scripted import scripted
from tests.rulesets.storming_cases import GUARDSMAN, house, scenario
from tests.rulesets.test_storming_areas import CANNON, falls, near, siege
from tests.rulesets.test_storming_clauses import played

FUSION = library().weapons["fusion-gun"]
MANY_WAYS = [(S, W, hurt) for S in (0, 1, 2) for W in (1, 2, 3) for hurt in range(W)]


def walls(game: Scenario, armour: int, **profile) -> Scenario:
    """The same game at walls of a known Armour Value; the attackers' profile may be another."""
    unit = game.attackers.unit.model_copy(update=profile)
    groups = tuple(replace(group, profile=unit) for group in game.attackers.groups)
    house = game.building.model_copy(update={"armour": armour})
    return replace(game, attackers=replace(game.attackers, unit=unit, groups=groups), building=house)


# The walls. A blow or a grenade has no AP, which takes one off the damage table: 6 alone wrecks, on a penetrating hit.


def test_only_a_squad_at_the_walls_closes_their_doors():
    """Who gets out of a wreck has no room where the one door is closed, as it is not by a cannon 20 inches off."""
    closed = "[tables.room]\ncovered = 1\n"
    far = played(siege(CANNON, distance=20), closed)
    assert share(far, End.DESTROYED) == falls(9, Fraction(1, 2))
    assert far.tallies["defenders lost for want of room"] == 0
    blow = walls(scenario(GUARDSMAN, 1, 1, plan="demolish"), 10, S=6, A=0)
    assert played(blow, closed).tallies["defenders lost for want of room"] == Fraction(1, 3) * Fraction(1, 6)


def test_who_can_strike_walls_in_two_ways_takes_the_one_that_penetrates():
    """AV11: eleven S5 blows may glance at most, which opens nothing; one krak grenade of S6 penetrates on a 6."""
    game = walls(scenario(GUARDSMAN, 1, 1, plan="demolish"), 11, S=5, A=10, grenades=("krak",))
    assert share(played(game), End.DESTROYED) == Fraction(1, 6) * Fraction(1, 6)


def test_who_can_strike_walls_as_well_in_two_ways_strikes_once():
    """AV10: without a bonus for the charge, a S6 blow and a krak grenade alike penetrate on 5+."""
    game = walls(scenario(GUARDSMAN, 1, 1, plan="demolish"), 10, S=6, grenades=("krak",))
    result = played(game, "[rulings]\ncharge_bonus = 'no'\n")
    assert share(result, End.DESTROYED) == Fraction(1, 3) * Fraction(1, 6)


def test_a_blow_that_can_but_glance_is_struck_if_that_is_enough():
    """AV14: a fist of S8 glances on a 6, and its AP1 brings the walls down on another."""
    game = walls(scenario(GUARDSMAN, 1, 1, plan="demolish", arms=("pistol", "siege-fist")), 14, A=0)
    assert share(played(game), End.DESTROYED) == Fraction(1, 6) * Fraction(1, 6)


def test_a_marker_drifts_off_the_nearer_walls():
    """From the middle of a house of four inches by ten it may go two; BS3 takes off three."""
    game = siege(CANNON.model_copy(update={"kind": "blast", "blast": 5}), distance=20)
    for footprint in ((4, 10), (10, 4)):
        longer = replace(game, building=game.building.model_copy(update={"footprint": footprint}))
        assert share(played(longer), End.DESTROYED) == falls(9, near(3 + 2))


def test_two_sixes_of_a_melta_weapon_glance():
    """S3 and 12 at AV15, hit on 4+: with AP1 a glancing hit brings it down on a 6."""
    weak = FUSION.model_copy(update={"S": 3})
    game = walls(siege(weak, distance=6), 15)
    assert share(played(game), End.DESTROYED) == Fraction(1, 2) * Fraction(1, 36) * Fraction(1, 6)


def test_a_melta_weapon_is_carried_as_near_as_the_book_says():
    """Within a quarter of 12 inches S8 adds two dice at AV15: a seven glances, more penetrates; AP1 adds one."""
    game = walls(siege(FUSION, distance=9, plan="demolish"), 15)
    quarter = "[tables.shooting]\nmelta_part = 4\n"
    assault = replace(rule_set("storming"), book=house(quarter)).assault(game)
    assert advance(scripted(), assault.start, assault.scene).distance.tolist() == [3]
    glances, penetrates = Fraction(6, 36) * Fraction(1, 6), Fraction(15, 36) * Fraction(1, 2)
    assert share(played(game, quarter), End.DESTROYED) == Fraction(1, 2) * (glances + penetrates)


# The garrison's fire.


@pytest.mark.parametrize(
    ("option", "inside", "points", "mounted", "manned"),
    [
        ("separate", 1, 1, 1, (1, 0)),
        ("separate", 3, 2, 2, (2, 1)),
        ("uses_firing_point", 1, 2, 2, (0, 1)),
        ("uses_firing_point", 6, 2, 1, (1, 1)),
        ("uses_firing_point", 3, 1, 2, (0, 1)),
    ],
)
def test_one_model_fires_one_weapon(option, inside, points, mounted, manned):
    """Its own or a mounted one, which may take up one of the firing points (ST-017)."""
    book = Storming.load().with_rulings({"mounted_weapons": option})
    assert tuple(int(n) for n in posts(book, inside, points, mounted)) == manned


# The fight.


def model_by_model(F: int, S: int, W: int, hurt: int, wounds: int, *, fireteam_first: bool) -> tuple[int, ...]:
    """Nobody saves: Fireteam and supporters left, wounds on the one that is hurt, wounds that found somebody.

    The hurt model is in the Fireteam; a wound goes to who is hurt already; nobody stays hurt while another is.
    """
    inside, outside, found = [hurt] + [0] * (F - 1), [0] * S, 0
    for i in range(wounds):
        on_fireteam = min(inside) < W if fireteam_first else i % (F + S) < F
        side = inside if on_fireteam else outside
        standing = [j for j, borne in enumerate(side) if borne < W]
        if standing:
            side[max(standing, key=lambda j: side[j])] += 1
            found += 1
    still = [[j for j, borne in enumerate(side) if 0 < borne < W] for side in (inside, outside)]
    if all(still):
        (one,), (other,) = still
        moved = min(inside[one], W - outside[other])
        inside[one] -= moved
        outside[other] += moved
    alive = [borne for borne in inside + outside if borne < W]
    return sum(b < W for b in inside), sum(b < W for b in outside), sum(alive), found


@pytest.mark.parametrize("allocation", ["one_each", "fireteam_first"])
@pytest.mark.parametrize("F", [1, 2])
@pytest.mark.parametrize(("S", "W", "hurt"), MANY_WAYS)
def test_wounds_on_models_with_several_are_borne_as_model_by_model(allocation, F, S, W, hurt):
    book = Storming.load().with_rulings({"wound_allocation": allocation})
    profile = {**{k: v for k, v in GUARDSMAN.items() if k != "Sv"}, "W": W}
    assault = replace(rule_set("storming"), book=book).assault(scenario(profile, F + S, 1))
    for wounds in range(1, W * (F + S) + 3):
        start = assault.start.replace(
            fireteam=(np.array([F]),), attackers_hurt=np.array([hurt]), struck=np.array([wounds])
        )
        dice = ExactDice(np.array([Fraction(1)], dtype=object))
        after = saves(dice, start, assault.scene)
        left = (
            total(after.fireteam),
            total(after.attackers) - total(after.fireteam),
            after.attackers_hurt,
            after.struck,
        )
        certain = np.flatnonzero(dice.weights == 1)
        seen = tuple(np.broadcast_to(n, dice.weights.shape).ravel()[certain].item() for n in left)
        assert seen == model_by_model(F, S, W, hurt, wounds, fireteam_first=allocation == "fireteam_first"), wounds


@pytest.mark.parametrize(("lead", "attackers", "defenders", "failed"), [(-1, 2, 0, ATTACKERS), (1, 2, 2, DEFENDERS)])
def test_the_losers_test_if_any_of_them_is_left(lead, attackers, defenders, failed):
    """Guardsmen of Leadership 7, less 1, fail on 7 or more; where wounds are compared they may be beaten by the dead."""
    assert after_morale(lead, attackers, defenders)[failed] == Fraction(21, 36)


def test_nobody_tests_where_none_of_the_losers_is_left():
    assert after_morale(1, 2, 0) == {NOBODY: 1}


def after_morale(lead: int, attackers: int, defenders: int) -> dict[int, Fraction]:
    """Who has failed with which chance, so many being left."""
    assault = rule_set("storming").assault(scenario(GUARDSMAN, 2, 2))
    left = {"attackers": (np.array([attackers]),), "defenders": (np.array([defenders]),)}
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = morale(dice, assault.start.replace(lead=np.array([lead]), **left), assault.scene)
    failed = np.broadcast_to(after.failed, dice.weights.shape).ravel().tolist()
    return {who: p for who, p in zip(failed, dice.weights.ravel(), strict=True) if p}

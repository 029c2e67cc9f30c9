"""Gemini: shooting by action points, who can be seen inside, ports and their shutters, and what the rulings on them do."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.assault import End
from sims.dice import HIGH, LOW, ExactDice
from sims.engines import solve
from sims.questions import question
from sims.rulesets.gemini.book import OwnBuilding
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.openings.ports import AtPorts
from sims.scenario import load_scenario
from tests.rulesets.gemini_cases import gemini, scenario
from tests.rulesets.gemini_oracle import House, Siege, Troops
from tests.rulesets.judging import share
from tests.rulesets.test_gemini import state_of
from tests.rulesets.test_gemini_plans import figures, found

CERTAIN = Fraction(5, 6)
"""The chance of a wound by a weapon as strong as can be, where no save is allowed."""


def played(assault, state, *names: str, player: str = "attackers"):
    """Play the stages of some names of a player turn from one state; return the states, their weights and the tallies."""
    (turn,) = (turn for turn in assault.turn if turn.name == player)
    size = max(a.size for a in state.arrays())
    weights, tallies = np.repeat(np.array([Fraction(1)], dtype=object), size), dict[str, Fraction]()
    for stage in turn.stages:
        if stage.name not in names or (stage.when and not np.any(stage.when(state, assault.scene))):
            continue
        where = np.broadcast_to(True if stage.when is None else stage.when(state, assault.scene), weights.shape)
        assert where.all() or not where.any()
        dice = ExactDice(weights)
        state = stage.rule(dice, state, assault.scene)
        shape = dice.weights.shape
        state = state.rebuild([np.broadcast_to(a, shape).reshape(-1) for a in state.arrays()])
        weights = dice.weights.reshape(-1)
        for name, amount in dice.tallies.items():
            tallies[name] = tallies.get(name, 0) + amount
    return state, weights, tallies


# Hits at ports are halved in each shooting Action (GB-145).


def ten_at_a_port(**rulings: str):
    """Ten attackers of BS4, each with a shot for an action point, before the ports of a bunker that all inside man."""
    ours = Troops(BS=4, weapon="assault", range=24, weapon_S=10, AP=1)
    siege = Siege(ours, Troops(Sv=6), House(kind="bunker", T=14, points=3, fire_out=20), plan="shoot")
    assault = gemini("[tables.sections]\nmodels = 60", **rulings).assault(scenario(siege, 10, 10, 8, 1))
    state = state_of(assault, volleys=2, exposed=20, ports_open=1, defenders__models=20)
    return played(assault, state, "attackers fire")[2]["defenders lost to shooting"]


def test_each_of_two_actions_at_a_port_is_halved_by_itself():
    """GB-145: ten shots get through 83653/59049 times on average, and so they do in the second Action."""
    assert ten_at_a_port() == 2 * Fraction(83653, 59049) * CERTAIN


def test_two_actions_that_are_one_shooting_are_halved_together():
    """E = np/2 - (1 - (1 - 2p)^n)/4, of twenty shots that hit on 2 or less."""
    p = Fraction(1, 3)
    assert ten_at_a_port(shooting_actions="at_once") == (20 * p / 2 - (1 - (1 - 2 * p) ** 20) / 4) * CERTAIN


def test_hits_of_different_weapons_are_added_up_before_they_are_halved():
    """GB-145: three shots that hit on 3 or less and wound on 4, one that hits on 2 and wounds on 2; every face tried."""
    expected: dict[int, Fraction] = {}

    def flags(target: int, goal: int) -> dict[str, Fraction]:
        hits, hurts = Fraction(target, 6), Fraction(7 - goal, 6)
        return {"miss": 1 - hits, "hurts": hits * hurts, "fails": hits * (1 - hurts)}

    for shots in product(*(flags(*shot).items() for shot in [(3, 4)] * 3 + [(2, 2)])):
        chance = np.prod([weight for _, weight in shots])
        hits = [name for name, _ in shots if name != "miss"]
        orders = list(product(*[range(len(hits))] * (len(hits) // 2)))
        drawn = [order for order in orders if len({*order}) == len(order)]
        for order in drawn:
            hurt = sum(hits[i] == "hurts" for i in order)
            expected[hurt] = expected.get(hurt, Fraction(0)) + chance / len(drawn)
    found = AtPorts(((LOW, HIGH), (LOW, HIGH)), 2).pmf(3, 3, 4, 1, 2, 2)
    assert {k: found[k] for k in found.outcomes} == expected


@pytest.mark.parametrize(
    ("of_the_leader", "option", "hurts"),
    [
        ("rifle", "pooled", Fraction(1, 2)),
        ("rifle", "like_weapons", Fraction(1, 2)),
        ("rifle", "each_model", 0),
        ("heavy-rifle", "pooled", (Fraction(1, 2) + Fraction(2, 3)) / 2),
        ("heavy-rifle", "like_weapons", 0),
        ("heavy-rifle", "each_model", 0),
    ],
)
def test_what_is_halved_together_is_a_ruling(of_the_leader, option, hurts):
    """A leader and a model shoot once each: of two hits one passes if they are halved together, and neither if apart.

    With BS 2 a port is hit by 1 in 12. Strength 3 wounds veterans on 4+, Strength 4 on 3+; they save on 4+.
    """
    changes = {"turns": 1, "distance": 14, "attackers.models": 2, "attackers.weapon": "rifle"}
    game = load_scenario("bunker-rush", changes | {"attackers.specials": [], "attackers.leader.weapon": of_the_leader})
    assault = gemini(halved_hits=option).assault(replace(game, plan="shoot"))
    _, _, told = played(assault, state_of(assault, volleys=1, exposed=4, ports_open=1), "attackers fire")
    assert told["defenders lost to shooting"] == Fraction(1, 12) ** 2 * hurts * Fraction(1, 2)


# Each action point is a shooting of its own (ARAP-052, ARAP-102, ARAP-107).


def test_a_second_shooting_meets_what_the_first_has_left():
    """Three who man the openings: the first Action can leave two, who are a small target for the second (-1)."""
    ours = Troops(BS=5, weapon="assault", range=24, weapon_S=10, AP=1)
    siege = Siege(ours, Troops(), House(openings=2), plan="shoot")
    lost = []
    for how in ("one_by_one", "at_once"):
        assault = gemini(shooting_actions=how).assault(scenario(siege, 1, 3, 20, 1))
        _, _, told = played(assault, state_of(assault, volleys=2, exposed=6), "attackers fire")
        lost.append(told["defenders lost to shooting"])
    hit, smaller = Fraction(3, 6) * CERTAIN, Fraction(2, 6) * CERTAIN
    assert lost == [hit + hit * smaller + (1 - hit) * hit, 2 * hit]


def test_a_heavy_weapon_fires_with_its_second_point():
    """ARAP-102, ARAP-103: with three points once, with one not at all."""
    siege = Siege(Troops(BS=5, weapon="heavy", range=36, weapon_S=10, AP=1), Troops(), House(openings=2), plan="shoot")
    assault = gemini().assault(scenario(siege, 1, 5, 20, 1))
    for points, shots in ((1, 0), (2, 1), (3, 1)):
        _, _, told = played(assault, state_of(assault, volleys=points, exposed=6), "attackers fire")
        assert told.get("defenders lost to shooting", 0) == shots * Fraction(3, 6) * CERTAIN


def test_losses_of_all_shootings_of_a_turn_call_for_one_test():
    """ARAP-133: of eight, one man in each of two Actions is a quarter."""
    ours = Troops(BS=5, weapon="assault", range=24, weapon_S=10, AP=1)
    assault = gemini().assault(scenario(Siege(ours, Troops(), House(openings=2), plan="shoot"), 1, 8, 20, 1))
    state, _, _ = played(assault, state_of(assault, volleys=2, exposed=6), "attackers fire")
    assert {(int(m), int(due)) for m, due in zip(state.defenders.models, state.defenders.due, strict=True)} == {
        (8, 0), (7, 0), (6, 1),
    }  # fmt: skip
    assert not state.fallen.any()


# Who can be seen inside (GB-114).


def captured_by_shooting(**rulings: str) -> float:
    return float(share(solve(gemini(**rulings).assault(found("farmhouse", "shoot"))), End.CAPTURED))


def test_who_does_not_fire_in_his_turn_is_out_of_sight():
    """A house is taken more often from those who are in sight until they act; brute force judges how often."""
    assert captured_by_shooting(exposure="next_turn") < captured_by_shooting(exposure="next_action")


def test_nobody_takes_the_place_of_those_who_fired_and_fell():
    """GB-114: of ten in a house three fired, and no more than these three can fall in three Actions."""
    ours = Troops(BS=5, weapon="assault", range=24, weapon_S=10, AP=1)
    assault = gemini().assault(scenario(Siege(ours, Troops(), House(openings=2), plan="shoot"), 6, 10, 20, 1))
    state, chances, _ = played(assault, state_of(assault, volleys=3, exposed=3), "attackers fire")
    numbers = zip(state.defenders.models, state.exposed, chances, strict=True)
    assert {(int(models), int(exposed)) for models, exposed, chance in numbers if chance} == {
        (10, 3),
        (9, 2),
        (8, 1),
        (7, 0),
    }


@pytest.mark.parametrize(("points", "seen"), [(0, 0), (1, 6)])
def test_a_turn_without_a_point_ends_exposure(points, seen):
    """GB-114: until the garrison acts in its own next turn, whatever that brings; and not in the enemy's turn."""
    assault = gemini().assault(scenario(Siege(Troops(), Troops(), House(openings=2), plan="shoot"), 3, 6, 20, 1))
    state = state_of(assault, exposed=6, defenders__points=points)
    for player, exposed in (("attackers", 6), ("defenders", seen)):
        after, _, _ = played(assault, state, "take cover", "garrison fires", "end turn", player=player)
        assert np.unique(after.exposed).tolist() == [exposed]


# The shutters of a bunker (GB-149).


@pytest.mark.parametrize(
    ("option", "now", "later", "much_later"),
    [("stay_open", False, True, True), ("last_turn", False, True, False), ("none", True, True, True)],
)
def test_a_shot_from_a_port_opens_it_from_the_next_turn_on(option, now, later, much_later):
    """GB-149: to flames, grenades and shots; the shot is a reaction in the attackers' own turn."""
    house = House(kind="bunker", T=14, points=3)
    assault = gemini(shutters=option).assault(scenario(Siege(Troops(), Troops(), house, plan="shoot"), 3, 6, 8, 1))
    state, _, _ = played(assault, state_of(assault, defenders__points=1), "garrison fires")
    told = [bool(np.all(way_in.targets(state, assault.scene) > 0))]
    state, _, _ = played(assault, state, "end turn")
    told.append(bool(np.all(way_in.targets(state, assault.scene) > 0)))
    state, _, _ = played(assault, state, "end turn", player="defenders")
    told.append(bool(np.all(way_in.ports_open(state, assault.scene))))
    assert told == [now, later, much_later]


# What a building is (GB-138, GB-126).


def test_hull_points_in_the_profile_go_first():
    """GB-138: by size a bunker for ten has 3, and a bastion of two sections 4."""
    for name, by_size in (("bunker-rush", 3), ("bastion", 4)):
        game = load_scenario(name)
        for hull in (None, 1, 9):
            own = game.building.with_own(OwnBuilding(hull=hull))
            assault = gemini().assault(replace(game, building=own))
            assert assault.start.hull.tolist() == [hull or by_size]
            assert ("as the scenario has them" in assault.translation["Structure"]) is (hull is not None)


def test_hull_points_are_read_from_a_scenario():
    assert gemini().assault(load_scenario("bunker-rush", {"building.gemini.hull": 5})).start.hull.tolist() == [5]


@pytest.mark.parametrize(
    ("capacity", "floors", "stated", "large"),
    [(10, 1, None, False), (12, 1, None, False), (13, 2, None, True), (10, 2, 2, True), (20, 1, 1, False)],
)
def test_a_building_of_several_floors_is_fought_for_in_pairs(capacity, floors, stated, large):
    """GB-126: two sections, one above the other, are two sections; a section holds no more than twelve (GB-108)."""
    game = scenario(Siege(Troops(), Troops(), House(openings=1)), 8, 8, 1, 1)
    building = game.building.model_copy(update={"capacity": capacity, "levels": stated})
    assault = gemini().assault(replace(game, building=building))
    assert assault.scene.floors == floors
    state, _, _ = played(assault, state_of(assault, charge=1), "engage")
    pairs = {(int(a), int(d)) for a, d in zip(state.attackers_in, state.defenders_in, strict=True)}
    assert (pairs == {(2, 2)}) is large


# Who was shot at and then charged (ARAP-135).


def test_a_charge_excuses_from_the_heavy_casualty_test_by_one_reading():
    siege = Siege(Troops(), Troops(), House(openings=2))
    for option, due in (("excused", 0), ("tests", 1)):
        assault = gemini(charged_units=option).assault(scenario(siege, 3, 6, 1, 1))
        before = state_of(assault, attackers__points=1, defenders__due=1)
        after, _, _ = played(assault, before, "charge")
        assert np.unique(after.defenders.due).tolist() == [due]


# Rulings.

BUNKER = load_scenario(
    "bunker-rush",
    {"turns": 2, "distance": 12, "attackers.models": 8, "attackers.weapon": "carbine", "defenders.models": 5},
)
HOUSE = found("farmhouse", "storm", turns=2, distance=16, attackers__models=10, defenders__models=6)
DECIDES = {
    "shooting_actions": HOUSE,
    "charged_units": HOUSE,
    "exposure": replace(HOUSE, plan="shoot", turns=3),
    "halved_hits": BUNKER,
    "shutters": replace(BUNKER, plan="shoot", turns=3),
}


@pytest.mark.parametrize("ruling", DECIDES)
def test_every_option_changes_the_outcome_and_is_told(ruling):
    book = gemini().book
    options = list(dict(book.all_rulings())[ruling].options)
    assert len({figures(DECIDES[ruling], **{ruling: option}) for option in options}) == len(options)
    told = [gemini(**{ruling: option}).assault(DECIDES[ruling]).translation for option in options]
    assert len({tuple(words.items()) for words in told}) == len(options)


@pytest.mark.parametrize("asked", ["fire at those inside", "hits at a firing port"])
@pytest.mark.parametrize(("near", "hurts"), [("yes", True), ("no", False)])
def test_goals_of_eight_are_tried_at_short_range_only(asked, near, hurts):
    """ARAP-010: Strength 2 wounds Toughness 6 on an 8."""
    given = {"shots": "2", "BS": "4", "S": "2", "T": "6", "near": near}
    assert (question(asked).answer(given).at_least(1) > 0) is hurts

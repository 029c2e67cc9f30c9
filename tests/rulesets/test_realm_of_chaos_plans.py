"""Realm of Chaos: every plan of both sides against brute force; the sally, the fight in the open, who goes in and when."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sims.assault import End
from sims.engines import play as drawn_by
from sims.engines import solve
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos import setting, shooting
from sims.rulesets.realm_of_chaos.inside import movement
from sims.rulesets.realm_of_chaos.order import end as end_of
from sims.rulesets.realm_of_chaos.order import outcome
from sims.rulesets.realm_of_chaos.outside import open_fight, sally
from sims.rulesets.realm_of_chaos.setting import set_up
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS
from sims.scenario import load_scenario
from tests.rulesets.judging import ENDS, mean, share
from tests.rulesets.realm_of_chaos_cases import (
    CASES,
    DUELS,
    FOOTMAN,
    THREE,
    assault,
    book,
    scenario,
)
from tests.rulesets.realm_of_chaos_oracle import House
from tests.rulesets.realm_of_chaos_states import at, no_dice, outcomes, values, where
from tests.rulesets.test_conformance import FALSE_ALARM, PLANS, SMALL, shares_agree, within_bounds
from tests.rulesets.test_realm_of_chaos import play

# What the assaults that brute force judges are about.


@pytest.mark.parametrize("name", CASES)
def test_the_cases_reach_what_they_are_about(name):
    duel, expected = DUELS[name], CASES[name].expected
    assert CASES[name].assault.scene.halt == duel.halt
    comes_out = duel.defence == "sally" or duel.house.drives_out
    if duel.house.heights:  # whether those are put out who come down with a wing depends on who is where
        assert (expected["fought outside"] > 0) >= comes_out
    else:
        assert (expected["fought outside"] > 0) == (comes_out or is_put_out(duel))
    assert (expected["waited outside"] > 0) == (duel.house.waits or duel.house.drives_out)
    assert (expected["burning"] > 0) == is_set_alight(duel)


def is_set_alight(duel):
    """Whether flames are carried to the house, to light it or by accident, or by those of the garrison who step down."""
    house = duel.house
    stepping = duel.them.flaming and house.accidents and house.levels > 1
    return stepping or (duel.us.flaming and (duel.plan != "storm" or house.accidents))


def is_put_out(duel):
    """Whether walls come down that leave survivors without room in what stands."""
    house = duel.house
    falls = duel.plan in ("demolish", "smoke") or (duel.plan == "shoot" and duel.us.missile_S >= house.needs_S)
    return falls and house.columns > 1 and duel.them.number > max(house.levels - 1, 1) * house.room


def test_the_cases_end_in_every_way_under_every_plan_that_can():
    """Smoke ends in every way, and so does a sally."""
    for plan, defence in (("smoke", "hold"), ("demolish", "sally")):
        ends = dict.fromkeys(("destroyed", "captured", "broken", "held"), 0)
        for case in CASES:
            if DUELS[case][3:5] == (plan, defence):
                ends = {end: chance + CASES[case].expected[end] for end, chance in ends.items()}
        assert all(ends.values()), (plan, defence, ends)


# The sally.


def in_the_open(**changes: str):
    """Sixteen footmen, and fifteen in a tower with one door who sally."""
    return set_up(
        scenario(replace(FOOTMAN, number=16, A=2), replace(FOOTMAN, number=15), House(levels=2), plan="storm", away=20,
                 turns=4, first="attackers", defence="sally"), book(rulings=changes),
    )  # fmt: skip


@pytest.mark.clause("RC-013")
def test_no_more_come_out_than_pass_the_door_and_they_move_as_normal():
    """Four a turn, who charge eight inches; the next four join them without a charge of their own."""
    scene = in_the_open()
    near, far = at(scene, distance=8), at(scene, distance=9)
    assert (bool(sally.leaving(near, scene)), bool(sally.leaving(far, scene))) == (True, False)
    first = sally.come_out(no_dice(), near, scene)
    assert values(first, scene, "out", "garrison A1", "garrison A2", "open", "charged") == (4, 8, 3, 1, DEFENDERS)
    below = movement.step(no_dice(), first, scene)
    assert values(below, scene, "out", "garrison A1", "garrison A2") == (4, 11, 0)
    second = sally.come_out(no_dice(), below.replace(charged=np.array([0])), scene)
    assert values(second, scene, "out", "garrison A1", "open", "charged") == (8, 7, 1, 0)


def test_nobody_comes_out_of_a_fight_or_where_there_is_no_door():
    scene = in_the_open()
    assert not sally.leaving(at(scene, distance=0, outside=12, inside={"A1": 4}), scene)
    walled = replace(scene.scenario, building=scene.scenario.building.model_copy(update={"doors": 0}))
    shut = set_up(walled, scene.book)
    after = sally.come_out(no_dice(), at(shut, distance=4), shut)
    assert (after.out, after.open) == (0, 0)


def test_those_who_may_not_charge_yet_stand_outside_and_are_charged_and_shot_at():
    scene = in_the_open(charging_out="next_turn")
    waiting = sally.come_out(no_dice(), at(scene, distance=6), scene)
    assert (waiting.out, waiting.open, waiting.charged) == (4, 0, 0)
    assert set(outcomes(shooting.shoot_at_those_outside, waiting, scene, "out")) == {(n,) for n in range(5)}
    charged = sally.charge_those_outside(no_dice(), movement.advance(no_dice(), waiting, scene), scene)
    assert (charged.distance, charged.open, charged.charged) == (0, 1, ATTACKERS)
    assert not movement.may_go_in(charged, scene)
    unhurt = sally.come_out(no_dice(), waiting, scene)
    assert (unhurt.out, unhurt.open, unhurt.charged) == (8, 1, DEFENDERS)


def test_in_the_open_there_is_no_cover_and_a_moving_target_is_no_harder():
    """BS3 at short range: 1/2 to hit, 1/2 to wound, 5/6 not saved, for each of sixteen."""
    scene = in_the_open(charging_out="next_turn")
    state = at(scene, out=15, garrison={}, distance=4)
    found = outcomes(shooting.shoot_at_those_outside, state, scene, "out")
    assert found[(15,)] == (1 - Fraction(5, 24)) ** 16


@pytest.mark.parametrize(
    ("charged", "winner", "hits"),
    [(0, 0, Fraction(1, 3)), (DEFENDERS, 0, Fraction(1, 2)), (DEFENDERS, DEFENDERS, Fraction(2, 3)),
     (ATTACKERS, ATTACKERS, Fraction(1, 3))],
)  # fmt: skip
def test_a_charge_and_the_last_round_help_to_hit(charged, winner, hits):
    """Eight WS3 S3 on WS3 T3 with a save of 6, of whom four are in the front rank."""
    scene = in_the_open()
    state = at(scene, out=8, garrison={"A1": 7}, open=1, charged=charged, winner=winner)
    found = outcomes(lambda d, s, c: open_fight.clash(d, s, c, turn=0), state, scene, "outside")
    assert found[(16,)] == (1 - hits * Fraction(1, 2) * Fraction(5, 6)) ** 4


@pytest.mark.parametrize(
    ("margin", "charged", "winner", "won"),
    [(0, 0, 0, 0), (0, DEFENDERS, 0, DEFENDERS), (1, DEFENDERS, 0, 0), (1, DEFENDERS, DEFENDERS, DEFENDERS),
     (-1, ATTACKERS, ATTACKERS, ATTACKERS)],
)  # fmt: skip
def test_a_charge_and_the_last_round_count_one_each_in_the_result(margin, charged, winner, won):
    scene = in_the_open(formation_in_the_open="loose")
    state = at(scene, out=4, garrison={"A1": 11}, open=1, margin=margin, charged=charged, winner=winner)
    assert outcomes(open_fight.decide, state, scene, "winner", "open", "charged") == {(won, 1, 0): 1}


FRONT = "fights, leader and special models first, and is filled up at once"


@pytest.mark.parametrize(
    ("house", "rulings", "said"),
    [
        (House(), {}, f"the front rank of 4 {FRONT}; after the blows each complete rank of 4 beyond the first scores 1, at most 3"),
        (House(), {"ranks_counted": "before_the_blows"}, f"the front rank of 4 {FRONT}; before the blows each complete rank of 4"),
        (House(frontage=3), {}, f"the front rank of 3 {FRONT}; ranks of 3 are too narrow to score"),
        (House(), {"fighting_in_the_open": "all"}, "all models fight; after the blows each complete rank of 4"),
        (House(), {"formation_in_the_open": "loose"}, "all models fight, in loose order: neither ranks nor standards score"),
    ],
)  # fmt: skip
def test_the_translation_says_who_fights_in_the_open_and_what_ranks_score(house, rulings, said):
    told = assault(THREE, THREE, house, rulings, plan="storm", defence="sally", away=8, turns=2, first="attackers")
    assert told.translation["Fights in the open"].startswith(said)
    assert (
        "; losers of a round are pushed back 2 inches, at most to the wall, and followed; "
        in told.translation["Fights in the open"]
    )


PURSUED = {"restrained": Fraction(21, 36), "pursues": Fraction(1)}
"""How likely victors of Leadership 6 pursue, by the ruling: 15 of 36 throws of two dice are 6 or less."""


@pytest.mark.parametrize(("ruling", "pursue"), PURSUED.items())
def test_routers_in_the_open_suffer_every_blow_of_the_victors_and_again_of_pursuers(ruling, pursue):
    """A front rank of four with two attacks each at T3 with a save of 6; those inside are out of reach, but leave."""
    scene = in_the_open(pursuit=ruling)
    state = at(scene, garrison={"A1": 4}, out=5, routing=DEFENDERS, open=0)
    found = outcomes(open_fight.hack_garrison, state, scene, "defenders", "driven_out", "garrison")
    lives = Fraction(7, 12)
    assert found[9, 1, 0] == (1 - pursue) * lives**8 + pursue * lives**16
    assert min(found) == (4, 1, 0)
    back = outcomes(open_fight.hack_besiegers, state.replace(routing=np.array([ATTACKERS])), scene, "outside", "broken")
    assert back[16, 1] == (1 - pursue) * lives**4 + pursue * lives**8


def test_who_is_slower_than_the_routers_hacks_once_and_holds_back_without_a_test():
    quick = in_the_open()
    slow = quick.scenario.attackers.unit.model_copy(update={"move": 3})
    scene = replace(quick, scenario=replace(quick.scenario, attackers=replace(quick.scenario.attackers, unit=slow)))
    state = at(scene, garrison={"A1": 4}, out=5, routing=DEFENDERS, open=0)
    found = outcomes(open_fight.hack_garrison, state, scene, "defenders")
    assert found[9,] == Fraction(7, 12) ** 8


def test_nobody_is_inside_while_the_garrison_stands_outside():
    scene = in_the_open()
    for out, inside, cleared in ((15, {}, True), (14, {"A1": 1}, False), (12, {"A2": 3}, False)):
        now = at(scene, out=out, garrison=inside, open=1)
        assert (outcome(now, scene).cleared, end_of(now, scene)) == (cleared, End.GOING_ON)


def test_no_walls_are_struck_and_nobody_shoots_while_they_fight_in_the_open():
    turns = rule_set("realm_of_chaos").assault(load_scenario("bastion", {"defenders.plan": "sally"})).turn
    scene = set_up(load_scenario("bastion", {"defenders.plan": "sally"}), rule_set("realm_of_chaos").book)
    state = at(scene, out=10, garrison={}, open=1, distance=0, fired={"A1": 4})
    names = {s.name for t in turns for s in t.stages if s.when is not None and np.all(s.when(state, scene))}
    assert names == {"come out", "cease fire", "decide", *(f"clash, step {i + 1}" for i in range(len(scene.order)))}


# Who goes in under plan demolish.


def siege(**changes: object):
    """A bastion: of ten, four can hurt the walls."""
    return set_up(load_scenario("bastion", changes), rule_set("realm_of_chaos").book)


def test_those_who_cannot_hurt_the_walls_go_in_and_the_others_do_not():
    scene = siege()
    assert scene.besiegers == (0, 1, 2)
    first = movement.enter(no_dice(), at(scene, distance=0), scene)
    second = movement.enter(no_dice(), first, scene)
    third = movement.enter(no_dice(), second, scene)
    states = (first, second, third)
    assert [values(s, scene, "outside", "inside A1") for s in states] == [(6, 4), (4, 6), (4, 6)]
    assert [n.tolist() for n in scene.inside(second, "attackers", 0)] == [[0], [0], [0], [6]]
    assert [n.tolist() for n in scene.outside(second, "attackers")] == [[1], [2], [1], [0]]


def test_they_walk_up_to_the_doors_with_the_others_and_those_left_stay_at_the_walls():
    scene = siege()
    assert movement.advance(no_dice(), at(scene, distance=8), scene).distance == 0
    alone = at(scene, outside=4, distance=8)
    assert not setting.storming(alone, scene)
    assert bool(setting.besieging(alone, scene))
    assert where(scene, movement.enter(no_dice(), at(scene, outside=4, distance=0), scene).inside) == {}


def test_nobody_works_on_walls_with_his_own_inside():
    scene = siege()
    stages = [s for t in rule_set("realm_of_chaos").assault(load_scenario("bastion")).turn for s in t.stages]
    works = [s for s in stages if s.name in ("strike fabric", "shoot at fabric")]
    assert len(works) == 3
    for inside, does in ((0, True), (2, False)):
        state = at(scene, distance=0, inside={"A1": inside}, outside=10 - inside)
        assert [bool(s.when(state, scene)) for s in works] == [does] * 3


def test_without_a_door_they_all_stay_at_the_walls():
    blind = load_scenario("bastion")
    blind = replace(blind, building=blind.building.model_copy(update={"doors": 0}))
    scene = set_up(blind, rule_set("realm_of_chaos").book)
    assert not setting.storming(at(scene, distance=4), scene)


# What is said of it.


@pytest.mark.parametrize(
    ("name", "plan", "deployment", "words"),
    [
        ("farmhouse", "smoke", None, "carries fire goes in"),
        ("bastion", "smoke", None, "as under shoot"),
        ("bastion", "demolish", None, "as many as cannot hurt the walls, 6 at full strength, go in"),
        ("keep-gate", "shoot", "doors", "halt at 30 inches"),
        ("keep-gate", "shoot", None, "halt at 27 inches"),  # nine tenths, for some are upstairs
    ],
)
def test_the_translation_says_what_a_plan_comes_to(name, plan, deployment, words):
    game = replace(load_scenario(name), plan=plan, deployment=deployment)
    assert words in rule_set("realm_of_chaos").assault(game).translation["Attackers"]


def told(scenario_id: str, edits: str = "", **changes: Any) -> dict[str, str]:
    """The translation of a scenario under a house rule."""
    text = f'base = "realm_of_chaos"\ntitle = "Own"\n{edits}'
    own = type(rule_set("realm_of_chaos").book).load(parse("own.toml", text))
    rules = replace(rule_set("realm_of_chaos"), book=own)
    return dict(rules.assault(replace(load_scenario(scenario_id), **changes)).translation)


FLAMING = '[rulings]\nwho_carries_fire = "flaming_weapons"\n'


@pytest.mark.parametrize(
    ("line", "before", "edits", "words"),
    [
        ("Fire", "", '[tables.fire]\ndamage = "2D6"', "takes 2D6 damage"),
        ("Fire", FLAMING, "[tables.fire]\naccident = 4", "a D6 of 4 or more for all"),
        ("Building", "", "[tables.fabrics]\nstone = { T = 9, needs_S = 8 }", "Toughness 9 that only Strength 8"),
        ("Building", "", "[tables.sections]\nside = 6", "1 section"),
        ("Collapse", "", "[tables.stability]\nneighbours_fall = 8", "by 8 or more those beside it too"),
        ("Collapse", "", '[rulings]\nway_in_after_a_collapse = "over_the_rubble"', "over the rubble"),
        ("Collapse", "", '[rulings]\ndoors_after_collapse = "any_door"', "else everyone in the column outside"),
        ("Collapse", "", "[tables.sections]\nside = 6", "the others are lost"),
        ("Collapse", "", "[tables.sections]\nside = 2", "no roll reaches beyond these"),
        ("Way in", "", "[tables.doors]\nsingle = 3", "6 models a turn"),
    ],
)
def test_the_translation_says_the_numbers_of_the_book_in_force(line, before, edits, words):
    usual, own = told("farmhouse", before), told("farmhouse", before + edits)
    assert words in own[line]
    assert words not in usual[line]


@pytest.mark.parametrize(
    ("deployment", "stand", "go"),
    [
        (None, "3 in A1, 3 in A2, 3 in B1 and 3 in B2", "they go for attackers who come in"),
        ("doors", "9 in A1 and 3 in A2", "they keep the doors manned"),
        ("top", "9 in A2 and 3 in B2", "they keep to the highest level"),
        ("gives ground", "9 in A1 and 3 in A2", "they go up a level"),
        (5, "5 in A1, 3 in A2, 2 in B1 and 2 in B2", "they go for attackers who come in"),
        ((("B1", 4), ("A1", 8)), "8 in A1 and 4 in B1", "they go for attackers who come in"),
    ],
)
def test_the_translation_says_where_the_garrison_stands_and_what_it_does(deployment, stand, go):
    """Twelve in two columns of two levels, the door in A; a house rule has it that nine find room in a section."""
    texts = told("farmhouse", "[tables.sections]\nmodels = 9", deployment=deployment)
    assert texts["Garrison"].startswith(f"{stand}; {go}")


def test_the_translation_says_how_fire_is_lit_under_the_plan():
    storm, smoke = (told("farmhouse", plan=plan)["Fire"] for plan in ("storm", "smoke"))
    assert storm == "a burning section takes D3 damage at the start of every player turn until it falls"
    lit = "one carrier inside lights the section in the Combat Phase after the blows, if he lives, without a roll"
    accident = "set it alight by accident as they enter, by a D6 of 6 or more for all who enter together"
    assert smoke == f"{lit}; those who carry fire into a section may {accident}; {storm}"
    first = told("farmhouse", '[rulings]\narson_order = "arson_first"', plan="smoke")
    assert "in the Combat Phase before any blow, without a roll" in first["Fire"]
    held = told("farmhouse", '[rulings]\narson = "at_the_walls"\n[tables.materials]\nbrick = "wood"', plan="smoke")
    assert "carrier at its walls lights" in held["Fire"]
    each = told("farmhouse", FLAMING + 'accidents = "each_carrier"')
    assert "a D6 of 6 or more for each of them" in each["Fire"]
    assert told("farmhouse", '[tables.flammable]\nstone = "nowhere"', plan="smoke")["Fire"] == "nothing here burns"


def test_the_translation_says_that_an_empty_building_is_captured_by_a_way_in_alone():
    alive = "when no defender is left alive and there is a way in"
    assert told("farmhouse")["Captured"] == f"{alive}; not once the doors have fallen"
    for edits in ("[tables.sections]\nside = 6", '[rulings]\nway_in_after_a_collapse = "over_the_rubble"'):
        assert told("farmhouse", edits)["Captured"] == alive


def test_a_building_without_a_door_is_told_as_one():
    shut = load_scenario("farmhouse", {"building.doors": 0, "defenders.plan": "sally"})
    texts = dict(rule_set("realm_of_chaos").assault(shut).translation)
    assert texts["Way in"] == "none: it has no door, and there is no way by windows"
    assert "if it stands, has room and no enemy, else they are lost" in texts["Collapse"]
    assert texts["Captured"] == "never: there is no way in"
    assert "they stay inside" in texts["Garrison"]
    assert "no door to go in by" in texts["Attackers"]


def test_an_armour_value_is_spoken_of_only_where_one_is_given():
    plain = load_scenario("bunker-rush")
    armoured = replace(plain, building=plain.building.model_copy(update={"armour": 12}))
    texts = [rule_set("realm_of_chaos").assault(s).translation for s in (plain, armoured)]
    assert ["Armour Value" in t for t in texts] == [False, True]
    assert "these rules know none" in texts[1]["Armour Value"]


@pytest.mark.parametrize(
    ("case", "ruling", "option"),
    [
        ("storm, equals sally", "charging_out", "next_turn"),
        ("smoke, carried in", "garrison_in_a_fire", "comes_out"),
        ("smoke, carried in", "models_in_a_fire", "hit"),
        ("smoke, garrison first", "arson", "at_the_walls"),
        ("smoke, flames at wattle", "fire_check", "each_point"),
        ("smoke, flames at wattle", "wattle_burns", "like_stone"),
        ("storm, accidents", "who_carries_fire", "to_smoke"),
        ("storm, accidents", "accidents", "each_carrier"),
        ("smoke, carried in", "arson_order", "arson_first"),
        ("smoke, carried in, two columns", "way_in_after_a_collapse", "over_the_rubble"),
    ],
)
def test_each_ruling_changes_an_assault(case, ruling, option):
    duel = DUELS[case]
    usual, other = CASES[case].result, play(*duel[:3], {**duel.rulings, ruling: option}, **duel.setting)
    shares = [[share(r, end) for end in ENDS] + [mean(r, "defenders_lost")] for r in (usual, other)]
    assert shares[0] != shares[1]


@pytest.mark.parametrize("case", ["shoot, they wait outside", "smoke, hit by the fire", "storm, accidents"])
def test_causes_add_up_to_the_losses(case):
    result = CASES[case].result
    for side in ("attackers", "defenders"):
        causes = [n for name, n in result.tallies.items() if name.startswith(f"{side} lost")]
        assert sum(causes) == mean(result, f"{side}_lost")


# Every plan from every deployment.

OGRES = [{"unit": "ogre", "weapon": "longbow", "count": 2}]
LOFTY = {
    "building.realm_of_chaos.ceiling": [14, 12],
    "attackers.specials": OGRES,
    "defenders.specials": OGRES,
    "defenders.models": 4,
}
TRIED = {
    "spread": {},
    "doors": {"defenders.deployment": "doors"},
    "top": {"defenders.deployment": "top"},
    "gives ground": {"defenders.deployment": "gives ground"},
    "two at the doors": {"defenders.deployment": 2},
    "posts": {"defenders.deployment": {"A1": 2, "B1": 1}},
    "ogres, spread": LOFTY,
    "ogres, top": LOFTY | {"defenders.deployment": "top"},
    "ogres, gives ground": LOFTY | {"defenders.deployment": "gives ground"},
}
"""Where three of a garrison stand at a farmhouse with few men; or two men and two ogres, against two ogres and a man."""


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("tried", TRIED)
@pytest.mark.parametrize("plans", PLANS, ids="-".join)
def test_every_plan_is_played_from_every_deployment_by_every_engine(tried, plans):
    """Of each engine four counts are binomial; together a false alarm is rarer than `FALSE_ALARM`."""
    few = load_scenario("farmhouse", SMALL | {"turns": 4} | TRIED[tried])
    assault = rule_set("realm_of_chaos").assault(replace(few, plan=plans[0], defence=plans[1]))
    exact = solve(assault)
    assert abs(exact.weights.sum() - 1) < 1e-12
    within_bounds(exact, few)
    for engine in ("sampled", "rolled"):
        drawn = drawn_by(assault, engine=engine, trials=2**11, seed=31)
        within_bounds(drawn, few)
        shares_agree(exact, drawn, FALSE_ALARM / 8)

"""Realm of Chaos: fire. Who lights what, what it does at the start of a turn, and whom it takes with it."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from sims.assault import End
from sims.engines import solve
from sims.errors import CasemateError
from sims.questions import question
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos import setting
from sims.rulesets.realm_of_chaos.book import OwnWeapon
from sims.rulesets.realm_of_chaos.damage import collapse, fabric, fire, siege
from sims.rulesets.realm_of_chaos.inside import movement
from sims.rulesets.realm_of_chaos.order import end
from sims.rulesets.realm_of_chaos.setting import set_up
from sims.rulesets.realm_of_chaos.state import SECTION
from sims.scenario import load_scenario
from tests.rulesets.judging import share
from tests.rulesets.realm_of_chaos_cases import FOOTMAN, book, scenario
from tests.rulesets.realm_of_chaos_oracle import House
from tests.rulesets.realm_of_chaos_states import at, no_dice, outcomes, where

LIT = {"plan": "smoke", "away": 8, "turns": 4, "first": "attackers"}
THREE = replace(FOOTMAN, number=3)
TEN = replace(FOOTMAN, number=10, flaming=True, missile_S=4)


def wattle(**rulings: str):
    """Ten with flaming S4 missiles at a wattle house."""
    return set_up(scenario(TEN, THREE, House(), **LIT), book(rulings=rulings))


def house(material: str, plan: str = "smoke", **rulings: str):
    """The farmhouse in another material; two of the attackers have flamers."""
    farm = load_scenario("farmhouse")
    built = farm.building.model_copy(update={"material": material})
    return set_up(replace(farm, building=built, plan=plan), book(rulings=rulings))


# What burns, and who may light it.


@pytest.mark.parametrize(
    ("material", "rulings", "burns", "burners"),
    [
        ("wattle", {}, "anywhere", (1,)),
        ("wattle", {"wattle_burns": "like_stone"}, "within", ()),
        ("wood", {}, "anywhere", ()),
        ("brick", {}, "within", ()),
    ],
)
def test_a_flamer_burns_wattle_from_outside_but_is_too_weak_for_wood(material, rulings, burns, burners):
    scene = house(material, **rulings)
    assert (scene.burns, scene.burners, scene.carriers) == (burns, burners, (1,))
    assert scene.carry_in == (not burners)


@pytest.mark.parametrize(
    ("ruling", "plan", "carriers"),
    [("to_smoke", "smoke", (1,)), ("to_smoke", "storm", ()), ("flaming_weapons", "storm", (1,)),
     ("everyone", "smoke", (0, 1, 2, 3)), ("everyone", "storm", ())],
)  # fmt: skip
def test_who_carries_fire(ruling, plan, carriers):
    assert house("brick", plan, who_carries_fire=ruling).carriers == carriers


@pytest.mark.parametrize(("who", "inside"), [("to_smoke", [0, 1, 0, 0]), ("everyone", [0, 0, 0, 1])])
def test_one_carrier_goes_in_to_light_a_house_of_stone_the_one_who_matters_least(who, inside):
    scene = house("stone", who_carries_fire=who)
    first = movement.enter(no_dice(), at(scene, distance=0, garrison={"A1": 4}), scene)
    assert [n.max() for n in scene.inside(first, "attackers", 0)] == inside
    again = movement.enter(no_dice(), at(scene, distance=0, inside={"A1": 1}, outside=19), scene)
    assert where(scene, again.inside) == {"A1": 1}


def test_the_next_carrier_goes_in_if_one_is_lost_before_it_burns():
    scene = house("stone")
    for left, goes in ((19, 1), (3, 1), (2, 1), (1, 0)):  # ordinary models fall first, then carriers, the leader last
        waiting = at(scene, distance=0, outside=left)
        assert (setting.willing(waiting, scene), bool(setting.storming(waiting, scene))) == (goes, goes == 1)
    assert not setting.storming(at(scene, distance=0, outside=19, burning=1), scene)


def test_more_flamers_do_not_make_the_farmhouse_harder_to_burn():
    """Beside as many with rifles, a fusion gun and a leader."""
    chances = []
    for count in (1, 2, 3, 4):
        specials = [{"weapon": "flamer", "count": count}, {"weapon": "fusion-gun"}]
        changes = {"attackers.plan": "smoke", "attackers.specials": specials, "attackers.models": 18 + count}
        result = solve(rule_set("realm_of_chaos").assault(load_scenario("farmhouse", changes)))
        chances.append(share(result, End.DESTROYED))
    assert chances == sorted(chances)


def test_a_carrier_lights_a_house_of_stone_and_no_other_follows():
    scene = house("stone")
    inside = at(scene, distance=0, inside={"A1": 1}, outside=19)
    assert fire.may_light(inside, scene)
    burning = fire.arson(no_dice(), inside, scene)
    assert burning.burning == 1
    assert not setting.storming(burning, scene)
    assert not setting.storming(at(scene, outside=1), scene)  # the carriers are lost


def test_fire_is_held_to_walls_only_by_the_ruling_and_only_where_they_burn():
    for material, ruling, lights in (("wood", "at_the_walls", True), ("wood", "inside", False),
                                     ("stone", "at_the_walls", False)):  # fmt: skip
        scene = house(material, arson=ruling)
        assert (bool(fire.may_light(at(scene, distance=0), scene)), scene.torches) == (lights, lights)
    scene = house("wood", arson="at_the_walls")
    assert scene.halt == 0
    assert not fire.may_light(at(scene, distance=1), scene)
    assert not fire.may_light(at(scene, distance=0, open=1, out=3), scene)


def test_what_a_house_rule_calls_fireproof_is_not_lit_and_the_plan_is_to_shoot():
    text = 'base = "realm_of_chaos"\ntitle = "Wet"\n[tables.flammable]\nstone = "nowhere"'
    own = type(rule_set("realm_of_chaos").book).load(parse("wet.toml", text))
    rules = replace(rule_set("realm_of_chaos"), book=own)
    smoke, shoot = (rules.assault(replace(load_scenario("farmhouse"), plan=plan)) for plan in ("smoke", "shoot"))
    assert "as under shoot" in smoke.translation["Attackers"]
    assert "do not burn" in smoke.translation["Building"]
    assert (smoke.scene.halt, smoke.scene.carry_in) == (shoot.scene.halt, False)


# Flames at the walls.


def test_flames_gain_a_point_of_strength_only_against_what_burns_outside():
    """S4 and 1 more wound wattle on a 6; BS3 hits a large target on 3+."""
    scene = wattle()
    state = at(scene, distance=6)
    found = outcomes(siege.flames_at_fabric, state, scene, "damage", "scorched")
    p = Fraction(2, 3) * Fraction(1, 6)
    assert found[0, 0] == (1 - p) ** 10
    assert found[7, 6] == 120 * p**7 * (1 - p) ** 3  # no more than six points matter to the check
    assert setting.shooters(wattle(wattle_burns="like_stone"), flaming=True) == ()


@pytest.mark.parametrize(
    ("ruling", "chance"), [("by_themselves", Fraction(1, 6)), ("aimed", Fraction(2, 3) * Fraction(1, 6))]
)
def test_a_flame_template_on_a_wall_hits_once(ruling, chance):
    scene = house("wattle", flame_templates=ruling)
    found = outcomes(siege.flames_at_fabric, at(scene, distance=4), scene, "damage")
    assert found == {(0,): (1 - chance) ** 2, (1,): 2 * chance * (1 - chance), (2,): chance**2}


@pytest.mark.parametrize(
    ("ruling", "points", "chance"),
    [("one_roll", 1, Fraction(1, 6)), ("one_roll", 4, Fraction(2, 3)), ("one_roll", 6, 1),
     ("each_point", 4, 1 - Fraction(5, 6) ** 4)],
)  # fmt: skip
def test_a_section_catches_fire_by_the_damage_that_flames_did(ruling, points, chance):
    scene = wattle(fire_check=ruling)
    found = outcomes(fire.catch_fire, at(scene, damage=points, scorched=points), scene, "burning", "scorched")
    assert found.get((1, 0), 0) == chance
    assert sum(found.values()) == 1


def test_what_burns_is_not_lit_again():
    scene = wattle()
    found = outcomes(siege.flames_at_fabric, at(scene, distance=6, burning=1), scene, "scorched")
    assert found == {(0,): 1}


def test_flaming_blows_burn_walls_too():
    """Ten S4 blows with flames: S5 at wattle, a 6 each, in either side's turn."""
    text = load_scenario("farmhouse")
    torch = (
        text.attackers.groups[-1].weapon.model_copy(update={"kind": "melee", "S": 4}).with_own(OwnWeapon(flaming=True))
    )
    group = replace(text.attackers.groups[-1], melee=torch, count=10)
    built = text.building.model_copy(update={"material": "wattle"})
    force = replace(text.attackers, groups=(group,))
    own = replace(text, attackers=force, building=built, plan="demolish")
    assault = rule_set("realm_of_chaos").assault(own)
    names = [[stage.name for stage in turn.stages] for turn in assault.turn]
    assert all(n.index("strike fabric") < n.index("catch fire") < n.index("result") for n in names)
    found = outcomes(siege.strike_fabric, at(assault.scene, distance=0), assault.scene, "damage", "scorched")
    assert found[1, 1] == 10 * Fraction(1, 6) * Fraction(5, 6) ** 9


# Accidents.


@pytest.mark.parametrize(("ruling", "rolls"), [("each_unit", 1), ("each_carrier", 2)])
def test_carriers_who_go_in_have_accidents(ruling, rolls):
    scene = house("brick", "storm", who_carries_fire="flaming_weapons", accidents=ruling)
    found = outcomes(movement.enter, at(scene, distance=0), scene, "inside A1", "burning")
    assert found == {(8, 0): Fraction(5, 6) ** rolls, (8, 1): 1 - Fraction(5, 6) ** rolls}
    followed = at(scene, distance=0, inside={"A1": 8}, outside=12)
    later = outcomes(movement.enter, followed, scene, "inside A1", "burning")
    assert later == {(12, 0): 1}  # no carrier among those who follow


def test_the_garrison_may_have_an_accident_when_it_steps_down():
    rulings = {"who_carries_fire": "flaming_weapons"}
    burner = replace(FOOTMAN, number=4, flaming=True)
    scene = set_up(scenario(THREE, burner, House(levels=2, room=2), plan="storm", away=12, turns=3, first="attackers"),
                   book(House(room=2), rulings))  # fmt: skip
    down = outcomes(movement.step, at(scene, garrison={"A1": 1, "A2": 2}), scene, "garrison A2", "burning")
    assert down == {(1, 0): Fraction(5, 6), (1, 1): Fraction(1, 6)}
    still = outcomes(movement.step, at(scene, garrison={"A1": 2, "A2": 1}), scene, "garrison A2", "burning")
    assert still == {(1, 0): 1}


# The start of a turn.


def test_a_fire_does_d3_and_the_roll_waits_for_the_next_turn():
    scene = wattle()
    for damage, fallen in ((3, 0), (5, 0), (6, None)):
        found = outcomes(fabric.burn_and_test, at(scene, damage=damage, burning=1), scene, "damage", "falling")
        assert {d for d, _ in found} == {damage + 1, damage + 2, damage + 3}
        falls = sum(p for (_, f), p in found.items() if f)
        assert falls == (fallen if fallen is not None else Fraction(4 + 5 + 6, 18))


def test_a_fire_makes_a_section_be_rolled_for_again():
    scene = wattle(lasting_results="one_test")
    found = outcomes(fire.burn, at(scene, damage=7, tested=1, burning=1), scene, "tested")
    assert found == {(0,): 1}


def test_it_burns_in_every_player_turn_whenever_stability_is_rolled_for():
    for ruling in ("every_player_turn", "every_game_turn", "at_once"):
        rules = replace(rule_set("realm_of_chaos"), book=book(rulings={"stability_rolls": ruling}))
        turns = rules.assault(replace(load_scenario("farmhouse"), plan="smoke")).turn
        burns = [[s.name for s in turn.stages].count("burn") for turn in turns]
        tests = [[s.name for s in turn.stages].count("burn and test") for turn in turns]
        assert [b + t for b, t in zip(burns, tests, strict=True)] == [1, 1], ruling


def test_attackers_inside_are_buried_too():
    """Two attackers with a save of 6 on the ground: both killed by 25 of 36; the collapse comes before any rout."""
    scene = set_up(scenario(replace(FOOTMAN, number=2), THREE, House(), **LIT), book())
    state = at(scene, inside={"A1": 2}, outside=0, falling=SECTION)
    found = outcomes(partial(collapse.bury, section=0, side="attackers"), state, scene, "outside", "inside")
    assert found == {(0, 0): Fraction(25, 36), (1, 0): Fraction(10, 36), (2, 0): Fraction(1, 36)}
    assert end(at(scene, outside=0, falling=SECTION), scene) == End.GOING_ON
    assert end(at(scene, outside=0, stands={}), scene) == End.DESTROYED


def test_both_sides_weigh_on_a_shaken_section():
    scene = set_up(scenario(replace(FOOTMAN, number=9), THREE, House(), **LIT), book())
    for inside, falls in ((3, Fraction(1, 2)), (4, Fraction(5, 6))):
        state = at(scene, damage=6, inside={"A1": inside}, outside=9 - inside)
        assert outcomes(fabric.stability, state, scene, "falling")[(SECTION,)] == falls


@pytest.mark.parametrize(("side", "field"), [("defenders", "garrison A1"), ("attackers", "inside A1")])
def test_by_a_ruling_the_flames_hit_without_an_armour_save(side, field):
    """S3 on T3, whatever the armour."""
    scene = set_up(scenario(replace(FOOTMAN, number=3, Sv=2), replace(THREE, Sv=2), House(), **LIT), book())
    scorch = partial(fire.scorch, side=side)
    found = outcomes(scorch, at(scene, inside={"A1": 3}, outside=0, burning=1), scene, field)
    assert found == {(n,): Fraction([1, 3, 3, 1][n], 8) for n in range(4)}


def test_how_long_a_section_burns_is_asked_within_bounds():
    falls = question("turns until a burning section falls").answer
    assert falls({"damage": "1000", "levels_above": "5"}).outcomes == (1,)
    for name, most in (("damage", 1000), ("levels_above", 5)):
        with pytest.raises(CasemateError, match=f"{name} cannot be {most + 1}; expected 0 to {most}"):
            falls({name: str(most + 1)})

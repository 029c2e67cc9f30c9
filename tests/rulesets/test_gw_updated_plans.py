"""The plans of both sides under the updated building rules: smoking out, sallying, and the fight in the open."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import get_args

import pytest

from sims.assault import End
from sims.engines import Exact, run, solve
from sims.errors import CasemateError
from sims.profiles import library
from sims.questions import question
from sims.reading import parse
from sims.rulebook import differences
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, load_scenario
from sims.words import NOT_MODELLED
from tests.rulesets.gw_updated_cases import (
    CASES,
    CLAIMED,
    GUNS_LOST,
    OUTSIDE,
    RULED_OUTSIDE,
    SALLIED,
    SMOKED,
    STRIKING,
    besieged,
)
from tests.rulesets.judging import share
from tests.rulesets.test_gw_updated import drawn_shares_agree

# What the assaults that brute force judges are about.


@pytest.mark.parametrize("name", SMOKED)
def test_a_whole_smoking_out_empties_what_it_cannot_bring_down(name):
    assert CASES[name].expected["captured"] > 0
    assert (CASES[name].expected["destroyed"] > 0) == (SMOKED[name].AV < 10)


@pytest.mark.parametrize("name", SALLIED)
def test_a_whole_sally_is_fought_out_in_the_open(name):
    """Rounds are fought in the open and both sides may win them."""
    assert all(CASES[name].expected[what] > 0 for what in ("rounds in the open", "gone", "broken"))


@pytest.mark.parametrize("ruling", RULED_OUTSIDE)
@pytest.mark.parametrize("plan", OUTSIDE)
def test_every_ruling_of_a_sally_matters(plan, ruling):
    ruled, usual = (CASES[name].expected for name in (f"outside, {plan}, {ruling}", f"outside, {plan}"))
    assert ruled["gone"] != usual["gone"]


@pytest.mark.parametrize("hands", ["a two-handed blade", "a second weapon that does not count"])
@pytest.mark.parametrize(("side", "winner"), [("attackers", "gone"), ("defenders", "broken")])
def test_a_second_weapon_in_the_open_wins_more(side, winner, hands):
    one, both = (CASES[f"hand to hand, {side} led, {name}"].expected for name in (hands, "both hands"))
    assert one[winner] < both[winner]


def test_demolishers_go_in_by_hand_once_their_guns_are_lost():
    """Without krak grenades their hands are worth less."""
    bare = besieged(replace(GUNS_LOST, krak=False), plan="demolish", rulings={"attackers_of_walls": "damaged"})
    assert CASES["demolish, the guns lost"].expected["destroyed"] > share(solve(bare, number=Fraction), End.DESTROYED)


def test_demolishers_use_a_siege_fist_while_their_guns_still_fire():
    """A captain's fist is of Strength 8; his men have beam cannon and fusion guns."""
    bastion = load_scenario("bastion")
    known = replace(bastion, building=bastion.building.model_copy(update={"armour": 13}))
    storm, demolish = (rule_set("gw_updated").assault(replace(known, plan=p)) for p in ("storm", "demolish"))
    assert demolish.translation["Attackers"].startswith("blows or grenades can hurt the walls")
    assert demolish.translation["Attackers"].endswith(storm.translation["Attackers"])
    assert demolish.scene.strikers == (True, False, False, False)
    assert solve(demolish).weights.tolist() == solve(storm).weights.tolist()


# Exact, sampled and rolled agree under the new plans, where they are not played like another.


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("scenario", "plan", "defence"),
    [
        ("farmhouse", "smoke", "hold"),
        ("farmhouse", "smoke", "sally"),
        ("farmhouse", "shoot", "sally"),
        ("farmhouse", "storm", "sally"),
        ("bunker-rush", "storm", "sally"),
        ("bastion", "demolish", "sally"),
        ("keep-gate", "storm", "sally"),
    ],
)
def test_drawn_shares_agree_with_exact_ones(scenario, plan, defence):
    drawn_shares_agree(replace(load_scenario(scenario), plan=plan, defence=defence))


@pytest.mark.usefixtures("small_batches")
def test_models_with_several_wounds_fight_in_the_open_too():
    changes = {"defenders.unit": "ogre", "defenders.models": 3}
    changes |= {"attackers.unit": "vanguard-leaper", "attackers.models": 8, "turns": 4}
    drawn_shares_agree(load_scenario("farmhouse", changes | {"attackers.plan": "storm", "defenders.plan": "sally"}))


@pytest.mark.parametrize("plan", ["storm", "shoot", "smoke"])
@pytest.mark.parametrize("overwatch", ["none", "snap_shots"])
def test_causes_of_losses_add_up_when_the_garrison_sallies(plan, overwatch):
    rules = rule_set("gw_updated")
    own = replace(rules, book=rules.book.with_rulings({"overwatch": overwatch}))
    result = solve(own.assault(replace(SCENARIO, plan=plan, defence="sally")))
    for side in ("attackers", "defenders"):
        causes = sum(n for name, n in result.tallies.items() if name.startswith(f"{side} lost"))
        assert causes == pytest.approx((result.weights * result.columns[f"{side}_lost"]).sum(), abs=1e-9)


# What the plans mean.


@pytest.mark.parametrize("scenario", ["farmhouse", "bunker-rush", "bastion", "keep-gate"])
def test_a_garrison_that_sallies_is_beaten_or_beats_them(scenario):
    """Once it has come out somebody breaks long before so many turns; those who stay then get in as far as they fit."""
    own = rule_set("gw_updated")
    book = own.book.with_rulings({"claiming_unit": "part"})
    long = replace(load_scenario(scenario), defence="sally", plan="storm", turns=12)
    result = solve(replace(own, book=book).assault(long))
    held = result.weights[result.columns["end"] == End.HELD].sum()
    assert held < 0.001
    assert sum(n for name, n in result.tallies.items() if "close combat outside" in name) > 1


def test_templates_are_carried_no_nearer_than_they_must():
    """Flamers reach 8 inches."""
    assert rule_set("gw_updated").assault(replace(SCENARIO, plan="smoke")).scene.halt == 8


def test_a_garrison_out_of_reach_stays_inside():
    """The attackers stand 24 inches away and fire a beam cannon."""
    stays, sallies = (
        solve(rule_set("gw_updated").assault(replace(load_scenario("bastion"), plan="shoot", defence=defence)))
        for defence in ("hold", "sally")
    )
    assert stays.columns["end"].tolist() == sallies.columns["end"].tolist()
    assert stays.weights == pytest.approx(sallies.weights, abs=1e-12)


def test_without_templates_smoking_out_is_shooting():
    shoot, smoke = (
        rule_set("gw_updated").assault(replace(load_scenario("bastion"), plan=p)) for p in ("shoot", "smoke")
    )
    assert shoot.scene.plan == smoke.scene.plan == "shoot"
    assert "no other way to smoke them out; as shoot" in smoke.translation["Attackers"]
    assert solve(shoot).weights.tolist() == solve(smoke).weights.tolist()


@pytest.mark.parametrize(
    ("armour", "says"),
    [
        (7, "as storm: close in and shoot at the walls on the way, charge the walls"),
        (9, "keep together 12 inches away"),
        (10, "keep together 6 inches away"),
        (15, "stay 24 inches away, since they can do nothing"),
    ],
)
def test_the_translation_says_what_demolishers_can_do(armour, says):
    """Blows hurt Armour Value 7, pistols 9 from afar, fusion guns 10 best at half range; nothing here hurts 15."""
    changes = {"attackers.specials": [{"weapon": "fusion-gun"}] if armour == 10 else [], "attackers.weapon": "pistol"}
    scenario = load_scenario(
        "farmhouse", {**changes, "attackers.leader": {"unit": "trooper"}, "attackers.plan": "demolish"}
    )
    known = replace(scenario, building=scenario.building.model_copy(update={"armour": armour}))
    assert says in rule_set("gw_updated").assault(known).translation["Attackers"]


def test_a_known_armour_value_takes_the_place_of_the_table():
    plain, known = (
        rule_set("gw_updated").assault(replace(SCENARIO, building=SCENARIO.building.model_copy(update={"armour": AV})))
        for AV in (None, 13)
    )
    assert plain.start.AV.tolist() == [11]
    assert known.start.AV.tolist() == [13]
    assert known.translation["Building"] == "Armour Value 13 (as the scenario has it), medium"
    destroyed = [(r.weights[r.columns["end"] == End.DESTROYED]).sum() for r in map(solve, (plain, known))]
    assert destroyed[1] < destroyed[0]


# What the page says is what the book says.


def page(house: str = "", plan: AttackPlan = "smoke", defence: DefencePlan = "sally") -> Mapping[str, str]:
    """Return the translation of the farmhouse, with two guns on its roof, under a house rule."""
    rules = rule_set("gw_updated")
    book = type(rules.book).load(parse("house.toml", f'base = "gw_updated"\ntitle = "x"\n{house}'))
    farmhouse = replace(SCENARIO, mounted=(library().weapons["machine-gun"],) * 2, plan=plan, defence=defence)
    return replace(rules, book=book).assault(farmhouse).translation


@pytest.mark.parametrize(
    ("house", "line", "said", "says"),
    [
        ('tables.fire_points.template_hits = "2D6"', "Those inside", ": D6 hits each", ": 2D6 hits each"),
        ('tables.masonry.hits = "D3"', "Those inside", "D6 hits of Strength 6", "D3 hits of Strength 6"),
        ("tables.masonry.S = 5", "Those inside", "D6 hits of Strength 6", "D6 hits of Strength 5"),
        ("tables.movement.disembark = 5", "Garrison", "up to 6 inches (3 after", "up to 5 inches (3 after"),
        ("tables.leaving.after_tremor = 2", "Garrison", "6 inches (3 after", "6 inches (2 after"),
        ('tables.movement.charge = "3D6"', "Garrison", "charges 2D6 inches", "charges 3D6 inches"),
        ('tables.movement.charge = "3D6"', "Garrison", "a charge of 7 inches", "a charge of 10 inches"),
        ('rulings.sally_when = "can_reach"', "Garrison", "a charge of 7 inches", "a charge of 12 inches"),
        ('rulings.charge_ground = "difficult"', "Garrison", "a charge of 7 inches", "a charge of 5 inches"),
        (
            'rulings.charge_ground = "difficult"',
            "Garrison",
            "2D6 inches in",
            "the 2 lowest of 3D6 inches over difficult ground",
        ),
        ('rulings.overwatch = "snap_shots"', "Overwatch", "nobody fires", "Snap Shots at Ballistic Skill 1"),
        ("tables.automated_fire.BS = 3", "Emplaced weapons", "at Ballistic Skill 2", "at Ballistic Skill 3"),
        (
            'rulings.emplaced_weapons = "manned"',
            "Emplaced weapons",
            "at Ballistic Skill 2",
            "manned, at Ballistic Skill 4",
        ),
        ('rulings.firing_point_models = "two"', "Fire from the building", "one model at each", "two models at each"),
        ("tables.forced_exit.room = 4", "Destroyed", "thrown out and", "thrown out (4 of them; the others"),
    ],
)
def test_the_page_says_the_numbers_of_the_book(house, line, said, says):
    assert said in page()[line]
    assert says in page(house)[line]


def test_the_page_says_the_ballistic_skill_of_snap_shots():
    rules = 'rulings.overwatch = "snap_shots"\n'
    assert "Ballistic Skill 2" in page(f"{rules}tables.snap_shots.BS = 2")["Overwatch"]


def test_the_page_says_whom_templates_burn_under_every_plan():
    for plan in get_args(AttackPlan):
        assert "(flamer within 8 inches)" in page(plan=plan)["Those inside"]
        assert "flamer" not in page('rulings.templates_at_fire_points = "none"', plan)["Those inside"]


def test_the_page_says_what_is_done_to_the_walls():
    assert page(plan="smoke")["Against the walls"] == "nothing: they only burn those inside"
    assert page("tables.buildings.house.AV = 9")["Against the walls"] == "flamer"
    assert page(plan="storm")["Against the walls"] == "fusion gun"


def test_the_page_speaks_of_morale_only_where_it_is_tested():
    for line in ("Captured", "Attackers broken"):
        assert "morale check" in page(defence="sally")[line]
        assert "morale check" not in page(defence="hold")[line]
    assert "Overwatch" not in page(defence="hold")


SCENARIO = load_scenario("farmhouse")
OGRES = {"defenders.unit": "ogre", "defenders.models": 3}


# Who holds the building.


def test_those_who_are_too_many_for_a_bunker_hold_it_never():
    """GW-006, GW-011, BASE-030: 18 greenhides do not get into a bunker for ten, unless a part of them may."""
    own = rule_set("gw_updated")
    rush = replace(load_scenario("bunker-rush"), defence="sally", plan="storm")
    whole, part = (
        replace(own, book=own.book.with_rulings({"claiming_unit": option})).assault(rush)
        for option in ("whole", "part")
    )
    assert "it has 10 places and they take 18" in whole.translation["Captured"]
    assert "they go on against its walls" in whole.translation["Captured"]
    assert share(solve(part), End.CAPTURED) > share(solve(whole), End.CAPTURED) + 0.5
    assert share(solve(whole), End.DESTROYED) > share(solve(part), End.DESTROYED) + 0.3


def test_a_bunker_for_ten_holds_twenty_by_its_size():
    """BASE-022: it is of medium size."""
    own = rule_set("gw_updated")
    rush = replace(load_scenario("bunker-rush"), defence="sally", plan="storm")
    by_size = replace(own, book=own.book.with_rulings({"room_inside": "by_size"})).assault(rush)
    assert by_size.translation["Building"] == "Armour Value 14, medium, with 20 places inside by its size"
    assert "they take 18" not in by_size.translation["Captured"]
    assert share(solve(by_size), End.CAPTURED) > share(solve(own.assault(rush)), End.CAPTURED) + 0.5
    assert question("capacity of a building").answer({"building": "bunker", "own": "10"}) == 10
    assert question("capacity of a building").answer({"building": "bunker", "own": "10"}, by_size.scene.book) == 20


@pytest.mark.clause("BASE-027")
def test_a_charge_strikes_the_building_and_whoever_has_come_out_of_it():
    """Nobody inside is struck, and nobody tests his morale; blows bring the walls down all the same."""
    inside, out = (solve(besieged(replace(STRIKING, sally=sally, turns=2))) for sally in (False, True))
    ways = {"to falling masonry", "in the collapse", "for want of room"}
    assert {name for name in inside.tallies if name.startswith("defenders")} == {
        f"defenders lost {way}" for way in ways
    }
    stages = [stage.name for turn in besieged(replace(STRIKING, sally=False)).turn for stage in turn.stages]
    assert not [name for name in stages if "morale" in name or "fight" in name]
    assert share(inside, End.DESTROYED) > share(
        solve(besieged(replace(STRIKING, sally=False, charges=False), plan="shoot")), End.DESTROYED
    )
    assert out.tallies["defenders lost to close combat outside"] > 0
    said = [question("struck by a charge").answer({"inside": inside}) for inside in ("yes", "no")]
    assert said == ["the building", "the unit"]


@pytest.mark.parametrize(
    "house",
    [
        "tables.hull_points.medium = 5",
        "tables.buildings.house.AV = 12",
        'rulings.glancing_hits = "hull_points"',
        'rulings.overwatch = "snap_shots"',
        'rulings.templates_at_fire_points = "none"',
        'rulings.room_inside = "by_size"',
    ],
)
def test_what_the_base_game_says_of_buildings_is_changed_like_what_these_rules_say(house):
    book = rule_set("gw_updated").book
    changed = type(book).load(parse("house.toml", f'base = "gw_updated"\ntitle = "x"\n{house}'))
    assert [*differences(book, changed)] == [house.split(" =")[0]]


def test_an_empty_building_fires_on_until_it_is_claimed():
    """GW-005, GW-010: what is mounted on it fires by itself."""
    claim = replace(CLAIMED, capacity=20, distance=14)
    armed, bare = (besieged(replace(claim, weapons=weapons)) for weapons in (("machine gun",), ()))
    assert "fires its weapons" in armed.translation["Captured"]
    assert "fires its weapons" not in bare.translation["Captured"]
    assert share(solve(armed), End.CAPTURED) < share(solve(bare), End.CAPTURED)


def test_jump_infantry_takes_two_places_in_a_garrison_too():
    """GW-015, BASE-060: twelve leapers take 24 places of a farmhouse's 15."""
    with pytest.raises(CasemateError, match="got 12 defenders, who take 24 places"):
        rule_set("gw_updated").assault(load_scenario("farmhouse", {"defenders.unit": "vanguard-leaper"}))


def test_the_toll_house_comes_down_to_blows_and_grenades_and_is_close_under_every_book():
    """Krak grenades (S6) and a war hammer (S5) are all that hurts its Armour Value of 10; nobody shoots at the walls.

    Under Realm of Chaos a garrison all over the house loses it a little less than once in five games.
    """
    found = load_scenario("toll-house")
    scene = rule_set("gw_updated").assault(found).scene
    assert scene.strikers == (True, True)
    assert scene.shooters == (False, False)
    for rules in rule_set_ids():
        result = run(rule_set(rules).assault(found))
        assert isinstance(result, Exact)
        assert 0.15 < share(result, End.CAPTURED) + share(result, End.DESTROYED) < 0.8, rules
    assert share(solve(rule_set("gw_updated").assault(found)), End.DESTROYED) > 0.5


def test_wounds_inside_fall_on_whoever_is_picked():
    """GW-031: three ogres lose 0.2827 on average so; 0.4713 if they were wounded one after another."""
    lost = CASES["several Wounds, three ogres"].expected["defenders lost"]
    assert float(lost) == pytest.approx(0.2827, abs=5e-5)
    told = rule_set("gw_updated").assault(load_scenario("farmhouse", OGRES)).translation
    assert "each wound on a model drawn for it" in told["Those inside"]
    assert "the one that is nearest suffers every wound" in told["Who falls"]


def test_what_takes_a_model_away_by_one_wound_is_named_where_that_is_not_played():
    """BASE-012: a fusion gun of Strength 8 is twice the Toughness of a lesser ogre, and not of an ogre."""
    for T, named in ((4, True), (5, False)):
        ogre = library().units["ogre"].model_copy(update={"T": T})
        game = load_scenario("farmhouse", OGRES | {"defenders.plan": "sally"})
        groups = tuple(replace(group, profile=ogre) for group in game.defenders.groups)
        game = replace(game, defenders=replace(game.defenders, unit=ogre, groups=groups))
        told = rule_set("gw_updated").assault(game).translation.get(NOT_MODELLED, "")
        assert ("one wound of it takes a whole Ogre away" in told) == named


@pytest.mark.usefixtures("small_batches")
def test_drawn_shares_agree_when_wounds_are_suffered_one_by_one():
    drawn_shares_agree(load_scenario("farmhouse", OGRES))
    drawn_shares_agree(load_scenario("farmhouse", OGRES | {"defenders.plan": "sally"}))

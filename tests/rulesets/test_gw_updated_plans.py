"""The plans of both sides under the updated building rules: smoking out, sallying, and the fight in the open."""

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import pytest

from sims.assault import End
from sims.engines import solve
from sims.profiles import library
from sims.reading import parse
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, DefencePlan, load_scenario
from tests.rulesets.gw_updated_oracle import Setup, whole_assault
from tests.rulesets.judging import share
from tests.rulesets.test_gw_updated import agrees, besiege, drawn_shares_agree

# A brute force written from the text judges whole assaults under the new plans.

SMOKE = Setup(
    AV=11,
    attackers=("flamer", "flamer", "pistol"),
    defenders=("machine gun", "rifle", "rifle"),
    krak=True,
    shooters=(),
    distance=19,
    halt=8,
    charges=False,
    turns=3,
)
"""Flamers that come within 8 inches and burn; nothing else is done to the walls, though krak grenades could."""


@pytest.mark.parametrize(
    "setup",
    [
        SMOKE,
        replace(SMOKE, defenders_first=True, points=2, distance=12),
        replace(SMOKE, AV=9, shooters=("flamer",), turns=2, distance=10, defenders=("rifle", "rifle")),
        replace(SMOKE, distance=7, turns=2, attackers=("flamer", "pistol")),
        replace(SMOKE, sally=True, defenders_first=True, turns=2, distance=14, defenders=("rifle", "rifle")),
    ],
)
def test_a_whole_smoking_out_is_what_brute_force_says(setup):
    result = besiege(setup, plan="smoke")
    agrees(result, setup)
    assert share(result, End.CAPTURED) > 0
    assert (share(result, End.DESTROYED) > 0) == (setup.AV < 10)


SALLY = Setup(
    AV=15,
    attackers=("sergeant", "pistol", "pistol"),
    defenders=("flamer", "rifle", "rifle"),
    weapons=("machine gun",),
    distance=18,
    charges=False,
    closes=True,
    turns=3,
    sally=True,
)
"""Attackers who storm walls that they cannot hurt, led by a sergeant; a garrison that comes out when a charge is
likely to reach."""

STANDING = replace(
    SALLY,
    AV=10,
    closes=False,
    attackers=("machine gun", "pistol"),
    weapons=(),
    shooters=("machine gun",),
    distance=13,
    halt=36,
    turns=2,
)
"""Attackers who stand and shoot at the walls, or at those who come out, all of them."""

STRIKING = replace(
    SALLY, AV=8, attackers=("pistol", "pistol"), defenders=("flamer", "rifle"), weapons=(), shooters=("pistol",),
    charges=True, distance=8, turns=1, defenders_first=False,
)  # fmt: skip
"""Attackers who shoot and strike at walls, which may shake (Tremor), before the garrison comes out."""

DEMOLISHING = replace(STRIKING, AV=9, attackers=("rifle", "pistol"), krak=True, distance=14, turns=2)
"""Attackers who bring the walls down with shots and grenades: they go in as under storm."""


@pytest.mark.parametrize(
    ("setup", "plan"),
    [
        (SALLY, "storm"),
        (replace(SALLY, defenders_first=True, distance=15, turns=2), "storm"),
        (replace(SALLY, defenders=("sergeant", "pistol"), attackers=("pistol",) * 3, attackers_I=5), "storm"),
        (replace(SALLY, attackers_I=2, defenders_I=5, distance=9, turns=2), "storm"),
        (STRIKING, "storm"),
        (DEMOLISHING, "demolish"),
        (replace(STANDING, defenders=("sergeant", "pistol", "rifle"), turns=1, distance=12), "shoot"),
        (replace(STANDING, AV=15, shooters=()), "shoot"),
        (replace(STANDING, defenders_first=True), "shoot"),
    ],
)
def test_a_whole_sally_is_what_brute_force_says(setup, plan):
    """Rounds are fought in the open and both sides may win them."""
    result = besiege(setup, plan=plan)
    agrees(result, setup)
    expected = whole_assault(setup)
    assert expected["rounds in the open"] > 0
    assert expected["captured"] > 0
    assert expected["broken"] > 0


@pytest.mark.parametrize(
    ("rulings", "changes"),
    [
        ({"sally_when": "can_reach"}, {"dares": 12}),
        ({"overwatch": "snap_shots"}, {"overwatch": True}),
        ({"charge_ground": "difficult"}, {"difficult": True, "dares": 5}),
    ],
)
@pytest.mark.parametrize(
    "base",
    [
        replace(SALLY, distance=24, weapons=("pistol",)),
        replace(STANDING, AV=9, attackers=("flamer", "pistol"), shooters=("flamer", "pistol"), distance=24, halt=12),
    ],
)
def test_every_ruling_of_a_sally_is_what_brute_force_says(base, rulings, changes):
    plan = "storm" if base.closes else "shoot"
    setup = replace(base, **changes)
    result = besiege(setup, plan=plan, rulings=rulings)
    agrees(result, setup)
    assert share(result, End.CAPTURED) != share(besiege(base, plan=plan), End.CAPTURED)


@pytest.mark.parametrize(
    ("rulings", "changes"),
    [({}, {"two_handed": True}), ({"second_weapon_attack": "no"}, {"second_weapon": False})],
)
@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_a_second_weapon_in_the_open_is_what_brute_force_says(side, rulings, changes):
    led = replace(SALLY, attackers=("pistol", "pistol"), defenders=("rifle", "rifle"), weapons=(), distance=12, turns=2)
    led = replace(led, **{side: ("sergeant", "pistol")})
    setup = replace(led, **changes)
    result, armed = besiege(setup, rulings=rulings), besiege(led)
    agrees(result, setup)
    agrees(armed, led)
    winner = End.CAPTURED if side == "attackers" else End.BROKEN
    assert share(result, winner) < share(armed, winner)


def test_demolishers_go_in_by_hand_once_their_guns_are_lost():
    """The one fusion gun falls first; krak grenades can hurt the walls only once these have crumbled."""
    setup = Setup(
        AV=12,
        attackers=("blade", "blade", "fusion"),
        defenders=("machine gun", "machine gun"),
        krak=True,
        points=2,
        shooters=("fusion",),
        blows_later=True,
        distance=10,
        halt=6,
        turns=3,
    )
    rulings = {"attackers_of_walls": "damaged"}
    result, bare = (besiege(replace(setup, krak=k), plan="demolish", rulings=rulings) for k in (True, False))
    agrees(result, setup)
    assert share(result, End.DESTROYED) > share(bare, End.DESTROYED)


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


def test_models_with_several_wounds_fight_in_the_open_too():
    changes = {"defenders.unit": "ogre", "defenders.models": 4, "attackers.unit": "vanguard-leaper"}
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
    """Once it has come out somebody breaks long before the turn limit."""
    result = solve(rule_set("gw_updated").assault(replace(load_scenario(scenario), defence="sally", plan="storm")))
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

"""Storming buildings, plan by plan: what each side does, judged by brute force and by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from sims.assault import End
from sims.engines import play as draw
from sims.engines import solve
from sims.forces import total
from sims.games.wh40k.rules import Hit
from sims.inputs import NONE
from sims.replay import ScriptedDice
from sims.rulesets import rule_set
from sims.rulesets.storming.storm.fireteam import fireteam
from sims.rulesets.storming.usual.ruins import attackers_fire
from sims.rulesets.storming.usual.sally import come_out, may_sally, out_of_the_door
from sims.rulesets.storming.usual.structure import advance, besieges, felled
from sims.scenario import Scenario, load_scenario
from tests.rulesets.changes import rule_of
from tests.rulesets.judging import ENDS, mean, share
from tests.rulesets.scripted import script_of, scripted
from tests.rulesets.storming_cases import (
    CASES,
    FIGHTS,
    GUARDSMAN,
    HANDS,
    INITIATIVES,
    KNOWN_WALLS,
    MARINE,
    PAIRS,
    PLANS,
    RAIDER,
    RUINS,
    SIDES,
    THROWN,
    WARDER,
    duel,
    house,
    of,
    pair,
    scenario,
    under,
)
from tests.rulesets.test_storming import play
from tests.rulesets.test_storming_clauses import AGREED, leapers, played


def stages(game: Scenario, text: str = "") -> set[str]:
    assault = under(game, text)
    return {rule_of(stage) for player in assault.turn for stage in player.stages}


def told(game: Scenario, text: str = "") -> dict[str, str]:
    return dict(under(game, text).translation)


# What the assaults that brute force judges are about.


@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize(("plan", "defence"), PAIRS)
def test_every_pair_of_plans_comes_to_what_it_is_for(plan, defence, first):
    """Three raiders with grenades, 18 inches from two better-armoured warders: S4 opens walls of 9 alone."""
    expected = CASES[pair(plan, defence, first)].expected
    assert (expected["came out"] > 0) == (defence == "sally")
    if defence == "sally":
        assert expected["captured"] > 0 < expected["broken"]
    else:
        assert (expected["destroyed"] > 0) == (plan in ("demolish", "shoot"))
        assert (expected["captured"] > 0) == (plan != "shoot")


@pytest.mark.parametrize("initiative", INITIATIVES)
@pytest.mark.parametrize("attackers", [2, 4])
def test_a_fight_in_the_open_may_go_either_way(attackers, initiative):
    """Quicker, as quick, slower than two warders; the fight goes on in both players' turns."""
    expected = CASES[f"in the open, {attackers} of I{initiative}"].expected
    assert expected["came out"] == 1
    assert all(expected[end] > 0 for end in ("captured", "broken", "held"))


@pytest.mark.parametrize("where", FIGHTS)
def test_two_weapons_in_one_pair_of_hands_matter(where):
    """Inside, in the open and at the walls: a sword beside a pistol counts, one beside a rifle or an axe does not."""
    plain, both, garrison, one = (CASES[f"{where}, {hands}"].expected for hands in HANDS)
    assert one == plain != both != garrison
    assert (plain == garrison) == (where == "at the walls")


@pytest.mark.parametrize("thrown", THROWN)
def test_two_weapons_in_an_assault_on_ruins_matter(thrown):
    """Raiders with pistols and swords charge warders who have rifles."""
    armed, plain = (CASES[f"ruins, {arms}, {thrown}"].expected for arms in ("pistol and sword", "pistol"))
    assert armed["captured"] > plain["captured"]


@pytest.mark.parametrize(("armour", "S"), KNOWN_WALLS)
@pytest.mark.parametrize("plan", ["demolish", "shoot"])
def test_who_can_open_known_walls_does(plan, armour, S):
    """Under demolish who cannot storms."""
    expected = CASES[f"{plan}, S{S} at walls of {armour}"].expected
    opens = armour < 4 + 6 or (plan == "demolish" and armour < S + 6)
    assert (expected["destroyed"] > 0) == opens
    assert (expected["captured"] > 0) == (plan == "demolish" and not opens)


@pytest.mark.parametrize("thrown", THROWN)
def test_smoke_without_grenades_is_a_storming(thrown):
    smoke, storm = (CASES[f"{plan}, {thrown}"].expected for plan in ("smoke", "storm"))
    assert (smoke == storm) == (thrown == "bare hands")


def test_a_sally_comes_to_meet_a_second_round():
    """With two exchanges a Fireteam is inside in the garrison's turn, and nobody comes out past it."""
    near = duel(RAIDER, WARDER, 4, 3, defence="sally", distance=6, turns=2, firing_points=1)
    result = played(near, "[rulings]\nsecond_round = 'yes'\n")
    assert sum(result.weights) == 1
    assert "attackers lost in close combat" not in {k for k, v in result.tallies.items() if v}
    assert played(near).tallies["attackers lost in close combat"] > 0


# Ruins are assaulted in the usual way (ST-005).


@pytest.mark.parametrize("thrown", THROWN)
@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize(("plan", "defence"), PAIRS)
def test_an_assault_on_ruins_comes_to_what_it_is_for(plan, defence, first, thrown):
    """Quicker raiders strike last in the charge unless they have grenades; warders save on 4+, however they are hit."""
    expected = CASES[f"ruins, {pair(plan, defence, first)}, {thrown}"].expected
    assert (expected["came out"] > 0) == (plan != "shoot" or defence == "sally")
    assert expected["destroyed"] == 0
    assert expected["captured"] > 0 < expected["broken"]


@pytest.mark.parametrize("armour", [None, 12])
def test_who_stays_off_shoots_from_where_he_is(armour):
    """Six inches away, where a charge would reach; an Armour Value is of no matter in ruins."""
    expected = CASES[f"ruins, shot at from near, armour {armour}"].expected
    assert expected["came out"] == 0 < expected["captured"]


@pytest.mark.parametrize(("distance", "comes"), [(0, True), (12, True), (13, False)])
def test_nothing_bars_the_way_out_of_ruins_and_nobody_has_to_get_out(distance, comes):
    rules = replace(
        rule_set("storming"), book=house(RUINS + "[tables.room]\ndefenders = 1\n[rulings]\ndefenders_room = 'given'\n")
    )
    assault = rules.assault(duel(GUARDSMAN, GUARDSMAN, 3, 3, defence="sally", distance=distance))
    assert may_sally(assault.start, assault.scene).tolist() == [comes]


def test_heavy_weapons_are_not_moved_and_fired_at_ruins():
    """A rocket launcher and a rifle: whoever has moved does not fire the launcher."""
    game = load_scenario("bunker-rush", {"attackers.plan": "shoot"})
    assault = replace(rule_set("storming"), book=house(RUINS)).assault(game)
    alone = tuple(np.array([n]) for n in (0, 0, 1, 0))
    for moved, lost in ((1, 0), (0, 1)):
        state = assault.start.replace(attackers=alone, moved=np.array([moved]), distance=np.array([24]))
        dice = scripted({} if moved else {"fire at the ruins": 1})
        after = attackers_fire(dice, state, assault.scene)
        assert assault.scene.scenario.defenders.models - total(after.defenders).item() == lost


def test_who_fights_in_ruins_has_not_left_them():
    hard = {**MARINE, "Ld": 10}
    for defence, cleared in (("hold", False), ("sally", True)):
        game = duel(hard, hard, 1, 1, defence=defence, distance=12, turns=1, first="defenders")
        held = played(game, RUINS)
        still = held.columns["end"] == End.HELD
        assert held.weights[still].sum() > 0
        assert (held.columns["cleared"][still] == cleared).all()


@pytest.mark.parametrize("id", ["farmhouse", "bunker-rush", "bastion", "keep-gate"])
@pytest.mark.parametrize(("plan", "defence"), PAIRS)
def test_every_scenario_can_be_played_in_ruins(id, plan, defence):
    game = replace(load_scenario(id), plan=plan, defence=defence)
    result = played(game, RUINS, number=float)
    assert abs(result.weights.sum() - 1) < 1e-12
    for side in ("attackers", "defenders"):
        causes = [value for name, value in result.tallies.items() if name.startswith(f"{side} lost")]
        assert sum(causes) == pytest.approx(mean(result, f"{side}_lost"), abs=1e-9)


# Drawn dice agree with the exact engine under every pair of plans.


IN_RUINS = [p for p in PAIRS if p[0] in ("storm", "shoot")]
DRAWN = [
    *(("farmhouse", "", pair) for pair in PAIRS),
    *(("bastion", "", pair) for pair in PAIRS if pair[1] == "sally"),
    *(("farmhouse", RUINS, pair) for pair in IN_RUINS),
]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("id", "text", "plans"), DRAWN)
def test_drawn_and_exact_agree_under_every_pair_of_plans(id, text, plans):
    """For each engine four binomial counts and two means (6.2 standard errors): a false alarm in less than one run of 10^8."""
    trials = 2**15
    changes = {"turns": 4, "attackers.plan": plans[0], "defenders.plan": plans[1]}
    assault = replace(rule_set("storming"), book=house(text)).assault(load_scenario(id, changes))
    exact = solve(assault)
    for engine in ("sampled", "rolled"):
        drawn = draw(assault, engine=engine, trials=trials, seed=31)
        for end in ENDS:
            p = min(1.0, float(exact.weights[exact.columns["end"] == end].sum()))
            count = int(drawn.counts[drawn.columns["end"] == end].sum())
            assert 2 * min(binom.cdf(count, trials, p), binom.sf(count - 1, trials, p)) > 1e-9, (
                engine,
                end.name,
                p,
                count,
            )
        for side in ("attackers_lost", "defenders_lost"):
            m = (exact.weights * exact.columns[side]).sum()
            variance = (exact.weights * exact.columns[side] ** 2).sum() - m**2
            seen = (drawn.probabilities * drawn.columns[side]).sum()
            assert abs(seen - m) <= 6.2 * np.sqrt(max(variance, 0) / trials) + 1e-9, (engine, side)


# Demolish: attack the walls while somebody can open them, then storm.


def test_when_those_who_can_open_the_walls_are_lost_the_others_storm():
    """Walls of 11 under fire: only the fusion gun can open them, so there is no storming before it is lost."""
    game = load_scenario("farmhouse", {"attackers.plan": "demolish", "turns": 5})
    walls = game.building.model_copy(update={"armour": 11})
    assault = rule_set("storming").assault(replace(game, building=walls))
    start = assault.start.replace(distance=np.array([12]), attackers=tuple(np.array([n]) for n in (1, 2, 1, 3)))
    lost = start.replace(attackers=tuple(np.array([n]) for n in (1, 2, 0, 3)))
    for state, besieging in ((start, True), (lost, False)):
        assert besieges(state, assault.scene).tolist() == [besieging]
        assert advance(scripted(), state, assault.scene).distance.tolist() == [12 if besieging else 6]
    near = lost.replace(distance=np.array([6]))
    ours = {rule_of(s) for s in assault.turn[0].stages if s.when is None or s.when(near, assault.scene).all()}
    assert "storm" in ours
    assert not ours & {"aim", "charge_the_walls"}


def test_only_a_hit_that_can_bring_the_walls_down_keeps_a_squad_from_storming():
    """A glance opens nothing without AP1: S4 pistols open 9, an AP1 fist of S8 opens 14."""
    game = load_scenario("bunker-rush", {"attackers.plan": "demolish"})
    scene = rule_set("storming").assault(game).scene
    assert [felled(scene, Hit(S, AP)) for S, AP in ((4, 5), (8, 1), (8, 3), (6, NONE))] == [9, 14, 13, 11]
    assert felled(scene, Hit(8, 1), dice=2) == 20
    hard = game.building.model_copy(update={"armour": 15})
    fusion = rule_set("storming").assault(replace(game, building=hard)).scene.reaches[1]
    assert (fusion[14], fusion[15]) == (12, 6)


@pytest.mark.parametrize("plan", PLANS)
def test_a_known_armour_value_is_not_rolled_and_goes_before_an_agreed_one(plan):
    game = duel(RAIDER, WARDER, 3, 2, plan=plan, armour=12)
    agreed = "[tables.agreed]\narmour = 9\n"
    assert "roll_armour" not in stages(game) | stages(game, agreed)
    assert played(game).weights.tolist() == played(game, agreed).weights.tolist()
    assert told(game, agreed)["Building"].startswith("defensible, Armour Value 12 as it is known to be")
    assert told(duel(RAIDER, WARDER, 3, 2), agreed)["Building"].startswith("defensible, Armour Value 9,")
    assert ("roll_armour" in stages(duel(RAIDER, WARDER, 3, 2, plan=plan))) == (plan in ("demolish", "shoot"))


# Smoke: the smallest Fireteam, and everybody else in support.


@pytest.mark.parametrize("times", [1, 2, 3])
def test_rapid_fire_at_walls_is_worth_so_many_shots_as_the_book_says(times):
    """Near by, a weapon that rapid-fires three times is one of three shots (`rapid_fire_times`)."""

    def gunners(kind: str, shots: int) -> Scenario:
        farmhouse = load_scenario("farmhouse", {"building.armour": 11, "distance": 10, "turns": 1})
        group = farmhouse.attackers.groups[-1]
        gun = group.weapon.model_copy(update={"kind": kind, "shots": shots, "S": 8})
        gunmen = replace(farmhouse.attackers, groups=(replace(group, weapon=gun, count=2),))
        return replace(farmhouse, attackers=gunmen, plan="shoot")

    rapid = under(gunners("rapid fire", 1), f"[tables.shooting]\nrapid_fire_times = {times}")
    destroyed = share(solve(under(gunners("assault", times))), End.DESTROYED)
    assert share(solve(rapid), End.DESTROYED) == pytest.approx(destroyed, abs=1e-12)


def sent_in(game: Scenario, text: str = "", **counts) -> list[int]:
    assault = under(game, text)
    squad = assault.start.attackers
    left = tuple(np.array([counts.get(f"group_{i}", n.item())]) for i, n in enumerate(squad))
    return [n.item() for n in fireteam(left, np.array([assault.scene.access]), assault.scene)]


def test_smoke_sends_one_ordinary_model_and_keeps_the_templates_outside():
    """Sergeant, two flamers, a fusion gun, sixteen troopers; two doors."""
    game = load_scenario(
        "farmhouse", {"attackers.plan": "smoke", "attackers.send": 5, "attackers.first_in": "ordinary"}
    )
    assert sent_in(game) == [0, 0, 0, 1]
    assert sent_in(game, group_3=0) == [0, 0, 1, 0]
    assert sent_in(game, group_3=0, group_2=0) == [1, 0, 0, 0]
    assert sent_in(game, group_3=0, group_2=0, group_0=0) == [0, 1, 0, 0]
    assert sent_in(replace(game, plan="storm", first_in="leader")) == [1, 0, 1, 8]
    assert sent_in(game, "[rulings]\nfireteam_choice = 'exactly_five'\n") == [0, 0, 0, 10]
    bare = replace(game, first_in="leader", attackers=of(game.attackers, grenades=()))
    assert sent_in(bare, group_1=0) == [1, 0, 1, 8]


def test_smoke_burns_more_and_storming_strikes_more():
    game = load_scenario("farmhouse", {"defenders.models": 12})
    smoke, storm = (played(replace(game, plan=plan), number=float).tallies for plan in ("smoke", "storm"))
    assert smoke["defenders lost to support"] > storm["defenders lost to support"]
    assert smoke["defenders lost in the fight"] < storm["defenders lost in the fight"]


# Sally: out of the door and into them.


@pytest.mark.parametrize(("kind", "reach"), [("infantry", 14), ("jump infantry", 20)])
def test_a_charge_out_of_the_door_reaches_so_far(kind, reach):
    """Two inches beside the door, a move and a charge of six; jump infantry moves twelve."""
    for distance, comes in ((reach, True), (reach + 1, False)):
        game = duel(GUARDSMAN, GUARDSMAN, 3, 3, defence="sally", first="defenders", distance=distance)
        assault = rule_set("storming").assault(replace(game, defenders=of(game.defenders, kind=kind)))
        assert out_of_the_door(assault.scene) == reach
        assert may_sally(assault.start, assault.scene).tolist() == [comes]


def test_attackers_at_the_walls_may_leave_no_room_to_come_out():
    """One place by the door for three: they stay, unless nobody is at the walls."""
    rules = replace(
        rule_set("storming"), book=house("[tables.room]\ndefenders = 1\n[rulings]\ndefenders_room = 'given'\n")
    )
    assault = rules.assault(duel(GUARDSMAN, GUARDSMAN, 3, 3, defence="sally"))
    for distance, comes in ((0, False), (2, True)):
        assert may_sally(assault.start.replace(distance=np.array([distance])), assault.scene).tolist() == [comes]


def test_a_scripted_sally():
    """Three guardsmen charge out at three and strike twice each, the attackers once: two die for one.

    The attackers test at Leadership 7 less 1 and throw 7; they run from winners as quick as they are, who throw less.
    """
    game = duel(GUARDSMAN, GUARDSMAN, 3, 3, defence="sally", first="defenders", distance=14)
    assault = under(game)
    hits, wounds, saves = [4, 5, 6, 3, 2, 1], [4, 6, 3], [4, 3]
    written = {
        "garrison's blows": [*hits, *wounds, *saves],
        "attackers' blows": [4, 1, 1, 4, 2],
        "morale": [3, 4],
        "sweeping advance": [2, 3],
        "attackers fall back": [1, 6],
    }
    script = script_of(written)
    dice = ScriptedDice(script)
    state = play(assault, dice)
    assert (total(state.attackers).item(), total(state.defenders).item()) == (1, 2)
    assert not script.left
    assert assault.end(state, assault.scene).item() == End.BROKEN
    assert assault.outcome(state, assault.scene).cleared.item()
    assert dice.tallies["inches the attackers fell back"] == 7


@pytest.mark.parametrize("option", ["steady", "test"])
def test_those_who_come_out_forget_the_building_unless_they_may_go_back(option):
    rulings = f"[rulings]\nunder_fire = '{option}'\n"
    assault = under(load_scenario("bastion", {"defenders.plan": "sally"}), rulings)
    state = assault.start.replace(armour=np.array([11]), shaken=np.array([1]), distance=np.array([9]))
    out = come_out(scripted(), state, assault.scene)
    kept = {"steady": [0, 0, 0], "test": [11, state.mounted.item(), 9]}[option]
    assert [a.item() for a in (out.armour, out.mounted, out.distance)] == kept
    assert out.shaken.item() == 0


@pytest.mark.parametrize("id", ["farmhouse", "bastion"])
@pytest.mark.parametrize(("plan", "defence"), PAIRS)
def test_tallies_add_up_to_the_losses_under_every_pair_of_plans(id, plan, defence):
    result = played(replace(load_scenario(id, {"turns": 4}), plan=plan, defence=defence), number=float)
    for side in ("attackers", "defenders"):
        causes = [value for name, value in result.tallies.items() if name.startswith(f"{side} lost")]
        assert sum(causes) == pytest.approx(mean(result, f"{side}_lost"), abs=1e-9)


def test_a_garrison_that_fights_outside_has_left_the_building():
    """Nobody can hurt anybody: held, with the garrison out of doors and the building cleared."""
    hard = {**MARINE, "Ld": 10}
    result = played(duel(hard, hard, 1, 1, defence="sally", distance=14, turns=1, first="defenders"))
    assert share(result, End.HELD) > 0
    assert mean(result, "cleared") == 1


def test_jump_infantry_falls_back_farther_in_the_open():
    """3D6 inches in the base game, whatever a storming says (BASE-037)."""
    plain = scenario(GUARDSMAN, 2, 4, distance=14, turns=1)
    run = {}
    for name, game in (("foot", plain), ("jump", leapers(plain))):
        result = played(replace(game, defence="sally", first="defenders"))
        run[name] = result.tallies["inches the attackers fell back"]
    assert run["jump"] == run["foot"] * Fraction(3, 2)


# What the translation says.


@pytest.mark.parametrize(
    ("plan", "changes", "says"),
    [
        (
            "storm",
            {"attackers.send": 5},
            "storm as soon as a charge reaches, a Fireteam of 10 at most (the leader first)",
        ),
        (
            "demolish",
            {},
            "attack the structure as long as a model is left that can bring it down; who goes in to strike the walls fires only pistols, assault weapons and templates before; then storm",
        ),
        (
            "demolish",
            {"attackers.specials": [], "building": "bastion"},
            "as under storm, for nobody can bring the walls down",
        ),
        ("shoot", {}, "the garrison is not touched unless it comes out or the walls fall"),
        ("smoke", {"attackers.first_in": "ordinary"}, "the smallest Fireteam there may be, 1 (ordinary models first)"),
    ],
)
def test_the_translation_says_what_the_attackers_do(plan, changes, says):
    assert says in told(load_scenario("farmhouse", {**changes, "attackers.plan": plan}))["Attackers"]


def test_the_translation_says_when_plans_come_to_the_same():
    bare = load_scenario("keep-gate", {"attackers.plan": "smoke"})
    assert told(bare)["Attackers"].startswith("as under storm, for nobody has grenades or a template weapon")
    shut = duel(RAIDER, WARDER, 3, 2, doors=0, grenades=True)
    assert told(shut, AGREED)["Attackers"] == "attack the structure: no access point is viable"
    assert "within 14 inches" in told(load_scenario("farmhouse", {"defenders.plan": "sally"}))["Garrison"]


FOOT = "[tables.party]\nkinds = ['infantry']\n"
SHUT = "[tables.classes.defensible]\nstorm = false\n"


@pytest.mark.parametrize(
    ("text", "plan", "why"),
    [
        (FOOT, "storm", "jump infantry may not storm"),
        (SHUT, "storm", "a building of the class defensible is not stormed"),
        ("[tables.party]\nsquads = 0\n", "storm", "no squad may storm"),
        ("[tables.viable]\nreach = 0\n[rulings]\ntwo_inches = 'exclusive'\n", "storm", "no access point is viable"),
        ("", "shoot", "the attackers stay off"),
    ],
)
def test_the_translation_says_why_nobody_storms(text, plan, why):
    says = told(replace(leapers(duel(RAIDER, WARDER, 3, 2, doors=2)), plan=plan), text)
    assert says["Way in"] == f"none: {why}"
    assert plan == "shoot" or says["Attackers"] == f"attack the structure: {why}"


def test_the_translation_says_where_the_squad_stands_and_what_it_closes():
    game = duel(RAIDER, WARDER, 3, 2, doors=2)
    stands = "2 viable access points, for the one squad stands at every door"
    assert told(game)["Way in"] == f"{stands}; supporters block none of the exits"
    assert told(game, "[tables.room]\ncovered = 1\n")["Way in"] == f"{stands}; supporters block at most 1 of the exits"
    given = "[tables.room]\ndefenders = 4\n[rulings]\ndefenders_room = 'given'\n"
    assert told(game, given)["Way in"] == f"{stands}; room outside for 4 of the garrison"


@pytest.mark.parametrize("first", SIDES)
def test_by_the_standard_rules_there_is_only_wrecking(first):
    """Walls of 9, which every raider can open: whoever may not storm does what a demolition is (ST-001)."""
    case = CASES[f"wreck, {first} first"]
    assert case.expected["destroyed"] > 0 == case.expected["captured"]
    assert "by the standard rules nobody storms" in case.assault.translation["Way in"]

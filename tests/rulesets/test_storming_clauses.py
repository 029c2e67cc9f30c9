"""Storming buildings, clause by clause: those without a check of their own, and every ruling as a switch."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import get_args

import numpy as np
import pytest

from sims.assault import End
from sims.dice import PMF, RolledDice
from sims.dice.source import Address
from sims.engines import Exact, solve
from sims.engines import play as draw
from sims.errors import CasemateError
from sims.forces import total
from sims.games.common import D3
from sims.profiles import library
from sims.questions import question
from sims.rulesets import rule_set
from sims.rulesets.gemini.book import OwnBuilding
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.buildings.capacity import HiddenLevel
from sims.rulesets.storming.buildings.firing import may_fire_at
from sims.rulesets.storming.storm.fireteam import largest_fireteam
from sims.rulesets.storming.usual import structure
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario
from tests.rulesets.changes import rule_of
from tests.rulesets.judging import mean, share
from tests.rulesets.scripted import scripted
from tests.rulesets.storming_cases import GUARDSMAN, MARINE, house, scenario, under
from tests.rulesets.test_storming import play


def played(game: Scenario, text: str = "", number: type = Fraction) -> Exact:
    return solve(under(game, text), number=number)


def told(game: Scenario, text: str = "") -> tuple:
    """The whole distribution of an assault, and what it costs by cause."""
    result = played(game, text)
    rows = zip(*(result.columns[name].tolist() for name in result.columns), result.weights, strict=True)
    return sorted(rows), {name: value for name, value in result.tallies.items() if value}


# Clauses that have no check of their own.


@pytest.mark.clause("ST-005")
def test_ruins_are_not_stormed():
    """They are assaulted in the usual way: no Fireteam, no attack on a structure, cover against shooting."""
    ask = question("what a class allows")
    answers = [
        ask.answer({"building_class": "ruins", "what": what}) for what in ("occupy", "storm", "attack the structure")
    ]
    assert answers == [True, False, False]
    ruins = house("[tables.agreed]\nbuilding_class = 'ruins'\n")
    for plan in get_args(AttackPlan):
        game = scenario(MARINE, 3, 3, plan=plan, distance=12, grenades=True)
        assault = replace(rule_set("storming"), book=ruins).assault(game)
        played_here = {rule_of(stage) for player in assault.turn for stage in player.stages}
        assert not played_here & {"storm", "support", "roll_armour", "aim", "charge_the_walls"}
        assert ("charge_in" in played_here) == (plan != "shoot")
        assert "no Armour Value, 4+ cover" in assault.translation["Building"]


def test_nobody_is_in_an_impassable_building():
    with pytest.raises(CasemateError, match="nobody may occupy an impassable building"):
        played(scenario(MARINE, 2, 2), "[tables.agreed]\nbuilding_class = 'impassable'\n")


@pytest.mark.parametrize("military", [False, True])
def test_a_building_without_a_door_is_impassable(military):
    """Windows are no way in, unless the players agree on another class."""
    game = scenario(MARINE, 2, 2, doors=0)
    shut = replace(
        game, building=game.building.model_copy(update={"military": military}).with_own(OwnBuilding(windows=4))
    )
    with pytest.raises(CasemateError, match="House: it has no door, and nobody may occupy an impassable building"):
        played(shut)
    assert share(played(shut, AGREED), End.HELD) > 0


def test_a_class_that_is_stormed_has_an_armour_value():
    """None has it where it is 0, and such a class is assaulted in the usual way: so it cannot be stormed."""
    with pytest.raises(CasemateError, match="expected armour of 1 or more for a class that is occupied and stormed"):
        house("[tables.classes.defensible]\narmour = 0\n")
    open_house = house("[tables.classes.defensible]\narmour = 0\nstorm = false\n")
    told = replace(rule_set("storming"), book=open_house).assault(scenario(MARINE, 2, 2)).translation
    assert told["Building"].startswith("defensible, as in the 40k rules: no Armour Value")


def test_kinds_of_unit_that_nobody_knows_are_refused():
    with pytest.raises(CasemateError, match="cavalry"):
        house("[tables.party]\nkinds = ['wombles']\n")


REFUSED = [
    ("viable access points", {"distances": "1, two"}, "expected inches such as"),
    ("viable access points", {"distances": "1/0"}, "expected inches such as"),
    ("viable access points", {"distances": "1", "models": "-1"}, "models cannot be -1; expected 0 to 200"),
    ("Fireteam models lost for want of room", {"survivors": "5", "room": "-2"}, "room cannot be -2; expected 0 to 60"),
    ("defenders lost for want of room", {"survivors": "5", "room": "-2"}, "room cannot be -2; expected 0 to 60"),
    ("models that strike back", {"fireteam": "5", "slain": "7"}, "slain cannot be 7; expected 0 to 5"),
    ("supporters", {"models": "10", "fireteam": "99"}, "fireteam cannot be 99; expected 0 to 5"),
    ("supporters", {"models": "-3"}, "models cannot be -3"),
    ("support attacks", {"grenades": "-1"}, "grenades cannot be -1"),
    ("weapons fired from a building", {"inside": "-1", "firing_points": "2"}, "inside cannot be -1"),
    ("assault grenades", {"n": "2", "T": "3", "building_class": "ruins"}, "expected defensible [|] stronghold"),
    ("failed save against grenades", {"building_class": "impassable"}, "expected defensible [|] stronghold"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "given", "says"), REFUSED)
def test_what_makes_no_sense_is_refused_in_words(ask, given, says):
    with pytest.raises(CasemateError, match=says):
        question(ask).answer(given)


@pytest.mark.parametrize(
    ("distances", "expected"),
    [("1, 2 1/2, 3", 1), ("1 2 3", 2), ("3/2; 1.5 1 3/4", 3), ("2 1/2 1", 1), ("5/2", 0), ("", 0)],
)
def test_inches_are_read_as_people_write_them(distances, expected):
    assert question("viable access points").answer({"distances": distances}) == expected


@pytest.mark.clause("ST-006")
@pytest.mark.parametrize(
    ("military", "whole", "way_in", "expected"),
    [("no", "yes", "yes", "defensible"), ("yes", "yes", "yes", "stronghold"), ("no", "no", "yes", "ruins"), ("no", "yes", "no", "impassable")],
)  # fmt: skip
def test_the_class_of_a_building_by_its_look(military, whole, way_in, expected):
    asked = question("class of a building").answer({"military": military, "whole": whole, "way_in": way_in})
    assert asked == expected


def test_the_class_decides_the_armour_and_cover_that_are_played():
    for name in ("house", "bunker"):
        game = load_scenario("farmhouse", {"building": name, "defenders.models": 8})
        told = rule_set("storming").assault(game).translation
        assert told["Building"].startswith(
            "stronghold, Armour Value D3+10" if name == "bunker" else "defensible, Armour Value D3+8"
        )
        assert told["Cover against grenades"] == ("4+" if name == "bunker" else "5+")


@pytest.mark.clause("ST-008")
def test_an_intact_building_shields_its_garrison_like_a_transport():
    """Attackers of the structure lose nobody inside before it explodes; its garrison fires from its firing points only."""
    game = load_scenario("bastion", {"attackers.plan": "shoot"})
    result = played(game, number=float)
    assert result.tallies["defenders lost to the explosion"] == pytest.approx(mean(result, "defenders_lost"))
    one, two = (played(scenario(GUARDSMAN, 4, 4, firing_points=points, distance=18, turns=1)) for points in (1, 2))
    assert mean(two, "attackers_lost") == pytest.approx(float(2 * mean(one, "attackers_lost")))


@pytest.mark.clause("ST-010")
def test_capacity_is_agreed_or_rolled():
    """A random capacity of five, one time in three, leaves seven of twelve outside."""
    game = scenario(MARINE, 1, 12, turns=1, distance=60)
    agreed, rolled = played(game), played(game, "[rulings]\ncapacity_from = 'random'\n")
    assert mean(agreed, "defenders_lost") == mean(rolled, "defenders_lost") == 0
    assault = replace(rule_set("storming"), book=house("[rulings]\ncapacity_from = 'random'\n")).assault(game)
    inside = {}
    for face in range(1, 6):
        state = play(assault, scripted({"capacity": face}))
        inside[face] = total(state.defenders).item()
    assert inside == {1: 5, 2: 5, 3: 10, 4: 10, 5: 12}


@pytest.mark.clause("ST-016")
def test_the_weapons_named_for_a_building_are_those_that_fire():
    game = load_scenario("bastion", {"attackers.plan": "shoot", "turns": 1})
    named = played(game, number=float)
    unarmed = played(replace(game, mounted=()), number=float)
    assert mean(named, "attackers_lost") > mean(unarmed, "attackers_lost")


@pytest.mark.clause("ST-018")
def test_mounted_weapons_need_sight_range_and_the_squads_target():
    gun = library().weapons["machine-gun"]
    assert may_fire_at(np.array([36, 37]), gun.range).tolist() == [True, False]
    assert not may_fire_at(12, gun.range, in_sight=False)
    assert not may_fire_at(12, gun.range, squads_target=False)
    ask = question("fire with a mounted weapon").answer
    told = [ask({"distance": d, "reach": "36"}) for d in ("36", "37")]
    assert [*told, ask({"distance": "9", "reach": "36", "in_sight": "no"})] == [True, False, False]
    game = load_scenario("bastion", {"attackers.plan": "shoot", "turns": 1, "distance": 60, "attackers.specials": []})
    assert mean(played(game, number=float), "attackers_lost") == 0


@pytest.mark.clause("ST-020")
@pytest.mark.parametrize(
    ("given", "expected"),
    [({"declared": "storm"}, "storm"), ({"declared": "attack"}, "attack"), ({"declared": "storm", "unit": "bikes"}, "attack"),
     ({"declared": "storm", "viable": "0"}, "attack"), ({"declared": "storm", "viable": "0", "no_viable_point": "support_only"}, "support only")],
)  # fmt: skip
def test_attack_or_storm_is_declared_with_the_charge(given, expected):
    assert question("attack or storm").answer(given) == expected


def test_the_plan_is_what_is_declared():
    def stages(plan):
        assault = rule_set("storming").assault(load_scenario("bastion", {"attackers.plan": plan}))
        return {rule_of(stage) for player in assault.turn for stage in player.stages}

    for plan in ("storm", "smoke"):
        assert "storm" in stages(plan)
        assert "damage" not in stages(plan)
    assert {"storm", "damage"} <= stages("demolish")
    assert "storm" not in stages("shoot")
    assert "damage" in stages("shoot")


@pytest.mark.clause("ST-027")
def test_a_fireteam_is_out_of_reach_and_comes_back():
    """Support falls on defenders alone, the garrison cannot shoot at those inside, and all return who live."""
    assault = under(scenario(MARINE, 10, 12, firing_points=5))
    script = {"defenders' blows": 0, "Fireteam's blows": 0, "consolidation": 3}
    state = play(assault, scripted(script))
    assert total(state.fireteam).item() == 0
    assert total(state.attackers).item() == 10
    garrison = assault.turn[1].stages[0]
    assert garrison.when is not None
    assert garrison.when(state, assault.scene).all()
    assert not garrison.when(state.replace(fireteam=(np.array([5]),)), assault.scene).any()


# What the text is played by when it is silent: every ruling is a switch, and each of its options is real.

AGREED = "[tables.agreed]\nbuilding_class = 'defensible'\n"
ROOM = "[tables.room]\nattackers = 1\ndefenders = 1\n"
LARGE = scenario(GUARDSMAN, 24, 1, grenades=True)


def leapers(game: Scenario) -> Scenario:
    """The same game with jump infantry on both sides."""

    def jumping(force):
        unit = force.unit.model_copy(update={"kind": "jump infantry"})
        return replace(force, unit=unit, groups=tuple(replace(g, profile=unit) for g in force.groups))

    return replace(game, attackers=jumping(game.attackers), defenders=jumping(game.defenders))


def quicker(game: Scenario) -> Scenario:
    """The same game with a higher Initiative outside."""
    unit = game.attackers.unit.model_copy(update={"I": game.defenders.unit.I + 1})
    return replace(game, attackers=replace(game.attackers, unit=unit))


PLAYED = {
    "capacity_from": (scenario(GUARDSMAN, 6, 12, grenades=True), ""),
    "way_to_the_garrison": (scenario(MARINE, 5, 3), ""),
    "capacity_six": (scenario(GUARDSMAN, 19, 1, grenades=True), "[rulings]\ncapacity_from = 'random'\n"),
    "mounted_weapons": (
        replace(scenario(GUARDSMAN, 4, 4, firing_points=1, distance=18), mounted=(library().weapons["machine-gun"],)),
        "",
    ),
    "fireteam_choice": (scenario(GUARDSMAN, 6, 3, send=2), ""),
    "no_viable_point": (scenario(GUARDSMAN, 6, 3, doors=0, grenades=True), AGREED),
    "slots": (leapers(scenario(MARINE, 6, 3, doors=2)), ""),
    "cover_save": (scenario({**MARINE, "Ld": 6}, 8, 3, grenades=True), ""),
    "charge_bonus": (scenario(MARINE, 5, 3), ""),
    "defenders_striking": (scenario(MARINE, 1, 3), ""),
    "blows": (quicker(scenario(MARINE, 3, 3)), ""),
    "wound_allocation": (scenario(GUARDSMAN, 7, 8), ""),
    "sweeping_advance": (scenario(GUARDSMAN, 5, 3), ""),
    "attackers_room": (scenario(GUARDSMAN, 5, 3), ROOM),
    "defenders_room": (scenario(MARINE, 5, 3), ROOM),
    "jump_falling_back": (leapers(scenario(MARINE, 3, 3)), ""),
    "jump_falling_out": (leapers(scenario(MARINE, 3, 3)), ""),
    "after_taking": (scenario(MARINE, 3, 3), ""),
    "wiped_out_garrison": (scenario(MARINE, 3, 1), ""),
    "squad_too_large": (LARGE, ""),
    "fireteam_after": (scenario(MARINE, 3, 2), ROOM + "[rulings]\nafter_taking = 'consolidate'\nattackers_room = 'given'\n"),
    "jump_inside": (leapers(scenario(MARINE, 11, 1)), ""),
    "second_round": (scenario(MARINE, 5, 5), ""),
}  # fmt: skip
"""For each ruling an assault in which its options differ, and what else a house rule says."""

ASKED = {
    "armour_before_occupation": ("attack on an empty building", {}),
    "squads_storming": ("squads that storm", {"charging": "1", "stormed_before": "1"}),
    "other_squads": ("squads that attack the structure", {"charging": "3"}),
    "two_inches": ("viable access points", {"distances": "2"}),
    "points_per_model": ("viable access points", {"distances": "1 1", "models": "1"}),
    "double_twice": ("largest Fireteam", {"k": "1", "very_big": "3"}),
    "side_wiped_out": ("whole storming", {"result": "defenders win", "fireteam": "4", "defenders": "1", "WS": "3", "S": "3", "T": "3", "Ld": "5", "A": "3"}),
}  # fmt: skip
"""For each ruling that one squad in one assault does not show, a question that its options answer differently."""


def with_ruling(text: str, name: str, option: str) -> str:
    line = f"{name} = '{option}'\n"
    return text + line if "[rulings]" in text else f"{text}[rulings]\n{line}"


OPTIONS = {name: tuple(r.options) for name, r in Storming.load().all_rulings() if name in type(Storming.load().rulings).model_fields}  # fmt: skip

STORMED = {name: options for name, options in OPTIONS.items() if name != "way_to_the_garrison"}
"""The rulings that leave something to storm."""


def test_every_ruling_has_an_assault_or_a_question():
    shown = {*PLAYED, *ASKED}
    assert OPTIONS.keys() - shown == set(), "these lack an assault in PLAYED or a question in ASKED"
    assert shown - OPTIONS.keys() == set(), "there are no such rulings"


@pytest.mark.parametrize("name", sorted(OPTIONS.keys() & {*PLAYED, *ASKED}))
def test_every_option_of_a_ruling_makes_a_difference(name):
    if name in ASKED:
        ask, given = ASKED[name]
        answers = [question(ask).answer({**given, name: option}) for option in OPTIONS[name]]
    else:
        game, text = PLAYED[name]
        answers = [told(game, with_ruling(text, name, option)) for option in OPTIONS[name]]
    assert all(a not in answers[:i] for i, a in enumerate(answers)), (name, answers)


def test_a_house_rule_may_switch_everything(tmp_path):
    """All rulings at their last option: every plan on every scenario is still a distribution."""
    file = tmp_path / "all-switched.toml"
    lines = "".join(f"{name} = '{options[-1]}'\n" for name, options in STORMED.items())
    file.write_text(f"base = 'storming'\ntitle = 'All switched'\n[tables.agreed]\narmour = 9\n[rulings]\n{lines}")
    rules = rule_set(str(file))
    for id in ("farmhouse", "bunker-rush", "bastion", "keep-gate"):
        both = get_args(DefencePlan) if id == "bunker-rush" else ("hold",)
        for plan, defence in product(get_args(AttackPlan), both):
            changes = {"attackers.plan": plan, "defenders.plan": defence, "turns": 3}
            result = solve(rules.assault(load_scenario(id, changes)))
            assert abs(result.weights.sum() - 1) < 1e-12


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("wounds", [1, 2])
@pytest.mark.parametrize("option", [0, -1])
def test_dice_agree_with_the_exact_engine_whatever_the_rulings(option, wounds):
    """Ten numbers, each within 6.2 standard errors: a false alarm in less than one run of 10^7."""
    lines = "".join(f"{name} = '{options[option]}'\n" for name, options in STORMED.items())
    game = scenario({**GUARDSMAN, "W": wounds}, 9, 6, grenades=True, distance=12, turns=4, firing_points=2, doors=2)
    assault = replace(rule_set("storming"), book=house(f"[rulings]\n{lines}")).assault(game)
    exact, trials = solve(assault), 2**14
    for engine in ("sampled", "rolled"):
        drawn = draw(assault, engine=engine, trials=trials, seed=11)
        for end in (End.CAPTURED, End.BROKEN, End.HELD):
            p = float(share(exact, end))
            seen = drawn.counts[drawn.columns["end"] == end].sum() / trials
            assert abs(seen - p) <= 6.2 * np.sqrt(max(p * (1 - p), 1e-12) / trials) + 1e-12
        for side in ("attackers_lost", "defenders_lost"):
            m = float(mean(exact, side))
            variance = float((exact.weights * exact.columns[side] ** 2).sum()) - m**2
            seen = (drawn.probabilities * drawn.columns[side]).sum()
            assert abs(seen - m) <= 6.2 * np.sqrt(max(variance, 0) / trials) + 1e-12


@pytest.mark.parametrize("option", ["defenders_first", "initiative"])
def test_the_higher_initiative_strikes_first(option):
    """With a higher Initiative outside, defenders who fall do not strike."""
    game = quicker(scenario(MARINE, 3, 3))
    lost = mean(played(game, f"[rulings]\nblows = '{option}'\n"), "attackers_lost")
    first = mean(played(game), "attackers_lost")
    assert lost < first if option == "initiative" else lost == first


# Random capacity, thrown and followed.


def cellar(most: int) -> dict[int, Fraction]:
    """A D3 of models, another after each six, counted up to a limit: face by face."""
    ways = defaultdict[int, Fraction](Fraction)
    for face in range(1, 7):
        models = (face + 1) // 2
        more = cellar(most - models) if face == 6 and most > models else {0: Fraction(1)}
        for found, chance in more.items():
            ways[min(models + found, most)] += chance / 6
    return ways


def capacity(option: str) -> dict[int, Fraction]:
    """Five models for each point of a D3, and what a six adds (ST-011, ST-012): face by face."""
    ways = defaultdict[int, Fraction](Fraction)
    d3 = {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    more = {
        "one_d3": d3,
        "times_five": {5 * n: p for n, p in d3.items()},
        "chain": cellar(45),
        "never": {0: Fraction(1)},
    }
    for face in range(1, 7):
        for found, chance in more[option].items() if face == 6 else [(0, Fraction(1))]:
            ways[5 * ((face + 1) // 2) + found] += chance / 6
    return ways


@pytest.mark.parametrize("option", OPTIONS["capacity_six"])
def test_random_capacity_is_what_its_dice_say(option):
    """The stage draws what faces gone through by hand say, and the clause answers the same."""
    book = house(f"[rulings]\ncapacity_from = 'random'\ncapacity_six = '{option}'\n")
    game = scenario(GUARDSMAN, 30, 20, distance=60)
    assault = replace(rule_set("storming"), book=book).assault(game)
    from sims.dice import ExactDice

    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    drawn = assault.turn[0].stages[0].rule(dice, assault.start, assault.scene).capacity
    weights, drawn = np.broadcast_arrays(dice.weights, drawn)
    expected = capacity(option)
    assert {int(n): weights[drawn == n].sum() for n in np.unique(drawn[weights > 0])} == expected
    assert question("random capacity").answer({"capacity_six": option}) == PMF.mixture(
        (chance, PMF.constant(holds)) for holds, chance in expected.items()
    )


def test_a_cellar_that_goes_on_is_thrown_as_it_is_computed():
    ids = np.arange(2**16)
    thrown = RolledDice(Address(3, 0, 1, "attackers", "settle", 0), ids).draw("hidden level", HiddenLevel(D3, 6), 1, 20)
    pmf = HiddenLevel(D3, 6).pmf(1, 20)
    for models, chance in pmf:
        p = float(chance)
        assert abs((thrown == models).mean() - p) < 6.2 * np.sqrt(p * (1 - p) / ids.size) + 1e-12


# The largest Fireteam, by trying every way to share models among access points.


@pytest.mark.parametrize("slots", ["each_point", "pooled"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_largest_fireteam_by_trying_everything(slots, k):
    book = house(f"[rulings]\nslots = '{slots}'\n")
    each, points = (5, k) if slots == "each_point" else (5 * k, 1)
    ways = [(s, b) for s in range(each + 1) for b in range(each // 2 + 1) if s + 2 * b <= each]
    reach = {(sum(s for s, _ in w), sum(b for _, b in w)) for w in product(ways, repeat=points)}
    for small in range(7):
        for big in range(7):
            best = max(s + b for s, b in reach if s <= small and b <= big)
            assert largest_fireteam(book, k, small, big) == best


def test_one_squad_cannot_come_in_where_no_door_is_near():
    """Without a viable point the squad attacks the structure, or only its support attacks are made."""
    game = scenario(GUARDSMAN, 6, 3, doors=0, grenades=True, turns=2)
    attacks, throws = played(game, AGREED), played(game, AGREED + "[rulings]\nno_viable_point = 'support_only'\n")
    assert "defenders lost to support" not in attacks.tallies
    assert throws.tallies["defenders lost to support"] > 0
    assert throws.tallies.get("defenders lost in the fight", 0) == 0
    assert share(throws, End.CAPTURED) > 0


@pytest.mark.parametrize("plan", ["demolish", "shoot"])
def test_a_second_round_is_one_of_a_storming(plan):
    game = scenario({**GUARDSMAN, "S": 5}, 3, 2, plan=plan, turns=2, firing_points=1)
    soft = "[tables.agreed]\narmour = 9\n"
    assert told(game, soft + "[rulings]\nsecond_round = 'yes'\n") == told(game, soft)


def test_models_with_two_wounds_bear_two():
    """Two wounds on one ogre-like model of the Fireteam kill it, one does not."""
    game = scenario({**MARINE, "W": 2}, 1, 3)
    assault = rule_set("storming").assault(game)
    for unsaved, left in ((1, 1), (2, 0)):
        script = {
            "defenders' blows": unsaved,
            "Fireteam saves": unsaved,
            "Fireteam's blows": 0,
            "morale": [1, 1],
            "consolidation": 1,
        }
        assert total(play(assault, scripted(script)).attackers).item() == left


# A side that is wiped out (ST-044), and where a storming's moves stand in its order of play (ST-046).


@pytest.mark.parametrize(
    ("given", "won", "margin"),
    [
        ({"by_attackers": "1", "by_defenders": "2", "by_support": "3"}, "defenders", 1),
        ({"by_attackers": "2", "by_defenders": "2"}, "nobody", 0),
        ({"by_attackers": "0", "by_defenders": "2", "by_support": "5", "defenders_left": "0"}, "attackers", 0),
        ({"by_attackers": "0", "by_defenders": "2", "by_support": "5", "defenders_left": "0", "side_wiped_out": "wounds_compared"}, "defenders", 2),
        ({"by_attackers": "4", "by_defenders": "3", "attackers_left": "0"}, "defenders", 0),
        ({"by_attackers": "0", "by_defenders": "3", "attackers_left": "2"}, "defenders", 3),
    ],
)  # fmt: skip
def test_a_side_that_is_wiped_out_has_lost_whatever_the_count(given, won, margin):
    """The supporters of a Fireteam that is wiped out are left, and test for its wounds."""
    assert question("winner of a storming").answer(given) == won
    assert question("winner's margin").answer(given) == margin


@pytest.mark.parametrize(
    ("what", "steps"),
    [("attackers consolidate", "9b and 9c"), ("attackers occupy", "9b"), ("defenders fall back", "9b"), ("attackers fall back", "9a")],
)  # fmt: skip
def test_every_move_has_its_step(what, steps):
    assert question("order of play").answer({"what": what}) == steps


def test_nobody_fires_heavy_weapons_and_charges_the_walls():
    """Six inches away, all have come to strike the walls: pistols and fusion guns are fired first, cannons are not."""
    assault = rule_set("storming").assault(load_scenario("bastion", {"attackers.plan": "demolish"}))
    groups = assault.scene.scenario.attackers.groups
    near = assault.start.replace(distance=np.array([6]), armour=np.array([12]))
    for i, group in enumerate(groups):
        fired = structure.aim(scripted(), near, assault.scene, group=i).shots.item()
        assert (fired > 0) == (group.weapon.kind in ("pistol", "assault")), group.title

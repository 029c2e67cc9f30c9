"""Storming buildings: whole stormings in true fractions, the brute force of a whole assault, and what must be monotone."""

from dataclasses import replace
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest

from sims.assault import End
from sims.dice import ExactDice
from sims.engines import Exact, solve
from sims.engines import play as draw
from sims.errors import CasemateError
from sims.forces import total
from sims.games.wh40k.combat import dealt_out
from sims.profiles import library
from sims.questions import question, questions
from sims.replay import ScriptedDice
from sims.rulesets import rule_set
from sims.rulesets.storming import whole
from sims.rulesets.storming.storm.fight import saves
from sims.scenario import load_scenario
from tests.rulesets.judging import mean, share
from tests.rulesets.scripted import script_of, scripted
from tests.rulesets.storming_cases import CASES, DEMOLISHED, GUARDSMAN, MARINE, scenario, under
from tests.rulesets.storming_oracle import Troops, cleared, one_storming, taken


def storm(*args, rulings: dict[str, str] | None = None, **kwargs) -> Exact:
    rules = rule_set("storming")
    book = rules.book.with_rulings({"under_fire": "steady"} | (rulings or {}))
    return solve(replace(rules, book=book).assault(scenario(*args, **kwargs)), number=Fraction)


@pytest.mark.parametrize(("first", "captured"), [("attackers", 0.2342703879), ("defenders", 0.1061399112)])
def test_the_sergeant_of_the_toll_house_saves_as_himself(first, captured):
    """As a game written from the texts has it, to ten digits, in which ordinary men have the strongest wounds."""
    result = solve(under(load_scenario("toll-house", {"first": first})))
    assert round(float(share(result, End.CAPTURED)), 10) == captured


# The exact fractions of ST-045. A Fireteam of five goes in by one door, the others stand idle.


def test_one_storms_one():
    result = storm(MARINE, 1, 1)
    assert share(result, End.CAPTURED) == Fraction(253, 1728)
    assert share(result, End.HELD) == Fraction(1331, 1728)
    assert share(result, End.BROKEN) == Fraction(1, 12)


def test_one_storms_one_with_four_idle_supporters():
    """Five of them could all go in, so the squad sends one."""
    result = solve(rule_set("storming").assault(scenario(MARINE, 5, 1, send=1)), number=Fraction)
    assert share(result, End.CAPTURED) == Fraction(253, 1728)
    assert share(result, End.BROKEN) == Fraction(5, 144)


def test_five_marines_storm_five():
    result = storm(MARINE, 10, 5)
    assert share(result, End.CAPTURED) == Fraction(37233943847860111, 184884258895036416)
    assert share(result, End.BROKEN) == Fraction(115934896886281, 1283918464548864)
    assert mean(result, "attackers_lost") == Fraction(5, 12)
    assert mean(result, "defenders_lost") == Fraction(5884332698258795, 7703510787293184)


def test_five_guardsmen_storm_five():
    result = storm(GUARDSMAN, 10, 5)
    assert share(result, End.CAPTURED) == Fraction(976633197125, 2821109907456)
    assert share(result, End.BROKEN) == Fraction(24781226195, 156728328192)


def test_five_guardsmen_storm_five_with_grenades():
    result = storm(GUARDSMAN, 10, 5, grenades=True)
    assert share(result, End.CAPTURED) == Fraction(210879378535963538669, 307393813088254199808)
    assert share(result, End.BROKEN) == Fraction(420244607235861235, 8538717030229283328)


def test_floats_agree_with_the_fractions():
    rules = rule_set("storming")
    rounded = solve(rules.assault(scenario(GUARDSMAN, 10, 5, grenades=True)))
    captured = rounded.weights[rounded.columns["end"] == End.CAPTURED].sum()
    assert abs(captured - 210879378535963538669 / 307393813088254199808) < 1e-12


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("engine", ["sampled", "rolled"])
def test_dice_agree_with_the_fractions(engine):
    """Within 6.2 standard errors: a false alarm in less than one run of 10^9."""
    assault = rule_set("storming").assault(scenario(GUARDSMAN, 10, 5, grenades=True))
    drawn, p = draw(assault, engine=engine, trials=2**15, seed=4), 210879378535963538669 / 307393813088254199808
    seen = drawn.counts[drawn.columns["end"] == End.CAPTURED].sum() / 2**15
    assert abs(seen - p) < 6.2 * (p * (1 - p) / 2**15) ** 0.5


# A brute force written from the text judges whole assaults: by every pair of plans, whoever goes first.


@pytest.mark.parametrize("name", CASES)
def test_a_whole_assault_is_what_brute_force_says(name):
    CASES[name].agree()


@pytest.mark.parametrize("name", DEMOLISHED)
def test_a_demolition_falls_back_on_a_storming(name):
    """S5 blows can open walls of 9 and 10, S3 pistols those of 9; where nothing can, the squad storms."""
    assert CASES[name].expected["destroyed"] > 0 < CASES[name].expected["captured"]


# Wound allocation (ST-034).


@pytest.mark.parametrize(("wounds", "on_fireteam"), [(7, 5), (12, 7), (3, 3), (0, 0)])
def test_wounds_are_dealt_out_one_each(wounds, on_fireteam):
    assert dealt_out(np.array([wounds]), np.array([5]), np.array([10])).tolist() == [on_fireteam]


# What must be monotone.


@pytest.mark.parametrize("better", [2, 3, 4])
def test_a_better_save_never_costs_the_attackers(better):
    worse = storm({**GUARDSMAN, "Sv": better + 1}, 4, 3, firing_points=2, distance=6)
    best = storm({**GUARDSMAN, "Sv": better}, 4, 3, firing_points=2, distance=6)
    assert mean(best, "attackers_lost") <= mean(worse, "attackers_lost")


def test_more_supporters_never_hurt():
    """More of the squad outside throw more grenades, and share the wounds."""
    shares = [share(storm(GUARDSMAN, n, 5, grenades=True), End.CAPTURED) for n in (5, 7, 9)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_the_charge_bonus_helps():
    without = storm(MARINE, 10, 5, rulings={"charge_bonus": "no"})
    assert share(without, End.CAPTURED) < share(storm(MARINE, 10, 5), End.CAPTURED)


def test_striking_together_helps_the_attackers():
    together = storm(MARINE, 10, 5, rulings={"blows": "simultaneous"})
    assert share(together, End.CAPTURED) > share(storm(MARINE, 10, 5), End.CAPTURED)


def test_nothing_brings_down_a_building_that_nobody_can_hurt():
    scenario = replace(load_scenario("keep-gate", {"attackers.specials": []}), plan="demolish")
    result = solve(rule_set("storming").assault(scenario))
    assert result.weights[result.columns["end"] == End.DESTROYED].sum() == 0


# A storming written down roll by roll, by label, comes out as a player would work it out.


def test_a_scripted_storming():
    """Ten guardsmen, five in by the door and five throwing grenades, storm five.

    Two grenades' worth of casualties leave three defenders. Their three blows: 4 and 5 hit, 4 and 6 wound, so two
    Fireteam models save: 5 holds, 2 does not. Four strike back, two attacks each with the charge: hits 4 4 4 5, wounds
    4 5, saves 1 6: one dies. One each: a draw, nobody tests.
    """
    assault = rule_set("storming").assault(scenario(GUARDSMAN, 10, 5, grenades=True))
    hits, wounds, saves = [4, 4, 4, 5, 1, 2, 3, 3], [4, 5, 1, 2], [1, 6]
    script = script_of(
        {
            "support attacks": 2,
            "defenders' blows": [4, 5, 2, 4, 6],
            "Fireteam saves": [5, 2],
            "Fireteam's blows": [*hits, *wounds, *saves],
            "consolidation": 4,
        }
    )
    dice = ScriptedDice(script)
    state = play(assault, dice)
    assert (total(state.attackers).item(), total(state.defenders).item()) == (9, 2)
    assert (state.broken.item(), state.taken.item()) == (0, 0)
    assert not script.left
    assert {name: n for name, n in dice.tallies.items() if " lost " in name and n} == {
        "defenders lost to support": 2,
        "attackers lost in the fight": 1,
        "defenders lost in the fight": 1,
    }


def test_a_scripted_storming_that_breaks_the_garrison():
    """One marine kills one of two; the other tests at Leadership 8 less 1 and throws 9."""
    assault = rule_set("storming").assault(scenario(MARINE, 1, 2))
    dice = scripted({"defenders' blows": 0, "Fireteam's blows": 1, "morale": [4, 5], "garrison falls back": [3, 4]})
    state = play(assault, dice)
    assert assault.end(state, assault.scene).item() == End.CAPTURED


def play(assault, dice):
    """Play the attackers' first turn, stage by stage."""
    state = assault.start
    for stage in assault.turn[0].stages:
        if stage.when is None or np.all(stage.when(state, assault.scene)):
            state = stage.rule(dice, state, assault.scene)
    return state


def test_a_mounted_weapon_is_fired_with_its_crew_s_skill():
    """A machine gun (3 shots, S5 AP4) in the hands of BS3 guardsmen, no firing points: each T3 5+ model it wounds dies."""
    armed = replace(scenario(GUARDSMAN, 10, 1, distance=24), mounted=(library().weapons["machine-gun"],))
    result = solve(rule_set("storming").assault(armed), number=Fraction)
    each = Fraction(1, 2) * Fraction(5, 6)
    assert mean(result, "attackers_lost") == 3 * each


@pytest.mark.parametrize(("bulk", "inside"), [(1, 10), (2, 4)])
def test_big_models_take_two_slots_of_the_fireteam(bulk, inside):
    """Two doors: five slots at each."""
    squad = scenario({**GUARDSMAN, "bulk": bulk}, 12, 5, doors=2)
    assault = under(squad)
    entered = play(replace(assault, turn=(replace(assault.turn[0], stages=assault.turn[0].stages[:2]),)), scripted())
    assert total(entered.fireteam).item() == inside


@pytest.mark.parametrize(("weapon", "dies"), [("sword", "1/12"), ("power-blade", "1/4")])
def test_a_weapon_that_pierces_leaves_no_armour_save(weapon, dies):
    """One marine storms one: hit on 4+, wounded on 4+, and a 3+ save only against the sword."""
    lone = scenario(MARINE, 1, 1)
    (group,) = lone.defenders.groups
    armed = replace(group, melee=library().weapons[weapon])
    result = solve(
        rule_set("storming").assault(replace(lone, defenders=replace(lone.defenders, groups=(armed,)))), number=Fraction
    )
    assert mean(result, "attackers_lost") == Fraction(dies)


def test_piercing_wounds_fall_one_each_like_the_others():
    """Two of four wounds pierce: on a Fireteam of five each model saves once at most, two have no save."""
    squad = scenario(MARINE, 5, 5)
    armed = replace(squad.defenders.groups[0], melee=library().weapons["power-blade"])
    assault = rule_set("storming").assault(replace(squad, defenders=replace(squad.defenders, groups=(armed,))))
    inside = assault.start.replace(fireteam=assault.start.attackers, struck=np.array([4]), piercing=np.array([2]))
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = saves(dice, inside, assault.scene)
    lost = 5 - total(after.attackers)
    weights = np.broadcast_to(dice.weights, np.broadcast_shapes(lost.shape, dice.weights.shape))
    assert (np.broadcast_to(lost, weights.shape) * weights).sum() == 2 + 2 * Fraction(1, 3)


# What is asked of whole stormings is what the stages play.

EIGHT_ON_FIVE = {"squad": "8", "defenders": "5", "WS": "4", "S": "4", "T": "4", "Ld": "8", "Sv": "3"}


@pytest.mark.parametrize("option", ["no", "yes"])
def test_taken_within_so_many_stormings_is_what_an_assault_plays(option):
    """Three turns of it, with the defenders' turn in which a second round is fought."""
    asked = question("taken within so many stormings").answer(
        {**EIGHT_ON_FIVE, "stormings": "3", "second_round": option}
    )
    played = storm(MARINE, 8, 5, rulings={"second_round": option}, turns=3)
    expected = taken(Troops(**MARINE), Troops(**MARINE), 8, 5, 3, second_round=option == "yes")
    assert asked == share(played, End.CAPTURED) == expected


def test_a_whole_storming_has_its_second_round():
    given = {"result": "building cleared", "fireteam": "5", **EIGHT_ON_FIVE}
    del given["squad"]
    asked = question("whole storming").answer({**given, "second_round": "yes"})
    assert asked == cleared(Troops(**MARINE), Troops(**MARINE), 5, 5, second_round=True)


@pytest.mark.parametrize("option", ["has_lost", "wounds_compared"])
def test_a_building_is_cleared_though_the_attackers_break(option):
    """Striking together, both may be wiped out, or four beaten by two whom they have killed: nobody is left inside."""
    fierce = {**GUARDSMAN, "A": 3, "Ld": 5}
    del fierce["Sv"]
    rulings = {"blows": "simultaneous", "side_wiped_out": option}
    played = storm(fierce, 4, 2, rulings=rulings)
    given = {"fireteam": "4", "defenders": "2", "WS": "3", "S": "3", "T": "3", "Ld": "5", "A": "3", "I": "3"}
    asked = question("whole storming").answer({"result": "building cleared", **given, **rulings})
    bare = Troops(**{**fierce, "Sv": 7})
    assert asked == mean(played, "cleared") == cleared(bare, bare, 4, 2, together=True)
    assert share(played, End.CAPTURED) < asked


def test_every_ruling_on_a_clause_of_a_question_of_whole_stormings_changes_its_answer():
    asked = {"stormings": "2", **EIGHT_ON_FIVE}
    about = {name: ruling.clause for name, ruling in rule_set("storming").book.all_rulings()}
    for ask in (q for q in questions() if q.function.__module__ == whole.__name__):
        own = {name: found for name, found in ask.rulings.items() if about[name] in ask.clauses}
        for name, (choice, options) in own.items():
            answers = {ask.answer({**asked, name: option}) for option in options}
            assert len(answers) == len(options), (ask.name, name, choice)


RABBLE = {"WS": 2, "BS": 2, "S": 3, "T": 4, "I": 2, "A": 2, "Ld": 6, "Sv": 7}
SIDES = [(GUARDSMAN, RABBLE), (RABBLE, GUARDSMAN), (GUARDSMAN, MARINE), (MARINE, RABBLE)]


def each_side(ours: dict[str, int], theirs: dict[str, int], **given) -> dict[str, str]:
    """Inputs of a question as a person writes them, with both profiles."""
    inputs = {**ours, **{f"their_{n}": v for n, v in theirs.items()}, **given}
    written = {n: "none" if n.endswith("Sv") and v == 7 else str(v) for n, v in inputs.items()}
    return {n: v for n, v in written.items() if not n.endswith("BS")}


@pytest.mark.parametrize(("grenades", "flamers"), [("no", 0), ("no", 2), ("yes", 1), ("yes", 3)])
@pytest.mark.parametrize(("ours", "theirs"), SIDES)
def test_a_whole_storming_of_others_is_what_brute_force_says(ours, theirs, grenades, flamers):
    """Two go in to four, three are in support: nobody who has a flamer throws a grenade too."""
    asked = each_side(ours, theirs, fireteam=2, supporters=3, defenders=4, grenades=grenades, flamers=flamers)
    how = {"grenades": grenades == "yes", "flamers": flamers}
    expected = one_storming(Troops(**ours), Troops(**theirs), 2, 3, 4, **how)
    for result in get_args(whole.Result):
        assert question("whole storming").answer({**asked, "result": result}) == expected[result] > 0, result
    del asked["Ld"], asked["their_Ld"]
    for side in ("attackers", "defenders"):
        lost = dict(question("losses in a storming").answer({**asked, "side": side}))
        assert lost == {key[1]: p for key, p in expected.items() if key[0] == side and p}


@pytest.mark.parametrize(("ours", "theirs"), SIDES)
def test_others_are_taken_within_so_many_stormings_as_brute_force_says(ours, theirs):
    """Seven storm four twice: of three flamers two are in support at first, and none when five are left."""
    asked = each_side(ours, theirs, squad=7, defenders=4, stormings=2, grenades="yes", flamers=3)
    how = {"grenades": True, "flamers": 3, "second_round": False}
    expected = taken(Troops(**ours), Troops(**theirs), 7, 4, 2, **how)
    assert question("taken within so many stormings").answer(asked) == expected


@pytest.mark.parametrize("ours", [3, 4])
def test_the_garrison_may_have_an_initiative_of_its_own(ours):
    """Where Initiative decides, a garrison of 4 strikes before a Fireteam of 3, and together with one of 4."""
    asked = each_side({**GUARDSMAN, "I": ours}, {"I": 4}, fireteam=2, defenders=2, blows="initiative", side="defenders")
    del asked["Ld"]
    troops = Troops(**GUARDSMAN)
    expected = one_storming(troops, troops, 2, 0, 2, together=ours == 4)
    lost = dict(question("losses in a storming").answer(asked))
    assert lost == {n: expected["defenders", n] for n in range(3)}


def test_an_input_of_the_garrison_that_does_not_fit_is_called_by_its_name():
    asked = each_side(GUARDSMAN, {"T": 11}, fireteam=2, defenders=2, result="draw")
    with pytest.raises(CasemateError, match="their_T cannot be 11; expected less than or equal to 10"):
        question("whole storming").answer(asked)


@pytest.mark.parametrize(
    ("ask", "given"),
    [
        ("whole storming", {"result": "draw", "fireteam": 2, "supporters": 1}),
        ("losses in a storming", {"side": "attackers", "fireteam": 2, "supporters": 1}),
        ("taken within so many stormings", {"stormings": 1, "squad": 1}),
    ],
)
def test_no_more_have_flamers_than_there_are(ask, given):
    asked = each_side(GUARDSMAN, {}, defenders=2, flamers=2, **given)
    if ask == "losses in a storming":
        del asked["Ld"]
    with pytest.raises(CasemateError, match="flamers cannot be 2; expected 0 to 1"):
        question(ask).answer(asked)


def test_a_structure_that_is_hit_is_a_stronghold_if_nobody_says_what_it_is():
    asked, hits = question("structure standing after hits"), {"hits": "2", "S": "8", "AP": "1"}
    said = {name: asked.answer(hits | {"building_class": name}) for name in ("defensible", "stronghold")}
    assert asked.answer(hits) == said["stronghold"] > said["defensible"]


def test_the_captain_at_the_gate_is_close_under_two_sets_of_rules():
    """Under Realm of Chaos where his enemies wait behind the gate, as the story has it."""
    found = load_scenario("captain-at-the-gate", {"defenders.deployment": "doors"})
    for rules in ("storming", "realm_of_chaos"):
        assert 0.4 < share(solve(rule_set(rules).assault(found)), End.CAPTURED) < 0.65, rules


@pytest.mark.parametrize("change", [{"W": 1}, {"Sv": 6}])
def test_the_captain_is_worth_his_wounds_and_saves(change):
    worse = {f"units.siege-captain.{name}": value for name, value in change.items()}
    as_he_is, other = (
        share(solve(rule_set("storming").assault(load_scenario("captain-at-the-gate", changes))), End.CAPTURED)
        for changes in ({}, worse)
    )
    assert as_he_is > other

"""What a position is worth: judged by `solve`, by games that were played, and by what it has to add up to."""

import json
from collections import Counter
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from analysis.cli import run
from analysis.points.plans import PLANS, Plans, assaults_by_plans, contest, own_plans
from analysis.say.numbers import in_games
from analysis.told import arrivals, position
from analysis.told.chances import Course
from analysis.told.fields import fields
from analysis.told.position import Never, Position, Unknown, Worth, every_pair, worth
from analysis.told.position_file import load, text_of
from analysis.told.position_words import about, opening, refusal, stands, taken
from sims.assault import Assault, End, PlayerTurn, Stage
from sims.engines import Chain, solve, values, values_within
from sims.engines.contest import BOTH, Opening, Pair
from sims.errors import BudgetError, CasemateError
from sims.replay import replay
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario

SMALL = {
    "distance": 6,
    "turns": 3,
    "attackers.models": 4,
    "attackers.specials": [{"weapon": "flamer"}],
    "defenders.models": 2,
    "defenders.specials": [],
}
STORMING = rule_set("storming")
PAIRS = [*product(get_args(AttackPlan), get_args(DefencePlan))]
ENDS = {"destroyed": End.DESTROYED, "captured": End.CAPTURED, "broken": End.BROKEN, "held": End.HELD}


def small(plan: str = "storm", defence: str = "hold", **changes) -> Scenario:
    return load_scenario("farmhouse", SMALL | {"attackers.plan": plan, "defenders.plan": defence} | changes)


def changed(turn: int, side: str, one: Assault, other: Assault) -> Assault:
    """Return an assault that goes on by other plans from the start of a player turn on, as one long turn."""

    def bound(stage: Stage, by: Assault) -> Stage:
        """Return a stage that brings its own scene with it."""
        when = stage.when and (lambda state, _: stage.when(state, by.scene))
        return replace(stage, rule=lambda dice, state, _: stage.rule(dice, state, by.scene), when=when, times=1)

    turns = range(1, one.limit + 1)
    before = [bound(s, one) for t in turns for step, s in one.steps(t) if step < one.opening(turn, side)]
    after = [bound(s, other) for t in turns for step, s in other.steps(t) if step >= other.opening(turn, side)]
    return replace(one, turn=(PlayerTurn("all", (*before, *after)),), limit=1)


def cut_off(turn: int, side: str, one: Assault) -> Assault:
    """Return an assault that is over when a player turn begins."""
    turns, over = range(1, turn + 1), one.opening(turn, side)
    stages = [replace(stage, times=1) for t in turns for step, stage in one.steps(t) if step < over]
    return replace(one, turn=(PlayerTurn("all", tuple(stages)),), limit=1)


def chance(found, end: str) -> float:
    return float(found.weights[found.columns["end"] == ENDS[end]].sum())


@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_positions_add_up_to_the_games_that_come_to_them(rules, side):
    """By all numbers of models together a game ends as `solve` says that one does whose plans change at that moment."""
    few = {"attackers.models": 2}
    one = rule_set(rules).assault(small(**few))
    stopped = solve(cut_off(2, side, one))
    lasting = stopped.columns["end"] == End.HELD
    columns = (stopped.columns[f"{who}_lost"][lasting].tolist() for who in ("attackers", "defenders"))
    lost = Counter()
    for a, d, weight in zip(*columns, stopped.weights[lasting], strict=True):
        lost[a, d] += weight
    found = {}
    for a, d in lost:
        there = {"attackers": 2 - a, "defenders": 2 - d}
        found[a, d] = worth(Position(small(**few), 2, side, there), rule_set(rules))
        assert isinstance(found[a, d], Worth)
        assert found[a, d].share == pytest.approx(lost[a, d], abs=1e-12)
        assert found[a, d].under == (("storm", "hold"),)
    assert len(found) > 2
    for plan, defence in PAIRS[::2] + PAIRS[1:2]:
        whole = solve(changed(2, side, one, rule_set(rules).assault(small(plan, defence, **few))))
        for end in ENDS:
            positions = sum(each.share * each.chances[plan, defence][end].mean for each in found.values())
            early = chance(stopped, end) * (end != "held")
            assert early + positions == pytest.approx(chance(whole, end), abs=1e-12), (plan, defence, end)
            for each in found.values():
                mean, low, high = each.chances[plan, defence][end]
                assert low - 1e-12 <= mean <= high + 1e-12
                assert each.states > 1 or low == high


def test_what_stands_in_a_state_tells_it_from_all_others(rules):
    """So a saved position, which has it all, is one state."""
    for plan, defence in PAIRS:
        assault = rule_set(rules).assault(replace(small(plan, defence), may_change=True))
        chain, models = Chain(assault), {"attackers": 4, "defenders": 2}
        for turn, side in product((1, 2, 3), models):
            weights = chain.weights(assault.opening(turn, side))
            there = np.flatnonzero((weights != 0) & (chain.end[: weights.size] == End.GOING_ON))
            if not there.size:
                continue
            states = chain.states.take(there)
            columns = fields(assault, states)
            table = np.stack([np.broadcast_to(column, there.shape) for column in columns.values()])
            assert np.unique(table, axis=1).shape[1] == there.size
            for who in models:
                again = assault.scene.with_standing(states, who, assault.scene.standing(states, who))
                assert all((a == b).all() for a, b in zip(again.arrays(), states.arrays(), strict=True)), who
            outcome = assault.outcome(states, assault.scene)
            for who, n in models.items():
                assert (columns[who] == n - getattr(outcome, f"{who}_lost")).all()
                groups = sum(columns[word] for word in columns if word.startswith(f"{who}: "))
                assert (groups == columns[who]).all() or who == "defenders"


def test_a_saved_position_is_worth_what_the_game_was_then(skirmish, rules, tmp_path):
    assault = rule_set(rules).assault(replace(load_scenario(skirmish), may_change=True))
    games = (played for seed in range(40) if (played := replay(assault, seed=seed)).turn > 1)
    for played in islice(games, 2):
        course = Course(assault)
        for move in played.moves:
            if move.turn < played.turn:
                course.follow(move)
        file = tmp_path / "saved.toml"
        file.write_text(text_of(played, skirmish, rules, played.turn, tmp_path))
        found = worth(load(file, [rule_set(rules)]), rule_set(rules))
        assert isinstance(found, Worth)
        assert (found.states, found.apart) == (1, {})
        means = {end: chance.mean for end, chance in found.chances[own_plans(assault.scene.scenario)].items()}
        assert means == pytest.approx(course.now, abs=1e-12)


@pytest.mark.parametrize("known", [{}, {"building.armour": 10}], ids=["its armour unknown", "known"])
def test_the_start_is_worth_what_solve_says_under_every_pair_of_plans(rules, known):
    """By some plans of Storming Buildings nobody asks for armour, which stands in their states all the same."""
    given = {"attackers": 4, "defenders": 2, "distance": 6}
    found = worth(Position(small(**known), 1, "attackers", given), rule_set(rules))
    assert isinstance(found, Worth)
    assert (found.share, found.states) == (1, 1)
    assert [*found.chances] == every_pair(own_plans(small()))
    for (plan, defence), chances in found.chances.items():
        exact = solve(rule_set(rules).assault(small(plan, defence, **known)))
        assert [each.mean for each in chances.values()] == pytest.approx([chance(exact, e) for e in chances], abs=1e-12)


def test_the_first_sentence_says_what_is_printed_below(rules):
    """It is as likely as best play has it, and says so where the building is mostly destroyed."""
    at = Position(small(distance=3), 2, "attackers", {"attackers": 3})
    found = worth(at, rule_set(rules))
    assert isinstance(found, Worth)
    assert found.best
    assert found.best_ends
    assert found.best_ends["captured"] == pytest.approx(max(found.best.values()), abs=1e-12)
    assert sum(found.best_ends.values()) == pytest.approx(1, abs=1e-12)
    said = opening(found, at)
    assert said.startswith(f"Under {found.rule_set.title}, ")
    assert in_games(found.best_ends["captured"]) in said
    without = opening(replace(found, best=None, best_ends=None), at)
    assert "if both keep to storm and hold" in without
    assert in_games(found.chances["storm", "hold"]["captured"].mean) in without


def test_plans_that_never_come_there_give_way_to_those_that_do():
    """A garrison on hold is never out."""
    rules, given = rule_set("storming"), {"the fight in the open goes on": True, "defenders": 2}
    found = worth(Position(small(), 2, "attackers", given), rules)
    assert isinstance(found, Worth)
    assert own_plans(small()) not in found.under
    assert {defence for _, defence in found.under} == {"sally"}
    each = [worth(Position(small(*pair), 2, "attackers", given), rules) for pair in found.under]
    assert all(one.under == (pair,) for one, pair in zip(each, found.under, strict=True))
    assert found.share == pytest.approx(sum(one.share for one in each) / len(each), abs=1e-12)
    for pair in PAIRS:
        for end in ENDS:
            mean = sum(one.share * one.chances[pair][end].mean for one in each) / sum(one.share for one in each)
            assert found.chances[pair][end].mean == pytest.approx(mean, abs=1e-12)


def test_models_and_inches_of_no_game_are_put_into_the_nearest_by_the_plans_so_far():
    """Those who shoot stay away: that they have come near says nothing of their plan, and the garrison is inside."""
    given = {"distance": 2, "attackers": 4, "defenders": 2}
    found = worth(Position(small("shoot"), 2, "attackers", given), rule_set("storming"))
    assert isinstance(found, Worth)
    assert (found.under, found.share) == ((own_plans(small("shoot")),), 0)
    assert found.taken["the garrison is in the building"] == (True, True)
    start = worth(Position(small("shoot", turns=2, distance=2), 1, "attackers", {}), rule_set("storming"))
    assert isinstance(start, Worth)
    assert found.apart.keys() <= {"Armour Value"}
    for pair in (("storm", "hold"), ("storm", "sally"), ("smoke", "hold")):  # by which nobody asks the Armour Value
        means = [{end: each.chances[pair][end].mean for end in ENDS} for each in (found, start)]
        assert means[0] == pytest.approx(means[1], abs=1e-12)


def test_a_garrison_that_is_not_said_to_be_out_is_inside():
    """By the plans of the farmhouse no game has 14 against 9 in turn 3; by others some do, with the garrison outside."""
    scenario = load_scenario("farmhouse", {"attackers.send": 60, "attackers.first_in": "leader"})  # all that can go in
    found = worth(Position(scenario, 3, "attackers", {"attackers": 14, "defenders": 9}), STORMING)
    assert isinstance(found, Worth)
    assert found.taken["the garrison is in the building"] == (True, True)
    assert found.chances["storm", "hold"]["captured"].mean == pytest.approx(0.882, abs=0.0005)  # as the issue has it
    assert "the garrison is in the building" in taken(found)


@pytest.mark.parametrize("inches", [6, 7])
def test_a_game_that_has_moved_by_other_inches_is_answered(rules, inches):
    """Models move by six inches from 24; those of a real game do not."""
    given = {"attackers": 9, "defenders": 5, "distance": inches}
    game = load_scenario("farmhouse", {"turns": 4})
    found = worth(Position(game, 4, "attackers", given), rule_set(rules))
    assert isinstance(found, Worth)
    assert all(sum(of.mean for of in chances.values()) == pytest.approx(1) for chances in found.chances.values())


def test_what_is_so_in_no_game_by_then_is_put_in(rules):
    """Turn 3 of a game that lasts two: the last state of any game is nearest."""
    one = rule_set(rules).assault(small(**{"attackers.models": 2}))
    at = position.Opening(3, "defenders")
    games = arrivals.Games({Pair("storm", "hold"): one}, at, Chain(one), print)
    taken = games.taken({"attackers": 2, "defenders": 2})
    assert isinstance(taken, arrivals.Taken)
    assert {int(n) for n in np.unique(fields(one, taken.states)["attackers"])} == {2}


def test_an_armour_value_that_is_known_stands_in_every_game():
    """So who turns from a storm to the walls meets it."""
    found = worth(Position(load_scenario("toll-house"), 1, "defenders", {"Armour Value": 10}), rule_set("storming"))
    assert isinstance(found, Worth)
    assert (found.under, found.share) == ((("storm", "hold"),), pytest.approx(1, abs=1e-12))


def test_who_changes_to_smoke_finds_the_ports_open_that_the_garrison_has_fired_from():
    """Under Gemini a bunker's ports stay open (GB-149), to shots as well; without shutters nobody has to know."""
    changes = {"distance": 10, "turns": 4, "attackers.models": 6, "defenders.models": 3, "defenders.specials": []}
    game = load_scenario("bunker-rush", changes | {"attackers.specials": [], "attackers.leader.melee": "sword"})
    rules, words = rule_set("gemini"), "the ports stand open"
    is_open, is_shut = (worth(Position(game, 3, "attackers", {words: so}), rules) for so in (True, False))
    assert isinstance(is_open, Worth)
    assert isinstance(is_shut, Worth)
    stopped = solve(cut_off(3, "attackers", rules.assault(game)))
    assert is_open.share + is_shut.share == pytest.approx(chance(stopped, "held"), abs=1e-12)
    assert min(is_open.share, is_shut.share) > 0.001
    bare = replace(rules, book=rules.book.with_rulings({"shutters": "none"}))
    assert not values(bare.assault(game)).chain.states.all.ports_open.any()


OUT = {
    "gemini": {"the garrison is in the open": True},
    "gw_updated": {"the two sides are locked in close combat": True},
    "realm_of_chaos": {"defenders": 2, "defenders in the open": 2},
    "storming": {"the fight in the open goes on": True},
}
"""The whole garrison has come out."""


def sallied(of: str) -> Scenario:
    """Its garrison begins behind the doors where it else would not come out in one turn."""
    return small("storm", "sally", **({"defenders.deployment": "doors"} if of == "realm_of_chaos" else {}))


@pytest.mark.parametrize("of", OUT)
def test_where_the_garrison_is_comes_first(of):
    found = worth(Position(small(), 2, "attackers", {"attackers": 4, "defenders": 2}), rule_set(of))
    assert isinstance(found, Worth)
    inside = next(iter(found.taken))
    assert inside == "the garrison is in the building"
    out = worth(Position(sallied(of), 2, "attackers", OUT[of]), rule_set(of))
    assert isinstance(out, Worth)
    assert inside not in out.taken


@pytest.mark.parametrize("of", OUT)
def test_a_garrison_in_the_open_fights_on_whatever_it_means_to(of):
    """Nobody is left inside to hold anything."""
    found = worth(Position(sallied(of), 2, "attackers", OUT[of]), rule_set(of))
    assert isinstance(found, Worth)
    assert found.share > (0.04 if of == "gemini" else 0.05)
    for plan in get_args(AttackPlan):
        hold, sally = (found.chances[plan, defence] for defence in get_args(DefencePlan))
        assert all(hold[end] == pytest.approx(sally[end], abs=1e-12) for end in ENDS)
    assert found.chances["storm", "hold"]["held"].mean < 0.5


def test_those_who_are_out_fight_on_and_those_inside_hold():
    """Under Realm of Chaos; a long building may put them out when it falls, so its holders can fight outside too."""
    changes = {"attackers.models": 5, "attackers.specials": [], "defenders.models": 6, "building.doors": 1}
    changes |= {"defenders.deployment": "doors"}
    rules, found = rule_set("realm_of_chaos"), []
    for length in (4, 12):
        game = load_scenario("farmhouse", SMALL | changes | {"distance": 8, "building.footprint": [length, 4]})
        found.append(
            worth(Position(replace(game, defence="sally"), 2, "attackers", {"defenders in the open": 4}), rules)
        )
        assert isinstance(found[-1], Worth)
    short, long = (one.chances["storm", "hold"] for one in found)
    holders = rules.assault(replace(game, defence="hold"))
    assert "clash, step 1 0" in {step.stage for step, _ in holders.steps(1)}
    assert {end: of.mean for end, of in short.items()} == pytest.approx({end: of.mean for end, of in long.items()})
    assert short["broken"].mean != pytest.approx(found[0].chances["storm", "sally"]["broken"].mean)


def test_a_fireteam_inside_fights_its_second_round_whatever_is_meant_next(tmp_path):
    """By a ruling it stays inside for the garrison's turn (ST-043); in the last turn nothing else is left to do."""
    variant = tmp_path / "variant.toml"
    variant.write_text("base = 'storming'\n[rulings]\nsecond_round = 'yes'\n")
    found = worth(Position(small(), 3, "defenders", {"in the Fireteam": 2}), rule_set(str(variant)))
    assert isinstance(found, Worth)
    assert 0 < found.chances["storm", "hold"]["captured"].mean < 1
    for plan in get_args(AttackPlan):
        assert found.chances[plan, "hold"] == found.chances["storm", "hold"]


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ({"attackers": 0, "defenders": 2}, {"attackers": 1, "defenders": 2}),
        ({"defenders": 0}, {"defenders": 1}),
        ({"the building is destroyed": True}, {"the building is destroyed": False}),
        ({"distance": 7}, {"distance": 6}),
        ({"Armour Value": 20}, {"Armour Value": 11}),
        (
            {"attackers": 2, "attackers: Line trooper with Flamer": 1, "attackers: Line trooper with Rifle": 2},
            {"attackers": 3, "attackers: Line trooper with Flamer": 1, "attackers: Line trooper with Rifle": 2},
        ),
        (
            {"the garrison is in the building": True, "the fight in the open goes on": True},
            {"the garrison is in the building": True, "the fight in the open goes on": False},
        ),
        ({"the garrison may not fire in its next turn": True, "attackers": 0}, None),
    ],
)
def test_what_cannot_be_names_the_nearest_that_can(given, nearest):
    found = worth(Position(small(), 1, "attackers", given), STORMING)
    assert isinstance(found, Never)
    assert nearest is None or found.nearest == nearest


@pytest.mark.parametrize(
    ("of", "turn", "given", "change"),
    [
        ("storming", 4, {"attackers": 9, "defenders": 9, "Armour Value": 14}, {"Armour Value": 11}),
        ("storming", 3, {"attackers": 14, "defenders": 9, "distance": 36}, {"distance": 24}),
        ("storming", 3, {"attackers": 0, "defenders": 9}, {"attackers": 1}),
        ("realm_of_chaos", 3, {"attackers": 0, "defenders": 9}, {"attackers": 1}),
        ("storming", 3, {"attackers": 14, "defenders": 0}, {"defenders": 1}),
    ],
)
def test_the_nearest_that_can_be_keeps_all_that_it_can_and_is_answered(of, turn, given, change):
    game, rules = load_scenario("farmhouse"), rule_set(of)
    refused = worth(Position(game, turn, "attackers", given), rules)
    assert isinstance(refused, Never)
    assert refused.nearest == given | change
    assert refused.faults.keys() == change.keys()
    assert isinstance(worth(Position(game, turn, "attackers", refused.nearest), rules), Worth)


@pytest.mark.parametrize("of", ["gw_updated", "gemini"])
def test_a_building_without_hull_points_is_said_to_have_none(of):
    found = worth(Position(small(), 2, "attackers", {"attackers": 4, "hull points left": 2}), rule_set(of))
    assert isinstance(found, Never)
    assert refusal(found) == '"hull points left": this building has none under these rules.'


@pytest.mark.parametrize(
    ("turn", "side", "given"),
    [
        (8, "defenders", {"attackers": 9, "defenders": 5, "distance": 20}),
        (6, "attackers", {"attackers": 14, "defenders": 9, "distance": 24}),
    ],
)
def test_inches_between_the_sides_leave_no_attackers_inside(turn, side, given):
    rules, game = rule_set("realm_of_chaos"), load_scenario("farmhouse")
    found, outside = (worth(Position(game, turn, side, known), rules) for known in (given, given | INSIDE))
    assert isinstance(found, Worth)
    assert isinstance(outside, Worth)
    assert not found.taken.keys() & INSIDE.keys()
    assert found.chances == outside.chances
    assert found.chances["storm", "hold"]["held"].mean > 0.9


INSIDE = {f"attackers in {section}": 0 for section in ("A1", "A2", "B1", "B2")}


def test_attackers_inside_at_a_distance_are_refused():
    given = {"attackers": 3, "attackers in A1": 2, "distance": 6}
    found = worth(Position(small(), 2, "attackers", given), rule_set("realm_of_chaos"))
    assert isinstance(found, Never)
    assert found.nearest == given | {"attackers in A1": 0}
    assert "attackers in A1 2 does not go with the rest" in refusal(found)


def test_a_fireteam_is_not_inches_away(tmp_path):
    variant = tmp_path / "variant.toml"
    variant.write_text("base = 'storming'\n[rulings]\nsecond_round = 'yes'\n")
    found = worth(Position(small(), 3, "defenders", {"in the Fireteam": 2, "distance": 6}), rule_set(str(variant)))
    assert isinstance(found, Never)


def test_games_have_attackers_inside_only_when_they_are_at_the_walls(rules):
    """So what marks them (`close`) leaves out no state of a game."""
    for plan in get_args(AttackPlan):
        assault = rule_set(rules).assault(replace(small(plan), may_change=True))
        chain = Chain(assault)
        for turn, side in product((2, 3), ("attackers", "defenders")):
            weights = chain.weights(assault.opening(turn, side))
            there = np.flatnonzero((weights != 0) & (chain.end[: weights.size] == End.GOING_ON))
            states = chain.states.take(there)
            assert not (arrivals.inside(states) & (states.distance > 0)).any()


def test_what_comes_up_later_can_be_so_from_the_first():
    never_yet = {"attackers": 3, "the garrison may not fire in its next turn": True}
    found = worth(Position(small("demolish"), 1, "attackers", never_yet), STORMING)
    assert isinstance(found, Worth)
    assert found.share == 0
    quiet = found.chances["shoot", "hold"]["broken"].mean
    noisy = worth(
        Position(small("demolish"), 1, "attackers", never_yet | dict.fromkeys([*never_yet][1:], False)), STORMING
    )
    assert isinstance(noisy, Worth)
    assert quiet < noisy.chances["shoot", "hold"]["broken"].mean


def test_progress_comes_to_the_whole_whatever_pairs_of_plans_come_to_a_position():
    told = []
    worth(Position(small(), 2, "attackers", {}), rule_set("storming"), lambda done, of: told.append(done / of))
    assert told == [1 / 24, *(n / 24 for n in range(9, 17)), 1]  # a third for what is best there


def test_what_stands_in_a_position_is_said_in_words():
    """Nothing that all rules have goes without its number: no inches are a distance too."""
    assert stands({"attackers": 3, "distance": 0, "built-in weapons": 0, "the door is forced": False}) == (
        "attackers 3, distance 0, built-in weapons 0, not so: the door is forced"
    )
    nothing = dict.fromkeys(("the door is forced", "the attackers have moved"), False) | {"a": 0, "b": 0}
    assert stands({"defenders": 0, "the structure gives way": True} | nothing) == (
        "defenders 0, the structure gives way; 4 other things none or not so"
    )
    assert stands(nothing) == "4 other things none or not so"


def test_what_a_position_is_averaged_over_is_said_in_words():
    plans, others = Plans("storm", "hold"), (Plans("shoot", "hold"), Plans("shoot", "sally"), Plans("smoke", "sally"))
    so = {"distance": (2, 6), "the door is forced": (False, True), "attackers": (3, 3)}
    found = Worth(STORMING, others, 0.25, 4, so, {}, {})
    assert about(found, plans).startswith(
        "No game played storm and hold comes to it. 25.0 % of games played shoot and hold, shoot and sally or smoke and "
        "sally come to it, in 4 ways. Chances are averaged over these."
    )
    assert taken(found) == (
        "Taken as: the door is forced or not, distance 2 to 6, attackers 3, all else as at the start."
    )
    assert about(replace(found, under=(plans,), share=0), plans).startswith(
        "No game comes to just this. All else is as in the nearest games played storm and hold, in 4 ways."
    )
    assert about(replace(found, under=(plans,), states=1), plans) == (
        "25.0 % of games played storm and hold come to it, in one way."
    )


def test_rules_without_what_a_position_speaks_of_say_so():
    found = worth(Position(small(), 2, "attackers", {"hull points left": 1, "attackers": 4}), rule_set("storming"))
    assert isinstance(found, Unknown)
    assert found.words == ("hull points left",)


# The command


@pytest.fixture
def file(tmp_path, skirmish):
    def write(text: str):
        path = tmp_path / "position.toml"
        path.write_text(f'scenario = "{skirmish}"\n{text}')
        return str(path)

    return write


def test_the_command_answers_for_every_set_of_rules(scuffle, tmp_path, capsys):
    path = str(tmp_path / "position.toml")
    Path(path).write_text(f'scenario = "{scuffle}"\nturn = 2\nattackers = 6\n')
    assert run(["position", path]) == 0
    out = capsys.readouterr().out
    assert out.count("from now on") + out.count("No game comes to it") == len(rule_set_ids())
    assert run(["position", path, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["to_move"] == "attackers"
    assert [answer["rules"] for answer in data["results"]] == rule_set_ids()
    for answer in data["results"]:
        for row in answer.get("chances", ()):
            assert sum(row[end]["mean"] for end in ENDS) == pytest.approx(1, abs=1e-12)


def test_fields_of_some_rules_are_answered_by_those(file, capsys):
    assert run(["position", file('turn = 2\n"Armour Value" = 11\n"inches to the building" = 8\n'), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["given"] == {"Armour Value": 11, "distance": 8}
    answers = {answer["rules"]: answer for answer in data["results"]}
    assert [rules for rules, answer in answers.items() if "chances" in answer] == ["gw_updated", "storming"]
    for rules in ("gemini", "realm_of_chaos"):
        assert answers[rules]["unknown"] == ["Armour Value"]
        assert answers[rules]["refused"] == 'These rules know nothing of "Armour Value".'


def test_who_is_to_move_is_who_moves_first_unless_it_is_said(file, tmp_path, skirmish):
    base = tmp_path / "garrison-first.toml"
    base.write_text(f'base = "{skirmish}"\ntitle = "The garrison first"\nfirst = "defenders"\n')
    path = Path(file("turn = 2\n"))
    path.write_text(path.read_text().replace(skirmish, base.name))
    assert load(path, []).to_move == "defenders"


@pytest.mark.parametrize("given", [{}, {"attackers": 4}, {"attackers": 3, "defenders": 1}])
def test_what_a_large_position_is_worth_is_within_its_bounds(rules, given, monkeypatch):
    asked = Position(small(), 2, "attackers", given)
    exact = worth(asked, rule_set(rules))
    monkeypatch.setattr(arrivals, "TRANSITIONS", 10)
    monkeypatch.setattr(position, "WITHIN", 1e-3)
    found = worth(asked, rule_set(rules))
    assert isinstance(exact, Worth)
    assert isinstance(found, Worth)
    assert (exact.left_out, found.best, found.too_large) == (0, None, [])
    assert 0.9e-3 <= found.left_out < 1e-3
    assert (found.under, found.taken.keys()) == (exact.under, exact.taken.keys())
    for pair, chances in exact.chances.items():
        for end, chance in chances.items():
            low = found.chances[pair][end]
            assert abs(chance.mean - low.mean) <= found.left_out + 1e-12


def test_that_a_position_is_certified_is_said(file, capsys, monkeypatch):
    monkeypatch.setattr(arrivals, "TRANSITIONS", 10)
    asked = ["position", file("turn = 2\n"), "--rules", "storming"]
    assert run(asked) == 0
    assert "Chances are certified: no chance is off by more than 0.0001 games in 100." in capsys.readouterr().out
    assert run([*asked, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["engine"], result["too_large"], result["best"]) == ("bounded", [], None)
    assert 0.9e-6 <= result["left_out"] < 1e-6


def test_plans_that_are_too_large_are_named(file, capsys, monkeypatch):
    def learnt(assault, within, **more):
        if assault.scene.scenario.plan == "demolish":
            raise BudgetError("it is too large")
        return values_within(assault, within, **more)

    monkeypatch.setattr(arrivals, "TRANSITIONS", 10)
    monkeypatch.setattr(position, "values_within", learnt)
    assert run(["position", file("turn = 2\n"), "--rules", "storming"]) == 0
    out = capsys.readouterr().out
    assert "Too large to be answered: demolish and hold, demolish and sally." in " ".join(out.split())
    assert "\n demolish and" not in out
    assert "\n shoot and hold" in out


def test_what_is_too_large_is_not_answered(file, capsys, monkeypatch):
    for name in ("TRANSITIONS", "LEARNT"):
        monkeypatch.setattr(arrivals, name, 10)
    assert run(["position", file("turn = 2\n"), "--rules", "storming,gw_updated"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("Not answered: the chain of the assault has more than 10 transitions; there are fewer with") == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turn = 9\n", "line 2: turn: expected at most 3 (the turns of the scenario), got 9"),
        ("turn = 2\nattackers = 15\n", "line 3: attackers: expected 0 to 14 (the models of the scenario), got 15"),
        ('turn = 2\n"hull point left" = 1\n', 'did you mean "hull points left"?'),
        ("turn = 2\ndistance = 999999999999\n", "line 3: distance: expected 0 to 1000, got 999999999999"),
        ("turn = 2\ndistance = -1\n", "line 3: distance: expected 0 to 1000, got -1"),
        (
            'turn = 2\ndistance = 6\n"inches to the building" = 12\n',
            'line 4: "inches to the building": this is "distance", which is given as well; expected one of the two',
        ),
        ("turn = 2\ngarrison = 3\n", 'did you mean "defenders"?'),
        ('turn = 2\nrules = "stroming"\n', 'line 3: rules: there are no rules "stroming"; did you mean "storming"?'),
        ("turn = 2\nattackers = true\n", "line 3: attackers: expected a whole number, got true"),
        ('turn = 2\n"the locked door is open" = 1\n', "expected true or false, got 1"),
        ("turn = 1\nattackers = 0\n", "this position cannot be answered"),
        ("attackers = 3\n", "turn: this key is missing"),
        ('turn = 2\nto_move = "nobody"\n', "line 3: to_move: expected 'attackers' or 'defenders', got 'nobody'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(file, capsys, text, says):
    assert run(["position", file(text)]) == 2
    out, err = capsys.readouterr()
    assert says in err
    assert not out


def test_a_scenario_that_is_not_there_is_refused_with_its_line(tmp_path, capsys):
    path = tmp_path / "p.toml"
    path.write_text('turn = 2\nscenario = "farmhose"\n')
    assert run(["position", str(path)]) == 2
    assert (
        f'{path}, line 2: scenario: there is no scenario "farmhose"; did you mean "farmhouse"?'
        in capsys.readouterr().err
    )


def test_a_game_saves_its_position(skirmish, tmp_path, capsys):
    out = tmp_path / "saved.toml"
    assert run(["play", skirmish, "--seed", "3", "--save-position", "1", "--out", str(out)]) == 0
    assert f"The position: {out}" in capsys.readouterr().err
    assert run(["position", str(out), "--rules", "storming", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["states"] == 1
    given, at_the_start = out.read_text().split("# as at the start:\n")
    assert [line.split(" = ")[0] for line in given.splitlines()[-4:-1]] == ["attackers", "defenders", "distance"]
    assert '"Armour Value" = 0' in at_the_start


def test_a_saved_position_is_asked_under_the_rules_it_was_saved_under(skirmish, tmp_path, monkeypatch, capsys):
    """A house rule is named from where the position is."""
    monkeypatch.chdir(tmp_path)
    for folder in ("games", "saved"):
        Path(folder).mkdir()
    Path("games/mine.toml").write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n')
    for rules, saved in (("gemini", "gemini"), ("games/mine.toml", "../games/mine.toml")):
        typed = ["play", skirmish, "--rules", rules, "--seed", "3", "--save-position", "1", "--out", "saved/one.toml"]
        assert run(typed) == 0
        assert f'rules = "{saved}"\n' in Path("saved/one.toml").read_text()
        capsys.readouterr()
        assert run(["position", "saved/one.toml", "--json"]) == 0
        asked = [answer["rules"] for answer in json.loads(capsys.readouterr().out)["results"]]
        assert asked == [Path(rules).stem]
    assert run(["position", "saved/one.toml", "--rules", "storming", "--json"]) == 0
    assert [answer["rules"] for answer in json.loads(capsys.readouterr().out)["results"]] == ["storming"]


def test_a_scenario_is_named_from_where_its_position_is_saved(skirmish, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("games", "saved"):
        Path(folder).mkdir()
    Path("games/mine.toml").write_text(Path(skirmish).read_text())
    assert run(["play", "games/mine.toml", "--seed", "3", "--save-position", "1", "--out", "saved/one.toml"]) == 0
    assert 'scenario = "../games/mine.toml"\n' in Path("saved/one.toml").read_text()
    assert load(Path("saved/one.toml"), [rule_set("storming")]).scenario.title == "A skirmish"


def test_a_title_over_several_lines_is_no_line_of_a_saved_position(tmp_path):
    game = replace(small(), title='The "farmhouse"\n[again]')
    played = replay(rule_set("storming").assault(game), seed=1)
    (tmp_path / "saved.toml").write_text(text_of(played, "farmhouse", "storming", 1, tmp_path))
    assert load(tmp_path / "saved.toml", [rule_set("storming")]).turn == 1


def test_a_game_that_was_left_has_no_later_turns_to_save(tmp_path):
    left = replay(rule_set("storming").assault(small()), seed=1, ask=lambda words: None)
    with pytest.raises(CasemateError, match="there is no turn 2 in this game: it was left in turn 1"):
        text_of(left, "farmhouse", "storming", 2, tmp_path)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--save-position", "4"], "has 3 turns; got 4"),
        (["--out", "x.toml"], "add --save-position"),
        (["--save-position", "2", "--out", "x.txt"], "expected a file ending in .toml"),
        (["--save-position", "2", "--out", "nowhere/x.toml"], "there is no folder"),
    ],
)
def test_positions_that_cannot_be_saved_are_refused_first(skirmish, capsys, options, says):
    assert run(["play", skirmish, "--seed", "3", *options]) == 2
    out, err = capsys.readouterr()
    assert says in err
    assert not out


# What is best there


@pytest.mark.parametrize("first", ["attackers", "defenders"])
def test_at_the_start_plans_are_worth_what_they_are_in_best_play(rules, first):
    solution = contest(small(first=first), rule_set(rules)).solve()
    choice = solution.choices[Opening(1, first)]
    worths = choice.worth[np.searchsorted(choice.states, solution.contest.start[0][0]), :, :, BOTH]
    for plan, defence in (("storm", "hold"), ("shoot", "sally")):
        found = worth(Position(small(plan, defence, first=first), 1, first, {}), rule_set(rules))
        a, d = solution.contest.place(Pair(plan, defence))
        own, plans = (worths[:, d], solution.contest.attacks) if first == "attackers" else (worths[a], PLANS[1])
        assert found.best == pytest.approx(dict(zip(plans, own.tolist(), strict=True)), abs=1e-12)


def test_who_has_to_go_on_in_some_states_takes_up_other_plans_in_the_others():
    """Under Realm of Chaos attackers who are inside go on by the plan that took them there."""
    game, opening = small(distance=4), Opening(2, "attackers")
    assaults = assaults_by_plans(game, rule_set("realm_of_chaos"), every_pair(Pair("storm", "hold")))
    choice = contest(game, rule_set("realm_of_chaos")).solve().choices[opening]
    bound, free = (choice.states[choice.committed == is_so][:3] for is_so in (True, False))
    learnt = contest(game, rule_set("realm_of_chaos")).states

    def best(numbers, weights):
        chain = Chain(assaults["storm", "hold"])
        found = position._best(assaults, Position(game, *opening, {}), learnt.take(numbers), weights, chain)
        assert found
        plans, ends = found
        assert ends["captured"] == pytest.approx(max(plans.values()), abs=1e-12)
        assert sum(ends.values()) == pytest.approx(1, abs=1e-12)
        return plans

    weights = np.array([1.0, 2.0, 4.0])
    stay, go = best(bound, weights), best(free, weights)
    assert (stay.keys(), go.keys()) == ({"storm"}, {*PLANS[0]})
    mixed = best(np.concatenate([bound, free]), np.concatenate([weights, weights]))
    assert mixed == pytest.approx({plan: (stay["storm"] + go[plan]) / 2 for plan in go}, abs=1e-12)
    assert len({*mixed.values()}) > 1

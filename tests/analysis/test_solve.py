"""Solve: what a plain scan finds, under each set of rules; and single values that bring a response where it is wanted."""

from dataclasses import replace
from itertools import pairwise

import pytest

from analysis.deciding.remedies import LITTLE, MOST_STEPS, SHOWN, blocks, levers, places, remedies, seek
from analysis.deciding.solve import Level, Solution, solve
from analysis.deciding.solve_words import summary
from analysis.points.point import How, Played, point
from analysis.points.responses import Estimate
from analysis.say.numbers import signed
from analysis.values.keys import levels
from sims.dice import parse_die
from sims.errors import BudgetError, CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario

STORMING, GW = rule_set("storming"), rule_set("gw_updated")


def chance(scenario, rule_set, key, value):
    one = point(scenario, rule_set, {key: value})
    return one.responses(one.play())["p_captured"].value


@pytest.mark.parametrize("key", ["units.trooper.T", "tables.grenade.hits"])
def test_solve_equals_a_plain_scan(skirmish, key):
    (found,) = solve(skirmish, key, target=0.3, rules=[STORMING])
    plain = [(level.value, chance(skirmish, STORMING, key, level.value)) for level in found.levels]
    assert [(level.value, level.response.value) for level in found.levels] == plain
    between = [(a, b) for (a, p), (b, q) in pairwise(plain) if (p - 0.3) * (q - 0.3) < 0]
    assert [(low.value, high.value) for low, high in found.crossings] == between
    assert found.nearest.value == min(plain, key=lambda pair: abs(pair[1] - 0.3))[0]


def test_the_range_of_a_number_is_what_the_files_allow(skirmish):
    assert levels(skirmish, STORMING, "units.trooper.T") == [*range(1, 11)]
    assert levels(skirmish, STORMING, "tables.grenade.S") == [*range(1, 11)]
    long = levels(skirmish, STORMING, "distance")
    assert 8 in long
    assert list(long) == [*range(long[0], long[0] + len(long))]


@pytest.mark.parametrize(
    ("target", "played"),
    [(0.3, [2, 3, 4]), (0.0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])],  # crossed beside the present 3; never
)
def test_a_long_range_is_scanned_outwards_until_the_target_is_crossed(skirmish, monkeypatch, target, played):
    monkeypatch.setattr("analysis.deciding.solve.FEW_LEVELS", 3)
    near = chance(skirmish, STORMING, "units.trooper.T", 3), chance(skirmish, STORMING, "units.trooper.T", 4)
    target = sum(near) / 2 if target == 0.3 else target
    (found,) = solve(skirmish, "units.trooper.T", target=target, rules=[STORMING])
    assert [level.value for level in found.levels] == played
    assert found.whole == (len(played) == 10)
    assert bool(found.crossings) == (len(played) == 3)


def test_a_budget_that_bursts_is_told_and_no_level_is_passed_over(skirmish):
    with pytest.raises(BudgetError):
        solve(skirmish, "units.trooper.T", how=How("exact", budget=50), rules=[STORMING])


def test_dice_in_force_that_are_out_of_the_common_stand_in_their_place():
    odd = STORMING.with_values({"tables.grenade.hits": "2D3+1"})
    odder = STORMING.with_values({"tables.grenade.hits": "D3+3"})
    assert [*levels("farmhouse", odd, "tables.grenade.hits")] == [*levels("farmhouse", STORMING, "tables.grenade.hits")]
    every = levels("farmhouse", odder, "tables.grenade.hits")
    means = [parse_die(str(one)).pmf.mean for one in every]
    assert "D3+3" in every
    assert means == sorted(means)


def test_the_value_in_force_is_refused_if_no_assault_can_be_played_with_it(skirmish):
    nowhere = STORMING.with_values({"tables.agreed.building_class": "impassable"})
    with pytest.raises(CasemateError, match="nobody may occupy an impassable building"):
        solve(skirmish, "units.trooper.T", rules=[nowhere])


def test_a_certain_end_is_a_target(skirmish):
    for target in (0, 1):
        (found,) = solve(skirmish, "tables.grenade.S", target=target, rules=[STORMING])
        assert found.target == target


def test_of_a_key_of_rules_those_count_that_have_it(skirmish):
    found = solve(skirmish, "tables.grenade.S", rules=[STORMING, GW])
    assert [one.rule_set.id for one in found] == ["storming"]


def test_values_that_the_rules_know_no_assault_for_are_left_out(skirmish):
    (found,) = solve(skirmish, "building.doors", rules=[STORMING])
    assert levels(skirmish, STORMING, "building.doors")[0] == 0
    assert found.levels[0].value == 1


def told(levels, target=0.5):
    return Solution(STORMING, 2, tuple(Level(n, Estimate(p)) for n, p in levels), target, True)


def test_every_crossing_is_found_and_none_is_an_answer():
    found = told([(1, 0.2), (2, 0.6), (3, 0.5), (4, 0.7), (5, 0.1)])
    assert [(low.value, high.value) for low, high in found.crossings] == [(1, 2), (3, 3), (4, 5)]
    none = told([(1, 0.2), (2, 0.4), (3, 0.3)])
    assert none.crossings == []
    assert told([(1, 0.4 - 1e-13), (2, 0.4), (3, 0.4)]).nearest.value == 2
    first, grid = summary(load_scenario("farmhouse"), "turns", "p_captured", 0.5, [none])
    at_none = "at no value of turns from 1 to 3 under Storming buildings"
    assert first == f"The farmhouse, captured in 50 % of games: {at_none}."
    between, *_ = summary(load_scenario("farmhouse"), "turns", "p_captured", 0.5, [found, replace(none, rule_set=GW)])
    assert between == (
        "The farmhouse, captured in 50 % of games: between turns 1 (20.0 %) and 2 (60.0 %) or at turns 3"
        " or between turns 4 (70.0 %) and 5 (10.0 %) under Storming buildings;"
        " at no value of turns from 1 to 3 under Updated building rules."
    )
    assert grid.rows == (
        ("Storming buildings", "2 (40.0 %)", "no value from 1 to 3 reaches 50 %: 2 (40.0 %) is nearest"),
    )
    *_, left_out = summary(load_scenario("farmhouse"), "turns", "p_captured", 0.5, [none, replace(none, whole=False)])
    assert (
        left_out
        == "Not every value was played, only those nearest to the present one: 1 to 3 under Storming buildings."
    )
    *_, all_of_them = summary(load_scenario("farmhouse"), "turns", "p_captured", 0.5, [replace(none, whole=False)])
    assert all_of_them == "Not every value was played, only those nearest to the present one: 1 to 3."


@pytest.mark.parametrize(
    ("key", "response", "target", "message"),
    [
        ("turns", "p_captured", 1.5, "the target of p_captured cannot be 1.5; expected a chance from 0 to 1"),
        ("turns", "p_capture", 0.5, 'there is no response "p_capture"; did you mean "p_captured"'),
        ("turns", "turns_mean", float("nan"), "the target of turns_mean cannot be nan; expected a number"),
        ("attackers.leader", "p_captured", 0.5, "attackers.leader is no single value"),
        ("first", "p_captured", 0.5, "first is 'attackers'; expected a whole number or dice"),
        ("unit.trooper.T", "p_captured", 0.5, 'has no unit.trooper.T; did you mean "units"?'),
        ("attackers.model", "p_captured", 0.5, 'has no attackers.model; did you mean "attackers.models"?'),
        ("units.trooper.TT", "p_captured", 0.5, "has no units.trooper.TT"),
        (
            "tables.grenade.hit",
            "p_captured",
            0.5,
            'none of storming has tables.grenade.hit; did you mean "tables.grenade.hits"',
        ),
    ],
)
def test_what_cannot_be_solved_is_refused(skirmish, key, response, target, message):
    with pytest.raises(CasemateError, match=message.replace("?", r"\?")):
        solve(skirmish, key, response, target, rules=[STORMING])


@pytest.mark.slow
def test_remedies_bring_a_response_nearer_and_say_what_else_they_move(scuffle):
    now, known = point(scuffle, STORMING), Played()
    before = now.responses(now.play())["p_captured"].value
    target = before + 0.05
    found = remedies(now, "p_captured", target, known)
    assert found
    assert [round(one.left, 4) for one in found] == sorted(round(one.left, 4) for one in found)
    for one in found[:3]:
        each = now.under(STORMING.with_values(one.values))
        value = each.responses(each.play())["p_captured"].value
        assert value == pytest.approx(one.response.value, abs=1e-12)
        assert abs(value - target) == pytest.approx(one.left, abs=1e-12)
        assert one.left < 0.05
        assert 1 <= one.steps <= MOST_STEPS
    assert all(one.left < 0.05 - LITTLE for one in found)
    far = remedies(now, "p_captured", 1.0, known)
    assert any(one.steps > 1 for one in far)
    assert max(one.steps for one in far) <= MOST_STEPS
    leaves = STORMING.book.leaves()
    assert all(places(leaves[one.key], one.values[one.key]) == 1 for one in far)
    other = point(scuffle, STORMING, {"first": "defenders"})
    answer = seek(now, "p_captured", target, [other], known)
    assert answer.found == found
    ((move,), *_) = answer.moves
    first, grid = blocks(answer)
    near = min(found, key=lambda one: abs(one.response.value - target))
    assert first.startswith(f"{now.scenario.title}, Storming buildings, captured in ")
    assert all(f"{key}: " in first for key in near.values)
    assert first.endswith(f"({100 * near.response.value:.1f}).")
    assert grid.rows[0][3] == f"{other.scenario.id} {signed(100 * move)}"
    assert all(row[3] for row in grid.rows[:SHOWN])
    assert not any(row[3] for row in grid.rows[SHOWN:])
    changed = other.under(STORMING.with_values(found[0].values))
    moved = changed.responses(changed.play())["p_captured"].value - other.responses(other.play())["p_captured"].value
    assert move == pytest.approx(moved, abs=1e-12)


@pytest.mark.slow
def test_what_undoes_a_house_rule_is_what_a_designer_would_turn_first(scuffle, tmp_path):
    """Eight at most, by a step or two: its own keys, then those of the building rules, then those of the base game."""
    file = tmp_path / "heavy.toml"
    file.write_text('base = "storming"\n[rulings]\nsecond_round = "yes"\n')
    heavy, known = rule_set(str(file)), Played()
    before, now = (point(scuffle, rules) for rules in (STORMING, heavy))
    target, start = (each.responses(known.of(each))["p_captured"].value for each in (before, now))
    others = [point(scuffle, heavy, {"first": "defenders"}), point(scuffle, heavy, {"turns": 1})]
    sought = levers(now, "p_captured", target, others, known)
    assert 3 <= len(sought.found) <= 8
    assert all(one.left <= abs(start - target) / 2 for one in sought.found)
    assert max(one.steps for one in sought.found) <= 2
    named = [one.key.split(".")[:2] for one in sought.found]
    game = STORMING.book.game
    kinds = [
        0 if name == "second_round" else 1 + (name in type(getattr(game, section)).model_fields)
        for section, name in named
    ]
    assert kinds == sorted(kinds)
    assert kinds[0] == 0
    _, grid = blocks(sought)
    assert all(row[3] for row in grid.rows)
    assert not any(move.endswith(" 0.0") for row in grid.rows for move in row[3].split(", "))

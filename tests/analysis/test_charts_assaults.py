"""Charts of assaults and of what is decided: what is drawn is what the rows say, and the rows are what is played."""

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import get_args

import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb

from analysis.charts import (
    PHONE,
    WIDE,
    Chart,
    choice_chart,
    clear_chart,
    crossings_chart,
    garrison_chart,
    matrix_chart,
    move_chart,
    plane_chart,
    rulings_chart,
    sweep_chart,
    tornado_chart,
    versus_chart,
)
from analysis.charts.palette import LOOKS, SIDES
from analysis.cli import run
from analysis.commands.charts.base import BESIDE, chart_names
from analysis.commands.charts.gallery import examples
from analysis.comparing.compare import Comparison, compare
from analysis.deciding.explain import sensitivity
from analysis.deciding.receipt import receipt, shares
from analysis.deciding.solve import Level as Tried
from analysis.deciding.solve import Solution
from analysis.findings import decisions, plans, sweeps
from analysis.points.margins import SIDES as BOTH
from analysis.points.margins import Models, margins
from analysis.points.plans import Plans
from analysis.points.point import How, Played, point
from analysis.points.responses import NAMES, Estimate, lost_by_turn, responses, scale
from analysis.points.suite import Game
from analysis.rows.assaults import LeftRow, left_rows
from analysis.rows.choices import ChoiceRow
from analysis.rows.clearing import ClearRow
from analysis.rows.decisions import (
    CrossingRow,
    MoveRow,
    RulingRow,
    ShareRow,
    VersusRow,
    move_rows,
    ruling_rows,
    share_rows,
    shared_rows,
    solve_rows,
)
from analysis.rows.plans import AlikeRow, PlansRow, compared_plans, end_wanted, plans_rows
from analysis.rows.sweeps import (
    ContourRow,
    LevelRow,
    PlaneRow,
    SwingRow,
    answer_rows,
    contour_rows,
    left_out,
    looks_of,
    plane_rows,
    titles_of,
)
from analysis.say.axes import factor_words, level_words, number_words, response_words
from analysis.sweeps.contours import contours, plane
from analysis.sweeps.design import Cell, Level, design, factor
from analysis.sweeps.sweep import Answer, answers
from sims.engines import run as engine
from sims.rulesets import rule_set, rule_sets_of
from sims.scenario import AttackPlan, load_scenario
from tests.readable import assert_readable

SETS = {"Storming buildings": "vermillion", "Gemini building rules": "blue", "Updated building rules": "purple"}


def captured(scenario: str, rules, changes=None, response: str = "p_captured") -> float:
    """What is played without any sweep, store or rows."""
    one = point(scenario, rules, changes or {})
    return one.responses(one.play())[response].value


# the garrison left by turn


def test_losses_by_turn_are_those_of_a_gate_by_hand(gate) -> None:
    """On a 6 two defenders fall and the game ends, on a 1 it ends: 2/6 in turn 1, and 4/6 of that more in turn 2."""
    by_hand = [2 * 1 / 6, 2 * 1 / 6 + 4 / 6 * 2 * 1 / 6]
    found = lost_by_turn(engine(gate, engine="exact"), "defenders", 2)
    assert [each.value for each in found] == pytest.approx(by_hand)
    assert {(each.low, each.high) for each in found} == {(None, None)}
    thrown = engine(gate, engine="sampled", trials=4000, seed=3)
    about = lost_by_turn(thrown, "defenders", 2)
    for each, true in zip(about, by_hand, strict=True):
        assert each.low < true < each.high
        assert each.low < each.value < each.high
    told = responses(margins(thrown, Models(1, 2)))["defenders_lost_mean"]
    assert about[-1].value == pytest.approx(told.value)
    assert about[-1].low <= told.low < told.high <= about[-1].high


@pytest.fixture(params=["exact", "sampled"])
def played(request, skirmish: str) -> Comparison:
    return compare(
        load_scenario(skirmish), rule_sets_of(["storming", "gw_updated"]), how=How(request.param, trials=500)
    )


def test_the_garrison_left_at_the_end_is_what_it_has_not_lost(played: Comparison) -> None:
    rows = left_rows(played)
    for name, entry in zip(played.names(), played.entries, strict=True):
        own = [row for row in rows if row.rules == name]
        assert [row.turn for row in own] == [*range(played.scenario.turns + 1)]
        assert own[0].left == entry.models.defenders
        assert own[-1].left == pytest.approx(entry.models.defenders - entry.responses["defenders_lost_mean"].value)
        assert all(row.low is None or row.low <= row.left <= row.high for row in own)
    drawn = garrison_chart(rows).axes[0].lines
    for line, name in zip(drawn, played.names(), strict=False):
        assert list(line.get_ydata()) == [row.left for row in rows if row.rules == name]


# one factor, and a plane


def test_rows_of_a_factor_are_what_is_played_level_by_level(skirmish: str, house_rule: str) -> None:
    of = design([factor("attackers.models", [8, 14])], skirmish, ["storming", house_rule])
    rows = answer_rows(of, [*answers(of)], "p_captured")
    assert [(row.rules, row.look, row.level) for row in rows] == [
        (name, look, level)
        for name, look in (
            ("Storming buildings", "vermillion"),
            ('Grenades & "<b>$x$</b>"'.replace('"', ""), "vermillion, dashed"),
        )
        for level in (8, 14)
    ]
    rules = [rule_set("storming"), rule_set(house_rule)]
    expected = [captured(skirmish, each, {"attackers.models": n}) for each in rules for n in (8, 14)]
    assert [row.value for row in rows] == pytest.approx(expected)


def test_words_are_drawn_as_dots_with_their_numbers_and_one_that_changes_nothing_is_said(skirmish: str) -> None:
    of = design([factor("attackers.plan", ["storm", "shoot"])], skirmish, ["storming", "gw_updated"])
    rows = answer_rows(of, [*answers(of)], "p_cleared")
    for row in rows:
        id = {"Storming buildings": "storming", "Updated building rules": "gw_updated"}[row.rules]
        assert row.value == pytest.approx(captured(skirmish, rule_set(id), {"attackers.plan": row.level}, "p_cleared"))
    (axes,) = sweep_chart(rows, "p_cleared", factor="plan").axes
    dots = {line.get_label(): list(line.get_xdata()) for line in axes.lines if not line.get_label().startswith("_")}
    assert dots == {
        name: [row.value for row in rows if row.rules == name] for name in dict.fromkeys(r.rules for r in rows)
    }
    still = [LevelRow("one", "blue", word, 0.25, 0.2, 0.3) for word in ("D3", "D6")]
    moved = [LevelRow("two", "green", word, value, None, None) for word, value in (("D3", 0.5), ("D6", 0.75))]
    figure = sweep_chart([*still, *moved], factor="hits")
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.texts] == ["one, it changes nothing", "two"]
    intervals = [tuple(path[:, 0]) for each in figure.axes[0].collections for path in each.get_segments()]
    assert intervals == [(0.2, 0.3)] * 2
    assert (
        figure.title
        == "The building is captured in about 50 (D3) to 75 (D6) games in 100 under two; no difference under one"
    )


def test_what_is_said_of_a_factor_keeps_the_order_of_its_levels() -> None:
    rows = [LevelRow("one", "blue", level, value, None, None) for level, value in ((6, 9.5), (12, 4.0), (36, 3.0))]
    said = sweeps.over_levels(rows, "inches apart at the start", "attackers_lost_mean")
    assert said == "From 6 to 36 inches apart at the start: attackers lost, on average, 9.5 to 3.0 under one"
    flat = [row._replace(value=3.0) for row in rows]
    assert sweeps.over_levels(flat, "doors", "turns_mean") == "Doors: no difference under one"
    chances = [row._replace(value=0.5 + 0.0004 * (row.level > 6)) for row in rows]
    said = sweeps.over_levels([*flat, *(row._replace(rules="two") for row in chances)], "doors", "p_captured")
    often = "in how often the building is captured"
    assert said == f"Doors: no difference {often} under one; next to no difference under two"
    assert "51" in sweeps.over_levels([chances[0]._replace(value=0.51)], "doors", "p_captured")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((0.5, 0.6, 0.7), "From 1 to 3 doors the building is captured in 50 to 70 games in 100 under one"),
        ((0.7, 0.6, 0.5), "From 1 to 3 doors the building is captured in 70 to 50 games in 100 under one"),
        ((0.7, 0.5, 0.7), "From 1 to 3 doors the building is captured in between 50 and 70 games in 100 under one"),
        ((0.6, 0.7, 0.5), "From 1 to 3 doors the building is captured in between 50 and 70 games in 100 under one"),
    ],
)
def test_what_comes_of_the_first_level_and_the_last_is_not_said_of_others(values, said) -> None:
    rows = [LevelRow("one", "blue", level, value, None, None) for level, value in enumerate(values, 1)]
    assert sweeps.over_levels(rows, "doors", "p_captured") == said
    assert sweeps.over_levels(rows[::-1], "doors", "p_captured") == said, "levels asked for in falling order"


def test_of_sampled_numbers_it_is_said_that_they_are_about_so() -> None:
    rows = [LevelRow("one", "blue", n, value, value - 0.1, value + 0.1) for n, value in enumerate((0.5, 0.7, 0.6))]
    said = sweeps.over_levels(rows, "doors", "p_captured")
    assert said.endswith("the building is captured in between about 50 and 70 games in 100 under one")
    low = [row._replace(value=value) for row, value in zip(rows, (0.5, 0.2, 0.01), strict=True)]
    assert sweeps.over_levels(low, "doors", "p_captured").endswith("captured in about 50 to 1 games in 100 under one")


def test_of_words_the_least_comes_first_and_a_name_of_a_number_stands_before_its_levels() -> None:
    rows = [LevelRow("one", "blue", level, value, None, None) for level, value in (("keep", 0.7), ("house", 0.5))]
    said = sweeps.over_levels(rows, "scenario", "p_captured")
    assert said == "The building is captured in 50 (house) to 70 (keep) games in 100 under one"
    numbers = [row._replace(level=n) for n, row in enumerate(rows, 2)]
    said = sweeps.over_levels(numbers, "grenade: Strength", "p_captured")
    assert said == "Grenade: Strength from 2 to 3: the building is captured in 70 to 50 games in 100 under one"


def test_every_response_and_key_has_words() -> None:
    assert len({response_words(name) for name in NAMES}) == len(NAMES)
    assert all("_" not in response_words(name) for name in NAMES)
    assert response_words("defenders_lost_q95") == "garrison lost, at most, in 19 games of 20"
    assert factor_words("tables.grenade.hits") == "grenade: hits"
    assert factor_words("units.vanguard.T") == "vanguard: Toughness"
    assert factor_words("tables") == "tables"
    assert number_words("edge", "1") == "with 1 inch from where the attackers begin to their table edge"
    assert [level_words(each) for each in (True, False, "one_d3", 3)] == ["yes", "no", "one d3", "3"]


def test_a_plane_has_the_played_chance_in_each_cell(skirmish: str) -> None:
    levels = {"attackers.models": [8, 14], "defenders.models": [5, 8]}
    of = design([factor(*each) for each in levels.items()], skirmish, ["storming"])
    on = plane(of, "p_captured", 0.5)
    found = [*answers(of)]
    rows = plane_rows(on, found)
    storming = rule_set("storming")
    for row in rows:
        changes = {"attackers.models": int(row.x), "defenders.models": int(row.y)}
        assert row.value == pytest.approx(captured(skirmish, storming, changes))
    figure = plane_chart(rows, contour_rows(contours(on, found), titles_of(found), looks_of(found)), on)
    mesh = next(each for each in figure.axes[0].collections if isinstance(each, QuadMesh))
    by_place = {(row.x, row.y): row.value for row in rows}
    assert mesh.get_array().ravel().tolist() == [by_place[x, y] for y in (5, 8) for x in (8, 14)]


def test_a_line_of_a_plane_runs_between_the_middles_of_its_cells() -> None:
    """Levels that lie unevenly are cells of one width; a quarter of the way from 6 to 10 is one of a cell."""
    levels = [factor("attackers.models", [5, 6, 10]), factor("defenders.models", [4, 8])]
    on = plane(design(levels, "farmhouse", ["storming"]), "p_captured", 0.5)
    rows = [PlaneRow("one", "blue", x, y, 0.05 * x, None, None) for x, y in product((5, 6, 10), (4, 8))]
    lines = [ContourRow("one", "blue", 1, n, 7.0, y) for n, y in enumerate((4.0, 8.0), 1)]
    figure = plane_chart(rows, lines, on)
    (line,) = [each for each in figure.axes[0].lines if each.get_label() == "one"]
    assert list(line.get_xdata()) == [1.75, 1.75]
    assert list(line.get_ydata()) == [0.5, 1.5]
    assert line.get_color() == LOOKS["blue"].colour
    assert "50 % nowhere" in plane_chart(rows, [], on).axes[0].get_title(loc="left")
    assert figure.title.endswith("or more: 2 of 6 combinations under one")
    sampled = [*rows[1:], rows[0]._replace(low=0.2, high=0.3)]
    thrown = plane_chart(sampled, lines, on, caption="Sampled.")
    assert thrown.title == f"{figure.title} (sampled)"
    assert thrown.caption == "Sampled.\nIntervals reach up to ± 5.0 %."
    assert sweeps.widest(sampled, "turns_mean") == "Intervals reach up to ± 0.05."
    assert figure.caption == ""


# plans against plans


def answer(attackers: str, defenders: str, chance: Estimate, **others: float) -> Answer:
    values = {"rules": rule_set("storming"), "attackers.plan": attackers, "defenders.plan": defenders}
    found = {"p_captured": chance} | {name: Estimate(value) for name, value in others.items()}
    return Answer(Cell((Level(values, values),)), "", "", found, None)


def table(**by_plans: tuple[float, ...] | float) -> list[Answer]:
    spread = {plans: value if isinstance(value, tuple) else (value,) for plans, value in by_plans.items()}
    return [answer(*name.split("_"), Estimate(*value), turns_mean=3.0) for name, value in spread.items()]


def best(found: list[Answer], response: str = "p_captured") -> dict[str, str]:
    return {f"{row.attackers}_{row.defenders}": row.best for row in plans_rows(found, response)[0]}


def test_best_replies_are_those_of_a_table_by_hand() -> None:
    found = table(storm_hold=0.5, smoke_hold=0.2, storm_sally=0.5, smoke_sally=0.7)
    assert best(found) == {
        "storm_hold": "attackers and defenders",
        "smoke_hold": "defenders",
        "storm_sally": "defenders",
        "smoke_sally": "attackers",
    }
    rows, alike = plans_rows(found, "p_captured")
    assert not alike
    assert (
        plans.best(rows) == "Best replies to each other: storm against hold under Storming buildings (50 games in 100)"
    )


def test_the_best_plans_against_the_garrison_of_a_scenario_are_said() -> None:
    rows, _ = plans_rows(table(storm_hold=0.5, smoke_hold=0.2, storm_sally=0.3, smoke_sally=0.7), "p_captured")
    said = "The building is captured most often, against a garrison that means to {}, by {} under Storming buildings"
    for garrison, plan, often in (("hold", "storm", 50), ("sally", "smoke", 70)):
        told = plans.against(rows, garrison, "p_captured")
        assert told == f"{said.format(garrison, plan)} ({often} games in 100)"
    assert plans.against(rows, "hold", "p_cleared").startswith("The building is cleared most often, ")


ONES_OF = "The building is captured most often, against a garrison that means to hold, by"


def said_of(**by_plans: tuple[float, ...] | float) -> str:
    return plans.against(plans_rows(table(**by_plans), "p_captured")[0], "hold", "p_captured")


def test_what_never_comes_is_said_to_be_most_often_by_no_plan() -> None:
    often = "How often the building is captured against a garrison that means to hold"
    assert said_of(storm_hold=0.0, smoke_hold=0.0) == f"{often}: never under Storming buildings"
    unseen = said_of(storm_hold=(0.0, 0.0, 0.1), smoke_hold=(0.0, 0.0, 0.1))
    assert unseen == f"{often}: in none of the games sampled under Storming buildings"
    assert said_of(storm_hold=0.0) == f"{often}: never by storm, the only plan played, under Storming buildings"
    rows, _ = plans_rows(table(storm_hold=0.5, smoke_hold=0.2), "p_captured")
    both = [*rows, *(row._replace(rules="House", chance=0.0) for row in rows)]
    assert plans.against(both, "hold", "p_captured") == (
        f"{ONES_OF} storm under Storming buildings (50 games in 100); never under House"
    )


def test_of_plans_that_intervals_cannot_tell_apart_the_first_is_named_and_the_others_are_said_beside() -> None:
    assert said_of(storm_hold=(0.50, 0.45, 0.55), smoke_hold=(0.53, 0.48, 0.58), shoot_hold=(0.1, 0.0, 0.2)) == (
        f"{ONES_OF} smoke under Storming buildings "
        "(about 53 games in 100; as often, as far as intervals tell, by storm)"
    )
    assert said_of(storm_hold=0.5, smoke_hold=0.5, shoot_hold=0.4) == (
        f"{ONES_OF} storm or smoke under Storming buildings (50 games in 100)"
    )
    assert said_of(storm_hold=0.5, smoke_hold=(0.5, 0.45, 0.55)) == (
        f"{ONES_OF} storm under Storming buildings (50 games in 100; as often, as far as intervals tell, by smoke)"
    )


def test_the_only_plan_is_said_to_be_the_only_one() -> None:
    assert said_of(storm_hold=0.005) == (
        f"{ONES_OF} storm, the only plan played, under Storming buildings (less than 1 game in 100)"
    )


def test_plans_are_judged_by_what_the_attackers_are_after() -> None:
    assert [end_wanted(plan) for plan in get_args(AttackPlan)] == ["p_captured", "p_cleared", "p_cleared", "p_cleared"]


def test_findings_of_rulings_tell_the_one_that_moves_most() -> None:
    rows = [
        RulingRow("blue", f"ST-04{n}", "?", "no", "yes", 0.5, value, None, None) for n, value in ((3, 0.9), (4, 0.4))
    ]
    assert decisions.rulings(rows, "p_captured") == (
        "One ruling moves most (ST-043): the building is captured in 90 games in 100 instead of 50"
    )
    assert decisions.rulings([rows[0]._replace(now=2.0, value=3.25, low=3.0, high=3.5)], "turns_mean") == (
        "One ruling moves most (ST-043): turns, on average: about 3.2 instead of 2.0"
    )
    close = decisions.rulings([rows[0]._replace(now=0.371, value=0.374)], "p_captured")
    assert close.endswith("37.4 games in 100 instead of 37.1")


def test_the_garrison_wants_the_building_held() -> None:
    found = [
        each._replace(responses={"p_held": each.responses["p_captured"]})
        for each in table(storm_hold=0.5, smoke_hold=0.2, storm_sally=0.3, smoke_sally=0.4)
    ]
    assert best(found, "p_held") == {
        "storm_hold": "defenders",
        "smoke_hold": "attackers",
        "storm_sally": "attackers",
        "smoke_sally": "defenders",
    }


def test_the_attackers_want_walls_to_fall_and_the_garrison_that_they_break() -> None:
    chances = table(storm_hold=0.5, smoke_hold=0.2, storm_sally=0.3, smoke_sally=0.4)
    for response, expected in (("p_destroyed", "attackers"), ("p_cleared", "attackers"), ("p_broken", "defenders")):
        found = [each._replace(responses={response: each.responses["p_captured"]}) for each in chances]
        assert best(found, response)["storm_hold"] == expected


def test_a_sampled_reply_of_the_garrison_is_best_unless_another_is_surely_lower() -> None:
    found = table(storm_hold=(0.5, 0.45, 0.55), storm_sally=(0.57, 0.52, 0.62), smoke_hold=0.3, smoke_sally=0.4)
    assert [each for each, whose in best(found).items() if "defenders" in whose] == [
        "storm_hold",
        "storm_sally",
        "smoke_hold",
    ]


@pytest.mark.parametrize(("response", "least"), [("p_captured", False), ("p_held", True), ("p_broken", True)])
def test_the_plans_of_a_comparison_are_judged_by_who_wants_the_end(
    exact: Comparison, response: str, least: bool
) -> None:
    rows = [row for row in compared_plans(exact, response) if row.rules == exact.names()[0]]
    replies = [row for row in rows if row.defenders == exact.scenario.defence]
    most = (min if least else max)(row.chance for row in replies)
    assert {row.attackers for row in replies if "attackers" in row.best} == {
        row.attackers for row in replies if row.chance == pytest.approx(most, abs=1e-9)
    }
    assert len({row.chance for row in replies}) > 1


def test_points_that_cannot_be_played_are_counted_by_rules_and_reason() -> None:
    found = table(storm_hold=0.5, smoke_hold=0.2, shoot_hold=0.5, storm_sally=0.4)
    why = [None, "no room", "no doors", "no room"]
    assert left_out([each._replace(refused=reason) for each, reason in zip(found, why, strict=True)]) == [
        "Storming buildings: 2 points cannot be played: no room",
        "Storming buildings: 1 point cannot be played: no doors",
    ]


def test_the_only_reply_is_not_called_the_best() -> None:
    assert best(table(storm_hold=0.5, smoke_hold=0.2)) == {"storm_hold": "attackers", "smoke_hold": ""}


def test_a_sampled_reply_is_best_unless_another_is_better_beyond_the_intervals() -> None:
    found = table(storm_hold=(0.5, 0.45, 0.55), smoke_hold=(0.44, 0.39, 0.49), shoot_hold=(0.4, 0.35, 0.44))
    assert [each for each, whose in best(found).items() if "attackers" in whose] == ["storm_hold", "smoke_hold"]


def test_plans_that_come_to_the_same_are_told_once() -> None:
    found = table(storm_hold=0.5, smoke_hold=0.2, shoot_hold=0.5, storm_sally=0.4, smoke_sally=0.2, shoot_sally=0.4)
    _, alike = plans_rows(found, "p_captured")
    assert alike == [AlikeRow("Storming buildings", "attackers", "shoot", "storm")]
    assert plans.alike(alike) == ["Storming buildings, the same whatever the other side does: shoot as storm."]
    found[2] = answer("shoot", "hold", Estimate(0.5), turns_mean=4.0)
    assert not plans_rows(found, "p_captured")[1]


def test_cells_of_plans_have_their_chance_and_the_signs_of_the_sides() -> None:
    rows, alike = plans_rows(table(storm_hold=0.5, smoke_hold=0.2, storm_sally=0.6, smoke_sally=0.7), "p_captured")
    (axes,) = matrix_chart(rows, alike).axes
    drawn = {(*text.get_position(),): text.get_text() for text in axes.texts}
    for row, (up, across) in zip(rows, ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True):
        own = [text for (x, y), text in drawn.items() if text and int(x) == across and int(y) == up]
        signs = " ".join(SIDES[side] for side in BOTH if side in row.best)
        assert own == [f"{100 * row.chance:.0f} %", *([signs] if signs else [])]
    (mesh,) = (part for part in axes.collections if isinstance(part, QuadMesh))
    assert mesh.get_array().tolist() == [[0.5, 0.2], [0.6, 0.7]]
    dark = matrix_chart([row._replace(chance=chance) for row, chance in zip(rows, (0.1, 0.9), strict=False)], ())
    inks = [sum(to_rgb(text.get_color())) for text in dark.axes[0].texts if "%" in text.get_text()]
    assert inks[0] < 1 < inks[1]


# what is decided


def test_rulings_are_worth_what_each_option_comes_to_when_it_is_played(skirmish: str) -> None:
    storming = rule_set("storming")
    short = {"turns": 2, "attackers.models": 8}
    one = point(skirmish, storming, short)
    rows = ruling_rows(one, sensitivity(one, section="rulings."), "p_captured")
    now, expected = captured(skirmish, storming, short), dict[tuple[str, str], float]()
    for name, ruling in storming.book.all_rulings():
        for option in {*ruling.options} - {ruling.choice}:
            value = captured(skirmish, storming.with_values({f"rulings.{name}": option}), short)
            if abs(value - now) > 1e-9:
                expected[ruling.clause, ruling.options[option]] = value
    assert {(row.clause, row.to): row.value for row in rows} == pytest.approx(expected)
    assert len(rows) == len(expected) > 2
    moves = [abs(row.value - row.now) for row in rows]
    assert moves == sorted(moves, reverse=True)
    bars = rulings_chart(rows).axes[0].patches
    assert [bar.get_x() + bar.get_width() for bar in bars] == pytest.approx([row.value for row in rows])
    assert {bar.get_x() for bar in bars} == {now}


def test_crossings_lie_on_the_lines_between_the_levels_that_were_tried() -> None:
    def solution(*values: tuple[int | str, float]) -> Solution:
        levels = tuple(Tried(value, Estimate(chance)) for value, chance in values)
        return Solution(rule_set("storming"), values[0][0], levels, 0.5, whole=True)

    rows, (met, exactly) = solve_rows([solution((4, 0.4), (5, 0.7), (6, 0.5), (7, 0.6))])
    assert met[2:] == (4, 5, pytest.approx(1 / 3), 0.5)
    assert exactly[2:] == (6, 6, 0, 0.5)
    figure = crossings_chart(rows, [met, exactly], factor="attackers", target=0.5)
    (across,) = [line for line in figure.axes[0].lines if line.get_label() == "target"]
    assert {*across.get_ydata()} == {0.5}
    rings = [line for line in figure.axes[0].lines if line.get_label() == "met"]
    assert [(*ring.get_xdata(), *ring.get_ydata()) for ring in rings] == [(pytest.approx(4 + 1 / 3), 0.5), (6, 0.5)]
    assert figure.title == "Captured in 50 % of games at 4 to 5 and 6 (attackers) under Storming buildings"
    sampled = [rows[0]._replace(low=0.0, high=0.5), *rows[1:]]
    assert decisions.meeting_points(sampled, [met], "attackers", "p_captured", 0.5).endswith(" (sampled)")
    (line,) = [each for each in figure.axes[0].lines if each.get_label() == "Storming buildings"]
    assert (list(line.get_xdata()), list(line.get_ydata())) == ([4, 5, 6, 7], [0.4, 0.7, 0.5, 0.6])
    rows, crossings = solve_rows([solution(("D3", 0.4), (3, 0.6))])
    assert [row.level for row in rows] == ["D3", "3"]
    rings = crossings_chart(rows, crossings, factor="hits", target=0.5).axes[0].lines
    assert list(rings[-1].get_xdata()) == [pytest.approx(0.5)]
    nowhere = crossings_chart(rows, [], factor="hits", target=0.9).title
    assert nowhere == "Captured in 90 % of games nowhere (hits) under Storming buildings"


def test_a_receipt_is_drawn_move_by_move_with_the_share_of_each_key(skirmish: str, tmp_path: Path) -> None:
    """What a key has done, of two: the mean of what it does first, and of what it does after the other."""
    file = tmp_path / "mine.toml"
    file.write_text('base = "storming"\n[tables.grenade]\nhits = "2D6"\nS = 6\n')
    storming, mine = rule_set("storming"), rule_set(str(file))
    known = Played()
    found = receipt(mine, storming, [Game(skirmish, Plans("smoke", "hold"))], known=known)
    row, *_ = move_rows(found)
    keys = {"hits": "2D6", "S": 6}

    def chance(*changed: str) -> float:
        book = storming.with_values({f"tables.grenade.{key}": keys[key] for key in changed})
        return captured(skirmish, book, {"attackers.plan": "smoke"})

    nothing, hits, strength, both = chance(), chance("hits"), chance("S"), chance("hits", "S")
    assert (row.before, row.now, row.look) == (pytest.approx(nothing), pytest.approx(both), "vermillion, dashed")
    told = share_rows(found, *shares(found, found.lines, known))
    assert {each.part: each.share for each in told if each.label == row.label} == {
        "grenade.hits": pytest.approx((hits - nothing + both - strength) / 2),
        "grenade.S": pytest.approx((strength - nothing + both - hits) / 2),
    }
    rows = [each for each in shared_rows(move_rows(found), told) if each.label == row.label]
    assert [each[:6] for each in rows] == [tuple(row)] * 2
    assert {each.part: each.share for each in rows} == {each.part: each.share for each in told[:2]}
    assert shared_rows([row], []) == [(*row, None, None)]
    arrows, bars = move_chart(move_rows(found), "Title", told).axes
    ends = [(line.get_xdata()[0], line.get_xdata()[-1]) for line in arrows.lines if len(line.get_xdata()) == 2]
    assert (row.before, row.now) in ends
    assert sorted(bar.get_width() for bar in bars.patches) == pytest.approx(sorted(each.share for each in told))


def test_the_parts_of_a_move_are_its_own() -> None:
    moves = [MoveRow("farmhouse", "blue", 0.2, 0.5), MoveRow("bastion", "blue", 0.6, 0.4)]
    given = {("farmhouse", "hits"): 0.1, ("farmhouse", "S"): 0.2, ("bastion", "hits"): -0.2}
    rows = shared_rows(moves, [ShareRow(*of, share) for of, share in given.items()])
    assert [(row.label, row.before, row.part, row.share) for row in rows] == [
        ("farmhouse", 0.2, "hits", 0.1),
        ("farmhouse", 0.2, "S", 0.2),
        ("bastion", 0.6, "hits", -0.2),
    ]


def test_intervals_of_moves_end_where_chances_do(skirmish: str) -> None:
    storming = rule_set("storming")
    mine = storming.with_values({"tables.grenade.hits": "D6"})
    found = receipt(mine, storming, [Game(skirmish, Plans("storm", "hold"))])
    (line,) = found.lines
    was = line.before["p_captured"].value
    for low, high, drawn in ((0.01, 3.0, (was + 0.01, 1.0)), (-3.0, -0.01, (0.0, was - 0.01))):
        apart = replace(line, apart={"p_captured": Estimate(0.2, low, high)})
        row, *_ = move_rows(replace(found, lines=(apart,)))
        assert (row.low, row.high) == pytest.approx(drawn)


def segments(axes) -> list[list[list[float]]]:
    return [path.tolist() for each in axes.collections for path in each.get_segments()]


def test_moves_point_where_they_go_and_have_intervals_and_shares_beside_them() -> None:
    rows = [MoveRow("one", "blue", 0.2, 0.5, 0.4, 0.6), MoveRow("other", "blue", 0.9, 0.3)]
    shared = [ShareRow(move, part, share) for move, part, share in (("other", "S", -0.6), ("one", "hits", 0.1))]
    shared.append(ShareRow("one", "S", 0.2))
    figure = move_chart(rows, "Title", shared)
    arrows, bars = figure.axes
    heads = {line.get_marker(): line.get_xdata()[0] for line in arrows.lines if line.get_marker() in "<>"}
    assert heads == {">": 0.5, "<": 0.3}
    assert segments(arrows) == [[[0.4, 0], [0.6, 0]]]
    by_colour = {part.get_label(): part.get_facecolor() for part in figure.legends[0].get_patches()}
    drawn = {(round(bar.get_y() + bar.get_height() / 2), bar.get_facecolor()): bar.get_width() for bar in bars.patches}
    assert drawn == {(0, by_colour["S"]): 0.2, (0, by_colour["hits"]): 0.1, (1, by_colour["S"]): -0.6}
    tops = [bar.get_y() for bar in bars.patches if bar.get_y() < 0.5]
    assert [bar.get_width() for bar in bars.patches if bar.get_y() == min(tops)] == [0.2]  # S is first of the parts


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_labels_of_moves_have_room_and_what_rounds_to_nothing_has_no_number(width: float) -> None:
    plans = "shoot; shoot against sally; smoke; smoke against sally"
    rows = [
        MoveRow(f"{name}, {plans}: broken", "blue", 0.2, 0.5) for name in ("farmhouse", "toll-house", "bunker-rush")
    ]
    shared = [ShareRow(row.label, part, share) for row in rows for part, share in (("S", 0.004), ("hits", -0.004))]
    figure = move_chart(rows, "Title", [*shared[:-1], ShareRow(rows[-1].label, "hits", 0.296)], width=width)
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    assert all(label.get_text().count("\n") > 1 for label in figure.axes[0].get_yticklabels())
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    assert [text.get_text() for text in figure.axes[1].texts] == ["+30"]


def test_intervals_of_rulings_are_drawn() -> None:
    rows = [RulingRow("blue", "ST-043", "Why?", "no", "yes", 0.7, 0.5, 0.4, 0.65)]
    ((start, end),) = segments(rulings_chart(rows).axes[0])
    assert (start[0], end[0]) == (0.4, 0.65)


def test_lines_are_one_only_where_they_are_exact_and_have_the_same_levels() -> None:
    def drawn(*others: LevelRow) -> int:
        rows = [LevelRow("one", "blue", x, x / 40, None, None) for x in (5, 10)]
        return len(sweep_chart([*rows, *others], factor="attackers").axes[0].lines)

    assert drawn(*(LevelRow("other", "green", x, x / 40, None, None) for x in (5, 10))) == 1
    assert drawn(*(LevelRow("other", "green", x, x / 40, 0.1, 0.3) for x in (5, 10))) == 2
    assert drawn(*(LevelRow("other", "green", x, y, None, None) for x, y in ((5, 0.125), (20, 0.25)))) == 2


def test_intervals_of_what_is_left_are_drawn() -> None:
    rows = [LeftRow("one", "blue", turn, left, left - 1, left + 2) for turn, left in enumerate((9.0, 5.0, 4.0))]
    (band,) = garrison_chart(rows).axes[0].collections
    corners = {(x, y) for x, y in band.get_paths()[0].vertices.tolist()}
    assert corners == {(row.turn, end) for row in rows for end in (row.low, row.high)}


# all of them, on a page and on a phone

LEVELS = [
    LevelRow(name, look, level, 0.04 * level * (n + 1) / 3, None, None)
    for n, (name, look) in enumerate(SETS.items())
    for level in (5, 10, 15, 20)
]
PLANES = [
    PlaneRow(name, look, x, y, x / (x + y), None, None)
    for name, look in SETS.items()
    for x, y in product(range(5, 21), range(4, 16))
]
MATRIX = [
    PlansRow(name, look, one, other, 0.5, 0.45, 0.56, "attackers and defenders")
    for name, look in SETS.items()
    for one, other in product(("storm", "demolish", "shoot", "smoke"), ("hold", "sally"))
]
QUESTION = "Is there a second round of blows in the opposing player's assault phase, and who strikes first in it?"
ON = plane(
    design([factor("attackers.models", "5..20"), factor("defenders.models", "4..15")], "farmhouse", ["storming"]),
    "p_captured",
    0.5,
)
DRAWN: dict[str, Callable[[float], Chart]] = {
    "garrison": lambda width: garrison_chart(
        [LeftRow(name, look, t, 12 - t * (n + 1) / 3) for n, (name, look) in enumerate(SETS.items()) for t in range(9)],
        caption="Exact. " * 12,
        width=width,
    ),
    "sweep": lambda width: sweep_chart(LEVELS, factor="attackers", caption="Exact. " * 12, width=width),
    "dots": lambda width: sweep_chart(
        [row._replace(level=f"level {row.level}") for row in LEVELS], factor="plan", caption="Exact.", width=width
    ),
    "plane": lambda width: plane_chart(
        PLANES,
        [ContourRow(name, look, 1, n, x, x) for name, look in SETS.items() for n, x in enumerate((5.0, 14.0))],
        ON,
        caption="Exact.",
        width=width,
    ),
    "matrix": lambda width: matrix_chart(
        MATRIX, [AlikeRow(name, "attackers", "smoke", "shoot") for name in SETS], caption="Sampled.", width=width
    ),
    "moves": lambda width: move_chart(
        [
            MoveRow(f"bunker-rush, smoke against sally {n}", "blue, dashed", 0.0, (n + 1) / 10, 0.0, 1.0)
            for n in range(10)
        ],
        "What a long house rule moves " * 4,
        [
            ShareRow(f"bunker-rush, smoke against sally {n}", part, n / 27 - 0.1)
            for n in range(10)
            for part in ("grenade.hits", "grenade.S", "second_round")
        ],
        caption="Sampled.",
        width=width,
    ),
    "versus": lambda width: versus_chart(
        [
            VersusRow(plan, defence, *(f"under {name}" for name in [*SETS][:2]), "purple", n / 10, 1 - n / 9, *apart)
            for n, (plan, defence, *apart) in enumerate(
                [("storm", "hold", -0.1, 0.1), ("demolish", "sally", None, None), ("smoke", "sally", -0.2, 0.1)]
            )
        ],
        caption="Exact. " * 12,
        width=width,
    ),
    "tornado": lambda width: tornado_chart(
        [
            SwingRow(name, look, 0.5, f"units.trooper-{n}.WS", "attackers", "3", *step, None, None)
            for name, look in (*SETS.items(), ("House", "blue, dashed"))
            for n in range(14)
            for step in (("down", "2", 0.3), ("up", "4", 0.7))
        ],
        caption="Exact. " * 12,
        width=width,
    ),
    "clear": lambda width: clear_chart(
        [
            ClearRow("blue", panel, line, n, n / 25, None, None)
            for panel in ("with their special weapons", "with ordinary weapons alone")
            for line in ("storm", "demolish only or shoot")
            for n in (5, 20)
        ],
        caption="Exact. " * 12,
        width=width,
    ),
    "choices": lambda width: choice_chart(
        [
            ChoiceRow(name, look, "attackers", turn, x, y, 0.1**n, plan, 0.2, 3 * 0.1**n)
            for name, look in SETS.items()
            for turn in range(1, 6)
            for n, (x, plan) in enumerate([(20, "demolish"), (9, "smoke"), (4, "storm"), (1, None)])
            for y in (12, 5, 0)
        ],
        caption="Exact. " * 12,
        width=width,
    ),
    "rulings": lambda width: rulings_chart(
        [RulingRow("blue", "ST-043", QUESTION, "no", "yes: " + QUESTION, 0.7, v, v, v) for v in (0.0, 0.99, 1.0)],
        width=width,
    ),
    "crossings": lambda width: crossings_chart(
        LEVELS,
        [CrossingRow(name, look, 10, 15, 0.2 * n, 0.5) for n, (name, look) in enumerate(SETS.items())],
        factor="attackers",
        target=0.5,
        caption="Exact.",
        width=width,
    ),
}


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_nothing_is_cut_off_or_stands_on_something_else(draw, width: float) -> None:
    figure = draw(width)
    assert_readable(figure)
    frame = [legend.get_window_extent() for legend in figure.legends]
    panels = [axes.get_tightbbox() for axes in figure.axes if axes.axison]
    whole = figure.bbox
    for box in [*frame, *panels]:  # those of panels hold all their words
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1
    for one, other in [*combinations(frame, 2), *product(frame, panels), *combinations(panels, 2)]:
        assert not one.padded(-1).overlaps(other)


def test_what_is_drawn_is_said_to_those_who_cannot_see_it() -> None:
    for draw in DRAWN.values():
        figure = draw(WIDE)
        assert figure.title
        assert figure.shows.startswith(figure.title.rstrip("."))
        assert len(figure.shows) > len(figure.title) + 100
    assert "attackers and defenders" in DRAWN["matrix"](WIDE).shows
    assert "grenade.S" in DRAWN["moves"](WIDE).shows


def test_more_moves_than_there_is_room_for_are_counted() -> None:
    rows = [MoveRow(f"game {n}", "blue", 0.2, 0.4) for n in range(30)]
    figure = move_chart(rows, "Title")
    assert figure.caption == "6 more that move are not drawn."
    assert len(figure.axes[0].get_yticks()) == 24


# the commands

COMMANDS = {
    "garrison": ["chart", "garrison", "{}", "--rules", "storming"],
    "sweep": ["sweep", "{}", "--vary", "attackers.models=8,14", "--rules", "storming", "--workers", "1"],
    "words": [
        "sweep",
        "{}",
        "--vary",
        "attackers.plan=storm,shoot",
        "--rules",
        "storming",
        "--response",
        "turns_mean",
        "--workers",
        "1",
    ],
    "two numbers": [
        "sweep",
        "{}",
        "--vary",
        "attackers.models=8,14",
        "--vary",
        "distance=8,10",
        "--rules",
        "storming",
        "--workers",
        "1",
    ],
    "plane": [
        "chart",
        "plane",
        "{}",
        "--vary",
        "attackers.models=8,14",
        "--vary",
        "distance=8,10",
        "--rules",
        "storming",
        "--workers",
        "1",
    ],
    "matrix": ["chart", "matrix", "{}", "--rules", "storming", "--workers", "1"],
    "rulings": ["chart", "rulings", "{}", "--workers", "1"],
    "best": ["best", "{}", "--rules", "storming", "--defence", "hold"],
    "solve": ["solve", "{}", "--vary", "building.doors", "--rules", "storming", "--play", "best"],
    "versus": ["versus", "storming", "gw_updated", "--scenario", "{}", "--workers", "1"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_commands_draw_and_write_their_rows(skirmish: str, tmp_path: Path, capsys, command: list[str]) -> None:
    file, rows = tmp_path / "it.svg", tmp_path / "it.csv"
    asked = [part.format(skirmish) for part in command]
    assert run([*asked, "--out" if "chart" in asked else "--chart", str(file), "--csv", str(rows)]) == 0
    assert capsys.readouterr().err.endswith(f"The chart: {file}\nThe rows: {rows}\n")
    assert file.read_text("utf-8").startswith("<svg")
    with rows.open(newline="") as lines:
        assert len([*csv.DictReader(lines)]) > 1


def test_a_chart_is_drawn_anew_for_a_phone(skirmish: str, tmp_path: Path, capsys) -> None:
    file, phone = tmp_path / "it.svg", tmp_path / "phone.svg"
    asked = ["chart", "ends", skirmish, "--rules", "storming", "--out", str(file)]
    assert run([*asked, "--phone", str(phone)]) == 0
    assert f"The chart for a phone: {phone}\n" in capsys.readouterr().err
    wide, narrow = (re.findall(r'viewBox="0 0 (\S+) ', one.read_text("utf-8")) for one in (file, phone))
    assert [float(points) for points in (*wide, *narrow)] == [72 * WIDE, 72 * PHONE]
    assert run([*asked, "--phone", str(tmp_path / "phone.docx")]) == 2
    assert "--phone cannot be" in capsys.readouterr().err
    assert run([*asked, "--phone", str(file)]) == 2
    assert "which the chart itself goes to" in capsys.readouterr().err


def test_the_picture_of_a_solution_is_what_solve_prints(skirmish: str, tmp_path: Path, capsys) -> None:
    asked = [skirmish, "--vary", "building.doors", "--rules", "storming", "--target", "0.3"]
    rows = tmp_path / "it.csv"
    assert run(["solve", *asked, "--json", "--chart", str(tmp_path / "it.png"), "--csv", str(rows)]) == 0
    (told,) = json.loads(capsys.readouterr().out)["solutions"]
    with rows.open(newline="") as lines:
        drawn = [(float(row["level"]), float(row["value"])) for row in csv.DictReader(lines)]
    assert drawn == [(level["level"], level["value"]) for level in told["levels"]]


def test_every_chart_has_an_example_for_the_gallery() -> None:
    commands = {name: [each.command.split()[1:3] for each in examples(name)] for name in chart_names()}
    drawn = {name: [one[0] if name in BESIDE else one[1] for one in each] for name, each in commands.items()}
    assert {"garrison", "sweep", "plane", "matrix", "receipt", "rulings", "solve", "best", "versus"} <= drawn.keys()
    assert all(some and {*some} == {name} for name, some in drawn.items())


def test_the_picture_of_a_receipt_is_drawn(skirmish: str, tmp_path: Path, capsys) -> None:
    rule, suite, file = (tmp_path / name for name in ("mine.toml", "suite.toml", "it.svg"))
    rule.write_text('base = "storming"\ntitle = "Mine"\n[tables.grenade]\nhits = "2D6"\nS = 6\n')
    suite.write_text(f'[[games]]\nscenario = "{skirmish}"\nplan = "smoke"\n')
    table = tmp_path / "it.csv"
    assert run(["receipt", str(rule), "--suite", str(suite), "--chart", str(file), "--csv", str(table)]) == 0
    with table.open(newline="") as lines:
        moves = [*csv.DictReader(lines)]
    assert {row["part"] for row in moves} == {"grenade.hits", "grenade.S"}
    for label in {row["label"] for row in moves}:
        own = [row for row in moves if row["label"] == label]
        assert sum(float(row["share"]) for row in own) == pytest.approx(float(own[0]["now"]) - float(own[0]["before"]))
    drawn = file.read_text("utf-8")
    assert "grenade.hits: D3 -&gt; 2D6" in drawn
    assert "ST-030" in drawn
    rule.write_text('base = "storming"\ntitle = "Mine"\n')
    file.unlink()
    assert run(["receipt", str(rule), "--suite", str(suite), "--chart", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "nothing to draw: no end of any assault moves by a point under Mine" in err
    assert "Mine changes nothing" in out
    assert not file.exists()


REFUSED = {
    "nothing varied": (["sweep"], "nothing is varied"),
    "two words": (["sweep", "--vary", "first=attackers,defenders", "--vary", "distance=8,9"], "got first, distance"),
    "three factors": (
        ["sweep", *(f"--vary={key}=2,3" for key in ("turns", "distance", "building.doors"))],
        "got turns",
    ),
    "one level": (["sweep", "--vary", "turns=2"], "got scenario=farmhouse, turns=2"),
    "no plane": (["chart", "plane", "--vary", "turns=2,3"], "two factors"),
    "no response": (["sweep", "--vary", "turns=2,3", "--response", "p_won"], 'there is no response "p_won"'),
    "no aim": (["chart", "matrix", "--response", "turns_mean"], "turns_mean is not what a side plans for"),
    "no key": (["solve", "--vary", "wizards"], "has no wizards"),
    "no scenario": (["chart", "garrison", "castle"], "castle"),
    "no base": (["receipt", "storming"], "has no base"),
    "no rules": (["chart", "rulings", "--rules", "chess"], "chess"),
    "no choice": (
        ["best", "--side", "defenders", "--defence", "hold"],
        "no choice is left to a garrison that keeps to hold",
    ),
    "no such target": (["solve", "--vary", "turns", "--target", "7"], "expected a chance"),
    "no difference": (["versus", "storming", "gemini", "--response", "p_won"], 'no difference is known of "p_won"'),
    "no line": (["solve", "--any", "--rules", "storming"], "no line is drawn"),
    "no ranges": (["sensitivity", "--vary", "turns=2,3"], "a chart is drawn of single steps"),
}


@pytest.mark.parametrize(("asked", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused_with_the_reason(tmp_path: Path, capsys, asked: list[str], why: str) -> None:
    file = tmp_path / "it.svg"
    assert run([*asked, "--out" if "chart" in asked else "--chart", str(file)]) == 2
    out, err = capsys.readouterr()
    assert why in err
    assert out == ""
    assert not file.exists()


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("receipt", "casemate receipt FILE --chart receipt.svg"),
        ("receipt mine.toml --out it.png --csv it.csv", "casemate receipt mine.toml --chart it.png --csv it.csv"),
        ("solve --vary turns --out=it.png", "casemate solve --vary turns --chart=it.png"),
        ("receipt --out it.png", "casemate receipt FILE --chart it.png"),
        ("solve bastion", "casemate solve bastion --vary KEY --chart solve.svg"),
        ("sensitivity bastion", "casemate sensitivity bastion --chart sensitivity.svg"),
        ("sweep", "casemate sweep --vary KEY=LEVELS --chart sweep.svg"),
        ("best", "casemate best --rules storming --chart best.svg"),
        ("versus --out it.png", "casemate versus A B --chart it.png"),
        ("versus storming gemini", "casemate versus storming gemini --chart versus.svg"),
    ],
)
def test_what_a_chart_is_called_that_comes_with_its_answer(capsys, typed: str, instead: str) -> None:
    assert run(["chart", *typed.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"casemate: this chart comes with its answer; type {instead}\n")
    assert run(["chart", "--list"]) == 0
    assert f"(casemate {typed.split()[0]} " in " ".join(capsys.readouterr().out.split())


def test_a_side_is_drawn_with_a_chart_alone(capsys) -> None:
    assert run(["best", "--side", "defenders"]) == 2
    assert "--side is about the chart, and none is drawn" in capsys.readouterr().err


UNCHARTED = {
    "no chart for a phone": (["--phone", "it.svg"], "--phone is about the chart, and none is drawn"),
    "no chart of rows": (["--csv", "it.csv"], "--csv is about the chart, and none is drawn"),
    "no picture": (["--chart", "it.docx"], '--chart cannot be "it.docx"; expected a file ending in .svg, .png or .pdf'),
    "no folder": (["--chart", "nowhere/it.svg"], 'cannot be written: there is no folder "nowhere"'),
    "twice": (["--chart", "it.svg", "--phone", "it.svg"], "which the chart itself goes to"),
}


@pytest.mark.parametrize("command", ["receipt mine.toml", "solve --vary turns", "sensitivity", "sweep", "best"])
@pytest.mark.parametrize(("asked", "why"), UNCHARTED.values(), ids=UNCHARTED)
def test_a_chart_is_seen_to_be_possible_before_anything_is_played(
    tmp_path: Path, monkeypatch, capsys, command: str, asked: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text('base = "storming"\ntitle = "Mine"\n')
    monkeypatch.setattr("analysis.commands.options.Kept.opened", lambda _: pytest.fail("played"))
    monkeypatch.setattr("analysis.best_play.best.contest", lambda *_: pytest.fail("played"))
    command = "sweep --vary turns=2,3" if command == "sweep" else command
    assert run([*command.split(), *asked]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert why in err


def test_what_cannot_be_drawn_is_answered_all_the_same(skirmish: str, tmp_path: Path, capsys) -> None:
    """From afar no plan is better than another in one turn."""
    file, far = tmp_path / "it.svg", tmp_path / "far.toml"
    far.write_text(f'base = "{skirmish}"\ntitle = "Far"\ndistance = 48\nturns = 1\n')
    assert run(["best", str(far), "--rules", "storming", "--chart", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "Far, if both sides play" in out
    why = "under Storming buildings no choice is worth a tenth of a point"
    assert err == f"casemate: there is nothing to draw: {why}\n"
    assert not file.exists()


def test_a_chart_of_sampled_numbers_never_says_exact(skirmish: str, tmp_path: Path) -> None:
    how = ["--engine", "sampled", "--trials", "200", "--rules", "storming", "--no-store", "--workers", "1"]
    for n, asked in enumerate(
        (["sweep", skirmish, "--vary", "turns=2,3"], ["chart", "matrix", skirmish], ["chart", "rulings", skirmish])
    ):
        file = tmp_path / f"{n}.svg"
        assert run([*asked, *how, "--out" if "chart" in asked else "--chart", str(file)]) == 0
        said = file.read_text("utf-8")
        assert "200 assaults" in said
        assert "exact" not in said.lower().replace("exactly", "")


def test_scales_of_responses_are_those_of_their_words() -> None:
    assert all(response_words(name).startswith("games in which") is (scale(name) == 100) for name in NAMES)


def test_how_it_is_computed_does_not_change_what_exact_rows_say(skirmish: str) -> None:
    of = design([factor("attackers.models", [8, 14])], skirmish, ["storming"])
    one, other = (answer_rows(of, [*answers(of, how)], "p_captured") for how in (How(), How("exact")))
    assert one == other
    assert decisions.between(CrossingRow("a", "blue", "D3", "D6", 0.5, 0.5)) == "D3 to D6"

"""Realm of Chaos: the sections of a building, who stands in them, and who steps where; all worked by hand."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from analysis.told.fields import with_given
from sims.assault import End
from sims.engines import solve
from sims.errors import CasemateError
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos import shooting
from sims.rulesets.realm_of_chaos.deployment import deployed
from sims.rulesets.realm_of_chaos.inside import fight, movement, rout
from sims.rulesets.realm_of_chaos.inside.orders import threatened
from sims.rulesets.realm_of_chaos.inside.steps import after, climbed, stepping_out, steps_towards
from sims.rulesets.realm_of_chaos.layout import in_words, letter
from sims.rulesets.realm_of_chaos.outside import sally
from sims.rulesets.realm_of_chaos.sections import FAR, Column, Plan, Section, everybody
from sims.rulesets.realm_of_chaos.setting import able, set_up
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, LEVEL, Scene
from sims.scenario import Scenario, build, load_scenario
from tests.rulesets.judging import share
from tests.rulesets.realm_of_chaos_cases import FOOTMAN, book, scenario
from tests.rulesets.realm_of_chaos_oracle import House
from tests.rulesets.realm_of_chaos_states import at, no_dice, outcomes, places, read, values, where

# The plan of a building.


def row(*heights: int, doors: tuple[int, ...] = (4,)) -> Plan:
    """Columns side by side, doors from the first on."""
    widths = (*doors, *(0 for _ in heights[len(doors) :]))
    columns = tuple(Column(levels, door, 4) for levels, door in zip(heights, widths, strict=True))
    n = len(heights)
    return Plan(tuple("ABCDEF"[:n]), columns, tuple(tuple(j for j in (i - 1, i + 1) if 0 <= j < n) for i in range(n)))


THREE = row(3, 3, 3)


def beside(plan: Plan, title: str) -> set[str]:
    return {plan.titles[i] for i in plan.neighbours[plan.titles.index(title)]}


def steps(plan: Plan, start: str, end: str) -> int:
    return int(plan.steps[plan.titles.index(start), plan.titles.index(end)])


def test_sections_are_named_column_by_column_from_the_ground_up():
    assert row(2, 1, 3).titles == ("A1", "A2", "B1", "C1", "C2", "C3")
    assert row(2, 1).sections == (Section(0, 1), Section(0, 2), Section(1, 1))
    assert row(2, 1, 3).ground == (0, 2, 3)
    assert [letter(n) for n in (0, 25, 26, 51, 52)] == ["A", "Z", "AA", "AZ", "BA"]


@pytest.mark.clause("RC-065")
@pytest.mark.parametrize(
    ("section", "near"),
    [
        ("B2", {"A2", "B1", "B3", "C2"}),
        ("A1", {"A2", "B1"}),
        ("C3", {"B3", "C2"}),
    ],
)
def test_sections_adjoin_above_below_and_on_their_level_and_never_diagonally(section, near):
    assert beside(THREE, section) == near


def test_a_higher_column_has_nothing_beside_its_upper_levels():
    assert (beside(row(1, 3), "B2"), beside(row(1, 3), "A1")) == ({"B1", "B3"}, {"B1"})
    assert [row(1, 3).above(i) for i in range(4)] == [None, 2, 3, None]


@pytest.mark.clause("RC-006")
def test_steps_are_counted_along_sections_that_adjoin():
    assert [steps(THREE, "A1", end) for end in ("A1", "A3", "B2", "C3")] == [0, 2, 2, 4]
    assert steps(row(2, 1, 2), "A2", "C2") == 4  # down, across the low column, and up again
    apart = replace(row(1, 1), beside=((), ()))
    assert steps(apart, "A1", "B1") == FAR


@pytest.mark.parametrize(
    ("plan", "held", "whole"),
    [
        (row(3), ("A1", "A3"), False),
        (row(3, 3), ("A1", "A2", "B2"), True),
        (row(3, 3), ("A1", "B2"), False),
        (row(3), (), True),
        (row(3), ("A2",), True),
        (row(1, 1, 1, doors=(4, 0, 4)), ("A1", "C1"), False),  # the outside is no section
    ],
)
@pytest.mark.clause("RC-010")
def test_a_unit_hangs_together_along_sections(plan, held, whole):
    there = [np.array([title in held]) for title in plan.titles]
    assert plan.hangs_together(there).tolist() == [whole]


def test_each_column_of_a_state_hangs_together_by_itself():
    """Of a tower A1 and A3, A1 and A2, A2, and A1."""
    held = [np.array(truths) > 0 for truths in ([1, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0])]
    assert row(3).hangs_together(held).tolist() == [False, True, True, True]


def test_columns_are_attacked_from_the_door_on_outwards():
    """The door is in B; beside it are A and C, and beside C is D."""
    plan = row(1, 2, 1, 2, doors=(0, 4))
    assert plan.fronts == (1, 0, 2, 3)
    assert [plan.titles[i] for i in plan.entries] == ["B1"]
    assert dict(zip(plan.titles, plan.depths, strict=True)) == {"A1": 1, "B1": 0, "B2": 1, "C1": 1, "D1": 2, "D2": 3}
    assert [plan.titles[i] for i in plan.inwards] == ["B1", "A1", "B2", "C1", "D1", "D2"]


def test_a_building_without_a_door_is_entered_nowhere_and_reckoned_from_its_first_column():
    plan = row(2, 2, doors=())
    assert (plan.doors, plan.entries, plan.fronts, plan.depths) == ((), (0,), (0, 1), (0, 1, 1, 2))


def test_sections_are_filled_from_the_top_so_that_they_hang_together():
    """D3 is as high as A3, but farther from the door of A; from A3 only A2 can be reached, and so on down and across."""
    plan = row(3, 1, 1, 3)
    assert [plan.titles[i] for i in plan.from_the_top] == ["A3", "A2", "A1", "B1", "C1", "D1", "D2", "D3"]


# A building as a file has it.


TEXT = """
title = "Example"
distance = 8
turns = 3
first = "attackers"
[building]
title = "House"
archetype = "house"
footprint = [8, 4]
material = "wood"
capacity = 60
firing_inches = 8
{building}
[attackers]
unit = "trooper"
models = 4
weapon = "rifle"
plan = "storm"
[defenders]
unit = "trooper"
models = {models}
weapon = "rifle"
{defenders}
"""
TWO = """
realm_of_chaos.columns.hall = { levels = ["stone", "wood"], beside = ["tower"], doors = ["barn", "single"], inches = 6 }
realm_of_chaos.columns.tower = { levels = ["brick", "brick", "wattle"], beside = ["hall"] }
"""


def game(building: str, models: int = 4, defenders: str = "") -> Scenario:
    text = TEXT.format(building=building.strip(), models=models, defenders=defenders)
    return build(parse("own.toml", text), "own")


def scene_of(building: str, models: int = 4, defenders: str = "") -> Scene:
    return set_up(game(building, models, defenders), rule_set("realm_of_chaos").book)


@pytest.mark.clause("RC-002")
def test_columns_are_given_with_their_levels_doors_and_inches():
    """A barn door lets twelve pass, a single one four; six inches let six shoot, and four if nothing is said."""
    plan = scene_of(TWO).plan
    assert plan.names == ("hall", "tower")
    assert plan.columns == (Column(2, 16, 6), Column(3, 0, 4))
    assert plan.beside == ((1,), (0,))
    assert plan.titles == ("hall1", "hall2", "tower1", "tower2", "tower3")
    assert in_words(plan) == "5 sections in 2 columns"


@pytest.mark.parametrize(
    ("doors", "walls"), [(('["single"]', "[]"), "stone"), (("[]", '["single"]'), "wood"), (("[]", "[]"), "stone")]
)
def test_the_walls_are_those_of_the_ground_section_that_is_attacked_first(doors, walls):
    """The hall of stone, or the tower of wood, where there is a door; the first column if there is none."""
    text = """
realm_of_chaos.columns.hall = {{ levels = ["stone"], beside = ["tower"], doors = {} }}
realm_of_chaos.columns.tower = {{ levels = ["wood", "wattle"], beside = ["hall"], doors = {} }}
"""
    assert scene_of(text.format(*doors)).walls == walls


def test_a_row_of_sections_has_its_doors_in_the_first_and_the_inches_shared_out():
    plan = scene_of("levels = 2\ndoors = 2").plan
    assert plan.columns == (Column(2, 8, 4), Column(2, 0, 4))
    assert (plan.names, plan.beside, in_words(plan)) == (("A", "B"), ((1,), (0,)), "2 sections on each of 2 levels")


def column(name: str, beside: str = "", levels: str = '"wood"', more: str = "") -> str:
    near = ", ".join(f'"{other}"' for other in beside.split())
    return f"realm_of_chaos.columns.{name} = {{ levels = [{levels}], beside = [{near}]{more} }}\n"


@pytest.mark.parametrize(
    ("building", "said"),
    [
        (
            column("hall", "tower") + column("tower", "hall") + column("barn"),
            "barn cannot be reached from hall; expected one building",
        ),
        (
            column("a", "b") + column("b", "a") + column("c", "d") + column("d", "c"),
            "c and d cannot be reached from a; expected one building",
        ),
        (
            "".join(
                column(name, near, ", ".join(['"wood"'] * 6))
                for name, near in zip("abcdefg", ("b", "a c", "b d", "c e", "d f", "e g", "f"), strict=True)
            ),
            "expected at most 36 sections, got 42",
        ),
        (column("hall") + "realm_of_chaos.levels = 2\n", "expected levels or columns, got both"),
    ],
)
def test_what_is_wrong_with_columns_is_said(building, said):
    with pytest.raises(CasemateError) as error:
        game(building)
    assert "own.toml, line 13: building.realm_of_chaos.columns" in str(error.value)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("building", "said"),
    [
        (column("hall") + column("tower", "hal"), 'unknown column "hal"; did you mean "hall"?'),
        (column("hall") + column("tower", "towre"), 'unknown column "towre"; expected one of hall'),
        (column("hall") + column("tower", "tower"), "expected other columns, got tower itself"),
        (column("hall") + column("tower", "hall"), "expected tower in beside of hall too, or hall here not"),
    ],
)
def test_what_is_wrong_beside_a_column_is_said_in_its_line(building, said):
    with pytest.raises(CasemateError) as error:
        game(building)
    assert str(error.value) == f"own.toml, line 14: building.realm_of_chaos.columns.tower.beside: {said}"


@pytest.mark.parametrize(
    ("building", "key", "said"),
    [
        (column("hall", levels=""), "hall.levels", "expected 1 or more items"),
        (column("hall", levels=", ".join(['"wood"'] * 7)), "hall.levels", "at most 6"),
        (column("hall", levels='"wood", "glass"'), "hall.levels", "glass"),
        (column("hall", more=', doors = ["wide"]'), "hall.doors", "wide"),
        (column("hall", more=", inches = 61"), "hall.inches", "less than or equal to 60, got 61"),
        (column("hall", more=", inches = -1"), "hall.inches", "greater than or equal to 0, got -1"),
        (column("hall", more=", windows = 2"), "hall.windows", "unknown key"),
        (column("hall", levels='"stoen"'), "hall.levels", 'did you mean "stone"?'),
        (column("hall", more=', doors = ["dobule"]'), "hall.doors", 'did you mean "double"?'),
        (
            column("hall", more=", ceiling = 0"),
            "hall.ceiling",
            "greater than or equal to 1 or a list in brackets, got 0",
        ),
        (column("hall", more=", ceiling = [8, 61]"), "hall.ceiling", "less than or equal to 60, got 61"),
        ("realm_of_chaos.columns.hall = { beside = [] }", "hall.levels", "missing"),
    ],
)
def test_what_is_wrong_with_a_column_is_said_where_it_stands(building, key, said):
    with pytest.raises(CasemateError) as error:
        game(building)
    assert f"own.toml, line 13: building.realm_of_chaos.columns.{key}" in str(error.value)
    assert said in str(error.value)


def test_there_is_a_ceiling_for_all_levels_or_for_each():
    """In feet; without any who is over 10 feet goes in nowhere."""

    def hall(ceiling: str) -> str:
        return column("hall", "barn", '"wood", "wood"', f", ceiling = {ceiling}") + column("barn", "hall")

    assert scene_of(hall("[12, 9]")).plan.ceilings == (12, 9, None)
    assert scene_of(hall("12")).plan.ceilings == (12, 12, None)
    with pytest.raises(
        CasemateError, match=r"columns\.hall\.ceiling: expected one ceiling, or 2, one for each level; got 3"
    ):
        game(hall("[12, 9, 9]"))


@pytest.mark.clause("RC-005")
def test_who_is_over_ten_feet_is_counted_apart_and_goes_where_he_fits():
    """An ogre of 12 feet takes the room of two; the second storey of the watchtower is too low for him."""
    own = rule_set("realm_of_chaos").assault(load_scenario("watchtower")).scene
    men, ogres = own.parties["attackers"]
    assert (men.groups, ogres.groups, ogres.plan.closed, ogres.places) == ((1,), (0,), {1}, (2, 2, 2, 2))
    assert [beside(ogres.plan, title) for title in ("A1", "A3")] == [set(), {"A4"}]
    stoops = replace(rule_set("realm_of_chaos"), book=book(rulings={"tall_places": "stooping"}))
    _, ogres = stoops.assault(load_scenario("watchtower")).scene.parties["attackers"]
    assert (ogres.plan.closed, ogres.places) == (set(), (1, 2, 1, 1))


OGRES = [{"unit": "ogre", "weapon": "longbow", "count": 2}]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"units.ogre.fantasy.height": 61}, "units.ogre.fantasy.height: expected less than or equal to 60, got 61"),
        ({"units.ogre.fantasy.height": 0}, "units.ogre.fantasy.height: expected greater than or equal to 1, got 0"),
        (
            {"units.man-at-arms.fantasy.height": 11},
            "attackers: expected all attackers over 10 feet to be as tall as one another, got 11 and 12 feet",
        ),
        (
            {"units.footman.fantasy.height": 15, "building.realm_of_chaos.ceiling": 14},
            "defenders.deployment: expected room for all 10 defenders (RC-003, RC-005), got 10 who find none; those over "
            "10 feet do not fit in at a door",
        ),
        (
            {"units.footman.fantasy.height": 25, "building.realm_of_chaos.ceiling": [30, 30, 8, 30]},
            "defenders.deployment: expected room for all 10 defenders (RC-003, RC-005), got 2 who find none; those over "
            "10 feet come first, get in as far as A1, A2, and count as 3 models each",
        ),
        (
            {
                "defenders.specials": OGRES,
                "defenders.deployment": "top",
                "building.realm_of_chaos.ceiling": [14, 8, 8, 8],
            },
            "defenders.deployment: expected an unbroken chain of neighbouring sections (RC-010), got models in A1 and A4; "
            "those over 10 feet come first, get in as far as A1, and count as 2 models each",
        ),
    ],
)
def test_what_is_wrong_with_heights_is_said(changes, said):
    with pytest.raises(CasemateError) as error:
        rule_set("realm_of_chaos").assault(load_scenario("watchtower", changes))
    assert said in str(error.value)


def test_the_translation_says_who_is_over_ten_feet():
    told = rule_set("realm_of_chaos").assault(load_scenario("watchtower")).translation["Way in"]
    assert told.endswith(
        "; Ogres, over 10 feet, count as 2 models each wherever models are counted by section, and do not fit into A2"
    )


def test_heights_and_ceilings_move_an_answer():
    """Four find room in a section, of whom an ogre is two; least is taken where he cannot go on."""
    high = {"building.realm_of_chaos.ceiling": 14}
    small = {"units.ogre.fantasy.height": 10}
    taken = []
    for changes, rulings in (({}, {}), (high, {}), (small, {}), ({}, {"tall_places": "stooping"})):
        rules = replace(rule_set("realm_of_chaos"), book=book(House(room=4, unsafe_room=4), rulings))
        taken.append(share(solve(rules.assault(load_scenario("watchtower", changes))), End.CAPTURED))
    assert len({round(float(chance), 6) for chance in taken}) == 4
    assert taken[0] == min(taken)


def test_a_position_has_at_least_as_many_attackers_in_a_section_as_ogres_and_none_where_they_do_not_fit():
    assault = rule_set("realm_of_chaos").assault(load_scenario("watchtower"))
    given = {f"very tall attackers in {section}": 2 for section in ("A1", "A2")}
    for there in (0, 1, 3):
        state = with_given(assault, assault.start, given | {"attackers in A1": there, "attackers in A2": 2})
        men, ogres = assault.scene.counted(state, "attackers")
        assert int(state.inside[0].item()) == max(there, 2)
        assert [int(n.item()) for n in ogres] == [2, 0, 0, 0]
        assert all((n >= 0).all() for n in men)


def test_a_position_says_whether_a_column_stands():
    assault = rule_set("realm_of_chaos").assault(load_scenario("watchtower"))
    for fallen, stands in ((False, 1), (True, 0)):
        state = with_given(assault, assault.start, {"column A has fallen": fallen})
        assert state.stands[0].item() == stands


def test_a_position_has_the_tall_of_a_garrison_where_they_fit_and_find_room():
    """Of two ogres and ten men, one ogre and nine men are left, of whom three in all are in the open."""
    changes = {"defenders.specials": OGRES, "defenders.models": 12}
    assault = rule_set("realm_of_chaos").assault(load_scenario("watchtower", changes))
    scene, begins = assault.scene, assault.start
    assert [[int(n.item()) for n in own] for own in scene.counted(begins, "defenders")] == [[8, 2, 0, 0], [2, 0, 0, 0]]
    out = begins.replace(out=np.array([3]))
    state = scene.with_standing(out, "defenders", ogres_and_men(1, 9))
    men, ogres = ([int(n.item()) for n in own] for own in scene.counted(state, "defenders"))
    assert (int(state.out.item()), men, ogres) == (3, [6, 0, 0, 0], [1, 0, 0, 0])
    assert [int(n.item()) for n in scene.outside(state, "defenders")] == [0, 3]


def ogres_and_men(*n: int) -> tuple[Any, ...]:
    return tuple(np.array([each]) for each in n)


def test_only_those_who_fit_are_a_threat_or_take_a_building():
    """Nobody of two ogres fits in at a low door: they drive no garrison upstairs, and capture nothing."""
    low = {"building.realm_of_chaos.ceiling": 8, "attackers.models": 3}
    assault = rule_set("realm_of_chaos").assault(load_scenario("watchtower", low))
    start = assault.scene.with_standing(assault.start.replace(distance=np.array([0])), "attackers", ogres_and_men(2, 0))
    assert not threatened(start, assault.scene, 0).any()
    assert int(able(start, assault.scene, (0, 1)).item()) == 0
    emptied = assault.scene.with_standing(start, "defenders", (np.array([0]),))
    assert End(int(assault.end(emptied, assault.scene).item())) == End.GOING_ON
    one = assault.scene.with_standing(start, "attackers", ogres_and_men(2, 1))
    assert threatened(one, assault.scene, 0).all()
    emptied = assault.scene.with_standing(one, "defenders", (np.array([0]),))
    assert End(int(assault.end(emptied, assault.scene).item())) == End.CAPTURED


def test_as_many_sections_as_there_may_be_are_played():
    six = [
        column(f"c{i}", " ".join(f"c{j}" for j in (i - 1, i + 1) if 0 <= j < 6), ", ".join(['"wood"'] * 6))
        for i in range(6)
    ]
    assert len(scene_of("".join(six)).plan.sections) == 36


# Where the garrison stands at the start.


HALL = """
realm_of_chaos.columns.A = { levels = ["wood", "wood"], beside = ["B"], doors = ["single"] }
realm_of_chaos.columns.B = { levels = ["wood", "wood", "wood"], beside = ["A", "C"] }
realm_of_chaos.columns.C = { levels = ["wood"], beside = ["B"], doors = ["single"] }
"""
"""Steps to a door: A1 and C1 none, A2 and B1 one, B2 two, B3 three."""


@pytest.mark.parametrize(
    ("deployment", "models", "expected"),
    [
        (None, 8, {"A1": 2, "A2": 2, "B1": 1, "B2": 1, "B3": 1, "C1": 1}),
        ("spread", 6, {"A1": 1, "A2": 1, "B1": 1, "B2": 1, "B3": 1, "C1": 1}),
        ("spread", 3, {"A1": 1, "A2": 1, "B1": 1}),
        ("doors", 40, {"A1": 12, "C1": 12, "A2": 12, "B1": 4}),
        ("gives ground", 37, {"A1": 12, "C1": 12, "A2": 12, "B1": 1}),
        ("top", 30, {"B3": 12, "B2": 12, "A2": 6}),
        ("top", 40, {"B3": 12, "B2": 12, "A2": 12, "A1": 4}),
        (3, 11, {"A1": 2, "C1": 1, "A2": 2, "B1": 2, "B2": 2, "B3": 2}),
        (0, 5, {"A2": 2, "B1": 1, "B2": 1, "B3": 1}),
        (30, 30, {"A1": 12, "C1": 12, "A2": 2, "B1": 2, "B2": 1, "B3": 1}),
        (0, 50, {"A1": 1, "C1": 1, "A2": 12, "B1": 12, "B2": 12, "B3": 12}),
        ({"A1": 3, "B1": 1}, 4, {"A1": 3, "B1": 1}),
        ({"B3": 2, "B2": 2, "A1": 0}, 4, {"B2": 2, "B3": 2}),
    ],
)
@pytest.mark.clause("RC-003")
def test_where_the_garrison_stands(deployment, models, expected):
    own = scene_of(HALL, models, given(deployment))
    assert where(own, places(own, expected)) == expected
    assert dict(zip(own.plan.titles, *deployed(own), strict=True)) == dict.fromkeys(own.plan.titles, 0) | expected


LOFT = """
realm_of_chaos.columns.A = { levels = ["wood", "wood"], beside = ["B"], doors = ["single"], ceiling = [12, 8] }
realm_of_chaos.columns.B = { levels = ["wood", "wood"], beside = ["A"], ceiling = 12 }
"""


@pytest.mark.parametrize(
    ("deployment", "expected"),
    [
        ("spread", {"A1": (1, 1), "A2": (0, 2), "B1": (1, 1), "B2": (1, 0)}),
        ("doors", {"A1": (2, 0), "A2": (0, 4), "B1": (1, 0), "B2": (0, 0)}),
        ("top", {"A1": (1, 0), "A2": (0, 4), "B1": (0, 0), "B2": (2, 0)}),
        (2, {"A1": (2, 0), "A2": (0, 2), "B1": (1, 1), "B2": (0, 1)}),
        ({"A1": 1, "A2": 2, "B1": 1, "B2": 3}, {"A1": (1, 0), "A2": (0, 2), "B1": (1, 0), "B2": (1, 2)}),
    ],
)
@pytest.mark.clause("RC-005")
def test_where_the_tall_of_a_garrison_stand(deployment, expected):
    """Three ogres, then four men, of whom a section has room for four; an ogre is two of them, and too tall for A2."""
    ogres = 'specials = [{ unit = "ogre", weapon = "rifle", count = 3 }]'
    own = set_up(game(LOFT, 7, f"{ogres}\n{given(deployment)}"), book(House(room=4)))
    men, tall = deployed(own)
    assert dict(zip(own.plan.titles, zip(tall, men, strict=True), strict=True)) == expected


def given(deployment: Any) -> str:
    """As a file has it."""
    if isinstance(deployment, dict):
        posts = ", ".join(f"{section} = {n}" for section, n in deployment.items())
        return f"deployment = {{ {posts} }}"
    quote = '"' * isinstance(deployment, str)
    return "" if deployment is None else f"deployment = {quote}{deployment}{quote}"


def test_without_a_door_the_ground_section_of_the_front_counts_as_the_one_with_a_door():
    blind = scene_of("levels = 2", 14, 'deployment = "doors"')
    assert dict(zip(blind.plan.titles, *deployed(blind), strict=True)) == {"A1": 12, "A2": 2, "B1": 0, "B2": 0}


@pytest.mark.parametrize(
    ("posts", "key", "said"),
    [
        ({"A1": 3, "B4": 1}, ".B4", 'unknown section "B4"; expected one of A1, A2, B1, B2, B3, C1'),
        ({"A1": 13}, ".A1", "expected at most 12 models in a section (RC-003), got 13"),
        ({"A1": 3}, "", "expected 4, the models of the garrison, got 3"),
        ({"A1": 3, "A2": 2}, "", "expected 4, the models of the garrison, got 5"),
        (
            {"A1": 2, "B2": 2},
            "",
            "expected an unbroken chain of neighbouring sections (RC-010), got models in A1 and B2",
        ),
        (
            {"A1": 2, "C1": 2},
            "",
            "expected an unbroken chain of neighbouring sections (RC-010), got models in A1 and C1",
        ),
        ("doors", "", "expected an unbroken chain of neighbouring sections (RC-010), got models in A1 and C1"),
        ("gives ground", "", "expected an unbroken chain of neighbouring sections (RC-010), got models in A1 and C1"),
        (9, "", "expected an unbroken chain of neighbouring sections (RC-010), got models in A1 and C1"),
    ],
)
@pytest.mark.clause("RC-010")
def test_what_is_wrong_with_a_deployment_is_said_where_it_stands(posts, key, said):
    models = 13 if posts == {"A1": 13} else 4
    wrong = game(HALL, models, given(posts))
    with pytest.raises(CasemateError) as error:
        set_up(wrong, rule_set("realm_of_chaos").book)
    assert f"defenders.deployment{key}: {said}" in str(error.value)
    assert "own.toml, line " in str(error.value)


def test_a_section_that_is_misspelt_is_named():
    with pytest.raises(
        CasemateError, match=r'defenders.deployment.hal1: unknown section "hal1"; did you mean "hall1"\?'
    ):
        scene_of(TWO, 4, given({"hal1": 4}))


def test_more_than_all_sections_hold_are_refused():
    said = r"House holds 24 models .* 2 sections on each of 1 level \(RC-003\); got 25"
    with pytest.raises(CasemateError, match=said):
        scene_of("", 25)


@pytest.mark.parametrize("deployment", ['"dors"', "-1", '{ A1 = "two" }'])
def test_a_deployment_that_is_none_is_refused(deployment):
    with pytest.raises(CasemateError, match=r"defenders\.deployment"):
        game(HALL, 4, f"deployment = {deployment}")


# Steps.


def numbers(plan: Plan, **sections: int) -> tuple[Any, ...]:
    return tuple(np.array([sections.get(title, 0)]) for title in plan.titles)


def gone(plan: Plan, goal: set[str], room: dict[str, int], there: dict[str, int]) -> dict[str, int]:
    """Where models are after their steps towards a goal."""
    held, own = numbers(plan, **there), everybody(plan, 1)
    (moves,) = steps_towards([own], [np.array([t in goal]) for t in plan.titles], numbers(plan, **room), [held])
    return {title: int(n.item()) for title, n in zip(plan.titles, after(held, moves), strict=True) if n.item()}


TALL = row(3, 3)


@pytest.mark.clause("RC-006", "RC-009")
@pytest.mark.parametrize(
    ("goal", "room", "there", "expected"),
    [
        ({"A1"}, {"A1": 5, "A2": 0}, {"A2": 12, "A3": 3}, {"A1": 5, "A2": 10}),  # who is nearer makes room first
        ({"A1"}, {"A1": 12, "A2": 1, "B1": 5}, {"B2": 4}, {"A2": 1, "B1": 3}),  # two ways: the first one is filled
        ({"A1"}, {"A1": 12, "A2": 0, "B1": 0}, {"B2": 4}, {"B2": 4}),
        ({"A1", "A2"}, {"A1": 12, "A2": 12}, {"A2": 3, "A3": 2}, {"A2": 5}),  # nobody leaves a goal
        ({"A1", "B3"}, {"A1": 12, "A2": 12, "B2": 12, "B3": 12}, {"A2": 1, "B2": 1}, {"A1": 1, "B3": 1}),
        (set(), {"A1": 12}, {"A2": 3}, {"A2": 3}),
    ],
)
def test_each_steps_towards_the_nearest_goal_as_far_as_there_is_room(goal, room, there, expected):
    assert gone(TALL, goal, room, there) == expected


def test_who_steps_down_and_who_steps_up_are_weighed_against_each_other():
    """Three from A3 and two from A1 into A2, and four from B2 beside it."""
    moves = {(2, 1): np.array([3]), (0, 1): np.array([2]), (4, 1): np.array([4]), (1, 4): np.array([1])}
    assert [int(climbed(TALL, moves, section).item()) for section in (1, 4, 0)] == [1, 0, 0]
    assert [int(stepping_out(moves, section).item()) for section in range(6)] == [2, 1, 3, 0, 4, 0]


# Where the two sides go.

TOWER = column("A", levels='"wood", "wood", "wood"', more=', doors = ["single"]')
LONG = "".join(
    column(name, near, more=', doors = ["single"]' * (name == "A"))
    for name, near in zip("ABCDE", ("B", "A C", "B D", "C E", "D"), strict=True)
)
SQUARE = "".join(
    column(name, near, '"wood", "wood", "wood"', ', doors = ["single"]' * (name == "A"))
    for name, near in zip("AB", "BA", strict=True)
)


def stepped(building: str, deployment: Any, garrison: dict[str, int], inside: dict[str, int], **others: Any):
    """Where the garrison is after its steps, in sections that room for twelve each."""
    own = set_up(game(building, 12, given(deployment)), rule_set("realm_of_chaos").book)
    state = at(own, garrison=garrison, inside=inside, **{"distance": 60, **others})
    return where(own, movement.step(no_dice(), state, own).garrison)


@pytest.mark.clause("RC-010")
def test_one_is_held_back_in_each_section_where_a_unit_would_be_torn_apart():
    """All from B1 go to A1, all from C1 to B1 and all from D1 to E1, which is apart: so one of each stays."""
    enemies = {"A1": 1, "E1": 1}
    after = stepped(LONG, "spread", {"B1": 4, "C1": 4, "D1": 4}, enemies)
    assert after == {"A1": 3, "B1": 4, "C1": 1, "D1": 1, "E1": 3}
    assert stepped(LONG, "spread", {"B1": 6, "C1": 6}, {"A1": 1}) == {"A1": 6, "B1": 6}


@pytest.mark.parametrize(
    ("deployment", "garrison", "inside", "expected"),
    [
        (None, {"A2": 2, "B1": 2}, {}, {"A2": 2, "B1": 2}),
        (5, {"A2": 2, "B1": 2}, {}, {"A2": 2, "B1": 2}),
        (None, {"A2": 2, "B2": 2}, {"A1": 1}, {"A1": 2, "A2": 2}),
        ("doors", {"A2": 2, "B1": 12}, {}, {"A1": 12, "B1": 2}),
        ("doors", {"A2": 2, "B2": 1}, {"B3": 1}, {"A3": 2, "B3": 1}),
        ({"A2": 12}, {"A2": 2}, {"A1": 1}, {"A1": 2}),
    ],
)
def test_a_garrison_goes_for_attackers_inside_else_it_stands_or_keeps_the_doors(deployment, garrison, inside, expected):
    assert stepped(SQUARE, deployment, garrison, inside) == expected


@pytest.mark.parametrize(
    ("garrison", "inside", "expected"),
    [
        ({"A1": 2, "A2": 3}, {}, {"A2": 2, "A3": 3}),
        ({"A3": 3}, {"A2": 2}, {"A3": 3}),  # they wait for who comes up
        ({"A3": 3, "B3": 2}, {"B3": 1}, {"B3": 5}),  # they help where they fight
        ({"A3": 12, "B3": 2}, {"A3": 1}, {"A3": 12, "B3": 2}),  # no room
        ({"B1": 2}, {"B2": 1}, {"B1": 2}),  # nobody steps onto enemies whom he is not to charge
    ],
)
def test_a_garrison_at_the_top_leaves_it_only_to_help(garrison, inside, expected):
    assert stepped(SQUARE, "top", garrison, inside) == expected


@pytest.mark.parametrize(
    ("garrison", "inside", "others", "expected"),
    [
        ({"A2": 3}, {"A1": 2}, {}, {"A3": 3}),
        ({"B1": 3}, {"A1": 2}, {}, {"B2": 3}),
        ({"A2": 3, "A3": 10}, {"A1": 2}, {}, {"A2": 1, "A3": 12}),
        ({"A2": 3}, {"A1": 2, "A3": 1}, {}, {"A2": 3}),  # between enemies
        ({"A1": 2, "A2": 3}, {"A1": 2}, {}, {"A1": 2, "A2": 1, "A3": 2}),  # who fights stays, and one keeps in touch
        ({"A3": 3}, {"A2": 2}, {}, {"A3": 3}),  # the highest stand
        ({"A1": 4}, {}, {"distance": 8}, {"A2": 4}),  # a charge of twice four inches reaches the door
        ({"A1": 4, "B1": 2}, {}, {"distance": 8}, {"A1": 1, "A2": 3, "B1": 2}),  # B1 has none
        ({"A1": 4}, {}, {"distance": 9}, {"A1": 4}),
    ],
)
def test_a_garrison_that_gives_ground_goes_up_before_it_is_charged(garrison, inside, others, expected):
    assert stepped(SQUARE, "gives ground", garrison, inside, **others) == expected


def test_who_shoots_only_charges_nobody():
    own = set_up(replace(game(SQUARE, 4, given("gives ground")), plan="shoot"), rule_set("realm_of_chaos").book)
    state = at(own, garrison={"A1": 4}, distance=8)
    assert where(own, movement.step(no_dice(), state, own).garrison) == {"A1": 4}


@pytest.mark.clause("RC-051", "RC-052")
@pytest.mark.parametrize(
    ("field", "garrison", "inside", "expected"),
    [
        ("unsafe", {"A1": 10}, {}, {"A1": 6, "A2": 4}),
        # Four have to go: three of A2 step up to A3 to make room for those who find none, and no more than these.
        ("unsafe", {"A1": 10, "A2": 11}, {}, {"A1": 6, "A2": 12, "A3": 3}),
        ("unsafe", {"A1": 10, "A2": 11, "A3": 11}, {}, {"A1": 6, "A2": 12, "A3": 12, "B2": 2}),
        ("unsafe", {"A1": 10}, {"A1": 1}, {"A1": 10}),  # who fights stays
        # Four step aside, not onto enemies; of the six who may stay five charge these, and one keeps in touch.
        ("unsafe", {"A1": 10}, {"A2": 1}, {"A1": 1, "A2": 5, "B1": 4}),
        ("unstable", {"A1": 9}, {}, {"A1": 6, "A2": 3}),
        ("unstable", {"A1": 6}, {}, {"A1": 6}),
    ],
)
def test_who_is_too_many_for_a_shaken_section_steps_out_of_it(field, garrison, inside, expected):
    assert stepped(SQUARE, "spread", garrison, inside, **{field: 1}) == expected


@pytest.mark.parametrize(("field", "inside", "enter"), [("unsafe", {}, 3), ("unstable", {"A1": 2}, 1)])
def test_nobody_steps_into_a_section_that_is_too_weak_for_him(field, inside, enter):
    """Three are in A1, with room for six, and in an unstable one for six of both sides, of whom two are enemies."""
    found = stepped(SQUARE, "doors", {"A1": 3, "A2": 5}, inside, **{field: 1})
    assert found == {"A1": 3 + enter, "A2": 5 - enter}


def test_attackers_go_in_by_every_door_where_they_hang_together():
    """Four pass each; in A1 there is room for two. C1 is apart from it while nobody is in B1 (RC-010)."""
    own = scene_of(HALL)
    ours, theirs = {"A1": 4}, {"A1": 4, "B1": 1, "C1": 1}
    for inside, garrison, expected, outside in (
        ({}, ours, {"A1": 4}, 6),
        ({"A1": 10}, ours, {"A1": 12}, 8),
        ({"B2": 1}, {"A1": 4, "B2": 1}, {"B2": 1}, 10),  # in one section, apart from both doors
        ({"A1": 10, "B1": 1}, theirs, {"A1": 12, "B1": 1, "C1": 4}, 4),
        ({"C1": 1}, theirs, {"C1": 5}, 6),
        ({"A1": 1, "C1": 1}, theirs, {"A1": 5, "C1": 5}, 2),
    ):
        state = at(own, outside=10, inside=inside, garrison=garrison, distance=0)
        after = movement.enter(no_dice(), state, own)
        assert (where(own, after.inside), int(after.outside.item())) == (expected, outside)


def test_defenders_come_out_by_every_door():
    own = set_up(replace(game(HALL), defence="sally"), rule_set("realm_of_chaos").book)
    state = at(own, garrison={"A1": 6, "B1": 5, "C1": 3}, distance=4)
    after = sally.come_out(no_dice(), state, own)
    assert (where(own, after.garrison), int(after.out.item())) == ({"A1": 2, "B1": 5}, 7)
    on = movement.step(no_dice(), after, own)
    assert where(own, on.garrison) == {"A1": 7}


def test_the_leader_of_the_garrison_is_by_the_door_and_that_of_the_attackers_farthest_in():
    """The farmhouse: a machine gun comes before the others of the garrison; a leader, two flamers, a fusion gun, rifles."""
    own = set_up(load_scenario("farmhouse"), rule_set("realm_of_chaos").book)
    state = at(own, garrison={"A2": 2, "B1": 3, "B2": 7}, inside={"A1": 1, "B2": 2}, outside=17)

    def kinds(side, title):
        return [int(n.item()) for n in own.inside(state, side, own.plan.titles.index(title))]

    assert [kinds("defenders", title) for title in ("A2", "B1", "B2")] == [[1, 1], [0, 3], [0, 7]]
    assert [kinds("attackers", title) for title in ("B2", "A1")] == [[1, 1, 0, 0], [0, 1, 0, 0]]
    assert [int(n.item()) for n in own.outside(state, "attackers")] == [0, 0, 1, 16]


def test_carriers_who_go_on_from_a_section_have_no_accident_in_it():
    """Four, two flamers among them, step from A1 into A2, and two riflemen come in after them."""
    rules = book(rulings={"who_carries_fire": "flaming_weapons"})
    own = set_up(load_scenario("farmhouse"), rules)
    state = at(own, garrison={"A2": 4}, inside={"A1": 4}, outside=2, distance=0)
    found = outcomes(movement.enter, state, own, "inside A1", "inside A2", "burning")
    assert found == {(2, 4, 0): 1}


# Shots by section.


@pytest.mark.parametrize(
    ("fired", "expected"),
    [
        # Half of those who fired are on upper levels, and so half of the shots go there.
        ({"A1": 2, "B1": 1, "C1": 1, "A2": 2, "B2": 2}, {"A1": 4, "B1": 2, "C1": 2, "A2": 4, "B2": 4}),
        ({"A1": 1, "C1": 2}, {"A1": 5, "C1": 11}),  # a third of sixteen, rounded down, and the others
        ({"B3": 1, "C1": 3}, {"B3": 4, "C1": 12}),
    ],
)
def test_shots_are_shared_out_section_by_section(fired, expected):
    sixteen = game(HALL)
    force = sixteen.attackers
    own = set_up(
        replace(sixteen, attackers=replace(force, groups=(replace(force.groups[0], count=16),))),
        rule_set("realm_of_chaos").book,
    )
    state = at(own, fired=fired)
    aimed = {
        title: sum(int(np.asarray(n).item()) for n in shooting.aimed_at(state, own, i))
        for i, title in enumerate(own.plan.titles)
        if title in fired
    }
    assert aimed == expected


# Fights in several sections, and higher ground.


@pytest.fixture
def tower():
    """Sixteen footmen against fifteen in a tower of three levels."""
    sides = replace(FOOTMAN, number=16), replace(FOOTMAN, number=15), House(levels=3)
    return set_up(scenario(*sides, plan="storm", away=60, turns=4, first="attackers"), book())


@pytest.mark.clause("RC-015")
@pytest.mark.parametrize(
    ("inside", "outside", "garrison", "section", "above"),
    [
        ({}, 4, {"A1": 3}, "A1", 0),  # from outside
        ({"A1": 3}, 0, {"A2": 3}, "A2", DEFENDERS),
        ({"A3": 3}, 0, {"A2": 3}, "A2", ATTACKERS),
        ({"A1": 2, "A3": 3}, 0, {"A2": 3}, "A2", ATTACKERS),
        ({"A1": 3, "A3": 3}, 0, {"A2": 3}, "A2", 0),
        ({"A1": 3, "A2": 1}, 0, {"A2": 3}, "A2", 0),  # they have met there before
    ],
)
def test_who_comes_down_on_enemies_stands_higher_and_who_comes_up_lower(
    tower, inside, outside, garrison, section, above
):
    state = at(tower, inside=inside, outside=outside, garrison=garrison, distance=0)
    after = movement.enter(no_dice(), state, tower)
    assert values(after, tower, f"fight {section}") == (LEVEL + above,)


@pytest.mark.clause("RC-015")
@pytest.mark.parametrize(("garrison", "above"), [({"A3": 3}, DEFENDERS), ({"A1": 3}, ATTACKERS)])
def test_it_is_the_same_for_a_garrison_that_charges_whatever_has_been_won_elsewhere(tower, garrison, above):
    state = at(tower, inside={"A2": 3}, garrison=garrison, winner=ATTACKERS)
    after = movement.step(no_dice(), state, tower)
    assert values(after, tower, "fight A2", "margin", "winner") == (LEVEL + above, 0, ATTACKERS)


def test_who_steps_in_from_beside_stands_on_a_level():
    own = scene_of(SQUARE)
    after = movement.enter(no_dice(), at(own, inside={"A2": 2}, outside=0, garrison={"B2": 2}), own)
    assert where(own, after.fight) == {"B2": LEVEL}


@pytest.mark.clause("RC-015")
def test_those_who_come_up_are_hit_better_than_they_hit(tower):
    """Twelve WS3 S3 a side, T3 with a save of 6: from above 12 x 1/2 x 1/2 x 5/6, from below 12 x 1/3 x 1/2 x 5/6."""
    state = at(tower, inside={"A1": 12}, outside=0, garrison={"A2": 12})
    met = movement.enter(no_dice(), state, tower)
    found = outcomes(partial(fight.strike, turn=0, section=1), met, tower, "inside A2", "garrison A2")
    lost = [sum(p * (12 - left[side]) for left, p in found.items()) for side in (0, 1)]
    assert lost == [Fraction(5, 2), Fraction(5, 3)]


@pytest.mark.clause("RC-019")
@pytest.mark.parametrize(("ruling", "scored"), [("same_engagement", 0), ("charges_again", 1)])
def test_all_that_a_unit_fights_is_one_engagement(tower, ruling, scored):
    """Attackers fight in A1, and three more come down from A3 on those in A2."""
    own = replace(tower, book=book(rulings={"joining_a_fight": ruling}))
    state = at(own, inside={"A1": 2, "A3": 3}, outside=0, garrison={"A1": 2, "A2": 2})
    after = movement.enter(no_dice(), state, own)
    assert where(own, after.inside) == {"A1": 2, "A2": 3}
    assert where(own, after.fight) == {"A1": LEVEL, "A2": LEVEL + ATTACKERS}
    assert values(after, own, "margin") == (scored,)


@pytest.mark.clause("RC-019")
def test_wounds_of_all_sections_are_added_up(tower):
    """Three against one, and none against four, make two for the second side, who have won the one round."""
    four = {"A1": 4, "A2": 4}
    state = at(tower, inside=four, outside=0, garrison=four, fight={"A1": LEVEL, "A2": LEVEL})

    def strike(dice, state, scene):
        for section, title in enumerate(("A1", "A2")):
            state = fight.strike(dice.within(title), state, scene, 0, section)
        return state

    fields = ("garrison A1", "inside A1", "garrison A2", "inside A2", "margin")
    found = outcomes(strike, state, tower, *fields)
    assert all((8 - theirs - more) - (8 - ours - others) == margin for theirs, ours, more, others, margin in found)
    assert (1, 3, 4, 0, -2) in found
    left = at(
        tower, inside={"A1": 3}, outside=5, garrison={"A1": 1, "A2": 4}, fight={"A1": LEVEL, "A2": LEVEL}, margin=-2
    )
    after = outcomes(fight.result, left, tower, "winner", "routing")
    assert set(after) == {(DEFENDERS, 0), (0, ATTACKERS)}  # eight of sixteen are left: they may rout


def test_a_fight_goes_on_while_both_sides_are_in_any_section(tower):
    fought = {"fight": {"A1": LEVEL, "A2": LEVEL}, "margin": 1, "outside": 13}
    for inside, goes_on in (({"A2": 3}, True), ({"A1": 3}, False)):
        state = at(tower, inside=inside, garrison={"A2": 12, "A3": 3}, **fought)
        after = fight.result(no_dice(), state, tower)
        assert values(after, tower, "winner", "margin", "fight") == (ATTACKERS * goes_on, 0, 0)


@pytest.mark.clause("RC-020", "RC-021")
@pytest.mark.parametrize(
    ("garrison", "stands", "hacks"),
    [
        ({"A1": 1}, "ABC", 2 * 1),
        ({"A1": 1, "B3": 1}, "ABC", 2 * 4),
        ({"B2": 1}, "ABC", 2 * 3),
        ({"B1": 1}, "BC", 2 * 2),
        ({"B3": 1}, "B", 2 * 3),  # no door stands: the ground section of the front
    ],
)
def test_routers_cross_the_sections_from_the_furthest_that_they_hold_to_a_door(garrison, stands, hacks):
    """Two pursuers, of whom it does not matter where they are; the outside counts for one."""
    own = scene_of(HALL)
    state = at(own, garrison=garrison, inside={"B1": 2}, outside=0, stands=dict.fromkeys(stands, 1))
    assert [int(n.item()) for n in rout.number_by_group(state, own, "attackers", state.garrison)] == [hacks]


def test_who_shot_is_not_known_any_more_where_a_fight_begins(tower):
    state = at(tower, inside={"A1": 1}, garrison={"A2": 5}, fired={"A2": 4})
    assert where(tower, movement.step(no_dice(), state, tower).fired) == {}
    assert int(read(state, tower, "fired").item()) == 4


@pytest.mark.clause("RC-018")
def test_who_does_not_fight_goes_on_while_others_of_his_unit_do(tower):
    state = at(tower, garrison={"A1": 2, "A3": 3}, inside={"A1": 1})
    assert where(tower, movement.step(no_dice(), state, tower).garrison) == {"A1": 2, "A2": 3}


@pytest.mark.clause("RC-022")
def test_routers_who_live_are_put_outside(tower):
    there = {"inside": {"A1": 2}, "outside": 0, "garrison": {"A1": 1, "A2": 5}}
    for routs, hack, fields in (
        (DEFENDERS, rout.hack_defenders, ("out", "garrison", "driven_out")),
        (ATTACKERS, rout.hack_attackers, ("outside", "inside", "broken")),
    ):
        found = outcomes(hack, at(tower, **there, routing=routs), tower, *fields)
        assert len(found) > 2
        assert {(inside, gone) for _, inside, gone in found} == {(0, 1)}

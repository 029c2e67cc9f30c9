"""Gemini: a garrison in several sections of a house, against a brute force by who has read the texts alone."""

from dataclasses import replace

import numpy as np
import pytest

from sims.assault import End
from sims.engines import play, solve
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.rulesets.gemini.state import SALLYING
from sims.scenario import load_scenario
from sims.words import NO_GROUND, NOT_MODELLED
from tests.rulesets.gemini_cases import ACROSS, CASES, STORED, gemini, scenario
from tests.rulesets.judging import ends_and_losses, mean, share
from tests.rulesets.test_gemini import agrees_with_thrown_dice


@pytest.mark.slow
@pytest.mark.parametrize("name", STORED | ACROSS)
def test_sections_are_stormed_as_brute_force_says(name):
    CASES[name].agree()


@pytest.mark.parametrize("name", ["two floors by a ladder", "three floors, grenades that miss"])
def test_sampled_and_rolled_games_agree(name):
    siege, *numbers = (STORED | ACROSS)[name]
    agrees_with_thrown_dice(scenario(siege, *numbers))


def test_a_garrison_that_finds_no_room_is_refused_where_it_is_given(tmp_path):
    crowd = tmp_path / "crowd.toml"
    crowd.write_text('base = "farmhouse"\nbuilding.capacity = 30\n\n[defenders]\nmodels = 25\n', "utf-8")
    said = r"crowd.toml, line 5: defenders.models: .* holds 24 of the garrison .* 12 in each of 2 sections .* 3 levels"
    with pytest.raises(CasemateError, match=said):
        gemini().assault(load_scenario(crowd))


@pytest.mark.clause("GB-002")
@pytest.mark.parametrize(("deployment", "here"), [("spread", 4), ("doors", 8), ("top", 0)])
def test_those_inside_are_noted_by_section(deployment, here):
    """Eight in two sections, which hold twelve each, stand evenly, all below or all above."""
    changes = {"defenders.deployment": deployment, "building.levels": 2, "defenders.models": 8}
    assert gemini().assault(load_scenario("farmhouse", changes)).start.here.tolist() == [here]


def test_a_building_of_one_section_has_nothing_to_deploy_over():
    one = {"building.levels": 1}
    plain, deployed = (
        gemini().assault(load_scenario("farmhouse", one | changes)) for changes in ({}, {"defenders.deployment": "top"})
    )
    assert deployed.translation[NO_GROUND] == "defenders.deployment"
    assert ends_and_losses(solve(plain)) == ends_and_losses(solve(deployed))


@pytest.mark.slow
def test_more_floors_never_make_a_capture_likelier():
    """Nor do more defenders on as many."""

    def captured(floors, defenders):
        changes = {"defenders.deployment": "spread", "building.levels": floors, "defenders.models": defenders}
        few = changes | {"attackers.models": 8, "turns": 3, "distance": 10}
        return float(share(solve(gemini().assault(load_scenario("farmhouse", few))), End.CAPTURED))

    by_floors = [captured(floors, 6) for floors in (1, 2, 3, 4)]
    by_models = [captured(2, models) for models in (2, 4, 6, 8)]
    assert by_floors == sorted(by_floors, reverse=True)
    assert by_models == sorted(by_models, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", STORED | ACROSS)
def test_everybody_of_a_garrison_stands_in_some_section(name):
    """After every stage; of those who have come out nobody does."""

    def looked_at(stage):
        def rule(dice, state, scene):
            after = stage.rule(dice, state, scene)
            models, here = after.defenders.models, after.here
            room = scene.room * (scene.in_turn - after.held - 1)
            indoors = (here >= 0) & (here <= models) & (models - here <= room) & (after.exposed <= models)
            outdoors = (here == 0) & (after.held == 0) & (after.exposed == 0)
            assert np.all(np.where(after.place > SALLYING, outdoors, indoors)), stage.title
            assert np.all((after.held >= 0) & (after.held < scene.in_turn) & (after.exposed >= 0))
            assert stage.name != "end turn" or not np.any(after.lobbed + after.back + after.beyond)
            return after

        return replace(stage, rule=rule)

    assault = CASES[name].assault
    turns = tuple(replace(turn, stages=tuple(map(looked_at, turn.stages))) for turn in assault.turn)
    play(replace(assault, turn=turns), trials=2000, seed=3)


def test_built_in_weapons_are_manned_by_those_who_do_not_fire_their_own():
    armed = {"building.weapons": ["machine-gun"], "defenders.models": 14, "defenders.deployment": "spread"}
    few = {"building.levels": 2, "attackers.models": 8, "turns": 1, "attackers.plan": "shoot"}
    with_it, without = (load_scenario("farmhouse", few | armed | more) for more in ({}, {"building.weapons": []}))
    losses = [float(mean(solve(gemini().assault(each)), "attackers_lost")) for each in (with_it, without)]
    assert losses[0] > losses[1]


def test_a_position_with_more_defenders_has_them_stand_where_there_is_room():
    scene = CASES["two floors by stairs"].assault.scene
    state = CASES["two floors by stairs"].assault.start.replace(held=np.array([1]), here=np.array([3]))
    assert scene.with_standing(state, "defenders", (np.array([8]),)).here.tolist() == [8]
    assert scene.with_standing(state, "defenders", (np.array([2]),)).here.tolist() == [2]


@pytest.mark.parametrize(
    ("name", "changes", "line", "says"),
    [
        ("granary", {}, "Ways in", "or before that to be hacked, by 1 Lockpick on 7 or less, once in a player turn"),
        ("granary", {"units.lockpick.gemini.hacks": 3}, "Ways in", "by 1 Lockpick on 2 or less"),
        ("granary", {"building.gemini.gate": "vault"}, "Ways in", "by 1 Lockpick on 5 or less"),
        ("granary", {}, "Attackers", "hack or force a door, then charge"),
        ("granary", {}, "Garrison", "and jumps down a storey with 1 Initiative test each; who falls and lives fights"),
        ("granary", {}, NOT_MODELLED, "those on whom somebody falls"),
        (
            "granary",
            {"defenders.deployment": 4},
            "Sections",
            "begins with 4 by the ways in and the others evenly behind",
        ),
        (
            "farmhouse",
            {"building.gemini.sides": 2},
            "Fire from the building",
            "8 models of each section, into 2 quadrants",
        ),
    ],
)
def test_what_is_played_is_told(name, changes, line, says):
    assert says in gemini().assault(load_scenario(name, changes)).translation[line]


SHED = """
title = "Shed"
archetype = "hut"
footprint = [4, 4]
material = "wood"
doors = 0
firing_points = 2
firing_inches = 4
capacity = 15
"""


def test_nobody_jumps_down_stairs_or_hacks_who_cannot():
    texts = gemini().assault(load_scenario("farmhouse", {"defenders.plan": "sally"})).translation
    assert "jump" not in " ".join(texts.values())
    assert "hack" not in " ".join(texts.values())
    assert texts["Garrison"].endswith("it charges back into the section next to its own")


@pytest.mark.parametrize(
    ("id", "text", "said"),
    [
        (
            "realm_of_chaos",
            "[defenders]\nmodels = 60\n[building]\ncapacity = 60\n",
            "line 3: defenders.models: .* holds",
        ),
        ("storming", "[building]\ndoors = 0\nmilitary = false\n", "line 3: building.doors: .* it has no door"),
        ("storming", 'building = "shed"\n[buildings.shed]\n' + SHED, "line 2: building.doors: .* it has no door"),
        ("gemini", "[building]\ngemini.sides = 4\ndoors = 1\n", "line 3: .*sides: expected at most 3"),
    ],
)
def test_what_rules_refuse_is_placed_in_its_file(tmp_path, id, text, said):
    file = tmp_path / "own.toml"
    file.write_text(f'base = "farmhouse"\n{text}', "utf-8")
    with pytest.raises(CasemateError, match=f"own.toml, {said}"):
        rule_set(id).assault(load_scenario(file))

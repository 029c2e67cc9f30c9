"""Designs: factors and levels as people give them, and what is refused before anything is played."""

from pathlib import Path

import numpy as np
import pytest

from analysis.points.point import AUTO, Point
from analysis.sweeps import design as module
from analysis.sweeps.design import design, factor, points_factor, typed_levels
from analysis.sweeps.study import study, study_ids, typed_factors
from sims.errors import CasemateError
from sims.rulesets import rule_set_ids
from sims.scenario import scenario_ids


def levels(key, given):
    return [level.values[key] for level in factor(key, given).levels]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5..8", [5, 6, 7, 8]),
        ("5..20:5", [5, 10, 15, 20]),
        ("5..9:3", [5, 8]),
        ("-2..0", [-2, -1, 0]),
        ("5..5", [5]),
        ("7", [7]),
        ("5..7,12, 20", [5, 6, 7, 12, 20]),
        ("storm,smoke", ["storm", "smoke"]),
        ("D6,2D6,3", ["D6", "2D6", 3]),
        ("true,false", [True, False]),
        ("../barn.toml", ["../barn.toml"]),
    ],
)
def test_levels_are_typed(text, meant):
    assert typed_levels("key", text) == meant


def test_levels_of_a_program_are_values_as_files_hold_them():
    assert levels("distance", range(3)) == [0, 1, 2]
    assert levels("distance", np.arange(2)) == [0, 1]
    assert {type(value) for value in levels("distance", np.arange(2))} == {int}
    assert levels("distance", 5) == [5]
    assert levels("units.trooper.grenades", [("assault",), ()]) == [["assault"], []]


def test_all_are_all_there_are():
    assert [level.said["rules"] for level in factor("rules", "all").levels] == rule_set_ids()
    assert levels("scenario", ["all"]) == scenario_ids()
    assert len(design([factor("distance", [8, 9])], "farmhouse")) == 2 * len(rule_set_ids())
    assert len(design([factor("distance", [8, 9])], "farmhouse", ["storming"])) == 2


def test_listed_points_may_set_several_keys_to_one_number():
    one, other = points_factor([{"attackers.models": 6}, {"defenders.models": 6}]).levels
    assert (one.values, other.values) == ({"attackers.models": 6}, {"defenders.models": 6})
    with pytest.raises(CasemateError, match=r"points has the level attackers\.models=6 twice"):
        points_factor([{"attackers.models": 6}, {"defenders.models": 6}, {"attackers.models": 6}])


def test_a_design_has_all_combinations_or_the_points_that_are_listed():
    both = design([factor("distance", [8, 9]), factor("turns", [2, 3, 4])], "farmhouse", ["storming"])
    said = [(cell.values["distance"], cell.values["turns"]) for cell in both]
    assert said == [(8, 2), (8, 3), (8, 4), (9, 2), (9, 3), (9, 4)]
    some = design([points_factor([{"distance": 8, "turns": 2}, {"turns": 4}])], "farmhouse", ["storming"])
    assert [cell.said for cell in some] == [
        {"scenario": "farmhouse", "rules": "storming", "distance": 8, "turns": 2},
        {"scenario": "farmhouse", "rules": "storming", "turns": 4},
    ]


@pytest.mark.parametrize(("named", "ids"), [("all", rule_set_ids()), ("gemini", ["gemini"]), (["all"], rule_set_ids())])
def test_rules_are_one_name_or_several(named, ids):
    assert [cell.said["rules"] for cell in design([factor("distance", [8])], "farmhouse", named)] == ids


def test_a_level_with_a_name_sets_several_keys():
    approach = factor("approach", {"near": {"distance": 6, "first": "defenders"}, "far": {"distance": 24}})
    (near, far) = design([approach], "farmhouse", ["storming"]).points(AUTO)
    assert near[0].said["approach"] == "near"
    assert (near[1].scenario.distance, near[1].scenario.first) == (6, "defenders")
    assert (far[1].scenario.distance, far[1].scenario.first) == (24, "attackers")


FARM = ["farmhouse", ["storming", "gw_updated"]]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["attackers.models"], ["attackers.models has no levels", "5..20"]),
        (["attackers.models="], ["attackers.models has no levels"]),
        (["attackers.models=5,,6"], ["attackers.models has nothing beside a comma"]),
        (["attackers.models=5.."], ["attackers.models: 5.. is no range", "5..20:5"]),
        (["attackers.models=9..5"], ["9..5 is no range", "the lowest level first"]),
        (["attackers.models=5..9:0"], ["5..9:0 is no range", "a step of at least 1"]),
        (["attackers.models=5..9:0"], ["5..9:0 is no range"]),
        (["attackers.models=5..9.5"], ["5..9.5 is no range"]),
        (["attackers.models=0..999999999"], ["1,000,000,000 levels", "at most 10,000"]),
        (["distance=1..2000", "turns=1..1000"], ["at least 2,000,000 points", "at most 1,000,000"]),
        (
            ["distance=1..1000", "turns=1..1000"],
            ["these are 2,000,000 points", "at most 1,000,000"],
        ),  # two sets of rules
        (["distance=5,5"], ["distance has the level 5 twice"]),
        (["distance=5", "turns=6", "distance=7"], ["distance is given twice"]),
        (["building=hut,house", "building.doors=1"], ["building.doors stands in building"]),
        (["building.doors=1", "building=hut,house"], ["building.doors stands in building"]),
        (["scenario=bastion"], ["scenario is given twice"]),
        (["rules=gemini"], ["rules is given twice"]),
        (["base=bastion"], ["base cannot be varied", "scenario"]),
        (["a b=3"], ['"a b" is not a key']),
        (["attackers.modles=5"], ["attackers.modles: unknown key", 'did you mean "models"?']),
        (["distanc=5"], ["distanc: unknown key", 'did you mean "distance"?']),
        (["units.troper.T=3"], ['there is no "troper"', '"trooper"']),
        (["tables.grenad.hits=D6"], ["tables.grenad.hits", 'did you mean "tables.grenade.hits"?']),
        (["rulings.second_rond=yes"], ["rulings.second_rond", 'did you mean "rulings.second_round"?']),
        (["attackers.models=1..7"], ["attackers.models cannot be 1, 2, 3: expected at least 4", "got 1"]),
        (["attackers.models=50..99"], ["attackers.models cannot be 61, 62,", ", ... (39 in all): ", "got 61"]),
        (["defenders.models=10,16,40", "distance=8,9"], ["defenders.models cannot be 16, 40:", "expected at most 15"]),
        (["first=atackers,defenders"], ["first cannot be atackers:", "'attackers' or 'defenders'"]),
        (["tables.grenade.hits=D6,banana"], ["tables.grenade.hits cannot be banana:", "expected dice"]),
        (["rulings.second_round=maybe"], ["rulings.second_round:", 'no option "maybe"', "expected one of no, yes"]),
        (["distance=8,9", "turns=0"], ["turns: ", "greater than or equal to 1", "got 0"]),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(texts, words):
    with pytest.raises(CasemateError) as refused:
        design(typed_factors(texts), *FARM).points(AUTO)
    for word in words:
        assert word in str(refused.value)
    assert ".toml" not in str(refused.value)  # what is wrong was typed: it stands in no file


def test_a_level_is_refused_only_if_it_fits_nowhere():
    """The hut has room for ten: it goes with eight, the twelve go with the house."""
    cells = design(typed_factors(["building=hut,house", "defenders.models=8,12"]), "farmhouse", ["storming"]).points(
        AUTO
    )
    why = [None if isinstance(made, Point) else str(made) for _, made in cells]
    assert [reason is None for reason in why] == [True, False, True, True]
    assert "expected at most 10 (Mud hut), got 12" in why[1]
    with pytest.raises(CasemateError, match=r"building cannot be hut: .*at most 10"):
        design(typed_factors(["building=hut,house", "defenders.models=11,12"]), "farmhouse", ["storming"]).points(AUTO)


def test_rules_without_a_key_are_no_fault_of_the_levels():
    cells = design(typed_factors(["tables.grenade.hits=D3,D6"]), *FARM).points(AUTO)
    assert [made.name if isinstance(made, Point) else str(made) for _, made in cells] == [
        "storming/farmhouse?tables.grenade.hits=D3",
        "storming/farmhouse?tables.grenade.hits=D6",
        "gw_updated has no tables.grenade.hits",
        "gw_updated has no tables.grenade.hits",
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"distance": []}, "distance has no levels"),
        ({"distance": [8.5]}, "distance: "),
        ({"distance": [object()]}, "distance cannot be <object"),
        ({"rules": [3]}, "got 3"),
        ({"near": {"near": {}}}, "near sets nothing"),
        ({"value": {"near": {"distance": 8}}}, "cannot be called value"),
        ({"near": {"a": {"distance": 8}}, "far": {"b": {"distance": 9}}}, "distance is set by both near and far"),
        ({"near": {"a": {"distance": 8, "rules": "gemini"}, "b": {"distance": 9}}}, "some levels of near set rules"),
    ],
)
def test_a_program_is_told_as_well(given, words):
    with pytest.raises(CasemateError, match=words):
        design([factor(name, of) for name, of in given.items()], "farmhouse").points(AUTO)


def test_too_many_levels_to_list_are_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_POINTS", 5)
    with pytest.raises(CasemateError, match="these are at least 6 points; expected at most 5"):
        design(typed_factors(["distance=1,2,3", "turns=1,2"]), "farmhouse", ["storming"])
    assert len(design(typed_factors(["distance=1..5"]), "farmhouse", ["storming"])) == 5


STUDY = """
scenario = "own.toml"
rules = ["storming", "heavy.toml"]

[vary]
attackers.models = "14..16:2"
defenders.plan = ["hold", "sally"]
turns = 2

[[vary.approach]]
name = "near"
distance = 6
building = { doors = 1 }

[[vary.approach]]
name = "far"
distance = 12
"""


@pytest.fixture
def folder(tmp_path, skirmish) -> Path:
    (tmp_path / "own.toml").write_text(Path(skirmish).read_text())
    (tmp_path / "heavy.toml").write_text('base = "storming"\n[tables.grenade]\nS = 6\n')
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def test_a_study_file_says_factors_scenario_and_rules_beside_it(folder):
    made = design(study(str(folder / "study.toml")))
    assert [each.name for each in made.factors] == [
        "scenario", "rules", "attackers.models", "defenders.plan", "turns", "approach",
    ]  # fmt: skip
    points = [point for _, point in made.points(AUTO)]
    assert len(points) == 2 * 2 * 2 * 2
    first, last = points[0], points[-1]
    assert first.name == "storming/own?attackers.models=14&defenders.plan=hold&turns=2&distance=6&building.doors=1"
    assert (first.scenario.building.doors, first.scenario.turns) == (1, 2)
    assert (last.rule_set.id, last.rule_set.book.tables.grenade.S) == ("heavy", 6)
    assert (last.scenario.distance, last.scenario.building.doors, last.plans.defenders) == (12, 2, "sally")


def test_points_are_listed_in_a_study_file(folder):
    (folder / "points.toml").write_text(
        '[[points]]\nattackers.models = 14\nbuilding.doors = 1\n[[points]]\nattackers.models = 9\nfirst = "defenders"\n'
    )
    made = design(study(str(folder / "points.toml")), "farmhouse", ["gemini"])
    assert [point.name for _, point in made.points(AUTO)] == [
        "gemini/farmhouse?attackers.models=14&building.doors=1",
        "gemini/farmhouse?attackers.models=9&first=defenders",
    ]
    assert made.columns[4:7] == ["attackers.models", "building.doors", "first"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('scenario = "farmhouse"\n', "nothing is varied"),
        ("[vry]\n", 'unknown key; did you mean "vary"?'),
        ("[vary]\ndistance = []\n", r"line 2: vary.distance: distance has no levels"),
        ('[vary]\ndistance = "5.."\n', r"line 2: vary.distance: distance: 5.. is no range"),
        ("[[vary.a]]\ndistance = 5\n", "vary.a: expected of each level a name"),
        ('[[vary.a]]\nname = "x"\ndistance = 5\n[[vary.a]]\nname = "x"\ndistance = 6\n', "the level x twice"),
        ('[[vary.a]]\nname = "x"\n', "x sets nothing"),
        ("[[points]]\n", "a point sets nothing"),
        ("points = 3\n", "points: expected a list"),
        ('rules = "gemni"\n[vary]\ndistance = 5\n', 'line 1: rules: there is no rule set "gemni"'),
        ('scenario = "no.toml"\n[vary]\ndistance = 5\n', "line 1: scenario: .*no.toml: cannot be read"),
    ],
)
def test_a_study_file_is_refused_with_line_and_key(tmp_path, text, words):
    (tmp_path / "study.toml").write_text(text)
    with pytest.raises(CasemateError, match=words):
        study(str(tmp_path / "study.toml"))


def test_a_study_that_is_not_there_is_refused_by_name():
    with pytest.raises(CasemateError, match=r'there is no study "plan"; did you mean "plans"?'):
        study("plan")


@pytest.mark.parametrize("name", study_ids())
def test_every_study_that_comes_with_casemate_fits_every_scenario(name, scenario_id):
    cells = design(study(name), scenario_id).points(AUTO)
    assert {point.rule_set.id for _, point in cells if isinstance(point, Point)} == {*rule_set_ids()}

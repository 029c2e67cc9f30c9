"""The door: what `from analysis import ...` gives, and that it takes names and objects alike."""

import re
from fractions import Fraction
from inspect import getdoc

import pytest

import analysis
from analysis import (
    Course,
    How,
    best,
    charts,
    compare,
    explain,
    games,
    load_scenario,
    odds,
    play,
    point,
    position,
    receipt,
    rows,
    rule_set,
    sensitivity,
    show,
    solve,
)
from sims.errors import CasemateError

DOORS = (analysis, charts, rows)
SMALL = {"attackers.models": 6, "defenders.models": 3, "turns": 3}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_name_is_there_and_explains_itself(door):
    assert {*door.__all__} <= {*dir(door)}
    for name in door.__all__:
        assert getattr(door, name) is not None
        assert name.isupper() or getdoc(getattr(door, name)), name


def test_help_lists_every_name_by_task():
    listed = "".join(re.findall(r"^    .*", getdoc(analysis) or "", flags=re.MULTILINE))
    assert not [name for name in analysis.__all__ if not re.search(rf"\b{name}\b", listed)]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_a_name_that_is_not_there_is_refused(door):
    with pytest.raises(AttributeError, match="no attribute 'comprae'"):
        _ = door.comprae


def test_names_and_objects_answer_alike(house_rule):
    game, sets = load_scenario("farmhouse", SMALL), [rule_set("storming"), rule_set(str(house_rule))]
    by_object = compare(game, sets)
    by_name = compare(game, f"storming,{house_rule}")
    assert rows.end_rows(by_object) == rows.end_rows(by_name)
    assert by_name.names() == by_object.names()
    assert point("farmhouse", "storming").id == point("farmhouse", rule_set("storming")).id


def test_a_comparison_takes_more_plans():
    found = compare(load_scenario("farmhouse", SMALL), "storming", plans=[("smoke", "hold")])
    assert [*found.entries[0].results] == [("storm", "hold"), ("smoke", "hold")]
    with pytest.raises(CasemateError, match=r"attackers\.plan: expected 'storm'"):
        compare("farmhouse", "storming", plans=[("strom", "hold")])


def test_a_house_rule_is_explained_key_by_key(house_rule):
    found = explain("storming", str(house_rule), load_scenario("farmhouse", SMALL))
    assert sum(found.shares["p_captured"]) == pytest.approx(
        found.after["p_captured"].value - found.before["p_captured"].value
    )
    with pytest.raises(CasemateError):
        explain("storming", "gemini")


def test_a_receipt_takes_a_file_and_is_shown(house_rule, capsys):
    found = receipt(str(house_rule), games=games(["farmhouse"])[:1])
    assert found.before.id == "storming"
    show(found)
    assert "captured of 100" in capsys.readouterr().out
    with pytest.raises(CasemateError, match="storming is no house rule"):
        receipt("storming")


def test_solve_takes_names_and_plans():
    (found,) = solve("farmhouse", "distance", target=0.3, rules="storming", plans=("storm", "sally"))
    assert found.rule_set.id == "storming"
    assert found.present == 24


def test_sensitivity_tries_all_that_a_player_would_vary_or_some():
    (found,) = sensitivity("farmhouse", rules="storming", only=["first"], how=How("sampled", trials=200))
    assert [bar.key for bar in found.bars] == ["first"]


def test_one_side_may_keep_to_its_plan():
    (found,) = best(load_scenario("farmhouse", SMALL), "storming", defence="hold")
    assert {*found.policies} == {"attackers"}


def test_a_position_is_read_from_its_file(tmp_path):
    file = tmp_path / "position.toml"
    file.write_text('scenario = "farmhouse"\nturn = 8\nattackers = 3\ndefenders = 2\n')
    (found,) = position(file, "storming")
    assert found.rule_set.id == "storming"


def test_odds_take_inputs_of_python():
    assert odds("ARAP-015", target=0).answer == odds("arap-015", target="0").answer
    assert odds("ST-030", n=2, T=4, building_class="defensible", rules="storming", ask="mean").answer == Fraction(8, 9)


def test_a_game_follows_what_is_written_and_is_shown(capsys):
    game = play("farmhouse", "storming", seed=2, script=[{"label": "morale", "turn": 4, "answer": "failed"}])
    assert game.end.name == "CAPTURED"
    show(game.moves[0])
    show(game, Course(game.assault))
    assert "The attackers have taken the building in turn 4." in capsys.readouterr().out


def test_comparisons_and_paragraphs_are_shown(capsys):
    show(compare(load_scenario("farmhouse", SMALL), "storming"))
    show(["A paragraph."])
    said = capsys.readouterr().out
    assert "captured" in said
    assert said.endswith("A paragraph.\n")


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: compare(3), "expected the name of a scenario or the path of its file, got 3"),
        (lambda: compare("farmhouse", 3), "expected the names of sets of rules, or the paths of their files, got 3"),
        (lambda: compare("farmhouse", []), "no set of rules is named"),
        (lambda: compare("farmhouse", "storming", plans="storm"), "expected a plan for each side"),
        (lambda: compare("farmhouse", "storming", how="exact"), "expected how to compute it"),
        (lambda: solve(load_scenario("farmhouse")), "expected the name of a scenario or the path of its file"),
        (lambda: sensitivity(only="turn"), 'did you mean "turns"?'),
        (lambda: sensitivity(response="captured"), 'there is no response "captured"; did you mean "p_captured"?'),
        (lambda: explain("storming", section="ruling."), 'no key of storming begins with "ruling."'),
        (lambda: explain("storming", response="captured"), 'there is no response "captured"'),
        (lambda: best("farmhouse", "storming", plan="strom"), 'the attackers have no plan "strom" to keep to'),
        (lambda: best("farmhouse", "storming", defence="best"), 'the defenders have no plan "best" to keep to'),
        (lambda: show(best), "there are no words for function"),
        (lambda: show("a paragraph"), "there are no words for str"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words_before_anything_is_played(ask, why):
    with pytest.raises(CasemateError, match=re.escape(why)):
        ask()


def test_a_receipt_that_is_shown_types_commands_that_work(tmp_path, capsys):
    file = tmp_path / "house.toml"
    file.write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n')
    show(receipt(file, games=games(["farmhouse"])))
    said = capsys.readouterr().out
    assert "house.toml --plan storm --defence hold" in said
    assert "storming,house " not in said

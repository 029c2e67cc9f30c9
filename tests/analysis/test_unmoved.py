"""What a sweep says of factors that change nothing: judged by made-up answers, and by a sweep that is played."""

import pytest

from analysis.cli import run
from analysis.points.responses import Estimate
from analysis.sweeps import unmoved
from analysis.sweeps.design import design, factor
from analysis.sweeps.sweep import Answer
from analysis.sweeps.unmoved import Unmoved


def said(captured, factors, rules=("storming",), lost=lambda values: 3.0, refused=lambda values: None):
    """What is said of a sweep in which the responses are some function of the values."""
    made = design([factor(name, levels) for name, levels in factors.items()], "farmhouse", rules)
    varied = {each.name: i for i, each in enumerate(made.factors) if len(each.levels) > 1 and each.name != "rules"}
    found = Unmoved(varied, len(made))
    for cell in made:
        values = {**cell.values, "rules": cell.values["rules"].id}
        responses = {"p_captured": Estimate(captured(values)), "attackers_lost_mean": Estimate(lost(values))}
        found.add(Answer(cell, "", "", {} if refused(values) else responses, refused(values)))
    return [*found]


GRID = {"turns": [2, 3, 4], "building.doors": [1, 2], "attackers.plan": ["storm", "smoke"]}


def test_a_factor_that_changes_nothing_is_named():
    told = said(lambda values: values["turns"] / 10 + (values["attackers.plan"] == "smoke") / 7, GRID)
    assert told == ["building.doors changes nothing under Storming buildings, by any plan tried."]


def test_a_factor_that_changes_something_in_one_corner_is_not_named():
    corner = {"turns": 4, "building.doors": 2, "attackers.plan": "smoke"}
    assert said(lambda values: 0.5 + 0.1 * (corner.items() <= values.items()), GRID) == []
    assert said(lambda _: 0.5, GRID, lost=lambda values: 3 + 0.1 * (corner.items() <= values.items())) == []


def test_what_cannot_be_seen_where_it_is_written_is_next_to_nothing():
    only = {"building.doors": [1, 2, 3]}
    where = "under Storming buildings, by these plans; others were not tried."
    for by, how in ((0.0001, "next to nothing"), (1e-12, "nothing")):
        told = said(lambda values, by=by: 0.5 + by * values["building.doors"], only)
        assert told == [f"building.doors changes {how} {where}"]
    assert said(lambda values: 0.5 + 0.0003 * values["building.doors"], only) == []
    assert said(lambda _: 0.5, only, lost=lambda values: 0.04 * values["building.doors"]) == []


def test_rules_are_told_apart():
    both = lambda values: 0.5 + 0.1 * values["turns"] * (values["rules"] == "gemini")  # noqa: E731
    told = said(both, {"turns": [2, 3]}, ("storming", "gemini", "gw_updated"))
    rules = "Storming buildings and Updated building rules"
    assert told == [f"turns changes nothing under {rules}, by these plans; others were not tried."]


def test_a_level_that_cannot_be_played_says_nothing():
    """And of a factor of which one level alone can be played nothing is known."""
    only = {"building.doors": [1, 2, 3]}
    refuse = lambda *levels: lambda values: "no" if values["building.doors"] in levels else None  # noqa: E731
    assert len(said(lambda _: 0.5, only, refused=refuse(1))) == 1
    assert said(lambda _: 0.5, only, refused=refuse(1, 2)) == []


def test_of_many_points_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(unmoved, "MOST", 2)
    assert said(lambda _: 0.5, {"building.doors": [1, 2, 3]}) == []


@pytest.mark.parametrize(("key", "levels", "told"), [("material", "wood,brick", True), ("doors", "1,3", False)])
def test_a_sweep_says_so(skirmish, capsys, key, levels, told):
    asked = [f"--vary=building.{key}={levels}", "--vary=attackers.plan=storm,smoke", "--rules=storming", "--workers=1"]
    assert run(["sweep", skirmish, *asked]) == 0
    assert ("changes nothing under Storming buildings" in " ".join(capsys.readouterr().out.split())) is told

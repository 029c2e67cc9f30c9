"""The project guards itself: what every set of rules answers today stands in `tests/baselines`.

What moves on purpose is written anew by ``make baselines WHY="..."``, and the CHANGELOG says why it moved.
"""

import pytest

from analysis.baseline import changes, load, taken
from analysis.point import How, own
from analysis.suite import shipped
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario
from tests.conftest import ROOT

FOLDER = ROOT / "tests/baselines"


def moved(rules, games):
    """Return what is not as the baseline of a rule set has it, each with both values."""
    before = load(FOLDER / f"{rules}.json")
    after = taken(rule_set(rules), games, How(**before.engine), before.margin)
    return [f"{rules}: {one.where}: {one.before} -> {one.after}" for one in changes(before, after)]


def test_every_set_of_rules_has_one_without_a_margin():
    assert {path.stem for path in FOLDER.glob("*.json")} == {*rule_set_ids()}
    for path in FOLDER.glob("*.json"):
        written = load(path)
        assert (written.margin.chance, written.margin.mean) == (0, 0)
        assert [answer.game for answer in written.answers] == shipped()


def test_nothing_moves_under_own_plans(rules):
    games = [game for game in shipped() if game.plans == own(load_scenario(game.scenario))]
    assert moved(rules, games) == []


@pytest.mark.slow
def test_nothing_moves_under_any_plans(rules):
    assert moved(rules, shipped()) == []

"""The project guards itself: what every set of rules answers today stands in `tests/baselines`.

What moves on purpose is written anew by ``make baselines WHY="..."``, and the CHANGELOG says why it moved.
"""

import pytest

from analysis.deciding.baseline import baseline_of, changes
from analysis.deciding.baseline_file import load
from analysis.points.plans import own_plans
from analysis.points.suite import shipped_games
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario
from tests.conftest import ROOT

FOLDER = ROOT / "tests/baselines"
GUARDED = sorted(path.stem for path in FOLDER.glob("*.json"))


def moved(rules, games):
    """Return what is not as the baseline of a rule set has it, each with both values; of scenarios, those that are played.

    What is certified within bounds cannot be told by a margin of nothing; with the same bounds it has not moved.
    """
    before = load(FOLDER / f"{rules}.json")
    after = baseline_of(rule_set(rules), games, before.engine.how, before.margin)
    played = {name: of for name, of in before.scenarios.items() if name in after.scenarios}
    return [
        f"{rules}: {one.where}: {one.before} -> {one.after}"
        for one in changes(before.model_copy(update={"scenarios": played}), after)
        if one.before != one.after
    ]


def test_every_set_of_rules_is_guarded():
    assert rule_set_ids() == GUARDED


@pytest.mark.parametrize("guarded", GUARDED)
def test_a_baseline_has_no_margin_and_the_whole_suite(guarded):
    assert guarded in rule_set_ids()
    written = load(FOLDER / f"{guarded}.json")
    assert (written.margin.chance, written.margin.mean) == (0, 0)
    assert [answer.game for answer in written.answers] == shipped_games()


@pytest.mark.parametrize("guarded", GUARDED)
def test_nothing_moves_under_own_plans(guarded):
    games = [game for game in shipped_games() if game.plans == own_plans(load_scenario(game.scenario))]
    assert moved(guarded, games) == []


@pytest.mark.slow
@pytest.mark.parametrize("guarded", GUARDED)
def test_nothing_moves_under_any_plans(guarded, some):
    """The short form: each pair of plans in one scenario; under its own plans every scenario is played above."""
    assert moved(guarded, some(shipped_games(), lambda game: game.plans)) == []

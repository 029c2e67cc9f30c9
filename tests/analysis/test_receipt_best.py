"""What a receipt says of best play: made by hand, from numbers that are given."""

from types import SimpleNamespace

import pytest

from analysis.best_play.best import Best
from analysis.deciding import receipt_best
from analysis.deciding.receipt import Line
from analysis.points.plans import BEST, Plans
from analysis.points.point import point
from analysis.points.suite import Game
from sims.engines.contest import Pair
from sims.rulesets import rule_set

PLANS = ("storm", "smoke"), ("hold", "sally")


def of(best: float, storm: float, smoke: float, hold: float = 0.9, sally: float = 0.9) -> Best:
    """Return best play of so much, where the attackers alone keep to storm or smoke, or the garrison to hold or sally."""
    replies = {"attackers": {"hold": hold, "sally": sally}, "defenders": {"storm": storm, "smoke": smoke}}
    fixed = {Pair(a, d): 0.5 for a in PLANS[0] for d in PLANS[1]}
    return Best(rule_set("storming"), {}, fixed, {}, replies, best, {}, {}, [])


def said(before: Best, now: Best, monkeypatch) -> list[str]:
    answers = iter([before, now])
    monkeypatch.setattr(receipt_best, "best_of", lambda *_: next(answers))
    one = point("farmhouse", rule_set("storming"), plans=Plans(BEST, BEST))
    line = Line(Game("farmhouse", one.plans), one, {}, {})
    monkeypatch.setattr(Line, "move", lambda *_: 0.1)
    found = SimpleNamespace(lines=[line], changes={"a": (1, 2)}, before=one.rule_set, after=one.rule_set)
    return [*receipt_best.best_play_words(found)]


def test_another_plan_that_is_the_best_is_said_with_what_it_is_worth(monkeypatch):
    (words,) = said(of(0.5, 0.5, 0.4, 0.5), of(0.6, 0.45, 0.595, 0.6), monkeypatch)
    assert words == (
        "At the farmhouse, for the attackers, smoke is now the best plan to keep to, no longer storm "
        "(captured 59.5 %, with storm 45.0 %)."
    )


def test_what_changing_plans_is_worth_is_said_where_it_has_moved_by_a_game(monkeypatch):
    (words,) = said(of(0.5, 0.49, 0.4, 0.5), of(0.5, 0.46, 0.4, 0.5), monkeypatch)
    assert words == (
        "At the farmhouse, for the attackers, changing plans in mid-game is now worth 4.0 games in 100, no longer 1.0."
    )


def test_the_garrison_has_words_of_its_own(monkeypatch):
    (words,) = said(of(0.5, 0.5, 0.4, hold=0.5, sally=0.6), of(0.5, 0.5, 0.4, hold=0.6, sally=0.5), monkeypatch)
    assert words == (
        "At the farmhouse, for the garrison, sally is now the best plan to keep to, no longer hold "
        "(captured 50.0 %, with hold 60.0 %)."
    )


@pytest.mark.parametrize("moved", [0.0, 0.009])
def test_less_than_a_game_of_100_is_not_said(moved, monkeypatch):
    assert said(of(0.5, 0.49, 0.4, 0.5), of(0.5, 0.49 - moved, 0.4, 0.5), monkeypatch) == []

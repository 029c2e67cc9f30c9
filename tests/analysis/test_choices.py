"""Luck and choice in a game, told apart by best play."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from analysis.cli import run
from analysis.points.plans import BEST, contest, solution_of
from analysis.told.luck import choices
from sims.replay import replay
from sims.rulesets import rule_set
from sims.scenario import load_scenario

pytestmark = pytest.mark.usefixtures("small_batches")

SMALL = {"attackers.models": 5, "defenders.models": 3, "turns": 3, "distance": 10}
SMALL |= {f"{side}.specials": [] for side in ("attackers", "defenders")}
MOST = 4.0
"""Standard errors that a mean of luck may be off: of 200 games 1 false alarm in 11,000, of the 60 of the short form
1 in 5,500."""


def game(plan: str = "storm", defence: str = "hold", **changes):
    return load_scenario("farmhouse", SMALL | {"attackers.plan": plan, "defenders.plan": defence} | changes)


def played(of, rules, seed):
    return replay(rule_set(rules).assault(replace(of, may_change=True)), seed=seed)


@pytest.mark.parametrize("first", ["attackers", "defenders"])
def test_luck_and_choice_add_up_to_what_became_of_the_game(rules, first):
    of = game("shoot", first=first)
    worth = solution_of(of, rule_set(rules), (BEST, BEST))
    for seed in range(12):
        found = choices(played(of, rules, seed), worth)
        assert found.start == pytest.approx(float(worth.best), abs=1e-12)
        assert found.start - found.cost("attackers") + found.cost("defenders") + found.luck == pytest.approx(
            found.end, abs=1e-9
        )
        begun = [(turn.opening.turn, turn.side) for turn in found.turns if turn.opening]
        assert begun == [*product(range(1, 4), worth.contest.sides)][: len(begun)]
        assert all(turn.cost < 1e-9 for turn in found.turns if turn.plan == turn.best)


def test_luck_is_nobodys(rules, some):
    """The mean of what dice add is nothing, whatever both sides do. The short form: 60 of 200 games."""
    of = game("shoot", "sally")
    worth = solution_of(of, rule_set(rules), (BEST, BEST))
    games = some(range(200), lambda seed: seed % 60)
    luck = np.array([choices(played(of, rules, seed), worth).luck for seed in games])
    assert luck.std() > 0
    assert abs(luck.mean()) <= MOST * luck.std() / np.sqrt(luck.size)


def test_who_has_no_choice_gives_nothing_away(rules):
    of = game("storm", "sally")
    worth = contest(of, rule_set(rules), ["storm"], ["sally"]).solve()
    found = choices(played(of, rules, 4), worth)
    assert {side: found.cost(side) for side in ("attackers", "defenders")} == {"attackers": 0, "defenders": 0}


def test_a_plan_that_cannot_win_gives_away_what_the_best_is_worth():
    """Shooting alone never takes the house: all that the attackers had is given away, or made up by the garrison."""
    of = game("shoot")
    worth = solution_of(of, rule_set("storming"), (BEST, "hold"))
    found = choices(played(of, "storming", 1), worth)
    assert float(worth.best) > 0.1
    assert found.end == 0
    assert found.cost("attackers") + -found.luck == pytest.approx(float(worth.best), abs=1e-9)
    assert found.cost("attackers") > 0.01


def test_it_is_asked_for_with_the_chances(capsys):
    assert run(["play", "farmhouse", "--against", "best", "--seed", "1"]) == 2
    assert "--against best tells what choices have done to the chances; add --chances" in capsys.readouterr().err

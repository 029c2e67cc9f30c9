"""Plans that come to the same are one plan: they are told apart by what they do, never by what that is worth."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
import pytest

from sims.assault import Assault, End, Outcome, PlayerTurn, Stage
from sims.dice import D6, roll
from sims.engines.contest import SIDES, Aim, Contest, Pair
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, DefencePlan, Side, load_scenario
from tests.march import March, Plans

FEW = {"turns": 2, "distance": 8, "attackers.models": 5, "defenders.models": 3, "defenders.specials": []}
EVERYTHING = Aim(
    broken=-1.3, captured=1, destroyed=0.7, held=-0.4, attackers_lost=-0.11, defenders_lost=0.17, cleared=2
)
"""An objective to which nothing is the same as anything else."""


def learnt(scenario: str, rules: str) -> Contest:
    game = load_scenario(scenario, FEW)
    pairs = [Pair(*pair) for pair in product(get_args(AttackPlan), get_args(DefencePlan))]
    return Contest({p: rule_set(rules).assault(replace(game, plan=p[0], defence=p[1], may_change=True)) for p in pairs})


def alike_in_worth(of: Contest, side: Side) -> dict[str, str]:
    """Return the plans that are worth as much as one before them in every state, whoever chooses later."""
    axis, plans = (1, of.attacks) if side == "attackers" else (2, of.defences)
    worth = [choice.worth for choice in of.solve(EVERYTHING).choices.values()]
    apart = {
        (plan, one): max(abs(each.take(i, axis) - each.take(j, axis)).max(initial=0) for each in worth)
        for i, plan in enumerate(plans)
        for j, one in reversed([*enumerate(plans[:i])])
    }
    return {plan: one for (plan, one), by in apart.items() if by < 1e-12}


@pytest.mark.parametrize("scenario", ["toll-house", "keep-gate", "farmhouse"])
def test_plans_are_one_where_they_are_worth_the_same_in_every_state(rules, scenario):
    of = learnt(scenario, rules)
    assert {side: of.same(side) for side in SIDES} == {side: alike_in_worth(of, side) for side in SIDES}


def test_who_cannot_smoke_the_garrison_out_shoots():
    assert learnt("toll-house", "realm_of_chaos").same("attackers") == {"demolish": "storm", "smoke": "shoot"}
    assert learnt("farmhouse", "storming").same("attackers") == {}


def test_nobody_loses_by_plans_that_are_one(rules):
    every = learnt("toll-house", rules)
    fewer = every.distinct()
    one, other = every.solve(), fewer.solve()
    kept = np.ix_([every.attacks.index(a) for a in fewer.attacks], [every.defences.index(d) for d in fewer.defences])
    assert np.array_equal(other.start, one.start[kept])
    assert other.best == one.best
    assert every.attacks == ("storm", "demolish", "shoot", "smoke")


def test_plans_are_told_apart_by_chances_and_by_whose_turn_it_is():
    """All take a gate by one throw: demolish as storm does, shoot more seldom, and smoke in the garrison's turn."""

    def assault(plan: str) -> Assault:
        def take(dice, state, scene):
            won = roll(dice, "take", D6) >= (5 if plan == "shoot" else 4)
            return state.replace(end=np.where(won, End.CAPTURED, state.end))

        stage = (Stage("take", take),)
        turn = (
            PlayerTurn("attackers", () if plan == "smoke" else stage),
            PlayerTurn("defenders", stage * (plan == "smoke")),
        )
        outcome = Outcome(np.zeros(1, int), np.zeros(1, int), np.zeros(1, bool))
        start = March(np.array([1]), np.array([0]))
        return Assault("gate", Plans(plan, "hold"), start, turn, 2, lambda state, _: state.end, lambda *_: outcome)

    of = Contest({Pair(plan, "hold"): assault(plan) for plan in get_args(AttackPlan)})
    assert of.same("attackers") == {"demolish": "storm"}

"""Rows of best play: which plan is best when a player turn begins, by the models that each side has left."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analysis.best_play.regret import Judge
from analysis.points.plans import plan_in
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.scenario import Side

if TYPE_CHECKING:
    from sims.engines.contest import Solution
    from sims.rulesets import RuleSet

SELDOM = 0.001
"""Where fewer games of best play come to there is no row."""

NOTHING = 0.1
"""A choice that is worth no more than this is worth nothing, in points."""


class ChoiceRow(NamedTuple):
    """What is best where a side has to choose.

    `chance` is how many games of best play come there; `worth` how much more the best plan is worth than the worst, on
    average over them. Of plans that are as good as the best, to a tenth of a point, `plan` is the one that is so most
    often; it is none where all are. `gives` is how many points that plan gives away in these games, for what
    is not seen here may tell for another.
    """

    rules: str
    look: str
    side: Side
    turn: int
    attackers: int
    defenders: int
    chance: float
    plan: str | None
    worth: float
    gives: float


def choice_rows(rule_set: "RuleSet", solution: "Solution", side: Side, point: float = 0.01) -> list[ChoiceRow]:
    """Return what is best for a side under a set of rules, by turn and by the models that both sides have left.

    A `point` is a hundredth of what is aimed at.
    """
    judge = Judge(solution, side)
    seen = np.stack([judge.cells.columns[name] for name in ("turn", "attackers", "defenders")], axis=1)
    given, visits = judge.at_best()
    places, of = np.unique(seen, axis=0, return_inverse=True)
    often, lost = np.zeros(len(places)), np.zeros((len(places), len(judge.plans)))
    np.add.at(often, of.ravel(), visits)
    np.add.at(lost, of.ravel(), given)
    own = np.array([plan_in(name) for name in judge.plans])
    plans = [*dict.fromkeys(own.tolist())]
    lost = np.stack([lost[:, own == plan].min(axis=1) for plan in plans], axis=1)
    there = often >= SELDOM
    places, often, lost = places[there], often[there], lost[there] / often[there, np.newaxis]
    good = lost <= lost.min(axis=1, keepdims=True) + NOTHING * point
    best = _most_often(good, often)
    found = list[ChoiceRow]()
    for i, (turn, attackers, defenders) in enumerate(places.tolist()):
        plan = None if good[i].all() else plans[best[i]]
        worth = float(lost[i].max() - lost[i].min())
        chance = float(often[i])
        gives = 0.0 if plan is None else float(lost[i, best[i]]) * chance / point
        place = turn, attackers, defenders
        found.append(ChoiceRow(rule_set.title, rule_set.look, side, *place, chance, plan, worth, gives))
    return found


def _most_often(good: Bools, often: Numbers) -> Ints:
    """Return, of the plans that are good in each place, the one that is so most often where the choice matters."""
    matters = ~good.all(axis=1)
    usual = (often * matters) @ good
    best: Ints = (good * (1 + usual)).argmax(axis=1)
    return best

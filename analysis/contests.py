"""A scenario under a set of rules in which plans may change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Literal, get_args

from sims.assault import Assault, Scene
from sims.engines import Progress
from sims.engines.contest import Contest, Pair
from sims.rulesets import RuleSet
from sims.scenario import AttackPlan, DefencePlan, Scenario

PLANS: tuple[tuple[AttackPlan, ...], tuple[DefencePlan, ...]] = (get_args(AttackPlan), get_args(DefencePlan))
"""The plans that each side has."""

Best = Literal["best"]
BEST: Best = "best"
"""The plan of a side that plays its best."""


def contest(
    scenario: Scenario,
    rule_set: RuleSet,
    attacks: Sequence[AttackPlan] = PLANS[0],
    defences: Sequence[DefencePlan] = PLANS[1],
    progress: Progress | None = None,
) -> Contest:
    """Return a scenario under a set of rules in which each side chooses among some plans.

    Raises
    ------
    BudgetError
        If it has too many transitions.
    """
    return Contest(alternatives(scenario, rule_set, product(attacks, defences)), progress=progress)


def alternatives(
    scenario: Scenario, rule_set: RuleSet, pairs: Iterable[tuple[str, str]]
) -> dict[Pair, Assault[Any, Scene]]:
    """Return a scenario under some pairs of plans that may change."""
    may_change: Any = replace(scenario, may_change=True)
    return {Pair(*plans): rule_set.assault(replace(may_change, plan=plans[0], defence=plans[1])) for plans in pairs}

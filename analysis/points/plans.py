"""Plans of both sides, and assaults in which a side that plays its best chooses among them.

An assault with too many transitions for that is refused by a `BudgetError`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Literal, NamedTuple, get_args

from sims.assault import Assault, Scene
from sims.engines import Engine, Exact, Progress
from sims.engines.contest import BOTH, Contest, Pair, Solution
from sims.engines.follow import best_play, follow
from sims.errors import CasemateError
from sims.rulesets import RuleSet
from sims.rulesets.choosing import Choice, Way
from sims.scenario import AttackPlan, DefencePlan, Scenario

PLANS: tuple[tuple[AttackPlan, ...], tuple[DefencePlan, ...]] = (get_args(AttackPlan), get_args(DefencePlan))
"""The plans that each side has."""

Best = Literal["best"]
BEST: Best = "best"
"""The plan of a side that plays its best."""


class Plans(NamedTuple):
    """What both sides mean to do; who plays his best chooses anew at the start of each of his player turns."""

    attackers: AttackPlan | Best
    defenders: DefencePlan | Best


def own_plans(scenario: Scenario) -> Plans:
    """Return the plans of a scenario."""
    return Plans(scenario.plan, scenario.defence)


def plans_of(scenario: Scenario, values: Mapping[str, Any]) -> Plans:
    """Return the plans of a scenario, but for those that values say are to be the best."""
    plans = own_plans(scenario)
    return plans._replace(**{side: BEST for side in plans._fields if values.get(f"{side}.plan") == BEST})


def but_best(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values but for plans that are to be the best, or raise `CasemateError` if a side has no such plan."""
    for side, plans in zip(Plans._fields, PLANS, strict=True):
        if (plan := values.get(f"{side}.plan", BEST)) not in (*plans, BEST):
            known = ", ".join(f"'{each}'" for each in plans)
            raise CasemateError(f"{side}.plan: expected {known} or '{BEST}', got {plan!r}")
    return {key: value for key, value in values.items() if not (key.endswith(".plan") and value == BEST)}


def as_plans(given: tuple[str, str]) -> Plans:
    """Return a pair of plans, or raise `CasemateError` if it is no pair, or a side has no such plan."""
    if isinstance(given, str) or len(given) != 2:
        raise CasemateError(f'expected a plan for each side, such as ("storm", "hold"), got {given!r}')
    plans: Any = Plans._fields, given
    but_best({f"{side}.plan": plan for side, plan in zip(*plans, strict=True)})
    return Plans(*plans[1])


def exactly(engine: Engine) -> None:
    """See that an engine can find best play, or raise `CasemateError` if it draws."""
    if engine not in ("auto", "exact"):
        raise CasemateError(f"best play is found exactly; expected --engine exact or auto, got {engine}")


def contest(
    scenario: Scenario,
    rule_set: RuleSet,
    attacks: Sequence[AttackPlan] = PLANS[0],
    defences: Sequence[DefencePlan] = PLANS[1],
    progress: Progress | None = None,
    *,
    anew: bool = False,
) -> Contest:
    """Return a scenario under a set of rules in which each side chooses among some plans.

    Args:
        anew: Whether attackers choose how they go in with each plan, instead of going in as it does best if kept to.
    """
    by = assaults_by_ways if anew else assaults_by_plans
    return Contest(by(scenario, rule_set, [*product(attacks, defences)]), progress=progress)


def assaults_by_plans(
    scenario: Scenario, rule_set: RuleSet, pairs: Iterable[tuple[str, str]]
) -> dict[Pair, Assault[Any, Scene]]:
    """Return a scenario under some pairs of plans that may change."""
    return {Pair(*pair): rule_set.assault(replace(_by(scenario, pair), may_change=True)) for pair in pairs}


def assaults_by_ways(
    scenario: Scenario, rule_set: RuleSet, pairs: Sequence[tuple[str, str]]
) -> dict[Pair, Assault[Any, Scene]]:
    """Return the same where each way to go in is a plan of its own, such as `storm (2 by each door)`."""
    ways = dict[str, dict[Way, None]]()
    for pair in pairs:
        ways.setdefault(pair[0], {}).update(dict.fromkeys(rule_set.ways(_by(scenario, pair))))
    found = dict[Pair, Assault[Any, Scene]]()
    for attack, defence in pairs:
        for way in ways[attack] or [None]:
            choice = Choice(way, [*ways[attack]])
            name = f"{attack} ({choice.named})" if choice.named else attack
            of = assaults_by_plans(choice.taken(scenario), rule_set, [(attack, defence)])
            found[Pair(name, defence)] = of[Pair(attack, defence)]
    return found


def plan_in(name: str) -> str:
    """Return the plan in a name that may say how the attackers go in as well."""
    return name.partition(" (")[0]


def choice(scenario: Scenario, rule_set: RuleSet, pair: tuple[str, str]) -> Choice:
    """Return how the attackers go in by a pair of plans."""
    return rule_set.choice(_by(scenario, pair))


def _by(scenario: Scenario, pair: tuple[str, str]) -> Scenario:
    plans: Any = dict(zip(("plan", "defence"), pair, strict=True))
    return replace(scenario, **plans)


def solution_of(
    scenario: Scenario, rule_set: RuleSet, plans: tuple[str, str], progress: Progress | None = None
) -> Solution:
    """Return what an assault is worth where sides that play their best choose, and others keep to a plan."""
    return _learnt(scenario, rule_set, plans, progress).solve()


def outcome(scenario: Scenario, rule_set: RuleSet, plans: tuple[str, str], progress: Progress | None = None) -> Exact:
    """Return every outcome of an assault in which sides play their best."""
    found = _learnt(scenario, rule_set, plans, progress).distinct().solve()
    return follow(found, best_play(BOTH), found.begins).result


def _learnt(scenario: Scenario, rule_set: RuleSet, plans: tuple[str, str], progress: Progress | None) -> Contest:
    attacks = [plan for plan in PLANS[0] if plans[0] in (plan, BEST)]
    defences = [plan for plan in PLANS[1] if plans[1] in (plan, BEST)]
    return contest(scenario, rule_set, attacks, defences, progress)

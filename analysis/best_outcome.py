"""Best play as a whole outcome: its policy followed forwards, so that it can be asked what any plan can."""

from analysis.contests import BEST, PLANS, contest
from sims.engines import Exact, Progress
from sims.engines.contest import BOTH, Contest, Solution
from sims.engines.follow import best_play, follow
from sims.rulesets import RuleSet
from sims.scenario import Scenario


def solved(scenario: Scenario, rule_set: RuleSet, plans: tuple[str, str], progress: Progress | None = None) -> Solution:
    """Return what an assault is worth where sides that play their best choose, and others keep to a plan.

    Raises
    ------
    BudgetError
        If it has too many transitions.
    """
    return _learnt(scenario, rule_set, plans, progress).solve()


def outcome(scenario: Scenario, rule_set: RuleSet, plans: tuple[str, str], progress: Progress | None = None) -> Exact:
    """Return every outcome of an assault in which sides play their best.

    Raises
    ------
    BudgetError
        If it has too many transitions.
    """
    found = _learnt(scenario, rule_set, plans, progress).distinct().solve()
    return follow(found, best_play(BOTH), found.begins).result


def _learnt(scenario: Scenario, rule_set: RuleSet, plans: tuple[str, str], progress: Progress | None) -> Contest:
    attacks = [plan for plan in PLANS[0] if plans[0] in (plan, BEST)]
    defences = [plan for plan in PLANS[1] if plans[1] in (plan, BEST)]
    return contest(scenario, rule_set, attacks, defences, progress)

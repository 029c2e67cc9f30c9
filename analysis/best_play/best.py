"""Best play: what an assault is worth to players who choose their plans well, and when they change them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from analysis.best_play.crossroads import Crossroads, crossroads
from analysis.best_play.objective import TO_CAPTURE, Objective, objective
from analysis.best_play.policy import Listed, shortest
from analysis.points.margins import SIDES, Models, margins
from analysis.points.plans import PLANS, Plans, choice, contest
from analysis.points.point import FARMHOUSE
from analysis.points.responses import Estimate, responses
from analysis.points.smaller import with_command
from sims.engines import Progress
from sims.engines.contest import BOTH, TIE, Contest, Pair, Solution
from sims.engines.follow import best_play, follow
from sims.errors import BudgetError, CasemateError, nearest
from sims.rulesets import Rules, RuleSet, rule_sets_of
from sims.scenario import AttackPlan, DefencePlan, Scenario, Side, load_scenario

Look = Callable[[RuleSet, Solution], None]

LEARNT, SOLVED = 0.6, 0.9
"""About how much of the work is done when a contest is learnt, and when it is solved."""


class Question(NamedTuple):
    """What is asked: an assault, what the attackers want, and the plans that each side has to choose from.

    Attributes:
        anew: Whether the attackers choose at each of their turns how they go in; the names of their plans then say it.
    """

    scenario: Scenario
    objective: Objective = TO_CAPTURE
    attacks: Sequence[AttackPlan] = PLANS[0]
    defences: Sequence[DefencePlan] = PLANS[1]
    anew: bool = False


@dataclass(frozen=True)
class Best:
    """What a scenario is worth under a set of rules to those who choose well.

    Attributes:
        alike: For each side its plans that are played as one before them, and which that is; they are left out below.
        fixed: What each pair of plans is worth that nobody changes.
        chosen: How the attackers go in by each pair of plans, where they choose that once for the whole assault.
        replies: For each side that has a choice, what choosing well is worth against each plan of the other that does
            not change.
        value: What it is worth if every side that has a choice plays its best.
        responses: How it then ends, and what it costs.
        policies: For each side that has a choice, when to do what, as a short list.
        crossroads: Where a wrong choice costs more than a point.
    """

    rule_set: RuleSet
    alike: Mapping[Side, Mapping[str, str]]
    fixed: Mapping[Pair, float]
    chosen: Mapping[Pair, str]
    replies: Mapping[Side, Mapping[str, float]]
    value: float
    responses: Mapping[str, Estimate]
    policies: Mapping[Side, Listed]
    crossroads: Sequence[Crossroads]

    def plans(self, side: Side) -> list[str]:
        """Return the plans of a side that are told apart."""
        return list(dict.fromkeys(pair[SIDES.index(side)] for pair in self.fixed))

    def keeping_to(self, pair: Pair) -> float:
        """Return what a pair of plans is worth that nobody changes, also of plans that are left out."""
        return self.fixed[Pair(*(self.alike[side].get(plan, plan) for side, plan in zip(SIDES, pair, strict=True)))]

    def single(self, side: Side, against: str) -> tuple[str, float]:
        """Return the plan of a side that does best if nobody ever changes, against one of the other, and its worth."""
        return _best_of(side, self._against(side, against))

    def indifferent(self, side: Side) -> bool:
        """Return whether every plan of a side, kept to the end, is as good for it as its best play."""
        return all(abs(worth - self.value) <= TIE for worth in self.kept_to(side).values())

    def steadfast(self, side: Side) -> tuple[str, float]:
        """Return the plan of a side that does best if it alone never changes, and its worth against best play."""
        return _best_of(side, self.kept_to(side))

    def kept_to(self, side: Side) -> Mapping[str, float]:
        """Return what each plan of a side is worth if it alone never changes, against best play."""
        other = SIDES[1 - SIDES.index(side)]
        if other in self.replies:
            return self.replies[other]
        (only,) = self.plans(other)
        return self._against(side, only)

    def _against(self, side: Side, plan: str) -> dict[str, float]:
        """Return what each plan of a side is worth if nobody ever changes, against one of the other."""
        own = SIDES.index(side)
        return {str(pair[own]): value for pair, value in self.fixed.items() if pair[1 - own] == plan}

    def choosing(self, side: Side) -> dict[str, tuple[float, float]]:
        """Return best play of a side, and the best of its single plans: against each of the other, and against best."""
        found = {plan: (value, self.single(side, plan)[1]) for plan, value in self.replies.get(side, {}).items()}
        return found | {"best": (self.value, self.steadfast(side)[1])}

    def worth_of_choosing(self, side: Side) -> dict[str, float]:
        """Return what changing plans is worth to a side over its best single plan; never less than nothing."""
        return {against: abs(best - single) for against, (best, single) in self.choosing(side).items()}


@dataclass(frozen=True)
class Refused:
    """A scenario that has too many transitions under a set of rules, and what helps."""

    rule_set: RuleSet
    why: str


def best(
    scenario: str | Path | Scenario = FARMHOUSE,
    rules: Rules = "all",
    *,
    aim: str = "captured",
    plan: str | None = None,
    defence: str | None = None,
    anew: bool = False,
    progress: Progress | None = None,
) -> list[Best | Refused]:
    """Find out what good players make of an assault: both sides may change their plans at the starts of their turns.

    >>> from analysis import best, load_scenario
    >>> small = load_scenario("farmhouse", {"attackers.models": 6, "defenders.models": 3, "turns": 4})
    >>> (found,) = best(small, "storming")
    >>> found.policies["defenders"].words
    ('throughout: hold',)

    The farmhouse as it is takes some seconds for each set of rules.

    Args:
        aim: What the attackers want, and the garrison does not: ``captured``, ``cleared``, ``destroyed``, or the path
            of a file of weights.
        plan: The plan to which the attackers keep; they choose if not given.
        defence: The plan to which the garrison keeps; it chooses if not given.
        anew: Whether the attackers choose at each of their turns how many go in by each door, and who first. If not,
            each of their plans goes in as it does best against a garrison that keeps to one.
        progress: ``progress(done, of)``; it begins again for each set of rules.
    """
    for side, kept, each in zip(Plans._fields, (plan, defence), PLANS, strict=True):
        if kept and kept not in each:
            raise CasemateError(f'the {side} have no plan "{kept}" to keep to; {nearest(kept, each)}')
    attacks: Any = (plan,) if plan else PLANS[0]
    defences: Any = (defence,) if defence else PLANS[1]
    question = Question(load_scenario(scenario), objective(aim), attacks, defences, anew)
    return [best_of(question, each, progress) for each in rule_sets_of(rules)]


def best_of(
    question: Question, rule_set: RuleSet, progress: Progress | None = None, look: Look | None = None
) -> Best | Refused:
    """Return what an assault is worth to those who choose well; `look` is shown the solution, which is not kept."""
    try:
        learnt, solution = contest_and_solution(question, rule_set, progress)
    except BudgetError as error:
        return Refused(rule_set, str(with_command(error, rule_set)))
    found = best_of_solution(question, rule_set, learnt, solution)
    if look:
        look(rule_set, solution)
    return found


def best_value(question: Question, rule_set: RuleSet, progress: Progress | None = None) -> float | Refused:
    """Return the same as a number alone, which is quicker."""
    try:
        _, solution = contest_and_solution(question, rule_set, progress)
    except BudgetError as error:
        return Refused(rule_set, str(with_command(error, rule_set)))
    return float(solution.best)


def contest_and_solution(
    question: Question, rule_set: RuleSet, progress: Progress | None = None
) -> tuple[Contest, Solution]:
    """Return a contest, and the solution of it without the plans that are played as others.

    Raises:
        BudgetError: If it has too many transitions.
    """

    def telling(since: float, until: float) -> Progress:
        def tell(done: float, of: int) -> None:
            if progress:
                progress(since + (until - since) * done / of, 1)

        return tell

    scenario, objective, attacks, defences, anew = question
    learnt = contest(scenario, rule_set, attacks, defences, telling(0, LEARNT), anew=anew)
    return learnt, learnt.distinct().solve(objective.aim, telling(LEARNT, SOLVED))


def best_of_solution(question: Question, rule_set: RuleSet, learnt: Contest, solution: Solution) -> Best:
    """Return what there is to say of a solution."""
    of = solution.contest
    plans = dict(zip(SIDES, (of.attacks, of.defences), strict=True))
    replies = {
        side: dict(zip(plans[other], map(float, solution.replies[side]), strict=True))
        for side, other in zip(SIDES, reversed(SIDES), strict=True)
        if len(plans[side]) > 1
    }
    followed = follow(solution, best_play(BOTH), solution.begins)
    models = Models(question.scenario.attackers.models, question.scenario.defenders.models)
    point = question.objective.point
    return Best(
        rule_set,
        {side: learnt.same(side) for side in SIDES},
        {pair: float(solution.fixed[of.place(pair)]) for pair in of.chains},
        {} if question.anew else _chosen(question.scenario, rule_set, of.chains),
        replies,
        float(solution.best),
        responses(margins(followed.result, models)),
        {side: shortest(solution, side, enough=point / 2) for side in replies},
        crossroads(solution, followed.visits, point),
    )


def _chosen(scenario: Scenario, rule_set: RuleSet, pairs: Iterable[Pair]) -> dict[Pair, str]:
    """Return how the attackers go in by pairs of plans that are kept to, where they choose that."""
    return {pair: named for pair in pairs if (named := choice(scenario, rule_set, pair).named)}


def _best_of(side: Side, worth: Mapping[str, float]) -> tuple[str, float]:
    choose = max if side == "attackers" else min
    return choose(worth.items(), key=lambda item: item[1])

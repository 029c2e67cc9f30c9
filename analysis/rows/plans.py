"""Rows of the plans of both sides against each other: how likely, and which is the best reply to which."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from analysis.points.margins import SIDES
from analysis.points.plans import Plans
from analysis.points.responses import ALIKE, Estimate, firsts, same
from analysis.rows.sweeps import titles_of
from analysis.sweeps.sweep import by_rules
from sims.errors import CasemateError, nearest
from sims.scenario import AttackPlan, Side

if TYPE_CHECKING:
    from analysis.comparing.compare import Comparison
    from analysis.sweeps.sweep import Answer

AIMS: dict[str, Side] = {
    "p_captured": "attackers",
    "p_destroyed": "attackers",
    "p_cleared": "attackers",
    "p_broken": "defenders",
    "p_held": "defenders",
}
"""Which side wants a chance to be great; the other wants it to be small."""


class PlansRow(NamedTuple):
    """The chance of something if both sides have a plan each, and whose best reply to the other's plan it is."""

    rules: str
    look: str
    attackers: str
    defenders: str
    chance: float
    low: float | None
    high: float | None
    best: str
    certified: bool = False


class AlikeRow(NamedTuple):
    """A plan of a side that comes to the same as another, whatever the other side's plan."""

    rules: str
    side: Side
    plan: str
    other: str


def aim(response: str) -> Side:
    """Return which side wants a chance to be great, or raise `CasemateError` if it is no chance."""
    if response not in AIMS:
        raise CasemateError(f"{response} is not what a side plans for; {nearest(response, AIMS)}")
    return AIMS[response]


def plans_rows(found: "Sequence[Answer]", response: str) -> tuple[list[PlansRow], list[AlikeRow]]:
    """Return the chance of an end by the plans of both sides under each set of rules, and plans that are alike.

    A reply is best if no other is better; where chances were sampled, if none is better beyond their intervals.

    Raises:
        CasemateError: If the response is no chance.
    """
    side = aim(response)
    titles, rows, alike = titles_of(found), list[PlansRow](), list[AlikeRow]()
    for rules, some in by_rules(found).items():
        played = {_plans(answer): answer for answer in some if not answer.refused}
        answers = {plans: answer.responses for plans, answer in played.items()}
        rows += _rows(titles[rules], some[0].rule_set.look, answers, response, side)
        alike += [AlikeRow(titles[rules], *each) for of in SIDES for each in _alike(answers, of)]
    return rows, alike


def end_wanted(plan: AttackPlan) -> str:
    """Return the chance that attackers with a plan are after: that they capture the building, or clear it at least."""
    return "p_captured" if plan == "storm" else "p_cleared"


def compared_plans(comparison: "Comparison", response: str) -> list[PlansRow]:
    """Return the same of the plans that a comparison has played: each of a side against the other's own."""
    return [
        row
        for name, entry in zip(comparison.names(), comparison.entries, strict=True)
        for row in _rows(name, entry.rule_set.look, entry.by_plans(), response, aim(response))
    ]


def _rows(
    name: str, look: str, answers: Mapping[Plans, Mapping[str, Estimate]], response: str, side: Side
) -> Iterable[PlansRow]:
    """Yield the rows of one set of rules; a plan that is the only reply to another is not called the best."""
    chances = {plans: answer[response] for plans, answer in answers.items()}
    best = {each: _best(chances, each, more=each == side) for each in SIDES}
    for plans, chance in chances.items():
        whose = " and ".join(each for each in SIDES if plans in best[each])
        yield PlansRow(name, look, plans.attackers, plans.defenders, *chance.drawn, whose, chance.certified)


def _plans(answer: "Answer") -> Plans:
    return Plans(*(answer.cell.values[f"{side}.plan"] for side in SIDES))


def _best(chances: Mapping[Plans, Estimate], side: Side, *, more: bool) -> set[Plans]:
    """Return the plans in which a side's is a best reply to the other's."""
    found, mine = set[Plans](), SIDES.index(side)
    for theirs in {plans[1 - mine] for plans in chances}:
        replies = {plans: chance.ends for plans, chance in chances.items() if plans[1 - mine] == theirs}
        if len(replies) == 1:
            continue
        if more:
            sure = max(low for low, _ in replies.values())
            found |= {plans for plans, (_, high) in replies.items() if high >= sure - ALIKE}
        else:
            sure = min(high for _, high in replies.values())
            found |= {plans for plans, (low, _) in replies.items() if low <= sure + ALIKE}
    return found


def _alike(answers: Mapping[Plans, Mapping[str, Estimate]], side: Side) -> Iterable[tuple[Side, str, str]]:
    """Yield the plans of a side that come to the same as another in everything that is told."""
    mine, by_plan = SIDES.index(side), dict[str, dict[str, Mapping[str, Estimate]]]()
    for plans, answer in answers.items():
        by_plan.setdefault(plans[mine], {})[plans[1 - mine]] = answer
    first = firsts(by_plan, lambda one, other: one.keys() == other.keys() and all(same(one[k], other[k]) for k in one))
    return ((side, plan, other) for plan, other in first.items() if plan != other)

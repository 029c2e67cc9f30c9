"""What `casemate sweep` says: every level where one thing is varied, else where a response is least and most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.blocks import Block, Grid
from analysis.design import Design
from analysis.point import How
from analysis.responses import Estimate
from analysis.sweep import Answer
from analysis.words import played, told
from sims.words import counted

MOST_LINES = 40
"""Levels that are told each on a line."""
MOST_REASONS = 5
"""Reasons why points cannot be played that are told at most."""


class Found:
    """What is told of the answers of a sweep, gathered as they come: of many the least and the most alone are kept.

    Parameters
    ----------
    of : Design
    responses : sequence of str
        What is told.
    """

    def __init__(self, of: Design, responses: Sequence[str]) -> None:
        self.of, self.responses = of, responses
        self.varied = {
            each.name: i for i, each in enumerate(of.factors) if len(each.levels) > 1 and each.name != "rules"
        }
        levels = (level.values for each in of.factors for level in each.levels)
        rules = {values["rules"].id for values in levels if "rules" in values}
        self.few = len(self.varied) <= 1 and len(of) <= MOST_LINES * len(rules)
        self.answers = list[Answer]()
        self.ends = dict[str, dict[str, tuple[Answer, Answer]]]()
        self.scenarios, self.refused, self.sampled = set[str](), Counter[str](), 0

    def add(self, answer: Answer) -> None:
        """Gather what is told of an answer."""
        self.scenarios.add(answer.scenario)
        self.sampled += answer.sampled
        if self.few:
            self.answers.append(answer)
        if answer.refused:
            self.refused[answer.refused] += 1
            return
        ends = self.ends.setdefault(answer.rules, {})
        for name in self.responses:
            least, most = ends.get(name, (answer, answer))
            value = answer.responses[name].value
            ends[name] = (
                answer if value < least.responses[name].value else least,
                answer if value >= most.responses[name].value else most,
            )


def said(how: How, found: Found) -> Iterator[Block]:
    """Yield what a sweep has found of some responses under each set of rules, and what cannot be played."""
    of, varied, scenarios, refused = found.of, found.varied, found.scenarios, found.refused
    by = [f"{name} ({counted(len(of.factors[i].levels), 'level')})" for name, i in varied.items() if name != "scenario"]
    where = counted(len(scenarios), "scenario") if len(scenarios) > 1 else min(scenarios)
    yield f"{where}: {', '.join(map(what, found.responses))}{' by ' * bool(by)}{' and '.join(by)}"
    yield _every_level(found) if found.few else _extremes(found)
    yield f"{counted(len(of), 'point')}. {engine(how, len(of), found.sampled)}"
    for why, n in refused.most_common(MOST_REASONS):
        yield f"{counted(n, 'point')} cannot be played: {why}"
    if len(refused) > MOST_REASONS:
        left = refused.total() - sum(n for _, n in refused.most_common(MOST_REASONS))
        yield f"{counted(left, 'more point')} cannot be played either; the rows say why."


def _every_level(found: Found) -> Grid:
    """Return a line for each level and response, and a column for each set of rules that plays any."""
    responses = found.responses
    rules = list(dict.fromkeys(answer.rules for answer in found.answers if not answer.refused))
    by_level = dict[str, dict[str, Answer]]()
    for answer in found.answers:
        by_level.setdefault(next(_levels(found, answer), answer.scenario), {})[answer.rules] = answer
    rows = [
        (level if response == responses[0] else "", *_label(response, responses), *cells)
        for level, at in by_level.items()
        for response in responses
        for cells in [[_cell(at.get(one), response) for one in rules]]
    ]
    several = [""] * (len(responses) > 1)
    return Grid((next(iter(found.varied), "scenario"), *several, *rules), tuple(rows), 1 + len(several))


def _extremes(found: Found) -> Grid:
    """Return for each set of rules and response a line where it is least, and one where it is most."""
    rows = []
    for rules, ends in found.ends.items():
        for response, pair in ends.items():
            for name, end in zip(("least", "most"), pair, strict=True):
                label = " ".join((name, *_label(response, found.responses)))
                rows.append((rules, label, *_levels(found, end), _cell(end, response)))
    return Grid(("rules", "", *found.varied, ""), tuple(rows), len(found.varied) + 2)


def _label(response: str, responses: Sequence[str]) -> tuple[str, ...]:
    """Say which of several responses is meant."""
    return (what(response),) if len(responses) > 1 else ()


def _levels(found: Found, answer: Answer) -> Iterator[str]:
    """Yield the levels of the varied factors that an answer is of."""
    return (found.of.factors[i].label(answer.cell.levels[i]) for i in found.varied.values())


def what(response: str) -> str:
    """Say which number a response is, and of a chance that it is told in percent."""
    return response.removeprefix("p_").replace("_", " ") + " %" * response.startswith("p_")


def _cell(answer: Answer | None, response: str) -> str:
    if answer is None:
        return ""
    return "-" if answer.refused else number(response, answer.responses[response])


def number(response: str, estimate: Estimate) -> str:
    """Write a response, a chance in percent."""
    return told(estimate, 100 if response.startswith("p_") else 1)


def engine(how: How, points: int, sampled: int) -> str:
    """Say how the numbers were computed."""
    if not sampled:
        return "All numbers are exact."
    which = "All are" if sampled == points else f"{counted(sampled, 'point')} {'is' if sampled == 1 else 'are'}"
    return f"{which} sampled ({played(how)} from seed {how.seed}): 95 of 100 intervals hold the true value."


def data(of: Design) -> dict[str, Any]:
    """Return what JSON has beside the rows."""
    return {"points": len(of), "columns": of.columns}

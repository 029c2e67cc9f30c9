"""What `casemate sweep` says: every level where one thing is varied, else where a response is least and most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.points.point import How
from analysis.points.responses import Estimate
from analysis.say.axes import factor_words
from analysis.say.blocks import Block, Grid
from analysis.say.engine import engine
from analysis.say.numbers import with_interval
from analysis.say.rules import titles
from analysis.sweeps.design import Design
from analysis.sweeps.sweep import Answer
from analysis.sweeps.unmoved import Unmoved
from sims.rulesets import RuleSet
from sims.scenario import load_scenario
from sims.words import counted

MOST_LINES = 40
"""Levels that are told each on a line."""
MOST_REASONS = 5
"""Reasons why points cannot be played that are told at most."""


class Found:
    """What is told of the answers of a sweep, gathered as they come: of many the least and the most alone are kept."""

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
        self.rule_sets = dict[str, RuleSet]()
        self.scenarios, self.refused = set[str](), Counter[str]()
        self.sampled = self.certified = 0
        self.unmoved = Unmoved(self.varied, len(of))

    def add(self, answer: Answer) -> None:
        """Gather what is told of an answer."""
        self.scenarios.add(answer.scenario)
        self.rule_sets[answer.rules] = answer.rule_set
        self.sampled += answer.sampled
        self.certified += answer.certified
        self.unmoved.add(answer)
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

    @property
    def titles(self) -> dict[str, str]:
        """What the sets of rules are called, by id."""
        return dict(zip(self.rule_sets, titles([*self.rule_sets.values()]), strict=True))


def summary(how: How, found: Found) -> Iterator[Block]:
    """Yield what a sweep has found of some responses under each set of rules, and what cannot be played."""
    of, varied, scenarios, refused = found.of, found.varied, found.scenarios, found.refused
    by = [f"{name} ({counted(len(of.factors[i].levels), 'level')})" for name, i in varied.items() if name != "scenario"]
    where = counted(len(scenarios), "scenario") if len(scenarios) > 1 else min(scenarios)
    yield f"{where}: {', '.join(map(what, found.responses))}{' by ' * bool(by)}{' and '.join(by)}"
    yield _every_level(found) if found.few else _extremes(found)
    yield from found.unmoved
    yield f"{counted(len(of), 'point')}. {engine(how, len(of), found.sampled, found.certified)}"
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
    heads = [found.titles[one] for one in rules]
    return Grid((next(iter(found.varied), "scenario"), *several, *heads), tuple(rows), 1 + len(several))


def _extremes(found: Found) -> Grid:
    """Return for each set of rules and response a line where it is least, and one where it is most."""
    rows, called = [], found.titles
    for rules, ends in found.ends.items():
        for response, pair in ends.items():
            for name, end in zip(("least", "most"), pair, strict=True):
                label = " ".join((name, *_label(response, found.responses)))
                rows.append((called[rules], label, *_levels(found, end), _cell(end, response)))
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
    return with_interval(estimate, 100 if response.startswith("p_") else 1)


def data(of: Design) -> dict[str, Any]:
    """Return what JSON has beside the rows."""
    return {"points": len(of), "columns": of.columns}


def caption(of: Design, how: How, found: Sequence[Answer], notes: Sequence[str]) -> str:
    """Say beside a chart which assault was played, how it was computed, and what else is to be noted."""
    computed = computed_words(how, found)
    return "\n".join([f"{common_caption(of)} {computed}".strip(), *notes])


def computed_words(how: How, found: Sequence[Answer]) -> str:
    """Say how answers were computed."""
    return engine(how, len(found), sum(answer.sampled for answer in found), sum(answer.certified for answer in found))


def common_caption(of: Design) -> str:
    """Say what all assaults of a design have: their scenario, plans and values; nothing where all of that is varied."""
    cells = [cell.values for cell in of]
    scenarios = {name: load_scenario(name) for name in {values["scenario"] for values in cells}}
    titles = {scenario.title for scenario in scenarios.values()}
    attackers, garrison = (
        {str(values.get(key, getattr(scenarios[values["scenario"]], own))) for values in cells}
        for key, own in (("attackers.plan", "plan"), ("defenders.plan", "defence"))
    )
    set_to = [
        f"{factor_words(each.name)} {each.label(each.levels[0])}"
        for each in of.factors
        if len(each.levels) == 1 and not {"rules", "scenario", "attackers.plan", "defenders.plan"} & {*each.keys}
    ]
    told = ", ".join([*(titles if len(titles) == 1 else ()), *set_to])
    plans = " ".join(
        [*(attackers if len(attackers) == 1 else ()), *(f"against {one}" for one in garrison if len(garrison) == 1)]
    )
    return f"{': '.join(part for part in (told, plans) if part)}." if told or plans else ""

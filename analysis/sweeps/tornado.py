"""Tornado: what is worth how much of what a player would vary, each alone, one step down and one step up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from analysis.points.responses import ALIKE, Estimate, scale
from analysis.sweeps.design import Design, design, factor
from analysis.sweeps.scenario_steps import Step
from analysis.sweeps.sweep import Answer, by_rules
from sims.errors import CasemateError
from sims.rulesets import RuleSet
from sims.scenario import written


class End(NamedTuple):
    """What one step comes to: the value, and the response."""

    value: Any
    response: Estimate


class Bar(NamedTuple):
    """What steps of one value come to.

    Attributes:
        down, up: What the step down and the step up come to, where they can be played; another word is a step up.
        swing: How far apart the least and the greatest response are, with nothing changed and by each step.
    """

    key: str
    of: str
    now: Any
    down: End | None
    up: End | None
    swing: float

    @property
    def ends(self) -> list[End]:
        """What can be played of the two."""
        return [end for end in (self.down, self.up) if end]


@dataclass(frozen=True)
class Tornado:
    """What steps of a scenario are worth under one set of rules.

    Attributes:
        now: The response with nothing changed; None where that cannot be played, and then there is nothing to compare
            with.
        bars: What changes the response, the largest swing first.
        inert: The keys that do not change it by one step, and whose they are where both sides have them.
        refused: Steps that cannot be played, each with the reason; with `now` None, the scenario as it is.
    """

    rules: str
    response: str
    now: Estimate | None
    bars: tuple[Bar, ...]
    inert: tuple[str, ...]
    refused: tuple[Step, ...]

    @property
    def seen(self) -> list[Bar]:
        """The bars whose swing is not too small to be told."""
        return [bar for bar in self.bars if scale(self.response) * bar.swing >= 0.05]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each step that moves it, with the response then and by how much, or that cannot be played."""
        about = {"rules": self.rules, "response": self.response}
        none = dict.fromkeys(("value", "low", "high", "change"))
        for bar in self.bars:
            for level, estimate in bar.ends:
                change = estimate.value - self.now.value if self.now else None
                step = {"key": bar.key, "of": bar.of, "now": bar.now, "level": level}
                yield {**about, **step, **estimate.data, "change": change, "refused": None}
        for one in self.refused:
            step = {"key": one.key, "of": one.of, "now": one.now, "level": one.value}
            yield {**about, **step, **none, "refused": one.refused}


COLUMNS = ("rules", "response", "key", "of", "now", "level", "value", "low", "high", "change", "refused", "certified")
"""Of the rows of a tornado."""


def one_by_one(
    asked: Iterable[Step],
    scenario: str,
    rules: Iterable[str | RuleSet] | None = None,
    plans: Mapping[str, str] | None = None,
) -> Design:
    """Return the design of a scenario as it is, and with each of some steps alone.

    Args:
        rules: Ids, and paths of house rules, or what is read already; all rule sets if not given.
        plans: What a side means to do in place of the scenario's own, by key.

    Raises:
        CasemateError: If a name is unknown.
    """
    fit = {step.name: step.changes for step in asked if not step.refused}
    as_it_is = {"turns": written(scenario)["turns"]}
    meant = (factor(key, [plan]) for key, plan in (plans or {}).items())
    return design([*meant, factor("step", {"as it is": as_it_is, **fit})], scenario, rules)


def tornados(asked: Sequence[Step], found: Iterable[Answer], response: str = "p_captured") -> list[Tornado]:
    """Return what steps are worth under each set of rules.

    Args:
        found: What has come of the design of these steps, see `one_by_one`.

    Raises:
        CasemateError: If no set of rules plays the scenario as it is.
    """
    every = [_tornado(asked, some, response) for some in by_rules(found).values()]
    if all(one.now is None for one in every):
        raise CasemateError(f"the scenario as it is cannot be played: {every[0].refused[0].refused}")
    return every


def _tornado(asked: Sequence[Step], found: Sequence[Answer], response: str) -> Tornado:
    first, *others = found
    if first.refused:
        return Tornado(first.rules, response, None, (), (), (Step("", "", None, None, {}, first.refused),))
    now = first.responses[response]
    answers = dict(zip((step.name for step in asked if not step.refused), others, strict=True))
    bars, inert, refused = list[Bar](), list[str](), list[Step]()
    for (key, of, was), some in groupby(asked, lambda step: (step.key, step.of, step.now)):
        ends, place = dict[bool, End](), key
        for step in some:
            place = step.place
            answer = answers.get(step.name)
            why = answer.refused if answer else step.refused
            if answer is None or why:
                refused.append(step._replace(refused=why))
            else:
                ends[step.down] = End(step.value, answer.responses[response])
        values = [now.value, *(end.response.value for end in ends.values())]
        swing = max(values) - min(values)
        if swing > ALIKE:
            bars.append(Bar(key, of, was, ends.get(True), ends.get(False), swing))
        elif ends:
            inert.append(place)
    bars.sort(key=lambda bar: -bar.swing)
    return Tornado(first.rules, response, now, tuple(bars), tuple(inert), tuple(refused))

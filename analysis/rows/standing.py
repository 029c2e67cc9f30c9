"""Rows of buildings under attack: whether they stand after so many hits, and how long they burn."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from sims.dice import PMF
from sims.questions import Question, question, questions
from sims.rulesets import RuleSet

MOST = 40
"""After more hits than that nobody asks."""
ARMOUR = (10, 11, 12, 13, 14)
"""The Armour Values that are drawn beside each other."""


class StandRow(NamedTuple):
    """The chance that a building still stands after so many hits, or turns; `of` says what it is like."""

    rules: str
    look: str
    of: str
    after: int
    stands: float


class HalfRow(NamedTuple):
    """After how many hits of a Strength walls are as likely down as not; None if `MOST` are not enough.

    `stands` is the chance that they stand after `MOST`.
    """

    rules: str
    look: str
    walls: str
    strength: int
    hits: int | None
    stands: float


@dataclass(frozen=True)
class Hit:
    """A hit, and the walls that it meets: an Armour Value and hull points, or a material, as the rules have it."""

    S: int = 9
    AP: str = "2"
    AV: int = 14
    material: str = "stone"
    hull: int = 3

    def given(self, asked: Question) -> dict[str, str]:
        """Return of all that what a question takes."""
        return {name: str(value) for name, value in vars(self).items() if name in asked.inputs}

    def met(self, asked: Question) -> str:
        """Say what it meets, in the words of the rules that a question is about."""
        if "material" in asked.inputs:
            return self.material
        return f"AV {self.AV}"

    def kinds(self, asked: Question) -> list["Hit"]:
        """Return the same hit on every kind of walls of these rules, from the weakest."""
        if "material" in asked.inputs:
            return [replace(self, material=name) for name in reversed(asked.inputs["material"].choices)]
        return [replace(self, AV=AV) for AV in ARMOUR]


def by_name(rows: Sequence[StandRow]) -> dict[str, list[StandRow]]:
    """Return the rows of each line by its name: its set of rules, what it is like, or both, as far as they differ."""
    lines = list(dict.fromkeys((row.rules, row.of) for row in rows))
    several = len({rules for rules, _ in lines})
    found = {}
    for rules, of in lines:
        name = of if several == 1 and len(lines) > 1 else rules if several == len(lines) else f"{rules}, {of}"
        found[name] = [row for row in rows if (row.rules, row.of) == (rules, of)]
    return found


def asked_of(rule_set: RuleSet) -> Question | None:
    """Return what a set of rules is asked about a building after some hits; None if it has no answer."""
    every = (asked for asked in questions() if asked.name.endswith("standing after hits"))
    return next((asked for asked in every if asked.book and rule_set.book.part(asked.book)), None)


def survival_rows(rule_sets: Sequence[RuleSet], hit: Hit, most: int) -> list[StandRow]:
    """Return the chance that a building stands after hits, under each set of rules that has an answer."""
    return [
        StandRow(rule_set.title, rule_set.look, hit.met(asked), n, _stands(asked, rule_set, hit, n))
        for rule_set, asked in _answering(rule_sets)
        for n in range(most + 1)
    ]


def wall_rows(rule_set: RuleSet, hit: Hit, most: int) -> list[StandRow]:
    """Return the chance that each kind of walls stands after hits, under a set of rules that has an answer."""
    kinds = (each for _, asked in _answering([rule_set]) for each in hit.kinds(asked))
    return [row for each in kinds for row in survival_rows([rule_set], each, most)]


def half_rows(rule_sets: Sequence[RuleSet], hit: Hit, strengths: Sequence[int]) -> list[HalfRow]:
    """Return after how many hits of each Strength each kind of walls is as likely down as not."""
    return [
        HalfRow(rule_set.title, rule_set.look, each.met(asked), S, *_half(asked, rule_set, replace(each, S=S)))
        for rule_set, asked in _answering(rule_sets)
        for each, S in product(hit.kinds(asked), strengths)
    ]


def burning_rows(rule_sets: Sequence[RuleSet], damage: Sequence[int], levels_above: int = 0) -> list[StandRow]:
    """Return the chance that a burning section stands after a turn, by its damage as it caught fire (RC-077)."""
    asked, found = question("turns until a burning section falls"), list[tuple[RuleSet, int, PMF]]()
    for rule_set, points in product(rule_sets, damage):
        falls = asked.answer({"damage": str(points), "levels_above": str(levels_above)}, rule_set.book)
        assert isinstance(falls, PMF)
        found.append((rule_set, points, falls))
    last = max(falls.outcomes[-1] for *_, falls in found)
    return [
        StandRow(rule_set.title, rule_set.look, _damaged(points), turn, float(falls.at_least(turn + 1)))
        for rule_set, points, falls in found
        for turn in range(last + 1)
    ]


def _damaged(points: int) -> str:
    return "undamaged" if points == 0 else "1 point of damage" if points == 1 else f"{points} points of damage"


def _answering(rule_sets: Sequence[RuleSet]) -> Iterator[tuple[RuleSet, Question]]:
    for rule_set in rule_sets:
        if asked := asked_of(rule_set):
            yield rule_set, asked


def _stands(asked: Question, rule_set: RuleSet, hit: Hit, hits: int) -> float:
    answer = asked.answer(hit.given(asked) | {"hits": str(hits)}, rule_set.book)
    assert isinstance(answer, Fraction)
    return float(answer)


def _half(asked: Question, rule_set: RuleSet, hit: Hit) -> tuple[int | None, float]:
    """Return the least number of hits after which a building is as likely down as not; and the chance after `MOST`."""
    found = bisect_left(range(MOST + 1), True, key=lambda hits: _stands(asked, rule_set, hit, hits) <= 0.5)
    return found if found <= MOST else None, _stands(asked, rule_set, hit, MOST)

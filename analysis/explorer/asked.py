"""What the sliders of the explorer ask, and what a house rule made by them says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from analysis.compare import Comparison, alternatives, compare, with_plans
from analysis.point import AUTO, Plans
from analysis.schema import leaf, schema
from analysis.steps import allowed, dice
from sims.rulesets import RuleSet, rule_set
from sims.scenario import Scenario, load_scenario

MOST = 12
"""Numbers without a bound of their own go up to this, or to twice what they are."""

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """An assault, and what is changed in it and in the rules.

    Attributes
    ----------
    scenario : str
    rules : tuple of str
        Ids of rule sets.
    changes : mapping
        Values of the scenario, by key.
    house : mapping
        For each rule set that is changed, by id, its values by key.
    """

    scenario: str = "farmhouse"
    rules: tuple[str, ...] = ("storming",)
    changes: Values = field(default_factory=dict)
    house: Mapping[str, Values] = field(default_factory=dict)

    def game(self) -> Scenario:
        """Return the scenario with its changes.

        Raises
        ------
        CasemateError
            If a value does not fit.
        """
        return load_scenario(self.scenario, dict(self.changes))

    def rule_set(self, rules: str) -> RuleSet:
        """Return a rule set, as a house rule where it is changed."""
        base = rule_set(rules)
        if not (values := self.house.get(rules)):
            return base
        return replace(base.with_values(values), made_from=base, title=f"{base.title}, changed")

    def compared(self) -> Comparison:
        """Play it under its rules.

        Raises
        ------
        CasemateError
            If a value does not fit.
        """
        return compare(self.game(), [self.rule_set(rules) for rules in self.rules], how=AUTO)

    def alternatives(self) -> list[Plans]:
        """Return the plans that are compared."""
        return alternatives(self.game())

    def with_plan(self, played: Comparison, plans: Plans) -> Comparison:
        """Return what has been played, and one pair of plans more."""
        return with_plans(played, [plans])

    def house_rule(self, rules: str, title: str) -> str:
        """Return the file of a house rule that has the values of a changed rule set."""
        values = self.house.get(rules, {})
        head = [f"base = {_written(rules)}", f"title = {_written(title)}", ""]
        return "\n".join([*head, *(f"{key} = {_written(value)}" for key, value in values.items()), ""])


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def keys(rules: RuleSet) -> list[str]:
    """Return the keys of a book whose values stand on a slider: numbers, dice, words and rulings, each by itself."""
    return [key for key, value in rules.book.leaves().items() if isinstance(value, bool | int | str)]


def choices(rules: RuleSet, key: str) -> Sequence[Any]:
    """Return the values that a key of a book may have, in their order; the one in force is among them."""
    now, node = rules.book.leaves()[key], leaf(schema(rules), key)
    if node.get("format") == "dice":
        return dice(rules, key)
    if "enum" in node:
        return list(node["enum"])
    if isinstance(now, bool):
        return [False, True]
    if isinstance(now, int):
        least, most = node.get("minimum", 0), node.get("maximum", max(MOST, 2 * now))
        numbers = range(least, min(most, max(MOST, 2 * now)) + 1)
        return sorted({now, *(n for n in numbers if allowed(rules, {key: n}))})
    return [now]

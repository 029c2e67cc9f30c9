"""What the sliders of the explorer ask, and what a house rule made by them says."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from analysis.comparing.compare import Comparison, empty_comparison
from analysis.say import files
from analysis.values.schema import Node, leaf, schema
from analysis.values.steps import dice, is_allowed, words
from sims.errors import CasemateError
from sims.profiles import Unit
from sims.rulesets import RuleSet, rule_set, rule_set_ids
from sims.scenario import Scenario, load_scenario

MOST = 12
"""Numbers go up to this at most, or to twice what they are; those below zero as far down."""

DOORS = "building.doors"

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """An assault, and what is changed in it and in the rules.

    Attributes:
        rules: Ids of rule sets.
        changes: Values of the scenario, by key; `building.doors` are those of the building that is put in its place.
        house: For each rule set that is changed, by id, its values by key.
    """

    scenario: str = "farmhouse"
    rules: tuple[str, ...] = tuple(rule_set_ids())
    changes: Values = field(default_factory=dict)
    house: Mapping[str, Values] = field(default_factory=dict)

    def game(self) -> Scenario:
        """Return the scenario with its changes.

        Raises:
            CasemateError: If a value does not fit.
        """
        changes = dict(self.changes)
        if "building" in changes and DOORS in changes:
            changes[f"buildings.{changes['building']}.doors"] = changes.pop(DOORS)
        return load_scenario(self.scenario, changes)

    def rule_set(self, rules: str) -> RuleSet:
        """Return a rule set, as a house rule where it is changed."""
        base = rule_set(rules)
        if not (values := self.house.get(rules)):
            return base
        return replace(base.with_values(values), made_from=base, title=f"{base.title}, changed")

    def unplayed(self) -> Comparison:
        """Return what is to be compared, of which nothing has been played yet.

        Raises:
            CasemateError: If a value does not fit, or there are no rules.
        """
        if not self.rules:
            raise CasemateError("no set of rules is chosen")
        return empty_comparison(self.game(), [self.rule_set(rules) for rules in self.rules])

    def accepted(self, key: str, most: int) -> list[int]:
        """Return the numbers, up to the most, that the scenario takes for a key."""
        return [n for n in range(most + 1) if replace(self, changes={**self.changes, key: n}).fits()]

    def fits(self) -> bool:
        """Return whether the scenario takes its changes."""
        try:
            self.game()
        except CasemateError:
            return False
        return True

    def query(self) -> str:
        """Return the query of an address that asks the same: what is changed, and the rules where it is not all."""
        said = {"scenario": self.scenario} if self.scenario != Asked.scenario else {}
        said |= {"rules": ",".join(self.rules)} if self.rules != Asked.rules else {}
        said |= {key: in_address(value) for key, value in self.changes.items()}
        said |= {f"{rules}.{key}": in_address(value) for rules, own in self.house.items() for key, value in own.items()}
        return urlencode(said, safe=",")

    def house_rule(self, rules: str, title: str) -> str:
        """Return the file of a house rule that has the values of a changed rule set."""
        values = self.house.get(rules, {})
        head = [f"base = {_written(rules)}", f"title = {_written(title)}", ""]
        return "\n".join([*head, *(f"{key} = {_written(value)}" for key, value in values.items()), ""])

    def save(self, rules: str, name: str) -> Path:
        """Write the house rule of a changed rule set to a new file in the folder one is in, and return its path.

        Raises:
            CasemateError: If nothing is changed, or the file cannot have this name.
        """
        path = Path(name.strip())
        if rules not in self.house:
            raise CasemateError(f"nothing of {rules} is changed")
        if path.suffix != ".toml":
            raise CasemateError(f'a house rule cannot be "{name}"; expected a name that ends in .toml')
        if str(path) != path.name:
            raise CasemateError(
                f'a house rule cannot be "{name}"; expected a name alone, for it is saved in this folder'
            )
        if path.exists():
            raise CasemateError(f"{path}: is there already; expected a new file")
        files.write(path, self.house_rule(rules, path.stem.replace("-", " ").capitalize()))
        return path.resolve()


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def in_address(value: Any) -> str:
    """Return a value as an address has it."""
    return "none" if value is None else str(value)


def statline(names: Iterable[str]) -> dict[str, Sequence[Any]]:
    """Return the values that characteristics of a unit may have, in order; None is no save."""
    fields, found = Unit.model_json_schema()["properties"], dict[str, Sequence[Any]]()
    for name in names:
        either = fields[name].get("anyOf", [fields[name]])
        numbers = range(either[0]["minimum"], either[0]["maximum"] + 1)
        found[name] = [*numbers, *([None] if len(either) > 1 else [])]
    return found


def keys(rules: RuleSet) -> list[str]:
    """Return the keys of a book whose values stand on a slider: numbers, dice, words and rulings, each by itself."""
    whole = schema(rules)
    return [key for key, value in rules.book.leaves().items() if _has_choice(rules, key, leaf(whole, key), value)]


def _has_choice(rules: RuleSet, key: str, node: Node, value: Any) -> bool:
    if isinstance(value, bool):  # some may not be otherwise unless another number is too
        return is_allowed(rules, {key: not value})
    return isinstance(value, int) or node.get("format") == "dice" or len([*words(node)]) > 1


def choices(rules: RuleSet, key: str) -> Sequence[Any]:
    """Return the values that one of the `keys` of a book may have, in order; the one in force is among them."""
    now, node = rules.book.leaves()[key], leaf(schema(rules), key)
    if node.get("format") == "dice":
        return dice(rules, key)
    if isinstance(now, bool):
        return [False, True]
    if isinstance(now, int):
        far = max(MOST, 2 * abs(now))
        least, most = node.get("minimum", -far if now < 0 else 0), node.get("maximum", far)
        numbers = range(max(least, -far), min(most, far) + 1)
        return [n for n in numbers if n == now or is_allowed(rules, {key: n})]
    return [*words(node)]

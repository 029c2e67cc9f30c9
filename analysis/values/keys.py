"""Keys of files: which rules have one, which value is in force, and which values it may have."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from analysis.values.schema import leaf, schema
from analysis.values.steps import dice, is_allowed
from sims.errors import CasemateError, nearest
from sims.reading import dotted, undotted
from sims.rulesets import RuleSet
from sims.scenario import load_scenario, written

FARTHEST = 200
"""How far from the present value a range is looked for."""


def rule_sets_with(rule_sets: Iterable[RuleSet], key: str) -> list[RuleSet]:
    """Return the rule sets that have a key (all have those of scenarios), or raise `CasemateError` if none has it."""
    rule_sets = list(rule_sets)
    some = [one for one in rule_sets if not of_rules(key) or key in one.book.leaves()]
    if not some:
        every = {leaf for one in rule_sets for leaf in one.book.leaves()}
        raise CasemateError(f"none of {', '.join(one.id for one in rule_sets)} has {key}; {nearest(key, every)}")
    return some


def of_rules(key: str) -> bool:
    """Return whether a key stands in files of rules; else it stands in those of scenarios."""
    return undotted(key)[0] in ("tables", "rulings")


def present(scenario: str, rule_set: RuleSet, key: str) -> Any:
    """Return the value of a key that is in force, or raise `CasemateError` if there is no such key."""
    if of_rules(key):
        return rule_set.book.leaves()[key]
    at: Any = written(scenario)
    for i, part in enumerate(parts := undotted(key)):
        if not isinstance(at, dict) or part not in at:
            near = (dotted((*parts[:i], each)) for each in at) if isinstance(at, dict) else ()
            raise CasemateError(f"{scenario} has no {key}; {nearest(dotted(parts[: i + 1]), near)}")
        at = at[part]
    return at


def levels(scenario: str, rule_set: RuleSet, key: str) -> Sequence[int | str]:
    """Return the values that a number may have, in their order.

    Raises:
        CasemateError: If there is no such key, or it has neither a whole number nor dice.
    """
    now = present(scenario, rule_set, key)
    if of_rules(key) and leaf(schema(rule_set), key).get("format") == "dice":
        return dice(rule_set, key)
    if isinstance(now, dict | list | tuple):
        raise CasemateError(f"{key} is no single value; expected the key of a whole number or dice")
    if isinstance(now, bool) or not isinstance(now, int):
        raise CasemateError(f"{key} is {now!r}; expected a whole number or dice")

    def fits(value: int) -> bool:
        return is_allowed(rule_set, {key: value}) if of_rules(key) else _loads(scenario, key, value)

    below, above = _while(fits, range(now - 1, now - FARTHEST, -1)), _while(fits, range(now + 1, now + FARTHEST))
    return [*reversed([*below]), now, *above]


def _while(fits: Callable[[int], bool], values: Iterable[int]) -> Iterator[int]:
    for value in values:
        if not fits(value):
            return
        yield value


def _loads(scenario: str, key: str, value: int) -> bool:
    try:
        load_scenario(scenario, {key: value})
    except CasemateError:
        return False
    return True

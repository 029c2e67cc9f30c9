"""What `casemate solve` says."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.deciding.solve import Level, Solution
from analysis.points.plans import Plans
from analysis.points.point import AUTO, How
from analysis.points.stopping import short
from analysis.say.blocks import Block, Grid
from analysis.say.engine import engine, not_enough
from analysis.say.numbers import goal, interval, listed
from analysis.say.rules import titles
from analysis.say.scenarios import plans_words
from sims.scenario import Scenario


def summary(
    scenario: Scenario, key: str, response: str, target: float, found: Sequence[Solution], how: How = AUTO
) -> Iterator[Block]:
    """Yield the values between which a response meets its target, under each set of rules."""
    yield verdict(scenario, key, response, target, found)
    rows = []
    for title, one in zip(titles([one.rule_set for one in found]), found, strict=True):
        now = next((level for level in one.levels if level.value == one.present), None)
        rows.append((title, _level(response, now) if now else str(one.present), _answer(response, target, one)))
    yield Grid(("rules", "now", "met"), tuple(rows), 3)
    yield from _nearest(found)
    levels = ({response: level.response} for one in found for level in one.levels)
    yield from not_enough(how, short(levels, how.until))


def verdict(scenario: Scenario, key: str, response: str, target: float, found: Sequence[Solution]) -> str:
    """Say between which values a response meets its target, under each set of rules."""
    by_place = dict[str, list[str]]()
    for title, one in zip(titles([one.rule_set for one in found]), found, strict=True):
        by_place.setdefault(_place(key, response, one), []).append(title)
    told = "; ".join(f"{place} under {listed(rules)}" for place, rules in by_place.items())
    return f"{scenario.title}, {goal(response, target)}: {told}."


def _place(key: str, response: str, one: Solution) -> str:
    """Say at which values a target is met, and between which it is crossed."""
    places = [
        f"at {key} {low.value}"
        if low == high
        else f"between {key} {_level(response, low)} and {_level(response, high)}"
        for low, high in one.crossings
    ]
    if places:
        return " or ".join(places)
    return f"at no value of {key} from {one.levels[0].value} to {one.levels[-1].value}"


def caption(scenario: Scenario, plans: Plans, found: Sequence[Solution], how: How) -> str:
    """Say what was played of a scenario, how it was computed, and which values were left out."""
    levels = [level.response for one in found for level in one.levels]
    computed = engine(how, len(levels), sum(each.sampled for each in levels), sum(each.certified for each in levels))
    return "\n".join([f"{scenario.title}: {plans_words(*plans)}. {computed}", *_nearest(found)])


def _nearest(found: Sequence[Solution]) -> Iterator[str]:
    """Say, if it is so, that not all values were played."""
    ranges = dict[str, list[str]]()
    for one in found:
        if not one.whole:
            ranges.setdefault(f"{one.levels[0].value} to {one.levels[-1].value}", []).append(one.rule_set.title)
    if ranges:
        all_of_them = len(ranges) == 1 and all(not one.whole for one in found)
        parts = [f"{played}{'' if all_of_them else f' under {listed(rules)}'}" for played, rules in ranges.items()]
        yield f"Not every value was played, only those nearest to the present one: {', '.join(parts)}."


def _answer(response: str, target: float, one: Solution) -> str:
    if one.crossings:
        return "; ".join(_crossing(response, *pair) for pair in one.crossings)
    first, last = one.levels[0].value, one.levels[-1].value
    wanted = f"{round(100 * target, 1):g} %" if response.startswith("p_") else f"{round(target, 2):g}"
    return f"no value from {first} to {last} reaches {wanted}: {_level(response, one.nearest)} is nearest"


def _crossing(response: str, low: Level, high: Level) -> str:
    if low == high:
        return f"at {_level(response, low)}"
    return f"between {_level(response, low)} and {_level(response, high)}"


def _level(response: str, level: Level) -> str:
    sampled = interval(level.response, factor=100 if response.startswith("p_") else 1)
    return f"{level.value} ({_number(response, level.response.value)}{sampled and f', {sampled}'})"


def _number(response: str, value: float) -> str:
    return f"{100 * value:.1f} %" if response.startswith("p_") else f"{value:.2f}"


def data(scenario: str, key: str, response: str, target: float, found: Sequence[Solution]) -> dict[str, Any]:
    """Return the same as JSON has it."""
    return {
        "scenario": scenario,
        "key": key,
        "response": response,
        "target": target,
        "solutions": [
            {
                "rules": one.rule_set.id,
                "now": one.present,
                "crossings": [[low.value, high.value] for low, high in one.crossings],
                "levels": [{"level": level.value, **level.response.data} for level in one.levels],
                "whole_range": one.whole,
            }
            for one in found
        ],
    }

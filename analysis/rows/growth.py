"""Rows of how the cost of an answer grows with the models on both sides."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

from analysis.points.point import How, point
from sims.engines import Engine, Progress
from sims.errors import BudgetError
from sims.rulesets import Rules, RuleSet, rule_sets_of
from sims.scenario import load_scenario

SIZES = (10, 20, 30, 40, 60)
"""Attackers; there are two defenders for three of them."""
ON_A_LEVEL = 12
"""Defenders for whom each level has room, under the rules with the least of it."""
HOW: dict[str, Engine] = {"exact": "exact", "certified": "bounded"}
"""What answers are called, and the engine that finds them."""


class GrowthRow(NamedTuple):
    """How long one assault takes to answer, in seconds of processor time; none where it is too large for that."""

    rules: str
    look: str
    answer: str
    attackers: int
    garrison: int
    seconds: float | None


def garrison_for(attackers: int) -> int:
    """Return how many defenders so many attackers meet."""
    return max(1, 2 * attackers // 3)


def growth_rows(
    scenario: str | Path, rules: Rules = "all", sizes: Sequence[int] = SIZES, *, progress: Progress | None = None
) -> list[GrowthRow]:
    """Return how long assaults of growing size take to answer, exactly and certified, under each set of rules.

    Each is played anew, also how the attackers would go in.

    Raises:
        CasemateError: If there is no such scenario or set of rules, or a number of models is none.
    """
    sets, found = rule_sets_of(rules), list[GrowthRow]()
    asked = [(each, name, size) for each in sets for name in HOW for size in sizes]
    for n, (each, name, size) in enumerate(asked):
        if progress:
            progress(n, len(asked))
        seconds = _seconds(scenario, each, size, HOW[name])
        found.append(GrowthRow(each.title, each.look, name, size, garrison_for(size), seconds))
    return found


def _seconds(scenario: str | Path, rules: RuleSet, attackers: int, engine: Engine) -> float | None:
    """Return how long one assault takes, in a building that holds the garrison; None if it is too large."""
    inside = garrison_for(attackers)
    levels = max(load_scenario(scenario).building.levels or 1, -(-inside // ON_A_LEVEL))
    building = {"building.capacity": inside, "building.levels": levels}
    models = {"attackers.models": attackers, "defenders.models": inside, **building}
    asked = point(scenario, replace(rules), models, how=How(engine))  # anew: rules remember what attackers chose
    since = process_time()
    try:
        asked.read()
    except BudgetError:
        return None
    return process_time() - since

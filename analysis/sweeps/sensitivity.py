"""What matters most in a scenario: each number by one step, or some numbers over ranges."""

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.points.point import AUTO, FARMHOUSE, How, Played
from analysis.points.responses import check_response
from analysis.sweeps import indices, tornado
from analysis.sweeps.design import design, factor
from analysis.sweeps.scenario_steps import steps
from analysis.sweeps.sweep import answers
from sims.engines import Progress
from sims.errors import CasemateError, nearest
from sims.rulesets import Rules, rule_sets_of


def sensitivity(
    scenario: str = FARMHOUSE,
    factors: Mapping[str, Any] | None = None,
    *,
    rules: Rules = "all",
    response: str = "p_captured",
    only: str | Iterable[str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    workers: int | str = 1,
    progress: Progress | None = None,
) -> list[tornado.Tornado] | list[indices.Indices]:
    """Find out what matters most in a scenario: each number by one step, or some numbers over ranges.

    >>> from analysis import sensitivity
    >>> (found,) = sensitivity("farmhouse", rules="storming", only=["attackers.models", "turns"])
    >>> [bar.key for bar in found.bars]
    ['attackers.models', 'turns']

    With ranges every combination of their values is played. The answer then says which share of the spread each factor
    has by itself (``first``), and together with the others (``total``):

    >>> (found,) = sensitivity("farmhouse", {"attackers.models": [16, 20], "turns": [3, 6]}, rules="storming")
    >>> [(each.factor, round(each.first, 1)) for each in found.indices]
    [('attackers.models', 0.3), ('turns', 0.6)]

    Args:
        factors: The values of each number, by key: ``{"attackers.models": range(12, 25)}``.
        response: What is to be explained.
        only: Without ranges: the keys to change, not all that a player would vary.
    """
    sets = rule_sets_of(rules)
    check_response(response)
    if factors is not None:
        grid = design([factor(name, levels) for name, levels in factors.items()], scenario, sets)
        indices.varied_factors(grid)
        found = answers(grid, how, known=known, workers=workers, progress=progress)
        return indices.indices(grid, found, response)
    asked = steps(scenario)
    if only is not None:
        keys, there = {only} if isinstance(only, str) else {*only}, {step.key for step in asked}
        for key in sorted(keys - there):
            raise CasemateError(f'"{key}" is nothing that a player would vary; {nearest(key, there)}')
        asked = [step for step in asked if step.key in keys]
    found = answers(tornado.one_by_one(asked, scenario, sets), how, known=known, workers=workers, progress=progress)
    return tornado.tornados(asked, found, response)

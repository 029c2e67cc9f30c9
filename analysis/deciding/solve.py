"""Solve: the value of one number at which a response meets a target, under each set of rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.points.point import AUTO, FARMHOUSE, How, Played, Point, point
from analysis.points.responses import Estimate, sensible
from analysis.values.keys import levels, present, rule_sets_with
from sims.engines import Progress
from sims.errors import BudgetError, CasemateError, nearest
from sims.rulesets import Rules, RuleSet, rule_sets_of

FEW_LEVELS = 24
"""Of a range of more values those nearest to the present one are played first, and more until the target is crossed."""


@dataclass(frozen=True)
class Level:
    """A value of the number, and what the response is there."""

    value: int | str
    response: Estimate


@dataclass(frozen=True)
class Solution:
    """What a scan has found under one set of rules.

    Attributes:
        present: The value in force.
        levels: Every value that was played, in their order.
        whole: Whether these are all the values that the number may have.
    """

    rule_set: RuleSet
    present: int | str
    levels: tuple[Level, ...]
    target: float
    whole: bool

    @property
    def crossings(self) -> list[tuple[Level, Level]]:
        """The neighbouring values between which the response crosses the target; twice the same where it meets it.

        Of what is certified it meets a target within its bounds.
        """
        met = [(one, one) for one in self.levels if not self._side(one)]
        passed = ((one, other) for one, other in pairwise(self.levels) if self._side(one) * self._side(other) < 0)
        return sorted([*met, *passed], key=lambda pair: self.levels.index(pair[0]))

    def _side(self, level: Level) -> int:
        """Return on which side of the target a response is: -1 below, 1 above, 0 where it meets it."""
        of = level.response
        return (of.value > self.target) - (of.value + of.beyond < self.target)

    @property
    def nearest(self) -> Level:
        """The value at which the response is nearest to the target; the present one if no other is nearer."""

        def far(level: Level) -> tuple[float, bool]:
            return round(abs(level.response.value - self.target), 9), level.value != self.present

        return min(self.levels, key=far)


def solve(
    scenario: str = FARMHOUSE,
    key: str = "attackers.models",
    response: str = "p_captured",
    target: float = 0.5,
    *,
    rules: Rules = "all",
    plans: tuple[str, str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    progress: Progress | None = None,
) -> list[Solution]:
    """Find the value of one number at which a response meets a target: how many attackers make it even, say.

    >>> from analysis import solve
    >>> (found,) = solve("farmhouse", "attackers.models", target=0.7, rules="storming")
    >>> [(low.value, high.value) for low, high in found.crossings]
    [(19, 20)]
    >>> found.nearest.value
    19

    `rows.solve_rows` makes the answer tidy for `charts.crossings_chart`.

    Args:
        key: A whole number or dice, by its key in a scenario file (``"distance"``) or in the rules
            (``"tables.grenade.hits"``).
        response: What is to meet the target: ``p_captured``, ``attackers_lost_mean``, ...
        target: From 0 to 1 for a chance.

    Returns:
        One answer for each set of rules that has the key.

    Raises:
        CasemateError: If there is no such key or response, the key has no number, or the target is no chance.
    """
    sensible(response, target)
    asked = [(rule_set, levels(scenario, rule_set, key)) for rule_set in rule_sets_with(rule_sets_of(rules), key)]
    known = Played() if known is None else known
    games, found = sum(min(len(values), FEW_LEVELS) for _, values in asked), list[Solution]()
    for rule_set, values in asked:
        now, levels_played = present(scenario, rule_set, key), dict[int, Level]()
        solution = Solution(rule_set, now, (), target, whole=False)
        for tried, place in enumerate(_outwards(values, now), 1):
            if tried > FEW_LEVELS and solution.crossings:
                break
            if progress:
                progress(min(tried - 1 + sum(len(one.levels) for one in found), games), games)
            each = point(scenario, rule_set, {key: values[place]}, plans=plans, how=how)
            if (answer := _answer(each, response, known, needed=values[place] == now)) is not None:
                levels_played[place] = Level(values[place], answer)
            told = tuple(levels_played[i] for i in sorted(levels_played))
            solution = Solution(rule_set, now, told, target, whole=tried == len(values))
        found.append(solution)
    return found


def _outwards(values: Sequence[int | str], now: int | str) -> list[int]:
    """Return the places of values, those next to the present one first."""
    here = values.index(now)
    return sorted(range(len(values)), key=lambda i: (abs(i - here), -i))


def _answer(each: Point, response: str, known: Played, *, needed: bool) -> Estimate | None:
    """Return a response; None if the files allow an assault that the rules do not, unless that is needed."""
    try:
        answers = each.responses(known.of(each))
    except BudgetError:
        raise
    except CasemateError:
        if needed:
            raise
        return None
    if response not in answers:
        raise CasemateError(f'there is no response "{response}"; {nearest(response, answers)}')
    return answers[response]

"""Responses: the numbers that describe an assault, each read from the one distribution of its outcomes."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.intervals import mean_interval, quantile_interval, wilson
from sims.assault import End
from sims.dice import Bools, Ints
from sims.engines import Result, Sampled
from sims.scenario import Side

ENDS = {end.name.lower(): end for end in (End.DESTROYED, End.CAPTURED, End.BROKEN, End.HELD)}
"""The end states by name, in their order of precedence."""

SIDES: tuple[Side, Side] = ("attackers", "defenders")

NAMES = (
    *(f"p_{name}" for name in ENDS),
    "p_cleared",
    "turns_mean",
    *(f"{side}_lost_{what}" for side in SIDES for what in ("mean", "q05", "q95")),
)
"""The responses, by name."""


@dataclass(frozen=True)
class Estimate:
    """A number about outcomes: exact when it has no interval, else with its 95 % interval.

    Attributes
    ----------
    value : float
    low, high : float or None
    """

    value: float
    low: float | None = None
    high: float | None = None


class Models(NamedTuple):
    """How many models each side had: the bounds of its losses."""

    attackers: int
    defenders: int


def responses(result: Result, models: Models | None = None) -> dict[str, Estimate]:
    """Return every response of a result, by name.

    Parameters
    ----------
    result : Exact or Sampled
    models : Models, optional
        What each side can lose; without it, the most that any trial lost.

    Returns
    -------
    dict
        The chances of the four end states (they sum to 1) and of no defender being left alive inside; the mean of
        the turns to the end; of each side's losses the mean and the 5 % and 95 % quantiles.
    """
    found = {f"p_{name}": chance(result, result.columns["end"] == end) for name, end in ENDS.items()}
    found["p_cleared"] = chance(result, result.columns["cleared"] != 0)
    found["turns_mean"] = _mean(result, result.columns["turn"], 1, len(result.course))
    for side in SIDES:
        lost = result.columns[f"{side}_lost"]
        most = getattr(models, side) if models else int(lost.max())
        found[f"{side}_lost_mean"] = _mean(result, lost, 0, most)
        found[f"{side}_lost_q05"] = _quantile(result, lost, 0.05, most)
        found[f"{side}_lost_q95"] = _quantile(result, lost, 0.95, most)
    return found


def captured_by_turn(result: Result) -> list[Estimate]:
    """Return P(captured by the end of turn t) for t from 1 to the turn limit."""
    turn, captured = result.columns["turn"], result.columns["end"] == End.CAPTURED
    return [chance(result, captured & (turn <= t)) for t in range(1, len(result.course) + 1)]


def losses(result: Result, side: Side) -> dict[int, Estimate]:
    """Return the chance of each number of models lost by a side, from 0 to the most that can come up."""
    lost = result.columns[f"{side}_lost"]
    return {n: chance(result, lost == n) for n in range(int(lost.max()) + 1)}


def chance(result: Result, which: Bools) -> Estimate:
    """Return the chance of the outcomes marked, ``[N]``."""
    if isinstance(result, Sampled):
        count = int(result.counts[which].sum())
        low, high = wilson(count, result.trials)
        return Estimate(count / result.trials, float(low), float(high))
    return Estimate(min(float(result.weights[which].sum()), 1.0))


def _mean(result: Result, values: Ints, lowest: int, highest: int) -> Estimate:
    if isinstance(result, Sampled):
        total, squares = int((result.counts * values).sum()), int((result.counts * values**2).sum())
        interval = mean_interval(total, squares, result.trials, lowest=lowest, highest=highest)
        return Estimate(total / result.trials, *interval)
    return Estimate(float((result.weights * values).sum()))


def _quantile(result: Result, values: Ints, q: float, most: int) -> Estimate:
    """Return the least value that is not exceeded with a chance of at least `q`."""
    distinct, place = np.unique(values, return_inverse=True)
    mass = np.zeros(distinct.size)
    np.add.at(mass, place, result.probabilities)
    at = min(int(np.searchsorted(np.cumsum(mass), q - 1e-12)), distinct.size - 1)
    value = float(distinct[at])
    if isinstance(result, Sampled):
        counts = np.zeros(distinct.size, dtype=np.int64)
        np.add.at(counts, place, result.counts)
        return Estimate(value, *quantile_interval(distinct, counts, q, lowest=0, highest=most))
    return Estimate(value)

"""Responses: the numbers that describe an assault, each read from the margins of its result; when they are alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot, isfinite
from operator import add
from typing import TypeVar

import numpy as np

from analysis.points.intervals import mean_interval, quantile_interval, reach, wilson
from analysis.points.margins import ENDS, SIDES, Margins
from sims.dice.tables import Numbers
from sims.engines import Result
from sims.errors import CasemateError, nearest
from sims.scenario import Side

NAMES = (
    *(f"p_{name}" for name in ENDS),
    "p_cleared",
    "turns_mean",
    *(f"{side}_lost_{what}" for side in SIDES for what in ("mean", "q05", "q95")),
)
"""The responses, by name."""
SEEN = 0.0005
"""Bounds that lie no farther apart than this are not shown."""
ALIKE = 1e-9
"""By how much answers differ at most that come to the same: by no more than rounding does."""

K = TypeVar("K")
V = TypeVar("V")


def scale(response: str) -> int:
    """Return by what a response is multiplied to be told: a chance is told in percent."""
    return 100 if response.startswith("p_") else 1


@dataclass(frozen=True)
class Estimate:
    """A number about outcomes: with its 95 % interval where it was sampled, else exact or certified.

    Attributes:
        low, high: The ends of the interval; None of what was not sampled.
        beyond: By how much the true number may be larger, at most; above 0 of what is certified.
    """

    value: float
    low: float | None = None
    high: float | None = None
    beyond: float = 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """Between which numbers the true one lies: its interval, or its bounds; itself, twice, where it is exact."""
        return (
            (self.value, self.value + self.beyond) if self.low is None or self.high is None else (self.low, self.high)
        )

    @property
    def sampled(self) -> bool:
        """Whether it was sampled."""
        return self.low is not None

    @property
    def certified(self) -> bool:
        """Whether it is known within bounds."""
        return self.beyond > 0

    @property
    def in_words(self) -> float:
        """The number as words and tables have it: of what is certified 0 is next to nothing, not never."""
        return self.value or min(self.beyond, SEEN / 2)

    @property
    def drawn(self) -> tuple[float, float | None, float | None]:
        """The number, with the ends of its interval, or with its bounds if they can be seen: what a picture shows."""
        low, high = self.ends if self.beyond >= SEEN else (self.low, self.high)
        return self.value, low, high

    @property
    def data(self) -> dict[str, float | None]:
        """The number as JSON and tables have it, with the ends of its interval; with its bounds if it is certified."""
        low, high = self.ends if self.certified else (self.low, self.high)
        return {"value": self.value, "low": low, "high": high} | ({"certified": True} if self.certified else {})


def responses(of: Margins, shared: int = 1) -> dict[str, Estimate]:
    """Return every response of an assault, by name, from the margins of its result.

    Args:
        shared: How many answers share the error of one interval.

    Returns:
        The chances of the four end states (they sum to 1) and of no defender being left alive inside; the mean of the
        turns to the end; of each side's losses the mean and the 5 % and 95 % quantiles.
    """
    z = reach(shared * of.looks)
    found = {f"p_{name}": _chance(row.sum(), of, z) for name, row in zip(ENDS, of.ends, strict=True)}
    found["p_cleared"] = _chance(of.cleared, of, z)
    found["turns_mean"] = _mean(of.ends.sum(axis=0), 1, of, z)
    for side in SIDES:
        lost = of.lost[side]
        found[f"{side}_lost_mean"] = _mean(lost, 0, of, z)
        found[f"{side}_lost_q05"] = _quantile(lost, 0.05, of, z)
        found[f"{side}_lost_q95"] = _quantile(lost, 0.95, of, z)
    return found


def difference(before: Estimate, after: Estimate) -> Estimate:
    """Return by how much an answer is larger than one that is independent of it, from the intervals of both.

    The interval of two that were sampled is that of Zou and Donner: squares are added of how far the two reach. Bounds
    hold always, so how far they reach is added as it is.
    """
    moved = after.value - before.value
    if not (before.sampled or after.sampled):
        return Estimate(moved - before.beyond, beyond=before.beyond + after.beyond)
    was_low, was_high = before.ends
    low, high = after.ends
    down, up = (after.value - low, was_high - before.value), (high - after.value, before.value - was_low)
    reached = hypot if before.sampled and after.sampled else add
    return Estimate(moved, moved - reached(*down), moved + reached(*up))


def captured_by_turn(of: Margins) -> list[Estimate]:
    """Return P(captured by the end of turn t) for t from 1 to the turn limit."""
    captured = of.ends[[*ENDS].index("captured")]
    return [_chance(captured[:turn].sum(), of, reach(of.looks)) for turn in range(1, captured.size + 1)]


def lost_by_turn(result: Result, side: Side, most: int) -> list[Estimate]:
    """Return the mean of a side's losses by the end of turn t, for t from 1 to the last that was played.

    Where it was sampled the squares of a turn's losses are not kept. None is greater than the loss times the most that
    can be lost, and with that in their place an interval is a little wider than it need be.

    Args:
        most: Its models.
    """
    means = [float(lost[SIDES.index(side)]) for lost in result.course]
    if result.trials is None:
        return [Estimate(mean, beyond=result.left_out * most) for mean in means]
    n, z = result.trials, reach(result.looks)
    return [Estimate(mean, *mean_interval(n * mean, n * mean * most, n, lowest=0, highest=most, z=z)) for mean in means]


def losses(of: Margins, side: Side) -> dict[int, Estimate]:
    """Return the chance of each number of models lost by a side, from 0 to the most that can come up."""
    lost = of.lost[side]
    return {n: _chance(mass, of, reach(of.looks)) for n, mass in enumerate(lost[: np.flatnonzero(lost)[-1] + 1])}


def _chance(mass: float, of: Margins, z: float) -> Estimate:
    """Return a chance, by its mass: itself, or the trials that came to it."""
    if of.trials is None:
        return Estimate(min(float(mass), 1.0), beyond=of.left_out)
    low, high = wilson(int(mass), of.trials, z)
    return Estimate(int(mass) / of.trials, float(low), float(high))


def _mean(mass: Numbers, lowest: int, of: Margins, z: float) -> Estimate:
    """Return the mean of a number, by the mass of each of its values from the lowest on."""
    values, trials = lowest + np.arange(mass.size), of.trials
    if trials is None:
        found = float((mass * values).sum()) + of.left_out * lowest
        return Estimate(found, beyond=of.left_out * float(values[-1] - lowest))
    total, squares = int((mass * values).sum()), int((mass * values**2).sum())
    interval = mean_interval(total, squares, trials, lowest=lowest, highest=int(values[-1]), z=z)
    return Estimate(total / trials, *interval)


def _quantile(mass: Numbers, q: float, of: Margins, z: float) -> Estimate:
    """Return the least value that is not exceeded with a chance of at least `q`, by the mass of each from none on."""
    up_to = np.cumsum(mass / (of.trials or 1))
    least, most = (min(int(np.searchsorted(up_to, q - 1e-12 - low)), mass.size - 1) for low in (of.left_out, 0))
    if of.trials is None:
        return Estimate(float(least), beyond=float(most - least))
    there = np.flatnonzero(mass)
    counts = mass[there].astype(np.int64)
    return Estimate(float(most), *quantile_interval(there, counts, q, lowest=0, highest=mass.size - 1, z=z))


def check_response(response: str) -> None:
    """See that there is a response, or raise `CasemateError` if there is none of this name."""
    if response not in NAMES:
        raise CasemateError(f'there is no response "{response}"; {nearest(response, NAMES)}')


def sensible(response: str, target: float) -> None:
    """See that a response can come to a target, or raise `CasemateError` if a chance cannot, or it is no number."""
    if response.startswith("p_") and not 0 <= target <= 1:
        raise CasemateError(f"the target of {response} cannot be {target:g}; expected a chance from 0 to 1")
    if not isfinite(target):
        raise CasemateError(f"the target of {response} cannot be {target:g}; expected a number")


def firsts(found: Mapping[K, V], alike: Callable[[V, V], bool]) -> dict[K, K]:
    """Return for each key the first that comes to the same: itself, if none before it does."""
    first = dict[K, K]()
    for key, value in found.items():
        first[key] = next((one for one in dict.fromkeys(first.values()) if alike(found[one], value)), key)
    return first


def same(one: Mapping[str, Estimate], other: Mapping[str, Estimate]) -> bool:
    """Return whether two assaults answer alike in everything that is shown of them."""
    return all(abs(answer.value - other[name].value) < ALIKE for name, answer in one.items())

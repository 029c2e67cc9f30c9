"""Common random numbers: two assaults on the same dice, trial by trial, and by how much they differ.

Two answers that rise and fall together differ by less luck: Var(X - Y) = Var(X) + Var(Y) - 2 Cov(X, Y).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from analysis.points.intervals import Z, mean_interval, paired_interval, reach
from analysis.points.margins import ENDS, SIDES, Margins
from analysis.points.point import Point
from analysis.points.responses import Estimate, difference, responses
from sims.dice import Ints
from sims.dice.tables import Numbers
from sims.engines import outcomes

NUMBERS = {"turns_mean": "turn"} | {f"{side}_lost_mean": f"{side}_lost" for side in SIDES}
"""The means, with the column of an outcome that each is of."""
DIFFER = (*(f"p_{name}" for name in ENDS), "p_cleared", *NUMBERS)
"""The responses of which the difference is told."""


class Pairs(NamedTuple):
    """Trials by where a thing came: in both assaults, only in the first, only in the second, in neither."""

    both: int
    first: int
    second: int
    neither: int


class Moves(NamedTuple):
    """By how much a number was larger in the second assault: its sum over trials, that of squares, its most in one."""

    total: int
    squares: int
    most: int


@dataclass(frozen=True)
class Paired:
    """Two assaults, trial by trial.

    Attributes:
        chances: For each chance (`p_captured`, ..., `p_cleared`) the trials by where it came.
        means: For the turns and the losses of each side by how much they differ.
    """

    trials: int
    chances: Mapping[str, Pairs]
    means: Mapping[str, Moves]

    def differences(self, z: float = Z) -> dict[str, Estimate]:
        """Return by how much each response is larger in the second assault, with its interval."""
        n = self.trials
        found = {
            name: Estimate((of.second - of.first) / n, *paired_interval(of.first, of.second, n, z))
            for name, of in self.chances.items()
        }
        for name, (total, squares, most) in self.means.items():
            found[name] = Estimate(total / n, *mean_interval(total, squares, n, lowest=-most, highest=most, z=z))
        return found


Columns = dict[str, Ints]
"""How some trials ended, see `outcomes`."""


def paired(one: Point, other: Point, trials: int | None = None, was: Iterable[Columns] | None = None) -> Paired:
    """Play two assaults trial by trial, and say in which trials they differ.

    With the same seed their dice are common: the same luck wherever the same is drawn. With another their trials are
    independent, and what is said of the difference holds as well.

    Args:
        one, other: Sampled, or rolled if they say so.
        trials: Those of the first point if not given.
        was: What these trials of the first have come to, if that has been played.
    """
    trials = one.how.trials if trials is None else trials
    was = drawn_columns(one, trials) if was is None else was
    chances, sums = dict[str, Ints](), dict[str, Ints]()
    for old, new in zip(was, drawn_columns(other, trials), strict=True):
        before, after = _came(old), _came(new)
        for name in before:
            places = np.bincount(3 - 2 * before[name] - after[name], minlength=4)
            chances[name] = chances.get(name, 0) + places
        for name, column in NUMBERS.items():
            apart = new[column] - old[column]
            sums[name] = sums.get(name, 0) + np.array([apart.sum(), (apart**2).sum()])
    both = (one, other)
    most = {"turns_mean": max(each.scenario.turns for each in both)}
    most |= {f"{side}_lost_mean": max(getattr(each.models, side) for each in both) for side in SIDES}
    return Paired(
        trials,
        {name: Pairs(*of.tolist()) for name, of in chances.items()},
        {name: Moves(int(of[0]), int(of[1]), most[name]) for name, of in sums.items()},
    )


def weighted(
    points: Sequence[Point], weights: Sequence[Sequence[float]], trials: int, z: float = Z
) -> dict[str, list[tuple[float, float]]]:
    """Return the intervals of weighted sums of several assaults' chances and means, played trial by trial.

    A sum is that of what each trial comes to, so that common dice make it as narrow as they do a difference.

    Args:
        points: Sampled, or rolled if they say so.
        weights ([K, N]): For each sum the weight of every assault.

    Returns:
        For each response of `DIFFER` the interval of each sum.
    """
    sums, factors = dict[str, Numbers](), np.array(weights)
    for columns in zip(*(drawn_columns(each, trials) for each in points), strict=True):
        came = [_came(of) | {name: of[column] for name, column in NUMBERS.items()} for of in columns]
        for name in DIFFER:
            of_trial = factors @ np.stack([each[name] for each in came])
            sums[name] = sums.get(name, 0) + np.stack([of_trial.sum(axis=1), (of_trial**2).sum(axis=1)])
    up, down = np.maximum(factors, 0).sum(axis=1), np.minimum(factors, 0).sum(axis=1)
    found = dict[str, list[tuple[float, float]]]()
    for name, (totals, squares) in sums.items():
        least, most = _bounds(name, points)
        bounds = zip(up * least + down * most, up * most + down * least, strict=True)
        found[name] = [
            mean_interval(float(total), float(of), trials, lowest=float(lowest), highest=float(highest), z=z)
            for total, of, (lowest, highest) in zip(totals, squares, bounds, strict=True)
        ]
    return found


def _bounds(response: str, points: Sequence[Point]) -> tuple[int, int]:
    """Return the least and the most that a trial comes to."""
    if response == "turns_mean":
        return 1, max(each.scenario.turns for each in points)
    if response.startswith("p_"):
        return 0, 1
    side = "attackers" if response.startswith("attackers") else "defenders"
    return 0, max(getattr(each.models, side) for each in points)


def trials_of_both(was: Margins, now: Margins) -> int | None:
    """Return the trials that both were played, or the one of them that is not exact; None if both are."""
    return min((each.trials for each in (was, now) if each.trials is not None), default=None)


def told_apart(one: Point, other: Point, was: Margins, now: Margins, shared: int = 1) -> dict[str, Estimate]:
    """Return by how much the chances and means of a second assault are larger, with intervals that share an error.

    On common dice where both are sampled; of one that is sampled and one that is exact by their intervals.

    Args:
        was, now: What has come of the two; at least one is sampled.
        shared: How many intervals share the error of one.
    """
    if was.trials is not None and now.trials is not None:
        z = reach(shared * max(was.looks, now.looks))
        return paired(one, other, trials_of_both(was, now)).differences(z)
    before, after = (responses(each, shared) for each in (was, now))
    return {name: difference(before[name], after[name]) for name in DIFFER}


def drawn_columns(of: Point, trials: int) -> Iterator[Columns]:
    """Play so many trials of an assault, sampled or rolled, and yield how each ended, a batch at a time."""
    engine: Literal["sampled", "rolled"] = "rolled" if of.how.engine == "rolled" else "sampled"
    return outcomes(of.assault, engine=engine, trials=trials, seed=of.how.seed)


def _came(of: Mapping[str, Ints]) -> dict[str, Ints]:
    """Return for each chance in which trials it came, ``[trials]``: 1 or 0."""
    came = {f"p_{name}": of["end"] == end for name, end in ENDS.items()} | {"p_cleared": of["cleared"] != 0}
    return {name: each.astype(np.int64) for name, each in came.items()}

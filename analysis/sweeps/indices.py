"""Indices: which share of the spread of a response over a whole grid is each factor's, alone and with others (Sobol).

Every level of a factor is taken to be equally likely, and each factor for itself; so all of them are plain means and
variances over the grid, and nothing is sampled.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.points.responses import ALIKE
from analysis.sweeps.design import Design, Factor
from analysis.sweeps.sweep import Answer, by_rules
from sims.errors import CasemateError

MOST_POINTS = 100_000
"""Points of a grid that is played whole."""

Grid = NDArray[np.float64]


class Index(NamedTuple):
    """What of the spread is a factor's: by itself (first order), and with all that it does to others' (total)."""

    factor: str
    levels: int
    first: float
    total: float


@dataclass(frozen=True)
class Indices:
    """How a response spreads over a grid under one set of rules, and whose shares of that are which.

    Attributes:
        mean, deviation: The mean, and the standard deviation; None where points cannot be played.
        indices: For each factor; none where the response does not vary, or points cannot be played.
        refused: The points that cannot be played, each with the reason.
    """

    rules: str
    response: str
    points: int
    mean: float | None
    deviation: float | None
    indices: tuple[Index, ...]
    refused: tuple[tuple[str, str], ...]

    @property
    def together(self) -> float:
        """What of the spread is no single factor's."""
        return max(0.0, 1 - sum(index.first for index in self.indices))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each factor; one that says why, where points cannot be played."""
        about = {"rules": self.rules, "response": self.response}
        for index in self.indices:
            yield {**about, **index._asdict(), "refused": None}
        for name, why in self.refused[:1]:
            yield {**about, **dict.fromkeys(Index._fields), "refused": f"{name}: {why}"}


COLUMNS = ("rules", "response", *Index._fields, "refused")
"""Of the rows of indices."""


def varied_factors(of: Design) -> list[Factor]:
    """Return the factors of a grid that indices tell apart: all but the rules.

    Raises:
        CasemateError: If a factor sets the rules and more, or the grid is too large.
    """
    mixed = [each.name for each in of.factors if "rules" in each.keys and len(each.keys) > 1]
    if mixed:
        raise CasemateError(f"{mixed[0]} sets the rules and more; expected rules that are a factor of their own")
    if len(of) > MOST_POINTS:
        raise CasemateError(
            f"these are {len(of):,} points; expected at most {MOST_POINTS:,}, as all of them are played"
        )
    return of.varied


def indices(of: Design, found: Iterable[Answer], response: str = "p_captured") -> list[Indices]:
    """Return the first-order and total indices of a response under each set of rules.

    Args:
        found: What has come of its cells, in their order.

    Raises:
        CasemateError: If a factor sets the rules and more, or the grid is too large.
    """
    factors = varied_factors(of)
    return [_indices(factors, rules, some, response) for rules, some in by_rules(found).items()]


def _indices(factors: Sequence[Factor], rules: str, found: Sequence[Answer], response: str) -> Indices:
    refused = tuple((answer.point, answer.refused) for answer in found if answer.refused)
    if refused:
        return Indices(rules, response, len(found), None, None, (), refused)
    grid = np.array([answer.responses[response].value for answer in found])
    each = grid.reshape([len(factor.levels) for factor in factors])
    mean, deviation = float(grid.mean()), float(grid.std())
    if np.ptp(grid) <= ALIKE:
        return Indices(rules, response, len(found), mean, deviation, (), ())
    shares = zip(factors, *sobol(each), strict=True)
    told = tuple(Index(factor.name, len(factor.levels), first, total) for factor, first, total in shares)
    return Indices(rules, response, len(found), mean, deviation, told, ())


def sobol(grid: Grid) -> tuple[list[float], list[float]]:
    """Return the first-order and the total index of each axis of a full grid of values that vary.

    The first is the variance of the means over all other axes, the other the mean of the variances along the axis
    itself, both as shares of the whole variance.

    >>> first, total = sobol(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> first, total
    ([0.8, 0.2], [0.8, 0.2])
    """
    axes = range(grid.ndim)
    whole = grid.var()
    first = [float(grid.mean(axis=tuple(j for j in axes if j != i)).var() / whole) for i in axes]
    total = [float(grid.var(axis=i).mean() / whole) for i in axes]
    return first, total

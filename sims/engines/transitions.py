"""Transitions of a chain, as a compressed sparse matrix (CSR): it carries weights forwards and values back.

With the chances P of a rule in its rows, weights go forwards by w P and values back by P v.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sims.dice import Ints
from sims.dice.tables import Numbers, merge_keys
from sims.engines.merging import Distinct, summed
from sims.engines.numbering import NONE, put

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MANY = 2
"""Every state is given its weight, and none is looked for, where all are at most so many times the outcomes."""


@dataclass(frozen=True)
class Transitions:
    """What a rule makes of some states: the rows of a sparse matrix.

    Attributes:
        source ([M]): The states.
        first ([M + 1]): Where the transitions of each begin, and last where all end.
        target, chance ([T]): Where each transition leads, and how likely it is.
        tallies: What is expected to be tallied in each of the states, ``[M]``.
    """

    source: Ints
    first: Ints
    target: Ints
    chance: Numbers
    tallies: dict[str, Numbers]

    def forward(self, weights: Numbers) -> Numbers:
        """Return the weights of all states after the rule, ``[N]``; those of no source stay where they are."""
        after = weights.copy()
        after[self.source] = 0
        if self.chance.dtype == object:
            flow = np.repeat(weights[self.source], np.diff(self.first))
            return after + summed(flow * self.chance, self.target, after.size)
        return after + weights[self.source] @ self.matrix(after.size)

    def forward_some(self, states: Ints, weights: Numbers, size: int) -> tuple[Ints, Numbers, dict[str, Any]]:
        """Return what some of so many states come to, in order and with their weights, and what is tallied.

        The sources are in order. It looks at no more states than there are, where `forward` looks at all.
        """
        rows = np.minimum(np.searchsorted(self.source, states), self.source.size - 1)
        return self.forward_rows(np.where(self.source[rows] == states, rows, NONE), states, weights, size)

    def forward_rows(
        self, rows: Ints, states: Ints, weights: Numbers, size: int
    ) -> tuple[Ints, Numbers, dict[str, Any]]:
        """Return the same for states whose rows are known, ``[K]``; those of row `NONE` stay where they are."""
        moving = rows != NONE
        some = self.take(rows[moving])
        flow = np.repeat(weights[moving], np.diff(some.first)) * some.chance
        tallies = {name: (weights[moving] * amount).sum() for name, amount in some.tallies.items()}
        target, flow = np.concatenate([states[~moving], some.target]), np.concatenate([weights[~moving], flow])
        if MANY * target.size > size:
            every = summed(flow, target, size)
            after: Ints = np.flatnonzero(every)
            return after, every[after], tallies
        after, place = merge_keys(target, size)
        return after, summed(flow, place, after.size), tallies

    def backward(self, values: Numbers) -> Numbers:
        """Return the mean of the values after each of the sources, ``[N, V]`` to ``[M, V]``."""
        if self.chance.dtype == object:
            after = self.chance[:, np.newaxis] * values[self.target]
            return np.add.reduceat(after, self.first[:-1], axis=0)
        before: Numbers = self.matrix(len(values)) @ values
        return before

    def matrix(self, size: int) -> "csr_array":
        """Return them as a sparse matrix, ``[M, size]``."""
        return _sparse((self.chance, self.target, self.first), (self.source.size, size))

    def tallied(self, weights: Numbers) -> dict[str, Any]:
        """Return what is expected to be tallied, by the weights of all states, ``[N]``."""
        return {name: (weights[self.source] * amount).sum() for name, amount in self.tallies.items()}

    def alike(self, other: "Transitions") -> bool:
        """Return whether they are of the same states, and lead to the same, equally likely."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in ("source", "first", "target", "chance"))
        return all(np.array_equal(one, two) for one, two in pairs)

    def take(self, rows: Ints) -> "Transitions":
        """Return the transitions of some sources."""
        lengths = np.diff(self.first)[rows]
        first: Ints = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
        own = np.repeat(self.first[rows] - first[:-1], lengths) + np.arange(first[-1])
        tallies = {name: amount[rows] for name, amount in self.tallies.items()}
        return Transitions(self.source[rows], first, self.target[own], self.chance[own], tallies)


def between(sources: Ints, targets: Ints, found: Distinct, tallies: dict[str, Numbers]) -> Transitions:
    """Return the transitions from some states to those that they have come to, one for each two states.

    Args:
        sources ([R]): The states, in the order of the last axis of what was played.
        targets ([N]): The numbers of the distinct states found.
    """
    row = found.alive % sources.size
    if found.weights.dtype == object:
        pairs, pair = merge_keys(row * found.size + found.place, sources.size * found.size)
        first: Ints = np.searchsorted(pairs, np.arange(sources.size + 1) * found.size).astype(np.int32)
        chance = summed(found.weights, pair, pairs.size)
        return Transitions(sources, first, targets[pairs % found.size], chance, tallies)
    places = (row.astype(np.int32), found.place.astype(np.int32))  # sparse arrays keep what they are given
    matrix = _sparse((found.weights, places), (sources.size, found.size))
    return Transitions(sources, matrix.indptr, targets[matrix.indices], matrix.data, tallies)


def _sparse(numbers: tuple[Any, ...], shape: tuple[int, int]) -> "csr_array":
    """Return a sparse matrix; what stands in one place twice is added up."""
    from scipy.sparse import csr_array  # a tenth of a second to import

    return csr_array(numbers, shape=shape)


class Table:
    """The transitions by one rule of more and more states, in arrays with room for others."""

    def __init__(self) -> None:
        self._sources, self._targets = 0, 0
        self._kept: Transitions | None = None

    def __len__(self) -> int:
        return self._sources

    def whole(self) -> Transitions:
        """Return all of them so far."""
        assert self._kept
        m, t, kept = self._sources, self._targets, self._kept
        tallies = {name: amount[:m] for name, amount in kept.tallies.items()}
        return Transitions(kept.source[:m], kept.first[: m + 1], kept.target[:t], kept.chance[:t], tallies)

    def targets(self, rows: Ints) -> Ints:
        """Return where the transitions of some rows lead."""
        return self.whole().take(rows).target if rows.size else rows

    def add(self, part: Transitions) -> None:
        """Add those of other states, by the same rule."""
        m, t, kept = self._sources, self._targets, self._kept or part
        none, nothing = (np.zeros(size, dtype=part.chance.dtype) for size in (m, part.source.size))
        self._kept = Transitions(
            put(kept.source, m, part.source),
            put(kept.first, m, part.first + np.int32(t)),
            put(kept.target, t, part.target),
            put(kept.chance, t, part.chance),
            {
                name: put(kept.tallies.get(name, none), m, part.tallies.get(name, nothing))
                for name in kept.tallies | part.tallies
            },
        )
        self._sources += part.source.size
        self._targets += part.target.size

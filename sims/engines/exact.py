"""The exact engine: every outcome of every draw, with its weight.

After each stage the states are broadcast to the shape of all draws, those without weight are dropped, and equal
states are merged by adding their weights: an absorbing Markov chain, built by the rules themselves. Finished states
are set aside. Nothing is truncated: a stage that would burst the budget is refused, by the label of its draw.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import compress
from typing import Any

import numpy as np

from sims.assault import Assault, C, End, S, Stage
from sims.dice import BUDGET, Bools, ExactDice, Ints, LotsError
from sims.dice.tables import Numbers, Radix, merge_keys
from sims.engines.result import COLUMNS, Exact, columns_of
from sims.errors import BudgetError
from sims.state import kept

Progress = Callable[[int, int], None]
"""``progress(done, of)``, called now and then."""

Group = tuple[list[Ints], Numbers]
"""States and their weights: the arrays broadcast to the shape of the weights, ``[K_n, ..., K_1, R]``."""


def solve(
    assault: Assault[Any, Any],
    *,
    number: type[float] | type[Fraction] = float,
    budget: int = BUDGET,
    patience: int | None = None,
    progress: Progress | None = None,
) -> Exact:
    """Play an assault in full and return the whole distribution of its outcomes.

    Parameters
    ----------
    assault : Assault
    number : float or Fraction
        What weights are made of. Fractions give the true numbers, slowly.
    budget : int
        The most cells that one stage may fill.
    patience : int, optional
        The most cells that all stages may fill together; no limit if not given.
    progress : callable, optional
        Told the turns done and the turn limit.

    Raises
    ------
    BudgetError
        If a stage needs more cells, the message names the draw; or if all of them together do.
    """
    chain = _Chain(assault, number, budget)
    for turn in range(1, assault.limit + 1):
        if progress:
            progress(turn - 1, assault.limit)
        for player in assault.turn:
            for stage in player.stages:
                for _ in range(stage.times):
                    chain.play(stage, turn)
                    if patience is not None and chain.cells > patience:
                        raise BudgetError(f"the assault fills more than {patience:,} cells; use engine sampled")
        chain.close(turn)
    return chain.result()


class _Chain:
    """The states still in play, and what has been set aside."""

    def __init__(self, assault: Assault[Any, Any], number: type, budget: int) -> None:
        self.assault = assault
        self.budget = budget
        self.cells = 0
        self.exact = number is Fraction
        self.state = assault.start
        self.weights: Numbers = np.array([Fraction(1)], dtype=object) if self.exact else np.ones(1)
        self.tallies: dict[str, Any] = {}
        self.course: list[tuple[Any, Any]] = []
        self._done: list[tuple[list[Ints], Numbers]] = []

    def play(self, stage: Stage[S, C], turn: int) -> None:
        """Play one stage on the columns it concerns, merge, and set the finished aside."""
        if not self.weights.size:
            return
        concerned = self._everywhere(True if stage.when is None else stage.when(self.state, self.assault.scene))
        if not concerned.any():
            return
        rest = np.flatnonzero(concerned == 0)
        groups = [*self._played(stage, np.flatnonzero(concerned))]
        if rest.size:
            groups.append((self.state.take(rest).arrays(), self.weights[rest]))
        arrays, self.weights = _merge(groups)
        self.state = self.assault.start.rebuild(arrays)
        self._finish(self._everywhere(self.assault.end(self.state, self.assault.scene)), turn)

    def _played(self, stage: Stage[S, C], columns: Ints) -> Iterator[Group]:
        """Yield what a stage makes of some columns, in lots where its dice ask for that."""
        cells, lots = 0, [columns]
        while lots:
            columns = lots.pop()
            state = self.state if columns.size == self.weights.size else self.state.part(columns)
            dice = ExactDice(self.weights[columns], self.budget, cells)
            try:
                after = stage.rule(dice, state, self.assault.scene)
            except LotsError as apart:
                lots += [columns[apart.lot == i] for i in range(apart.lots)]
                continue
            cells += dice.weights.size
            for name, amount in dice.tallies.items():
                self.tallies[name] = self.tallies.get(name, 0) + amount
            yield after.arrays(), dice.weights
        self.cells += cells

    def close(self, turn: int) -> None:
        """End a turn: note the losses so far, and after the last one call what is left held."""
        outcome = self.assault.outcome(self.state, self.assault.scene)
        lost = [outcome.attackers_lost, outcome.defenders_lost]
        so_far = [(self.weights * live).sum() for live in lost]
        for columns, weights in self._done:
            values = dict(zip(COLUMNS, columns, strict=True))
            so_far[0] += (weights * values["attackers_lost"]).sum()
            so_far[1] += (weights * values["defenders_lost"]).sum()
        self.course.append((so_far[0], so_far[1]))
        if turn == self.assault.limit:
            self._finish(self._everywhere(np.array(End.HELD)), turn)

    def _everywhere(self, value: Ints | Bools | bool) -> Ints:
        return np.broadcast_to(value, self.weights.shape)

    def _finish(self, end: Ints, turn: int) -> None:
        """Set aside the columns that have ended."""
        columns, left = np.flatnonzero(end), np.flatnonzero(end == End.GOING_ON)
        if columns.size:
            outcome = self.assault.outcome(self.state.part(columns), self.assault.scene)
            self._done.append((columns_of(outcome, end[columns], turn, columns.size), self.weights[columns]))
            self.state, self.weights = self.state.take(left), self.weights[left]

    def result(self) -> Exact:
        """Merge equal outcomes."""
        arrays = [np.concatenate(parts) for parts in zip(*(columns for columns, _ in self._done), strict=True)]
        weights = np.concatenate([w for _, w in self._done])
        arrays, weights = _merge([(arrays, weights)])
        columns = {
            name: np.broadcast_to(a.astype(np.int64), weights.shape) for name, a in zip(COLUMNS, arrays, strict=True)
        }
        return Exact(self.assault.rules, columns, weights, self.tallies, tuple(self.course))


def _merge(groups: Sequence[Group]) -> Group:
    """Add up the weights of equal states, of several groups.

    The fields that no draw has touched are ranked first, which keeps most keys small enough to be counted, not sorted.

    Examples
    --------
    Two states, of 3 and of 4 models, and a draw of 0 or 1 losses for each; a state of 5 models passed by. A loss of
    the 4 and none of the 3 come to the same state, so four outcomes and one make four states.

    >>> losses = np.array([[0], [1]])
    >>> models = np.array([3, 4]) - losses
    >>> joint = np.array([[0.25, 0.125], [0.25, 0.125]])
    >>> (left,), weights = _merge([([models], joint), ([np.array([5])], np.array([0.25]))])
    >>> left.tolist(), weights.tolist()
    ([2, 3, 4, 5], [0.25, 0.375, 0.125, 0.25])
    """
    fields, shapes = [arrays for arrays, _ in groups], [joint.shape for _, joint in groups]
    still = [all(a.ndim < 2 for a in field) for field in zip(*fields, strict=True)]
    moved = [not one for one in still]
    same = [list(compress(arrays, still)) for arrays in fields]
    ranks = Radix(*same)
    ranked, rank = merge_keys(_keys(ranks, same, [shape[-1:] for shape in shapes]), ranks.span)
    parts = np.split(rank, np.cumsum([shape[-1] for shape in shapes])[:-1])
    other = [[part, *compress(arrays, moved)] for part, arrays in zip(parts, fields, strict=True)]
    radix = Radix(*other)
    every = np.concatenate([joint.reshape(-1) for _, joint in groups])
    alive = np.flatnonzero(every != 0)
    distinct, place = merge_keys(_keys(radix, other, shapes)[alive], radix.span)
    own, *drawn = radix.unpack(distinct)
    untouched = (a if a.size == 1 else a.take(own) for a in map(kept, ranks.unpack(ranked)))
    touched = map(kept, drawn)
    return [next(untouched if one else touched) for one in still], _summed(every[alive], place, distinct.size)


def _keys(radix: Radix, groups: Sequence[list[Ints]], shapes: Sequence[tuple[int, ...]]) -> Ints:
    """Return the keys of each group, broadcast to its shape, one after the other."""
    pairs = zip(groups, shapes, strict=True)
    return np.concatenate([np.broadcast_to(radix.pack(arrays), shape).reshape(-1) for arrays, shape in pairs])


def _summed(weights: Numbers, place: Ints, size: int) -> Numbers:
    """Return the sum of the weights at each place, ``[size]``."""
    if weights.dtype != object:
        return np.bincount(place, weights=weights, minlength=size)
    sums = np.full(size, Fraction(0), dtype=object)
    np.add.at(sums, place, weights)
    return sums

"""The exact engine: every outcome of every draw, with its weight.

After each stage the states are broadcast to the shape of all draws, those without weight are dropped, and equal
states are merged by adding their weights: an absorbing Markov chain, built by the rules themselves. Finished states
are set aside. Nothing is truncated: a stage that would burst the budget is refused, by the label of its draw.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import compress
from typing import Any

import numpy as np

from sims.assault import Assault, C, End, S, Stage
from sims.dice import BUDGET, Bools, ExactDice, Ints
from sims.dice.tables import Numbers, Radix, merge_keys
from sims.engines.result import COLUMNS, Exact, columns_of
from sims.errors import BudgetError

Progress = Callable[[int, int], None]
"""``progress(done, of)``, called now and then."""


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
        chosen = np.flatnonzero(concerned) if rest.size else slice(None)
        dice = ExactDice(self.weights[chosen], self.budget)
        after = stage.rule(dice, self.state.take(chosen) if rest.size else self.state, self.assault.scene)
        self.cells += dice.weights.size
        for name, amount in dice.tallies.items():
            self.tallies[name] = self.tallies.get(name, 0) + amount
        untouched = self.state.take(rest).arrays() if rest.size else None
        arrays, self.weights = _merge(after.arrays(), dice.weights, untouched, self.weights[rest])
        self.state = self.assault.start.rebuild(arrays)
        self._finish(self._everywhere(self.assault.end(self.state, self.assault.scene)), turn)

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
        arrays, weights = _merge(arrays, weights, None, weights[:0])
        columns = {name: np.broadcast_to(a, weights.shape) for name, a in zip(COLUMNS, arrays, strict=True)}
        return Exact(self.assault.rules, columns, weights, self.tallies, tuple(self.course))


def _merge(
    drawn: list[Ints], joint: Numbers, passed: list[Ints] | None, weights: Numbers
) -> tuple[list[Ints], Numbers]:
    """Add up the weights of equal states: those drawn, ``[K_n, ..., R]``, and those that passed by, ``[R']``.

    The fields that no draw has touched are ranked first, which keeps most keys small enough to be counted, not sorted.

    Examples
    --------
    Two states, of 3 and of 4 models, and a draw of 0 or 1 losses for each; a state of 5 models passed by. A loss of
    the 4 and none of the 3 come to the same state, so four outcomes and one make four states.

    >>> losses = np.array([[0], [1]])
    >>> models = np.array([3, 4]) - losses
    >>> joint = np.array([[0.25, 0.125], [0.25, 0.125]])
    >>> (left,), weights = _merge([models], joint, [np.array([5])], np.array([0.25]))
    >>> left.tolist(), weights.tolist()
    ([2, 3, 4, 5], [0.25, 0.375, 0.125, 0.25])
    """
    groups = [drawn, passed] if passed else [drawn]
    still = [a.ndim < 2 for a in drawn]
    moved = [a.ndim > 1 for a in drawn]
    same = [list(compress(arrays, still)) for arrays in groups]
    ranks = Radix(*same)
    ranked, rank = merge_keys(_keys(ranks, same, (joint.shape[-1:], weights.shape)), ranks.span)
    parts = np.split(rank, joint.shape[-1:])
    other = [[part, *compress(arrays, moved)] for part, arrays in zip(parts, groups, strict=False)]
    radix = Radix(*other)
    every = np.concatenate([joint.reshape(-1), weights])
    alive = np.flatnonzero(every)
    distinct, place = merge_keys(_keys(radix, other, (joint.shape, weights.shape))[alive], radix.span)
    own, *drawn_fields = radix.unpack(distinct)
    fields = {True: (a if a.size == 1 else a.take(own) for a in ranks.unpack(ranked)), False: iter(drawn_fields)}
    return [next(fields[one]) for one in still], _summed(every[alive], place, distinct.size)


def _keys(radix: Radix, groups: list[list[Ints]], shapes: tuple[tuple[int, ...], ...]) -> Ints:
    """Return the keys of each group, broadcast to its shape, one after the other."""
    pairs = zip(groups, shapes, strict=False)
    return np.concatenate([np.broadcast_to(radix.pack(arrays), shape).reshape(-1) for arrays, shape in pairs])


def _summed(weights: Numbers, place: Ints, size: int) -> Numbers:
    """Return the sum of the weights at each place, ``[size]``."""
    if weights.dtype != object:
        return np.bincount(place, weights=weights, minlength=size)
    sums = np.full(size, Fraction(0), dtype=object)
    np.add.at(sums, place, weights)
    return sums

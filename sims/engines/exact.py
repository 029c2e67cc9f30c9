"""The exact engine: every outcome of every draw, with its weight.

After each stage the states are broadcast to the shape of all draws, those without weight are dropped, and equal
states are merged by adding their weights: an absorbing Markov chain, built by the rules themselves. Finished states
are set aside. Nothing is truncated: a stage that would burst the budget is refused, by the label of its draw.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from sims.assault import Assault, C, End, S, Stage
from sims.dice import BUDGET, Bools, ExactDice, Ints
from sims.dice.tables import Numbers
from sims.engines.merging import Group, merge, played
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
    run = _Run(assault, number, budget)
    for turn in range(1, assault.limit + 1):
        if progress:
            progress(turn - 1, assault.limit)
        for player in assault.turn:
            for stage in player.stages:
                for _ in range(stage.times):
                    run.play(stage, turn)
                    if patience is not None and run.cells > patience:
                        raise BudgetError(f"the assault fills more than {patience:,} cells; use engine sampled")
        run.close(turn)
    return run.result()


class _Run:
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
        groups = list[Group]()
        columns = np.flatnonzero(concerned)
        for _, arrays, dice in played(stage, self.assault, self.state, self.weights, columns, self.budget, ExactDice):
            groups.append((arrays, dice.weights))
            self.cells += dice.weights.size
            for name, amount in dice.tallies.items():
                self.tallies[name] = self.tallies.get(name, 0) + amount
        if rest.size:
            groups.append((self.state.take(rest).arrays(), self.weights[rest]))
        arrays, self.weights = merge(groups)
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
        arrays, weights = merge([(arrays, weights)])
        columns = {
            name: np.broadcast_to(a.astype(np.int64), weights.shape) for name, a in zip(COLUMNS, arrays, strict=True)
        }
        return Exact(self.assault.rules, columns, weights, self.tallies, tuple(self.course))

"""The exact engine: every outcome of every draw, with its weight.

It carries the weights of an absorbing Markov chain forwards, stage by stage: w'(s') = sum_s w(s) P(s, s'). The rules
themselves give the chances P. After each stage the states are broadcast to the shape of all draws, those without weight
are dropped, and equal states are merged. Finished states are set aside. Nothing is truncated: a stage that would burst
the budget is refused, by the label of its draw.

A stage that meets the states of the turn before makes of them what it made then: it is not played again. Assaults by
Gemini, the longest to play, come to turns like this after three or four; some by storming in a part of their stages.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from sims.assault import Assault, C, End, S, Stage, Step
from sims.dice import BUDGET, Bools, Ints
from sims.dice.tables import Numbers
from sims.engines.finished import Finished
from sims.engines.merging import EachStatesDice, Group, distinct, played, summed
from sims.engines.result import Exact
from sims.errors import BudgetError
from sims.state import State

Progress = Callable[[float, int], None]
"""``progress(done, of)``, called now and then."""

KEPT = 2**22
"""Outcomes of stages that are kept for the turn after: with the states some 150 MB, of fractions three times that."""


def solve(
    assault: Assault[Any, Any],
    *,
    number: type[float] | type[Fraction] = float,
    budget: int = BUDGET,
    patience: int | None = None,
    progress: Progress | None = None,
) -> Exact:
    """Play an assault in full and return the whole distribution of its outcomes.

    Args:
        number: What weights are made of. Fractions give the true numbers, slowly.
        budget: The most cells that one stage may fill.
        patience: The most cells that all stages may fill together; no limit if not given. A stage that is not played
            again counts as if it were: what is refused does not hang on what is kept.
        progress: Told the turns done and the turn limit.

    Raises:
        BudgetError: If a stage needs more cells, the message names the draw; or if all of them together do.
    """
    run = _Run(assault, number, budget)
    for turn in range(1, assault.limit + 1):
        if progress:
            progress(turn - 1, assault.limit)
        for step, stage in assault.steps(turn):
            run.play(step, stage)
            if patience is not None and run.cells > patience:
                raise BudgetError(f"the assault fills more than {patience:,} cells; use engine bounded or sampled")
        run.close(turn)
    return run.finished.result(assault.rules, run.tallies)


@dataclass(frozen=True)
class _Made:
    """What a stage has made of some states.

    Attributes:
        before ([R] or [1]): The states, field by field.
        after: What they can come to, distinct, ``[N]``.
        size: N.
        source, place, chance ([T]): Of each outcome, the state that it comes of, the one that it comes to, and how
            likely it is.
        tallies: What is tallied, in which of the states, and how much is expected in each.
        cells: How many cells it has filled.
    """

    before: Sequence[Ints]
    after: State
    size: int
    source: Ints
    place: Ints
    chance: Numbers
    tallies: list[tuple[str, Ints, Numbers]]
    cells: int

    def of(self, state: State) -> bool:
        """Return whether these are the states that it was played on, in their order."""
        return all(map(np.array_equal, self.before, state.arrays()))

    def carried(self, weights: Numbers) -> Numbers:
        """Return the weights after it, ``[N]``."""
        return summed(self.chance * weights[self.source], self.place, self.size)


class _Run:
    """The states still in play, and what has been set aside."""

    def __init__(self, assault: Assault[Any, Any], number: type, budget: int) -> None:
        self.assault = assault
        self.budget = budget
        self.cells = 0
        self.exact = number is Fraction
        self.state = assault.start
        self._one: Numbers = np.array([Fraction(1)], dtype=object) if self.exact else np.ones(1)
        self.weights = self._one
        self.tallies: dict[str, Any] = {}
        self.finished = Finished()
        self._kept: dict[int, _Made] = {}

    def play(self, step: Step, stage: Stage[S, C]) -> None:
        """Play one stage on the columns it concerns, merge, and set the finished aside."""
        if not self.weights.size:
            return
        made = self._kept.pop(step.place, None)
        if made is None or not made.of(self.state):
            made = self._made(stage)
        if made is None:
            return
        self.cells += made.cells
        for name, columns, amount in made.tallies:
            self.tallies[name] = self.tallies.get(name, 0) + (self.weights[columns] * amount).sum()
        self.state, self.weights = made.after, made.carried(self.weights)
        self._finish(self._everywhere(self.assault.end(self.state, self.assault.scene)), step.turn)
        kept = sum(other.chance.size for other in self._kept.values())
        if step.turn < self.assault.limit and kept + made.chance.size <= KEPT:
            self._kept[step.place] = made

    def _made(self, stage: Stage[S, C]) -> _Made | None:
        """Return what a stage makes of the states, None where it concerns none of them."""
        concerned = self._everywhere(True if stage.when is None else stage.when(self.state, self.assault.scene))
        if not concerned.any():
            return None
        columns: Ints = np.flatnonzero(concerned).astype(np.int32)
        rest: Ints = np.flatnonzero(concerned == 0).astype(np.int32)
        ones = np.repeat(self._one, self.weights.size)
        groups, sources, tallies = list[Group](), list[Ints](), list[tuple[str, Ints, Numbers]]()
        for lot, arrays, dice in played(stage, self.assault, self.state, ones, columns, self.budget, EachStatesDice):
            groups.append((arrays, dice.weights))
            sources.append(np.broadcast_to(lot, dice.weights.shape).reshape(-1))
            tallies += [(name, lot, amount) for name, amount in dice.tallies.items()]
        cells = sum(source.size for source in sources)
        if rest.size:
            groups.append((self.state.take(rest).arrays(), ones[rest]))
        found = distinct(groups)
        source = np.concatenate([*sources, rest])[found.alive]
        after = self.assault.start.rebuild(found.states)
        return _Made(self.state.arrays(), after, found.size, source, found.place, found.weights, tallies, cells)

    def close(self, turn: int) -> None:
        """End a turn: note the losses so far, and after the last one call what is left."""
        self.finished.close([(self.assault.outcome(self.state, self.assault.scene), self.weights)])
        if turn == self.assault.limit:
            self._finish(self._everywhere(self.assault.at_limit(self.state, self.assault.scene)), turn)

    def _everywhere(self, value: Ints | Bools | bool) -> Ints:
        return np.broadcast_to(value, self.weights.shape)

    def _finish(self, end: Ints, turn: int) -> None:
        """Set aside the columns that have ended."""
        columns, left = np.flatnonzero(end), np.flatnonzero(end == End.GOING_ON)
        if columns.size:
            outcome = self.assault.outcome(self.state.part(columns), self.assault.scene)
            self.finished.add(outcome, end[columns], turn, self.weights[columns])
            self.state, self.weights = self.state.take(left), self.weights[left]

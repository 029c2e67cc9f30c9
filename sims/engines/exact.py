"""The exact engine: every outcome of every draw, with its weight.

It carries weights forwards through the absorbing Markov chain of an assault, stage by stage: w'(s') = sum of w(s) P(s,
s') over s. The rules themselves give the chances P, once for each state that a stage meets, however often it comes up.
Finished states are set aside. Nothing is left out: an assault that has too many transitions is refused.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from sims.assault import Assault, End
from sims.dice import Ints
from sims.engines.finished import Finished
from sims.engines.learner import Learner
from sims.engines.result import Exact
from sims.engines.walk import LEARNT, Walk
from sims.errors import BudgetError

Progress = Callable[[float, int], None]
"""``progress(done, of)``, called now and then."""


def solve(
    assault: Assault[Any, Any],
    *,
    number: type[float] | type[Fraction] = float,
    budget: int = LEARNT,
    progress: Progress | None = None,
) -> Exact:
    """Play an assault in full and return the whole distribution of its outcomes.

    Args:
        number: What weights are made of. Fractions give the true numbers, slowly.
        budget: The most transitions that may be learnt.
        progress: Told the turns done and the turn limit.

    Raises:
        BudgetError: If there are more.
    """
    return solved(Learner(assault, number, budget=budget), progress)


def solved(chain: Learner, progress: Progress | None = None) -> Exact:
    """Return the same by a chain that is learnt on the way."""
    try:
        return carried(Walk(chain, 0), progress)
    except BudgetError as error:
        raise BudgetError(f"{error}; or use engine bounded or sampled", error.smaller) from error


def carried(walk: Walk, progress: Progress | None) -> Exact:
    """Carry weights through an assault from its start to the turn limit, and return what it has come to."""
    run, limit = _Run(walk), walk.chain.assault.limit
    for turn in range(1, limit + 1):
        if progress:
            progress(turn - 1, limit)
        run.play(turn)
    return run.finished.result(run.assault.rules, dict(run.tallies))


class _Run:
    """A walk through an assault, and what has been set aside on it."""

    def __init__(self, walk: Walk) -> None:
        self.assault, self.walk = walk.chain.assault, walk
        self.finished = Finished()
        self.tallies = Counter[str]()

    def play(self, turn: int) -> None:
        """Play a turn: note the losses so far, and after the last one call what is left."""
        walk = self.walk
        for step, place in walk.chain.turn:
            self.tallies.update(walk.play(step._replace(turn=turn), place))
            self._finish(walk.chain.end[walk.states], turn)
        self.finished.close([(self._outcome(walk.states), walk.weights)])
        if turn == self.assault.limit:
            end = self.assault.at_limit(walk.chain.states.glance(walk.states), self.assault.scene)
            self._finish(np.broadcast_to(end, walk.states.size), turn)

    def _finish(self, end: Ints, turn: int) -> None:
        """Set aside the states that have ended."""
        over = np.flatnonzero(end)
        if over.size:
            self.finished.add(self._outcome(self.walk.states[over]), end[over], turn, self.walk.weights[over])
            self.walk.keep(end == End.GOING_ON)

    def _outcome(self, states: Ints) -> Any:
        return self.assault.outcome(self.walk.chain.states.glance(states), self.assault.scene)

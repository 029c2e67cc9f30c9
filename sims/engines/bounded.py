"""The bounded engine: states that hardly ever come up are left out, and how likely they were is said.

Weights are carried forwards through the chain of an assault, as the exact engine does. Who was left out could have come
to any end. So with a chance p found and a weight d left out in all::

    p <= true chance <= p + d,    and    sum of all p + d = 1
"""

from collections import Counter
from typing import Any

import numpy as np

from sims.assault import Assault, End
from sims.dice import Ints
from sims.engines.exact import Progress
from sims.engines.finished import Finished
from sims.engines.learner import Learner
from sims.engines.result import Bounded
from sims.engines.walk import LEARNT, WITHIN, Walk


def bounded(
    assault: Assault[Any, Any], *, within: float = WITHIN, budget: int = LEARNT, progress: Progress | None = None
) -> Bounded:
    """Play an assault and return the distribution of its outcomes, but for some of at most so much weight.

    Args:
        within: The most weight that is left out, from 0 on.
        budget: The most transitions that may be learnt.
        progress: Told the turns done and the turn limit.

    Raises:
        BudgetError: If there is more to learn.
    """
    run = _Run(assault, Walk(Learner(assault, budget=budget), within))
    for turn in range(1, assault.limit + 1):
        if progress:
            progress(turn - 1, assault.limit)
        run.play(turn)
    found = run.finished.result(assault.rules, dict(run.tallies))
    return Bounded(found.rules, found.columns, found.weights, found.tallies, found.course, run.walk.left_out)


class _Run:
    """A walk through an assault, and what has been set aside on it."""

    def __init__(self, assault: Assault[Any, Any], walk: Walk) -> None:
        self.assault, self.walk = assault, walk
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

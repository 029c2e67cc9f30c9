"""The bounded engine: states that hardly ever come up are left out, and how likely they were is said.

Weights are carried forwards through the chain of an assault, as the exact engine does. After each stage the lightest
states go, as long as all that has gone weighs no more than the share of the tolerance of the stages played so far. Who
was left out could have come to any end. So with a chance p found and a weight d left out in all::

    p <= true chance <= p + d,    and    sum of all p + d = 1

What a stage makes of a state is learnt once, however often it comes up: states that are left out in one turn and come
up in the next spoil nothing.
"""

from collections import Counter
from typing import Any

import numpy as np

from sims.assault import Assault, End, Step
from sims.dice import Bools, Ints
from sims.dice.tables import Floats
from sims.engines.exact import Progress
from sims.engines.finished import Finished
from sims.engines.learner import Learner
from sims.engines.numbering import NONE, lengthened
from sims.engines.places import Place
from sims.engines.result import Bounded

WITHIN = 1e-6
"""How much may be left out, unless told otherwise: a ten-thousandth of a game of 100."""

LEARNT = 2**25
"""Transitions that may be learnt: with states some two gigabytes, and half a minute."""


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
    walk = _Walk(assault, within, budget)
    for turn in range(1, assault.limit + 1):
        if progress:
            progress(turn - 1, assault.limit)
        for step, place in walk.chain.turn:
            walk.play(step._replace(turn=turn), place)
        walk.close(turn)
    found = walk.finished.result(assault.rules, dict(walk.tallies))
    return Bounded(found.rules, found.columns, found.weights, found.tallies, found.course, walk.left_out)


class _Walk:
    """The states still in play, what has been left out, and what has been set aside.

    Attributes:
        states ([K]): Their numbers in the chain.
        weights ([K]): How likely each is.
    """

    def __init__(self, assault: Assault[Any, Any], within: float, budget: int) -> None:
        self.assault = assault
        self.chain = Learner(assault, budget=budget)
        self.states: Ints = self.chain.start
        self.weights: Floats = np.ones(1)
        self.left_out = 0.0
        self.finished = Finished()
        self.tallies = Counter[str]()
        self._every_row: list[Ints] = [np.zeros(1, dtype=np.int32) for _ in self.chain.turn]  # 0 for none, 1 for row 0
        self._within = within
        self._may = 0.0  # how much may have been left out by now
        self._share = within / (assault.limit * max(len(self.chain.turn), 1))

    def play(self, step: Step, place: Place) -> None:
        """Play one stage on the states it concerns, leave out the lightest, and set the finished aside."""
        self._may = min(self._may + self._share, self._within)
        if not self.states.size:
            return
        rows = self._rows(step, place)
        if (rows != NONE).any():
            every, of = place.rule.table.whole(), len(self.chain.states)
            self.states, self.weights, tallies = every.forward_rows(rows, self.states, self.weights, of)
            self.tallies.update(tallies)
            self._keep(self._heavy())
            self._finish(self.chain.end[self.states], step.turn)

    def close(self, turn: int) -> None:
        """End a turn: note the losses so far, and after the last one call what is left held."""
        self.finished.close([(self._outcome(self.states), self.weights)])
        if turn == self.assault.limit:
            self._finish(np.full(self.states.size, End.HELD), turn)

    def _rows(self, step: Step, place: Place) -> Ints:
        """Return the rows of the states in the transitions of a stage, `NONE` of those that pass it by, ``[K]``."""
        _, learnt = self.chain.learn(place, self.states, step.turn)
        every = self._every_row[step.place] = lengthened(self._every_row[step.place], len(self.chain.states))
        if learnt.size:
            every[place.rule.table.whole().source[learnt]] = learnt - NONE
        return every[self.states] + NONE

    def _heavy(self) -> Bools:
        """Return which states stay, and count the others as left out.

        Those go together that lie between the same two powers of 2: to put them in order would take longer.
        """
        _, power = np.frexp(np.maximum(self.weights, np.finfo(float).tiny))
        power -= power.min()
        up_to = np.bincount(power, self.weights).cumsum()
        gone = int(np.searchsorted(up_to, self._may - self.left_out, side="right"))
        self.left_out += float(up_to[gone - 1]) if gone else 0.0
        return power >= gone

    def _finish(self, end: Ints, turn: int) -> None:
        """Set aside the states that have ended."""
        over = np.flatnonzero(end)
        if over.size:
            self.finished.add(self._outcome(self.states[over]), end[over], turn, self.weights[over])
            self._keep(end == End.GOING_ON)

    def _keep(self, stay: Bools) -> None:
        if not stay.all():
            self.states, self.weights = self.states[stay], self.weights[stay]

    def _outcome(self, states: Ints) -> Any:
        return self.assault.outcome(self.chain.states.glance(states), self.assault.scene)

"""A walk through the chain of an assault: weights go forwards, and states that hardly ever come up may be left out.

After each stage the lightest states go, as long as all that has gone weighs no more than the share of the tolerance of
the stages so far. What a stage makes of a state is learnt once, however often it comes up: states that are left out in
one turn and come up in the next spoil nothing.
"""

from typing import Any

import numpy as np

from sims.assault import START, End, Moment, Step
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines.learner import Learner
from sims.engines.numbering import NONE
from sims.engines.places import Place

WITHIN = 1e-6
"""How much may be left out, unless told otherwise: a ten-thousandth of a game in 100."""

LEARNT = 2**25
"""Transitions that may be learnt: with states some two gigabytes, and half a minute."""


class Walk:
    """The states of a chain that are still in play, and what has been left out.

    Args:
        chain: What it learns on the way.
        within: The most weight that is left out.
        states (array, optional): The numbers of the states in which it begins, ``[K]``, each with a weight of one; the
            start of the assault, if not given.

    Attributes:
        states ([K]): Their numbers.
        weights ([K]): How likely each is.
        left_out: The weight of all that has been left out.
    """

    def __init__(self, chain: Learner, within: float, states: Ints | None = None) -> None:
        self.chain = chain
        self.states: Ints = chain.start if states is None else np.sort(states)
        self.weights: Numbers = np.repeat(chain.one, self.states.size)
        self.left_out = 0.0
        self._within = within
        self._may = 0.0  # how much may have been left out by now
        self._share = within / (chain.assault.limit * max(len(chain.turn), 1))

    def through(self, since: Moment = START, until: Moment | None = None) -> None:
        """Go on from a place in the assault to another, or to the turn limit; what has ended is forgotten."""
        for step, place in self.chain.steps(since):
            if until is not None and step >= until:
                return
            self.play(step, place)
            self.keep(self.chain.end[self.states] == End.GOING_ON)

    def play(self, step: Step, place: Place) -> dict[str, Any]:
        """Play one stage on the states it concerns, leave out the lightest, and return what is expected to be tallied.

        Those that have ended are still among the states.
        """
        self._may = min(self._may + self._share, self._within)
        if not self.states.size:
            return {}
        rows = self._rows(step, place)
        if (rows == NONE).all():
            return {}
        every, of = place.rule.table.whole(), len(self.chain.states)
        self.states, self.weights, tallies = every.forward_rows(rows, self.states, self.weights, of)
        if self._within:
            self.keep(self._heavy())
        return tallies

    def keep(self, stay: Bools) -> None:
        """Go on with some of the states."""
        if not stay.all():
            self.states, self.weights = self.states[stay], self.weights[stay]

    def _rows(self, step: Step, place: Place) -> Ints:
        """Return the rows of the states in the transitions of a stage, `NONE` of those that pass it by, ``[K]``."""
        self.chain.learn(place, self.states, step.turn)
        concerned = place.since[self.states] > 0
        rows: Ints = np.full(self.states.size, NONE, dtype=np.int32)
        rows[concerned] = place.rule.rows(self.states[concerned])
        return rows

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

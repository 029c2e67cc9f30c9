"""The chain of an assault, carried both ways: weights forwards, and values back by backward induction.

::

    weights, one for each state   --- forward -->    how likely it is to be in it
    values, some for each state   <-- backward ---   how likely each end is from it, and what it will have cost

A stage has a chance P(s, s') to make s' of s. Weights go forwards through it::

    w_t+1(s') = sum_s w_t(s) P(s, s')

*Backward induction* starts from the values at the turn limit. The *value* of a state before a stage is the mean of the
values after it::

    V_t(s) = sum_s' P(s, s') V_t+1(s')

Here each side keeps to its plan, the *policy*. `sims.engines.contest` has the values where they choose as they go.

Of a chain that is too large only those states are learnt that a `Walk` comes to. Of a state that was left out nothing
is known but that it is one: a value beside the others, how likely it is to come to such a state, bounds them all.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from sims.assault import START, Assault, End, Moment, Step
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines.exact import Progress
from sims.engines.learner import TRANSITIONS, Learner
from sims.engines.numbering import NONE, lengthened
from sims.engines.places import Place
from sims.engines.walk import LEARNT, Walk
from sims.state import State

ENDS = (End.BROKEN, End.CAPTURED, End.DESTROYED, End.HELD)
"""The first values of a state: the chance of each end. Two more: the expected losses of attackers and of defenders."""

LEFT_OUT = 6
"""The value, if there is one, that is how likely it is to come to a state that was left out: all others may be too low
by as much, losses by that many times the most there can be."""
_NOTHING_KNOWN = np.eye(LEFT_OUT + 1)[LEFT_OUT]


class Chain(Learner):
    """The chain of an assault, as far as it has been learnt, and what is carried through it."""

    def known(self, step: Step) -> Bools:
        """Return for which states there is a value before a step, ``[N]``: ends, and those that can be there.

        Those that could be there in an earlier turn have one as well: what comes of them takes no new states.
        """
        since = lengthened(self.turn[step.place][1].since, len(self.states))
        return (self.end != End.GOING_ON) | (since != 0) & (abs(since) <= step.turn)

    def forward(
        self, since: Moment = START, weights: Numbers | None = None
    ) -> Iterator[tuple[Step, Numbers, dict[str, Any]]]:
        """Carry weights through the assault, and learn what is met on the way.

        Args:
            since: From where on: the beginning, if not given.
            weights: How likely each state is there, ``[N]``: the start alone, if not given.

        Yields:
            step (Step)
            weights ([N]): How likely each state is after the step; N grows while there is something to learn.
            tallies: What the step is expected to tally.
        """
        weights = self._started() if weights is None else weights
        for step, place in self.steps(since):
            weights, tallies = self._carried(weights, place, step.turn)
            yield step, weights, tallies

    def weights(self, at: Moment) -> Numbers:
        """Return how likely each state is at some moment, ``[N]``; only what comes before it is learnt."""
        weights = self._started()
        for step, place in self.steps():
            if step >= at:
                break
            weights, _ = self._carried(weights, place, step.turn)
        return weights

    def backward(self, since: Moment = START, *, whole: bool = True) -> Iterator[tuple[Step, Numbers]]:
        """Carry the values at the limit back through the assault, to a place in it.

        Args:
            whole: Whether all states have been learnt that can be there. If not there is a value more, `LEFT_OUT`.

        Yields:
            step: From the last to the first.
            values ([N, 6] or [N, 7]): The value of each state before the step, where it is `known`. The next step
                changes this very array.
        """
        values = self.values_at_the_limit(whole=whole)
        for step, place in reversed([*self.steps(since)]):
            self.read_back([place], values)
            yield step, values

    def read_back(self, places: Iterable[Place], values: Numbers) -> None:
        """Put the values before some places, one after the other, in the place of those after them."""
        for place in reversed([*places]):
            _carry_back([place], values)
            if values.shape[1] > LEFT_OUT:
                values[(self.end == End.GOING_ON) & (lengthened(place.since, len(self.states)) == 0)] = _NOTHING_KNOWN

    def values_at_the_limit(self, *, whole: bool = True) -> Numbers:
        """Return the value of every state when the turn limit has come, as `backward` does: what goes on is called."""
        end = self.assault.called(self.states.all, self.end)
        outcome = self.assault.outcome(self.states.all, self.assault.scene)
        columns = [*(end == one for one in ENDS), outcome.attackers_lost, outcome.defenders_lost]
        columns += [] if whole else [np.zeros(end.shape)]
        return np.stack([column * np.broadcast_to(self.one, end.shape) for column in columns], axis=1)

    def carry(self, player_turn: str, states: Ints, weights: Numbers, tallies: Counter[str]) -> tuple[Ints, Numbers]:
        """Return what some states come to in a player turn, in order, and their weights; the chain is closed.

        Args:
            states: ``[K]``.
            weights: ``[K]``.
            tallies: What is expected to be tallied on the way is added to it.
        """
        for place in self._places(player_turn):
            if states.size and (moves := place.transitions):
                states, weights, expected = moves.forward_some(states, weights, len(self.states))
                tallies.update(expected)
        return states, weights

    def carry_back(self, player_turn: str, values: Numbers) -> None:
        """Put the values before a player turn in the place of those after it, ``[N, V]``."""
        _carry_back(self._places(player_turn), values)

    def does_as(self, other: "Chain") -> bool:
        """Return whether every stage that does anything makes the same of the same states; both chains are closed."""
        mine, its = (
            [(step.player_turn, moves) for step, place in chain.turn if (moves := place.transitions)]
            for chain in (self, other)
        )
        return len(mine) == len(its) and all(
            when == then and moves.alike(others) for (when, moves), (then, others) in zip(mine, its, strict=True)
        )

    def _started(self) -> Numbers:
        """Return the weights at the start, where it is certain."""
        return np.bincount(self.start) * self.one

    def _carried(self, weights: Numbers, place: Place, turn: int) -> tuple[Numbers, dict[str, Any]]:
        """Return weights after a stage, with room for the states that are met there, and what it tallies."""
        self.learn(place, np.flatnonzero(weights), turn)
        weights = lengthened(weights, len(self.states))
        if transitions := place.transitions:
            return transitions.forward(weights), transitions.tallied(weights)
        return weights, {}

    def _places(self, player_turn: str) -> list[Place]:
        return [place for step, place in self.turn if step.player_turn == player_turn]


def _carry_back(places: Iterable[Place], values: Numbers) -> None:
    """Put the values before some places, one after the other, in the place of those after them, ``[N, V]``."""
    for place in reversed([*places]):
        if moves := place.transitions:
            values[moves.source] = moves.backward(values)


@dataclass(frozen=True)
class Values:
    """The value of every state at every step.

    Attributes:
        turns ([N, 6] or [N, 7]): The values after each turn; those after turn 0 are those at the start. Where states
            were left out, how likely it is to come to one stands last.
    """

    chain: Chain
    turns: Mapping[int, Numbers]

    def after(self, step: Step) -> Numbers:
        """Return the values after a step, ``[N, 6]``, of the states that the chain knows there."""
        return self.before(Moment(step.turn, step.place + 1))

    def before(self, step: Step | Moment) -> Numbers:
        """Return the values before a step, ``[N, 6]`` or ``[N, 7]``, of the states that the chain knows there."""
        values = self.turns[step.turn].copy()
        self.chain.read_back([place for _, place in self.chain.turn[step.place :]], values)
        return values

    def of(self, arrays: Sequence[Ints], size: int, values: Numbers) -> Numbers:
        """Return the values of some states, ``[size, V]``, by their fields; of one never met only that it is so."""
        numbers = self.chain.states.find(arrays, size)
        met = (numbers != NONE)[:, np.newaxis]
        return np.where(met, values[numbers], _NOTHING_KNOWN[: values.shape[1]])


def values(
    assault: Assault[Any, Any],
    *,
    since: Moment = START,
    states: State | None = None,
    number: type[float] | type[Fraction] = float,
    budget: int = TRANSITIONS,
    beside: Chain | None = None,
    progress: Progress | None = None,
) -> Values:
    """Learn the chain of an assault and return what each state is worth at each step.

    Args:
        since: From where on it is played.
        states: What may be there, distinct, ``[K]``; the start, if not given.
        number: What chances are made of.
        budget: The most transitions that may be learnt, with those of chains beside.
        beside: That of the same scenario, rules and kind of number under other plans.
        progress: Told the turns learnt and the turn limit.

    Raises:
        BudgetError: If there is more to learn; or if a single state has more outcomes at a stage than exact dice allow.
    """
    chain = Chain(assault, number, budget, beside)
    met = chain.meet(assault.start if states is None else states)
    for step, _, _ in chain.forward(since, np.bincount(met)):
        if progress and step.place == 0:
            progress(step.turn - since.turn, assault.limit - since.turn + 1)
    return _read(chain, since, whole=True)


def values_within(
    assault: Assault[Any, Any],
    within: float,
    *,
    since: Moment = START,
    states: State | None = None,
    budget: int = LEARNT,
) -> Values:
    """Return what each state is worth, but for states that hardly ever come up, and how likely those are.

    Args:
        within: The most that may be left out of what comes of all states together in which it begins.
        since: From where on it is played.
        states: What may be there, distinct, ``[K]``; the start, if not given.
        budget: The most transitions that may be learnt.

    Raises:
        BudgetError: If there is more to learn.
    """
    chain = Chain(assault, budget=budget)
    Walk(chain, within, chain.meet(assault.start if states is None else states)).through(since)
    return _read(chain, since, whole=False)


def _read(chain: Chain, since: Moment, *, whole: bool) -> Values:
    """Return the values of a chain that has been learnt from some place on."""
    turns = {chain.assault.limit: chain.values_at_the_limit(whole=whole)}
    turns |= {step.turn - 1: now.copy() for step, now in chain.backward(since, whole=whole) if step.place == 0}
    return Values(chain, turns)

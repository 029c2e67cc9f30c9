"""The chain of an assault: every state that can come up, numbered once, and the transitions between them, both ways.

A stage does not know the turn, so what it makes of a state is learnt once, when the state first comes to it::

                    "charge"             "fight"                    "charge", next turn
    state 0 --+-- 1/2 --> state 1 --+-- 1/3 --> state 3, captured
              |                     +-- 2/3 --> state 0 ----------+-- 1/2 --> state 1 ...
              +-- 1/2 --> state 2                                 +-- 1/2 --> state 2

    weights, one for each state   --- forward -->    how likely it is to be in it
    values, some for each state   <-- backward ---   how likely each end is from it, and what it will have cost

A *transition* leads from a state to one that a stage may make of it. The *policy*, what both sides choose, is the plans
of the assault. *Backward induction* gives every state at every step its *value*, the mean of those of the states that
come after it.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sims.assault import Assault, End, Stage
from sims.dice import BUDGET, Bools, ExactDice, Ints
from sims.dice.source import Argument
from sims.dice.tables import Numbers, merge_keys
from sims.engines.merging import distinct, played, summed
from sims.errors import BudgetError
from sims.state import State, kept

TRANSITIONS = 2**25
"""Transitions that a chain may have, unless told otherwise: half a gigabyte."""

ENDS = (End.BROKEN, End.CAPTURED, End.DESTROYED, End.HELD)
"""The first values of a state: the chance of each end. Two more: the expected losses of attackers and of defenders."""

A = TypeVar("A", bound=npt.NDArray[Any])


class Step(NamedTuple):
    """One playing of a stage, by the words that address its dice."""

    turn: int
    player_turn: str
    stage: str
    repetition: int


@dataclass(frozen=True)
class Transitions:
    """What a rule makes of some states: the rows of a sparse matrix.

    Attributes
    ----------
    source : array of int, [M]
        The states.
    first : array of int, [M + 1]
        Where the transitions of each begin, and last where all end.
    target, chance : array, [T]
        Where each transition leads, and how likely it is.
    tallies : dict
        What is expected to be tallied in each of the states, ``[M]``.
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
        flow = np.repeat(weights[self.source], np.diff(self.first))
        return after + summed(flow * self.chance, self.target, after.size)

    def backward(self, values: Numbers) -> Numbers:
        """Return the mean of the values after each of the sources, ``[N, V]`` to ``[M, V]``."""
        if self.chance.dtype == object:
            after = self.chance[:, np.newaxis] * values[self.target]
            return np.add.reduceat(after, self.first[:-1], axis=0)
        from scipy.sparse import csr_array  # a tenth of a second to import

        matrix = csr_array((self.chance, self.target, self.first), shape=(self.source.size, len(values)))
        return matrix @ values

    def tallied(self, weights: Numbers) -> dict[str, Any]:
        """Return what is expected to be tallied, by the weights of all states, ``[N]``."""
        return {name: (weights[self.source] * amount).sum() for name, amount in self.tallies.items()}

    def take(self, rows: Ints) -> "Transitions":
        """Return the transitions of some sources."""
        lengths = np.diff(self.first)[rows]
        first = np.concatenate([[0], lengths.cumsum()])
        own = np.repeat(self.first[rows] - first[:-1], lengths) + np.arange(first[-1])
        tallies = {name: amount[rows] for name, amount in self.tallies.items()}
        return Transitions(self.source[rows], first, self.target[own], self.chance[own], tallies)


def joined(parts: Sequence[Transitions]) -> Transitions:
    """Return the transitions of several parts as one."""
    ends = np.cumsum([0, *(part.target.size for part in parts)])
    names = sorted({name for part in parts for name in part.tallies})
    return Transitions(
        np.concatenate([part.source for part in parts]),
        np.concatenate([*(part.first[:-1] + end for part, end in zip(parts, ends, strict=False)), ends[-1:]]),
        np.concatenate([part.target for part in parts]),
        np.concatenate([part.chance for part in parts]),
        {n: np.concatenate([p.tallies.get(n, np.zeros_like(p.source)) for p in parts]) for n in names},
    )


class States:
    """The states met so far, numbered in the order of meeting."""

    def __init__(self, like: State) -> None:
        self._like = like
        self._number = dict[bytes, int]()
        self._fields: Ints = np.empty((len(like.arrays()), 1), dtype=np.int16)

    def __len__(self) -> int:
        return len(self._number)

    def number(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of distinct states, ``[size]``; those not met before get the next ones."""
        rows = np.empty((size, len(arrays)), dtype=np.int16)
        for field, array in enumerate(arrays):
            rows[:, field] = array
        keys = rows.view(f"V{rows.dtype.itemsize * len(arrays)}").ravel().tolist()
        known, number = len(self), self._number
        numbers = np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.intp)
        self._fields = _room(self._fields, len(self))
        self._fields[:, known : len(self)] = rows[numbers >= known].T
        return numbers

    @property
    def all(self) -> State:
        """Every state, ``[N]``."""
        return self._like.rebuild([*self._fields[:, : len(self)]])

    def take(self, numbers: Ints) -> State:
        """Return some states; what is the same in all of them has length 1."""
        fields = self._fields.take(numbers, axis=1)
        return self._like.rebuild([a[:1] if (a == a[0]).all() else a for a in fields])


class _Rule:
    """What has been learnt of one rule: its transitions, and which row of them each state has, -1 for none."""

    def __init__(self) -> None:
        self.row: Ints = np.full(1, -1)
        self.transitions: Transitions | None = None


class _Place:
    """A stage in its place in the turn: the states it has met, and the rows of its rule for those it concerns."""

    def __init__(self, stage: Stage[Any, Any], rule: _Rule) -> None:
        self.stage = stage
        self.rule = rule
        self.met: Bools = np.zeros(1, dtype=np.bool_)
        self.rows: Ints = np.zeros(0, dtype=np.intp)

    @property
    def transitions(self) -> Transitions | None:
        """What the stage makes of the states it concerns, if there are any."""
        every = self.rule.transitions
        if every is None or not self.rows.size:
            return None
        return every if self.rows.size == every.source.size else every.take(self.rows)


class Chain:
    """The chain of an assault, as far as it has been learnt."""

    def __init__(self, assault: Assault[Any, Any], number: type = float, budget: int = TRANSITIONS) -> None:
        self.assault = assault
        self.states = States(assault.start)
        self.size = 0
        self._one: Numbers = np.array([Fraction(1)], dtype=object) if number is Fraction else np.ones(1)
        self._budget = budget
        self._end: Ints = np.zeros(1, dtype=np.int8)
        rules = dict[Hashable, _Rule]()
        self.turn = list[tuple[Step, _Place]]()
        for player in assault.turn:
            for stage, name in player.addressed():
                place = _Place(stage, rules.setdefault(_same(stage.rule), _Rule()))
                self.turn += [(Step(0, player.name, name, i), place) for i in range(stage.times)]
        self._numbered([kept(array) for array in assault.start.arrays()], 1)

    def forward(self) -> Iterator[tuple[Step, Numbers, dict[str, Any]]]:
        """Carry the weight of the start through the assault, and learn what is met on the way.

        Yields
        ------
        step : Step
        weights : array, [N]
            How likely each state is after the step; N grows while there is something to learn.
        tallies : dict
            What the step is expected to tally.
        """
        weights = self._one
        for turn in range(1, self.assault.limit + 1):
            for step, place in self.turn:
                self._learn(place, weights)
                weights, tallies = self._wide(weights), {}
                if transitions := place.transitions:
                    weights, tallies = transitions.forward(weights), transitions.tallied(weights)
                yield step._replace(turn=turn), weights, tallies

    def backward(self) -> Iterator[tuple[Step, Numbers]]:
        """Carry the values of the end back through the assault.

        Yields
        ------
        step : Step
            From the last to the first.
        values : array, [N, 6]
            The value of each state before the step. The next step changes this very array.
        """
        values = self.values_at_the_limit()
        for turn in range(self.assault.limit, 0, -1):
            for step, place in reversed(self.turn):
                if transitions := place.transitions:
                    values[transitions.source] = transitions.backward(values)
                yield step._replace(turn=turn), values

    def values_at_the_limit(self) -> Numbers:
        """Return the value of every state when the turn limit has come, ``[N, 6]``: what goes on is held."""
        end = np.where(self.end == End.GOING_ON, End.HELD, self.end)
        outcome = self.assault.outcome(self.states.all, self.assault.scene)
        columns = [*(end == one for one in ENDS), outcome.attackers_lost, outcome.defenders_lost]
        return np.stack([column * np.broadcast_to(self._one, end.shape) for column in columns], axis=1)

    def _wide(self, weights: Numbers) -> Numbers:
        """Return weights with zeros for the states met since."""
        return np.append(weights, np.zeros(len(self.states) - weights.size, dtype=weights.dtype))

    @property
    def end(self) -> Ints:
        """The `End` of every state, ``[N]``."""
        return self._end[: len(self.states)]

    def _learn(self, place: _Place, weights: Numbers) -> None:
        """Learn what a stage makes of the states that have weight."""
        place.met = _room(place.met, len(self.states))
        fresh = np.flatnonzero((weights != 0) & ~place.met[: weights.size])
        if not fresh.size:
            return
        place.met[fresh] = True
        concerned = self._end[fresh] == End.GOING_ON
        if place.stage.when is not None:
            concerned &= place.stage.when(self.states.all.part(fresh), self.assault.scene) != 0
        place.rows = np.concatenate([place.rows, self._rows(place, fresh[concerned])])

    def _rows(self, place: _Place, numbers: Ints) -> Ints:
        """Return the rows of states in the transitions of a rule, and learn those that are missing."""
        rule = place.rule
        rule.row = _room(rule.row, len(self.states), -1)
        new = numbers[rule.row[numbers] < 0]
        if new.size:
            parts = [*self._transitions(place.stage, new)]
            every = joined(parts if rule.transitions is None else [rule.transitions, *parts])
            rule.row[every.source] = np.arange(every.source.size)
            rule.transitions = every
        return rule.row[numbers]

    def _transitions(self, stage: Stage[Any, Any], new: Ints) -> Iterator[Transitions]:
        """Yield what a stage makes of states, some of them at a time."""
        ones, columns = np.repeat(self._one, new.size), np.arange(new.size)
        for lot, arrays, dice in played(
            stage, self.assault, self.states.take(new), ones, columns, BUDGET, _EachStatesDice
        ):
            found = distinct([(arrays, dice.weights)])
            targets = self._numbered(found.states, found.size)
            pairs, pair = merge_keys(found.alive % lot.size * found.size + found.place, lot.size * found.size)
            row = pairs // found.size
            chance = summed(found.weights, pair, pairs.size)
            first = np.searchsorted(row, np.arange(lot.size + 1))
            yield Transitions(new[lot], first, targets[pairs - row * found.size], chance, dice.tallies)
            self.size += pairs.size
            if self.size > self._budget:
                raise BudgetError(
                    f"the chain of the assault has more than {self._budget:,} transitions; it has fewer with fewer "
                    f"models, or with the garrison on hold"
                )

    def _numbered(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of distinct states, and see which of the new ones are ends."""
        known = len(self.states)
        numbers = self.states.number(arrays, size)
        self._end = _room(self._end, len(self.states))
        new = np.arange(known, len(self.states))
        if new.size:
            self._end[new] = self.assault.end(self.states.all.part(new), self.assault.scene)
        return numbers


class _EachStatesDice(ExactDice):
    """Exact dice that keep apart what is tallied in each state."""

    def tally(self, name: str, value: Argument) -> None:
        """Add weight times value, over everything drawn so far, for each state, ``[R]``."""
        amount = (self.weights * value).reshape(-1, self.weights.shape[-1]).sum(axis=0)
        self._stage.tallies[name] = self._stage.tallies.get(name, 0) + amount


def _same(rule: Callable[..., Any]) -> Hashable:
    """Return what two rules have in common if they do the same: partials of one function with equal arguments do."""
    if not isinstance(rule, partial):
        return rule
    same = (rule.func, rule.args, tuple(sorted(rule.keywords.items())))
    try:
        hash(same)
    except TypeError:
        return rule
    return same


def _room(array: A, size: int, fill: int = 0) -> A:
    """Return an array that has room for so many along its last axis, and for as many again if it has to grow."""
    if array.shape[-1] >= size:
        return array
    wider: A = np.full((*array.shape[:-1], 2 * size), fill, dtype=array.dtype)  # type: ignore[assignment]
    wider[..., : array.shape[-1]] = array
    return wider

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

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from sims.assault import START, Assault, End, Moment, Stage, Step
from sims.dice import BUDGET, Bools, ExactDice, Ints
from sims.dice.tables import Numbers, merge_keys
from sims.engines.exact import Progress
from sims.engines.merging import EachStatesDice, distinct, played, summed
from sims.engines.numbering import NONE, States, among, lengthened
from sims.engines.scenes import differing, noting
from sims.engines.transitions import Table, Transitions, between
from sims.errors import BudgetError
from sims.state import State, kept

TRANSITIONS = 2**24
"""Transitions that a chain may learn, unless told otherwise: with states and rows more than a gigabyte."""

AT_A_TIME = 2**16
"""States of which it is learnt at a time what a stage makes of them: more take more memory, and are no faster."""

HELPS = "there are fewer with fewer models, or with the garrison on hold"

ENDS = (End.BROKEN, End.CAPTURED, End.DESTROYED, End.HELD)
"""The first values of a state: the chance of each end. Two more: the expected losses of attackers and of defenders."""


class _Rule:
    """What has been learnt of one rule in one scene.

    Attributes:
        reads (set of str): What it has looked at in the scene.
        table: The transitions by it, in this scene and in others.
    """

    def __init__(self, scene: Any, table: Table) -> None:
        self.scene = scene
        self.reads = set[str]()
        self.table = table
        self._states: Ints = np.array([NONE], dtype=np.int32)  # in order, and the row of each
        self._rows: Ints = np.array([NONE], dtype=np.int32)

    def holds_in(self, scene: Any) -> bool:
        """Return whether it does the same in another scene: all that it has looked at is the same there."""
        return self.reads.isdisjoint(differing(self.scene, scene))

    def add(self, part: Transitions) -> None:
        """Add transitions of other states, which are in order."""
        self.take_over(part.source, len(self.table) + np.arange(part.source.size))
        self.table.add(part)

    def take_over(self, states: Ints, rows: Ints) -> None:
        """Let other states, which are in order, have rows that there are."""
        at = np.searchsorted(self._states, states)
        self._states = np.insert(self._states, at, states)
        self._rows = np.insert(self._rows, at, rows)

    def rows(self, states: Ints) -> Ints:
        """Return which rows of its transitions some states have, `NONE` for none."""
        at = np.searchsorted(self._states, states.astype(np.int32), side="right") - 1
        return np.where(self._states[at] == states, self._rows[at], NONE)


@dataclass
class _Common:
    """What chains beside each other have in common: states, rules by what they do, and how many transitions."""

    states: States
    rules: dict[Hashable, list[_Rule]] = field(default_factory=dict)
    size: int = 0


class _Place:
    """A stage in its place in the turn, what has been learnt of its rule, and what of that concerns it.

    Attributes:
        since ([N]): The first turn in which each state has met the stage, 0 for none.
        rows ([M]): Of the states that it concerns, the rows of the transitions of its rule.
    """

    def __init__(self, stage: Stage[Any, Any], rule: _Rule) -> None:
        self.stage = stage
        self.rule = rule
        self.since: Ints = np.zeros(1, dtype=np.int8)
        self.rows: Ints = np.zeros(0, dtype=np.intp)
        self._taken: Transitions | None = None

    @property
    def transitions(self) -> Transitions | None:
        """What the stage makes of the states it concerns, if there are any."""
        if not self.rows.size:
            return None
        if self._taken and self._taken.source.size == self.rows.size:
            return self._taken
        every = self.rule.table.whole()
        self._taken = None if self.rows.size == every.source.size else every.take(self.rows)
        return self._taken or every

    def close(self) -> None:
        """Put the rows in the order of their sources; nothing more can be learnt."""
        self.since = np.zeros(0, dtype=np.int8)
        if self.rows.size:
            self.rows = self.rows[np.argsort(self.rule.table.whole().source[self.rows])]
            self._taken = self.rule.table.whole().take(self.rows)

    def carry(self, states: Ints, weights: Numbers, size: int) -> tuple[Ints, Numbers, dict[str, Any]]:
        """Return what some of so many states come to, in order and with their weights, and what is tallied.

        The place is closed. It looks at no more states than there are, where `Transitions.forward` looks at all.
        """
        moves = self.transitions
        if moves is None or not states.size:
            return states, weights, {}
        rows = np.minimum(np.searchsorted(moves.source, states), moves.source.size - 1)
        moving = moves.source[rows] == states
        some = moves.take(rows[moving])
        flow = np.repeat(weights[moving], np.diff(some.first)) * some.chance
        tallies = {name: (weights[moving] * amount).sum() for name, amount in some.tallies.items()}
        after, place = merge_keys(np.concatenate([states[~moving], some.target]), size)
        return after, summed(np.concatenate([weights[~moving], flow]), place, after.size), tallies

    def carry_back(self, values: Numbers) -> None:
        """Put the values before the stage in the place of those after it, ``[N, V]``."""
        if transitions := self.transitions:
            values[transitions.source] = transitions.backward(values)


class Chain:
    """The chain of an assault, as far as it has been learnt.

    Args:
        budget: The most transitions that it and those beside it may learn together.
        beside: That of the same scenario, rules and kind of number under other plans: both number the same states, and
            what a rule has done there it need not do again, if it has looked at nothing that the plans change.

    Attributes:
        states: All that have been met; the start is number 0, unless there is a chain beside.
        size (int): How many transitions have been learnt; those taken over from beside are not counted.
        turn (list): The steps of a turn, numbered as if it were turn 0.
    """

    def __init__(
        self,
        assault: Assault[Any, Any],
        number: type[float] | type[Fraction] = float,
        budget: int = TRANSITIONS,
        beside: "Chain | None" = None,
    ) -> None:
        self.assault = assault
        self._scene: Any = assault.scene
        self._dice: type[ExactDice] = EachStatesDice
        self._common: _Common = beside._common if beside else _Common(States(assault.start))
        self.states: States = self._common.states
        self.size = 0
        self.turn = list[tuple[Step, _Place]]()
        self._one: Numbers = np.array([Fraction(1)], dtype=object) if number is Fraction else np.ones(1)
        self._budget = budget
        self._end: Ints = np.zeros(0, dtype=np.int8)
        own = dict[Hashable, _Rule]()
        for step, stage in assault.steps(0):
            same = _same(stage.rule)
            if same not in own:
                known = self._common.rules.setdefault(same, [])
                own[same] = _Rule(assault.scene, known[0].table if known else Table())
                known.append(own[same])
            self.turn.append((step, _Place(stage, own[same])))
        self._started: Numbers = np.bincount(self.meet(assault.start)) * self._one

    @property
    def end(self) -> Ints:
        """The `End` of every state, ``[N]``; of those met since it was last asked for, the rules are asked."""
        new = np.arange(self._end.size, len(self.states))
        if new.size:
            self._end = np.append(self._end, self.assault.end(self.states.glance(new), self._scene))
        return self._end

    def known(self, step: Step) -> Bools:
        """Return for which states there is a value before a step, ``[N]``: ends, and those that can be there.

        Those that could be there in an earlier turn have one as well: what comes of them takes no new states.
        """
        since = lengthened(self.turn[step.place][1].since, len(self.states))
        return (self.end != End.GOING_ON) | (since > 0) & (since <= step.turn)

    def meet(self, states: State) -> Ints:
        """Return the numbers of distinct states, ``[K]``; those not met before get the next ones."""
        arrays = [kept(array) for array in states.arrays()]
        return self._numbers(arrays, max(array.size for array in arrays))

    def _numbers(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of distinct states, ``[size]``."""
        return self.states.number(arrays, size)

    def steps(self, since: Moment = START) -> Iterator[tuple[Step, _Place]]:
        """Yield the steps of the assault in order, from a place in it on."""
        for turn in range(since.turn, self.assault.limit + 1):
            for step, place in self.turn[since.place if turn == since.turn else 0 :]:
                yield step._replace(turn=turn), place

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
        weights = self._started if weights is None else weights
        for step, place in self.steps(since):
            weights, tallies = self._carried(weights, place, step.turn)
            yield step, weights, tallies

    def weights(self, at: Moment) -> Numbers:
        """Return how likely each state is at some moment, ``[N]``; only what comes before it is learnt."""
        weights = self._started
        for step, place in self.steps():
            if step >= at:
                break
            weights, _ = self._carried(weights, place, step.turn)
        return weights

    def backward(self, since: Moment = START) -> Iterator[tuple[Step, Numbers]]:
        """Carry the values at the limit back through the assault, to a place in it.

        Yields:
            step: From the last to the first.
            values ([N, 6]): The value of each state before the step, where it is `known`. The next step changes this
                very array.
        """
        values = self.values_at_the_limit()
        for step, place in reversed([*self.steps(since)]):
            place.carry_back(values)
            yield step, values

    def values_at_the_limit(self) -> Numbers:
        """Return the value of every state when the turn limit has come, ``[N, 6]``: what goes on is held."""
        end = np.where(self.end == End.GOING_ON, End.HELD, self.end)
        outcome = self.assault.outcome(self.states.all, self.assault.scene)
        columns = [*(end == one for one in ENDS), outcome.attackers_lost, outcome.defenders_lost]
        return np.stack([column * np.broadcast_to(self._one, end.shape) for column in columns], axis=1)

    def _carried(self, weights: Numbers, place: _Place, turn: int) -> tuple[Numbers, dict[str, Any]]:
        """Return weights after a stage, with room for the states that are met there, and what it tallies."""
        self._learn(place, np.flatnonzero(weights), turn)
        weights = lengthened(weights, len(self.states))
        if transitions := place.transitions:
            return transitions.forward(weights), transitions.tallied(weights)
        return weights, {}

    def reach(self, player_turn: str, met: Ints, turn: int) -> Ints:
        """Return what some states that go on may come to in a player turn, but for what others came to before them.

        Args:
            met ([K]): The numbers of the states.
        """
        for step, place in self.turn:
            if step.player_turn == player_turn and met.size:
                passing, rows = self._learn(place, met, turn)
                met = np.flatnonzero(among(len(self.states), passing, place.rule.table.targets(rows)))
        return met[self.end[met] == End.GOING_ON]

    def does_as(self, other: "Chain") -> bool:
        """Return whether every stage that does anything makes the same of the same states; both chains are closed."""
        mine, its = (
            [(step.player_turn, moves) for step, place in chain.turn if (moves := place.transitions)]
            for chain in (self, other)
        )
        return len(mine) == len(its) and all(
            when == then and moves.alike(others) for (when, moves), (then, others) in zip(mine, its, strict=True)
        )

    def close(self) -> None:
        """Put the sources of every stage in order, and forget what serves to learn more: half of what a chain takes."""
        for _, place in self.turn:
            place.close()

    def carry(self, player_turn: str, states: Ints, weights: Numbers, tallies: Counter[str]) -> tuple[Ints, Numbers]:
        """Return what some states come to in a player turn, in order, and their weights; the chain is closed.

        Args:
            states: ``[K]``.
            weights: ``[K]``.
            tallies: What is expected to be tallied on the way is added to it.
        """
        for step, place in self.turn:
            if step.player_turn == player_turn:
                states, weights, expected = place.carry(states, weights, len(self.states))
                tallies.update(expected)
        return states, weights

    def carry_back(self, player_turn: str, values: Numbers) -> None:
        """Put the values before a player turn in the place of those after it, ``[N, V]``."""
        for step, place in reversed(self.turn):
            if step.player_turn == player_turn:
                place.carry_back(values)

    def _learn(self, place: _Place, met: Ints, turn: int) -> tuple[Ints, Ints]:
        """Learn what a stage makes of states; of the new ones, return those that pass it by, and the others' rows."""
        place.since = lengthened(place.since, len(self.states))
        fresh = met[place.since[met] == 0]
        place.since[fresh] = turn
        concerned = self.end[fresh] == End.GOING_ON
        if place.stage.when is not None and fresh.size:
            concerned &= place.stage.when(self.states.glance(fresh), self._scene) != 0
        rows = self._rows(place, fresh[concerned])
        place.rows = np.append(place.rows, rows)
        return fresh[~concerned], rows

    def _rows(self, place: _Place, numbers: Ints) -> Ints:
        """Return the rows of states in the transitions of a rule, and learn those that are missing."""
        rule = place.rule
        new = numbers[rule.rows(numbers) == NONE]
        for other in self._common.rules[_same(place.stage.rule)]:
            rows = other.rows(new)
            known = rows != NONE
            if known.any() and other.holds_in(self.assault.scene):
                rule.reads |= other.reads
                rule.take_over(new[known], rows[known])
                new = new[~known]
        if new.size:
            self._learn_rule(rule, place.stage, new)
        return rule.rows(numbers)

    def _learn_rule(self, rule: _Rule, stage: Stage[Any, Any], new: Ints) -> None:
        """Learn what a stage makes of states: so many at a time, or half of them where that is too much."""
        if new.size > AT_A_TIME:
            for some in np.array_split(new, -(-new.size // AT_A_TIME)):
                self._learn_rule(rule, stage, some)
            return
        try:
            for part in self._transitions(stage, new, rule.reads):
                rule.add(part)
        except BudgetError as error:
            left = new[rule.rows(new) == NONE]
            if left.size == 1:
                raise BudgetError(f'a single state has too many outcomes at "{stage.title}"; {HELPS}') from error
            for half in np.array_split(left, 2):
                self._learn_rule(rule, stage, half)
        if self._common.size > self._budget:
            raise BudgetError(f"the chain of the assault has more than {self._budget:,} transitions; {HELPS}")

    def _transitions(self, stage: Stage[Any, Any], new: Ints, reads: set[str]) -> Iterator[Transitions]:
        """Yield what a stage makes of states, some of them at a time, and note what it looks at in the scene."""
        assault = replace(self.assault, scene=noting(self.assault.scene, reads))
        state, ones, columns = self.states.take(new), np.repeat(self._one, new.size), np.arange(new.size)
        for lot, arrays, dice in played(stage, assault, state, ones, columns, BUDGET, self._dice):
            found = distinct([(arrays, dice.weights)])
            learnt = between(new[lot], self._numbers(found.states, found.size), found, dice.tallies)
            self.size += learnt.target.size
            self._common.size += learnt.target.size
            yield learnt


@dataclass(frozen=True)
class Values:
    """The value of every state at every step.

    Attributes:
        turns ([N, 6]): The values after each turn; those after turn 0 are those at the start.
    """

    chain: Chain
    turns: Mapping[int, Numbers]

    def after(self, step: Step) -> Numbers:
        """Return the values after a step, ``[N, 6]``, of the states that the chain knows there."""
        return self.before(Moment(step.turn, step.place + 1))

    def before(self, step: Step | Moment) -> Numbers:
        """Return the values before a step, ``[N, 6]``, of the states that the chain knows there."""
        values = self.turns[step.turn].copy()
        for _, place in reversed(self.chain.turn[step.place :]):
            place.carry_back(values)
        return values


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
    turns = {assault.limit: chain.values_at_the_limit()}
    turns |= {step.turn - 1: now.copy() for step, now in chain.backward(since) if step.place == 0}
    return Values(chain, turns)


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

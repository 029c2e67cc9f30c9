"""State space exploration: it learns the absorbing Markov chain of an assault, from its start on.

A stage does not know the turn, so what it makes of a state is learnt once, when the state first comes to it::

                    "charge"             "fight"                    "charge", next turn
    state 0 --+-- 1/2 --> state 1 --+-- 1/3 --> state 3, captured
              |                     +-- 2/3 --> state 0 ----------+-- 1/2 --> state 1 ...
              +-- 1/2 --> state 2                                 +-- 1/2 --> state 2

A *transition* leads from a state s to a state s' that a stage may make of it, with the chance P(s, s'). A state that
has ended is absorbing: no stage changes it. `sims.engines.walk`, `sims.engines.chain` and `sims.engines.starts` carry
numbers through what has been learnt here.
"""

import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from sims.assault import START, Assault, End, Moment, Stage, Step
from sims.dice import BUDGET, ExactDice, Ints
from sims.dice.tables import Numbers
from sims.engines.merging import EachStatesDice, distinct, played
from sims.engines.numbering import NONE, States, among, lengthened
from sims.engines.places import Place, Rule
from sims.engines.scenes import noting
from sims.engines.transitions import Table, Transitions, between
from sims.errors import BudgetError
from sims.state import State, kept

TRANSITIONS = 2**24
"""Transitions that a chain may learn, unless told otherwise: with states and rows more than a gigabyte."""

AT_A_TIME = 2**16
"""States of which it is learnt at a time what a stage makes of them: more take more memory, and are no faster."""

CELLS = 2**22
"""Cells that are filled at a time, if not one state alone needs more: with more, memory grows and speed does not."""

HELPS = ("fewer models", "the garrison on hold")


@dataclass
class Shared:
    """What chains beside each other share: states, rules by what they do, and how many transitions."""

    states: States
    rules: dict[Hashable, list[Rule]] = field(default_factory=dict)
    size: int = 0


class Learner:
    """What learns the chain of an assault.

    Args:
        budget: The most transitions that it and those beside it may learn together.
        beside: That of the same scenario, rules and kind of number under other plans: both number the same states, and
            what a rule has done there it need not do again, if it has looked at nothing that the plans change.

    Attributes:
        states: All that have been met; the start is number 0, unless there is a chain beside.
        size (int): How many transitions have been learnt; those taken over from beside are not counted.
        turn (list): The steps of a turn, numbered as if it were turn 0.
        one ([1]): What is certain.
        start (array of int, [1]): The number of the start.
    """

    dice: ClassVar[type[ExactDice]] = EachStatesDice

    def __init__(
        self,
        assault: Assault[Any, Any],
        number: type[float] | type[Fraction] = float,
        budget: int = TRANSITIONS,
        beside: "Learner | None" = None,
    ) -> None:
        self.assault = assault
        self.shared: Shared = beside.shared if beside else Shared(States(assault.start))
        self.states: States = self.shared.states
        self.size = 0
        self.turn = list[tuple[Step, Place]]()
        self.one: Numbers = np.array([Fraction(1)], dtype=object) if number is Fraction else np.ones(1)
        self._budget = budget
        self._end: Ints = np.zeros(0, dtype=np.int8)
        self._tests = set[str]()
        self._scene = noting(assault.scene, self._tests)
        own = dict[Hashable, Rule]()
        for step, stage in assault.steps(0):
            same = _same(stage.rule)
            if same not in own:
                known = self.shared.rules.setdefault(same, [])
                own[same] = Rule(assault.scene, known[0].table if known else Table())
                known.append(own[same])
            self.turn.append((step, Place(stage, own[same], assault.limit)))
        self.start = self.meet(assault.start)

    @property
    def end(self) -> Ints:
        """The `End` of every state, ``[N]``; of those met since it was last asked for, the rules are asked."""
        new = np.arange(self._end.size, len(self.states))
        if new.size:
            end = self.assault.end(self.states.glance(new), self._scene)
            self._end = np.append(self._end, np.broadcast_to(end, new.shape).astype(np.int8))
        return self._end

    @property
    def looked_at(self) -> set[str]:
        """What rules have looked at in the scene, and the tests of when they are played and of the end."""
        return self._tests.union(*(place.rule.reads for _, place in self.turn))

    def steps(self, since: Moment = START) -> Iterator[tuple[Step, Place]]:
        """Yield the steps of the assault in order, from a place in it on."""
        for turn in range(since.turn, self.assault.limit + 1):
            for step, place in self.turn[since.place if turn == since.turn else 0 :]:
                yield step._replace(turn=turn), place

    def meet(self, states: State) -> Ints:
        """Return the numbers of distinct states, ``[K]``; those not met before get the next ones."""
        arrays = [kept(array) for array in states.arrays()]
        return self.number(arrays, max(array.size for array in arrays))

    def number(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of distinct states, ``[size]``, by their fields."""
        return self.states.number(arrays, size)

    def reach(self, player_turn: str, met: Ints, turn: int) -> Ints:
        """Return what some states that go on may come to in a player turn, but for what others came to before them.

        Args:
            met ([K]): The numbers of the states.
        """
        for step, place in self.turn:
            if step.player_turn == player_turn and met.size:
                passing, rows = self.learn(place, met, turn)
                met = np.flatnonzero(among(len(self.states), passing, place.rule.table.targets(rows)))
        return met[self.end[met] == End.GOING_ON]

    def learn(self, place: Place, met: Ints, turn: int) -> tuple[Ints, Ints]:
        """Learn what a stage makes of states; of the new ones, return those that pass it by, and the others' rows."""
        place.since = lengthened(place.since, len(self.states))
        fresh = met[place.since[met] == 0]
        place.since[fresh] = turn
        concerned = self.end[fresh] == End.GOING_ON
        if place.stage.when is not None and fresh.size:
            concerned &= place.stage.when(self.states.glance(fresh), self._scene) != 0
        passing = fresh[~concerned]
        place.since[passing] = -turn
        rows = self._rows(place, fresh[concerned])
        place.rows = np.append(place.rows, rows)
        return passing, rows

    def close(self) -> None:
        """Put the sources of every stage in order, and forget what serves to learn more: half of what a chain takes."""
        for _, place in self.turn:
            place.close()

    def _rows(self, place: Place, numbers: Ints) -> Ints:
        """Return the rows of states in the transitions of a rule, and learn those that are missing."""
        rule = place.rule
        new = numbers[rule.rows(numbers) == NONE]
        for other in self.shared.rules[_same(place.stage.rule)]:
            rows = other.rows(new)
            known = rows != NONE
            if known.any() and other.holds_in(self.assault.scene):
                rule.reads |= other.reads
                rule.take_over(new[known], rows[known])
                new = new[~known]
        if new.size:
            self._learn_rule(rule, place.stage, new)
        return rule.rows(numbers)

    def _learn_rule(self, rule: Rule, stage: Stage[Any, Any], new: Ints) -> None:
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
                raise self._refusal(f'a single state has too many outcomes at "{stage.title}"') from error
            for half in np.array_split(left, 2):
                self._learn_rule(rule, stage, half)
        if self.shared.size > self._budget:
            raise self._refusal(f"the chain of the assault has more than {self._budget:,} transitions")

    def _refusal(self, why: str) -> BudgetError:
        """Return the error to raise, with what makes the chain smaller."""
        smaller = self.assault.smaller
        helps = (*HELPS, *(f"{key} = {json.dumps(value)}" for key, value in smaller.items()))
        return BudgetError(f"{why}; there are fewer with {', or with '.join(helps)}", smaller)

    def _transitions(self, stage: Stage[Any, Any], new: Ints, reads: set[str]) -> Iterator[Transitions]:
        """Yield what a stage makes of states, some of them at a time, and note what it looks at in the scene."""
        assault = replace(self.assault, scene=noting(self.assault.scene, reads))
        state, ones, columns = self.states.take(new), np.repeat(self.one, new.size), np.arange(new.size)
        cells = BUDGET if new.size == 1 else CELLS
        for lot, arrays, dice in played(stage, assault, state, ones, columns, cells, self.dice):
            found = distinct([(arrays, dice.weights)])
            learnt = between(new[lot], self.number(found.states, found.size), found, dice.tallies)
            self.size += learnt.target.size
            self.shared.size += learnt.target.size
            yield learnt


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

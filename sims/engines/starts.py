"""Many starts of one assault, answered together: one chain for all, read backwards.

Starts that differ in how many models there are, in the distance or in the turn limit come to the same states: a start
with fewer models is nearly what a larger one passes anyway. States that go on alike are lumped, by `alike` of the rule
set. Each state has one row of answers, whichever start comes to it. A stage does not know the turn, so backward
induction with k turns to go makes the answers with k + 1 from those with k::

    V_k+1(s) = sum_s' P_turn(s, s') V_k(s')
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sims.assault import Assault, End, Stage
from sims.dice import Bools, ExactDice, Ints
from sims.dice.source import Argument
from sims.dice.tables import Floats
from sims.engines.exact import Progress
from sims.engines.learner import TRANSITIONS, Learner
from sims.engines.numbering import among
from sims.engines.scenes import differing
from sims.state import kept

CELLS = 2**24
"""Answers that are carried back at a time: 128 MB."""

NEVER = 127
"""A turn that does not come."""

MOST = 0.8
"""Where so many of the states that a stage concerns can come up in a turn, all are carried back: it takes no longer."""

DECIDED = (End.BROKEN, End.CAPTURED, End.DESTROYED)
"""The ends that come before the turn limit."""


class Ahead(NamedTuple):
    """What comes of a start.

    Attributes:
        ends ([turns]): The chance that each end comes in each turn.
        attackers_lost, defenders_lost: The chance of each number of models lost, up to the most that any start comes
            to.
        cleared: The chance of no living defender inside.
    """

    ends: dict[End, Floats]
    attackers_lost: Floats
    defenders_lost: Floats
    cleared: float


class _TallyingNothing(ExactDice):
    """Exact dice for what nobody asks for by cause."""

    def tally(self, name: str, value: Argument) -> None:
        """Forget it."""


class _Together(Learner):
    """What learns a chain in which all states are one from which everything goes on in the same way."""

    dice = _TallyingNothing

    def number(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of the states that stand for some, ``[size]``, distinct or not."""
        alike = self.assault.alike(self.assault.start.rebuild(arrays), self.assault.scene)
        return super().number([kept(array) for array in alike.arrays()], size)

    def explore(self, starts: Ints, progress: Progress | None) -> None:
        """Learn what can come of some starts."""
        met = np.unique(starts)
        for turn in range(1, self.assault.limit + 1):
            if progress:
                progress(turn - 1, self.assault.limit)
            for player in self.assault.turn:
                met = self.reach(player.name, met, turn)

    def holding(self, starts: Sequence[Assault[Any, Any]], numbers: Ints) -> list[int]:
        """Return which starts go on as they do here: all looked at is the same, and stages they lack concern nobody.

        Some stages come once for each model that there may be: how often is not asked.
        """
        looked, stages = self.looked_at, _stages(self.assault)
        lacking = dict[frozenset[Any], list[int]]()
        for i, of in enumerate(starts):
            its = _stages(of)
            if its <= stages and looked.isdisjoint(differing(self.assault.scene, of.scene)):
                lacking.setdefault(stages - its, []).append(i)
        return sorted(i for lacks, some in lacking.items() if self._are_idle(lacks, numbers[some]) for i in some)

    def _are_idle(self, stages: frozenset[Any], starts: Ints) -> bool:
        """Return whether stages concern none of the states that can come of some starts."""
        been = [np.zeros(len(self.states), dtype=np.bool_) for _ in self.turn]
        met = np.unique(starts)
        while stages and met.size:
            for (step, place), before in zip(self.turn, been, strict=True):
                met = met[~before[met]]
                before[met] = True
                if moves := place.transitions:
                    there = among(len(self.states), met)
                    rows = np.flatnonzero(there[moves.source])
                    if rows.size and _key(step.player_turn, place.stage) in stages:
                        return False
                    there[moves.source[rows]] = False
                    there[moves.take(rows).target] = True
                    met = np.flatnonzero(there)
        return True


def _stages(of: Assault[Any, Any]) -> frozenset[Any]:
    """Return which stages a turn has."""
    return frozenset(_key(player.name, stage) for player in of.turn for stage in player.stages)


def _key(player: str, stage: Stage[Any, Any]) -> Any:
    return player, stage.name, stage.group


def ahead(
    assault: Assault[Any, Any],
    starts: Sequence[Assault[Any, Any]],
    *,
    budget: int = TRANSITIONS,
    progress: Progress | None = None,
) -> list[Ahead | None]:
    """Return what comes of several starts, None for those that a rule tells apart by more than their states.

    Args:
        assault: With the most of what they have: models of both sides, distance, turns.
        starts: The same, each as it begins, with states that keep what there was at the start
            (`Scenario.one_of_several`).
        budget: The most transitions that may be learnt.
        progress: Told the turns done and the turn limit.

    Raises:
        BudgetError: If there is more to learn.
    """
    chain = _Together(assault, budget=budget)
    fields = zip(*(one.start.arrays() for one in starts), strict=True)
    numbers = chain.meet(assault.start.rebuild([np.concatenate(arrays) for arrays in fields]))
    chain.explore(numbers, progress)
    held = chain.holding(starts, numbers)
    found = list[Ahead | None]([None] * len(starts))
    if held:
        answers = _Answers(chain, numbers[held], [starts[i].limit for i in held])
        del chain  # half of the memory: what served to learn it is not needed any more
        for i, answer in zip(held, answers.each(), strict=True):
            found[i] = answer
    return found


class _Fate(NamedTuple):
    """What a state may come to: a number, ``[N]``, is so much; one that grows is never less again."""

    of: Ints
    value: int
    grows: bool = False

    def come(self) -> Bools:
        """Return which states have come to it."""
        return self.of == self.value

    def open(self) -> Bools:
        """Return which states may have come to it, or may yet."""
        return self.of <= self.value if self.grows else np.ones(self.of.size, dtype=np.bool_)


class _Answers:
    """The chain read backwards from the limit to the starts.

    Args:
        starts ([K]): The states of the starts.
        limits ([K]): Their turn limits.
    """

    def __init__(self, chain: _Together, starts: Ints, limits: Sequence[int]) -> None:
        self.starts = starts
        self.limits = np.array(limits)
        self.size = len(chain.states)
        self._end = chain.end
        going_on, states = self._end == End.GOING_ON, chain.states.all
        self._late = np.where(going_on, chain.assault.called(states, self._end), End.GOING_ON)
        self._outcome = chain.assault.outcome(states, chain.assault.scene)
        self._moves = [
            (moves.source, moves.matrix(self.size), place.since[moves.source])
            for _, place in reversed(chain.turn)
            if (moves := place.transitions)
        ]

    def each(self) -> Iterator[Ahead]:
        """Yield what comes of each start."""
        end, outcome = self._end, self._outcome
        lost = [np.broadcast_to(of, self.size) for of in (outcome.attackers_lost, outcome.defenders_lost)]
        most = [of.max() + 1 for of in lost]
        called = [End(one) for one in np.unique(self._late) if one != End.GOING_ON]
        found = self._back(
            [_Fate(end, one) for one in DECIDED]
            + [_Fate(self._late, one) for one in called]
            + [_Fate(np.broadcast_to(outcome.cleared, self.size), 1)]
            + [_Fate(of, n, grows=True) for of, m in zip(lost, most, strict=True) for n in range(m)]
        )
        for i, (start, limit) in enumerate(zip(self.starts, self.limits, strict=True)):
            late, (empty, *chances) = np.split(found[limit - 1, i, len(DECIDED) :], [len(called)])
            in_turn = np.append(found[:limit, i, : len(DECIDED)].T, np.zeros((1, limit)), axis=0)
            ends = dict(zip((*DECIDED, End.HELD), in_turn, strict=True))
            for one, chance in zip(called, late, strict=True):
                ends[one][-1] += chance
            ours, theirs = np.split(np.array(chances), most[:1])
            yield Ahead(ends, ours[lost[0][start] :], theirs[lost[1][start] :], float(empty))

    def _back(self, fates: Sequence[_Fate]) -> Floats:
        """Return how likely each start is to come to some fates with one turn to go, with two and so on.

        They are carried back in lots, first those that most states may come to; states that can come to nothing in a
        lot have no part in it.

        Args:
            fates: Those of `DECIDED`, the first, count in the first of these turns alone.

        Returns:
            ``[turns, K, fates]``.
        """
        over, found = np.flatnonzero(self._end != End.GOING_ON), list[Floats]()
        order = sorted(range(len(fates)), key=lambda i: -np.count_nonzero(fates[i].open()))
        at_a_time = max(CELLS // self.size, 1)
        cells = np.empty(self.size * min(at_a_time, len(fates)))  # the same for every lot: new memory is slow
        for first in range(0, len(fates), at_a_time):
            some = [fates[i] for i in order[first : first + at_a_time]]
            may = np.logical_or.reduce([fate.open() for fate in some])
            moves = [(source, matrix, np.where(may[source], since, NEVER)) for source, matrix, since in self._moves]
            values, there = cells[: self.size * len(some)].reshape(self.size, len(some)), list[Floats]()
            values[:] = np.array([fate.come() for fate in some]).T
            for turn in range(self.limits.max(), 0, -1):
                _carry_back(values, moves, turn)
                there.append(values[self.starts])
                values[over, : max(len(DECIDED) - first, 0)] = 0
            found.append(np.array(there))
        return np.concatenate(found, axis=2)[:, :, np.argsort(order)]


def _carry_back(values: Floats, moves: Sequence[tuple[Ints, Any, Ints]], turn: int) -> None:
    """Put the values before a turn in the place of those after it, of the states that can come up in it."""
    for source, matrix, since in moves:
        rows = np.flatnonzero(since <= turn)
        if rows.size > MOST * source.size:
            values[source] = matrix @ values
        elif rows.size:
            values[source[rows]] = matrix[rows] @ values

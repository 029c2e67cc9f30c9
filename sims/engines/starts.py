"""Many starts of one assault, answered together: one chain for all, read backwards.

Starts that differ in how many models there are, in the distance or in the turn limit come to the same states: a start
with fewer models is nearly what a larger one passes anyway. Each state has one row of answers, whichever start comes to
it, and a stage does not know the turn, so that the answers with k turns to go make those with k + 1.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sims.assault import Assault, End, Stage
from sims.dice import Bools, ExactDice, Ints
from sims.dice.source import Argument
from sims.dice.tables import Floats
from sims.engines.chain import TRANSITIONS, Chain
from sims.engines.exact import Progress
from sims.engines.numbering import lengthened
from sims.engines.scenes import differing, noting
from sims.state import kept

CELLS = 2**25
"""Answers that are carried back at a time: 256 MB."""

MOST = 0.8
"""Where so many of the states that a stage concerns can come up in a turn, all are carried back: it takes no longer."""

DECIDED = (End.BROKEN, End.CAPTURED, End.DESTROYED)
"""The ends that come before the turn limit."""


class Ahead(NamedTuple):
    """What comes of a start.

    Attributes
    ----------
    ends : dict of array, [turns]
        The chance that each end comes in each turn.
    attackers_lost, defenders_lost : array, [models + 1]
        The chance of each number of models lost.
    cleared : float
        The chance of no living defender inside.
    """

    ends: dict[End, Floats]
    attackers_lost: Floats
    defenders_lost: Floats
    cleared: float


class _Together(Chain):
    """A chain in which all states are one from which everything goes on in the same way.

    It notes what is looked at by all that plays it: rules, the tests of when they are played, and that of the end.
    """

    def __init__(self, assault: Assault[Any, Any], budget: int) -> None:
        self._tests = set[str]()
        super().__init__(assault, budget=budget)
        self._scene = noting(assault.scene, self._tests)
        self._dice = _TallyingNothing

    def _numbers(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of the states that stand for some, ``[size]``, distinct or not."""
        alike = self.assault.alike(self.assault.start.rebuild(arrays), self.assault.scene)
        return super()._numbers([kept(array) for array in alike.arrays()], size)

    def explore(self, starts: Ints, progress: Progress | None) -> Ints:
        """Learn what can come of some starts; return the first turn in which each state can come up, ``[N]``, or 0.

        A turn that begins as the one before goes on as it did, and so do all after it.
        """
        limit, began = self.assault.limit, np.zeros(0, dtype=np.bool_)
        since: Ints = np.zeros(0, dtype=np.int8)
        before = np.bincount(starts).astype(np.float64)
        for step, after, _ in self.forward(weights=before):
            now, before = before != 0, after
            if step.place == 0:
                if np.array_equal(now, began):
                    break
                began = now
                if progress:
                    progress(step.turn - 1, limit)
            since = lengthened(since, now.size)
            since[: now.size][now & (since == 0)] = step.turn
        return lengthened(since, len(self.states))

    def holding(self, starts: Sequence[Assault[Any, Any]], numbers: Ints) -> list[int]:
        """Return which starts go on as they do here: all looked at is the same, and stages they lack concern nobody.

        Some stages come once for each model that there may be: how often is not asked.
        """
        reads = (rule.reads for rules in self._common.rules.values() for rule in rules)
        looked, stages = self._tests.union(*reads), _stages(self.assault)
        lacking = dict[frozenset[Any], list[int]]()
        for i, of in enumerate(starts):
            its = _stages(of)
            if its <= stages and looked.isdisjoint(differing(self.assault.scene, of.scene)):
                lacking.setdefault(stages - its, []).append(i)
        return sorted(i for lacks, some in lacking.items() if self._are_idle(lacks, numbers[some]) for i in some)

    def _are_idle(self, stages: frozenset[Any], starts: Ints) -> bool:
        """Return whether stages concern none of the states that can come of some starts."""
        if not stages:
            return True
        weights = np.bincount(starts, minlength=len(self.states)).astype(np.float64)
        for step, after, _ in self.forward(weights=weights):
            place = self.turn[step.place][1]
            if _key(step.player_turn, place.stage) in stages and place.concerns(weights):
                return False
            weights = after
        return True


class _TallyingNothing(ExactDice):
    """Exact dice for what nobody asks for by cause."""

    def tally(self, name: str, value: Argument) -> None:
        """Forget it."""


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

    Parameters
    ----------
    assault : Assault
        With the most of what they have: models of both sides, distance, turns.
    starts : sequence of Assault
        The same, each as it begins, with states that keep what there was at the start (`Scenario.one_of_several`).
    budget : int
        The most transitions that may be learnt.
    progress : callable, optional
        Told the turns done and the turn limit.

    Raises
    ------
    BudgetError
        If there is more to learn.
    """
    chain = _Together(assault, budget)
    fields = zip(*(one.start.arrays() for one in starts), strict=True)
    numbers = chain.meet(assault.start.rebuild([np.concatenate(arrays) for arrays in fields]))
    since = chain.explore(numbers, progress)
    held = chain.holding(starts, numbers)
    found = list[Ahead | None]([None] * len(starts))
    if held:
        answers = _Answers(chain, numbers[held], [starts[i].limit for i in held], since)
        for i, answer in zip(held, answers.each(), strict=True):
            found[i] = answer
    return found


class _Answers:
    """The chain read backwards from the limit to the starts.

    Parameters
    ----------
    chain : _Together
    starts : array of int, [K]
        The states of the starts.
    limits : sequence of int, [K]
        Their turn limits.
    since : array of int, [N]
        The first turn in which each state can come up, 0 for none.
    """

    def __init__(self, chain: _Together, starts: Ints, limits: Sequence[int], since: Ints) -> None:
        self.chain = chain
        self.starts = starts
        self.limits = np.array(limits)
        self.size = len(chain.states)
        moves = [moves for _, place in reversed(chain.turn) if (moves := place.transitions)]
        self._moves = [(move.source, move.matrix(self.size)) for move in moves]
        self._since = since

    def each(self) -> Iterator[Ahead]:
        """Yield what comes of each start."""
        end = self.chain.end
        outcome = self.chain.assault.outcome(self.chain.states.all, self.chain.assault.scene)
        lost = [np.broadcast_to(of, self.size) for of in (outcome.attackers_lost, outcome.defenders_lost)]
        ends, cleared = end[:, np.newaxis] == (*DECIDED, End.GOING_ON), np.broadcast_to(outcome.cleared, self.size)
        numbers = [of[:, np.newaxis] == np.arange(of.max() + 1) for of in lost]
        found = self._back(np.hstack([ends, cleared[:, np.newaxis], *numbers]))
        for i, (start, limit) in enumerate(zip(self.starts, self.limits, strict=True)):
            held, empty, *chances = found[limit - 1, i, len(DECIDED) :]
            in_turn = dict(zip(DECIDED, found[:limit, i].T, strict=False))
            in_last = {End.HELD: np.append(np.zeros(limit - 1), held)}
            ours, theirs = np.split(np.array(chances), [numbers[0].shape[1]])
            yield Ahead(in_turn | in_last, ours[lost[0][start] :], theirs[lost[1][start] :], float(empty))

    def _back(self, come_to: Bools) -> Floats:
        """Return how likely each start is to come to something with one turn to go, with two and so on.

        Parameters
        ----------
        come_to : array of bool, [N, columns]
            Which states have; those of `DECIDED`, the first columns, in the first of these turns alone.

        Returns
        -------
        array, [turns, K, columns]
        """
        over, found = np.flatnonzero(self.chain.end != End.GOING_ON), list[Floats]()
        for columns in np.array_split(come_to, -(-come_to.shape[1] * self.size // CELLS), axis=1):
            values, there, once = columns.astype(np.float64, order="C"), list[Floats](), 0 if found else len(DECIDED)
            for to_go in range(1, self.limits.max() + 1):
                self._carry_back(values, (self._since > 0) & (self._since <= self.limits.max() - to_go + 1))
                there.append(values[self.starts])
                values[over, :once] = 0
            found.append(np.array(there))
        return np.concatenate(found, axis=2)

    def _carry_back(self, values: Floats, live: Bools) -> None:
        """Put the values before a turn in the place of those after it, of the states that can come up in it."""
        for source, matrix in self._moves:
            rows = np.flatnonzero(live[source])
            if rows.size > MOST * source.size:
                values[source] = matrix @ values
            elif rows.size:
                values[source[rows]] = matrix[rows] @ values

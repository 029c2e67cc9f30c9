"""Many starts of one assault, answered together: one chain for all, read backwards.

Starts that differ in how many models there are, in the distance or in the turn limit come to the same states: a start
with fewer models is nearly what a larger one passes anyway. Each state has one row of answers, whichever start comes to
it, and a stage does not know the turn, so that the answers with k turns to go make those with k + 1.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sims.assault import Assault, End
from sims.dice import Ints
from sims.dice.tables import Floats
from sims.engines.chain import TRANSITIONS, Chain
from sims.engines.exact import Progress
from sims.engines.merging import distinct
from sims.engines.scenes import differing, noting
from sims.state import kept

CELLS = 2**24
"""Answers that are carried back at a time: 128 MB."""

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

    def _numbers(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of the states that stand for some, ``[size]``, distinct or not."""
        alike = self.assault.alike(self.assault.start.rebuild(arrays), self.assault.scene)
        found = distinct([([kept(array) for array in alike.arrays()], np.ones(size))])
        return super()._numbers(found.states, found.size)[found.place]

    def holds(self, of: Assault[Any, Any]) -> bool:
        """Return whether another assault goes on as it does here: its stages and all looked at are the same."""
        reads = (rule.reads for rules in self._common.rules.values() for rule in rules)
        looked = self._tests.union(*reads)
        return _stages(of) == _stages(self.assault) and looked.isdisjoint(differing(self.assault.scene, of.scene))


def _stages(of: Assault[Any, Any]) -> set[tuple[str, str, int | None]]:
    """Return which stages a turn has, however often: some come once for each model that there may be."""
    return {(player.name, stage.name, stage.group) for player in of.turn for stage in player.stages}


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
    for step, _, _ in chain.forward(weights=np.bincount(numbers).astype(np.float64)):
        if progress and step.place == 0:
            progress(step.turn - 1, assault.limit)
    held = [i for i, one in enumerate(starts) if chain.holds(one)]
    found = list[Ahead | None]([None] * len(starts))
    if held:
        limits = np.array([starts[i].limit for i in held])
        for i, answer in zip(held, _answers(chain, numbers[held], limits), strict=True):
            found[i] = answer
    return found


def _answers(chain: _Together, starts: Ints, limits: Ints) -> Iterator[Ahead]:
    """Yield what comes of starts with turn limits of their own."""
    outcome = chain.assault.outcome(chain.states.all, chain.assault.scene)
    size = len(chain.states)
    lost = [np.broadcast_to(of, size) for of in (outcome.attackers_lost, outcome.defenders_lost)]
    ends = np.stack([chain.end == end for end in DECIDED], axis=1).astype(np.float64)
    in_turn = list[Floats]()
    for values in _turns(chain, ends, int(limits.max())):
        in_turn.append(values[starts])
        values[chain.end != End.GOING_ON] = 0
    columns = [chain.end == End.GOING_ON, np.broadcast_to(outcome.cleared, size)]
    columns += [of == n for of in lost for n in range(of.max() + 1)]
    at_limit = np.concatenate(list(_at_limit(chain, columns, starts, limits)), axis=1)
    for i, (start, limit) in enumerate(zip(starts, limits, strict=True)):
        decided = np.stack([now[i] for now in in_turn[:limit]])
        is_held = np.zeros(limit)
        is_held[-1], cleared = at_limit[i, :2]
        first, second = np.split(at_limit[i, 2:], [lost[0].max() + 1])
        yield Ahead(
            dict(zip(DECIDED, decided.T, strict=True)) | {End.HELD: is_held},
            first[lost[0][start] :],
            second[lost[1][start] :],
            float(cleared),
        )


def _at_limit(chain: _Together, columns: Sequence[Any], starts: Ints, limits: Ints) -> Iterator[Floats]:
    """Yield how likely it is that each start has come to something when its turn limit has come, some at a time."""
    wide = max(1, CELLS // len(chain.states))
    for first in range(0, len(columns), wide):
        some = np.stack(columns[first : first + wide], axis=1).astype(np.float64)
        found = np.zeros((starts.size, some.shape[1]))
        for turn, values in enumerate(_turns(chain, some, int(limits.max())), 1):
            found[limits == turn] = values[starts[limits == turn]]
        yield found


def _turns(chain: _Together, values: Floats, turns: int) -> Iterator[Floats]:
    """Carry values back turn by turn; yield those of every state with one turn to go, with two and so on."""
    moves = [moves for _, place in reversed(chain.turn) if (moves := place.transitions)]
    for _ in range(turns):
        for move in moves:
            values[move.source] = move.backward(values)
        yield values

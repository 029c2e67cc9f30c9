"""What is lost by a list: what each of its choices gives away, in all the games that come of it.

A choice gives away what the best plan would have been worth more to players who choose well from there on, and nothing
where a side has to go on by the plan that it has. Summed over all states in which the list has to choose, each as
likely as it is *under the list*, that is what best play is worth more than the list.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analysis.best_play.listing import Line, plans_named
from analysis.told.fields import Columns, fields
from sims.dice import Ints
from sims.dice.tables import Numbers
from sims.engines.contest import BOTH, CHOOSING, SIDES, Choice, Opening, Pair, Solution, in_force
from sims.engines.follow import Followed, best_play, follow
from sims.scenario import Side

COLUMNS_OF_LISTS = ("distance", "attackers", "defenders", "turn")
"""What a list looks at, by the words of the log; of two that tell the same states apart, at the first."""


@dataclass(frozen=True)
class Cells:
    """The states in which a side chooses, those together that no list tells apart.

    Attributes:
        columns ([C]): What is seen in each cell.
        of ([K]): The cell of each state of each opening of the side.
        start: The cell of the start, in which who moves second declares his plan.
    """

    columns: Columns
    of: Mapping[Opening, Ints]
    start: int


def cells(solution: Solution, side: Side) -> Cells:
    """Return the cells of a side."""
    contest = solution.contest
    assault = next(iter(contest.chains.values())).assault
    openings = [opening for opening in solution.choices if opening.side == side]
    numbers = [solution.choices[opening].states for opening in openings]
    there = np.unique(np.concatenate(numbers))
    stands, begun = fields(assault, contest.states.take(there)), fields(assault, assault.start)
    known = [name for name in COLUMNS_OF_LISTS if name in stands]

    def rows(of: Columns, places: Ints, turn: int) -> Ints:
        return np.stack([*(of[name][places] for name in known), np.full(places.shape, turn)], axis=1)

    each = [rows(stands, np.searchsorted(there, n), o.turn) for o, n in zip(openings, numbers, strict=True)]
    table, cell = np.unique(np.concatenate([rows(begun, np.zeros(1, int), 1), *each]), axis=0, return_inverse=True)
    start, *of = np.split(cell.ravel(), np.cumsum([1, *map(len, each[:-1])]))
    return Cells(dict(zip((*known, "turn"), table.T, strict=True)), dict(zip(openings, of, strict=True)), int(start[0]))


class Judged(NamedTuple):
    """A list that has been followed.

    Attributes:
        given ([C, P]): What each plan of the side would give away in each cell, as often as the side chooses there.
        visits ([C]): How often it chooses in each cell; who moves second declares a plan in that of the start.
    """

    lines: tuple[Line, ...]
    given: Numbers
    visits: Numbers
    loss: Any


class Judge:
    """Follows lists of one side, and says what they lose.

    Args:
        against: The plan of the other side, which does not change it; if not given it plays its best.
    """

    def __init__(self, solution: Solution, side: Side, against: str | None = None) -> None:
        contest = solution.contest
        plans = contest.attacks, contest.defences
        self._solution, self.side, self._own = solution, side, SIDES.index(side)
        self.plans, self._others = plans[self._own], plans[1 - self._own]
        self.against = against
        self._chooses = BOTH if against is None else CHOOSING.index((side,))
        self.cells = cells(solution, side)

    def in_order(self) -> list[str]:
        """Return the plans of the side, first the one that is worth most if it is never changed."""
        if self.against is None:
            worth = self._solution.replies[SIDES[1 - self._own]]
        else:
            worth = self._solution.fixed.take(self._others.index(self.against), axis=1 - self._own)
        return [self.plans[i] for i in np.argsort(-self._sign * worth, kind="stable")]

    def judge(self, lines: tuple[Line, ...]) -> Judged:
        """Follow a list and return what it loses."""
        says = self._says(lines)
        given, visits = self._given(self.follow(lines).visits)
        start = self._start[:, self._other]
        given[self.cells.start] += start.max() - start
        visits[self.cells.start] += self.side != self._solution.contest.sides[0]
        return Judged(lines, given, visits, given[np.arange(says.size), says].sum())

    def at_best(self) -> tuple[Numbers, Numbers]:
        """Return what each plan would give away in each cell, and how often the side chooses there, at its best."""
        own = int(self._start[:, self._other].argmax())
        return self._given(follow(self._solution, best_play(self._chooses), self._begins(own)).visits)

    def follow(self, lines: Sequence[Line]) -> Followed:
        """Return what comes of a list."""
        says, others = self._says(lines), best_play(self._chooses)

        def policy(opening: Opening, choice: Choice) -> Ints:
            if opening.side != self.side:
                return others(opening, choice)
            stays = choice.committed[:, np.newaxis, np.newaxis]
            named = says[self.cells.of[opening]][:, np.newaxis, np.newaxis]
            return np.where(stays, in_force(choice.worth.shape[:3], self.side), named)

        return follow(self._solution, policy, self._begins(says[self.cells.start]))

    def _begins(self, own: int) -> Pair:
        """Return the plans that are declared, if the side declares one of its own."""
        return Pair(*(self.plans[own], self._others[self._other])[:: self._sign])

    def _says(self, lines: Sequence[Line]) -> Ints:
        return plans_named(lines, self.cells.columns, self.plans)

    @property
    def _sign(self) -> int:
        """What the attackers want counts for them, and against the garrison."""
        return 1 - 2 * self._own

    def _to_the_side(self, worth: Numbers) -> Numbers:
        """Return what pairs of plans are worth to the side, its own first, ``[..., P, O]``, of ``[..., A, D, 4]``."""
        return self._sign * np.moveaxis(worth[..., self._chooses], worth.ndim - 3 + self._own, -2)

    @property
    def _start(self) -> Numbers:
        """What the start is worth to the side by the plans that are declared, ``[P, O]``."""
        return self._to_the_side(self._solution.start)

    @property
    def _other(self) -> int:
        """Which plan the other side has, or declares if it plays its best."""
        return int(self._start.max(axis=0).argmin()) if self.against is None else self._others.index(self.against)

    def _given(self, visits: Mapping[Opening, Numbers]) -> tuple[Numbers, Numbers]:
        """Return what each plan gives away in each cell, ``[C, P]``, and how often the side chooses there, ``[C]``."""
        solution, size = self._solution, next(iter(self.cells.columns.values())).size
        given = np.zeros((size, len(self.plans)), dtype=solution.start.dtype)
        chosen = np.zeros(size, dtype=solution.start.dtype)
        for opening, cell in self.cells.of.items():
            choice = solution.choices[opening]
            worth = self._to_the_side(choice.worth)
            free = np.where(choice.committed[:, np.newaxis, np.newaxis], 0, visits[opening])
            often = free.sum(axis=1 + self._own)
            np.add.at(given, cell, ((worth.max(axis=1, keepdims=True) - worth) * often[:, np.newaxis]).sum(axis=2))
            np.add.at(chosen, cell, often.sum(axis=1))
        return given, chosen

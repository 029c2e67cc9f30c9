"""The chances in a game: how likely each end is before it, after every move, and what each roll has done to that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.points.margins import ENDS
from sims.assault import Assault, Moment, Scene
from sims.dice import Ints
from sims.dice.mechanics import Mechanic
from sims.dice.source import Argument, ExactDice
from sims.dice.tables import Floats
from sims.engines import LEFT_OUT, WITHIN, Progress, Values, values, values_within
from sims.engines.chain import ENDS as COLUMNS
from sims.engines.merging import distinct
from sims.errors import BudgetError
from sims.replay import Move
from sims.rolls import Roll

Chances = dict[str, float]
"""The chance of each end, by its name."""

MOST = 3
"""Turning points that are told."""
A_POINT = 0.01
"""A roll that gives fewer games than this another end is no turning point."""
FAINT = 1e-5
"""Where a chance may be off by more, those of the game are found again from there."""


@dataclass(frozen=True)
class Shift:
    """What a roll has done to the chances: what they are after it, and how far it has moved that of each end."""

    move: Move
    roll: Roll
    chances: Chances
    change: Chances

    @property
    def size(self) -> float:
        """The share of games that it has given another end."""
        return sum(map(abs, self.change.values())) / 2


class Course:
    """The chance of each end as a game goes on, if both sides keep to their plans.

    ``course = Course(game.assault)`` knows those before the first move; ``course.follow(move)`` goes on by a move.

    Where an assault has too many states, those are left out that hardly ever come up; if a game comes to one, the
    chances are found again from there.

    Attributes:
        now (dict): The chances at this point of the game.
        left_out: By how much a chance may have been too low so far; none is too high.
        shifts (list of Shift): What every roll so far has done to them, in order.

    Raises:
        BudgetError: If the assault has too many states even so.
    """

    def __init__(self, assault: Assault[Any, Scene], progress: Progress | None = None) -> None:
        self._assault = assault
        self.left_out = 0.0
        self.shifts = list[Shift]()
        try:
            self._values: Values = values(assault, progress=progress)
        except BudgetError:
            self._values = values_within(assault, WITHIN)
        self.now = self._told(self._values.turns[0][0])

    def follow(self, move: Move) -> list[Shift]:
        """Go on by a move, and return what each of its rolls does to the chances, in the order the rule asks for them.

        What the move does by itself is known by its last roll.
        """
        if not move.rolls:
            return []
        known, shifts = [roll.answer for roll in move.rolls], list[Shift]()
        for n, roll in enumerate(move.rolls, 1):
            chances = self._told(self._expected(move, known[:n]))
            shifts.append(Shift(move, roll, chances, {end: chances[end] - self.now[end] for end in chances}))
            self.now = chances
        self.shifts += shifts
        return shifts

    @property
    def turning_points(self) -> list[Shift]:
        """The rolls that have moved the chances most, the first before the others."""
        large = [shift for shift in self.shifts if shift.size >= A_POINT]
        return sorted(large, key=lambda shift: -shift.size)[:MOST]

    def _expected(self, move: Move, answers: Sequence[int]) -> Floats:
        """Return the mean of the values after a move of which some rolls, the first, are known."""
        dice, assault = _KnownDice(answers), self._assault
        _, place = self._values.chain.turn[move.step.place]
        found = distinct([(place.stage.rule(dice, move.before, assault.scene).arrays(), dice.weights)])

        def mean() -> Floats:
            worth = self._values.of(found.states, found.size, self._values.after(move.step))
            return np.asarray(found.weights @ worth[found.place])

        if _left_out(mean()) > FAINT:
            states = assault.start.rebuild(found.states)
            after = Moment(move.step.turn, move.step.place + 1)
            self._values = values_within(assault, WITHIN, since=after, states=states)
        return mean()

    def _told(self, values: Floats) -> Chances:
        """Return the chances among the values of a state, in the order in which ends are told."""
        self.left_out = max(self.left_out, _left_out(values))
        chances = dict(zip(COLUMNS, values.tolist(), strict=False))
        return {name: chances[end] for name, end in ENDS.items()}


class _KnownDice(ExactDice):
    """Exact dice that know the answers of the first rolls."""

    def __init__(self, answers: Sequence[int]) -> None:
        super().__init__(np.ones(1))
        self._answers = [*answers]  # shared by all scopes, as the weights are

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        """Return what is known, ``[1]``, or every outcome."""
        if self._answers and all(np.size(argument) == 1 for argument in arguments):
            values = tuple(int(np.reshape(argument, -1)[0]) for argument in arguments)
            if len(mechanic.pmf(*values).outcomes) > 1:
                return np.array([self._answers.pop(0)])
        return super().draw(label, mechanic, *arguments)


def _left_out(values: Floats) -> float:
    """Return how likely it is to come from a state to one that was left out, by its values."""
    return float(values[LEFT_OUT]) if values.size > LEFT_OUT else 0.0

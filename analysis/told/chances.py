"""The chances in a game: how likely each end is before it, after every move, and what each roll has done to that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.points.margins import ENDS
from sims.assault import Assault, Scene
from sims.dice import Ints
from sims.dice.mechanics import Mechanic
from sims.dice.source import Argument, ExactDice
from sims.engines import Progress, Values, values
from sims.engines.chain import ENDS as COLUMNS
from sims.engines.merging import distinct
from sims.replay import Move
from sims.rolls import Roll

Chances = dict[str, float]
"""The chance of each end, by its name."""

MOST = 3
"""Turning points that are told."""
A_POINT = 0.01
"""A roll that gives fewer games than this another end is no turning point."""


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

    Attributes:
        now (dict): The chances at this point of the game.
        shifts (list of Shift): What every roll so far has done to them, in order.

    Raises:
        BudgetError: If the assault has too many states.
    """

    def __init__(self, assault: Assault[Any, Scene], progress: Progress | None = None) -> None:
        self._scene = assault.scene
        self._values: Values = values(assault, progress=progress)
        self.now = _named(self._values.turns[0][0])
        self.shifts = list[Shift]()

    def follow(self, move: Move) -> list[Shift]:
        """Go on by a move, and return what each of its rolls does to the chances, in the order the rule asks for them.

        What the move does by itself is known by its last roll.
        """
        if not move.rolls:
            return []
        worth = self._values.after(move.step)
        known, shifts = [roll.answer for roll in move.rolls], list[Shift]()
        for n, roll in enumerate(move.rolls, 1):
            chances = self._expected(move, known[:n], worth)
            shifts.append(Shift(move, roll, chances, {end: chances[end] - self.now[end] for end in chances}))
            self.now = chances
        self.shifts += shifts
        return shifts

    @property
    def turning_points(self) -> list[Shift]:
        """The rolls that have moved the chances most, the first before the others."""
        large = [shift for shift in self.shifts if shift.size >= A_POINT]
        return sorted(large, key=lambda shift: -shift.size)[:MOST]

    def _expected(self, move: Move, answers: Sequence[int], worth: Any) -> Chances:
        """Return the mean of the chances after a move of which some rolls, the first, are known."""
        dice = _KnownDice(answers)
        _, place = self._values.chain.turn[move.step.place]
        found = distinct([(place.stage.rule(dice, move.before, self._scene).arrays(), dice.weights)])
        numbers = self._values.chain.states.find(found.states, found.size)
        return _named(found.weights @ worth[numbers[found.place]])


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


def _named(values: Any) -> Chances:
    """Return the chances among the values of a state, in the order in which ends are told."""
    chances = dict(zip(COLUMNS, values.tolist(), strict=False))
    return {name: chances[end] for name, end in ENDS.items()}

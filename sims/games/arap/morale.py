"""Nerve under fire: heavy casualties, pinning, and routing from a lost fight."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from sims.dice import PMF, Bools, Dice, Ints, Test, Volley
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, needed
from sims.games.arap.tables import Casualties

STANDS, PINNED, ROUTS = 0, 1, 2
"""What a heavy-casualty test comes to."""


@dataclass(frozen=True)
class HeavyCasualtyTest:
    """2D6 against Leadership: passed, failed by an even throw (pinned) or by an odd one (rout) (ARAP-134).

    Arguments: whether it is taken, and the target.
    """

    test: Test
    arity = 2
    answers: ClassVar[Mapping[int, str]] = {STANDS: "passed", PINNED: "pinned", ROUTS: "routed"}

    def pmf(self, *arguments: int) -> PMF:
        """Return the chances of `STANDS`, `PINNED` and `ROUTS`."""
        when, target = arguments
        weights = {STANDS: 0, PINNED: 0, ROUTS: 0}
        for a, b in product(range(1, 7), repeat=2):
            weights[int(self._read(np.array(when), np.array(target), np.array(a), np.array(b)))] += 1
        return PMF.of(weights)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw both dice."""
        when, target = arguments
        return self._read(when, target, cast("first", 6, 1)[0], cast("second", 6, 1)[0])

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say what passes the test, and what a failure means."""
        _, target = arguments
        needs = needed(self.test, target)
        shown = f"{face('first', 6, 0)}+{face('second', 6, 0)}"
        yield f"Leadership, {needs}; an even throw that fails it pins, an odd one routs: {shown}"

    def _read(self, when: Ints, target: Ints, a: Ints, b: Ints) -> Ints:
        stands = (when == 0) | self.test.passes(target, a, b)
        return np.asarray(np.where(stands, STANDS, np.where((a + b) % 2 == 0, PINNED, ROUTS)))


def heavy(table: Casualties, losses: Argument, size: Argument) -> Bools:
    """Return whether a unit lost so much to shooting that it must test: a quarter of it or more (ARAP-133)."""
    return np.asarray((np.asarray(losses) > 0) & (table.quarter * np.asarray(losses) >= size))


def half_lost(table: Casualties, losses: Argument, size: Argument) -> Bools:
    """Return whether half of a unit was lost, which can make the test harder (ARAP-134)."""
    return np.asarray(table.half * np.asarray(losses) >= size)


def pinned(dice: Dice, label: str, test: Test, Ld: Argument, tests: Argument) -> Bools:
    """Return whether a unit fails any of its pinning tests (ARAP-127; partly ARAP-128)."""
    return dice.draw(label, Volley((test.failed,)), tests, Ld) > 0


def rout_target(Ld: Argument, difference: Argument, worst: int) -> Ints:
    """Return what a rout test must not exceed: Leadership and the wound difference, down to a limit (ARAP-204)."""
    return np.asarray(Ld + np.maximum(difference, worst))

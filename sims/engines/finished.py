"""How an assault has ended, with the chance of each outcome: where `solve` and `follow` set finished states aside."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sims.assault import Outcome
from sims.dice import Ints
from sims.dice.tables import Numbers
from sims.engines.merging import merge
from sims.engines.result import COLUMNS, Exact, columns_of

LOST = ("attackers_lost", "defenders_lost")


class Finished:
    """The states that have ended, and what both sides have lost by the end of each turn."""

    def __init__(self) -> None:
        self._done: list[tuple[list[Ints], Numbers]] = []
        self._course: list[tuple[Any, Any]] = []

    def add(self, outcome: Outcome, end: Ints, turn: int, weights: Numbers) -> None:
        """Set aside states that have ended in a turn, with their weights, ``[N]``."""
        self._done.append((columns_of(outcome, end, turn, weights.size), weights))

    def close(self, live: Iterable[tuple[Outcome, Numbers]]) -> None:
        """End a turn: note the losses so far.

        Args:
            live: What states still in play have cost, and their weights.
        """
        lost = dict[str, Any].fromkeys(LOST, 0)
        for outcome, weights in live:
            for of in LOST:
                lost[of] += (weights * getattr(outcome, of)).sum()
        for columns, weights in self._done:
            for of in LOST:
                lost[of] += (weights * columns[COLUMNS.index(of)]).sum()
        self._course.append((lost["attackers_lost"], lost["defenders_lost"]))

    def result(self, rules: str, tallies: Mapping[str, Any]) -> Exact:
        """Merge equal outcomes, and return them as a result."""
        arrays = [np.concatenate(parts) for parts in zip(*(columns for columns, _ in self._done), strict=True)]
        arrays, weights = merge([(arrays, np.concatenate([weights for _, weights in self._done]))])
        columns = {
            name: np.broadcast_to(a.astype(np.int64), weights.shape) for name, a in zip(COLUMNS, arrays, strict=True)
        }
        return Exact(rules, columns, weights, tallies, tuple(self._course))

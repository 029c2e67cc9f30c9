"""The places of a turn: each has a stage, and keeps what has been learnt of its rule and of the states that meet it.

Two stages may have one rule, and two chains beside each other one table of its transitions.
"""

from typing import Any

import numpy as np

from sims.assault import Stage
from sims.dice import Ints
from sims.engines.numbering import NONE
from sims.engines.scenes import differing
from sims.engines.transitions import Table, Transitions


class Rule:
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


class Place:
    """A stage in its place in the turn, what has been learnt of its rule, and what of that concerns it.

    Attributes:
        since ([N]): The first turn in which each state has met the stage, 0 for none; less than 0 where it passes by.
        rows ([M]): Of the states that it concerns, the rows of the transitions of its rule.
    """

    def __init__(self, stage: Stage[Any, Any], rule: Rule, turns: int) -> None:
        self.stage = stage
        self.rule = rule
        self.since: Ints = np.zeros(1, dtype=np.min_scalar_type(-turns))
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
        self.since = self.since[:0]
        if self.rows.size:
            self.rows = self.rows[np.argsort(self.rule.table.whole().source[self.rows])]
            self._taken = self.rule.table.whole().take(self.rows)

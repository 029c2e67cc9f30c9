"""What an engine returns. An answer that is not exact never looks so: it is of another type."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sims.assault import End, Outcome
from sims.dice import Ints
from sims.dice.tables import Floats, Numbers

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("end", "turn", "attackers_lost", "defenders_lost", "cleared")
"""What is kept of a finished assault: `End`, the turn it ended in, models lost, no living defender inside."""


def columns_of(outcome: Outcome, end: Ints, turn: int, size: int) -> list[Ints]:
    """Return what is kept of states: an array for each of `COLUMNS`, ``[size]``."""
    values = (end, turn, outcome.attackers_lost, outcome.defenders_lost, outcome.cleared)
    return [np.full(size, value, dtype=np.int64) for value in values]


@dataclass(frozen=True)
class _Result:
    rules: str
    columns: Mapping[str, Ints]

    @property
    def probabilities(self) -> Floats:
        raise NotImplementedError

    def frame(self) -> "pd.DataFrame":
        """Return the tidy outcome frame: one row for each distinct outcome, with its probability."""
        import pandas as pd

        names = {end.value: end.name.lower() for end in End}
        frame = pd.DataFrame(dict(self.columns))
        frame["end"] = frame["end"].map(names)
        frame["cleared"] = frame["cleared"].astype(bool)
        return frame.assign(probability=self.probabilities)


@dataclass(frozen=True)
class _Followed(_Result):
    """Outcomes that were followed, not drawn."""

    weights: Numbers
    tallies: Mapping[str, Any]
    course: tuple[tuple[Any, Any], ...]
    trials = None
    looks = 1

    @property
    def probabilities(self) -> Floats:
        """The chance of each outcome, as floats ``[N]``."""
        return self.weights.astype(np.float64)


@dataclass(frozen=True)
class Exact(_Followed):
    """The whole distribution of outcomes.

    Attributes:
        columns: For each name in `COLUMNS` the values of the distinct outcomes, ``[N]``.
        weights ([N]): Their chances, floats or Fractions; they sum to 1.
        tallies: Expected totals of what the rules tallied.
        course: Expected attackers and defenders lost by the end of each turn played.
    """

    engine = "exact"
    left_out = 0.0


@dataclass(frozen=True)
class Bounded(_Followed):
    """The distribution of outcomes but for some, of which is known how likely they are together.

    Any chance is at least the one found, and at most that and all that was left out.

    Attributes:
        columns: For each name in `COLUMNS` the values of the distinct outcomes found, ``[N]``.
        weights ([N]): Their chances; with what was left out they sum to 1.
        tallies, course: As of an exact result, but for what the outcomes left out add.
        left_out: The chance of all outcomes left out.
    """

    left_out: float
    engine = "bounded"


@dataclass(frozen=True)
class Sampled(_Result):
    """How often each outcome came up.

    Attributes:
        columns: For each name in `COLUMNS` the values of the distinct outcomes, ``[N]``.
        counts ([N]): Trials that ended so; they sum to `trials`.
        tallies: Sum and sum of squares over trials of what the rules tallied.
        course: Mean attackers and defenders lost by the end of each turn.
        engine: "sampled" or "rolled".
        trials: How often it was played.
        looks: How often it was to be looked at on the way at most; an interval shares its error over these.
    """

    counts: Ints
    tallies: Mapping[str, tuple[int, int]]
    course: tuple[tuple[float, float], ...]
    engine: str
    trials: int
    seed: int
    looks: int = 1
    left_out = 0.0

    @property
    def probabilities(self) -> Floats:
        """The share of trials of each outcome, ``[N]``."""
        return self.counts / self.trials


Result = Exact | Bounded | Sampled

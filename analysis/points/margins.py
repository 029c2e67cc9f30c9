"""Margins of a result: what every response is read from, a small part of the size of its outcome frame."""

from dataclasses import dataclass
from typing import NamedTuple, get_args

import numpy as np

from sims.assault import End
from sims.dice import Ints
from sims.dice.tables import Numbers
from sims.engines import Result, Sampled
from sims.scenario import Side

ENDS = {end.name.lower(): end for end in (End.DESTROYED, End.CAPTURED, End.BROKEN, End.HELD)}
"""The end states by name, in their order of precedence."""

SIDES: tuple[Side, Side] = get_args(Side)


class Models(NamedTuple):
    """How many models each side had: the bounds of its losses."""

    attackers: int
    defenders: int


@dataclass(frozen=True)
class Margins:
    """How likely each end is in each turn, each number of models lost, and that a building is cleared.

    Attributes:
        ends ([4, turns]): For each of `ENDS` the chance that it comes in each turn; the trials that came to it, if they
            were sampled.
        lost ([models + 1] or less): For each side the chance, or the trials, of each number of models lost; none of
            those that are not there.
        cleared: The chance, or the trials, of no living defender inside.
        trials: None if they were not sampled.
        looks: Over how many looks at the trials an interval shares its error.
        left_out: The chance of all that a bounded answer leaves out; 0 of others.
    """

    ends: Numbers
    lost: dict[Side, Numbers]
    cleared: float
    trials: int | None
    looks: int
    left_out: float = 0.0


def margins(result: Result, models: Models | None = None) -> Margins:
    """Return the margins of a result; `models` is what each side can lose, else the most that any outcome has."""
    mass: Numbers = result.counts if isinstance(result, Sampled) else result.probabilities
    columns = result.columns

    def along(of: Ints, size: int, where: Ints | slice = slice(None)) -> Numbers:
        sums = np.zeros(size, dtype=mass.dtype)
        np.add.at(sums, of[where], mass[where])
        return sums

    ends = [
        along(columns["turn"] - 1, len(result.course), np.flatnonzero(columns["end"] == end)) for end in ENDS.values()
    ]
    most = models or Models(*(int(columns[f"{side}_lost"].max()) for side in SIDES))
    lost = {side: along(columns[f"{side}_lost"], n + 1) for side, n in zip(SIDES, most, strict=True)}
    cleared = mass[columns["cleared"] != 0].sum().item()
    return Margins(np.array(ends), lost, cleared, result.trials, result.looks, result.left_out)

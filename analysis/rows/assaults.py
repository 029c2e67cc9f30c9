"""Rows of a comparison: how an assault ends under each set of rules, when, and at what cost."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from analysis.points.intervals import reach, wilson
from analysis.points.margins import ENDS, SIDES
from analysis.points.responses import captured_by_turn, losses, lost_by_turn
from sims.scenario import Side

if TYPE_CHECKING:
    from analysis.comparing.compare import Comparison, Entry


class EndRow(NamedTuple):
    """The chance of one end state under one set of rules, with its interval where sampled."""

    rules: str
    look: str
    end: str
    share: float
    low: float | None = None
    high: float | None = None


class TurnRow(NamedTuple):
    """P(captured by the end of a turn) under one set of rules, with its interval where sampled."""

    rules: str
    look: str
    turn: int
    captured: float
    low: float | None
    high: float | None
    certified: bool = False


class LeftRow(NamedTuple):
    """How many of the garrison are left by the end of a turn, on average; turn 0 is the start."""

    rules: str
    look: str
    turn: int
    left: float
    low: float | None = None
    high: float | None = None


class LossRow(NamedTuple):
    """The chance that a side loses so many models under one set of rules."""

    rules: str
    look: str
    side: Side
    lost: int
    chance: float
    low: float | None = None
    high: float | None = None


class LossMark(NamedTuple):
    """The mean of a side's losses under one set of rules, and from where to where 9 games of 10 keep."""

    rules: str
    look: str
    side: Side
    mean: float
    least: float
    most: float


class BothRow(NamedTuple):
    """The chance that the sides lose so many models each in one game, under one set of rules."""

    rules: str
    look: str
    attackers_lost: int
    defenders_lost: int
    chance: float
    low: float | None = None
    high: float | None = None


def end_rows(comparison: "Comparison") -> list[EndRow]:
    """Return the chance of every end state under every set of rules."""
    return [
        EndRow(name, look, end, *entry.responses[f"p_{end}"].drawn)
        for name, look, entry in _entries(comparison)
        for end in ENDS
    ]


def turn_rows(comparison: "Comparison") -> list[TurnRow]:
    """Return P(captured by turn t) under every set of rules."""
    return [
        TurnRow(name, look, turn, *estimate.drawn, estimate.certified)
        for name, look, entry in _entries(comparison)
        for turn, estimate in enumerate(captured_by_turn(entry.margins), start=1)
    ]


def left_rows(comparison: "Comparison") -> list[LeftRow]:
    """Return how many of the garrison are left by turn t under every set of rules, on average."""
    rows = []
    for name, look, entry in _entries(comparison):
        models = entry.models.defenders
        rows.append(LeftRow(name, look, 0, float(models)))
        for turn, lost in enumerate(lost_by_turn(entry.result, "defenders", models), start=1):
            low, high = (None if end is None else models - end for end in (lost.high, lost.low))
            rows.append(LeftRow(name, look, turn, models - lost.value, low, high))
    return rows


def loss_rows(comparison: "Comparison") -> list[LossRow]:
    """Return the distribution of each side's losses under every set of rules."""
    return [
        LossRow(name, look, side, lost, *estimate.drawn)
        for name, look, entry in _entries(comparison)
        for side in SIDES
        for lost, estimate in losses(entry.margins, side).items()
    ]


def loss_marks(comparison: "Comparison") -> list[LossMark]:
    """Return the mean and the range of each side's losses under every set of rules."""
    return [
        LossMark(name, look, side, *(entry.responses[f"{side}_lost_{what}"].value for what in ("mean", "q05", "q95")))
        for name, look, entry in _entries(comparison)
        for side in SIDES
    ]


def both_rows(comparison: "Comparison") -> list[BothRow]:
    """Return how likely what the sides lose together is, under every set of rules: what can come up at all."""
    rows = []
    for name, look, entry in _entries(comparison):
        lost = zip(*(entry.result.columns[f"{side}_lost"].tolist() for side in SIDES), strict=True)
        chances = dict[tuple[int, int], float]()
        for pair, chance in zip(lost, entry.result.probabilities.tolist(), strict=True):
            chances[pair] = chances.get(pair, 0.0) + chance
        rows += [
            BothRow(name, look, *pair, chances[pair], *_interval(chances[pair], entry)) for pair in sorted(chances)
        ]
    return rows


def _interval(chance: float, entry: "Entry") -> tuple[float | None, float | None]:
    """Return the interval of a chance that was counted; none of one that is exact."""
    trials = entry.result.trials
    if trials is None:
        return None, None
    low, high = wilson(round(chance * trials), trials, reach(entry.result.looks))
    return float(low), float(high)


def _entries(comparison: "Comparison") -> "Iterator[tuple[str, str, Entry]]":
    """Yield the name of each set of rules, how it looks, and what it says."""
    for name, entry in zip(comparison.names(), comparison.entries, strict=True):
        yield name, entry.rule_set.look, entry

"""Tidy rows for charts: one observation each, read from a comparison or a game."""

from typing import NamedTuple

from analysis import replay as telling
from analysis.chances import Chances, Course, Shift
from analysis.compare import Comparison
from analysis.margins import ENDS, SIDES
from analysis.responses import captured_by_turn, losses
from sims.replay import Replay
from sims.scenario import Side


class EndRow(NamedTuple):
    """The chance of one end state under one set of rules."""

    rules: str
    end: str
    share: float


class TurnRow(NamedTuple):
    """P(captured by the end of a turn) under one set of rules, with its interval where sampled."""

    rules: str
    turn: int
    captured: float
    low: float | None
    high: float | None


class LossRow(NamedTuple):
    """The chance that a side loses so many models under one set of rules."""

    rules: str
    side: Side
    lost: int
    chance: float


class LossMark(NamedTuple):
    """The mean and the 5 % to 95 % range of a side's losses under one set of rules."""

    rules: str
    side: Side
    mean: float
    low: float
    high: float


class MoveRow(NamedTuple):
    """The chance of something in one assault, before a change of rules and now."""

    label: str
    before: float
    now: float


class StepRow(NamedTuple):
    """The chance of one end after a step of a game: a roll, or a move that changed something without one.

    Step 0 stands before the first.
    """

    step: int
    turn: int
    end: str
    chance: float


class PointRow(NamedTuple):
    """A step on which a game turned: which roll it was, and how far it has moved the chance of each end."""

    step: int
    roll: str
    moved: str


def end_rows(comparison: Comparison) -> list[EndRow]:
    """Return the chance of every end state under every set of rules."""
    return [
        EndRow(name, end, entry.responses[f"p_{end}"].value)
        for name, entry in zip(comparison.names(), comparison.entries, strict=True)
        for end in ENDS
    ]


def turn_rows(comparison: Comparison) -> list[TurnRow]:
    """Return P(captured by turn t) under every set of rules."""
    return [
        TurnRow(name, turn, estimate.value, estimate.low, estimate.high)
        for name, entry in zip(comparison.names(), comparison.entries, strict=True)
        for turn, estimate in enumerate(captured_by_turn(entry.margins), start=1)
    ]


def loss_rows(comparison: Comparison) -> list[LossRow]:
    """Return the distribution of each side's losses under every set of rules."""
    return [
        LossRow(name, side, lost, estimate.value)
        for name, entry in zip(comparison.names(), comparison.entries, strict=True)
        for side in SIDES
        for lost, estimate in losses(entry.margins, side).items()
    ]


def loss_marks(comparison: Comparison) -> list[LossMark]:
    """Return the mean and the range of each side's losses under every set of rules."""
    return [
        LossMark(name, side, *(entry.responses[f"{side}_lost_{what}"].value for what in ("mean", "q05", "q95")))
        for name, entry in zip(comparison.names(), comparison.entries, strict=True)
        for side in SIDES
    ]


def game_rows(played: Replay, course: Course) -> tuple[list[StepRow], list[PointRow]]:
    """Return the chance of every end at each step of a game, and its turning points, the largest first.

    The course is that of the assault, and has followed no move yet.
    """
    steps: list[tuple[int, Chances, Shift | None]] = [(1, course.now, None)]
    for move in played.moves:
        shifts = course.follow(move)
        steps += [(move.turn, shift.chances, shift) for shift in shifts]
        if not shifts and telling.happened(move):
            steps.append((move.turn, course.now, None))
    rows = [StepRow(n, turn, end, now[end]) for n, (turn, now, _) in enumerate(steps) for end in now]
    points = [
        PointRow(n, telling.rolled(point), telling.moved(point.change))
        for point in course.turning_points
        for n, (_, _, shift) in enumerate(steps)
        if shift is point
    ]
    return rows, points

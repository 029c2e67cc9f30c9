"""Rows of one game: how likely each end was, and where it turned."""

from typing import TYPE_CHECKING, NamedTuple

from analysis.told import replay as telling

if TYPE_CHECKING:
    from analysis.told.chances import Chances, Course, Shift
    from sims.replay import Replay


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


def game_rows(played: "Replay", course: "Course") -> tuple[list[StepRow], list[PointRow]]:
    """Return the chance of every end at each step of a game, and its turning points, the largest first.

    The course is that of the assault, and has followed no move yet.
    """
    steps: list[tuple[int, Chances, Shift | None]] = [(1, course.now, None)]
    for move in played.moves:
        shifts = course.follow(move)
        steps += [(move.turn, shift.chances, shift) for shift in shifts]
        if not shifts and telling.events(move):
            steps.append((move.turn, course.now, None))
    rows = [StepRow(n, turn, end, now[end]) for n, (turn, now, _) in enumerate(steps) for end in now]
    points = [
        PointRow(n, telling.rolled(point), telling.shift_words(point.change))
        for point in course.turning_points
        for n, (_, _, shift) in enumerate(steps)
        if shift is point
    ]
    return rows, points

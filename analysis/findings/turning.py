"""What became of one game."""

from collections.abc import Sequence

from analysis.rows.games import PointRow, StepRow
from analysis.say.numbers import CERTAIN, whole_percent

ENDS = {
    "captured": "The attackers took the building",
    "destroyed": "The building was destroyed",
    "broken": "The attackers broke",
    "held": "The garrison held out",
}


def turning_point(rows: Sequence[StepRow], points: Sequence[PointRow]) -> str:
    """Say how a game ended, how likely that was at the start, and which roll was the turning point."""
    end = max((row for row in rows if row.step == rows[-1].step), key=lambda row: row.chance).end
    before = next(row.chance for row in rows if row.end == end)
    told = f"{ENDS[end]}, {_likely(before)}"
    return f"{told}; the turning point was {points[0].roll}" if points else told


def _likely(chance: float) -> str:
    """Say how likely the end was at the start."""
    return "certain from the start" if chance >= CERTAIN else f"{whole_percent(chance)} likely at the start"

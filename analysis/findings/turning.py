"""What became of one game."""

from collections.abc import Sequence

from analysis.rows.games import PointRow, StepRow
from analysis.say.numbers import games, of_100


def turning_point(rows: Sequence[StepRow], points: Sequence[PointRow]) -> str:
    """Say how a game ended, how likely that was at the start, and the roll on which most of it hung."""
    end = max((row for row in rows if row.step == rows[-1].step), key=lambda row: row.chance).end
    before = next(row.chance for row in rows if row.end == end)
    told = f"{end.capitalize()}, as {_begun(before)}"
    return f"{told}; most hung on {points[0].roll}" if points else told


def _begun(chance: float) -> str:
    """Say how likely the end was at the start."""
    often = games(chance)
    if often == "100":
        return "was certain"
    said = of_100(often)
    return f"{said} are that begin so" if "games" in said else f"{said} is that begins so"

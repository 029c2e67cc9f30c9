"""What became of one game."""

from collections.abc import Sequence

from analysis.findings import games
from analysis.rows.games import PointRow, StepRow


def turned(rows: Sequence[StepRow], points: Sequence[PointRow]) -> str:
    """Say how a game ended, how likely that was at the start, and the roll on which most of it hung."""
    end = max((row for row in rows if row.step == rows[-1].step), key=lambda row: row.chance).end
    before = next(row.chance for row in rows if row.end == end)
    told = f"{end.capitalize()}, as {games(before)} games of 100 are that begin so"
    return f"{told}; most hung on {points[0].roll}" if points else told

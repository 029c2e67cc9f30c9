"""What clears a building."""

from collections.abc import Sequence

from analysis.points.responses import ALIKE
from analysis.rows.clearing import ClearRow
from analysis.say.numbers import games, in_100
from sims.words import counted


def best_and_worst(rows: Sequence[ClearRow]) -> str:
    """Say how often the most attackers clear the building, at best and at worst, and with what."""
    most = max(row.attackers for row in rows)
    last = sorted((row for row in rows if row.attackers == most), key=lambda row: row.cleared)
    worst, best = last[0], last[-1]
    about = "about " if any(row.low is not None for row in (worst, best)) else ""
    does = "clears" if most == 1 else "clear"
    told = f"{counted(most, 'attacker')} {does} the building in {about}{in_100(games(best.cleared))}"
    if games(worst.cleared) == games(best.cleared):
        return told
    at_worst = f"{games(worst.cleared)} at worst ({_with(worst, last)})"
    return f"{told} at best ({_with(best, last)}) and in {at_worst}"


def _with(row: ClearRow, rows: Sequence[ClearRow]) -> str:
    """Say with what it is cleared; of a panel in which all lines are alike, only the panel."""
    own = [each.cleared for each in rows if each.panel == row.panel]
    alike = len(own) > 1 and max(own) - min(own) < ALIKE
    return row.panel if alike else f"{row.line}, {row.panel}"

"""How the cost of an answer grows."""

from collections.abc import Sequence

from analysis.rows.growth import GrowthRow
from analysis.say.numbers import listed


def largest(rows: Sequence[GrowthRow]) -> str:
    """Say how long the largest assault takes to answer, exactly and certified."""
    most = max(row.attackers for row in rows)
    last = [row for row in rows if row.attackers == most]
    said = []
    for answer in dict.fromkeys(row.answer for row in last):
        own = [row for row in last if row.answer == answer]
        times = sorted(row.seconds for row in own if row.seconds is not None)
        if times:
            span = list(dict.fromkeys(seconds(time) for time in (times[0], times[-1])))
            said.append(f"{answer} in {' to '.join(span)} s")
        if too_large := [row.rules for row in own if row.seconds is None]:
            where = "" if len(too_large) == len(own) else f" under {listed(too_large)}"
            said.append(f"too large to be {answer}{where}")
    return f"{most} attackers against {last[0].garrison}: {'; '.join(said)}"


def seconds(time: float) -> str:
    """Write seconds to two figures."""
    return f"{time:.0f}" if time >= 10 else f"{time:.1f}" if time >= 1 else f"{time:.2f}"

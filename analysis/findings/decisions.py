"""What comes of deciding otherwise: by a ruling, by the value of one number."""

from collections.abc import Sequence

from analysis.findings import as_sampled
from analysis.points.responses import Estimate
from analysis.rows import names
from analysis.rows.decisions import CrossingRow, RulingRow, VersusRow
from analysis.rows.sweeps import LevelRow
from analysis.say.axes import CHANCES, response_words
from analysis.say.numbers import apart, goal, in_100, listed


def rulings(rows: Sequence[RulingRow], response: str) -> str:
    """Say which ruling moves a response most."""
    most, chance = rows[0], response in CHANCES
    now, value = apart(most.now, most.value, chance=chance)
    about = "about " if most.low is not None else ""
    what = f"{CHANCES[response]} in" if chance else f"{response_words(response)}:"
    told = f"{what} {about}{in_100(value) if chance else value} instead of {now}"
    return f"One ruling moves most ({most.clause}): {told}"


def meeting_points(
    rows: Sequence[LevelRow], crossings: Sequence[CrossingRow], factor: str, response: str, target: float
) -> str:
    """Say at which levels a response meets a target, under each set of rules."""
    said, never, what = list[str](), list[str](), f" ({factor})"
    for name in names(rows):
        own = [row for row in crossings if row.rules == name]
        if own:
            said.append(f"at {listed([between(row) for row in own])}{what} under {name}")
            what = ""
        else:
            never.append(name)
    parts = [", ".join(said)] if said else []
    parts += [f"nowhere{what} under {listed(never)}"] if never else []
    told = f"{goal(response, target)} {'; '.join(parts)}"
    return as_sampled(told[0].upper() + told[1:], rows)


def between(row: CrossingRow) -> str:
    """Say between which levels a response meets its target, or at which."""
    one, other = (level if isinstance(level, str) else f"{level:g}" for level in (row.one, row.other))
    return one if one == other else f"{one} to {other}"


def versus(rows: Sequence[VersusRow], response: str) -> str:
    """Say under which of the two a response is larger, and by how much, by the first plans."""
    from analysis.deciding.versus_words import larger, when  # they wake best play, which no other finding needs

    first = rows[0]
    by = Estimate(first.other - first.one, first.low, first.high)
    if first.certified and first.low is not None and first.high is not None:
        by = Estimate(first.low, beyond=first.high - first.low)
    told = larger(response, (first.first, first.second), (first.one, first.other), by)
    plans = when(first.plan, first.defence)
    return f"{plans[0].upper()}{plans[1:]}: {told}"

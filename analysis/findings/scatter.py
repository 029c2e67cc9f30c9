"""What scatter comes to."""

from collections.abc import Sequence

from analysis.rows.scatter import CoverRow, LandingRow
from analysis.say.numbers import games, listed
from sims.words import counted


def landings(rows: Sequence[LandingRow]) -> str:
    """Say which variant is on target most often, and which never; of one alone, also how far half of it lands."""
    hits = {row.variant: 0.0 for row in rows} | {row.variant: row.chance for row in rows if row.inches == 0}
    if len(hits) == 1:
        ((name, hit),) = hits.items()
        half = next(row.inches for row in rows if row.within >= 0.5)
        within = f"half of all land within {counted(half, 'inch', 'inches')}"
        return f"{_first(name)}: on target in {games(hit)} shots in 100; {within}"
    surest = max(hits, key=lambda name: hits[name])
    never = [name for name, hit in hits.items() if not hit]
    if len(never) == len(hits):
        return f"Never on target by {listed(never)}"
    said = f"On target most often by {surest}, in {games(hits[surest])} shots in 100"
    return said + (f"; never by {listed(never)}" if never else "")


def covers(rows: Sequence[CoverRow]) -> str:
    """Say how often a marker covers what it is aimed at; of several variants, which does so most and least."""
    aimed = [row for row in rows if row.distance == 0]
    if len({row.variant for row in rows}) == 1:
        parts = [f"{row.target} in {games(row.chance)}" for row in aimed]
        parts[0] += " shots in 100"
        return f"{_first(rows[0].variant)}: aimed at it, a marker covers {listed(parts)}"
    first = [row for row in aimed if row.target == aimed[0].target]
    most, least = max(first, key=lambda row: row.chance), min(first, key=lambda row: row.chance)
    if games(most.chance) == games(least.chance):
        return f"Aimed at it, a marker covers {most.target} in {games(most.chance)} shots in 100 by each way to scatter"
    return (
        f"Aimed at it, a marker covers {most.target} most often by {most.variant}, {games(most.chance)} shots in 100, "
        f"and least by {least.variant}, {games(least.chance)}"
    )


def _first(name: str) -> str:
    """Write a name at the beginning of a sentence."""
    return name[0].upper() + name[1:]

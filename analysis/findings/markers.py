"""What a marker over a unit covers, in a sentence."""

from collections.abc import Sequence

from analysis.rows.markers import UnderRow
from analysis.say.numbers import games, in_100

NEVER = 1e-12
"""A smaller chance is what rounding has left of none."""


def under(rows: Sequence[UnderRow]) -> str:
    """Say how many models a marker covers, how many of them behind a wall, and how often it misses them all."""
    models = [row for row in rows if row.of == "model"]
    missed = next(row.under for row in rows if row.of == "count" and row.number == 0)
    covered, behind = sum(row.under for row in models), sum(row.behind for row in models)
    if covered < NEVER:
        return "The marker never covers a model"
    always = len(models) - covered < NEVER
    if len(models) == 1:
        found = f"The marker covers the model in {'every shot' if always else in_100(games(covered), 'shot')}"
        where = "always" if covered - behind < NEVER else f"in {games(behind)}"
        return f"{found}, {where} behind a wall" if behind > NEVER else found
    found = f"The marker covers {'all' if always else f'{_mean(covered)} of'} {len(models)} models"
    found += " in every shot" if always else " on average"
    if behind > NEVER:
        found += f", {'all' if covered - behind < NEVER else _mean(behind)} of them behind a wall"
    if always:
        return found
    often = in_100(games(missed), "shot")
    return f"{found}; {f'in {often} it misses them all' if missed > NEVER else 'it never misses them all'}"


def _mean(models: float) -> str:
    return "fewer than 0.1" if models < 0.05 else f"{models:.1f}"

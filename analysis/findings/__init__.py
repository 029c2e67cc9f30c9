"""What rows find, in a sentence: the titles of charts, and the first words of a page."""

from collections.abc import Sequence
from typing import Any


def games(chance: float) -> str:
    """Say a chance as so many games of a hundred."""
    if 0 < chance <= 0.005:
        return "less than 1"
    return "more than 99" if 0.995 <= chance < 1 - 1e-12 else f"{100 * chance:.0f}"


def of_100(said: str) -> str:
    """Say of what so many are, as `games` says them."""
    return f"{said} {'game' if said in ('1', 'less than 1') else 'games'} of 100"


def apart(one: float, other: float, *, chance: bool) -> tuple[str, str]:
    """Say two chances as `games` does, or two means, to a tenth; what would read alike, to as many digits as differ."""
    first = (games(one), games(other)) if chance else (f"{one:.1f}", f"{other:.1f}")
    if first[0] != first[1]:
        return first
    factor = 100 if chance else 1
    for digits in range(1, 9):
        said = f"{factor * one:.{digits}f}", f"{factor * other:.{digits}f}"
        if said[0] != said[1] and not (chance and any(map(_falsely_sure, said, (one, other)))):
            return said
    return first


def _falsely_sure(said: str, chance: float) -> bool:
    """Return whether what may be reads as never, or what may not be as always."""
    return 0 < chance < 1 - 1e-12 and float(said) in (0, 100)


def as_sampled(title: str, rows: Sequence[Any]) -> str:
    """Return a title, which says so where any of its rows is sampled."""
    return f"{title} (sampled)" if any(row.low is not None for row in rows) else title


def listed(parts: Sequence[str]) -> str:
    """Join parts as people list them."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

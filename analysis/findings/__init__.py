"""What rows find, in a sentence: the titles of charts, and the first words of a page."""

from collections.abc import Sequence
from typing import Any


def games(chance: float) -> str:
    """Say a chance as so many games of a hundred."""
    if 0 < chance < 0.005:
        return "less than 1"
    return "more than 99" if 0.995 < chance < 1 - 1e-12 else f"{100 * chance:.0f}"


def as_sampled(title: str, rows: Sequence[Any]) -> str:
    """Return a title, which says so where any of its rows is sampled."""
    return f"{title} (sampled)" if any(row.low is not None for row in rows) else title


def listed(parts: Sequence[str]) -> str:
    """Join parts as people list them."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

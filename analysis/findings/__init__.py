"""What rows find, in a sentence: the titles of charts, and the first words of a page."""

from collections.abc import Sequence
from typing import Any


def as_sampled(title: str, rows: Sequence[Any]) -> str:
    """Return a title, which says so where any of its rows is sampled."""
    sampled = any(row.low is not None and not getattr(row, "certified", False) for row in rows)
    return f"{title} (sampled)" if sampled else title


def not_once(rows: Sequence[Any]) -> str:
    """Say that something comes in none of the games that rows tell of: as far as it is known."""
    if any(row.certified for row in rows):
        return "almost never"
    return "never" if all(row.low is None for row in rows) else "in none of the games sampled"

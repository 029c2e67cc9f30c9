"""What rows find, in a sentence: the titles of charts, and the first words of a page."""

from collections.abc import Sequence
from typing import Any


def as_sampled(title: str, rows: Sequence[Any]) -> str:
    """Return a title, which says so where any of its rows is sampled."""
    return f"{title} (sampled)" if any(row.low is not None for row in rows) else title

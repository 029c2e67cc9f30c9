"""Rows of what is decided: what a change of rules does."""

from typing import NamedTuple


class MoveRow(NamedTuple):
    """The chance of something in one assault, before a change of rules and now."""

    label: str
    look: str
    before: float
    now: float

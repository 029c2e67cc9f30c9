"""Whole assaults as the exact engine has them, beside what brute force says."""

from collections.abc import Mapping
from fractions import Fraction

from sims.assault import End
from sims.engines import Exact

ENDS = (End.DESTROYED, End.CAPTURED, End.BROKEN, End.HELD)


def share(result: Exact, end: End) -> Fraction:
    return sum(result.weights[result.columns["end"] == end], Fraction(0))


def mean(result: Exact, column: str) -> Fraction:
    return sum(result.weights * result.columns[column], Fraction(0))


def agree(result: Exact, expected: Mapping[str, Fraction]) -> None:
    """How an assault ends, and what it costs, is what brute force says; how often it is cleared too, if that knows."""
    for end in ENDS:
        assert share(result, end) == expected[end.name.lower()], end.name
    assert mean(result, "attackers_lost") == expected["attackers lost"]
    assert mean(result, "defenders_lost") == expected["defenders lost"]
    if "cleared" in expected:
        assert mean(result, "cleared") == expected["cleared"]

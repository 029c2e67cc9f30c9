"""Answers that are alike: those that differ by no more than rounding does."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from analysis.points.responses import Estimate


K = TypeVar("K")
V = TypeVar("V")

ALIKE = 1e-9
"""By how much answers differ at most that come to the same."""


def firsts(found: Mapping[K, V], alike: Callable[[V, V], bool]) -> dict[K, K]:
    """Return for each key the first that comes to the same: itself, if none before it does."""
    first = dict[K, K]()
    for key, value in found.items():
        first[key] = next((one for one in dict.fromkeys(first.values()) if alike(found[one], value)), key)
    return first


def same(one: "Mapping[str, Estimate]", other: "Mapping[str, Estimate]") -> bool:
    """Return whether two assaults answer alike in everything that is shown of them."""
    return all(abs(answer.value - other[name].value) < ALIKE for name, answer in one.items())

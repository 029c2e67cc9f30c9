"""The nearest position that can be to one that cannot, and which of the values given are at fault."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, groupby, islice
from typing import NamedTuple

from analysis.told.arrivals import Games, Given

MOST_TRIED = 300
"""Positions tried at most, with one value changed and with two."""

CLOSEST = 3
"""Other values tried of each of two that are changed together."""


class Fault(NamedTuple):
    """A value of a position that cannot be.

    Attributes:
        may_be: What games have by that word, in order; empty if they have the value, but not with the rest.
    """

    value: int | bool
    may_be: tuple[int | bool, ...] = ()

    @property
    def is_none(self) -> bool:
        """Whether it is a number of something that the assault does not have."""
        return self.may_be == (0,) and not isinstance(self.value, bool)


class Nearest(NamedTuple):
    """What is given as the nearest position that can be has it, and what is at fault, by the words of the log."""

    given: Mapping[str, int | bool]
    faults: Mapping[str, Fault]


def nearest(games: Games, given: Given) -> Nearest:
    """Return the nearest position that can be: with as few values changed as can be, each by as little.

    Of those as near as each other it is the one to which games come nearest.
    """
    may_be = {word: games.may_be(word) for word in given}
    wrong = {word for word, value in given.items() if value not in may_be[word]}
    base = {word: _closest(may_be[word], value)[0] if word in wrong else value for word, value in given.items()}
    one = (base | {word: value} for word in given for value in may_be[word])
    two = (
        base | {first: one, second: other}
        for first, second in combinations(given, 2)
        for one in _closest(may_be[first], given[first])[:CLOSEST]
        for other in _closest(may_be[second], given[second])[:CLOSEST]
    )
    found = _first(games, given, one) or _first(games, given, two) or games.likeliest(given)
    faults = {
        word: Fault(value, tuple(may_be[word]) if word in wrong else ())
        for word, value in given.items()
        if found[word] != value
    }
    return Nearest(found, faults)


def _closest(values: Iterable[int | bool], value: int | bool) -> list[int | bool]:
    """Return values in the order of how near they are to one."""
    return sorted(values, key=lambda each: abs(int(each) - int(value)))


def _first(games: Games, given: Given, tries: Iterable[dict[str, int | bool]]) -> dict[str, int | bool] | None:
    """Return the nearest of some positions that can be."""

    def far(tried: Given) -> tuple[int, int]:
        apart = [abs(int(tried[word]) - int(value)) for word, value in given.items()]
        return sum(by > 0 for by in apart), sum(apart)

    distinct = {tuple(tried.values()): tried for tried in tries}.values()
    in_order = islice(sorted(distinct, key=far), MOST_TRIED)
    for _, alike in groupby(in_order, key=far):
        if found := [*_that_can_be(games, alike)]:
            return min(found, key=lambda pair: pair[0])[1]
    return None


def _that_can_be(
    games: Games, tries: Iterable[dict[str, int | bool]]
) -> Iterator[tuple[tuple[float, ...], dict[str, int | bool]]]:
    """Yield those positions that can be, each after how far games are from it."""
    for tried in tries:
        if taken := games.taken(tried):
            yield taken.off, tried

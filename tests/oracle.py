"""Slow brute force that everything fast is held against: every face of every die, in fractions, from the books.

It shares no code with what it judges. Distributions are dictionaries from outcome to chance.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import product
from math import lcm
from typing import Any, TypeVar

from quicktions import Fraction

Chances = dict[int, Fraction]
T = TypeVar("T", bound=Hashable)


class Looked:
    """A frozen dataclass (without `eq`) of what can be hashed, that is looked up by the million: it is hashed once."""

    def __hash__(self) -> int:
        try:
            return self.__dict__["hashed"]
        except KeyError:
            found = self.__dict__["hashed"] = hash(tuple(self.__dict__.values()))
            return found

    def __eq__(self, other: object) -> bool:
        """Both have the same fields, and the same hash."""
        return self is other or (
            type(self) is type(other) and hash(self) == hash(other) and self.__dict__ == other.__dict__
        )


def replace(state: Any, **fields: Any) -> Any:
    """Return a frozen dataclass with other fields, as that of `dataclasses` does; states are made in great numbers."""
    new = object.__new__(type(state))
    new.__dict__.update(state.__dict__, **fields)
    new.__dict__.pop("hashed", None)
    return new


def added_up(ways: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """The chance of each outcome, of the ways to come to it; chances of one denominator are added as whole numbers."""
    found: dict[T, dict[int, int]] = defaultdict(dict)
    for what, chance in ways:
        part, whole = chance.as_integer_ratio()
        parts = found[what]
        parts[whole] = parts.get(whole, 0) + part
    return {what: summed(parts) for what, parts in found.items()}


def summed(parts: dict[int, int]) -> Fraction:
    """The sum of fractions, the numerators by denominator."""
    whole = lcm(*parts)
    return Fraction(sum(part * (whole // of) for of, part in parts.items()), whole)


def faces(*sides: int) -> list[tuple[int, ...]]:
    """Every way that dice can fall."""
    return list(product(*(range(1, s + 1) for s in sides)))


def spread(values: Iterable[int]) -> Chances:
    """The distribution of equally likely values."""
    every = list(values)
    return {k: Fraction(every.count(k), len(every)) for k in sorted(set(every))}


def scored(sides: Sequence[int], score: Callable[..., int]) -> Chances:
    """The distribution of a score of dice."""
    return spread(score(*fallen) for fallen in faces(*sides))


def share(passes: Sequence[bool]) -> Fraction:
    """How many of equally likely falls pass."""
    return Fraction(sum(passes), len(passes))


def chance(dice: int, passes: Callable[..., bool]) -> Fraction:
    """How often so many D6 pass."""
    return share([bool(passes(*f)) for f in faces(*[6] * dice)])


@cache
def counts(n: int, p: Fraction) -> Chances:
    """How many of n succeed, one after the other."""
    ways = {0: Fraction(1)}
    for _ in range(n):
        after: Chances = defaultdict(Fraction)
        for k, before in ways.items():
            after[k] += before * (1 - p)
            after[k + 1] += before * p
        ways = after
    return {k: p for k, p in ways.items() if p}


def mean(chances: Chances) -> Fraction:
    return sum((k * p for k, p in chances.items()), Fraction(0))


def variance(chances: Chances) -> Fraction:
    return sum(((k - mean(chances)) ** 2 * p for k, p in chances.items()), Fraction(0))


def added(*parts: Chances) -> Chances:
    """The distribution of a sum of independent parts."""
    total: Chances = {}
    for picked in product(*(part.items() for part in parts)):
        p = Fraction(1)
        for _, share in picked:
            p *= share
        value = sum(k for k, _ in picked)
        total[value] = total.get(value, Fraction(0)) + p
    return {k: p for k, p in sorted(total.items()) if p}


def capped(chances: Chances, most: int) -> Chances:
    result: Chances = {}
    for k, p in chances.items():
        result[min(k, most)] = result.get(min(k, most), Fraction(0)) + p
    return result


# Who falls. A side is a tuple of names, those that its owner keeps longest first.


def falls_next(who: str, full: Sequence[str], left: Sequence[str], able: Sequence[str]) -> Chances:
    """The chance of each model, by its place among those able, to be the next that falls.

    Spread, the n-th of k alike falls when (n - 1/2)/k of the unit has; of those due together the owner gives up his last.
    """
    if who == "drawn":
        return {place: Fraction(1, len(able)) for place in range(len(able))}
    if who == "owner":
        return {len(able) - 1: Fraction(1)}

    def due(place: int) -> Fraction:
        alike = full.count(able[place])
        return (alike - left.count(able[place]) + Fraction(1, 2)) / alike

    return {min(reversed(range(len(able))), key=due): Fraction(1)}


@cache
def left_after(
    who: str, full: tuple[str, ...], left: tuple[str, ...], able: tuple[str, ...], dead: int
) -> dict[tuple[tuple[str, ...], tuple[str, ...]], Fraction]:
    """Who is left, of all and of those who could fall, once so many of these have fallen, one after the other."""
    ways = {(left, able): Fraction(1)}
    for _ in range(min(dead, len(able))):
        after: dict[tuple[tuple[str, ...], tuple[str, ...]], Fraction] = defaultdict(Fraction)
        for (everybody, some), before in ways.items():
            for place, p in falls_next(who, full, everybody, some).items():
                at = everybody.index(some[place])
                after[everybody[:at] + everybody[at + 1 :], some[:place] + some[place + 1 :]] += before * p
        ways = after
    return dict(ways)


# Tests against a target: what players do with the dice in their hand.


def low(target: int, first: int, second: int) -> bool:
    if first == 6:
        return False
    if target >= 1:
        return first <= target
    return first == 1 and target in (0, -1, -2) and second <= {0: 3, -1: 2, -2: 1}[target]


def plain_low(target: int, first: int) -> bool:
    return first != 6 and first <= target


def high(goal: int, first: int, second: int) -> bool:
    if first == 1:
        return False
    if goal <= 6:
        return first >= goal
    return first == 6 and goal in (7, 8, 9) and second >= {7: 4, 8: 5, 9: 6}[goal]


def goal(goal: int, face: int) -> bool:
    return face != 1 and face >= goal


def under(value: int, face: int) -> bool:
    return face <= value


def leadership(target: int, a: int, b: int) -> bool:
    return (a == 1 and b == 1) or a + b <= target


def plain_leadership(target: int, a: int, b: int) -> bool:
    return a + b <= target


def best_of_two(goal: int, a: int, b: int, confirm: int) -> bool:
    return high(goal, max(a, b), confirm)


def best_of_two_twice(goal: int, a: int, b: int, c: int, d: int) -> bool:
    return high(goal, max(a, b), max(c, d))


TESTS: dict[str, tuple[int, Callable[..., bool]]] = {
    "LOW": (2, low),
    "PLAIN_LOW": (1, plain_low),
    "HIGH": (2, high),
    "GOAL": (1, goal),
    "UNDER": (1, under),
    "LEADERSHIP": (2, leadership),
    "PLAIN_LEADERSHIP": (2, plain_leadership),
    "BEST_OF_TWO": (3, best_of_two),
    "BEST_OF_TWO_TWICE": (4, best_of_two_twice),
}
"""Each test with the number of dice it takes at most."""


def passing(name: str, target: int) -> Fraction:
    dice, passes = TESTS[name]
    return chance(dice, lambda *fallen: passes(target, *fallen))


def rerolled_chance(name: str, target: int) -> Fraction:
    """A failure is rolled once more, all its dice."""
    dice, passes = TESTS[name]
    return chance(2 * dice, lambda *fallen: passes(target, *fallen[:dice]) or passes(target, *fallen[dice:]))


# Volleys.


def volley(n: int, *chances: Fraction) -> Chances:
    """How many of n attacks pass every test, pattern by pattern."""
    p = Fraction(1)
    for share in chances:
        p *= share
    result: Chances = {}
    for pattern in product((0, 1), repeat=n):
        weight = Fraction(1)
        for passed in pattern:
            weight *= p if passed else 1 - p
        result[sum(pattern)] = result.get(sum(pattern), Fraction(0)) + weight
    return {k: w for k, w in sorted(result.items()) if w}


def bursts(n: int, hits: Chances, *chances: Fraction) -> Chances:
    """How many hits of n attacks pass every test, where each attack makes some hits."""
    result: Chances = {}
    for picked in product(hits.items(), repeat=n):
        weight = Fraction(1)
        for _, share in picked:
            weight *= share
        for k, p in volley(sum(number for number, _ in picked), *chances).items():
            result[k] = result.get(k, Fraction(0)) + weight * p
    return {k: w for k, w in sorted(result.items()) if w}


# Odd dice, by their physical dice.


def d3(face: int) -> int:
    return {1: 1, 2: 2, 3: 3, 4: 1, 5: 2, 6: 3}[face]


def d5(face: int) -> int:
    return {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 1, 7: 2, 8: 3, 9: 4, 10: 5}[face]


def d2(face: int) -> int:
    return {1: 1, 2: 2, 3: 1, 4: 2, 5: 1, 6: 2}[face]


def d100(tens: int, units: int) -> int:
    """A face of 10 is a printed 0."""
    shown = int(f"{tens % 10}{units % 10}")
    return 100 if shown == 0 else shown


def d66(tens: int, units: int) -> int:
    return int(f"{tens}{units}")


def average(face: int) -> int:
    return {1: 3, 2: 2, 3: 3, 4: 4, 5: 5, 6: 4}[face]


def picked(k: int, highest: bool) -> Callable[..., int]:
    return lambda *fallen: sum(sorted(fallen, reverse=highest)[:k])


# Scatter, in inches.


def scatter(a: int, b: int) -> int:
    return 0 if a == b else a + b


def scatter_as_gw(a: int, b: int) -> int:
    return 0 if a == b or a + b == 7 else a + b


def scatter_only(a: int, b: int) -> int:
    return a + b


def scatter_less(skill: int) -> Callable[[int, int], int]:
    return lambda a, b: 0 if a == b else max(0, a + b - skill)


def short_scatter(a: int, b: int) -> int:
    return max(a, b) - min(a, b)


def short_scatter_only(a: int, b: int) -> int:
    return a if a == b else max(a, b) - min(a, b)


def veer(left: int, right: int) -> int:
    """To the right, negative to the left."""
    inches = max(left, right) - min(left, right)
    return -inches if left > right else inches


def crazed(a: int, b: int) -> int:
    return int((a, b) in {(2, 2), (4, 4), (6, 6)})


def crazed_move(a: int, b: int) -> int:
    return -(a + b) if crazed(a, b) else a + b


def top_two_match(pointer: int, base: int, third: int) -> bool:
    _, second, best = sorted((pointer, base, third))
    return second == best


def any_two_match(pointer: int, base: int, third: int) -> bool:
    return len({pointer, base, third}) < 3


def pointer_and_base_match(pointer: int, base: int, third: int) -> bool:
    return pointer == base


def three_dice(double: Callable[[int, int, int], bool]) -> Callable[[int, int, int], int]:
    def distance(pointer: int, base: int, third: int) -> int:
        best, second, _ = sorted((pointer, base, third), reverse=True)
        return best if double(pointer, base, third) else best + second

    return distance

"""Hits, and beside them what they come to: the law of both, as far as there are few hits.

What hits come to is counted no further than it matters. So the law of an answer is taken as it is, and only the few
ways with fewer hits are told apart from the rest (`sims.dice.mechanics.Beside`); the joint law of both is never built.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from sims.dice.pmf import PMF

K = TypeVar("K")
Few = Mapping[tuple[int, int], Fraction]
"""The chances of hits and an answer together, as far as there are fewer hits than some number."""
NOTHING: Few = {(0, 0): Fraction(1)}


def added(parts: Iterable[tuple[K, Fraction]]) -> dict[K, Fraction]:
    """Return the chance of each of several outcomes, which may come more than once."""
    ways = dict[K, Fraction]()
    for outcome, chance in parts:
        ways[outcome] = ways.get(outcome, Fraction(0)) + chance
    return ways


def one_after_the_other(most: int, parts: Iterable[Few]) -> Few:
    """Return what several independent parts come to, as far as there are fewer than `most` hits."""
    ways = NOTHING
    for part in parts:
        ways = added(
            ((hits + more, answer + other), chance * c)
            for (hits, answer), chance in ways.items()
            for (more, other), c in part.items()
            if hits + more < most
        )
    return ways


def harming(most: int, hits: PMF, harm: Fraction, *, each: int = 1) -> Few:
    """Return what so many hits come to of which each does harm with a chance.

    Args:
        most: There are fewer hits than that.
        each: For how many one of them counts.
    """
    return added(
        ((each * n, hurt), chance * c) for n, chance in hits if each * n < most for hurt, c in n @ PMF.chance(harm)
    )

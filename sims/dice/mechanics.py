"""What a rule can ask for: volleys of attacks, dice added up, and what is built from them.

A mechanic is a small frozen value. It knows the distribution of its answer for given integer arguments, by
algebra, and how to get one answer for each trial from physical dice. Arguments are positional; those of each
mechanic are listed under `Arguments`. Rules pass arrays of shape ``[..., R]`` for them.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import prod
from operator import add
from typing import Protocol, TypeVar

import numpy as np

from sims.dice.die import Bools, Die, Ints
from sims.dice.pmf import PMF, compound
from sims.dice.targets import Test

T = TypeVar("T")
Cast = Callable[[str, int, int], Ints]
"""``cast(part, sides, rows)`` throws fair dice: faces of shape ``[rows, R]``. The die in row j of a trial is the
same however many rows are asked for."""


class Mechanic(Hashable, Protocol):
    """What a draw asks for; hashable, so that its tables can be kept."""

    @property
    def arity(self) -> int:
        """How many arguments it takes."""

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the answer."""

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Return one answer for each trial, ``[R]``, from physical dice."""


@lru_cache(maxsize=2**16)
def distribution(mechanic: Mechanic, arguments: tuple[int, ...]) -> PMF:
    """Return ``mechanic.pmf(*arguments)``, remembered."""
    return mechanic.pmf(*arguments)


@dataclass(frozen=True)
class Throw:
    """The sum of n throws of a die.

    Arguments: n.
    """

    die: Die
    arity = 1

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the sum."""
        (n,) = arguments
        return n @ self.die.pmf

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw and add up."""
        (n,) = arguments
        return np.asarray(np.where(_first(n), _read(self.die, cast, _most(n)), 0).sum(axis=0))


@dataclass(frozen=True)
class Volley:
    """How many of n attacks pass every test in turn.

    With `hits`, each attack makes that many hits (D3 for a grenade), and every hit takes the tests.

    Arguments: n, then a target for each test.
    """

    tests: tuple[Test, ...]
    hits: Die | None = None

    @property
    def arity(self) -> int:
        """Return one more than the number of tests."""
        return 1 + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the number of successes."""
        n, *targets = arguments
        success = PMF.chance(prod(test.chance(t) for test, t in zip(self.tests, targets, strict=True)))
        return n @ (success if self.hits is None else compound(self.hits.pmf, success))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every die of every attack, and count."""
        n, *targets = arguments
        passed = _first(n)
        if self.hits is not None:
            hits = np.where(passed, _read(self.hits, cast, _most(n), "hits"), 0)
            slots = np.arange(self.hits.pmf.outcomes[-1])[:, None]
            passed = (slots < hits[:, None, :]).reshape(-1, hits.shape[-1])
        for i, (test, target) in enumerate(zip(self.tests, targets, strict=True)):
            faces = (cast(f"{i} {test.name} {d}", 6, len(passed)) for d in range(test.dice))
            passed = passed & test.passes(target, *faces)
        return np.asarray(passed.sum(axis=0))


@dataclass(frozen=True)
class Total:
    """The sum of independent mechanics: a volley from several kinds of weapon.

    Arguments: those of each part, one after the other.
    """

    parts: tuple[Mechanic, ...]

    @property
    def arity(self) -> int:
        """Return the sum of the parts' arities."""
        return sum(part.arity for part in self.parts)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the sum."""
        return reduce(add, (distribution(part, own) for part, own in self._shared(arguments)), PMF.constant(0))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every part with dice of its own."""

        def own_cast(i: int) -> Cast:
            return lambda part, sides, rows: cast(f"{i}: {part}", sides, rows)

        shared = enumerate(self._shared(arguments))
        return np.asarray(np.sum([part.throw(own_cast(i), *own) for i, (part, own) in shared], axis=0))

    def _shared(self, arguments: tuple[T, ...]) -> list[tuple[Mechanic, tuple[T, ...]]]:
        ends = np.cumsum([part.arity for part in self.parts])
        return [(part, arguments[end - part.arity : end]) for part, end in zip(self.parts, ends, strict=True)]


@dataclass(frozen=True)
class Capped:
    """A count that cannot exceed what is there: casualties among the models present.

    Arguments: those of the mechanic, then the cap.
    """

    counted: Mechanic

    @property
    def arity(self) -> int:
        """Return one more than the mechanic's arity."""
        return self.counted.arity + 1

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution with all weight above the cap put on the cap."""
        *own, cap = arguments
        return distribution(self.counted, tuple(own)).cap(cap)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, and count no further than the cap."""
        *own, cap = arguments
        return np.minimum(self.counted.throw(cast, *own), cap)


def _most(n: Ints) -> int:
    return int(np.max(n, initial=0))


def _first(n: Ints) -> Bools:
    """Which of the rows each trial uses: its first n."""
    return np.asarray(np.arange(_most(n))[:, None] < n)


def _read(die: Die, cast: Cast, rows: int, part: str = "dice") -> Ints:
    faces = (cast(f"{part} {d}", sides, rows) for d, sides in enumerate(die.sides))
    return die.read(*(f.astype(np.int64) for f in faces))

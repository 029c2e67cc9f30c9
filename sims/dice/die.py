"""Dice as players throw them: which physical dice, and how their faces are read.

Every die says its distribution by algebra and, separately, how to read its faces, so that the two can be
held against each other. Faces run from 1; arrays of faces have one row for each physical die.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np
import numpy.typing as npt

from sims.dice.pmf import PMF, keep

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def narrow(number: Ints | int) -> Ints:
    """Return numbers in 16 bits, as states are kept: a plain one widens the truths or counts beside it."""
    return cast(Ints, np.asarray(number, dtype=np.int16))


@dataclass(frozen=True)
class Die:
    """A throw that gives one number; dice that are made alike are equal.

    Attributes:
        name: As players write it.
        sides: The physical dice that are thrown, in order.
        read: Turns their faces (one array for each die, all of one shape) into the score, elementwise.
        pmf: The distribution of the score, by algebra.
    """

    name: str
    sides: tuple[int, ...]
    read: Callable[..., Ints]
    pmf: PMF

    def __rmatmul__(self, n: int) -> "Die":
        """Return the sum of `n` throws (``2 @ D6``)."""
        return Die(f"{n}{self.name}", self.sides * n, _Sum(self.read, len(self.sides), n), n @ self.pmf)

    def plus(self, more: int, name: str) -> "Die":
        """Return the same throw with a number added to it, under another name."""
        return Die(name, self.sides, _More(self.read, more), self.pmf + more)


@dataclass(frozen=True)
class _Sum:
    """Reads several throws of so many dice each, and adds them up."""

    read: Callable[..., Ints]
    each: int
    n: int

    def __call__(self, *faces: Ints) -> Ints:
        throws = (self.read(*faces[i * self.each : (i + 1) * self.each]) for i in range(self.n))
        return np.sum(np.broadcast_arrays(*throws), axis=0)


@dataclass(frozen=True)
class _More:
    """Reads a throw and adds a number."""

    read: Callable[..., Ints]
    more: int

    def __call__(self, *faces: Ints) -> Ints:
        return np.asarray(self.read(*faces) + self.more)


@dataclass(frozen=True)
class _Picked:
    """Reads some of several dice, the highest or the lowest, and adds them up."""

    k: int
    highest: bool

    def __call__(self, *faces: Ints) -> Ints:
        ordered = np.sort(np.stack(np.broadcast_arrays(*faces)), axis=0)
        return (ordered[len(faces) - self.k :] if self.highest else ordered[: self.k]).sum(axis=0)


def _as_it_shows(face: Ints) -> Ints:
    return face


def fair(sides: int) -> Die:
    """Return a fair die with faces 1 to `sides`."""
    return Die(f"D{sides}", (sides,), _as_it_shows, PMF.die(sides))


def added_up(face: int, *more: tuple[int, str]) -> str:
    """Say what a die comes to: ``4 + 1 for AP 1 = 5``; what adds nothing is left out.

    Args:
        *more: What is added, and what it is for.
    """
    said = [f" {'-' if n < 0 else '+'} {abs(n)} for {why}" for n, why in more if n]
    return f"{face}{''.join(said)} = {face + sum(n for n, _ in more)}" if said else str(face)


def pick(n: int, die: Die, k: int, *, highest: bool = True) -> Die:
    """Return the sum of the `k` highest (or lowest) of `n` dice: RnDsPk (ARAP-003)."""
    arrow = "up" if highest else "down"
    pmf = keep(n, die.pmf, k, highest=highest)
    return Die(f"R{n}{die.name}P{k} {arrow}", die.sides * n, _Picked(k, highest), pmf)


def _codes(sides: int, code: Callable[..., Ints]) -> PMF:
    faces = range(1, sides + 1)
    return PMF.of({int(code(tens, units)): 1 for tens in faces for units in faces})


D6 = fair(6)
D10 = fair(10)
D3 = Die("D3", (6,), lambda face: (face - 1) % 3 + 1, PMF.die(3))
"""A six-sided die; 4 to 6 lose 3 (ARAP-016)."""
D5 = Die("D5", (10,), lambda face: (face - 1) % 5 + 1, PMF.die(5))
"""A ten-sided die, 0 read as 10; 6 and up lose 5 (ARAP-017)."""
D2 = Die("D2", (6,), lambda face: 2 - face % 2, PMF.die(2))
"""A six-sided die; odd is 1, even is 2 (ARAP-017)."""
D100 = Die("D100", (10, 10), lambda tens, units: (10 * tens + units % 10 - 1) % 100 + 1, PMF.die(100))
"""Two ten-sided dice as tens and units, a face of 10 being a printed 0; two of them are 100 (ARAP-018)."""
D66 = Die("D66", (6, 6), lambda tens, units: 10 * tens + units, _codes(6, lambda t, u: 10 * t + u))
"""Two six-sided dice read as tens and units (ARAP-018)."""
AVERAGE = Die(
    "AvD",
    (6,),
    lambda face: np.where(face == 1, 3, np.where(face == 6, 4, face)),
    PMF.of({2: 1, 3: 2, 4: 2, 5: 1}),
)
"""An average die, faces 2, 3, 3, 4, 4, 5: a D6 whose 1 is read as 3 and whose 6 as 4 (ARAP-019)."""


# Scatter distances in inches from two dice of different colours; the line through them gives the
# direction, which is uniform and independent of the distance (ARAP-022).

_TWO = 2 @ PMF.die(6)
_DOUBLES = {2 * face: 1 for face in range(1, 7)}


def _unequal(distance: Callable[[int], int]) -> dict[int, int]:
    """Weights, out of 36, of a distance made from the sum of two unequal dice."""
    weights: dict[int, int] = {}
    for total, p in _TWO:
        weight = int(p * 36) - _DOUBLES.get(total, 0)
        weights[distance(total)] = weights.get(distance(total), 0) + weight
    return weights


def _plus(weights: dict[int, int], more: dict[int, int]) -> PMF:
    return PMF.of({k: weights.get(k, 0) + more.get(k, 0) for k in {*weights, *more}})


SCATTER = Die(
    "scatter",
    (6, 6),
    lambda a, b: np.where(a == b, 0, a + b),
    _plus(_unequal(lambda total: total), {0: 6}),
)
"""A double is no scatter, else the sum (ARAP-023)."""

SCATTER_AS_GW = Die(
    "scatter, double or 7",
    (6, 6),
    lambda a, b: np.where((a == b) | (a + b == 7), 0, a + b),
    _plus(_unequal(lambda total: 0 if total == 7 else total), {0: 6}),
)
"""No scatter on a double or a total of 7, with the odds of a scatter die (ARAP-024)."""

SCATTER_ONLY = Die("scatter only", (6, 6), lambda a, b: a + b, _TWO)
"""Always the sum (ARAP-025)."""

SHORT_SCATTER = Die(
    "short scatter",
    (6, 6),
    lambda a, b: np.abs(a - b),
    PMF.of({0: 6} | {k: 2 * (6 - k) for k in range(1, 6)}),
)
"""The higher die less the lower (ARAP-027)."""

SHORT_SCATTER_ONLY = Die(
    "short scatter only",
    (6, 6),
    lambda a, b: np.where(a == b, a, np.abs(a - b)),
    PMF.of({k: 2 * (6 - k) + 1 for k in range(1, 7)}),
)
"""The higher die less the lower; a double gives the score of one die (ARAP-028)."""

VEER = Die(
    "veer",
    (6, 6),
    lambda left, right: right - left,
    PMF.die(6) - PMF.die(6),
)
"""Inches to the right, negative to the left: the side of the higher die by the difference (ARAP-029)."""


def scatter_less(skill: int) -> Die:
    """Return scatter with BS and modifiers subtracted; a double is still a hit (ARAP-026)."""
    return Die(
        f"scatter less {skill}",
        (6, 6),
        lambda a, b: np.where(a == b, 0, np.maximum(0, a + b - skill)),
        _plus(_unequal(lambda total: max(0, total - skill)), {0: 6}),
    )


def _three(name: str, tie: dict[int, int], apart: dict[int, int], double: Callable[..., Bools]) -> tuple[Die, Die]:
    """Return three-dice scatter and whether it shows a double (0 or 1), under one reading of "a double".

    A double moves the marker by the highest score, anything else by the sum of the two highest. `tie` and `apart`
    are the weights, out of 216, of the distances with and without a double; `double` judges the pointer, the base
    and the third die.
    """

    def distance(*faces: Ints) -> Ints:
        _, second, first = np.sort(np.stack(np.broadcast_arrays(*faces)), axis=0)
        return np.where(double(*faces), first, first + second)

    shown = PMF.chance(Fraction(sum(tie.values()), 216))
    return (
        Die(name, (6, 6, 6), distance, _plus(tie, apart)),
        Die(f"{name}: a double", (6, 6, 6), lambda *faces: double(*faces).astype(np.int64), shown),
    )


def _apart(weight: Callable[[int], int]) -> dict[int, int]:
    """Weights of the sum of two highest scores m > s, each pair having a weight that depends on s."""
    weights: dict[int, int] = {}
    for m in range(2, 7):
        for s in range(1, m):
            weights[m + s] = weights.get(m + s, 0) + weight(s)
    return weights


def _top_two_match(a: Ints, b: Ints, c: Ints) -> Bools:
    _, second, first = np.sort(np.stack(np.broadcast_arrays(a, b, c)), axis=0)
    return first == second


def _not_pointer_and_base() -> dict[int, int]:
    """Weights of the sum of the two highest where pointer and base, the first two dice, differ."""
    weights = {total: int(p * 216) for total, p in keep(3, PMF.die(6), 2)}
    for both in range(1, 7):
        for third in range(1, 7):
            weights[both + max(both, third)] -= 1
    return weights


SCATTER_THREE, DOUBLE_OF_THREE = _three(
    "three-dice scatter",
    {k: 3 * k - 2 for k in range(1, 7)},
    _apart(lambda s: 6 * s - 3),
    _top_two_match,
)
"""The two highest of three dice added up; if those two are equal, the score of one of them (ARAP-031)."""

SCATTER_THREE_ANY, DOUBLE_OF_THREE_ANY = _three(
    "three-dice scatter, any double",
    {k: 6 * k - 5 for k in range(1, 7)},
    _apart(lambda s: 6 * (s - 1)),
    lambda a, b, c: (a == b) | (b == c) | (a == c),
)
"""The same, where any two equal dice are a double: 6, 2, 2 moves 6 (ARAP-031)."""

SCATTER_THREE_BASE, DOUBLE_OF_THREE_BASE = _three(
    "three-dice scatter, pointer and base",
    {k: 2 * k - 1 for k in range(1, 7)},
    _not_pointer_and_base(),
    lambda pointer, base, _: pointer == base,
)
"""The same, where only an equal pointer and base, the first two dice, are a double (ARAP-031)."""

CRAZED = Die(
    "crazed animal",
    (6, 6),
    lambda a, b: ((a == b) & (a % 2 == 0)).astype(np.int64),
    PMF.chance(Fraction(3, 36)),
)
"""1 if the animal turns right round: an even double (ARAP-030)."""

CRAZED_MOVE = Die(
    "crazed animal's move",
    (6, 6),
    lambda a, b: np.where((a == b) & (a % 2 == 0), -a - b, a + b),
    _plus({total: int(p * 36) - (total in (4, 8, 12)) for total, p in _TWO}, {-4: 1, -8: 1, -12: 1}),
)
"""Inches along the line of the dice: their sum, backwards on an even double (ARAP-030)."""

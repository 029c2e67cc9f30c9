"""A plane whose points are complex numbers, in inches, and what meets on it; elementwise over arrays of any shape."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.dice import Bools
from sims.dice.tables import Floats

Points = NDArray[np.complex128]

TOUCHES = 1e-12
"""How much of an inch rounding may take of what touches."""
TANGENT = 1e-13
"""How near to a tangent, as a part of the radius, a line or circle is one: it touches at one point, no more."""


class Stretches(NamedTuple):
    """Straight pieces between two points, ``[M]`` each: walls and openings, or points where both are the same."""

    starts: Points
    ends: Points

    @property
    def middles(self) -> Points:
        """The points half-way."""
        return (self.starts + self.ends) / 2

    @property
    def points(self) -> Points:
        """Where they begin and end."""
        return np.concatenate([self.starts, self.ends])

    def one(self, i: int) -> "Stretches":
        """Return one of them, ``[1]``."""
        return Stretches(self.starts[i : i + 1], self.ends[i : i + 1])


def points(of: Iterable[complex]) -> Stretches:
    """Return points as stretches without a length."""
    found = np.array([*of], dtype=np.complex128)
    return Stretches(found, found)


def stretches(of: Iterable[tuple[complex, complex]] = ()) -> Stretches:
    """Return stretches from one point to another each; none if not given."""
    both = np.array([*of], dtype=np.complex128).reshape(-1, 2)
    return Stretches(both[:, 0], both[:, 1])


def across(one: Points, other: Points) -> Floats:
    """Return the cross product of two ways: positive where the second is to the left of the first."""
    return (np.conj(one) * other).imag


def gap(point: Points, of: Stretches) -> Floats:
    """Return the inches from points to stretches."""
    way = of.ends - of.starts
    length = np.abs(way) ** 2
    share = (np.conj(way) * (point - of.starts)).real / np.where(length > 0, length, 1)
    return np.abs(of.starts + np.clip(share, 0, 1) * way - point)


def meeting(start: Points, end: Points, of: Stretches) -> tuple[Floats, Floats]:
    """Return where a way from one point to another meets the line of stretches, as shares of the way and of these.

    Neither is a number where both run the same way, or one has no length.
    """
    way, its = end - start, of.ends - of.starts
    turn = across(way, its)
    turn = np.where(turn == 0, np.nan, turn)
    return across(of.starts - start, its) / turn, across(of.starts - start, way) / turn


def crosses(start: Points, end: Points, of: Stretches) -> Bools:
    """Return whether a way crosses stretches, or touches their ends, between its own ends."""
    share, its = meeting(start, end, of)
    return (share > TOUCHES) & (share < 1 - TOUCHES) & (np.abs(its - 0.5) <= 0.5 + TOUCHES)


def circle_meets_circle(centre: complex, radius: float, other: Points, reach: float) -> Floats:
    """Return the angles at which a circle is so far from other points, ``[..., 2]``; no number where there is none."""
    away = other - centre
    distance = np.where(away == 0, np.nan, np.abs(away))
    return _either_side(np.angle(away), (radius**2 + distance**2 - reach**2) / (2 * radius * distance))


def circle_meets_line(centre: complex, radius: float, start: Points, end: Points) -> Floats:
    """Return the angles at which a circle meets the whole lines through two points each, ``[..., 2]``."""
    way = end - start
    way = np.asarray(np.where(way == 0, np.nan, way) / np.where(way == 0, 1, np.abs(way)))
    left = across(way, start - centre)  # the line is so far to the left of the centre
    return _either_side(np.angle(way * 1j), left / radius)


def _either_side(angle: Floats, cosine: Floats) -> Floats:
    cosine = np.where(np.abs(np.abs(cosine) - 1) < TANGENT, np.sign(cosine), cosine)
    half = np.arccos(np.where(np.abs(cosine) <= 1, cosine, np.nan))
    return np.stack([angle - half, angle + half], axis=-1)

"""Scatter, exactly: where a marker may land, by arcs.

Of all directions that scatter may take, what a marker covers changes only where its circle of landings meets the circle
about a target, the line past the end of a wall, or a wall. Between two such directions it is constant, so its chance is
the length of the arc between them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sims.dice import Ints
from sims.dice.tables import Floats
from sims.geometry.cover import NO_WALL, first_wall, under_marker
from sims.geometry.plane import Points, Stretches, circle_meets_circle, circle_meets_line, gap, meeting, stretches

PARTS = 2**48
"""Parts of a circle, in which arcs are measured."""
TURN = 2 * np.pi
NEAR = 1e-6
"""Inches by which a corner is kept that is beyond a wall, or out of reach: one too many changes nothing."""


class Landing(NamedTuple):
    """Where markers have come to, ``[A]``, and which wall has stopped each; -1 if none."""

    at: Points
    stopped_by: Ints


class Law(NamedTuple):
    """What targets may be to a marker: all ways in which it may cover them, ``[K, M]``, and their weights, ``[K]``.

    The weights are whole numbers, and their sum is that of the scatter times `PARTS`.
    """

    covered: Ints
    weights: list[int]


@dataclass(frozen=True)
class Field:
    """What a marker is thrown at.

    Attributes:
        shooter, aim: Where it comes from, and where it is to land.
        targets: What may lie under it, ``[M]``.
        reach: The radius of the marker, and what a target is thick to every side, in inches.
        walls: What stops it, and protects those beyond.
        stops: Whether walls stop it; else it flies over them, and they protect from it all the same.
    """

    shooter: complex
    aim: complex
    targets: Stretches
    reach: float
    walls: Stretches = stretches()  # noqa: RUF009 - nothing is ever put into it
    stops: bool = True

    @cached_property
    def corners(self) -> Points:
        """What the way of a shot may just pass or hit, so that another wall stops it or other targets are covered."""
        walls, found = self.walls, [*self.walls.points]
        for i in range(walls.starts.size):
            start, end = walls.starts[i], walls.ends[i]
            middle, half = (start + end) / 2, abs(end - start) / 2
            if not half:
                continue
            for share in (
                meeting(start, end, walls)[0],  # where another wall meets it
                self._protected_from(start, end),  # where another wall begins to protect a target
                *(_shares(start, end, point, self.reach) for point in (self.targets.starts, self.targets.ends)),
                *(meeting(start, end, side)[0] for side in self._sides),
            ):
                at = start + share * (end - start)
                found += [*at[np.abs(at - middle) <= half + NEAR]]
        return np.array(found, dtype=np.complex128)

    @cached_property
    def _sight_lines(self) -> tuple[Stretches, Stretches]:
        """The lines past the ends of walls to the middles of targets, and the target of each."""
        targets, ends = self.targets, self.walls.points
        to = Stretches(np.repeat(targets.starts, ends.size), np.repeat(targets.ends, ends.size))
        return Stretches(to.middles, np.tile(ends, targets.middles.size)), to

    def _protected_from(self, start: complex, end: complex) -> Floats:
        """Return where sight lines meet the line of a wall, as shares of it, with their targets in reach from there.

        A target out of reach is not under the marker, protected or not, and few targets are in reach of any point.
        """
        lines, to = self._sight_lines
        share = meeting(np.asarray(start), np.asarray(end), lines)[0]
        return share[gap(np.asarray(start + share * (end - start)), to) <= self.reach + NEAR]

    @cached_property
    def _sides(self) -> list[Stretches]:
        """The lines along which a marker just touches a target that is longer than a point."""
        way = self.targets.ends - self.targets.starts
        away = 1j * self.reach * way / np.where(way == 0, 1, np.abs(way))
        return [Stretches(self.targets.starts + side * away, self.targets.ends + side * away) for side in (1, -1)]

    def edges(self, inches: float) -> Floats:
        """Return the directions, from 0 to a whole turn, at which what is covered may change if it lands so far off."""
        circle = self.aim, inches
        shots = np.full(self.corners.shape, self.shooter, dtype=np.complex128)
        angles = [
            *(circle_meets_circle(*circle, of, self.reach) for of in (self.targets.starts, self.targets.ends)),
            *(circle_meets_line(*circle, *side) for side in self._sides),
            circle_meets_line(*circle, *self.walls),
            self._protected_at(inches),
            circle_meets_line(*circle, shots, self.corners),
        ]
        found = np.concatenate([each.ravel() for each in angles])
        return np.unique(found[np.isfinite(found)] % TURN)

    def _protected_at(self, inches: float) -> Floats:
        """Return in which directions a landing so far off is on a sight line, with its target in reach from there."""
        lines, to = self._sight_lines
        angles = circle_meets_line(self.aim, inches, *lines)
        either = Stretches(to.starts[:, None], to.ends[:, None])
        return angles[gap(self.aim + inches * np.exp(1j * angles), either) <= self.reach + NEAR]

    def covered(self, at: Landing) -> Ints:
        """Return what each target is to markers: not under it, in the open or behind a wall, ``[A, M]``."""
        return under_marker(self.shooter, at.at, at.stopped_by, self.reach, self.targets, self.walls)


def _shares(start: complex, end: complex, centres: Points, reach: float) -> Floats:
    """Return where the line of a wall is so far from points, as shares of the wall."""
    way = end - start
    along = (np.conj(way) * (centres - start)) / abs(way)
    off = np.sqrt(np.where(np.abs(along.imag) < reach, reach**2 - along.imag**2, np.nan))
    return np.concatenate([along.real - off, along.real + off]) / abs(way)


def landing(field: Field, inches: Floats, angle: Floats) -> Landing:
    """Return where markers land that scatter so far in some directions, ``[A]``: no farther than a wall that stops.

    Nothing stops one that does not scatter: who aims sees the target over the walls (ARAP-152).
    """
    aimed = field.aim + inches * np.exp(1j * np.asarray(angle))
    at, wall = first_wall(field.shooter, aimed, field.walls if field.stops else stretches())
    astray = np.asarray(inches) > 0
    return Landing(np.where(astray, at, aimed), np.where(astray, wall, NO_WALL))


def law(field: Field, inches: Iterable[tuple[float | Fraction, int]]) -> Law:
    """Return how likely a marker is to cover what, exactly but for rounding: each arc to one of `PARTS` of a circle.

    Args:
        inches: How far it scatters, and the weight of each distance.
    """
    found = dict[bytes, int]()
    for far, weight in inches:
        edges = field.edges(float(far)) if far else np.zeros(0)
        if not edges.size:
            edges = np.zeros(1)
        nexts, shares = np.append(edges[1:], edges[0] + TURN), np.round(edges / TURN * PARTS).astype(np.int64)
        parts = np.diff(np.append(shares, shares[0] + PARTS)).tolist()
        covered = field.covered(landing(field, np.full(edges.shape, float(far)), (edges + nexts) / 2))
        for row, part in zip(covered.astype(np.uint8), parts, strict=True):
            way = row.tobytes()
            found[way] = found.get(way, 0) + weight * part
    ways = sorted(found)
    of_each = np.frombuffer(b"".join(ways), np.uint8).reshape(len(ways), field.targets.starts.size)
    return Law(of_each.astype(np.int64), [found[way] for way in ways])

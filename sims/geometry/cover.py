"""Who and what lies under a marker, and what of it is behind a wall."""

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.tables import Floats
from sims.geometry.plane import TOUCHES, Points, Stretches, across, crosses, gap, meeting

NOT_UNDER, OPEN, BEHIND = range(3)
"""What a target is to a marker: not under it, under it, or under it behind a wall."""
NO_WALL = -1


def first_wall(shooter: complex, to: Points, walls: Stretches) -> tuple[Points, Ints]:
    """Return where shots from one point to others, ``[...]``, come to, and which wall stops each; `NO_WALL` if none."""
    if not walls.starts.size:
        return to, np.full(np.shape(to), NO_WALL)
    share, its = meeting(np.asarray(shooter), np.asarray(to)[..., None], walls)
    stops = (share > TOUCHES) & (share <= 1 + TOUCHES) & (np.abs(its - 0.5) <= 0.5 + TOUCHES)
    shares = np.where(stops, share, np.inf)
    wall, least = np.argmin(shares, axis=-1), np.min(shares, axis=-1)
    stopped = np.isfinite(least)
    way = np.where(stopped, least, 0) * (to - shooter)
    return np.where(stopped, shooter + way, to), np.where(stopped, wall, NO_WALL)


def under_marker(
    shooter: complex, centre: Points, stopped_by: Ints, reach: float, targets: Stretches, walls: Stretches
) -> Ints:
    """Return what targets, ``[M]``, are to markers, ``[A]``: `NOT_UNDER`, `OPEN` or `BEHIND`, ``[A, M]``.

    A wall protects from a marker beyond it. One that a wall has stopped is on the side of that wall from which it came,
    wherever rounding has put it.

    Args:
        centre ([A]): Where the markers are.
        stopped_by ([A]): The wall that has stopped each, or `NO_WALL`.
        reach: The radius of a marker, and what a target is thick to every side.
    """
    found = np.where(gap(centre[:, None], targets) <= reach + TOUCHES, OPEN, NOT_UNDER)
    marker, target = np.nonzero(found)
    at, middles = centre[marker], targets.middles[target]
    behind = np.zeros(marker.shape, dtype=bool)
    for i in range(walls.starts.size):
        wall = walls.one(i)
        beyond = _side(np.asarray(shooter), wall) * _side(middles, wall) < 0
        behind |= np.where(stopped_by[marker] == i, beyond, crosses(at, middles, wall))
    found[marker[behind], target[behind]] = BEHIND
    return found


def under_strip(start: complex, end: complex, to_either_side: float, thick: float, targets: Points) -> Bools:
    """Return which of some targets, ``[M]``, are under a straight strip.

    Args:
        start, end: The middles of its narrow ends.
        to_either_side: Half of its width, in inches.
        thick: What a target is thick to every side.
    """
    length = abs(end - start)
    there = (targets - start) * np.conj(end - start) / length
    beyond = np.maximum(np.abs(there.real - length / 2) - length / 2, 0)
    beside = np.maximum(np.abs(there.imag) - to_either_side, 0)
    return np.hypot(beyond, beside) <= thick + TOUCHES


def behind_walls(shooter: complex, targets: Points, walls: Stretches) -> Bools:
    """Return which of some targets, ``[M]``, have a wall between them and a shooter."""
    seen = np.zeros(targets.shape, dtype=np.bool_)
    for i in range(walls.starts.size):
        seen |= crosses(np.asarray(shooter), targets, walls.one(i))
    return seen


def _side(point: Points, wall: Stretches) -> Floats:
    """Return on which side of the line of a wall points are: 1 to its left, -1 to its right, 0 on it."""
    off = across(wall.ends - wall.starts, point - wall.starts)
    return np.where(np.abs(off) > TOUCHES, np.sign(off), 0.0)

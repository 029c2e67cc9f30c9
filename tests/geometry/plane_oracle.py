"""Independent judge for markers that scatter on a plane, written from the rule texts alone.

Inches throughout, angles in radians. Touching counts: a model exactly at the edge is under the marker, a line that
touches the end of a wall meets it. A model whose centre stands on a wall is behind neither side of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

Point = tuple[float, float]
Wall = tuple[Point, Point]
Inches = dict[float, Fraction]
Law = dict[tuple[int, ...], float]
Curve = Callable[[float], float]

FACES = range(1, 7)
FULL = 2 * math.pi
EDGE = 3e-14  # inches by which rounding may make an exact touch look like a miss
SHARE = 1e-14  # the same for shares of a line or of a wall
REST = 1e-12  # inches within which a point counts as standing on a wall
TOUCH = 1e-13  # two shapes that overlap by less than this only touch, and make no arc
MERGE = 1e-13  # radians within which two cuts are one
PROBES = (0.38196601125, 0.14589803375, 0.76393202250, 0.90983005625)


# ---- dice -----------------------------------------------------------------------------------------------------


def scattered(kind: str, **given: object) -> Inches:
    """Return the chance of each number of inches scattered, for 'area', 'indirect', 'hidden' or 'grenade'."""
    return {"area": _area, "indirect": _indirect, "hidden": _hidden, "grenade": _grenade}[kind](**given)


def _tally(inches: list[float]) -> Inches:
    """Return the law of equally likely inches."""
    law: Inches = {}
    for distance in sorted(inches):
        law[float(distance)] = law.get(float(distance), Fraction(0)) + Fraction(1, len(inches))
    return law


def _area(skill: int, cap: int | None = None, sevens: bool = False) -> Inches:
    """ARAP-026, 148: a double is 0, else 2D6 less skill, at least 0; `cap` and `sevens` (ARAP-024) are readings."""
    taken = skill if cap is None else min(skill, cap)
    pairs = [(one, two) for one in FACES for two in FACES]
    return _tally([0 if a == b or (sevens and a + b == 7) else max(0, a + b - taken) for a, b in pairs])


def _indirect(modifiers: int = 0, doubles_hit: bool = True) -> Inches:
    """ARAP-161: as area fire, but only the modifiers are taken off."""
    pairs = [(one, two) for one in FACES for two in FACES]
    return _tally([0 if doubles_hit and a == b else max(0, a + b - modifiers) for a, b in pairs])


def _hidden(match: str = "top") -> Inches:
    """ARAP-031, 163: the two highest of three dice, or the highest alone where dice match ('top', 'any', 'pointer')."""
    inches = []
    for pointer in FACES:
        for base in FACES:
            for third in FACES:
                low, middle, high = sorted((pointer, base, third))
                double = {"top": middle == high, "any": middle in (low, high), "pointer": pointer == base}[match]
                inches.append(high if double else middle + high)
    return _tally(inches)


def _grenade(goal: int) -> Inches:
    """ARAP-157, 028: 0 where the low roll succeeds, else the short roll that always scatters."""
    if goal < 0:
        raise ValueError("the texts read give no chance for a goal below 0")
    inches = []
    for face in FACES:
        for second in FACES:
            hit = face <= min(5, goal) or (goal == 0 and face == 1 and second <= 3)
            inches += [0 if hit else abs(a - b) or a for a in FACES for b in FACES]
    return _tally(inches)


def limited(inches: Inches, half_range: float | None) -> Inches:
    """ARAP-149: no scatter goes further than half the measured range; None lifts the limit."""
    law: Inches = {}
    for distance, chance in inches.items():
        short = float(distance) if half_range is None else min(float(distance), float(half_range))
        law[short] = law.get(short, Fraction(0)) + chance
    return law


# ---- lines and walls ------------------------------------------------------------------------------------------


def _offset(point: Point, start: Point, end: Point) -> float:
    """Return how far to the left of the line from start to end a point lies."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx * (point[1] - start[1]) - dy * (point[0] - start[0])) / math.hypot(dx, dy)


def _gap(point: Point, wall: Wall) -> float:
    """Return the distance from a point to a wall."""
    (ax, ay), (bx, by) = wall
    dx, dy = bx - ax, by - ay
    size = dx * dx + dy * dy
    share = 0.0 if size == 0 else ((point[0] - ax) * dx + (point[1] - ay) * dy) / size
    share = min(1.0, max(0.0, share))
    return math.hypot(point[0] - ax - share * dx, point[1] - ay - share * dy)


def _meeting(start: Point, end: Point, wall: Wall) -> float | None:
    """Return the share of the way from start to end at which the line first meets the wall, or None."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    ex, ey = wall[1][0] - wall[0][0], wall[1][1] - wall[0][1]
    fx, fy = wall[0][0] - start[0], wall[0][1] - start[1]
    cross = dx * ey - dy * ex
    if abs(cross) <= SHARE * math.hypot(dx, dy) * math.hypot(ex, ey):
        return _edge_on(start, end, wall)
    way, along = (fx * ey - fy * ex) / cross, (fx * dy - fy * dx) / cross
    if not (-SHARE <= way <= 1 + SHARE and -SHARE <= along <= 1 + SHARE):
        return None
    return min(1.0, max(0.0, way))


def _edge_on(start: Point, end: Point, wall: Wall) -> float | None:
    """Return where a line that runs along a wall (or has no length) first meets it, or None."""
    if _gap(start, wall) <= REST:
        return 0.0
    shares = []
    for corner in wall:
        if _gap(corner, (start, end)) <= REST:
            shares.append(math.dist(start, corner) / math.dist(start, end))
    return min(1.0, min(shares)) if shares else None


def _between(start: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way from start to end."""
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _first_wall(start: Point, end: Point, walls: list[Wall]) -> tuple[float, int | None]:
    """Return the share of the way a line gets before a wall stops it, and that wall."""
    best, stopped = 1.0, None
    for number, wall in enumerate(walls):
        way = _meeting(start, end, wall)
        if way is not None and (stopped is None or way < best):
            best, stopped = way, number
    return best, stopped


# ---- one marker -----------------------------------------------------------------------------------------------


def _place(aim: Point, inches: float, angle: float) -> Point:
    """Return the place a given scatter leads to, walls apart."""
    return aim if inches == 0 else (aim[0] + inches * math.cos(angle), aim[1] + inches * math.sin(angle))


def landed(shooter: Point, aim: Point, inches: float, angle: float, walls: list[Wall]) -> tuple[Point, int | None]:
    """ARAP-152: return where the marker ends up and the number of the wall that stopped it, if any."""
    place = _place(aim, inches, angle)
    way, stopped = _first_wall(shooter, place, walls)
    return (place, None) if stopped is None else (_between(shooter, place, way), stopped)


def _behind(marker: Point, stopped: int | None, shooter: Point, model: Point, walls: list[Wall]) -> bool:
    """ARAP-151: say whether a wall stands between the centre of the marker and that of a model."""
    for number, wall in enumerate(walls):
        if _gap(model, wall) <= REST:
            continue
        if number == stopped or _gap(marker, wall) <= REST:
            # The marker rests on this wall: it counts as where the shooter is.
            if wall[0] != wall[1] and _opposite(_offset(shooter, *wall), _offset(model, *wall)):
                return True
        elif _meeting(marker, model, wall) is not None:
            return True
    return False


def _opposite(one: float, two: float) -> bool:
    """Say whether two offsets from a line lie on different sides of it."""
    return (one > REST and two < -REST) or (one < -REST and two > REST)


def status(
    marker: Point,
    stopped: int | None,
    shooter: Point,
    models: list[Point],
    radius: float,
    body: float,
    walls: list[Wall],
) -> tuple[int, ...]:
    """Return for each model 0 (not under the marker), 1 (under it in the open) or 2 (under it behind a wall)."""
    codes = []
    for model in models:
        under = math.dist(marker, model) <= radius + body + EDGE
        codes.append((2 if _behind(marker, stopped, shooter, model, walls) else 1) if under else 0)
    return tuple(codes)


def by_grid(
    shooter: Point,
    aim: Point,
    inches: Inches,
    models: list[Point],
    radius: float,
    body: float,
    walls: list[Wall],
    directions: int,
) -> Law:
    """Return the law of the codes by so many evenly spaced directions, the first half a step from the x axis."""
    law: Law = {}
    for distance, chance in inches.items():
        for number in range(directions):
            marker, stopped = landed(shooter, aim, distance, FULL * (number + 0.5) / directions, walls)
            codes = status(marker, stopped, shooter, models, radius, body, walls)
            law[codes] = law.get(codes, 0.0) + float(chance) / directions
    return law


def by_arcs(
    shooter: Point,
    aim: Point,
    inches: Inches,
    models: list[Point],
    radius: float,
    body: float,
    walls: list[Wall],
    *,
    flies: bool = False,
) -> Law:
    """Return the law of the codes from the lengths of the arcs of directions on which they stay the same.

    A marker that `flies` is stopped by no wall, but walls still stand between its centre and models.
    """
    law: Law = {}

    def codes_at(distance: float, angle: float) -> tuple[int, ...]:
        marker, stopped = landed(shooter, aim, distance, angle, [] if flies else walls)
        return status(marker, stopped, shooter, models, radius, body, walls)

    for distance, chance in inches.items():
        if distance == 0:
            codes = codes_at(0.0, 0.0)
            law[codes] = law.get(codes, 0.0) + float(chance)
            continue
        cuts = _cuts(shooter, aim, distance, models, radius + body, walls)
        for start, end in zip(cuts, [*cuts[1:], cuts[0] + FULL], strict=False):
            codes = _settled(partial(codes_at, distance), start, end)
            law[codes] = law.get(codes, 0.0) + float(chance) * (end - start) / FULL
    return law


def _settled(codes_at: Callable[[float], tuple[int, ...]], start: float, end: float) -> tuple[int, ...]:
    """Return the codes on an arc, having looked at several directions that they do not change on it."""
    codes = codes_at(start + PROBES[0] * (end - start))
    if end - start > 1e-4:
        count = int((end - start) / 0.05)
        for share in [*PROBES[1:], *[(number + PROBES[0]) / count for number in range(1, count - 1)]]:
            if codes_at(start + share * (end - start)) != codes:
                raise RuntimeError(f"codes change inside the arc {start!r} to {end!r}, at share {share!r}")
    return codes


def _root(curve: Curve, start: float, end: float) -> list[float]:
    """Return where a curve that only rises or only falls passes 0, by halving; nothing where it only touches 0."""
    low, high = curve(start), curve(end)
    if not ((low < -TOUCH and high > TOUCH) or (low > TOUCH and high < -TOUCH)):
        return []
    for _ in range(80):
        middle = (start + end) / 2
        if middle in (start, end):
            break
        if (curve(middle) > 0) == (high > 0):
            end = middle
        else:
            start = middle
    return [(start + end) / 2]


def _tidy(cuts: list[float]) -> list[float]:
    """Return cuts in order within one turn, those that coincide taken as one."""
    kept: list[float] = []
    for cut in sorted(cut % FULL for cut in cuts):
        if not kept or cut - kept[-1] > MERGE:
            kept.append(cut)
    if len(kept) > 1 and kept[0] + FULL - kept[-1] <= MERGE:
        kept.pop()
    return kept or [0.0]


def _cuts(
    shooter: Point,
    aim: Point,
    inches: float,
    models: list[Point],
    reach: float,
    walls: list[Wall],
) -> list[float]:
    """Return the directions between which no code changes: first those of the open circle, then those on walls."""
    cuts = []
    for curve, peak in _circle_curves(shooter, aim, inches, models, reach, walls):
        # Each such curve only rises on one half turn from its peak and only falls on the other.
        cuts += _root(curve, peak, peak + math.pi) + _root(curve, peak + math.pi, peak + FULL)
    cuts = _tidy(cuts)
    for start, end in zip(list(cuts), [*cuts[1:], cuts[0] + FULL], strict=False):
        stopped = landed(shooter, aim, inches, start + PROBES[0] * (end - start), walls)[1]
        if stopped is not None:
            cuts = cuts + _wall_cuts(shooter, aim, inches, models, reach, walls, stopped, start, end)
    return _tidy(cuts)


def _circle_curves(
    shooter: Point,
    aim: Point,
    inches: float,
    models: list[Point],
    reach: float,
    walls: list[Wall],
) -> list[tuple[Curve, float]]:
    """Return every curve whose sign can matter for a marker on the open circle, with the direction of its peak."""

    def turn(angle: float) -> float:
        # Passes 0 where the place, as seen from the shooter, turns back.
        place = _place(aim, inches, angle)
        return math.cos(angle) * (place[0] - shooter[0]) + math.sin(angle) * (place[1] - shooter[1])

    def near(model: Point) -> Curve:
        return lambda angle: math.dist(_place(aim, inches, angle), model) - reach

    def beside(start: Point, end: Point) -> Curve:
        return lambda angle: _offset(_place(aim, inches, angle), start, end)

    curves = [(turn, _bearing(shooter, aim))] + [(near(model), _bearing(aim, model)) for model in models]
    for start, end in _lines(shooter, models, walls):
        if start != end:
            curves.append((beside(start, end), _bearing(start, end) + math.pi / 2))
    return curves


def _bearing(start: Point, end: Point) -> float:
    """Return the direction from one point to another."""
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _lines(shooter: Point, models: list[Point], walls: list[Wall]) -> list[tuple[Point, Point]]:
    """Return the walls, the lines from shooter and models to wall ends, and from the shooter to crossings of walls."""
    ends = [end for wall in walls for end in wall]
    lines = list(walls) + [(start, end) for start in [shooter, *models] for end in ends]
    for number, one in enumerate(walls):
        for two in walls[:number]:
            way = _meeting(one[0], one[1], two)
            if way is not None:
                lines.append((shooter, _between(one[0], one[1], way)))
    return lines


def _wall_cuts(
    shooter: Point,
    aim: Point,
    inches: float,
    models: list[Point],
    reach: float,
    walls: list[Wall],
    stopped: int,
    start: float,
    end: float,
) -> list[float]:
    """Return further cuts on an arc on which one wall stops the marker, which slides along it one way."""
    wall = walls[stopped]
    if abs(_offset(shooter, *wall)) <= REST:
        return []
    mine, heading = _offset(shooter, *wall), _bearing(*wall)

    def slid(angle: float) -> Point:
        place = _place(aim, inches, angle)
        return _between(shooter, place, mine / (mine - _offset(place, *wall)))

    def along(model: Point) -> Curve:
        ux, uy = math.cos(heading), math.sin(heading)
        return lambda angle: (slid(angle)[0] - model[0]) * ux + (slid(angle)[1] - model[1]) * uy

    def beside(one: Point, two: Point) -> Curve:
        return lambda angle: _offset(slid(angle), one, two)

    def near(model: Point) -> Curve:
        return lambda angle: math.dist(slid(angle), model) - reach

    curves = [along(model) for model in models]
    curves += [beside(one, two) for one, two in _lines(shooter, models, walls) if one != two and (one, two) != wall]
    cuts = [cut for curve in curves for cut in _root(curve, start, end)]
    steps = [start, *sorted(cuts), end]
    for model in models:
        for one, two in itertools.pairwise(steps):
            cuts += _root(near(model), one, two)
    return cuts

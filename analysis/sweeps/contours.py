"""Contours: the lines on the plane of two numbers where a response meets a target, under each set of rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.points.responses import sensible
from analysis.sweeps.design import Design, Factor
from analysis.sweeps.sweep import Answer, by_rules
from sims.errors import CasemateError

Line = NDArray[np.float64]
"""[points, 2]: along the line, values of the first factor and of the second."""


@dataclass(frozen=True)
class Plane:
    """Two numbers that are varied, and what of which response is to be met."""

    x: Factor
    y: Factor
    response: str
    target: float

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of rows of lines on it."""
        return ("rules", "response", "target", "line", "point", self.x.name, self.y.name)


@dataclass(frozen=True)
class Contours:
    """Where a response meets a target under one set of rules.

    Attributes:
        lines: From one end to the other, or round and back to the first point, so that the response is greater on the
            left.
        least, most: The least and the greatest response; None where no point can be played.
        refused: Points that cannot be played, beside which no line is drawn.
        sampled: Whether any response was sampled.
    """

    rules: str
    lines: tuple[Line, ...]
    least: float | None
    most: float | None
    refused: int
    sampled: bool = False


def plane(of: Design, response: str, target: float) -> Plane:
    """Return the plane that a design varies two numbers on.

    Raises:
        CasemateError: If it varies other than two numbers and the rules, or the response cannot come to the target.
    """
    sensible(response, target)
    for each in of.varied:
        for level in each.levels:
            if not is_number(level.values.get(each.name)) or len(level.values) > 1:
                raise CasemateError(f"{each.name} has the level {each.label(level)}; lines of a target take numbers")
    if len(of.varied) != 2:
        names = ", ".join(each.name for each in of.varied) or "none"
        raise CasemateError(f"lines of a target take two factors of several numbers; got {names}")
    x, y = of.varied
    return Plane(x, y, response, target)


def even_plane(of: Design, response: str) -> Plane | None:
    """Return the plane of a design on which a response is to be even; None if it varies no two numbers."""
    try:
        return plane(of, response, 0.5)
    except CasemateError:
        return None


def is_number(value: Any) -> bool:
    """Return whether a level is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def contours(on: Plane, found: Iterable[Answer]) -> list[Contours]:
    """Return the lines on which a response meets a target under each set of rules, linear between levels."""
    return [_contours(on, rules, some) for rules, some in by_rules(found).items()]


def _contours(on: Plane, rules: str, found: Sequence[Answer]) -> Contours:
    xs, ys = (sorted(float(level.values[each.name]) for level in each.levels) for each in (on.x, on.y))
    grid = np.full((len(ys), len(xs)), np.nan)
    for answer in found:
        if not answer.refused:
            x, y = (float(answer.cell.values[each.name]) for each in (on.x, on.y))
            grid[ys.index(y), xs.index(x)] = answer.responses[on.response].value
    played = grid[~np.isnan(grid)]
    least, most = (float(played.min()), float(played.max())) if played.size else (None, None)
    sampled = any(answer.responses[on.response].low is not None for answer in found if not answer.refused)
    return Contours(rules, tuple(lines(xs, ys, grid, on.target)), least, most, grid.size - played.size, sampled)


def lines(xs: Sequence[float], ys: Sequence[float], grid: NDArray[np.float64], target: float) -> list[Line]:
    """Return the lines on which values over a plane meet a target; where a value is none, there is no line beside it.

    Args:
        xs, ys: In their order; they need not be equally far apart.
        grid: ``[ys, xs]``.
    """
    from contourpy import LineType, contour_generator

    at = contour_generator(
        xs, ys, np.ma.masked_invalid(grid), name="serial", corner_mask=False, line_type=LineType.Separate
    )
    found = (_without_pauses(np.asarray(line)) for line in at.lines(target))
    return [line for line in found if len(line) > 1]


def _without_pauses(line: Line) -> Line:
    """Return a line without points that stand twice in a row, as where a level meets the target itself."""
    moves = np.any(np.diff(line, axis=0) != 0, axis=1)
    return line[np.concatenate([[True], moves])]


def rows(on: Plane, found: Iterable[Contours]) -> Iterator[dict[str, Any]]:
    """Yield a row for each point of each line, lines and points numbered from 1."""
    about = {"response": on.response, "target": on.target}
    for one in found:
        for n, line in enumerate(one.lines, 1):
            for i, (x, y) in enumerate(line.tolist(), 1):
                yield {"rules": one.rules, **about, "line": n, "point": i, on.x.name: x, on.y.name: y}

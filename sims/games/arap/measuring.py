"""Distances and sizes. Lengths are in inches, elementwise over arrays where a rule needs it."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.errors import CasemateError, nearest
from sims.games.arap.book import Arap
from sims.questions import asks

Length = Any
"""Inches: an int, a Fraction or an array of numbers."""


def within(distance: Length, limit: Length) -> Bools:
    """Return whether a distance from centre to centre is within a limit; limits are inclusive (ARAP-032).

    Parameters
    ----------
    distance, limit : Length
    """
    return np.asarray(distance <= limit, dtype=np.bool_)


def short_range(rules: Arap, range: Length) -> Length:  # noqa: A002 - the book's word, and the user's
    """Return what is short range for a weapon: 12 inches, or half its range if that is less (ARAP-100).

    Parameters
    ----------
    rules : Arap
    range : Length
        The weapon's range.
    """
    return np.minimum(rules.tables.short_range.most, range / 2)


@asks("ARAP-100", name="short range")
def short_range_of(rules: Arap, range: Fraction) -> Fraction:  # noqa: A002
    """Return what is short range for a weapon, in inches (ARAP-100).

    Parameters
    ----------
    rules : Arap
    range : Fraction
        The weapon's range in inches.
    """
    return Fraction(short_range(rules, range))


@asks("ARAP-032", name="within a distance")
def is_within(distance: Fraction, limit: Fraction) -> bool:
    """Return whether a distance is within a limit (ARAP-032).

    Parameters
    ----------
    distance : Fraction
        Inches from centre to centre.
    limit : Fraction
        Inches, inclusive.
    """
    return bool(within(distance, limit))


@asks("ARAP-032", name="distance at another scale")
def at_scale(rules: Arap, distance: Fraction, scale: Literal["1 in", "2 cm", "1 cm"]) -> Fraction:
    """Return a distance of the rules as it is measured with smaller or larger figures (ARAP-032).

    Parameters
    ----------
    rules : Arap
    distance : Fraction
        Inches in the rules.
    scale : str
        What is used for an inch; the answer is in inches or centimetres.
    """
    return distance * rules.tables.scales.units[scale]


@asks("ARAP-033", name="gap between bases")
def gap(rules: Arap, move: Fraction, base: Literal[25, 40]) -> Fraction:
    """Return the inches between the old and the new place of a base after a move from centre to centre (ARAP-033).

    Parameters
    ----------
    rules : Arap
    move : Fraction
        Inches.
    base : int
        Its size in millimetres.
    """
    return move - rules.tables.base_widths.widths[str(base)]


@asks("ARAP-033", name="T-stick")
def t_stick(rules: Arap, part: Literal["arm", "span", "height"]) -> Fraction:
    """Return the length of a part of the measuring stick, in inches (ARAP-033).

    Parameters
    ----------
    rules : Arap
    part : str
        Each arm, the span of both, or the height.
    """
    stick = rules.tables.t_stick
    return {"arm": stick.arm, "span": stick.span, "height": stick.height}[part]


def melee_radius(rules: Arap, size: Argument) -> Ints:
    """Return the melee radius of figures by size category, in inches (ARAP-034).

    Parameters
    ----------
    rules : Arap
    size : int or array of int
        1 to 4.
    """
    radii = np.array(rules.tables.sizes.melee_radius, dtype=np.int64)
    return np.asarray(radii[np.asarray(size) - 1])


def large(rules: Arap, size: Argument) -> Bools:
    """Return whether figures of a size are large objects (ARAP-034).

    Parameters
    ----------
    rules : Arap
    size : int or array of int
    """
    return np.asarray(size >= rules.tables.sizes.large_from)


@asks("ARAP-034", name="size of a figure")
def size_of(rules: Arap, figure: str) -> int:
    """Return the size category of a figure (ARAP-034).

    Parameters
    ----------
    rules : Arap
    figure : str
        Such as human, dreadnought or titan.

    Raises
    ------
    CasemateError
        If the book does not size such a figure.
    """
    figures = rules.tables.sizes.figures
    if figure not in figures:
        raise CasemateError(f'there is no figure "{figure}"; {nearest(figure, figures)}')
    return figures[figure]


@asks("ARAP-034", name="melee radius")
def melee_radius_of(rules: Arap, figure: str) -> int:
    """Return the melee radius of a figure in inches (ARAP-034).

    Parameters
    ----------
    rules : Arap
    figure : str
        Such as human, dreadnought or titan.
    """
    return int(melee_radius(rules, size_of(rules, figure)))


@asks("ARAP-034", name="large object")
def is_large(rules: Arap, figure: str) -> bool:
    """Return whether a figure is a large object (ARAP-034).

    Parameters
    ----------
    rules : Arap
    figure : str
        Such as human, dreadnought or titan.
    """
    return bool(large(rules, size_of(rules, figure)))

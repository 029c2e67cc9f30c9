"""Distances and sizes. Lengths are in inches, elementwise over arrays where a rule needs it."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.errors import CasemateError, nearest
from sims.games.arap.book import Arap
from sims.inputs import Count, Length
from sims.questions import asks


@asks("ARAP-032", name="within a distance")
def within(distance: Length, limit: Length) -> Bools:
    """Return whether a distance is within a limit (ARAP-032).

    Args:
        distance: Inches from centre to centre.
        limit: Inches, inclusive.
    """
    return np.asarray(distance <= limit, dtype=np.bool_)


@asks("ARAP-035", name="models counted by bulk")
def counted_by_bulk(
    book: Arap, bulk: Literal["normal", "bulky", "very bulky", "extremely bulky"], models: Count = 1
) -> int:
    """Return as how many models some count for transport and narrow openings (ARAP-035).

    Args:
        bulk: How bulky they are.
        models: How many there are.
    """
    return int(models * book.tables.sizes.bulk[bulk.replace(" ", "_")])


@asks("ARAP-037", name="in coherency", needs=("ARAP-032",))
def in_coherency(book: Arap, distance: Length) -> Bools:
    """Return whether a model is in coherency with its unit (ARAP-037).

    Args:
        distance: Inches from centre to centre to the nearest other model of the unit.
    """
    return within(distance, book.tables.sizes.coherency)


@asks("ARAP-100", name="short range")
def short_range(book: Arap, range: Length) -> Length:
    """Return what is short range for a weapon: 12 inches, or half its range if that is less (ARAP-100).

    Args:
        range: The weapon's range in inches.
    """
    table = book.tables.short_range
    return np.minimum(table.most, range / table.share)


def at_short_range(book: Arap, distance: Length, range: Length) -> Bools:
    """Return whether a target is at short range of a weapon (ARAP-100)."""
    return within(distance, short_range(book, range))


@asks("ARAP-032", name="distance at another scale")
def at_scale(book: Arap, distance: Fraction, scale: Literal["1 in", "2 cm", "1 cm"]) -> Fraction:
    """Return a distance of the rules as it is measured with smaller or larger figures (ARAP-032).

    Args:
        distance: Inches in the rules.
        scale: What is used for an inch; the answer is in inches or centimetres.
    """
    return distance * book.tables.scales.units[scale]


@asks("ARAP-033", name="gap between bases")
def gap(book: Arap, move: Fraction, base: Literal[25, 40]) -> Fraction:
    """Return the inches between the old and the new place of a base after a move from centre to centre (ARAP-033).

    Args:
        move: Inches.
        base: Its size in millimetres.
    """
    return move - book.tables.base_widths.widths[str(base)]


@asks("ARAP-033", name="T-stick")
def t_stick(book: Arap, part: Literal["arm", "span", "height"]) -> Fraction:
    """Return the length of a part of the measuring stick, in inches (ARAP-033).

    Args:
        part: Each arm, the span of both, or the height.
    """
    stick = book.tables.t_stick
    return {"arm": stick.arm, "span": stick.span, "height": stick.height}[part]


def melee_radius(book: Arap, size: Argument) -> Ints:
    """Return the melee radius of figures by size category, in inches (ARAP-034).

    Args:
        size: 1 to 4.
    """
    radii = np.array(book.tables.sizes.melee_radius, dtype=np.int64)
    return radii[size - 1]


def large(book: Arap, size: Argument) -> Bools:
    """Return whether figures of a size are large objects (ARAP-034)."""
    return np.asarray(size >= book.tables.sizes.large_from)


@asks("ARAP-034", name="size of a figure")
def size_of(book: Arap, figure: str) -> int:
    """Return the size category of a figure (ARAP-034).

    Args:
        figure: Such as human, dreadnought or titan.

    Raises:
        CasemateError: If the book does not size such a figure.
    """
    figures = book.tables.sizes.figures
    if figure not in figures:
        raise CasemateError(f'there is no figure "{figure}"; {nearest(figure, figures)}')
    return figures[figure]


@asks("ARAP-034", name="melee radius")
def melee_radius_of(book: Arap, figure: str) -> Ints:
    """Return the melee radius of a figure in inches (ARAP-034).

    Args:
        figure: Such as human, dreadnought or titan.
    """
    return melee_radius(book, size_of(book, figure))


@asks("ARAP-034", name="large object")
def large_figure(book: Arap, figure: str) -> Bools:
    """Return whether a figure is a large object (ARAP-034).

    Args:
        figure: Such as human, dreadnought or titan.
    """
    return large(book, size_of(book, figure))

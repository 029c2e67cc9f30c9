"""The numbers and rulings of Gemini-ARAP."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sims.reading import Strict, Whole
from sims.rulebook import Book, Ruling, Rulings, Table

Inches = Annotated[Fraction, Field(strict=False, ge=0)]
"""A length; halves are written as text, "3/2"."""
TestClass = Literal["morale", "control", "plain"]


class Conversion(Table):
    """What a printed n+ and its low value add up to."""

    sum: int


class ToHit(Table):
    """The best target number that any skill gives."""

    best: Annotated[int, Field(ge=1, le=5)]


class ToWound(Table):
    """How a wound goal is made, and where goals above 6 may be tried."""

    plus: int
    best: Annotated[int, Field(ge=2, le=6)]
    any_range: int
    short_range: int


class ShortRange(Table):
    """The longest that short range can be."""

    most: int


class LeadershipTests(Table):
    """The class of each kind of Leadership test."""

    classes: Mapping[str, TestClass]


class Scales(Table):
    """How many units of each scale stand for an inch of the rules."""

    units: Mapping[str, int]


class TStick(Table):
    """The parts of the measuring stick."""

    arm: Inches
    span: Inches
    height: Inches


class BaseWidths(Table):
    """The width of a base by its size in millimetres."""

    widths: Mapping[str, Inches]


class Sizes(Table):
    """The melee radius of sizes 1 to 4, from which size on a figure is a large object, and who has which size."""

    melee_radius: Annotated[Whole, Field(min_length=4, max_length=4)]
    large_from: int
    figures: Mapping[str, Annotated[int, Field(ge=1, le=4)]]


class ArapTables(Strict):
    """Every table."""

    conversion: Conversion
    to_hit: ToHit
    to_wound: ToWound
    short_range: ShortRange
    leadership_tests: LeadershipTests
    scales: Scales
    t_stick: TStick
    base_widths: BaseWidths
    sizes: Sizes


class ArapRulings(Rulings):
    """Every ruling."""

    melta_confirming: Ruling
    extended_to_hit: Ruling
    extended_saves: Ruling
    double_one: Ruling
    pinning_class: Ruling
    extended_initiative: Ruling
    subtracted_skill: Ruling
    crazed_distance: Ruling
    three_dice_double: Ruling


class Arap(Book):
    """Gemini-ARAP."""

    package: ClassVar[str] = "sims.games.arap"

    tables: ArapTables
    rulings: ArapRulings

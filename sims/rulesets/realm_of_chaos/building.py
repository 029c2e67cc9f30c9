"""The building: its sections and its doors."""

from fractions import Fraction
from math import ceil, floor
from typing import Annotated

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.inputs import Count, Most, Number, Truth, at_most
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos

Feet = Annotated[Argument, Number("Height in feet.", 1, 60)]
Ceiling = Annotated[Argument | None, Number("Height in feet.", 1, 60)]
Range = Annotated[int, Number("Range of a weapon in inches.", 0, 1000)]


@asks("RC-001", name="sections of a floor")
def sections(book: RealmOfChaos, length: int, width: int) -> int:
    """Return how many sections a level has (RC-001).

    Args:
        length: Length of the floor in inches.
        width: Its width.
    """
    along, across = ceil(length / book.tables.sections.side), ceil(width / book.tables.sections.side)
    return along * across if book.rulings.sections_of_a_floor("grid") else max(along, across)


@asks("RC-002", name="locations of a building")
def locations(book: RealmOfChaos, length: int, width: int, levels: int) -> int:
    """Return how many places a building has where models can be (partly RC-002).

    Args:
        length: Length of each floor in inches.
        width: Its width.
        levels: Storeys.
    """
    return sections(book, length, width) * levels


@asks("RC-003", "RC-051", name="room in a section")
def capacity(book: RealmOfChaos, unsafe: Truth = False) -> Ints:
    """Return how many models of one side a section holds: fewer once it is unsafe (RC-003, RC-051).

    Each side of an assault is a single unit, so that it does not matter whether the book means a side or a unit.

    Args:
        unsafe: A stability roll has made it unsafe.
    """
    most = book.tables.sections.models
    return np.where(unsafe, min(book.tables.stability.unsafe_models, most), most)


@asks("RC-005", name="places of a tall creature")
def places_for(book: RealmOfChaos, feet: Feet, ceiling: Ceiling = None) -> Ints:
    """Return for how many models a creature counts in a section: who is very tall takes more (RC-005).

    Args:
        feet: How tall it is.
        ceiling: Feet of the ceiling, or of an entrance that is lower; if not given it is too low for who is very tall.
    """
    table, tall = book.tables.tall, np.asarray(feet)
    several = np.maximum(-(-tall // table.feet), table.places)
    stoops = tall > (table.feet if ceiling is None else np.maximum(ceiling, table.feet))
    return np.where(stoops if book.rulings.tall_places("stooping") else tall > table.feet, several, 1)


@asks("RC-005", name="tall creatures in a section", needs=("RC-003",))
def tall_creatures(book: RealmOfChaos, feet: Feet) -> Ints:
    """Return how many creatures of some height a section holds (RC-005).

    Args:
        feet: How tall they are.
    """
    return capacity(book) // places_for(book, feet)


@asks("RC-005", name="entry of a tall creature")
def has_headroom(book: RealmOfChaos, feet: Feet, ceiling: Feet) -> Bools:
    """Return whether a creature may go in under a ceiling, and by an entrance, so high (RC-005).

    Args:
        feet: How tall it is; up to the feet of one place it finds room anywhere.
        ceiling: Feet of the lower of the two.
    """
    fits = np.asarray(feet) <= np.maximum(ceiling, book.tables.tall.feet)
    return np.asarray(fits | book.rulings.tall_places("stooping"))


@asks("RC-003", name="models of one side in a section")
def has_room(book: RealmOfChaos, models: Count) -> Bools:
    """Return whether so many models of one side may be in a section (RC-003).

    Args:
        models: Models of one side.
    """
    return models <= capacity(book)


@asks("RC-004", name="models in a contested section")
def most_in_a_fight(book: RealmOfChaos) -> Ints:
    """Return how many models fit into a section in which both sides fight (RC-004)."""
    return 2 * capacity(book)


def door_width(book: RealmOfChaos, single: int = 0, double: int = 0, barn: int = 0) -> int:
    """Return how many models pass some doors in one turn (RC-012).

    Args:
        single, double, barn: Doors of each kind.
    """
    doors = book.tables.doors
    return single * doors.single + double * doors.double + barn * doors.barn


@asks("RC-012", "RC-026", name="turns to pass doors")
def turns_to_pass(
    book: RealmOfChaos, models: int, single: int = 0, double: int = 0, barn: int = 0, rout: bool = False
) -> int:
    """Return in how many turns some models pass some doors; in a rout all do at once (RC-012, RC-026).

    Args:
        models: Models that want to pass.
        single: Ordinary doors.
        double: Double doors.
        barn: Barn doors.
        rout: Whether they rout, or pursue those who do.

    Raises:
        ValueError: If there is no door.
    """
    width = door_width(book, single, double, barn)
    if width < 1:
        raise ValueError("expected at least one door")
    turns = ceil(models / width)
    return min(turns, 1) if rout else turns


@asks("RC-027", name="shooters at the walls")
def shooters(book: RealmOfChaos, length: Fraction, models: Most = None, walls: int = 1) -> Ints:
    """Return how many models can shoot from a section: one for each full inch of wall (RC-027).

    Args:
        length: Length of a wall in inches.
        models: Models in the section; as many as it holds if not given.
        walls: Walls of that length that they may shoot from.
    """
    return np.minimum(floor(length) * walls, capacity(book) if models is None else models)


@asks("RC-027", name="wall of each section")
def walls(book: RealmOfChaos, length: Fraction, sections: int) -> tuple[Fraction, ...]:
    """Return how many inches of a wall belong to each of its sections, no more than a section is long (RC-027).

    Args:
        length: Length of the wall in inches.
        sections: Sections of the level behind it.

    Raises:
        ValueError: If there is no section.
    """
    at_most(1000, sections=sections)
    if sections < 1:
        raise ValueError("expected at least one section")
    side = Fraction(book.tables.sections.side)
    if book.rulings.wall_of_a_section("evenly"):
        return (min(length / sections, side),) * sections
    return tuple(min(max(length - i * side, Fraction(0)), side) for i in range(sections))


@asks("RC-028", name="range downhill")
def range_downhill(book: RealmOfChaos, inches: Range) -> int:
    """Return the range of a weapon that shoots down from a building (RC-028).

    Args:
        inches: Its range.
    """
    return ceil(Fraction(inches * book.tables.range.downhill, 10))


@asks("RC-037", name="range uphill")
def range_uphill(book: RealmOfChaos, inches: Range) -> int:
    """Return the range of a weapon at a target that is higher up (RC-037).

    Args:
        inches: Its range.
    """
    tenths = book.tables.range.uphill
    if book.rulings.rounding_uphill("what_is_lost"):
        return inches - ceil(Fraction(inches * (10 - tenths), 10))
    return ceil(Fraction(inches * tenths, 10))

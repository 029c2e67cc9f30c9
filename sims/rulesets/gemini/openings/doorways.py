"""Through doors, windows and holes: the inches that it costs, how many pass in a turn, and who fires in a doorway."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import Bools, Ints
from sims.errors import CasemateError
from sims.games.arap.moving.charge import Move
from sims.inputs import Count, Length, Number, Some, Truth
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.sections.rooms import Bulk
from sims.rulesets.gemini.tables import WallKind

Operations = Annotated[int, Number("Operations on doors and windows: opening, closing, locking, bolting.", 0, 4)]
Path = Annotated[int, Number("Inches to the far side of the doorway.", 0, 120)]
Size = Annotated[int, Number("Size category.", 1, 4)]
Base = Annotated[int, Number("Millimetres across the base.", 1, 200)]
Opening = Annotated[int, Number("Inches across the opening.", 1, 12)]
Doors = Annotated[int, Number("Doors, or other openings.", 1, 12)]
InDoorway = Literal["fire", "can be fired at"]

MILLIMETRES = 25.4
"""In an inch."""


@asks("GB-007", name="inches for working doors")
def inches_for_doors(book: Gemini, operations: Operations) -> int:
    """Return the inches of an action's move that are lost to opening, closing, locking and unlocking (GB-007).

    Args:
        operations: In that action.
    """
    table, work = book.tables.doorways, book.rulings.door_work
    if operations < table.operations and not work("begun"):
        return 0 if work("free") else operations * table.inches // table.operations
    return -(-operations // table.operations) * table.inches


@asks("GB-007", name="inches left after working doors")
def inches_left(book: Gemini, M: Move, operations: Operations) -> int:
    """Return the inches of a move that are left after work at doors (GB-007).

    Args:
        operations: In that action.
    """
    return max(M - inches_for_doors(book, operations), 0)


@asks("GB-008", "GB-012", name="passage of a doorway", needs=("GB-007",))
def passes(
    book: Gemini, M: Move, path: Path, operations: Operations = 0, base: Base = 25, opening: Opening = 1
) -> Bools:
    """Return whether a model's move carries it through a doorway (GB-008, GB-012).

    A base broader than the opening costs more. Those who stop in the doorway, or at the door that they have unlocked,
    are in nobody's way.

    Args:
        operations: On the door, in that action.
    """
    broad = base > opening * MILLIMETRES
    return np.asarray(inches_left(book, M, operations) >= path + book.tables.doorways.broad * broad)


@asks("GB-009", name="models crowded in a doorway")
def in_a_doorway(book: Gemini, models: Count, which: InDoorway = "fire") -> Ints:
    """Return how many of the models that have ended their move in a doorway fire, or can be fired at (GB-009).

    Args:
        which: Those who fire in their next shooting, if nobody has moved, or whom enemies may fire at: all of them.
    """
    return np.asarray(models) if which == "can be fired at" else np.minimum(models, book.tables.doorways.fire)


@asks("GB-009", name="who fires in a doorway")
def fires_in_a_doorway(book: Gemini, models: Some, special: Some = 1) -> Fraction:
    """Return the chance that the model that fires, drawn at random, is one of some (GB-009).

    Args:
        models: Crowded in the doorway.
        special: Those who are asked about.
    """
    crowd = int(models)
    return Fraction(min(int(special), crowd) * int(in_a_doorway(book, crowd)), crowd)


@asks("GB-010", "GB-011", name="models through a door in a turn")
def through_a_door(book: Gemini, M: Move, bulk: Bulk = 1, size: Size = 2) -> Ints:
    """Return how many models may pass a single door in a turn, if that is limited (GB-010, GB-011).

    Args:
        size: What is larger than a door has to make an opening of its own.
    """
    table = book.tables.doorways
    several = min(max(M, 1), table.most) // np.asarray(bulk)
    least = 1 if book.rulings.door_limit("one") else 0
    return np.maximum(several, least) * (size <= table.largest)


@asks("GB-010", "GB-011", name="turns through doors")
def turns_through_doors(book: Gemini, models: Count, M: Move, doors: Doors = 1, bulk: Bulk = 1) -> Ints:
    """Return how many turns it takes a unit to pass single doors, if so many a turn may (GB-010, GB-011).

    Raises:
        CasemateError: If nobody gets through.
    """
    each = through_a_door(book, M, bulk)
    if not np.all(each):
        raise CasemateError(f"nobody passes a door who counts as more models than may with a move of {M} inches")
    return -(-np.asarray(models) // (doors * each))


@asks("GB-015", name="entry near a door")
def enters(book: Gemini, distance: Length, M: Move = 0, locked: Truth = False) -> Bools:
    """Return whether a model whose move ends near an access point is inside (GB-015).

    Args:
        distance: Inches from it before the move.
        locked: Whether it is locked.
    """
    move = inches_left(book, M, 1) if book.rulings.boarding("opened") else M
    return np.asarray(distance - move <= book.tables.doorways.boarding) & ~np.asarray(locked)


@asks("GB-019", name="part of a wall that opens")
def part_opens(book: Gemini, wall: WallKind, damage: Count = 1) -> Bools:
    """Return whether an inch of wall is open as a door is: once it has lost all of its points (GB-019).

    Args:
        wall: The kind of wall.
        damage: Points on that inch; each has its share of those of the wall, rounded up.
    """
    points: int = getattr(book.tables.wall_points, wall)
    return np.asarray(damage) >= -(-points // book.tables.walls.length)


@asks("GB-020", name="models through a hole in a turn")
def through_a_hole(damage: Count, bulk: Bulk = 1, each: Some = 1) -> Ints:
    """Return how many models get through a hole in a turn (GB-020; partly GB-017).

    Args:
        damage: Points that have made it.
        each: Points for each human-sized model, where a wall does not tear open at once.
    """
    slots: Ints = np.multiply(each, bulk)
    return np.asarray(damage) // slots

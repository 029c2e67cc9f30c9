"""Through doors, windows and holes: the inches that it costs, how many pass in a turn, and who fires in a doorway."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import Bools, Ints
from sims.errors import CasemateError
from sims.games.arap.moving.charge import Move
from sims.games.arap.moving.moves import allowance_used
from sims.inputs import Count, Length, Number, Some, Truth
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.sections.rooms import Bulk
from sims.rulesets.gemini.tables import WallKind

Operations = Annotated[int, Number("Operations on doors: opening, closing, locking, unlocking, bolting.", 0, 4)]
Path = Annotated[int, Number("Inches to the far side of the doorway.", 0, 120)]
Size = Annotated[int, Number("Size category.", 1, 4)]
Base = Annotated[int, Number("Millimetres across the base.", 1, 200)]
Opening = Annotated[int, Number("Inches across the opening.", 1, 12)]
Entrances = Annotated[int, Number("Doors, or other openings.", 1, 12)]
InDoorway = Literal["fire", "can be fired at"]

MILLIMETRES_OF_AN_INCH = 25.4


@asks("GB-007", name="inches for working doors")
def inches_for_doors(book: Gemini, operations: Operations) -> int:
    """Return the inches of an action's move that are lost to work at doors and windows (GB-007).

    Args:
        operations: In that action.
    """
    table, work = book.tables.doorways, book.rulings.door_work
    if operations == 1 and not work("begun"):
        return 0 if work("free") else table.inches // table.operations
    return -(-operations // table.operations) * table.inches


@asks("GB-007", name="inches left after working doors")
def inches_left(book: Gemini, M: Move, operations: Operations) -> int:
    """Return the inches of a move that are left after work at doors (GB-007).

    Args:
        operations: In that action.
    """
    return max(M - inches_for_doors(book, operations), 0)


@asks("GB-008", "GB-012", name="passage of a doorway")
def passes(
    book: Gemini,
    M: Move,
    path: Path,
    operations: Operations = 0,
    base: Base = 25,
    opening: Opening = 1,
    size: Size = 2,
) -> Bools:
    """Return whether a model's move carries it through a doorway (GB-008, GB-012).

    A base broader than the opening costs more; who is larger has to make an opening of its own. Those who stop in the
    doorway, or at the door that they have unlocked, are in nobody's way, and a sill of an inch in none.

    Args:
        operations: On the door, in that action.
    """
    table = book.tables.doorways
    broad = table.broad * (base > opening * MILLIMETRES_OF_AN_INCH)
    left = M - inches_for_doors(book, operations)
    return np.asarray((left >= path + broad) & (size <= table.largest))


@asks("GB-009", name="models crowded in a doorway")
def in_a_doorway(book: Gemini, models: Count, which: InDoorway = "fire") -> Ints:
    """Return how many of the models that have ended their move in a doorway fire, or can be fired at (GB-009).

    Args:
        which: Those who fire in their next shooting, if nobody has moved, or whom enemies may fire at: all of them.
    """
    return np.asarray(models) if which == "can be fired at" else np.minimum(models, book.tables.doorways.fire)


@asks("GB-009", name="who fires in a doorway")
def fires_in_a_doorway(models: Some, special: Some = 1) -> Fraction:
    """Return the chance that the model that fires, drawn at random, is one of some (GB-009).

    Args:
        models: Crowded in the doorway.
        special: Those who are asked about.
    """
    return Fraction(min(int(special), int(models)), int(models))


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
def turns_through_doors(book: Gemini, models: Count, M: Move, doors: Entrances = 1, bulk: Bulk = 1) -> Ints:
    """Return how many turns it takes a unit to pass single doors, if that is limited (GB-010, GB-011).

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
    left = M - (inches_for_doors(book, 1) if book.rulings.boarding("opened") else 0)
    near = distance - left <= book.tables.doorways.boarding
    return np.asarray(near & (left >= 0)) & ~np.asarray(locked)


@asks("GB-019", name="part of a wall that opens")
def part_opens(book: Gemini, wall: WallKind, damage: Count = 1) -> Bools:
    """Return whether an inch of wall is open as a door is: once it has lost all of its points (GB-019, partly GB-056).

    Args:
        wall: The kind of wall.
        damage: Points on that inch; each has its share of those of the wall, rounded up.
    """
    points: int = getattr(book.tables.wall_points, wall)
    return np.asarray(damage) >= -(-points // book.tables.walls.length)


@asks("GB-017", name="models through damage in a turn")
def through_damage(book: Gemini, damage: Count, bulk: Bulk = 1, actions: Some = 1) -> Ints:
    """Return how many models get through a hole of some damage points in a turn (GB-017).

    Args:
        damage: Points that have made it.
        actions: With which models come up to it.
    """
    return through_a_hole(damage, bulk) * (actions if book.rulings.holes_a_turn("action") else 1)


@asks("GB-017", name="turns through damage")
def turns_through_damage(book: Gemini, models: Count, damage: Count, bulk: Bulk = 1, actions: Some = 1) -> Ints:
    """Return how many turns it takes a unit to pass a hole of some damage points (GB-017).

    Args:
        damage: Points that have made it.
        actions: In each turn.

    Raises:
        CasemateError: If nobody gets through.
    """
    each = through_damage(book, damage, bulk, actions)
    if not np.all(each):
        raise CasemateError(f"a model of bulk {bulk} needs a hole of {bulk} damage points; got {damage}")
    return -(-np.asarray(models) // each)


@asks("GB-017", name="inches through a hole")
def inches_of_a_hole(book: Gemini, inches: Length = Fraction(1)) -> Fraction:
    """Return the inches of a move that a way through damage takes, which is difficult ground (GB-017).

    Args:
        inches: Through the wall or door.
    """
    return Fraction(allowance_used(book.game, difficult=inches))


@asks("GB-020", name="models through a hole in a turn")
def through_a_hole(damage: Count, bulk: Bulk = 1, each: Some = 1) -> Ints:
    """Return how many models get through a hole in a turn (GB-017, GB-020).

    Args:
        damage: Points that have made it.
        each: Points for each human-sized model, where a wall does not tear open at once.
    """
    slots: Ints = np.multiply(each, bulk)
    return np.asarray(damage) // slots

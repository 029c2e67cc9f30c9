"""The dice of a charge: whether it reaches, and how it came off."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated, ClassVar

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, listed
from sims.games.arap.book import Arap
from sims.games.arap.moving.measuring import melee_radius
from sims.games.arap.moving.moves import allowance_used
from sims.games.arap.unit import Band, is_pinned
from sims.inputs import Inches, Number
from sims.questions import asks

Move = Annotated[int, Number("Basic move in inches.", 0, 60)]
Size = Annotated[Argument, Number("Size of the chargers, which gives their melee radius.", 1, 4)]

REACHED, REACHED_FAST = 0, 7
"""What a charge roll comes to when it is far enough; else the inches that the unit moves."""
SHORT, NEAR, FAR, FAST = range(4)
"""How a charge came off: not at all; from too near to be fired at; from farther; at more than 12 inches."""


@dataclass(frozen=True)
class ChargeRoll:
    """The dice of a charge, the two highest of which are added to the move (ARAP-062, ARAP-168, ARAP-172).

    The answer is `REACHED`, or `REACHED_FAST` for a roll above the second argument; a roll that falls short is the
    highest die, the inches that the unit goes all the same.

    Arguments: inches wanted of the dice; the roll above which a charge is fast.
    """

    dice: int
    arity = 2
    answers: ClassVar[Mapping[int, str]] = {REACHED: "reaches", REACHED_FAST: "reaches, fast"} | {
        inches: f"falls short, {inches} inches nearer" for inches in range(1, 7)
    }

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution by going through the faces."""
        wanted, slow = map(np.array, arguments)
        return self.over(lambda faces: self._read(faces, wanted, slow))

    def over(self, read: Callable[[Ints], Ints]) -> PMF:
        """Return the distribution of what is read off the faces, ``[dice, every throw]``."""
        faces = np.array([*product(range(1, 7), repeat=self.dice)]).T
        return PMF.of(Counter(read(faces).tolist()))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the dice."""
        return self._read(cast("charge", 6, self.dice).astype(np.int64), *arguments)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say what the two highest must make, and what the dice show."""
        wanted, slow = arguments
        shown = listed(face("charge", 6, row) for row in range(self.dice))
        needs = f"the two highest must make {wanted}" if wanted > 2 else "any dice reach"
        yield f"{needs}, more than {slow} is a fast charge: {shown}"

    def _read(self, faces: Ints, wanted: Ints, slow: Ints) -> Ints:
        rolled = two_highest(faces)
        return np.where(rolled < wanted, inches_short(faces), np.where(rolled > slow, REACHED_FAST, REACHED))


def two_highest(faces: Ints) -> Ints:
    """Return what the dice of a charge add to the move, by their faces ``[dice, R]`` (ARAP-062)."""
    return np.sort(faces, axis=0)[-2:].sum(axis=0)


def inches_short(faces: Ints) -> Ints:
    """Return how far a unit goes whose charge falls short: as many inches as its highest die shows (ARAP-172)."""
    return faces.max(axis=0)


@asks("ARAP-172", name="inches of a failed charge")
def distance_by_faces(faces: str) -> int:
    """Return how far a unit goes whose charge falls short, by the dice that it has thrown (ARAP-172).

    Args:
        faces: What the dice show, with spaces or commas between: 2, 5.

    Raises:
        ValueError: If these are no faces of dice.
    """
    if not re.fullmatch(r"\s*[1-6]([\s,]+[1-6])*\s*", faces):
        raise ValueError(f'faces cannot be "{faces}"; expected 1 to 6 for each die, such as "2, 5"')
    return int(inches_short(np.array([int(face) for face in re.findall(r"\d", faces)])))


def charge_dice(book: Arap, M: int) -> ChargeRoll:
    """Return the dice of a charge: two, or the best two of three for fast units (ARAP-062)."""
    table, ruling = book.tables.movement, book.rulings.charge_dice
    fast = ruling("everybody") or (table.two_dice_up_to < M and ruling("fast_units"))
    return ChargeRoll(table.fast_dice if fast else table.dice)


@asks("ARAP-062", "ARAP-187", name="charge distance", needs=("ARAP-003",))
def charge_distance(book: Arap, M: Move) -> PMF:
    """Return the inches that a charge covers: the move, and the dice (ARAP-062)."""
    return charge_dice(book, M).over(two_highest) + M


def inches_wanted(book: Arap, M: Argument, distance: Argument, size: Argument) -> Ints:
    """Return what the dice of a charge have to show, beside the move and the melee radius (ARAP-167, ARAP-168)."""
    return np.maximum(distance - int(melee_radius(book, size)) - M, 0)


@asks("ARAP-168", "ARAP-172", name="charge roll", needs=("ARAP-062", "ARAP-187"))
def charge_roll(book: Arap, M: Move, distance: Inches, size: Size = 2) -> Draw:
    """Return the dice of a charge: whether it reaches, and the inches that it goes if not.

    Source: Charge Actions; Failed Charges; Stand and Fire (ARAP-062, ARAP-168, ARAP-172, ARAP-187).

    Args:
        distance: Inches to the target, from centre to centre.
    """
    return Draw(charge_dice(book, M), (inches_wanted(book, M, distance, size), slow_up_to(book, M)))


@asks("ARAP-168", name="charge that reaches", needs=("ARAP-062", "ARAP-061"))
def reaches(book: Arap, M: Move, distance: Inches, size: Size = 2, difficult_from: int | None = None) -> Fraction:
    """Return the chance that a charge reaches its target (ARAP-168).

    Args:
        distance: Inches to the target, from centre to centre.
        difficult_from: Inches after which the ground is difficult; all of it is open if not given.
    """
    further = 0
    if difficult_from is not None:
        difficult = max(0, int(distance - melee_radius(book, size)) - difficult_from)
        further = int(allowance_used(book, difficult=Fraction(difficult))) - difficult
    rolled = charge_roll(book, M, distance + further, size).pmf
    return rolled.where(lambda inches: bool(has_reached(inches)))


@asks("ARAP-172", name="charge that falls short", needs=("ARAP-062",))
def falls_short(book: Arap, M: Move, distance: Inches, size: Size = 2) -> PMF:
    """Return the inches that a charge goes which does not reach its target (ARAP-172).

    Args:
        distance: Inches to the target, from centre to centre.

    Raises:
        ValueError: If it always does.
    """
    short = [(chance, inches) for inches, chance in charge_roll(book, M, distance, size).pmf if not has_reached(inches)]
    fails = sum(chance for chance, _ in short)
    if not fails:
        raise ValueError(f"a charge over {distance} inches always reaches; expected a longer one")
    return PMF.mixture((chance / fails, PMF.constant(inches)) for chance, inches in short)


def slow_up_to(book: Arap, M: int) -> Argument:
    """Return the roll up to which a charge is no fast one; by one reading every charge is (ARAP-187)."""
    return book.tables.fire.fast_beyond - M if book.rulings.fast_charge("rolled") else -1


def has_reached(rolled: Argument) -> Bools:
    """Return whether a charge roll is far enough."""
    return np.asarray((rolled == REACHED) | (rolled == REACHED_FAST))


def came_off(rolled: Ints, M: Argument, distance: Argument) -> Ints:
    """Return how a charge came off: those who need no dice are too near to be fired at (ARAP-185)."""
    reached = has_reached(rolled)
    far = np.where(rolled == REACHED_FAST, FAST, FAR)
    return np.where(reached, np.where(distance <= M, NEAR, far), SHORT)


def charge(dice: Dice, book: Arap, M: int, distance: Ints, size: int, contact: int) -> tuple[Ints, Ints]:
    """Throw for a charge; return how it came off, and the inches to the enemy after it.

    One that falls short goes on by its highest die (ARAP-167, ARAP-168, ARAP-172; partly ARAP-164).

    Args:
        M: Basic move in inches.
        distance: Inches to the target.
        size: Of the chargers, which gives their melee radius.
        contact: Inches to a target that is reached.
    """
    rolled = charge_roll(book, M, distance, size).made(dice, "charge")
    how = came_off(rolled, M, distance)
    return how, np.where(how > SHORT, contact, distance - rolled)


def after_charge(book: Arap, charger: Band, target: Band, engaged: Bools) -> tuple[Band, Band]:
    """Return both units after a charge: the chargers make no other in the turn, and who is engaged only fights.

    All of them stand where they can fight at once, and by one reading take no test for what they have lost to shooting;
    nobody is suppressed any more. Nobody else is there to intercept the charge (ARAP-054, ARAP-141; partly ARAP-135,
    partly ARAP-170, partly ARAP-171).
    """
    none = np.zeros_like(charger.points)
    excused = engaged & book.rulings.charged_units("excused")
    charged = target.replace(points=np.where(engaged, 0, target.points), due=np.where(excused, 0, target.due))
    chargers = charger.replace(points=none, due=np.where(excused, 0, charger.due))
    return no_more_suppressed(chargers, engaged), no_more_suppressed(charged, engaged)


def no_more_suppressed(unit: Band, engaged: Bools) -> Band:
    """Return a unit that is suppressed no longer where it is drawn into close combat (ARAP-141)."""
    return unit.replace(pinned=np.where(engaged & ~is_pinned(unit.pinned), 0, unit.pinned))


def besides_a_charge(points: Ints) -> Ints:
    """Return the action points to spare beside that for the one charge of a turn (partly ARAP-171)."""
    return np.maximum(points - 1, 0)

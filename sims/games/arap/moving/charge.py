"""The dice of a charge: whether it reaches, and how it came off."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, listed
from sims.games.arap.book import Arap
from sims.games.arap.moving.measuring import melee_radius
from sims.games.arap.unit import Band

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
        weights: dict[int, int] = {}
        for faces in product(range(1, 7), repeat=self.dice):
            answer = int(self._read(np.array(faces)[:, None], *(np.array([a]) for a in arguments))[0])
            weights[answer] = weights.get(answer, 0) + 1
        return PMF.of(weights)

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
        ordered = np.sort(faces, axis=0)
        rolled = ordered[-1] + ordered[-2]
        return np.where(rolled < wanted, ordered[-1], np.where(rolled > slow, REACHED_FAST, REACHED))


def charge_dice(book: Arap, M: int) -> ChargeRoll:
    """Return the dice of a charge: two, or the best two of three for fast units (ARAP-062)."""
    table = book.tables.movement
    fast = table.two_dice_up_to < M and book.rulings.charge_dice("fast_units")
    return ChargeRoll(table.fast_dice if fast else table.dice)


def inches_wanted(book: Arap, M: int, distance: Argument, size: int) -> Ints:
    """Return what the dice of a charge have to show, beside the move and the melee radius (ARAP-167, ARAP-168)."""
    return np.maximum(distance - int(melee_radius(book, size)) - M, 0)


def charge_roll(book: Arap, M: int, distance: Argument, size: int) -> Draw:
    """Return the dice of a charge: whether it reaches, and the inches that it goes if not.

    Source: Charge Actions; Failed Charges; Stand and Fire (ARAP-062, ARAP-063, ARAP-168, ARAP-172, ARAP-187).

    Args:
        M: Basic move in inches.
        distance: Inches to the target.
        size: Of the chargers, which gives their melee radius.
    """
    beyond = book.tables.fire.fast_beyond - M if book.rulings.fast_charge("rolled") else -1
    return Draw(charge_dice(book, M), (inches_wanted(book, M, distance, size), beyond))


def came_off(rolled: Ints, M: int, distance: Argument) -> Ints:
    """Return how a charge came off: those who need no dice are too near to be fired at (ARAP-185)."""
    reached = (rolled == REACHED) | (rolled == REACHED_FAST)
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


def after_charge(charger: Band, target: Band, engaged: Bools) -> tuple[Band, Band]:
    """Return both units after a charge: the chargers make no other in the turn, and who is engaged only fights.

    All of them stand where they can fight at once, and take no test for what they have lost to shooting (partly
    ARAP-054, partly ARAP-135, partly ARAP-170, partly ARAP-171).
    """
    none = np.zeros_like(charger.points)
    charged = target.replace(points=np.where(engaged, 0, target.points), due=np.where(engaged, 0, target.due))
    return charger.replace(points=none, due=np.where(engaged, 0, charger.due)), charged


def besides_a_charge(points: Ints) -> Ints:
    """Return the action points to spare beside that for the one charge of a turn (partly ARAP-171)."""
    return np.maximum(points - 1, 0)

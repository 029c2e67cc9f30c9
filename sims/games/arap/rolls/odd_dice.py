"""Dice other than a single D6."""

from typing import Literal

import numpy as np

from sims.dice import AVERAGE, D2, D3, D5, D66, D100, PMF, Die, fair, pick
from sims.questions import asks

_DICE = {"D2": D2, "D3": D3, "D5": D5, "D66": D66, "D100": D100, "AvD": AVERAGE}


@asks("ARAP-003", name="pick of dice")
def picked(dice: int, keep: int, sides: int = 6, direction: Literal["up", "down"] = "up") -> PMF:
    """Return the sum of the dice that are kept, the highest or the lowest (ARAP-003).

    Args:
        dice: How many are thrown.
        keep: How many are kept.
        sides: Of each die.
        direction: Up keeps the highest, down the lowest.
    """
    return pick(dice, fair(sides), keep, highest=direction == "up").pmf


@asks("ARAP-016", "ARAP-017", "ARAP-018", "ARAP-019", name="odd dice")
def odd_dice(die: Literal["D2", "D3", "D5", "D66", "D100", "AvD"], dice: int = 1) -> PMF:
    """Return the distribution of dice that are read off others (ARAP-016, ARAP-017, ARAP-018, ARAP-019).

    Args:
        die: The kind of die; AvD is an average die.
        dice: How many are added up.

    Raises:
        ValueError: If codes of a D66 are to be added up.
    """
    if die == "D66" and dice != 1:
        raise ValueError("codes of a D66 are not added up; expected dice=1")
    return dice @ _DICE[die].pmf


@asks("ARAP-016", "ARAP-017", "ARAP-019", name="odd die as it fell")
def read_die(die: Literal["D2", "D3", "D5", "AvD"], face: int) -> int:
    """Return the score of an odd die whose physical die shows a face (ARAP-016, ARAP-017, ARAP-019).

    Args:
        die: The kind of die: D2, D3 and AvD are read off a D6, D5 off a D10.
        face: What it shows; the 0 of a D10 stands for 10.
    """
    return _read(_DICE[die], face)


@asks("ARAP-018", name="two dice as tens and units")
def read_pair(die: Literal["D66", "D100"], tens: int, units: int) -> int:
    """Return the score of two dice read as tens and units; a double zero is 100 (ARAP-018).

    Args:
        die: D66 is read off two D6, D100 off two D10.
        tens: What the first shows.
        units: What the second shows.
    """
    return _read(_DICE[die], tens, units)


def _read(die: Die, *shown: int) -> int:
    """Read faces as printed, where a D10 has a 0 for its 10."""
    faces = [10 if face == 0 and sides == 10 else face for face, sides in zip(shown, die.sides, strict=True)]
    for face, sides in zip(faces, die.sides, strict=True):
        if not 1 <= face <= sides:
            expected = "0 to 9" if sides == 10 else f"1 to {sides}"
            raise ValueError(f"a D{sides} does not show {face}; expected {expected}")
    return int(die.read(*(np.array(face) for face in faces)))

"""Wounding and saving; each is a draw of one die's test, and one after the other they make a volley.

Needs are what the die must show, elementwise over arrays; a need of 7 cannot be rolled.
"""

from typing import Annotated, Literal

import numpy as np

from sims.dice import GOAL, Draw, Ints, Volley, once
from sims.dice.source import Argument
from sims.games.fantasy.book import Fantasy, modifies_by
from sims.inputs import NONE, Number, Save, Strength, Toughness, Truth
from sims.profiles import Unit, Weapon
from sims.questions import asks

Worn = Literal["none", "light", "heavy"]
Modifier = Annotated[Argument, Number("What a weapon takes off a save.", 0, 6)]

WOUND = Volley((GOAL.named("to wound"),))
"""A hit that wounds. Arguments: hits, need."""
UNSAVED = Volley((GOAL.named("save").failed,))
"""A wound that is not saved. Arguments: wounds, save."""


def need_to_wound(book: Fantasy, S: Argument, T: Argument) -> Ints:
    """Return the need to wound from Strength and Toughness (BASE-046)."""
    return book.tables.to_wound.need(S, T)


@asks("BASE-046", name="wound, or damage to a building", ask="P(passed)")
def wound(book: Fantasy, S: Strength, T: Toughness) -> Draw:
    """Return a hit that wounds, or does a point of damage to a building (BASE-046).

    Args:
        S: Strength of the hit.
        T: Toughness of the target.
    """
    return Draw(WOUND, (1, need_to_wound(book, S, T)))


@asks("BASE-049", name="armour save in the fantasy game", ask="P(passed)")
def armour_save(
    book: Fantasy,
    armour: Worn = "none",
    shield: Truth = False,
    mounted: Truth = False,
    barded: Truth = False,
    modifier: Modifier = 0,
) -> Draw:
    """Return a saving throw by what a model wears (BASE-049).

    Args:
        armour: What it wears.
        shield: Whether it has one.
        mounted: Whether it rides.
        barded: Whether its mount is armoured.
        modifier: What the weapon takes off the die.
    """
    table = book.tables.armour
    worn = {"none": 0, "light": table.light, "heavy": table.heavy}[armour]
    others = (shield, table.shield), (mounted, table.mounted), (barded, table.barded)
    goal = NONE - worn - sum(np.multiply(has, points) for has, points in others) + modifier
    return once(GOAL.named("save"), np.minimum(goal, NONE))


def unsaved(save: Save) -> Draw:
    """Return a wound that is not saved (BASE-049)."""
    return Draw(UNSAVED, (1, save))


def hurt(book: Fantasy, S: Argument, T: Argument, save: Argument = NONE) -> Draw:
    """Return a hit that wounds and is not saved (BASE-046, BASE-049)."""
    return wound(book, S, T).then(unsaved(save))


def strength(bearer: Unit, weapon: Weapon | None) -> int:
    """Return the Strength of a weapon, or of bare hands."""
    return bearer.S if weapon is None else weapon.strength(bearer)


def save_against(target: Unit, weapon: Weapon | None) -> int:
    """Return the armour save of a model after the weapon's modifier, 7 for none (BASE-049).

    A profile has one figure for armour and shield together; the game has no invulnerable saves.
    """
    if target.Sv is None:
        return NONE
    return min(target.Sv + (0 if weapon is None else modifies_by(weapon)), NONE)


def without_shield(book: Fantasy, save: Argument, shield: Argument) -> Ints:
    """Return the save of a model who turns his back: a shield does not count (BASE-054)."""
    return np.minimum(np.add(save, np.multiply(book.tables.armour.shield, shield)), NONE)

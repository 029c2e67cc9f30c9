"""Activation: how many actions a unit gets, and what its failed dice give to the other side."""

import numpy as np

from sims.dice import PLAIN_LOW, Dice, Ints, Volley
from sims.dice.source import Argument
from sims.games.arap.tables import Activation

SUCCESSES = Volley((PLAIN_LOW,))
"""Dice at or below the activation value; a 6 always fails. Arguments: dice, value (ARAP-047)."""


def activation_value(table: Activation, initiative: int) -> int:
    """Return what each activation die must not exceed (ARAP-046)."""
    return min(max(initiative, table.least), table.most)


def activate(dice: Dice, label: str, table: Activation, initiative: int, thrown: Argument) -> Ints:
    """Throw activation dice and return the successes; each is an action point.

    Two failures or more are a bust, which ends the turn of the whole side: with one unit a side it changes nothing,
    since the one action of three dice may still be taken (ARAP-047; partly ARAP-044, partly ARAP-048).
    """
    return dice.draw(label, SUCCESSES, thrown, activation_value(table, initiative))


def action_points(table: Activation, successes: Ints, pinned: Argument) -> Ints:
    """Return the actions of a unit: pinned units have fewer than they roll (ARAP-129)."""
    return np.asarray(np.maximum(0, successes - np.where(pinned, table.pinned, 0)))

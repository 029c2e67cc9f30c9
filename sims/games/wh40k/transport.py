"""An intact building as a transport that does not move: who gets in and out, who fires, what may be attacked."""

import numpy as np

from sims.dice import Ints
from sims.dice.source import Argument
from sims.games.wh40k.book import EditionName, Wh40k, edition_of
from sims.questions import asks


def shooters(rules: Wh40k, inside: Argument, firing_points: Argument) -> Ints:
    """Return how many models inside can fire (BASE-029)."""
    per_point = 2 if rules.rulings.firing_point_models("two") else 1
    return np.asarray(np.minimum(inside, firing_points * per_point))


@asks("BASE-029", name="firing points")
def shooters_inside(rules: Wh40k, inside: int, firing_points: int) -> int:
    """Return how many models inside a building can fire (BASE-029).

    Parameters
    ----------
    rules : Wh40k
    inside : int
        Models inside.
    firing_points : int
        Of the building.
    """
    return int(shooters(rules, inside, firing_points))


def placed(survivors: Argument, room: Argument) -> Ints:
    """Return how many models that must get out find room; the others are destroyed (BASE-018, BASE-031)."""
    return np.asarray(np.minimum(survivors, room))


@asks("BASE-030", name="embark")
def embarks(models: int, capacity: int, farthest: int = 0, reach: int = 2) -> bool:
    """Return whether a unit gets in: near enough with every model, and all of it fits (BASE-030).

    Parameters
    ----------
    models : int
        Of the unit.
    capacity : int
        Of the building.
    farthest : int
        Inches from an access point to the farthest model.
    reach : int
        Inches within which every model must end its move.
    """
    return farthest <= reach and models <= capacity


@asks("BASE-030", name="disembark")
def disembarks(edition: EditionName = "5th") -> int:
    """Return how far from its access point a unit may be placed that gets out, in inches (BASE-030).

    Parameters
    ----------
    edition : str
        Of the rules.
    """
    return edition_of(edition).tables.movement.disembark


@asks("BASE-026", name="attack on a building")
def may_be_attacked(occupied: bool) -> bool:
    """Return whether a building may be shot at or charged: not one that nobody occupies (BASE-026).

    Parameters
    ----------
    occupied : bool
        Whether anybody is in it.
    """
    return occupied

"""An intact building as a transport that does not move: who gets in and out, who fires, what may be attacked."""

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.games.wh40k.book import EditionName, Wh40k, edition_of
from sims.inputs import at_most
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


def gets_in(rules: Wh40k, models: Argument, capacity: Argument, farthest: Argument = 0) -> Bools:
    """Return whether a unit gets in: near enough with every model, and all of it fits (BASE-030)."""
    return np.asarray((farthest <= rules.tables.access.embark) & (models <= np.asarray(capacity)))


@asks("BASE-030", name="embark")
def embarks(rules: Wh40k, models: int, capacity: int, farthest: int = 0) -> bool:
    """Return whether a unit gets in: near enough with every model, and all of it fits (BASE-030).

    Parameters
    ----------
    rules : Wh40k
    models : int
        Of the unit.
    capacity : int
        Of the building.
    farthest : int
        Inches from an access point to the farthest model at the end of its move.
    """
    at_most(10**6, models=models, capacity=capacity, farthest=farthest)
    return bool(gets_in(rules, models, capacity, farthest))


def still_apart(rules: Wh40k, distance: Argument, inches: Argument) -> Ints:
    """Return the inches to an enemy that are left to models who have come so much nearer without charging (BASE-030).

    None is put so near him that he would have to be charged.
    """
    return np.asarray(np.maximum(distance - np.asarray(inches), rules.tables.access.from_enemy))


@asks("BASE-030", name="disembark")
def disembarks(edition: EditionName = "5th", enemy: int = 60) -> int:
    """Return how far from its access point a unit may be put that gets out towards an enemy, in inches (BASE-030).

    Parameters
    ----------
    edition : str
        The 5th places it beside the access point, the 6th lets it move from there.
    enemy : int
        Inches from the access point to the nearest enemy.

    Raises
    ------
    ValueError
        If he is so near that he closes the access point.
    """
    rules = edition_of(edition)
    least = rules.tables.access.from_enemy
    if enemy < least:
        raise ValueError(f"enemy cannot be {enemy}; expected {least} or more: nearer, he closes the access point")
    return enemy - int(still_apart(rules, enemy, rules.tables.movement.disembark))


@asks("BASE-026", name="attack on a building")
def may_be_attacked(occupied: bool) -> bool:
    """Return whether a building may be shot at or charged: not one that nobody occupies (BASE-026).

    Parameters
    ----------
    occupied : bool
        Whether anybody is in it.
    """
    return occupied

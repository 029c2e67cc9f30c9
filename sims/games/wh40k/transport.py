"""An intact building as a transport that does not move: who gets in and out, who fires."""

from typing import Annotated

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.games.wh40k.book import AnyEdition, Sixth, Wh40k
from sims.inputs import Inches, Many, Number
from sims.questions import asks

Bulk = Annotated[Argument, Number("Places that its profile takes: 1, Bulky 2, Very Bulky 3, Extremely Bulky 5.", 1, 5)]


@asks("BASE-029", name="firing points")
def shooters(book: Wh40k, inside: Many, firing_points: Many) -> Ints:
    """Return how many models inside a building can fire (BASE-029).

    Args:
        inside: Models inside.
        firing_points: Of the building.
    """
    per_point = 2 if book.rulings.firing_point_models("two") else 1
    return np.minimum(inside, firing_points * per_point)


def placed(survivors: Argument, room: Argument) -> Ints:
    """Return how many models that must get out find room; the others are destroyed (BASE-018, BASE-031)."""
    return np.minimum(survivors, room)


@asks("BASE-030", name="embark")
def gets_in(book: Wh40k, models: Many, capacity: Many, farthest: Inches = 0) -> Bools:
    """Return whether a unit gets in: near enough with every model, and all of it fits (BASE-030).

    Args:
        models: Of the unit; a bulky one counts as the places that it takes.
        capacity: Of the building.
        farthest: Inches from an access point to the farthest model at the end of its move.
    """
    return np.asarray((farthest <= book.tables.access.embark) & (models <= capacity))


@asks("BASE-060", name="places of bulky models")
def places(book: Sixth, models: Many, bulk: Bulk = 1, jump: bool = False) -> Ints:
    """Return how many places some models take inside a building or transport (BASE-060).

    Args:
        jump: Whether they are jump or jet pack infantry, who are Bulky at least.
    """
    each = np.maximum(bulk, book.tables.places.jump) if jump else bulk
    return np.asarray(models * each)


@asks("BASE-060", name="places left by bulky models")
def places_left(book: Sixth, capacity: Many, models: Many, bulk: Bulk = 1, jump: bool = False) -> Ints:
    """Return how many places some models leave inside a building or transport (BASE-060).

    Args:
        capacity: Places of the building or transport.
        jump: Whether they are jump or jet pack infantry, who are Bulky at least.
    """
    return capacity - places(book, models, bulk, jump)


def still_apart(book: Wh40k, distance: Argument, inches: Argument) -> Ints:
    """Return the inches to an enemy that are left to models who have come so much nearer without charging (BASE-030).

    None is put so near him that he would have to be charged.
    """
    return np.maximum(distance - inches, book.tables.access.from_enemy)


@asks("BASE-030", name="disembark")
def disembarks(book: AnyEdition, enemy: int | None = None) -> int:
    """Return how far from its access point a unit may be put that gets out, in inches (BASE-030).

    Args:
        edition: The 5th places it beside the access point, the 6th lets it move from there.
        enemy: Inches from the access point to the nearest enemy, towards whom it gets out; nobody near if not given.

    Raises:
        ValueError: If he is so near that he closes the access point.
    """
    least, farthest = book.tables.access.from_enemy, book.tables.movement.disembark
    if enemy is None:
        return farthest
    if enemy < least:
        raise ValueError(f"enemy cannot be {enemy}; expected {least} or more: nearer, he closes the access point")
    return enemy - int(still_apart(book, enemy, farthest))

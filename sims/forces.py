"""Counting models: a side in an assault is a tuple of counts, one ``[..., R]`` array for each `Group` of its force."""

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from sims.dice import Ints
from sims.scenario import Force, Group

Models = tuple[Ints, ...]
"""How many of each group are left, in the order of `Force.groups`."""


def at_full_strength(force: Force) -> Models:
    """Return the models of a force at the start, each ``[1]``."""
    return tuple(np.array([group.count]) for group in force.groups)


def total(models: Models) -> Ints:
    """Return how many models there are."""
    return reduce(np.add, models)


def fall(models: Models, casualties: Ints) -> Models:
    """Remove models, ordinary ones first: the last group bears the first casualties, the leader the last.

    No more can fall than there are.
    """
    left: list[Ints] = []
    for count in reversed(models):
        fallen = np.minimum(count, casualties)
        left.append(count - fallen)
        casualties = casualties - fallen
    return tuple(reversed(left))


def wound(models: Models, hurt: Ints, wounds: Ints, W: int) -> tuple[Models, Ints]:
    """Let models suffer unsaved wounds, one model after the other; return who is left and the wounds carried.

    Parameters
    ----------
    models : Models
    hurt : array
        Wounds that one model already carries, less than `W`.
    wounds : array
        Unsaved wounds.
    W : int
        Wounds that a model can take.
    """
    if W == 1:
        return fall(models, wounds), hurt
    killed, carried = np.divmod(hurt + wounds, W)
    after = fall(models, killed)
    return after, np.where(total(after) > 0, carried, 0)


def wounds_left(models: Models, hurt: Ints, W: int) -> Ints:
    """Return how many wounds a side can still take."""
    return total(models) * W - hurt


def chosen(models: Models, most: Ints | int, order: Sequence[int]) -> Models:
    """Choose up to `most` models, going through the groups in an order of preference."""
    counts = list(models)
    for i in order:
        counts[i] = np.minimum(models[i], most)
        most = most - counts[i]
    return tuple(counts)


def without(models: Models, others: Models) -> Models:
    """Return the models that are not among others."""
    return tuple(a - b for a, b in zip(models, others, strict=True))


def together(models: Models, others: Models) -> Models:
    """Return the models of both."""
    return tuple(a + b for a, b in zip(models, others, strict=True))


def best(force: Force, models: Models, value: Callable[[Group], int]) -> Ints:
    """Return the highest value among the groups that have models left; 0 if none has."""
    values = (np.where(n > 0, value(group), 0) for group, n in zip(force.groups, models, strict=True))
    return reduce(np.maximum, values)


def longest_range_first(force: Force) -> list[int]:
    """Return the order in which groups take the places to shoot from: those that shoot farthest first."""
    ranges = [group.weapon.range if group.weapon else 0 for group in force.groups]
    return sorted(range(len(ranges)), key=lambda i: -ranges[i])

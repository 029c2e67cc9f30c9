"""Counting models: a side in an assault is a tuple of counts, one ``[..., R]`` array for each `Group` of its force."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import groupby

import numpy as np

from sims.dice import Dice, Draw, Ints, Share, narrow
from sims.dice.source import Argument
from sims.rulebook import Ruling
from sims.scenario import Force, Group

Models = tuple[Ints, ...]
"""How many of each group are left, in the order of `Force.groups`."""


def at_full_strength(force: Force) -> Models:
    """Return the models of a force at the start, each ``[1]``."""
    return tuple(np.array([group.count]) for group in force.groups)


def total(models: Models) -> Ints:
    """Return how many models there are."""
    return reduce(np.add, models)


def give_up(models: Models, n: Argument) -> Models:
    """Return who is left if the owner gives models up, ordinary ones first: the last group, then the one before it.

    No more can be given up than there are.
    """
    left: list[Ints] = []
    for count in reversed(models):
        given = np.minimum(count, n)
        left.append(count - given)
        n = n - given
    return tuple(reversed(left))


def fall(
    dice: Dice, who: Ruling, force: Force, models: Models, casualties: Argument, label: str, among: Models | None = None
) -> Models:
    """Remove models, and return who is left; no more can fall than there are.

    Parameters
    ----------
    who : Ruling
        Who falls: as the `owner` gives them up, `spread` as in `queue`, or `drawn` evenly among those who can fall.
    force : Force
        The unit at full strength.
    models : Models
        Who stands.
    casualties : array
        Models that fall.
    label : str
        Of the draws, where who falls is drawn.
    among : Models, optional
        Those who can fall, such as those who fight; everybody if not given.
    """
    return without(models, fallen(dice, who, force, models, casualties, label, among))


def fallen(
    dice: Dice, who: Ruling, force: Force, models: Models, casualties: Argument, label: str, among: Models | None = None
) -> Models:
    """Return who falls, with the inputs of `fall`."""
    able = models if among is None else among
    if who("drawn"):
        return picked(dice.within(f"{label}, who falls"), able, casualties, [g.title for g in force.groups])
    counts = tuple(group.count for group in force.groups)
    falls = [np.zeros_like(casualties)] * (len(able) - 1)
    room, before = [np.zeros_like(n) for n in able], np.zeros_like(able[-1])
    for i, last in order(counts, who("spread")):
        here = np.clip(last - counts[i] + models[i], 0, able[i]) - room[i]
        if i < len(falls):
            falls[i] = falls[i] + np.clip(casualties - before, 0, here)
        room[i], before = room[i] + here, before + here
    return *falls, reduce(np.subtract, falls, np.minimum(casualties, total(able)))


def order(counts: tuple[int, ...], spread: bool) -> tuple[tuple[int, int], ...]:
    """Return in which order models fall, as `queue` does: spread, or as their owner gives them up."""
    return queue(counts) if spread else tuple(enumerate(counts))[::-1]


@cache
def queue(counts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return in which order models fall that are spread: the next group, and how many of it have fallen after that.

    Each group's models stand evenly over the unit: the first of two after a quarter of it, the second after three
    quarters, one that is alone in the middle; of those in the same place the more ordinary one falls first. So who is
    left of a whole unit follows from how many are. Where only a part of a unit can fall, those who cannot are passed
    over and keep their places: they go first once they can.

    >>> queue((1, 2, 17))  # a leader, two with flamers and seventeen others: four others fall, a flamer, five others...
    ((2, 4), (1, 1), (2, 9), (0, 1), (2, 13), (1, 2), (2, 17))

    Parameters
    ----------
    counts : tuple of int
        Models of each group at full strength.
    """
    places = [(Fraction(2 * n - 1, 2 * count), -i, n) for i, count in enumerate(counts) for n in range(1, count + 1)]
    runs = groupby(sorted(places), key=lambda place: place[1])
    return tuple((-i, max(n for *_, n in run)) for i, run in runs)


def standing(who: Ruling, force: Force, models: Ints) -> Models:
    """Return how many of each group are left of a whole unit, where that follows from how many are: if nobody is drawn.

    Parameters
    ----------
    who : Ruling
        Who falls: `owner` or `spread`.
    force : Force
        The unit at full strength.
    models : array
        How many are left of it.
    """
    return tuple(of_group[models] for of_group in _left(tuple(group.count for group in force.groups), who("spread")))


@cache
def _left(counts: tuple[int, ...], spread: bool) -> tuple[Ints, ...]:
    """Return how many of each group are left of a unit, by how many are: none, one, ... everybody."""
    left, steps = list(counts), [counts]
    for i, last in order(counts, spread):
        while counts[i] - left[i] < last:
            left[i] -= 1
            steps.append(tuple(left))
    return tuple(np.array(of_group) for of_group in zip(*steps[::-1], strict=True))


def picked(dice: Dice, models: Models, casualties: Argument, names: Sequence[str]) -> Models:
    """Return who falls if each is picked evenly among those left, and no more than there are.

    A group that is alone, or the last one, needs no dice.
    """
    if not models:
        return ()
    falls = list[Ints]()
    among, falling = total(models), np.clip(casualties, 0, total(models))
    for i, group in enumerate(models[:-1]):
        of_group = Draw(Share(names[i]), (falling, among, group)).made(dice, f"{i + 1}")
        falls.append(np.minimum(of_group, group))
        among = among - group
        falling = np.clip(falling - falls[-1], 0, among)
    return (*falls, falling)


def killed(hurt: Ints, wounds: Ints, W: int) -> tuple[Ints, Ints]:
    """Return how many models wounds kill, one model after the other, and the wounds that the next one then carries.

    Parameters
    ----------
    hurt : array
        Wounds that one model already carries, less than `W`.
    wounds : array
        Unsaved wounds.
    W : int
        Wounds that a model can take.
    """
    if W == 1:
        return wounds, hurt
    dead, carried = np.divmod(hurt + wounds, W)
    return dead, carried


def wound(
    dice: Dice,
    who: Ruling,
    force: Force,
    models: Models,
    hurt: Ints,
    wounds: Ints,
    label: str,
) -> tuple[Models, Ints]:
    """Let models suffer unsaved wounds, one model after the other; return who is left and the wounds carried.

    Parameters
    ----------
    models : Models
    hurt : array
        Wounds that one model already carries, less than it can take.
    wounds : array
        Unsaved wounds.
    """
    dead, carried = killed(hurt, wounds, force.unit.W)
    after = fall(dice, who, force, models, dead, label)
    return after, carried if force.unit.W == 1 else np.where(total(after) > 0, carried, 0)


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
    values = [narrow(value(group)) * (n > 0) for group, n in zip(force.groups, models, strict=True)]
    return np.asarray(reduce(np.maximum, values))


def longest_range_first(force: Force) -> list[int]:
    """Return the order in which groups take the places to shoot from: those that shoot farthest first."""
    ranges = [group.weapon.range if group.weapon else 0 for group in force.groups]
    return sorted(range(len(ranges)), key=lambda i: -ranges[i])

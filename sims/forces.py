"""Counting models: a side in an assault is a tuple of counts, one ``[..., R]`` array for each `Group` of its force."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import groupby
from operator import itemgetter

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, Share, narrow
from sims.dice.source import Argument
from sims.rulebook import Ruling
from sims.scenario import Body, Force, Group

Models = tuple[Ints, ...]
"""How many of each group are left, in the order of `Force.groups`."""


def at_full_strength(force: Force) -> Models:
    """Return the models of a force at the start, each ``[1]``."""
    return tuple(np.array([group.count]) for group in force.groups)


def begun(force: Force, one_of_several: bool) -> Models:
    """Return what a state keeps of how many ordinary models, of the last group, there were at the start, ``[1]``.

    Nothing, unless it may come of several starts: else the force says it.
    """
    return (np.array([force.groups[-1].count]),) if one_of_several else ()


def unhurt(force: Force) -> Models:
    """Return the wounds on each body of a force but the last at the start, none: nothing where all fall alike."""
    return tuple(np.array([0]) for _ in force.bodies[:-1])


def total(models: Models) -> Ints:
    """Return how many models there are."""
    return reduce(np.add, models)


def of(body: Body, models: Models) -> Models:
    """Return the models of one body, in the order of all groups: nobody of the others."""
    return tuple(n if i in body.groups else np.zeros_like(n) for i, n in enumerate(models))


def by_body(force: Force, models: Models) -> Models:
    """Return how many models there are of each body of a force."""
    return tuple(total(of(body, models)) for body in force.bodies) if len(force.bodies) > 1 else (total(models),)


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
    dice: Dice,
    who: Ruling,
    force: Force,
    models: Models,
    casualties: Argument,
    label: str,
    among: Models | None = None,
    *,
    begun: Models = (),
) -> Models:
    """Remove models, and return who is left; no more can fall than there are.

    Args:
        who: Who falls: as the `owner` gives them up, `spread` as in `queue`, or `drawn` evenly among those who can
            fall.
        force: The unit at full strength.
        models: Who stands.
        casualties: Models that fall.
        label: Of the draws, where who falls is drawn.
        among: Those who can fall, such as those who fight; everybody if not given.
        begun: How many ordinary ones there were at the start, where the state says it, see `begun`.
    """
    return without(models, fallen(dice, who, force, models, casualties, label, among, begun=begun))


def fallen(
    dice: Dice,
    who: Ruling,
    force: Force,
    models: Models,
    casualties: Argument,
    label: str,
    among: Models | None = None,
    *,
    begun: Models = (),
) -> Models:
    """Return who falls, with the inputs of `fall`."""
    able = models if among is None else among
    if who("drawn"):
        return picked(dice.within(f"{label}, who falls"), able, casualties, [g.title for g in force.groups])
    if who("owner"):
        return without(able, give_up(able, casualties))
    before, falls = np.zeros_like(able[-1]), [np.zeros_like(casualties)] * (len(able) - 1)
    for i, there, ordinary in _in_queue(force, models, able, begun):
        falls[i] = falls[i] + (there & (ordinary + before < casualties))
        before = before + there
    return *falls, reduce(np.subtract, falls, np.minimum(casualties, total(able)))


def _in_queue(force: Force, models: Models, able: Models, begun: Models) -> Iterator[tuple[int, Bools, Ints]]:
    """Yield who is not ordinary, as in `queue`: group, whether he can fall, and the ordinary ones who fall before."""
    ordinary = at_start(force, begun)
    for i, n, place in queue(tuple(group.count for group in force.groups[:-1])):
        nth = n - force.groups[i].count + models[i]  # of those who stand, counted from the next to fall
        yield i, (nth > 0) & (nth <= able[i]), np.clip(passed(place, ordinary) - ordinary + models[-1], 0, able[-1])


def in_order(who: Ruling, force: Force, models: Models, able: Models, begun: Models = ()) -> Iterator[tuple[int, Ints]]:
    """Yield those who can fall in the order in which they do, where nobody is drawn: a group, and how many of it.

    Args:
        who: Who falls: `owner` or `spread`.
        force: The unit at full strength.
        models: Who stands.
        able: Those who can fall.
        begun: As in `fall`.
    """
    if who("owner"):
        yield from reversed(list(enumerate(able)))
        return
    last, before = len(able) - 1, np.zeros_like(able[-1])
    for i, there, ordinary in _in_queue(force, models, able, begun):
        ahead = np.where(there, ordinary, before)
        yield from ((last, ahead - before), (i, there.astype(np.int64)))
        before = ahead
    yield last, able[-1] - before


def stretches(
    who: Ruling, force: Force, models: Models, among: Models, *, begun: Models = ()
) -> list[tuple[int, Ints]]:
    """Return those who can fall in the order in which they do, in stretches of one body: its number, and how many.

    Where each is drawn there is no order: all of a body stand together.

    Args:
        who, force, models, among, begun: As in `fall`.
    """
    if who("drawn"):
        return [(number, total(of(body, among))) for number, body in enumerate(force.bodies)]
    body_of = {i: number for number, body in enumerate(force.bodies) for i in body.groups}
    row = ((body_of[i], n) for i, n in in_order(who, force, models, among, begun))
    return [(body, total(tuple(n for _, n in alike))) for body, alike in groupby(row, key=itemgetter(0))]


def strength_at_start(force: Force, begun: Models) -> Ints | int:
    """Return how many models a unit had at the start: by the state, if that has it, else by the force."""
    return sum(group.count for group in force.groups[:-1]) + at_start(force, begun)


def at_start(force: Force, begun: Models) -> Ints | int:
    """Return how many ordinary models there were at the start: as the state has it, else the force."""
    return begun[0].astype(np.int64) if begun else force.groups[-1].count


@cache
def queue(specials: tuple[int, ...]) -> tuple[tuple[int, int, Fraction], ...]:
    """Return in which order those fall who are not ordinary, if a unit is spread: group, which of it, and his place.

    Each group's models stand evenly over the unit: the first of two after a quarter of it, the second after three
    quarters, one that is alone in the middle; of those in the same place the more ordinary one falls first. So who is
    left of a whole unit follows from how many are. Where only a part of a unit can fall, those who cannot are passed
    over and keep their places: they go first once they can.

    >>> queue((1, 2))  # a leader and two with flamers
    ((1, 1, Fraction(1, 4)), (0, 1, Fraction(1, 2)), (1, 2, Fraction(3, 4)))

    Args:
        specials: Models of each group but the last at full strength.
    """
    places = [(Fraction(2 * n - 1, 2 * count), -i, n) for i, count in enumerate(specials) for n in range(1, count + 1)]
    return tuple((-i, n, place) for place, i, n in sorted(places))


def passed(place: Fraction, ordinary: Argument) -> Argument:
    """Return how many ordinary models of so many fall before a place in the unit, or in it.

    >>> passed(Fraction(1, 4), 17)  # four, before the first of two with flamers
    4
    """
    return (2 * place.numerator * ordinary + place.denominator) // (2 * place.denominator)


def standing(who: Ruling, force: Force, models: Ints) -> Models:
    """Return how many of each group are left of a whole unit, where that follows from how many are: if nobody is drawn.

    Args:
        who: Who falls: `owner` or `spread`.
        force: The unit at full strength.
        models: How many are left of it.
    """
    specials = tuple(group.count for group in force.groups[:-1])
    if who("owner"):
        return chosen((*map(np.array, specials), models), models, range(len(force.groups)))
    ordinary, left = force.groups[-1].count, [np.zeros_like(models) for _ in specials]
    lost = ordinary + sum(specials) - models
    for before, (i, _, place) in enumerate(queue(specials)):
        left[i] = left[i] + (lost <= passed(place, ordinary) + before)
    return *left, reduce(np.subtract, left, models)


def since(
    who: Ruling, force: Force, models: Models, begun: Models, held: Callable[[Ints], Ints] | None = None
) -> Models:
    """Return the least number of ordinary models at the start from which everything goes on in the same way.

    What a state keeps of its start, so that it is one state wherever it comes from: of a unit that is spread, how many
    fall before each of those who stand and are not ordinary.

    Args:
        who: Who falls.
        force: The unit at the most that it may have had.
        models: Who stands.
        begun: What the state has kept, see `begun`.
        held: What else depends on it: by the models at the start, how many of them may be left at most for something to
            be so.
    """
    if not begun:
        return begun
    counts = tuple(group.count for group in force.groups)
    ordinary = np.arange(counts[-1] + 1)
    bounds = None if held is None else tuple(held(ordinary + sum(counts[:-1])).tolist())
    return (_since(counts, who("spread"), bounds)[(*models, *begun)],)


@cache
def _since(counts: tuple[int, ...], spread: bool, bounds: tuple[int, ...] | None) -> Ints:
    """Return a table of it: by how many of each group are left, and by how many ordinary models there were."""
    *specials, left, ordinary = np.ogrid[*(slice(n + 1) for n in (*counts, counts[-1]))]
    marks = []
    if spread:
        for i, n, place in queue(counts[:-1]):
            stands = n > counts[i] - specials[i]
            marks.append(np.where(stands, np.clip(passed(place, ordinary) - ordinary, -left, 0), 0))
    if bounds is not None:
        marks.append(np.minimum(sum(specials) + left, np.array(bounds)[ordinary]))
    table = np.broadcast_to(ordinary, [n + 1 for n in (*counts, counts[-1])])
    for least in range(counts[-1], -1, -1):
        alike = np.broadcast_to(left <= least, table.shape).copy()
        for mark in marks:
            alike &= mark == mark[..., [least]]
        table = np.where(alike, least, table)
    return table


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

    Args:
        hurt: Wounds that one model already carries, less than `W`.
        wounds: Unsaved wounds.
        W: Wounds that a model can take.
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
    *,
    begun: Models = (),
) -> tuple[Models, Ints]:
    """Let models suffer unsaved wounds, one model after the other; return who is left and the wounds carried.

    Args:
        hurt: Wounds that one model already carries, less than it can take.
        wounds: Unsaved wounds.
    """
    dead, carried = killed(hurt, wounds, force.unit.W)
    after = fall(dice, who, force, models, dead, label, begun=begun)
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


def next_after(models: Models, n: Argument, order: Sequence[int]) -> Models:
    """Return the model that so many go before, in an order of preference: 1 of its group, or nobody."""
    return without(chosen(models, np.add(n, 1), order), chosen(models, np.asarray(n), order))


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

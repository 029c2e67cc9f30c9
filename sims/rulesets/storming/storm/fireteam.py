"""Who storms and who goes in: the party, the Fireteam and those in support."""

from collections.abc import Sequence
from math import ceil
from typing import Literal

import numpy as np

from sims.dice import Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models, total
from sims.inputs import Many, at_most
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.choosing import Way, in_ways
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.rulesets.storming.storm.access import viable
from sims.rulesets.storming.storm.support import armed_with
from sims.rulesets.storming.usual.structure import can_bring_down


def slots_of(book: Storming, *, jump: bool, large: bool) -> int:
    """Return how many slots of a Fireteam a model takes: more for jump infantry and for large bases (ST-025)."""
    single, double, twice = sizes(book)
    return twice if jump and large and book.rulings.double_twice("four") else double if jump or large else single


def sizes(book: Storming) -> tuple[int, int, int]:
    """Return the slots that a model may take: those of one that counts once, double, and twice double (ST-025)."""
    double = book.tables.fireteam.double
    return 1, double, double * double


def _slots(book: Storming, profile: Unit) -> int:
    return slots_of(book, jump=profile.kind == "jump infantry", large=profile.bulk >= book.tables.fireteam.double_bulk)


def pick(book: Storming, points: Argument, models: Models, slots: Sequence[int], most: Argument) -> Models:
    """Pick a Fireteam, going through groups in their order, as many of each as can go in (ST-024, ST-025).

    Slots come in powers of one number, so a Fireteam fits its access points just if, for each size, the models that
    large, counted in that size, are no more than the points have room for.

    Args:
        points: Viable access points.
        models: Those there are, by group.
        slots: What a model of each group takes, one of `sizes`.
        most: The most models that are sent.
    """
    each = book.tables.fireteam.slots
    bins, holds = (1, each * points) if book.rulings.slots("pooled") else (points, each)
    left = {size: bins * (holds // size) for size in sizes(book)}
    team = []
    for n, size in zip(models, slots, strict=True):
        fitting = [left[s] // (size // s) for s in left if s <= size]
        n = np.minimum(n, most)
        for room in fitting:
            n = np.minimum(n, room)
        most = most - n
        left = {s: room - n * (size // s) for s, room in left.items()}
        team.append(n)
    return tuple(team)


def sent(book: Storming, points: Argument, send: int | None = None) -> Ints:
    """Return how many models the attackers send in at most, of whom `send` by each point or all who can (ST-024)."""
    most = book.tables.fireteam.slots
    return np.asarray(points * (send if send and book.rulings.fireteam_choice("any_number") else most))


def fewest(book: Storming, points: Argument) -> Ints:
    """Return how few models the attackers may send in: one, if they choose how many (ST-024)."""
    return np.minimum(points, 1) if book.rulings.fireteam_choice("any_number") else sent(book, points)


@asks("ST-024", "ST-025", name="largest Fireteam")
def largest_fireteam(
    book: Storming,
    k: Many,
    small: Many = 0,
    big: Many = 0,
    very_big: Many = 0,
    first: Literal["small", "big"] = "small",
) -> Ints:
    """Return how many models can go in (ST-024, ST-025).

    Args:
        k: Viable access points.
        small: Models that take one slot.
        big: Models that take more: jump infantry, or on 40 mm bases.
        very_big: Jump infantry on 40 mm bases.
        first: Which are sent before the others.
    """
    slots = [slots_of(book, jump=jump, large=large) for jump, large in ((False, False), (False, True), (True, True))]
    groups = list(zip((np.array(small), np.array(big), np.array(very_big)), slots, strict=True))
    models, slots = zip(*(groups if first == "small" else groups[::-1]), strict=True)
    return total(pick(book, k, models, slots, sent(book, k)))


@asks("ST-024", "ST-026", name="supporters", needs=("ST-025",))
def supporters_left(
    book: Storming,
    models: Many,
    k: Many = 1,
    fireteam: int | None = None,
    big: Many = 0,
    very_big: Many = 0,
    first: Literal["small", "big"] = "small",
) -> int:
    """Return how many models stay in support (ST-024, ST-026).

    Args:
        models: Of the squad, those that take one slot.
        k: Viable access points.
        fireteam: Models sent in; as many as can go if not given.
        big: Models that take more: jump infantry, or on 40 mm bases.
        very_big: Jump infantry on 40 mm bases.
        first: Which are sent before the others.
    """
    largest = int(largest_fireteam(book, k, models, big, very_big, first))
    if fireteam is not None:
        at_most(largest, fireteam=fireteam)
    return int(models + big + very_big) - (largest if fireteam is None else fireteam)


def storm(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Storm: count the viable access points, pick the Fireteam and put it aside; the rest of the squad supports.

    Source: Storming Buildings (ST-023, ST-024, ST-025, ST-026, ST-027).
    """
    k = viable(scene.book, scene.access, total(state.attackers))
    dice.tally("viable access points", k)
    return state.replace(fireteam=fireteam(state.attackers, k, scene), distance=np.zeros_like(state.distance))


def fireteam(squad: Models, k: Ints, scene: Scene) -> Models:
    """Return who goes in: as many as are sent, or as few as may if the others are to drive the garrison out (ST-024).

    Template weapons stay in support, where they can be used. The leader goes first, unless ordinary models are to. When
    nobody has grenades or templates any more, as many go in as are sent.
    """
    scenario, groups = scene.scenario, scene.scenario.attackers.groups
    templates = [g.weapon is not None and g.weapon.kind == "template" for g in groups]
    down = -1 if scenario.first_in == "ordinary" else 1
    order = sorted(range(len(groups)), key=lambda i: (templates[i], down * i))
    storm = _team(squad, k, scene, order, sent(scene.book, k, scenario.send))
    if scenario.plan != "smoke":
        return storm
    few = _team(squad, k, scene, order, fewest(scene.book, k))
    armed = sum((n for g, n in zip(groups, squad, strict=True) if armed_with(g) != "nothing"), np.zeros(1, np.int64))
    return tuple(np.where(armed > 0, a, b) for a, b in zip(few, storm, strict=True))


def ways(scene: Scene) -> list[Way]:
    """Return the ways to go in that the attackers choose from: how many by each point, and who first (ST-024).

    With the smallest Fireteam they choose only whom it is of. If they bring the walls down first, they do not choose:
    hardly any model goes in.
    """
    scenario, rules = scene.scenario, scene.book.rulings
    if not scene.storming or (scenario.plan == "demolish" and can_bring_down(scene)):
        return []
    most = min(scene.book.tables.fireteam.slots, ceil(scenario.attackers.models / max(1, scene.access)))
    few = scenario.plan == "smoke" and any(armed_with(group) != "nothing" for group in scenario.attackers.groups)
    numbers = range(most, 0, -1) if rules.fireteam_choice("any_number") and not few else [most]
    alone = len(scenario.attackers.groups) == 1
    return in_ways(scenario, numbers, ["leader"] if alone else ["leader", "ordinary"])


def _team(squad: Models, k: Ints, scene: Scene, order: Sequence[int], most: Argument) -> Models:
    slots = [_slots(scene.book, scene.scenario.attackers.groups[i].profile) for i in order]
    team = pick(scene.book, k, tuple(squad[i] for i in order), slots, most)
    back = {group: place for place, group in enumerate(order)}
    return tuple(team[back[i]] for i in range(len(order)))

"""Weapons with an area that are fired at a unit in the open: markers that scatter over it, streams laid before it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sims.dice import Bools, Draw, Ints
from sims.dice.source import Argument
from sims.games.arap.allocation import Area, Attack
from sims.games.arap.areas.marker import ALL, Markers, marker
from sims.games.arap.areas.ranks import CLEAR, Lane, Ranks
from sims.games.arap.areas.template import Streams, stream, under_streams
from sims.games.arap.book import Arap, ArapWeapon
from sims.games.arap.rolls.circumstances import Circumstances, modifiers, skill_to_see
from sims.games.arap.rolls.hits import can_shoot, hit
from sims.games.arap.rolls.scatter import three_dice
from sims.games.arap.rolls.wounds import Saves, to_wound, unsaved
from sims.games.arap.shooting import AREAS, Shooter, goal_of_shot, grenade
from sims.profiles import Unit, Weapon
from sims.scenario import Group

Under = tuple[Markers | Streams, tuple[Argument, ...]]
"""How many models are hit by something with an area: a mechanic without tests, and its arguments."""


class Aim(NamedTuple):
    """The unit that is fired at: how it stands, how many there are, how far off, and what is before it.

    Attributes:
        distance: Inches to its first rank, ``[R]``.
    """

    ranks: Ranks
    models: Ints
    distance: Ints
    lane: Lane = CLEAR


def areas(book: Arap, shooters: Iterable[Shooter], target: Unit, aim: Aim, of: Circumstances) -> list[Attack]:
    """Return the markers and streams that a unit fires at another in the open, whose models have one profile.

    Nobody corrects the aim of a stream.

    Args:
        of: What they are fired in, but for cover, which counts by who is hit.
    """
    found = list[Attack]()
    for group, n, each in shooters:
        weapon, BS = group.weapon, group.profile.BS
        if weapon is None or weapon.kind not in AREAS or not can_shoot(BS):
            continue
        if weapon.kind == "blast":
            draws = markers(book, weapon, n * each, aim, BS + modifiers(book, replace(of, area=True)))
        else:
            skill = skill_to_see(book, BS, aim.lane.smoke) + modifiers(book, replace(of, corrected=False))
            draws = streams(book, weapon, n * each, aim, skill)
        found += (hits(book, group, weapon, target, aim, draw) for draw in draws)
    return found


def areas_at_chargers(book: Arap, shooters: Iterable[Shooter], target: Unit, aim: Aim, skill: Argument) -> list[Attack]:
    """Return the markers and streams at those who charge, who stand where they begin or nearer (ARAP-187).

    A stream meets them as if they stood no farther off than some inches, a marker no farther than it reaches. Where it
    scatters on its own side nobody is hit.
    """
    found = list[Attack]()
    for group, n, each in shooters:
        weapon = group.weapon
        if weapon is None or weapon.kind not in AREAS or not can_shoot(group.profile.BS):
            continue
        most = weapon.range if weapon.kind == "blast" else book.tables.fire.stand_and_fire_template
        near = aim._replace(distance=np.minimum(aim.distance, most))
        fired = markers if weapon.kind == "blast" else streams
        found += (hits(book, group, weapon, target, near, draw) for draw in fired(book, weapon, n * each, near, skill))
    return found


def grenades(book: Arap, throwers: Sequence[Shooter], target: Unit, aim: Aim, of: Circumstances) -> list[Attack]:
    """Return the hand grenades that are thrown at a unit in the open: over walls, and through smoke, which is near.

    Source: Hand Grenades; High-Trajectory and Indirect Fire (ARAP-157, ARAP-158, ARAP-161).
    """
    if not throwers:
        return []
    weapon, ways = grenade(book), replace(of, thrown="grenade", area=True, corrected=False)
    score, laid = score_of(book, aim), marker(book, weapon, aim.ranks, aim.lane.walls)
    found = list[Attack]()
    for group, n, each in throwers:
        throw = hit(book, group.profile.BS, modifiers(book, ways))
        way = replace(laid, over=True, thrown=throw.tests[0])
        needs = throw.targets[0]
        under = way, (n * each, aim.models, way.as_far(aim.distance, needs), needs, score)
        found.append(hits(book, replace(group, weapon=weapon), weapon, target, aim, under))
    return found


def score_of(book: Arap, aim: Aim) -> Ints:
    """Return the score of the die at which each model under a marker is hit whom no wall protects (ARAP-150)."""
    table = book.tables.markers
    return np.array([ALL, table.soft, table.hard])[aim.lane.ground]


def hits(book: Arap, group: Group, weapon: Weapon, target: Unit, aim: Aim, under: Under) -> Attack:
    """Return the unsaved wounds of those who are hit by markers or streams."""
    mechanic, arguments = under
    goal = goal_of_shot(book, weapon, group.profile, target.T, aim.distance, aim.lane.smoke)
    harm = to_wound(goal).then(unsaved(book, Saves.of(target, weapon.AP)))
    wounds = Draw(replace(mechanic, tests=harm.tests, who=group.title), (*arguments, *harm.targets))
    return Attack(wounds, area=Area(Draw(mechanic, arguments), harm, mechanic.counts))


def markers(book: Arap, weapon: Weapon, n: Ints, aim: Aim, skill: Argument) -> Iterator[Under]:
    """Yield how many models are hit by markers, where they are seen, and where smoke hides them.

    Source: Area Weapons; Hidden Targets (ARAP-147 to ARAP-150, ARAP-152, ARAP-153, ARAP-160, ARAP-163).
    """
    seen, score = marker(book, weapon, aim.ranks, aim.lane.walls), score_of(book, aim)
    ways: list[tuple[Markers, Bools]] = [(seen, ~aim.lane.smoke)]
    if aim.lane.smoke.any():
        ways.append((replace(seen, hidden=three_dice(book)[0]), aim.lane.smoke))
    for way, where in ways:
        less = 0 if way.hidden else skill
        yield way, (n * where, aim.models, way.as_far(aim.distance, less), less, score)


def streams(book: Arap, weapon: Weapon, n: Ints, aim: Aim, skill: Argument) -> Iterator[Under]:
    """Yield how many models are hit by streams.

    Source: Template and Torrent Weapons; Hidden Targets (ARAP-142, ARAP-144, ARAP-146, ARAP-162).
    """
    torrent, ground = ArapWeapon.of(weapon).torrent, aim.lane.ground
    under = under_streams(book, aim.ranks, aim.lane.walls, torrent, aim.models, aim.distance, ground)
    yield stream(book, n, skill, under)

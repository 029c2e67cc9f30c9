"""Fire of the 6th edition: which weapons may be fired, Snap Shots, Overwatch, emplaced weapons, and templates."""

import numpy as np

from sims.dice import Bools, Draw, Ints, without_a_roll
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.wh40k.book import Sixth
from sims.games.wh40k.rules import ANY_BS, Attack, Hit, Target, limited_shot, shooting, shots
from sims.inputs import Count, Many, Skill, Truth
from sims.profiles import Weapon
from sims.questions import asks
from sims.scenario import Force

LIGHT = ("pistol", "assault", "template")
"""Kinds of weapons that may be fired before a charge in the same turn, in either edition."""
STANDING = ("heavy", "blast")
"""Kinds that may not be moved and fired: blast weapons, whose profile does not say, are heavy ones."""


def may_fire(weapon: Weapon, moved: Argument = False, charging: Argument = False) -> Bools:
    """Return where a weapon may be fired by those who have moved, or are about to charge, in the same turn."""
    stood = np.logical_not(moved) | (weapon.kind not in STANDING)
    return stood & (np.logical_not(charging) | (weapon.kind in LIGHT))


def able(force: Force, models: Models, moved: Argument = False, charging: Argument = False) -> Models:
    """Return how many models of each group may fire what they have."""
    return tuple(
        n * may_fire(group.weapon, moved, charging) if group.weapon else n
        for group, n in zip(force.groups, models, strict=True)
    )


@asks("BASE-004", name="Snap Shots")
def hits_by_snap_shots(book: Sixth, shots: Many = 1, BS: Skill = 4) -> Draw:
    """Return the hits of Snap Shots (BASE-004).

    Args:
        BS: The shooters' own Ballistic Skill.
    """
    return limited_shot(book, BS, best_BS(book, True)).times(shots)


def best_BS(book: Sixth, snap_shots: Argument) -> Ints:
    """Return the best Ballistic Skill that may be used: that of Snap Shots, where one is limited to them (BASE-004)."""
    return np.where(snap_shots > 0, book.tables.snap_shots.BS, ANY_BS)


def in_the_open(book: Sixth, force: Force, shooters: Models, distance: Ints, snap_shots: Argument = 0) -> list[Attack]:
    """Return what some models fire at others in the open; templates are no Snap Shots.

    Source: 40k (BASE-002, BASE-004; partly BASE-007).
    """
    aimed = snap_shots == 0
    fired = shooting(book, force, shooters, distance, BS=best_BS(book, snap_shots))
    return [*fired, *_templates(book, force, tuple(n * aimed for n in shooters), distance)]


def overwatch(book: Sixth, force: Force, models: Models, distance: Ints) -> list[Attack]:
    """Return what those who are charged fire: Snap Shots, and templates.

    Source: 40k 6th edition (BASE-004, BASE-008).
    """
    fired = shooting(book, force, models, distance, BS=best_BS(book, True))
    return [*fired, *_templates(book, force, models, distance)]


def fires_overwatch(book: Sixth) -> bool:
    """Return whether those who are charged fire Overwatch (BASE-008)."""
    return book.rulings.overwatch("snap_shots")


def _templates(book: Sixth, force: Force, laid: Models, distance: Ints) -> list[Attack]:
    return [
        Attack(
            under_templates(book, n * shots(book, group.weapon, distance)).by(group.title),
            Hit.of(group.weapon, group.profile),
        )
        for group, n in zip(force.groups, laid, strict=True)
        if group.weapon is not None and group.weapon.kind == "template"
    ]


def under_templates(book: Sixth, n: Argument) -> Draw:
    """Return the hits of so many templates on those in the open (BASE-008)."""
    return without_a_roll(n).hitting(book.tables.overwatch.template_hits)


@asks("BASE-008", name="templates as Overwatch")
def templates(book: Sixth, n: Count, by: Hit, at: Target) -> Draw:
    """Return the unsaved wounds of templates on those who charge, or on others in the open (BASE-008).

    Args:
        n: Templates.
    """
    return Attack(under_templates(book, n), by).unsaved(book, at)


@asks("BASE-024", name="fire of emplaced weapons")
def emplaced(
    book: Sixth,
    shots: Many,
    by: Hit,
    at: Target,
    twin_linked: bool = False,
    snap_shots: Truth = False,
    BS: int | None = None,
    machine_spirit: bool = False,
) -> Draw:
    """Return the unsaved wounds of emplaced weapons at those in the open (BASE-024).

    Args:
        shots: Of all weapons together.
        twin_linked: Whether the weapons are twin-linked.
        snap_shots: Whether they are limited to Snap Shots.
        BS: Ballistic Skill of who mans them; if not given they fire by themselves.
        machine_spirit: Whether those that fire by themselves have the upgrade Magos Machine Spirit.
    """
    return Attack(emplaced_hits(book, shots, twin_linked, snap_shots, BS, machine_spirit), by).unsaved(book, at)


def emplaced_hits(
    book: Sixth,
    shots: Argument,
    twin_linked: bool = False,
    snap_shots: Argument = False,
    BS: int | None = None,
    machine_spirit: bool = False,
) -> Draw:
    """Return the hits of emplaced weapons, with inputs of `emplaced` (BASE-024)."""
    table = book.tables.automated_fire
    alone = table.machine_spirit if machine_spirit else table.BS
    return limited_shot(book, alone if BS is None else BS, best_BS(book, snap_shots), twin_linked).times(shots)


def crew(book: Sixth, idle: Argument) -> Ints:
    """Return how many of those who are idle inside man emplaced weapons (BASE-024)."""
    return np.asarray(idle) * book.rulings.emplaced_weapons("manned")


def burns_inside(book: Sixth, firing_points: Argument) -> Bools:
    """Return where templates reach those inside a building (BASE-028)."""
    return (np.asarray(firing_points) > 0) & book.rulings.templates_at_fire_points("D6_hits")


@asks("BASE-028", name="templates at fire points")
def through_fire_points(book: Sixth, n: Count, by: Hit, at: Target, firing_points: Count = 1) -> Draw:
    """Return the unsaved wounds of templates on those inside a building with fire points (BASE-028).

    Args:
        n: Templates that hit the building.
        firing_points: Of the building.
    """
    return Attack(hits_through_fire_points(book, n, firing_points), by).unsaved(book, at)


def hits_through_fire_points(book: Sixth, n: Argument, firing_points: Argument) -> Draw:
    """Return the hits of so many templates on those inside a building with fire points (BASE-028)."""
    reach = np.where(burns_inside(book, firing_points), n, 0)
    return without_a_roll(reach).hitting(book.tables.fire_points.template_hits)

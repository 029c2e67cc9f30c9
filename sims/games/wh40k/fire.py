"""Fire at models in the open: which weapons may be fired, Snap Shots, Overwatch, and templates among single shots."""

import numpy as np

from sims.dice import Bools, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.wh40k.book import Sixth
from sims.games.wh40k.rules import ANY_BS, Hit, Target, hurt, limited_shot, shooting, shots
from sims.profiles import Unit, Weapon
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


def best_BS(book: Sixth, snap_shots: Argument) -> Ints:
    """Return the best Ballistic Skill that may be used: that of Snap Shots, where one is limited to them (BASE-004)."""
    return np.where(snap_shots > 0, book.tables.snap_shots.BS, ANY_BS)


def in_the_open(
    book: Sixth, force: Force, shooters: Models, target: Unit, distance: Ints, snap_shots: Argument = 0
) -> list[Draw]:
    """Return what some models fire at others in the open; templates are no Snap Shots.

    Source: 40k (BASE-002, BASE-011, BASE-013; partly BASE-004, partly BASE-007).
    """
    at, aimed = Target.of(target), snap_shots == 0
    draws = shooting(book, force, shooters, at, distance, BS=best_BS(book, snap_shots))
    laid = tuple(n * aimed for n in shooters)
    return [*draws, *_templates(book, force, laid, at, distance)]


def overwatch(book: Sixth, force: Force, models: Models, target: Unit, distance: Ints) -> list[Draw]:
    """Return what those who are charged fire: Snap Shots, and templates.

    Source: 40k 6th edition (partly BASE-004, partly BASE-008).
    """
    at = Target.of(target)
    draws = shooting(book, force, models, at, distance, BS=best_BS(book, True))
    return [*draws, *_templates(book, force, models, at, distance)]


def _templates(book: Sixth, force: Force, laid: Models, at: Target, distance: Ints) -> list[Draw]:
    hits = book.tables.overwatch.template_hits
    return [
        hurt(book, Hit.of(group.weapon, group.profile), at)
        .hitting(hits)
        .times(n * shots(book, group.weapon, distance))
        .by(group.title)
        for group, n in zip(force.groups, laid, strict=True)
        if group.weapon is not None and group.weapon.kind == "template"
    ]


def automated_shot(book: Sixth, twin_linked: bool, snap_shots: Argument) -> Draw:
    """Return a shot that hits, of an emplaced weapon that nobody mans (partly BASE-004, partly BASE-024)."""
    return limited_shot(book, book.tables.automated_fire.BS, best_BS(book, snap_shots), twin_linked)


def through_fire_points(book: Sixth, templates: Argument, by: Hit, at: Target) -> Draw:
    """Return the unsaved wounds of templates on those inside a building with fire points (partly BASE-028)."""
    return hurt(book, by, at).hitting(book.tables.fire_points.template_hits).times(templates)

"""Shooting: what a weapon does for an action point, and the chain of a shot from hit to save."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sims.dice import HIGH, Bools, Ints, Mechanic, Test, Total, Volley, rerolled
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.hits import hit_target, to_hit
from sims.games.arap.measuring import short_range, within
from sims.games.arap.tables import Fire
from sims.games.arap.wounds import NO_SAVE, armour_save, goal_where_allowed, melta_wound, wound_goal
from sims.profiles import Unit, Weapon
from sims.scenario import Group

DIRECT = ("pistol", "assault", "rapid fire", "heavy")
"""Weapons that roll to hit for each shot; templates and blasts do not."""


def shots(table: Fire, weapon: Weapon, distance: Argument, points: Argument) -> Ints:
    """Return the shots of a weapon for some action points (ARAP-103; partly ARAP-102).

    A rapid-fire weapon has one more for each point at half range, a pistol one in all; a heavy weapon takes two points
    and fires once a turn. Templates and blasts do not count shots.
    """
    points = np.asarray(points)
    match weapon.kind:
        case "rapid fire":
            n = points * (weapon.shots + np.where(half_range(weapon, distance), table.rapid_fire_extra, 0))
        case "assault":
            n = points * weapon.shots
        case "pistol":
            n = points
        case "heavy":
            n = np.where(points >= table.heavy_points, weapon.shots, 0)
        case _:
            n = np.zeros_like(points)
    return np.asarray(np.where(within(distance, weapon.range), n, 0))


def half_range(weapon: Weapon, distance: Argument) -> Bools:
    """Return whether a target is at half range or nearer."""
    return within(2 * np.asarray(distance), weapon.range)


def save_goals(target: Unit, AP: int | None, *, both: bool) -> tuple[int, ...]:
    """Return the goals of the saves that a model takes, one after the other (ARAP-120, ARAP-121).

    Armour is pierced by an AP that is equal or lower; an invulnerable save is not. With `both` they are taken in turn,
    else the better one counts alone.
    """
    armour = target.Sv if target.Sv is not None and (AP is None or target.Sv < AP) else NO_SAVE
    proof = NO_SAVE if target.invulnerable is None else target.invulnerable
    return (armour, proof) if both and proof != NO_SAVE else (min(armour, proof),)


def wounding(rules: Arap, weapon: Weapon, distance: Argument) -> list[tuple[Test, Bools]]:
    """Return the wound rolls of a weapon, each with where it is used: melta weapons have another at half range."""
    if not weapon.melta:
        return [(HIGH, np.ones(1, dtype=np.bool_))]
    close = half_range(weapon, distance)
    return [(melta_wound(rules), close), (HIGH, ~close)]


def goal_of_shot(rules: Arap, weapon: Weapon, bearer: Unit, T: int, distance: Argument) -> Ints:
    """Return the goal to wound of a shot; goals of 8 and 9 can be tried at short range only (partly ARAP-118)."""
    close = within(distance, short_range(rules, weapon.range))
    return goal_where_allowed(rules, wound_goal(rules, weapon.strength(bearer), T), close)


@dataclass(frozen=True)
class Salvo:
    """The shots of like models, thrown for together: how many models, shots of each, and the tests with their targets.

    `who` shoots; the first test is the roll to hit.
    """

    who: str
    tests: tuple[Test, ...]
    models: Argument
    shots: Argument
    targets: tuple[Argument, ...]


def salvoes(
    rules: Arap,
    shooters: Iterable[tuple[Group, Ints, Ints]],
    target: Unit,
    distance: Argument,
    modifier: Argument,
    *,
    both: bool,
    BS: int | None = None,
) -> list[Salvo]:
    """Return the shooting of a unit at models with one profile: each shot hits, wounds and is not saved.

    Like fighters are thrown for together, others apart (ARAP-106, ARAP-118, ARAP-123; partly ARAP-107).

    Parameters
    ----------
    rules : Arap
    shooters : iterable
        Groups, how many of each shoot, and the shots of each model.
    target : Unit
    distance : array
        Inches to the target.
    modifier : array
        What is added to Ballistic Skill.
    both : bool
        Whether armour and invulnerable saves are taken in turn.
    BS : int, optional
        What everybody fires at instead of their own Ballistic Skill.
    """
    found: list[Salvo] = []
    for group, models, each in shooters:
        weapon = group.weapon
        if weapon is None or weapon.kind not in DIRECT or group.profile.BS == 0:
            continue
        hitting = rerolled(to_hit(rules)) if weapon.twin_linked else to_hit(rules)
        to = hit_target(rules, group.profile.BS if BS is None else BS, modifier)
        goal = goal_of_shot(rules, weapon, group.profile, target.T, distance)
        saves = save_goals(target, weapon.AP, both=both)
        for test, where in wounding(rules, weapon, distance):
            tests = (hitting, test, *(armour_save(rules).failed for _ in saves))
            found.append(Salvo(group.title, tests, models * where, each, (to, goal, *saves)))
    return found


def volley(together: Iterable[Salvo]) -> tuple[Total, list[Argument]]:
    """Return salvoes as one total of unsaved wounds, to be drawn."""
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for salvo in together:
        parts.append(Volley(salvo.tests, who=salvo.who))
        fired: Ints = np.asarray(salvo.models) * np.asarray(salvo.shots)
        arguments += [fired, *salvo.targets]
    return Total(tuple(parts)), arguments

"""Shooting: what a weapon does for an action point, and the chain of a shot from hit to save."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, Volley, rerolled
from sims.dice.source import Argument
from sims.forces import total
from sims.games.arap.activation import successes
from sims.games.arap.allocation import Against, Attack, Marks, damage_of
from sims.games.arap.book import Arap, ArapUnit, ArapWeapon
from sims.games.arap.moving.measuring import at_short_range, within
from sims.games.arap.nerve.leadership import is_unrolled
from sims.games.arap.nerve.pinning import pinning, pinning_tests
from sims.games.arap.nerve.suppression import Hits
from sims.games.arap.rolls.circumstances import laser_through_smoke, skill_to_see
from sims.games.arap.rolls.hits import Modifiers, can_shoot, hit
from sims.games.arap.rolls.wounds import Saves, goal_where_allowed, melta, to_wound, unsaved, wound_goal
from sims.games.arap.unit import PINNED, PINNED_NEXT, RUNS, Band, Wounds, is_pinned
from sims.inputs import Count, Inches, Initiative, Number, Skill
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Force, Group

DIRECT = ("pistol", "assault", "rapid fire", "heavy")
"""Weapons that roll to hit for each shot; templates and blasts do not."""
AREAS = ("blast", "template")
"""Weapons that hit whoever is in an area."""
FIRED = (*DIRECT, *AREAS)
"""Weapons that are fired."""
AT_ONCE = 0
"""The only shooting of a unit, with all of its points."""
Each = Annotated[int, Number("Shots.", 1, 12)]
Range = Annotated[int, Number("Inches.", 0, 120)]
Shooter = tuple[Group, Ints, Ints]
"""A group, how many of its models shoot, and the shots of each."""


def shots(book: Arap, weapon: Weapon, distance: Argument, points: Argument, relentless: bool = False) -> Ints:
    """Return the shots of a weapon for some action points (ARAP-102, ARAP-103, ARAP-105).

    A rapid-fire weapon has one more for each point at half range, a pistol one in all; a heavy weapon takes two points
    and fires once a turn, and so does one that is slow, is ordnance or has a marker. A salvo is so many shots at half
    range for one point, and more at any range for two. A template is laid down for each point, or once.

    Args:
        distance: Inches to the target.
        relentless: Whether its bearer is Relentless.
    """
    points, table, own = np.asarray(points), book.tables.fire, ArapWeapon.of(weapon)
    near = half_range(book, weapon, distance)
    kind = "salvo" if own.salvo else "heavy" if own.slow or own.ordnance else weapon.kind
    match kind if weapon.kind in FIRED else weapon.kind:
        case "salvo":
            for_one, for_two = own.salvo or (0, 0)
            n = points // 2 * np.maximum(for_two, 2 * near * for_one) + points % 2 * near * for_one
        case "rapid fire":
            far = table.relentless_range
            extra = near | within(far.denominator * distance, far.numerator * weapon.range) if relentless else near
            n = points * (weapon.shots + np.where(extra, table.rapid_fire_extra, 0))
        case "assault":
            n = points * weapon.shots
        case "pistol":
            n = points
        case "heavy" | "blast":
            n = heavy_shots(weapon.shots, points, points_to_fire(book, weapon, relentless))
        case "template":
            n = weapon.shots * (np.minimum(points, 1) if book.rulings.template_shots("once") else points)
        case _:
            n = np.zeros_like(points)
    return np.where(within(distance, range_of(weapon)), n, 0)


def range_of(weapon: Weapon) -> int:
    """Return how many inches a weapon reaches: that of a torrent may begin farther off (ARAP-146)."""
    return weapon.range + (ArapWeapon.of(weapon).torrent if weapon.kind == "template" else 0)


def shots_of(book: Arap, group: Group, distance: Argument, points: Argument, smoke: Argument = False) -> Ints:
    """Return the shots of each model of a group for some action points; smoke may stop those of lasers (ARAP-113)."""
    if group.weapon is None:
        return np.zeros_like(np.asarray(points))
    strong = strength_of_shot(book, group.weapon, group.profile, smoke) > 0
    return strong * shots(book, group.weapon, distance, points, is_relentless(group))


def is_relentless(group: Group) -> bool:
    """Return whether the models of a group are Relentless (ARAP-105)."""
    return ArapUnit.of(group.profile).relentless


def points_to_fire(book: Arap, weapon: Weapon, relentless: bool = False) -> int:
    """Return the action points that a heavy weapon takes (ARAP-102, ARAP-105)."""
    table = book.tables.fire
    if ArapWeapon.of(weapon).ordnance:
        return table.ordnance_points if book.rulings.ordnance("three") else table.heavy_points
    return table.relentless_points if relentless else table.heavy_points


@asks("ARAP-102", "ARAP-105", name="shots for action points")
def shots_for(
    book: Arap,
    kind: Literal["pistol", "assault", "rapid fire", "heavy", "slow", "ordnance", "salvo"],
    points: Count,
    shots_each: Each = 1,
    salvo: Each = 1,
    range: Range = 24,
    distance: Inches = 24,
    relentless: bool = False,
) -> Ints:
    """Return the shots of a weapon for some action points (ARAP-102, ARAP-105).

    Args:
        kind: The type of the weapon.
        points: Action points of its bearer.
        shots_each: Shots on its profile; of a salvo those for one point.
        salvo: Of a salvo, the shots for two points.
        range: Of the weapon.
        distance: Inches to the target.
        relentless: Whether its bearer is Relentless.

    Raises:
        ValueError: If a salvo has fewer shots for two points than for one.
    """
    if kind == "salvo" and salvo < shots_each:
        raise ValueError(f"a salvo has no fewer shots for two points than for one; got {salvo} and {shots_each}")
    both = (int(shots_each), int(salvo)) if kind == "salvo" else None
    own = ArapWeapon(salvo=both, slow=kind == "slow", ordnance=kind == "ordnance")
    plain: Any = "heavy" if kind in ("slow", "ordnance", "salvo") else kind
    weapon = Weapon(title="", kind=plain, shots=int(shots_each), range=int(range)).with_own(own)
    return shots(book, weapon, distance, points, relentless)


@asks("ARAP-105", name="points for a heavy weapon")
def heavy_points(book: Arap, relentless: bool = False) -> int:
    """Return the action points that a heavy weapon takes (ARAP-102, ARAP-105).

    Args:
        relentless: Whether its bearer is Relentless.
    """
    return points_to_fire(book, Weapon(title="", kind="heavy"), relentless)


@asks("ARAP-102", name="heavy weapon can fire", needs=("ARAP-046",))
def can_fire_heavy(book: Arap, I: Initiative, dice: Count = 3) -> Fraction:
    """Return the chance that a unit has the action points for a heavy weapon (ARAP-102).

    Args:
        I: Its Initiative.
        dice: Activation dice that it throws.
    """
    return successes(book, I, dice).pmf.at_least(heavy_points(book))


@asks("ARAP-103", name="shots of a heavy weapon")
def heavy_shots(shots: Count, points: Count, needed: Count) -> Ints:
    """Return the shots of a heavy weapon in a turn: its number once, whatever points are left (ARAP-103).

    Args:
        shots: On its profile.
        points: Action points of its bearer.
        needed: Action points that it takes: two, or one if its bearer is Relentless.
    """
    return np.where(points >= needed, shots, 0)


@asks("ARAP-106", name="shot to hit", needs=("ARAP-005",), ask="P(=1)")
def shot_roll(book: Arap, BS: Skill, modifiers: Modifiers = 0) -> Draw:
    """Return the roll to hit of a shot, which nobody has whose Ballistic Skill is 0 (ARAP-106).

    Args:
        BS: Ballistic Skill, as on the profile.
    """
    return hit(book, BS, modifiers).times(can_shoot(BS))


def shootings(book: Arap, most: int) -> tuple[int, ...]:
    """Return the shootings of a unit that has so many action points for it: one with each, or `AT_ONCE` (ARAP-102)."""
    return tuple(range(1, most + 1)) if book.rulings.shooting_actions("one_by_one") else (AT_ONCE,)


def in_shooting(nth: int, points: Argument, shots_of: Callable[[Argument], Ints], aims: Argument = 0) -> Ints:
    """Return what is shot in one shooting of a unit, of what some action points are good for (ARAP-052, ARAP-102).

    Args:
        nth: The shooting, counted from 1, or `AT_ONCE`.
        points: What the unit gives to shooting: as many as there are shootings, or more.
        shots_of: What so many points are good for.
        aims: How many points go to an Aim action first (ARAP-104).
    """
    if nth == AT_ONCE:
        return shots_of(points - aims)
    after_aim = nth - np.asarray(aims)
    return shots_of(after_aim) - shots_of(np.maximum(after_aim - 1, 0))


def takes_aim(book: Arap, groups: Sequence[Group], distance: Ints, points: Ints) -> Ints:
    """Return the points that a unit that only shoots gives to an Aim action, if all can fire all the same (ARAP-104).

    Args:
        distance: Inches to the enemy.
        points: What it gives to shooting.
    """
    if book.rulings.aim_actions("no"):
        return np.zeros_like(points)
    needed = [points_to_shoot(book, group, distance) for group in groups]
    return (points > np.max(needed, axis=0)).astype(np.int64)


def is_aimed(book: Arap, group: Group, distance: Ints, nth: int, aims: Ints) -> Ints:
    """Return where a shooting is the first after an Aim action, or the only one (ARAP-104).

    Args:
        group: The ordinary models of the unit, for whose weapon it aims.
    """
    return aims * ((nth == AT_ONCE) | (nth - aims == points_to_shoot(book, group, distance)))


def points_to_shoot(book: Arap, group: Group, distance: Ints) -> Ints:
    """Return the fewest action points with which a group fires so far; one if it cannot (ARAP-102)."""
    fires = [shots_of(book, group, distance, points) > 0 for points in (1, 2, 3)]
    return np.select(fires, [np.full_like(distance, points) for points in (1, 2, 3)], 1)


def shoots(nth: int, points: Ints) -> Bools:
    """Return where a unit has the points for a shooting."""
    return points >= max(nth, 1)


def is_last(nth: int, points: Ints) -> Bools:
    """Return where no shooting comes after this one."""
    return (points <= nth) | (nth == AT_ONCE)


@asks("ARAP-156", name="who throws grenades")
def throwing(book: Arap, models: Count) -> Ints:
    """Return how many models of a unit may throw grenades in a turn: a quarter, rounded up (ARAP-156).

    Args:
        models: Models in the unit.
    """
    return np.asarray(-(-np.asarray(models) // book.tables.grenades.share))


def throws(book: Arap, throwers: Argument, points: Argument) -> Ints:
    """Return how many grenades some models throw for some action points (ARAP-156)."""
    return np.asarray(throwers) * np.asarray(np.minimum(points, 1) if book.rulings.grenade_throws("once") else points)


def grenade(book: Arap) -> Weapon:
    """Return what is thrown."""
    table = book.tables.grenades
    return Weapon(title="grenade", kind="blast", blast=3, range=table.range, S=table.S)


def half_range(book: Arap, weapon: Weapon, distance: Argument) -> Bools:
    """Return whether a target is at half range or nearer."""
    return within(book.tables.short_range.share * distance, weapon.range)


def small_group(book: Arap, force: Force, models: Argument) -> Argument:
    """Return how many models are fired at, as far as they are no larger than those of a small group (ARAP-107)."""
    largest = max(ArapUnit.of(group.profile).size for group in force.groups)
    return models if largest <= book.tables.fire.small_group_size else 0


def reaches(group: Group, distance: Ints) -> Bools:
    """Return whether a group has a weapon that reaches so far (partly ARAP-099)."""
    weapon = group.weapon
    if weapon is None or weapon.kind not in FIRED:
        return np.zeros_like(distance, dtype=np.bool_)
    return within(distance, range_of(weapon))


def strength_of_shot(book: Arap, weapon: Weapon, bearer: Unit, smoke: Argument = False) -> Argument:
    """Return the Strength of a shot: smoke takes some of that of a laser, or all of it (ARAP-113)."""
    S = weapon.strength(bearer)
    lost = ArapWeapon.of(weapon).laser and np.any(smoke)
    return np.where(smoke, laser_through_smoke(book, S), S) if lost else S


def goal_of_shot(book: Arap, weapon: Weapon, bearer: Unit, T: int, distance: Argument, smoke: Argument = False) -> Ints:
    """Return the goal to wound of a shot; goals of 8 and 9 can be tried at short range only (ARAP-118).

    Args:
        smoke: Whether it goes through smoke.
    """
    close = at_short_range(book, distance, range_of(weapon))
    return goal_where_allowed(book, wound_goal(book, strength_of_shot(book, weapon, bearer, smoke), T), close)


def wounds_of_shot(book: Arap, weapon: Weapon, goal: Ints, distance: Argument) -> list[tuple[Draw, Bools]]:
    """Return the wound rolls of a weapon, each with where it is used: melta weapons have another at half range."""
    if not weapon.melta:
        return [(to_wound(goal), np.ones(1, dtype=np.bool_))]
    close = half_range(book, weapon, distance)
    return [(melta(book, goal), close), (melta(book, goal, close=False), ~close)]


@dataclass(frozen=True)
class Salvo:
    """The shots of like models, thrown for together: who shoots, with what, how many, shots of each, what one does.

    The first test is the roll to hit.
    """

    who: str
    weapon: Weapon | None
    models: Argument
    shots: Argument
    shot: Draw

    @property
    def attack(self) -> Attack:
        """The unsaved wounds, and their Damage."""
        return Attack(self.shot.times(self.models * self.shots).by(self.who), damage_of(self.weapon), aimed=True)


def salvoes(
    book: Arap,
    shooters: Iterable[Shooter],
    target: Unit,
    distance: Argument,
    modifier: Argument,
    BS: Argument | None = None,
    smoke: Argument = False,
) -> list[Salvo]:
    """Return the shooting of a unit at models with one profile: each shot hits, wounds and is not saved.

    Like fighters are thrown for together, others apart (ARAP-106, ARAP-118, ARAP-107, ARAP-113, ARAP-123, ARAP-162).

    Args:
        distance: Inches to the target.
        modifier: What is added to Ballistic Skill.
        BS: What everybody fires at instead of their own Ballistic Skill.
        smoke: Whether they fire through smoke, and do not see the target.
    """
    found: list[Salvo] = []
    for group, models, each in shooters:
        weapon = group.weapon
        if weapon is None or weapon.kind not in DIRECT or not can_shoot(group.profile.BS):
            continue
        aimed = hit(book, skill_to_see(book, group.profile.BS, smoke) if BS is None else BS, modifier)
        if weapon.twin_linked:
            aimed = Draw(Volley((rerolled(*aimed.tests),)), aimed.arguments)
        goal = goal_of_shot(book, weapon, group.profile, target.T, distance, smoke)
        through = unsaved(book, Saves.of(target, weapon.AP))
        for wounds, where in wounds_of_shot(book, weapon, goal, distance):
            found.append(Salvo(group.title, weapon, models * where, each, aimed.then(wounds).then(through)))
    return found


def under_fire(
    dice: Dice,
    book: Arap,
    unit: Band,
    at: Marks,
    quiet: Against | None,
    loud: Against | None,
    guns: Argument,
    Ld: Argument,
    own_turn: bool,
    rerolls: bool = False,
    hits: Hits | None = None,
) -> tuple[Wounds, Ints, Hits | None]:
    """Let a unit be shot at, and test for pinning; return its unsaved wounds, how long it is pinned, and the hits.

    Who is pinned pays in his next turn, which is not the one that goes on.

    Source: Roll for Damage; Pinned and Pinning Tests (ARAP-127, ARAP-129, ARAP-130).

    Args:
        at: Those of the unit who can be fired at.
        quiet, loud: Shots of weapons that cause no pinning test, and of those that do.
        guns: How many of the latter there are.
        Ld: The Leadership of the unit.
        own_turn: It is shot at in its own turn.
        rerolls: It knows no fear, and rolls failed tests again (ARAP-210).
        hits: Those so far in this turn, where hits are counted.
    """
    wounds = at.nothing
    if quiet:
        wounds, made = at.struck(dice, "shots", quiet, None if hits is None else hits.matter)
        hits = None if hits is None else hits.more(made)
    if not loud:
        return at.by_body(wounds), unit.pinned, hits
    heard, made = at.after(wounds).struck(dice, "shots that pin", loud, None if hits is None else hits.matter)
    hits = None if hits is None else hits.more(made)
    spared = is_pinned(unit.pinned) | (unit.routs == RUNS) | is_unrolled(book, at.force, "pinning")
    tests = np.where(spared, 0, pinning_tests(book, total(heard), guns))
    failed = pinning(book, tests, Ld, rerolls=rerolls).passed(dice, "pinning test")
    return at.by_body(wounds, heard), np.where(failed, PINNED_NEXT if own_turn else PINNED, unit.pinned), hits

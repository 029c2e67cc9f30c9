"""Locked doors: forcing them open, and hacking or smashing their locks."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Draw, once
from sims.dice.source import Argument
from sims.forces import Models, best, next_after, total
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.characteristics import plain_test
from sims.games.arap.rolls.wounds import wound
from sims.inputs import Chance, Count, Leadership, Strength
from sims.questions import asks
from sims.rulesets.gemini import plans
from sims.rulesets.gemini.book import Gemini, OwnUnit
from sims.rulesets.gemini.fabric.worth import gate_of
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.state import Scene, Siege, aim_kept
from sims.scenario import Group

LockedDoor = Literal["typical", "vault"]


def force(book: Gemini, S: Argument, door: LockedDoor, helpers: Argument) -> Draw:
    """Return a try to force a door open: each helper adds to the Strength of the strongest (GB-063, GB-064)."""
    return wound(book.game, S + book.tables.forcing.helper * helpers, toughness(book, door))


def toughness(book: Gemini, door: LockedDoor) -> int:
    """Return what a locked door resists those who force it (GB-063)."""
    return book.tables.forcing.vault if door == "vault" else book.tables.forcing.typical


def force_or_smash(book: Gemini, S: Argument, door: LockedDoor, helpers: Argument) -> Draw:
    """Return the likelier way to open a locked door whose lock opens it: to force it, or to hit that (GB-062)."""
    strength, T, lock = S + book.tables.forcing.helper * helpers, toughness(book, door), book.tables.locks.toughness
    easier = np.asarray(lock - S < T - strength)
    return wound(book.game, np.where(easier, S, strength), np.where(easier, lock, T))


@asks("GB-063", "GB-064", name="forcing a door")
def forcing_chance(
    book: Gemini, S: int, door: LockedDoor = "typical", helpers: int = 0, actions: Count = 1
) -> Fraction:
    """Return the chance to force a locked door open (GB-063, GB-064).

    Args:
        S: Muscular Strength of the strongest.
        door: Typical or vault.
        helpers: Comrades who lend a hand.
        actions: Action points spent on it.
    """
    return 1 - force(book, S, door, helpers).failed.pmf[1] ** int(actions)


def harder(book: Gemini, door: LockedDoor) -> int:
    """Return what is added to the Leadership of those who hack the lock of a door (GB-061)."""
    return book.tables.locks.vault if door == "vault" else book.tables.locks.typical


def hack(book: Gemini, Ld: Argument, door: LockedDoor) -> Draw:
    """Return a try to hack a lock, or to pick it (GB-061)."""
    return once(plain_test(book.game), np.add(Ld, harder(book, door)))


@asks("GB-061", name="hacking a lock", needs=("ARAP-012",))
def hacking_chance(book: Gemini, Ld: Leadership, door: LockedDoor = "typical", tries: Count = 1) -> Fraction:
    """Return the chance that a lock is hacked or picked by somebody who knows its kind, an inch away (GB-061).

    Args:
        Ld: Leadership; of a character who has Intelligence, or a skill for it, that.
        door: Typical or vault.
        tries: Each takes an action point; by most readings a model has one in a turn.
    """
    return 1 - hack(book, Ld, door).failed.pmf[1] ** int(tries)


@asks("GB-062", name="hit on a lock", ask="P(passed)")
def smashed(book: Gemini, S: Strength) -> Draw:
    """Return the roll by which a hit destroys a lock, which does not open the door by itself (GB-062)."""
    return wound(book.game, S, book.tables.locks.toughness)


@asks("GB-062", name="door opened by a hit on its lock")
def opened_by_a_hit(book: Gemini, S: Strength, opens: Chance = Fraction(0)) -> Fraction:
    """Return the chance that a door is open after a hit on its lock (GB-062).

    Args:
        opens: The chance that a lock opens the door when it is destroyed, if the game master gives it one.
    """
    return smashed(book, S).pmf[1] * opens


def forcing(state: Siege, scene: Scene) -> Bools:
    """Return where attackers stand at a locked door, and have a point left."""
    near = within(state.distance, scene.book.tables.forcing.within)
    return (plans.intent(state, scene) == plans.FORCE) & near & (state.attackers.points > 0)


def door_kind(scene: Scene) -> LockedDoor:
    """Return what kind of door attackers have before them that are locked out."""
    return "vault" if gate_of(scene.scenario.building, scene.book) == "vault" else "typical"


def skill(group: Group) -> int:
    """Return what a model rolls against to hack a lock, or to pick it; 0 if it does not know how."""
    return OwnUnit.of(group.profile).hacks


def hackers(state: Siege, scene: Scene) -> Models:
    """Return who of the attackers can hack a lock."""
    pairs = zip(state.attackers.standing, scene.scenario.attackers.groups, strict=True)
    return tuple(n * (skill(group) > 0) for n, group in pairs)


def best_hackers(scene: Scene) -> list[int]:
    """Return the groups of the attackers in the order in which they try: who knows most about locks first."""
    groups = scene.scenario.attackers.groups
    return sorted(range(len(groups)), key=lambda i: -skill(groups[i]))


def hacking(state: Siege, scene: Scene, nth: int) -> Bools:
    """Return where attackers stand at a locked door with a point left, and more than so many of them can hack it."""
    return forcing(state, scene) & (total(hackers(state, scene)) > nth)


def hack_door(dice: Dice, state: Siege, scene: Scene, nth: int) -> Siege:
    """Try to hack the locked door, for an action point of one model's: the best first, then one after the other.

    It is a sole action: nobody tries twice in a player turn, but by one reading.

    Source: Hacking Locks and Forcing Doors; Sole Actions (GB-061, ARAP-056).
    """
    groups = scene.scenario.attackers.groups
    one = next_after(hackers(state, scene), nth, best_hackers(scene))
    Ld = sum((n * skill(group) for n, group in zip(one, groups, strict=True)), 0 * state.distance)
    who = " and ".join(group.profile.title for group in groups if skill(group))
    return opened(state, scene, hack(scene.book, Ld, door_kind(scene)).by(who).passed(dice, "hack the lock"))


def opened(state: Siege, scene: Scene, opens: Bools) -> Siege:
    """Return the state where an action point went into a locked door, which it opens or not."""
    attackers = state.attackers.replace(points=state.attackers.points - 1)
    return aim_kept(state.replace(forced=opens.astype(int), attackers=attackers), scene, 0)


def force_door(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Try to force the locked door, for an action point: muscular Strength and helpers against its Toughness.

    Who helps has to find room at the door, by one reading. By another a door opens whose lock is destroyed, and the
    strongest hits that where it is likelier.

    Source: Hacking Locks and Forcing Doors (GB-062, GB-063, GB-064).
    """
    table, units = scene.book.tables.forcing, scene.scenario.attackers
    helpers = np.maximum(state.attackers.models - 1, 0)
    if scene.book.rulings.helpers_at_doors("room"):
        helpers = np.minimum(helpers, table.most_helpers * way_in.door_width(scene))
    S = best(units, state.attackers.standing, lambda group: group.profile.S)
    trying = force_or_smash if scene.book.rulings.smashed_lock("opens") else force
    return opened(state, scene, trying(scene.book, S, door_kind(scene), helpers).passed(dice, "force the door"))

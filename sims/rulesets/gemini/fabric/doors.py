"""Locked doors: forcing them open, and hacking or smashing their locks."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Draw, once
from sims.dice.source import Argument
from sims.forces import best
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.characteristics import plain_test
from sims.games.arap.rolls.wounds import wound
from sims.inputs import Chance, Count, Leadership, Strength
from sims.questions import asks
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.state import Scene, Siege, aim_kept

LockedDoor = Literal["typical", "vault"]


def force(book: Gemini, S: Argument, door: LockedDoor, helpers: Argument) -> Draw:
    """Return a try to force a door open: each helper adds to the Strength of the strongest (GB-063, GB-064)."""
    table = book.tables.forcing
    strength = S + table.helper * helpers
    return wound(book.game, strength, table.vault if door == "vault" else table.typical)


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


@asks("GB-061", name="hacking a lock", needs=("ARAP-012",))
def hacking_chance(book: Gemini, Ld: Leadership, door: LockedDoor = "typical", tries: Count = 1) -> Fraction:
    """Return the chance that a lock is hacked or picked by somebody who knows its kind, an inch away (GB-061).

    Args:
        Ld: Leadership; of a character who has Intelligence, or a skill for it, that.
        door: Typical or vault.
        tries: Each takes an action point; by most readings a model has one in a turn.
    """
    table = book.tables.locks
    target = np.add(Ld, table.vault if door == "vault" else table.typical)
    return 1 - once(plain_test(book.game), target).failed.pmf[1] ** int(tries)


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
    return (setting.intent(state, scene) == setting.FORCE) & near & (state.attackers.points > 0)


def force_door(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Try to force the locked door, for an action point: muscular Strength and helpers against its Toughness.

    Who helps has to find room at the door, by one reading.

    Source: Hacking Locks and Forcing Doors (GB-063, GB-064).
    """
    table, units = scene.book.tables.forcing, scene.scenario.attackers
    vault = setting.gate_of(scene.scenario.building, scene.book) == "vault"
    helpers = np.maximum(state.attackers.models - 1, 0)
    if scene.book.rulings.helpers_at_doors("room"):
        helpers = np.minimum(helpers, table.most_helpers * way_in.door_width(scene))
    S = best(units, state.attackers.standing, lambda group: group.profile.S)
    opened = force(scene.book, S, "vault" if vault else "typical", helpers).passed(dice, "force the door")
    points = state.attackers.points - 1
    forced = state.replace(forced=opened.astype(int), attackers=state.attackers.replace(points=points))
    return aim_kept(forced, scene, 0)

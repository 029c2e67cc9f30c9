"""Stand and fire: a unit that is charged from far enough away fires at those who come."""

from collections.abc import Iterable

import numpy as np

from sims.dice import Bools, Dice, Ints, together
from sims.dice.source import Argument
from sims.games.arap.activation import successes
from sims.games.arap.book import Arap
from sims.games.arap.moving.charge import FAR, FAST
from sims.games.arap.shooting import salvoes, small_target
from sims.games.arap.unit import Band
from sims.profiles import Unit, Weapon
from sims.scenario import Group


def may_fire(how: Ints, pinned: Ints) -> Bools:
    """Return where a unit may react to a charge by firing: to one from far enough away, if it is not pinned.

    Source: Reactions; Stand and Fire (ARAP-185; partly ARAP-055).
    """
    return (how >= FAR) & (pinned == 0)


def standing_shots(book: Arap, weapon: Weapon, successes: Ints) -> Ints:
    """Return the shots of a weapon whose bearer stands and fires (ARAP-186)."""
    if weapon.kind == "heavy":
        return np.where(successes >= book.tables.fire.heavy_points, weapon.shots, 0)
    action = book.rulings.stand_and_fire("one_action") and weapon.kind != "pistol"
    return np.where(successes > 0, weapon.shots if action else 1, 0)


def stand_and_fire(
    dice: Dice,
    book: Arap,
    I: int,
    guns: Iterable[tuple[Group, Ints]],
    chargers: Band,
    target: Unit,
    distance: Argument,
    how: Ints,
    modifier: int,
) -> Ints:
    """Let some models fire at chargers: two dice against the activation value, then shots at a Ballistic Skill of 1.

    One success is enough for light weapons, two for heavy ones; a fast charge is harder to hit. Return the unsaved
    wounds, which count in the first round of the fight (ARAP-184, ARAP-186, ARAP-187).

    Args:
        I: Initiative of those who fire.
        guns: Groups, and how many of each fire.
        target: The profile of the chargers.
        distance: Inches from which they charge.
        how: How the charge came off.
        modifier: What is added to Ballistic Skill, beside those for the size of the target and the speed of the charge.
    """
    table = book.tables.fire
    thrown = successes(book, I, table.stand_and_fire_dice).made(dice, "stand and fire")
    shooters = [(group, n, standing_shots(book, group.weapon, thrown)) for group, n in guns if group.weapon]
    modifiers = modifier + small_target(book, chargers.models) + np.where(how == FAST, table.fast_charge, 0)
    fired = together(s.draw for s in salvoes(book, shooters, target, distance, modifiers, table.stand_and_fire_BS))
    return fired.up_to(chargers.wounds_left(chargers.models, target.W)).made(dice, "shots at the chargers")

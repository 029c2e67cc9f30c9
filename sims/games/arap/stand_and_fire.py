"""Stand and fire: a unit that is charged from far enough away fires at those who come."""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.games.arap.activation import successes
from sims.games.arap.allocation import Attack, Marks
from sims.games.arap.areas.firing import Aim, areas_at_chargers
from sims.games.arap.areas.ranks import Ranks
from sims.games.arap.book import AS_HEAVY, Arap, ArapWeapon
from sims.games.arap.moving.charge import FAR, FAST, REACHED, Move, came_off, charge_distance, slow_up_to
from sims.games.arap.reactions import Condition, may_react
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import Modifiers, hit
from sims.games.arap.rolls.scatter import scatter_less_skill
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, shot_that_hurts
from sims.games.arap.shooting import heavy_shots, is_relentless, points_to_fire, salvoes, small_group
from sims.games.arap.unit import Wounds
from sims.inputs import NONE, Count, Inches, Initiative, Piercing, Strength, Toughness, Truth
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Group


def may_fire(book: Arap, how: Ints, unit: Condition) -> Bools:
    """Return where a unit may react to a charge by firing: to one from far enough away, in its condition (ARAP-185)."""
    return (how >= FAR) & may_react(book, "stand_and_fire", unit)


@asks("ARAP-185", name="may stand and fire")
def may_stand_and_fire(book: Arap, M: Move, distance: Inches, unit: Condition) -> Bools:
    """Return whether a unit may fire at those who charge it (ARAP-185).

    Args:
        M: Basic move of the chargers in inches.
        distance: Inches that they charge from.
    """
    return may_fire(book, came_off(np.asarray(REACHED), M, distance), unit)


@asks("ARAP-186", name="stand and fire", needs=("ARAP-046",))
def activation_to_fire(book: Arap, I: Initiative) -> Draw:
    """Return how many of its dice a unit that stands and fires throws at or below its activation value (ARAP-186)."""
    return successes(book, I, book.tables.fire.stand_and_fire_dice)


def standing_shots(book: Arap, weapon: Weapon, successes: Argument, relentless: bool = False) -> Ints:
    """Return the shots of a weapon whose bearer stands and fires (ARAP-105, ARAP-186)."""
    own = ArapWeapon.of(weapon)
    if weapon.kind in AS_HEAVY or own.slow or own.ordnance:
        return heavy_shots(weapon.shots, successes, points_to_fire(book, weapon, relentless))
    action = book.rulings.stand_and_fire("one_action") and weapon.kind != "pistol"
    return np.where(successes > 0, weapon.shots if action else 1, 0)


def standing_skill(book: Arap, fast: Argument, modifiers: Argument) -> Ints:
    """Return the Ballistic Skill of shots at chargers, with modifiers; a fast charge is harder to hit (ARAP-187)."""
    table = book.tables.fire
    return table.stand_and_fire_BS + modifiers + np.where(fast, table.fast_charge, 0)


@asks("ARAP-187", name="shot at chargers", needs=("ARAP-005",), ask="P(passed)")
def shot_at_chargers(book: Arap, C: Inches, modifiers: Modifiers = 0) -> Draw:
    """Return the roll to hit of a shot at those who charge (ARAP-187).

    Args:
        C: Inches of their charge: their move and what the dice add to it.
        modifiers: The sum of all but that of a fast charge; 1 for a shotgun.
    """
    return hit(book, standing_skill(book, slow_up_to(book, 0) < C, modifiers))


@asks("ARAP-187", name="shot at chargers, however far they come", needs=("ARAP-005", "ARAP-062"), ask="mean")
def shot_at_any_charge(book: Arap, M: Move, modifiers: Modifiers = 0) -> PMF:
    """Return the hits of a shot at those who charge, over all that their dice may show (ARAP-187).

    Args:
        M: Basic move of the chargers in inches.
        modifiers: The sum of all but that of a fast charge.
    """
    return PMF.mixture((chance, shot_at_chargers(book, C, modifiers).pmf) for C, chance in charge_distance(book, M))


@asks("ARAP-187", name="blast at chargers", needs=("ARAP-026",))
def blast_at_chargers(book: Arap, C: Inches, modifiers: Modifiers = 0) -> PMF:
    """Return the inches that a blast goes astray which is fired at those who charge (ARAP-187).

    Args:
        C: Inches of their charge: their move and what the dice add to it.
        modifiers: The sum of all but that of a fast charge.
    """
    return scatter_less_skill(book, int(standing_skill(book, slow_up_to(book, 0) < C, modifiers)))


@asks("ARAP-187", name="wounds by standing and firing", needs=("ARAP-005", "ARAP-011", "ARAP-121", "ARAP-186"))
def wounds_at_chargers(
    book: Arap,
    I: Initiative,
    models: Count,
    C: Inches,
    S: Strength,
    T: Toughness,
    save: SaveGoal = NO_SAVE,
    AP: Piercing = NONE,
    kind: Literal["pistol", "assault", "rapid fire", "heavy"] = "rapid fire",
    shots: Count = 1,
    modifiers: Modifiers = 0,
    near: Truth = True,
) -> PMF:
    """Return the unsaved wounds of models that stand and fire (ARAP-187).

    Args:
        I: Initiative of those who fire.
        models: How many fire.
        C: Inches of the charge: the move and what the dice add to it.
        S: Strength of a shot.
        T: Toughness of the chargers.
        save: Their armour save, or none.
        kind: The type of the weapon.
        shots: On its profile.
        modifiers: The sum of all but that of a fast charge.
        near: Whether the chargers are shot at from short range.
    """
    weapon = Weapon(title="", kind=kind, shots=int(shots))
    aimed = shot_at_chargers(book, C, modifiers)
    shot = shot_that_hurts(book, aimed, S, T, Saves(armour_against(save, AP)), near)
    return PMF.mixture(
        (chance, shot.times(models * standing_shots(book, weapon, thrown)).pmf)
        for thrown, chance in activation_to_fire(book, I).pmf
    )


def stand_and_fire(
    dice: Dice,
    book: Arap,
    I: int,
    guns: Iterable[tuple[Group, Ints]],
    chargers: Ints,
    at: Marks,
    contact: int,
    distance: Ints,
    how: Ints,
    modifier: int,
) -> Wounds:
    """Let some models fire at chargers: two dice against the activation value, then shots at a Ballistic Skill of 1.

    One success is enough for light weapons, two for heavy ones; a fast charge is harder to hit. Return the unsaved
    wounds, which count in the first round of the fight (ARAP-184, ARAP-186, ARAP-187).

    Args:
        I: Initiative of those who fire.
        guns: Groups, and how many of each fire.
        chargers: How many come.
        at: Who they are.
        contact: Inches at which shots meet them.
        distance: Inches from which they charge.
        how: How the charge came off.
        modifier: What is added to Ballistic Skill, beside those for the size of the target and the speed of the charge.
    """
    thrown = activation_to_fire(book, I).made(dice, "stand and fire")
    shooters = [
        (group, n, standing_shots(book, group.weapon, thrown, is_relentless(group)))
        for group, n in guns
        if group.weapon
    ]
    skill = standing_skill(
        book, how == FAST, modifier + modifiers(book, Circumstances(models=small_group(book, at.force, chargers)))
    )

    aim = Aim(Ranks.of(book, at.force), chargers, distance)

    def fired(target: Unit) -> list[Attack]:
        shots = [salvo.attack for salvo in salvoes(book, shooters, target, contact, 0, skill)]
        return [*shots, *areas_at_chargers(book, shooters, target, aim, skill)]

    return at.by_body(at.suffer(dice, "shots at the chargers", fired))

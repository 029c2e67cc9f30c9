"""Melee: the blows of a round in steps of Initiative, and who loses it."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Annotated

import numpy as np

from sims.dice import Bools, Draw, Ints, narrow
from sims.dice.source import Argument
from sims.forces import Models, chosen, total
from sims.games.arap.allocation import Attack, damage_of
from sims.games.arap.book import Arap
from sims.games.arap.moving.measuring import melee_radius, within
from sims.games.arap.nerve.rout import Difference
from sims.games.arap.rolls.hits import Modifiers, to_hit
from sims.games.arap.rolls.wounds import Saves, hurt, wound_goal
from sims.inputs import Chance, Count, Initiative, Number, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.scenario import Force, Group

Charging = Annotated[Argument, Number("Which side has charged.", -1, 1)]
Hating = Annotated[Argument, Number("Which side alone hates the other.", -1, 1)]
Wounds = Annotated[Argument, Number("Unsaved wounds.", 0, 60)]


def initiative_steps(ours: Iterable[int], theirs: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the steps of a round, the highest Initiative first (ARAP-193).

    Steps that follow each other and in which only the same side strikes are one: nobody falls between them who was yet
    to strike.

    Args:
        ours, theirs: Every Initiative at which each side may strike.
    """
    ours, theirs = set(ours), set(theirs)
    steps: list[tuple[int, ...]] = []
    for step in sorted(ours | theirs, reverse=True):
        if steps and any({step, *steps[-1]}.isdisjoint(side) for side in (ours, theirs)):
            steps[-1] = (*steps[-1], step)
        else:
            steps.append((step,))
    return steps


def best_fighters(force: Force) -> list[int]:
    """Return the groups of a force in the order in which they go in front: the hardest blows first."""

    def worth(i: int) -> tuple[int, int, int, int]:
        group = force.groups[i]
        S = group.melee.strength(group.profile) if group.melee else group.profile.S
        return (-S, -group.profile.A, -group.profile.WS, -i)

    return sorted(range(len(force.groups)), key=worth)


def weapon_skill(book: Arap, group: Group) -> int:
    """Return the Weapon Skill of a model with what is in its hands (partly ARAP-195).

    Who has no weapon of close combat fights with a rifle-butt or the like; a pistol is such a weapon, by one reading.
    """
    ruling = book.rulings.close_combat_weapons
    kinds = ("melee",) if ruling("blades") else ("melee", "pistol")
    armed = any(arm is not None and arm.kind in kinds for arm in (group.weapon, group.melee))
    return group.profile.WS + (0 if armed or ruling("everybody") else book.tables.combat.improvised)


def in_step(counts: Models, initiatives: Iterable[Argument], step: tuple[int, ...]) -> Models:
    """Return the attacks of each group whose Initiative it is.

    Everybody is in reach of an enemy from the start, so nobody moves between steps (ARAP-193; partly ARAP-197).

    Args:
        counts: Attacks of each group.
        initiatives: Of each group.
        step: Those that strike in this step.
    """
    return tuple(n * np.isin(own, step) for n, own in zip(counts, initiatives, strict=True))


@asks("ARAP-193", name="alive to strike")
def chance_to_strike(attacks: Count, kills: Chance, I: Initiative, target_I: Initiative) -> Fraction:
    """Return the chance that a model is alive when it is its turn to strike (ARAP-193).

    Args:
        attacks: Attacks at it.
        kills: The chance that one of them kills it.
        I: Initiative of the attackers.
        target_I: Its own.
    """
    steps = initiative_steps([int(I)], [int(target_I)])
    before = steps[: next(n for n, step in enumerate(steps) if target_I in step)]
    return (1 - kills) ** sum(int(n) for step in before for n in in_step((np.asarray(attacks),), [I], step))


@asks("ARAP-181", "ARAP-188", name="Initiative against cover")
def against_cover(
    book: Arap,
    I: Initiative,
    pinned: Truth = False,
    again: Truth = False,
    models: Count = 1,
    grenades: Count = 0,
) -> Ints:
    """Return the Initiative of those who charge a unit in cover: they strike last, unless grenades go in first.

    Those who are pinned have no benefit of cover, and nobody has after the first round (ARAP-131, ARAP-181, ARAP-188).

    Args:
        I: Initiative of the chargers.
        pinned: Whether those in cover are pinned.
        again: Whether it is not the first round.
        models: How many charge.
        grenades: How many of them have assault grenades.
    """
    cover = ~np.asarray(pinned) & ~np.asarray(again) & ~enough_grenades(book, grenades, models)
    return np.where(cover, book.tables.combat.against_cover, I)


@asks("ARAP-181", name="Initiative steps between charge and cover")
def steps_apart(book: Arap, I: Initiative, target_I: Initiative) -> int:
    """Return by how much those in cover strike before those who charge them; at 0 all strike together (ARAP-181).

    Args:
        I: Initiative of the chargers.
        target_I: Initiative of those in cover.
    """
    return int(target_I - against_cover(book, I))


def enough_grenades(book: Arap, carriers: Argument, models: Argument) -> Bools:
    """Return whether enough of those who charge have assault grenades to go in first (ARAP-188)."""
    if book.rulings.grenades_needed("quarter"):
        return np.asarray(book.tables.combat.grenade_share * carriers >= models)
    return np.asarray(carriers > 0)


def attacks(book: Arap, force: Force, fighters: Models, charging: Argument, order: Sequence[int]) -> Models:
    """Return the attacks of each group, with those of a charge for each fighter or for the unit.

    A charge has them in the first round of a series of fights only (ARAP-176; partly ARAP-174).
    """
    bonus = narrow(book.tables.combat.charge_attacks) * charging
    bearing = fighters if book.rulings.charge_bonus("each_model") else chosen(fighters, 1, order)
    pairs = zip(force.groups, fighters, bearing, strict=True)
    return tuple(n * group.profile.A + bonus * more for group, n, more in pairs)


def blows(book: Arap, striking: Force, counts: Models, target: Unit) -> list[Attack]:
    """Return the unsaved wounds of a unit's blows at models with one profile, those of each kind of fighters.

    The striker's own Weapon Skill is what must not be exceeded (ARAP-194; partly ARAP-195, partly ARAP-196).
    """
    return strokes(book, striking, counts, target, lambda WS: to_hit(book, "melee", WS=WS))


def strokes(book: Arap, striking: Force, counts: Models, target: Unit, hits: Callable[[int], Draw]) -> list[Attack]:
    """Return the unsaved wounds of blows or hacks at models with one profile, those of each kind of fighters.

    Like fighters are thrown for together. Any goal up to 9 can be tried (ARAP-119; partly ARAP-196).

    Args:
        hits: The roll to hit of those with a Weapon Skill.
    """
    alike: dict[tuple[int, int, int | None, int], list[tuple[Group, Ints]]] = {}
    for group, n in zip(striking.groups, counts, strict=True):
        S, AP = group.profile.S, None
        if group.melee is not None:
            S, AP = group.melee.strength(group.profile), group.melee.AP
        alike.setdefault((weapon_skill(book, group), S, AP, damage_of(group.melee)), []).append((group, n))
    attacks = []
    for (WS, S, AP, damage), fighters in alike.items():
        who = " and ".join(dict.fromkeys(group.profile.title for group, _ in fighters))
        blow = hits(WS).then(hurt(book, wound_goal(book, S, target.T), Saves.of(target, AP)))
        attacks.append(Attack(blow.times(total(tuple(n for _, n in fighters))).by(who), damage, aimed=True))
    return attacks


@asks("ARAP-202", name="combat resolution score")
def score(book: Arap, inflicted: Wounds, taken: Wounds, modifiers: Modifiers = 0) -> Ints:
    """Return the combat resolution score of a unit: its wound difference, or by the other reading what it inflicted.

    Source: Combat Resolution and Wound Difference (ARAP-202; partly ARAP-201).
    """
    counted = inflicted - taken if book.rulings.combat_score("wound_difference") else inflicted
    return np.asarray(counted + modifiers)


@asks("ARAP-202", name="lead in a fight")
def lead(book: Arap, difference: Difference, charging: Charging = 0, hating: Hating = 0) -> Ints:
    """Return the attackers' combat resolution score less the defenders' (ARAP-202, partly ARAP-203).

    Args:
        difference: Wounds inflicted by the attackers less those they took.
        charging: 1 where the attackers have the point for a charge, -1 where the defenders have it.
        hating: 1 where the attackers alone hate whom they fight, -1 where the defenders alone do.
    """
    table = book.tables.combat
    points = narrow(table.charge_score) * charging + narrow(table.hated_score) * hating
    return score(book, difference, 0, points) - score(book, 0, difference)


def fresh(book: Arap, met: Ints) -> Bools:
    """Return where a charge counts for the result: by one reading never after the first fight (partly ARAP-176)."""
    return met == 0 if book.rulings.resumed_charge("nothing") else np.ones_like(met, dtype=np.bool_)


def engaged_within(book: Arap, loser: Argument, winner: Argument) -> Ints:
    """Return the melee radius within which a unit that flinches stays engaged (partly ARAP-164, ARAP-205).

    Args:
        loser, winner: Their sizes.
    """
    own, theirs = melee_radius(book, loser), melee_radius(book, winner)
    return np.maximum(own, theirs) if book.rulings.flinch_radius("larger") else own


def still_engaged(book: Arap, lead: Ints, gap: Ints, sizes: tuple[Argument, Argument]) -> Bools:
    """Return where the loser of a round is within melee radius even after a flinch (ARAP-205).

    Args:
        lead: Combat resolution score of the first unit less that of the second.
        gap: Inches between them after the flinch.
        sizes: Of both.
    """
    first, second = sizes
    radius = np.where(lead < 0, engaged_within(book, first, second), engaged_within(book, second, first))
    return within(gap, radius)

"""What a penetrating hit does to the building: its armour, the weapons on it, and whether it stands."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints, Throw, exactly
from sims.dice.source import Argument
from sims.forces import Models, picked, total, without
from sims.games.wh40k.book import Size
from sims.games.wh40k.buildings import collapses, effect, hull_left, hull_points
from sims.games.wh40k.structures import GLANCING, PENETRATING, armour_roll
from sims.inputs import NONE, Armour, Many, Number, Piercing, Strength, at_most
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.damage_roll import damage_roll, each_row, total_of
from sims.rulesets.gw_updated.state import INSIDE, Scene, Siege

Mounted = Annotated[Argument, Number("Emplaced weapons before.", 1, 1000)]
Lost = Annotated[Argument, Number("Weapons lost.", 0, 1000)]
Attempts = Annotated[Argument, Number("Hits, one after the other.", 0, 40)]
Hits = Annotated[Argument, Number("Penetrating hits, one after the other.", 0, 20)]


def rolls(hit: Argument) -> Bools:
    """Return where a hit rolls on the damage table: a penetrating one (GW-028)."""
    return np.equal(hit, PENETRATING)


@asks("GW-028", name="rolls on the damage table")
def table_rolls(glancing: Many, penetrating: Many) -> Ints:
    """Return how often hits roll on the damage table (GW-028).

    Args:
        glancing: Glancing hits.
        penetrating: Penetrating hits.
    """
    return np.asarray(glancing * rolls(GLANCING) + penetrating * rolls(PENETRATING))


def armour_after(dice: Dice, book: GwUpdated, result: Argument, AV: Argument) -> Ints:
    """Return the Armour Value that a result leaves (GW-033, GW-040, GW-051)."""
    table = book.tables.damage
    lost = Draw(Throw(table.dice), (table.column("AV_dice", result),)).made(dice, "Armour Value lost")
    return np.maximum(AV - table.column("AV", result) - lost, 0)


@asks("GW-033", "GW-040", "GW-051", name="armour left")
def armour_left(book: GwUpdated, AV: int, breaches: int = 0, catastrophic: int = 0) -> PMF:
    """Return the distribution of the Armour Value after some Breaches and Catastrophic Breaches (GW-051).

    Args:
        AV: Armour Value before.
        breaches: Results 0 to 1.
        catastrophic: Results 5.
    """
    at_most(60, AV=AV, breaches=breaches, catastrophic=catastrophic)
    left = PMF.constant(AV)
    for row in ["breach"] * breaches + ["catastrophic breach"] * catastrophic:
        result = total_of(book, row)
        left = PMF.mixture((chance, exactly(armour_after, book, result, before)) for before, chance in left)
    return left


@asks("GW-051", name="Armour Value after penetrating hits", needs=("GW-029",))
def armour_after_hits(
    book: GwUpdated, AV: Armour, AP: Piercing = NONE, mighty_bulwark: bool = False, hits: Hits = 1
) -> PMF:
    """Return the Armour Value that penetrating hits leave, each with its roll on the table; 0 once it falls (GW-051).

    Args:
        AV: Armour Value before.
        mighty_bulwark: Whether the building has Mighty Bulwark.
    """

    def hit(dice: Dice, before: int) -> Ints:
        result = damage_roll(book, AP, mighty_bulwark).made(dice, "damage table")
        after = armour_after(dice, book, result, before)
        return np.where(collapse(book, result, after) > 0, 0, after)

    left = PMF.constant(int(AV))
    for _ in range(int(hits)):
        left = PMF.mixture((chance, exactly(hit, before)) for before, chance in left)
    return left


@asks("GW-051", name="building standing after hits", needs=("GW-029", "BASE-016", "BASE-020"))
def standing_after_hits(
    book: GwUpdated,
    hits: Attempts,
    S: Strength,
    AV: Armour,
    AP: Piercing = NONE,
    mighty_bulwark: bool = False,
    size: Size = "medium",
) -> Fraction:
    """Return the chance that a building stands after some hits, one after the other (GW-051).

    Args:
        hits: Hits, whether they penetrate or not.
        S: Strength of the hits.
        AV: Armour Value before.
        mighty_bulwark: Whether the building has Mighty Bulwark.
        size: How large it is, where a ruling has hull points counted.
    """
    first, points = int(AV), hull_points(book.game, size)
    at_its_start = book.rulings.armour_in_a_volley("at_its_start")

    def struck(dice: Dice, before: int) -> Ints:
        """Return one more than the hull points and the Armour Value left, as one number; 0 of a building that falls."""
        hull, armour = divmod(before - 1, 1 + first)
        rolled = armour_roll(S, first if at_its_start else armour).made(dice, "armour penetration")
        does = effect(book.game, rolled)
        result = damage_roll(book, AP, mighty_bulwark).made(dice, "damage table")
        after = np.where(rolls(does), armour_after(dice, book, result, armour), armour)
        left = hull_left(hull, does)
        falls = rolls(does) & (collapse(book, result, after) > 0) | ((points > 0) & (left == 0))
        return np.where(falls, 0, 1 + left * (1 + first) + after)

    @cache
    def after_a_hit(before: int) -> PMF:
        return exactly(struck, before) if before else PMF.constant(0)

    left = PMF.constant(1 + points * (1 + first) + first)
    for _ in range(int(hits)):
        left = PMF.mixture((p, after_a_hit(before)) for before, p in left)
    return left.at_least(1)


@asks("GW-033", "GW-040", name="penetration of damaged walls")
def penetration(book: GwUpdated, S: Strength, AV: int, breaches: int = 0, catastrophic: int = 0) -> Fraction:
    """Return the chance that a hit penetrates walls after some Breaches and Catastrophic Breaches (GW-033, GW-040).

    Args:
        S: Strength of the hit.
        AV: Armour Value before.
        breaches: Results 0 to 1.
        catastrophic: Results 5.
    """
    left = armour_left(book, AV, breaches, catastrophic)
    return PMF.mixture((chance, armour_roll(S, now).pmf) for now, chance in left)[PENETRATING]


def weapons_after(dice: Dice, weapons: Models, lost: Ints, names: Sequence[str]) -> Models:
    """Return the emplaced weapons left after some losses, each drawn evenly among those left (GW-052)."""
    return without(weapons, picked(dice, weapons, lost, names))


@asks("GW-039", "GW-041", "GW-052", name="weapon survives")
def weapon_survives(dice: Dice, w: Mounted, m: Lost = 1) -> Bools:
    """Return whether a named emplaced weapon survives some losses, each drawn evenly (GW-052)."""
    named, _ = weapons_after(dice, (np.array(1), np.asarray(w) - 1), np.asarray(m), ("it", "the others"))
    return named > 0


@asks("GW-039", "GW-052", name="weapons left", ask="mean")
def weapons_left(dice: Dice, w: Lost, m: Lost = 1) -> Ints:
    """Return how many emplaced weapons are left after some losses (GW-052).

    Args:
        w: Emplaced weapons before.
    """
    return total(weapons_after(dice, (np.asarray(w),), np.asarray(m), ("they",)))


def inside(book: GwUpdated, result: Argument) -> Ints:
    """Return how many times the dice of masonry fall on those inside after a result (GW-036, GW-038, GW-049)."""
    return book.tables.damage.column("inside", result)


def roof(book: GwUpdated, result: Argument) -> Ints:
    """Return how many times the dice of masonry fall on each unit on the battlements (GW-043, GW-048)."""
    return book.tables.damage.column("roof", result)


def damage(dice: Dice, state: Siege, scene: Scene, AP: int = NONE, grenade_AP: int = NONE) -> Siege:
    """Roll on the damage table for a penetrating hit, and let its effects follow but for those on the people inside.

    Nothing falls on those who have left.

    Source: GW-028, GW-029, GW-030, GW-032, GW-033, GW-034, GW-037, GW-039, GW-040, GW-041, GW-051, GW-052, GW-053
    (partly GW-024, partly GW-042, partly GW-047), 40k 6th edition (BASE-020, BASE-023).
    """
    book, table = scene.book, scene.book.tables.damage
    of_hit = np.where(state.grenades > 0, grenade_AP, AP)
    result = damage_roll(book, of_hit, scene.walls.mighty_bulwark).made(dice, "damage table")
    AV = armour_after(dice, book, result, state.AV)
    emplaced = [weapon.title for weapon, _ in scene.weapons]
    lost = table.column("weapons_lost", result)
    weapons = weapons_after(dice.within("weapon lost"), state.weapons, lost, emplaced)
    armed = total(weapons) > 0 if weapons else False
    occupied = (state.garrison == INSIDE) & (total(state.defenders) > 0)
    fall = collapse(book, result, AV)
    fall = np.where(occupied, fall, np.minimum(fall, 1))
    counted = hull_points(book.game, scene.walls.size) > 0
    return falls_if(
        fall,
        state.replace(
            AV=AV,
            weapons=weapons,
            occupants_snap=np.maximum(state.occupants_snap, occupied * table.column("occupants_snap", result)),
            weapons_snap=np.where(armed, np.maximum(state.weapons_snap, table.column("weapons_snap", result)), 0),
            falling=occupied * inside(book, result),
            hit=state.hit * ((fall == 0) & counted),
        ),
    )


def collapse(book: GwUpdated, result: Argument, AV: Argument) -> Ints:
    """Return 0 where a building stands after a result, else 1 and the dice of masonry as it falls (GW-051)."""
    table = book.tables.damage
    falls = table.column("destroyed", result) > 0
    fall = np.where(falls, 1 + inside(book, result), 0)
    if book.rulings.armour_of_nothing("total_collapse"):
        fall = np.where(collapses(AV) & ~falls, 1 + table.total_collapse.inside, fall)
    return fall


@asks("GW-032", name="rows of the damage table")
def rows_that(book: GwUpdated, does: Literal["destroy the building", "cost Armour Value"]) -> int:
    """Return how many rows of the damage table do something to the building (GW-032).

    Args:
        does: What they do.
    """
    AV = 20
    if does == "destroy the building":
        return sum(bool(collapse(book, result, AV) > 0) for result in each_row(book))
    return sum(exactly(armour_after, book, result, AV).mean < AV for result in each_row(book))


def hull_point(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Take a hull point for a glancing or penetrating hit; without any left the building falls.

    Source: 40k (BASE-021).
    """
    hull = hull_left(state.hull, state.hit)
    return falls_if(np.where(hull == 0, 1 + state.falling, 0), state.replace(hull=hull, hit=0 * state.hit))


def falls_if(fall: Ints, state: Siege) -> Siege:
    """Return a state in which the building falls where `fall` is not 0, with everything on it."""
    stands = fall == 0
    attacks = np.where(stands, state.attacks, 0)
    return state.replace(
        AV=np.where(stands, state.AV, 0),
        hull=np.where(stands, state.hull, 0),
        weapons=tuple(np.where(stands, n, 0) for n in state.weapons),
        occupants_snap=np.where(stands, state.occupants_snap, 0),
        weapons_snap=np.where(stands, state.weapons_snap, 0),
        attacks=attacks,
        grenades=np.where(attacks > 0, state.grenades, 0),
        falling=np.where(stands, state.falling, 0),
        fall=fall,
    )

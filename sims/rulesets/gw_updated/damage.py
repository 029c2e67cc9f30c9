"""What a hit does to the building and to those inside: the updated building damage table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sims.dice import D6, GOAL, PLAIN_LEADERSHIP, PMF, Capped, Dice, Die, Draw, Ints, Throw, Volley, exactly, passes
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face
from sims.forces import best, fall, total, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allocation import fall_at_random
from sims.inputs import NONE, Piercing, at_most
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.state import Scene, Siege


def falling(hits: Die) -> Volley:
    """Return the draw of hits, so many times, that wound and are not saved.

    Arguments: how many times, need to wound, save.
    """
    return Volley((GOAL, GOAL.failed), hits=hits)


@dataclass(frozen=True)
class DamageRoll:
    """A roll on the damage table; the answer is the modified total (GW-029, GW-030).

    Arguments: the AP of the hit, 7 for '-'.
    """

    rows: tuple[str, ...]
    AP1: int
    AP2: int
    mighty_bulwark: int
    arity = 1

    @property
    def answers(self) -> Mapping[int, str]:
        """The rows of the table by the totals that can be rolled; totals beyond its ends count as the ends."""
        least, most = (edge(0, self.AP1, self.AP2) + self.mighty_bulwark for edge in (min, max))
        totals = range(1 + least, 7 + most)
        return {total: self.rows[min(max(total, 0), len(self.rows) - 1)] for total in totals}

    def modifier(self, AP: Argument) -> Ints:
        """Return what is added to the die."""
        return np.select([np.asarray(AP) == 1, np.asarray(AP) == 2], [self.AP1, self.AP2]) + self.mighty_bulwark

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the total."""
        (AP,) = arguments
        return D6.pmf + int(self.modifier(AP))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the die."""
        (AP,) = arguments
        return np.asarray(cast("damage", 6, 1)[0].astype(np.int64) + self.modifier(AP))

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the die and what modifies it."""
        (AP,) = arguments
        pierces = (int(self.modifier(AP)) - self.mighty_bulwark, f"AP {AP}")
        yield f"D6: {added_up(face('damage', 6, 0), pierces, (self.mighty_bulwark, 'Mighty Bulwark'))}"


def rows(book: GwUpdated) -> tuple[str, ...]:
    """Return the name of the row of the damage table for each total, from 0 (GW-032)."""
    return book.tables.damage.rows


@asks("GW-029", "GW-030", name="damage roll")
def damage_roll(book: GwUpdated, AP: Piercing = NONE, mighty_bulwark: bool = False) -> Draw:
    """Return a roll on the damage table (GW-029, GW-030).

    Parameters
    ----------
    mighty_bulwark : bool
        Whether the building has Mighty Bulwark.
    """
    table = book.tables.modifiers
    return Draw(DamageRoll(rows(book), table.AP1, table.AP2, table.mighty_bulwark * mighty_bulwark), (AP,))


@asks("GW-029", name="extreme damage roll")
def extreme_roll(
    book: GwUpdated, end: Literal["lowest", "highest"], AP: Piercing = NONE, mighty_bulwark: bool = False
) -> int:
    """Return the lowest or highest roll on the damage table (GW-029).

    Parameters
    ----------
    end : str
        Which of the two.
    mighty_bulwark : bool
        Whether the building has Mighty Bulwark.
    """
    outcomes = damage_roll(book, AP, mighty_bulwark).pmf.outcomes
    return outcomes[0] if end == "lowest" else outcomes[-1]


def armour_after(dice: Dice, book: GwUpdated, result: Argument, AV: Argument) -> Ints:
    """Return the Armour Value that a result leaves (GW-033, GW-040, GW-051)."""
    table = book.tables.damage
    lost = dice.draw("Armour Value lost", Throw(table.dice), table.column("AV_dice", result))
    return np.asarray(np.maximum(np.asarray(AV) - table.column("AV", result) - lost, 0))


@asks("GW-033", "GW-040", "GW-051", name="armour left")
def armour_left(book: GwUpdated, AV: int, breaches: int = 0, catastrophic: int = 0) -> PMF:
    """Return the distribution of the Armour Value after some Breaches and Catastrophic Breaches (GW-051).

    Parameters
    ----------
    AV : int
        Armour Value before.
    breaches : int
        Results 0 to 1.
    catastrophic : int
        Results 5.
    """
    at_most(60, AV=AV, breaches=breaches, catastrophic=catastrophic)
    left = PMF.constant(AV)
    for result in [total_of(book, "breach")] * breaches + [total_of(book, "catastrophic breach")] * catastrophic:
        left = PMF.mixture((chance, exactly(armour_after, book, result, before)) for before, chance in left)
    return left


def inside(book: GwUpdated, result: Argument) -> Ints:
    """Return how many times the dice of masonry fall on those inside after a result (GW-036, GW-038, GW-049)."""
    return book.tables.damage.column("inside", result)


def total_of(book: GwUpdated, row: str) -> int:
    """Return a total that stands for a row of the damage table.

    Raises
    ------
    ValueError
        If none does.
    """
    if row not in rows(book):
        raise ValueError(f"no total of the damage table stands for {row}")
    return rows(book).index(row)


def damage(dice: Dice, state: Siege, scene: Scene, AP: int | None = None, grenade_AP: int | None = None) -> Siege:
    """Roll on the damage table for a penetrating hit, and let its effects follow but for those on the people inside.

    Source: GW-028, GW-029, GW-030, GW-033, GW-034, GW-037, GW-039, GW-040, GW-041, GW-051, GW-052, GW-053
    (partly GW-024, partly GW-032, partly GW-042, partly GW-047), 40k 6th edition (BASE-020, BASE-023).
    """
    book, table = scene.rules, scene.rules.tables.damage
    of_hit = np.where(state.grenades > 0, grenade_AP or NONE, AP or NONE)
    result = damage_roll(book, of_hit, scene.walls.mighty_bulwark).made(dice, "damage table")
    AV = armour_after(dice, book, result, state.AV)
    emplaced = [weapon.title for weapon, _ in scene.weapons]
    lost = table.column("weapons_lost", result)
    weapons = fall_at_random(dice.within("weapon lost"), state.weapons, lost, emplaced)
    armed = total(weapons) > 0 if weapons else False
    fall = collapse(book, result, AV)
    counted = book.rulings.glancing_hits("hull_points")
    return falls_if(
        fall,
        state.replace(
            AV=AV,
            weapons=weapons,
            occupants_snap=np.maximum(state.occupants_snap, table.column("occupants_snap", result)),
            weapons_snap=np.where(armed, np.maximum(state.weapons_snap, table.column("weapons_snap", result)), 0),
            falling=inside(book, result),
            hit=state.hit * ((fall == 0) & counted),
        ),
    )


def collapse(book: GwUpdated, result: Argument, AV: Argument) -> Ints:
    """Return 0 where a building stands after a result, else 1 and the dice of masonry as it falls (GW-051)."""
    table = book.tables.damage
    falls = table.column("destroyed", result) > 0
    fall = np.where(falls, 1 + inside(book, result), 0)
    if book.rulings.armour_of_nothing("total_collapse"):
        fall = np.where((np.asarray(AV) == 0) & ~falls, 1 + table.total_collapse.inside, fall)
    return fall


def hull_point(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Take a hull point for a glancing or penetrating hit; without any left the building falls.

    Source: 40k (BASE-021).
    """
    hull = np.maximum(state.hull - 1, 0)
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


def masonry(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let masonry fall on those inside a building that stands: D6 or 2D6 hits, shared out at random.

    Source: GW-031, GW-036, GW-038.
    """
    table = scene.rules.tables.masonry
    after = hits_inside(
        dice, state, scene, state.falling, table.S, None, "defenders lost to falling masonry", table.hits
    )
    return after.replace(falling=0 * state.falling)


def comes_down(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the building down on those inside; survivors get out, if there is room, and test pinning.

    Source: GW-031, GW-044, GW-049 (partly GW-045, partly GW-046, partly GW-050), 40k 6th edition
    (BASE-039; partly BASE-032).
    """
    table, times = scene.rules.tables.masonry, np.maximum(state.fall - 1, 0)
    after = hits_inside(dice, state, scene, times, table.S, None, "defenders lost in the collapse", table.hits)
    lost = stuck(total(after.defenders), scene.rules.tables.forced_exit.room)
    dice.tally("defenders lost for want of room", lost)
    defenders = fall(after.defenders, lost)
    out = total(defenders) > 0
    Ld = best(scene.scenario.defenders, defenders, lambda g: g.profile.Ld)
    holds = passes(dice, "pinning", PLAIN_LEADERSHIP, Ld, out)
    dice.tally("garrisons pinned on their way out", out & ~holds)
    return after.replace(defenders=defenders, destroyed=np.ones_like(state.destroyed))


def stuck(survivors: Ints, room: int) -> Ints:
    """Return how many of those thrown out find no room (partly GW-045)."""
    return np.maximum(survivors - room, 0)


def hits_inside(
    dice: Dice, state: Siege, scene: Scene, times: Ints, S: int, AP: int | None, cause: str, hits: Die
) -> Siege:
    """Let dice of hits fall on those inside so many times, without cover; whoever dies is picked at random.

    A wound of twice the Toughness takes a model away; else models with several Wounds suffer one after the other.

    Source: GW-031, 40k (BASE-011, BASE-013; partly BASE-012, partly BASE-041).
    """
    target = scene.scenario.defenders.unit
    W = 1 if S >= 2 * target.T else target.W
    hurt = np.where(W == 1, 0, state.defenders_hurt)
    most = wounds_left(state.defenders, hurt, W)
    save = wh40k.save_against(target, AP)
    wounds = dice.draw(
        "hits inside", Capped(falling(hits)), times, wh40k.need_to_wound(scene.rules.game, S, target.T), save, most
    )
    dice.tally(cause, wounds)
    names = [group.title for group in scene.scenario.defenders.groups]
    defenders = fall_at_random(dice.within("who falls"), state.defenders, (hurt + wounds) // W, names)
    carried = state.defenders_hurt if W == 1 else (hurt + wounds) % W
    return state.replace(defenders=defenders, defenders_hurt=np.where(total(defenders) > 0, carried, 0))

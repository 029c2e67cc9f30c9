"""What a hit does to the building and to those inside: the updated building damage table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from sims.dice import D6, GOAL, PLAIN_LEADERSHIP, PMF, Capped, Dice, Die, Ints, Throw, Volley, passes
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face
from sims.forces import best, fall, total, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allocation import fall_at_random
from sims.games.wh40k.structures import PENETRATING
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

    Arguments: whether it is made; the AP of the hit, 0 for '-'.
    """

    rows: tuple[str, ...]
    AP1: int
    AP2: int
    mighty_bulwark: int
    arity = 2

    @classmethod
    def of(cls, rules: GwUpdated, mighty_bulwark: bool) -> Self:
        """Return the roll for a building with or without Mighty Bulwark."""
        table = rules.tables.modifiers
        return cls(rules.tables.damage.rows, table.AP1, table.AP2, table.mighty_bulwark * mighty_bulwark)

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
        made, AP = arguments
        return D6.pmf + int(self.modifier(AP)) if made else PMF.constant(0)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the die."""
        made, AP = arguments
        return np.where(made > 0, cast("damage", 6, 1)[0].astype(np.int64) + self.modifier(AP), 0)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the die and what modifies it."""
        _, AP = arguments
        pierces = int(self.modifier(AP)) - self.mighty_bulwark
        yield f"D6: {added_up(face('damage', 6, 0), (pierces, f'AP {AP}'), (self.mighty_bulwark, 'Mighty Bulwark'))}"


def damage(dice: Dice, state: Siege, scene: Scene, AP: int | None = None, grenade_AP: int | None = None) -> Siege:
    """Roll on the damage table for a penetrating hit, and let its effects follow but for those on the people inside.

    Source: GW-028, GW-029, GW-030, GW-033, GW-034, GW-037, GW-039, GW-040, GW-041, GW-051, GW-052, GW-053
    (partly GW-024, partly GW-032, partly GW-042, partly GW-047), 40k 6th edition (BASE-020, BASE-021, BASE-023).
    """
    rules, table = scene.rules, scene.rules.tables.damage
    penetrates = state.hit == PENETRATING
    of_hit = np.where(state.grenades > 0, grenade_AP or 0, AP or 0)
    result = dice.draw("damage table", DamageRoll.of(rules, scene.walls.mighty_bulwark), penetrates, of_hit)

    def of(column: str) -> Ints:
        return np.where(penetrates, table.column(column, result), 0)

    AV = np.maximum(state.AV - of("AV") - dice.draw("Armour Value lost", Throw(table.dice), of("AV_dice")), 0)
    emplaced = [weapon.title for weapon, _ in scene.weapons]
    weapons = fall_at_random(dice.within("weapon lost"), state.weapons, of("weapons_lost"), emplaced)
    armed = total(weapons) > 0 if weapons else False
    falls, inside = of("destroyed"), of("inside")
    fallen = np.where(falls > 0, 1 + inside, 0)
    if rules.rulings.armour_of_nothing("total_collapse"):
        fallen = np.where((AV == 0) & (falls == 0), 1 + table.total_collapse.inside, fallen)
    hull = state.hull
    if rules.rulings.glancing_hits("hull_points"):
        hull = np.maximum(hull - 1, 0)
        fallen = np.where((hull == 0) & (fallen == 0), 1 + inside, fallen)
    stands = fallen == 0
    return state.replace(
        AV=np.where(stands, AV, 0),
        hull=np.where(stands, hull, 0),
        weapons=tuple(np.where(stands, n, 0) for n in weapons),
        occupants_snap=np.where(stands, np.maximum(state.occupants_snap, of("occupants_snap")), 0),
        weapons_snap=np.where(stands & armed, np.maximum(state.weapons_snap, of("weapons_snap")), 0),
        attacks=np.where(stands, state.attacks, 0),
        grenades=np.where(stands & (state.attacks > 0), state.grenades, 0),
        falling=np.where(stands, inside, 0),
        fall=fallen,
        hit=0 * state.hit,
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

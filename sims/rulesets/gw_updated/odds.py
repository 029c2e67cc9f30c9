"""What can be asked of the damage table and of fire from the building, through what the assault plays."""

from fractions import Fraction
from functools import reduce
from typing import Literal

import numpy as np

from sims.dice import PLAIN_LEADERSHIP, PMF, Capped
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allocation import Share
from sims.games.wh40k.structures import PENETRATING, armour_roll
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.damage import armour_left, falling, inside, stuck, total_of
from sims.rulesets.gw_updated.garrison import emplaced, fire_limit

Row = Literal["partial collapse", "structural collapse", "total collapse", "detonation"]


@asks("GW-033", "GW-040", name="penetration of damaged walls")
def penetration(rules: GwUpdated, S: int, AV: int, breaches: int = 0, catastrophic: int = 0) -> Fraction:
    """Return the chance that a hit penetrates walls after some Breaches and Catastrophic Breaches (GW-033, GW-040).

    Parameters
    ----------
    rules : GwUpdated
    S : int
        Strength of the hit.
    AV : int
        Armour Value before.
    breaches : int
        Results 0 to 1.
    catastrophic : int
        Results 5.
    """
    left = armour_left(rules, AV, breaches, catastrophic)
    return sum((chance * armour_roll(S, now).pmf[PENETRATING] for now, chance in left), Fraction(0))


@asks("GW-036", "GW-038", "GW-044", "GW-049", name="masonry")
def casualties_inside(
    rules: GwUpdated, row: Row, T: int, Sv: Literal["none"] | int, occupants: Literal["any"] | int = "any"
) -> PMF:
    """Return the distribution of unsaved wounds inside from one row of the damage table (GW-036, GW-038, GW-044).

    Parameters
    ----------
    rules : GwUpdated
    row : str
        The row.
    T : int
        Toughness of those inside.
    Sv : int
        Their save, or none.
    occupants : int
        How many one-wound models there are to lose; any for no limit.
    """
    times = int(inside(rules, total_of(rules, row)))
    table = rules.tables.masonry
    wounding = int(wh40k.need_to_wound(rules.game, table.S, T))
    save = wh40k.IMPOSSIBLE if Sv == "none" else Sv
    if occupants == "any":
        return falling(table.hits).pmf(times, wounding, save)
    return Capped(falling(table.hits)).pmf(times, wounding, save, occupants)


@asks("GW-039", "GW-041", "GW-052", name="weapon survives")
def weapon_survives(w: int, m: int = 1) -> Fraction:
    """Return the chance that a named emplaced weapon survives some losses, each drawn evenly (GW-052).

    Parameters
    ----------
    w : int
        Emplaced weapons before.
    m : int
        Weapons lost.

    Raises
    ------
    ValueError
        If there is none to survive.
    """
    at_most(1000, w=w, m=m)
    if w == 0:
        raise ValueError("w cannot be 0; expected 1 to 1000")
    return Share().pmf(min(m, w), w, 1)[0]


@asks("GW-039", "GW-052", name="weapons left")
def weapons_left(w: int, m: int = 1) -> int:
    """Return how many emplaced weapons are left after some losses (GW-052).

    Parameters
    ----------
    w : int
        Emplaced weapons before.
    m : int
        Weapons lost.
    """
    return max(0, w - m)


@asks("GW-045", name="lost for want of room")
def want_of_room(survivors: int, room: int) -> int:
    """Return how many of those thrown out find no room (partly GW-045).

    Parameters
    ----------
    survivors : int
        Models that live through the collapse.
    room : int
        Models that can be placed.
    """
    return int(stuck(np.array(survivors), room))


@asks("GW-046", "GW-050", name="pinned by a collapse")
def pinned(Ld: int, roof_Ld: Literal["none"] | int = "none") -> Fraction:
    """Return the chance that a unit thrown out is pinned, and one on the roof too (partly GW-046, partly GW-050).

    Parameters
    ----------
    Ld : int
        Its Leadership.
    roof_Ld : int
        The Leadership of the other, or none.
    """
    units = [Ld] if roof_Ld == "none" else [Ld, roof_Ld]
    return reduce(lambda p, ld: p * PLAIN_LEADERSHIP.failed.chance(ld), units, Fraction(1))


@asks("GW-034", name="fire after a Tremor")
def fire_after_tremor(rules: GwUpdated, shots: int, BS: int) -> PMF:
    """Return the distribution of hits by those inside in the turn after a Tremor (GW-034).

    Parameters
    ----------
    rules : GwUpdated
    shots : int
        Shots from fire points.
    BS : int
        The shooters' own Ballistic Skill.
    """
    return wh40k.shot(np.minimum(BS, fire_limit(np.array(1), rules))).times(shots).pmf


@asks("GW-010", "GW-037", name="automated fire")
def automated_fire(
    rules: GwUpdated,
    weapons: int,
    shots: int,
    S: int,
    AP: int,
    T: int,
    Sv: int,
    twin_linked: bool = False,
    snap_shots: bool = False,
) -> PMF:
    """Return the distribution of unsaved wounds by emplaced weapons that fire by themselves (GW-037, partly GW-010).

    Parameters
    ----------
    rules : GwUpdated
    weapons : int
        How many fire.
    shots : int
        Shots of each.
    S : int
        Their Strength.
    AP : int
        Their AP.
    T : int
        Toughness of the targets, in the open.
    Sv : int
        Their save.
    twin_linked : bool
        Whether the weapons are twin-linked.
    snap_shots : bool
        Whether they are limited to Snap Shots.
    """
    shot = emplaced(rules, wh40k.Hit(S, AP), wh40k.Target(T, Sv), twin_linked=twin_linked, snap_shots=snap_shots)
    return shot.times(weapons * shots).pmf

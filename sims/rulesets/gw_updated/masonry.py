"""What falls on those inside, and what becomes of them when the building comes down."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Dice, Draw, Ints, together
from sims.dice.source import Argument
from sims.forces import Models, best, give_up, picked, total, without, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.nerve import pinning_test
from sims.games.wh40k.transport import placed
from sims.inputs import Leadership, Many, Save, Toughness
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.damage import inside
from sims.rulesets.gw_updated.damage_roll import total_of
from sims.rulesets.gw_updated.state import Scene, Siege

Row = Literal["partial collapse", "structural collapse", "total collapse", "detonation"]


def falling_masonry(book: GwUpdated, times: Argument, at: wh40k.Target) -> Draw:
    """Return the unsaved wounds of masonry that falls so many times; cover does not help.

    Source: GW-031, GW-036, GW-038, GW-044, GW-049.
    """
    table = book.tables.masonry
    return wh40k.hurt(book.game, wh40k.Hit(table.S), at).hitting(table.hits).times(times)


@asks("GW-036", "GW-038", "GW-044", "GW-049", name="masonry")
def casualties_inside(
    book: GwUpdated, row: Row, T: Toughness, Sv: Save, occupants: Literal["any"] | int = "any"
) -> Draw:
    """Return the unsaved wounds inside from one row of the damage table (GW-036, GW-038, GW-044, GW-049).

    Parameters
    ----------
    row : str
        Of the damage table.
    T : int
        Toughness of those inside.
    Sv : int
        Armour save of those inside, or none.
    occupants : int
        How many one-wound models there are to lose; any for no limit.
    """
    falls = falling_masonry(book, inside(book, total_of(book, row)), wh40k.Target(T, Sv))
    return falls.up_to(None if occupants == "any" else occupants)


def masonry(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let masonry fall on those inside a building that stands: D6 or 2D6 hits, shared out at random.

    Source: GW-031, GW-036, GW-038.
    """
    after = _under_masonry(dice, state, scene, state.falling, "defenders lost to falling masonry")
    return after.replace(falling=0 * state.falling)


def comes_down(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the building down on those inside.

    Source: GW-031, GW-044, GW-049.
    """
    times = np.maximum(state.fall - 1, 0)
    return _under_masonry(dice, state, scene, times, "defenders lost in the collapse", stands=False)


def get_out(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let survivors out of a building that has come down, if there is room, and test their pinning.

    Source: partly GW-045, partly GW-046, partly GW-050, 40k 6th edition (BASE-039; partly BASE-032).
    """
    lost = want_of_room(total(state.defenders), scene.book.tables.forced_exit.room)
    dice.tally("defenders lost for want of room", lost)
    defenders = give_up(state.defenders, lost)
    Ld = best(scene.scenario.defenders, defenders, lambda g: g.profile.Ld)
    pins = pinning_test(Ld).times(total(defenders) > 0).passed(dice, "pinning")
    dice.tally("garrisons pinned on their way out", pins)
    return state.replace(defenders=defenders, destroyed=np.ones_like(state.destroyed))


@asks("GW-045", name="lost for want of room")
def want_of_room(survivors: Many, room: Many) -> Ints:
    """Return how many of those thrown out find no room (partly GW-045).

    Parameters
    ----------
    survivors : int
        Models that live through the collapse.
    room : int
        Models that can be placed.
    """
    return np.asarray(survivors - placed(survivors, room))


@asks("GW-046", "GW-050", name="pinned by a collapse")
def pinned(Ld: Leadership, roof_Ld: Literal["none"] | int = "none") -> Fraction:
    """Return the chance that a unit thrown out is pinned, and one on the roof too (partly GW-046, partly GW-050).

    Parameters
    ----------
    Ld : int
        Leadership of the unit thrown out.
    roof_Ld : int
        Leadership of the unit on the roof, or none.
    """
    units = [Ld] if roof_Ld == "none" else [Ld, roof_Ld]
    return together(map(pinning_test, units)).pmf[len(units)]


def _under_masonry(dice: Dice, state: Siege, scene: Scene, times: Ints, cause: str, *, stands: bool = True) -> Siege:
    falls = falling_masonry(scene.book, times, wh40k.Target.of(scene.scenario.defenders.unit))
    return suffer_inside(dice, state, scene, falls, scene.book.tables.masonry.S, cause, stands=stands)


def suffer_inside(
    dice: Dice, state: Siege, scene: Scene, wounds_of: Draw, S: int, cause: str, *, stands: bool = True
) -> Siege:
    """Let those inside suffer the unsaved wounds of hits of some Strength; whoever dies is picked at random.

    A wound of twice the Toughness takes a model away. Else models with several Wounds are wounded one by one, in stages
    of their own (`wound_one`); of a garrison that may come out one model after the other is. Who is hurt among those
    who live matters only while the building stands.

    Source: GW-031, 40k (BASE-011, BASE-013; partly BASE-012, partly BASE-041).
    """
    unit = scene.scenario.defenders.unit
    W = wh40k.wounds_to_kill(scene.book.game, S, unit)
    hurt = np.where(W == 1, 0, state.defenders_hurt + lost_by(state.wounded))
    wounds = wounds_of.up_to(wounds_left(state.defenders, hurt, W)).made(dice, "hits inside")
    dice.tally(cause, wounds)
    own = dice.within("who falls")
    if not scene.one_by_one:
        carried = state.defenders_hurt if W == 1 else (hurt + wounds) % W
        return fallen_inside(own, state.replace(defenders_hurt=carried), scene, (hurt + wounds) // W)
    if W > 1:
        return state.replace(wounds=wounds)
    if stands:
        _, *left = without(by_wounds(state), picked(own.within("hurt"), by_wounds(state), wounds, scene.by_wounds))
        state = state.replace(wounded=tuple(left))
    return fallen_inside(own, state, scene, wounds)


def wound_one(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Wound one of those inside, picked evenly whatever it has suffered, and remove it if that was its last Wound.

    Source: GW-031, 40k (partly BASE-041).
    """
    victim = picked(dice.within("hurt"), by_wounds(state), np.minimum(state.wounds, 1), scene.by_wounds)
    _, *before = without(by_wounds(state), victim)
    after = state.replace(
        wounds=np.maximum(state.wounds - 1, 0),
        wounded=tuple(n + now for n, now in zip(before, victim, strict=False)),
    )
    return fallen_inside(dice.within("who falls"), after, scene, victim[-1])


def by_wounds(state: Siege) -> Models:
    """Return how many of those inside have lost no Wound, one, two and so on."""
    return (total(state.defenders) - sum(state.wounded), *state.wounded)


def lost_by(wounded: Models) -> Argument:
    """Return how many Wounds those have lost who have lost one, two and so on."""
    return sum(n * wounds for wounds, n in enumerate(wounded, start=1))


def fallen_inside(dice: Dice, state: Siege, scene: Scene, dead: Ints) -> Siege:
    """Remove so many of those inside, picked evenly; with nobody left there the attackers let the walls be."""
    names = [group.title for group in scene.scenario.defenders.groups]
    defenders = without(state.defenders, picked(dice, state.defenders, dead, names))
    left = total(defenders) > 0
    return state.replace(
        defenders=defenders,
        defenders_hurt=np.where(left, state.defenders_hurt, 0),
        attacks=np.where(left, state.attacks, 0),
        grenades=np.where(left, state.grenades, 0),
    )

"""What falls on those inside, and what becomes of them when the building comes down."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Dice, Draw, Ints, together, without_a_roll
from sims.dice.source import Argument
from sims.forces import best, give_up, total
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.nerve import pinning_test
from sims.games.wh40k.rules import Attack
from sims.games.wh40k.transport import placed
from sims.inputs import Count, Leadership, Many, Save, Toughness
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.damage import inside, roof
from sims.rulesets.gw_updated.damage_roll import total_of
from sims.rulesets.gw_updated.state import INSIDE, Scene, Siege
from sims.rulesets.gw_updated.wounds import suffer_inside

Row = Literal["partial collapse", "structural collapse", "total collapse", "detonation"]


def falling_masonry(book: GwUpdated, times: Argument) -> Attack:
    """Return the hits of masonry that falls so many times; cover does not help.

    Source: GW-031, GW-036, GW-038, GW-044, GW-049.
    """
    table = book.tables.masonry
    return Attack(without_a_roll(times).hitting(table.hits), wh40k.Hit(table.S))


@asks("GW-036", "GW-038", "GW-044", "GW-049", name="masonry")
def casualties_inside(
    book: GwUpdated, row: Row, T: Toughness, Sv: Save, occupants: Literal["any"] | int = "any"
) -> Draw:
    """Return the unsaved wounds inside from one row of the damage table (GW-036, GW-038, GW-044, GW-049).

    Args:
        row: Of the damage table.
        T: Toughness of those inside.
        Sv: Armour save of those inside, or none.
        occupants: How many one-wound models there are to lose; any for no limit.
    """
    falls = falling_masonry(book, inside(book, total_of(book, row)))
    return falls.unsaved(book.game, wh40k.Target(T, Sv)).up_to(None if occupants == "any" else occupants)


@asks("GW-043", "GW-048", name="masonry on the battlements")
def casualties_on_the_roof(
    book: GwUpdated, row: Literal["total collapse", "detonation"], T: Toughness, Sv: Save, models: Count
) -> Draw:
    """Return the unsaved wounds of a unit on the battlements of a building that falls (GW-043, partly GW-048).

    Args:
        row: Of the damage table.
        T: Toughness of those on the roof.
        Sv: Armour save of those on the roof, or none.
        models: One-wound models there.
    """
    falls = falling_masonry(book, roof(book, total_of(book, row)))
    return falls.unsaved(book.game, wh40k.Target(T, Sv)).up_to(models)


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
    inside = np.where(state.garrison == INSIDE, total(state.defenders), 0)
    lost = want_of_room(inside, scene.book.tables.forced_exit.room)
    dice.tally("defenders lost for want of room", lost)
    defenders = give_up(state.defenders, lost)
    Ld = best(scene.scenario.defenders, defenders, lambda g: g.profile.Ld)
    pins = pinning_test(Ld).times(inside > lost).passed(dice, "pinning")
    dice.tally("garrisons pinned on their way out", pins)
    return state.replace(defenders=defenders, destroyed=np.ones_like(state.destroyed))


@asks("GW-045", name="lost for want of room")
def want_of_room(survivors: Many, room: Many) -> Ints:
    """Return how many of those thrown out find no room (partly GW-045).

    Args:
        survivors: Models that live through the collapse.
        room: Models that can be placed.
    """
    return survivors - placed(survivors, room)


@asks("GW-046", "GW-050", name="pinned by a collapse")
def pinned(Ld: Leadership, roof_Ld: Literal["none"] | int = "none") -> Fraction:
    """Return the chance that a unit thrown out is pinned, and one on the roof too (partly GW-046, partly GW-050).

    Args:
        Ld: Leadership of the unit thrown out.
        roof_Ld: Leadership of the unit on the roof, or none.
    """
    units = [Ld] if roof_Ld == "none" else [Ld, roof_Ld]
    return together(map(pinning_test, units)).pmf[len(units)]


def _under_masonry(dice: Dice, state: Siege, scene: Scene, times: Ints, cause: str, *, stands: bool = True) -> Siege:
    return suffer_inside(dice, state, scene, falling_masonry(scene.book, times), cause, stands=stands)

"""Getting out of a building and charging in the same turn: how far, from where, and who may."""

from itertools import count

import numpy as np

from sims.dice import Bools, Draw, Ints
from sims.dice.source import Argument
from sims.games.wh40k import moving
from sims.games.wh40k.transport import still_apart
from sims.inputs import Inches, Truth
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated


@asks("GW-026", "GW-027", name="charge in the turn of leaving")
def may_charge(
    own_turn: bool = True, escape_hatch: bool = False, pinned: bool = False, emergency: bool = False
) -> bool:
    """Return whether a unit that has left a building may charge in the same turn (GW-026, GW-027).

    Args:
        own_turn: It is the unit's own turn; a unit may be thrown out in the enemy's.
        escape_hatch: It left by an Escape Hatch.
        pinned: It is pinned, as a unit thrown out may be.
        emergency: It left by emergency disembarkation.
    """
    return own_turn and not (escape_hatch or pinned or emergency)


@asks("GW-035", name="inches out of a building")
def inches_out(book: GwUpdated, tremor: Truth = False) -> Ints:
    """Return how far a unit can come out of a building, in inches (GW-035, GW-053, BASE-030).

    Args:
        tremor: Whether the building suffered a Tremor in the turn before.
    """
    return np.where(tremor > 0, book.tables.leaving.after_tremor, book.game.tables.movement.disembark)


@asks("GW-035", name="inches left to charge")
def gap_outside(book: GwUpdated, distance: Inches, tremor: Truth = False) -> Ints:
    """Return the inches that a unit that comes out as far as it can has still to charge (GW-035, BASE-030).

    Args:
        distance: From the access point to the enemy.
        tremor: Whether the building suffered a Tremor in the turn before.
    """
    return still_apart(book.game, distance, inches_out(book, tremor))


@asks("GW-035", name="charge out of a building", needs=("BASE-033",), ask="P(=1)")
def charge_out(book: GwUpdated, distance: Inches, tremor: Truth = False) -> Draw:
    """Return whether a unit comes out of a building and reaches an enemy in the same turn (GW-035).

    Args:
        distance: From the access point to the enemy.
        tremor: Whether the building suffered a Tremor in the turn before.
    """
    return charge_over(book, gap_outside(book, distance, tremor))


@asks("GW-026", name="charge after leaving", ask="P(=1)")
def charge_over(book: GwUpdated, inches: Inches) -> Draw:
    """Return whether a charge reaches an enemy or the walls, also in the turn of leaving (GW-026, BASE-033).

    Args:
        inches: From where it stands outside to the enemy.
    """
    return moving.charge(book.game, inches, difficult=moving.difficult_ground(book.game))


def farthest_charge(book: GwUpdated) -> int:
    """Return over how many inches a garrison comes out to charge at most (GW-026)."""
    return moving.likely_charge(book.game) if book.rulings.sally_when("likely") else moving.charge_reach(book.game)


def dares(book: GwUpdated, gap: Argument) -> Bools:
    """Return where a garrison comes out to charge over a gap (GW-026)."""
    return np.asarray(gap <= farthest_charge(book))


def limits_left(limits: Argument, turns: Argument) -> Ints:
    """Return what is left of limits after so many turns of who holds the building: they last for one (GW-053)."""
    return np.asarray(limits * np.less(turns, 1))


@asks("GW-053", name="turn of a limit")
def limited_turn(holder: str = "A") -> str:
    """Return the turn through which a damage result limits those inside: whoever's turn the hit was in (GW-053).

    Args:
        holder: The player who holds the building.
    """
    turns = next(n for n in count(1) if not limits_left(True, n))
    return f"{holder}'s next {'turn' if turns == 1 else f'{turns} turns'}"

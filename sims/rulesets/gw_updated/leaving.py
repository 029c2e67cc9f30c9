"""Getting out of a building and charging in the same turn: how far, from where, and who may."""

from fractions import Fraction

import numpy as np

from sims.dice import Ints
from sims.dice.source import Argument
from sims.games.wh40k.transport import still_apart
from sims.questions import asks
from sims.rulesets.gw_updated.attack import charge_dice, charge_reach
from sims.rulesets.gw_updated.book import GwUpdated


def likely_charge(rules: GwUpdated) -> int:
    """Return the longest charge that succeeds more often than not, in inches (BASE-033)."""
    charge = charge_dice(rules).pmf
    return max((inches for inches in range(charge.outcomes[-1] + 1) if 2 * charge.at_least(inches) > 1), default=0)


def disembarks(rules: GwUpdated, tremor: Argument) -> Ints:
    """Return how far those inside can come out, in inches: less after a Tremor (GW-035, GW-053, BASE-030)."""
    return np.where(np.asarray(tremor) > 0, rules.tables.leaving.after_tremor, rules.game.tables.movement.disembark)


def gap_outside(rules: GwUpdated, distance: Argument, tremor: Argument) -> Ints:
    """Return the inches left to an enemy when the garrison has come out as far as it can (GW-035, BASE-030)."""
    return still_apart(rules.game, distance, disembarks(rules, tremor))


def dares(rules: GwUpdated, gap: Argument) -> Ints:
    """Return where a garrison comes out to charge over a gap (GW-026)."""
    return np.asarray(gap <= (likely_charge(rules) if rules.rulings.sally_when("likely") else charge_reach(rules)))


@asks("GW-026", "GW-027", name="charge in the turn of leaving")
def may_charge(
    own_turn: bool = True, escape_hatch: bool = False, pinned: bool = False, emergency: bool = False
) -> bool:
    """Return whether a unit that has left a building may charge in the same turn (GW-026, GW-027).

    Parameters
    ----------
    own_turn : bool
        It is the unit's own turn; a unit may be thrown out in the enemy's.
    escape_hatch : bool
        It left by an Escape Hatch.
    pinned : bool
        It is pinned, as a unit thrown out may be.
    emergency : bool
        It left by emergency disembarkation.
    """
    return own_turn and not (escape_hatch or pinned or emergency)


@asks("GW-026", name="charge after leaving")
def charge_after(rules: GwUpdated, inches: int) -> Fraction:
    """Return the chance that a unit that has left a building reaches an enemy (GW-026).

    Parameters
    ----------
    rules : GwUpdated
    inches : int
        From where it stands outside to the enemy.
    """
    return charge_dice(rules).pmf.at_least(inches)


@asks("GW-035", name="inches out of a building")
def inches_out(rules: GwUpdated, tremor: bool = False) -> int:
    """Return how far a unit can come out of a building, in inches (GW-035).

    Parameters
    ----------
    rules : GwUpdated
    tremor : bool
        Whether the building suffered a Tremor in the turn before.
    """
    return int(disembarks(rules, np.array(tremor)))


@asks("GW-035", name="inches left to charge")
def inches_left(rules: GwUpdated, distance: int, tremor: bool = False) -> int:
    """Return the inches that a unit that comes out of a building has still to charge (GW-035).

    Parameters
    ----------
    rules : GwUpdated
    distance : int
        From the access point to the enemy.
    tremor : bool
        Whether the building suffered a Tremor in the turn before.
    """
    return int(gap_outside(rules, np.array(distance), np.array(tremor)))


@asks("GW-035", name="charge out of a building", needs=("BASE-033",))
def charge_out(rules: GwUpdated, distance: int, tremor: bool = False) -> Fraction:
    """Return the chance that a unit comes out of a building and reaches an enemy in the same turn (GW-035).

    Parameters
    ----------
    rules : GwUpdated
    distance : int
        From the access point to the enemy.
    tremor : bool
        Whether the building suffered a Tremor in the turn before.
    """
    return charge_after(rules, inches_left(rules, distance, tremor))


@asks("GW-053", name="turn of a limit")
def limited_turn(holder: str = "A") -> str:
    """Return the turn through which a damage result limits those inside: whoever's turn the hit was in (GW-053).

    Parameters
    ----------
    holder : str
        The player who holds the building.
    """
    return f"{holder}'s next turn"

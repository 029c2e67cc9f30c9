"""How far models move, and how far a charge goes, at the walls or in the open."""

from sims.dice import Die, Draw
from sims.games.wh40k import combat
from sims.inputs import Inches
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated


def move(book: GwUpdated, unit: Unit) -> int:
    """Return how far a unit moves in the open, in inches."""
    edition = book.game.tables.movement
    return edition.jump_move if unit.kind == "jump infantry" else edition.move


@asks("GW-026", name="charge after leaving", ask="P(=1)")
def charge_over(book: GwUpdated, inches: Inches) -> Draw:
    """Return whether a charge reaches an enemy or the walls, also in the turn of leaving (GW-026, BASE-033).

    Parameters
    ----------
    inches : int
        From where it stands outside to the enemy.
    """
    return combat.charge(book.game, inches, difficult=_difficult(book))


def charge_dice(book: GwUpdated) -> Die:
    """Return the dice of inches that a charge goes (BASE-033)."""
    return combat.charge_dice(book.game, difficult=_difficult(book))


def _difficult(book: GwUpdated) -> bool:
    return book.game.rulings.charge_ground("difficult")


def charge_reach(book: GwUpdated) -> int:
    """Return the longest charge, in inches (BASE-033)."""
    return charge_dice(book).pmf.outcomes[-1]


def likely_charge(book: GwUpdated) -> int:
    """Return the longest charge that succeeds more often than not, in inches (BASE-033)."""
    charge = charge_dice(book).pmf
    return max((inches for inches in range(charge.outcomes[-1] + 1) if 2 * charge.at_least(inches) > 1), default=0)

"""Scatter from dice of different colours: how far, and which way."""

from fractions import Fraction
from typing import Literal

from sims.dice import PMF, Die
from sims.dice.die import (
    CRAZED,
    CRAZED_MOVE,
    DOUBLE_OF_THREE,
    DOUBLE_OF_THREE_ANY,
    DOUBLE_OF_THREE_BASE,
    SCATTER,
    SCATTER_AS_GW,
    SCATTER_ONLY,
    SCATTER_THREE,
    SCATTER_THREE_ANY,
    SCATTER_THREE_BASE,
    SHORT_SCATTER,
    SHORT_SCATTER_ONLY,
    VEER,
    scatter_less,
)
from sims.games.arap.book import Arap
from sims.questions import asks


@asks("ARAP-022", name="scatter direction")
def direction(degrees: Fraction) -> Fraction:
    """Return the chance that scatter goes within so many degrees, to either side, of a given line (ARAP-022).

    The line through the dice gives an angle that is uniform over the circle and independent of their scores.

    Args:
        degrees: To either side of the line, 0 to 180.

    Raises:
        ValueError: If the angle is no part of a half circle.
    """
    if not 0 <= degrees <= 180:
        raise ValueError(f"expected 0 to 180 degrees, got {degrees}")
    return Fraction(degrees) / 180


@asks("ARAP-023", name="scatter")
def scatter() -> PMF:
    """Return the inches of double-dice scatter: the sum, or 0 on a double (ARAP-023)."""
    return SCATTER.pmf


@asks("ARAP-024", name="scatter, double or 7")
def scatter_as_die() -> PMF:
    """Return the inches of scatter with the odds of a scatter die: 0 on a double or a 7 (ARAP-024)."""
    return SCATTER_AS_GW.pmf


@asks("ARAP-025", name="scatter only")
def scatter_only() -> PMF:
    """Return the inches of a scatter-only roll: always the sum (ARAP-025)."""
    return SCATTER_ONLY.pmf


def aimed_scatter(book: Arap, skill: int) -> Die:
    """Return scatter with a skill subtracted (ARAP-026).

    Args:
        skill: BS plus modifiers; a negative one lengthens the scatter.
    """
    capped = book.rulings.subtracted_skill("capped")
    return scatter_less(min(skill, book.tables.to_hit.best) if capped else skill)


@asks("ARAP-026", "ARAP-148", name="scatter less BS")
def scatter_less_skill(book: Arap, BS: int, modifiers: int = 0) -> PMF:
    """Return the inches of scatter with BS subtracted; a double is a hit all the same (ARAP-026, ARAP-148).

    Args:
        BS: Ballistic Skill.
        modifiers: The sum of all modifiers; positive ones help.
    """
    return aimed_scatter(book, BS + modifiers).pmf


@asks("ARAP-027", name="short scatter")
def short_scatter() -> PMF:
    """Return the inches of a short roll: the higher die less the lower (ARAP-027)."""
    return SHORT_SCATTER.pmf


@asks("ARAP-028", name="short scatter only")
def short_scatter_only() -> PMF:
    """Return the inches of a scatter-only short roll: a double gives the score of one die (ARAP-028)."""
    return SHORT_SCATTER_ONLY.pmf


@asks("ARAP-029", name="veer")
def veer(side: Literal["told apart", "either"] = "told apart") -> PMF:
    """Return the inches that a vehicle veers, to the right; negative to the left (ARAP-029).

    Args:
        side: With the sides told apart, or the distance to either side.
    """
    return VEER.pmf if side == "told apart" else VEER.pmf.map(abs)


@asks("ARAP-030", name="crazed animal")
def reversals(throws: int = 1) -> PMF:
    """Return how often a crazed animal turns right round: on even doubles (ARAP-030).

    Args:
        throws: How often the dice are thrown.
    """
    return throws @ CRAZED.pmf


@asks("ARAP-030", name="crazed animal's move")
def crazed_move(book: Arap, move: int) -> PMF:
    """Return the inches that a crazed animal goes along the line of the dice, negative if it turns round (ARAP-030).

    Args:
        move: Its own basic move in inches.
    """
    if book.rulings.crazed_distance("sum_of_dice"):
        return CRAZED_MOVE.pmf
    return CRAZED.pmf.map(lambda turned: -move if turned else move)


def three_dice(book: Arap) -> tuple[Die, Die]:
    """Return three-dice scatter, and whether it shows a double (ARAP-031)."""
    ruling = book.rulings.three_dice_double
    if ruling("top_two"):
        return SCATTER_THREE, DOUBLE_OF_THREE
    if ruling("any_two"):
        return SCATTER_THREE_ANY, DOUBLE_OF_THREE_ANY
    return SCATTER_THREE_BASE, DOUBLE_OF_THREE_BASE


@asks("ARAP-031", "ARAP-163", name="three-dice scatter")
def three_dice_scatter(book: Arap) -> PMF:
    """Return the inches of three-dice scatter: the two highest, or one of them on a double (ARAP-031, ARAP-163)."""
    distance, _ = three_dice(book)
    return distance.pmf


@asks("ARAP-031", name="double of three dice")
def three_dice_double(book: Arap) -> Fraction:
    """Return the chance that three scatter dice show a double (ARAP-031)."""
    _, double = three_dice(book)
    return double.pmf[1]

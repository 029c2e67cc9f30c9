"""From section to section: what links two of them, how many are crossed, and what a charge through brings."""

from typing import Literal

import numpy as np

from sims.dice import D6, Bools, Dice, Ints, roll
from sims.games.arap.moving.charge import Move
from sims.inputs import Count, Inches, Some, Truth
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini

Link = Literal["open door", "opening", "stairs", "ramp", "ladder", "wall"]
"""What is between two sections: those beside each other have a door, an opening or a wall, others a way up."""


@asks("GB-109", name="way into the next section")
def leads_on(link: Link, holes: Count = 0) -> Bools:
    """Return whether models can move from a section into another that borders on it (GB-109).

    Args:
        link: What is between the two.
        holes: Damage points of a wall between them, each of which lets one through.
    """
    return np.asarray((link != "wall") | (np.asarray(holes) > 0))


@asks("GB-121", name="charge into the next section")
def charges_on(link: Link) -> Bools:
    """Return whether a unit can charge one in the next section (GB-121).

    Args:
        link: What is between the two.
    """
    return leads_on(link)


@asks("GB-121", name="attacks of a charge into the next section")
def attacks_of_charge(book: Gemini, link: Link) -> int:
    """Return the extra attacks of each model that charges from one section into the next: none by a ladder (GB-121).

    Args:
        link: What is between the two.
    """
    return book.game.tables.combat.charge_attacks * brings_bonus(link)


def brings_bonus(link: Link) -> bool:
    """Return whether those who charge that way have the bonus of a charge (GB-028, GB-121)."""
    return link not in ("ladder", "wall")


@asks("GB-107", name="sections of a move")
def sections_moved(book: Gemini, points: Count) -> Ints:
    """Return how many sections a unit crosses for its action points: one for each, or in a turn (GB-107).

    Args:
        points: Action points that it moves with.
    """
    return np.asarray(points) if book.rulings.section_move("action") else np.minimum(points, 1)


@asks("GB-107", name="turns over sections")
def turns_needed(book: Gemini, sections: Some, points: Some = 1) -> Ints:
    """Return how many turns it takes a unit to cross some sections (GB-107).

    Args:
        sections: How many.
        points: Action points that it moves with in each turn.
    """
    return -(-np.asarray(sections) // sections_moved(book, points))


@asks("GB-110", name="sections of a move over open ground", needs=("GB-107",))
def sections_a_move(book: Gemini, M: Move, is_open: Truth = True) -> Ints:
    """Return how many sections a move crosses: two in a courtyard or hall, for those who are fast (GB-110).

    Args:
        is_open: Whether the sections are one large open space.
    """
    table = book.tables.onwards
    return np.where(np.asarray(is_open) & (np.asarray(M) >= table.fast), table.far, table.near)


@asks("GB-110", name="charge over two sections", needs=("ARAP-062",), ask="P(=1)")
def charge_over_two(dice: Dice, book: Gemini, M: Move) -> Bools:
    """Return whether a charge in a courtyard or hall reaches an enemy two sections away (GB-110)."""
    table = book.tables.onwards
    if book.rulings.open_sections("basic_move") and table.fast_charger <= M:
        return np.asarray(True)
    return roll(dice, "charge over two sections", 2 @ D6) >= table.charge - M


@asks("GB-023", name="unit in rooms")
def is_coherent(book: Gemini, between: Count = 0, inches: Inches = 0) -> Bools:
    """Return whether the members of a unit indoors are one unit: in one room or in rooms side by side (GB-023).

    By another ruling what counts is how near they are, as it is in the open.

    Args:
        between: Rooms that lie between theirs.
        inches: The longest way between members who ought to stand together.
    """
    near = np.asarray(inches) <= book.tables.onwards.coherency
    return near if book.rulings.coherency("inches") else np.asarray(between) == 0

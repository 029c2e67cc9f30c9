"""Hand grenades: how they get in, and what they do there."""

from fractions import Fraction
from typing import Annotated, Literal

from sims.dice import UNDER, Draw, Volley, once
from sims.dice.source import Argument
from sims.games.arap.areas.aim import thrown_grenade
from sims.games.arap.rolls.hits import Modifiers
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal
from sims.inputs import Count, Number, Skill, Strength, Toughness
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, Interior
from sims.rulesets.gemini.openings.interiors import Occupants, burst

Thrown = Annotated[Argument, Number("How many are thrown.", 0, 20)]
HIT, PASSED = "to hit", "through the port"
"""What the rolls of a grenade are for."""


def close_by(grenades: Argument) -> Draw:
    """Return how many grenades get in from 2 inches of an opening: all of them (partly GB-086)."""
    return Draw(Volley(()), (grenades,))


@asks("GB-088", name="grenades at an opening", needs=("ARAP-005",))
def through_opening(book: Gemini, BS: Skill, modifiers: Modifiers = 0, grenades: Count = 1) -> Draw:
    """Return how many grenades get in from more than 2 inches; a miss bursts outside (GB-088).

    Args:
        BS: Ballistic Skill.
        modifiers: For the size of the opening and the angle.
        grenades: How many are thrown.
    """
    return thrown_grenade(book.game, BS, modifiers).named(HIT).times(grenades)


def through_port(book: Gemini, BS: Argument, grenades: Argument = 1) -> Draw:
    """Return how many grenades go through a port: half of those that hit it, whatever the distance (GB-148).

    Args:
        BS: Ballistic Skill with all modifiers but those of port and grenade.
        grenades: How many are thrown.
    """
    aimed = thrown_grenade(book.game, BS, book.tables.ports.modifier)
    passed = once(UNDER, book.tables.ports.through)
    return aimed.named(HIT).then(passed.named(PASSED)).times(grenades)


@asks("GB-094", "GB-117", name="blast in a section", needs=("ARAP-011",))
def blast_in_section(book: Gemini, inside: Occupants) -> Draw:
    """Return how many occupants a blast inside a section hits, or wounds (GB-094, GB-117)."""
    return inside.meet(burst(book, close_by(1), inside.interior, inside.harm(book)))


@asks("GB-148", name="grenades at a firing port", needs=("ARAP-005", "ARAP-011", "GB-117"))
def grenades_at_port(
    book: Gemini,
    BS: int,
    grenades: Count = 1,
    occupants: Count = 0,
    S: Strength = 0,
    T: Toughness = 0,
    save: SaveGoal = NO_SAVE,
    interior: Interior = "confined",
) -> Fraction | Draw:
    """Return how many grenades go through a port, or the mean wounds behind it of each by itself, added up (GB-148).

    Args:
        BS: Ballistic Skill with all modifiers but those of port and grenade.
        grenades: How many are thrown.
        occupants: Models in the section; 0 to count grenades.
        S: Strength of a grenade; 0 to count hits.
        T: Toughness of the occupants.
        save: Their save, or none.
        interior: Whether they are in a confined space, behind furniture and inner walls, or in an open interior.
    """
    if not occupants:
        return through_port(book, BS, grenades)
    inside = Occupants(occupants, S, T, save, interior)
    one = inside.meet(burst(book, through_port(book, BS), inside.interior, inside.harm(book)))
    return int(grenades) * one.pmf.mean


@asks("GB-088", "GB-148", name="wounds by grenades from outside", needs=("ARAP-005", "ARAP-011", "GB-117"))
def grenades_from_outside(
    book: Gemini,
    BS: Skill,
    grenades: Thrown,
    inside: Occupants,
    way: Literal["opening", "port"] = "opening",
    modifiers: Modifiers = 0,
) -> Draw:
    """Return how many occupants are hit, or wounded, by grenades thrown from more than 2 inches (GB-088, GB-148).

    Each grenade bursts among those whom the others have left.

    Args:
        BS: Ballistic Skill.
        grenades: How many are thrown.
        way: At an opening, or at a firing port.
        modifiers: For the angle, and for the size of an opening; those of grenade and port are added.
    """
    if way == "port":
        getting_in = through_port(book, BS + modifiers, grenades)
    else:
        getting_in = through_opening(book, BS, modifiers, grenades)
    return inside.meet(burst(book, getting_in, inside.interior, inside.harm(book)))

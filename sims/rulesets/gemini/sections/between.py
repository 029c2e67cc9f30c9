"""Fire and grenades from one section into the next."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import PMF, UNDER, Draw, once
from sims.dice.source import Argument
from sims.games.arap.areas.aim import thrown_grenade
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import Modifiers, hit
from sims.inputs import Skill, Some, Truth
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.openings.grenades import blast_in_section
from sims.rulesets.gemini.openings.interiors import Occupants
from sims.rulesets.gemini.sections.rooms import is_entered
from sims.rulesets.gemini.state import Scene, Siege

Way = Literal["thrown", "launched"]
"""How something with an area comes into the next section: a hand grenade, or a shot."""


def at_garrison(state: Siege, scene: Scene) -> Argument:
    """Return what is added for fire at a garrison beside cover: nothing, but between sections by one reading."""
    return at_barricades(scene.book, is_entered(state, scene)) if scene.in_turn > 1 else 0


def at_barricades(book: Gemini, barricaded: Argument) -> Argument:
    """Return what is added to Ballistic Skill, beside hard cover, for targets that are barricaded (GB-116)."""
    counts = book.rulings.between_sections("barricaded")
    return np.multiply(book.tables.between.further, barricaded) if counts else 0


@asks("GB-116", name="shot into the next section", needs=("ARAP-005",))
def hits_next_section(
    book: Gemini, BS: Skill, modifiers: Modifiers = 0, sections: Some = 1, barricaded: Truth = False
) -> Fraction:
    """Return the chance that a shot hits those in another section, who are in hard cover (GB-116).

    Args:
        BS: Ballistic Skill.
        modifiers: Other than that for shots between sections.
        sections: How far off theirs is: 1 if it adjoins.
        barricaded: Whether they have barricaded themselves there, which counts by one reading alone.
    """
    aimed = hit(book.game, BS, modifiers + in_hard_cover(book) + at_barricades(book, barricaded))
    return aimed.pmf.at_least(1) * (int(sections) <= book.tables.between.sections)


def in_hard_cover(book: Gemini) -> int:
    """Return what is added to Ballistic Skill for targets in hard cover (ARAP-107)."""
    return int(modifiers(book.game, Circumstances(cover="hard")))


def aimed_between(book: Gemini, BS: Skill, way: Way) -> Draw:
    """Return the roll to hit of what is thrown or fired from section to section, and has an area."""
    more = in_hard_cover(book) if book.rulings.grenades_between("cover") else 0
    return thrown_grenade(book.game, BS, more) if way == "thrown" else hit(book.game, BS, more)


def still_there(book: Gemini) -> Draw:
    """Return the roll by which what has missed still comes down in the section aimed at."""
    return once(UNDER, book.tables.between.still_there)


def on_the_other_side(book: Gemini) -> Draw:
    """Return the roll by which what may come down in either of two sections does so in the one not its thrower's."""
    return once(UNDER, book.tables.between.either)


@asks("GB-119", name="grenade in the next section", needs=("ARAP-005", "ARAP-157"))
def lands_there(book: Gemini, BS: Skill, way: Way = "thrown") -> Fraction:
    """Return the chance that a grenade, or a shot with an area, comes down in the section aimed at (GB-119).

    Args:
        BS: Ballistic Skill.
        way: Whether it is thrown by hand.
    """
    hits = aimed_between(book, BS, way).pmf.at_least(1)
    return hits + (1 - hits) * still_there(book).pmf.at_least(1)


@asks("GB-119", name="grenade that comes back", needs=("ARAP-005", "ARAP-157"))
def comes_back(book: Gemini, BS: Skill, way: Way = "thrown", neighbours: Some = 1) -> Fraction:
    """Return the chance that a grenade, or a shot with an area, comes down in the section that it came from (GB-119).

    Args:
        BS: Ballistic Skill.
        way: Whether it is thrown by hand.
        neighbours: Sections next to the one aimed at, that of the thrower among them.
    """
    back = on_the_other_side(book).pmf[0] if neighbours == 2 else Fraction(1, int(neighbours))
    return (1 - lands_there(book, BS, way)) * back


@asks("GB-119", name="blast in the next section", needs=("ARAP-005", "ARAP-157", "GB-094"), ask="mean")
def blast_there(book: Gemini, BS: Skill, inside: Occupants, way: Way = "thrown") -> PMF:
    """Return how many of a section a grenade from the next one hits, or wounds (GB-119).

    Args:
        BS: Ballistic Skill.
        way: Whether it is thrown by hand.
    """
    there = lands_there(book, BS, way)
    return PMF.mixture([(there, blast_in_section(book, inside).pmf), (1 - there, PMF.constant(0))])

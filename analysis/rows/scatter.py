"""Rows of scatter: how far a marker lands from its aim, and how often it covers something there.

Directions are uniform (ARAP-022), distances those of each variant; what a marker covers is plain geometry of these.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np

from analysis.library.odds import odds
from sims.dice import PMF
from sims.errors import CasemateError, nearest
from sims.geometry import Field, law, stretches
from sims.questions import alias, question

VARIANTS = ("ARAP-023", "ARAP-024", "ARAP-025", "ARAP-026", "ARAP-027", "ARAP-028")
"""The clauses of scatter with two dice, in the order of the book."""
STEP = Fraction(1, 2)
"""Inches between the distances at which a target stands."""
DOTS = 216
"""How many landings a picture shows: six for each way in which two dice fall, one for each of three."""
MOST = 48
"""Inches of table: the largest size of anything."""


class Variant(NamedTuple):
    """A way to scatter: its name, its clause, and how many inches it comes to."""

    name: str
    clause: str
    inches: PMF


class Target(NamedTuple):
    """What a marker may cover: so long across the line of aim, and so thick to every side."""

    name: str
    length: float
    thick: float = 0.0


class LandingRow(NamedTuple):
    """The chance that a marker lands so many inches from its aim, that of no more inches, and its part of `DOTS`."""

    variant: str
    clause: str
    inches: int
    chance: float
    within: float
    dots: int


class CoverRow(NamedTuple):
    """The chance that a marker covers some of a target, whose middle is so many inches from the aim."""

    variant: str
    clause: str
    target: str
    distance: float
    chance: float


def variants(names: Sequence[str], BS: int) -> list[Variant]:
    """Return ways to scatter by their names or clauses; all of them if none is named.

    Args:
        BS: What is subtracted where a variant does so: Ballistic Skill and modifiers.

    Raises:
        CasemateError: If a name is unknown.
    """
    known = {clause: question(clause) for clause in (*VARIANTS, "ARAP-031")}
    called = {alias(asked): clause for clause, asked in known.items()}
    found = []
    for name in dict.fromkeys(names or VARIANTS):
        clause = called.get("-".join(name.lower().replace(",", "").split()), name.upper())
        if clause not in known:
            raise CasemateError(f'there is no scatter "{name}"; {nearest(name, {*called, *known})}')
        skilled = "BS" in known[clause].inputs
        answer = (odds(clause, BS=BS) if skilled else odds(clause)).answer
        if isinstance(answer, PMF):
            found.append(Variant(known[clause].name + f" {BS}" * skilled, clause, answer))
    return found


def landing_rows(of: Sequence[Variant]) -> list[LandingRow]:
    """Return how far markers land from their aim."""
    return [
        LandingRow(name, clause, inches, float(chance), float(pmf.at_most(inches)), round(DOTS * chance))
        for name, clause, pmf in of
        for inches, chance in pmf
    ]


def targets(base: float, opening: float, section: float) -> list[Target]:
    """Return what a marker may cover, by sizes in inches: a model on its base, an opening and a section of a wall.

    Raises:
        CasemateError: If a size is none.
    """
    for name, size in (("base", base), ("opening", opening), ("section", section)):
        if not 0 <= size <= MOST:
            raise CasemateError(f"the {name} cannot be {size:g} inches; expected 0 to {MOST}")
    return [
        Target(f"a model on a base of {inches_words(base)}" if base else "the centre of a model", 0, base / 2),
        Target(f"an opening of {inches_words(opening)}", opening),
        Target(f"a wall section of {inches_words(section)}", section),
    ]


def inches_words(inches: float) -> str:
    """Write a length."""
    return f"{inches:g} inch" if inches == 1 else f"{inches:g} inches"


def cover_rows(of: Sequence[Variant], at: Sequence[Target], marker: float) -> list[CoverRow]:
    """Return the chance that a marker covers targets, at every distance at which it can.

    Args:
        marker: Inches across.

    Raises:
        CasemateError: If the marker has no size.
    """
    if not 0 < marker <= MOST:
        raise CasemateError(f"a marker cannot be {marker:g} inches across; expected more than 0, and {MOST} at most")
    far = max(each.inches.outcomes[-1] for each in of) + marker / 2 + max(target.thick for target in at)
    distances = [float(n * STEP) for n in range(ceil(far / STEP) + 1)]
    return [
        CoverRow(name, clause, target.name, distance, chance)
        for name, clause, pmf in of
        for target in at
        for distance, chance in zip(distances, cover_chances(pmf, distances, target, marker / 2), strict=True)
    ]


def cover_chances(inches: PMF, distances: Sequence[float], target: Target, radius: float) -> list[float]:
    """Return the chances that a marker of a radius covers some of a target, its middle so far from the aim."""
    half = 0.5j * target.length
    there = stretches((distance - half, distance + half) for distance in distances)
    found = law(Field(-MOST, 0, there, radius + target.thick), zip(inches.outcomes, inches.weights, strict=True))
    shares = np.array(found.weights, dtype=float) / sum(found.weights)
    return [float(chance) for chance in shares @ (found.covered > 0)]

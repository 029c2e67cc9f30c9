"""Rows of scatter: how far a marker lands from its aim, and how often it covers something there.

Directions are uniform (ARAP-022), distances those of each variant. What a marker covers is plain geometry of these: the
part of the circle of landings, at each distance that the dice may show, on which it does.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import acos, atan2, ceil, cos, degrees, hypot, pi, sin
from typing import NamedTuple

from analysis.library.odds import odds
from sims.dice import PMF
from sims.errors import CasemateError, nearest
from sims.games.arap.rolls.scatter import direction
from sims.questions import alias, question

VARIANTS = ("ARAP-023", "ARAP-024", "ARAP-025", "ARAP-026", "ARAP-027", "ARAP-028")
"""The clauses of scatter with two dice, in the order of the book."""
STEP = Fraction(1, 2)
"""Inches between the distances at which a target stands."""
DOTS = 216
"""How many landings a picture shows: six for each way in which two dice fall, one for each of three."""
MOST = 48
"""Inches of table: the largest size of anything."""
TOUCHES = 1e-9
"""How much of an inch rounding may take."""


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
        CoverRow(name, clause, target.name, distance, cover_chance(pmf, distance, target, marker / 2))
        for name, clause, pmf in of
        for target in at
        for distance in distances
    ]


def cover_chance(inches: PMF, distance: float, target: Target, radius: float) -> float:
    """Return the chance that a marker of a radius covers some of a target, its middle so far from the aim."""
    half, reach = target.length / 2, radius + target.thick
    return sum(float(chance) * _part(landed, distance, half, reach) for landed, chance in inches)


def _part(landed: float, distance: float, half: float, reach: float) -> float:
    """Return the part of a circle of landings that is within reach of a stretch.

    Angles run from the line that the middle of the stretch lies on; on the other side of it all is alike.
    """
    angles = sorted({0.0, pi, *_edges(landed, distance, half, reach)})
    within = [float(direction(Fraction(degrees(angle)))) for angle in angles]
    return sum(
        more - less
        for (low, high), (less, more) in zip(pairwise(angles), pairwise(within), strict=True)
        if _gap(landed, (low + high) / 2, distance, half) <= reach + TOUCHES
    )


def _gap(landed: float, angle: float, distance: float, half: float) -> float:
    """Return the inches from a landing to the nearest point of a stretch."""
    return hypot(landed * cos(angle) - distance, max(landed * sin(angle) - half, 0))


def _edges(landed: float, distance: float, half: float, reach: float) -> Iterator[float]:
    """Yield the angles, of half a circle, at which reach may begin or end: beside a stretch, and around its end."""
    if landed:
        for line in (distance - reach, distance + reach):
            if abs(line) <= landed:
                yield acos(line / landed)
    away = hypot(distance, half)
    if landed and away:
        turn = (landed**2 + away**2 - reach**2) / (2 * landed * away)
        if abs(turn) <= 1:
            for angle in (atan2(half, distance) - acos(turn), atan2(half, distance) + acos(turn)):
                if 0 <= angle <= pi:
                    yield angle

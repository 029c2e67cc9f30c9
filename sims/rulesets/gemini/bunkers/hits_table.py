"""The Bunker Hits Table: which hits roll on it, and what they leave of a bunker."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Ints
from sims.dice.source import Argument
from sims.inputs import Number
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.bunkers.armour import GLANCING, NOTHING, PENETRATING
from sims.rulesets.gemini.state import STUNNED
from sims.rulesets.gemini.tables import MOST_TOTAL, HitColumn

NO_EFFECT, SHAKEN, STUN, STRUCTURAL, COLLAPSE, ARMAMENT = range(6)
"""Results of the Bunker Hits Table, in the order of `HitColumn`; the last one takes the place of another where a
built-in weapon is left."""
Column = Literal["glancing", "penetrating"]
RESULTS = (*HitColumn.model_fields, "armament")
"""Their names."""
Damaged = Annotated[Argument, Number("Structural damage so far.", 0, 10)]
STATES = {0: "it stands", 1: "it is breached", 2: "it falls"}
"""What becomes of a bunker, in words."""
FACES = np.arange(1, 7)
"""What the die for the table may show."""


@dataclass(frozen=True)
class Bunker:
    """What a bunker has left: hull points, structural damage, built-in weapons; whether it is shaken, or falls."""

    hull: Argument
    cracks: Argument
    mounted: Argument
    shaken: Argument
    falling: Argument

    def code(self) -> Ints:
        """Return all of it as one number; of a bunker that falls nothing else is told."""
        code: Ints = np.asarray(self.hull).astype(np.int64)
        for part, span in ((self.cracks, 32), (self.mounted, 16), (self.shaken, 3)):
            code = code * span + part
        return np.where(self.falling > 0, 1, 2 * code)

    @classmethod
    def decode(cls, code: Ints) -> "Bunker":
        """Return what a number says."""
        parts = []
        for span in (2, 3, 16, 32):
            parts.append(code % span)
            code = code // span
        return cls(code, *reversed(parts))


@dataclass(frozen=True)
class HitsTable:
    """The Bunker Hits Table for hits of one weapon, with the rulings about it, elementwise (GB-139 to GB-142).

    `AP` is what the weapon adds to the roll. `shaken` is what shaken occupants count as: a garrison that does nothing
    but fire is as good as stunned.
    """

    glancing: tuple[int, ...]
    penetrating: tuple[int, ...]
    structural: int
    armament: int
    natural: bool
    last_point_rolls: bool
    AP: int
    shaken: int

    @classmethod
    def of(cls, book: Gemini, AP: int = 0, shaken: int = STUNNED) -> "HitsTable":
        """Return the table of a book."""
        table, rulings = book.tables.bunker_hits, book.rulings
        return cls(
            by_total(table.glancing),
            by_total(table.penetrating),
            table.structural,
            table.armament,
            rulings.armament_roll("natural"),
            rulings.last_hull_point("rolls"),
            AP,
            shaken,
        )

    def rolls(self, hull: Argument, hit: Argument) -> Bools:
        """Return whether a hit rolls on the table: what penetrates, and what glances without hull points (GB-139)."""
        spent = hull <= (1 if self.last_point_rolls else 0)
        return np.asarray((hit == PENETRATING) | ((hit == GLANCING) & spent))

    def result(self, hit: Argument, face: Ints, cracks: Argument, armed: Argument) -> Ints:
        """Return the result of a die for a glancing or penetrating hit (GB-140, GB-141).

        Structural damage adds to it; totals beyond the table count as its last.
        """
        score = np.maximum(face + self.structural * cracks + self.AP, 0)
        glancing, penetrating = np.array(self.glancing), np.array(self.penetrating)
        found = np.where(
            hit == PENETRATING,
            penetrating[np.minimum(score, len(penetrating) - 1)],
            glancing[np.minimum(score, len(glancing) - 1)],
        )
        shown = face if self.natural else score
        return np.where(armed & (shown == self.armament), ARMAMENT, found)

    def by_face(self, hit: Argument, cracks: Argument, armed: Argument) -> Ints:
        """Return the results of the six faces of the die, on the last axis."""
        return self.result(hit, FACES, cracks, armed)

    def left(self, bunker: Bunker, hit: Argument, result: Ints) -> Bunker:
        """Return the bunker after a hit, which takes a hull point, and its result; one that falls is past harm.

        Source: Bunker Hits Table (GB-139, GB-140, GB-141, GB-142).
        """
        stands = bunker.falling == 0
        hull = np.where(stands & (hit > NOTHING), np.maximum(bunker.hull - 1, 0), bunker.hull)
        found = np.where(stands & self.rolls(bunker.hull, hit), result, NO_EFFECT)
        return Bunker(
            hull,
            bunker.cracks + (found == STRUCTURAL),
            bunker.mounted - (found == ARMAMENT),
            np.maximum(bunker.shaken, np.where(found == SHAKEN, self.shaken, np.where(found == STUN, STUNNED, 0))),
            np.maximum(bunker.falling, found == COLLAPSE),
        )

    def hit(self, before: PMF, attack: PMF) -> PMF:
        """Return the codes of the bunker after an attack that may do nothing, glance or penetrate."""
        bunkers, weights = Bunker.decode(np.array(before.outcomes)[:, None]), Counter[int]()
        for done, chance in zip(attack.outcomes, attack.weights, strict=True):
            results = self.by_face(done, bunkers.cracks, bunkers.mounted > 0)
            codes = self.left(bunkers, done, results).code().tolist()
            for weight, row in zip(before.weights, codes, strict=True):
                for code in row:
                    weights[code] += weight * chance
        return PMF.of(weights)


def by_total(column: HitColumn) -> tuple[int, ...]:
    """Return the result of each total from 0; a total that is not listed has no effect."""
    listed = {total: result for result, (_, totals) in enumerate(column) for total in totals}
    return tuple(listed.get(total, NO_EFFECT) for total in range(max(listed) + 1))


@asks("GB-139", name="rolls on the Bunker Hits Table")
def rolls_on_table(book: Gemini, hull: int, hits: str) -> int:
    """Return how many of some hits in a row roll on the Bunker Hits Table, if the bunker stands (GB-139).

    Args:
        hull: Hull points before the first.
        hits: One letter for each hit, in order: g glancing, p penetrating.

    Raises:
        ValueError: If a letter is neither.
    """
    table = HitsTable.of(book)
    return sum(bool(table.rolls(max(hull - before, 0), hit)) for before, hit in enumerate(_hits(hits)))


def _hits(letters: str) -> list[int]:
    if set(letters.lower()) - set("gp"):
        raise ValueError(f'expected letters g and p, got "{letters}"')
    return [GLANCING if letter == "g" else PENETRATING for letter in letters.lower()]


@asks("GB-142", name="bunker after hits", needs=("GB-139", "GB-140"))
def after_hits(book: Gemini, hull: int, hits: str, damage: Damaged = 0) -> PMF:
    """Return what some hits in a row make of a bunker: 0 it stands, 1 it is breached, 2 it falls (GB-142).

    Args:
        hull: Hull points before the first.
        hits: One letter for each hit, in order: g glancing, p penetrating.
        damage: Structural damage before the first.

    Raises:
        ValueError: If a letter is neither.
    """
    table = HitsTable.of(book)
    left = PMF.constant(int(Bunker(hull, damage, 0, 0, 0).code()))
    for hit in _hits(hits):
        left = table.hit(left, PMF.constant(hit))
    return left.map(state_of).named(STATES)


def state_of(code: int) -> int:
    """Return 2 for a bunker that falls, 1 for one that is breached, else 0."""
    left = Bunker.decode(np.array(code))
    return 2 if left.falling else 1 if left.cracks else 0


@asks("GB-139", "GB-140", name="hits on a bunker")
def collapse_chance(book: Gemini, hull: int, hits: str, damage: Damaged = 0) -> Fraction:
    """Return the chance that some hits in a row bring a bunker down (GB-139, GB-140).

    Args:
        hull: Hull points before the first.
        hits: One letter for each hit, in order: g glancing, p penetrating.
        damage: Structural damage before the first.
    """
    return after_hits(book, hull, hits, damage)[2]


@asks("GB-140", "GB-141", name="Bunker Hits Table")
def result_chance(
    book: Gemini,
    column: Column,
    result: Literal["no_effect", "shaken", "stunned", "structural", "collapse", "armament"] | None = None,
    damage: int = 0,
    armed: bool = False,
) -> PMF | Fraction:
    """Return the chance of a result on the Bunker Hits Table (GB-140, GB-141).

    Args:
        column: Whether the hit glances or penetrates.
        result: Armament is that of a built-in weapon destroyed; every result if not given.
        damage: Structural damage so far.
        armed: Whether a built-in weapon still works.
    """
    found = _results(book, column, damage, armed)
    if result is None:
        return PMF.of(Counter(found.tolist())).named({i: name.replace("_", " ") for i, name in enumerate(RESULTS)})
    return _share(found, RESULTS.index(result))


def _results(book: Gemini, column: Column, damage: int, armed: bool = False) -> Ints:
    """Return the results of the six faces of the die."""
    return HitsTable.of(book).by_face(GLANCING if column == "glancing" else PENETRATING, damage, armed)


def _share(found: Ints, result: int) -> Fraction:
    return Fraction(int((found == result).sum()), found.size)


@asks("GB-140", name="hits until a bunker collapses")
def hits_to_collapse(book: Gemini, column: Column, damage: int = 0) -> Fraction:
    """Return how many rolls in one column it takes on average until a bunker collapses (GB-140).

    Args:
        column: Whether all hits glance or penetrate.
        damage: Structural damage so far.

    Raises:
        ValueError: If it never does.
    """
    falls, cracks = (_share(_results(book, column, damage), result) for result in (COLLAPSE, STRUCTURAL))
    endless = cracks == 0 or damage > MOST_TOTAL
    if falls == 0 and endless:
        raise ValueError("by this table it never collapses")
    if endless:
        return 1 / falls
    return (1 + cracks * hits_to_collapse(book, column, damage + 1)) / (falls + cracks)

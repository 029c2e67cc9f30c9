"""Attacks on a bunker, one after the other: its Armour Value, hull points and the Bunker Hits Table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sims.dice import D6, LOW, PMF, Bools, Ints, pick
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, needed, thrown
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.state import STUNNED
from sims.rulesets.gemini.tables import HitColumn

NOTHING, GLANCING, PENETRATING = range(3)
"""What an attack does to an Armour Value."""
DOES = ("no effect", "a glancing hit", "a penetrating hit")
"""The same in words."""
NO_EFFECT, SHAKEN, STUN, STRUCTURAL, COLLAPSE, ARMAMENT = range(6)
"""Results of the Bunker Hits Table, in the order of `HitColumn`; the last one takes the place of another where a
built-in weapon is left."""
RESULTS = (*HitColumn.model_fields, "armament")
"""Their names."""
AUTOMATIC = 7
"""The target of an attack that hits without a roll."""
ONE_DIE, TWO_DICE, BEST_OF_TWO = 1, 2, 3
"""The dice that are added to Strength."""


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
        code: Ints = np.asarray(self.hull)
        for part, span in ((self.cracks, 32), (self.mounted, 16), (self.shaken, 3)):
            code = code * span + part
        return np.where(np.asarray(self.falling) > 0, 1, 2 * code)

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
    """The Bunker Hits Table with the rulings about it, elementwise (GB-139, GB-140, GB-141, GB-142).

    `shaken` is what shaken occupants count as: a garrison that does nothing but fire is as good as stunned.
    """

    glancing: tuple[int, ...]
    penetrating: tuple[int, ...]
    structural: int
    armament: int
    natural: bool
    last_point_rolls: bool
    shaken: int

    @classmethod
    def of(cls, rules: Gemini, shaken: int = STUNNED) -> "HitsTable":
        """Return the table of a book."""
        table, rulings = rules.tables.bunker_hits, rules.rulings
        return cls(
            by_total(table.glancing),
            by_total(table.penetrating),
            table.structural,
            table.armament,
            rulings.armament_roll("natural"),
            rulings.last_hull_point("rolls"),
            shaken,
        )

    def result(self, hit: Ints, face: Ints, modifier: Argument, armed: Argument) -> Ints:
        """Return the result of a die for a glancing or penetrating hit; totals beyond the table count as its last."""
        score = np.maximum(face + modifier, 0)
        glancing, penetrating = np.array(self.glancing), np.array(self.penetrating)
        found = np.where(
            hit == PENETRATING,
            penetrating[np.minimum(score, len(penetrating) - 1)],
            glancing[np.minimum(score, len(glancing) - 1)],
        )
        shown = face if self.natural else score
        return np.asarray(np.where(armed & (shown == self.armament), ARMAMENT, found))

    def hit(self, before: PMF, attack: PMF, AP_modifier: int = 0) -> PMF:
        """Return the codes of the bunker after an attack that may do nothing, glance or penetrate."""
        bunkers, faces = Bunker.decode(np.array(before.outcomes)[:, None]), np.arange(1, 7)
        weights: Counter[int] = Counter()
        for done, chance in zip(attack.outcomes, attack.weights, strict=True):
            left = self.after(bunkers, np.array(done), faces, AP_modifier)
            codes = np.broadcast_to(left.code(), (len(before.outcomes), len(faces))).tolist()
            for weight, row in zip(before.weights, codes, strict=True):
                for code in row:
                    weights[code] += weight * chance
        return PMF.of(weights)

    def rolls(self, hull: Argument, hit: Argument) -> Bools:
        """Return whether a hit rolls on the table: what penetrates, and what glances with no hull point left."""
        spent = np.asarray(hull) <= (1 if self.last_point_rolls else 0)
        return np.asarray((hit == PENETRATING) | ((hit == GLANCING) & spent))

    def after(self, bunker: Bunker, hit: Ints, face: Ints, AP_modifier: int) -> Bunker:
        """Return the bunker after a hit, which takes a hull point; what penetrates rolls, or glances with none left.

        Nothing more is done to a bunker that falls.
        """
        standing = np.asarray(bunker.falling) == 0
        hull = np.where(standing & (hit > NOTHING), np.maximum(np.asarray(bunker.hull) - 1, 0), bunker.hull)
        rolls = standing & self.rolls(bunker.hull, hit)
        modifier = self.structural * np.asarray(bunker.cracks) + AP_modifier
        found = np.where(rolls, self.result(hit, face, modifier, np.asarray(bunker.mounted) > 0), NO_EFFECT)
        return Bunker(
            hull,
            bunker.cracks + (found == STRUCTURAL),
            bunker.mounted - (found == ARMAMENT),
            np.maximum(bunker.shaken, np.where(found == SHAKEN, self.shaken, np.where(found == STUN, STUNNED, 0))),
            np.maximum(bunker.falling, found == COLLAPSE),
        )


def by_total(column: HitColumn) -> tuple[int, ...]:
    """Return the result of each total from 0; a total that is not listed has no effect."""
    listed = {total: result for result, (_, totals) in enumerate(column) for total in totals}
    return tuple(listed.get(total, NO_EFFECT) for total in range(max(listed) + 1))


def penetration(dice: int, needed: int) -> PMF:
    """Return what a hit does to an Armour Value: equal to it glances, more penetrates (GB-133).

    Parameters
    ----------
    dice : int
        `ONE_DIE`, `TWO_DICE` or `BEST_OF_TWO`.
    needed : int
        Armour Value less Strength.
    """
    thrown = {ONE_DIE: D6, TWO_DICE: 2 @ D6, BEST_OF_TWO: pick(2, D6, 1)}[dice].pmf
    return thrown.map(lambda n: NOTHING if n < needed else GLANCING if n == needed else PENETRATING)


@dataclass(frozen=True)
class Bombardment:
    """Attacks on a bunker, one after the other, each of which may change the next.

    An attack hits, and D6 and Strength equal to the Armour Value glance, more penetrate (GB-133). The answer is the
    `Bunker` that is left, as a code.

    Arguments: attacks; target to hit, or `AUTOMATIC`; the dice for penetration; Strength; Armour Value; the code of the
    bunker before.
    """

    table: HitsTable
    AP_modifier: int
    arity = 6

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what is left, attack by attack."""
        attacks, to, dice, S, AV, before = arguments
        hit = Fraction(1) if to == AUTOMATIC else LOW.chance(to)
        attack = PMF.mixture([(hit, penetration(dice, AV - S)), (1 - hit, PMF.constant(NOTHING))])
        left = PMF.constant(before)
        for _ in range(attacks):
            left = self.table.hit(left, attack, self.AP_modifier)
        return left

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every die of every attack."""
        attacks, to, dice, S, AV, before = arguments
        most = int(np.max(attacks, initial=0))
        hitting, confirming = cast("to hit", 6, most), cast("to hit again", 6, most)
        first, second = cast("penetration", 6, most).astype(np.int64), cast("second die", 6, most).astype(np.int64)
        faces, bunker = cast("Bunker Hits Table", 6, most).astype(np.int64), Bunker.decode(before)
        for i in range(most):
            a, b = first[i], second[i]
            thrown = np.where(dice == ONE_DIE, a, np.where(dice == TWO_DICE, a + b, np.maximum(a, b)))
            hits = (attacks > i) & ((to == AUTOMATIC) | LOW.passes(to, hitting[i], confirming[i]))
            hurt = np.where(S + thrown < AV, NOTHING, np.where(S + thrown == AV, GLANCING, PENETRATING))
            bunker = self.table.after(bunker, np.where(hits, hurt, NOTHING), faces[i], self.AP_modifier)
        return bunker.code()

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each attack as far as it goes, down to the row of the table."""
        attacks, to, dice, S, AV, before = arguments
        bunker = Bunker.decode(np.array(before))
        for i in range(attacks):
            if int(bunker.falling):
                return
            aimed, hits = self._aimed(face, to, i)
            if not hits:
                yield f"attack {i + 1}: {aimed}"
                continue
            shown = [face(part, 6, i) for part in ("penetration", "second die")[: 1 if dice == ONE_DIE else 2]]
            score = max(shown) if dice == BEST_OF_TWO else sum(shown)
            hit = np.array((S + score >= AV) + (S + score > AV))
            needs = f"Strength {S} against Armour Value {AV}, {AV - S} to glance, {AV - S + 1}+ to penetrate"
            pierces = f"{needs}: {'+'.join(map(str, shown))}"
            row, bunker = self._row(face, bunker, hit, i)
            yield "; ".join(filter(None, (f"attack {i + 1}: {aimed}{pierces}, {DOES[hit]}", row)))

    def _aimed(self, face: Face, to: int, i: int) -> tuple[str, bool]:
        """Return what is said of the roll to hit, and whether it does."""
        if to == AUTOMATIC:
            return "", True
        shown, hits = thrown(LOW, to, lambda d: face(("to hit", "to hit again")[d], 6, i))
        return f"to hit, {needed(LOW, to)}: {shown}, {'a hit; ' if hits else 'a miss'}", hits

    def _row(self, face: Face, bunker: Bunker, hit: Ints, i: int) -> tuple[str, Bunker]:
        """Return what is said of the roll on the table, "" if there is none, and the bunker after it."""
        if not self.table.rolls(bunker.hull, hit):
            return "", self.table.after(bunker, hit, np.array(1), self.AP_modifier)
        shown = face("Bunker Hits Table", 6, i)
        cracks = self.table.structural * int(bunker.cracks)
        armed = np.array(bunker.mounted) > 0
        found = RESULTS[int(self.table.result(hit, np.array(shown), cracks + self.AP_modifier, armed))]
        total = added_up(shown, (cracks, "structural damage"), (self.AP_modifier, "AP"))
        after = self.table.after(bunker, hit, np.array(shown), self.AP_modifier)
        return f"Bunker Hits Table {total}: {found.replace('_', ' ')}", after

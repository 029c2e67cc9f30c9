"""Attacks on a bunker, one after the other: to hit, to penetrate, and on the Bunker Hits Table."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import numpy as np

from sims.dice import PMF, Draw, Ints, Test, once
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, Told, d6, needed, thrown
from sims.games.arap.rolls.hits import to_hit
from sims.inputs import NONE, Count, Number, Piercing, Strength
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.bunkers.armour import (
    BEST_OF_TWO,
    DOES,
    GLANCING,
    NOTHING,
    ONE_DIE,
    PENETRATING,
    TWO_DICE,
    armour_of,
    penetration,
)
from sims.rulesets.gemini.bunkers.hits_table import RESULTS, STATES, Bunker, Damaged, HitsTable, state_of
from sims.rulesets.gemini.state import STUNNED
from sims.rulesets.gemini.tables import ArmouredKind

Shots = Annotated[Argument, Number("How many.", 0, 20)]
Hits = Annotated[Argument, Number("Hits, one after the other.", 0, 40)]
Weapons = Annotated[Argument, Number("Built-in weapons that work.", 0, 15)]
AUTOMATIC = 7
"""The target of an attack that hits without a roll."""


class Attack(NamedTuple):
    """An attack on armour: the roll to hit, or `AUTOMATIC`; the dice added to its Strength, and its AP."""

    aimed: Draw
    dice: Argument
    S: Argument
    AP: int | None


@dataclass(frozen=True)
class Bombardment:
    """Attacks on a bunker, one after the other, each of which may change the next.

    An attack hits, and D6 and Strength equal to the Armour Value glance, more penetrate (GB-133). The answer is the
    `Bunker` that is left, as a code.

    Arguments: attacks; target to hit, or `AUTOMATIC`; the dice for penetration; Strength; Armour Value; the code of the
    bunker before.
    """

    table: HitsTable
    hitting: Test
    arity = 6

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what is left, attack by attack."""
        attacks, to, dice, S, AV, before = arguments
        hit = Fraction(1) if to == AUTOMATIC else self.hitting.chance(to)
        attack = PMF.mixture([(hit, penetration(dice, AV - S)), (1 - hit, PMF.constant(NOTHING))])
        left = PMF.constant(before)
        for _ in range(attacks):
            left = self.table.hit(left, attack)
        return left

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every die of every attack."""
        attacks, to, dice, S, AV, before = arguments
        most = int(np.max(attacks, initial=0))
        aimed = [cast(f"to hit {d}", 6, most) for d in range(self.hitting.dice)]
        first, second = (cast(f"penetration {d}", 6, most).astype(np.int64) for d in range(2))
        rolled, bunker = cast("Bunker Hits Table", 6, most).astype(np.int64), Bunker.decode(before)
        for i in range(most):
            a, b = first[i], second[i]
            added = np.where(dice == ONE_DIE, a, np.where(dice == TWO_DICE, a + b, np.maximum(a, b)))
            hits = (attacks > i) & ((to == AUTOMATIC) | self.hitting.passes(to, *(faces[i] for faces in aimed)))
            hurt = np.where(S + added < AV, NOTHING, np.where(S + added == AV, GLANCING, PENETRATING))
            hit = np.where(hits, hurt, NOTHING)
            result = self.table.result(hit, rolled[i], bunker.cracks, bunker.mounted > 0)
            bunker = self.table.left(bunker, hit, result)
        return bunker.code()

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each attack as far as it goes, down to the row of the table."""
        attacks, *own = arguments
        told = Told(face)
        for i in range(attacks):
            left = Bunker.decode(self.throw(told.cast, *(np.array([a]) for a in (i, *own))))
            if left.falling:
                return
            yield f"attack {i + 1}: {'; '.join(self._attack(told.face, i, left, *own))}"

    def _attack(self, face: Face, i: int, bunker: Bunker, to: int, dice: int, S: int, AV: int, _: int) -> Iterator[str]:
        """Say the rolls of one attack, one after the other."""
        if to != AUTOMATIC:
            shown, hits = thrown(self.hitting, to, d6(face, "to hit", i))
            yield f"to hit, {needed(self.hitting, to)}: {shown}, {'a hit' if hits else 'a miss'}"
            if not hits:
                return
        faces = [face(f"penetration {d}", 6, i) for d in range(1 if dice == ONE_DIE else 2)]
        score = max(faces) if dice == BEST_OF_TWO else sum(faces)
        hit = (S + score >= AV) + (S + score > AV)
        needs = f"Strength {S} against Armour Value {AV}, {AV - S} to glance, {AV - S + 1}+ to penetrate"
        yield f"{needs}: {'+'.join(map(str, faces))}, {DOES[hit]}"
        if self.table.rolls(bunker.hull, hit):
            rolled, cracks = face("Bunker Hits Table", 6, i), int(np.squeeze(bunker.cracks))
            total = added_up(rolled, (self.table.structural * cracks, "structural damage"), (self.table.AP, "AP"))
            result = self.table.result(hit, np.array(rolled), cracks, bunker.mounted > 0)
            yield f"Bunker Hits Table {total}: {RESULTS[int(np.squeeze(result))].replace('_', ' ')}"


def bombardment(book: Gemini, before: Bunker, n: Argument, attack: Attack, AV: int, shaken: int) -> Draw:
    """Return what so many attacks leave of a bunker, as a code (GB-133, GB-139, GB-140, GB-141, GB-142).

    Args:
        n: Attacks.
        AV: Armour Value of the bunker.
        shaken: What occupants count as who are shaken.
    """
    table = HitsTable.of(book, book.tables.armour_penetration.of(attack.AP), shaken)
    arguments = n, attack.aimed.targets[0], attack.dice, attack.S, AV, before.code()
    return Draw(Bombardment(table, attack.aimed.tests[0]), arguments)


@asks("GB-139", "GB-140", name="shots at a bunker", needs=("GB-133", "GB-141", "GB-142", "ARAP-005"))
def shots_at_bunker(
    book: Gemini,
    shots: Shots,
    S: Strength,
    hull: Count,
    AV: int | None = None,
    building: ArmouredKind | None = None,
    BS: int | None = None,
    dice: Literal[1, 2] = 1,
    AP: Piercing = NONE,
    damage: Damaged = 0,
    weapons: Weapons = 0,
) -> PMF:
    """Return what some shots make of a bunker: 0 it stands, 1 it is breached, 2 it falls (GB-139, GB-140, GB-142).

    Args:
        S: Strength of the shots.
        hull: Hull points before the first.
        AV: Armour Value, if no building is named.
        building: A row of the table of Armour Values.
        BS: Ballistic Skill with all modifiers; every shot hits if not given.
        dice: Dice added to Strength.
        damage: Structural damage before the first.

    Raises:
        ValueError: If neither Armour Value nor building is given.
    """
    aimed = to_hit(book.game, "shooting", 0 if BS is None else BS)
    attack = Attack(
        once(aimed.tests[0], AUTOMATIC) if BS is None else aimed, dice, int(S), None if AP == NONE else int(AP)
    )
    before = Bunker(hull, damage, weapons, 0, 0)
    left = bombardment(book, before, shots, attack, armour_of(book, AV, building), STUNNED).pmf
    return left.map(state_of).named(STATES)


@asks("GB-139", "GB-140", name="bunker standing after hits", needs=("GB-133", "GB-141", "GB-142"))
def stands_after_hits(
    book: Gemini, hits: Hits, S: Strength, AV: int, hull: Count = 3, AP: Piercing = NONE, damage: Damaged = 0
) -> Fraction:
    """Return the chance that a bunker stands after some hits, one after the other (GB-139, GB-140).

    Args:
        hits: Hits, one after the other, whether they glance, penetrate or do nothing.
        S: Strength of the hits.
        AV: Armour Value.
        hull: Hull points before the first.
        damage: Structural damage before the first.
    """
    return 1 - shots_at_bunker(book, hits, S, hull, AV, AP=AP, damage=damage)[2]

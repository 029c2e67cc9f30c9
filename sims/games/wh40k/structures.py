"""Attacks on something with an Armour Value, in the two steps that every edition shares: penetrate, then damage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import ClassVar, Literal

import numpy as np

from sims.dice import D6, PMF, Bools, Draw, Ints, Test, Volley, pick, without_a_roll
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, d6, needed, thrown
from sims.games.wh40k.book import Fifth, VehicleDamage, Wh40k
from sims.games.wh40k.combat import strikes_with
from sims.games.wh40k.rules import Attack, Hit
from sims.inputs import NONE, Armour, Many, Piercing, Strength
from sims.profiles import Weapon
from sims.questions import asks
from sims.scenario import Group

NOTHING, GLANCING, PENETRATING = 0, 1, 2


@dataclass(frozen=True)
class ArmourRoll:
    """What one attack does to an Armour Value, in one draw: `NOTHING`, `GLANCING` or `PENETRATING` (BASE-016).

    The attack must hit first where it has a roll to hit. Arguments: whether it is made, the target to hit if there is
    one, the D6 added to its Strength, the Strength, the Armour Value.
    """

    to_hit: Test | None = None
    answers: ClassVar[Mapping[int, str]] = {
        NOTHING: "no effect",
        GLANCING: "a glancing hit",
        PENETRATING: "a penetrating hit",
    }

    @property
    def arity(self) -> int:
        """Return 4, and one more with a roll to hit."""
        return 4 if self.to_hit is None else 5

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the three results."""
        made, *target, dice, S, AV = arguments
        hits = Fraction(made) if self.to_hit is None else made * self.to_hit.chance(*target)
        hurt = (dice @ D6.pmf).map(lambda rolled: (S + rolled >= AV) + (S + rolled > AV))
        return PMF.mixture([(hits, hurt), (1 - hits, PMF.constant(NOTHING))])

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw to hit, then to penetrate."""
        made, *target, dice, S, AV = arguments
        hits = made > 0
        if self.to_hit is not None:
            faces = (cast(f"{self.to_hit.name} {d}", 6, 1)[0] for d in range(self.to_hit.dice))
            hits = hits & self.to_hit.passes(*target, *faces)
        first, second = cast("armour penetration", 6, 2).astype(np.int64)
        total = S + first + np.where(dice > 1, second, 0)
        return np.where(hits, (total >= AV).astype(np.int64) + (total > AV), NOTHING)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the roll to hit, and for a hit what glances and what penetrates."""
        _, *target, dice, S, AV = arguments
        if (test := self.to_hit) is not None:
            shown, hits = thrown(test, target[0], d6(face, test.name, 0))
            if shown:
                yield f"{test.name}, {needed(test, target[0])}: {shown}, {'a hit' if hits else 'a miss'}"
            if not hits:
                return
        shown = "+".join(str(face("armour penetration", 6, die)) for die in range(dice))
        yield f"Strength {S} against Armour Value {AV}, {to_pierce(AV - S, dice)}: {shown}"


def armour_roll(S: Argument, AV: Argument, dice: Argument = 1, hit: Draw | None = None) -> Draw:
    """Return what an attack does to an Armour Value, if it hits where it has a roll to hit (BASE-016)."""
    if hit is None:
        return Draw(ArmourRoll(), (1, dice, S, AV))
    assert isinstance(hit.mechanic, Volley)
    made, target = hit.arguments
    (test,) = hit.mechanic.tests
    return Draw(ArmourRoll(test), (made, target, dice, S, AV))


def to_pierce(least: int, dice: int = 1) -> str:
    """Say what dice must show against an Armour Value that is more than the Strength by so much."""
    return f"{least} to glance, {least + 1}+ to penetrate" if least >= dice else "anything penetrates"


def dice_to_penetrate(book: Wh40k, weapon: Weapon, distance: Ints) -> Ints:
    """Return the D6 that a weapon adds to its Strength: two within half range for a melta (BASE-016)."""
    return np.where(weapon.melta & (book.tables.shooting.melta_part * distance <= weapon.range), 2, 1)


def melta_reach(book: Wh40k, weapon: Weapon) -> int:
    """Return within how many inches a melta weapon adds two D6 (BASE-016)."""
    return weapon.range // book.tables.shooting.melta_part


def reach_to_hurt(book: Wh40k, group: Group, AV: int) -> int | None:
    """Return the distance in inches up to which a group's weapon can hurt an Armour Value, None if it never can."""
    weapon = group.weapon
    if weapon is None or weapon.kind == "melee":
        return None
    S = weapon.strength(group.profile)
    if S + 6 >= AV:
        return weapon.range
    return melta_reach(book, weapon) if weapon.melta and S + 12 >= AV else None


def ways_to_strike(book: Wh40k, group: Group, *, charged: bool) -> tuple[tuple[int, Hit], ...]:
    """Return how a model of a group can strike a structure: attacks and with what (BASE-010, BASE-019).

    Blows, as many as in a fight, come first; a krak grenade is one attack.
    """
    striker = group.profile
    blows = int(strikes_with(book, striker.A, charged, group.two_weapons)), Hit.of(group.melee, striker)
    return (blows, (1, Hit(book.tables.krak_grenade.S))) if "krak" in striker.grenades else (blows,)


def damage_total(face: Ints, hit: Argument, AP: Argument, table: VehicleDamage) -> Ints:
    """Return the modified total on the 5th-edition vehicle damage table, no further than it goes (BASE-017)."""
    total = face + table.of_AP(AP) + np.where(hit == GLANCING, table.glancing, 0)
    return np.clip(total, table.totals[0], table.totals[-1])


@dataclass(frozen=True)
class DamageRoll:
    """A roll on the 5th-edition vehicle damage table; the answer is the modified total (BASE-017).

    Arguments: `GLANCING` or `PENETRATING`, the AP of the hit, 7 for '-'.
    """

    table: VehicleDamage
    arity = 2

    @property
    def answers(self) -> Mapping[int, str]:
        """The rows of the table by their totals."""
        rows = self.table.rows | {"immobilised (no effect)": self.table.immobilised}
        return {total: name.replace("_", " ") for name, totals in rows.items() for total in totals}

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the total."""
        hit, AP = arguments
        return D6.pmf.map(lambda face: int(damage_total(np.array(face), hit, AP, self.table)))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the die."""
        hit, AP = arguments
        return damage_total(cast("damage", 6, 1)[0].astype(np.int64), hit, AP, self.table)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the die and what modifies it."""
        hit, AP = arguments
        pierces = (int(self.table.of_AP(AP)), "no AP" if AP == NONE else f"AP {AP}")
        glances = (self.table.glancing * (hit == GLANCING), "a glancing hit")
        yield f"D6: {added_up(face('damage', 6, 0), pierces, glances)}"


def vehicle_damage(book: Fifth, hit: Argument, AP: Argument) -> Draw:
    """Return the roll on the vehicle damage table for a glancing or penetrating hit (BASE-017)."""
    return Draw(DamageRoll(book.tables.vehicle_damage), (hit, AP))


def wrecks(book: Fifth, total: Argument) -> Bools:
    """Return where a total on the vehicle damage table wrecks or explodes what is hit (BASE-017)."""
    table = book.tables.vehicle_damage
    return among(total, table.wrecked + table.explodes)


def silences(book: Fifth, total: Argument) -> Bools:
    """Return where a total keeps those inside from firing in their next turn: shaken and stunned (BASE-017)."""
    table = book.tables.vehicle_damage
    return among(total, table.shaken + table.stunned)


def takes_a_weapon(book: Fifth, total: Argument) -> Bools:
    """Return where a total destroys a weapon (BASE-017)."""
    return among(total, book.tables.vehicle_damage.weapon_destroyed)


def explosion(book: Fifth, total: Argument, inside: Argument) -> Attack:
    """Return the hits on those inside, each of whom is hit if it explodes (BASE-018)."""
    table = book.tables.vehicle_damage
    hits = np.where(among(total, table.explodes), inside, 0)
    return Attack(without_a_roll(hits), Hit(table.explosion_S))


def among(total: Argument, totals: tuple[int, ...]) -> Bools:
    """Return where a total on the vehicle damage table is one of those of a row."""
    return reduce(np.logical_or, (np.equal(total, one) for one in totals), np.zeros((), dtype=np.bool_))


def ordnance(S: Argument, AV: Argument) -> PMF:
    """Return what a hit by ordnance does to an Armour Value: the better of two dice counts (BASE-016)."""
    hurt = pick(2, D6, 1, highest=True).pmf.map(lambda face: int(S + face >= AV) + int(S + face > AV))
    return hurt.named(ArmourRoll.answers)


@asks("BASE-016", name="armour penetration")
def armour_penetration(S: Strength, AV: Armour, dice: Literal["one", "two added", "best of two"] = "one") -> PMF:
    """Return what a hit does to an Armour Value: 0 nothing, 1 a glancing, 2 a penetrating hit (BASE-016).

    Args:
        S: Strength of the hit.
        dice: One D6; two added up for a melta weapon near by; the best of two for ordnance.
    """
    if dice == "best of two":
        return ordnance(S, AV)
    return armour_roll(S, AV, 1 if dice == "one" else 2).pmf


@asks("BASE-017", name="vehicle damage")
def structure_destroyed(book: Fifth, hit: Literal["glancing", "penetrating"], AP: Piercing = NONE) -> Fraction:
    """Return the chance that a hit wrecks or explodes what it hits (BASE-017).

    Args:
        hit: What the armour penetration roll said.
    """
    rolled = vehicle_damage(book, GLANCING if hit == "glancing" else PENETRATING, AP).pmf
    return rolled.where(lambda total: bool(wrecks(book, total)))


@asks("BASE-019", name="blows at a structure")
def hits_on_structure(
    attacks: Many, S: Strength, AV: Armour, hit: Literal["glancing", "penetrating"] = "penetrating"
) -> PMF:
    """Return how many attacks at a building glance or penetrate: they hit without a roll (BASE-019).

    Args:
        attacks: Blows, or one for each model that uses a grenade.
        S: Strength of the striker or of the grenade.
        hit: Which of the two are counted.
    """
    counted = GLANCING if hit == "glancing" else PENETRATING
    return int(attacks) @ armour_roll(S, AV).pmf.map(lambda does: int(does == counted))

"""Attacks on something with an Armour Value, in the two steps that every edition shares: penetrate, then damage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from sims.dice import D6, PMF, Ints, Test, pick
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.telling import Face, d6, needed, thrown
from sims.games.wh40k.book import Fifth, VehicleDamage, Wh40k
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


def to_pierce(least: int, dice: int = 1) -> str:
    """Say what dice must show against an Armour Value that is more than the Strength by so much."""
    return f"{least} to glance, {least + 1}+ to penetrate" if least >= dice else "anything penetrates"


def dice_to_penetrate(rules: Wh40k, weapon: Weapon, distance: Ints) -> Ints:
    """Return the D6 that a weapon adds to its Strength: two within half range for a melta (BASE-016)."""
    return np.asarray(np.where(weapon.melta & (rules.tables.shooting.melta_part * distance <= weapon.range), 2, 1))


def melta_reach(rules: Wh40k, weapon: Weapon) -> int:
    """Return within how many inches a melta weapon adds two D6 (BASE-016)."""
    return weapon.range // rules.tables.shooting.melta_part


def reach_to_hurt(rules: Wh40k, group: Group, AV: int) -> int | None:
    """Return the distance in inches up to which a group's weapon can hurt an Armour Value, None if it never can."""
    weapon = group.weapon
    if weapon is None or weapon.kind == "melee":
        return None
    S = weapon.strength(group.profile)
    if S + 6 >= AV:
        return weapon.range
    return melta_reach(rules, weapon) if weapon.melta and S + 12 >= AV else None


def damage_total(face: Ints, hit: Ints, AP: int | None, table: VehicleDamage) -> Ints:
    """Return the modified total on the 5th-edition vehicle damage table, no further than it goes (BASE-017)."""
    total = face + table.of_AP(AP) + np.where(hit == GLANCING, table.glancing, 0)
    return np.asarray(np.clip(total, table.totals[0], table.totals[-1]))


@dataclass(frozen=True)
class DamageRoll:
    """A roll on the 5th-edition vehicle damage table for a hit of some AP; the answer is the modified total (BASE-017).

    Arguments: `GLANCING` or `PENETRATING`.
    """

    table: VehicleDamage
    AP: int | None
    arity = 1

    @property
    def answers(self) -> Mapping[int, str]:
        """The rows of the table by their totals."""
        rows = self.table.rows | {"immobilised (no effect)": self.table.immobilised}
        return {total: name.replace("_", " ") for name, totals in rows.items() for total in totals}

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the total."""
        (hit,) = arguments
        return D6.pmf.map(lambda face: int(damage_total(np.array(face), np.array(hit), self.AP, self.table)))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the die."""
        return damage_total(cast("damage", 6, 1)[0].astype(np.int64), arguments[0], self.AP, self.table)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the die and what modifies it."""
        AP = "no AP" if self.AP is None else f"AP {self.AP}"
        glances = self.table.glancing * (arguments[0] == GLANCING)
        pierces = (self.table.of_AP(self.AP), AP)
        yield f"D6: {added_up(face('damage', 6, 0), pierces, (glances, 'a glancing hit'))}"


@asks("BASE-016", name="armour penetration")
def armour_penetration(S: int, AV: int, dice: Literal["one", "two added", "best of two"] = "one") -> PMF:
    """Return what a hit does to an Armour Value: 0 nothing, 1 a glancing, 2 a penetrating hit (BASE-016).

    Parameters
    ----------
    S : int
        Strength of the hit.
    AV : int
        Armour Value.
    dice : str
        One D6; two added up for a melta weapon near by; the best of two for ordnance.
    """
    if dice == "best of two":
        return pick(2, D6, 1, highest=True).pmf.map(lambda face: (S + face >= AV) + (S + face > AV))
    return ArmourRoll().pmf(1, 1 if dice == "one" else 2, S, AV)


@asks("BASE-017", name="vehicle damage")
def structure_destroyed(
    rules: Fifth, hit: Literal["glancing", "penetrating"], AP: Literal["none"] | int = "none"
) -> Fraction:
    """Return the chance that a hit wrecks or explodes what it hits (BASE-017).

    Parameters
    ----------
    rules : Fifth
    hit : str
        What the armour penetration roll said.
    AP : int
        Armour piercing of the weapon, or none for '-'.
    """
    table = rules.tables.vehicle_damage
    rolled = DamageRoll(table, None if AP == "none" else AP).pmf(GLANCING if hit == "glancing" else PENETRATING)
    return rolled.where(lambda total: total in table.wrecked + table.explodes)


@asks("BASE-019", name="blows at a structure")
def hits_on_structure(attacks: int, S: int, AV: int, hit: Literal["glancing", "penetrating"] = "penetrating") -> PMF:
    """Return how many attacks at a building glance or penetrate: they hit without a roll (BASE-019).

    Parameters
    ----------
    attacks : int
        Blows, or one for each model that uses a grenade.
    S : int
        Strength of the striker or of the grenade.
    AV : int
        Armour Value.
    hit : str
        Which of the two are counted.
    """
    counted = GLANCING if hit == "glancing" else PENETRATING
    return attacks @ ArmourRoll().pmf(1, 1, S, AV).map(lambda does: int(does == counted))

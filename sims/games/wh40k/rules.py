"""Hitting, wounding and saving: each is a draw of one die's test, and one after the other they make a volley.

Needs and goals are numbers, elementwise over arrays; a need of 7 cannot be rolled.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Self

import numpy as np

from sims.dice import GOAL, Bools, Draw, Ints, Test, once, rerolled
from sims.dice.source import Argument
from sims.errors import CasemateError, nearest
from sims.forces import Models
from sims.games.common import IMPOSSIBLE
from sims.games.wh40k.book import AnyEdition, Edition, Wh40k
from sims.games.wh40k.combat import most_common, strikes_with
from sims.inputs import NONE, Count, Invulnerable, Piercing, Save, Skill, Strength, Toughness
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Force

TO_HIT, TO_WOUND, SAVE = GOAL.named("to hit"), GOAL.named("to wound"), GOAL.named("save")
"""High rolls: a blow that hits, a hit that wounds, a wound that is saved (BASE-009, BASE-011, BASE-013)."""

ANY_BS = 10
"""A limit on Ballistic Skill that is none, for no profile has more."""


@dataclass(frozen=True)
class Hit:
    """What a shot or a blow hits with.

    Attributes:
        S: Strength of the hit.
        AP: Armour piercing of the weapon, or none for '-'.
    """

    S: Strength
    AP: Piercing = NONE

    @classmethod
    def of(cls, weapon: Weapon | None, bearer: Unit) -> Self:
        """Return the hit of a weapon, or of bare hands, in the hands of a bearer."""
        if weapon is None:
            return cls(bearer.S)
        return cls(weapon.strength(bearer), NONE if weapon.AP is None else weapon.AP)


@dataclass(frozen=True)
class Target:
    """Who is hit.

    Attributes:
        T: Toughness of the target.
        Sv: Armour save of the target, or none.
        invulnerable: Invulnerable save of the target, or none.
    """

    T: Toughness
    Sv: Save = NONE
    invulnerable: Invulnerable = NONE

    @classmethod
    def of(cls, unit: Unit) -> Self:
        """Return the models of a unit as a target."""
        Sv, invulnerable = (NONE if save is None else save for save in (unit.Sv, unit.invulnerable))
        return cls(unit.T, Sv, invulnerable)


@cache
def to_hit_with(first: int, again: int, best: int) -> Test:
    """Return whether a shot hits that needs so much less BS, and so much when a miss is rolled again.

    The target is BS; nobody hits without any.

    Source: 40k (BASE-002, BASE-003).
    """

    def chance(BS: int) -> Fraction:
        once, more = (Fraction(np.clip(7 - max(need - BS, best), 0, 6).item(), 6) for need in (first, again))
        return once + (1 - once) * more if BS > 0 else Fraction(0)

    def passes(BS: Ints, die: Ints, other: Ints) -> Bools:
        return (BS > 0) & ((die >= np.maximum(first - BS, best)) | (other >= np.maximum(again - BS, best)))

    return Test("to hit", 2, chance, passes, "BS {}")


@asks("BASE-002", "BASE-003", "BASE-005", name="to hit with BS", ask="P(passed)")
def shot(book: Wh40k, BS: Skill, twin_linked: bool = False) -> Draw:
    """Return a shot that hits (BASE-002, BASE-003, BASE-005).

    Args:
        BS: Ballistic Skill.
        twin_linked: Whether a miss is rolled once more.
    """
    table = book.tables.to_hit
    test = to_hit_with(table.first, table.again, table.best)
    return once(rerolled(test) if twin_linked else test, BS)


def limited_shot(book: Wh40k, BS: Argument, best: Argument, twin_linked: bool = False) -> Draw:
    """Return a shot that hits, by one who may use no better Ballistic Skill than this (BASE-004)."""
    return shot(book, np.minimum(BS, best), twin_linked)


def need_to_hit(book: Wh40k, striker: Argument, target: Argument) -> Ints:
    """Return the need of a blow from both Weapon Skills (BASE-009)."""
    table = book.tables.blows
    row = 1 * (target >= striker) + (target > table.outclassed_beyond * striker)
    return np.array((table.better, table.usual, table.outclassed)).take(row)


@asks("BASE-009", name="to hit in close combat", ask="P(passed)")
def blow(book: Wh40k, WS: Skill, target_WS: Skill) -> Draw:
    """Return a blow that hits (BASE-009).

    Args:
        WS: Weapon Skill of the striker.
        target_WS: Weapon Skill of the target.
    """
    return once(TO_HIT, need_to_hit(book, WS, target_WS))


def need_to_wound(book: Wh40k, S: Argument, T: Argument) -> Ints:
    """Return the need to wound from Strength and Toughness (BASE-011)."""
    return book.tables.to_wound.need(S, T)


@asks("BASE-011", name="to wound", ask="P(passed)")
def wounding(book: Wh40k, S: Strength, T: Toughness) -> Draw:
    """Return a hit that wounds (BASE-011).

    Args:
        S: Strength of the hit.
        T: Toughness of the target.
    """
    return once(TO_WOUND, need_to_wound(book, S, T))


@asks("BASE-064", name="to wound a mixed unit", ask="P(passed)")
def wounding_mixed(book: Wh40k, S: Strength, T: int, models: Count, other_T: int, others: Count = 1) -> Draw:
    """Return a hit that wounds a unit of models of two kinds (BASE-064).

    Args:
        T: Toughness of those of the one kind.
        models: How many of them there are.
        other_T: Toughness of those of the other kind.
        others: How many of them there are.
    """
    return wounding(book, S, most_common((T, other_T), (models, others)))


def pierced(Sv: Argument, AP: Argument) -> Bools:
    """Return where a hit leaves no armour save of what there is (BASE-013)."""
    return np.asarray((Sv < IMPOSSIBLE) & (Sv >= AP))


def best_save(Sv: Argument = NONE, AP: Argument = NONE, cover: Argument = NONE, invulnerable: Argument = NONE) -> Ints:
    """Return the best save there is: armour that is not pierced, cover or invulnerable (BASE-013)."""
    worn = np.where(pierced(Sv, AP), IMPOSSIBLE, Sv)
    return np.minimum(np.minimum(worn, cover), invulnerable)


@asks("BASE-013", name="failed save", ask="P(failed)")
def unsaved(Sv: Save = NONE, AP: Piercing = NONE, cover: Save = NONE, invulnerable: Invulnerable = NONE) -> Draw:
    """Return a wound that is not saved with the best save the model may take (BASE-013).

    Args:
        cover: Cover save, or none where there is none or it may not be taken.
    """
    return once(SAVE.failed, best_save(Sv, AP, cover, invulnerable))


def cover_save(book: Edition, cover: str) -> int:
    """Return the save of a kind of cover (BASE-014).

    Raises:
        CasemateError: If the edition lists no such cover.
    """
    listed = book.tables.cover.saves
    if cover not in listed:
        raise CasemateError(f'there is no cover "{cover}" in the {book.ruleset.edition}; {nearest(cover, listed)}')
    return listed[cover]


@asks("BASE-014", name="failed cover save", ask="P(failed)")
def cover_fails(book: AnyEdition, cover: str) -> Draw:
    """Return the chance that a model fails the save of its cover (BASE-014).

    Args:
        edition: Of the rules.
        cover: Such as ruins, woods or fortification.
    """
    return unsaved(cover=cover_save(book, cover))


def hurt(book: Wh40k, by: Hit, at: Target, cover: Argument = NONE) -> Draw:
    """Return a hit that wounds and is not saved (BASE-011, BASE-013)."""
    return wounding(book, by.S, at.T).then(unsaved(at.Sv, by.AP, cover, at.invulnerable))


@dataclass(frozen=True)
class Attack:
    """Hits of one kind, not thrown yet, and what they hit with.

    Attributes:
        hits: So many shots, blows or templates, with the rolls that they need to hit.
        by: What they hit with.
        cover: The cover save of who is hit.
    """

    hits: Draw
    by: Hit
    cover: Argument = NONE

    def told_of(self, who: str) -> Self:
        """Return the same hits by somebody, who is named where they are told."""
        return type(self)(self.hits.by(who), self.by, self.cover)

    def wounds(self, book: Wh40k, T: Argument) -> Draw:
        """Return the hits that wound, before saves (BASE-011)."""
        return self.hits.then(wounding(book, self.by.S, T))

    def saved_by(self, at: Target) -> Draw:
        """Return a wound that is not saved by who is hit (BASE-013)."""
        return unsaved(at.Sv, self.by.AP, self.cover, at.invulnerable)

    def unsaved(self, book: Wh40k, at: Target) -> Draw:
        """Return the hits that wound and are not saved (BASE-011, BASE-013)."""
        return self.wounds(book, at.T).then(self.saved_by(at))


def slays(book: Wh40k, S: int, T: int) -> bool:
    """Return whether one wound of a Strength takes a model away, whatever its Wounds (partly BASE-012)."""
    return book.tables.instant_death.times * T <= S


def wounds_to_kill(book: Wh40k, S: int, target: Unit) -> int:
    """Return how many wounds take a model away: one of twice its Toughness does (partly BASE-012)."""
    return 1 if slays(book, S, target.T) else target.W


def shots(book: Wh40k, weapon: Weapon, distance: Argument) -> Ints:
    """Return how many shots a weapon has at a distance in inches; 0 out of range.

    A rapid-fire weapon has more near by; a template counts by its hits and is not counted here.
    """
    table = book.tables.shooting
    near = (distance <= table.rapid_fire) if weapon.kind == "rapid fire" else False
    times = np.where(near, table.rapid_fire_times, 1)
    return np.where(distance <= weapon.range, weapon.shots * times, 0)


def shooting(
    book: Wh40k,
    force: Force,
    shooters: Models,
    distance: Ints,
    cover: Argument = NONE,
    BS: Argument = ANY_BS,
) -> list[Attack]:
    """Return what each group of a unit shoots.

    Template and blast weapons are left out: they do not count single shots.

    Source: base rules (BASE-002, BASE-003; partly BASE-005, for templates re-roll otherwise).

    Args:
        shooters: How many of each group shoot.
        distance: Inches to the target.
        cover: The target's cover save.
        BS: The best Ballistic Skill that the shooters may use: their own if not given, 1 for Snap Shots.
    """
    fired = []
    for group, n in zip(force.groups, shooters, strict=True):
        weapon = group.weapon
        if weapon is not None and weapon.kind not in ("template", "blast", "melee"):
            hits = limited_shot(book, group.profile.BS, BS, weapon.twin_linked).times(n * shots(book, weapon, distance))
            fired.append(Attack(hits.by(group.title), Hit.of(weapon, group.profile), cover))
    return fired


def blows(book: Wh40k, striking: Force, attacks: Models, target_WS: int) -> list[Attack]:
    """Return the blows of each group of a unit (BASE-009)."""
    return [
        Attack(blow(book, group.profile.WS, target_WS).times(n).by(group.title), Hit.of(group.melee, group.profile))
        for group, n in zip(striking.groups, attacks, strict=True)
    ]


def attacks(book: Wh40k, force: Force, models: Models, *, charging: Argument) -> Models:
    """Return the Attacks of each group, with those for a charge this turn and for a second weapon (BASE-010)."""
    each = (strikes_with(book, group.profile.A, charging, group.two_weapons) for group in force.groups)
    return tuple(n * attacks for n, attacks in zip(models, each, strict=True))

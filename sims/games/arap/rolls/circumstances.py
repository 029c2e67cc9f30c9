"""What a shot is fired in: all that is added to Ballistic Skill for it, and what else it changes."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import D6, Bools, Draw, Ints
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.rolls.hits import can_shoot, hit, hit_target
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, shot_that_hurts, wound
from sims.inputs import NONE, Count, Number, Piercing, Skill, Strength, Toughness, Truth
from sims.questions import asks

Cover = Literal["open", "soft", "hard"]
COVERS: tuple[Cover, ...] = ("open", "soft", "hard")
Part = Annotated[Fraction, Number("A part of it.", 0, 1)]
Angle = Annotated[Fraction, Number("Degrees.", 0, 180)]
Turns = Annotated[int, Number("Turns of shooting at it, with this one.", 1, 99)]
Twelves = Annotated[Argument, Number("Inches that the target moved in its last turn.", 0, 10**3)]


@dataclass(frozen=True)
class Circumstances:
    """What a shot is fired in (ARAP-107).

    Args:
        cover: What the target is behind.
        small: Whether the target is small itself: under 30 cm, or of size one.
        models: Models in the unit fired at, none of them larger than a man; 0 if it is no small group.
        fleeting: Whether the target runs from one piece of cover to another now, or did in its last turn.
        prone: Whether the target lies, crawls or moves tactically, more than 4 inches away.
        moved: Inches that the target moved in its last turn.
        laser: Whether the weapon is a laser, for which no target is fast.
        area: Whether the weapon has an area, for which neither cover nor a small target counts.
        from_hard_cover: Whether infantry fires from hard cover.
        tactical: Whether the shooter moves tactically.
        carried: Whether the shooter is on something that moves.
        wounded: Whether the shooter has lost a Wound and has not been healed, where that is played.
        confused: Whether the shooter is confused, or drunk.
        thrown: Whether a grenade is thrown, or something improvised.
        into_combat: Whether it is fired into close combat.
        aimed: Whether the shooter took an Aim action just before.
        corrected: Whether the shooter has fired at the same target in the turn before, and neither has moved.
        ambush: Whether the target is unaware of the shooter.
        both_hands: Whether a pistol is fired in each hand.
        shotgun: Whether it is a shotgun at half range or nearer.
    """

    cover: Cover = "open"
    small: Truth = False
    models: Count = 0
    fleeting: Literal["no", "now", "last turn"] = "no"
    prone: Truth = False
    moved: Twelves = 0
    laser: bool = False
    area: bool = False
    from_hard_cover: Truth = False
    tactical: Truth = False
    carried: Truth = False
    wounded: Truth = False
    confused: Truth = False
    thrown: Literal["nothing", "grenade", "improvised"] = "nothing"
    into_combat: Truth = False
    aimed: Truth = False
    corrected: Truth = False
    ambush: Truth = False
    both_hands: Truth = False
    shotgun: Truth = False


WHETHER = (
    *("prone", "from_hard_cover", "tactical", "carried", "wounded", "confused", "into_combat", "ambush"),
    *("both_hands", "shotgun"),
)
"""Circumstances that are so or not, by the names that they have in the table."""


def aiming(book: Arap, aimed: Argument, corrected: Argument) -> Ints:
    """Return what an Aim action adds, and corrective aiming: both, or one of them alone (ARAP-104, ARAP-117)."""
    table, both = book.tables.fire, book.rulings.aiming("both")
    one, other = table.aimed * np.asarray(aimed), table.corrected * np.asarray(corrected)
    return one + other if both else np.maximum(one, other)


@asks("ARAP-107", name="modifiers of a shot")
def modifiers(book: Arap, of: Circumstances) -> Ints:
    """Return what is added to Ballistic Skill for a shot in some circumstances (ARAP-107, ARAP-112).

    Source: Rolling to Hit; Laser Weapons and Fast Targets.
    """
    table, fleeting = book.tables.fire, of.fleeting != "no"
    found = sum((getattr(table, name) * np.asarray(getattr(of, name)) for name in WHETHER), np.asarray(0))
    found = found + aiming(book, of.aimed, of.corrected) + table.fleeting * fleeting
    found = found + {"nothing": 0, "grenade": book.tables.grenades.modifier, "improvised": table.improvised}[of.thrown]
    found = found + np.where((np.asarray(of.models) > 0) & (of.models <= table.small_group_up_to), table.small_group, 0)
    if not of.laser:
        found = found + table.fast_target * (np.asarray(of.moved) // table.fast_target_inches)
    if not of.area:
        ruling = book.rulings.fleeting_cover
        instead = fleeting and (ruling("instead") or (ruling("now_instead") and of.fleeting == "now"))
        found = found + (0 if instead else {"open": 0, "soft": table.soft_cover, "hard": table.hard_cover}[of.cover])
        found = found + table.small_target * np.asarray(of.small)
    return found


def behind_cover(book: Arap, cover: Argument) -> Ints:
    """Return what is added to Ballistic Skill for what targets are behind, by its number in `COVERS` (ARAP-107)."""
    if not np.any(cover):
        return np.zeros_like(cover)
    return np.array([int(modifiers(book, Circumstances(cover=each))) for each in COVERS])[cover]


@asks(
    "ARAP-107", "ARAP-104", "ARAP-109", "ARAP-112", "ARAP-114", "ARAP-115", "ARAP-117", "ARAP-162",
    name="shot in some circumstances", needs=("ARAP-005",), ask="P(=1)",
)  # fmt: skip
def shot_in(book: Arap, BS: Skill, of: Circumstances, hidden: Truth = False) -> Draw:
    """Return the roll to hit of a shot in some circumstances (ARAP-104, ARAP-107, ARAP-112, ARAP-114, ARAP-115).

    Args:
        BS: Ballistic Skill.
        hidden: Whether a direct weapon is fired at what cannot be seen (ARAP-162).
    """
    return hit(book, skill_to_see(book, BS, hidden), modifiers(book, of)).times(can_shoot(BS))


def skill_to_see(book: Arap, BS: Argument, hidden: Argument) -> Argument:
    """Return the Ballistic Skill that is left against what cannot be seen (ARAP-162)."""
    return np.where(hidden, book.tables.fire.hidden_BS, BS) if np.any(hidden) else BS


@asks("ARAP-109", name="modifier of cover")
def cover_of(book: Arap, cover: Cover, covered: Part, half_counts: bool = False) -> int:
    """Return what cover adds to Ballistic Skill: all of it where more than half of a target is behind it (ARAP-109).

    Args:
        cover: What the target is behind.
        covered: The part of it that is.
        half_counts: Whether the game master lets half or less behind hard cover count as soft cover.
    """
    if 2 * covered <= 1:
        cover = "soft" if half_counts and cover == "hard" and covered else "open"
    return int(modifiers(book, Circumstances(cover=cover)))


@asks("ARAP-110", name="unit in cover")
def unit_in_cover(models: Count, in_cover: Count) -> Bools:
    """Return whether a unit is in cover: more than half of its models are, and then each counts as such (ARAP-110)."""
    return np.asarray(2 * np.asarray(in_cover) > models)


@asks("ARAP-111", name="near miss hits the cover")
def near_miss(book: Arap, N: Annotated[int, Number("What a shot needs, before any bound.", -20, 20)]) -> Fraction:
    """Return the chance that a shot misses by one, and so hits what the target is behind (ARAP-111).

    Of a target of 0 a natural 1 that is not confirmed is a miss by one; below there is none. By one reading a target
    above the best counts as that, and a natural 6 hits the cover.
    """
    target = int(hit_target(book, N)) if book.rulings.near_misses("capped") else N
    if target >= D6.sides[0]:
        return Fraction(0)
    if target < 0:
        return Fraction(0)
    return Fraction(1, 6) if target else Fraction(1, 6) - hit(book, 0).pmf[1]


@asks("ARAP-113", name="Strength of a laser through smoke")
def laser_through_smoke(book: Arap, S: Strength) -> Ints:
    """Return the Strength of a laser that is fired through smoke; 0 if it cannot be (ARAP-113)."""
    table = book.tables.fire
    return np.where(np.asarray(S) >= table.laser_through_smoke, np.asarray(S) + table.laser_in_smoke, 0)


@asks("ARAP-113", name="laser is stopped by smoke")
def stopped_by_smoke(book: Arap, S: Strength) -> Bools:
    """Return whether a laser cannot be fired through smoke (ARAP-113)."""
    return laser_through_smoke(book, S) == 0


@asks("ARAP-114", name="fleeting target under a marker")
def fleeting_under_marker() -> Fraction:
    """Return the least chance that a marker hits a target between two covers: one in six may be missed (ARAP-114)."""
    return Fraction(5, 6)


@asks("ARAP-113", name="wound by a laser through smoke", needs=("ARAP-009",), ask="P(=1)")
def wound_through_smoke(book: Arap, S: Strength, T: Toughness) -> Draw:
    """Return the wound roll of a laser that is fired through smoke, if it can be (ARAP-113)."""
    return wound(book, laser_through_smoke(book, S), T).times(~stopped_by_smoke(book, S))


@asks("ARAP-116", name="models that can fire past comrades")
def can_fire_past(first: Count, second: Count = 0, third: Count = 0) -> Ints:
    """Return how many models of a unit in ranks can fire, each past one comrade at most: two ranks (ARAP-116).

    Args:
        first: Models in the first rank.
        second: In the second.
        third: In the third, who see nothing.
    """
    return np.asarray(np.asarray(first) + second + 0 * np.asarray(third))


@asks("ARAP-115", name="blow from ambush", needs=("ARAP-005",), ask="P(passed)")
def blow_from_ambush(book: Arap, WS: Skill, rear: bool = False) -> Draw:
    """Return the roll to hit of those who charge from ambush, in the first round (ARAP-115).

    Args:
        WS: Weapon Skill.
        rear: Whether they charge into the rear.
    """
    return hit(book, WS, book.tables.fire.ambush + (book.tables.combat.from_behind if rear else 0))


@asks("ARAP-117", name="shot by corrective aiming", needs=("ARAP-005",), ask="P(=1)")
def corrected_shot(book: Arap, BS: Skill, turn: Turns, cover: Cover = "open") -> Draw:
    """Return the roll to hit of a shot at a target that has been fired at before (ARAP-117).

    Args:
        BS: Ballistic Skill.
        cover: What the target is behind.
    """
    return hit(book, BS, modifiers(book, Circumstances(cover=cover)) + corrective(book, turn)).times(can_shoot(BS))


@asks("ARAP-118", name="chain of a shot", needs=("ARAP-005", "ARAP-009", "ARAP-011", "ARAP-120", "ARAP-121"))
def chain_of_a_shot(
    book: Arap,
    BS: Skill,
    S: Strength,
    T: Toughness,
    save: SaveGoal = NO_SAVE,
    AP: Piercing = NONE,
    invulnerable: SaveGoal = NO_SAVE,
    cover: Cover = "open",
    shots: Count = 1,
) -> Draw:
    """Return how many shots hit, wound and are not saved, at short range (ARAP-118).

    Args:
        BS: Ballistic Skill.
        S: Strength of the weapon.
        T: Toughness of the target.
        save: Armour save, or none.
        AP: Armour piercing of the weapon, or none.
        invulnerable: Invulnerable save, or none.
        cover: What the target is behind.
    """
    aimed = shot_in(book, BS, Circumstances(cover=cover))
    return shot_that_hurts(book, aimed, S, T, Saves(armour_against(save, AP), invulnerable)).times(shots)


@asks("ARAP-117", name="corrective aiming")
def corrective(
    book: Arap,
    turn: Turns,
    indirect: bool = False,
) -> int:
    """Return what corrective aiming adds to Ballistic Skill, from the second turn on, not more and more (ARAP-117).

    Args:
        indirect: Whether the shooter does not see the target, but hears of it: then for the second turn alone.
    """
    return int(modifiers(book, Circumstances(corrected=turn == 2 if indirect else turn >= 2)))


@asks("ARAP-108", name="hit in a combat")
def hit_on(book: Arap, models: Count, others: Count) -> Fraction:
    """Return the chance that a hit of a shot into close combat is on one of its sides (ARAP-108).

    Args:
        models: Of that side in the combat.
        others: Of the other.

    Raises:
        ValueError: If there is nobody.
    """
    if not models + others:
        raise ValueError("nobody is in the combat; expected at least one model")
    if book.rulings.hits_in_combat("by_side"):
        return Fraction(1, 2)
    return Fraction(int(models), int(models + others))


@asks("ARAP-108", name="shot into a combat")
def shot_into_combat(book: Arap, BS: Skill, models: Count, others: Count) -> Fraction:
    """Return the chance that a shot into close combat hits one of its sides (ARAP-108).

    Args:
        BS: Ballistic Skill.
        models: Of that side in the combat.
        others: Of the other.
    """
    return shot_in(book, BS, Circumstances(into_combat=True)).pmf[1] * hit_on(book, models, others)


@asks("ARAP-101", name="fire arc")
def in_fire_arc(book: Arap, degrees: Angle) -> bool:
    """Return whether a target stands in the fire arc of a human (ARAP-101).

    Args:
        degrees: From the way he faces, to either side.
    """
    return 2 * degrees <= book.tables.fire.arc


@asks("ARAP-101", name="degrees of sight and fire")
def degrees(book: Arap, of: Literal["field of view", "fire arc"]) -> int:
    """Return how many degrees most models see, or a human shoots into (ARAP-101).

    Args:
        of: What most models see, or what a human shoots into.
    """
    return book.tables.fire.view if of == "field of view" else book.tables.fire.arc

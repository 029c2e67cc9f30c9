"""Pursuit: who goes after routers and catches them, who stays, and free hacks."""

from fractions import Fraction
from typing import Annotated

import numpy as np

from sims.dice import GOAL, Bools, Dice, Draw, Ints, once, roll
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.arap import melee
from sims.games.arap.allocation import Attack
from sims.games.arap.book import Arap, ArapUnit
from sims.games.arap.moving.charge import FAR, NEAR, SHORT, Move, Size
from sims.games.arap.moving.measuring import melee_radius
from sims.games.arap.nerve.rout import flight
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.rolls.hits import Modifiers, low_roll
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, hurt, wound_goal
from sims.inputs import NONE, Count, Inches, Leadership, Number, Piercing, Strength, Toughness
from sims.profiles import Unit
from sims.questions import asks
from sims.scenario import Force

Turns = Annotated[int, Number("Turns of the pursuers' side.", 1, 20)]
Phases = Annotated[int, Number("Compulsory phases.", 1, 20)]


@asks("ARAP-211", name="free hacks")
def free_hack(
    book: Arap,
    hacks: Count = 1,
    S: Strength = 0,
    T: Toughness = 0,
    save: SaveGoal = NO_SAVE,
    AP: Piercing = NONE,
) -> Draw:
    """Return how many free hacks hit, or wound: the same roll hits whatever the Weapon Skill (ARAP-211).

    Args:
        hacks: How many there are.
        S: Strength of the hacks; 0 to count hits.
        T: Toughness of the routers.
        save: Their armour save, or none.
    """
    hits = hack(book)
    if S == 0:
        return hits.times(hacks)
    return hits.then(hurt(book, wound_goal(book, S, T), Saves(armour_against(save, AP)))).times(hacks)


def hack(book: Arap) -> Draw:
    """Return whether a free hack hits, whoever makes it (ARAP-211)."""
    return low_roll(book.tables.pursuit.free_hack)


def hacks(book: Arap, force: Force, models: Models) -> Models:
    """Return the free hacks of each group of a unit: one for each model, or by one reading its Attacks (ARAP-211).

    Args:
        models: Those in reach of routers.
    """
    pairs = zip(models, force.groups, strict=True)
    return tuple(n * (1 if book.rulings.free_hacks("one_each") else group.profile.A) for n, group in pairs)


def free_hacks(book: Arap, hacking: Force, counts: Models, target: Unit) -> list[Attack]:
    """Return the unsaved wounds of free hacks at routers with one profile (ARAP-211, ARAP-212).

    Args:
        counts: How many hacks each group of those who hack has.
    """
    return melee.strokes(book, hacking, counts, target, lambda _: hack(book))


def goes_after(dice: Dice, book: Arap, force: Force, Ld: Argument, won: Bools) -> Bools:
    """Return where the winners of a fight in the open pursue those who rout.

    By the book they do unless they pass a test not to, which slow units need not take; the frenzied always do.

    Source: Pursuit; Not Pursuing (ARAP-214).

    Args:
        won: Where they have won, and the others rout.
    """
    own, slow = ArapUnit.of(force.unit), book.tables.pursuit.slow_up_to >= force.unit.move
    if own.frenzy or book.rulings.pursuit("eager"):
        return won
    if slow:
        return won & False
    return won & ~not_pursuing(book, Ld, own.hates).times(won).passed(dice, "test not to pursue")


def pursue(dice: Dice, book: Arap, M: int, distance: Ints) -> Ints:
    """Return the inches between both after a pursuit move: no nearer than those stand who fight (ARAP-212).

    Args:
        M: Basic move of the pursuers in inches.
        distance: Inches before.
    """
    nearest = np.minimum(distance, book.tables.open_field.contact)
    return np.maximum(distance - roll(dice, "pursuit", flight(book, M)), nearest)


def new_charge(M: int, distance: Ints, reached: Bools) -> Ints:
    """Return how a new charge came off, of pursuers at those who have rallied (ARAP-213).

    Args:
        M: Basic move of the pursuers in inches.
        distance: Inches before their move.
        reached: Where they have come within melee radius of those.
    """
    return np.where(reached, np.where(distance > M, FAR, NEAR), SHORT)


@asks("ARAP-212", name="routers caught", needs=("ARAP-206", "ARAP-063"))
def caught(book: Arap, M: Move, target_M: Move, gap: Inches, size: Size = 2, turned: bool = False) -> Fraction:
    """Return the chance that pursuers catch routers in the first compulsory phase (ARAP-212).

    Args:
        M: Basic move of the pursuers in inches.
        target_M: Basic move of the routers.
        gap: Inches between both before the routers move.
        size: Of the pursuers, which gives their melee radius.
        turned: Whether the routers have turned and run at once already, before that gap.
    """
    apart = flight(book, target_M).pmf - flight(book, M).pmf + int(gap)
    if not turned:
        apart += book.tables.rout.at_once.pmf
    return apart.at_most(int(melee_radius(book, size)))


@asks("ARAP-213", name="pursuers back on the table")
def back_on_the_table(book: Arap, turns: Turns = 1) -> Fraction:
    """Return the chance that pursuers who left the table are back after some turns of their side (ARAP-213)."""
    return 1 - returning(book).pmf[0] ** turns


@asks("ARAP-213", name="turns until pursuers are back")
def turns_away(book: Arap) -> Fraction:
    """Return in how many turns of their side, in the mean, pursuers are back who left the table (ARAP-213)."""
    return 1 / returning(book).pmf[1]


def returning(book: Arap) -> Draw:
    """Return the roll by which pursuers who left the table are back in a turn of their side (ARAP-213)."""
    return once(GOAL, book.tables.pursuit.back_on)


@asks("ARAP-214", name="choosing not to pursue", needs=("ARAP-013",))
def holds_back(
    book: Arap, Ld: Leadership, M: Move = 4, hated: bool = False, frenzied: bool = False, locked: bool = False
) -> Fraction:
    """Return the chance that the winners of a fight in the open may stay where they are (ARAP-214).

    Args:
        M: Basic move of the winners in inches; slow ones need no test.
        hated: Whether they hate those who rout.
        frenzied: Whether they are frenzied, and pursue in any case.
        locked: Whether they are still locked with another enemy, and cannot pursue.
    """
    if locked:
        return Fraction(1)
    if frenzied:
        return Fraction(0)
    if book.tables.pursuit.slow_up_to >= M:
        return Fraction(1)
    return not_pursuing(book, Ld, hated).pmf[1]


def not_pursuing(book: Arap, Ld: Argument, hated: bool = False) -> Draw:
    """Return the test not to pursue, straight after the routers have turned and run (ARAP-214)."""
    return leadership(book, Ld + grudge(book, hated), "not_pursuing")


@asks("ARAP-216", name="halting a pursuit", needs=("ARAP-013",), ask="P(passed)")
def halting(book: Arap, Ld: Leadership, hated: bool = False) -> Draw:
    """Return the test to halt a pursuit, once the routers have moved and tried to rally (ARAP-216).

    Args:
        hated: Whether those who rout are hated.
    """
    return leadership(book, Ld + grudge(book, hated), "halting_pursuit")


@asks("ARAP-216", name="still in pursuit", needs=("ARAP-013",))
def still_pursuing(book: Arap, Ld: Leadership, phases: Phases = 1, hated: bool = False) -> Fraction:
    """Return the chance that a unit has not halted in some compulsory phases (ARAP-216).

    Args:
        hated: Whether those who rout are hated.
    """
    return halting(book, Ld, hated).pmf[0] ** phases


def grudge(book: Arap, hated: bool) -> int:
    """Return what hatred of those who rout adds to the tests of pursuers (ARAP-214, ARAP-216)."""
    return book.tables.pursuit.hated * hated


@asks("ARAP-215", name="staying where a fight was won", needs=("ARAP-013", "ARAP-204"))
def stays(book: Arap, Ld: Leadership = 0, modifiers: Modifiers = 0, frenzied: bool = False) -> Fraction:
    """Return the chance that the winners of a fight for a building may stay there rather than pursue (ARAP-215).

    Args:
        Ld: Leadership of the winners; it matters if they are frenzied.
        modifiers: Such as -1 if they hate those who rout.
        frenzied: Whether the winners are frenzied, and test not to pursue.
    """
    return leadership(book, Ld + modifiers, "not_pursuing").pmf[1] if frenzied else Fraction(1)

"""Pursuit: who goes after routers and catches them, who stays, and free hacks."""

from fractions import Fraction
from typing import Annotated

from sims.dice import GOAL, Draw, once
from sims.games.arap.book import Arap
from sims.games.arap.moving.charge import Move, Size
from sims.games.arap.moving.measuring import melee_radius
from sims.games.arap.nerve.rout import flight
from sims.games.arap.rolls.characteristics import leadership
from sims.games.arap.rolls.hits import Modifiers, low_roll
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, hurt, wound_goal
from sims.inputs import NONE, Count, Inches, Leadership, Number, Piercing, Strength, Toughness
from sims.questions import asks

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
    hits = low_roll(book.tables.pursuit.free_hack)
    if S == 0:
        return hits.times(hacks)
    return hits.then(hurt(book, wound_goal(book, S, T), Saves(armour_against(save, AP)))).times(hacks)


@asks("ARAP-212", name="routers caught", needs=("ARAP-206", "ARAP-063"))
def caught(book: Arap, M: Move, target_M: Move, gap: Inches, size: Size = 2, turned: bool = False) -> Fraction:
    """Return the chance that pursuers catch routers in the first compulsory phase (partly ARAP-212).

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
    """Return the chance that pursuers who left the table are back after some turns of their side (partly ARAP-213)."""
    return 1 - returning(book).pmf[0] ** turns


@asks("ARAP-213", name="turns until pursuers are back")
def turns_away(book: Arap) -> Fraction:
    """Return in how many turns of their side, in the mean, pursuers are back who left the table (partly ARAP-213)."""
    return 1 / returning(book).pmf[1]


def returning(book: Arap) -> Draw:
    """Return the roll by which pursuers who left the table are back in a turn of their side (partly ARAP-213)."""
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
    return leadership(book, Ld + grudge(book, hated), "not_pursuing").pmf[1]


@asks("ARAP-216", name="halting a pursuit", needs=("ARAP-013",), ask="P(passed)")
def halting(book: Arap, Ld: Leadership, hated: bool = False) -> Draw:
    """Return the test to halt a pursuit, once the routers have moved and tried to rally (partly ARAP-216).

    Args:
        hated: Whether those who rout are hated.
    """
    return leadership(book, Ld + grudge(book, hated), "halting_pursuit")


@asks("ARAP-216", name="still in pursuit", needs=("ARAP-013",))
def still_pursuing(book: Arap, Ld: Leadership, phases: Phases = 1, hated: bool = False) -> Fraction:
    """Return the chance that a unit has not halted in some compulsory phases (partly ARAP-216).

    Args:
        hated: Whether those who rout are hated.
    """
    return halting(book, Ld, hated).pmf[0] ** phases


def grudge(book: Arap, hated: bool) -> int:
    """Return what hatred of those who rout adds to the tests of pursuers (ARAP-214, partly ARAP-216)."""
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

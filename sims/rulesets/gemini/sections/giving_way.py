"""Who gives way after a fight: the result of it, who routs, who draws off, and who has taken a section."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, roll
from sims.dice.source import Argument
from sims.forces import total, without
from sims.games.arap import melee
from sims.games.arap.melee import Wounds
from sims.games.arap.moving.charge import Size
from sims.games.arap.nerve import leadership, pursuit, rout
from sims.games.arap.nerve.leadership import is_unrolled
from sims.inputs import Inches, Leadership
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.routs import turned
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.sections.storm import renewed
from sims.rulesets.gemini.state import Scene, Siege
from sims.rulesets.gemini.turn import leadership_of

Result = Literal["they win", "a draw", "they lose"]


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare wounds, with a point for charging, and let the loser test to rout; if he stands, the attackers draw off.

    A garrison that routs counts as killed to the last model in the section, and the attackers occupy it; attackers that
    rout run. Otherwise they fall back an inch, and may storm again.

    Source: Not Pursuing; Close Combat and Building Sections (ARAP-215, GB-127, GB-128, GB-129, GB-130,
    GB-131).
    """
    rulings, scenario = scene.book.rulings, scene.scenario
    crowd, several = rooms.crowd(state, scene), scene.in_turn > 1
    lead = melee.lead(scene.book.game, state.margin, ~renewed(state, scene), scene.hating) * (crowd > 0)
    theirs = leadership.leadership_of(scene.book.game, scenario.defenders, rooms.inside(state, scene))
    tests, fails = rout_test(dice, state, scene, lead, theirs)
    routed = fails & (lead > 0)
    back: Ints | int = inches_back(scene.book)
    if rulings.losing_attackers("flinch"):
        flinches = tests & ~fails & (lead < 0) & ~rooms.is_entered(state, scene)
        back = np.maximum(gap_after_flinch(dice, scene.book, 0, flinches), back)
    attackers, broken = state.attackers, fails & (lead < 0)
    if several:
        lost = tuple(n * (broken & rooms.is_entered(state, scene)) for n in rooms.party(state, scene))
        attackers = attackers.with_models(scenario.attackers, without(attackers.standing, lost))
        dice.tally("attackers lost in the rout", total(lost))
    defenders, gone = state.defenders, routed & rulings.routed_defenders("ejected") & (not several)
    if several or rulings.routed_defenders("destroyed"):
        inside = tuple(n * routed for n in rooms.inside(state, scene))
        defenders = defenders.with_models(scenario.defenders, without(defenders.standing, inside))
        dice.tally("defenders lost in the rout", np.where(routed, crowd, 0))
    again = rulings.renewed_storm("continued")
    after = state.replace(
        attackers=attackers,
        defenders=defenders,
        driven_out=gone.astype(int),
        distance=back + np.zeros_like(state.distance),
        charge=np.zeros_like(state.charge),
        margin=np.zeros_like(state.margin),
        stormed=np.full_like(state.stormed, int(again)),
    )
    if several:
        after = taken(after, scene, np.where(routed, 0, crowd), broken)
    return turned(dice, after, scene, broken, 0)


def taken(state: Siege, scene: Scene, left: Ints, routs: Bools) -> Siege:
    """Return the state where attackers hold a section that nobody is left in; the next storm is a new combat (GB-127).

    Where they cannot come to stand before it again, what they have done to the outer wall is not counted any more.

    Args:
        left: Of the garrison, in the section.
        routs: Where the attackers rout.
    """
    takes = (left == 0) & (state.attackers.models > 0) & ~routs
    held = np.minimum(state.held + takes, scene.in_turn - 1)
    here = np.where(takes, rooms.evenly(state.defenders.models, scene.in_turn - held), left)
    behind = takes & scene.book.game.rulings.routers("for_good")
    return state.replace(held=held, here=here, stormed=state.stormed * ~takes, damage=state.damage * ~behind)


@asks("GB-129", name="section taken", needs=("ARAP-012", "ARAP-204", "GB-127"))
def takes_section(book: Gemini, Ld: Leadership, result: Result = "they lose", wounds: Wounds = 0) -> Fraction:
    """Return the chance that attackers take a section some of whose defenders live: these lose and rout (GB-129).

    Args:
        Ld: Leadership of the defenders.
        result: Of the round, for the defenders.
        wounds: Wound difference by which they lost.
    """
    return rout_of_defenders(book, Ld, wounds).failed.pmf[1] if result == "they lose" else Fraction(0)


@asks("GB-129", name="inches back from a section")
def inches_back(book: Gemini) -> int:
    """Return how far attackers draw back who are repulsed (GB-129)."""
    return book.tables.storming.fall_back


@asks("GB-130", name="pursuit by defenders")
def may_pursue(result: Result, attackers_rout: bool = False) -> bool:
    """Return whether defenders may pursue, which they never have to (GB-130).

    Args:
        result: Of the round, for the defenders.
        attackers_rout: Whether the attackers have failed their rout test.
    """
    return result == "they win" and attackers_rout


@asks("GB-127", name="defenders that rout", needs=("ARAP-012", "ARAP-204"), ask="P(failed)")
def rout_of_defenders(book: Gemini, Ld: Leadership, wounds: Wounds) -> Draw:
    """Return the rout test of defenders who have lost a round: if they fail it, none of them is left (GB-127).

    Args:
        wounds: Wound difference by which they lost; 0 if only the point for the charge decided.
    """
    return rout.rout(book.game, Ld, 0 - wounds)


@asks("GB-128", name="winners who stay", needs=("ARAP-215",))
def stays(book: Gemini, Ld: Leadership = 0, frenzied: bool = False) -> Fraction:
    """Return the chance that attackers who have won may stay in the section and occupy it (GB-128).

    Args:
        Ld: Leadership of the attackers; it matters if they are frenzied.
        frenzied: Whether the attackers are frenzied, and test not to pursue.
    """
    return pursuit.stays(book.game, Ld, frenzied=frenzied)


@asks("ARAP-205", name="flinch")
def gap_of_flinch(dice: Dice, book: Gemini, gap: Inches) -> Ints:
    """Return the inches between two sides after the loser of a round has flinched (ARAP-205).

    Args:
        gap: Inches before.
    """
    return gap_after_flinch(dice, book, gap, True)


def gap_after_flinch(dice: Dice, book: Gemini, gap: Argument, when: Argument) -> Ints:
    """Return the inches between two sides after a round, more of them where the loser flinches (ARAP-205)."""
    return gap + roll(dice, "flinch", book.tables.storming.flinch, when)


@asks("ARAP-205", name="engaged after a flinch")
def holds_after_flinch(dice: Dice, book: Gemini, gap: Inches, loser: Size = 2, winner: Size = 2) -> Bools:
    """Return whether the loser of a round is still engaged after a flinch (ARAP-205).

    Args:
        gap: Inches between them before.
        loser: Size of the loser, which gives its melee radius.
        winner: Size of the winner.
    """
    return melee.still_engaged(book.game, np.asarray(-1), gap_of_flinch(dice, book, gap), (loser, winner))


def rout_test(dice: Dice, state: Siege, scene: Scene, lead: Ints, Ld_inside: Ints) -> tuple[Bools, Bools]:
    """Test the loser of a round; return where there is a test, and where it is failed."""
    units, Ld = (state.attackers, state.defenders), leadership_of(state, scene, "attackers")
    rerolls = scene.rerolls("attackers"), scene.rerolls("defenders")
    game, sides = scene.book.game, (scene.scenario.attackers, scene.scenario.defenders)
    unrolled = is_unrolled(game, sides[0], "rout"), is_unrolled(game, sides[1], "rout")
    return rout.rout_test(dice, game, units, lead, state.margin, (Ld, Ld_inside), rerolls, unrolled)


def draw_off(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Leave those who have struck at the structure an inch from it.

    Source: Close Combat and Building Sections (GB-129).
    """
    back = scene.book.tables.storming.fall_back
    return state.replace(charge=np.zeros_like(state.charge), distance=np.full_like(state.distance, back))

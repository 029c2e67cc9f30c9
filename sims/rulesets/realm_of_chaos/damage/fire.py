"""Fire: what catches it, who lights it, and what it does at the start of every turn."""

from fractions import Fraction
from typing import Annotated

import numpy as np

from sims.dice import GOAL, PMF, UNDER, Bools, Dice, Draw, Ints, Throw, Volley
from sims.dice.source import Argument
from sims.games.fantasy.fire import scorched
from sims.inputs import Count, Many, Number, Strength
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import FabricName, RealmOfChaos
from sims.rulesets.realm_of_chaos.casualties import each_body, suffer, targets
from sims.rulesets.realm_of_chaos.damage.walls import added, damage, flames_gain, may_catch_fire, most_damage
from sims.rulesets.realm_of_chaos.state import Scene, Siege, anywhere
from sims.scenario import Side

Points = Annotated[Argument, Number("Points of damage by flaming attacks.", 0, 200)]


@asks("RC-072", name="fire check", ask="P(>=1)")
def fire_check(book: RealmOfChaos, damage: Points) -> Draw:
    """Return whether a section catches fire by what flames did to it this turn (RC-072)."""
    points = np.asarray(damage, dtype=np.int64)
    if book.rulings.fire_check("each_point"):
        return Draw(Volley((UNDER,)), (points, np.minimum(points, 1)))
    return Draw(Volley((UNDER,)), (np.minimum(points, 1), np.minimum(points, 6)))


@asks("RC-072", name="fire by flaming hits")
def fire_by_hits(book: RealmOfChaos, hits: Many, S: Strength, material: FabricName) -> Fraction:
    """Return the chance that flaming hits in one turn set a section alight (RC-072).

    Args:
        hits: Hits from outside.
        S: Strength of the weapons, without what they gain against things that burn.
        material: Class of the walls.
    """
    if not may_catch_fire(book, material):
        return Fraction(0)
    points = damage(book, material, S + flames_gain(book, material), hits).pmf
    return sum((p * fire_check(book, n).pmf.at_least(1) for n, p in points), Fraction(0))


def catch_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Roll whether flames set the garrison's section alight, against all the damage they did this turn.

    Source: Buildings and Fire (RC-072, RC-076, RC-078).
    """
    lit = fire_check(scene.book, state.scorched).passed(dice, "fire check")
    return state.replace(burning=np.maximum(state.burning, lit), scorched=0 * state.scorched)


def set_alight(burning: Argument, carriers: Argument) -> Ints:
    """Return whether a section burns after a Combat Phase with carriers who wish it: without a roll (RC-073)."""
    return np.maximum(burning, carriers > 0)


@asks("RC-073", name="deliberate arson")
def deliberate_arson(wished: bool = True) -> Fraction:
    """Return the chance that a section burns after a Combat Phase with a carrier inside (RC-073).

    Args:
        wished: The carrier's player wishes it.
    """
    return Fraction(int(set_alight(0, wished)))


def carriers_at_hand(state: Siege, scene: Scene) -> Ints:
    """Return how many carriers stand where they can set the section alight: inside, or by a ruling at its walls."""
    within = scene.kinds_at_front(state, "attackers")
    carriers = sum((within[i] for i in scene.carriers), np.zeros_like(state.outside))
    if scene.torches:
        at_walls = (state.distance == 0) & (state.open == 0)
        outside = scene.outside(state, "attackers")
        carriers = carriers + at_walls * sum((outside[i] for i in scene.carriers), 0 * state.outside)
    return carriers


def may_light(state: Siege, scene: Scene) -> Bools:
    """Return where carriers can set the section alight."""
    return (carriers_at_hand(state, scene) > 0) & (state.burning == 0)


def arson(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let carriers set the garrison's section alight in the Combat Phase.

    Source: Buildings and Fire (RC-071, RC-078; partly RC-073).
    """
    return state.replace(burning=set_alight(state.burning, carriers_at_hand(state, scene)))


@asks("RC-074", name="accidental fire", ask="P(>=1)")
def accidental_fire(book: RealmOfChaos, sections: Count, carriers: Count = 1) -> Draw:
    """Return whether a unit sets fire to at least one of the sections it enters in turn (RC-074).

    Args:
        sections: Sections entered.
        carriers: Models of the unit that carry fire.
    """
    each: Argument = carriers if book.rulings.accidents("each_carrier") else np.minimum(carriers, 1)
    return Draw(Volley((GOAL,)), (np.multiply(sections, each), book.tables.fire.accident))


def accident(dice: Dice, state: Siege, scene: Scene, entering: Ints) -> Siege:
    """Roll whether carriers who enter a section that does not burn set it alight (RC-071; partly RC-074)."""
    if not may_catch_fire(scene.book, scene.walls, inside=True):
        return state
    lit = accidental_fire(scene.book, state.burning == 0, entering).passed(dice, "accidental fire")
    return state.replace(burning=np.maximum(state.burning, lit))


def burn(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let a fire damage the section at the start of every player turn.

    Source: Buildings and Fire (RC-075, RC-078).
    """
    points = damage_by_fire(scene.book, state.burning).made(dice, "fire")
    after = added(state.damage, points, most_damage(scene.book))
    return state.replace(damage=after, tested=np.where(points > 0, 0, state.tested))


def damage_by_fire(book: RealmOfChaos, turns: Argument) -> Draw:
    """Return the points of damage that a fire does to a section in some turns (RC-075)."""
    return Draw(Throw(book.tables.fire.damage), (turns,))


@asks("RC-075", name="damage by a fire")
def damage_after_a_fire(book: RealmOfChaos, turns: Count, damage: Count = 0) -> PMF:
    """Return the damage of a section after it has burnt for some turns (RC-075).

    Args:
        turns: Player turns at whose start it burnt.
        damage: Points of damage it had before.
    """
    return damage_by_fire(book, turns).pmf.map(lambda points: int(points + damage))


def scorch(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Hit each model of a side in a burning section at the start of its turn, by a ruling; a fight may end by it.

    Source: Buildings and Fire (RC-075).
    """
    among = scene.kinds_at_front(state, side)
    those, S = targets(state, scene, side, among), scene.book.tables.fire.flames_S
    bodies = zip(each_body(dice, those.force), those.models, those.wounds, strict=True)
    wounds = tuple(
        scorched(scene.book.game, S, models, body.profile.T).up_to(left).made(own, "flames")
        for (body, own), models, left in bodies
    )
    after, fallen = suffer(dice, state, scene, side, wounds, among, f"{side} who fall")
    dice.tally(f"{side} lost in the fire", fallen)
    fronts = dict(zip(scene.plan.ground, scene.fronts(state), strict=True))
    after = scene.taken_away(state, after, side, fronts, fallen)
    goes_on = (after.open > 0) | anywhere(after.contested)
    return after.replace(winner=np.where(goes_on, after.winner, 0))

"""Fire: what catches it, who lights it, and what it does at the start of every turn."""

from fractions import Fraction

import numpy as np

from sims.dice import GOAL, PMF, UNDER, Bools, Capped, Dice, Ints, Volley, roll
from sims.dice.source import Argument
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy import rules as fantasy
from sims.games.fantasy.rules import need_to_wound
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import FabricName, RealmOfChaos
from sims.rulesets.realm_of_chaos.building import added, burns, damage_to_fabric, most_damage
from sims.rulesets.realm_of_chaos.fight import lost
from sims.rulesets.realm_of_chaos.state import Scene, Siege

CATCHES = Volley((UNDER,))
"""Rolls that set a section alight. Arguments: rolls, the damage that each is made against."""


@asks("RC-071", name="what catches fire")
def may_catch_fire(rules: RealmOfChaos, material: FabricName, inside: bool = False) -> bool:
    """Return whether a building may catch fire (RC-071).

    Parameters
    ----------
    rules : RealmOfChaos
    material : str
        Class of the walls.
    inside : bool
        The fire is inside, not at the walls.
    """
    return burns(rules, material) in (("anywhere", "within") if inside else ("anywhere",))


def fire_check(rules: RealmOfChaos, points: Argument) -> tuple[Ints, Ints]:
    """Return how many rolls are made whether a section catches fire, and against what (RC-072)."""
    points = np.asarray(points, dtype=np.int64)
    if rules.rulings.fire_check("each_point"):
        return points, np.asarray(np.minimum(points, 1))
    return np.asarray(np.minimum(points, 1)), np.asarray(np.minimum(points, 6))


@asks("RC-072", name="fire check")
def chance_of_fire(rules: RealmOfChaos, damage: int) -> Fraction:
    """Return the chance that a section catches fire by what flames did to it this turn (RC-072).

    Parameters
    ----------
    rules : RealmOfChaos
    damage : int
        Points of damage by flaming attacks.
    """
    at_most(200, damage=damage)
    rolls, against = (int(a) for a in fire_check(rules, damage))
    return CATCHES.pmf(rolls, against).at_least(1)


@asks("RC-072", name="fire by flaming hits")
def chance_of_fire_by_hits(rules: RealmOfChaos, hits: int, S: int, material: FabricName) -> Fraction:
    """Return the chance that flaming hits in one turn set a section alight (RC-072).

    Parameters
    ----------
    rules : RealmOfChaos
    hits : int
        Hits from outside.
    S : int
        Strength of the weapons, without what they gain against things that burn.
    material : str
        Class of the walls.
    """
    at_most(60, hits=hits)
    if not may_catch_fire(rules, material):
        return Fraction(0)
    damage = damage_to_fabric(rules, material, S + rules.tables.fire.extra_S, hits)
    lit = (p * chance_of_fire(rules, d) for d, p in zip(damage.outcomes, damage.chances, strict=True))
    return sum(lit, Fraction(0))


@asks("RC-076", name="flaming hit")
def chance_of_damage_by_flames(rules: RealmOfChaos, S: int, material: FabricName, burning: bool = False) -> Fraction:
    """Return the chance that a flaming hit from outside does a point of damage (RC-076).

    Parameters
    ----------
    rules : RealmOfChaos
    S : int
        Strength of the weapon, without what it gains against things that burn.
    material : str
        Class of the walls.
    burning : bool
        The section burns already: no difference.
    """
    extra = rules.tables.fire.extra_S * may_catch_fire(rules, material)
    return damage_to_fabric(rules, material, S + extra).at_least(1)


def catch_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Roll whether flames set the garrison's section alight, against all the damage they did this turn.

    Source: Buildings and Fire (RC-072, RC-076, RC-078).
    """
    lit = dice.draw("fire check", CATCHES, *fire_check(scene.rules, state.scorched))
    return state.replace(burning=np.maximum(state.burning, lit > 0), scorched=0 * state.scorched)


@asks("RC-073", name="deliberate arson")
def set_alight(wished: bool = True) -> Fraction:
    """Return the chance that a section burns after a Combat Phase with a carrier inside (RC-073).

    Parameters
    ----------
    wished : bool
        The carrier's player wishes it.
    """
    return Fraction(int(wished))


def may_light(state: Siege, scene: Scene) -> Bools:
    """Return where carriers stand where they can set the section alight: inside, or by a ruling at its walls."""
    carriers = sum((scene.inside(state)[i] for i in scene.carriers), np.zeros_like(state.inside))
    if scene.torches:
        at_walls = (state.distance == 0) & (state.open == 0)
        carriers = carriers + at_walls * sum((scene.outside(state)[i] for i in scene.carriers), 0 * state.outside)
    return np.asarray((carriers > 0) & (state.burning == 0))


def arson(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let carriers set the garrison's section alight in the Combat Phase, before any blow.

    Source: Buildings and Fire (RC-071, RC-073, RC-078).
    """
    return state.replace(burning=np.maximum(state.burning, may_light(state, scene)))


def accident(dice: Dice, state: Siege, scene: Scene, entering: Ints) -> Siege:
    """Roll whether carriers who enter a section set it alight (RC-071, RC-074)."""
    if scene.burns == "nowhere":
        return state
    rolls = entering if scene.rules.rulings.accidents("each_carrier") else np.minimum(entering, 1)
    lit = dice.draw("accidental fire", Volley((GOAL,)), rolls * (state.burning == 0), scene.rules.tables.fire.accident)
    return state.replace(burning=np.maximum(state.burning, lit > 0))


@asks("RC-074", name="accidental fire")
def chance_of_an_accident(rules: RealmOfChaos, sections: int, carriers: int = 1) -> Fraction:
    """Return the chance that a unit sets fire to at least one of the sections it enters in turn (RC-074).

    Parameters
    ----------
    rules : RealmOfChaos
    sections : int
        Sections entered.
    carriers : int
        Models of the unit that carry fire.
    """
    at_most(60, sections=sections, carriers=carriers)
    each = carriers if rules.rulings.accidents("each_carrier") else min(carriers, 1)
    return Volley((GOAL,)).pmf(sections * each, rules.tables.fire.accident).at_least(1)


def burn(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let a fire damage the section at the start of every player turn.

    Source: Buildings and Fire (RC-075, RC-078).
    """
    points = roll(dice, "fire", scene.rules.tables.fire.damage, state.burning)
    damage = added(state.damage, points, most_damage(scene.rules))
    return state.replace(damage=damage, tested=np.where(points > 0, 0, state.tested))


@asks("RC-075", name="damage by a fire")
def damage_by_fire(rules: RealmOfChaos, turns: int, damage: int = 0) -> PMF:
    """Return the damage of a section after it has burnt for some turns (RC-075).

    Parameters
    ----------
    rules : RealmOfChaos
    turns : int
        Player turns at whose start it burnt.
    damage : int
        Points of damage it had before.
    """
    at_most(60, turns=turns, damage=damage)
    return turns @ rules.tables.fire.damage.pmf + damage


def scorch_garrison(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hit each defender in a burning section at the start of the garrison's turn, by a ruling.

    Source: Buildings and Fire (RC-075); parent rules (partly BASE-058).
    """
    unit = scene.scenario.defenders.unit
    need = need_to_wound(scene.rules.game, scene.rules.tables.fire.flames_S, unit.T)
    most = np.maximum(state.ground * unit.W - state.defenders_hurt, 0)
    wounds = dice.draw("flames", Capped(fantasy.HACKS), state.ground, need, IMPOSSIBLE, most)
    fallen, hurt = lost(state.ground, state.defenders_hurt, wounds, unit.W)
    dice.tally("defenders lost in the fire", state.ground - fallen)
    return state.replace(defenders=state.defenders - (state.ground - fallen), defenders_hurt=hurt)


def scorch_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hit each attacker in a burning section at the start of the attackers' turn, by a ruling.

    Source: Buildings and Fire (RC-075); parent rules (partly BASE-058).
    """
    unit = scene.scenario.attackers.unit
    need = need_to_wound(scene.rules.game, scene.rules.tables.fire.flames_S, unit.T)
    most = np.maximum(state.inside * unit.W - state.attackers_hurt, 0)
    wounds = dice.draw("flames", Capped(fantasy.HACKS), state.inside, need, IMPOSSIBLE, most)
    inside, hurt = lost(state.inside, state.attackers_hurt, wounds, unit.W)
    dice.tally("attackers lost in the fire", state.inside - inside)
    return state.replace(inside=inside, attackers_hurt=hurt)

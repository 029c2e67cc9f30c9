"""The start of a turn: is a damaged section stable, and what becomes of those inside when it falls."""

from fractions import Fraction
from functools import cache
from typing import Any, Literal

import numpy as np

from sims.dice import GOAL, PMF, Bools, Dice, Die, Ints, Test, Total, Volley, roll
from sims.dice.source import Argument
from sims.games.common import IMPOSSIBLE
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.state import NEIGHBOURS, SECTION, Scene, Siege


@cache
def crushing(wounds: Die) -> Volley:
    """Return the draw of models under falling masonry that are killed, by as many wounds as they have left (RC-056).

    Arguments: models, save, wounds that each can take.
    """
    killed = Test(f"{wounds.name} wounds kill", 1, wounds.pmf.at_least, lambda W, face: wounds.read(face) >= W)
    return Volley((GOAL.failed, killed))


def result_of(rules: RealmOfChaos, face: Argument, damage: Argument) -> Ints:
    """Return the result of a stability roll: the die and the damage above 6 (RC-048)."""
    return np.asarray(np.asarray(face) + damage - rules.tables.stability.starts_at)


def collapses(rules: RealmOfChaos, result: Argument, levels_above: int, models: Argument) -> Bools:
    """Return whether a result brings the section down (RC-050, RC-052, RC-053; partly RC-049, partly RC-054).

    Parameters
    ----------
    result : array
        What was rolled, with the damage above 6.
    levels_above : int
        Levels on top of the section.
    models : array
        Models of both sides in it.
    """
    table = rules.tables.stability
    crowded = np.isin(result, table.unstable) & (np.asarray(models) > table.most_models)
    overloaded = np.isin(result, table.unsound) & (levels_above > table.most_levels_above)
    return np.asarray((np.asarray(result) >= table.collapse) | crowded | overloaded)


def is_rolled_for(state: Siege, scene: Scene) -> Bools:
    """Return where the ground section is rolled for."""
    return np.asarray(
        (state.damage >= scene.rules.tables.stability.starts_at) & (state.tested == 0) & (state.falling == 0)
    )


def stability(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Roll for the ground section: it holds, holds in a worse state, or falls with all that stands on it.

    Attackers go in only while it is not rolled for, so that nobody but the garrison is inside.

    Source: Damaging Buildings (RC-047, RC-048, RC-050, RC-051, RC-052, RC-053; partly RC-049, partly RC-054,
    partly RC-058, partly RC-059, partly RC-060).
    """
    rules, table = scene.rules, scene.rules.tables.stability
    result = result_of(rules, roll(dice, "stability", table.die), state.damage)
    falls = collapses(rules, result, scene.scenario.building.levels - 1, state.ground)
    neighbours = (result >= table.neighbours_fall) & (scene.sections > 1)
    old = 0 if rules.rulings.lasting_results("latest") else 1
    return state.replace(
        unsafe=np.maximum(state.unsafe * old, np.isin(result, table.unsafe)),
        unstable=np.maximum(state.unstable * old, np.isin(result, table.unstable)),
        unsound=np.maximum(state.unsound * old, np.isin(result, table.unsound)),
        tested=np.full_like(state.tested, rules.rulings.lasting_results("one_test")),
        falling=np.where(falls, np.where(neighbours, NEIGHBOURS, SECTION), 0),
    )


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the ground section fall, and the building with it; each model in the falling sections saves or is killed.

    Those who live get out by the door or into sections beside theirs that still stand; else they die too.

    Source: Damaging Buildings (RC-055, RC-056; partly RC-054, partly RC-057, partly RC-060).
    """
    rules, building, unit = scene.rules, scene.scenario.building, scene.scenario.defenders.unit
    on_top = np.minimum(state.upstairs, (building.levels - 1) * capacity(rules))
    beside = np.where(state.falling == NEIGHBOURS, state.upstairs - on_top, 0)
    door = building.doors > 0
    next_door = (scene.sections > 1) & (state.falling == SECTION)
    out_of_reach = ~(next_door | (door and rules.rulings.doors_after_collapse("any_door")))
    on_the_ground = crushed(dice.within("ground"), state.ground, state.defenders_hurt, unit, rules)
    above = crushed(dice.within("above"), on_top + beside, 0 * state.defenders_hurt, unit, rules)
    killed = np.where(door | next_door, on_the_ground, state.ground)
    killed = killed + np.where(out_of_reach, on_top + beside, above)
    dice.tally("defenders lost in the collapse", killed)
    return state.replace(
        defenders=state.defenders - killed,
        upstairs=0 * state.upstairs,
        destroyed=np.ones_like(state.destroyed),
        falling=0 * state.falling,
    )


def crushed(dice: Dice, models: Ints, hurt: Ints, unit: Unit, rules: RealmOfChaos) -> Ints:
    """Return how many models are killed, the one that carries wounds among them (RC-055, RC-056)."""
    save, W = under_masonry(rules, unit.T, unit.W, unit.Sv or IMPOSSIBLE)
    wounded = (models > 0) & (hurt > 0)
    left = np.where(wounded, np.maximum(W - hurt, 1), W)
    kills = crushing(rules.tables.collapse.wounds)
    return dice.draw("saves", Total((kills, kills)), models - wounded, save, W, wounded, save, left)


def under_masonry(rules: RealmOfChaos, T: int, W: int, save: int) -> tuple[int, int]:
    """Return the save of a model in a collapse, and how many of D3 wounds kill it (RC-055, RC-056)."""
    table = rules.tables.collapse
    if table.tough_T <= T or table.tough_W <= W:
        return min(save, table.tough_save), W
    return save, 1


@asks("RC-048", name="stability roll")
def stability_roll(rules: RealmOfChaos, damage: int) -> PMF:
    """Return the result of the stability roll, 10 and more read as 10; 0 if there is none (RC-047, RC-048).

    Parameters
    ----------
    rules : RealmOfChaos
    damage : int
        Points of damage of the section.
    """
    if damage < rules.tables.stability.starts_at:
        return PMF.constant(0)
    return rules.tables.stability.die.pmf.map(lambda face: min(int(result_of(rules, face, damage)), 10))


@asks("RC-047", name="stability rolls in a turn")
def rolls_in_a_turn(rules: RealmOfChaos, damage: int) -> int:
    """Return how often a section is rolled for in a turn after the damage was done (RC-047).

    Parameters
    ----------
    rules : RealmOfChaos
    damage : int
        Points of damage of the section.
    """
    return int(damage >= rules.tables.stability.starts_at)


@asks("RC-052", name="collapse by a result")
def falls_by(rules: RealmOfChaos, result: int, models: int = 0, levels_above: int = 0) -> bool:
    """Return whether a result of the stability roll brings the section down (RC-052).

    Parameters
    ----------
    rules : RealmOfChaos
    result : int
        Result of the roll.
    models : int
        Models of both sides in the section.
    levels_above : int
        Levels on top of it.
    """
    return bool(collapses(rules, result, levels_above, models))


@asks("RC-053", name="section after a result")
def section_after(
    rules: RealmOfChaos, result: int, models: int = 0, levels_above: int = 0
) -> Literal["collapses", "stands"]:
    """Return what becomes of a section by a result of the stability roll (RC-053).

    Parameters
    ----------
    rules : RealmOfChaos
    result : int
        Result of the roll.
    models : int
        Models of both sides in the section.
    levels_above : int
        Levels on top of it.
    """
    return "collapses" if falls_by(rules, result, models, levels_above) else "stands"


@asks("RC-050", name="collapse in one test")
def chance_to_collapse(rules: RealmOfChaos, damage: int, levels_above: int = 0) -> Fraction:
    """Return the chance that an empty section falls in one stability roll (RC-050).

    Parameters
    ----------
    rules : RealmOfChaos
    damage : int
        Points of damage of the section.
    levels_above : int
        Levels on top of it.
    """
    return stability_roll(rules, damage).where(lambda result: falls_by(rules, result, 0, levels_above))


@asks("RC-050", name="tests until collapse")
def rolls_until_collapse(rules: RealmOfChaos, damage: int, levels_above: int = 0) -> Fraction:
    """Return how many stability rolls an empty section stands on average, the last among them (RC-050).

    Parameters
    ----------
    rules : RealmOfChaos
    damage : int
        Points of damage of the section, 6 or more.
    levels_above : int
        Levels on top of it.

    Raises
    ------
    ValueError
        If it is not rolled for.
    """
    chance = chance_to_collapse(rules, damage, levels_above)
    if not chance:
        raise ValueError(f"a section with {damage} points of damage is not rolled for")
    return 1 / chance


@asks("RC-050", name="standing after tests")
def standing_after(rules: RealmOfChaos, damage: int, tests: int, levels_above: int = 0) -> Fraction:
    """Return the chance that an empty section still stands after some stability rolls (RC-050).

    Parameters
    ----------
    rules : RealmOfChaos
    damage : int
        Points of damage of the section.
    tests : int
        Stability rolls.
    levels_above : int
        Levels on top of it.
    """
    return (1 - chance_to_collapse(rules, damage, levels_above)) ** tests


@asks("RC-055", name="survivors of a collapse")
def survivors(rules: RealmOfChaos, models: int, save: int = IMPOSSIBLE) -> PMF:
    """Return how many models in a falling section live, if they have a way out (RC-055).

    Parameters
    ----------
    rules : RealmOfChaos
    models : int
        Models that are not tough.
    save : int
        What their armour needs; 7 for none.
    """
    kills = crushing(rules.tables.collapse.wounds)
    return kills.pmf(models, *under_masonry(rules, 1, 1, save)).map(lambda killed: models - killed)


@asks("RC-056", name="wounds in a collapse")
def wounds_in_a_collapse(rules: RealmOfChaos, T: int, W: int, save: int = IMPOSSIBLE) -> PMF:
    """Return how many Wounds a model in a falling section loses: all of them, or D3 if it is tough (RC-056).

    Parameters
    ----------
    rules : RealmOfChaos
    T : int
        Toughness.
    W : int
        Wounds.
    save : int
        What its armour needs; 7 for none.
    """
    needs, kills = under_masonry(rules, T, W, save)
    fails = GOAL.failed.chance(needs)
    wounds: Any = rules.tables.collapse.wounds.pmf.map(lambda wounds: W if wounds >= kills else wounds)
    return PMF.mixture([(fails, wounds), (1 - fails, PMF.constant(0))])

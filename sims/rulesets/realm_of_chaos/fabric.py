"""The start of a turn: a fire burns, and a damaged section is stable or falls."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Ints, roll
from sims.dice.source import Argument
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.fire import burn
from sims.rulesets.realm_of_chaos.state import NEIGHBOURS, SECTION, Scene, Siege


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


def burns_or_is_rolled_for(state: Siege, scene: Scene) -> Bools:
    """Return where the start of a turn may damage the ground section, or bring it down."""
    return np.asarray(is_rolled_for(state, scene) | (state.burning > 0))


def stability(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Roll for the ground section: it holds, holds in a worse state, or falls with all that stands on it.

    Source: Damaging Buildings (RC-047, RC-048, RC-050, RC-051, RC-052, RC-053; partly RC-049, partly RC-054,
    partly RC-058, partly RC-059, partly RC-060).
    """
    return rolled(dice, state, scene, is_rolled_for(state, scene))


def burn_and_test(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let a fire burn, then roll for the ground section, if the damage from before the fire's was enough for that.

    Source: Buildings and Fire (RC-075, RC-077, RC-078).
    """
    return rolled(dice, burn(dice, state, scene), scene, is_rolled_for(state, scene))


def rolled(dice: Dice, state: Siege, scene: Scene, due: Bools) -> Siege:
    """Return what becomes of the ground section by a stability roll, where that is due (RC-048 to RC-053)."""
    rules, table = scene.rules, scene.rules.tables.stability
    result = np.where(due, result_of(rules, roll(dice, "stability", table.die, due), state.damage), 0)
    falls = collapses(rules, result, scene.scenario.building.levels - 1, state.ground + state.inside)
    neighbours = (result >= table.neighbours_fall) & (scene.sections > 1)
    old = ~due if rules.rulings.lasting_results("latest") else True
    return state.replace(
        unsafe=np.maximum(state.unsafe * old, np.isin(result, table.unsafe)),
        unstable=np.maximum(state.unstable * old, np.isin(result, table.unstable)),
        unsound=np.maximum(state.unsound * old, np.isin(result, table.unsound)),
        tested=np.where(due, int(rules.rulings.lasting_results("one_test")), state.tested),
        falling=np.where(falls, np.where(neighbours, NEIGHBOURS, SECTION), 0),
    )


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

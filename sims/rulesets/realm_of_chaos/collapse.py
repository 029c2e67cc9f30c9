"""What becomes of those in a section that falls: masonry, saves, and the ways out."""

from functools import cache
from typing import Any

import numpy as np

from sims.dice import GOAL, PMF, Dice, Die, Ints, Test, Total, Volley
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


def bury_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the attackers in the falling section save or be killed; those who live get out by the door they came in by.

    Source: Damaging Buildings (RC-055, RC-056; partly RC-057).
    """
    unit = scene.scenario.attackers.unit
    killed = crushed(dice, state.inside, state.attackers_hurt, unit, scene.rules)
    dice.tally("attackers lost in the collapse", killed)
    return state.replace(outside=state.outside + state.inside - killed, inside=0 * state.inside)


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the ground section fall, and the building with it; each model in the falling sections saves or is killed.

    Those who live get out by the door or into sections beside theirs that still stand; else they die too.

    Source: Damaging Buildings (RC-055, RC-056; partly RC-054, partly RC-057, partly RC-060).
    """
    rules, building, unit = scene.rules, scene.scenario.building, scene.scenario.defenders.unit
    on_top = np.minimum(state.upstairs, (scene.levels - 1) * capacity(rules))
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

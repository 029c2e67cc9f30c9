"""What becomes of those in a section that falls: masonry, saves, and the ways out."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Annotated

import numpy as np

from sims.dice import PMF, Dice, Die, Draw, Ints, Test, Volley, together
from sims.dice.source import Argument
from sims.games.fantasy.wounds import save_against, unsaved
from sims.inputs import NONE, Count, Number, Save, Toughness
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.state import NEIGHBOURS, SECTION, Scene, Siege

Wounds = Annotated[Argument, Number("Wounds.", 1, 60)]


@cache
def _killed_by(wounds: Die) -> Test:
    return Test(f"{wounds.name} wounds kill", 1, wounds.pmf.at_least, lambda W, face: wounds.read(face) >= W)


def crushed(
    book: RealmOfChaos, models: Argument, T: Argument, W: Argument, save: Argument = NONE, hurt: Argument = 0
) -> Draw:
    """Return how many models in a falling section are killed; one that is not tough dies by any wound (RC-055, RC-056).

    Parameters
    ----------
    hurt : array
        Wounds that one of them carries.
    """
    table = book.tables.collapse
    tough = (np.asarray(T) >= table.tough_T) | (np.asarray(W) >= table.tough_W)
    kills = np.where(tough, W, 1)
    wounded = (np.asarray(models) > 0) & (np.asarray(hurt) > 0)
    left = np.where(wounded, np.maximum(kills - hurt, 1), kills)
    fails = unsaved(np.where(tough, np.minimum(save, table.tough_save), save))
    whole, other = (fails.then(Draw(Volley((_killed_by(table.wounds),)), (1, needed))) for needed in (kills, left))
    return together([whole.times(models - wounded), other.times(wounded)])


@asks("RC-055", name="survivors of a collapse")
def survivors(book: RealmOfChaos, models: Count, save: Save = NONE) -> PMF:
    """Return how many models in a falling section live, if they have a way out (RC-055).

    Parameters
    ----------
    models : int
        Models that are not tough.
    save : int
        What their armour needs, or none.
    """
    return crushed(book, models, 1, 1, save).pmf.map(lambda killed: int(models - killed))


@asks("RC-056", name="wounds in a collapse")
def wounds_in_a_collapse(book: RealmOfChaos, T: Toughness, W: Wounds, save: Save = NONE) -> PMF:
    """Return how many Wounds a model in a falling section loses: all of them, or D3 if it is tough (RC-056).

    It loses so many if that would kill it with so many left.

    Parameters
    ----------
    save : int
        What its armour needs, or none.
    """
    wounds = int(np.asarray(W).item())
    killed = (crushed(book, 1, T, W, save, hurt=wounds - n).pmf.at_least(1) for n in range(1, wounds + 1))
    chances = [Fraction(1), *killed, Fraction(0)]
    return PMF.mixture((p - more, PMF.constant(n)) for n, (p, more) in enumerate(pairwise(chances)))


def crush(dice: Dice, book: RealmOfChaos, unit: Unit, models: Ints, hurt: Ints) -> Ints:
    """Return how many models of a unit in a falling section are killed, the one that carries wounds among them."""
    return crushed(book, models, unit.T, unit.W, save_against(unit, None), hurt).made(dice, "saves")


def bury_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the attackers in the falling section save or be killed; those who live get out by the door they came in by.

    Source: Damaging Buildings (RC-055, RC-056; partly RC-057).
    """
    unit = scene.scenario.attackers.unit
    killed = crush(dice, scene.rules, unit, state.inside, state.attackers_hurt)
    dice.tally("attackers lost in the collapse", killed)
    return state.replace(outside=state.outside + state.inside - killed, inside=0 * state.inside)


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the ground section fall, and the building with it; each model in the falling sections saves or is killed.

    Those who live get out by the door or into sections beside theirs that still stand; else they die too.

    Source: Damaging Buildings (RC-055, RC-056; partly RC-054, partly RC-057, partly RC-060).
    """
    book, building, unit = scene.rules, scene.scenario.building, scene.scenario.defenders.unit
    on_top = np.minimum(state.upstairs, (scene.levels - 1) * capacity(book))
    beside = np.where(state.falling == NEIGHBOURS, state.upstairs - on_top, 0)
    door = building.doors > 0
    next_door = (scene.sections > 1) & (state.falling == SECTION)
    out_of_reach = ~(next_door | (door and book.rulings.doors_after_collapse("any_door")))
    on_the_ground = crush(dice.within("ground"), book, unit, state.ground, state.defenders_hurt)
    above = crush(dice.within("above"), book, unit, on_top + beside, 0 * state.defenders_hurt)
    killed = np.where(door | next_door, on_the_ground, state.ground)
    killed = killed + np.where(out_of_reach, on_top + beside, above)
    dice.tally("defenders lost in the collapse", killed)
    return state.replace(
        defenders=state.defenders - killed,
        upstairs=0 * state.upstairs,
        destroyed=np.ones_like(state.destroyed),
        falling=0 * state.falling,
    )

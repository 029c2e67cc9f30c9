"""Routs inside the building: how far the routers have to run, and the free hacks at them."""

from typing import Annotated

import numpy as np

from sims.dice import Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models, killed, total
from sims.games.fantasy.rout import hack, hacks
from sims.inputs import NONE, Count, Most, Number, Save, Strength, Toughness
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.setting import whereabouts
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Side

Level = Annotated[Argument, Number("Level of the section they hold that is furthest from a door on the ground.", 1, 20)]
Steps = Annotated[Argument, Number("Steps sideways from that section to the column with the door.", 0, 60)]


@asks("RC-020", name="sections to cross in a rout")
def sections_to_cross(book: RealmOfChaos, level: Level = 1, across: Steps = 0) -> Ints:
    """Return how many sections a unit that routs has to cross (RC-020)."""
    outside = 1 if book.rulings.way_out("with_the_outside") else 0
    return np.asarray(level - 1 + across + outside)


@asks("RC-021", name="number of free hacks")
def number_of_hacks(pursuers: Count, sections: Count) -> Ints:
    """Return how many free hacks a unit makes at routers inside (RC-021).

    Args:
        pursuers: Models that pursue.
        sections: Sections the routers have to cross.
    """
    return np.asarray(pursuers * sections)


@asks("RC-021", name="free hacks at routers")
def free_hacks(
    book: RealmOfChaos,
    pursuers: Count,
    sections: Count,
    S: Strength,
    T: Toughness,
    save: Save = NONE,
    routers: Most = None,
) -> Draw:
    """Return how many routers with one Wound are killed by free hacks (RC-021).

    Args:
        pursuers: Models that pursue.
        sections: Sections the routers have to cross.
        S: Strength of the pursuers.
        T: Toughness of the routers.
        save: What the routers' armour needs without a shield, or none.
        routers: Models that rout; leave it out to count every hack.
    """
    return hack(book.game, S, T, save).times(number_of_hacks(pursuers, sections)).up_to(routers)


def hacked(dice: Dice, scene: Scene, side: Side, models: Ints, hurt: Ints, number: Models) -> tuple[Ints, Ints]:
    """Hack at models of a side who rout; return how many are left and the wounds carried.

    Args:
        models, hurt: Who rout, and the wounds that one carries.
        number: Free hacks of each group of the pursuers.
    """
    attackers, defenders = scene.scenario.attackers, scene.scenario.defenders
    hacking, unit = (attackers, defenders.unit) if side == "defenders" else (defenders, attackers.unit)
    wounds = hacks(scene.book.game, hacking, number, unit, models, hurt).made(dice, "free hacks")
    dead, carried = killed(hurt, wounds, unit.W)
    left = np.maximum(models - dead, 0)
    dice.tally(f"{side} lost in the rout", models - left)
    return left, np.where(left > 0, carried, 0)


def hack_defenders(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at a garrison that routs; what is left of it is put outside and has lost the building.

    Source: Routs Within Buildings (RC-020, RC-021; partly RC-022, partly RC-026).
    """
    section = scene.book.tables.sections.models
    above, beside, beyond = whereabouts(state, scene)
    columns = -(-(beside + beyond) // (scene.levels * section))
    engaged = scene.inside(state)
    everyone = scene.standing(state, "attackers")
    pursuers = everyone if scene.book.rulings.hacking("every_member") else engaged
    across = np.where(total(engaged) > 0, sections_to_cross(scene.book, 1 - (-above // section), columns), 0)
    number = tuple(number_of_hacks(n, across) for n in pursuers)
    defenders, hurt = hacked(dice, scene, "defenders", state.defenders, state.defenders_hurt, number)
    return state.replace(
        defenders=defenders,
        defenders_hurt=hurt,
        upstairs=0 * state.upstairs,
        routing=0 * state.routing,
        driven_out=np.ones_like(state.routing),
    )


def hack_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at attackers who rout from the ground section; what is left of them has broken.

    If none of them was left inside, there is nobody to hack at.

    Source: Routs Within Buildings (RC-020, RC-021; partly RC-022, partly RC-026).
    """
    everyone = scene.standing(state, "defenders")
    pursuers = everyone if scene.book.rulings.hacking("every_member") else scene.ground(state)
    across = np.where(state.inside > 0, sections_to_cross(scene.book), 0)
    number = tuple(number_of_hacks(n, across) for n in pursuers)
    left, hurt = hacked(dice, scene, "attackers", state.attackers, state.attackers_hurt, number)
    return state.replace(
        outside=left,
        inside=0 * state.inside,
        attackers_hurt=hurt,
        routing=0 * state.routing,
        broken=np.ones_like(state.routing),
    )

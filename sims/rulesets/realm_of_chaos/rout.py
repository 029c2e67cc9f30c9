"""Routs inside the building: how far the routers have to run, and the free hacks at them."""

from typing import Literal

import numpy as np

from sims.dice import PMF, Capped, Dice, Ints, Total
from sims.dice.source import Argument
from sims.forces import Models, total
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy import rules as fantasy
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.fight import lost
from sims.rulesets.realm_of_chaos.state import Scene, Siege


def sections_to_cross(rules: RealmOfChaos, level: Argument, across: Argument = 0) -> Ints:
    """Return how many sections routers have to cross from the one that is furthest from their exit (RC-020).

    Parameters
    ----------
    level : array
        The level of that section.
    across : array
        Its steps sideways from the column with the door.
    """
    outside = 1 if rules.rulings.way_out("with_the_outside") else 0
    return np.asarray(np.asarray(level) - 1 + across + outside)


@asks("RC-020", name="sections to cross in a rout")
def way_of_routers(rules: RealmOfChaos, level: int = 1, across: int = 0) -> int:
    """Return how many sections a unit that routs has to cross (RC-020).

    Parameters
    ----------
    rules : RealmOfChaos
    level : int
        Level of the section it holds that is furthest from a door on the ground.
    across : int
        Steps sideways from that section to the column with the door.
    """
    return int(sections_to_cross(rules, level, across))


def hacked(
    dice: Dice,
    scene: Scene,
    side: Literal["attackers", "defenders"],
    models: Ints,
    hurt: Ints,
    pursuers: Models,
    each: Argument,
) -> tuple[Ints, Ints]:
    """Hack at models of a side who rout; return how many are left and the wounds carried (partly BASE-054).

    Parameters
    ----------
    models, hurt : array
        Who rout, and the wounds that one carries.
    pursuers : Models
        Who hack at them, by group.
    each : array
        Hacks of each.
    """
    attackers, defenders = scene.scenario.attackers, scene.scenario.defenders
    hacking, unit = (attackers, defenders.unit) if side == "defenders" else (defenders, attackers.unit)
    parts, arguments = fantasy.free_hacks(scene.rules.game, hacking, pursuers, each, unit)
    most = np.maximum(models * unit.W - hurt, 0)
    wounds = dice.draw("free hacks", Capped(Total(tuple(parts))), *arguments, most)
    left, carried = lost(models, hurt, wounds, unit.W)
    dice.tally(f"{side} lost in the rout", models - left)
    return left, carried


def hack_defenders(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at a garrison that routs; what is left of it is put outside and has lost the building.

    Source: Routs Within Buildings (RC-020, RC-021; partly RC-022, partly RC-026), fantasy game (partly BASE-054).
    """
    scenario, section = scene.scenario, scene.rules.tables.sections.models
    up = np.minimum(-(-state.upstairs // section), scene.levels - 1)
    beside = state.upstairs > (scene.levels - 1) * section
    engaged = scene.inside(state)
    everyone = scenario.attackers.standing(state.attackers)
    pursuers = everyone if scene.rules.rulings.hacking("every_member") else engaged
    each = np.where(total(engaged) > 0, sections_to_cross(scene.rules, 1 + up, beside.astype(int)), 0)
    defenders, hurt = hacked(dice, scene, "defenders", state.defenders, state.defenders_hurt, pursuers, each)
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

    Source: Routs Within Buildings (RC-020, RC-021; partly RC-022, partly RC-026), fantasy game (partly BASE-054).
    """
    everyone = scene.scenario.defenders.standing(state.defenders)
    pursuers = everyone if scene.rules.rulings.hacking("every_member") else scene.ground(state)
    each = np.where(state.inside > 0, sections_to_cross(scene.rules, 1), 0)
    left, hurt = hacked(dice, scene, "attackers", state.attackers, state.attackers_hurt, pursuers, each)
    return state.replace(
        outside=left,
        inside=0 * state.inside,
        attackers_hurt=hurt,
        routing=0 * state.routing,
        broken=np.ones_like(state.routing),
    )


@asks("RC-021", name="number of free hacks")
def number_of_hacks(pursuers: int, sections: int) -> int:
    """Return how many free hacks a unit makes at routers inside (RC-021).

    Parameters
    ----------
    pursuers : int
        Models that pursue.
    sections : int
        Sections the routers have to cross.
    """
    return pursuers * sections


@asks("RC-021", name="free hacks at routers")
def kills_by_hacks(
    rules: RealmOfChaos,
    pursuers: int,
    sections: int,
    S: int,
    T: int,
    save: int = IMPOSSIBLE,
    routers: int | None = None,
) -> PMF:
    """Return how many routers with one Wound are killed by free hacks (RC-021).

    Parameters
    ----------
    rules : RealmOfChaos
    pursuers : int
        Models that pursue.
    sections : int
        Sections the routers have to cross.
    S : int
        Strength of the pursuers.
    T : int
        Toughness of the routers.
    save : int
        What the routers' armour needs without a shield; 7 for none.
    routers : int
        Models that rout; leave it out to count every hack.
    """
    hacks = number_of_hacks(pursuers, sections)
    kills = fantasy.HACKS.pmf(hacks, fantasy.need_to_wound(rules.game, S, T), save)
    return kills if routers is None else kills.cap(routers)

"""Routs inside the building: how far the routers have to run, and the free hacks at them."""

from functools import reduce
from typing import Annotated, Literal

import numpy as np

from sims.dice import Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models, together, total
from sims.games.fantasy.rout import blows_once, catches, hack, hacks
from sims.inputs import NONE, Count, Most, Number, Save, Some, Strength, Toughness, Truth
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.casualties import dead_and_hurt, targets
from sims.rulesets.realm_of_chaos.inside.orders import doors
from sims.rulesets.realm_of_chaos.inside.steps import distances
from sims.rulesets.realm_of_chaos.state import OTHER, Places, Scene, Siege
from sims.scenario import Side

Level = Annotated[Argument, Number("Level of the section they hold that is furthest from a door on the ground.", 1, 20)]
Nth = Annotated[Argument, Number("Which section, counted from the exit; 1 is next to it.", 1, 36)]
Steps = Annotated[
    Argument, Number("Steps from the ground of that section's column to the door; or all its steps.", 0, 60)
]


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


@asks("RC-024", name="test to stay in", needs=("BASE-055",))
def needed_to_stay(inside: Truth = True) -> Literal["none", "Leadership"]:
    """Return what a victor has to pass who does not want to pursue: nothing inside a building (RC-024).

    Args:
        inside: Whether it stays in one, rather than in the open.
    """
    return "none" if inside else "Leadership"


@asks("RC-024", name="next Movement phase of a victor")
def next_move(pursues: bool = False) -> Literal["follows", "reforms, and does not move"]:
    """Return what a victor inside does in its next Movement phase (RC-024).

    Args:
        pursues: Whether it follows the routers out of the building.
    """
    return "follows" if pursues else "reforms, and does not move"


@asks("RC-025", name="sections of a pursuit", needs=("RC-003",))
def sections_of_pursuers(book: RealmOfChaos, models: Some) -> Ints:
    """Return over how many sections a unit is strung out that pursues out of a building (partly RC-025)."""
    return -(-np.asarray(models) // capacity(book))


@asks("RC-025", name="pursuers in a section", needs=("RC-003",))
def pursuers_in(book: RealmOfChaos, models: Some, nth: Nth = 1) -> Ints:
    """Return how many pursuers are in a section: they fill those next to the exit first (partly RC-025)."""
    before = capacity(book) * (np.asarray(nth) - 1)
    return np.clip(models - before, 0, capacity(book))


def hacked(dice: Dice, state: Siege, scene: Scene, side: Side, routers: Models, number: Models) -> tuple[Siege, Ints]:
    """Hack at models of a side who rout; return also how many fall: who they are makes no odds any more.

    Args:
        routers: Who rout, by group.
        number: Free hacks of each group of the pursuers.
    """
    hacking = scene.scenario.attackers if side == "defenders" else scene.scenario.defenders
    those = targets(state, scene, side, routers)
    wounds = those.suffer(dice, "free hacks", lambda target: [hacks(scene.book.game, hacking, number, target)])
    fallen, hurt = dead_and_hurt(those, wounds)
    dice.tally(f"{side} lost in the rout", total(fallen))
    return state.with_hurt(side, hurt), total(fallen)


def hack_defenders(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at a garrison that routs; what is left of it is put outside and has lost the building.

    Source: Routs Within Buildings (RC-020, RC-021, RC-026; partly RC-022).
    """
    number = number_by_group(state, scene, "attackers", state.garrison)
    after, lost = hacked(dice, state, scene, "defenders", scene.standing(state, "defenders"), number)
    return after.replace(
        garrison=nobody(state.garrison),
        tall_garrison=nobody(state.tall_garrison),
        out=state.defenders - lost,
        fight=nobody(state.fight),
        routing=0 * state.routing,
        driven_out=np.ones_like(state.routing),
    )


def hack_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at attackers who rout inside; what is left of them has broken.

    If none of them was left inside, there is nobody to hack at.

    Source: Routs Within Buildings (RC-020, RC-021, RC-026; partly RC-022).
    """
    number = number_by_group(state, scene, "defenders", state.inside)
    after, lost = hacked(dice, state, scene, "attackers", scene.standing(state, "attackers"), number)
    return after.replace(
        outside=state.attackers - lost,
        inside=nobody(state.inside),
        tall=nobody(state.tall),
        fight=nobody(state.fight),
        routing=0 * state.routing,
        broken=np.ones_like(state.routing),
    )


def number_by_group(state: Siege, scene: Scene, by: Side, routers: Places) -> Models:
    """Return the free hacks of each group of a side; none unless attackers are inside.

    Routers run from the section they hold that is farthest from a door that stands. Victors stay in without a test; who
    wants to pursue follows them out, all of a unit in one turn, and hacks once more if he catches them (RC-024, RC-026;
    partly RC-025).
    """
    held = (np.where(n > 0, far, 0) for n, far in zip(routers, to_the_doors(state, scene), strict=True))
    away = reduce(np.maximum, held)
    across = np.where(state.entered > 0, sections_to_cross(scene.book, across=away), 0)
    who = scene.standing(state, by)
    if scene.book.rulings.hacking("those_engaged"):
        fought = (tuple(n * (f > 0) for n in scene.inside(state, by, i)) for i, f in enumerate(state.fight))
        who = reduce(together, fought)
    number = tuple(number_of_hacks(n, across) for n in who)
    force, other = (getattr(scene.scenario, side) for side in (by, OTHER[by]))
    if scene.book.game.rulings.pursuit("restrained") or not catches(force, other):
        return number
    return together(number, blows_once(force, tuple(n * (state.entered > 0) for n in scene.standing(state, by))))


def to_the_doors(state: Siege, scene: Scene) -> list[Ints]:
    """Return how many steps it is from each section to the nearest door that stands, if none does to the front."""
    return distances(scene.plan, doors(state, scene))


def nobody(places: Places) -> Places:
    """Return nobody anywhere."""
    return tuple(0 * n for n in places)

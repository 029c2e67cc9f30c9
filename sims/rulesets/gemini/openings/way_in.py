"""The building as attackers find it: openings, holes and locked doors, and whom they see behind them."""

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.forces import Models, without
from sims.inputs import Count
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.openings.doorways import through_a_hole
from sims.rulesets.gemini.openings.ports import port_open
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import Scene, Siege, Structure, shown_here

SEVERAL = 2
"""From so many openings on a storm is not one of a single opening, which may be fought with dice (GB-126)."""


def door_width(scene: Scene) -> int:
    """Return how many inches wide a door is."""
    return scene.book.tables.gates.width[scene.scenario.building.door]


def door_open(state: Siege, scene: Scene) -> Bools:
    """Return whether a locked door was forced, or broken down (GB-059)."""
    smashed = (state.damage >= scene.points) if scene.structure == "door" else False
    return (state.forced > 0) | smashed


def openings(state: Siege, scene: Scene) -> Ints:
    """Return the doorways, windows and breaches that stand open; a wide door counts for each inch.

    Bunkers are open only where they are breached (GB-142; GB-126, partly GB-136).
    """
    doors = np.where(door_open(state, scene), door_width(scene), 0) if scene.locked else 0
    torn = breaches(state.cracks) if scene.structure == "armour" else 0
    return np.asarray(open_from_the_start(scene) + doors + torn + 0 * state.damage)


def open_from_the_start(scene: Scene) -> int:
    """Return the windows and the doorways that are not locked; a wide door counts for each inch, a bunker has none."""
    windows = OwnBuilding.of(scene.scenario.building).windows
    return 0 if scene.sealed else windows + scene.open_doors * door_width(scene)


@asks("GB-142", name="breaches of a bunker")
def breaches(structural: Count) -> Ints:
    """Return how many openings structural damage has torn into a bunker: one each time, an inch wide (GB-142).

    Args:
        structural: How often it was rolled.
    """
    return np.asarray(structural)


def holes(state: Siege, scene: Scene) -> Ints:
    """Return how many attackers can come in by holes that damage has made: one for each point, if not bulky.

    By those of a door no more than two to each of its inches. A section of wall without points lies open over its whole
    length. Who has holes to fight at fights in pairs. A storm is one passage, of whatever inches: who fights at a hole
    does not cross its rubble.

    Source: "Mouseholes"; Damage; Damage to Doors; Close Combat and Building Sections (GB-017, GB-059, GB-126).
    """
    tables, rulings = scene.book.tables, scene.book.rulings
    through = through_a_hole(state.damage, scene.scenario.attackers.unit.bulk)
    if scene.structure == "wall":
        return np.where(wall_down(state, scene), tables.storming.abreast * tables.walls.length, through)
    if scene.structure == "door" and rulings.door_holes("any_point"):
        return np.where(door_open(state, scene), 0, np.minimum(through, abreast(scene.book, door_width(scene))))
    return np.zeros_like(state.damage)


def wall_down(state: Siege, scene: Scene) -> Bools:
    """Return whether the section of wall attacked has lost all its points (partly GB-053)."""
    return (state.damage >= scene.points) & collapses(scene.structure)


@asks("GB-059", name="collapse with what has lost its points")
def collapses(part: Structure) -> bool:
    """Return whether a section of wall comes down with what has lost its points: never with a door (GB-059).

    Args:
        part: A door in it, or all of it; armour has hull points in place of these.
    """
    return part == "wall"


def admitted(state: Siege, scene: Scene) -> Ints:
    """Return how many attackers can come in at once: two through each opening, and those through holes (GB-126)."""
    return abreast(scene.book, openings(state, scene)) + holes(state, scene)


def abreast(book: Gemini, doorways: Argument) -> Ints:
    """Return how many attackers can come in at once through doorways and windows (GB-126)."""
    return np.multiply(book.tables.storming.abreast, doorways)


def opened_up(state: Siege, scene: Scene) -> Bools:
    """Return whether attackers of the building itself have done what they set out to do.

    A bunker is breached, a wall is down, a door is gone or has holes for two attackers to each of its inches.
    """
    if scene.structure == "armour":
        return state.cracks > 0
    if scene.structure == "door":
        return door_open(state, scene) | (holes(state, scene) >= abreast(scene.book, door_width(scene)))
    return wall_down(state, scene)


def targets(state: Siege, scene: Scene) -> Ints:
    """Return how many defenders can be fired at: who fired out and lives, or all for shooters at an opening (GB-114).

    Those behind the ports of a bunker only where these stand open (GB-149).
    """
    if scene.in_turn > 1:
        others = np.minimum(state.exposed - shown_here(state, scene), state.defenders.models - state.here)
        return targets_here(state, scene) + others
    models = rooms.crowd(state, scene)
    shown = state.exposed * ports_open(state, scene) if scene.sealed else state.exposed
    return rooms.at_hand(models, shown, at_an_opening(state, scene))


def in_seen_sections(state: Siege, scene: Scene) -> Models:
    """Return those of the garrison among whom shots from outside fall: who is in a section where somebody is seen.

    The sections behind the one attacked count as one here.

    Source: Shooting and Building Sections (GB-114).
    """
    near = rooms.inside(state, scene)
    if scene.in_turn == 1:
        return near
    here = targets_here(state, scene)
    others = ~rooms.is_entered(state, scene) & (targets(state, scene) > here)
    behind = without(state.defenders.standing, near)
    return tuple(
        np.where(others, m, 0) + np.where(others & (here == 0), 0, n) for m, n in zip(behind, near, strict=True)
    )


def targets_here(state: Siege, scene: Scene) -> Ints:
    """Return how many of a garrison in several sections can be fired at in the one attacked: all, from inside too."""
    near = at_an_opening(state, scene) | rooms.is_entered(state, scene)
    return np.where(near, state.here, shown_here(state, scene))


def ports_open(state: Siege, scene: Scene) -> Bools:
    """Return where the ports of a bunker stand open (GB-149)."""
    return (state.ports_open > 0) | scene.book.rulings.shutters("none")


def at_an_opening(state: Siege, scene: Scene) -> Bools:
    """Return where attackers stand within 2 inches of an opening, and see everybody inside (GB-114)."""
    return rooms.sees_all(scene.book, state.distance) & (openings(state, scene) > 0)


def shut(scene: Scene) -> bool:
    """Return whether there is no way in at all until the structure is damaged."""
    building = scene.scenario.building
    return scene.sealed or (OwnBuilding.of(building).windows == 0 and building.doors == 0)


def unshuttered(state: Siege, scene: Scene) -> Ints:
    """Return whether the ports of a bunker are open after this player turn, where that can matter again (GB-149)."""
    opened = port_open(scene.book, state.ports_open | state.fired, state.fired)
    return np.where(past_ports(state, scene), 0, opened)


def shuttered(state: Siege, scene: Scene) -> Bools:
    """Return where it matters at the end of a player turn whether the garrison has fired in it (GB-149)."""
    shut = (state.ports_open == 0) | scene.book.rulings.shutters("last_turn")
    return shut & ~past_ports(state, scene)


def past_ports(state: Siege, scene: Scene) -> Bools:
    """Return where it cannot matter any more whether ports are open.

    There are no shutters, or attackers stand at a breach and never draw off farther than the inch of most readings.
    """
    rulings = scene.book.rulings
    stay = at_an_opening(state, scene) & rulings.losing_attackers("one_inch")
    return stay | rulings.shutters("none") | (not scene.sealed)

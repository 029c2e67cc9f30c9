"""The building as attackers find it: sections, openings, holes and locked doors, and what they set about next."""

import numpy as np

from sims.dice import Bools, Ints
from sims.forces import Models
from sims.games.arap.measuring import melee_radius, within
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, OwnBuilding, OwnUnit
from sims.rulesets.gemini.state import Scene, Siege, standing

ENTER, FORCE, STRIKE, BATTER, SHOOT, SMOKE = range(6)
"""What attackers are about: charge in; force the door; charge and strike the structure; shoot at it; shoot only; burn
and blast out those inside."""


@asks("GB-106", name="building sections")
def sections(book: Gemini, width: int, length: int) -> int:
    """Return into how many building sections a floor is cut (GB-106).

    Parameters
    ----------
    book : Gemini
    width : int
        Inches.
    length : int
        Inches.
    """
    at_most(1000, width=width, length=length)
    table = book.tables.sections
    across, along = -(-width // table.side) or 1, -(-length // table.side) or 1
    ways = ((a, b) for a in range(across, across + width + 1) for b in range(along, along + length + 1))
    return min(a * b for a, b in ways if width * length <= table.area * a * b)


def crowd(state: Siege, scene: Scene) -> Ints:
    """Return the garrison of the section attacked; those beyond its room wait in the next one (partly GB-108)."""
    return np.asarray(np.minimum(state.defenders.models, scene.room))


def inside(state: Siege, scene: Scene) -> Models:
    """Return how many of each group of the garrison are in the section attacked."""
    return scene.scenario.defenders.standing(crowd(state, scene))


def door_width(scene: Scene) -> int:
    """Return how many inches wide a door is."""
    return scene.rules.tables.gates.width[scene.scenario.building.door]


def door_open(state: Siege, scene: Scene) -> Bools:
    """Return whether a locked door was forced, or broken down (GB-059)."""
    smashed = (state.damage >= scene.points) if scene.structure == "door" else False
    return np.asarray((state.forced > 0) | smashed)


def openings(state: Siege, scene: Scene) -> Ints:
    """Return the doorways, windows and breaches that stand open; a wide door counts for each inch.

    Bunkers are open only where they are breached (partly GB-136, GB-142; partly GB-126).
    """
    building, width = scene.scenario.building, door_width(scene)
    always = 0 if scene.sealed else OwnBuilding.of(building).windows + (0 if scene.locked else building.doors * width)
    doors = np.where(door_open(state, scene), width, 0) if scene.locked else 0
    breaches = state.cracks if scene.structure == "armour" else 0
    return np.asarray(always + doors + breaches + 0 * state.damage)


def holes(state: Siege, scene: Scene) -> Ints:
    """Return how many attackers can come in by holes that damage has made: one for each point, if not bulky.

    A section of wall without points lies open over its whole length (partly GB-017, partly GB-059).
    """
    tables, rulings = scene.rules.tables, scene.rules.rulings
    through = state.damage // scene.scenario.attackers.unit.bulk
    if scene.structure == "wall":
        return np.asarray(np.where(wall_down(state, scene), tables.storming.abreast * tables.walls.length, through))
    if scene.structure == "door" and rulings.door_holes("any_point"):
        return np.asarray(np.where(door_open(state, scene), 0, through))
    return np.zeros_like(state.damage)


def wall_down(state: Siege, scene: Scene) -> Bools:
    """Return whether the section of wall attacked has lost all its points (partly GB-053)."""
    return np.asarray((state.damage >= scene.points) & (scene.structure == "wall"))


def admitted(state: Siege, scene: Scene) -> Ints:
    """Return how many attackers can come in at once: two through each opening, and those through holes (GB-126)."""
    return np.asarray(scene.rules.tables.storming.abreast * openings(state, scene) + holes(state, scene))


def opened_up(state: Siege, scene: Scene) -> Bools:
    """Return whether attackers of the building itself have done what they set out to do.

    A bunker is breached, a wall is down, a door is gone.
    """
    if scene.structure == "armour":
        return np.asarray(state.cracks > 0)
    return door_open(state, scene) if scene.structure == "door" else wall_down(state, scene)


def intent(state: Siege, scene: Scene) -> Ints:
    """Return what the attackers set about, by their plan: those who cannot get in yet work on the building."""
    if scene.plan == "shoot":
        return np.full_like(state.damage + state.cracks + state.forced, SHOOT)
    tools = work(state, scene)
    if scene.locked:
        storming = np.where(door_open(state, scene), ENTER, FORCE)
    else:
        storming = np.where(admitted(state, scene) > 0, ENTER, tools)
    if scene.plan == "smoke":
        return np.asarray(np.where(scene.sealed | (openings(state, scene) > 0), SMOKE, storming))
    if scene.plan == "demolish":
        able = (tools != SHOOT) & ~opened_up(state, scene)
        return np.asarray(np.where(able, tools, np.where(opened_up(state, scene), ENTER, storming)))
    return np.asarray(storming)


def work(state: Siege, scene: Scene) -> Ints:
    """Return what the attackers can do to the building with those who are left: strike at it, shoot at it, or nothing.

    They begin with what does more.
    """
    models = standing(state, scene, "attackers")
    shots = sum((models[i] for i in scene.gunners), 0 * state.attackers.models) > 0
    blows = sum((models[i] for i in scene.strikers), 0 * state.attackers.models) > 0
    if scene.by_blows:
        return np.asarray(np.where(blows, STRIKE, np.where(shots, BATTER, SHOOT)))
    return np.asarray(np.where(shots, BATTER, np.where(blows, STRIKE, SHOOT)))


def reach(state: Siege, scene: Scene) -> Ints:
    """Return from how many inches the attackers can do what they are about, with the charge dice counted on."""
    tables, unit = scene.rules.tables, scene.scenario.attackers.unit
    charge = unit.move + int(melee_radius(scene.rules.game, OwnUnit.of(unit).size)) + tables.plans.counted_on
    halt = scene.stand_off if scene.halt is None else scene.halt
    from_here = {ENTER: charge, FORCE: tables.forcing.within, STRIKE: charge, BATTER: halt, SHOOT: scene.stand_off}
    from_here[SMOKE] = scene.smoke_from
    return np.asarray(np.array([from_here[i] for i in range(len(from_here))])[intent(state, scene)])


def targets(state: Siege, scene: Scene) -> Ints:
    """Return how many defenders can be fired at: those who fired out, or all for shooters at an opening (GB-114)."""
    models = crowd(state, scene)
    return np.asarray(np.where(at_an_opening(state, scene), models, np.minimum(state.exposed, models)))


def at_an_opening(state: Siege, scene: Scene) -> Bools:
    """Return where attackers stand within 2 inches of an opening, and see everybody inside (GB-114)."""
    near = within(state.distance, scene.rules.tables.storming.sees_all_within)
    return np.asarray(near & (openings(state, scene) > 0))


def charging(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers are near enough to charge, and have a point for it."""
    about = intent(state, scene)
    wants = (about == ENTER) | (about == STRIKE)
    return np.asarray(wants & (state.attackers.points > 0) & within(state.distance, reach(state, scene)))


def shut(scene: Scene) -> bool:
    """Return whether there is no way in at all until the structure is damaged."""
    building = scene.scenario.building
    return scene.sealed or (OwnBuilding.of(building).windows == 0 and building.doors == 0)

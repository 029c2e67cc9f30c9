"""Building sections: how many there are, and who is in which of them.

A garrison that stands in several sections loses them one after the other, in the order in which attackers come
through. Two numbers say who is where: how many sections the attackers hold, and who of the garrison is in the one under
attack; the others stand evenly in those behind it.
"""

from typing import Annotated

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models, chosen
from sims.games.arap.melee import best_fighters
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import hit
from sims.inputs import Count, Inches, Number, Skill, at_most
from sims.profiles import Building
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.state import Scene, Siege, aim_kept

Bulk = Annotated[Argument, Number("Bulk: 1 for most, 2 for the bulky, 3 for the very bulky.", 1, 3)]
Each = Annotated[Argument, Number("How many of each.", 1, 20)]
Sides = Annotated[Argument, Number("Sides of the building.", 1, 4)]


@asks("GB-106", name="building sections")
def sections(book: Gemini, width: int, length: int) -> int:
    """Return into how many building sections a floor is cut (GB-106).

    Args:
        width: Inches.
        length: Inches.
    """
    at_most(1000, width=width, length=length)
    table = book.tables.sections
    across, along = -(-width // table.side) or 1, -(-length // table.side) or 1
    ways = ((a, b) for a in range(across, across + width + 1) for b in range(along, along + length + 1))
    return min(a * b for a, b in ways if width * length <= table.area * a * b)


def places_to_fire(book: Gemini, inches: int, *, bunker: bool) -> int:
    """Return how many models may fire out of a section: of a bunker, one for each inch of port (GB-111, GB-134)."""
    return inches if bunker else book.tables.sections.fire_out


@asks("GB-108", name="models in a section")
def room_of(book: Gemini, bulk: Bulk = 1, inside: Count = 0) -> Ints:
    """Return how many more models of some bulk a section holds, at least one if it is empty (GB-108).

    Args:
        bulk: Of each model.
        inside: Models of the same bulk that are in it.
    """
    slots = np.asarray(bulk if book.rulings.section_room("bulk") else 1)
    return np.maximum(np.maximum(book.tables.sections.models // slots, 1) - inside, 0)


@asks("GB-108", name="sections for a unit")
def sections_for(book: Gemini, models: Count, bulk: Bulk = 1) -> Ints:
    """Return how many sections a unit fills (GB-108).

    Args:
        bulk: Of each model.
    """
    return -(-np.asarray(models) // room_of(book, bulk))


@asks("GB-111", name="hits out of a section", needs=("ARAP-005",))
def hits_out_of(book: Gemini, models: Count, BS: Skill, shots: Each = 1) -> Draw:
    """Return the hits at people in the open by those who fire out of a section, from hard cover (GB-111).

    Args:
        models: In the section.
        shots: Of each.
    """
    aimed = hit(book.game, BS, modifiers(book.game, Circumstances(from_hard_cover=True)))
    return aimed.times(np.multiply(out_of_a_section(book, models), shots))


@asks("GB-112", name="models that fire out on several sides", needs=("GB-111",))
def fire_on_sides(book: Gemini, models: Count, sides: Sides) -> Ints:
    """Return how many models of a section fire out where enemies are seen on several sides (GB-112).

    Args:
        models: In the section.
        sides: Quadrants in which enemies are seen.
    """
    return np.minimum(models, on_sides(book, sides))


def on_sides(book: Gemini, sides: Argument) -> Ints:
    """Return how many models may fire out of a section of a house towards so many sides of it (GB-112)."""
    several = np.multiply(book.tables.sections.quadrant, sides)
    return np.where(np.asarray(sides) > 1, several, places_to_fire(book, 0, bunker=False))


def out_of_a_section(book: Gemini, models: Argument) -> Ints:
    """Return how many models of a section fire out of it, if it is no bunker (GB-111)."""
    return np.minimum(models, places_to_fire(book, 0, bunker=False))


@asks("GB-114", name="models that can be seen inside")
def seen(book: Gemini, models: Count, fired: Count, distance: Inches) -> Ints:
    """Return how many models of a section can be fired at from outside it (GB-114).

    Args:
        models: In the section.
        fired: Of these, who have fired or looked out.
        distance: Inches from who fires to an open door or window.
    """
    return at_hand(models, fired, sees_all(book, distance))


def sees_all(book: Gemini, inches: Argument) -> Bools:
    """Return whether somebody sees everybody in a section who is so far from an opening of it (GB-114)."""
    return within(inches, book.tables.storming.sees_all_within)


def at_hand(models: Argument, shown: Argument, near: Argument) -> Ints:
    """Return how many can be fired at: all from near, else those who have shown themselves."""
    return np.where(near, models, np.minimum(shown, models))


@asks("GB-111", "GB-134", name="models that fire out")
def shooters(book: Gemini, models: Count, ports: int = 0, slot: int = 0, bunker: bool = True) -> int:
    """Return how many models of a section fire out of it (GB-111, GB-134).

    Args:
        models: Models in the section.
        ports: Firing ports of a bunker.
        slot: Inches of its firing slots.
        bunker: Whether it is one.
    """
    at_most(1000, ports=ports, slot=slot)
    return min(int(models), places_to_fire(book, ports + slot, bunker=bunker))


def floors(book: Gemini, building: Building, on_each: int) -> int:
    """Return how many floors of so many sections a building has: what is said of it, or what its capacity fills.

    A section holds no more than twelve models, so a building that holds more than its ground floor has others above it
    (GB-108).
    """
    filled = -(-building.capacity // (on_each * book.tables.sections.models))
    return building.levels or max(1, filled)


def crowd(state: Siege, scene: Scene) -> Ints:
    """Return the garrison of the section attacked; those beyond its room wait in the next one (GB-108)."""
    return np.minimum(state.defenders.models, scene.room) if scene.in_turn == 1 else state.here


def inside(state: Siege, scene: Scene) -> Models:
    """Return how many of each group of the garrison are in the section attacked."""
    kinds = state.defenders.standing
    leader_first = range(len(kinds))
    behind = scene.in_turn > 1 and scene.book.rulings.specials_stand("behind")
    return chosen(kinds, crowd(state, scene), leader_first[::-1] if behind else leader_first)


def is_entered(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers have taken a section, and storm on from there."""
    return state.held > 0


def sees_others(state: Siege, scene: Scene) -> Bools:
    """Return where the two sides can shoot at each other: inside only through doors that stand open (GB-116)."""
    return ~is_entered(state, scene) | (OwnBuilding.of(scene.scenario.building).inner_doors == "open")


def evenly(models: Argument, sections: Argument) -> Ints:
    """Return how many of some models are in the first of some sections over which they stand evenly."""
    return -(-np.asarray(models) // np.maximum(sections, 1))


def even_out(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison spread over the sections that it has left.

    Source: Movement through Building Sections (partly GB-107): it costs no action, and of three sections and more some
    may cross several, for only those in the section attacked are counted apart.
    """
    return state.replace(here=spread(state, scene))


def spread(state: Siege, scene: Scene) -> Ints:
    """Return how many of the garrison are in the section attacked if they stand evenly in those that it has left."""
    return evenly(state.defenders.models, scene.in_turn - state.held)


def can_spread(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison does not stand evenly, and has a point to do so."""
    return (state.defenders.points > 0) & (state.here != spread(state, scene))


def even_out_by_action(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison spread for an action point.

    As who moves does it corrects no aim, and those who have fired are not seen any more.

    Source: Movement through Building Sections (partly GB-107).
    """
    garrison = state.defenders.replace(points=state.defenders.points - 1)
    spread_out = even_out(dice, state, scene).replace(defenders=garrison, exposed=0 * state.exposed)
    return aim_kept(spread_out, scene, 0)


def deployed(scene: Scene) -> int:
    """Return how many of the garrison begin in the section that is attacked first; 0 if there is no other.

    Those inside are noted by section, and stand nowhere on the table (GB-002).
    """
    models, others = scene.scenario.defenders.models, scene.room * (scene.in_turn - 1)
    if scene.in_turn == 1:
        return 0
    match scene.scenario.deployment:
        case "doors":
            return min(models, scene.room)
        case "top":
            return max(models - others, 0)
        case int(number):
            return max(min(number, models, scene.room), models - others)
    return int(evenly(models, scene.in_turn))


def places(book: Gemini, building: Building, sealed: bool) -> int:
    """Return how many models may fire out of one section of a building: of a house on all its sides (GB-112)."""
    if sealed:
        return places_to_fire(book, building.firing_inches, bunker=True)
    return int(on_sides(book, OwnBuilding.of(building).sides))


def firing_places(state: Siege, scene: Scene) -> Ints:
    """Return how many of the garrison may fire out: so many from each of its sections (GB-111).

    Once attackers are in the building everybody in the section under attack can fire at them.
    """
    each = scene.places
    if scene.in_turn == 1:
        return np.asarray(each)
    sections = np.maximum(scene.in_turn - state.held - 1, 0)
    few, more = np.divmod(state.defenders.models - state.here, np.maximum(sections, 1))
    others = (sections - more) * np.minimum(few, each) + more * np.minimum(few + 1, each)
    return np.where(is_entered(state, scene), state.here, np.minimum(state.here, each) + others)


def in_view(state: Siege, scene: Scene) -> Models:
    """Return who can fire at attackers and be fired at: of several sections all of them, until one is taken."""
    if scene.in_turn == 1:
        return inside(state, scene)
    pairs = zip(inside(state, scene), state.defenders.standing, strict=True)
    return tuple(np.where(is_entered(state, scene), near, everybody) for near, everybody in pairs)


def party(state: Siege, scene: Scene) -> Models:
    """Return the attackers who can act; in the building those who have room next to the enemy (GB-108)."""
    standing = state.attackers.standing
    if scene.in_turn == 1:
        return standing
    room = np.where(is_entered(state, scene), scene.room_to_storm, state.attackers.models)
    return chosen(standing, room, best_fighters(scene.scenario.attackers))

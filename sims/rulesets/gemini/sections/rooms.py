"""Building sections: how many there are, and who of the garrison is in the one attacked."""

import numpy as np

from sims.dice import Ints
from sims.forces import Models, chosen
from sims.inputs import Count, at_most
from sims.profiles import Building
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.state import Scene, Siege


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


@asks("GB-134", name="models that fire out", needs=("GB-111",))
def shooters(book: Gemini, models: Count, ports: int = 0, slot: int = 0, bunker: bool = True) -> int:
    """Return how many models of a section fire out of it (GB-134).

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
    (partly GB-108).
    """
    filled = -(-building.capacity // (on_each * book.tables.sections.models))
    return OwnBuilding.of(building).floors or max(1, filled)


def crowd(state: Siege, scene: Scene) -> Ints:
    """Return the garrison of the section attacked; those beyond its room wait in the next one (partly GB-108)."""
    return np.minimum(state.defenders.models, scene.room)


def inside(state: Siege, scene: Scene) -> Models:
    """Return how many of each group of the garrison are in the section attacked."""
    kinds = state.defenders.standing
    return chosen(kinds, crowd(state, scene), range(len(kinds)))

"""Who holds the building: a claim outlasts the garrison, and ends when the attackers get in (GW-003 to GW-011)."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import Models, total
from sims.games.wh40k import transport
from sims.games.wh40k.moving import move
from sims.games.wh40k.open_fight import DEFENDERS
from sims.inputs import Many
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.setting import place, places_of_each, taken
from sims.rulesets.gw_updated.state import GONE, OUSTED, Scene, Siege
from sims.scenario import Force


def emptied(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison of a building that stands is now dead or in flight."""
    gone = (total(state.defenders) == 0) | (state.failed == DEFENDERS)
    return gone & (state.garrison < GONE) & (state.fall == 0)


def vacant(state: Siege, scene: Scene) -> Bools:
    """Return where nobody is left to hold the building, which stands, empty and still claimed."""
    return state.garrison == GONE


def stand_empty(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Leave the building empty and claimed; the attackers let the walls be, and only the way to a door counts.

    Source: GW-005.
    """
    idle = ("AV", "volley_AV", "hull", "moved", "charging", "occupants_snap", "gap", "charged", "lead", "failed")
    nothing = {name: 0 * getattr(state, name) for name in (*idle, "defenders_hurt")}
    unhurt = tuple(0 * n for n in state.wounded)
    return state.replace(garrison=np.full_like(state.garrison, GONE), wounded=unhurt, **nothing)


def go_in(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move the attackers up to a door of the empty building; if they can embark they capture and claim it.

    Source: GW-057 step 1 (partly GW-057), GW-006 (partly GW-003), base rules (BASE-030, BASE-060).
    """
    game, force = scene.book.game, scene.scenario.attackers
    distance = np.maximum(state.distance - move(game, force.unit), 0)
    building = scene.scenario.building
    gets_in = transport.gets_in(game, places(scene.book, force, state.attackers), building.capacity, distance)
    return state.replace(distance=distance, garrison=np.where(gets_in & (building.doors > 0), OUSTED, GONE))


def places(book: GwUpdated, force: Force, models: Models) -> Ints:
    """Return how many places those take who have to get in together to claim a building (BASE-060)."""
    if book.rulings.claiming_unit("part"):
        return np.asarray(min(places_of_each(book, force)))
    return taken(book, force, models)


@asks("GW-015", name="jump infantry inside")
def jump_infantry_gets_in(book: GwUpdated, models: Many, capacity: Many) -> Bools:
    """Return whether a unit of jump or jet pack infantry finds room inside (GW-015).

    Parameters
    ----------
    models : int
        Of the unit.
    capacity : int
        Of the building.
    """
    return transport.gets_in(book.game, models * place(book, 1, jump=True), capacity)

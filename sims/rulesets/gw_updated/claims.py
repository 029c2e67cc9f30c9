"""Who holds the building: a claim outlasts the garrison, and ends when the attackers get in (GW-003 to GW-011)."""

import numpy as np

from sims.dice import Bools, Dice
from sims.forces import total
from sims.games.wh40k import transport
from sims.games.wh40k.open_fight import DEFENDERS
from sims.games.wh40k.retreat import in_order, pace
from sims.inputs import Many
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.setting import get_in, place
from sims.rulesets.gw_updated.state import GONE, INSIDE, OUSTED, Scene, Siege


def emptied(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison of a building that stands is now dead or in flight."""
    gone = (total(state.defenders) == 0) | (state.failed == DEFENDERS)
    return gone & (state.garrison < GONE) & (state.fall == 0)


def vacant(state: Siege, scene: Scene) -> Bools:
    """Return where nobody is left to hold the building, which stands, empty and still claimed."""
    return state.garrison == GONE


def stand_empty(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Leave the building empty and claimed; attackers who can get in let the walls be.

    Source: GW-005 (partly GW-004, partly GW-009).
    """
    idle = ("occupants_snap", "gap", "charged", "lead", "failed", "defenders_hurt")
    nothing = {name: 0 * getattr(state, name) for name in idle}
    unhurt = tuple(0 * n for n in state.wounded)
    left = spared(state, scene)
    charging = np.where(state.garrison == INSIDE, left.charging, 0)
    return left.replace(garrison=np.full_like(state.garrison, GONE), charging=charging, wounded=unhurt, **nothing)


def spared(state: Siege, scene: Scene) -> Siege:
    """Forget how the walls stand where nobody attacks them any more: the attackers could get in."""
    walls = ("AV", "volley_AV", "hull", "moved", "charging")
    return state.replace(**{name: np.where(get_in(state, scene), 0, getattr(state, name)) for name in walls})


def goes_in(state: Siege, scene: Scene) -> Bools:
    """Return where the building is empty and the attackers can get in, however far they are."""
    return vacant(state, scene) & get_in(state, scene)


def go_in(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move the attackers up to a door of the empty building; if they can embark they capture and claim it.

    From its roof nobody could, for it is claimed already. Those who are falling back, or have regrouped, do not embark.

    Source: GW-057 step 1 (partly GW-057), GW-006 (partly GW-003, partly GW-007), base rules (BASE-030, BASE-060).
    """
    game, force = scene.book.game, scene.scenario.attackers
    distance = np.maximum(state.distance - pace(game, force.unit, state.retreat), 0)
    enters = get_in(state, scene, distance) & in_order(state, scene)
    return state.replace(distance=distance, garrison=np.where(enters, OUSTED, GONE))


@asks("GW-015", name="jump infantry inside")
def jump_infantry_gets_in(book: GwUpdated, models: Many, capacity: Many) -> Bools:
    """Return whether a unit of jump or jet pack infantry finds room inside (GW-015).

    Args:
        models: Of the unit.
        capacity: Of the building.
    """
    return transport.gets_in(book.game, models * place(book, 1, jump=True), capacity)

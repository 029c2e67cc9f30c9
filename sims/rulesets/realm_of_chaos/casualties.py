"""Models that fall: how many by the wounds they suffer, and who."""

import numpy as np

from sims.dice import Dice, Ints
from sims.forces import Models, fall, killed, total
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Side


def suffer(
    dice: Dice, state: Siege, scene: Scene, side: Side, wounds: Ints, among: Models, label: str
) -> tuple[Siege, Ints]:
    """Let some models of a side suffer unsaved wounds, one after the other; return also how many of them fall.

    The caller takes them from where they stand.
    """
    hurt, W = getattr(state, f"{side}_hurt"), getattr(scene.scenario, side).unit.W
    there = total(among)
    dead, carried = killed(hurt, wounds, W)
    fallen = np.minimum(dead, there)
    after = bereft(dice, state, scene, side, fallen, among, label)
    goes_on = (fallen < there) | (there == 0)  # where nobody is, the hurt model is elsewhere
    return after.replace(**{f"{side}_hurt": np.where(goes_on, carried, 0)}), fallen


def bereft(dice: Dice, state: Siege, scene: Scene, side: Side, fallen: Ints, among: Models, label: str) -> Siege:
    """Settle who of some models of a side falls, where that does not follow from how many are left."""
    kinds: Models = getattr(state, f"{side}_kinds")
    if not kinds:
        return state
    who, force, begun = (
        scene.book.game.rulings.who_falls,
        getattr(scene.scenario, side),
        getattr(state, f"{side}_begun"),
    )
    left = fall(dice, who, force, kinds, fallen, label, among, begun=begun)
    return state.replace(**{f"{side}_kinds": left})

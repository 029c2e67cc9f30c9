"""The sally: the garrison comes out by the doors, waits there or charges; attackers may charge it first."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.games.fantasy.movement import reaches, walk
from sims.rulesets.realm_of_chaos.damage.collapse import may_be_put_out
from sims.rulesets.realm_of_chaos.setting import passages, storming
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege, put


def follows(scene: Scene) -> bool:
    """Return whether the garrison leaves the building of its own accord: all follow who come first."""
    return scene.scenario.defence == "sally" or scene.book.rulings.garrison_in_a_fire("comes_out")


def may_be_outside(scene: Scene) -> bool:
    """Return whether defenders may stand in the open."""
    return scene.scenario.may_sally or scene.book.rulings.garrison_in_a_fire("comes_out") or may_be_put_out(scene)


def may_wait_outside(scene: Scene) -> bool:
    """Return whether defenders may stand in the open before they charge."""
    rulings = scene.book.rulings
    waits = scene.scenario.may_sally and rulings.charging_out("next_turn")
    return waits or rulings.garrison_in_a_fire("comes_out") or may_be_put_out(scene)


def leaving(state: Siege, scene: Scene) -> Bools:
    """Return where defenders come out: a charge reaches the attackers, some are out already, or a fire drives them."""
    goes = state.out > 0
    if scene.scenario.defence == "sally":
        goes = goes | may_charge(state, scene)
    if scene.book.rulings.garrison_in_a_fire("comes_out"):
        goes = goes | (state.burning > 0)
    return goes & (state.entered == 0)


def may_charge(state: Siege, scene: Scene) -> Bools:
    """Return where a charge of the garrison reaches the attackers."""
    return reaches(scene.book.game, state.distance, scene.scenario.defenders.unit.move)


def come_out(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let defenders on the ground out by the doors, as many as pass; they move as normal, and charge if they reach.

    Coming out costs no movement. One charge is made: those who come out later join the fight. Those who cannot reach
    the attackers walk towards them. Nobody joins those whom a collapse has put outside if the garrison is to hold.

    Source: Moving Models (RC-012, RC-013).
    """
    before = state.out
    for section, passing in zip(scene.plan.ground, passages(state, scene), strict=True):
        state = let_out(state, scene, section, passing * follows(scene))
    out = state.out
    ready = out if scene.book.rulings.charging_out("at_once") else before
    near = may_charge(state, scene)
    charges = (state.open == 0) & (ready > 0) & near
    walks = (state.open == 0) & (out > 0) & ~near
    walked = walk(state.distance, scene.scenario.defenders.unit.move)
    return state.replace(
        open=np.maximum(state.open, charges),
        charged=charges * np.int8(DEFENDERS),
        distance=np.where(walks, walked, state.distance),
        fired=tuple(np.where(out > 0, 0, n) for n in state.fired),
    )


def let_out(state: Siege, scene: Scene, section: int, most: Ints) -> Siege:
    """Let up to so many defenders out of a section by its door, in the order of their groups; each counts as one."""
    behind, by_party, left = scene.inside(state, "defenders", section), [*scene.counted(state, "defenders")], most
    for nth, groups in scene.in_turn("defenders"):
        coming = np.minimum(sum(behind[i] for i in groups), left)
        by_party[nth], left = put(by_party[nth], section, by_party[nth][section] - coming), left - coming
    return scene.recounted(state, "defenders", by_party).replace(out=state.out + most - left)


def may_be_charged(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who storm have reached defenders who stand outside; not while some of them are inside."""
    near = storming(state, scene) & (state.distance == 0) & (state.entered == 0)
    return near & (state.out > 0) & (state.open == 0)


def charge_those_outside(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers who storm charge the defenders who have come out and not charged yet.

    Source: fantasy game (BASE-056).
    """
    return state.replace(open=np.ones_like(state.open), charged=np.full_like(state.charged, ATTACKERS))

"""Pursuit: a garrison that has won in the open goes after attackers who rout, hacks them down, and halts."""

from functools import partial

import numpy as np

from sims.dice import Bools, Dice
from sims.forces import total
from sims.games.arap.moving.charge import SHORT
from sims.games.arap.moving.measuring import melee_radius, within
from sims.games.arap.nerve import pursuit
from sims.games.arap.unit import PURSUES
from sims.rulesets.gemini.book import OwnUnit
from sims.rulesets.gemini.routs import run, stand
from sims.rulesets.gemini.sections.sally import charged
from sims.rulesets.gemini.state import Scene, Siege, aim_kept, marks, wounded
from sims.rulesets.gemini.turn import leadership_of


def pursuing(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison pursues."""
    return state.defenders.routs == PURSUES


def pursue(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move pursuers after the attackers; if these have rallied and are reached, that is a new charge at them.

    It is fought in this player turn, in which nobody does anything else; chargers take no test for what they have lost.

    Source: Pursuit (ARAP-212, ARAP-213).
    """
    M, before = scene.scenario.defenders.unit.move, state.distance
    after = pursuit.pursue(dice, scene.book.game, M, before)
    reached = in_reach(state.replace(distance=after), scene) & stand(state, scene)
    there = np.where(reached, np.minimum(before, scene.book.game.tables.open_field.contact), after)
    garrison = state.defenders.replace(due=np.where(reached, 0, state.defenders.due))
    moved = state.replace(followed=state.followed + before - there, defenders=garrison)
    kept = aim_kept(moved, scene, there == before)
    return charged(kept, scene, "defenders", pursuit.new_charge(M, before, reached), there)


def hacking(state: Siege, scene: Scene) -> Bools:
    """Return where pursuers have come within melee radius of attackers who run."""
    return pursuing(state, scene) & run(state, scene) & in_reach(state, scene)


def in_reach(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers are within melee radius of the garrison in the open."""
    size = OwnUnit.of(scene.scenario.defenders.unit).size
    return within(state.distance, int(melee_radius(scene.book.game, size)))


def hack(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let all pursuers hack at attackers who run, and do not reply.

    Source: Free Hacks; Pursuit (ARAP-211, ARAP-212).
    """
    game, force, at = scene.book.game, scene.scenario.defenders, marks(state, scene, "attackers")
    counts = pursuit.hacks(game, force, state.defenders.standing)
    wounds = at.by_body(at.suffer(dice, "free hacks", partial(pursuit.free_hacks, game, force, counts)))
    dice.tally("attackers lost to free hacks", total(wounds))
    return wounded(dice, state, scene, "attackers", wounds, "attackers hacked down")


def may_halt(state: Siege, scene: Scene) -> Bools:
    """Return where pursuers have not charged attackers who have rallied, and may halt."""
    return pursuing(state, scene) & (state.charge == SHORT)


def halt(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Test pursuers to halt: who passes is a unit like others at once.

    Source: Halting a Pursuit (ARAP-216).
    """
    Ld, own = leadership_of(state, scene, "defenders"), OwnUnit.of(scene.scenario.defenders.unit)
    halts = pursuit.halting(scene.book.game, Ld, own.hates).passed(dice, "test to halt")
    return state.with_unit("defenders", routs=np.where(halts, 0, state.defenders.routs))

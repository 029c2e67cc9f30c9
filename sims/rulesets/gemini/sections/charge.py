"""A charge at the building, and the garrison's fire at the chargers."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import Models, chosen, longest_range_first
from sims.games.arap import shooting
from sims.games.arap.activation import successes
from sims.games.arap.moving.charge import FAR, FAST, NEAR, REACHED, REACHED_FAST, SHORT, came_off, charge_roll
from sims.questions import asks
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import Gemini, OwnUnit
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import Scene, Side, Siege, wounded, wounds_left


def charge(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge: the move and the charge dice have to reach within the melee radius. One that falls short goes on a bit.

    Those inside who are reached have to fight, and do nothing else.

    Source: Charge Actions; Automatic Activation (ARAP-167; partly ARAP-054, partly ARAP-164, partly ARAP-171).
    """
    how, moved = throw_charge(dice, state, scene, "attackers")
    none, reached = np.zeros_like(state.volleys), how > SHORT
    enters = reached & (setting.intent(state, scene) == setting.ENTER)
    return state.replace(
        charge=how,
        distance=np.where(reached, scene.rules.tables.storming.fall_back, state.distance - moved),
        attackers=state.attackers.replace(points=none),
        volleys=none,
        defenders=state.defenders.replace(points=np.where(enters, 0, state.defenders.points)),
        exposed=np.where(enters, 0, state.exposed),
    )


def throw_charge(dice: Dice, state: Siege, scene: Scene, side: Side) -> tuple[Ints, Ints]:
    """Throw for a charge of a side; return how it came off, and the inches that it goes if it falls short."""
    unit = scene.force(side).unit
    rolled = charge_roll(scene.rules.game, unit.move, state.distance, OwnUnit.of(unit).size).made(dice, "charge")
    return came_off(rolled, unit.move, state.distance), rolled


@asks("GB-132", name="charge by a garrison", needs=("ARAP-062",))
def sally_chance(book: Gemini, M: int, distance: int, size: Literal[1, 2, 3, 4] = 2) -> Fraction:
    """Return the chance that a charge out of a building reaches its target (GB-132).

    Parameters
    ----------
    book : Gemini
    M : int
        Basic move in inches.
    distance : int
        Inches from the edge of the building to the target.
    size : int
        Size of the chargers, which gives their melee radius.
    """
    rolled = charge_roll(book.game, M, distance, size).pmf
    return rolled[REACHED] + rolled[REACHED_FAST]


def can_stand_and_fire(state: Siege, scene: Scene) -> Bools:
    """Return where chargers come from far enough away to be fired at, by a garrison that can (ARAP-185)."""
    able = (state.defenders.pinned == 0) & (state.shaken == 0)
    return np.asarray((state.charge >= FAR) & able & (setting.intent(state, scene) == setting.ENTER))


def stand_and_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison fire at the chargers: two dice against its activation value, then one shot each at BS 1.

    One success is enough for light weapons, two for heavy ones. The wounds count in the first round of the fight.

    Source: Stand and Fire (ARAP-184, ARAP-185; partly GB-111).
    """
    gunners = chosen(rooms.inside(state, scene), setting.fire_out(scene), longest_range_first(scene.scenario.defenders))
    after, wounds = fire_at_chargers(
        dice, state, scene, "defenders", gunners, scene.rules.game.tables.fire.from_hard_cover
    )
    return after.replace(margin=-wounds)


def fire_at_chargers(
    dice: Dice, state: Siege, scene: Scene, side: Side, gunners: Models, modifier: int
) -> tuple[Siege, Ints]:
    """Let some models of a side stand and fire at those who charge it; return also the wounds.

    Source: Stand and Fire (ARAP-186, ARAP-187).
    """
    game, force, charging = scene.rules.game, scene.force(side), scene.enemy(side)
    models = state.unit(charging).models
    thrown = successes(game, force.unit.I, game.tables.fire.stand_and_fire_dice).made(dice, "stand and fire")
    fired = shooting.stand_and_fire(
        game,
        zip(force.groups, gunners, strict=True),
        thrown,
        scene.force(charging).unit,
        state.distance,
        modifier + shooting.small_target(game, models),
        state.charge == FAST,
    )
    wounds = fired.up_to(wounds_left(state, scene, charging, models)).made(dice, "shots at the chargers")
    dice.tally(f"{charging} lost to stand and fire", wounds)
    return wounded(state, scene, charging, wounds).replace(charge=0 * state.charge + NEAR), wounds

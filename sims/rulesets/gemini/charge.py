"""A charge at the building, and the garrison's fire at the chargers."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Capped, Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models, chosen, longest_range_first
from sims.games.arap import melee
from sims.games.arap.activation import activate
from sims.games.arap.measuring import melee_radius
from sims.games.arap.melee import ChargeRoll
from sims.games.arap.shooting import salvoes, volley
from sims.profiles import Weapon
from sims.questions import asks
from sims.rulesets.gemini import way_in
from sims.rulesets.gemini.book import Gemini, OwnUnit
from sims.rulesets.gemini.fire import Shooters, fire_out
from sims.rulesets.gemini.state import Scene, Side, Siege, wounded, wounds_left

SHORT, NEAR, FAR, FAST = range(4)
"""How a charge came off: not at all; from too near to be fired at; from farther; at more than 12 inches."""


def charge(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge: the move and the charge dice have to reach within the melee radius. One that falls short goes on a bit.

    Those inside who are reached have to fight, and do nothing else.

    Source: Charge Actions; Automatic Activation (ARAP-167; partly ARAP-054, partly ARAP-164, partly ARAP-171).
    """
    how, moved = throw_charge(dice, state, scene, "attackers")
    none, reached = np.zeros_like(state.volleys), how > SHORT
    enters = reached & (way_in.intent(state, scene) == way_in.ENTER)
    return state.replace(
        charge=how,
        distance=np.where(reached, scene.rules.tables.storming.fall_back, state.distance - moved),
        attackers=state.attackers.replace(points=none),
        volleys=none,
        defenders=state.defenders.replace(points=np.where(enters, 0, state.defenders.points)),
        exposed=np.where(enters, 0, state.exposed),
    )


def throw_charge(dice: Dice, state: Siege, scene: Scene, side: Side) -> tuple[Ints, Ints]:
    """Throw for a charge of a side; return how it came off, and the inches that it goes if it falls short.

    Source: Charge Actions; Failed Charges (ARAP-062, ARAP-063, ARAP-168, ARAP-172).
    """
    unit, rules = scene.force(side).unit, scene.rules
    beyond = rules.game.tables.fire.fast_beyond - unit.move if rules.game.rulings.fast_charge("rolled") else -1
    wanted = inches_wanted(rules, unit.move, state.distance, OwnUnit.of(unit).size)
    answer = dice.draw("charge", charge_roll(rules, unit.move), wanted, beyond)
    reached = (answer == melee.REACHED) | (answer == melee.REACHED_FAST)
    far = np.where(answer == melee.REACHED_FAST, FAST, FAR)
    return np.where(reached, np.where(state.distance <= unit.move, NEAR, far), SHORT), answer


def charge_roll(rules: Gemini, move: int) -> ChargeRoll:
    """Return the dice of a charge: two, or the best two of three for fast units (ARAP-062)."""
    three = move > rules.game.tables.movement.two_dice_up_to and rules.game.rulings.charge_dice("fast_units")
    table = rules.game.tables.movement
    return ChargeRoll(table.fast_dice if three else table.dice)


def inches_wanted(rules: Gemini, move: int, distance: Argument, size: int) -> Ints:
    """Return what the dice of a charge have to show, beside the move and the melee radius (ARAP-167, ARAP-168)."""
    return np.asarray(np.maximum(distance - int(melee_radius(rules.game, size)) - move, 0))


@asks("GB-132", name="charge by a garrison", needs=("ARAP-062",))
def sally_chance(rules: Gemini, M: int, distance: int, size: Literal[1, 2, 3, 4] = 2) -> Fraction:
    """Return the chance that a charge out of a building reaches its target (GB-132).

    Parameters
    ----------
    rules : Gemini
    M : int
        Basic move in inches.
    distance : int
        Inches from the edge of the building to the target.
    size : int
        Size of the chargers, which gives their melee radius.
    """
    rolled = charge_roll(rules, M).pmf(int(inches_wanted(rules, M, distance, size)), 0)
    return rolled[melee.REACHED] + rolled[melee.REACHED_FAST]


def can_stand_and_fire(state: Siege, scene: Scene) -> Bools:
    """Return where chargers come from far enough away to be fired at, by a garrison that can (ARAP-185)."""
    able = (state.defenders.pinned == 0) & (state.shaken == 0)
    return np.asarray((state.charge >= FAR) & able & (way_in.intent(state, scene) == way_in.ENTER))


def stand_and_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison fire at the chargers: two dice against its activation value, then one shot each at BS 1.

    One success is enough for light weapons, two for heavy ones. The wounds count in the first round of the fight.

    Source: Stand and Fire (ARAP-184, ARAP-185; partly GB-111).
    """
    gunners = chosen(way_in.inside(state, scene), fire_out(scene), longest_range_first(scene.scenario.defenders))
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
    force, charging = scene.force(side), scene.enemy(side)
    target, models = scene.force(charging).unit, state.unit(charging).models
    successes = activate(
        dice,
        "stand and fire",
        scene.rules.game.tables.activation,
        force.unit.I,
        scene.rules.game.tables.fire.stand_and_fire_dice,
    )
    shooters: Shooters = [
        (group, n, standing_shots(scene, group.weapon, successes))
        for group, n in zip(force.groups, gunners, strict=True)
        if group.weapon
    ]
    fast = np.where(state.charge == FAST, scene.rules.game.tables.fire.fast_charge, 0)
    fired = salvoes(
        scene.rules.game,
        shooters,
        target,
        state.distance,
        modifier + fast + scene.rules.game.tables.fire.against(models),
        both=scene.both_saves,
        BS=scene.rules.game.tables.fire.stand_and_fire_BS,
    )
    drawn, arguments = volley(fired)
    most = wounds_left(state, scene, charging, models)
    wounds = dice.draw("shots at the chargers", Capped(drawn), *arguments, most)
    dice.tally(f"{charging} lost to stand and fire", wounds)
    return wounded(state, scene, charging, wounds).replace(charge=0 * state.charge + NEAR), wounds


def standing_shots(scene: Scene, weapon: Weapon, successes: Ints) -> Ints:
    """Return the shots of a weapon whose bearer stands and fires (ARAP-186)."""
    if weapon.kind == "heavy":
        return np.asarray(np.where(successes >= scene.rules.game.tables.fire.heavy_points, weapon.shots, 0))
    action = scene.rules.game.rulings.stand_and_fire("one_action") and weapon.kind != "pistol"
    return np.asarray(np.where(successes > 0, weapon.shots if action else 1, 0))

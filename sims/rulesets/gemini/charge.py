"""A charge at the building, and the garrison's fire at the chargers."""

import numpy as np

from sims.dice import Bools, Capped, Dice, Ints
from sims.forces import chosen, longest_range_first
from sims.games.arap import melee
from sims.games.arap.activation import activate
from sims.games.arap.measuring import melee_radius
from sims.games.arap.melee import ChargeRoll
from sims.games.arap.shooting import salvoes, volley
from sims.profiles import Weapon
from sims.rulesets.gemini import way_in
from sims.rulesets.gemini.fire import Shooters, fire_out
from sims.rulesets.gemini.state import Scene, Siege, wounded, wounds_left

SHORT, NEAR, FAR, FAST = range(4)
"""How a charge came off: not at all; from too near to be fired at; from farther; at more than 12 inches."""


def charge(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge: the move and the charge dice have to reach within the melee radius. One that falls short goes on a bit.

    Those inside who are reached have to fight, and do nothing else.

    Source: Charge Actions; Failed Charges; Automatic Activation (ARAP-062, ARAP-063, ARAP-167, ARAP-168, ARAP-172;
    partly ARAP-054, partly ARAP-164, partly ARAP-171).
    """
    tables, rulings, unit = scene.rules.tables, scene.rules.rulings, scene.scenario.attackers.unit
    three = unit.move > tables.movement.two_dice_up_to and rulings.charge_dice("fast_units")
    beyond = tables.fire.fast_beyond - unit.move if rulings.fast_charge("rolled") else -1
    wanted = np.maximum(state.distance - int(melee_radius(scene.rules.game, unit.size)) - unit.move, 0)
    answer = dice.draw(
        "charge", ChargeRoll(tables.movement.fast_dice if three else tables.movement.dice), wanted, beyond
    )
    reached = (answer == melee.REACHED) | (answer == melee.REACHED_FAST)
    far = np.where(answer == melee.REACHED_FAST, FAST, FAR)
    how = np.where(reached, np.where(state.distance <= unit.move, NEAR, far), SHORT)
    none = np.zeros_like(state.volleys)
    enters = reached & (way_in.intent(state, scene) == way_in.ENTER)
    return state.replace(
        charge=how,
        distance=np.where(reached, tables.storming.fall_back, state.distance - answer),
        attackers_points=none,
        volleys=none,
        defenders_points=np.where(enters, 0, state.defenders_points),
        exposed=np.where(enters, 0, state.exposed),
    )


def can_stand_and_fire(state: Siege, scene: Scene) -> Bools:
    """Return where chargers come from far enough away to be fired at, by a garrison that can (ARAP-185)."""
    able = (state.defenders_pinned == 0) & (state.shaken == 0)
    return np.asarray((state.charge >= FAR) & able & (way_in.intent(state, scene) == way_in.ENTER))


def stand_and_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison fire at the chargers: two dice against its activation value, then one shot each at BS 1.

    One success is enough for light weapons, two for heavy ones. The wounds count in the first round of the fight.

    Source: Stand and Fire (ARAP-184, ARAP-185, ARAP-186, ARAP-187; partly GB-111).
    """
    tables, garrison, target = scene.rules.tables, scene.scenario.defenders, scene.scenario.attackers.unit
    successes = activate(dice, "stand and fire", tables.activation, garrison.unit.I, tables.fire.stand_and_fire_dice)
    gunners = chosen(way_in.inside(state, scene), fire_out(scene), longest_range_first(scene.scenario.defenders))
    shooters: Shooters = [
        (group, n, standing_shots(scene, group.weapon, successes))
        for group, n in zip(garrison.groups, gunners, strict=True)
        if group.weapon
    ]
    modifier = tables.fire.from_hard_cover + np.where(state.charge == FAST, tables.fire.fast_charge, 0)
    fired = salvoes(
        scene.rules.game,
        shooters,
        target,
        state.distance,
        modifier + tables.fire.against(state.attackers),
        both=scene.both_saves,
        BS=tables.fire.stand_and_fire_BS,
    )
    drawn, arguments = volley(fired)
    most = wounds_left(state, scene, "attackers", state.attackers)
    wounds = dice.draw("shots at the chargers", Capped(drawn), *arguments, most)
    dice.tally("attackers lost to stand and fire", wounds)
    return wounded(state, scene, "attackers", wounds).replace(margin=-wounds, charge=0 * state.charge + NEAR)


def standing_shots(scene: Scene, weapon: Weapon, successes: Ints) -> Ints:
    """Return the shots of a weapon whose bearer stands and fires (ARAP-186)."""
    if weapon.kind == "heavy":
        return np.asarray(np.where(successes >= scene.rules.tables.fire.heavy_points, weapon.shots, 0))
    action = scene.rules.rulings.stand_and_fire("one_action") and weapon.kind != "pistol"
    return np.asarray(np.where(successes > 0, weapon.shots if action else 1, 0))

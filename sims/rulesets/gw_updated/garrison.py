"""The defenders' turn (GW-057): those inside shoot from fire points, emplaced weapons fire by themselves."""

import numpy as np

from sims.dice import Capped, Dice, Ints, Mechanic, Total
from sims.dice.source import Argument
from sims.forces import chosen, longest_range_first, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.profiles import Unit, Weapon
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.state import Scene, Siege


def shoot(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Fire at the attackers in the open: one model at each fire point, and every emplaced weapon by itself.

    After a Tremor those inside fire Snap Shots; emplaced weapons do after any result that jams them.

    Source: GW-057 step 5 (partly GW-057), GW-034, GW-037 (partly GW-010, partly GW-053), 40k (BASE-004, BASE-029;
    partly BASE-024).
    """
    scenario, game = scene.scenario, scene.rules.game
    garrison, target = scenario.defenders, scenario.attackers.unit
    points = scenario.building.firing_points * (2 if game.rulings.firing_point_models("two") else 1)
    shooters = chosen(state.defenders, points, longest_range_first(garrison))
    BS = fire_limit(state.occupants_snap, scene.rules)
    parts, arguments = wh40k.shooting(game, garrison, shooters, target, state.distance, BS=BS)
    for (weapon, _), n in zip(scene.weapons, state.weapons, strict=True):
        S = weapon.strength(garrison.unit)
        part, own = emplaced(weapon, n, state.distance, state.weapons_snap, S, target, scene.rules)
        parts.append(part)
        arguments += own
    most = wounds_left(state.attackers, state.attackers_hurt, target.W)
    wounds = dice.draw("fire from the building", Capped(Total(tuple(parts))), *arguments, most)
    dice.tally("attackers lost to shooting", wounds)
    attackers, hurt = wound(state.attackers, state.attackers_hurt, wounds, target.W)
    return state.replace(
        attackers=attackers,
        attackers_hurt=hurt,
        occupants_snap=0 * state.occupants_snap,
        weapons_snap=0 * state.weapons_snap,
        moved=0 * state.moved,
        volley_AV=0 * state.volley_AV,
    )


def fire_limit(snap_shots: Ints, rules: GwUpdated) -> Ints:
    """Return the best Ballistic Skill that those inside may use: 1 for Snap Shots (BASE-004)."""
    return np.where(snap_shots > 0, rules.game.tables.snap_shots.BS, 10)


def emplaced(
    weapon: Weapon, n: Ints, distance: Ints, snap_shots: Ints, S: int, target: Unit, rules: GwUpdated
) -> tuple[Mechanic, list[Argument]]:
    """Return the volley of emplaced weapons of one kind that fire by themselves, and its arguments.

    Source: GW-037 (partly GW-010), 40k 6th edition (BASE-004; partly BASE-024).
    """
    game, tables = rules.game, rules.game.tables
    return wh40k.TWIN_LINKED if weapon.twin_linked else wh40k.SHOOTING, [
        n * wh40k.shots(game, weapon, distance),
        np.where(snap_shots > 0, tables.snap_shots.BS, tables.automated_fire.BS),
        wh40k.need_to_wound(game, S, target.T),
        wh40k.save_against(target, weapon.AP),
    ]

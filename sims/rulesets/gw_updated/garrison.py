"""The defenders' turn (GW-057): those inside shoot from fire points, emplaced weapons fire by themselves."""

import numpy as np

from sims.dice import D3, Capped, Dice, Ints, Mechanic, Total, Volley
from sims.dice.source import Argument
from sims.forces import Models, chosen, longest_range_first, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.profiles import Unit, Weapon
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.state import Scene, Siege
from sims.scenario import Force

TEMPLATES = Volley((wh40k.TO_WOUND, wh40k.SAVE.failed), hits=D3)
"""D3 hits of each template on models in the open, also as Overwatch (BASE-008)."""


def shoot(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Fire at the attackers in the open: one model at each fire point, and every emplaced weapon by itself.

    After a Tremor those inside fire Snap Shots; emplaced weapons do after any result that jams them. Templates count
    D3 hits.

    Source: GW-057 step 5 (partly GW-057), GW-034, GW-037, GW-053 (partly GW-010), 40k (BASE-004, BASE-029;
    partly BASE-024).
    """
    scenario, game = scene.scenario, scene.rules.game
    garrison, target = scenario.defenders, scenario.attackers.unit
    points = scenario.building.firing_points * (2 if game.rulings.firing_point_models("two") else 1)
    shooters = chosen(state.defenders, points, longest_range_first(garrison))
    parts, arguments = garrison_fire(state, scene, shooters, state.distance)
    mounted, own = mounted_fire(state, scene)
    most = wounds_left(state.attackers, state.attackers_hurt, target.W)
    wounds = dice.draw("fire from the building", Capped(Total(tuple(parts + mounted))), *arguments, *own, most)
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


def volley(
    rules: GwUpdated, force: Force, shooters: Models, target: Unit, distance: Ints, BS: Argument = 10
) -> tuple[list[Mechanic], list[Argument]]:
    """Return what some models fire at others in the open: single shots, and D3 hits of each template.

    Source: 40k (BASE-002, BASE-004, BASE-011, BASE-013; partly BASE-007, partly BASE-008).
    """
    parts, arguments = wh40k.shooting(rules.game, force, shooters, target, distance, BS=BS)
    for group, n in zip(force.groups, shooters, strict=True):
        weapon = group.weapon
        if weapon is not None and weapon.kind == "template":
            parts.append(TEMPLATES.by(group.title))
            wounding = wh40k.need_to_wound(rules.game, weapon.strength(group.profile), target.T)
            arguments += [
                n * wh40k.shots(rules.game, weapon, distance),
                wounding,
                wh40k.save_against(target, weapon.AP),
            ]
    return parts, arguments


def kinds(force: Force) -> list[str]:
    """Return the kind of weapon of each group."""
    return [group.weapon.kind if group.weapon else "" for group in force.groups]


def garrison_fire(
    state: Siege, scene: Scene, shooters: Models, distance: Ints
) -> tuple[list[Mechanic], list[Argument]]:
    """Return what some of the garrison fire: after a Tremor Snap Shots, and no templates (GW-034, BASE-004)."""
    garrison, target = scene.scenario.defenders, scene.scenario.attackers.unit
    aimed = state.occupants_snap == 0
    firing = tuple(n * (aimed | (kind != "template")) for n, kind in zip(shooters, kinds(garrison), strict=True))
    return volley(scene.rules, garrison, firing, target, distance, fire_limit(state.occupants_snap, scene.rules))


def mounted_fire(state: Siege, scene: Scene) -> tuple[list[Mechanic], list[Argument]]:
    """Return what the emplaced weapons of a claimed building fire by themselves, somebody inside or not.

    Source: GW-037 (partly GW-005, partly GW-010).
    """
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    garrison, target = scene.scenario.defenders.unit, scene.scenario.attackers.unit
    for (weapon, _), n in zip(scene.weapons, state.weapons, strict=True):
        S = weapon.strength(garrison)
        part, own = emplaced(weapon, n, state.distance, state.weapons_snap, S, target, scene.rules)
        parts.append(part.by(weapon.title))
        arguments += own
    return parts, arguments


def fire_limit(snap_shots: Ints, rules: GwUpdated) -> Ints:
    """Return the best Ballistic Skill that those inside may use: 1 for Snap Shots (BASE-004)."""
    return np.where(snap_shots > 0, rules.game.tables.snap_shots.BS, 10)


def emplaced(
    weapon: Weapon, n: Ints, distance: Ints, snap_shots: Ints, S: int, target: Unit, rules: GwUpdated
) -> tuple[Volley, list[Argument]]:
    """Return the volley of emplaced weapons of one kind that fire by themselves, and its arguments.

    Source: GW-037 (partly GW-010), 40k 6th edition (BASE-004; partly BASE-024).
    """
    tables = rules.game.tables
    return wh40k.TWIN_LINKED if weapon.twin_linked else wh40k.SHOOTING, [
        n * wh40k.shots(rules.game, weapon, distance),
        np.where(snap_shots > 0, tables.snap_shots.BS, tables.automated_fire.BS),
        wh40k.need_to_wound(rules.game, S, target.T),
        wh40k.save_against(target, weapon.AP),
    ]

"""The defenders' turn (GW-057): those inside shoot from fire points, emplaced weapons fire by themselves."""

import numpy as np

from sims.dice import D3, Dice, Draw, Ints, together
from sims.dice.source import Argument
from sims.forces import Models, chosen, longest_range_first, total, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k import transport
from sims.profiles import Unit
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.state import Scene, Siege
from sims.scenario import Force


def shoot(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Fire at the attackers in the open: one model at each fire point, and every emplaced weapon by itself.

    After a Tremor those inside fire Snap Shots; emplaced weapons do after any result that jams them. Templates count
    D3 hits.

    Source: GW-057 step 5 (partly GW-057), GW-034, GW-037, GW-053 (partly GW-010), 40k (BASE-004, BASE-029;
    partly BASE-024).
    """
    scenario, game = scene.scenario, scene.rules.game
    garrison, target = scenario.defenders, scenario.attackers.unit
    points = transport.shooters(game, total(state.defenders), scenario.building.firing_points)
    shooters = chosen(state.defenders, points, longest_range_first(garrison))
    draws = [*garrison_fire(state, scene, shooters, state.distance), *mounted_fire(state, scene)]
    most = wounds_left(state.attackers, state.attackers_hurt, target.W)
    wounds = together(draws).up_to(most).made(dice, "fire from the building")
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
) -> list[Draw]:
    """Return what some models fire at others in the open: single shots, and D3 hits of each template (BASE-008).

    Source: 40k (BASE-002, BASE-004, BASE-011, BASE-013; partly BASE-007, partly BASE-008).
    """
    game, at = rules.game, wh40k.Target.of(target)
    draws = wh40k.shooting(game, force, shooters, at, distance, BS=BS)
    for group, n in zip(force.groups, shooters, strict=True):
        weapon = group.weapon
        if weapon is not None and weapon.kind == "template":
            hurt = wh40k.hurt(game, wh40k.Hit.of(weapon, group.profile), at).hitting(D3)
            draws.append(hurt.times(n * wh40k.shots(game, weapon, distance)).by(group.title))
    return draws


def kinds(force: Force) -> list[str]:
    """Return the kind of weapon of each group."""
    return [group.weapon.kind if group.weapon else "" for group in force.groups]


def garrison_fire(state: Siege, scene: Scene, shooters: Models, distance: Ints) -> list[Draw]:
    """Return what some of the garrison fire: after a Tremor Snap Shots, and no templates (GW-034, BASE-004)."""
    garrison, target = scene.scenario.defenders, scene.scenario.attackers.unit
    aimed = state.occupants_snap == 0
    firing = tuple(n * (aimed | (kind != "template")) for n, kind in zip(shooters, kinds(garrison), strict=True))
    return volley(scene.rules, garrison, firing, target, distance, fire_limit(state.occupants_snap, scene.rules))


def mounted_fire(state: Siege, scene: Scene) -> list[Draw]:
    """Return what the emplaced weapons of a claimed building fire by themselves, somebody inside or not.

    Source: GW-037 (partly GW-005, partly GW-010).
    """
    garrison, at = scene.scenario.defenders.unit, wh40k.Target.of(scene.scenario.attackers.unit)
    return [
        emplaced(
            scene.rules,
            wh40k.Hit.of(weapon, garrison),
            at,
            twin_linked=weapon.twin_linked,
            snap_shots=state.weapons_snap,
        )
        .times(n * wh40k.shots(scene.rules.game, weapon, state.distance))
        .by(weapon.title)
        for (weapon, _), n in zip(scene.weapons, state.weapons, strict=True)
    ]


def fire_limit(snap_shots: Ints, rules: GwUpdated) -> Ints:
    """Return the best Ballistic Skill that those inside may use: 1 for Snap Shots (BASE-004)."""
    return np.where(snap_shots > 0, rules.game.tables.snap_shots.BS, 10)


def emplaced(rules: GwUpdated, by: wh40k.Hit, at: wh40k.Target, *, twin_linked: bool, snap_shots: Argument) -> Draw:
    """Return a shot of an emplaced weapon that fires by itself.

    Source: GW-037 (partly GW-010), 40k 6th edition (BASE-004; partly BASE-024).
    """
    tables = rules.game.tables
    BS = np.where(snap_shots, tables.snap_shots.BS, tables.automated_fire.BS)
    return wh40k.shot(BS, twin_linked).then(wh40k.hurt(rules.game, by, at))

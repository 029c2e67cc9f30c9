"""What happens around a storming: the approach, fire from the building, and attacks on the structure itself."""

import numpy as np

from sims.dice import D3, D6, GOAL, Bools, Capped, Dice, Ints, Total, Volley, roll
from sims.dice.source import Argument
from sims.forces import chosen, total, without, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k import structures
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Weapon


def advance(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Move the attackers towards the building, to where they mean to halt.

    Source: 40k 5th edition, movement (partly BASE-033).
    """
    edition = scene.rules.game.tables.fifth
    jump = scene.scenario.attackers.unit.kind == "jump infantry"
    reached = state.distance - (edition.jump_move if jump else edition.move)
    distance = np.minimum(state.distance, np.maximum(reached, scene.halt))
    return state.replace(distance=distance, moved=distance < state.distance)


def within_charge(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers can charge the building: a fixed 6 inches (BASE-033)."""
    return np.asarray(state.distance <= scene.rules.game.tables.fifth.charge)


def roll_armour(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Roll the Armour Value, once; the garrison has occupied the building before the game.

    Source: Storming Buildings (ST-013, ST-014, ST-015; partly ST-003).
    """
    return state.replace(armour=scene.building_class.armour + roll(dice, "Armour Value", D3))


def garrison_fires(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the garrison fire from firing points and mounted weapons at the attackers in the open.

    Source: Storming Buildings (ST-017, ST-018; partly ST-008, partly ST-009, partly ST-016), 40k (partly BASE-029).
    """
    scenario, rulings = scene.scenario, scene.rules.rulings
    garrison, target = scenario.defenders, scenario.attackers.unit
    crews = np.minimum(state.mounted, total(state.defenders))
    points = scenario.building.firing_points * (2 if scene.rules.game.rulings.firing_point_models("two") else 1)
    left = np.maximum(points - crews, 0) if rulings.mounted_weapons("uses_firing_point") else points
    gunners = chosen(state.defenders, left, longest_range_first(scene))
    parts, arguments = wh40k.shooting(garrison, gunners, target, state.distance)
    crews = np.minimum(crews, total(without(state.defenders, gunners)))
    for i, weapon in enumerate(scenario.mounted):
        parts.append(wh40k.SHOOTING)
        arguments += _one_mounted(weapon, crews > i, state.distance, scene)
    most = wounds_left(state.attackers, state.attackers_hurt, target.W)
    wounds = dice.draw("fire from the building", Capped(Total(tuple(parts))), *arguments, most)
    dice.tally("attackers lost to shooting", wounds)
    attackers, hurt = wound(state.attackers, state.attackers_hurt, wounds, target.W)
    return state.replace(attackers=attackers, attackers_hurt=hurt)


def _one_mounted(weapon: Weapon, crewed: Bools, distance: Ints, scene: Scene) -> list[Argument]:
    crew, target = scene.scenario.defenders.unit, scene.scenario.attackers.unit
    n = np.where(crewed, wh40k.shots(weapon, distance), 0)
    return [n, crew.BS, wh40k.need_to_wound(weapon.strength(crew), target.T), wh40k.save_against(target, weapon.AP)]


def longest_range_first(scene: Scene) -> list[int]:
    """Return the order in which the garrison's groups take the firing points."""
    ranges = [group.weapon.range if group.weapon else 0 for group in scene.scenario.defenders.groups]
    return sorted(range(len(ranges)), key=lambda i: -ranges[i])


def recover(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """End the garrison's turn: being shaken lasts for one turn (partly BASE-017)."""
    return state.replace(shaken=np.zeros_like(state.shaken))


def aim(dice: Dice, state: Storm, scene: Scene, group: int) -> Storm:
    """Count the shots of one group of attackers at the structure; heavy weapons may not move and fire.

    Source: Storming Buildings (ST-001; partly ST-022).
    """
    weapon = scene.scenario.attackers.groups[group].weapon
    assert weapon is not None
    may = (state.moved == 0) | (weapon.kind != "heavy")
    return state.replace(shots=np.where(may, state.attackers[group] * wh40k.shots(weapon, state.distance), 0))


def shot_at_structure(dice: Dice, state: Storm, scene: Scene, group: int) -> Storm:
    """Fire one of the shots: hit, then D6 plus Strength against the Armour Value.

    Source: Storming Buildings (partly ST-022), 40k 5th edition (partly BASE-016).
    """
    shooter = scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    assert weapon is not None
    hit = structures.hits(dice, shooter.profile.BS, state.shots > 0)
    added = structures.dice_to_penetrate(weapon, state.distance)
    result = structures.penetrate(dice, weapon.strength(shooter.profile), state.armour, added, hit)
    return state.replace(hit=result, shots=np.maximum(state.shots - 1, 0))


def ready_grenades(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Count the krak grenades at the walls: one attack for each model that has them (partly BASE-019)."""
    groups = scene.scenario.attackers.groups
    carried = (n for n, g in zip(state.attackers, groups, strict=True) if "krak" in g.profile.grenades)
    return state.replace(shots=np.asarray(sum(carried)) + 0 * state.shots, distance=0 * state.distance)


def grenade_at_structure(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Strike the structure with one grenade, which hits without a roll.

    Source: Storming Buildings (partly ST-022), 40k 5th edition (partly BASE-019).
    """
    S = scene.rules.game.tables.krak_grenade.S
    result = structures.penetrate(dice, S, state.armour, 1, state.shots > 0)
    return state.replace(hit=result, shots=np.maximum(state.shots - 1, 0))


ONE_HIT_EACH = Volley((GOAL, GOAL.failed))
"""Hits that wound and are not saved. Arguments: hits, need to wound, save."""


def damage(dice: Dice, state: Storm, scene: Scene, AP: int | None) -> Storm:
    """Roll on the vehicle damage table for a glancing or penetrating hit.

    Source: Storming Buildings (partly ST-022), 40k 5th edition (partly BASE-017, partly BASE-018).
    """
    table, target = scene.rules.game.tables.vehicle_damage, scene.scenario.defenders.unit
    result = structures.damage_total(roll(dice, "vehicle damage", D6), state.hit, AP, table)
    explodes = np.isin(result, table.explodes)
    wounding = wh40k.need_to_wound(table.explosion_S, target.T)
    most = wounds_left(state.defenders, state.defenders_hurt, target.W)
    occupants = np.where(explodes, total(state.defenders), 0)
    wounds = dice.draw("explosion", Capped(ONE_HIT_EACH), occupants, wounding, wh40k.save_against(target, None), most)
    dice.tally("defenders lost to the explosion", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, target.W)
    return state.replace(
        defenders=defenders,
        defenders_hurt=hurt,
        shaken=np.maximum(state.shaken, np.isin(result, table.shaken + table.stunned)),
        mounted=np.maximum(state.mounted - np.isin(result, table.weapon_destroyed), 0),
        destroyed=np.isin(result, table.wrecked + table.explodes),
        hit=np.zeros_like(state.hit),
    )

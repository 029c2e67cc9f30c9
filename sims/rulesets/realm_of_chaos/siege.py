"""Shots, flames and blows at the walls."""

from fractions import Fraction

import numpy as np

from sims.dice import GOAL, HIGH, Dice, Ints, Mechanic, Total, Volley
from sims.dice.source import Argument
from sims.games.fantasy import rules as fantasy
from sims.profiles import Weapon
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import FabricName, RealmOfChaos
from sims.rulesets.realm_of_chaos.building import (
    DAMAGE,
    added,
    damage_to_fabric,
    flames_gain,
    most_damage,
    need_to_damage,
    strength_of_blows,
)
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Group

AIMED_AT_FABRIC = Volley((HIGH, GOAL))
"""Shots at a wall that hit and do a point of damage. Arguments: shots, need to hit, need to damage."""


def strength_of_shots(scene: Scene, group: Group) -> int:
    """Return the Strength of a group's shots at the walls."""
    assert group.weapon is not None
    return group.weapon.strength(group.profile) + flames_gain(scene.rules, group.weapon, scene.burns)


def strength_at_walls(scene: Scene, group: Group) -> int:
    """Return the Strength of a group's blows at the walls from outside."""
    return strength_of_blows(group) + flames_gain(scene.rules, group.melee, scene.burns)


def hits_by_itself(rules: RealmOfChaos, weapon: Weapon) -> bool:
    """Return whether a weapon hits the building without a roll: by rulings, a flame template, or any."""
    template = weapon.kind == "template" and rules.rulings.flame_templates("by_themselves")
    return template or rules.rulings.hitting_the_fabric("automatic")


def shoot_at_fabric(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let those attackers outside whose weapons can hurt the walls shoot at the garrison's section.

    Source: Shooting at Buildings (RC-038, RC-039, RC-041; partly RC-036), Damaging Buildings (RC-047).
    """
    mechanic, arguments = shots_at_walls(state, scene, scene.shooters)
    return damaged(state, scene, dice.draw("shots at the walls", mechanic, *arguments))


def flames_at_fabric(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let fire weapons that can hurt the walls burn the garrison's section from outside.

    Source: Shooting at Buildings (RC-038, RC-039, RC-041; partly RC-042), Buildings and Fire (RC-072, RC-076).
    """
    mechanic, arguments = shots_at_walls(state, scene, scene.burners)
    points = dice.draw("flames at the walls", mechanic, *arguments)
    return scorched(damaged(state, scene, points), scene, points)


def shots_at_walls(state: Siege, scene: Scene, who: tuple[int, ...]) -> tuple[Total, list[Argument]]:
    """Return the points of damage that some groups' shots do to the walls, as a mechanic with its arguments."""
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    models = scene.outside(state)
    for i in who:
        group = scene.scenario.attackers.groups[i]
        weapon = group.weapon
        assert weapon is not None
        shots = models[i] * fantasy.shots(weapon, state.distance, weapon.range, state.moved)
        need = need_to_damage(scene.rules, scene.fabric, strength_of_shots(scene, group))
        if hits_by_itself(scene.rules, weapon):
            parts.append(DAMAGE.by(group.title))
            arguments += [shots, need]
        else:
            aim = need_to_hit_fabric(scene.rules, group.profile.BS, state.distance, weapon.range, state.moved)
            parts.append(AIMED_AT_FABRIC.by(group.title))
            arguments += [shots, aim, need]
    return Total(tuple(parts)), arguments


def need_to_hit_fabric(rules: RealmOfChaos, BS: int, distance: Argument, reach: int, moved: Argument) -> Ints:
    """Return the need of a shot at the building itself: a large target without cover (RC-038)."""
    table = rules.game.tables.shot_modifiers
    aim = table.large_target + fantasy.range_modifier(rules.game, distance, reach) + np.asarray(moved) * table.moved
    return fantasy.need_to_shoot(rules.game, BS, aim)


@asks("RC-038", name="shot at the fabric")
def chance_of_damage_by_a_shot(rules: RealmOfChaos, S: int, material: FabricName, BS: int = 3) -> Fraction:
    """Return the chance that a shot at the building itself, at short range, does a point of damage (RC-038).

    Parameters
    ----------
    rules : RealmOfChaos
    S : int
        Strength of the weapon.
    material : str
        Class of the walls.
    BS : int
        Ballistic Skill.
    """
    damage = damage_to_fabric(rules, material, S).at_least(1)
    if rules.rulings.hitting_the_fabric("automatic"):
        return damage
    return HIGH.chance(int(need_to_hit_fabric(rules, BS, 0, 0, 0))) * damage


def strike_fabric(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers at the walls strike them in close combat, in either side's turn: every blow hits.

    Source: Close Combat Against Buildings (RC-044; partly RC-045), Damaging Buildings (RC-047), Buildings and Fire
    (RC-072, RC-076).
    """
    flaming, plain = ([i for i in scene.strikers if is_flaming(scene, i) == f] for f in (True, False))
    if plain:
        mechanic, arguments = blows_at_walls(state, scene, plain)
        state = damaged(state, scene, dice.draw("blows at the walls", mechanic, *arguments))
    if flaming:
        mechanic, arguments = blows_at_walls(state, scene, flaming)
        points = dice.draw("flaming blows at the walls", mechanic, *arguments)
        state = scorched(damaged(state, scene, points), scene, points)
    return state


def is_flaming(scene: Scene, i: int) -> bool:
    """Return whether the blows of a group burn these walls."""
    return flames_gain(scene.rules, scene.scenario.attackers.groups[i].melee, scene.burns) > 0


def blows_at_walls(state: Siege, scene: Scene, who: list[int]) -> tuple[Total, list[Argument]]:
    """Return the points of damage that some groups' blows do to the walls, as a mechanic with its arguments."""
    models, groups = scene.outside(state), scene.scenario.attackers.groups
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for i in who:
        need = need_to_damage(scene.rules, scene.fabric, strength_at_walls(scene, groups[i]))
        parts.append(DAMAGE.by(groups[i].title))
        arguments += [models[i] * groups[i].profile.A, need]
    return Total(tuple(parts)), arguments


def damaged(state: Siege, scene: Scene, points: Ints) -> Siege:
    """Add points of damage; new damage is tested for anew."""
    return state.replace(
        damage=added(state.damage, points, most_damage(scene.rules)), tested=np.where(points > 0, 0, state.tested)
    )


def scorched(state: Siege, scene: Scene, points: Ints) -> Siege:
    """Note the damage that flames did this turn; what burns already is not lit again (RC-072, RC-076)."""
    total = np.where(state.burning > 0, 0, state.scorched + points)
    once = scene.rules.rulings.fire_check("one_roll")
    return state.replace(scorched=np.minimum(total, 6) if once else total)

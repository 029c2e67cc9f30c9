"""Walls and doors under attack: damage points by shots and blows, and a section of wall that comes down."""

from collections.abc import Sequence

import numpy as np

from sims.dice import Body, Dice, Draw, InOrder, Ints, together, wounds_by_body
from sims.forces import chosen, total
from sims.games.arap.allocation import Attack, damage_of, in_sight, struck_each
from sims.games.arap.melee import best_fighters, weapon_skill
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.hits import hit, to_hit
from sims.games.arap.rolls.wounds import Saves, hurt, wound, wound_goal
from sims.games.arap.shooting import goal_of_shot, shots_of, wounds_of_shot
from sims.profiles import Unit
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import OwnBuilding
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import Scene, Siege, wounded
from sims.scenario import Side


def batter(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Shoot at the door or wall with every weapon that can hurt it: each hit that beats its Toughness does its Damage.

    From less than 2 inches every shot hits; there is no save.

    Source: Smoke and Lasers; Damage; Breaking Down Doors and Walls; Building Composition and Damaging (ARAP-113,
    ARAP-119, GB-052, GB-053, GB-060; partly GB-048, partly GB-049, partly GB-068).
    """
    game, attacks = scene.book.game, list[Attack]()
    close = state.distance < scene.book.tables.walls.hit_within
    models, smoke = state.attackers.standing, setting.approach(state, scene).smoke
    for i in scene.gunners:
        group = scene.scenario.attackers.groups[i]
        weapon = group.weapon
        assert weapon is not None
        fired = models[i] * shots_of(game, group, state.distance, state.volleys, smoke)
        goal = goal_of_shot(game, weapon, group.profile, scene.resists, state.distance, smoke)
        for hurts, where in wounds_of_shot(game, weapon, goal, state.distance):
            aimed = hit(game, group.profile.BS, setting.from_cover(state, scene)).then(hurts)
            for shot, of in ((aimed, ~close), (hurts, close)):
                attacks.append(Attack(shot.times(fired * where * of).by(group.title), damage_of(weapon)))
    return damaged(dice, state, scene, attacks)


def hew(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Strike at the door or wall: as many models as have room, the hardest blows first; there is no charge bonus.

    Source: Damage; Breaking Down Doors and Walls (ARAP-119, GB-052, GB-053, GB-060; partly GB-048).
    """
    table, game, force = scene.book.tables, scene.book.game, scene.scenario.attackers
    wide = way_in.door_width(scene) if scene.structure == "door" else table.walls.length
    striking = chosen(state.attackers.standing, table.storming.abreast * wide, best_fighters(force))
    automatic, attacks = scene.book.rulings.blows_at_walls("automatic"), list[Attack]()
    for i in scene.strikers:
        group = force.groups[i]
        S = group.melee.strength(group.profile) if group.melee else group.profile.S
        hurts = wound(game, S, scene.resists)
        blow = hurts if automatic else to_hit(game, "melee", WS=weapon_skill(game, group)).then(hurts)
        attacks.append(Attack(blow.times(striking[i] * group.profile.A).by(group.title), damage_of(group.melee)))
    return damaged(dice, state, scene, attacks)


def damaged(dice: Dice, state: Siege, scene: Scene, attacks: Sequence[Attack]) -> Siege:
    """Do damage points, and note whether a section of wall comes down."""
    points = damage_points(dice, attacks, scene.points - state.damage)
    after = state.replace(damage=state.damage + points)
    falls = way_in.wall_down(after, scene) & (points > 0)
    return after.replace(falling=falls.astype(int), volleys=np.zeros_like(state.volleys))


def damage_points(dice: Dice, attacks: Sequence[Attack], left: Ints) -> Ints:
    """Return the damage points of attacks, each its Damage, no more than there are left (ARAP-119)."""
    draws, damages = [attack.wounds for attack in attacks], [attack.damage for attack in attacks]
    if max(damages) == 1:
        return together(draws).up_to(left).made(dice, "damage points")
    structure = Body((left > 0).astype(int), np.maximum(left, 1))
    (points,) = wounds_by_body(
        dice, "damage points", InOrder, [structure], [[d] for d in draws], takes=[[n] for n in damages]
    )
    return points


def wall_falls(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hit those who man the openings of a section of wall that collapses, at the wall's Toughness; they may save.

    By other readings everybody behind it, or attackers who are near as well.

    Source: Building Composition and Damaging (partly GB-054).
    """
    table, ruling = scene.book.tables, scene.book.rulings.falling_wall
    inside = rooms.crowd(state, scene)
    if not ruling("section"):
        sides = OwnBuilding.of(scene.scenario.building).sides
        inside = np.minimum(inside, scene.places // sides)
    after = struck(dice, state, scene, "defenders", inside)
    if ruling("near"):
        room = table.storming.abreast * table.walls.length
        near = np.where(within(state.distance, table.walls.falls_within), room, 0)
        after = struck(dice, after, scene, "attackers", np.minimum(state.attackers.models, near))
    return after.replace(falling=np.zeros_like(state.falling))


def struck(dice: Dice, state: Siege, scene: Scene, side: Side, models: Ints) -> Siege:
    """Let a wall fall on some models of a side."""
    game, unit, force, label = scene.book.game, state.unit(side), scene.force(side), f"collapsing wall, {side}"

    def harm(target: Unit) -> Draw:
        return hurt(game, wound_goal(game, scene.resists, target.T), Saves.of(target, None))

    among = rooms.inside(state, scene) if side == "defenders" else unit.standing
    able = in_sight(dice.within(label), game, force, unit, among, models)
    wounds = struck_each(dice, force, unit, able, models, label, harm)
    dice.tally(f"{side} lost to the collapse", total(wounds))
    return wounded(dice, state, scene, side, wounds, label, able)

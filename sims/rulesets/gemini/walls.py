"""Walls and doors under attack: damage points by shots and blows, and a section of wall that comes down."""

import numpy as np

from sims.dice import HIGH, Capped, Dice, Ints, Mechanic, Test, Total, Volley
from sims.dice.source import Argument
from sims.forces import chosen
from sims.games.arap.hits import hit_target, to_hit
from sims.games.arap.melee import best_fighters
from sims.games.arap.shooting import goal_of_shot, save_goals, shots, wounding
from sims.games.arap.wounds import armour_save, wound_goal
from sims.rulesets.gemini import way_in
from sims.rulesets.gemini.fire import fire_out
from sims.rulesets.gemini.state import Scene, Siege, standing, wounded, wounds_left


def batter(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Shoot at the door or wall with every weapon that can hurt it: each hit that beats its Toughness does a point.

    From less than 2 inches every shot hits; there is no save.

    Source: Breaking Down Doors and Walls; Building Composition and Damaging (GB-052, GB-053, GB-060; partly GB-048,
    partly GB-049, partly GB-068).
    """
    table, game = scene.rules.tables, scene.rules.game
    close = state.distance < table.walls.hit_within
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    models = standing(state, scene, "attackers")
    for i in scene.gunners:
        group = scene.scenario.attackers.groups[i]
        weapon = group.weapon
        assert weapon is not None
        fired = models[i] * shots(scene.rules.game, weapon, state.distance, state.volleys)
        goal = goal_of_shot(game, weapon, group.profile, scene.resists, state.distance)
        for test, where in wounding(game, weapon, state.distance):
            rolled: tuple[Test, ...] = (to_hit(game), test)
            parts += [Volley(rolled, who=group.title), Volley((test,), who=group.title)]
            arguments += [fired * where * ~close, hit_target(game, group.profile.BS, 0), goal]
            arguments += [fired * where * close, goal]
    done = dice.draw("damage points", Capped(Total(tuple(parts))), *arguments, scene.points - state.damage)
    return damaged(state, scene, done)


def hew(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Strike at the door or wall: as many models as have room, the hardest blows first; there is no charge bonus.

    Source: Breaking Down Doors and Walls (GB-052, GB-053, GB-060; partly GB-048).
    """
    table, game, force = scene.rules.tables, scene.rules.game, scene.scenario.attackers
    wide = way_in.door_width(scene) if scene.structure == "door" else table.walls.length
    striking = chosen(standing(state, scene, "attackers"), table.storming.abreast * wide, best_fighters(force))
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for i in scene.strikers:
        group = force.groups[i]
        S = group.melee.strength(group.profile) if group.melee else group.profile.S
        automatic = scene.rules.rulings.blows_at_walls("automatic")
        parts.append(Volley((HIGH,) if automatic else (to_hit(game), HIGH), who=group.title))
        to = [] if automatic else [hit_target(game, group.profile.WS, 0)]
        arguments += [striking[i] * group.profile.A, *to, wound_goal(game, S, scene.resists)]
    done = dice.draw("damage points", Capped(Total(tuple(parts))), *arguments, scene.points - state.damage)
    return damaged(state, scene, done)


def damaged(state: Siege, scene: Scene, points: Ints) -> Siege:
    """Note damage points, and whether a section of wall comes down.

    A door with holes for as many as it lets through when it is open is as good as gone (partly GB-059).
    """
    after = state.replace(damage=state.damage + points)
    if scene.structure == "door":
        wide = scene.rules.tables.storming.abreast * way_in.door_width(scene)
        gone = way_in.holes(after, scene) >= wide
        after = after.replace(damage=np.where(gone, scene.points, after.damage))
    falls = way_in.wall_down(after, scene) & (points > 0)
    return after.replace(falling=falls.astype(int), volleys=np.zeros_like(state.volleys))


def wall_falls(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hit those who man the openings of a section of wall that collapses, at the wall's Toughness; they may save.

    Source: Building Composition and Damaging (partly GB-054).
    """
    garrison, game = scene.scenario.defenders.unit, scene.rules.game
    near = np.minimum(state.defenders.models, min(scene.room, fire_out(scene)))
    saves = save_goals(garrison, None, both=scene.both_saves)
    hits = Volley((HIGH, *(armour_save(game).failed for _ in saves)))
    most = wounds_left(state, scene, "defenders", near)
    goal = wound_goal(game, scene.resists, garrison.T)
    wounds = dice.draw("collapsing wall", Capped(hits), near, goal, *saves, most)
    dice.tally("defenders lost to the collapse", wounds)
    return wounded(state, scene, "defenders", wounds).replace(falling=np.zeros_like(state.falling))

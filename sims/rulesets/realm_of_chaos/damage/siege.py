"""Shots, flames and blows at the walls."""

from collections.abc import Sequence

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, together
from sims.games.fantasy.shooting import Aim, over_half, shots
from sims.rulesets.realm_of_chaos.damage.walls import added, damage, gain_of, most_damage, shot_at_fabric
from sims.rulesets.realm_of_chaos.setting import besieging, strength_at_walls, strength_of_shots
from sims.rulesets.realm_of_chaos.state import Scene, Siege


def aims_at_fabric(state: Siege, scene: Scene) -> Bools:
    """Return where attackers shoot at the walls: to bring them down, or for want of better targets."""
    better = (scene.scenario.plan != "demolish") & state.has_fired
    return (state.entered == 0) & (state.out == 0) & ~better


def shoot_at_fabric(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let those attackers outside whose weapons can hurt the walls shoot at the garrison's section.

    Source: Shooting at Buildings (RC-038, RC-039, RC-041; partly RC-036), Damaging Buildings (RC-047).
    """
    return damaged(state, scene, shots_at_walls(state, scene, scene.shooters).made(dice, "shots at the walls"))


def aims_flames(state: Siege, scene: Scene) -> Bools:
    """Return where attackers turn flames on the walls: to smoke the garrison out, always."""
    if scene.scenario.plan == "smoke":
        return (state.entered == 0) & (state.out == 0)
    return aims_at_fabric(state, scene)


def flames_at_fabric(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let fire weapons that can hurt the walls burn the garrison's section from outside.

    Source: Shooting at Buildings (RC-038, RC-039, RC-041; partly RC-042), Buildings and Fire (RC-072, RC-076).
    """
    points = shots_at_walls(state, scene, scene.burners).made(dice, "flames at the walls")
    return scorched(damaged(state, scene, points), scene, points)


def shots_at_walls(state: Siege, scene: Scene, who: Sequence[int]) -> Draw:
    """Return the points of damage that some groups' shots do to the walls."""
    models, draws = scene.outside(state, "attackers"), []
    for i in who:
        group = scene.scenario.attackers.groups[i]
        weapon = group.weapon
        assert weapon is not None
        aim = Aim(moved=state.moved, over_half_range=over_half(state.distance, weapon.range))
        S, template = strength_of_shots(scene, group), weapon.kind == "template"
        shot = shot_at_fabric(scene.book, scene.walls, S, group.profile.BS, aim, template=template)
        fired = models[i] * shots(weapon, state.distance, weapon.range, state.moved)
        draws.append(shot.times(fired).by(group.title))
    return together(draws)


def strikes_fabric(state: Siege, scene: Scene) -> Bools:
    """Return where attackers stand at the walls to bring them down, with none of theirs inside."""
    at_walls = (state.distance == 0) & (state.entered == 0) & (state.open == 0)
    return besieging(state, scene) & at_walls


def strike_fabric(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers at the walls strike them in close combat, in either side's turn: every blow hits.

    Source: Close Combat Against Buildings (RC-044; partly RC-045), Damaging Buildings (RC-047), Buildings and Fire
    (RC-072, RC-076).
    """
    flaming, plain = ([i for i in scene.strikers if is_flaming(scene, i) == f] for f in (True, False))
    if plain:
        state = damaged(state, scene, blows_at_walls(state, scene, plain).made(dice, "blows at the walls"))
    if flaming:
        points = blows_at_walls(state, scene, flaming).made(dice, "flaming blows at the walls")
        state = scorched(damaged(state, scene, points), scene, points)
    return state


def is_flaming(scene: Scene, i: int) -> bool:
    """Return whether the blows of a group burn these walls."""
    return gain_of(scene.book, scene.walls, scene.scenario.attackers.groups[i].melee) > 0


def blows_at_walls(state: Siege, scene: Scene, who: Sequence[int]) -> Draw:
    """Return the points of damage that some groups' blows do to the walls."""
    models, draws = scene.outside(state, "attackers"), []
    for i in who:
        group = scene.scenario.attackers.groups[i]
        hits = models[i] * group.profile.A
        draws.append(damage(scene.book, scene.walls, strength_at_walls(scene, group), hits).by(group.title))
    return together(draws)


def damaged(state: Siege, scene: Scene, points: Ints) -> Siege:
    """Add points of damage; new damage is tested for anew."""
    return state.replace(
        damage=added(state.damage, points, most_damage(scene.book)), tested=np.where(points > 0, 0, state.tested)
    )


def scorched(state: Siege, scene: Scene, points: Ints) -> Siege:
    """Note the damage that flames did this turn; what burns already is not lit again (RC-072, RC-076)."""
    total = np.where(state.burning > 0, 0, state.scorched + points)
    once = scene.book.rulings.fire_check("one_roll")
    return state.replace(scorched=np.minimum(total, 6) if once else total)

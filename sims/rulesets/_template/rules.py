"""The rules, in the order of the book: one function for each paragraph, each citing its clauses."""

import numpy as np

from sims.dice import GOAL, Capped, Dice, Volley
from sims.forces import fall, total
from sims.rulesets._template.state import Fray, Scene

BLOWS = Capped(Volley((GOAL, GOAL)))
"""Blows that hit and wound, at most as many as there are models to fall. Arguments: blows, to hit, to wound, models."""


def advance(dice: Dice, state: Fray, scene: Scene) -> Fray:
    """Move the attackers towards the door; those who mean to shoot stay where they are.

    Source: Template, Movement (partly BASE-056).
    """
    move = 0 if scene.scenario.plan == "shoot" else scene.rules.tables.movement.advance
    return state.replace(distance=np.maximum(state.distance - move, 0))


def shoot(dice: Dice, state: Fray, scene: Scene) -> Fray:
    """Let the garrison shoot at attackers who are still outside, one shot for each firing point.

    Source: Template, Shooting (partly BASE-047).
    """
    fight = scene.rules.tables.fight
    shots = np.minimum(total(state.defenders), scene.scenario.building.firing_points)
    dead = dice.draw("shots", BLOWS, shots, fight.hit, fight.wound, total(state.attackers))
    dice.tally("attackers lost to shooting", dead)
    return state.replace(attackers=fall(state.attackers, dead))


def fight(dice: Dice, state: Fray, scene: Scene) -> Fray:
    """Fight at the door, as many on each side as it is wide.

    Source: Template, The Fight (partly BASE-050).
    """
    need, width = scene.rules.tables.fight, scene.rules.tables.door.width
    inside, outside = total(state.defenders), total(state.attackers)
    attackers_dead = dice.draw("defenders' blows", BLOWS, np.minimum(inside, width), need.hit, need.wound, outside)
    striking = outside - attackers_dead if scene.rules.rulings.first_blow("defenders") else outside
    blows = np.minimum(striking, width)
    defenders_dead = dice.draw("attackers' blows", BLOWS, blows, need.hit, need.wound, inside)
    dice.tally("attackers lost in the fight", attackers_dead)
    dice.tally("defenders lost in the fight", defenders_dead)
    return state.replace(
        attackers=fall(state.attackers, attackers_dead),
        defenders=fall(state.defenders, defenders_dead),
    )

"""The rules, in the order of the book: one function for each paragraph, which stages play and `casemate odds` asks.

A rule takes the book and what its paragraph speaks of; a stage says where in the state that stands, and writes back.
"""

import numpy as np

from sims.dice import GOAL, Dice, Draw, Ints, Volley
from sims.forces import give_up, total
from sims.inputs import Count, Most
from sims.questions import asks
from sims.rulesets._template.book import Template
from sims.rulesets._template.state import Fray, Scene


def advance(dice: Dice, state: Fray, scene: Scene) -> Fray:
    """Move the attackers towards the door.

    Source: Template, Movement (TPL-001).
    """
    return state.replace(distance=np.maximum(state.distance - scene.book.tables.movement.advance, 0))


@asks("TPL-002", name="models felled")
def felled(book: Template, n: Count, models: Most = None) -> Draw:
    """Return how many models fall by blows or shots that hit and wound (TPL-002).

    Args:
        n: Blows or shots.
        models: Models that can fall; all that are felled count if it is not given.
    """
    needs = book.tables.fight
    return Draw(Volley((GOAL.named("to hit"), GOAL.named("to wound"))), (n, needs.hit, needs.wound)).up_to(models)


def shoot(dice: Dice, state: Fray, scene: Scene) -> Fray:
    """Let the garrison shoot at attackers who are still outside, one shot from each window.

    Source: Template, Shooting (TPL-002, TPL-003).
    """
    shots = np.minimum(total(state.defenders), scene.windows)
    dead = felled(scene.book, shots, total(state.attackers)).made(dice, "shots")
    dice.tally("attackers lost to shooting", dead)
    return state.replace(attackers=give_up(state.attackers, dead))


@asks("TPL-004", name="models at the door")
def at_the_door(book: Template, models: Count) -> Ints:
    """Return how many models of a side strike through the door (TPL-004).

    Args:
        models: Models of that side.
    """
    return np.minimum(models, book.tables.door.width)


def strikers(book: Template, models: Ints, fallen: Ints) -> Ints:
    """Return how many attackers are there to strike, some of whom fall in the same fight (TPL-005)."""
    return np.maximum(models - fallen, 0) if book.rulings.first_blow("defenders") else models


def fight(dice: Dice, state: Fray, scene: Scene) -> Fray:
    """Fight at the door, as many on each side as it is wide.

    Source: Template, The Fight (TPL-002, TPL-004, TPL-005).
    """
    book, inside, outside = scene.book, total(state.defenders), total(state.attackers)
    attackers_dead = felled(book, at_the_door(book, inside), outside).made(dice, "defenders' blows")
    blows = at_the_door(book, strikers(book, outside, attackers_dead))
    defenders_dead = felled(book, blows, inside).made(dice, "attackers' blows")
    dice.tally("attackers lost in the fight", attackers_dead)
    dice.tally("defenders lost in the fight", defenders_dead)
    return state.replace(
        attackers=give_up(state.attackers, attackers_dead), defenders=give_up(state.defenders, defenders_dead)
    )

"""The order of play: the stages of a turn, the state before the first, and how an assault ends."""

from collections.abc import Iterator

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import Ints
from sims.forces import at_full_strength, total
from sims.rulesets._template import rules
from sims.rulesets._template.book import Template
from sims.rulesets._template.setting import goes_in, set_up
from sims.rulesets._template.state import Fray, Scene
from sims.rulesets._template.words import translation
from sims.scenario import Scenario

Step = Stage[Fray, Scene]


def assault(scenario: Scenario, book: Template) -> Assault[Fray, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    turns = (
        PlayerTurn("attackers", tuple(attackers_turn(scene))),
        PlayerTurn("defenders", tuple(defenders_turn(scene))),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(book.ruleset.id, scene, start(scene), order, scenario.turns, end, outcome, translation)


def attackers_turn(scene: Scene) -> Iterator[Step]:
    """Yield what the attackers do: they come nearer, and fight at the door."""
    if goes_in(scene):
        yield Stage("advance", rules.advance)
        yield Stage("fight", rules.fight, when=lambda state, _: state.distance == 0, by="both sides")


def defenders_turn(scene: Scene) -> Iterator[Step]:
    """Yield what the garrison does: it shoots at those who are still outside."""
    yield Stage("shoot", rules.shoot, when=lambda state, _: state.distance > 0)


def start(scene: Scene) -> Fray:
    """Return the state before the first turn: what is not 0 in it."""
    scenario = scene.scenario
    return Fray(
        attackers=at_full_strength(scenario.attackers),
        defenders=at_full_strength(scenario.defenders),
        distance=np.array([scenario.distance]),
    )


def end(state: Fray, scene: Scene) -> Ints:
    """Say how it has ended: captured if nobody is left inside, broken if nobody is left outside."""
    broken = total(state.attackers) == 0
    return ending(destroyed=broken & False, captured=(total(state.defenders) == 0) & ~broken, broken=broken)


def outcome(state: Fray, scene: Scene) -> Outcome:
    """Say what it has cost."""
    defenders = total(state.defenders)
    return Outcome(
        attackers_lost=scene.scenario.attackers.models - total(state.attackers),
        defenders_lost=scene.scenario.defenders.models - defenders,
        cleared=defenders == 0,
    )

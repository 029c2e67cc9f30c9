"""The stages of a turn, and how a scenario is put into these rules' words."""

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import Ints
from sims.forces import at_full_strength, total
from sims.rulesets._template import rules
from sims.rulesets._template.book import Template
from sims.rulesets._template.state import Fray, Scene
from sims.scenario import Scenario


def assault(scenario: Scenario, book: Template) -> Assault[Fray, Scene]:
    """Return the scenario under these rules."""
    scene = Scene(scenario, book)
    start = Fray(
        at_full_strength(scenario.attackers), at_full_strength(scenario.defenders), np.array([scenario.distance])
    )
    turns = (
        PlayerTurn("attackers", (Stage(rules.advance), Stage(rules.fight, when=lambda state, _: state.distance == 0))),
        PlayerTurn("defenders", (Stage(rules.shoot, when=lambda state, _: state.distance > 0),)),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(book.ruleset.id, scene, start, order, scenario.turns, end, outcome, translation(scene))


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


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    storm = f"go in by the door, {scene.rules.tables.door.width} models of a side at a time"
    other = "stay where they are" if scene.scenario.plan == "shoot" else f"as under storm: {storm}"
    return {
        "Building": f"{scene.scenario.building.firing_points} firing points; these rules know no Armour Values",
        "Attackers": storm if scene.scenario.plan == "storm" else other,
        "Garrison": "stays inside and shoots" + ("" if scene.scenario.defence == "hold" else "; it cannot come out"),
    }

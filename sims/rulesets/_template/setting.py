"""A scenario in the words of these rules, and what the rules share about it."""

from sims.rulesets._template.book import Template
from sims.rulesets._template.state import Scene
from sims.scenario import Scenario


def set_up(scenario: Scenario, book: Template) -> Scene:
    """Put a scenario into these rules' words: each firing point is a window."""
    return Scene(scenario, book, windows=scenario.building.firing_points)


def goes_in(scene: Scene) -> bool:
    """Return whether the attackers mean to go in; those who mean to shoot stay where they are."""
    return scene.scenario.plan != "shoot"

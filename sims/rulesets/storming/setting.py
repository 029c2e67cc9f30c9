"""How a scenario is put into the words of these rules."""

from dataclasses import replace

from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.buildings import classes
from sims.rulesets.storming.state import Scene
from sims.rulesets.storming.storm import who
from sims.rulesets.storming.storm.access import near_enough
from sims.rulesets.storming.usual import ruins, structure
from sims.scenario import Scenario


def set_up(scenario: Scenario, book: Storming) -> Scene:
    """Put a scenario into these rules' words.

    The squad stands at every door within reach, so each is a viable access point as far as the rulings allow.

    Raises:
        CasemateError: If nobody may be in a building of its class: one without a door, unless another class is agreed.
    """
    building = scenario.building
    name = classes.class_of(book, building.military, way_in=building.doors > 0)
    if not classes.allows(book, name, "occupy"):
        why = "nobody may occupy" if building.doors else "it has no door, and nobody may occupy"
        message = f"{building.title}: {why} an impassable building; expected one with a way in"
        raise scenario.error(("building", "doors"), message)
    if book.tables.classes.of(name).usual:
        scene = Scene(scenario, book, name, access=0, storming=False)
        return replace(scene, reaches=ruins.reaches(scene))
    access = near_enough(book, [0] * building.doors)
    declared: who.Mode = "storm" if scenario.plan != "shoot" and who.squads_storming(book, 1) else "attack"
    storming = who.mode(book, declared, scenario.attackers.unit.kind, access, name) != "attack"
    scene = Scene(scenario, book, name, access, storming)
    if storming and scenario.plan in ("storm", "smoke"):
        return scene
    return replace(scene, reaches=structure.reaches(scene, max(classes.possible_armour(scene))))

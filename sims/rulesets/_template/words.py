"""How a scenario was put into these rules' words."""

from collections.abc import Iterator

from sims.rulesets._template.setting import goes_in
from sims.rulesets._template.state import Scene
from sims.words import NEVER_FIRED, NO_GROUND, NOT_USED


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    storm = f"go in by the door, {scene.book.tables.door.width} models of a side at a time"
    other = f"as under storm: {storm}" if goes_in(scene) else "stay where they are"
    return {
        "Building": f"{scene.windows} windows to shoot from; these rules know no Armour Values",
        "Attackers": storm if scene.scenario.plan == "storm" else other,
        "Garrison": "stays inside and shoots" + ("" if scene.scenario.defence == "hold" else "; it cannot come out"),
        NEVER_FIRED: "; ".join(dict.fromkeys(weapons(scene))) + ": these rules know shots, not weapons",
        NOT_USED: "archetype, footprint, material, military, doors, door, firing inches, capacity, levels, weapons, "
        "armour",
        **({NO_GROUND: ", ".join(ground)} if (ground := scene.scenario.ground) else {}),
    }


def weapons(scene: Scene) -> Iterator[str]:
    """Yield the weapons of a scenario, none of which these rules look at."""
    sides = {"attackers": scene.scenario.attackers, "garrison": scene.scenario.defenders}
    for owner, force in sides.items():
        yield from (f"{group.weapon.title} of the {owner}" for group in force.groups if group.weapon)

"""What each side means to do, in the words of these rules."""

from collections.abc import Iterator

import numpy as np

from sims.forces import total
from sims.rulesets.storming import buildings, party, sally
from sims.rulesets.storming.state import NEVER, Scene
from sims.rulesets.storming.support import armed_with


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    usual, points = scene.building_class.usual, scene.scenario.building.firing_points
    whole = f"{scene.access} viable access points" if scene.storming else "none: the structure is attacked"
    fire = f"{points} firing points, {len(scene.scenario.mounted)} mounted weapons"
    return {
        **dict(buildings.facts(scene)),
        "Way in": "anywhere" if usual else whole,
        "Fire from the building": "everybody with his own weapon" if usual else fire,
        "Attackers": "; ".join(assailants(scene) if usual else attackers(scene)),
        "Garrison": garrison(scene),
        "Attackers who fail morale": "have broken and do not come back",
    }


def assailants(scene: Scene) -> Iterator[str]:
    """Yield what attackers of a garrison in ruins do."""
    if scene.scenario.plan == "shoot":
        yield "stay off and shoot at the garrison"
        return
    if scene.scenario.plan == "demolish":
        yield "as under storm, for ruins have no walls to bring down"
    if scene.scenario.plan == "smoke":
        yield "as under storm, for support attacks are part of a storming, and ruins are not stormed"
    yield "shoot while no charge reaches, then charge"
    yield "who has no assault grenades strikes last in the round of the charge"


def attackers(scene: Scene) -> Iterator[str]:
    """Yield what the attackers do, and why it may come to the same as another plan."""
    plan, groups = scene.scenario.plan, scene.scenario.attackers.groups
    squad = tuple(np.array([g.count]) for g in groups)
    storm = f"storm as soon as a charge reaches, a Fireteam of {_team(scene, squad)} at most and the rest in support"
    lowest = min(buildings.possible_armour(scene))
    if plan == "shoot":
        yield "stay off and fire at the walls with what can hurt them from range"
        yield "nobody in a building can be shot at: the garrison is not touched unless it comes out or the walls fall"
    elif not scene.storming:
        yield "attack the structure: no access point is viable"
    elif plan == "demolish" and min(reach[lowest] for reach in scene.reaches) == NEVER:
        yield f"as under storm, for nobody can bring the walls down: {storm}"
    elif plan == "demolish":
        yield "attack the structure as long as a model is left that can bring it down"
        yield f"then {storm}"
    elif plan == "smoke" and all(armed_with(g) == "nothing" for g in groups):
        yield f"as under storm, for nobody has grenades or a template weapon: {storm}"
    elif plan == "smoke":
        yield f"storm again and again with the smallest Fireteam there may be ({_team(scene, squad)})"
        yield "everybody else is in support with grenades and templates, which these rules know only in a storming"
    else:
        yield storm


def _team(scene: Scene, squad: tuple[np.ndarray, ...]) -> int:
    k = party.viable(scene.rules, scene.access, total(squad))
    return int(total(party.fireteam(squad, k, scene)).item())


def garrison(scene: Scene) -> str:
    """Say what the garrison does."""
    if scene.scenario.defence == "hold":
        return "stays inside and fires"
    near = sally.out_of_the_door(scene)
    like = "" if scene.building_class.usual else ", as from a transport that has not moved,"
    return (
        f"stays inside and fires until the attackers are within {near} inches; then it comes out and charges in the "
        f"same turn{like} without firing, and fights on in the open"
    )

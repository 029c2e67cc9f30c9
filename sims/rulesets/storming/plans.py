"""What each side means to do, in the words of these rules."""

from collections.abc import Iterator

import numpy as np

from sims.forces import total
from sims.rulesets.storming import buildings, party, sally
from sims.rulesets.storming.state import NEVER, Scene
from sims.rulesets.storming.support import armed_with


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    points = scene.scenario.building.firing_points
    return {
        **dict(buildings.facts(scene)),
        "Way in": f"{scene.access} viable access points" if scene.storming else "none: the structure is attacked",
        "Fire from the building": f"{points} firing points, {len(scene.scenario.mounted)} mounted weapons",
        "Attackers": "; ".join(attackers(scene)),
        "Garrison": garrison(scene),
        "Attackers who fail morale": "have broken and do not come back",
    }


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
    return (
        f"stays inside and fires until the attackers are within {sally.out_of_the_door(scene)} inches; then it comes "
        "out and charges in the same turn, as from a transport that has not moved, and fights on in the open"
    )

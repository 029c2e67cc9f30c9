"""Where the garrison stands at the start."""

from collections.abc import Sequence

import numpy as np

from sims.errors import nearest
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.state import Scene


def deployed(scene: Scene) -> tuple[int, ...]:
    """Return how many of the garrison begin in each section (RC-003, RC-010; partly RC-002).

    Evenly over all of them; behind the doors, who is too many there going on inwards; from the top; so many behind the
    doors, and the others evenly over the rest; or as it is given. Who is to give ground begins behind the doors.
    """
    models, plan, room = scene.scenario.defenders.models, scene.plan, int(capacity(scene.book))
    behind = [i for i in plan.inwards if i not in plan.entries]
    match scene.scenario.deployment:
        case "doors" | "gives ground":
            at_doors = evenly(models, plan.entries, room)
            return _by_section(scene, at_doors | one_by_one(models - sum(at_doors.values()), behind, room))
        case "top":
            return _by_section(scene, one_by_one(models, plan.from_the_top, room))
        case tuple(posts):
            return _by_section(scene, {plan.titles.index(name): n for name, n in posts})
        case int(number):
            others = evenly(models - min(number, models, room * len(plan.entries)), behind, room)
            return _by_section(scene, others | evenly(models - sum(others.values()), plan.entries, room))
    return _by_section(scene, evenly(models, plan.onwards, room))


def evenly(models: int, sections: Sequence[int], room: int) -> dict[int, int]:
    """Return how many stand in each of some sections, the first of which have one more, as far as there is room."""
    each, more = divmod(models, len(sections)) if sections else (0, 0)
    return {section: min(each + (nth < more), room) for nth, section in enumerate(sections)}


def one_by_one(models: int, sections: Sequence[int], room: int) -> dict[int, int]:
    """Return how many stand in each of some sections, which they fill one after the other."""
    return {section: min(max(models - nth * room, 0), room) for nth, section in enumerate(sections)}


def _by_section(scene: Scene, found: dict[int, int]) -> tuple[int, ...]:
    return tuple(found.get(i, 0) for i in range(len(scene.plan.sections)))


def check_deployment(scene: Scene) -> None:
    """Raise what is wrong with a deployment (RC-003, RC-010).

    Raises:
        CasemateError: If the unit is torn apart; of posts, if a section is unknown or too full, or not all are posted.
    """
    scenario, plan, key = scene.scenario, scene.plan, ("defenders", "deployment")
    if isinstance(scenario.deployment, tuple):
        _check_posts(scene, scenario.deployment)
    held = [n > 0 for n in deployed(scene)]
    if not plan.hangs_together([np.array([there]) for there in held]).all():
        apart = " and ".join(title for title, there in zip(plan.titles, held, strict=True) if there)
        raise scenario.error(
            key, f"expected an unbroken chain of neighbouring sections (RC-010), got models in {apart}"
        )


def _check_posts(scene: Scene, posts: Sequence[tuple[str, int]]) -> None:
    scenario, plan, room = scene.scenario, scene.plan, int(capacity(scene.book))
    key = ("defenders", "deployment")
    for name, n in posts:
        if name not in plan.titles:
            raise scenario.error((*key, name), f'unknown section "{name}"; {nearest(name, plan.titles)}')
        if n > room:
            raise scenario.error((*key, name), f"expected at most {room} models in a section (RC-003), got {n}")
    if (posted := sum(n for _, n in posts)) != scenario.defenders.models:
        raise scenario.error(key, f"expected {scenario.defenders.models}, the models of the garrison, got {posted}")

"""Where the garrison stands at the start."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sims.errors import nearest
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.sections import Party
from sims.rulesets.realm_of_chaos.state import Scene


class Posts(NamedTuple):
    """Sections that the garrison fills one after the other, or evenly; at most until so many are there."""

    sections: Sequence[int]
    evenly: bool = False
    most: int | None = None


def deployed(scene: Scene) -> list[tuple[int, ...]]:
    """Return how many of each party of the garrison begin in each section (RC-003, RC-005, RC-010; partly RC-002).

    Who is over 10 feet takes his post first. Who finds no room is left out.
    """
    groups, posts, by_party = scene.scenario.defenders.groups, posts_of(scene), list[tuple[int, ...]]()
    there = [0] * len(scene.plan.sections)
    room = [int(capacity(scene.book))] * len(there)
    for party in reversed(scene.parties["defenders"]):
        own = [0] * len(there)
        for _ in range(sum(groups[i].count for i in party.groups)):
            if (post := post_for(party, posts, there, room)) is not None:
                own[post], there[post], room[post] = own[post] + 1, there[post] + 1, room[post] - party.places[post]
        by_party.insert(0, tuple(own))
    return by_party


def posts_of(scene: Scene) -> list[Posts]:
    """Return where the garrison's deployment posts it: who finds no room at the first goes on to the next.

    Evenly over all sections; behind the doors, who is too many there going on inwards; from the top; so many behind the
    doors, and the others evenly over the rest; or as it is given. Who is to give ground begins behind the doors.
    """
    plan = scene.plan
    behind = [i for i in plan.inwards if i not in plan.entries]
    match scene.scenario.deployment:
        case "doors" | "gives ground":
            return [Posts(plan.entries, evenly=True), Posts(behind)]
        case "top":
            return [Posts(plan.from_the_top)]
        case tuple(given):
            most = {plan.titles.index(name): n for name, n in given}
            return [Posts((i,), most=most[i]) for i in plan.inwards if i in most]
        case int(number):
            at_doors = Posts(plan.entries, evenly=True)
            return [at_doors._replace(most=number), Posts(behind, evenly=True), at_doors]
    return [Posts(plan.onwards, evenly=True)]


def post_for(party: Party, posts: Sequence[Posts], there: Sequence[int], room: Sequence[int]) -> int | None:
    """Return the section where the next one of a party is posted; None if there is no room for him.

    Args:
        there: How many models are in each section.
        room: For how many more each has room.
    """
    for row in posts:
        if row.most is None or sum(there[i] for i in row.sections) < row.most:
            fit = [i for i in row.sections if room[i] >= party.places[i] and i in party.plan.within_reach]
            if fit:
                return min(fit, key=lambda i: there[i]) if row.evenly else fit[0]
    return None


def check_deployment(scene: Scene) -> None:
    """Raise what is wrong with a deployment (RC-003, RC-005, RC-010).

    Raises:
        CasemateError: If some find no room, or the unit is torn apart; of posts, if a section is unknown or too full,
            or not all are posted.
    """
    scenario, plan, key = scene.scenario, scene.plan, ("defenders", "deployment")
    if isinstance(scenario.deployment, tuple):
        _check_posts(scene, scenario.deployment)
    by_party = deployed(scene)
    if left := scenario.defenders.models - sum(map(sum, by_party)):
        raise scenario.error(
            key if scenario.deployment else ("defenders", "models"),
            f"expected room for all {scenario.defenders.models} defenders (RC-003, RC-005), got {left} who find none"
            f"{_heights(scene)}",
        )
    held = [sum(models) > 0 for models in zip(*by_party, strict=True)]
    if not plan.hangs_together([np.array([there]) for there in held]).all():
        apart = " and ".join(title for title, there in zip(plan.titles, held, strict=True) if there)
        raise scenario.error(
            key, f"expected an unbroken chain of neighbouring sections (RC-010), got models in {apart}{_heights(scene)}"
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


def _heights(scene: Scene) -> str:
    """Say where those over 10 feet may be posted, after a semicolon; nothing if nobody is so tall."""
    *_, party = scene.parties["defenders"]
    if len(scene.parties["defenders"]) == 1:
        return ""
    fit = sorted(party.plan.within_reach)
    takes = " or ".join(map(str, sorted({party.places[i] for i in fit})))
    where = ", ".join(scene.plan.titles[i] for i in fit)
    those = f"those over {scene.book.tables.tall.feet} feet"
    if not fit:
        return f"; {those} do not fit in at a door"
    return f"; {those} come first, get in as far as {where}, and count as {takes} models each"

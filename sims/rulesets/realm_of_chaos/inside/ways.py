"""What a player asks of ways inside a building: how long they take, who finds room, what is still one unit."""

import re
from typing import Literal

import numpy as np

from sims.dice import Ints
from sims.errors import CasemateError
from sims.inputs import Count, Some
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.inside.steps import aside
from sims.rulesets.realm_of_chaos.layout import row
from sims.rulesets.realm_of_chaos.sections import Column, Plan


@asks("RC-006", name="Movement phases of a way inside")
def phases(start: str, end: str) -> int:
    """Return how many Movement phases it takes from a section to another, a step in each (RC-006).

    Args:
        start: A section of a building whose columns stand in a row, such as A1.
        end: Another, such as C3.
    """
    plan = _row_of(start, end)
    return int(plan.steps[plan.titles.index(start), plan.titles.index(end)])


@asks("RC-008", name="movement penalty inside")
def penalty(obstacles: Count = 1) -> Ints:
    """Return how many Movement phases more a way inside takes for obstacles on it: none (RC-008).

    Args:
        obstacles: Such as furniture.
    """
    return 0 * np.asarray(obstacles)


@asks("RC-006", name="one step inside", needs=("RC-065",))
def is_a_step(start: str, end: str) -> bool:
    """Return whether a model may go from a section to another in one Movement phase: never diagonally (RC-006).

    Args:
        start: A section of a building whose columns stand in a row, such as A1.
        end: Another, such as B2.
    """
    plan = _row_of(start, end)
    return plan.titles.index(end) in plan.neighbours[plan.titles.index(start)]


@asks("RC-010", name="unbroken chain", needs=("RC-065",))
def chain(sections: str) -> Literal["allowed", "not allowed"]:
    """Return whether a unit may be spread over some sections: they have to hang together (RC-010).

    Args:
        sections: Those it holds, in a building whose columns stand in a row, such as "A1 A2 B2".
    """
    names = sections.replace(",", " ").split()
    plan = _row_of(*names)
    held = [np.array([title in names]) for title in plan.titles]
    return "allowed" if plan.hangs_together(held).all() else "not allowed"


@asks("RC-023", name="victors on the way of routers", needs=("RC-003", "RC-010"))
def along_the_way(
    book: RealmOfChaos, models: Some, sections: str, start: str, end: str
) -> Literal["allowed", "not allowed"]:
    """Return whether victors may stand in some sections: on one way of the routers, in a chain, with room (RC-023).

    Args:
        models: Victors.
        sections: Those they are to stand in, at least one in each, of a building whose columns stand in a row: "A1 A2".
        start: The section of the routers that was farthest from the exit, such as B2.
        end: That with the exit, such as A1.
    """
    names = [*dict.fromkeys(sections.replace(",", " ").split())]
    plan = _row_of(*names, start, end)
    at = plan.titles.index
    away = [int(plan.steps[at(name), at(end)]) for name in names]
    on_a_way = all(
        plan.steps[at(start), at(name)] + n == plan.steps[at(start), at(end)]
        for name, n in zip(names, away, strict=True)
    )
    one_way = len({*away}) == len(away) and plan.hangs_together([np.array([t in names]) for t in plan.titles]).all()
    room = 1 <= len(names) <= models <= len(names) * capacity(book)
    return "allowed" if on_a_way and one_way and room else "not allowed"


@asks("RC-009", name="models who can enter", needs=("RC-003",))
def entrants(book: RealmOfChaos, models: Count, inside: Count, beside: Count) -> Ints:
    """Return how many models can enter a section, if those in it make room by a step to the next one (RC-009).

    Args:
        models: Who wish to enter.
        inside: Models of their side in it.
        beside: Models of their side in the next section.
    """
    room = np.maximum(capacity(book) - inside, 0)
    return np.minimum(models, room + aside(models - room, inside, capacity(book) - beside))


def _row_of(*sections: str) -> Plan:
    """Return a row of columns that has some sections.

    Raises:
        CasemateError: If a name is that of no section.
    """
    places = [re.fullmatch(r"([A-Z])([1-6])", name) for name in sections]
    for name, place in zip(sections, places, strict=True):
        if place is None:
            raise CasemateError(f'expected sections such as A1 or B2, a column A to Z and a level 1 to 6; got "{name}"')
    found = [(ord(place[1]) - ord("A") + 1, int(place[2])) for place in places if place]
    levels = max((level for _, level in found), default=1)
    return row([Column(levels, 0, 0)] * max((column for column, _ in found), default=1))

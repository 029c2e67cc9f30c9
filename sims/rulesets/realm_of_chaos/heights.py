"""Creatures over 10 feet: who of a side is so tall, where he may go inside, and how much room he takes."""

from dataclasses import replace

from sims.games.fantasy.book import height
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import has_headroom, places_for
from sims.rulesets.realm_of_chaos.sections import Party, Plan, everybody
from sims.scenario import Force, Scenario, Side


def parties_of(scenario: Scenario, side: Side, plan: Plan, book: RealmOfChaos) -> tuple[Party, ...]:
    """Return those of a side up to 10 feet, then those who are taller, if there are any (RC-005).

    Raises:
        CasemateError: If those are not all as tall as one another.
    """
    force: Force = getattr(scenario, side)
    limit, groups = book.tables.tall.feet, len(force.groups)
    if not (tall := tall_groups(force, limit)):
        return (everybody(plan, groups),)
    if len(heights := sorted({*tall.values()})) > 1:
        given = " and ".join(map(str, heights))
        raise scenario.error(
            (side,), f"expected all {side} over {limit} feet to be as tall as one another, got {given} feet"
        )
    (feet,) = heights
    closed = frozenset(i for i, ceiling in enumerate(plan.ceilings) if not has_headroom(book, feet, ceiling or limit))
    places = tuple(int(places_for(book, feet, ceiling)) for ceiling in plan.ceilings)
    others = replace(everybody(plan, groups), groups=tuple(i for i in range(groups) if i not in tall))
    return others, Party(tuple(tall), replace(plan, closed=closed), places)


def tall_groups(force: Force, limit: int) -> dict[int, int]:
    """Return how tall those groups of a force are that are over a limit, in feet."""
    feet = {i: height(group.profile) for i, group in enumerate(force.groups)}
    return {i: tall for i, tall in feet.items() if tall > limit}

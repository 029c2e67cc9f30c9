"""How a building is laid out: its plan, from what is said of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from sims.profiles import Building, Material
from sims.rulesets.realm_of_chaos.book import OwnBuilding, OwnColumn, RealmOfChaos
from sims.rulesets.realm_of_chaos.building import door_width, sections, shooters, walls
from sims.rulesets.realm_of_chaos.sections import Column, Plan
from sims.words import counted


def plan_of(building: Building, book: RealmOfChaos) -> Plan:
    """Return the plan of a building: its columns, or a row of them with all doors to the first (RC-001; partly RC-002).

    In a row the wall that faces the attackers on each level is shared out over the columns.
    """
    own = OwnBuilding.of(building)
    if own.columns:
        return _given(book, own.columns)
    n, levels = sections(book, *building.footprint), own.levels or building.levels or 1
    door = building.doors * door_width(book, **{building.door: 1})
    inches, ceilings = walls(book, Fraction(building.firing_inches), n), ceilings_of(own.ceiling, levels)
    return row([Column(levels, door * (i == 0), int(shooters(book, part)), ceilings) for i, part in enumerate(inches)])


def _given(book: RealmOfChaos, columns: Mapping[str, OwnColumn]) -> Plan:
    names = tuple(columns)
    doors = (door_width(book, **Counter[str](column.doors)) for column in columns.values())
    places = (int(shooters(book, Fraction(column.inches))) for column in columns.values())
    heights = (len(column.levels) for column in columns.values())
    ceilings = (ceilings_of(column.ceiling, len(column.levels)) for column in columns.values())
    own = tuple(Column(*each) for each in zip(heights, doors, places, ceilings, strict=True))
    beside = (tuple(sorted(names.index(other) for other in column.beside)) for column in columns.values())
    return Plan(names, own, tuple(beside))


def ceilings_of(given: int | tuple[int, ...] | None, levels: int) -> tuple[int, ...]:
    """Return the ceiling of each level, from the ground up, if any is said; above the last they are as high as it."""
    if given is None:
        return ()
    each = given if isinstance(given, tuple) else (given,)
    return tuple(each[min(level, len(each) - 1)] for level in range(levels))


def row(columns: Sequence[Column]) -> Plan:
    """Return the plan of columns in a row, called A, B and so on."""
    n = len(columns)
    beside = tuple(tuple(j for j in (i - 1, i + 1) if 0 <= j < n) for i in range(n))
    return Plan(tuple(map(letter, range(n))), tuple(columns), beside)


def material_of(building: Building, plan: Plan) -> Material:
    """Return of what the ground section is that is attacked first."""
    columns = OwnBuilding.of(building).columns
    return columns[plan.names[plan.fronts[0]]].levels[0] if columns else building.material


@cache
def letter(number: int) -> str:
    """Return what a column is called: A to Z, then AA and so on."""
    before, last = divmod(number, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)


def in_words(plan: Plan) -> str:
    """Say how many sections there are on how many levels."""
    heights = {column.levels for column in plan.columns}
    if len(heights) == 1:
        return f"{counted(len(plan.columns), 'section')} on each of {counted(max(heights), 'level')}"
    return f"{counted(len(plan.sections), 'section')} in {counted(len(plan.columns), 'column')}"

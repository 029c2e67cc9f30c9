"""One step of what a player would vary of a scenario: models, distance, turns, who moves first, doors, statlines."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from analysis.points.margins import SIDES
from sims.errors import CasemateError
from sims.reading import dotted, undotted
from sims.scenario import Side, load_scenario, written

GOALS = (2, 3, 4, 5, 6, None)
"""Saves, and none, which is one step from 6+."""


class Step(NamedTuple):
    """One value of a scenario, one step from what it is.

    Attributes:
        key: As files write it.
        of: Whose it is: the attackers', the defenders', or nobody's.
        now, value (int, str or None): What it is, and what it is changed to.
        changes: What that sets, by key: where both sides field a unit, a unit of its own for the one side.
        refused: Why no scenario can have it.
    """

    key: str
    of: str
    now: Any
    value: Any
    changes: Mapping[str, Any]
    refused: str | None = None

    @property
    def name(self) -> str:
        """What is changed to what."""
        return f"{self.key}={value_words(self.value)}{self._whose}"

    @property
    def place(self) -> str:
        """What is changed."""
        return f"{self.key}{self._whose}"

    @property
    def _whose(self) -> str:
        return "" if self.key in self.changes else f" of the {self.of}"

    @property
    def down(self) -> bool:
        """Whether the value is the lower of the two; none is higher than a number."""
        return isinstance(self.value, int) and (self.now is None or self.value < self.now)


def value_words(value: Any) -> str:
    """Say a value of a scenario."""
    return "none" if value is None else str(value)


def steps(scenario: str) -> list[Step]:
    """Return what a player would vary of a scenario, one step down and one up.

    That is: the models of both sides, the distance, the turns, who moves first, the doors, and every number of the
    statlines of all who fight.

    Raises:
        CasemateError: If there is no such scenario.
    """
    whole = written(scenario)
    return [
        Step(key, of, now, value, changes, _unfit(scenario, changes))
        for key, of, now in _varied(whole)
        for value in _beside(key, now)
        for changes in [_changes(whole, key, of, value)]
    ]


def _varied(whole: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield each key that a player would vary, whose it is, and its value."""
    for side in SIDES:
        yield f"{side}.models", side, whole[side]["models"]
    for key in ("distance", "turns", "first"):
        yield key, "", whole[key]
    yield "building.doors", "", whole["building"]["doors"]
    for side in SIDES:
        for unit in dict.fromkeys(_fielded(whole, side).values()):
            for path, now in _numbers(whole["units"][unit]):
                yield dotted(("units", unit, *path)), side, now


def _fielded(whole: Mapping[str, Any], side: str) -> dict[str, str]:
    """Return the units that a side fields, by the keys that name them."""
    leader = whole[side]["leader"]
    return {f"{side}.unit": whole[side]["unit"]} | ({f"{side}.leader.unit": leader["unit"]} if leader else {})


def _changes(whole: Mapping[str, Any], key: str, side: str, value: Any) -> dict[str, Any]:
    """Return what sets a value of a scenario, of one side alone."""
    shelf, *path = undotted(key)
    name = path[0] if shelf == "units" else None
    if name is None or not all(name in _fielded(whole, each).values() for each in SIDES):
        return {key: value}
    own = f"{name}-of-the-{side}"
    naming = {place: own for place, unit in _fielded(whole, side).items() if unit == name}
    return {dotted(("units", own)): _with(whole["units"][name], path[1:], value), **naming}


def _with(tables: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return tables with one value changed."""
    part, *inner = path
    return {**tables, part: _with(tables[part], inner, value) if inner else value}


def _numbers(tables: Mapping[str, Any], key: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int | None]]:
    """Yield the numbers in tables, and the saves that are none."""
    for part, value in tables.items():
        match value:
            case dict():
                yield from _numbers(value, (*key, part))
            case None:
                yield (*key, part), None
            case int() if not isinstance(value, bool):
                yield (*key, part), value


def _beside(key: str, now: Any) -> Sequence[Any]:
    """Return the values one step from another: the lower, the higher; the other side."""
    if key == "first":
        return [side for side in get_args(Side) if side != now]
    if undotted(key)[-1] in ("Sv", "invulnerable"):
        place = GOALS.index(now)
        return [*GOALS[max(place - 1, 0) : place], *GOALS[place + 1 : place + 2]]
    return [now - 1, now + 1]


def _unfit(scenario: str, changes: dict[str, Any]) -> str | None:
    try:
        load_scenario(scenario, changes)
    except CasemateError as error:
        return str(error)
    return None

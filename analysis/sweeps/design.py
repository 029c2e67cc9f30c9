"""The design of a sweep: factors, the levels that each goes through, and the design points that they make together."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from analysis.points.plans import but_best, plans_of
from analysis.points.point import How, Point
from analysis.values.keys import of_rules, rule_sets_with
from sims.errors import MOST_NAMED, CasemateError, UnfitError, nearest
from sims.reading import dotted, undotted
from sims.rulesets import RuleSet, rule_set, rule_set_ids, rule_sets_of, with_all
from sims.scenario import load_scenario, scenario_ids

MOST_POINTS = 1_000_000
MOST_LEVELS = 10_000
"""Levels of what is typed: no number of a scenario or a book has more values."""
MOST_KEYS = 1_000
MOST_UNFIT = 100
"""Levels that fit nowhere, of one factor: more are not looked for."""
MOST_TRIES = 20_000
"""Cells that are tried before anything is played, to find such levels."""
MOST_GAMES = 1_000
"""Scenarios that are kept for the next set of rules."""
ABOUT, FOUND = ("point", "id", "scenario", "rules"), ("response", "value", "low", "high", "refused", "certified")
"""What rows say before the levels, and after them."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?")
_WHOLE = re.compile(r"[+-]?\d{1,9}")
_EXPECTED = "expected a range such as 5..20 or 5..20:5, or values such as storm,smoke"


class Level(NamedTuple):
    """A level of a factor: what rows say of it, by column, and the values that it sets, by key."""

    said: Mapping[str, Any]
    values: Mapping[str, Any]


class Factor(NamedTuple):
    """What goes through levels: a key, or several together under a name of their own."""

    name: str
    levels: tuple[Level, ...]

    @property
    def keys(self) -> list[str]:
        """What its levels set, in their order."""
        return [*dict.fromkeys(key for level in self.levels for key in level.values)]

    @property
    def columns(self) -> list[str]:
        """What rows say of its levels, in their order."""
        return [*dict.fromkeys(column for level in self.levels for column in level.said)]

    def label(self, level: Level) -> str:
        """Return what one of its levels is called; points that are listed say their keys as well."""
        if self.name in level.said:
            return str(level.said[self.name])
        return " & ".join(f"{key}={value}" for key, value in level.said.items())


class Cell(NamedTuple):
    """A level of each factor."""

    levels: tuple[Level, ...]

    @property
    def said(self) -> dict[str, Any]:
        """What rows say of it, by column."""
        return {column: value for level in self.levels for column, value in level.said.items()}

    @property
    def values(self) -> dict[str, Any]:
        """The values that it sets, by key."""
        return {key: value for level in self.levels for key, value in level.values.items()}


@dataclass(frozen=True)
class Design:
    """All combinations of the levels of factors, which say the scenario and the rules as well."""

    factors: tuple[Factor, ...]

    def __len__(self) -> int:
        return prod(len(factor.levels) for factor in self.factors)

    def __iter__(self) -> Iterator[Cell]:
        return map(Cell, product(*(factor.levels for factor in self.factors)))

    @property
    def columns(self) -> list[str]:
        """The columns of its rows."""
        return [*dict.fromkeys([*ABOUT, *(column for each in self.factors for column in each.columns), *FOUND])]

    @property
    def varied(self) -> list[Factor]:
        """The factors of several levels, but for the rules by themselves."""
        return [each for each in self.factors if len(each.levels) > 1 and each.keys != ["rules"]]

    def where(self, factor: Factor, *levels: Level) -> "Design":
        """Return the same with other levels of a factor."""
        other = Factor(factor.name, levels)
        return Design(tuple(other if each is factor else each for each in self.factors))

    def points(self, how: How) -> Iterator[tuple[Cell, Point | CasemateError]]:
        """Return its cells, each with its design point, or why there is none; they are made as they are asked for.

        Raises:
            CasemateError: If there is no such key, or a level fits in no cell.
        """
        made = _maker(how)
        _judge(self, made)
        return ((cell, made(cell)) for cell in self)


def design(
    factors: Iterable[Factor],
    scenario: str | None = None,
    rules: str | RuleSet | Iterable[str | RuleSet] | None = None,
) -> Design:
    """Return the design of all combinations of some factors.

    >>> len(design([factor("attackers.models", "5..20"), factor("distance", [18, 24])], "farmhouse", "storming"))
    32

    Args:
        scenario: An id, or the path of a file; not given where a factor says it.
        rules: Ids, and paths of house rules, with commas between where they are one text, or ``all``; all rule sets if
            neither this nor a factor says them.

    Raises:
        CasemateError: If a name is unknown, two factors contradict each other, or there are too many points.
    """
    found = list(factors)
    varied = {key for each in found for key in each.keys}
    if rules is not None or "rules" not in varied:
        found.insert(0, factor("rules", rule_sets_of("all" if rules is None else rules)))
    if scenario is not None:
        found.insert(0, factor("scenario", [scenario]))
    elif "scenario" not in varied:
        raise CasemateError(f"there is no scenario; {nearest('', scenario_ids())}")
    _apart(found)
    made = Design(tuple(found))
    refuse_many(len(made))
    return made


def refuse_many(points: int, more: bool = False) -> None:
    """Refuse a design by the number of its points, or of some of its factors, before the others are made.

    Raises:
        CasemateError: If they are too many.
    """
    if points > MOST_POINTS:
        raise CasemateError(f"these are {'at least ' * more}{points:,} points; expected at most {MOST_POINTS:,}")


def factor(name: str, levels: Any, folder: Path = Path()) -> Factor:
    """Return a factor by its levels.

    >>> [level.values for level in factor("distance", "6..12:6").levels]
    [{'distance': 6}, {'distance': 12}]

    Args:
        name: A key as files write it, or ``rules`` or ``scenario``; any name if its levels have names.
        levels (str, mapping, iterable or a single value): As typed, ``5..20``, ``5..20:5`` or ``a,b,c``; or values; or,
            by the name of each level, the values that it sets, by key.
        folder: Where files of scenarios and rules are looked for.

    Raises:
        CasemateError: If there are no levels, one is there twice, or they cannot be read.
    """
    if isinstance(levels, Mapping):
        if name in (*ABOUT, *FOUND):
            raise CasemateError(f"levels with names of their own cannot be called {name}, as rows have that already")
        return _factor(name, (_level(values, folder, {name: str(label)}) for label, values in levels.items()))
    if isinstance(levels, str):
        values: Iterable[Any] = typed_levels(name, levels)
    else:
        values = levels if isinstance(levels, Iterable) else [levels]
    if name in ("rules", "scenario"):
        values = with_all(values, rule_set_ids if name == "rules" else scenario_ids)
    return _factor(name, (_level({name: value}, folder) for value in values))


def points_factor(points: Iterable[Mapping[str, Any]], folder: Path = Path()) -> Factor:
    """Return a factor whose levels are points: the values that each sets, by key.

    Raises:
        CasemateError: If there are none, or one is there twice.
    """
    return _factor("points", (_level(values, folder) for values in points))


def _factor(name: str, levels: Iterable[Level]) -> Factor:
    made = Factor(name, tuple(levels))
    if not made.levels:
        raise CasemateError(f"{name} has no levels; {_EXPECTED}")
    for key in ("scenario", "rules"):
        if len({key in level.values for level in made.levels}) > 1:
            raise CasemateError(f"some levels of {name} set {key} and others do not; expected all or none")
    seen = set[tuple[tuple[str, str], ...]]()
    for level in made.levels:
        said = tuple((key, str(value)) for key, value in level.said.items())  # a point may say 6 of another key
        if said in seen:
            raise CasemateError(f"{name} has the level {made.label(level)} twice")
        seen.add(said)
    return made


def _level(values: Mapping[str, Any], folder: Path, named: Mapping[str, str] | None = None) -> Level:
    """Return a level by the values that it sets, and its name if it has one."""
    if not values:
        raise CasemateError(f"{''.join(named.values()) if named else 'a point'} sets nothing; expected values by key")
    meant, shown = dict[str, Any](), dict[str, Any]()
    for key, value in values.items():
        match undotted(key):
            case ("rules",):
                meant[key] = value if isinstance(value, RuleSet) else rule_set(beside(folder, value))
                shown[key] = meant[key].id
            case ("scenario",):
                meant[key] = beside(folder, value)
                shown[key] = load_scenario(meant[key]).id
            case ("base",):
                raise CasemateError("base cannot be varied, only what is laid over it; vary scenario instead")
            case _:
                meant[key] = _plain(key, value)
                shown[key] = json.dumps(meant[key]) if isinstance(meant[key], list | dict) else meant[key]
    return Level(named or shown, meant)


def beside(folder: Path, name: Any) -> str:
    """Return the name of a scenario or of rules; a file is looked for in a folder."""
    if not isinstance(name, str | Path):
        raise CasemateError(f"expected a scenario or rules by id or file, got {name}")
    return str(folder / name) if str(name).endswith(".toml") else str(name)


def _plain(key: str, value: Any) -> Any:
    """Return a value as files hold it: no number of NumPy's, no tuple."""
    try:
        return json.loads(json.dumps(value, default=lambda other: other.item()))
    except (TypeError, ValueError, AttributeError) as error:
        raise CasemateError(f"{key} cannot be {value!r}; expected a number, a name or a list of them") from error


def typed_levels(key: str, text: str) -> list[Any]:
    """Return levels that a person has typed.

    >>> typed_levels("attackers.models", "5..20:5")
    [5, 10, 15, 20]
    >>> typed_levels("attackers.plan", "storm, smoke")
    ['storm', 'smoke']

    Raises:
        CasemateError: If there are none, or a range is none or too long.
    """
    return [*chain.from_iterable(_typed(key, text))]


def number_of_levels(key: str, text: str) -> int:
    """Return how many levels a person has typed, without making them.

    Raises:
        CasemateError: If there are none, or a range is none or too long.
    """
    return sum(map(len, _typed(key, text)))


def _typed(key: str, text: str) -> list[Sequence[Any]]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise CasemateError(f"{key} has {'nothing beside a comma' if any(parts) else 'no levels'}; {_EXPECTED}")
    values = [_values(key, part) for part in parts]
    if (number := sum(map(len, values))) > MOST_LEVELS:
        raise CasemateError(f"{key}: these are {number:,} levels; expected at most {MOST_LEVELS:,}")
    return values


def _values(key: str, part: str) -> Sequence[Any]:
    if ".." in part and not {"/", "\\"} & {*part}:
        return _range(key, part)
    if _WHOLE.fullmatch(part):
        return [int(part)]
    return [{"true": True, "false": False}.get(part, part)]


def _range(key: str, part: str) -> Sequence[int]:
    match = _RANGE.fullmatch(part)
    first, last, step = (1 if number is None else int(number) for number in match.groups()) if match else (0, 0, 0)
    if last < first or not step:
        expected = "the lowest level first and a step of at least 1, as in 5..20 or 5..20:5"
        raise CasemateError(f"{key}: {part} is no range; expected {expected}")
    return range(first, last + 1, step)


def _apart(factors: Sequence[Factor]) -> None:
    """See that no two factors set the same, or one a part of what the other sets, or go by the same name."""
    if (number := sum(len(each.keys) for each in factors)) > MOST_KEYS:
        raise CasemateError(f"{number:,} keys are set; expected at most {MOST_KEYS:,}")
    setting, columns = dict[tuple[str, ...], Factor](), set[str]()
    for each in factors:
        for key in each.keys:
            parts = undotted(key)
            for before, other in setting.items():
                few = min(len(parts), len(before))
                if other is not each and parts[:few] == before[:few]:
                    raise CasemateError(_contradiction((dotted(before), key), (other.name, each.name)))
            setting[parts] = each
        if shared := columns.intersection(each.columns):
            raise CasemateError(f"two factors are called {min(shared)}; expected names of their own")
        columns.update(each.columns)


def _contradiction(keys: tuple[str, str], by: tuple[str, str]) -> str:
    if len({*keys}) > 1:
        outer, inner = sorted(keys, key=len)
        return f"{inner} stands in {outer}, and both are given; expected one of the two"
    if len({*by}) > 1:
        return f"{keys[0]} is set by both {by[0]} and {by[1]}; expected one of the two"
    return f"{keys[0]} is given twice; expected all its levels at once"


class _LackingError(CasemateError):
    """Rules lack a key."""


Made = Callable[[Cell], Point | CasemateError]


def _maker(how: How) -> Made:
    """Return what makes the design point of a cell, or says why there is none."""

    @lru_cache(MOST_GAMES)
    def game(name: str, values: str) -> Any:  # the same under all rules, and takes its time
        return load_scenario(name, json.loads(values))

    def made(cell: Cell) -> Point | CasemateError:
        values = cell.values
        rules, name = values.pop("rules"), values.pop("scenario")
        of_book = {key: value for key, value in values.items() if of_rules(key)}
        try:
            if lacking := [key for key in of_book if key not in rules.leaves]:
                raise _LackingError(f"{rules.id} has no {lacking[0]}")
            scenario = game(name, json.dumps(but_best({key: values[key] for key in values if key not in of_book})))
            return Point(rules.with_values(of_book), scenario, plans_of(scenario, values), how, values)
        except CasemateError as error:
            return error

    return made


def _judge(of: Design, made: Made) -> None:
    """Refuse keys that no rules have, and levels that fit in no cell: which, and why."""
    sets = [level.values["rules"] for each in of.factors for level in each.levels if "rules" in level.values]
    for key in (key for each in of.factors for key in each.keys if of_rules(key)):
        rule_sets_with(sets, key)
    tries = iter(range(MOST_TRIES))

    def by_itself(part: Design, level: Level) -> CasemateError | None:
        why = made(next(iter(part)))
        return why if isinstance(why, CasemateError) and _hopeless(why, level) else None

    def anywhere(part: Design, level: Level) -> CasemateError | None:
        return _unfit(part, level, made, tries)

    for look in (by_itself, anywhere):
        _refuse([(each, _refused(of, each, look)) for each in of.factors])


Look = Callable[[Design, Level], CasemateError | None]


def _refused(of: Design, factor: Factor, look: Look) -> dict[str, CasemateError]:
    """Return the levels of a factor that fit nowhere, by label, and why; the first of very many."""
    whys = ((factor.label(level), look(of.where(factor, level), level)) for level in factor.levels)
    return dict(islice(((label, why) for label, why in whys if why), MOST_UNFIT))


def _refuse(found: Iterable[tuple[Factor, dict[str, CasemateError]]]) -> None:
    unfit = [(each, refused) for each, refused in found if refused]
    if unfit:  # where one factor fits nowhere, no level of the others does: the one that the reason speaks of is told
        each, refused = min(unfit, key=lambda pair: not any(key in str([*pair[1].values()]) for key in pair[0].keys))
        labels, why = [*refused], next(iter(refused.values()))
        number = f"{len(labels)} in all" if len(labels) < MOST_UNFIT else f"{MOST_UNFIT} and more"
        more = f", ... ({number})" if len(labels) > MOST_NAMED else ""
        if len(labels) == len(each.levels):
            raise why
        which = f"{each.name} cannot be {', '.join(labels[:MOST_NAMED])}{more}"
        raise CasemateError(f"{which}: {str(why).removeprefix(f'{each.name}: ')}")


def _unfit(part: Design, level: Level, made: Made, tries: Iterator[int]) -> CasemateError | None:
    """Return why no cell of a part of a design has a point.

    None if one has, or these rules alone lack a key, or there are no more tries.
    """
    why: CasemateError | None = None
    for cell in part:
        if next(tries, None) is None:
            return None
        match made(cell):
            case Point():
                return None
            case error if why is None or (isinstance(why, _LackingError) and not isinstance(error, _LackingError)):
                why = error
    return None if isinstance(why, _LackingError) and "rules" in level.values else why


def _hopeless(error: CasemateError, level: Level) -> bool:
    """Return whether it is a value of the level by itself that is refused, whatever the other factors are."""
    faults = error.whole.splitlines()
    return any(
        fault.startswith(f"{key}: ") and (of_rules(key) or isinstance(error, UnfitError))
        for key in level.values
        for fault in faults
    )

"""What the books leave to the players, fixed once for all rule sets: who attacks what, from where, how.

Files name units, weapons and buildings by id; `load_scenario` finds them, in the file itself first and then in
``sims/data``. Rule sets read a `Scenario` and translate it into their own terms.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from sims.errors import CasemateError, nearest
from sims.ground import WIDEST, Band, Bands, Formation, Wall, Walls
from sims.profiles import MOST_MODELS, Building, Count, Inches, Unit, Weapon, library
from sims.reading import MOST_BASES, Key, Source, Strict, error_in, nested, parse, read, validate

Side = Literal["attackers", "defenders"]

AttackPlan = Literal["storm", "demolish", "shoot", "smoke"]
"""Go in as soon as the rules allow; bring the walls down, and storm with those who cannot; stay off and shoot at the
garrison; stay off and drive it out with fire, templates and grenades."""

DefencePlan = Literal["hold", "sally"]
"""Stay inside; come out and charge as soon as a charge can reach the attackers, and fight on in the open."""

Deployment = Literal["spread", "doors", "top", "gives ground"] | Annotated[int, Field(ge=0, le=MOST_MODELS)]
"""Evenly over the building; as many by the ways in as have room; nobody there, as far as the rest has room; by the ways
in, and a level up before attackers can charge; so many by the ways in, as far as each has room, and the others evenly
over what is behind."""

Posts = dict[str, Annotated[int, Field(ge=0, le=MOST_MODELS)]]
"""How many stand in each section of a building, by its name."""

FirstIn = Literal["leader", "ordinary", "idle"]
"""Who of the attackers goes in before the others: the leader, ordinary models, or who cannot hurt the walls."""

Arms = Literal["own", "ordinary", "no support", "grenades", "grenades and templates"]
"""What a side takes along: its own; all carry what the ordinary models do, and nobody grenades against armour; for the
support of others nothing, assault grenades for everybody, or those and its template weapons."""

MOST_CHANGES = 3
"""How many changes the title of a changed scenario names."""

T = TypeVar("T")


class Special(Strict):
    """Some models of a unit with a weapon of their own; if `unit` says so they are other models than the rest."""

    count: Count = 1
    unit: str | None = None
    weapon: str
    melee: str | None = None


EDGE = 12
"""Inches from where the attackers begin to their table edge, where nothing is said of it."""
MOST_EDGE = 72
"""The most that can be said of it: the length of a table."""


class Leader(Strict):
    """One model that leads, with a profile of its own."""

    unit: str
    weapon: str | None = None
    melee: str | None = None


class SideFile(Strict):
    """One side as a scenario file gives it; `models` counts every model, leader and specials included.

    `arms` stands in for what is written beside it, for the sake of a comparison; without it a side has its own. Without
    a `formation` it stands as each book has it.
    """

    unit: str
    models: Count
    weapon: str
    melee: str | None = None
    specials: Annotated[tuple[Special, ...], Field(strict=False)] = ()
    leader: Leader | None = None
    arms: Arms | None = None
    formation: Formation | None = None


class AttackersFile(SideFile):
    """The attackers, and what they mean to do.

    `send` is how many go in by each door, and `first_in` who goes first. The attackers choose what is left open, where
    the rules let them.
    """

    plan: AttackPlan = "storm"
    send: Annotated[int, Field(ge=1, le=MOST_MODELS)] | None = None
    first_in: FirstIn | None = None


class DefendersFile(SideFile):
    """The garrison, what it means to do, and where in the building it stands, evenly if there is no `deployment`."""

    plan: DefencePlan = "hold"
    deployment: Deployment | Posts | None = None


class ScenarioFile(Strict):
    """A scenario as its file gives it; what it does not say stands in its base, if it has one.

    But for the story: that of the base would tell of forces and a building that may be others here. Without a title of
    its own it is called by that of its base and by what it changes.
    """

    base: str | None = None
    title: str
    story: str = ""
    distance: Inches
    turns: Annotated[int, Field(ge=1, le=20)] = 6
    first: Side = "attackers"
    edge: Annotated[int, Field(ge=0, le=MOST_EDGE)] | None = None
    attackers: AttackersFile
    defenders: DefendersFile
    building: str | Building
    walls: Walls = ()
    bands: Bands = ()
    units: dict[str, Unit] = Field(default_factory=dict)
    weapons: dict[str, Weapon] = Field(default_factory=dict)
    buildings: dict[str, Building] = Field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """Models of a unit that are alike: profile, weapons, and how many at the start; `leads` is so of the leader."""

    profile: Unit
    weapon: Weapon | None
    melee: Weapon | None
    count: int
    leads: bool = False

    @property
    def title(self) -> str:
        """Who they are, and with what."""
        arms = " and ".join(weapon.title for weapon in (self.weapon, self.melee) if weapon)
        return f"{self.profile.title}{arms and ' with '}{arms}"

    @property
    def two_weapons(self) -> bool:
        """Whether each model fights with two one-handed weapons, such as a pistol and a sword."""
        return all(arm is not None and arm.for_one_hand for arm in (self.weapon, self.melee))


@dataclass(frozen=True)
class Body:
    """Models of a force that fall alike: those with one Toughness, one number of Wounds and the same saves.

    Attributes:
        profile: Of the last group of them.
        groups: Which of `Force.groups` they are.
    """

    profile: Unit
    groups: tuple[int, ...]


@dataclass(frozen=True)
class Force:
    """One side: the models of one unit, those that fall last first (leader, specials, the rest)."""

    unit: Unit
    groups: tuple[Group, ...]
    formation: Formation | None = None

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Those who fall alike, in the order of the groups, ordinary models, if any, last; one body if all do."""
        by_fall: dict[tuple[int | None, ...], list[int]] = {}
        for i, group in enumerate(self.groups):
            by_fall.setdefault(group.profile.falls, []).append(i)
        order = sorted(by_fall.items(), key=lambda body: body[0] == self.unit.falls)
        return tuple(Body(self.groups[groups[-1]].profile, tuple(groups)) for _, groups in order)

    @cached_property
    def mixed(self) -> bool:
        """Whether not all models fall as its ordinary ones do."""
        return any(body.profile.falls != self.unit.falls for body in self.bodies)

    @property
    def models(self) -> int:
        """How many at the start."""
        return sum(group.count for group in self.groups)

    @property
    def places(self) -> int:
        """How many places they take inside at the start: bulky models take several (BASE-060)."""
        return sum(group.count * group.profile.bulk for group in self.groups)

    @property
    def Ld(self) -> int:
        """The best Leadership in the unit while its leader stands."""
        return max(group.profile.Ld for group in self.groups)

    @property
    def guns(self) -> tuple[Weapon, ...]:
        """The weapons they carry that are not for close combat, each once."""
        carried = (group.weapon for group in self.groups if group.weapon and group.weapon.kind != "melee")
        return tuple(dict.fromkeys(carried))


@dataclass(frozen=True)
class Scenario:
    """One assault, before any rule set has looked at it.

    Attributes:
        distance: Inches between the attackers and the building at the start.
        turns: The turn limit; a turn is a player turn of each side.
        first: Which side has the first player turn.
        plan, defence: What each side means to do.
        send, first_in: How many of the attackers go in by each door, and who first; None where that is left open.
        mounted: The weapons mounted on the building.
        deployment: Where in the building the garrison stands, or how many in each section by its name; None if nothing
            is said of it, and it is spread evenly.
        walls, bands: What lies between the building and where the attackers begin.
        edge: Inches from where the attackers begin to their table edge; None if nothing is said of it.
        may_change: Either side may mean to do something else later: a state keeps what any plan would need, not these
            alone.
        one_of_several: It begins as one of several with other numbers of ordinary models: a state keeps how many there
            were.
        given: What says all this, for errors to name file and line.
    """

    id: str
    title: str
    story: str
    distance: int
    turns: int
    first: Side
    attackers: Force
    defenders: Force
    plan: AttackPlan
    defence: DefencePlan
    building: Building
    mounted: tuple[Weapon, ...]
    send: int | None = None
    first_in: FirstIn | None = None
    deployment: Deployment | tuple[tuple[str, int], ...] | None = None
    walls: tuple[Wall, ...] = ()
    bands: tuple[Band, ...] = ()
    edge: int | None = None
    may_change: bool = False
    one_of_several: bool = False
    given: tuple[Source, ...] = field(default=(Source("", "", {}),), compare=False, repr=False)

    def error(self, key: Key, message: str) -> CasemateError:
        """Return the error to raise about a key that some rules cannot play."""
        return error_in(self.given, key, message)

    def unread(self, *keys: Literal["send", "first_in"]) -> list[str]:
        """Return those of some keys of the attackers that are given, for rules that have no use for them to say so."""
        return [f"attackers.{key}, which is not used" for key in keys if getattr(self, key) is not None]

    @property
    def table_edge(self) -> int:
        """Inches from the building to the attackers' table edge."""
        return self.distance + (EDGE if self.edge is None else self.edge)

    @property
    def ground(self) -> list[str]:
        """What is given of the ground and of how units stand, by key, for rules that do not know it to say so."""
        given = {
            "walls": self.walls,
            "bands": self.bands,
            "edge": self.edge,
            "attackers.formation": self.attackers.formation,
            "defenders.formation": self.defenders.formation,
            "defenders.deployment": self.deployment,
        }
        return [key for key, value in given.items() if value not in (None, ())]

    def move_as_others(self) -> Iterator[str]:
        """Yield the moves of leaders that change nothing, for rules that let a unit move together."""
        for whose, force in (("attackers'", self.attackers), ("garrison's", self.defenders)):
            for own in (group.profile for group in force.groups[:-1]):
                if own.move != (others := force.unit).move:
                    yield f"a move of {own.move} inches of the {whose} {own.title} (who moves as a {others.title} does)"

    @property
    def may_sally(self) -> bool:
        """Whether the garrison may come out some time: by its plan, or by one that it may take up later."""
        return self.defence == "sally" or self.may_change


def scenario_ids() -> list[str]:
    """Return the ids of the scenarios that come with Casemate."""
    folder = files("sims") / "data/scenarios"
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))


def load_scenario(name: str | Path | Scenario, changes: dict[str, Any] | None = None) -> Scenario:
    """Load a scenario by its id, or from a file, with some of its values changed.

    What is a `Scenario` already is returned as it is, where nothing is to change.

    >>> load_scenario("farmhouse", {"attackers.models": 12, "building.doors": 1}).attackers.models
    12

    Args:
        name: An id from `scenario_ids`, or the path of a TOML file.
        changes: Values to change, by the keys that files write.

    Raises:
        CasemateError: If there is no such scenario, or its file does not fit.
    """
    if isinstance(name, Scenario) and not changes:
        return name
    source = _named(name)
    return build(source, Path(source.name).stem, changes)


def written(name: str | Path) -> dict[str, Any]:
    """Return a scenario as a file would have it that leans on no other: whom and what it names is written out.

    Raises:
        CasemateError: If there is no such scenario, or its file does not fit.
    """
    given, sources = _given(_named(name), None)
    return _Shelf(sources, given).written_out(given)


def _named(name: Any) -> Source:
    if not isinstance(name, str | Path):
        what = "one that has been read" if isinstance(name, Scenario) else repr(name)
        raise CasemateError(f"expected the name of a scenario or the path of its file, got {what}")
    name = str(name)
    source = _source(name)
    if source is None:
        raise CasemateError(f'there is no scenario "{name}"; {nearest(name, scenario_ids())}')
    return source


def _source(name: str, folder: Path = Path()) -> Source | None:
    """Return the file of a scenario that is given by its id or its path; None if there is none."""
    if source := _shipped(name):
        return source
    path = folder / name
    return read(path) if path.suffix == ".toml" or path.is_file() else None


@cache
def _shipped(name: str) -> Source | None:
    """Return the file of a scenario that comes with Casemate; None if there is none of that name."""
    if name not in scenario_ids():
        return None
    return parse(f"{name}.toml", (files("sims") / f"data/scenarios/{name}.toml").read_text("utf-8"))


def build(source: Source, id: str, changes: dict[str, Any] | None = None) -> Scenario:
    """Turn a scenario file, laid over its base if it names one, into a scenario.

    Raises:
        CasemateError: If a key, a value or a name does not fit.
    """
    given, sources = _given(source, changes)
    shelf = _Shelf(sources, given)
    building = shelf.building(given.building)
    scenario = Scenario(
        id=id,
        title=given.title,
        story=given.story,
        distance=given.distance,
        turns=given.turns,
        first=given.first,
        attackers=shelf.force("attackers", given.attackers),
        defenders=shelf.force("defenders", given.defenders),
        plan=given.attackers.plan,
        defence=given.defenders.plan,
        building=building,
        mounted=tuple(shelf.weapon(w, "building", "weapons", i) for i, w in enumerate(building.weapons)),
        send=given.attackers.send,
        first_in=given.attackers.first_in,
        deployment=tuple(where.items()) if isinstance(where := given.defenders.deployment, dict) else where,
        walls=given.walls,
        bands=given.bands,
        edge=given.edge,
        given=tuple(sources),
    )
    if scenario.defenders.places > building.capacity:
        message = f"expected at most {building.capacity} ({building.title}), got {_places(scenario.defenders)}"
        raise error_in(sources, ("defenders", "models"), message)
    for i, band in enumerate(scenario.bands):
        if band.near > scenario.table_edge and "distance" not in (changes or {}):
            ends = f"which ends {scenario.table_edge} inches off the building"
            message = f"expected a band on the table, {ends}; it begins at {band.near}"
            raise error_in(sources, ("bands", i), message)
    return scenario


def _given(source: Source, changes: dict[str, Any] | None) -> tuple[ScenarioFile, list[Source]]:
    """Return what a file says, laid over its base and changed, and what says it."""
    sources = _with_bases(source)
    data: dict[str, Any] = {}
    changed: dict[str, str] = {}
    for each in reversed(sources):
        under = _with_building(data, each.data)
        changed = {} if "title" in each.data else changed | dict(_changes(under, each.data))
        data = _merged(under | {"story": ""}, each.data)
    if changed and isinstance(data.get("title"), str):
        data["title"] = f"{data['title']}, changed: {_listed([*changed.values()])}"
    if changes:
        given = Source("", "", nested(changes))
        under = _with_building(_with_named(data, given.data), given.data)
        data, sources = _merged(under, given.data), [given, *sources]
    return validate(ScenarioFile, data, sources), sources


def _places(force: Force) -> str:
    return f"{force.models}" if force.places == force.models else f"{force.models}, who take {force.places} places"


class _Shelf:
    """Where the names in a scenario file are looked up: among those it brings itself, and in ``sims/data``."""

    def __init__(self, sources: Sequence[Source], given: ScenarioFile) -> None:
        ours = library()
        self._sources = sources
        self._units = ours.units | given.units
        self._weapons = ours.weapons | given.weapons
        self._buildings = ours.buildings | given.buildings

    def _find(self, kind: str, among: Mapping[str, T], name: str, *key: str | int) -> T:
        if name not in among:
            raise error_in(self._sources, key, f'unknown {kind} "{name}"; {nearest(name, among)}')
        return among[name]

    def building(self, named: str | Building) -> Building:
        """Return a building: the one of that name, or the one written out."""
        return named if isinstance(named, Building) else self._find("building", self._buildings, named, "building")

    def written_out(self, given: ScenarioFile) -> dict[str, Any]:
        """Return a file with all that it names."""
        sides = (given.attackers, given.defenders)
        bearers = [part for side in sides for part in (side, side.leader, *side.specials) if part]
        building = self.building(given.building)
        arms = [name for part in bearers for name in (part.weapon, part.melee) if name] + [*building.weapons]
        units = dict.fromkeys(part.unit for part in bearers if part.unit is not None)
        return given.model_dump(exclude={"base", "buildings"}) | {
            "building": building.written,
            "units": {name: self._units[name].written for name in units},
            "weapons": {name: self._weapons[name].written for name in dict.fromkeys(arms)},
        }

    def weapon(self, name: str, *key: str | int) -> Weapon:
        """Return the weapon that a key names."""
        return self._find("weapon", self._weapons, name, *key)

    def force(self, key: str, side: SideFile) -> Force:
        """Return one side: its leader, its specials, the rest."""
        unit = self._find("unit", self._units, side.unit, key, "unit")
        groups = []
        if side.leader:
            profile = self._find("unit", self._units, side.leader.unit, key, "leader", "unit")
            groups.append(replace(self._group(profile, side.leader, 1, key, "leader"), leads=True))
        specials = () if side.arms == "ordinary" else side.specials
        for i, special in enumerate(specials):
            other = special.unit
            profile = self._find("unit", self._units, other, key, "specials", i, "unit") if other else unit
            groups.append(self._group(profile, special, special.count, key, "specials", i))
        named = sum(group.count for group in groups)
        if named > side.models:
            message = f"expected at least {named} (leader and specials), got {side.models}"
            raise error_in(self._sources, (key, "models"), message)
        if named < side.models:
            groups.append(self._group(unit, side, side.models - named, key))
        match side.arms:
            case None | "own":
                pass
            case "ordinary":
                ordinary = self._group(unit, side, 1, key)
                groups = [_plain(group, ordinary) for group in groups]
            case support:
                groups = [_supporting(group, support) for group in groups]
        if side.formation and (deep := side.formation.deep(side.models)) > WIDEST:
            message = f"expected {WIDEST} inches from the first rank to the last at most, got {deep:g}"
            raise error_in(self._sources, (key, "formation"), message)
        return Force(unit, tuple(groups), side.formation)

    def _group(self, profile: Unit, arms: SideFile | Special | Leader, count: int, *key: str | int) -> Group:
        weapon = None if arms.weapon is None else self.weapon(arms.weapon, *key, "weapon")
        melee = None if arms.melee is None else self.weapon(arms.melee, *key, "melee")
        return Group(profile, weapon, melee, count)


def _plain(group: Group, ordinary: Group) -> Group:
    """Return models who carry what the ordinary ones do, and no grenades against armour."""
    grenades = tuple(g for g in group.profile.grenades if g != "krak")
    return replace(_throwing(group, grenades), weapon=ordinary.weapon, melee=ordinary.melee)


def _supporting(group: Group, support: Arms) -> Group:
    """Return models with what they may use in support: nothing, assault grenades, or template weapons as well."""
    others = tuple(g for g in group.profile.grenades if g != "assault")
    thrown = others if support == "no support" else ("assault", *others)
    laid_down = support != "grenades and templates" and group.weapon is not None and group.weapon.kind == "template"
    return replace(_throwing(group, thrown), weapon=None if laid_down else group.weapon)


def _throwing(group: Group, grenades: tuple[str, ...]) -> Group:
    return replace(group, profile=group.profile.model_copy(update={"grenades": grenades}))


def _with_bases(source: Source) -> list[Source]:
    """Return a file, the base that it names, and the base of that."""
    found = [source]
    while (name := found[-1].data.get("base")) is not None:
        last = found[-1]
        base = _source(name, Path(last.name).parent) if isinstance(name, str) else None
        if base is None:
            raise last.error(("base",), f'there is no scenario "{name}"; {nearest(str(name), scenario_ids())}')
        if base.name in {each.name for each in found}:
            raise last.error(("base",), f'"{name}" starts from this scenario itself')
        if len(found) > MOST_BASES:
            raise last.error(("base",), f"more than {MOST_BASES} scenarios start from each other")
        found.append(base)
    return found


def _changes(under: dict[str, Any], over: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key that a file changes, and how a title says so: of the building without its table."""
    for name, value in over.items():
        key, below = f"{above}{name}", under.get(name)
        said = key.removeprefix("building.")
        if value == below or key in ("base", "story"):
            continue
        match value:
            case {"title": str(title)}:
                yield key, f"{said} {title}"
            case dict():
                yield from _changes(below if isinstance(below, dict) else {}, value, f"{key}.")
            case list():
                yield key, said
            case bool():
                yield key, f"{said} {str(value).lower()}"
            case _:
                yield key, f"{said} {value}"


def _listed(changes: Sequence[str]) -> str:
    """Return the first changes, and how many more there are."""
    more = f" and {len(changes) - MOST_CHANGES} more" if len(changes) > MOST_CHANGES else ""
    return ", ".join(changes[:MOST_CHANGES]) + more


def _with_building(data: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario's data with the building written out that it names, where what is laid over changes parts."""
    if not isinstance(over.get("building"), dict):
        return data
    name, own, ours = data.get("building"), data.get("buildings", {}) | over.get("buildings", {}), library().buildings
    if not isinstance(name, str) or name not in {*own, *ours}:
        return data
    return data | {"building": own[name] if name in own else ours[name].written}


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _with_named(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario's data with what it only names written out, where parts of that change."""
    for shelf, profiles in library():
        known, asked = data.get(shelf, {}), changes.get(shelf, {})
        for name in asked if isinstance(asked, dict) else ():
            if name not in known and name in profiles:
                data = data | {shelf: data.get(shelf, {}) | {name: profiles[name].written}}
            elif name not in known and isinstance(asked[name], dict) and "title" not in asked[name]:
                raise CasemateError(f'{shelf}: there is no "{name}"; {nearest(name, {*known, *profiles})}')
    return data

"""What the books leave to the players, fixed once for all rule sets: who attacks what, from where, how.

Files name units, weapons and buildings by id; `load_scenario` finds them, in the file itself first and then in
``sims/data``. Rule sets read a `Scenario` and translate it into their own terms.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sims.dice import Ints
from sims.errors import CasemateError, nearest
from sims.reading import Names, Source, Strict, parse, read, validate

Characteristic = Annotated[int, Field(ge=0, le=10)]
Goal = Annotated[int, Field(ge=2, le=6)]
Inches = Annotated[int, Field(ge=0, le=120)]
Count = Annotated[int, Field(ge=1, le=60)]

AttackPlan = Literal["storm", "demolish", "shoot"]
"""Go in as soon as the rules allow; bring the walls down; stay off and shoot."""
DefencePlan = Literal["hold"]
Material = Literal["wattle", "wood", "metal", "brick", "stone", "concrete", "armour"]
Kind = Literal["pistol", "assault", "rapid fire", "heavy", "template", "blast", "melee"]


class Weapon(Strict):
    """A weapon, as on its profile.

    Attributes
    ----------
    title : str
    kind : str
        How it is used: pistol, assault, rapid fire, heavy, template, blast or melee.
    range : int
        Inches; 0 for melee.
    S : int, optional
        Strength; None for the bearer's own.
    S_bonus : int
        Added to the bearer's Strength.
    AP : int, optional
        Armour piercing 1 to 6; None for '-'.
    shots : int
    blast : int
        Diameter of its marker in inches; 0 for none.
    save_modifier : int
        What it takes off a saving throw where saves are modified instead of pierced.
    twin_linked, melta, flaming, pinning : bool
    """

    title: str
    kind: Kind
    range: Inches = 0
    S: Annotated[int, Field(ge=1, le=10)] | None = None
    S_bonus: Annotated[int, Field(ge=0, le=10)] = 0
    AP: Annotated[int, Field(ge=1, le=6)] | None = None
    shots: Annotated[int, Field(ge=1, le=12)] = 1
    blast: Literal[0, 3, 5] = 0
    save_modifier: Annotated[int, Field(ge=0, le=6)] = 0
    twin_linked: bool = False
    melta: bool = False
    flaming: bool = False
    pinning: bool = False

    def strength(self, bearer: "Unit") -> int:
        """Return the Strength of its attacks in the hands of a bearer."""
        return (bearer.S if self.S is None else self.S) + self.S_bonus


class Unit(Strict):
    """The profile of a kind of model. Sv and invulnerable are goals (3 for 3+), None for no save; move is in inches."""

    title: str
    WS: Characteristic
    BS: Characteristic
    S: Characteristic
    T: Annotated[int, Field(ge=1, le=10)]
    W: Annotated[int, Field(ge=1, le=10)] = 1
    I: Characteristic  # noqa: E741  # the name on every profile
    A: Characteristic
    Ld: Annotated[int, Field(ge=2, le=10)]
    Sv: Goal | None = None
    invulnerable: Goal | None = None
    move: Annotated[int, Field(ge=1, le=12)] = 4
    size: Annotated[int, Field(ge=1, le=4)] = 2
    bulk: Literal[1, 2, 3, 5] = 1
    kind: Literal["infantry", "jump infantry"] = "infantry"
    grenades: Annotated[tuple[Literal["assault", "krak"], ...], Field(strict=False)] = ()


class Building(Strict):
    """A building as it stands on the table.

    Attributes
    ----------
    title : str
    archetype : str
        hut, house, stone house, bunker, bastion or keep: rule sets look up their own terms by it.
    footprint : tuple of int
        Length and width in inches.
    levels : int
    material : str
    military : bool
        Built to be defended: armoured walls, shutters.
    doors : int
        Doors that attackers can reach; `door` says how wide they are.
    windows : int
        Windows or holes that a model can climb through, within the attackers' reach.
    firing_points : int
        Models that can fire out at one target.
    firing_inches : int
        Inches of wall or slot facing the attackers.
    capacity : int
        Models that fit inside.
    weapons : tuple of str
        Ids of the weapons mounted on it.
    battlements : bool
    """

    title: str
    archetype: Literal["hut", "house", "stone house", "bunker", "bastion", "keep"]
    footprint: Annotated[tuple[Inches, Inches], Field(strict=False)]
    levels: Annotated[int, Field(ge=1, le=6)] = 1
    material: Material
    military: bool = False
    doors: Annotated[int, Field(ge=0, le=12)] = 1
    door: Literal["single", "double", "barn"] = "single"
    windows: Annotated[int, Field(ge=0, le=40)] = 0
    firing_points: Annotated[int, Field(ge=0, le=40)] = 0
    firing_inches: Annotated[int, Field(ge=0, le=60)] = 0
    capacity: Count
    weapons: Names = ()
    battlements: bool = False


class Special(Strict):
    """Some models of a unit with a weapon of their own."""

    count: Count = 1
    weapon: str
    melee: str | None = None


class Leader(Strict):
    """One model that leads, with a profile of its own."""

    unit: str
    weapon: str | None = None
    melee: str | None = None


class SideFile(Strict):
    """One side as a scenario file gives it; `models` counts every model, leader and specials included."""

    unit: str
    models: Count
    weapon: str
    melee: str | None = None
    specials: Annotated[tuple[Special, ...], Field(strict=False)] = ()
    leader: Leader | None = None


class AttackersFile(SideFile):
    """The attackers, and what they mean to do."""

    plan: AttackPlan = "storm"


class DefendersFile(SideFile):
    """The garrison, and what it means to do."""

    plan: DefencePlan = "hold"


class ScenarioFile(Strict):
    """A scenario as its file gives it."""

    title: str
    story: str = ""
    distance: Inches
    turns: Annotated[int, Field(ge=1, le=20)] = 6
    first: Literal["attackers", "defenders"] = "attackers"
    attackers: AttackersFile
    defenders: DefendersFile
    building: str | Building
    units: dict[str, Unit] = Field(default_factory=dict)
    weapons: dict[str, Weapon] = Field(default_factory=dict)
    buildings: dict[str, Building] = Field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """Models of a unit that are alike: profile, weapons, and how many at the start."""

    profile: Unit
    weapon: Weapon | None
    melee: Weapon | None
    count: int


@dataclass(frozen=True)
class Force:
    """One side: the models of one unit, those that fall last first (leader, specials, the rest)."""

    unit: Unit
    groups: tuple[Group, ...]

    @property
    def models(self) -> int:
        """How many at the start."""
        return sum(group.count for group in self.groups)

    @property
    def Ld(self) -> int:
        """The best Leadership in the unit while its leader stands."""
        return max(group.profile.Ld for group in self.groups)

    def standing(self, models: Ints) -> tuple[Ints, ...]:
        """Return how many of each group are left of `models`; the owner removes ordinary models first."""
        left, counts = models, []
        for group in self.groups:
            counts.append(np.minimum(left, group.count))
            left = left - counts[-1]
        return tuple(counts)


@dataclass(frozen=True)
class Scenario:
    """One assault, before any rule set has looked at it.

    Attributes
    ----------
    id, title, story : str
    distance : int
        Inches between the attackers and the building at the start.
    turns : int
        The turn limit; a turn is a player turn of each side.
    first : str
        Which side has the first player turn.
    attackers, defenders : Force
    plan, defence : str
        What each side means to do.
    building : Building
    mounted : tuple of Weapon
        The weapons mounted on the building.
    """

    id: str
    title: str
    story: str
    distance: int
    turns: int
    first: Literal["attackers", "defenders"]
    attackers: Force
    defenders: Force
    plan: AttackPlan
    defence: DefencePlan
    building: Building
    mounted: tuple[Weapon, ...]


class _Library(Strict):
    units: dict[str, Unit]
    weapons: dict[str, Weapon]
    buildings: dict[str, Building]


@cache
def library() -> _Library:
    """Return the units, weapons and buildings that come with Casemate."""
    sources = {
        name: parse(f"sims/data/{name}.toml", (files("sims") / f"data/{name}.toml").read_text("utf-8"))
        for name in ("units", "weapons", "buildings")
    }
    return validate(_Library, {name: s.data for name, s in sources.items()}, list(sources.values()))


def scenario_ids() -> list[str]:
    """Return the ids of the scenarios that come with Casemate."""
    folder = files("sims") / "data/scenarios"
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))


def load_scenario(name: str, changes: dict[str, Any] | None = None) -> Scenario:
    """Load a scenario by its id, or from a file.

    Parameters
    ----------
    name : str
        An id from `scenario_ids`, or the path of a TOML file.
    changes : dict, optional
        Values to change, by dotted key: ``{"attackers.models": 12}``.

    Raises
    ------
    CasemateError
        If there is no such scenario, or its file does not fit.
    """
    if name in scenario_ids():
        file = files("sims") / f"data/scenarios/{name}.toml"
        return build(parse(f"{name}.toml", file.read_text("utf-8")), name, changes)
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        return build(read(path), path.stem, changes)
    raise CasemateError(f'there is no scenario "{name}"; {nearest(name, scenario_ids())}')


def build(source: Source, id: str, changes: dict[str, Any] | None = None) -> Scenario:
    """Turn a scenario file into a scenario.

    Raises
    ------
    CasemateError
        If a key, a value or a name does not fit.
    """
    data = _changed(source.data, changes or {})
    given = validate(ScenarioFile, data, [source])
    shelf = library()
    units, weapons = shelf.units | given.units, shelf.weapons | given.weapons
    buildings = shelf.buildings | given.buildings

    def find(kind: str, among: dict[str, Any], name: str, *key: str | int) -> Any:
        if name not in among:
            raise source.error(key, f'unknown {kind} "{name}"; {nearest(name, among)}')
        return among[name]

    def arm(name: str | None, *key: str | int) -> Weapon | None:
        return None if name is None else find("weapon", weapons, name, *key)

    def force(key: str, side: SideFile) -> Force:
        unit = find("unit", units, side.unit, key, "unit")
        groups = []
        if side.leader:
            profile = find("unit", units, side.leader.unit, key, "leader", "unit")
            weapon = arm(side.leader.weapon, key, "leader", "weapon")
            groups.append(Group(profile, weapon, arm(side.leader.melee, key, "leader", "melee"), 1))
        for i, s in enumerate(side.specials):
            weapon = arm(s.weapon, key, "specials", i, "weapon")
            groups.append(Group(unit, weapon, arm(s.melee, key, "specials", i, "melee"), s.count))
        rest = side.models - sum(g.count for g in groups)
        if rest < 0:
            taken = side.models - rest
            raise source.error((key, "models"), f"expected at least {taken} (leader and specials), got {side.models}")
        plain = Group(unit, arm(side.weapon, key, "weapon"), arm(side.melee, key, "melee"), rest)
        return Force(unit, (*groups, plain) if rest else tuple(groups))

    named = given.building
    building: Building = find("building", buildings, named, "building") if isinstance(named, str) else named
    mounted = tuple(find("weapon", weapons, w, "building", "weapons", i) for i, w in enumerate(building.weapons))
    scenario = Scenario(
        id,
        given.title,
        given.story,
        given.distance,
        given.turns,
        given.first,
        force("attackers", given.attackers),
        force("defenders", given.defenders),
        given.attackers.plan,
        given.defenders.plan,
        building,
        mounted,
    )
    if scenario.defenders.models > building.capacity:
        message = f"expected at most {building.capacity} ({building.title}), got {scenario.defenders.models}"
        raise source.error(("defenders", "models"), message)
    return scenario


def _changed(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    for key, value in changes.items():
        head, _, rest = key.partition(".")
        table = data.get(head)
        inner = _changed(table if isinstance(table, dict) else {}, {rest: value}) if rest else value
        data = data | {head: inner}
    return data

"""The profiles that scenarios name: units, weapons and buildings, as they stand in ``sims/data`` or a scenario file."""

from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field

from sims.reading import Names, Strict, parse, validate

Characteristic = Annotated[int, Field(ge=0, le=10)]
Goal = Annotated[int, Field(ge=2, le=6)]
Inches = Annotated[int, Field(ge=0, le=120)]
Count = Annotated[int, Field(ge=1, le=60)]

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
    two_handed : bool
        A pistol or melee weapon that leaves no hand free for another.
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
    two_handed: bool = False

    @property
    def for_one_hand(self) -> bool:
        """Whether it is fought with in one hand, so that the other may hold another."""
        return self.kind in ("pistol", "melee") and not self.two_handed

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
    armour : int, optional
        Its Armour Value, where that is known; None leaves it to the rules: a roll, or what such a building has.
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
    armour: Annotated[int, Field(ge=7, le=15)] | None = None


class Library(Strict):
    """Units, weapons and buildings by id."""

    units: dict[str, Unit]
    weapons: dict[str, Weapon]
    buildings: dict[str, Building]


@cache
def library() -> Library:
    """Return the units, weapons and buildings that come with Casemate."""
    sources = {
        name: parse(f"sims/data/{name}.toml", (files("sims") / f"data/{name}.toml").read_text("utf-8"))
        for name in ("units", "weapons", "buildings")
    }
    return validate(Library, {name: s.data for name, s in sources.items()}, list(sources.values()))

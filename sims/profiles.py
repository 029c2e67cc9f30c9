"""The profiles that scenarios name: units, weapons and buildings, as they stand in ``sims/data`` or a scenario file.

What all rules ask of a profile stands in it. What one set of rules, or one base game, alone asks has a table of its own
under its id, ``[building.gemini]``; a `Section` beside its book, in the module ``book`` of its package, says what may
stand there.
"""

import pkgutil
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails

from sims.reading import Names, Strict, parse, validate

Characteristic = Annotated[int, Field(ge=0, le=10)]


def _goal(written: Any) -> Any:
    """Return a goal as a number, which players write as "3+"."""
    found = re.fullmatch(r"(\d)\+", written) if isinstance(written, str) else None
    return int(found[1]) if found else written


Goal = Annotated[int, Field(ge=2, le=6), BeforeValidator(_goal)]
Inches = Annotated[int, Field(ge=0, le=120)]
MOST_MODELS = 60
"""The most models of a force, and what else of it is counted: a limit of so many is none."""


def _few(models: int) -> int:
    if models > MOST_MODELS:
        raise ValueError(
            f"expected at most {MOST_MODELS} models: an assault of more has too many states to be followed exactly"
        )
    return models


Count = Annotated[int, Field(ge=1), AfterValidator(_few)]

Material = Literal["wattle", "wood", "metal", "brick", "stone", "concrete", "armour"]
Archetype = Literal["hut", "house", "stone house", "bunker", "bastion", "keep"]
Kind = Literal["pistol", "assault", "rapid fire", "heavy", "template", "blast", "melee"]


class Section(Strict):
    """What one set of rules, or one base game, alone asks of a profile; its defaults hold where a profile is silent."""

    profile: ClassVar[type["Profile"]]
    """What kind of profile it belongs to."""

    @classmethod
    def of(cls, profile: "Profile") -> Self:
        """Return what a profile says."""
        return next((own for own in profile._own if isinstance(own, cls)), None) or cls._silent()

    @classmethod
    @cache
    def _silent(cls) -> Self:
        return cls()


class PartError(ValueError):
    """A part of a value does not fit the rest of it; `at` are its keys in there."""

    def __init__(self, message: str, *at: str) -> None:
        super().__init__(message)
        self.at = at


class Profile(Strict):
    """What a scenario names."""

    _own: tuple[Section, ...] = PrivateAttr(())

    @property
    def own(self) -> Mapping[str, Section]:
        """What single sets of rules are told, by their ids."""
        return {_owner(type(section)): section for section in self._own}

    @property
    def written(self) -> dict[str, Any]:
        """What it says, as a file would have it."""
        return self.model_dump() | {name: section.model_dump() for name, section in self.own.items()}

    def with_own(self, *sections: Section) -> Self:
        """Return the same profile with other sections."""
        other = self.model_copy()
        kinds = {type(section) for section in sections}
        other._own = (*(section for section in self._own if type(section) not in kinds), *sections)
        return other

    @model_validator(mode="wrap")
    @classmethod
    def _set_apart(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Check each section by the model of the rules that it is named for."""
        if not isinstance(data, dict):
            return handler(data)
        models = {name: model for name in data.keys() - cls.model_fields.keys() if (model := cls.own_table(name))}
        profile = handler({name: value for name, value in data.items() if name not in models})
        profile._own = tuple(_checked(name, models[name], data[name], profile) for name in sorted(models))
        return profile

    @classmethod
    def own_table(cls, name: str) -> type[Section] | None:
        """Return what may stand in the section of that name; None if there is none."""
        module = f"{_packages().get(name, name)}.book"
        if name not in _packages() or find_spec(module) is None:
            return None
        sections = (value for value in vars(import_module(module)).values() if isinstance(value, type))
        return next((s for s in sections if issubclass(s, Section) and s is not Section and s.profile is cls), None)

    @classmethod
    def own_keys(cls) -> Iterable[str]:
        """Return the keys that single sets of rules know."""
        for name in _packages():
            if (section := cls.own_table(name)) is not None:
                yield name
                yield from (f"{name}.{key}" for key in section.model_fields)


def _owner(section: type[Section]) -> str:
    return section.__module__.split(".")[2]


def _packages() -> dict[str, str]:
    """Return the packages of all rule sets and base games; the folders are the registry."""
    above = [import_module(name) for name in ("sims.rulesets", "sims.games")]
    return {
        found.name: f"{package.__name__}.{found.name}"
        for package in above
        for found in pkgutil.iter_modules(package.__path__)
        if found.ispkg and not found.name.startswith("_")
    }


def _checked(name: str, model: type[Section], value: Any, profile: Profile) -> Section:
    """Return a section, which may look at the rest of its profile; its faults are named by their place there."""
    try:
        return model.model_validate(value, context=profile)
    except ValidationError as error:
        faults = [
            InitErrorDetails(
                type=e["type"],
                loc=(name, *e["loc"], *getattr(e.get("ctx", {}).get("error"), "at", ())),
                input=e["input"],
                ctx=e.get("ctx", {}),
            )
            for e in error.errors()
        ]
        raise ValidationError.from_exception_data(error.title, faults) from error


class Weapon(Profile):
    """A weapon, as on its profile.

    Attributes:
        kind: How it is used: pistol, assault, rapid fire, heavy, template, blast or melee.
        range: Inches; 0 for melee.
        S: Strength; None for the bearer's own.
        S_bonus: Added to the bearer's Strength.
        AP: Armour piercing 1 to 6; None for '-'.
        blast: Diameter of its marker in inches, 3 or 5, if its kind is blast.
        two_handed: A pistol or melee weapon that leaves no hand free for another.
    """

    title: str
    kind: Kind
    range: Inches = 0
    S: Annotated[int, Field(ge=1, le=10)] | None = None
    S_bonus: Annotated[int, Field(ge=0, le=10)] = 0
    AP: Annotated[int, Field(ge=1, le=6)] | None = None
    shots: Annotated[int, Field(ge=1, le=12)] = 1
    blast: Annotated[Literal[0, 3, 5], Field(validate_default=True)] = 0
    twin_linked: bool = False
    melta: bool = False
    two_handed: bool = False

    @field_validator("blast")
    @classmethod
    def _marked(cls, blast: int, read: ValidationInfo) -> int:
        kind = read.data.get("kind")
        if kind == "blast" and not blast:
            raise ValueError("expected 3 or 5, the inches across its marker, as its kind is blast")
        if blast and kind not in ("blast", None):
            raise ValueError(f"expected 0, as its kind is {kind}: only weapons of kind blast have a marker")
        return blast

    @property
    def for_one_hand(self) -> bool:
        """Whether it is fought with in one hand, so that the other may hold another."""
        return self.kind in ("pistol", "melee") and not self.two_handed

    def strength(self, bearer: "Unit") -> int:
        """Return the Strength of its attacks in the hands of a bearer."""
        return (bearer.S if self.S is None else self.S) + self.S_bonus


class Unit(Profile):
    """The profile of a kind of model. Sv and invulnerable are goals (3 or "3+"), None for no save; move is in inches.

    What older profiles lack is `move` alone (ARAP-036).

    `plural` is what several are called, where that is not the title with an s.
    """

    title: str
    plural: str = ""
    WS: Characteristic
    BS: Characteristic
    S: Characteristic
    T: Annotated[int, Field(ge=1, le=10)]
    W: Annotated[int, Field(ge=1, le=10)] = 1
    I: Characteristic
    A: Characteristic
    Ld: Annotated[int, Field(ge=2, le=10)]
    Sv: Goal | None = None
    invulnerable: Goal | None = None
    move: Annotated[int, Field(ge=1, le=12)] = 4
    bulk: Literal[1, 2, 3, 5] = 1
    kind: Literal["infantry", "jump infantry"] = "infantry"
    grenades: Annotated[tuple[Literal["assault", "krak"], ...], Field(strict=False)] = ()

    @property
    def falls(self) -> tuple[int | None, ...]:
        """What decides how its models fall: Toughness, Wounds and saves."""
        return self.T, self.W, self.Sv, self.invulnerable

    def counted(self, n: int) -> str:
        """Say how many they are."""
        return f"{n} {self.title if n == 1 else self.plural or self.title + 's'}"


class Building(Profile):
    """A building as it stands on the table.

    Attributes:
        archetype: hut, house, stone house, bunker, bastion or keep: rule sets look up their own terms by it.
        footprint: Length and width in inches.
        military: Built to be defended: armoured walls, shutters.
        doors: Doors that attackers can reach; `door` says how wide they are.
        firing_points: Models that can fire out at one target.
        firing_inches: Inches of wall or slot facing the attackers.
        capacity: Places inside, one for each model of bulk 1.
        levels: Floors, one above the other; None leaves it to the rules: one, or as many as its capacity fills.
        weapons: Ids of the weapons mounted on it.
        armour: Its Armour Value, where that is known; None leaves it to the rules: a roll, or what such a building has.
    """

    title: str
    archetype: Archetype
    footprint: Annotated[tuple[Inches, Inches], Field(strict=False)]
    material: Material
    military: bool = False
    doors: Annotated[int, Field(ge=0, le=12)] = 1
    door: Literal["single", "double", "barn"] = "single"
    firing_points: Annotated[int, Field(ge=0, le=40)] = 0
    firing_inches: Annotated[int, Field(ge=0, le=60)] = 0
    capacity: Count
    levels: Annotated[int, Field(ge=1, le=6)] | None = None
    weapons: Names = ()
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

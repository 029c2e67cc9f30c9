"""The numbers and rulings of Realm of Chaos buildings."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from sims.errors import nearest
from sims.games.common import OneDie, Roll
from sims.games.fantasy.book import Fantasy
from sims.profiles import Building, Material, PartError, Profile, Section, Weapon
from sims.reading import Names, Strict, Whole
from sims.rulebook import Book, Ruling, Rulings, Table

FabricName = Literal["stone", "wood", "wattle"]

Burns = Literal["anywhere", "within", "nowhere"]

DoorKind = Literal["single", "double", "barn"]

Models = Annotated[int, Field(ge=1, le=60)]
Ceiling = Annotated[int, Field(ge=1, le=60)]
Ceilings = Ceiling | Annotated[tuple[Ceiling, ...], Field(strict=False, min_length=1)]


class Sections(Table):
    """How large a section is, and how many models of a side it holds."""

    side: Annotated[int, Field(ge=1, le=60)]
    models: Models


class Tall(Table):
    """How many feet one place in a section is for, and how many places who is taller takes at least."""

    feet: Annotated[int, Field(ge=1, le=60)]
    places: Annotated[int, Field(ge=1, le=12)]


class Doors(Table):
    """How many models pass in a turn."""

    single: Models
    double: Models
    barn: Models


class Range(Table):
    """How much of a range is left downhill and uphill, in tenths."""

    downhill: Annotated[int, Field(ge=10, le=20)]
    uphill: Annotated[int, Field(ge=1, le=10)]


class Sight(Table):
    """From which level what lies between is shot over, and how much lower a building has to be, near and far."""

    hedge: Annotated[int, Field(ge=1, le=20)]
    wood: Annotated[int, Field(ge=1, le=20)]
    lower_near: Annotated[int, Field(ge=0, le=20)]
    lower_far: Annotated[int, Field(ge=0, le=20)]


class Fabric(Strict):
    """A class of wall: its Toughness, and the Strength that can hurt it."""

    T: Annotated[int, Field(ge=1, le=10)]
    needs_S: Annotated[int, Field(ge=1, le=10)]


class Fabrics(Table):
    """The three classes."""

    stone: Fabric
    wood: Fabric
    wattle: Fabric


class Materials(Table):
    """The class that each material of a scenario belongs to."""

    wattle: FabricName
    wood: FabricName
    metal: FabricName
    brick: FabricName
    stone: FabricName
    concrete: FabricName
    armour: FabricName


class Stability(Table):
    """When a section is rolled for, and which results do what."""

    die: OneDie
    starts_at: Annotated[int, Field(ge=1, le=20)]
    unsafe: Whole
    unstable: Whole
    unsound: Whole
    collapse: Annotated[int, Field(ge=1, le=7)]
    neighbours_fall: Annotated[int, Field(ge=1, le=12)]
    unsafe_models: Models
    most_models: Models
    most_levels_above: Annotated[int, Field(ge=0, le=6)]

    @property
    def worse(self) -> dict[str, Whole]:
        """The results after which the section stands in a worse state, by that state."""
        return {"unsafe": self.unsafe, "unstable": self.unstable, "unsound": self.unsound}


class Collapse(Table):
    """Which models are tough, the worst save they have under falling masonry, and the wounds it does to them."""

    tough_T: Annotated[int, Field(ge=1, le=11)]
    tough_W: Annotated[int, Field(ge=1, le=11)]
    tough_save: Annotated[int, Field(ge=2, le=7)]
    wounds: OneDie


class Flammable(Table):
    """Where the classes of walls that the book names catch fire."""

    stone: Burns
    wood: Burns


class Fire(Table):
    """What fire weapons gain, when a carrier has an accident, how hard the flames hit, and what they damage."""

    extra_S: Annotated[int, Field(ge=0, le=9)]
    accident: Annotated[int, Field(ge=2, le=7)]
    flames_S: Annotated[int, Field(ge=1, le=10)]
    damage: Roll


class RealmOfChaosTables(Strict):
    """Every table."""

    sections: Sections
    tall: Tall
    doors: Doors
    range: Range
    sight: Sight
    fabrics: Fabrics
    materials: Materials
    stability: Stability
    collapse: Collapse
    flammable: Flammable
    fire: Fire


class RealmOfChaosRulings(Rulings):
    """Every ruling."""

    sections_of_a_floor: Ruling
    tall_places: Ruling
    lower_than: Ruling
    charging_out: Ruling
    charge_result: Ruling
    joining_a_fight: Ruling
    way_out: Ruling
    hacking: Ruling
    wall_of_a_section: Ruling
    targets_inside: Ruling
    rounding_uphill: Ruling
    hitting_the_fabric: Ruling
    stability_rolls: Ruling
    lasting_results: Ruling
    doors_after_collapse: Ruling
    way_in_after_a_collapse: Ruling
    wattle_burns: Ruling
    fire_check: Ruling
    flame_templates: Ruling
    who_carries_fire: Ruling
    arson: Ruling
    arson_order: Ruling
    accidents: Ruling
    garrison_in_a_fire: Ruling
    models_in_a_fire: Ruling


class RealmOfChaos(Book):
    """Realm of Chaos buildings."""

    package: ClassVar[str] = "sims.rulesets.realm_of_chaos"
    tables: RealmOfChaosTables
    rulings: RealmOfChaosRulings
    game: Fantasy


MOST_SECTIONS = 36
"""The most sections of a building: an assault of more has too many states."""


class OwnColumn(Strict):
    """Sections one above the other: the material of each from the ground up, and the columns that share a wall with it.

    Its doors are on the ground; the inches of its wall face the attackers on each level. A ceiling, and the entrance on
    the ground, is so many feet high: one for all levels, or for each from the ground up. Without it creatures over 10
    feet do not fit.
    """

    levels: Annotated[tuple[Material, ...], Field(strict=False, min_length=1, max_length=6)]
    beside: Names = ()
    doors: Annotated[tuple[DoorKind, ...], Field(strict=False, max_length=12)] = ()
    inches: Annotated[int, Field(ge=0, le=60)] = 4
    ceiling: Ceilings | None = None


class OwnBuilding(Section):
    """What it looks like under these rules alone: how many levels of which height, or its columns by name.

    Levels above the last ceiling that is given are as high as that.
    """

    profile: ClassVar[type[Profile]] = Building
    levels: Annotated[int, Field(ge=1, le=6)] | None = None
    ceiling: Ceilings | None = None
    columns: dict[str, OwnColumn] = Field(default_factory=dict)

    @field_validator("columns")
    @classmethod
    def _hang_together(cls, columns: dict[str, OwnColumn], read: ValidationInfo) -> dict[str, OwnColumn]:
        for key in ("levels", "ceiling"):
            if columns and read.data.get(key) is not None:
                raise ValueError(f"expected {key} or columns, got both: columns say how high they are")
        for name, column in columns.items():
            levels = len(column.levels)
            if isinstance(column.ceiling, tuple) and len(column.ceiling) != levels:
                found = f"expected one ceiling, or {levels}, one for each level; got {len(column.ceiling)}"
                raise PartError(found, name, "ceiling")
            for other in column.beside:
                if other == name:
                    raise PartError(f"expected other columns, got {name} itself", name, "beside")
                if other not in columns:
                    raise PartError(
                        f'unknown column "{other}"; {nearest(other, columns.keys() - {name})}', name, "beside"
                    )
                if name not in columns[other].beside:
                    raise PartError(f"expected {name} in beside of {other} too, or {other} here not", name, "beside")
        if (sections := sum(len(column.levels) for column in columns.values())) > MOST_SECTIONS:
            raise ValueError(f"expected at most {MOST_SECTIONS} sections, got {sections}")
        if apart := sorted(columns.keys() - _reached(columns)):
            raise ValueError(
                f"{' and '.join(apart)} cannot be reached from {next(iter(columns))}; expected one building"
            )
        return columns


def _reached(columns: dict[str, OwnColumn]) -> set[str]:
    """Return which columns can be reached from the first of them."""
    found, left = set[str](), [*columns][:1]
    while left:
        name = left.pop()
        found.add(name)
        left += [other for other in columns[name].beside if other not in found]
    return found


class OwnWeapon(Section):
    """Whether it sets fire to what it hits."""

    profile: ClassVar[type[Profile]] = Weapon
    flaming: bool = False


def is_flaming(weapon: Weapon | None) -> bool:
    """Return whether a weapon sets fire to what it hits; nobody does without one."""
    return weapon is not None and OwnWeapon.of(weapon).flaming

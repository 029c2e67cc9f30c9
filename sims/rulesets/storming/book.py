"""The numbers and rulings of Storming buildings."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from sims.games.common import OneDie, Roll
from sims.games.wh40k.book import Fifth
from sims.reading import Strict
from sims.rulebook import Book, Ruling, Rulings, Table

Class = Literal["impassable", "ruins", "defensible", "stronghold"]
"""The four classes (ST-003)."""
Intact = Literal["defensible", "stronghold"]
"""Those that have an Armour Value and can be stormed."""

UnitKind = Literal["infantry", "jump infantry", "bikes", "cavalry", "beasts", "walker", "vehicle", "monstrous creature"]

Save = Annotated[int, Field(ge=2, le=7)]
Some = Annotated[int, Field(ge=0, le=60)]
ArmourValue = Annotated[int, Field(ge=0, le=14)]


class BuildingClass(Strict):
    """What a class fixes: who may enter, the fixed part of its Armour Value, the cover it gives against grenades."""

    occupy: bool
    storm: bool
    armour: ArmourValue
    grenade_cover: Save = 7
    note: str = ""

    @model_validator(mode="after")
    def _walls_to_storm(self) -> Self:
        if self.occupy and self.storm and self.armour == 0:
            raise ValueError("expected armour of 1 or more for a class that is occupied and stormed, or storm = false")
        return self

    @property
    def usual(self) -> bool:
        """Whether its occupants are assaulted in the usual way of the game: nothing to storm, no armour to attack."""
        return self.occupy and not self.storm and self.armour == 0


class Classes(Table):
    """The four classes, and the dice that are added to the fixed part of an Armour Value."""

    dice: Roll
    impassable: BuildingClass
    ruins: BuildingClass
    defensible: BuildingClass
    stronghold: BuildingClass

    def of(self, name: Class) -> BuildingClass:
        """Return what a class fixes."""
        found: BuildingClass = getattr(self, name)
        return found


class Ruins(Table):
    """The Initiative of those who charge into cover without assault grenades."""

    charging_I: Annotated[int, Field(ge=0, le=10)]


class Agreed(Table):
    """What the players may settle before the game in place of what a building looks like, and of a die."""

    building_class: Literal["by_look"] | Class
    armour: ArmourValue


class Capacity(Table):
    """The die, models for each point of it, and the face behind it that adds another."""

    dice: OneDie
    models: Annotated[int, Field(ge=1, le=20)]
    hidden_level: Annotated[int, Field(ge=1, le=7)]


class Party(Table):
    """Who may storm, and how many squads."""

    kinds: Annotated[tuple[UnitKind, ...], Field(strict=False)]
    squads: Annotated[int, Field(ge=0, le=12)]


class Viable(Table):
    """How near an access point must be, in inches."""

    reach: Annotated[int, Field(ge=0, le=12)]


class Fireteam(Table):
    """How many models can go in by each viable access point, and what counts double."""

    slots: Annotated[int, Field(ge=1, le=60)]
    double: Annotated[int, Field(ge=1, le=5)]
    double_bulk: Annotated[int, Field(ge=1, le=5)]


class Grenade(Table):
    """How many hits a grenade makes, and their Strength."""

    hits: Roll
    S: Annotated[int, Field(ge=1, le=10)]


class Template(Table):
    """How many hits a template weapon makes in support."""

    hits: Roll


class Room(Table):
    """Models that can be placed outside, and access points that supporters close."""

    attackers: Some
    defenders: Some
    covered: Annotated[int, Field(ge=0, le=12)]


class FallingBack(Table):
    """How many inches a side falls back."""

    inches: Roll


class DrawingOff(Table):
    """How far from the walls attackers stand at least after a storming that nobody lost."""

    distance: Annotated[int, Field(ge=2, le=24)]


class StormingTables(Strict):
    """Every table."""

    classes: Classes
    ruins: Ruins
    agreed: Agreed
    capacity: Capacity
    party: Party
    viable: Viable
    fireteam: Fireteam
    grenade: Grenade
    template: Template
    room: Room
    falling_back: FallingBack
    drawing_off: DrawingOff


class StormingRulings(Rulings):
    """Every ruling."""

    way_to_the_garrison: Ruling
    capacity_from: Ruling
    capacity_six: Ruling
    armour_before_occupation: Ruling
    mounted_weapons: Ruling
    squads_storming: Ruling
    other_squads: Ruling
    two_inches: Ruling
    points_per_model: Ruling
    fireteam_choice: Ruling
    no_viable_point: Ruling
    slots: Ruling
    double_twice: Ruling
    cover_save: Ruling
    charge_bonus: Ruling
    defenders_striking: Ruling
    blows: Ruling
    wound_allocation: Ruling
    sweeping_advance: Ruling
    attackers_room: Ruling
    defenders_room: Ruling
    jump_falling_back: Ruling
    jump_falling_out: Ruling
    after_taking: Ruling
    wiped_out_garrison: Ruling
    squad_too_large: Ruling
    fireteam_after: Ruling
    jump_inside: Ruling
    second_round: Ruling
    side_wiped_out: Ruling


class Storming(Book):
    """Storming buildings."""

    package: ClassVar[str] = "sims.rulesets.storming"
    tables: StormingTables
    rulings: StormingRulings
    game: Fifth

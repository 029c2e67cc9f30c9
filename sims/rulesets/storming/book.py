"""The numbers and rulings of Storming buildings."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sims.games.wh40k.book import Wh40k
from sims.reading import Strict
from sims.rulebook import Book, Ruling, Rulings, Table

Class = Literal["defensible", "stronghold"]


class BuildingClass(Strict):
    """What the class of a building fixes: the fixed part of its Armour Value, the cover it gives against grenades."""

    armour: Annotated[int, Field(ge=1, le=14)]
    grenade_cover: Annotated[int, Field(ge=2, le=7)]


class Classes(Table):
    """The two classes that can be stormed."""

    defensible: BuildingClass
    stronghold: BuildingClass


class Fireteam(Table):
    """How many models go in by each viable access point."""

    slots: Annotated[int, Field(ge=1, le=60)]
    double_bulk: Annotated[int, Field(ge=1, le=5)]


class Grenade(Table):
    """The Strength of a grenade's hits."""

    S: Annotated[int, Field(ge=1, le=10)]


class DrawingOff(Table):
    """Where attackers stand after a storming that nobody lost."""

    distance: Annotated[int, Field(ge=2, le=6)]


class StormingTables(Strict):
    """Every table."""

    classes: Classes
    fireteam: Fireteam
    grenade: Grenade
    drawing_off: DrawingOff


class StormingRulings(Rulings):
    """Every ruling."""

    wound_allocation: Ruling
    charge_bonus: Ruling
    defenders_striking: Ruling
    blows: Ruling
    slots: Ruling
    mounted_weapons: Ruling


class Storming(Book):
    """Storming buildings."""

    package: ClassVar[str] = "sims.rulesets.storming"
    tables: StormingTables
    rulings: StormingRulings
    game: Wh40k

"""The tables of the Gemini building rules: what each holds, and in what bounds."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from sims.profiles import Archetype
from sims.reading import Strict, Whole
from sims.rulebook import Roll, Table

Few = Annotated[int, Field(ge=0, le=60)]
Some = Annotated[int, Field(ge=1, le=60)]
ArmourValue = Annotated[int, Field(ge=1, le=20)]
Material = Literal[
    "wattle_and_daub",
    "thatch",
    "solid_timber",
    "stone",
    "plexi_glass",
    "travel_tube",
    "light_wood",
    "sheet_steel",
    "corrugated_iron",
    "most_flooring",
    "light_flooring",
]
WallKind = Literal["light", "plexi_shelter", "most_buildings", "castle", "travel_tube"]
DoorKind = Literal[
    "light_wooden",
    "toughened_glass",
    "light_steel",
    "solid_timber",
    "hive_world_interior",
    "heavy_steel",
    "vault",
]
MOST_TOTAL = 36
"""The highest total that a table may list."""
ArmouredKind = Literal["bunker", "palace", "concrete_city_building", "brick_house", "log_cabin", "shack"]


class Plans(Table):
    """Activation dice of each side, and what is counted on of the charge dice."""

    attackers_dice: Annotated[int, Field(ge=1, le=3)]
    defenders_dice: Annotated[int, Field(ge=1, le=3)]
    counted_on: Annotated[int, Field(ge=2, le=12)]


class Sections(Table):
    """How large a section is, and how many models it holds and fire out of it, in all or on a side of several."""

    area: Some
    side: Some
    models: Some
    fire_out: Few
    quadrant: Few


class Onwards(Table):
    """Sections of a move in cramped rooms and over open ground, who is fast enough for that, and how near units keep.

    Also the inches that a charge has to make over two sections, and the basic move that by one reading is enough.
    """

    near: Some
    far: Some
    fast: Some
    charge: Some
    fast_charger: Some
    coherency: Some


class Between(Table):
    """How far fire goes from section to section, what it has by one reading, and where misses come down."""

    sections: Some
    further: Annotated[int, Field(ge=-6, le=0)]
    still_there: Annotated[int, Field(ge=1, le=6)]
    either: Annotated[int, Field(ge=0, le=6)]


class Levels(Table):
    """Inches of a storey, the fewest and the most faces of dice for cluttered rooms, and inches of a drop to a test."""

    storey: Some
    variable: Annotated[tuple[Some, Some], Field(strict=False)]
    test: Some


class Ladders(Table):
    """How many models use a ladder of one storey in a turn, and for how many a bulky one counts."""

    models: Some
    bulky: Some


class Doorways(Table):
    """Operations on doors and the inches that as many cost, what a broad base costs, and how near one is inside.

    Also how many of a crowd in a doorway fire, how many models pass in a turn at most, and how large those may be.
    """

    operations: Some
    inches: Some
    broad: Few
    boarding: Few
    fire: Few
    most: Some
    largest: Annotated[int, Field(ge=1, le=4)]


class Storming(Table):
    """Attackers through each opening, how far they fall back, and from where they see everybody inside.

    Also the dice of models that each side fights with at a single opening, and of a flinch.
    """

    abreast: Some
    fall_back: Annotated[int, Field(ge=1, le=6)]
    doorway: Roll
    flinch: Roll
    sees_all_within: Few


class Toughnesses(Table):
    """Toughness by material."""

    wattle_and_daub: Some
    thatch: Some
    solid_timber: Some
    stone: Some
    plexi_glass: Some
    travel_tube: Some
    light_wood: Some
    sheet_steel: Some
    corrugated_iron: Some
    most_flooring: Some
    light_flooring: Some


class WallPoints(Table):
    """Damage points of a section of wall."""

    light: Some
    plexi_shelter: Some
    most_buildings: Some
    castle: Some
    travel_tube: Some


class Wall(Strict):
    """What a wall is built of: a row of each table."""

    T: Material
    points: WallKind


class Walls(Table):
    """The walls of buildings, from how near shots hit them unrolled, how long a section is, how far it falls."""

    of: Mapping[str, Wall]
    hit_within: Few
    length: Some
    falls_within: Few


class Door(Strict):
    """Toughness, and damage points of each inch."""

    T: Some
    points: Some


class Doors(Table):
    """Doors by kind."""

    kinds: Mapping[DoorKind, Door]


class Gates(Table):
    """The kind of door that an archetype has, and how many inches a door is wide."""

    of: Mapping[str, DoorKind]
    width: Mapping[str, Some]


class Forcing(Table):
    """What a locked door resists, and what helpers add."""

    typical: Some
    vault: Some
    helper: Few
    most_helpers: Few
    within: Few


class Locks(Table):
    """What is added to Leadership to hack a lock, and the Toughness of one."""

    typical: Annotated[int, Field(ge=-12, le=0)]
    vault: Annotated[int, Field(ge=-12, le=0)]
    toughness: Some


class ArmourValues(Table):
    """Armour Value by building."""

    bunker: ArmourValue
    palace: ArmourValue
    concrete_city_building: ArmourValue
    brick_house: ArmourValue
    log_cabin: ArmourValue
    shack: ArmourValue


class Armoured(Table):
    """Which row of `ArmourValues` an archetype or a material is, and which archetypes are bunkers."""

    of: Mapping[str, ArmouredKind]
    bunkers: Annotated[tuple[Archetype, ...], Field(strict=False)]


class HullPoints(Table):
    """Models that a building holds at most, and its hull points, the smallest size first; those of larger ones."""

    sizes: Annotated[tuple[Annotated[tuple[Some, Some], Field(strict=False)], ...], Field(strict=False, min_length=1)]
    larger: Some


class PenetrationModifiers(Table):
    """What AP adds to the roll on the Bunker Hits Table."""

    AP1: Annotated[int, Field(ge=-6, le=6)]
    AP2: Annotated[int, Field(ge=-6, le=6)]
    no_AP: Annotated[int, Field(ge=-6, le=6)]

    def of(self, AP: int | None) -> int:
        """Return the modifier of a weapon."""
        return {None: self.no_AP, 1: self.AP1, 2: self.AP2}.get(AP, 0)


class HitColumn(Strict):
    """The totals of each result."""

    no_effect: Whole
    shaken: Whole
    stunned: Whole
    structural: Whole
    collapse: Whole

    @model_validator(mode="after")
    def _each_total_once(self) -> Self:
        listed = sorted(total for totals in vars(self).values() for total in totals)
        twice = next((a for a, b in pairwise(listed) if a == b), None)
        if not listed or listed[0] < 1 or listed[-1] > MOST_TOTAL:
            raise ValueError(f"totals from 1 to {MOST_TOTAL}")
        if twice is not None:
            raise ValueError(f"each total once ({twice} stands in two results)")
        return self


class BunkerHits(Table):
    """The Bunker Hits Table, what structural damage adds, and the total that destroys a built-in weapon."""

    glancing: HitColumn
    penetrating: HitColumn
    structural: Annotated[int, Field(ge=0, le=6)]
    armament: Some


class Collapse(Table):
    """The score at which an occupant of a collapsing bunker takes a wound."""

    wounded: Annotated[int, Field(ge=0, le=5)]


class Ports(Table):
    """The modifier of a firing port, and how many hits make one that passes."""

    modifier: Annotated[int, Field(le=0, ge=-6)]
    halved: Annotated[int, Field(ge=1, le=6)]
    through: Annotated[int, Field(ge=0, le=6)]


class Templates(Table):
    """How much better than needed a template weapon rolls to hit all, and who is hit if it does not."""

    soft_cover: Annotated[int, Field(le=0, ge=-6)]
    hard_cover: Annotated[int, Field(le=0, ge=-6)]
    port: Annotated[int, Field(le=0, ge=-6)]
    port_near: Annotated[int, Field(le=0, ge=-6)]
    near: Few
    otherwise: Annotated[int, Field(ge=0, le=6)]
    missed_soft_cover: Annotated[int, Field(ge=0, le=6)]
    missed_hard_cover: Annotated[int, Field(ge=0, le=6)]


class Interiors(Table):
    """The scores at which a blast hits each occupant of a section that is no confined space."""

    hard_cover: Annotated[int, Field(ge=0, le=6)]
    open: Annotated[int, Field(ge=0, le=6)]

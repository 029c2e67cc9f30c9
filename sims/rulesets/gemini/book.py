"""The numbers and rulings of the Gemini building rules."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from sims.games.arap import Arap
from sims.games.arap.book import ArapUnit, ArapWeapon
from sims.profiles import Building, Profile, Section, Unit, Weapon
from sims.reading import Strict
from sims.rulebook import Book, Ruling, Rulings
from sims.rulesets.gemini import tables


class GeminiTables(Strict):
    """Every table."""

    plans: tables.Plans
    sections: tables.Sections
    storming: tables.Storming
    onwards: tables.Onwards
    between: tables.Between
    levels: tables.Levels
    ladders: tables.Ladders
    doorways: tables.Doorways
    materials: tables.Toughnesses
    wall_points: tables.WallPoints
    walls: tables.Walls
    doors: tables.Doors
    gates: tables.Gates
    forcing: tables.Forcing
    locks: tables.Locks
    armour: tables.ArmourValues
    armoured: tables.Armoured
    hull_points: tables.HullPoints
    armour_penetration: tables.PenetrationModifiers
    bunker_hits: tables.BunkerHits
    collapse: tables.Collapse
    ports: tables.Ports
    templates: tables.Templates
    interiors: tables.Interiors


class GeminiRulings(Rulings):
    """Every ruling."""

    blows_at_walls: Ruling
    locked_doors: Ruling
    helpers_at_doors: Ruling
    hacking: Ruling
    smashed_lock: Ruling
    falling_wall: Ruling
    door_holes: Ruling
    section_room: Ruling
    exposure: Ruling
    surplus_wounds: Ruling
    doorway_fight: Ruling
    coherency: Ruling
    ladder_room: Ruling
    section_move: Ruling
    open_sections: Ruling
    door_work: Ruling
    door_limit: Ruling
    boarding: Ruling
    between_sections: Ruling
    grenades_between: Ruling
    holes_a_turn: Ruling
    across_doorways: Ruling
    evens_out: Ruling
    specials_stand: Ruling
    routed_defenders: Ruling
    losing_attackers: Ruling
    failed_jump: Ruling
    renewed_storm: Ruling
    melta_penetration: Ruling
    armour_values: Ruling
    hull_points: Ruling
    last_hull_point: Ruling
    armament_roll: Ruling
    port_modifier: Ruling
    halved_hits: Ruling
    shutters: Ruling
    template_in_section: Ruling
    template_missed: Ruling


class Gemini(Book):
    """The Gemini building rules, with Gemini-ARAP."""

    package: ClassVar[str] = "sims.rulesets.gemini"
    tables: GeminiTables
    rulings: GeminiRulings
    game: Arap


Interior = Literal["confined", "hard_cover", "open"]
WayUp = Literal["stairs", "ladder", "ramp"]


class OwnBuilding(Section):
    """Windows or holes that a model can climb through, within the attackers' reach; what a blast inside meets (GB-117).

    Rooms under a ceiling are a confined space; furniture and inner walls may give hard cover; a courtyard, a hangar or
    a ruin without a roof is open, and weapons that fire high fire out of those alone (GB-074). Also hull points, where
    the profile of the building gives them (GB-138), how one gets from floor to floor (GB-109), and how many doors are
    locked; where that is left out, a ruling says which are (GB-136). `gate` says of what kind the doors are, if not as
    such buildings have them (GB-060), and `sides` in how many quadrants enemies are seen, each with a door or window
    (GB-112). Sections are rooms, or parts of a courtyard or hall that is `open` (GB-110); nobody shoots through
    `inner_doors` that are shut.
    """

    profile: ClassVar[type[Profile]] = Building
    windows: Annotated[int, Field(ge=0, le=40)] = 0
    interior: Interior = "confined"
    hull: Annotated[int, Field(ge=1, le=60)] | None = None
    links: WayUp = "stairs"
    locked: Annotated[int, Field(ge=0)] | None = None
    gate: tables.DoorKind | None = None
    sides: Annotated[int, Field(ge=1, le=4)] = 1
    open: bool = False
    inner_doors: Literal["open", "shut"] = "open"

    @field_validator("locked")
    @classmethod
    def _has_so_many(cls, locked: int | None, read: ValidationInfo) -> int | None:
        building = read.context
        if locked and isinstance(building, Building) and locked > building.doors:
            raise ValueError(f"expected at most {building.doors}, the doors of the building")
        return locked

    @field_validator("sides")
    @classmethod
    def _have_openings(cls, sides: int, read: ValidationInfo) -> int:
        building = read.context
        if sides == 1 or not isinstance(building, Building) or building.military:
            return sides
        if sides > (ways := building.doors + read.data.get("windows", 0)):
            raise ValueError(f"expected at most {ways}, a door or window for each")
        return sides


class OwnUnit(ArapUnit):
    """The size category of a figure, whether it is Relentless, and what it rolls against to hack or pick a lock.

    `hacks` is the Leadership or the Intelligence of those who know how, 0 for others (GB-061). Who has `power_armour`,
    or the like, may use its save in a fall (GB-030).
    """

    profile: ClassVar[type[Profile]] = Unit
    power_armour: bool = False
    hacks: Annotated[int, Field(ge=0, le=12)] = 0


class OwnWeapon(ArapWeapon):
    """How it is fired, its Damage, and whether those who are hit test pinning."""

    profile: ClassVar[type[Profile]] = Weapon
    pinning: bool = False

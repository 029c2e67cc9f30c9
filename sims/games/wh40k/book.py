"""The numbers and rulings of the 40k base rules: what the editions share, and what is each one's own."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from sims.dice import Ints
from sims.dice.source import Argument
from sims.games.common import Roll, ToWound
from sims.inputs import NONE, Editions
from sims.profiles import Archetype
from sims.reading import Strict, Whole
from sims.rulebook import Book, Ruling, Rulings, Table

Inches = Annotated[int, Field(ge=0, le=60)]
Need = Annotated[int, Field(ge=2, le=7)]
Skill = Annotated[int, Field(ge=0, le=10)]
Strength = Annotated[int, Field(ge=1, le=10)]
Few = Annotated[int, Field(ge=0, le=6)]
Hull = Annotated[int, Field(ge=1, le=20)]
Room = Annotated[int, Field(ge=1, le=60)]
Size = Literal["small", "medium", "large"]


class Shooting(Table):
    """Within how many inches a rapid-fire weapon has so many times its shots, and which part of its range is near."""

    rapid_fire: Inches
    rapid_fire_times: Annotated[int, Field(ge=1, le=6)]
    melta_part: Annotated[int, Field(ge=1, le=6)]


class ToHit(Table):
    """What a shot needs by Ballistic Skill: less it on the first roll and on that of a miss, and at the best."""

    first: Annotated[int, Field(ge=2, le=20)]
    again: Annotated[int, Field(ge=2, le=20)]
    best: Need


class Blows(Table):
    """What a blow needs by Weapon Skill: of a better striker, of most others, and of one who is outclassed."""

    better: Need
    usual: Need
    outclassed: Need
    outclassed_beyond: Annotated[int, Field(ge=1, le=10)]


class Attacks(Table):
    """Attacks that are added to those of the profile."""

    charging: Few
    two_weapons: Few


class Access(Table):
    """How near an access point models get in, and how far they stay from an enemy when they get out, in inches."""

    embark: Inches
    from_enemy: Inches


class Grenade(Table):
    """A Strength."""

    S: Strength


class Consolidation(Table):
    """Inches that a unit may move once it has no enemy left to fight."""

    inches: Roll


class UnderFire(Table):
    """Of how many parts of a unit one has to fall in a shooting phase."""

    part: Annotated[int, Field(ge=1, le=20)]


class FallBack(Table):
    """Inches that a unit falls back."""

    infantry: Roll
    jump: Roll


class InstantDeath(Table):
    """At how many times its Toughness a Strength takes a model away by one wound."""

    times: Annotated[int, Field(ge=1, le=6)]


class Wh40kTables(Strict):
    """Every table that both editions share."""

    shooting: Shooting
    to_hit: ToHit
    blows: Blows
    attacks: Attacks
    to_wound: ToWound
    access: Access
    instant_death: InstantDeath
    krak_grenade: Grenade
    consolidation: Consolidation
    under_fire: UnderFire
    fall_back: FallBack


class Wh40kRulings(Rulings):
    """Every ruling that both editions share."""

    firing_point_models: Ruling
    second_weapon_attack: Ruling
    who_falls: Ruling
    under_fire: Ruling
    reaching_the_edge: Ruling


class Wh40k(Book):
    """The 40k base rules, as far as the editions agree."""

    package: ClassVar[str] = "sims.games.wh40k"
    tables: Wh40kTables
    rulings: Wh40kRulings


class Moves(Table):
    """How far infantry moves, and how far from the building it is placed that gets out, in inches."""

    move: Inches
    jump_move: Inches
    disembark: Inches


class Cover(Table):
    """The save that each kind of cover gives."""

    saves: Mapping[str, Need]


class Regrouping(Table):
    """Of how many parts of a unit one has to be left to regroup, and how far it then moves, in inches."""

    part: Annotated[int, Field(ge=1, le=20)]
    move: Inches


class EditionTables(Wh40kTables):
    """Tables that every edition has, with numbers of its own."""

    movement: Moves
    cover: Cover
    regrouping: Regrouping


class Edition(Wh40k):
    """The 40k base rules of one edition."""

    tables: EditionTables


class FixedMoves(Moves):
    """In the 5th edition a charge goes a fixed distance."""

    charge: Inches


class Covered(Table):
    """How many hits a template or a marker makes on models."""

    template: Roll
    small: Roll
    large: Roll


class Scatter(Table):
    """How many of the six faces of the scatter die show a hit."""

    hits: Few


class VehicleDamage(Table):
    """The totals of each result, what modifies the roll, and the Strength of an explosion."""

    shaken: Whole
    stunned: Whole
    weapon_destroyed: Whole
    immobilised: Whole
    wrecked: Whole
    explodes: Whole
    glancing: Annotated[int, Field(ge=-6, le=6)]
    no_AP: Annotated[int, Field(ge=-6, le=6)]
    AP1: Annotated[int, Field(ge=-6, le=6)]
    explosion_S: Strength

    @model_validator(mode="after")
    def _each_total_once(self) -> Self:
        if not self.totals or self.totals != tuple(range(self.totals[0], self.totals[-1] + 1)):
            raise ValueError(
                f"every total from the lowest to the highest must stand in one result, found {self.totals}"
            )
        return self

    @property
    def rows(self) -> dict[str, Whole]:
        """The totals of each result, in the order of the table."""
        names = ("shaken", "stunned", "weapon_destroyed", "immobilised", "wrecked", "explodes")
        return {name: getattr(self, name) for name in names}

    @property
    def totals(self) -> Whole:
        """Every total, from the lowest."""
        return tuple(sorted(total for row in self.rows.values() for total in row))

    def of_AP(self, AP: Argument) -> Ints:
        """Return what a weapon's AP adds to the roll."""
        known = AP
        return np.where(known == NONE, self.no_AP, np.where(known == 1, self.AP1, 0))


class RegroupingApart(Regrouping):
    """In the 5th edition no enemy may be within so many inches."""

    enemy: Inches


class FifthTables(EditionTables):
    """Every table of the 5th edition."""

    movement: FixedMoves
    covered: Covered
    scatter: Scatter
    regrouping: RegroupingApart
    vehicle_damage: VehicleDamage


class FifthRulings(Wh40kRulings):
    """Every ruling of the 5th edition."""

    odd_wounds: Ruling
    strongest_wounds: Ruling


class Fifth(Edition):
    """The 40k base rules, 5th edition."""

    files: ClassVar[tuple[str, ...]] = ("tables.toml", "fifth.toml")
    tables: FifthTables
    rulings: FifthRulings


class RolledMoves(Moves):
    """In the 6th edition a charge is rolled."""

    charge: Roll
    difficult_charge: Roll


class SnapShots(Table):
    """A Ballistic Skill."""

    BS: Skill


class AutomatedFire(Table):
    """The Ballistic Skill of weapons that nobody mans, and of those with a machine spirit."""

    BS: Skill
    machine_spirit: Skill


class Overwatch(Table):
    """Hits from each template that is fired as Overwatch, and in the open where no scenario says how models stand."""

    template_hits: Roll


class FirePoints(Table):
    """Hits on those inside from each template at a building with fire points."""

    template_hits: Roll


class Walls(Strict):
    """What a kind of building is made of."""

    AV: Annotated[int, Field(ge=1, le=20)]
    size: Size
    mighty_bulwark: bool


class Buildings(Table):
    """The kinds of buildings."""

    hut: Walls
    house: Walls
    stone_house: Walls
    bunker: Walls
    bastion: Walls
    keep: Walls

    def of(self, archetype: Archetype) -> Walls:
        """Return the walls of an archetype."""
        walls: Walls = getattr(self, archetype.replace(" ", "_"))
        return walls


class Capacity(Table):
    """Places inside by size."""

    small: Room
    medium: Room
    large: Room


class HullPoints(Table):
    """Hull points by size, for those who count glancing hits."""

    small: Hull
    medium: Hull
    large: Hull


class Places(Table):
    """Places that each model of jump or jet pack infantry takes inside at least."""

    jump: Annotated[int, Field(ge=1, le=5)]


class LookOut(Table):
    """What a leader needs to pass a wound on, and what an independent character does."""

    need: Need
    independent: Need


class RegroupingFew(Regrouping):
    """In the 6th edition a unit of which less is left regroups too, on this Leadership."""

    few_Ld: Annotated[int, Field(ge=0, le=12)]


class SixthTables(EditionTables):
    """Every table of the 6th edition."""

    movement: RolledMoves
    regrouping: RegroupingFew
    look_out: LookOut
    snap_shots: SnapShots
    automated_fire: AutomatedFire
    overwatch: Overwatch
    fire_points: FirePoints
    places: Places
    buildings: Buildings
    capacity: Capacity
    hull_points: HullPoints


class SixthRulings(Wh40kRulings):
    """Every ruling of the 6th edition."""

    look_out: Ruling
    charge_ground: Ruling
    charge_bonus_attack: Ruling
    overwatch: Ruling
    glancing_hits: Ruling
    room_inside: Ruling
    emplaced_weapons: Ruling
    embarked_units: Ruling
    templates_at_fire_points: Ruling


class Sixth(Edition):
    """The 40k base rules, 6th edition."""

    files: ClassVar[tuple[str, ...]] = ("tables.toml", "sixth.toml")
    tables: SixthTables
    rulings: SixthRulings


AnyEdition = Annotated[Fifth | Sixth, Editions(Literal["5th", "6th"], (Fifth, Sixth))]
"""The book of either edition, as a question names it."""

"""The numbers and rulings of the 40k base rules."""

from collections.abc import Mapping
from typing import ClassVar

from sims.reading import Strict, Whole
from sims.rulebook import Book, Ruling, Rulings, Table


class Edition(Table):
    """How far infantry moves and charges, in inches; a charge of 0 is rolled."""

    move: int
    jump_move: int
    charge: int
    disembark: int


class VehicleDamage(Table):
    """The totals of each result, what modifies the roll, and the Strength of an explosion."""

    shaken: Whole
    stunned: Whole
    weapon_destroyed: Whole
    immobilised: Whole
    wrecked: Whole
    explodes: Whole
    glancing: int
    no_AP: int
    AP1: int
    explosion_S: int


class Skill(Table):
    """A Ballistic Skill."""

    BS: int


class Grenade(Table):
    """A Strength."""

    S: int


class Cover(Table):
    """The save that each kind of cover gives, by edition."""

    fifth: Mapping[str, int]
    sixth: Mapping[str, int]


class Dice(Table):
    """How many D6 of inches."""

    infantry: int
    jump: int


class Wh40kTables(Strict):
    """Every table."""

    fifth: Edition
    sixth: Edition
    vehicle_damage: VehicleDamage
    snap_shots: Skill
    automated_fire: Skill
    krak_grenade: Grenade
    cover: Cover
    fall_back: Dice


class Wh40kRulings(Rulings):
    """Every ruling."""

    charge_bonus_attack: Ruling
    firing_point_models: Ruling


class Wh40k(Book):
    """The 40k base rules."""

    package: ClassVar[str] = "sims.games.wh40k"
    tables: Wh40kTables
    rulings: Wh40kRulings

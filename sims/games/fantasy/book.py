"""The numbers and rulings of the fantasy game, 3rd edition."""

from typing import Annotated, ClassVar

from pydantic import Field, ValidationInfo, field_validator

from sims.games.common import ToWound
from sims.profiles import Profile, Section, Unit, Weapon
from sims.reading import Strict, Whole
from sims.rulebook import Book, Ruling, Rulings, Table


class ToHit(Table):
    """The hand-to-hand chart: one row for each Weapon Skill of the striker, one column for each of the target."""

    rows: Annotated[tuple[Whole, ...], Field(strict=False)]


class Needs(Table):
    """The best and the worst need that modifiers can make of a roll to hit."""

    best: int
    impossible: int


class BlowModifiers(Table):
    """What is added to the die of a blow."""

    charging: int
    followed_up: int
    higher: int
    obstacle: int
    unarmed: int


class ShotModifiers(Table):
    """What a shot needs without skill, and what is added to its die."""

    need_at_BS0: int
    large_target: int
    small_target: int
    fast_target: int
    moved: int
    charging_enemy: int
    over_half_range: int
    improvised: int
    soft_cover: int
    hard_cover: int


class CombatResult(Table):
    """What is added to the wounds that a side caused."""

    charged: int
    followed_up: int
    most_ranks: int
    standard: int


class Ranks(Table):
    """How many models wide a unit in the open is, and how wide it has to be to score for its ranks."""

    frontage: Annotated[int, Field(ge=1, le=60)]
    least: Annotated[int, Field(ge=1, le=60)]


class PushBack(Table):
    """How many inches the loser of a round in the open gives."""

    inches: Annotated[int, Field(ge=0, le=12)]


class Rout(Table):
    """The part of a unit that must be lost before it can rout: one of so many."""

    part: Annotated[int, Field(ge=1, le=20)]


Points = Annotated[int, Field(ge=0, le=5)]


class Armour(Table):
    """By how many points each makes a save better than none."""

    light: Points
    heavy: Points
    shield: Points
    mounted: Points
    barded: Points


class ChargeMove(Table):
    """How many times its move a unit charges."""

    times: Annotated[int, Field(ge=1, le=4)]


class FantasyTables(Strict):
    """Every table."""

    to_hit: ToHit
    to_wound: ToWound
    needs: Needs
    blow_modifiers: BlowModifiers
    shot_modifiers: ShotModifiers
    combat_result: CombatResult
    ranks: Ranks
    push_back: PushBack
    rout: Rout
    armour: Armour
    charge_move: ChargeMove


class FantasyRulings(Rulings):
    """Every ruling."""

    needs_beyond_six: Ruling
    formation_in_the_open: Ruling
    fighting_in_the_open: Ruling
    ranks_counted: Ruling
    pursuit: Ruling
    who_falls: Ruling


class Fantasy(Book):
    """The fantasy game, 3rd edition."""

    package: ClassVar[str] = "sims.games.fantasy"
    tables: FantasyTables
    rulings: FantasyRulings


class OwnWeapon(Section):
    """What it takes off a saving throw, which other games pierce."""

    profile: ClassVar[type[Profile]] = Weapon
    save_modifier: Annotated[int, Field(ge=0, le=6)] = 0


class OwnUnit(Section):
    """Whether a unit of these models carries a standard, which others take up when its bearer falls, and shields.

    A shield is a part of the save. Of models with the same Toughness, Wounds and save all have one, or none. How tall
    they are is in feet.
    """

    profile: ClassVar[type[Profile]] = Unit
    standard: bool = False
    shield: bool = False
    height: Annotated[int, Field(ge=1, le=60)] = 6

    @field_validator("shield")
    @classmethod
    def _is_part_of_a_save(cls, shield: bool, read: ValidationInfo) -> bool:
        if shield and isinstance(read.context, Unit) and read.context.Sv is None:
            raise ValueError("a shield is a part of the save: give Sv, such as 6")
        return shield


def has_standard(unit: Unit) -> bool:
    """Return whether a unit carries a standard."""
    return OwnUnit.of(unit).standard


def has_shield(unit: Unit) -> bool:
    """Return whether a part of a model's save is its shield's."""
    return OwnUnit.of(unit).shield


def height(unit: Unit) -> int:
    """Return how tall a model is, in feet."""
    return OwnUnit.of(unit).height


def modifies_by(weapon: Weapon) -> int:
    """Return what a weapon takes off a saving throw."""
    return OwnWeapon.of(weapon).save_modifier

"""The numbers and rulings of Gemini-ARAP."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from sims.games.arap.tables import ArapTables
from sims.profiles import Profile, Section, Weapon
from sims.rulebook import Book, Ruling, Rulings


class ArapRulings(Rulings):
    """Every ruling."""

    who_falls: Ruling
    left_over: Ruling
    hits_shared: Ruling
    melta_confirming: Ruling
    extended_to_hit: Ruling
    extended_saves: Ruling
    double_one: Ruling
    unit_leadership: Ruling
    pinning_class: Ruling
    extended_initiative: Ruling
    subtracted_skill: Ruling
    crazed_distance: Ruling
    three_dice_double: Ruling
    pick_ups: Ruling
    charge_dice: Ruling
    near_misses: Ruling
    fleeting_cover: Ruling
    aiming: Ruling
    aim_actions: Ruling
    corrective_aiming: Ruling
    hits_in_combat: Ruling
    ordnance: Ruling
    indirect_double: Ruling
    thrown_over: Ruling
    thrown_rocks: Ruling
    template_margin: Ruling
    template_dice: Ruling
    shooting_actions: Ruling
    template_shots: Ruling
    saves: Ruling
    pinning_tests: Ruling
    pinned_turn: Ruling
    charged_units: Ruling
    half_losses: Ruling
    suppression: Ruling
    suppressed_by: Ruling
    suppressed_turn: Ruling
    suppressed_characters: Ruling
    suppressed_swarms: Ruling
    routers: Ruling
    routers_move: Ruling
    rally_when: Ruling
    flight: Ruling
    pursuit: Ruling
    pursuit_order: Ruling
    free_hacks: Ruling
    morale_rerolls: Ruling
    look_out: Ruling
    grenades_outside: Ruling
    grenade_throws: Ruling
    charge_bonus: Ruling
    resumed_charge: Ruling
    stand_and_fire: Ruling
    fast_charge: Ruling
    grenades_needed: Ruling
    close_combat_weapons: Ruling
    combat_score: Ruling
    flinch_radius: Ruling


class Arap(Book):
    """Gemini-ARAP."""

    package: ClassVar[str] = "sims.games.arap"

    tables: ArapTables
    rulings: ArapRulings


Shots = Annotated[int, Field(ge=1, le=12)]


def _more_for_two(salvo: tuple[int, int]) -> tuple[int, int]:
    if salvo[1] < salvo[0]:
        raise ValueError("expected no fewer shots for two action points than for one")
    return salvo


AS_HEAVY = ("heavy", "blast")
"""Kinds of weapon that take two action points and are fired once in a turn (ARAP-102)."""


class ArapWeapon(Section):
    """What rules on this game ask of a weapon, in the tables of their own.

    Attributes:
        damage: How many Wounds or damage points one wound takes, all of one target (ARAP-119).
        salvo: Shots for one action point at half range, and for two at full range, in place of its own (ARAP-102).
        slow, ordnance: It is fired as a heavy weapon is, once in a turn (ARAP-102).
        laser: Smoke stops it, or takes some of its Strength (ARAP-113).
        guess: Its range is guessed: it fires high, over walls, and not from under a roof (ARAP-155, ARAP-160).
        torrent: From how many inches its template may begin, where that is farther than from its bearer (ARAP-146).
    """

    profile: ClassVar[type[Profile]] = Profile  # of no kind here: there is no table of the game's own
    damage: Annotated[int, Field(ge=1, le=10)] = 1
    salvo: Annotated[tuple[Shots, Shots], AfterValidator(_more_for_two), Field(strict=False)] | None = None
    slow: bool = False
    ordnance: bool = False
    laser: bool = False
    guess: bool = False
    torrent: Annotated[int, Field(ge=0, le=72)] = 0

    @field_validator("salvo", "slow", "ordnance", "laser", "guess", "torrent")
    @classmethod
    def _of_its_kind(cls, value: object, read: ValidationInfo) -> object:
        weapon = read.context
        if value and isinstance(weapon, Weapon):
            if weapon.kind == "melee":
                raise ValueError("expected a weapon that is fired, not one of kind melee")
            if read.field_name == "torrent" and weapon.kind != "template":
                raise ValueError(f"expected a weapon of kind template, not {weapon.kind}")
            if read.field_name == "slow" and weapon.kind in AS_HEAVY:
                raise ValueError(f"expected false, as one of kind {weapon.kind} is fired so in any case")
            if read.field_name == "ordnance" and read.data.get("slow"):
                raise ValueError("expected no slow beside it, as ordnance is fired so in any case")
        return value


class ArapUnit(Section):
    """What rules on this game ask of a unit.

    Attributes:
        size: The size category of a figure (ARAP-034).
        relentless: Its heavy weapons take one action point, its rapid-fire weapons have their extra shot to two thirds
            of their range (ARAP-105).
        rerolls_morale: It rolls failed morale checks and rally tests again: space marines, who know no fear (ARAP-210).
        fearless: It passes every morale check, and cannot be suppressed (ARAP-013, ARAP-139).
        swarm: It is a swarm of animals, which a ruling spares suppression (ARAP-139).
        hates: It hates whom it fights (ARAP-203, ARAP-214, ARAP-216).
        frenzy: It is frenzied, and always pursues (ARAP-214).
    """

    profile: ClassVar[type[Profile]] = Profile
    size: Annotated[int, Field(ge=1, le=4)] = 2
    relentless: bool = False
    rerolls_morale: bool = False
    fearless: bool = False
    swarm: bool = False
    hates: bool = False
    frenzy: bool = False

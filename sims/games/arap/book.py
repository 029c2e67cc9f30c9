"""The numbers and rulings of Gemini-ARAP."""

from typing import Annotated, ClassVar

from pydantic import Field

from sims.games.arap.tables import ArapTables
from sims.profiles import Profile, Section
from sims.rulebook import Book, Ruling, Rulings


class ArapRulings(Rulings):
    """Every ruling."""

    who_falls: Ruling
    left_over: Ruling
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
    shooting_actions: Ruling
    template_shots: Ruling
    saves: Ruling
    pinning_tests: Ruling
    pinned_turn: Ruling
    charged_units: Ruling
    half_losses: Ruling
    look_out: Ruling
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


class ArapWeapon(Section):
    """What rules on this game ask of a weapon, in the tables of their own.

    Attributes:
        damage: How many Wounds or damage points one wound takes, all of one target (ARAP-119).
    """

    profile: ClassVar[type[Profile]] = Profile  # of no kind here: there is no table of the game's own
    damage: Annotated[int, Field(ge=1, le=10)] = 1

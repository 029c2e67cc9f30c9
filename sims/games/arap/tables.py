"""The tables of Gemini-ARAP: what each holds, and in what bounds."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from sims.reading import Strict, Whole
from sims.rulebook import Roll, Table

Few = Annotated[int, Field(ge=0, le=60)]
Inches = Annotated[Fraction, Field(strict=False, ge=0)]
"""A length; halves are written as text, "3/2"."""
TestClass = Literal["morale", "control", "plain"]
Reaction = Literal["run", "intercept", "stand_and_fire"]
Allowed = Annotated[tuple[Reaction, ...], Field(strict=False)]
"""A TOML array of reactions."""


class Conversion(Table):
    """What a printed n+ and its low value add up to."""

    sum: int


class ToHit(Table):
    """The best target number that any skill gives."""

    best: Annotated[int, Field(ge=1, le=5)]


class ToWound(Table):
    """How a wound goal is made, and where goals above 6 may be tried."""

    plus: int
    best: Annotated[int, Field(ge=2, le=6)]
    any_range: int
    short_range: int


class ShortRange(Table):
    """The longest that short range can be, and what part of a weapon's range."""

    most: int
    share: Annotated[int, Field(ge=1)]


class LeadershipTests(Table):
    """The class of each kind of Leadership test."""

    classes: Mapping[str, TestClass]


class Scales(Table):
    """How many units of each scale stand for an inch of the rules."""

    units: Mapping[str, int]


class TStick(Table):
    """The parts of the measuring stick."""

    arm: Inches
    span: Inches
    height: Inches


class BaseWidths(Table):
    """The width of a base by its size in millimetres."""

    widths: Mapping[str, Inches]


class Sizes(Table):
    """The melee radius of sizes 1 to 4, and how near to another each model of a unit stays.

    Also from which size on a figure is a large object, who has which size, and as how many models the bulky count.
    """

    melee_radius: Annotated[Whole, Field(min_length=4, max_length=4)]
    coherency: Few
    large_from: int
    figures: Mapping[str, Annotated[int, Field(ge=1, le=4)]]
    bulk: Mapping[str, Annotated[int, Field(ge=1, le=9)]]


class Activation(Table):
    """The bounds of the activation value, the failures that are a bust, and the actions that being pinned costs."""

    least: Annotated[int, Field(ge=1, le=5)]
    most: Annotated[int, Field(ge=1, le=5)]
    bust: Annotated[int, Field(ge=1, le=3)]
    pinned: Annotated[int, Field(ge=0, le=3)]


class Reactions(Table):
    """Which reactions are left to a unit in each condition."""

    pinned: Allowed
    engaged: Allowed
    routing: Allowed
    pursuing: Allowed
    charged: Allowed
    uncharged: Allowed
    behind: Allowed


class BasicMoves(Table):
    """The basic move of each creature."""

    creatures: Mapping[str, Annotated[int, Field(ge=1, le=12)]]


class Movement(Table):
    """How far the enemy must be for a free move; the dice of a charge, and the fastest move with the fewer of them.

    Also what each inch of difficult and very difficult ground takes of a move, how far one turns for nothing, and from
    how near a door or a ladder is used.
    """

    difficult: Annotated[int, Field(ge=1, le=12)]
    very_difficult: Annotated[int, Field(ge=1, le=12)]
    free_beyond: Few
    two_dice_up_to: Few
    dice: Annotated[int, Field(ge=2, le=4)]
    fast_dice: Annotated[int, Field(ge=2, le=4)]
    free_turn: Annotated[int, Field(ge=0, le=360)]
    uses_within: Few


class Fire(Table):
    """Action points and shots by type of weapon, and what is added to Ballistic Skill."""

    heavy_points: Annotated[int, Field(ge=1, le=3)]
    relentless_points: Annotated[int, Field(ge=1, le=3)]
    ordnance_points: Annotated[int, Field(ge=1, le=3)]
    relentless_range: Annotated[Fraction, Field(strict=False, gt=0, le=1)]
    rapid_fire_extra: Annotated[int, Field(ge=0, le=3)]
    hard_cover: Annotated[int, Field(le=0)]
    from_hard_cover: Annotated[int, Field(ge=0)]
    small_group: Annotated[int, Field(le=0)]
    small_group_up_to: Annotated[int, Field(ge=0)]
    small_group_size: Annotated[int, Field(ge=1, le=4)]
    soft_cover: Annotated[int, Field(le=0)]
    small_target: Annotated[int, Field(le=0)]
    fleeting: Annotated[int, Field(le=0)]
    prone: Annotated[int, Field(le=0)]
    fast_target: Annotated[int, Field(le=0)]
    fast_target_inches: Annotated[int, Field(ge=1)]
    tactical: Annotated[int, Field(le=0)]
    carried: Annotated[int, Field(le=0)]
    wounded: Annotated[int, Field(le=0)]
    confused: Annotated[int, Field(le=0)]
    improvised: Annotated[int, Field(le=0)]
    into_combat: Annotated[int, Field(le=0)]
    both_hands: Annotated[int, Field(le=0)]
    aimed: Annotated[int, Field(ge=0)]
    corrected: Annotated[int, Field(ge=0)]
    ambush: Annotated[int, Field(ge=0)]
    shotgun: Annotated[int, Field(ge=0)]
    laser_through_smoke: Annotated[int, Field(ge=1, le=20)]
    laser_in_smoke: Annotated[int, Field(le=0)]
    hidden_BS: Annotated[int, Field(ge=0, le=5)]
    view: Annotated[int, Field(ge=1, le=360)]
    arc: Annotated[int, Field(ge=1, le=360)]
    stand_and_fire_dice: Annotated[int, Field(ge=1, le=3)]
    stand_and_fire_BS: Annotated[int, Field(ge=0, le=5)]
    stand_and_fire_template: Few
    fast_charge: Annotated[int, Field(le=0)]
    fast_beyond: Annotated[int, Field(ge=0)]


class Formation(Table):
    """How a unit stands that has room: models abreast, the gap from middle to middle, and how far across each is."""

    files: Annotated[int, Field(ge=1, le=60)]
    gap: Annotated[Fraction, Field(strict=False, gt=0, le=6)]
    across: Annotated[Fraction, Field(strict=False, ge=0, le=4)]


class Markers(Table):
    """The sizes of markers, on what or less they hit those under them, and how much of a trench they fill."""

    small: Annotated[int, Field(ge=1, le=12)]
    large: Annotated[int, Field(ge=1, le=12)]
    soft: Annotated[int, Field(ge=0, le=6)]
    hard: Annotated[int, Field(ge=0, le=6)]
    trench: Annotated[int, Field(ge=1, le=24)]


class TemplateWeapons(Table):
    """The strip of a template, how much better it has to roll for those in cover, and on what it hits the others."""

    length: Annotated[int, Field(ge=1, le=24)]
    to_either_side: Annotated[int, Field(ge=1, le=6)]
    bounced: Annotated[int, Field(le=0, ge=-6)]
    soft_cover: Annotated[int, Field(le=0, ge=-6)]
    hard_cover: Annotated[int, Field(le=0, ge=-6)]
    otherwise: Annotated[int, Field(ge=0, le=6)]
    missed_soft_cover: Annotated[int, Field(ge=0, le=6)]
    missed_hard_cover: Annotated[int, Field(ge=0, le=6)]


class LookOut(Table):
    """On how much or less a character passes a hit on."""

    passed_on: Annotated[int, Field(ge=1, le=6)]


class Grenades(Table):
    """Hand grenades: their reach, who throws, from how near they always get in, and what they do."""

    range: Few
    share: Annotated[int, Field(ge=1, le=20)]
    modifier: Annotated[int, Field(le=0, ge=-6)]
    sure_within: Few
    S: Annotated[int, Field(ge=1, le=10)]
    each_height: Annotated[int, Field(le=0, ge=-6)]
    highest: Annotated[int, Field(ge=1, le=9)]


class Casualties(Table):
    """What share of a unit is heavy, and what the loss of half of it takes off Leadership."""

    quarter: Annotated[int, Field(ge=1)]
    half: Annotated[int, Field(ge=1)]
    half_modifier: Annotated[int, Field(le=0)]


class Suppression(Table):
    """What share of a unit is hit enough, by hits, by a marker; from which size none is; the actions that it costs."""

    quarter: Annotated[int, Field(ge=1)]
    least: Annotated[int, Field(ge=1)]
    marker: Annotated[int, Field(ge=1)]
    monstrous: Annotated[int, Field(ge=1, le=5)]
    actions: Annotated[int, Field(ge=0, le=3)]


class Combat(Table):
    """What a charge and hatred are worth, what a lost fight takes off Leadership, charges at cover, bare hands."""

    charge_attacks: Annotated[int, Field(ge=0, le=3)]
    charge_score: Annotated[int, Field(ge=0, le=3)]
    hated_score: Annotated[int, Field(ge=0, le=3)]
    worst_difference: Annotated[int, Field(le=0)]
    against_cover: Annotated[int, Field(ge=0, le=10)]
    grenade_share: Annotated[int, Field(ge=1, le=20)]
    improvised: Annotated[int, Field(le=0, ge=-6)]
    from_behind: Annotated[int, Field(ge=0, le=3)]


class Rout(Table):
    """How far routers move at once and in each compulsory phase, and what rallies them when no enemy is near."""

    at_once: Roll
    flee: Roll
    fast_flee: Roll
    near: Few
    alone: Annotated[int, Field(ge=0, le=3)]


class Pursuit(Table):
    """On what a free hack hits, what hatred adds, which move is slow, and on what pursuers come back on the table."""

    free_hack: Annotated[int, Field(ge=1, le=6)]
    hated: Annotated[int, Field(le=0, ge=-6)]
    slow_up_to: Few
    back_on: Annotated[int, Field(ge=2, le=6)]


class OpenField(Table):
    """How near each other the fighters of a fight in the open stand."""

    contact: Annotated[int, Field(ge=0, le=4)]


class ArapTables(Strict):
    """Every table."""

    conversion: Conversion
    to_hit: ToHit
    to_wound: ToWound
    short_range: ShortRange
    leadership_tests: LeadershipTests
    scales: Scales
    t_stick: TStick
    base_widths: BaseWidths
    sizes: Sizes
    activation: Activation
    reactions: Reactions
    basic_moves: BasicMoves
    movement: Movement
    fire: Fire
    formation: Formation
    markers: Markers
    template_weapons: TemplateWeapons
    look_out: LookOut
    grenades: Grenades
    casualties: Casualties
    suppression: Suppression
    combat: Combat
    rout: Rout
    pursuit: Pursuit
    open_field: OpenField

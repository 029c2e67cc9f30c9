"""A bunker under attack: shots and blows at it, and what becomes of those inside when it comes down."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import LOW, PMF, Capped, Dice, Ints, Volley
from sims.dice.source import Argument
from sims.games.arap.hits import hit_target
from sims.games.arap.shooting import half_range, save_goals, shots
from sims.games.arap.wounds import armour_save
from sims.profiles import Weapon
from sims.questions import asks
from sims.rulesets.gemini import way_in
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.bunker_hits import (
    AUTOMATIC,
    BEST_OF_TWO,
    GLANCING,
    NOTHING,
    ONE_DIE,
    PENETRATING,
    RESULTS,
    TWO_DICE,
    Bombardment,
    Bunker,
    HitsTable,
    penetration,
)
from sims.rulesets.gemini.state import MAY_NOT_FIRE, STUNNED, Scene, Siege, standing, wounded, wounds_left
from sims.rulesets.gemini.tables import MOST_TOTAL, ArmouredKind

Effect = Literal["glancing", "penetrating", "any"]


@asks("GB-133", "GB-135", name="shot at a bunker")
def armour_chance(
    rules: Gemini, S: int, effect: Effect, AV: int | None = None, building: ArmouredKind | None = None, dice: int = 1
) -> Fraction:
    """Return the chance that a hit glances off an Armour Value, or penetrates it (GB-133, GB-135).

    Parameters
    ----------
    rules : Gemini
    S : int
        Strength of the hit.
    effect : str
        Glancing, penetrating, or any of the two.
    AV : int
        Armour Value, if no building is named.
    building : str
        A row of the table of Armour Values.
    dice : int
        Dice added to Strength, 1 or 2.

    Raises
    ------
    ValueError
        If neither Armour Value nor building is given, or the dice are not 1 or 2.
    """
    if building is not None:
        AV = getattr(rules.tables.armour, building)
    if AV is None:
        raise ValueError("expected AV= (a whole number) or building= (a row of the table)")
    if dice not in (ONE_DIE, TWO_DICE):
        raise ValueError(f"expected 1 or 2 dice, got {dice}")
    does = penetration(dice, AV - S)
    return {"glancing": does[GLANCING], "penetrating": does[PENETRATING], "any": 1 - does[NOTHING]}[effect]


@asks("GB-138", name="hull points")
def hull_points(rules: Gemini, capacity: int) -> int:
    """Return the hull points of a building (GB-138).

    Parameters
    ----------
    rules : Gemini
    capacity : int
        Models that it holds.
    """
    return rules.tables.hull_points.of(capacity)


@asks("GB-139", name="rolls on the Bunker Hits Table")
def rolls_on_table(rules: Gemini, hull: int, hits: str) -> int:
    """Return how many of some hits in a row roll on the Bunker Hits Table, if the bunker stands (GB-139).

    Parameters
    ----------
    rules : Gemini
    hull : int
        Hull points before the first.
    hits : str
        One letter for each hit, in order: g glancing, p penetrating.

    Raises
    ------
    ValueError
        If a letter is neither.
    """
    table = HitsTable.of(rules)
    return sum(bool(table.rolls(max(hull - before, 0), hit)) for before, hit in enumerate(_hits(hits)))


def _hits(letters: str) -> list[int]:
    if set(letters.lower()) - set("gp"):
        raise ValueError(f'expected letters g and p, got "{letters}"')
    return [GLANCING if letter == "g" else PENETRATING for letter in letters.lower()]


@asks("GB-139", "GB-140", name="hits on a bunker")
def collapse_chance(rules: Gemini, hull: int, hits: str) -> Fraction:
    """Return the chance that some hits in a row bring a bunker down (GB-139, GB-140).

    Parameters
    ----------
    rules : Gemini
    hull : int
        Hull points before the first.
    hits : str
        One letter for each hit, in order: g glancing, p penetrating.

    Raises
    ------
    ValueError
        If a letter is neither.
    """
    table = HitsTable.of(rules)
    left = PMF.constant(int(Bunker(hull, 0, 0, 0, 0).code()))
    for hit in _hits(hits):
        left = table.hit(left, PMF.constant(hit))
    return left.where(lambda code: bool(Bunker.decode(np.array(code)).falling))


@asks("GB-140", "GB-141", name="Bunker Hits Table")
def result_chance(
    rules: Gemini,
    column: Literal["glancing", "penetrating"],
    result: Literal["no_effect", "shaken", "stunned", "structural", "collapse", "armament"],
    damage: int = 0,
    armed: bool = False,
) -> Fraction:
    """Return the chance of a result on the Bunker Hits Table (GB-140, GB-141).

    Parameters
    ----------
    rules : Gemini
    column : str
        Whether the hit glances or penetrates.
    result : str
        Armament is that of a built-in weapon destroyed.
    damage : int
        Structural damage so far.
    armed : bool
        Whether a built-in weapon still works.
    """
    table, hit = HitsTable.of(rules), GLANCING if column == "glancing" else PENETRATING
    faces = np.arange(1, 7)
    found = table.result(np.array(hit), faces, table.structural * damage, np.array(armed))
    return Fraction(int((found == RESULTS.index(result)).sum()), 6)


@asks("GB-140", name="hits until a bunker collapses")
def hits_to_collapse(rules: Gemini, column: Literal["glancing", "penetrating"], damage: int = 0) -> Fraction:
    """Return how many rolls in one column it takes on average until a bunker collapses (GB-140).

    Parameters
    ----------
    rules : Gemini
    column : str
        Whether all hits glance or penetrate.
    damage : int
        Structural damage so far.

    Raises
    ------
    ValueError
        If it never does.
    """
    falls, cracks = (result_chance(rules, column, result, damage) for result in ("collapse", "structural"))
    endless = cracks == 0 or damage > MOST_TOTAL
    if falls == 0 and endless:
        raise ValueError("by this table it never collapses")
    if endless:
        return 1 / falls
    return (1 + cracks * hits_to_collapse(rules, column, damage + 1)) / (falls + cracks)


def dice_to_penetrate(rules: Gemini, weapon: Weapon, distance: Ints) -> Ints:
    """Return the dice that a weapon adds to its Strength (GB-133)."""
    close = TWO_DICE if rules.rulings.melta_penetration("two_dice") else BEST_OF_TWO
    return np.asarray(np.where(weapon.melta & half_range(weapon, distance), close, ONE_DIE))


def shoot(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Fire one group's shots at the bunker: each hits, and then penetrates its Armour Value or not.

    Source: Firing at Buildings; Bunkers (GB-133, GB-138; partly GB-049, partly GB-068, partly GB-137).
    """
    tables, shooter = scene.rules.tables, scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    assert weapon is not None
    fired = standing(state, scene, "attackers")[group] * shots(tables.fire, weapon, state.distance, state.volleys)
    close = state.distance < tables.walls.hit_within
    to = np.where(close, AUTOMATIC, hit_target(scene.rules.game, shooter.profile.BS, 0))
    added = dice_to_penetrate(scene.rules, weapon, state.distance)
    return attacked(
        dice, state, scene, fired, to, added, weapon.strength(shooter.profile), weapon.AP, group == scene.gunners[-1]
    )


def strike(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Let one group strike at the bunker's walls; there is no charge bonus against them.

    Source: Bunkers (GB-133; partly GB-048, partly GB-136).
    """
    striker = scene.scenario.attackers.groups[group]
    S = striker.melee.strength(striker.profile) if striker.melee else striker.profile.S
    automatic = scene.rules.rulings.blows_at_walls("automatic")
    to = AUTOMATIC if automatic else hit_target(scene.rules.game, striker.profile.WS, 0)
    AP = striker.melee.AP if striker.melee else None
    blows = standing(state, scene, "attackers")[group] * striker.profile.A
    return attacked(dice, state, scene, blows, to, ONE_DIE, S, AP, False)


def attacked(
    dice: Dice,
    state: Siege,
    scene: Scene,
    attacks: Ints,
    to: Argument,
    added: Argument,
    S: int,
    AP: int | None,
    last: bool,
) -> Siege:
    """Draw what some attacks do to the bunker; once it is breached nobody attacks it, and its hull counts no more.

    Source: Bunkers; Bunker Hits Table (GB-139, GB-140, GB-141, GB-142).
    """
    before = Bunker(state.hull, state.cracks, state.mounted, state.shaken, state.falling)
    table = HitsTable.of(scene.rules, MAY_NOT_FIRE if scene.sallies else STUNNED)
    mechanic = Bombardment(table, scene.rules.tables.armour_penetration.of(AP))
    code = dice.draw("attacks on the bunker", mechanic, attacks, to, added, S, scene.resists, before.code())
    left = Bunker.decode(code)
    return state.replace(
        hull=np.where(left.cracks > 0, 0, left.hull),
        cracks=left.cracks,
        mounted=left.mounted,
        shaken=left.shaken,
        falling=left.falling,
        volleys=np.where((left.cracks > 0) | last, 0, state.volleys),
        defenders=state.defenders.replace(points=np.where(left.shaken == STUNNED, 0, state.defenders.points)),
    )


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the bunker down: each occupant takes a wound on 3 or less, and may save.

    Source: Bunker Hits Table (GB-143).
    """
    tables, garrison = scene.rules.tables, scene.scenario.defenders.unit
    occupants = way_in.crowd(state, scene)
    most = wounds_left(state, scene, "defenders", occupants)
    saves = save_goals(garrison, None, both=scene.both_saves)
    hurting = Volley((LOW, *(armour_save(scene.rules.game).failed for _ in saves)))
    wounds = dice.draw("collapse", Capped(hurting), occupants, tables.collapse.wounded, *saves, most)
    dice.tally("defenders lost to the collapse", wounds)
    after = wounded(state, scene, "defenders", wounds)
    return after.replace(destroyed=np.ones_like(state.destroyed), falling=np.zeros_like(state.falling))

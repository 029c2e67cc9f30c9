"""Attacking the structure instead: the approach, shots, grenades and blows at its armour, and what they do."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints, exactly
from sims.dice.source import Argument
from sims.forces import give_up, killed, total, without, wounds_left
from sims.games.wh40k import moving
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allotment import suffers
from sims.games.wh40k.areas import at_walls, has_the_skill
from sims.games.wh40k.fire import may_fire
from sims.games.wh40k.nerve import pinning_test
from sims.games.wh40k.retreat import in_order, pace
from sims.games.wh40k.rules import Attack, Hit, Target
from sims.games.wh40k.structures import (
    GLANCING,
    NOTHING,
    PENETRATING,
    armour_roll,
    dice_to_penetrate,
    explosion,
    melta_reach,
    silences,
    takes_a_weapon,
    vehicle_damage,
    ways_to_strike,
    wrecks,
)
from sims.inputs import NONE, Armour, Count, Many, Number, Piercing, Strength
from sims.questions import asks
from sims.rulesets.storming.book import Intact, Storming
from sims.rulesets.storming.buildings.classes import armour_value, hit_on_unknown, possible_armour
from sims.rulesets.storming.state import NEVER, Scene, Storm
from sims.rulesets.storming.storm.aftermath import garrison_lost

Known = Annotated[Argument | None, Number("Armour Value; not known yet if not given.", 0, 20)]


def reaches(scene: Scene, highest: int) -> tuple[tuple[int, ...], ...]:
    """Return within how many inches each group can bring the walls down, by their Armour Value up to the highest.

    Who stays off to shoot does not count what he could do at the walls.
    """
    groups = range(len(scene.scenario.attackers.groups))
    return tuple(tuple(_reach(scene, group, AV) for AV in range(highest + 1)) for group in groups)


def can_bring_down(scene: Scene) -> bool:
    """Return whether any group can bring the walls down, at the lowest Armour Value that they may have."""
    lowest = min(possible_armour(scene))
    return any(reach[lowest] < NEVER for reach in scene.reaches)


def _reach(scene: Scene, group: int, AV: int) -> int:
    if scene.scenario.plan != "shoot" and opens(scene, group, AV):
        return 0
    shooter = scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    if weapon is None or weapon.kind == "melee":
        return NEVER
    hit = Hit.of(weapon, shooter.profile)
    if felled(scene, hit) >= AV:
        return weapon.range
    if weapon.melta and felled(scene, hit, dice=2) >= AV:
        return melta_reach(scene.book.game, weapon)
    return NEVER


def opens(scene: Scene, group: int, AV: int) -> bool:
    """Return whether a group can bring down walls of an Armour Value by striking them (ST-022)."""
    return any(felled(scene, hit) >= AV for _, hit in strikes(scene, group))


def felled(scene: Scene, by: Hit, dice: int = 1) -> int:
    """Return the highest Armour Value that an attack can bring down, with a glancing hit if that can (BASE-017)."""
    for hit, most in ((GLANCING, by.S + 6 * dice), (PENETRATING, by.S + 6 * dice - 1)):
        if wrecks(scene.book.game, vehicle_damage(scene.book.game, hit, by.AP).pmf.outcomes[-1]):
            return int(most)
    return 0


def reach(state: Storm, scene: Scene) -> Ints:
    """Return how near the squad must be for all those to attack the walls who can bring them down; else `NEVER`."""
    nearest: Ints = np.full(1, NEVER)
    for models, by_armour in zip(state.attackers, scene.reaches, strict=True):
        nearest = np.minimum(nearest, np.where(models > 0, np.array(by_armour)[state.armour], NEVER))
    return nearest


def besieges(state: Storm, scene: Scene) -> Bools:
    """Return where the squad attacks the structure: as long as it can bring it down, or may not storm (ST-020)."""
    if not scene.reaches or not scene.storming:
        return np.array([bool(scene.reaches)])
    return reach(state, scene) < NEVER


def storms(state: Storm, scene: Scene) -> Bools:
    """Return where the squad storms, which it declares with each charge anew (ST-020)."""
    return np.logical_not(besieges(state, scene))


def advance(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Move the attackers towards the building, to its walls or as near as they need to be to bring them down.

    Those who are falling back, or have regrouped, count as having moved.

    Source: 40k 5th edition, movement (BASE-033, BASE-062).
    """
    halt = np.where(besieges(state, scene), reach(state, scene), 0) if scene.reaches else 0
    reached = state.distance - pace(scene.book.game, scene.scenario.attackers.unit, state.retreat)
    distance = np.minimum(state.distance, np.maximum(reached, halt))
    return state.replace(distance=distance, moved=(distance < state.distance) | ~in_order(state, scene))


def within_charge(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers can charge the building: a fixed 6 inches (BASE-033, BASE-062)."""
    return moving.within_charge(scene.book.game, state.distance) & in_order(state, scene)


def strikes_now(state: Storm, scene: Scene) -> Bools:
    """Return where the squad charges the walls themselves, to strike them (ST-020, ST-022)."""
    return besieges(state, scene) & within_charge(state, scene) & (reach(state, scene) == 0)


@asks("ST-001", name="hit on a building")
def hit_on_building(S: Strength, AV: Armour) -> Draw:
    """Return what a hit on an intact building does: 0 nothing, 1 glances, 2 penetrates (ST-001).

    Under the standard rules there is no other way to its garrison.

    Args:
        S: Strength of the hit.
    """
    return armour_roll(S, AV)


@asks("ST-022", name="attack on the structure")
def penetrating_hits(book: Storming, attacks: Many, S: Strength, building_class: Intact, AV: Known = None) -> Fraction:
    """Return how many attacks on the structure penetrate on average (ST-022).

    Args:
        attacks: Blows, or one for each model that uses a grenade.
        S: Strength of the blow or of the grenade.
        building_class: Defensible or stronghold.
    """
    one = hit_on_unknown(book, building_class, S) if AV is None else armour_roll(S, AV).pmf
    return int(attacks) * one[PENETRATING]


@asks("ST-014", "ST-015", "ST-022", name="hits on the structure")
def hits_on_structure(
    book: Storming,
    n: Count,
    S: Strength,
    building_class: Intact,
    AV: Known = None,
    dice: Literal[1, 2] = 1,
    hit: Literal["penetrating", "glancing", "any"] = "penetrating",
) -> PMF:
    """Return how many of some hits penetrate, or glance, that meet one Armour Value (ST-014, ST-015, ST-022).

    Args:
        n: Hits: shots that have hit, blows, or one for each model that uses a grenade.
        S: Strength of the hits.
        building_class: Defensible or stronghold.
        AV: Armour Value; rolled once, before the first hit, if not given.
        dice: D6 added to Strength.
        hit: What counts: those that penetrate, that glance, or both.
    """
    counted = {"penetrating": (PENETRATING,), "glancing": (GLANCING,), "any": (GLANCING, PENETRATING)}[hit]
    known = exactly(armour_value, book, building_class) if AV is None else PMF.constant(int(AV))
    each = ((p, armour_roll(S, now, dice).pmf.map(lambda does: int(does in counted))) for now, p in known)
    return PMF.mixture((p, int(n) @ one) for p, one in each)


@asks("ST-022", name="structure standing after hits", needs=("ST-014", "ST-015", "BASE-016", "BASE-017"))
def stands_after_hits(
    book: Storming,
    hits: Count,
    S: Strength,
    building_class: Intact = "stronghold",
    AV: Known = None,
    AP: Piercing = NONE,
) -> Fraction:
    """Return the chance that a building stands after some hits on its structure (ST-022).

    Args:
        hits: Hits, whether they glance, penetrate or do nothing: shots that have hit, blows, grenades.
        S: Strength of the hits.
        building_class: Defensible or stronghold.
        AV: Armour Value; rolled once, before the first hit, if not given.
    """

    def felled_by(dice: Dice, against: int) -> Bools:
        hit = armour_roll(S, against).made(dice, "armour penetration")
        return (hit != NOTHING) & wrecks(book.game, vehicle_damage(book.game, hit, AP).made(dice, "vehicle damage"))

    known = exactly(armour_value, book, building_class) if AV is None else PMF.constant(int(AV))
    return sum((p * exactly(felled_by, against)[0] ** int(hits) for against, p in known), Fraction(0))


def aim(dice: Dice, state: Storm, scene: Scene, group: int) -> Storm:
    """Count the shots of one group of attackers at the structure; heavy and blast weapons may not move and fire.

    Source: Introduction (ST-001).
    """
    shooter = scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    assert weapon is not None
    may = may_fire(weapon, state.moved, strikes_now(state, scene)) & has_the_skill(weapon, shooter.profile)
    shots = wh40k.shots(scene.book.game, weapon, state.distance)
    return state.replace(shots=np.where(may, state.attackers[group] * shots, 0))


def drift(scene: Scene) -> int:
    """Return how many inches a marker may drift that is aimed at the middle of the building: to its nearer walls."""
    return min(scene.scenario.building.footprint) // 2


def shot_at_structure(dice: Dice, state: Storm, scene: Scene, group: int) -> Storm:
    """Fire one of the shots: hit, then D6 plus Strength against the Armour Value.

    A template hits, and a marker does that does not drift off the walls.

    Source: Introduction (ST-001), Buildings in 40k (ST-008), 40k 5th edition (BASE-007, BASE-016).
    """
    shooter = scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    assert weapon is not None
    added, S = dice_to_penetrate(scene.book.game, weapon, state.distance), weapon.strength(shooter.profile)
    roll = armour_roll(S, state.armour, added, at_walls(scene.book.game, weapon, shooter.profile.BS, drift(scene)))
    hit = roll.times(state.shots > 0).made(dice, "shot at the structure")
    return state.replace(hit=hit, shots=np.maximum(state.shots - 1, 0))


def strikes(scene: Scene, group: int) -> tuple[tuple[int, Hit], ...]:
    """Return how a model of a group can strike the structure, a grenade before blows that promise no more (ST-022)."""
    book, striker = scene.book, scene.scenario.attackers.groups[group]
    return ways_to_strike(book.game, striker, charged=book.rulings.charge_bonus("yes"))[::-1]


def charge_the_walls(dice: Dice, state: Storm, scene: Scene, group: int, way: int) -> Storm:
    """Count a group's attacks at the walls in one way, where no other promises more penetrating, then glancing hits.

    Source: Storming Buildings (ST-020, ST-022), 40k 5th edition (BASE-019).
    """

    def promise(attacks: int, by: Hit) -> tuple[Ints, Ints]:
        missing = state.armour - by.S
        return attacks * np.clip(6 - missing, 0, 6), attacks * ((missing >= 1) & (missing <= 6))

    def beats(one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> Bools:
        (penetrating, glancing), (penetrates, glances) = one, other
        return (penetrating > penetrates) | (penetrating == penetrates) & (glancing > glances)

    ways = strikes(scene, group)
    promises = [promise(*way) for way in ways]
    mine = promises[way]
    first = sum(mine) > 0
    for i, other in enumerate(promises):
        first = first & (beats(mine, other) if i < way else ~beats(other, mine))
    return state.replace(
        shots=np.where(first, state.attackers[group] * ways[way][0], 0), distance=np.zeros_like(state.distance)
    )


def strike_at_structure(dice: Dice, state: Storm, scene: Scene, group: int, way: int) -> Storm:
    """Strike the structure once, which hits without a roll.

    Source: Storming Buildings (ST-022), 40k 5th edition (BASE-016, BASE-019).
    """
    S = strikes(scene, group)[way][1].S
    hit = armour_roll(S, state.armour).times(state.shots > 0).made(dice, "attack on the structure")
    return state.replace(hit=hit, shots=np.maximum(state.shots - 1, 0))


def damage(dice: Dice, state: Storm, scene: Scene, AP: int) -> Storm:
    """Roll on the vehicle damage table for a glancing or penetrating hit; being immobilised does nothing.

    Source: Storming Buildings (ST-022), 40k 5th edition (BASE-017, BASE-018).
    """
    game = scene.book.game
    result = vehicle_damage(game, state.hit, AP).made(dice, "vehicle damage")
    after = exploded(dice, state, scene, explosion(game, result, total(state.defenders)))
    return after.replace(
        shaken=np.maximum(state.shaken, silences(game, result)),
        mounted=np.maximum(state.mounted - takes_a_weapon(game, result), 0),
        falling=wrecks(game, result),
        hit=np.zeros_like(state.hit),
    )


def exploded(dice: Dice, state: Storm, scene: Scene, blast: Attack) -> Storm:
    """Let the garrison suffer an explosion (BASE-018)."""
    garrison, tally = scene.scenario.defenders, "defenders lost to the explosion"
    if garrison.mixed:
        return suffers(dice, state, scene, "defenders", [blast], "explosion", tally)[0]
    most = wounds_left(state.defenders, state.defenders_hurt, garrison.unit.W)
    wounds = blast.unsaved(scene.book.game, Target.of(garrison.unit)).up_to(most).made(dice, "explosion")
    dice.tally(tally, wounds)
    dead, _ = killed(state.defenders_hurt, wounds, garrison.unit.W)
    return state.replace(defenders=give_up(state.defenders, dead))  # whoever they are: nobody fights on


def thrown_out(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Get the garrison out of a building that is wrecked or explodes; those without room are lost, the others test.

    Source: 40k 5th edition (BASE-018, BASE-031, BASE-039).
    """
    survivors = total(state.defenders)
    supporters = total(without(state.attackers, state.fireteam)) * (state.distance == 0)
    lost = garrison_lost(scene.book, survivors, None, scene.access, supporters)
    dice.tally("defenders lost for want of room", lost)
    pinned = pinning_test(scene.scenario.defenders.unit.Ld).times(survivors > lost).passed(dice, "pinning")
    dice.tally("garrison pinned", pinned)
    return state.replace(
        defenders=give_up(state.defenders, lost), destroyed=np.ones_like(state.destroyed), falling=0 * state.falling
    )

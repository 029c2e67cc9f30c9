"""Attacking the structure instead: the approach, shots, grenades and blows at its armour, and what they do."""

from fractions import Fraction

import numpy as np

from sims.dice import D6, PMF, Bools, Capped, Dice, Ints, Volley, passes, roll
from sims.forces import fall, total, without, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.nerve import PINNED
from sims.games.wh40k.structures import PENETRATING, ArmourRoll, damage_total, dice_to_penetrate
from sims.games.wh40k.transport import placed
from sims.questions import asks
from sims.rulesets.storming.aftermath import defenders_room
from sims.rulesets.storming.book import Intact, Storming
from sims.rulesets.storming.buildings import armour_value
from sims.rulesets.storming.state import Scene, Storm

ONE_HIT_EACH = Volley((wh40k.TO_WOUND, wh40k.SAVE.failed))
"""Hits that wound and are not saved. Arguments: hits, need to wound, save."""
SHOT, STRIKE = ArmourRoll(wh40k.BALLISTIC), ArmourRoll()
"""A shot that must hit, and an attack in close combat that hits without a roll (BASE-019)."""


def advance(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Move the attackers towards the building, to where they mean to halt.

    Source: 40k 5th edition, movement (BASE-033).
    """
    edition = scene.rules.game.tables.movement
    jump = scene.scenario.attackers.unit.kind == "jump infantry"
    reached = state.distance - (edition.jump_move if jump else edition.move)
    distance = np.minimum(state.distance, np.maximum(reached, scene.halt))
    return state.replace(distance=distance, moved=distance < state.distance)


def within_charge(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers can charge the building: a fixed 6 inches (BASE-033)."""
    return np.asarray(state.distance <= scene.rules.game.tables.movement.charge)


@asks("ST-001", name="hit on a building")
def hit_on_building(S: int, AV: int) -> PMF:
    """Return what a hit on an intact building does: 0 nothing, 1 glances, 2 penetrates (ST-001).

    Under the standard rules there is no other way to its garrison.

    Parameters
    ----------
    S : int
        Strength of the hit.
    AV : int
        Armour Value.
    """
    return STRIKE.pmf(1, 1, AV - S)


@asks("ST-022", name="attack on the structure")
def penetrating_hits(rules: Storming, attacks: int, S: int, building_class: Intact, AV: int | None = None) -> Fraction:
    """Return how many attacks on the structure penetrate on average (ST-022).

    Parameters
    ----------
    rules : Storming
    attacks : int
        Blows, or one for each model that uses a grenade.
    S : int
        Strength of the blow or of the grenade.
    building_class : str
        Defensible or stronghold.
    AV : int
        Armour Value; not known yet if not given.
    """
    armour = PMF.constant(AV) if AV is not None else armour_value(rules, building_class)
    return sum((p * attacks * STRIKE.pmf(1, 1, known - S)[PENETRATING] for known, p in armour), Fraction(0))


def aim(dice: Dice, state: Storm, scene: Scene, group: int) -> Storm:
    """Count the shots of one group of attackers at the structure; heavy weapons may not move and fire.

    Source: Introduction (ST-001).
    """
    weapon = scene.scenario.attackers.groups[group].weapon
    assert weapon is not None
    may = (state.moved == 0) | (weapon.kind != "heavy")
    shots = wh40k.shots(scene.rules.game, weapon, state.distance)
    return state.replace(shots=np.where(may, state.attackers[group] * shots, 0))


def shot_at_structure(dice: Dice, state: Storm, scene: Scene, group: int) -> Storm:
    """Fire one of the shots: hit, then D6 plus Strength against the Armour Value.

    Source: Introduction (ST-001), Buildings in 40k (ST-008), 40k 5th edition (BASE-016).
    """
    shooter = scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    assert weapon is not None
    needed = state.armour - weapon.strength(shooter.profile)
    added = dice_to_penetrate(scene.rules.game, weapon, state.distance)
    hit = dice.draw("shot at the structure", SHOT, state.shots > 0, shooter.profile.BS, added, needed)
    return state.replace(hit=hit, shots=np.maximum(state.shots - 1, 0))


def strikes(scene: Scene, group: int) -> tuple[tuple[int, int, int | None], ...]:
    """Return how a model of a group can strike the structure: attacks, Strength, AP (ST-022, BASE-019).

    A krak grenade is one attack; blows are as many as in a fight.
    """
    rules, force = scene.rules, scene.scenario.attackers
    profile, melee = force.groups[group].profile, force.groups[group].melee
    charged = rules.game.tables.attacks.charging if rules.rulings.charge_bonus("yes") else 0
    S, AP = (melee.strength(profile), melee.AP) if melee else (profile.S, None)
    ways: tuple[tuple[int, int, int | None], ...] = ((profile.A + charged, S, AP),)
    if "krak" in profile.grenades:
        ways = ((1, rules.game.tables.krak_grenade.S, None), *ways)
    return ways


def ready(dice: Dice, state: Storm, scene: Scene, group: int, way: int) -> Storm:
    """Count a group's attacks at the walls in one way, where no other promises more penetrating, then glancing hits.

    Source: Storming Buildings (ST-020, ST-022), 40k 5th edition (BASE-019).
    """

    def promise(attacks: int, S: int) -> Ints:
        missing = state.armour - S
        penetrating = attacks * np.clip(6 - missing, 0, 6)
        return np.asarray(penetrating * 60 + attacks * ((missing >= 1) & (missing <= 6)))

    ways = strikes(scene, group)
    promises = [promise(attacks, S) for attacks, S, _ in ways]
    mine = promises[way]
    first = np.asarray(mine > 0)
    for i, other in enumerate(promises):
        first = first & ((mine > other) if i < way else (mine >= other))
    return state.replace(
        shots=np.where(first, state.attackers[group] * ways[way][0], 0), distance=np.zeros_like(state.distance)
    )


def strike_at_structure(dice: Dice, state: Storm, scene: Scene, group: int, way: int) -> Storm:
    """Strike the structure once, which hits without a roll.

    Source: Storming Buildings (ST-022), 40k 5th edition (BASE-016, BASE-019).
    """
    S = strikes(scene, group)[way][1]
    hit = dice.draw("attack on the structure", STRIKE, state.shots > 0, 1, state.armour - S)
    return state.replace(hit=hit, shots=np.maximum(state.shots - 1, 0))


def damage(dice: Dice, state: Storm, scene: Scene, AP: int | None) -> Storm:
    """Roll on the vehicle damage table for a glancing or penetrating hit; being immobilised does nothing.

    Source: Storming Buildings (ST-022), 40k 5th edition (BASE-017, BASE-018).
    """
    table, target = scene.rules.game.tables.vehicle_damage, scene.scenario.defenders.unit
    result = damage_total(roll(dice, "vehicle damage", D6), state.hit, AP, table)
    explodes = np.isin(result, table.explodes)
    wounding = wh40k.need_to_wound(scene.rules.game, table.explosion_S, target.T)
    most = wounds_left(state.defenders, state.defenders_hurt, target.W)
    occupants = np.where(explodes, total(state.defenders), 0)
    wounds = dice.draw("explosion", Capped(ONE_HIT_EACH), occupants, wounding, wh40k.save_against(target, None), most)
    dice.tally("defenders lost to the explosion", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, target.W)
    return state.replace(
        defenders=defenders,
        defenders_hurt=hurt,
        shaken=np.maximum(state.shaken, np.isin(result, table.shaken + table.stunned)),
        mounted=np.maximum(state.mounted - np.isin(result, table.weapon_destroyed), 0),
        falling=np.isin(result, table.wrecked + table.explodes),
        hit=np.zeros_like(state.hit),
    )


def thrown_out(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Get the garrison out of a building that is wrecked or explodes; those without room are lost, the others test.

    Source: 40k 5th edition (BASE-018, BASE-031, BASE-039).
    """
    survivors = total(state.defenders)
    supporters = total(without(state.attackers, state.fireteam)) * (state.distance == 0)
    lost = survivors - placed(survivors, defenders_room(scene.rules, scene.access, supporters))
    dice.tally("defenders lost for want of room", lost)
    pinned = passes(dice, "pinning", PINNED, scene.scenario.defenders.unit.Ld, survivors > lost)
    dice.tally("garrison pinned", pinned)
    return state.replace(
        defenders=fall(state.defenders, lost), destroyed=np.ones_like(state.destroyed), falling=0 * state.falling
    )

"""The attackers' turn (GW-057): move, shoot at the building, charge and strike its walls."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.buildings import THE_BUILDING, effect, least_total, struck
from sims.games.wh40k.fire import best_BS, hits_through_fire_points, may_fire
from sims.games.wh40k.moving import charge_reach
from sims.games.wh40k.retreat import in_order, pace
from sims.games.wh40k.structures import armour_roll, dice_to_penetrate
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.leaving import charge_over
from sims.rulesets.gw_updated.setting import armed_with, attacked, close_in, ways_to_strike
from sims.rulesets.gw_updated.state import OUTSIDE, Scene, Siege, besieged
from sims.rulesets.gw_updated.wounds import suffer_inside


def advance(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move the attackers towards the building, to where they mean to halt, and let them decide whether to charge.

    Source: GW-057 step 1 (partly GW-057).
    """
    halt = np.where(close_in(state, scene), 0, scene.halt)
    reached = state.distance - pace(scene.book.game, scene.scenario.attackers.unit, state.retreat)
    distance = np.minimum(state.distance, np.maximum(reached, halt))
    moved = state.replace(distance=distance, moved=((distance < state.distance) & scene.heeds_moved).astype(int))
    return moved.replace(charging=can_charge(moved, scene).astype(int))


def start_volley(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Note the Armour Value that the whole volley is rolled against (GW-051)."""
    return state.replace(volley_AV=state.AV)


def met(state: Siege, scene: Scene) -> Ints:
    """Return the Armour Value that the next hit meets (GW-051)."""
    return state.volley_AV if scene.book.rulings.armour_in_a_volley("at_its_start") else state.AV


def can_hurt(book: GwUpdated, total: Argument, AV: Ints) -> Bools:
    """Return whether a total of Strength and dice does anything to an Armour Value (GW-028)."""
    return np.asarray(total >= least_total(book.game, AV))


def can_charge(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers may charge and are near enough, with something that can hurt the walls."""
    able = np.zeros(1, dtype=np.bool_)
    for group, n, strikes in zip(scene.scenario.attackers.groups, state.attackers, scene.strikers, strict=True):
        if strikes:
            best = max(by.S for _, by in ways_to_strike(scene.book, group)) + 6
            able = able | ((n > 0) & can_hurt(scene.book, best, state.AV))
    near = state.distance <= charge_reach(scene.book.game)
    return near & able & close_in(state, scene) & in_order(state, scene)


def in_range(state: Siege, scene: Scene, group: int) -> Bools:
    """Return where a group has models left whose template reaches those inside the building, and may be laid."""
    _, weapon = armed_with(scene, group)
    laid = (state.distance <= weapon.range) & (state.attackers[group] > 0) & in_order(state, scene)
    return laid & besieged(state, scene)


def burn(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Let templates into the fire points, whatever the plan: D6 hits each on those inside.

    The same template may hit the walls too: it does this besides.

    Source: 40k 6th edition (BASE-028; partly BASE-007).
    """
    shooter, weapon = armed_with(scene, group)
    templates = state.attackers[group] * wh40k.shots(scene.book.game, weapon, state.distance)
    hits = hits_through_fire_points(scene.book.game, templates, scene.scenario.building.firing_points)
    attack = wh40k.Attack(hits, wh40k.Hit.of(weapon, shooter))
    return suffer_inside(dice, state, scene, attack, "defenders lost to templates")


def aim(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Count the shots of one group at the building, if they can hurt it.

    Heavy weapons wait where they have moved, a convention of Casemate; whoever is about to charge fires only pistols,
    assault weapons and templates. Who is falling back, or has regrouped, counts as having moved and lays no templates.

    Source: GW-057 step 2 (partly GW-057, partly GW-011), 40k 6th edition (partly BASE-063).
    """
    shooter, weapon = armed_with(scene, group)
    aims = in_order(state, scene)
    may = may_fire(weapon, (state.moved > 0) | ~aims, state.charging) & (aims | (weapon.kind != "template"))
    reach = weapon.strength(shooter) + 6 * dice_to_penetrate(scene.book.game, weapon, state.distance)
    shots = state.attackers[group] * wh40k.shots(scene.book.game, weapon, state.distance)
    return state.replace(attacks=np.where(may & can_hurt(scene.book, reach, met(state, scene)), shots, 0))


def shot(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Fire one of the shots: hit, then D6 plus Strength against the Armour Value.

    Those who are falling back, or have regrouped, fire Snap Shots.

    Source: GW-057 step 2 (partly GW-057), 40k (BASE-002, BASE-003, BASE-004, BASE-016; partly BASE-005, partly
    BASE-007, partly BASE-063).
    """
    shooter, weapon = armed_with(scene, group)
    added = dice_to_penetrate(scene.book.game, weapon, state.distance)
    S, AV = weapon.strength(shooter), met(state, scene)
    made = np.minimum(state.attacks, 1)
    automatic = weapon.kind == "template" or scene.book.rulings.shots_at_buildings("automatic")
    limit = best_BS(scene.book.game, ~in_order(state, scene))
    to_hit = None if automatic else wh40k.limited_shot(scene.book.game, shooter.BS, limit, weapon.twin_linked)
    return _taken(state, armour_roll(S, AV, added, to_hit).times(made).made(dice, "shot"), scene)


def charge(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge the walls: the inches rolled must cover the distance, else the attackers stay where they are.

    Source: 40k 6th edition (BASE-027, BASE-033).
    """
    reaches = charge_over(scene.book, state.distance).passed(dice, "charge")
    return state.replace(distance=np.where(reaches, 0, state.distance), charging=0 * state.charging)


def ready(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Let each model of a group strike the walls with its blows or a krak grenade, whichever penetrates more often.

    Source: 40k (BASE-019, BASE-027).
    """
    ways = ways_to_strike(scene.book, scene.scenario.attackers.groups[group])
    AV = met(state, scene)
    worth = [n * np.clip(by.S + 6 - AV, 0, 6) for n, by in ways]
    grenades = worth[-1] > worth[0]
    each = np.where(grenades, ways[-1][0], ways[0][0])
    S = np.where(grenades, ways[-1][1].S, ways[0][1].S)
    attacks = np.where(can_hurt(scene.book, S + 6, AV), state.attackers[group] * each, 0)
    return state.replace(attacks=attacks, grenades=np.where(attacks > 0, grenades, 0).astype(int))


def strike(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Strike the walls once, without a roll to hit: never the unit inside.

    Source: GW-057 step 4 (partly GW-057), 40k (BASE-019, BASE-027).
    """
    ways = ways_to_strike(scene.book, scene.scenario.attackers.groups[group])
    S = np.where(state.grenades > 0, ways[-1][1].S, ways[0][1].S)
    hit = armour_roll(S, met(state, scene)).times(np.minimum(state.attacks, 1)).made(dice, "strike")
    return _taken(state, hit, scene)


def _taken(state: Siege, hit: Ints, scene: Scene) -> Siege:
    """Note what an attack did; a glancing hit counts only where there are hull points (GW-028, BASE-020)."""
    hit, left = effect(scene.book.game, hit), np.maximum(state.attacks - 1, 0)
    return state.replace(hit=hit, attacks=left, grenades=np.where((hit > 0) | (left > 0), state.grenades, 0))


def on_the_walls(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers strike the walls, and not those who may be inside (BASE-027)."""
    charges = (state.distance == 0) & attacked(state, scene) & close_in(state, scene) & in_order(state, scene)
    return struck(charges, in_the_open=state.garrison == OUTSIDE) == THE_BUILDING

"""The garrison comes out and charges (GW-026); from then on both sides fight in the open, by the ordinary rules."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import total
from sims.games.wh40k import fire, open_fight
from sims.games.wh40k.buildings import THE_UNIT, struck
from sims.games.wh40k.fire import able, in_the_open
from sims.games.wh40k.moving import charge_reach, move
from sims.games.wh40k.open_fight import ATTACKERS
from sims.games.wh40k.retreat import in_order, is_played, pace
from sims.games.wh40k.transport import still_apart
from sims.rulesets.gw_updated import flight
from sims.rulesets.gw_updated.claims import spared
from sims.rulesets.gw_updated.fire import garrison_fire, limits_end, mounted_fire, suffer_fire
from sims.rulesets.gw_updated.leaving import charge_over, dares, gap_outside, may_charge
from sims.rulesets.gw_updated.setting import close_in
from sims.rulesets.gw_updated.state import INSIDE, LOCKED, OUTSIDE, Scene, Siege, besieged
from sims.rulesets.gw_updated.wounds import suffer_outside
from sims.scenario import Side


def locked(state: Siege, scene: Scene) -> Bools:
    """Return where both sides are in close combat."""
    return state.garrison == LOCKED


def charging(state: Siege, scene: Scene) -> Bools:
    """Return where the side whose turn it is charges in the open (BASE-027)."""
    return struck(state.charging > 0, in_the_open=state.garrison == OUTSIDE) == THE_UNIT


def gap_left(state: Siege, scene: Scene) -> Ints:
    """Return the inches left between the sides when the garrison has come out or nearer (BASE-030)."""
    out = gap_outside(scene.book, state.distance, state.occupants_snap)
    nearer = still_apart(scene.book.game, state.gap, move(scene.book.game, scene.scenario.defenders.unit))
    return np.where(state.garrison == INSIDE, out, nearer)


def comes_nearer(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison is outside already, or means to come out and can charge."""
    ready = besieged(state, scene) & dares(scene.book, gap_left(state, scene))
    return ready & (scene.scenario.defence == "sally") | (state.garrison == OUTSIDE)


def come_out(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the whole garrison out of the building, or nearer, to charge this turn; the building stays claimed.

    The models find an access point that no enemy closes. Nobody attacks the walls while they fight outside.

    Source: GW-057 step 5 (partly GW-057), GW-026, GW-035, GW-053 (partly GW-005), 40k 6th edition (BASE-030).
    """
    return spared(state, scene).replace(
        garrison=np.full_like(state.garrison, OUTSIDE),
        gap=gap_left(state, scene),
        charging=(may_charge() & in_reach(scene, gap_left(state, scene))).astype(int),
        volley_AV=0 * state.volley_AV,
        moved=0 * state.moved,
    )


def in_reach(scene: Scene, gap: Ints) -> Bools:
    """Return where a charge in the open may reach the enemy (BASE-033)."""
    return np.asarray(gap <= charge_reach(scene.book.game))


def close_with(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the attackers nearer to a garrison in the open, if they go in hand to hand; else they stand and shoot.

    Those who are falling back, or have regrouped, charge nobody; nor do others who cannot reach it.

    Source: GW-057 step 1 (partly GW-057), 40k 6th edition (partly BASE-063).
    """
    closes = close_in(state, scene)
    moves = pace(scene.book.game, scene.scenario.attackers.unit, state.retreat)
    near = still_apart(scene.book.game, state.gap, moves)
    gap = np.where(closes, near, state.gap)
    return state.replace(
        gap=gap,
        distance=np.maximum(state.distance - (state.gap - gap), 0),
        charging=(closes & in_order(state, scene) & in_reach(scene, gap)).astype(int),
    )


def fire_at_garrison(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the attackers shoot at a garrison in the open: everything, or before a charge what is light enough.

    Who does not close in has not moved, so heavy weapons fire; but those who are falling back, or have regrouped, have
    moved and fire Snap Shots.

    Source: 40k (BASE-002, BASE-004, BASE-011, BASE-013; partly BASE-007, partly BASE-063).
    """
    force, hampered = scene.scenario.attackers, ~in_order(state, scene)
    shooters = able(force, state.attackers, hampered | close_in(state, scene), state.charging)
    fired = in_the_open(scene.book.game, force, shooters, state.gap, hampered)
    return suffer_fire(dice, state, scene, "defenders", "fire at the garrison", fired, "shooting")


def fire_at_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let a garrison in the open shoot before it charges, and the emplaced weapons of the empty building by themselves.

    Source: GW-034, GW-037, GW-053 (partly GW-010), 40k (BASE-004, BASE-024; partly BASE-007).
    """
    light = able(scene.scenario.defenders, state.defenders, charging=True)
    fired = [*garrison_fire(state, scene, light, state.gap), *mounted_fire(state, scene)]
    return limits_end(suffer_fire(dice, state, scene, "attackers", "fire at the attackers", fired, "shooting"))


def overwatch(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Let those who are charged fire Snap Shots at the side that charges, and templates for D3 hits each.

    Source: 40k 6th edition (BASE-004, BASE-008).
    """
    game, squad, garrison = scene.book.game, scene.scenario.attackers, scene.scenario.defenders
    charged = (squad, state.attackers) if side == "defenders" else (garrison, state.defenders)
    return suffer_fire(dice, state, scene, side, "Overwatch", fire.overwatch(game, *charged, state.gap), "Overwatch")


def charge(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Charge in the open: the inches rolled must cover the gap; attackers who charge come nearer to the building so.

    Source: GW-026, 40k 6th edition (BASE-033).
    """
    reaches = charge_over(scene.book, state.gap).passed(dice, "charge in the open")
    nearer = np.where(reaches & (side == "attackers"), state.gap, 0)
    return state.replace(
        garrison=np.where(reaches, LOCKED, OUTSIDE),
        charged=reaches.astype(int),
        charging=0 * state.charging,
        gap=np.where(reaches, 0, state.gap),
        distance=np.maximum(state.distance - nearer, 0),
    )


def blows(dice: Dice, state: Siege, scene: Scene, step: int, side: Side) -> Siege:
    """Strike one Initiative step of a round of close combat; those of equal Initiative strike together.

    Source: 40k (BASE-009, BASE-010, BASE-011, BASE-013, BASE-034).
    """
    charged = (state.charged, 0) if side == "attackers" else (0, state.charged)
    where = "to close combat outside"
    return open_fight.trade_blows(dice, state, scene, scene.order[step], charged, where, suffer_outside)


def fought(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the loser of the round test its morale; if it falls back, the winner may catch and destroy it.

    Attackers who are not caught run.

    Source: 40k (BASE-034, BASE-035, BASE-036, BASE-037).
    """
    must = open_fight.tests_morale(state.lead, state.attackers, state.defenders)
    after = open_fight.sweep(dice, open_fight.morale(dice, state, scene, must), scene)
    after = after.replace(charged=0 * state.charged)
    if not is_played(scene.book.game):
        return after
    return flight.fall_back(dice, after, scene, (after.failed == ATTACKERS) & (total(after.attackers) > 0))

"""The garrison comes out and charges (GW-026); from then on both sides fight in the open, by the ordinary rules."""

from typing import Literal

import numpy as np

from sims.dice import LEADERSHIP, AtLeast, Bools, Capped, Dice, Ints, Mechanic, Total, passes
from sims.dice.source import Argument
from sims.forces import total, wound, wounds_left
from sims.games.wh40k import open_fight
from sims.games.wh40k.combat import CAUGHT
from sims.games.wh40k.rules import LIGHT
from sims.games.wh40k.transport import still_apart
from sims.rulesets.gw_updated.attack import charge_dice, close_in, move
from sims.rulesets.gw_updated.garrison import garrison_fire, kinds, mounted_fire, volley
from sims.rulesets.gw_updated.leaving import dares, gap_outside
from sims.rulesets.gw_updated.state import ATTACKERS, GARRISON, INSIDE, LOCKED, OUTSIDE, Scene, Siege, besieged

Side = Literal["attackers", "garrison"]


def outside(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison stands in the open and nobody is in close combat."""
    return np.asarray(state.garrison == OUTSIDE)


def locked(state: Siege, scene: Scene) -> Bools:
    """Return where both sides are in close combat."""
    return np.asarray(state.garrison == LOCKED)


def charging(state: Siege, scene: Scene) -> Bools:
    """Return where the side whose turn it is charges in the open."""
    return np.asarray((state.garrison == OUTSIDE) & (state.charging > 0))


def gap_left(state: Siege, scene: Scene) -> Ints:
    """Return the inches left between the sides when the garrison has come out or nearer (BASE-030)."""
    out = gap_outside(scene.rules, state.distance, state.occupants_snap)
    nearer = still_apart(scene.rules.game, state.gap, move(scene.scenario.defenders.unit, scene.rules))
    return np.where(state.garrison == INSIDE, out, nearer)


def comes_nearer(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison is outside already, or can come out and charge."""
    ready = besieged(state, scene) & dares(scene.rules, gap_left(state, scene))
    return np.asarray(ready | (state.garrison == OUTSIDE))


def come_out(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the whole garrison out of the building, or nearer, to charge this turn; the building stays claimed.

    The models find an access point that no enemy closes. Nobody attacks the walls of the empty building.

    Source: GW-057 step 5 (partly GW-057), GW-026, GW-035, GW-053 (partly GW-005), 40k 6th edition (BASE-030).
    """
    return state.replace(
        garrison=np.full_like(state.garrison, OUTSIDE),
        gap=gap_left(state, scene),
        charging=np.ones_like(state.charging),
        AV=0 * state.AV,
        volley_AV=0 * state.volley_AV,
        hull=0 * state.hull,
        moved=0 * state.moved,
    )


def close_with(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the attackers nearer to a garrison in the open, if they go in hand to hand; else they stand and shoot.

    The gap is never more than a charge can cover, or the garrison would not have come out.

    Source: GW-057 step 1 (partly GW-057).
    """
    closes = close_in(state, scene)
    near = still_apart(scene.rules.game, state.gap, move(scene.scenario.attackers.unit, scene.rules))
    gap = np.where(closes, near, state.gap)
    return state.replace(
        gap=gap,
        distance=np.maximum(state.distance - (state.gap - gap), 0),
        charging=closes.astype(int),
    )


def fire_at_garrison(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the attackers shoot at a garrison in the open: everything, or before a charge what is light enough.

    Who does not charge has not moved either, so heavy weapons fire.

    Source: 40k (BASE-002, BASE-011, BASE-013; partly BASE-007).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    shooters = tuple(
        n * ((kind in LIGHT) | (state.charging == 0)) for n, kind in zip(state.attackers, kinds(force), strict=True)
    )
    parts, arguments = volley(scene.rules, force, shooters, target, state.gap)
    return _hurt(dice, state, scene, "garrison", "fire at the garrison", parts, arguments, "shooting")


def fire_at_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let a garrison in the open shoot before it charges, and the emplaced weapons of the empty building by themselves.

    Source: GW-034, GW-037, GW-053 (partly GW-010), 40k (BASE-004; partly BASE-007, partly BASE-024).
    """
    force = scene.scenario.defenders
    light = tuple(n * (kind in LIGHT) for n, kind in zip(state.defenders, kinds(force), strict=True))
    parts, arguments = garrison_fire(state, scene, light, state.gap)
    mounted, own = mounted_fire(state, scene)
    after = _hurt(
        dice, state, scene, "attackers", "fire at the attackers", parts + mounted, arguments + own, "shooting"
    )
    return after.replace(occupants_snap=0 * state.occupants_snap, weapons_snap=0 * state.weapons_snap)


def overwatch(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Let those who are charged fire Snap Shots at the side that charges, and templates for D3 hits each.

    Source: 40k 6th edition (BASE-004; partly BASE-008).
    """
    scenario, snap = scene.scenario, scene.rules.game.tables.snap_shots.BS
    if side == "garrison":
        parts, arguments = volley(
            scene.rules, scenario.attackers, state.attackers, scenario.defenders.unit, state.gap, snap
        )
    else:
        parts, arguments = volley(
            scene.rules, scenario.defenders, state.defenders, scenario.attackers.unit, state.gap, snap
        )
    return _hurt(dice, state, scene, side, "Overwatch", parts, arguments, "Overwatch")


def charge(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge in the open: the inches rolled must cover the gap; once both sides are locked only the fight counts.

    Source: GW-026, 40k 6th edition (BASE-033).
    """
    reaches = dice.draw("charge in the open", AtLeast(charge_dice(scene.rules)), state.gap) > 0
    return state.replace(
        garrison=np.where(reaches, LOCKED, OUTSIDE),
        charged=reaches.astype(int),
        charging=0 * state.charging,
        gap=np.where(reaches, 0, state.gap),
        distance=np.where(reaches, 0, state.distance),
        weapons=tuple(np.where(reaches, 0, n) for n in state.weapons),
    )


def blows(dice: Dice, state: Siege, scene: Scene, step: int, side: Side) -> Siege:
    """Strike one Initiative step of a round of close combat; those of equal Initiative strike together.

    Source: 40k (BASE-009, BASE-010, BASE-011, BASE-013, BASE-034).
    """
    attackers, defenders = scene.scenario.attackers, scene.scenario.defenders
    ours, theirs = scene.order[step]
    ours_charged, theirs_charged = (state.charged, 0) if side == "attackers" else (0, state.charged)
    after, lead = state, state.lead
    if ours:
        most = wounds_left(state.defenders, state.defenders_hurt, defenders.unit.W)
        mechanic, arguments = open_fight.blows(
            scene.rules.game, attackers, state.attackers, ours, defenders.unit, most, ours_charged
        )
        wounds = dice.draw("attackers' blows", mechanic, *arguments)
        after, lead = _suffer(dice, after, scene, "garrison", wounds, "close combat outside"), lead + wounds
    if theirs:
        most = wounds_left(state.attackers, state.attackers_hurt, attackers.unit.W)
        mechanic, arguments = open_fight.blows(
            scene.rules.game, defenders, state.defenders, theirs, attackers.unit, most, theirs_charged
        )
        wounds = dice.draw("garrison's blows", mechanic, *arguments)
        after, lead = _suffer(dice, after, scene, "attackers", wounds, "close combat outside"), lead - wounds
    return after.replace(lead=lead)


def fought(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the loser of the round test its morale; if it falls back, the winner may catch and destroy it.

    Source: 40k (BASE-034, BASE-035, BASE-036).
    """
    one, other = scene.scenario.attackers, scene.scenario.defenders
    must = open_fight.tests_morale(state.lead, state.attackers, state.defenders)
    target = open_fight.nerve(state.lead, one, state.attackers, other, state.defenders)
    runs = must & ~passes(dice, "morale", LEADERSHIP, target, must)
    caught = passes(dice, "sweeping advance", CAUGHT, open_fight.falls_behind(state.lead, one, other), runs)
    ours, theirs = caught & (state.lead < 0), caught & (state.lead > 0)
    dice.tally("attackers lost to the sweeping advance", total(state.attackers) * ours)
    dice.tally("defenders lost to the sweeping advance", total(state.defenders) * theirs)
    return state.replace(
        attackers=tuple(n * ~ours for n in state.attackers),
        defenders=tuple(n * ~theirs for n in state.defenders),
        attackers_hurt=state.attackers_hurt * ~ours,
        defenders_hurt=state.defenders_hurt * ~theirs,
        routed=np.where(runs, np.where(state.lead < 0, ATTACKERS, GARRISON), 0),
        charged=0 * state.charged,
        lead=0 * state.lead,
    )


def _hurt(
    dice: Dice,
    state: Siege,
    scene: Scene,
    side: Side,
    label: str,
    parts: list[Mechanic],
    arguments: list[Argument],
    cause: str,
) -> Siege:
    """Draw a volley at one side and remove who falls; nobody is hurt where nobody has anything to fire."""
    if not parts:
        return state
    scenario = scene.scenario
    if side == "attackers":
        most = wounds_left(state.attackers, state.attackers_hurt, scenario.attackers.unit.W)
    else:
        most = wounds_left(state.defenders, state.defenders_hurt, scenario.defenders.unit.W)
    return _suffer(dice, state, scene, side, dice.draw(label, Capped(Total(tuple(parts))), *arguments, most), cause)


def _suffer(dice: Dice, state: Siege, scene: Scene, side: Side, wounds: Ints, cause: str) -> Siege:
    """Remove the models of one side that unsaved wounds take, ordinary ones first."""
    if side == "attackers":
        dice.tally(f"attackers lost to {cause}", wounds)
        attackers, hurt = wound(state.attackers, state.attackers_hurt, wounds, scene.scenario.attackers.unit.W)
        return state.replace(attackers=attackers, attackers_hurt=hurt)
    dice.tally(f"defenders lost to {cause}", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, scene.scenario.defenders.unit.W)
    return state.replace(defenders=defenders, defenders_hurt=hurt)

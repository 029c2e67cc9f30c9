"""What attackers set about, by their plan, and from how near."""

import numpy as np

from sims.dice import Bools, Ints
from sims.games.arap.moving.measuring import melee_radius, within
from sims.games.arap.shooting import takes_aim
from sims.rulesets.gemini.book import OwnUnit
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections.rooms import is_entered
from sims.rulesets.gemini.state import Scene, Siege

ENTER, FORCE, STRIKE, BATTER, SHOOT, SMOKE = range(6)
"""What attackers are about: charge in; force the door; charge and strike the structure; shoot at it; shoot only; burn
and blast out those inside."""


def aims(state: Siege, scene: Scene) -> Ints:
    """Return the points that attackers who only shoot give to an Aim action first (ARAP-104)."""
    if scene.plan != "shoot":
        return np.zeros_like(state.volleys)
    return takes_aim(scene.book.game, scene.scenario.attackers.groups, state.distance, state.volleys)


def intent(state: Siege, scene: Scene) -> Ints:
    """Return what the attackers set about, by their plan: those who cannot get in yet work on the building."""
    from_outside = intent_outside(state, scene)
    return from_outside if scene.in_turn == 1 else np.where(is_entered(state, scene), ENTER, from_outside)


def intent_outside(state: Siege, scene: Scene) -> Ints:
    """Return what attackers set about who have no section yet."""
    if scene.plan == "shoot":
        return np.full_like(state.damage + state.cracks + state.forced, SHOOT)
    tools = work(state, scene)
    if scene.locked:
        storming = np.where(way_in.door_open(state, scene), ENTER, FORCE)
    else:
        storming = np.where(way_in.admitted(state, scene) > 0, ENTER, tools)
    if scene.plan == "smoke":
        return np.where(scene.sealed | (way_in.openings(state, scene) > 0), SMOKE, storming)
    if scene.plan == "demolish":
        done = way_in.opened_up(state, scene)
        return np.where(done, ENTER, np.where(tools != SHOOT, tools, storming))
    return storming


def work(state: Siege, scene: Scene) -> Ints:
    """Return what the attackers can do to the building with those who are left: strike at it, shoot at it, or nothing.

    They begin with what does more.
    """
    models = state.attackers.standing
    shots = sum((models[i] for i in scene.gunners), 0 * state.attackers.models) > 0
    blows = sum((models[i] for i in scene.strikers), 0 * state.attackers.models) > 0
    if scene.by_blows:
        return np.where(blows, STRIKE, np.where(shots, BATTER, SHOOT))
    return np.where(shots, BATTER, np.where(blows, STRIKE, SHOOT))


def reach(scene: Scene, about: Ints) -> Ints:
    """Return from how many inches the attackers can do what they are about, with the charge dice counted on."""
    tables, unit = scene.book.tables, scene.scenario.attackers.unit
    charge = unit.move + int(melee_radius(scene.book.game, OwnUnit.of(unit).size)) + tables.plans.counted_on
    halt = scene.stand_off if scene.halt is None else scene.halt
    from_here = {ENTER: charge, FORCE: tables.forcing.within, STRIKE: charge, BATTER: halt, SHOOT: scene.stand_off}
    from_here[SMOKE] = scene.smoke_from
    return np.array([from_here[i] for i in range(len(from_here))])[about]


def may_shoot_next(state: Siege, scene: Scene) -> Bools:
    """Return where attackers, at the end of their turn, might shoot in that of the garrison.

    They do not run, and would have points left: they pick up no more dice than the garrison throws, move first, and
    keep a point for a charge. By plans that may change nothing is known of that.
    """
    about, move = intent(state, scene), scene.scenario.attackers.unit.move
    moves = -(-np.maximum(0, state.distance - reach(scene, about)) // move)
    kept = (about == ENTER) | (about == STRIKE)
    near = (moves + kept < scene.book.tables.plans.defenders_dice) & (about != FORCE)
    return (near | scene.scenario.may_change) & (state.attackers.routs == 0)


def charging(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers are near enough to charge, and have a point for it."""
    about = intent(state, scene)
    wants = (about == ENTER) | (about == STRIKE)
    return wants & (state.attackers.points > 0) & within(state.distance, reach(scene, about))

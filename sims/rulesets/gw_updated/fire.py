"""Fire from the building: those inside shoot from fire points, emplaced weapons fire by themselves."""

import numpy as np

from sims.dice import Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models, chosen, longest_range_first, total
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k import transport
from sims.games.wh40k.fire import crew, emplaced, emplaced_hits, hits_by_snap_shots, in_the_open
from sims.games.wh40k.rules import Attack
from sims.inputs import Count, Many, Piercing, Save, Skill, Strength, Toughness
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.leaving import limits_left
from sims.rulesets.gw_updated.state import Scene, Siege
from sims.rulesets.gw_updated.wounds import suffer_outside
from sims.scenario import Side


def shoot(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Fire at the attackers in the open: one model at each fire point, and every emplaced weapon by itself.

    After a Tremor those inside fire Snap Shots; emplaced weapons do after any result that jams them. Templates count
    D3 hits.

    Source: GW-057 step 5 (partly GW-057), GW-034, GW-037, GW-053 (partly GW-010), 40k (BASE-004, BASE-024,
    BASE-029).
    """
    garrison, points = scene.scenario.defenders, scene.scenario.building.firing_points
    able = transport.shooters(scene.book.game, total(state.defenders), points)
    shooters = chosen(state.defenders, able, longest_range_first(garrison))
    idle = total(state.defenders) - total(shooters)
    fired = [*garrison_fire(state, scene, shooters, state.distance), *mounted_fire(state, scene, idle)]
    after = suffer_fire(dice, state, scene, "attackers", "fire from the building", fired, "shooting")
    return limits_end(after).replace(moved=0 * state.moved, volley_AV=0 * state.volley_AV)


def sentry(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Fire every emplaced weapon of a building that is empty but still claimed.

    Source: GW-037, GW-053 (partly GW-005, partly GW-010), 40k (BASE-024).
    """
    fired = mounted_fire(state, scene)
    return limits_end(suffer_fire(dice, state, scene, "attackers", "automated fire", fired, "shooting"))


def limits_end(state: Siege) -> Siege:
    """End the limits on those inside and on emplaced weapons with the garrison's turn (GW-053)."""
    return state.replace(
        occupants_snap=limits_left(state.occupants_snap, 1), weapons_snap=limits_left(state.weapons_snap, 1)
    )


@asks("GW-034", name="fire after a Tremor")
def fire_after_tremor(book: GwUpdated, shots: Many, BS: Skill) -> Draw:
    """Return the hits by those inside in the turn after a Tremor (GW-034).

    Args:
        shots: Shots from fire points.
        BS: The shooters' own Ballistic Skill.
    """
    return hits_by_snap_shots(book.game, shots, BS)


def garrison_fire(state: Siege, scene: Scene, shooters: Models, distance: Ints) -> list[Attack]:
    """Return what some of the garrison fire: after a Tremor Snap Shots (GW-034)."""
    return in_the_open(scene.book.game, scene.scenario.defenders, shooters, distance, state.occupants_snap)


def mounted_fire(state: Siege, scene: Scene, idle: Argument = 0) -> list[Attack]:
    """Return what the emplaced weapons of a claimed building fire, manned or by themselves, somebody inside or not.

    Source: GW-037 (partly GW-005, partly GW-010), 40k (BASE-024).

    Args:
        idle: How many of those inside could man them.
    """
    game, garrison, snap = scene.book.game, scene.scenario.defenders.unit, state.weapons_snap
    manned = chosen(state.weapons, crew(game, idle), range(len(scene.weapons)))
    fired = []
    for (weapon, _), n, men in zip(scene.weapons, state.weapons, manned, strict=True):
        by, shots = wh40k.Hit.of(weapon, garrison), wh40k.shots(game, weapon, state.distance)
        alone = emplaced_hits(game, (n - men) * shots, weapon.twin_linked, snap)
        fired.append(Attack(alone, by).told_of(weapon.title))
        if game.rulings.emplaced_weapons("manned"):
            limited = snap | state.occupants_snap
            crewed = emplaced_hits(game, men * shots, weapon.twin_linked, limited, garrison.BS)
            fired.append(Attack(crewed, by).told_of(f"{weapon.title}, manned"))
    return fired


@asks("GW-010", "GW-037", name="automated fire")
def automated_fire(
    book: GwUpdated,
    weapons: Count,
    shots: Count,
    S: Strength,
    AP: Piercing,
    T: Toughness,
    Sv: Save,
    twin_linked: bool = False,
    snap_shots: bool = False,
) -> Draw:
    """Return the unsaved wounds by emplaced weapons that fire by themselves (GW-037, partly GW-010).

    Args:
        weapons: How many fire.
        shots: Shots of each.
        S: Strength of the weapons.
        T: Toughness of the targets, in the open.
        Sv: Armour save of the targets, or none.
        twin_linked: Whether the weapons are twin-linked.
        snap_shots: Whether they are limited to Snap Shots.
    """
    fired = np.multiply(weapons, shots)
    return emplaced(book.game, fired, wh40k.Hit(S, AP), wh40k.Target(T, Sv), twin_linked, snap_shots)


def suffer_fire(
    dice: Dice, state: Siege, scene: Scene, side: Side, label: str, fired: list[Attack], cause: str
) -> Siege:
    """Let one side in the open suffer what is fired at it; nothing where nobody can fire."""
    if not fired:
        return state
    return suffer_outside(dice, state, scene, side, fired, label, f"{side} lost to {cause}")[0]

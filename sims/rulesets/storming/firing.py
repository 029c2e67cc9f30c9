"""Fire from the building: through firing points or with mounted weapons, all at one target."""

import numpy as np

from sims.dice import Bools, Capped, Dice, Ints, Total, Volley
from sims.dice.source import Argument
from sims.forces import chosen, longest_range_first, total, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k import transport
from sims.inputs import at_most
from sims.profiles import Weapon
from sims.questions import asks
from sims.rulesets.storming.areas import at_models, is_area, volley
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm


def posts(rules: Storming, inside: Argument, points: int, mounted: Argument) -> tuple[Ints, Ints]:
    """Return how many models fire their own weapons and how many fire mounted ones (ST-009, ST-017).

    Firing points are manned first.
    """
    if rules.rulings.mounted_weapons("uses_firing_point"):
        crews = np.minimum(np.minimum(mounted, points), inside)
        gunners = transport.shooters(rules.game, inside - crews, points - crews)
    else:
        gunners = transport.shooters(rules.game, inside, points)
        crews = np.minimum(mounted, inside - gunners)
    return gunners, np.asarray(crews)


@asks("ST-009", "ST-017", name="weapons fired from a building")
def weapons_fired(rules: Storming, inside: int, firing_points: int, mounted: int = 0) -> int:
    """Return how many weapons are fired from a building at most (ST-009, ST-017).

    Parameters
    ----------
    rules : Storming
    inside : int
        Models inside.
    firing_points : int
        Of the building.
    mounted : int
        Weapons mounted on it, named before the game.
    """
    at_most(10**6, inside=inside, firing_points=firing_points, mounted=mounted)
    return int(sum(posts(rules, inside, firing_points, mounted)))


def may_fire_at(distance: Argument, reach: int, in_sight: bool = True, squads_target: bool = True) -> Bools:
    """Return whether a mounted weapon may fire at a unit: in range, in sight, and the squad's own target (ST-018).

    A scenario has one unit to fire at, in sight of the building: only `mounted_may_fire` asks about others.
    """
    return np.asarray((distance <= np.asarray(reach)) & (in_sight and squads_target))


@asks("ST-018", name="fire with a mounted weapon")
def mounted_may_fire(distance: int, reach: int, in_sight: bool = True, squads_target: bool = True) -> bool:
    """Return whether a mounted weapon may fire at a unit (ST-018).

    Parameters
    ----------
    distance : int
        Inches to the unit.
    reach : int
        Range of the weapon in inches.
    in_sight : bool
        Whether the weapon can see it.
    squads_target : bool
        Whether the rest of the squad fires at it.
    """
    at_most(1000, distance=distance, reach=reach)
    return bool(may_fire_at(distance, reach, in_sight, squads_target))


def _posts(state: Storm, scene: Scene) -> tuple[Ints, Ints]:
    """Return who fires: everybody in ruins, which have neither firing points nor mounted weapons (ST-005)."""
    inside = total(state.defenders)
    if scene.building_class.usual:
        return inside, np.zeros_like(inside)
    return posts(scene.rules, inside, scene.scenario.building.firing_points, state.mounted)


def garrison_fires(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the garrison fire from firing points and mounted weapons at the attackers in the open.

    Source: Buildings in 40k (ST-008, ST-009, ST-016, ST-017, ST-018), base rules (BASE-002, BASE-003, BASE-005,
    BASE-007, BASE-029).
    """
    scenario = scene.scenario
    garrison, target = scenario.defenders, scenario.attackers.unit
    own, crews = _posts(state, scene)
    gunners = chosen(state.defenders, own, longest_range_first(garrison))
    parts, arguments = volley(dice, scene, garrison, gunners, target, state.distance)
    for i, weapon in enumerate(scenario.mounted):
        part, more = _mounted(dice.within(f"mounted {i + 1}"), state, scene, weapon, crews > i)
        parts.append(part.by(weapon.title))
        arguments += more
    most = wounds_left(state.attackers, state.attackers_hurt, target.W)
    wounds = dice.draw("fire from the building", Capped(Total(tuple(parts))), *arguments, most)
    dice.tally("attackers lost to shooting", wounds)
    attackers, hurt = wound(state.attackers, state.attackers_hurt, wounds, target.W)
    return state.replace(attackers=attackers, attackers_hurt=hurt)


def _mounted(dice: Dice, state: Storm, scene: Scene, weapon: Weapon, manned: Bools) -> tuple[Volley, list[Argument]]:
    """Return what a mounted weapon fires with its crew's skill (ST-017, ST-018)."""
    bearer, target, game = scene.scenario.defenders.unit, scene.scenario.attackers.unit, scene.rules.game
    n = np.where(manned & may_fire_at(state.distance, weapon.range), 1, 0)
    if is_area(weapon):
        return at_models(dice, scene, weapon, bearer, n, target, state.distance)
    wounding = wh40k.need_to_wound(game, weapon.strength(bearer), target.T)
    shots, save = n * wh40k.shots(game, weapon, state.distance), wh40k.save_against(target, weapon.AP)
    return wh40k.TWIN_LINKED if weapon.twin_linked else wh40k.SHOOTING, [shots, bearer.BS, wounding, save]


def can_fire(state: Storm, scene: Scene) -> Bools:
    """Return where the garrison may fire from the building: not where it is shaken, or still fighting inside."""
    return np.asarray((state.shaken == 0) & (total(state.defenders) > 0) & (total(state.fireteam) == 0))


def recover(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """End the garrison's turn: being shaken lasts for one turn (BASE-017)."""
    return state.replace(shaken=np.zeros_like(state.shaken))

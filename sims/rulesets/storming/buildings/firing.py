"""Fire from the building: through firing points or with mounted weapons, all at one target."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.forces import chosen, longest_range_first, total
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k import transport
from sims.games.wh40k.allotment import suffers
from sims.games.wh40k.areas import at_models, is_area, volley
from sims.games.wh40k.rules import Attack, Hit
from sims.inputs import Inches, Many
from sims.profiles import Weapon
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm


def posts(book: Storming, inside: Argument, points: Argument, mounted: Argument) -> tuple[Ints, Ints]:
    """Return how many models fire their own weapons and how many fire mounted ones (ST-009, ST-017).

    Firing points are manned first.
    """
    if book.rulings.mounted_weapons("uses_firing_point"):
        crews = np.minimum(np.minimum(mounted, points), inside)
        gunners = transport.shooters(book.game, inside - crews, points - crews)
    else:
        gunners = transport.shooters(book.game, inside, points)
        crews = np.minimum(mounted, inside - gunners)
    return gunners, crews


@asks("ST-009", "ST-017", name="weapons fired from a building")
def weapons_fired(book: Storming, inside: Many, firing_points: Many, mounted: Many = 0) -> int:
    """Return how many weapons are fired from a building at most (ST-009, ST-017).

    Args:
        inside: Models inside.
        firing_points: Of the building.
        mounted: Weapons mounted on it, named before the game.
    """
    return int(sum(posts(book, inside, firing_points, mounted)))


@asks("ST-018", name="fire with a mounted weapon")
def may_fire_at(distance: Inches, reach: Inches, in_sight: bool = True, squads_target: bool = True) -> Bools:
    """Return whether a mounted weapon may fire at a unit: in range, in sight, and the squad's own target (ST-018).

    A scenario has one unit to fire at, in sight of the building.

    Args:
        distance: Inches to the unit.
        reach: Range of the weapon in inches.
        in_sight: Whether the weapon can see it.
        squads_target: Whether the rest of the squad fires at it.
    """
    return np.asarray((distance <= reach) & (in_sight and squads_target))


def _posts(state: Storm, scene: Scene) -> tuple[Ints, Ints]:
    """Return who fires: everybody in ruins, which have neither firing points nor mounted weapons (ST-005)."""
    inside = total(state.defenders)
    if scene.building_class.usual:
        return inside, np.zeros_like(inside)
    return posts(scene.book, inside, scene.scenario.building.firing_points, state.mounted)


def garrison_fires(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the garrison fire from firing points and mounted weapons at the attackers in the open.

    Source: Buildings in 40k (ST-008, ST-009, ST-016, ST-017, ST-018), base rules (BASE-002, BASE-003, BASE-005,
    BASE-007, BASE-029).
    """
    garrison = scene.scenario.defenders
    own, crews = _posts(state, scene)
    gunners = chosen(state.defenders, own, longest_range_first(garrison))
    fired = volley(dice, scene.book.game, garrison, gunners, state.distance)
    for i, weapon in enumerate(scene.scenario.mounted):
        attack = _mounted(dice.within(f"mounted {i + 1}"), state, scene, weapon, crews > i)
        fired.append(attack.told_of(weapon.title))
    label, tally = "fire from the building", "attackers lost to shooting"
    return suffers(dice, state, scene, "attackers", fired, label, tally)[0]


def _mounted(dice: Dice, state: Storm, scene: Scene, weapon: Weapon, manned: Bools) -> Attack:
    """Return what a mounted weapon fires with its crew's skill (ST-017, ST-018)."""
    bearer, book = scene.scenario.defenders.unit, scene.book
    fired = np.where(manned & may_fire_at(state.distance, weapon.range), 1, 0)
    shots = fired * wh40k.shots(book.game, weapon, state.distance)
    if is_area(weapon):
        return at_models(dice, book.game, weapon, bearer, shots)
    return Attack(wh40k.shot(book.game, bearer.BS, weapon.twin_linked).times(shots), Hit.of(weapon, bearer))


def can_fire(state: Storm, scene: Scene) -> Bools:
    """Return where the garrison may fire from the building: not where it is shaken, or still fighting inside."""
    return (state.shaken == 0) & (total(state.defenders) > 0) & (total(state.fireteam) == 0)


def recover(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """End the garrison's turn: being shaken lasts for one turn (BASE-017)."""
    return state.replace(shaken=np.zeros_like(state.shaken))

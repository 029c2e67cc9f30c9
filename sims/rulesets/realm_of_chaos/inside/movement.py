"""The Movement phase: the approach, the way in by the doors, and the steps of the garrison inside."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.games.fantasy.combat import lead
from sims.games.fantasy.movement import reaches, walk
from sims.inputs import Count, Truth
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity, elsewhere
from sims.rulesets.realm_of_chaos.damage.fire import accident
from sims.rulesets.realm_of_chaos.setting import storming, way, willing
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege


def advance(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move the attackers outside towards the building; those who storm it charge, at double rate.

    Source: Combat within Buildings (RC-014).
    """
    move = scene.scenario.attackers.unit.move
    storms = storming(state, scene)
    charges = storms & reaches(scene.book.game, state.distance, move)
    distance = np.where(charges, 0, walk(state.distance, move, np.where(storms, 0, scene.halt)))
    return state.replace(distance=distance, moved=(distance < state.distance).astype(int))


def apart(state: Siege, scene: Scene) -> Bools:
    """Return where the sides do not fight in the open."""
    return state.open == 0


def at_the_door(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who storm have reached the walls, or are inside; nobody goes in past enemies outside."""
    storms = storming(state, scene) & (state.distance == 0)
    return (storms | (state.inside > 0)) & (state.out == 0)


def enter(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers in by the doors that lead to the garrison's section, as many as pass and find room.

    Entering costs no movement; it is a charge where the section holds defenders and is not fought over yet. Under
    plan demolish only as many go in as cannot hurt the walls, while any who can are left; under plan smoke one carrier.
    Carriers may have an accident.

    Source: Moving Models (RC-011, RC-012); Combat within Buildings (RC-014, partly RC-019); Buildings and Models
    (RC-003, RC-004); Buildings and Fire (RC-074).
    """
    room = np.maximum(capacity(scene.book) - state.inside, 0)
    going = np.minimum(np.minimum(willing(state, scene), way(state, scene)), room) * storming(state, scene)
    after = state.replace(outside=state.outside - going, inside=state.inside + going)
    if scene.carriers:
        before, now = scene.inside(state), scene.inside(after)
        after = accident(dice, after, scene, sum((now[i] - before[i] for i in scene.carriers), 0 * going))
    charge = charges(scene.book, going, is_fought_over(state))
    return engaged(after, scene, charge * np.int8(ATTACKERS))


def step(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison take one step: down to where there is room, up from a section that may not hold so many.

    Nothing inside slows anybody, and in no other phase does anybody move there.

    Nobody steps into a section that would fall under him, and nobody leaves a fight. Those who come down into a section
    that attackers have to themselves charge from a higher level. Since each level sends on as many as it takes in, all
    who are upstairs can be counted together.

    Source: Moving Models (RC-007, RC-008; partly RC-006, partly RC-009); Combat within Buildings (RC-014, RC-015;
    partly RC-018, partly RC-019); Damaging Buildings (RC-051, RC-052, RC-053); Buildings and Fire (RC-074).
    """
    room = room_on_the_ground(state, scene)
    at_will = np.clip(state.defenders - state.out - room, 0, elsewhere(scene.book, state.standing * scene.levels))
    in_a_fight = state.upstairs - np.clip(room - state.ground, 0, state.upstairs)
    upstairs = np.where(state.inside > 0, in_a_fight, at_will)
    coming = np.where(state.inside > 0, state.upstairs - upstairs, 0)
    from_above = (coming > 0) & (state.ground == 0) & (scene.levels > 1)
    after = state.replace(upstairs=upstairs, above=from_above.astype(int), moved=0 * state.moved)
    if scene.keepers:
        before, now = scene.ground(state), scene.ground(after)
        entering = sum((np.maximum(now[i] - before[i], 0) for i in scene.keepers), 0 * upstairs)
        after = accident(dice, after, scene, entering)
    charge = charges(scene.book, coming, is_fought_over(state))
    return engaged(after, scene, charge * np.int8(DEFENDERS))


def room_on_the_ground(state: Siege, scene: Scene) -> Ints:
    """Return how many defenders the ground section may hold."""
    most = capacity(scene.book, state.unsafe > 0)
    safe = np.where(state.unstable > 0, scene.book.tables.stability.most_models - state.inside, most)
    return np.minimum(most, np.maximum(safe, 0))


@asks("RC-014", "RC-019", name="charge of those who enter")
def charges(book: RealmOfChaos, entering: Count, fighting: Truth = False) -> Bools:
    """Return whether models charge who enter a section that enemies hold (RC-014; partly RC-019).

    Args:
        entering: Models who enter it.
        fighting: Their unit fights in it already.
    """
    joins = np.logical_and(fighting, book.rulings.joining_a_fight("same_engagement"))
    return np.asarray(entering > 0) & ~joins


def is_fought_over(state: Siege) -> Bools:
    """Return where both sides are in the ground section."""
    return (state.inside > 0) & (state.ground > 0)


def engaged(state: Siege, scene: Scene, charging: Ints) -> Siege:
    """Return whether there is a fight, and what each side scores in it before any blow.

    A charge inside a building still counts for the result, and so does the last round, even though nobody is pushed
    back (RC-016, RC-017).
    """
    fight = is_fought_over(state)
    charge = charging if scene.book.rulings.charge_result("kept") else 0 * charging
    ahead = lead(scene.book.game, 0, charge, state.winner)
    return state.replace(
        fight=fight.astype(int),
        margin=np.where(fight, ahead, 0),
        winner=np.where(fight | (state.open > 0), state.winner, 0),
        fired=np.where(state.inside > 0, 0, state.fired),
        fired_upstairs=np.where(state.inside > 0, 0, state.fired_upstairs),
    )

"""The Movement phase: the approach, the way in by the doors, and the steps of both sides inside."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import total
from sims.games.fantasy.combat import lead
from sims.games.fantasy.movement import reaches, walk
from sims.inputs import Count, Truth
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.damage.fire import accident
from sims.rulesets.realm_of_chaos.inside.fight import higher_at_first
from sims.rulesets.realm_of_chaos.inside.orders import room_left, stepped, steps_of_the_garrison, steps_on
from sims.rulesets.realm_of_chaos.inside.steps import Moves, climbed, merged
from sims.rulesets.realm_of_chaos.setting import at_the_walls, passages, storming, willing
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, LEVEL, Scene, Siege, anywhere, put
from sims.scenario import Side


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


def may_go_in(state: Siege, scene: Scene) -> Bools:
    """Return where attackers are at the walls to storm, and nobody outside keeps them from the doors, or are inside."""
    return (storming(state, scene) & at_the_walls(state)) | (state.entered > 0)


def enter(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers inside go on towards the garrison, and others in by the doors, as many as pass and find room.

    Entering costs no movement; it is a charge where the section holds defenders. Under plan demolish only as many go in
    as cannot hurt the walls, while any who can are left; under plan smoke one carrier. Carriers may have an accident.

    Source: Moving Models (RC-006, RC-009, RC-010, RC-011, RC-012); Combat within Buildings (RC-014, RC-018, RC-019);
    Buildings and Models (RC-003, RC-004, RC-005); Buildings and Fire (partly RC-074).
    """
    moves = steps_on(state, scene)
    gone_on = stepped(state, scene, "attackers", moves)
    now, left = gone_on, willing(state, scene) * storming(state, scene) * at_the_walls(state)
    for section, passing in zip(scene.plan.ground, passages(state, scene), strict=True):
        if passing.any() and left.any():
            before, now = now, let_in(now, scene, section, np.minimum(left, passing))
            left = left - (now.entered - before.entered)
    if scene.carriers:
        now = accident(dice, now, scene, entering((state, gone_on, now), scene, "attackers", scene.carriers))
    return engaged(state, now, scene, merged(moves), ATTACKERS)


def let_in(state: Siege, scene: Scene, section: int, most: Ints) -> Siege:
    """Let up to so many attackers into a section by its door, in the order in which they go in.

    Whoever does not find room, or is too tall, lets the next ones pass. Nobody goes in apart from those inside.

    Source: Buildings and Models (RC-003, RC-005); Moving Models (RC-010).
    """
    parties, outside = scene.parties["attackers"], scene.outside(state, "attackers")
    left = most * is_joined(state, scene, section)
    for nth, groups in scene.in_turn("attackers"):
        party, room = parties[nth], room_left(state, scene, "attackers")[section]
        fit = np.maximum(room, 0) // party.places[section] * (section not in party.plan.closed)
        coming = np.minimum(np.minimum(sum(outside[i] for i in groups), left), fit)
        by_party, left = [*scene.counted(state, "attackers")], left - coming
        by_party[nth] = put(by_party[nth], section, by_party[nth][section] + coming)
        state = scene.recounted(state, "attackers", by_party).replace(outside=state.outside - coming)
    return state


def is_joined(state: Siege, scene: Scene, section: int) -> Bools:
    """Return where attackers who come into a section hang together with those inside, if those do (RC-010)."""
    held = [n > 0 for n in state.inside]
    then = scene.plan.hangs_together([*held[:section], np.ones_like(held[section]), *held[section + 1 :]])
    return then | ~scene.plan.hangs_together(held)


def step(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison take a step, where its plan leads it; who does not find room, or fights, stays.

    Nothing inside slows anybody, and in no other phase does anybody move there. Nobody steps into a section that would
    fall under him, and those who are too many for it step out first.

    Source: Moving Models (RC-006, RC-007, RC-008, RC-009, RC-010); Combat within Buildings
    (RC-014, RC-015, RC-018, RC-019); Damaging Buildings (RC-051, RC-052, RC-053); Buildings and Fire (partly RC-074).
    """
    moves = steps_of_the_garrison(state, scene)
    now = stepped(state.replace(moved=0 * state.moved), scene, "defenders", moves)
    if scene.keepers:
        now = accident(dice, now, scene, entering((state, now), scene, "defenders", scene.keepers))
    return engaged(state, now, scene, merged(moves), DEFENDERS)


def entering(steps: Sequence[Siege], scene: Scene, side: Side, groups: Sequence[int]) -> Ints:
    """Return how many models of some groups come into the ground section of the front, step after step."""
    there = [scene.kinds_at_front(state, side) for state in steps]
    came = (np.maximum(now[i] - before[i], 0) for before, now in pairwise(there) for i in groups)
    return sum(came, 0 * steps[0].outside)


@asks("RC-014", "RC-019", name="charge of those who enter")
def charges(book: RealmOfChaos, entering: Count, fighting: Truth = False) -> Bools:
    """Return whether models charge who enter a section that enemies hold (RC-014, RC-019).

    Args:
        entering: Models who enter it.
        fighting: Their unit fights already, there or in another section.
    """
    joins = np.logical_and(fighting, book.rulings.joining_a_fight("same_engagement"))
    return np.asarray(entering > 0) & ~joins


def engaged(before: Siege, state: Siege, scene: Scene, moves: Moves, side: int) -> Siege:
    """Return where there is a fight, who stands higher where one has begun, and what is scored before any blow.

    All that a unit fights is one engagement. A charge inside a building still counts for the result, and so does the
    last round, even though nobody is pushed back (RC-015, RC-016, RC-017, RC-019).

    Args:
        before: How things stood before a side moved.
        moves: Its steps inside.
    """
    own = "inside" if side == ATTACKERS else "garrison"
    came = [now - was for now, was in zip(getattr(state, own), getattr(before, own), strict=True)]
    entering = total(tuple(np.maximum(n, 0) * meet for n, meet in zip(came, state.contested, strict=True)))
    fought = anywhere(before.contested)
    charge = charges(scene.book, entering, fought) & scene.book.rulings.charge_result("kept")
    new = (meet & ~was for meet, was in zip(state.contested, before.contested, strict=True))
    higher = (higher_at_first(np.sign(climbed(scene.plan, moves, i)) * side, begins) for i, begins in enumerate(new))
    fight = tuple(meet * (LEVEL + up) for meet, up in zip(state.contested, higher, strict=True))
    fights = total(fight) > 0
    return state.replace(
        fight=fight,
        margin=np.where(fights, lead(scene.book.game, 0, charge * np.int8(side), state.winner), 0),
        winner=np.where(fights | (state.open > 0), state.winner, 0),
        fired=tuple(np.where(fights, 0, n) for n in state.fired),
    )

"""Where each side wants to go inside: attackers to the garrison, and the garrison where its plan has it."""

from collections.abc import Sequence
from functools import partial, reduce

import numpy as np

from sims.dice import Bools, Ints
from sims.games.fantasy.movement import reaches
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.inside.steps import (
    Moves,
    after,
    aside,
    in_a_chain,
    merged,
    stepping_out,
    steps_towards,
)
from sims.rulesets.realm_of_chaos.outside.sally import follows, leaving
from sims.rulesets.realm_of_chaos.sections import Party
from sims.rulesets.realm_of_chaos.setting import passages, storming
from sims.rulesets.realm_of_chaos.state import OTHER, Places, Scene, Siege, anywhere
from sims.scenario import Side

Goal = Sequence[Bools]
"""Whether each section is one that a side goes to."""


def steps_on(state: Siege, scene: Scene) -> list[Moves]:
    """Return the steps of each party of attackers inside towards the nearest section that the garrison holds.

    Who fights stays, and so do those who have carried fire in. Who is over 10 feet goes where he fits.

    Source: Moving Models (RC-006, RC-009, RC-010); Buildings and Models (RC-005); Combat within Buildings
    (RC-014, RC-018).
    """
    parties = scene.parties["attackers"]
    if scene.carry_in:
        return [{} for _ in parties]
    goal = [n > 0 for n in state.garrison]
    free = [tuple(n * ~held for n, held in zip(own, goal, strict=True)) for own in scene.counted(state, "attackers")]
    room = tuple(np.maximum(n, 0) for n in room_left(state, scene, "attackers"))

    return in_a_chain(scene.plan, state.inside, free, partial(steps_towards, parties, goal, room))


def steps_of_the_garrison(state: Siege, scene: Scene) -> list[Moves]:
    """Return the steps of each party of the garrison: those who are too many make room, then the others go on.

    Who fights stays. Who is over 10 feet goes where he fits.

    Source: Moving Models (RC-006, RC-009, RC-010); Buildings and Models (RC-005); Combat within Buildings
    (RC-014, RC-018); Damaging Buildings (RC-051, RC-052, RC-053).
    """
    apart = [enemies == 0 for enemies in state.inside]
    free = [tuple(n * alone for n, alone in zip(own, apart, strict=True)) for own in scene.counted(state, "defenders")]

    def steps(parties: Sequence[Places]) -> list[Moves]:
        aside = making_room(state, scene, parties)
        stayed = [
            tuple(n - stepping_out(own, i) for i, n in enumerate(who)) for who, own in zip(parties, aside, strict=True)
        ]
        on = going_on(stepped(state, scene, "defenders", aside), scene, stayed)
        return [merged(each) for each in zip(aside, on, strict=True)]

    return in_a_chain(scene.plan, state.garrison, free, steps)


def going_on(state: Siege, scene: Scene, who: Sequence[Places]) -> list[Moves]:
    """Return the steps of those of each party of the garrison who have taken none yet: where its orders lead them."""
    goal = goals(state, scene)
    open_to = ((enemies == 0) | to for enemies, to in zip(state.inside, goal, strict=True))
    room = tuple(np.maximum(n, 0) * to for n, to in zip(room_left(state, scene, "defenders"), open_to, strict=True))
    moves = steps_towards(scene.parties["defenders"], goal, room, who)
    if scene.scenario.deployment != "gives ground":
        return moves
    given = ground_given(state, scene, room, who)  # by nobody while they go somewhere
    return [merged(each) for each in zip(moves, given, strict=True)]


def stepped(state: Siege, scene: Scene, side: Side, moves: Sequence[Moves]) -> Siege:
    """Return the state after some steps of each party of a side."""
    return scene.recounted(state, side, [*map(after, scene.counted(state, side), moves)])


def goals(state: Siege, scene: Scene) -> Goal:
    """Return where the garrison wants to go.

    It goes for attackers inside; one that holds the top only helps where it fights, and one that gives ground does
    not. Else who is to come out makes for the doors, and who is to hold these, or the top, goes there.
    """
    nowhere: Goal = [np.zeros(1, dtype=np.bool_)] * len(scene.plan.sections)
    enemies: Goal = [n > 0 for n in state.inside]
    posts = nowhere
    match scene.scenario.deployment:
        case "doors":
            posts = doors(state, scene)
        case "top":
            enemies, posts = state.contested, summit(state, scene)
        case "gives ground":
            enemies = nowhere
    there, leave = anywhere(enemies), leaves(state, scene)
    options = zip(enemies, exits(state, scene), posts, strict=True)
    return [np.where(there, enemy, np.where(leave, way > 0, post)) for enemy, way, post in options]


def leaves(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison means to come out, or is coming out, and those inside make for the doors."""
    return leaving(state, scene) & follows(scene)


def ground_given(state: Siege, scene: Scene, room: Places, who: Sequence[Places]) -> list[Moves]:
    """Return who of each party goes up a level before attackers charge his section, the highest first."""
    plan, rooms, parties, moves = scene.plan, list(room), scene.parties["defenders"], [Moves() for _ in who]
    for here in sorted(range(len(plan.sections)), key=lambda i: -plan.sections[i].level):
        if (above := plan.above(here)) is None:
            continue
        flees = threatened(state, scene, here) & (state.inside[above] == 0) & ~leaves(state, scene)
        for party, there, own in zip(parties, who, moves, strict=True):
            if above not in party.plan.closed:
                fit = np.minimum(there[here], rooms[above] // party.places[above])
                own[here, above] = going = np.where(flees, fit, 0)
                rooms[here] = rooms[here] + going * party.places[here]
                rooms[above] = rooms[above] - going * party.places[above]
    return moves


def threatened(state: Siege, scene: Scene, section: int) -> Bools:
    """Return where attackers who fit in could charge a section in their next turn: from beside it, or from outside."""
    charge = reaches(scene.book.game, state.distance, scene.scenario.attackers.unit.move)
    may_come = (exits(state, scene)[section] > 0) & storming(state, scene) & charge
    threats = [np.zeros(1, dtype=np.bool_)]
    where = scene.counted(state, "attackers"), scene.out_by_party(state, "attackers")
    for party, inside, outside in zip(scene.parties["attackers"], *where, strict=True):
        if section not in party.plan.closed:
            threats += [may_come & (outside > 0), *(inside[i] > 0 for i in scene.plan.neighbours[section])]
    return anywhere(threats)


# What stands, and where there is room.


def exits(state: Siege, scene: Scene) -> Places:
    """Return how many models pass between each section and the outside."""
    passing = passages(state, scene)
    return tuple(passing[c] if level == 1 else 0 * passing[c] for c, level in scene.plan.sections)


def doors(state: Siege, scene: Scene) -> Goal:
    """Return the ground sections with doors that stand; without any the one of the front."""
    own = [c.door * up > 0 for c, up in zip(scene.plan.columns, state.stands, strict=True)]
    some = anywhere(own)
    found = [np.where(some, door, front) for door, front in zip(own, scene.fronts(state), strict=True)]
    return [found[c] & (level == 1) for c, level in scene.plan.sections]


def summit(state: Siege, scene: Scene) -> Goal:
    """Return the sections of the highest level that stands."""
    heights = [c.levels * up for c, up in zip(scene.plan.columns, state.stands, strict=True)]
    highest = reduce(np.maximum, heights)
    return [(level == highest) & (state.stands[c] > 0) for c, level in scene.plan.sections]


def room_left(state: Siege, scene: Scene, side: Side) -> Places:
    """Return for how many more models of a side each section has room, below 0 for too many.

    The ground section of the front may be unsafe, or fall under too many of both sides together.

    Source: Buildings and Models (RC-003, RC-005); Damaging Buildings (RC-051, RC-052, RC-053).
    """
    book, fronts, found = scene.book, scene.fronts(state), list[Ints]()
    own, enemies = scene.places_taken(state, side), scene.places_taken(state, OTHER[side])
    for i, (column, level) in enumerate(scene.plan.sections):
        weak = fronts[column] & (level == 1)
        most = capacity(book, weak & (state.unsafe > 0))
        safe = np.maximum(book.tables.stability.most_models - enemies[i], 0)
        most = np.minimum(most, np.where(weak & (state.unstable > 0), safe, most))
        found.append(np.where(state.stands[column] > 0, most - own[i], 0))
    return tuple(found)


def making_room(state: Siege, scene: Scene, who: Sequence[Places]) -> list[Moves]:
    """Return who of each party steps out of a section that is too full for its state, where nobody fights.

    Those beside it make room by a step of their own, for their like: who is over 10 feet, and steps out last, or not.

    Source: Moving Models (RC-009); Buildings and Models (RC-005); Damaging Buildings (RC-051, RC-052, RC-053).

    Args:
        who: Those of each party who may step.
    """
    room, left, moves = list(room_left(state, scene, "defenders")), [*map(list, who)], [Moves() for _ in who]
    free = [n == 0 for n in state.inside]
    for here in scene.plan.ground:
        for party, there, own in zip(scene.parties["defenders"], left, moves, strict=True):
            if np.any((room[here] < 0) & free[here]):
                make_room(party, here, free, room, there, own)
    return moves


def make_room(party: Party, here: int, free: Sequence[Bools], room: list[Ints], left: list[Ints], moves: Moves) -> None:
    """Let as many of a party as there are too many step out of a section, where others beside it may step aside.

    Args:
        free: Whether each section has no enemies in it.
        room: Places left in each, below 0 for too many; it is brought up to date, as are the next two.
        left: Who of the party has not stepped, by section.
        moves: Their steps.
    """

    def step(start: int, end: int, n: Ints) -> None:
        moves[start, end] = moves.get((start, end), 0) + n
        room[start], room[end] = room[start] + n * party.places[start], room[end] - n * party.places[end]

    def fit(section: int) -> Ints:
        return np.maximum(room[section], 0) // party.places[section] * free[section]

    for there in party.plan.neighbours[here]:
        excess = np.minimum(-(np.minimum(room[here], 0) // party.places[here]), left[here]) * free[here]
        for beyond in party.plan.neighbours[there]:
            if beyond != here:
                going = aside((excess - fit(there)) * free[there], left[there], fit(beyond))
                left[there] = left[there] - going
                step(there, beyond, going)
        going = np.minimum(excess, fit(there))
        left[here] = left[here] - going
        step(here, there, going)

"""Steps from section to section: a side goes where it wants, as far as there is room, and hangs together."""

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.rulesets.realm_of_chaos.sections import FAR, Party, Plan
from sims.rulesets.realm_of_chaos.state import Places

Moves = dict[tuple[int, int], Ints]
"""How many models step from one section to another; who is not named stays."""


def steps_towards(parties: Sequence[Party], goal: Sequence[Bools], room: Places, free: Sequence[Places]) -> list[Moves]:
    """Return who of each party steps towards the nearest goal, a step each.

    Who has fewest to go is first, so that he makes room; of those the first party. Nobody leaves a goal. Of several
    sections that are as near, the first is filled first.

    Source: Moving Models (RC-006, RC-009); Buildings and Models (RC-005).

    Args:
        room: For how many more models of a side each section has room.
        free: Those of each party, by section, who may step.
    """
    rooms, moves = list(room), [Moves() for _ in parties]
    walkers = [*zip(parties, [distances(party.plan, goal) for party in parties], map(list, free), moves, strict=True)]
    for n in range(1, max(party.plan.farthest for party in parties) + 1):
        for party, away, left, own in walkers:
            for here, near in enumerate(party.plan.neighbours):
                if not np.any(left[here]):
                    continue
                for there in near:
                    fit = np.minimum(left[here], rooms[there] // party.places[there])
                    going = np.where((away[here] == n) & (away[there] == n - 1), fit, 0)
                    left[here] = left[here] - going
                    rooms[here] = rooms[here] + going * party.places[here]
                    rooms[there] = rooms[there] - going * party.places[there]
                    own[here, there] = own.get((here, there), 0) + going
    return moves


def distances(plan: Plan, goal: Sequence[Bools]) -> list[Ints]:
    """Return how many steps it is from each section to the nearest goal, `FAR` if there is none."""
    goals = np.stack(np.broadcast_arrays(*goal))
    apart = plan.steps.reshape(*plan.steps.shape, *(1,) * (goals.ndim - 1))
    return [np.where(goals, steps, np.int16(FAR)).min(axis=0) for steps in apart]


def after(places: Places, moves: Moves) -> Places:
    """Return how many are in each section after some steps."""
    found = list(places)
    for (here, there), n in moves.items():
        found[here], found[there] = found[here] - n, found[there] + n
    return tuple(found)


def aside(lacking: Argument, there: Argument, room: Argument) -> Ints:
    """Return how many of those in a section make room for others by a step to one beside it (RC-009).

    Args:
        lacking: For how many there is no room yet.
        there: Who may step.
        room: In the section beside.
    """
    return np.minimum(np.minimum(np.maximum(lacking, 0), there), np.maximum(room, 0))


def stepping_out(moves: Moves, section: int) -> Ints:
    """Return how many step out of a section."""
    return sum((n for (here, _), n in moves.items() if here == section), np.zeros(1, dtype=np.int64))


def climbed(plan: Plan, moves: Moves, section: int) -> Ints:
    """Return how many more step down into a section than step up into it."""
    own = plan.sections[section].level
    rises = ((n, plan.sections[here].level - own) for (here, there), n in moves.items() if there == section)
    return sum((n * rise for n, rise in rises), np.zeros(1, dtype=np.int64))


def in_a_chain(
    plan: Plan, places: Places, free: Sequence[Places], steps: Callable[[Sequence[Places]], list[Moves]]
) -> list[Moves]:
    """Return the steps of each party of a unit, without those that would tear it apart.

    Where they would, one model is held back in each section that it holds, of the first party with any to step.

    Source: Moving Models (RC-010).

    Args:
        places: Where the unit is.
        free: Those of each party who may step.
        steps: How so many step.
    """
    moves = steps(free)
    still = plan.hangs_together([n > 0 for n in reduce(after, moves, places)])
    if still.all():
        return moves
    torn = plan.hangs_together([n > 0 for n in places]) & ~still
    return [
        {edge: np.where(torn, fewer.get(edge, 0), n) for edge, n in own.items()}
        for own, fewer in zip(moves, steps(all_but_one(free)), strict=True)
    ]


def all_but_one(free: Sequence[Places]) -> list[Places]:
    """Return the models of each party without one in each section, of the first party that has any there."""
    fewer, before = list[Places](), tuple(0 * n for n in free[0])
    for party in free:
        back = [np.minimum(n, earlier == 0) for n, earlier in zip(party, before, strict=True)]
        fewer.append(tuple(n - one for n, one in zip(party, back, strict=True)))
        before = tuple(map(np.add, before, party))
    return fewer


def merged(moves: Sequence[Moves]) -> Moves:
    """Return the steps of several parties together."""
    edges = dict.fromkeys(edge for own in moves for edge in own)
    return {edge: reduce(np.add, [own[edge] for own in moves if edge in own]) for edge in edges}

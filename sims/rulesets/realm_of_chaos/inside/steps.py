"""Steps from section to section: a side goes where it wants, as far as there is room, and hangs together."""

from collections.abc import Callable, Sequence

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.rulesets.realm_of_chaos.sections import FAR, Plan
from sims.rulesets.realm_of_chaos.state import Places

Moves = dict[tuple[int, int], Ints]
"""How many models step from one section to another; who is not named stays."""


def steps_towards(plan: Plan, goal: Sequence[Bools], room: Places, free: Places) -> Moves:
    """Return who steps towards the nearest goal, a step each; who has fewest to go is first, so that he makes room.

    Nobody leaves a goal. Of several sections that are as near, the first is filled first.

    Source: Moving Models (RC-006, RC-009).

    Args:
        room: For how many more models of a side each section has room.
        free: Those in each who may step.
    """
    away, left, rooms, moves = distances(plan, goal), list(free), list(room), Moves()
    for n in range(1, int(plan.steps.max(where=plan.steps < FAR, initial=0)) + 1):
        for here, near in enumerate(plan.neighbours):
            if not np.any(left[here]):
                continue
            for there in near:
                going = np.where((away[here] == n) & (away[there] == n - 1), np.minimum(left[here], rooms[there]), 0)
                left[here], rooms[here] = left[here] - going, rooms[here] + going
                rooms[there] = rooms[there] - going
                moves[here, there] = moves.get((here, there), 0) + going
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


def in_a_chain(plan: Plan, places: Places, free: Places, steps: Callable[[Places], Moves]) -> Moves:
    """Return the steps of a unit; where they would tear it apart, one model is held back in each section that it holds.

    Source: Moving Models (partly RC-010).

    Args:
        places: Where the unit is.
        free: Those who may step.
        steps: How so many step.
    """
    moves = steps(free)
    still = plan.hangs_together([n > 0 for n in after(places, moves)])
    if still.all():
        return moves
    torn = plan.hangs_together([n > 0 for n in places]) & ~still
    held_back = steps(tuple(np.maximum(n - 1, 0) for n in free))
    return {edge: np.where(torn, held_back.get(edge, 0), n) for edge, n in moves.items()}

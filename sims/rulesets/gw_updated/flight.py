"""Morale under fire, and attackers who fall back: they run, and may regroup and come back."""

from collections.abc import Iterable, Iterator

import numpy as np

from sims.assault import Stage, both
from sims.dice import Bools, Dice
from sims.games.wh40k import retreat
from sims.games.wh40k.moving import charge_reach
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, NOBODY
from sims.rulesets.gw_updated.state import LOCKED, OUTSIDE, Scene, Siege, besieged, outside

Step = Stage[Siege, Scene]


def fall_back(dice: Dice, state: Siege, scene: Scene, runs: Bools) -> Siege:
    """Let attackers fall back; those who are gone have broken. A garrison in the open stays where it is.

    It does not charge what it cannot reach any more.

    Source: 40k 6th edition (BASE-037, BASE-062; partly BASE-063).
    """
    after, distance, gone = retreat.run(dice, state, scene, runs, state.distance)
    out = runs & ((state.garrison == LOCKED) | (state.garrison == OUTSIDE))
    gap = np.where(out, state.gap + distance - state.distance, state.gap)
    return after.replace(
        distance=distance,
        gap=gap,
        charging=np.where(out & (gap > charge_reach(scene.book.game)), 0, state.charging),
        garrison=np.where(out, OUTSIDE, state.garrison),
        failed=np.where(gone, ATTACKERS, np.where(runs, NOBODY, state.failed)),
    )


def garrison_runs(dice: Dice, state: Siege, scene: Scene, runs: Bools) -> Siege:
    """Let a garrison fall back that has failed its check under fire: it is gone for good (BASE-061)."""
    return state.replace(failed=np.where(runs, DEFENDERS, NOBODY))


def regrouping(scene: Scene) -> Iterator[Step]:
    """Yield what attackers do first who are falling back: they regroup, or run on (partly BASE-063)."""
    return retreat.regrouping_first(scene.book.game, apart, fall_back)


def attackers_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire at the attackers, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "attackers", stages, both(retreat.in_order, apart), fall_back)


def garrison_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire at a garrison in the open, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "defenders", stages, outside, garrison_runs)


def embarked_under_fire(scene: Scene, stages: Iterable[Step], emptied: Step) -> Iterator[Step]:
    """Yield the fire at a building, and by a ruling the morale check of those inside (BASE-061).

    Args:
        emptied: What becomes of a building that they have left.
    """
    game = scene.book.game
    if not retreat.is_played(game) or game.rulings.embarked_units("steady"):
        yield from stages
        return
    yield from retreat.under_fire(game, "defenders", stages, besieged, garrison_runs)
    yield emptied


def apart(state: Siege, scene: Scene) -> Bools:
    """Return where nobody is held in a fight."""
    return np.asarray(state.garrison != LOCKED)

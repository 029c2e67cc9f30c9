"""Morale under fire, and attackers who fall back, whatever made them: they run, and may regroup and come back."""

from collections.abc import Iterable, Iterator

import numpy as np

from sims.assault import both
from sims.dice import Bools, Dice, Draw
from sims.games.wh40k import retreat
from sims.games.wh40k.open_fight import NOBODY
from sims.rulesets.storming.state import INSIDE, Scene, Step, Storm


def fall_back(dice: Dice, state: Storm, scene: Scene, runs: Bools, by: Draw | None = None) -> Storm:
    """Let attackers fall back; those who are gone have broken. A garrison that was out goes back into its building.

    Source: 40k 5th edition (BASE-037, BASE-062).

    Args:
        by: How far, where these rules have dice of their own.
    """
    after, distance, gone = retreat.run(dice, state, scene, runs, state.distance, by)
    return after.replace(
        distance=distance,
        broken=gone.astype(int),
        failed=np.where(runs, NOBODY, state.failed),
        place=np.where(runs & ~gone, INSIDE, state.place),
    )


def garrison_runs(dice: Dice, state: Storm, scene: Scene, runs: Bools) -> Storm:
    """Let a garrison in ruins that runs under fire leave them: they are lost (BASE-061)."""
    return state.replace(taken=runs.astype(int))


def regrouping(scene: Scene) -> Iterator[Step]:
    """Yield what attackers do first who are falling back: they regroup, or run on (BASE-062)."""
    return retreat.regrouping_first(scene.book.game, apart, fall_back)


def attackers_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire of a garrison, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "attackers", stages, both(retreat.in_order, apart), fall_back)


def garrison_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire at a garrison in ruins, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "defenders", stages, apart, garrison_runs)


def apart(state: Storm, scene: Scene) -> Bools:
    """Return where nobody fights by the usual rules."""
    return np.asarray(state.place == INSIDE)

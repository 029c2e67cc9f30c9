"""Morale under fire, and attackers who fall back, whatever made them: they run, and may regroup and come back."""

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from sims.assault import Stage
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
    if retreat.is_played(scene.book.game):
        regroup = partial(retreat.regroup, nearest=lambda state: state.distance, fails=fall_back)
        yield Stage("regroup", regroup, when=runs_free)


def standing_again(scene: Scene) -> Iterator[Step]:
    """Yield the end of a turn in which attackers have regrouped (BASE-062)."""
    if retreat.is_played(scene.book.game):
        yield Stage("stand again", retreat.stand_again, when=retreat.regrouped)


def attackers_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire of a garrison, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "attackers", stages, shaken_outside, fall_back)


def garrison_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire at a garrison in ruins, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "defenders", stages, in_peace, garrison_runs)


def in_peace(state: Storm, scene: Scene) -> Bools:
    """Return where nobody fights by the usual rules."""
    return np.asarray(state.place == INSIDE)


def runs_free(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers are falling back and nobody holds them in a fight."""
    return retreat.run_on(state, scene) & in_peace(state, scene)


def shaken_outside(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers check their morale under fire: those who are falling back do not."""
    return ~retreat.run_on(state, scene) & in_peace(state, scene)

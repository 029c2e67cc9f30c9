"""Morale under fire, and attackers who fall back: they run, and may regroup and come back."""

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from sims.assault import Stage
from sims.dice import Bools, Dice
from sims.games.wh40k import retreat
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, NOBODY
from sims.rulesets.gw_updated.state import LOCKED, OUTSIDE, Scene, Siege, besieged

Step = Stage[Siege, Scene]


def fall_back(dice: Dice, state: Siege, scene: Scene, runs: Bools) -> Siege:
    """Let attackers fall back; those who are gone have broken. A garrison in the open stays where it is.

    Source: 40k 6th edition (BASE-037, BASE-062).
    """
    after, distance, gone = retreat.run(dice, state, scene, runs, state.distance)
    apart = runs & ((state.garrison == LOCKED) | (state.garrison == OUTSIDE))
    return after.replace(
        distance=distance,
        gap=np.where(apart, state.gap + distance - state.distance, state.gap),
        garrison=np.where(apart, OUTSIDE, state.garrison),
        failed=np.where(gone, ATTACKERS, np.where(runs, NOBODY, state.failed)),
    )


def garrison_runs(dice: Dice, state: Siege, scene: Scene, runs: Bools) -> Siege:
    """Let a garrison fall back that has failed its check under fire: it is gone for good (BASE-061)."""
    return state.replace(failed=np.where(runs, DEFENDERS, NOBODY))


def regrouping(scene: Scene) -> Iterator[Step]:
    """Yield what attackers do first who are falling back: they regroup, or run on (BASE-063)."""
    if retreat.is_played(scene.book.game):
        regroup = partial(retreat.regroup, nearest=lambda state: state.distance, fails=fall_back)
        yield Stage("regroup", regroup, when=runs_free)


def standing_again(scene: Scene) -> Iterator[Step]:
    """Yield the end of a turn in which attackers have regrouped (BASE-063)."""
    if retreat.is_played(scene.book.game):
        yield Stage("stand again", retreat.stand_again, when=retreat.regrouped)


def attackers_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire at the attackers, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "attackers", stages, shaken, fall_back)


def garrison_under_fire(scene: Scene, stages: Iterable[Step]) -> Iterator[Step]:
    """Yield the fire at a garrison in the open, and the morale check that it leads to (BASE-061)."""
    return retreat.under_fire(scene.book.game, "defenders", stages, in_the_open, garrison_runs)


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


def in_the_open(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison is in the open and nobody holds it in a fight."""
    return np.asarray(state.garrison == OUTSIDE)


def runs_free(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers are falling back and nobody holds them in a fight."""
    return retreat.run_on(state, scene) & (state.garrison != LOCKED)


def shaken(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers check their morale under fire: not those who are falling back, or in a fight."""
    return ~retreat.run_on(state, scene) & (state.garrison != LOCKED)

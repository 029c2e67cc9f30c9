"""Attackers who fall back: they check their morale under fire, run for their table edge, regroup, or are gone.

By one ruling nobody checks under fire, and who falls back is out of the assault at once.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

import numpy as np

from sims.assault import End, Stage, When, both
from sims.dice import Bools, Dice, Draw, Ints
from sims.forces import best, strength_at_start, total
from sims.games.wh40k.book import Edition, Wh40k
from sims.games.wh40k.moving import move
from sims.games.wh40k.nerve import checks, fall_back, off_the_table, regrouping, shaken
from sims.games.wh40k.open_fight import REGROUPED, RUNS, Fight, leadership
from sims.profiles import Unit
from sims.scenario import Side

F = TypeVar("F", bound=Fight)
Fails = Callable[[Dice, F, Any, Bools], F]
"""What becomes of those who fail a check: ``fails(dice, state, scene, where) -> state``."""


def is_played(book: Wh40k) -> bool:
    """Return whether units check their morale under fire, and those who fall back may come back (BASE-061)."""
    return book.rulings.under_fire("test")


def smaller(book: Wh40k) -> dict[str, str]:
    """Return what would make an assault smaller: that nobody runs and comes back."""
    return {"rulings.under_fire": "steady"} if is_played(book) else {}


def under_fire(
    book: Wh40k, side: Side, stages: Iterable[Stage[F, Any]], when: When[F, Any], fails: Fails[F]
) -> Iterator[Stage[F, Any]]:
    """Yield a phase of fire at a side, before which it is counted, and after which it checks its morale (BASE-061).

    Args:
        side: Who is fired at.
        when: Where it has to check.
        fails: What becomes of it if it fails.
    """
    if not is_played(book):
        yield from stages
        return
    yield Stage("stand under fire", partial(stand, side=side), when=when, by=side)
    yield from stages
    yield Stage(
        "morale under fire", partial(check, side=side, fails=fails), when=lambda state, _: state.stood > 0, by=side
    )


def stand(dice: Dice, state: F, scene: Any, side: Side) -> F:
    """Count a side before it is fired at (BASE-061)."""
    return state.replace(stood=total(getattr(state, side)))


def check(dice: Dice, state: F, scene: Any, side: Side, fails: Fails[F]) -> F:
    """Let a side check its morale that has lost a quarter in this phase: it falls back if it fails.

    Source: 40k (BASE-035, BASE-061).
    """
    models = getattr(state, side)
    must = checks(scene.book.game, state.stood, state.stood - total(models)) & (total(models) > 0)
    Ld = best(getattr(scene.scenario, side), models, leadership)
    runs = must & shaken(Ld).times(must).passed(dice, "morale under fire")
    return fails(dice, state.replace(stood=0 * state.stood), scene, runs)


def run(dice: Dice, state: F, scene: Any, runs: Bools, distance: Ints, by: Draw | None = None) -> tuple[F, Ints, Bools]:
    """Let attackers fall back towards their table edge; return them, their inches to the building, and who is gone.

    By one ruling whoever falls back is gone at once, from where he stands. A unit that is gone leaves as one.

    Source: 40k (BASE-037, BASE-062; partly BASE-063).

    Args:
        runs: Which of them fall back.
        distance: Inches to the building before.
        by: How far they fall back, where house rules have dice of their own.
    """
    game, given = scene.book.game, scene.scenario
    inches = (by or fall_back(game, given.attackers.unit.kind)).times(runs).made(dice, "attackers fall back")
    dice.tally("inches the attackers fell back", inches)
    if not is_played(game):
        return state, distance, runs
    away = distance + inches
    gone = runs & off_the_table(game, away, given.table_edge)
    return state.replace(retreat=np.where(runs, RUNS, state.retreat)), away, gone


def regrouping_first(book: Wh40k, free: When[F, Any], fails: Fails[F]) -> Iterator[Stage[F, Any]]:
    """Yield what attackers who fall back do first in their turn: they regroup, or run on (BASE-062, partly BASE-063).

    Args:
        free: Where no enemy holds them in a fight.
        fails: What becomes of those who do not regroup.
    """
    if is_played(book):
        yield Stage("regroup", partial(regroup, fails=fails), when=both(run_on, free))


def standing_again(book: Wh40k) -> Iterator[Stage[F, Any]]:
    """Yield the end of a turn in which attackers have regrouped (BASE-062)."""
    if is_played(book):
        yield Stage("stand again", stand_again, when=lambda state, _: state.retreat == REGROUPED)


def regroup(dice: Dice, state: F, scene: Any, fails: Fails[F]) -> F:
    """Let attackers who are falling back try to regroup before they move, or fall back again.

    Source: 40k (BASE-062, partly BASE-063).

    Args:
        fails: What becomes of those who do not regroup.
    """
    force, models = scene.scenario.attackers, state.attackers
    begun = strength_at_start(force, state.attackers_begun)
    tries = regrouping(scene.book.game, best(force, models, leadership), total(models), begun, state.distance)
    back = tries.passed(dice, "regroup")
    return fails(dice, state.replace(retreat=np.where(back, REGROUPED, RUNS)), scene, ~back)


def stand_again(dice: Dice, state: F, scene: Any) -> F:
    """End the turn of attackers who have regrouped: from now on they are as ever (BASE-062)."""
    return state.replace(retreat=0 * state.retreat)


def run_on(state: Fight, scene: Any) -> Bools:
    """Return where the attackers are falling back."""
    return state.retreat == RUNS


def in_order(state: Fight, scene: Any) -> Bools:
    """Return where the attackers neither fall back nor have regrouped in this turn."""
    return state.retreat == 0


def pace(book: Edition, unit: Unit, retreat: Ints) -> Ints:
    """Return how far attackers move in their turn, in inches: none who fall back, few who regroup (BASE-062)."""
    return np.where(retreat == RUNS, 0, np.where(retreat == REGROUPED, book.tables.regrouping.move, move(book, unit)))


def at_limit(state: Fight, scene: Any) -> Ints:
    """Say how it ends when the turn limit has come: who still falls back has broken, else the building is held."""
    return np.where(run_on(state, scene), End.BROKEN, End.HELD)

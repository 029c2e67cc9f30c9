"""The sampled and the rolled engine, by the Monte Carlo method: trials in batches, each with its own random streams.

A chance is the share of trials in which a thing came: p = k / n, with a standard error of sqrt(p (1 - p) / n).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from sims.assault import Assault
from sims.dice import BATCH, Address, Ints, RolledDice, SampledDice
from sims.dice.tables import Radix, merge_keys
from sims.engines.exact import Progress
from sims.engines.processes import parallel
from sims.engines.result import COLUMNS, Sampled, columns_of
from sims.state import State, kept

DICE: dict[str, type[SampledDice] | type[RolledDice]] = {"sampled": SampledDice, "rolled": RolledDice}


class Until(NamedTuple):
    """When enough has been played: that is looked at after the trials asked for, after twice, four times as many, ...

    Attributes:
        looks: How often at most; after the last look nothing more is played.
        enough: Told what all trials so far have come to.
    """

    looks: int
    enough: Callable[[Sampled], bool]


def play(
    assault: Assault[Any, Any],
    *,
    engine: Literal["sampled", "rolled"] = "sampled",
    trials: int = 100_000,
    seed: int = 1,
    workers: int = 1,
    until: Until | None = None,
    progress: Progress | None = None,
) -> Sampled:
    """Play an assault many times.

    The answer depends on the seed and the number of trials alone: not on the workers, not on the order of batches, not
    on how often it was looked at on the way.

    Args:
        engine: Draw outcomes from their distribution, or throw every die.
        trials: How often to play.
        workers: Processes to share the batches among.
        until: Play on until this holds; only what is new is played after each look.
        progress: Told the batches done and their number up to the next look.
    """
    total, played = Batch(Counter(), {}, [(0, 0)] * assault.limit), 0
    for look in range(until.looks if until else 1):
        parts = [*_parts(played, trials << look)]
        jobs = ((assault, engine, seed, *part) for part in parts)
        batches = _spread(jobs, workers) if workers > 1 else (play_batch(*job) for job in jobs)
        for done, batch in enumerate(batches, start=1):
            total = total + batch
            if progress:
                progress(done, len(parts))
        played = trials << look
        found = total.result(assault.rules, engine, played, seed, until.looks if until else 1)
        if until is None or until.enough(found):
            break
    return found


def outcomes(
    assault: Assault[Any, Any], *, engine: Literal["sampled", "rolled"] = "sampled", trials: int, seed: int = 1
) -> Iterator[dict[str, Ints]]:
    """Play an assault many times, and yield how each trial ended, in their order, a batch at a time.

    Two assaults that are played from one seed meet the same luck, trial by trial, wherever they draw alike.

    Yields:
        For each of `COLUMNS` the values of some trials, ``[<= BATCH]``.
    """
    for part in _parts(0, trials):
        yield _run(assault, engine, seed, *part).columns()


def _parts(first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield the batches that the trials from one to another stand in: which, its first trial that is meant, how many.

    A trial keeps its place in its batch, and so its luck, whichever others are played.
    """
    while first < last:
        size = min(BATCH - first % BATCH, last - first)
        yield first // BATCH, first % BATCH, size
        first += size


def _spread(jobs: Iterator[tuple[Any, ...]], workers: int) -> Iterator["Batch"]:
    from joblib import delayed  # a third of a second to import

    pool = parallel(workers, return_as="generator_unordered")
    yield from pool(delayed(play_batch)(*job) for job in jobs)


@dataclass(frozen=True)
class Batch:
    """What some trials came to, in whole numbers, so that batches add up in any order.

    Attributes:
        counts: Trials by outcome, in the order of `COLUMNS`.
        tallies: Sum and sum of squares, over trials, of what was tallied.
        course: Attackers and defenders lost by the end of each turn, summed over trials.
    """

    counts: Counter[tuple[int, ...]]
    tallies: dict[str, tuple[int, int]]
    course: list[tuple[int, int]]

    def __add__(self, other: "Batch") -> "Batch":
        """Return what both came to."""
        names = {*self.tallies, *other.tallies}
        pairs = {n: (self.tallies.get(n, (0, 0)), other.tallies.get(n, (0, 0))) for n in sorted(names)}
        return Batch(
            self.counts + other.counts,
            {n: (a[0] + b[0], a[1] + b[1]) for n, (a, b) in pairs.items()},
            [(a[0] + b[0], a[1] + b[1]) for a, b in zip(self.course, other.course, strict=True)],
        )

    def result(self, rules: str, engine: str, trials: int, seed: int, looks: int) -> Sampled:
        """Return the counts as a result."""
        outcomes = sorted(self.counts)
        columns = dict(zip(COLUMNS, np.array(outcomes, dtype=np.int64).T, strict=True))
        counts = np.array([self.counts[o] for o in outcomes], dtype=np.int64)
        course = tuple((a / trials, d / trials) for a, d in self.course)
        return Sampled(rules, columns, counts, self.tallies, course, engine, trials, seed, looks)


def play_batch(assault: Assault[Any, Any], engine: str, seed: int, batch: int, first: int, trials: int) -> Batch:
    """Play so many trials of a batch, from the first that is meant."""
    return _run(assault, engine, seed, batch, first, trials).batch()


def _run(assault: Assault[Any, Any], engine: str, seed: int, batch: int, first: int, trials: int) -> "_Run":
    run = _Run(assault, first, trials)
    for turn in range(1, assault.limit + 1):
        for step, stage in assault.steps(turn):
            run.play(stage, DICE[engine], Address(seed, batch, turn, step.player_turn, step.stage, step.repetition))
        run.close(turn)
    return run


class _Run:
    """The trials of a batch that are still in play, and what became of the others.

    Trials that have ended stay in the state, unplayed, until they are a quarter of it: leaving them out moves every
    field.
    """

    def __init__(self, assault: Assault[Any, Any], first: int, trials: int) -> None:
        self.assault = assault
        self.first = first
        self.trials = trials
        self.ids = np.arange(first, first + trials)
        self.going_on = np.ones(trials, dtype=np.bool_)
        self.state: State = assault.start.rebuild([_kept(a) for a in assault.start.arrays()])
        self.finished: list[list[Ints]] = []
        self.finishers: list[Ints] = []
        self.telling = _read(assault, self.state)
        self.tallies: dict[str, Ints] = {}
        self.lost = np.zeros(2, dtype=np.int64)  # attackers and defenders, of the trials that have ended
        self.course: list[tuple[int, int]] = []

    def play(self, stage: Any, dice_type: type[SampledDice] | type[RolledDice], address: Address) -> None:
        """Play one stage on the trials it concerns, and see which of them have ended."""
        chosen = self._concerned(stage)
        if not (self.ids if chosen is None else chosen).size:
            return
        ids = self.ids if chosen is None else self.ids.take(chosen)
        dice = dice_type(address, ids)
        after = stage.rule(dice, self.state.part(chosen), self.assault.scene)
        after = after.with_changes(_kept)
        self.state = self.state.put(after, self.ids.size)
        for name, amount in dice.tallies.items():
            so_far = self.tallies.setdefault(name, np.zeros(self.trials, dtype=np.int32))
            so_far[ids - self.first if ids.size < self.trials else slice(None)] += amount
        if after.changed & self.telling:
            self._drop(chosen, self.assault.end(after, self.assault.scene), address.turn)

    def _concerned(self, stage: Any) -> Ints | None:
        """Return the places of the trials that a stage concerns, None for all."""
        concerned = self.going_on
        if stage.when is not None:
            concerned = concerned & stage.when(self.state, self.assault.scene)
        return None if concerned.all() else np.flatnonzero(concerned)

    def _drop(self, chosen: Ints | None, end: Ints, turn: int) -> None:
        """Note how those of the chosen trials that have ended did, and leave them out from here on."""
        if end.any():
            ends = np.broadcast_to(end, self.ids.shape if chosen is None else chosen.shape)
            over = np.flatnonzero(ends)
            ended = over if chosen is None else chosen.take(over)
            self._note(ended, ends.take(over), turn)
            self.going_on[ended] = False
            if 4 * np.count_nonzero(self.going_on) < 3 * self.going_on.size:
                self._compact()

    def _compact(self) -> None:
        left = np.flatnonzero(self.going_on)
        self.ids, self.state = self.ids.take(left), self.state.take(left)
        self.going_on = np.ones(left.size, dtype=np.bool_)

    def _note(self, ended: Ints, end: Ints, turn: int) -> None:
        outcome = self.assault.outcome(self.state.part(ended), self.assault.scene)
        columns = columns_of(outcome, end, turn, ended.size)
        self.finished.append(columns)
        self.finishers.append(self.ids.take(ended))
        values = dict(zip(COLUMNS, columns, strict=True))
        self.lost += [values["attackers_lost"].sum(), values["defenders_lost"].sum()]

    def close(self, turn: int) -> None:
        """End a turn: note the losses so far, and after the last one call what is left."""
        self._compact()
        outcome = self.assault.outcome(self.state, self.assault.scene)
        live = (np.broadcast_to(a, self.ids.shape).sum() for a in (outcome.attackers_lost, outcome.defenders_lost))
        attackers, defenders = self.lost + list(live)
        self.course.append((int(attackers), int(defenders)))
        if turn == self.assault.limit:
            self._note(np.arange(self.ids.size), self.assault.at_limit(self.state, self.assault.scene), turn)

    def columns(self) -> dict[str, Ints]:
        """Return how each trial ended, in their order."""
        order = np.argsort(np.concatenate(self.finishers))
        return {
            n: np.concatenate(c).take(order) for n, c in zip(COLUMNS, zip(*self.finished, strict=True), strict=True)
        }

    def batch(self) -> Batch:
        """Count equal outcomes."""
        columns = [np.concatenate(parts) for parts in zip(*self.finished, strict=True)]
        radix = Radix(columns)
        distinct, place = merge_keys(np.broadcast_to(radix.pack(columns), (self.trials,)), radix.span)
        found = [np.broadcast_to(a, distinct.shape).tolist() for a in radix.unpack(distinct)]
        counts = dict(zip(zip(*found, strict=True), np.bincount(place).tolist(), strict=True))
        tallies = {name: (int(a.sum()), int((a.astype(np.int64) ** 2).sum())) for name, a in self.tallies.items()}
        return Batch(Counter(counts), tallies, self.course)


def _read(assault: Assault[Any, Any], state: State) -> set[str]:
    """Return the fields that tell whether an assault has ended: a stage that changes none of them ends nothing."""
    part = state.part(None)
    assault.end(part, assault.scene)
    return part.read


def _kept(array: Ints) -> Ints:
    """Return an array as states keep it, and once if it is the same everywhere; truths stay truths."""
    if array.size > 1 and array[0] == array[-1] and (array == array[0]).all():
        array = array[:1].copy()
    return array if array.itemsize <= 2 else kept(array)

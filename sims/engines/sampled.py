"""The sampled and the rolled engine: trials in batches, each with random streams of its own address."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sims.assault import Assault, End
from sims.dice import BATCH, Address, Ints, RolledDice, SampledDice
from sims.engines.exact import Progress
from sims.engines.result import COLUMNS, Sampled, columns_of

DICE: dict[str, type[SampledDice] | type[RolledDice]] = {"sampled": SampledDice, "rolled": RolledDice}


def play(
    assault: Assault[Any, Any],
    *,
    engine: Literal["sampled", "rolled"] = "sampled",
    trials: int = 100_000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Sampled:
    """Play an assault many times.

    The answer depends on the seed and the number of trials alone: not on the workers, not on the order of batches.

    Parameters
    ----------
    assault : Assault
    engine : {"sampled", "rolled"}
        Draw outcomes from their distribution, or throw every die.
    trials : int
        How often to play.
    seed : int
    workers : int
        Processes to share the batches among.
    progress : callable, optional
        Told the batches done and their number.
    """
    sizes = [min(BATCH, trials - first) for first in range(0, trials, BATCH)]
    jobs = ((assault, engine, seed, batch, size) for batch, size in enumerate(sizes))
    batches = _spread(jobs, workers) if workers > 1 else (play_batch(*job) for job in jobs)
    total = Batch(Counter(), {}, [(0, 0)] * assault.limit)
    for done, batch in enumerate(batches, start=1):
        total = total + batch
        if progress:
            progress(done, len(sizes))
    return total.result(assault.rules, engine, trials, seed)


def _spread(jobs: Iterator[tuple[Any, ...]], workers: int) -> Iterator["Batch"]:
    from joblib import Parallel, delayed  # a third of a second to import

    pool = Parallel(n_jobs=workers, return_as="generator_unordered")
    yield from pool(delayed(play_batch)(*job) for job in jobs)


@dataclass(frozen=True)
class Batch:
    """What some trials came to, in whole numbers, so that batches add up in any order.

    Attributes
    ----------
    counts : Counter
        Trials by outcome, in the order of `COLUMNS`.
    tallies : dict
        Sum and sum of squares, over trials, of what was tallied.
    course : list
        Attackers and defenders lost by the end of each turn, summed over trials.
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

    def result(self, rules: str, engine: str, trials: int, seed: int) -> Sampled:
        """Return the counts as a result."""
        outcomes = sorted(self.counts)
        columns = dict(zip(COLUMNS, np.array(outcomes, dtype=np.int64).T, strict=True))
        counts = np.array([self.counts[o] for o in outcomes], dtype=np.int64)
        course = tuple((a / trials, d / trials) for a, d in self.course)
        return Sampled(rules, columns, counts, self.tallies, course, engine, trials, seed)


def play_batch(assault: Assault[Any, Any], engine: str, seed: int, batch: int, trials: int) -> Batch:
    """Play one batch."""
    run = _Run(assault, trials)
    for turn in range(1, assault.limit + 1):
        for player in assault.turn:
            for index, stage in enumerate(player.stages):
                for repetition in range(stage.times):
                    name = f"{stage.name} {sum(s.name == stage.name for s in player.stages[:index])}"
                    run.play(stage, DICE[engine], Address(seed, batch, turn, player.name, name, repetition))
        run.close(turn)
    return run.batch()


class _Run:
    """The trials of a batch that are still in play, and what became of the others."""

    def __init__(self, assault: Assault[Any, Any], trials: int) -> None:
        self.assault = assault
        self.trials = trials
        self.ids = np.arange(trials)
        self.state = assault.start.rebuild([np.repeat(a, trials) for a in assault.start.arrays()])
        self.outcomes = np.zeros((len(COLUMNS), trials), dtype=np.int64)
        self.tallies: dict[str, Ints] = {}
        self.course: list[tuple[int, int]] = []

    def play(self, stage: Any, dice_type: type[SampledDice] | type[RolledDice], address: Address) -> None:
        if not self.ids.size:
            return
        scene = self.assault.scene
        chosen = np.arange(self.ids.size)
        if stage.when is not None:
            chosen = np.flatnonzero(np.broadcast_to(stage.when(self.state, scene), self.ids.shape))
        if not chosen.size:
            return
        dice = dice_type(address, self.ids[chosen])
        before = self.state.take(chosen)
        after = stage.rule(dice, before, scene)
        self._put(chosen, after.arrays())
        for name, amount in dice.tallies.items():
            self.tallies.setdefault(name, np.zeros(self.trials, dtype=np.int64))[self.ids[chosen]] += amount
        outcome = self.assault.outcome(self.state, scene)
        ended = np.flatnonzero(outcome.end != End.GOING_ON)
        if ended.size:
            columns = columns_of(outcome, outcome.end, address.turn)
            self.outcomes[:, self.ids[ended]] = [a[ended] for a in columns]
            left = np.flatnonzero(outcome.end == End.GOING_ON)
            self.ids, self.state = self.ids[left], self.state.take(left)

    def _put(self, chosen: Ints, changed: list[Ints]) -> None:
        arrays = []
        for old, new in zip(self.state.arrays(), changed, strict=True):
            merged = old.copy()
            merged[chosen] = new
            arrays.append(merged)
        self.state = self.state.rebuild(arrays)

    def close(self, turn: int) -> None:
        if self.ids.size:
            outcome = self.assault.outcome(self.state, self.assault.scene)
            columns = columns_of(outcome, np.full(self.ids.size, End.HELD), turn)
            self.outcomes[:, self.ids] = columns  # those that go on are written over later
        values = dict(zip(COLUMNS, self.outcomes, strict=True))
        self.course.append((int(values["attackers_lost"].sum()), int(values["defenders_lost"].sum())))

    def batch(self) -> Batch:
        distinct, counts = np.unique(self.outcomes, axis=1, return_counts=True)
        found = zip(distinct.T.tolist(), counts.tolist(), strict=True)
        tallies = {name: (int(a.sum()), int((a * a).sum())) for name, a in self.tallies.items()}
        return Batch(Counter({tuple(o): n for o, n in found}), tallies, self.course)

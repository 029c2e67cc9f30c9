"""The sampled and the rolled engine: trials in batches, each with random streams of its own address."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sims.assault import Assault, End, Outcome, State
from sims.dice import BATCH, Address, Ints, RolledDice, SampledDice
from sims.dice.tables import Radix, merge_keys
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
            for stage, name in player.addressed():
                for repetition in range(stage.times):
                    run.play(stage, DICE[engine], Address(seed, batch, turn, player.name, name, repetition))
        run.close(turn)
    return run.batch()


class _Run:
    """The trials of a batch that are still in play, and what became of the others.

    States are kept in 16 bits: a fraction of the memory to move, and no count comes near 32,767.
    """

    def __init__(self, assault: Assault[Any, Any], trials: int) -> None:
        self.assault = assault
        self.trials = trials
        self.ids = np.arange(trials)
        self.state: State = _short(assault.start)
        self.outcomes = np.zeros((len(COLUMNS), trials), dtype=np.int64)
        self.tallies: dict[str, Ints] = {}
        self.lost = np.zeros(2, dtype=np.int64)  # attackers and defenders, of the trials that have ended
        self.course: list[tuple[int, int]] = []

    def play(self, stage: Any, dice_type: type[SampledDice] | type[RolledDice], address: Address) -> None:
        """Play one stage on the trials it concerns, and drop those that have ended."""
        chosen = self._concerned(stage)
        if not chosen.size:
            return
        everyone = chosen.size == self.ids.size
        ids = self.ids if everyone else self.ids[chosen]
        dice = dice_type(address, ids)
        before = self.state if everyone else self.state.take(chosen)
        after = _short(stage.rule(dice, before, self.assault.scene))
        for name, amount in dice.tallies.items():
            self.tallies.setdefault(name, np.zeros(self.trials, dtype=np.int64))[ids] += amount
        self.state = after if everyone else self._put(chosen, before, after)
        self._drop(chosen, ids, self.assault.outcome(after, self.assault.scene), address.turn)

    def _concerned(self, stage: Any) -> Ints:
        everyone = np.arange(self.ids.size)
        if stage.when is None or not self.ids.size:
            return everyone
        mask = np.broadcast_to(stage.when(self.state, self.assault.scene), self.ids.shape)
        return everyone if mask.all() else np.flatnonzero(mask)

    def _put(self, chosen: Ints, before: State, after: State) -> State:
        """Return the state of all trials after some of them have changed; fields left alone are not copied."""
        arrays = []
        for all_of_it, old, new in zip(self.state.arrays(), before.arrays(), after.arrays(), strict=True):
            changed = new is not old and not np.array_equal(new, old)
            arrays.append(all_of_it)
            if changed:
                arrays[-1] = np.array(np.broadcast_to(all_of_it, self.ids.shape))
                arrays[-1][chosen] = new
        return self.state.rebuild(arrays)

    def _drop(self, chosen: Ints, ids: Ints, outcome: Outcome, turn: int) -> None:
        """Note how those of the chosen trials that have ended did, and leave them out from here on."""
        ended = np.broadcast_to(outcome.end != End.GOING_ON, ids.shape)
        if ended.any():
            self._note(np.flatnonzero(ended), ids, outcome, outcome.end, turn)
            going_on = np.ones(self.ids.size, dtype=np.bool_)
            going_on[chosen[ended]] = False
            left = np.flatnonzero(going_on)
            self.ids, self.state = self.ids.take(left), self.state.take(left)

    def _note(self, ended: Ints, ids: Ints, outcome: Outcome, end: Ints, turn: int) -> None:
        columns = [a.take(ended) for a in columns_of(outcome, end, turn, ids.size)]
        self.outcomes[:, ids.take(ended)] = columns
        values = dict(zip(COLUMNS, columns, strict=True))
        self.lost += [values["attackers_lost"].sum(), values["defenders_lost"].sum()]

    def close(self, turn: int) -> None:
        """End a turn: note the losses so far, and after the last one call what is left held."""
        outcome = self.assault.outcome(self.state, self.assault.scene)
        live = (np.broadcast_to(a, self.ids.shape).sum() for a in (outcome.attackers_lost, outcome.defenders_lost))
        attackers, defenders = self.lost + list(live)
        self.course.append((int(attackers), int(defenders)))
        if turn == self.assault.limit:
            everyone = np.arange(self.ids.size)
            self._note(everyone, self.ids, outcome, np.array(End.HELD), turn)

    def batch(self) -> Batch:
        """Count equal outcomes."""
        columns = list(self.outcomes)
        radix = Radix(columns)
        distinct, place = merge_keys(np.broadcast_to(radix.pack(columns), (self.trials,)), radix.span)
        found = [np.broadcast_to(a, distinct.shape).tolist() for a in radix.unpack(distinct)]
        counts = dict(zip(zip(*found, strict=True), np.bincount(place).tolist(), strict=True))
        tallies = {name: (int(a.sum()), int((a * a).sum())) for name, a in self.tallies.items()}
        return Batch(Counter(counts), tallies, self.course)


def _short(state: State) -> State:
    """Return a state in 16 bits; truths stay truths."""
    return state.rebuild([a if a.itemsize <= 2 else a.astype(np.int16) for a in state.arrays()])

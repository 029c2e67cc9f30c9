"""An assault as an explicit model, a DTMC, for programs that share no code with Casemate.

The chain does not know the turn, a model does: a state of a model is one of the assault before a step of some turn. It
is made from the end, as values are: the ends come first, and what a step makes of a state has its number by then. Steps
that leave nothing to chance are passed over. A player turn begins in states of its own, for these have labels::

    turn 1, attackers to move       before "charge"            before "fight"
    state 0, init ------ 1 -----> state 1 --+-- 1/2 --> state 2 --+-- 1/3 --> state 9, captured
                                            |                     +-- 2/3 --> state 3, turn 1, defenders to move
                                            +-- 1/2 ------------------------> state 8, broken

What still goes on when the turn limit has come is held.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from analysis.told.fields import fields
from sims.assault import Assault, End, Scene
from sims.dice import Ints
from sims.engines import Chain, Progress
from sims.engines.chain import ENDS
from sims.engines.transitions import Transitions


class Layer(NamedTuple):
    """States of a model that stand side by side.

    Attributes:
        moves (csr_array, [M, N]): How likely each comes to each of the states that are nearer to the end, or is one;
            the last state is number 0.
        labels (M or none): Those of each, with a blank before every one.
        actions: What somebody may do in each, by name: its moves are in as many rows, one after another.
    """

    moves: Any
    labels: Sequence[str] = ()
    actions: Sequence[str] = ("0",)


class Layered:
    """A model in layers, of which the ends come first.

    Attributes:
        layers (list of Layer): The ends first, and last the start.
        size (int): How many states there are.
    """

    kind = "DTMC"

    def __init__(self) -> None:
        from scipy.sparse import eye_array  # a tenth of a second to import

        self.layers = [Layer(eye_array(len(ENDS), format="csr"), [f" {end.name.lower()}" for end in reversed(ENDS)])]
        self.size = len(ENDS)

    def add(self, moves: Transitions, number: Ints, labels: Sequence[str] = ()) -> None:
        """Add what is before some moves, and number it; of what has no labels only what leaves something to chance.

        Args:
            number ([N]): By the states of the assault, the number of what is there in the model; those of the sources
                are changed.
        """
        from scipy.sparse import csr_array

        size = moves.source.size, self.size
        after = csr_array((moves.chance, number[moves.target], moves.first), shape=size)
        after.sum_duplicates()
        own = (np.diff(after.indptr) > 1) | bool(labels)
        number[moves.source] = np.where(own, self.size + own.cumsum() - 1, after.indices[after.indptr[:-1]])
        self.layers.append(Layer(after[own], labels))
        self.size += int(np.count_nonzero(own))

    def drn(self, progress: Progress | None = None) -> Iterator[str]:
        """Yield the model, in parts, as the model checker Storm reads it; the start is state 0."""
        choices = sum(moves.shape[0] for moves, _, _ in self.layers)
        yield f"@type: {self.kind}\n@nr_states\n{self.size}\n@nr_choices\n{choices}\n@model\n"
        state = 0
        for moves, labels, actions in reversed(self.layers):
            if progress:
                progress(self.size + state, 2 * self.size)
            targets, chances = self.size - 1 - moves.indices[::-1], moves.data[::-1]
            lines = [f"\t\t{to} : {chance!r}\n" for to, chance in zip(targets.tolist(), chances.tolist(), strict=True)]
            ranges = pairwise((moves.nnz - moves.indptr[::-1]).tolist())
            parts = list[str]()
            for rows, label in zip(
                zip(*[ranges] * len(actions), strict=True), labels[::-1] or repeat(""), strict=False
            ):
                parts.append(f"state {state}{' init' * (state == 0)}{label}\n")
                for (begin, end), action in zip(rows, reversed(actions), strict=True):
                    parts += [f"\taction {action}\n", *lines[begin:end]]
                state += 1
            yield "".join(parts)


class Model(Layered):
    """A model of an assault.

    Args:
        progress: Told how far it is; to write it down takes as long again.

    Raises:
        BudgetError: If the chain of the assault has too many transitions.
    """

    def __init__(self, assault: Assault[Any, Scene], progress: Progress | None = None) -> None:
        super().__init__()
        chain = Chain(assault)
        met = [*_met(chain, progress)]
        words = state_labels(chain, np.unique(np.concatenate([begins for _, begins in met])))
        number = number_states(chain.assault.called(chain.states.all, chain.end))
        for (step, place), (moved, begins) in zip(reversed([*chain.steps()]), reversed(met), strict=True):
            if (moves := place.transitions) and moved.size:
                self.add(moves.take(np.flatnonzero(np.isin(moves.source, moved))), number)
            if begins.size:
                self.add(
                    _staying(begins),
                    number,
                    [f" turn_{step.turn} {step.player_turn}_to_move{words[i]}" for i in begins],
                )


def number_states(end: Ints) -> Ints:
    """Return the numbers in a model of states that have ended, by their ends."""
    return (End.HELD - end).astype(np.intp)


def _met(chain: Chain, progress: Progress | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield which states are met before each step: those that it moves; and all, where a player turn begins."""
    openings = {step.player_turn: step.place for step, _ in reversed(chain.turn)}.values()
    weights, nobody = np.ones(1), np.zeros(0, dtype=np.intp)
    for (step, place), (_, after, _) in zip(chain.steps(), chain.forward(), strict=True):
        if progress:
            progress(step.turn - 1, 2 * chain.assault.limit)
        moved = moves.source[weights[moves.source] != 0] if (moves := place.transitions) else nobody
        going_on = (weights != 0) & (chain.end[: weights.size] == End.GOING_ON)
        yield moved, np.flatnonzero(going_on) if step.place in openings else nobody
        weights = after


def _staying(states: Ints) -> Transitions:
    """Return the transitions of states that stay as they are."""
    return Transitions(states, np.arange(states.size + 1), states, np.ones(states.size), {})


def state_labels(chain: Chain, numbers: Ints) -> Any:
    """Return for each of some states what stands there, as labels; what is the same in all of them is left out."""
    words = np.full(len(chain.states), "", dtype=object)
    for name, column in fields(chain.assault, chain.states.take(numbers)).items():
        values, which = np.unique(column, return_inverse=True)
        if values.size > 1:
            label = re.sub(r"\W+", "_", name.lower()).strip("_")
            said = ["", f" {label}"] if values.dtype == np.bool_ else [f" {label}_{value}" for value in values]
            words[numbers] += np.array(said, dtype=object)[which]
    return words

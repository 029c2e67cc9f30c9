"""The states that a position is taken as: those that games come to, or the nearest to them with what is given put in.

What is given comes in two kinds. Models and inches can be moved by one. All else, such as a door that is forced, is so
or is not, and a game where it is so is nearer than one where more models are left.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analysis.points.margins import SIDES
from analysis.told.fields import Columns, fields, with_given
from sims.assault import Assault, End, Scene
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines import Chain
from sims.engines.contest import Opening, Pair
from sims.engines.merging import merge
from sims.state import State

Given = Mapping[str, int | bool]
"""What is known of a position, by the words of the log."""


@dataclass(frozen=True)
class Taken:
    """The states that a position is taken as.

    Attributes:
        under: The plans by which games come to them, or to those that they are made of.
        share: The share of those games that come to just what is given; 0 if something had to be put in.
        states: Distinct, ``[K]``.
        weights ([K]): How likely each is.
    """

    under: tuple[Pair, ...]
    share: float
    states: State
    weights: Numbers


class Off(NamedTuple):
    """How far a state is from what is given, the weightiest first."""

    kind: float
    foreign: bool
    number: float


@dataclass(frozen=True)
class Arrivals:
    """The states that games come to at some time by some plans.

    Attributes:
        foreign: The plans are not those of the game so far.
        weights ([N]): How likely each is.
        columns: What is so in them.
    """

    plans: Pair
    foreign: bool
    states: State
    weights: Numbers
    columns: Columns

    def off(self, given: Given) -> tuple[Ints, Ints]:
        """Return how far each state is off in what is so or not, and in models and inches, ``[N]`` each."""
        kind, number = np.zeros((2, self.weights.size), dtype=np.int64)
        for word, value in given.items():
            if is_number(word):
                number += abs(self.columns[word].astype(np.int64) - value)
            else:
                kind += self.columns[word] != value
        return kind, number

    def nearest(self, given: Given) -> Off:
        """Return how far the nearest state is off."""
        kind, number = self.off(given)
        return Off(int(kind.min()), self.foreign, int(number[kind == kind.min()].min()))


def is_number(word: str) -> bool:
    """Return whether a word of the log counts models or inches, which all rules have."""
    return word in (*SIDES, "distance") or word.startswith(tuple(f"{side}: " for side in SIDES))


def taken_as(
    assaults: Mapping[Pair, Assault[Any, Scene]],
    opening: Opening,
    given: Given,
    learnt: Chain,
    done: Callable[[int], None],
) -> Taken | dict[str, int | bool]:
    """Return the states that a position is taken as; if it cannot be, what is given as the nearest state has it.

    Games by the plans so far go before those by others, unless only these come to what is so, such as a fight in the
    open. If all games are over by then, the last time at which some go on counts.

    Args:
        assaults: By plans, those of the game so far first.
        learnt: The chain beside which others are learnt.
        done: Told how many pairs of plans have been followed.
    """
    first = next(iter(assaults.values()))
    for at in _backwards(first, opening):
        if come := _come(assaults, at, given, learnt, done):
            break
    best = min(arrivals.nearest(given) for arrivals in come)
    there = [arrivals for arrivals in come if arrivals.nearest(given) == best]
    nearest = [_where(arrivals, given, best) for arrivals in there]
    groups = [
        (arrivals.states.take(rows).arrays(), arrivals.weights[rows])
        for arrivals, rows in zip(there, nearest, strict=True)
    ]
    arrays, weights = merge(groups)
    states, exact = first.start.rebuild(arrays), not (best.kind or best.number)
    if best.kind:  # it may come up later in a game, or by other plans
        for assault in assaults.values():
            deque(Chain(assault, beside=learnt).forward(), maxlen=0)
    if not exact:
        made = with_given(first, states, given)
        can_be = np.broadcast_to(_can_be(first, made, given, learnt), weights.shape)
        if not can_be.any():
            columns, i = fields(first, states), int(weights.argmax())
            return {word: np.broadcast_to(columns[word], weights.shape)[i].item() for word in given}
        arrays = [array if array.size == 1 else array[can_be] for array in made.arrays()]
        arrays, weights = merge([(arrays, weights[can_be])])
        states = first.start.rebuild(arrays)
    share = float(weights.sum()) / len(there) if exact and at == opening else 0.0
    plans = tuple(arrivals.plans for arrivals in there)
    return Taken(plans, share, states, weights)


def _backwards(assault: Assault[Any, Scene], opening: Opening) -> list[Opening]:
    """Return the starts of player turns from one back to the first."""
    every = [Opening(turn, side.name) for turn in range(1, opening.turn + 1) for side in assault.turn]  # type: ignore[arg-type]
    return every[every.index(opening) :: -1]


def _come(
    assaults: Mapping[Pair, Assault[Any, Scene]],
    at: Opening,
    given: Given,
    learnt: Chain,
    done: Callable[[int], None],
) -> Sequence[Arrivals]:
    """Return what games come to at some time: by the plans so far, or by all if something is not so by those."""
    come = list[Arrivals]()
    for n, (plans, assault) in enumerate(assaults.items(), 1):
        arrivals = _arrivals(assault, plans, at, learnt, foreign=n > 1)
        done(n)
        if arrivals.weights.size:
            come.append(arrivals)
            if n == 1 and not arrivals.nearest(given).kind:
                break
    return come


def _arrivals(assault: Assault[Any, Scene], plans: Pair, at: Opening, learnt: Chain, *, foreign: bool) -> Arrivals:
    """Follow every game by some plans to some time."""
    chain = Chain(assault, beside=learnt)
    weights = chain.weights(assault.opening(*at))
    there = np.flatnonzero((weights != 0) & (chain.end[: weights.size] == End.GOING_ON))
    states = chain.states.take(there)
    columns = {word: np.broadcast_to(of, there.shape) for word, of in fields(assault, states).items()}
    return Arrivals(plans, foreign, states, weights[there], columns)


def _where(arrivals: Arrivals, given: Given, best: Off) -> Ints:
    """Return which states are off by no more than the nearest."""
    kind, number = arrivals.off(given)
    return np.flatnonzero((kind == best.kind) & (number == best.number))


def _can_be(assault: Assault[Any, Scene], states: State, given: Given, learnt: Chain) -> Bools:
    """Return which states a game may be in: what is given is so and comes up in games, and nothing has ended.

    So many models and inches as given need not come up, if as many or more do; a side has a model at least.
    """
    columns, met = fields(assault, states), fields(assault, learnt.states.all)
    can_be = assault.end(states, assault.scene) == End.GOING_ON
    for word, value in given.items():
        comes_up = int(word in SIDES) <= value <= met[word].max() if is_number(word) else (met[word] == value).any()
        can_be = can_be & (columns[word] == value) & bool(comes_up)
    return can_be & np.all([column >= 0 for column in columns.values()], axis=0)


def filled_in(assault: Assault[Any, Scene], states: State, given: Given, learnt: Chain) -> dict[str, tuple[int, int]]:
    """Return what is so in some states and was not given, the least and the greatest, unless it is as at the start.

    What could be otherwise in some game is said first, as at the start or not: where the garrison is.

    Args:
        learnt: The chain of all games.
    """
    columns, start, every = fields(assault, states), fields(assault, assault.start), learnt.states.all
    found = dict[str, tuple[int, int]]()
    for name, words in states.otherwise.items():
        if words not in given and not getattr(states, name).any() and getattr(every, name).any():
            found[words] = True, True
    for word, of in columns.items():
        low, high = of.min().item(), of.max().item()
        if word not in given and high is not False and not low == high == start[word].item():
            found[word] = low, high
    return found

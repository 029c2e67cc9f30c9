"""The states that a position is taken as: those that games come to, or the nearest to them with what is given put in.

What is given comes in two kinds. Models and inches can be moved by one. All else, such as a door that is forced, is so
or is not, and a game where it is so is nearer than one where more models are left.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from analysis.points.margins import SIDES
from analysis.told.fields import Columns, fields, with_given
from sims.assault import Assault, End, Moment, Scene
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines import Chain
from sims.engines.contest import Opening, Pair
from sims.engines.learner import TRANSITIONS
from sims.engines.merging import merge
from sims.engines.walk import LEARNT, Walk
from sims.forces import total
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
        off: How far they were from what is given before it was put in.
    """

    under: tuple[Pair, ...]
    share: float
    states: State
    weights: Numbers
    off: "Off"


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

    def apart(self) -> "Arrivals":
        """Return those with no attackers in the building."""
        there = np.flatnonzero(~np.broadcast_to(inside(self.states), self.weights.shape))
        if there.size == self.weights.size:
            return self
        columns = {word: column[there] for word, column in self.columns.items()}
        return replace(self, states=self.states.take(there), weights=self.weights[there], columns=columns)

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


class Games:
    """The games by every pair of plans up to some time, and what positions at that time are taken as.

    Args:
        assaults: By plans, those of the game so far first.
        learnt: The chain beside which others are learnt.
        done: Gets the number of pairs of plans that have been followed.
        within: How much of the games by a pair of plans is left out: states that hardly ever come up.

    Attributes:
        left_out: How much has been, of all pairs together.
    """

    def __init__(
        self,
        assaults: Mapping[Pair, Assault[Any, Scene]],
        opening: Opening,
        learnt: Chain,
        done: Callable[[int], None],
        within: float = 0.0,
    ) -> None:
        self.left_out = 0.0
        self._within = within
        self._assaults, self._opening, self._learnt, self._done = assaults, opening, learnt, done
        self._first = next(iter(assaults.values()))
        self._followed = dict[tuple[Pair, Opening], Arrivals]()
        self._met = 0, Columns()
        self._all_learnt = False

    def taken(self, given: Given) -> Taken | None:
        """Return the states that a position is taken as; None if it cannot be.

        Games by the plans so far go before those by others, unless only these come to what is so, such as a fight in
        the open. If all games are over by then, the last time at which some go on counts. Games with attackers inside
        do not count where inches are given between the two sides.
        """
        at, best, there, nearest = self._nearest(given)
        groups = [
            (arrivals.states.take(rows).arrays(), arrivals.weights[rows])
            for arrivals, rows in zip(there, nearest, strict=True)
        ]
        arrays, weights = merge(groups)
        states, exact = self._first.start.rebuild(arrays), not (best.kind or best.number)
        if best.kind:  # it may come up later in a game, or by other plans
            self._learn_all()
        if not exact:
            made = with_given(self._first, states, given)
            can_be = np.broadcast_to(self._can_be(made, given), weights.shape)
            if not can_be.any():
                return None
            arrays = [array if array.size == 1 else array[can_be] for array in made.arrays()]
            arrays, weights = merge([(arrays, weights[can_be])])
            states = self._first.start.rebuild(arrays)
        share = float(weights.sum()) / len(there) if exact and at == self._opening else 0.0
        return Taken(tuple(arrivals.plans for arrivals in there), share, states, weights, best)

    def likeliest(self, given: Given) -> dict[str, int | bool]:
        """Return what is given as the likeliest of the nearest states has it."""
        _, _, (arrivals, *_), (rows, *_) = self._nearest(given)
        i = rows[int(arrivals.weights[rows].argmax())]
        return {word: arrivals.columns[word][i].item() for word in given}

    def may_be(self, word: str) -> list[int | bool]:
        """Return what games that go on have by a word of the log, in order: any number up to the most."""
        met = np.unique(self._columns()[word])
        if is_number(word):
            return [*range(int(word in SIDES), int(met.max()) + 1)]
        return met.tolist()

    def _nearest(self, given: Given) -> tuple[Opening, Off, list[Arrivals], list[Ints]]:
        """Return when games come nearest to what is given, how near, by which plans, and the states."""
        for at in _backwards(self._first, self._opening):
            if come := self._come(at, given):
                break
        best = min(arrivals.nearest(given) for arrivals in come)
        there = [arrivals for arrivals in come if arrivals.nearest(given) == best]
        return at, best, there, [_where(arrivals, given, best) for arrivals in there]

    def _come(self, at: Opening, given: Given) -> Sequence[Arrivals]:
        """Return what games come to at some time: by the plans so far, or by all if something is not so by those."""
        come = list[Arrivals]()
        for n, plans in enumerate(self._assaults, 1):
            arrivals = self._arrivals(plans, at, n)
            if given.get("distance"):
                arrivals = arrivals.apart()
            if arrivals.weights.size:
                come.append(arrivals)
                if n == 1 and not arrivals.nearest(given).kind:
                    break
        return come

    def _arrivals(self, plans: Pair, at: Opening, n: int) -> Arrivals:
        """Follow every game by some plans, the n-th pair, to some time."""
        if (plans, at) not in self._followed:
            assault = self._assaults[plans]
            chain = Chain(assault, budget=self._budget, beside=self._learnt)
            there, weights = self._there(chain, assault.opening(*at))
            states = chain.states.take(there)
            columns = {word: np.broadcast_to(of, there.shape) for word, of in fields(assault, states).items()}
            self._followed[plans, at] = Arrivals(plans, n > 1, states, weights, columns)
            self._done(n)
        return self._followed[plans, at]

    def _there(self, chain: Chain, at: Moment) -> tuple[Ints, Numbers]:
        """Return the states in which games go on at some time, in order, and how likely each is."""
        if self._within:
            walk = Walk(chain, self._within)
            walk.through(until=at)
            self.left_out += walk.left_out
            return walk.states, walk.weights
        weights = chain.weights(at)
        there = np.flatnonzero((weights != 0) & (chain.end[: weights.size] == End.GOING_ON))
        return there, weights[there]

    def _learn_all(self) -> None:
        if not self._all_learnt:
            for assault in self._assaults.values():
                chain = Chain(assault, budget=self._budget, beside=self._learnt)
                if self._within:
                    Walk(chain, self._within).through()
                else:
                    deque(chain.forward(), maxlen=0)
        self._all_learnt = True

    @property
    def _budget(self) -> int:
        return LEARNT if self._within else TRANSITIONS

    def _columns(self) -> Columns:
        """Return what is so in the states of all games that go on, as far as they have been learnt."""
        size = len(self._learnt.states)
        if self._met[0] != size:
            going_on = np.flatnonzero(self._learnt.end[:size] == End.GOING_ON)
            self._met = size, fields(self._first, self._learnt.states.take(going_on))
        return self._met[1]

    def _can_be(self, states: State, given: Given) -> Bools:
        """Return which states a game may be in: what is given is so and comes up in games, and nothing has ended.

        The models and inches given need not come up, if as many or more do; a side has a model at least.
        """
        columns = fields(self._first, states)
        can_be = self._first.end(states, self._first.scene) == End.GOING_ON
        for word, value in given.items():
            can_be = can_be & (columns[word] == value) & (value in self.may_be(word))
        if given.get("distance"):
            can_be = can_be & ~inside(states)
        return can_be & np.all([column >= 0 for column in columns.values()], axis=0)


def inside(states: State) -> Bools:
    """Return in which states attackers are in the building."""
    found = np.zeros(1, dtype=np.bool_)
    for name in states.close:
        of = getattr(states, name)
        found = found | (total(of if isinstance(of, tuple) else (of,)) > 0)
    return found


def _backwards(assault: Assault[Any, Scene], opening: Opening) -> list[Opening]:
    """Return the starts of player turns from one back to the first."""
    every = [Opening(turn, side.name) for turn in range(1, opening.turn + 1) for side in assault.turn]  # type: ignore[arg-type]
    return every[every.index(opening) :: -1]


def _where(arrivals: Arrivals, given: Given, best: Off) -> Ints:
    """Return which states are off by no more than the nearest."""
    kind, number = arrivals.off(given)
    return np.flatnonzero((kind == best.kind) & (number == best.number))


def filled_in(
    assault: Assault[Any, Scene], states: State, given: Given, otherwise: Collection[str]
) -> dict[str, tuple[int, int]]:
    """Return what is so in some states and was not given, the least and the greatest, unless it is as at the start.

    What could be otherwise in some game is said first, as at the start or not: where the garrison is.

    Args:
        otherwise: What is otherwise in some game, of what states have words for where it is not so.
    """
    columns, start = fields(assault, states), fields(assault, assault.start)
    found = dict[str, tuple[int, int]]()
    for name, words in states.otherwise.items():
        if words not in given and not getattr(states, name).any() and name in otherwise:
            found[words] = True, True
    for word, of in columns.items():
        low, high = of.min().item(), of.max().item()
        if word not in given and high is not False and not low == high == start[word].item():
            found[word] = low, high
    return found

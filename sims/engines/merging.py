"""State lumping: states that go on alike are one, and their weights are added up. Also how stages are played exactly.

Two states s and u may be one if both have the same chance of each lump B that comes after them::

    sum of P(s, s') over s' in B = sum of P(u, s') over s' in B

Here equal states are one. The rules reset what no later stage reads, so states that go on alike are equal.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sims.assault import Assault, Stage
from sims.dice import ExactDice, Ints, LotsError
from sims.dice.source import Argument
from sims.dice.tables import Numbers, Radix, merge_keys
from sims.state import State, kept

D = TypeVar("D", bound=ExactDice)

Group = tuple[list[Ints], Numbers]
"""States and their weights: the arrays broadcast to the shape of the weights, ``[K_n, ..., K_1, R]``."""


class EachStatesDice(ExactDice):
    """Exact dice that keep apart what is tallied in each state."""

    def tally(self, name: str, value: Argument) -> None:
        """Add weight times value, over everything drawn so far, for each state, ``[R]``."""
        amount = (self.weights * value).reshape(-1, self.weights.shape[-1]).sum(axis=0)
        self.tallies[name] = self.tallies.get(name, 0) + amount


class Distinct(NamedTuple):
    """The distinct states among what has any weight.

    Attributes:
        states ([N] or [1]): Field by field, as states are kept.
        size: N.
        weights ([A]): The weights that are not 0, of the groups one after the other, each flat.
        alive ([A]): Where they stood.
        place ([A]): Which of the states each has come to.
    """

    states: list[Ints]
    size: int
    weights: Numbers
    alive: Ints
    place: Ints


def played(
    stage: Stage[Any, Any],
    assault: Assault[Any, Any],
    state: State,
    weights: Numbers,
    columns: Ints,
    budget: int,
    dice_of: Callable[[Numbers, int, int], D],
) -> Iterator[tuple[Ints, list[Ints], D]]:
    """Yield what a stage makes of some columns of a state, in lots where its dice ask for that.

    Args:
        weights: Of every column of the state.
        columns: All columns in their order, or some.
        dice_of: Who answers.

    Yields:
        columns ([R])
        arrays: The states they have come to, broadcast to the shape of the weights of the dice, ``[K_n, ..., K_1, R]``.
        dice: Who answered.
    """
    filled, lots = 0, [columns]
    while lots:
        columns = lots.pop()
        dice = dice_of(weights[columns], budget, filled)
        part = state if columns.size == weights.size else state.part(columns)
        try:
            after = stage.rule(dice, part, assault.scene)
        except LotsError as apart:
            lots += [columns[apart.lot == i] for i in range(apart.lots)]
            continue
        filled += dice.weights.size
        yield columns, after.arrays(), dice


def merge(groups: Sequence[Group]) -> Group:
    """Add up the weights of equal states, of several groups.

    Examples:
        Two states, of 3 and of 4 models, and a draw of 0 or 1 losses for each; a state of 5 models passed by. A loss of
        the 4 and none of the 3 come to the same state, so four outcomes and one make four states.

        >>> losses = np.array([[0], [1]])
        >>> models = np.array([3, 4]) - losses
        >>> joint = np.array([[0.25, 0.125], [0.25, 0.125]])
        >>> (left,), weights = merge([([models], joint), ([np.array([5])], np.array([0.25]))])
        >>> left.tolist(), weights.tolist()
        ([2, 3, 4, 5], [0.25, 0.375, 0.125, 0.25])
    """
    found = distinct(groups)
    return found.states, summed(found.weights, found.place, found.size)


def distinct(groups: Sequence[Group]) -> Distinct:
    """Find the distinct states of several groups.

    The fields that no draw has touched are ranked first, which keeps most keys small enough to be counted, not sorted.
    """
    fields, shapes = [arrays for arrays, _ in groups], [joint.shape for _, joint in groups]
    still = [all(a.ndim < 2 for a in field) for field in zip(*fields, strict=True)]
    moved = [not one for one in still]
    same = [list(compress(arrays, still)) for arrays in fields]
    ranked, size, rank = _merged(same, [shape[-1:] for shape in shapes])
    parts = np.split(rank, np.cumsum([shape[-1] for shape in shapes])[:-1])
    other = [[part, *compress(arrays, moved)] for part, arrays in zip(parts, fields, strict=True)]
    every = np.concatenate([joint.reshape(-1) for _, joint in groups])
    alive = np.flatnonzero(every != 0)
    (own, *drawn), size, place = _merged(other, shapes, alive, lower=size)
    untouched = (a if a.size == 1 else a.take(own) for a in map(kept, ranked))
    touched = map(kept, drawn)
    states = [next(untouched if one else touched) for one in still]
    return Distinct(states, size, every[alive], alive, place)


def _merged(
    groups: Sequence[list[Ints]], shapes: Sequence[tuple[int, ...]], alive: Ints | None = None, lower: int = 1
) -> tuple[list[Ints], int, Ints]:
    """Return the distinct rows of some groups of arrays, field by field, how many there are, and where each has gone.

    Where a key of all fields would be too long, half of them are ranked first: the rank is a field of the rest.

    Args:
        shapes: To which the arrays of each group are broadcast, to rows one after the other.
        alive: Which rows count; all if not given.
        lower: How many values the first field has, where it is a rank.
    """
    try:
        radix = Radix(*groups)
    except OverflowError:
        half = len(groups[0]) // 2
        first, _, rank = _merged([arrays[:half] for arrays in groups], shapes)
        ends = np.cumsum([np.prod(shape, dtype=np.intp) for shape in shapes])[:-1]
        ranks = [part.reshape(shape) for part, shape in zip(np.split(rank, ends), shapes, strict=True)]
        rest = [[part, *arrays[half:]] for part, arrays in zip(ranks, groups, strict=True)]
        (own, *others), size, place = _merged(rest, shapes, alive)
        return [*(a if a.size == 1 else a.take(own) for a in first), *others], size, place
    keys = _keys(radix, groups, shapes)
    found, place = merge_keys(keys if alive is None else keys[alive], radix.span, lower)
    return radix.unpack(found), found.size, place


def _keys(radix: Radix, groups: Sequence[list[Ints]], shapes: Sequence[tuple[int, ...]]) -> Ints:
    """Return the keys of each group, broadcast to its shape, one after the other."""
    pairs = zip(groups, shapes, strict=True)
    return np.concatenate([np.broadcast_to(radix.pack(arrays), shape).reshape(-1) for arrays, shape in pairs])


def summed(weights: Numbers, place: Ints, size: int) -> Numbers:
    """Return the sum of the weights at each place, ``[size]``."""
    if weights.dtype != object:
        return np.bincount(place, weights=weights, minlength=size)
    sums = np.full(size, Fraction(0), dtype=object)
    np.add.at(sums, place, weights)
    return sums

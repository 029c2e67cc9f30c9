"""The distributions of a mechanic for many arguments side by side, ready for arrays.

A `Table` holds one column of chances for each distinct set of arguments. Reading it gives the exact engine its
weights; inverting it gives the sampled engine one outcome for each uniform number.
"""

from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from sims.dice.die import Bools, Ints
from sims.dice.mechanics import Mechanic, distribution
from sims.dice.pmf import PMF

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]
"""Floats, or Fractions in an array of objects."""

_BUCKET_BITS = 7
_BUCKETS = 2**_BUCKET_BITS
_DENSE = 2**20


def merge_keys(key: Ints, span: int) -> tuple[Ints, Ints]:
    """Return the distinct keys in increasing order, and for each key its place among them.

    `span` is one more than the largest key; small spans are counted, large ones sorted.
    """
    if span > max(_DENSE, 4 * key.size):
        distinct, place = np.unique(key, return_inverse=True)
        return distinct, place.reshape(key.shape)
    seen = np.zeros(span, dtype=np.bool_)
    seen[key] = True
    distinct = np.flatnonzero(seen)
    place = np.empty(span, dtype=np.int64)
    place[distinct] = np.arange(distinct.size)
    return distinct, np.asarray(place.take(key))


class Radix:
    """Packs integer arrays into one key and back; arrays that are constant take no room.

    Several groups of arrays, of the same fields in the same order, share one key.

    Raises
    ------
    OverflowError
        If the key would not fit 63 bits.
    """

    def __init__(self, *groups: list[Ints]) -> None:
        fields = list(zip(*groups, strict=True))
        self.lows = [min(int(a.min()) for a in field) for field in fields]
        highs = [max(int(a.max()) for a in field) for field in fields]
        self.spans = [high - low + 1 for high, low in zip(highs, self.lows, strict=True)]
        *strides, self.span = accumulate(self.spans, lambda a, b: a * b, initial=1)
        self.strides = strides
        if self.span >= 2**63:
            raise OverflowError(f"a key of {self.span} values does not fit 63 bits: spans {self.spans}")

    def pack(self, arrays: list[Ints]) -> Ints:
        """Return one key for each place, broadcasting the arrays."""
        key: Ints = np.zeros((), dtype=np.int64)
        for array, low, span, stride in zip(arrays, self.lows, self.spans, self.strides, strict=True):
            if span > 1:
                key = key + (array.astype(np.int64) - low) * stride
        return key

    def unpack(self, key: Ints) -> list[Ints]:
        """Return the arrays that a key was made of, each of the key's shape, or of length 1 if it is constant."""
        fields = zip(self.lows, self.spans, self.strides, strict=True)
        return [key // stride % span + low if span > 1 else np.array([low]) for low, span, stride in fields]


class Table:
    """The PMFs of a mechanic for several rows of arguments.

    Attributes
    ----------
    outcomes : array of int, [K]
        Every outcome that some row can have.
    """

    def __init__(self, pmfs: list[PMF]) -> None:
        self._pmfs = pmfs
        self.outcomes = np.array(sorted({k for pmf in pmfs for k in pmf.outcomes}), dtype=np.int64)
        self._place = {int(k): i for i, k in enumerate(self.outcomes)}

    def _filled(self, dtype: type, zero: object) -> Numbers:
        chances: Numbers = np.full((len(self.outcomes), len(self._pmfs)), zero, dtype=dtype)
        for row, pmf in enumerate(self._pmfs):
            values = pmf.floats if dtype is np.float64 else pmf.chances
            chances[[self._place[k] for k in pmf.outcomes], row] = values
        return chances

    @cached_property
    def floats(self) -> Floats:
        """Chances as floats, [K, rows]."""
        return self._filled(np.float64, 0.0)

    @cached_property
    def fractions(self) -> Numbers:
        """Chances as Fractions, [K, rows]."""
        return self._filled(object, Fraction(0))

    @cached_property
    def _reached(self) -> npt.NDArray[np.uint64]:
        """P(outcome <= k) in units of 2**-32, [rows, K]: from whole weights, rounded down once."""
        reached = np.zeros((len(self._pmfs), len(self.outcomes)), dtype=np.uint64)
        for row, pmf in enumerate(self._pmfs):
            sums = dict(zip(pmf.outcomes, accumulate(pmf.weights), strict=True))
            so_far = 0
            for k, outcome in enumerate(self.outcomes.tolist()):
                so_far = sums.get(outcome, so_far)
                reached[row, k] = (so_far << 32) // pmf.total
        return reached

    @cached_property
    def _start(self) -> Ints:
        """Where, in all rows laid end to end, to start looking for a word in each of the buckets, [rows * buckets]."""
        edges = np.arange(_BUCKETS, dtype=np.uint64) << np.uint64(32 - _BUCKET_BITS)
        width = len(self.outcomes)
        rows = enumerate(self._reached)
        starts = [i * width + np.searchsorted(row, edges, side="right") for i, row in rows]
        return np.asarray(np.concatenate(starts))

    def sample(self, row: Ints, word: npt.NDArray[np.uint32]) -> Ints:
        """Return the outcome of each trial by inversion: the first k with P(outcome <= k) > word / 2**32.

        The words are uniform, so every chance is met to one part in 2**32.
        """
        reached = self._reached.ravel()
        bucket = word >> np.uint32(32 - _BUCKET_BITS)
        at = self._start.take(row * _BUCKETS + bucket)
        behind: Ints = np.flatnonzero(word >= reached.take(at))
        while behind.size:
            at[behind] += 1
            behind = behind[word[behind] >= reached[at[behind]]]
        return np.asarray(np.tile(self.outcomes, len(self._pmfs)).take(at))


@lru_cache(maxsize=4096)
def _table(mechanic: Mechanic, rows: tuple[tuple[int, ...], ...]) -> Table:
    return Table([distribution(mechanic, row) for row in rows])


def look_up(mechanic: Mechanic, arguments: tuple[Ints | Bools | int, ...]) -> tuple[Table, Ints]:
    """Return the table for all arguments at hand, and which of its rows each place uses.

    The index has the broadcast shape of those arguments that vary.
    """
    if len(arguments) != mechanic.arity:
        raise TypeError(f"{mechanic} takes {mechanic.arity} arguments, got {len(arguments)}")
    arrays = [np.asarray(a, dtype=np.int64) for a in arguments]
    radix = Radix(arrays)
    distinct, index = merge_keys(radix.pack(arrays), radix.span)
    fields = (np.broadcast_to(field, distinct.shape).tolist() for field in radix.unpack(distinct))
    rows = tuple(zip(*fields, strict=True))
    return _table(mechanic, rows), index

"""The distributions of a mechanic for many arguments side by side, ready for arrays.

A `Table` holds one column of chances for each distinct set of arguments: the weights of the exact engine. A `Sampler`
draws by inversion, one outcome for each uniform word u of the sampled engine: the first k with P(outcome <= k) > u. A
guide table says where to begin to look.
"""

from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from sims.dice.die import Bools, Ints
from sims.dice.mechanics import Mechanic, distributions
from sims.dice.pmf import PMF

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]
"""Floats, or Fractions in an array of objects."""

Rows = tuple[tuple[int, ...], ...]
"""Distinct sets of arguments of a mechanic."""

_BUCKET_BITS = 8
_BUCKETS = 2**_BUCKET_BITS
_SEVERAL = -(2**15)
_SMALL, _LARGE = 2**20, 2**25


def merge_keys(key: Ints, span: int, lower: int = 1) -> tuple[Ints, Ints]:
    """Return the distinct keys in increasing order, and for each key its place among them.

    Keys are counted where the span is small beside their number, which is up to six times as fast as to sort them.

    Args:
        span: One more than the largest key.
        lower: Keys of two digits: how many values the lower one has. Where there are too many keys to be counted, it
            may be enough to rank the upper digits first.
    """
    cheap = max(_SMALL, 4 * key.size)
    most = max(cheap, min(64 * key.size, _LARGE))
    if lower > 1 and cheap < span <= lower * most:
        uppers, rank = merge_keys(key // lower, span // lower + 1)
        if uppers.size * lower <= min(most, span // 2):
            ranked, place = merge_keys(key % lower + lower * rank, uppers.size * lower)
            return ranked % lower + lower * uppers[ranked // lower], place
    if span > most:
        distinct, place = np.unique(key, return_inverse=True)
        return distinct, place.reshape(key.shape)
    seen = np.zeros(span, dtype=np.bool_)
    seen[key] = True
    distinct = np.flatnonzero(seen)
    place = np.empty(span, dtype=np.intp if span <= _SMALL else np.int32)  # what indexes best, or takes less room
    place[distinct] = np.arange(distinct.size)
    return distinct, place.take(key)


def _bounds(array: Ints) -> tuple[int, int]:
    if array.size == 1:
        only = int(array.item())
        return only, only
    return int(array.min()), int(array.max())


class Radix:
    """Packs integer arrays into one key and back; arrays that are constant take no room.

    Several groups of arrays, of the same fields in the same order, share one key.

    Raises:
        OverflowError: If the key would not fit 63 bits.
    """

    def __init__(self, *groups: list[Ints]) -> None:
        bounds = [[_bounds(a) for a in field] for field in zip(*groups, strict=True)]
        ends = [(min(field)[0], max(high for _, high in field)) for field in bounds]
        self.lows = [low for low, _ in ends]
        self.spans = [high - low + 1 for low, high in ends]
        *strides, self.span = accumulate(self.spans, lambda a, b: a * b, initial=1)
        self.strides = strides
        if self.span >= 2**63:
            raise OverflowError(f"a key of {self.span} values does not fit 63 bits: spans {self.spans}")
        farthest = max((max(-low, high) for low, high in ends), default=0)
        self.dtype: type[np.signedinteger[Any]] = np.int32 if max(self.span, farthest) < 2**31 else np.int64

    def pack(self, arrays: list[Ints]) -> Ints:
        """Return one key for each place, broadcasting the arrays."""
        key: Ints = np.zeros((), dtype=self.dtype)
        for array, low, span, stride in zip(arrays, self.lows, self.spans, self.strides, strict=True):
            if span > 1:
                digit = array.astype(self.dtype)
                if low:
                    digit -= low
                if stride > 1:
                    digit *= stride
                key = np.add(key, digit, out=digit if key.ndim == 0 or key.shape == digit.shape else None)
        return key

    def unpack(self, key: Ints) -> list[Ints]:
        """Return the arrays that a key was made of, each of the key's shape, or of length 1 if it is constant."""
        arrays = list[Ints]()
        for low, span in zip(self.lows, self.spans, strict=True):
            if span == 1:
                arrays.append(np.array([low]))
            else:
                above = key // span
                arrays.append(key - above * span + low)  # twice as fast as the remainder
                key = above
        return arrays


class Table:
    """The PMFs of a mechanic for several rows of arguments.

    Attributes:
        outcomes (array of int, [K]): Every outcome that some row can have.
        sizes (array of int, [rows]): How many outcomes each row has.
    """

    def __init__(self, pmfs: list[PMF]) -> None:
        self._pmfs = pmfs
        self.outcomes = np.array(sorted({k for pmf in pmfs for k in pmf.outcomes}), dtype=np.int64)
        self.sizes = np.array([len(pmf.outcomes) for pmf in pmfs])
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


@lru_cache(maxsize=4096)
def table(mechanic: Mechanic, rows: Rows) -> Table:
    """Return the table for some rows of arguments, remembered."""
    pmf = distributions(mechanic)
    return Table([pmf(*row) for row in rows])


class Sampler:
    """Draws outcomes of one mechanic by inversion; grows as new arguments turn up.

    The words of 32 bits are cut into buckets. Most buckets of a row give one outcome, whatever the word; in the others
    it is looked for, from the first outcome of the bucket on. Rows, of different lengths, lie end to end.
    """

    def __init__(self, mechanic: Mechanic) -> None:
        self._mechanic = mechanic
        self._row: dict[tuple[int, ...], int] = {}
        self._outcomes: Ints = np.empty(0, dtype=np.int16)
        self._last: npt.NDArray[np.uint32] = np.empty(0, dtype=np.uint32)  # the last word that gives an outcome
        self._start: Ints = np.empty(0, dtype=np.int32)  # of each bucket: where to look first
        self._only: Ints = np.empty(0, dtype=np.int16)  # of each bucket: its one outcome, or _SEVERAL

    def sample(self, rows: Rows, index: Ints, word: npt.NDArray[np.uint32]) -> Ints:
        """Return the outcome of each trial: the first k with P(outcome <= k) > word / 2**32.

        The words are uniform, so every chance is met to one part in 2**32.

        Args:
            rows: Arguments.
            index: Which of the rows each trial uses, ``[R]`` or a single one.
            word: ``[R]``.
        """
        self._add([arguments for arguments in rows if arguments not in self._row])
        first = _BUCKETS * np.array([self._row[arguments] for arguments in rows])
        bucket = first.take(index) + (word >> np.uint32(32 - _BUCKET_BITS))
        outcome = self._only.take(bucket)
        several = np.flatnonzero(outcome == _SEVERAL)
        outcome[several] = self._look(bucket.take(several), word.take(several))
        return outcome

    def _look(self, bucket: Ints, word: npt.NDArray[np.uint32]) -> Ints:
        at = self._start.take(bucket)
        behind: Ints = np.flatnonzero(word > self._last.take(at))
        while behind.size:
            at[behind] += 1
            behind = behind[word[behind] > self._last[at[behind]]]
        return self._outcomes.take(at)

    def _add(self, rows: list[tuple[int, ...]]) -> None:
        for arguments in rows:
            self._row[arguments] = len(self._row)
        pmf = distributions(self._mechanic)
        parts = [self._invert(pmf(*arguments)) for arguments in rows]
        if parts:
            ends = len(self._last) + np.cumsum([0] + [len(last) for _, last, _, _ in parts])
            outcomes, last, start, only = zip(*parts, strict=True)
            self._start = np.concatenate([self._start, *(s + end for s, end in zip(start, ends, strict=False))])
            self._outcomes = np.concatenate([self._outcomes, *outcomes])
            self._last = np.concatenate([self._last, *last])
            self._only = np.concatenate([self._only, *only])

    @staticmethod
    def _invert(pmf: PMF) -> tuple[npt.NDArray[Any], ...]:
        """Return a row: its outcomes, the last word of each, and for each bucket where to look and its one outcome."""
        small = max(pmf.outcomes) < -_SEVERAL and min(pmf.outcomes) > _SEVERAL
        outcomes = np.array(pmf.outcomes, dtype=np.int16 if small else np.int64)
        last = np.array([max((w << 32) // pmf.total - 1, 0) for w in accumulate(pmf.weights)], dtype=np.uint32)
        edges = np.arange(_BUCKETS, dtype=np.uint32) << np.uint32(32 - _BUCKET_BITS)
        start = np.searchsorted(last, edges).astype(np.int32)
        one = start == np.searchsorted(last, edges | np.uint32((1 << (32 - _BUCKET_BITS)) - 1))
        return outcomes, last, start, np.where(one, outcomes.take(start), np.int16(_SEVERAL))


@lru_cache(maxsize=1024)
def sampler(mechanic: Mechanic) -> Sampler:
    """Return the sampler of a mechanic, remembered."""
    return Sampler(mechanic)


def look_up(mechanic: Mechanic, arguments: tuple[Ints | Bools | int, ...]) -> tuple[Rows, Ints]:
    """Return the distinct rows of arguments at hand, and which of them each place uses.

    The index has the broadcast shape of those arguments that vary.
    """
    if len(arguments) != mechanic.arity:
        raise TypeError(f"{mechanic} takes {mechanic.arity} arguments, got {len(arguments)}")
    arrays = [np.asarray(a) for a in arguments]
    try:
        fields, index = _distinct(arrays)
    except OverflowError:
        fields, index = _distinct_by_parts(arrays)
    size = max((field.size for field in fields), default=1)
    return tuple(zip(*(field.tolist() * (size // field.size) for field in fields), strict=True)), index


def _distinct(arrays: list[Ints]) -> tuple[list[Ints], Ints]:
    """Return the distinct rows of some arrays, each constant one of length 1, and which of them each place uses.

    Raises:
        OverflowError: If their key would not fit 63 bits.
    """
    radix = Radix(arrays)
    distinct, index = merge_keys(radix.pack(arrays), radix.span)
    return radix.unpack(distinct), index


def _distinct_by_parts(arrays: list[Ints]) -> tuple[list[Ints], Ints]:
    """Return the same of many arrays: the rows of each part are numbered, and then those of the numbers."""
    parts = [_distinct(part) for part in _parts(arrays)]
    rows, index = _distinct([number for _, number in parts])
    chosen = zip(parts, rows, strict=True)
    return [field.take(row) if field.size > 1 else field for (fields, _), row in chosen for field in fields], index


def _parts(arrays: list[Ints]) -> list[list[Ints]]:
    """Return arrays in parts, each of which has a key that fits."""
    parts, span = [list[Ints]()], 1
    for array in arrays:
        low, high = _bounds(array)
        span *= high - low + 1
        if span >= 2**62:
            parts.append([])
            span = high - low + 1
        parts[-1].append(array)
    return parts

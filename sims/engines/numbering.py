"""Every state of an assault, numbered once, in a hash table with linear probing; the keys are the states, packed.

The upper bits of its hash lead a state to a slot k. It looks into k, k + 1, k + 2, ..., modulo the number of slots,
until it finds itself or a free slot.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sims.dice import Bools, Ints
from sims.state import State, kept

A = TypeVar("A", bound=npt.NDArray[Any])
Words = npt.NDArray[np.uint64]

NONE = -1
"""The number of no state."""

WORD = 64
"""The bits of a word."""


class Packing:
    """How states become words: of each field, the bits in which it differs from that of the first state, side by side.

    A field that comes to differ in more of its bits has those put behind all others: what was packed before had zeros
    there, and stays as it is.
    """

    def __init__(self, first: Sequence[Ints]) -> None:
        self._first = [array[:1].view(np.uint16) for array in first]
        self._bits = [0] * len(first)
        self._digits = list[Digit]()
        self._used = [0]

    @property
    def words(self) -> int:
        """How many words a state takes."""
        return len(self._used)

    @property
    def varying(self) -> Iterator[int]:
        """The fields that are not the same in all states."""
        return (field for field, bits in enumerate(self._bits) if bits)

    def pack(self, arrays: Sequence[Ints], size: int) -> list[Words]:
        """Return states in words, each ``[size]``."""
        differ = [array.view(np.uint16) ^ first for array, first in zip(arrays, self._first, strict=True)]
        for field, bits in enumerate(differ):
            self._widen(field, int(bits[0] if bits.size == 1 else np.bitwise_or.reduce(bits)).bit_length())
        words: list[Words] = [np.zeros(size, dtype=np.uint64) for _ in self._used]
        for digit in self._digits:
            some = differ[digit.field] >> digit.lowest & np.uint16(2**digit.bits - 1)
            words[digit.word] |= some.astype(np.uint64) << digit.shift
        return words

    def _widen(self, field: int, bits: int) -> None:
        """Let a field have so many bits, if it has fewer."""
        more = bits - self._bits[field]
        if more <= 0:
            return
        if self._used[-1] + more > WORD:
            self._used.append(0)
        self._digits.append(Digit(field, np.uint16(self._bits[field]), more, self.words - 1, np.uint64(self._used[-1])))
        self._used[-1] += more
        self._bits[field] = bits


class Digit(NamedTuple):
    """Where some bits of a field stand: which field, from which of its bits on how many, in which word, how far up."""

    field: int
    lowest: np.uint16
    bits: int
    word: int
    shift: np.uint64


class States:
    """The states met so far, numbered in the order of meeting.

    A field that is the same in all of them is kept once.
    """

    def __init__(self, like: State) -> None:
        self._like = self._whole = like
        self._size = 0
        self._columns: list[Ints] = [*map(kept, like.arrays())]
        self._packing = Packing(self._columns)
        self._keys = list[Words]()
        self._slots: Ints = np.full(2, NONE, dtype=np.int32)
        self._odd = np.random.default_rng(11).integers(2**63, size=len(self._columns), dtype=np.uint64) * 2 + 1

    def __len__(self) -> int:
        return self._size

    @property
    def all(self) -> State:
        """Every state, ``[N]`` or ``[1]``."""
        return self._like.rebuild([a if a.size == 1 else a[: self._size] for a in self._columns])

    def glance(self, numbers: Ints) -> State:
        """Return some states, ``[K]`` or ``[1]``, of which little will be looked at."""
        return self._whole.part(numbers)

    def take(self, numbers: Ints) -> State:
        """Return some states; what is the same in all of them has length 1."""
        arrays = [a.take(numbers) if a.size > 1 else a[: numbers.size] for a in self._columns]
        return self._like.rebuild([a[:1] if a.size > 1 and (a == a[:1]).all() else a for a in arrays])

    def number(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of states, ``[size]``, distinct or not; those not met before get the next ones.

        Args:
            arrays ([size] or [1]): The fields of the states, as states are kept.
        """
        keys = self._packed(arrays, size)
        numbers = self._found(keys)
        new = np.flatnonzero(numbers == NONE)
        if new.size:
            numbers[new] = self._added(arrays, keys, new)
        return numbers

    def find(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of states, ``[size]``; `NONE` of those that have not been met."""
        return self._found(self._packed(arrays, size))

    def _packed(self, arrays: Sequence[Ints], size: int) -> list[Words]:
        """Return the keys of states, in words."""
        words = self._packing.pack(arrays, size)
        self._keys += [np.zeros(self._size, dtype=np.uint64) for _ in words[len(self._keys) :]]
        return words

    def _hash(self, keys: list[Words]) -> Words:
        """Return the sum of the words of each key, each times a large odd number of its own, mixed once more."""
        mixed = reduce(np.add, map(np.multiply, keys, self._odd))
        return (mixed ^ mixed >> np.uint64(32)) * self._odd[0]

    def _found(self, keys: list[Words]) -> Ints:
        """Return the numbers of those states that have been met."""
        numbers: Ints = np.full(keys[0].size, NONE, dtype=np.int32)
        left, slot = np.arange(keys[0].size), self._slot(keys)
        while left.size:
            there = self._slots[slot]
            taken = there != NONE
            left, slot, there = left[taken], slot[taken], there[taken]
            same = self._equal(there, keys, left)
            numbers[left[same]] = there[same]
            left, slot = left[~same], self._next(slot[~same])
        return numbers

    def _added(self, arrays: Sequence[Ints], keys: list[Words], new: Ints) -> Ints:
        """Add states that have not been met, and return their numbers; those that are alike have one."""
        first, size = self._size, self._size + new.size
        self._keys = [put(own, first, word[new]) for own, word in zip(self._keys, keys, strict=True)]
        if self._slots.size < 2 * size:
            self._slots = np.full(2 ** (4 * size).bit_length(), NONE, dtype=np.int32)
            self._put(np.arange(first))
        like, slot = self._put(np.arange(first, size))
        own = np.flatnonzero(like == np.arange(first, size))
        self._size = first + own.size
        self._slots[slot[own]] = np.arange(first, self._size)
        if own.size < new.size:
            for word in self._keys:
                word[first : self._size] = word[first + own]
        self._keep(arrays, first, new[own])
        return first + np.searchsorted(own, like - first)

    def _keep(self, arrays: Sequence[Ints], first: int, which: Ints) -> None:
        """Keep the fields of new states, those of numbers from the first on."""
        columns = self._columns.copy()
        for field in self._packing.varying:
            column, array = columns[field], arrays[field]
            wide = room(np.repeat(column, first) if column.size == 1 else column, self._size)
            wide[first : self._size] = array if array.size == 1 else array[which]
            columns[field] = wide
        if any(new is not old for new, old in zip(columns, self._columns, strict=True)):
            self._columns, self._whole = columns, self._like.rebuild(columns)

    def _put(self, left: Ints) -> tuple[Ints, Ints]:
        """Put states into slots; return who of those alike has one, and where: of those that come to it the last."""
        first, slot = left[:1], self._slot([own[left] for own in self._keys])
        like, at = left.copy(), slot.copy()
        while left.size:
            free = self._slots[slot] == NONE
            self._slots[slot[free]] = left[free]
            there = self._slots[slot]
            same = there == left
            other = np.flatnonzero(~same)
            same[other] = self._equal(there[other], self._keys, left[other])
            like[left[same] - first], at[left[same] - first] = there[same], slot[same]
            left, slot = left[~same], self._next(slot[~same])
        return like, at

    def _equal(self, numbers: Ints, keys: list[Words], which: Ints) -> Bools:
        """Return which of some states that are kept are the same as others by their keys, one beside the other."""
        same = np.ones(numbers.size, dtype=np.bool_)
        for own, other in zip(self._keys, keys, strict=True):
            same &= own.take(numbers) == other.take(which)
        return same

    def _slot(self, keys: list[Words]) -> Ints:
        """Return where to look first: the upper bits of the hash, on which every field has left its mark."""
        return (self._hash(keys) >> np.uint64(WORD + 1 - self._slots.size.bit_length())).astype(np.intp)

    def _next(self, slot: Ints) -> Ints:
        return (slot + 1) & (self._slots.size - 1)


def among(size: int, *numbers: Ints) -> Bools:
    """Return which of so many states are among some, ``[size]``."""
    there = np.zeros(size, dtype=np.bool_)
    for some in numbers:
        there[some] = True
    return there


def room(array: A, size: int) -> A:
    """Return an array that has room for so many along its first axis, and for as many again if it has to grow.

    What is there now is kept; what is not may be anything, and takes no memory until it is put there.
    """
    if len(array) >= size:
        return array
    wider: A = np.empty((2 * size, *array.shape[1:]), dtype=array.dtype)  # type: ignore[assignment]
    wider[: len(array)] = array
    return wider


def put(array: npt.NDArray[Any], at: int, more: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array with more put into it at some place; room is made where there is none."""
    wide = room(array[:at] if at == 0 else array, at + len(more))
    wide[at : at + len(more)] = more
    return wide


def lengthened(array: A, size: int) -> A:
    """Return an array that is at least as long, with zeros in the places that it had not."""
    if len(array) >= size:
        return array
    longer: A = np.zeros(size, dtype=array.dtype)  # type: ignore[assignment]
    longer[: len(array)] = array
    return longer

"""Every state of an assault, numbered once, in a hash table with linear probing; the keys are the states themselves.

The upper bits of its hash lead a state to a slot k. It looks into k, k + 1, k + 2, ..., modulo the number of slots,
until it finds itself or a free slot.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from sims.dice import Bools, Ints
from sims.state import State

A = TypeVar("A", bound=npt.NDArray[Any])
Words = npt.NDArray[np.uint64]

NONE = -1
"""The number of no state."""


class States:
    """The states met so far, numbered in the order of meeting.

    Whether two states are equal is asked of all their fields, four of which make a word, so no range has to be known
    and no key can overflow.
    """

    def __init__(self, like: State) -> None:
        self._like = like
        self._size = 0
        self._fields = len(like.arrays())
        self._words: Words = np.zeros((1, -(-self._fields // 4)), dtype=np.uint64)
        self._hashes: Words = np.zeros(1, dtype=np.uint64)
        self._slots: Ints = np.full(2, NONE, dtype=np.int32)
        self._odd = np.random.default_rng(11).integers(2**63, size=self._words.shape[1], dtype=np.uint64) * 2 + 1

    def __len__(self) -> int:
        return self._size

    @property
    def all(self) -> State:
        """Every state, ``[N]``."""
        return self._like.rebuild([*self._arrays(self._words[: self._size])])

    def glance(self, numbers: Ints) -> State:
        """Return some states, ``[K]``, of which little will be looked at."""
        return self._like.rebuild([*self._arrays(self._words.take(numbers, axis=0))])

    def take(self, numbers: Ints) -> State:
        """Return some states; what is the same in all of them has length 1."""
        arrays = np.ascontiguousarray(self._arrays(self._words.take(numbers, axis=0)))
        return self._like.rebuild([a[:1] if (a == a[:1]).all() else a for a in arrays])

    def number(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of states, ``[size]``, distinct or not; those not met before get the next ones.

        Args:
            arrays ([size] or [1]): The fields of the states, as states are kept.
        """
        words, hashes = self._hashed(arrays, size)
        numbers = self._found(words, hashes)
        new = np.flatnonzero(numbers == NONE)
        numbers[new] = self._added(words[new], hashes[new])
        return numbers

    def find(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of states, ``[size]``; `NONE` of those that have not been met."""
        return self._found(*self._hashed(arrays, size))

    def _arrays(self, words: Words) -> Any:
        """Return the fields of states, ``[F, size]``."""
        return words.view(np.int16)[:, : self._fields].T

    def _hashed(self, arrays: Sequence[Ints], size: int) -> tuple[Words, Words]:
        """Return states in words and their hashes: the sum of the words, each times a large odd number of its own."""
        first = np.zeros((1, self._words.shape[1]), dtype=np.uint64)
        self._arrays(first)[:, 0] = [array[0] if array.size else 0 for array in arrays]
        words = np.repeat(first, size, axis=0)
        for field, array in zip(self._arrays(words), arrays, strict=True):
            if array.size > 1:  # most are the same in all
                field[:] = array
        return words, words @ self._odd

    def _found(self, words: Words, hashes: Words) -> Ints:
        """Return the numbers of those states that have been met."""
        numbers: Ints = np.full(hashes.size, NONE, dtype=np.int32)
        left, slot = np.arange(hashes.size), self._slot(hashes)
        while left.size:
            there = self._slots[slot]
            taken = there != NONE
            left, slot, there = left[taken], slot[taken], there[taken]
            same = self._equal(there, words if left.size == len(words) else words.take(left, axis=0))
            numbers[left[same]] = there[same]
            left, slot = left[~same], self._next(slot[~same])
        return numbers

    def _added(self, words: Words, hashes: Words) -> Ints:
        """Add states that have not been met, and return their numbers; those that are alike have one."""
        first, size = self._size, self._size + hashes.size
        self._words, self._hashes = room(self._words, size), room(self._hashes, size)
        self._words[first:size], self._hashes[first:size] = words, hashes
        if self._slots.size < 2 * size:
            self._slots = np.full(2 ** (4 * size).bit_length(), NONE, dtype=np.int32)
            self._put(np.arange(first))
        like, slot = self._put(np.arange(first, size))
        own = np.flatnonzero(like == np.arange(first, size))
        self._size = first + own.size
        if own.size < hashes.size:
            self._words[first : self._size], self._hashes[first : self._size] = words[own], hashes[own]
        self._slots[slot[own]] = np.arange(first, self._size)
        return first + np.searchsorted(own, like - first)

    def _put(self, left: Ints) -> tuple[Ints, Ints]:
        """Put states into slots; return who of those alike has one, and where: of those that come to it the last."""
        first, slot = left[:1], self._slot(self._hashes[left])
        like, at = left.copy(), slot.copy()
        while left.size:
            free = self._slots[slot] == NONE
            self._slots[slot[free]] = left[free]
            there = self._slots[slot]
            same = there == left
            other = np.flatnonzero(~same)
            same[other] = self._equal(there[other], self._words.take(left[other], axis=0))
            like[left[same] - first], at[left[same] - first] = there[same], slot[same]
            left, slot = left[~same], self._next(slot[~same])
        return like, at

    def _equal(self, numbers: Ints, words: Words) -> Bools:
        """Return which of some states that are kept are the same as others in words, one beside the other."""
        differ = np.flatnonzero(self._words.take(numbers, axis=0) != words)
        same = np.ones(numbers.size, dtype=np.bool_)
        same[differ // words.shape[1]] = False
        return same

    def _slot(self, hashes: Words) -> Ints:
        """Return where to look first: the upper bits, on which every field has left its mark."""
        return (hashes >> np.uint64(65 - self._slots.size.bit_length())).astype(np.intp)

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


def lengthened(array: A, size: int) -> A:
    """Return an array that is at least as long, with zeros in the places that it had not."""
    if len(array) >= size:
        return array
    longer: A = np.zeros(size, dtype=array.dtype)  # type: ignore[assignment]
    longer[: len(array)] = array
    return longer

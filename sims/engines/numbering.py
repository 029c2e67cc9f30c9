"""Every state of an assault, numbered once: a hash table whose keys are the states themselves."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from sims.dice import Ints
from sims.state import State

A = TypeVar("A", bound=npt.NDArray[Any])
Hashes = npt.NDArray[np.uint64]

NONE = -1
"""The number of no state."""


class States:
    """The states met so far, numbered in the order of meeting.

    Whether two states are equal is asked of all their fields, so no range has to be known and no key can overflow. A
    state of hash h is kept in slot h, or in the next that is free.
    """

    def __init__(self, like: State) -> None:
        self._like = like
        self._size = 0
        self._fields: Ints = np.zeros((len(like.arrays()), 1), dtype=np.int16)
        self._hashes: Hashes = np.zeros(1, dtype=np.uint64)
        self._slots: Ints = np.full(2, NONE, dtype=np.int32)
        self._odd = np.random.default_rng(11).integers(2**63, size=len(self._fields), dtype=np.uint64) * 2 + 1

    def __len__(self) -> int:
        return self._size

    @property
    def all(self) -> State:
        """Every state, ``[N]``."""
        return self._like.rebuild([*self._fields[:, : self._size]])

    def take(self, numbers: Ints) -> State:
        """Return some states; what is the same in all of them has length 1."""
        fields = self._fields.take(numbers, axis=1)
        return self._like.rebuild([a[:1] if (a == a[:1]).all() else a for a in fields])

    def number(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of distinct states, ``[size]``; those not met before get the next ones.

        Parameters
        ----------
        arrays : sequence of array, [size] or [1]
            The fields of the states, as states are kept.
        """
        fields, hashes = self._hashed(arrays, size)
        numbers = self._found(fields, hashes)
        new = np.flatnonzero(numbers == NONE)
        numbers[new] = np.arange(self._size, self._size + new.size)
        self._add(fields[:, new], hashes[new])
        return numbers

    def find(self, arrays: Sequence[Ints], size: int) -> Ints:
        """Return the numbers of states, ``[size]``; `NONE` of those that have not been met."""
        return self._found(*self._hashed(arrays, size))

    def _hashed(self, arrays: Sequence[Ints], size: int) -> tuple[Ints, Hashes]:
        """Return states and their hashes: the sum of the fields, each times a large odd number of its own."""
        fields: Ints = np.empty((len(arrays), size), dtype=np.int16)
        hashes = np.zeros(size, dtype=np.uint64)
        for field, array, odd in zip(fields, arrays, self._odd, strict=True):
            field[:] = array
            hashes += array.astype(np.uint64) * odd
        return fields, hashes

    def _found(self, fields: Ints, hashes: Hashes) -> Ints:
        """Return the numbers of those states that have been met."""
        numbers = np.full(hashes.size, NONE, dtype=np.intp)
        left, slot = np.arange(hashes.size), self._slot(hashes)
        while left.size:
            there = self._slots[slot]
            taken = there != NONE
            left, slot, there = left[taken], slot[taken], there[taken]
            same = (self._fields.take(there, axis=1) == fields.take(left, axis=1)).all(axis=0)
            numbers[left[same]] = there[same]
            left, slot = left[~same], self._next(slot[~same])
        return numbers

    def _add(self, fields: Ints, hashes: Hashes) -> None:
        """Add states that have not been met."""
        first, self._size = self._size, self._size + hashes.size
        self._fields, self._hashes = room(self._fields, self._size), room(self._hashes, self._size)
        self._fields[:, first : self._size] = fields
        self._hashes[first : self._size] = hashes
        if self._slots.size < 2 * self._size:
            self._slots = np.full(2 ** (4 * self._size).bit_length(), NONE, dtype=np.int32)
            first = 0
        self._put(np.arange(first, self._size))

    def _put(self, left: Ints) -> None:
        """Put states into slots: of those that come to the same free one the last has it."""
        slot = self._slot(self._hashes[left])
        while left.size:
            free = self._slots[slot] == NONE
            self._slots[slot[free]] = left[free]
            lost = self._slots[slot] != left
            left, slot = left[lost], self._next(slot[lost])

    def _slot(self, hashes: Hashes) -> Ints:
        """Return where to look first: the upper bits, on which every field has left its mark."""
        return (hashes >> np.uint64(65 - self._slots.size.bit_length())).astype(np.intp)

    def _next(self, slot: Ints) -> Ints:
        return (slot + 1) & (self._slots.size - 1)


def room(array: A, size: int, fill: int = 0) -> A:
    """Return an array that has room for so many along its last axis, and for half as many again if it has to grow."""
    if array.shape[-1] >= size:
        return array
    wider: A = np.empty((*array.shape[:-1], size + size // 2), dtype=array.dtype)  # type: ignore[assignment]
    wider[..., : array.shape[-1]] = array
    wider[..., array.shape[-1] :] = fill
    return wider

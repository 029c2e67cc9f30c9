"""Answers as bytes, for the store: they come back bit by bit, and bytes that are no answer are refused."""

import json
import struct
import zlib
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, TypeAdapter

from analysis.points.margins import ENDS, SIDES, Margins, margins
from sims.engines import COLUMNS, Bounded, Exact, Result, Sampled
from sims.profiles import MOST_MODELS
from sims.reading import Strict

MOST = 2**25
"""Bytes that an answer unpacks to at most: more than any assault has outcomes."""
SLACK = 1e-6
"""By how much the chances of all ends may miss 1."""

_HEAD = struct.Struct("<qd4H")


def pack(of: Margins) -> bytes:
    """Return margins as bytes, which `unpacked` makes the same margins of again, bit by bit."""
    lost = [of.lost[side] for side in SIDES]
    numbers = np.concatenate([of.ends.ravel(), *lost, [of.cleared]])
    trials = -1 if of.trials is None else of.trials
    head = _HEAD.pack(trials, of.left_out, of.looks, of.ends.shape[1], *(each.size for each in lost))
    return zlib.compress(head + numbers.astype("<f8" if of.trials is None else "<i8", casting="safe").tobytes(), 1)


def unpack(data: bytes) -> Margins:
    """Return the margins of such bytes.

    Raises:
        ValueError: If they are none.
    """
    data = _inflated(data)
    try:
        trials, left_out, looks, turns, *sizes = _HEAD.unpack_from(data)
    except struct.error as error:
        raise ValueError(str(error)) from error
    numbers = np.frombuffer(data, "<f8" if trials < 0 else "<i8", offset=_HEAD.size)
    ends, *lost, cleared = np.split(numbers, np.cumsum([len(ENDS) * turns, *sizes]))
    return Margins(
        ends.reshape(len(ENDS), turns),
        dict(zip(SIDES, lost, strict=True)),
        cleared.item(),
        None if trials < 0 else trials,
        looks,
        left_out,
    )


def pack_result(of: Result) -> bytes:
    """Return a result as bytes, which `unpack_result` makes the same result of again, bit by bit."""
    said = dict(vars(of))
    columns, drawn = said.pop("columns"), isinstance(of, Sampled)
    mass = said.pop("counts") if drawn else said.pop("weights").astype("<f8", casting="safe").view("<i8")
    numbers = np.array([*(columns[name] for name in COLUMNS), mass])
    return zlib.compress(json.dumps(said).encode("ascii") + b"\n" + numbers.astype("<i8", casting="safe").tobytes(), 1)


def unpack_result(data: bytes) -> Result:
    """Return the result of such bytes.

    Raises:
        ValueError: If they are none.
    """
    head, _, numbers = _inflated(data).partition(b"\n")
    said = dict(vars(_SAID.validate_json(head)))
    *columns, mass = np.frombuffer(numbers, "<i8").reshape(len(COLUMNS) + 1, -1)
    said["columns"] = dict(zip(COLUMNS, columns, strict=True))
    if "trials" in said:
        return Sampled(**said, counts=mass)
    kind: type[Bounded | Exact] = Bounded if "left_out" in said else Exact
    return kind(**said, weights=mass.view("<f8"))


class _Exactly(Strict):
    """What an exact result says besides its arrays."""

    rules: str
    tallies: dict[str, float]
    course: tuple[tuple[float, float], ...]


class _Bounded(_Exactly):
    """What a bounded result says besides its arrays."""

    left_out: Annotated[float, Field(ge=0, le=1)]


class _Sampled(Strict):
    """What a sampled result says besides its arrays."""

    rules: str
    tallies: dict[str, tuple[int, int]]
    course: tuple[tuple[float, float], ...]
    engine: Literal["sampled", "rolled"]
    trials: int
    seed: int
    looks: int


_SAID = TypeAdapter[_Exactly | _Bounded | _Sampled](_Exactly | _Bounded | _Sampled)


def _inflated(data: bytes) -> bytes:
    going = zlib.decompressobj()  # which sees by a checksum that they are whole
    try:
        found = going.decompress(data, MOST)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not going.eof:
        raise ValueError(f"incomplete, or more than {MOST} bytes")
    return found


def possible(of: Margins) -> Margins:
    """Return margins, if an assault can have them.

    Raises:
        ValueError: If none can: they are no numbers, below zero, of no trials or not all of them.
    """
    if not 0 <= of.left_out <= 1:
        raise ValueError("what was left out is no chance")
    every = 1 - of.left_out if of.trials is None else of.trials
    some = (of.ends.ravel(), *of.lost.values())
    if of.trials == 0 or of.looks < 1 or not 0 <= of.cleared <= every + SLACK:
        raise ValueError("of no trials, or of fewer than were cleared")
    if not all(each.size and each.min() >= 0 and abs(each.sum() - every) <= SLACK * every for each in some):
        raise ValueError("its ends or losses are not all there")
    return of


def possible_result(of: Result) -> Result:
    """Return a result, if an assault can have it.

    Raises:
        ValueError: If none can.
    """
    most = {"end": max(ENDS.values()), "turn": len(of.course), "cleared": 1}
    for name, column in of.columns.items():
        least = 1 if name in ("end", "turn") else 0
        if not (column.size and column.min() >= least and column.max() <= most.get(name, MOST_MODELS)):
            raise ValueError(f"there are no such outcomes: {name}")
    possible(margins(of))
    return of

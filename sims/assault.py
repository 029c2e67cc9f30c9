"""What an assault is, for every rule set and every engine.

A rule is a pure function ``rule(dice, state, scene) -> state``. `state` is what changes: a frozen dataclass of
integer arrays, ``[..., R]``, with R trials or distinct states. `scene` is what does not: the scenario in the rule
set's own terms, with its tables. A turn is a sequence of stages, and each stage is one rule.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial, reduce
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from sims.dice import Bools, Dice, Ints


class End(IntEnum):
    """How an assault ended. Of the first three the greater goes before; `GOING_ON` is not an end."""

    GOING_ON = 0
    BROKEN = 1
    CAPTURED = 2
    DESTROYED = 3
    HELD = 4


@dataclass(frozen=True)
class State:
    """What changes in an assault; subclasses add fields, each ``[..., R]`` or a tuple of such arrays.

    A field that is the same everywhere may have length 1. A field that no later stage reads is reset to a constant, so
    that equal states can merge.
    """

    def replace(self, **changes: Any) -> Self:
        """Return the state with some fields changed."""
        if unknown := changes.keys() - self.__dataclass_fields__.keys():
            raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
        values = {**self.__dict__, **changes}
        if self._part:
            values["_part"] = self._part._replace(changes={**self._part.changes, **changes})
        return self._of(values)

    def arrays(self) -> list[Ints]:
        """Return all arrays, those in tuples one after the other."""
        arrays: list[Ints] = []
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            arrays += value if isinstance(value, tuple) else [value]
        return [np.asarray(a) for a in arrays]

    def rebuild(self, arrays: Sequence[Ints]) -> Self:
        """Return a state of the same layout made of other arrays."""
        left = iter(arrays)
        names = self.__dataclass_fields__
        return self._of({name: each(lambda _: next(left), getattr(self, name)) for name in names})

    def take(self, columns: Ints) -> Self:
        """Return the state of some columns only."""
        return self.rebuild([_taken(a, columns) for a in self.arrays()])

    def part(self, columns: Ints | None) -> Self:
        """Return the state of some columns, or of all; each field is taken when it is first read.

        Most rules read and change a few fields of many; a part remembers its changes.
        """
        return self._of({"_part": Part(self, columns, {})})

    @property
    def _part(self) -> "Part | None":
        return self.__dict__.get("_part")

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of a part that have been changed."""
        return self._part.changes if self._part else {}

    def put(self, part: Self, size: int) -> Self:
        """Return the state, ``[size]``, with what has been changed in a part of it."""
        assert part._part is not None
        _, columns, changes = part._part
        if columns is None:
            return self.replace(**changes)
        put = partial(_put, columns, size)
        return self.replace(**{name: each(put, getattr(self, name), new) for name, new in changes.items()})

    def __getattr__(self, name: str) -> Any:
        """Take a field of a part."""
        if self._part is None or name not in self.__dataclass_fields__:
            raise AttributeError(f"{type(self).__name__} has no field {name}")
        whole, columns, _ = self._part
        value = getattr(whole, name)
        own = value if columns is None else each(lambda a: _taken(a, columns), value)
        self.__dict__[name] = own
        return own

    def _of(self, values: dict[str, Any]) -> Self:
        state = object.__new__(type(self))
        state.__dict__.update(values)
        return state


class Part(NamedTuple):
    """What a state is a part of: which state, which of its columns (None for all), and what has been changed since."""

    whole: State
    columns: Ints | None
    changes: dict[str, Any]


def each(function: Callable[..., Ints], field: Any, *others: Any) -> Any:
    """Apply a function to a field's array, or to each array of its tuple."""
    return tuple(map(function, field, *others)) if isinstance(field, tuple) else function(field, *others)


def _taken(array: Ints, columns: Ints) -> Ints:
    return array if array.size == 1 else array.take(columns)


def _put(columns: Ints, size: int, old: Ints, new: Ints) -> Ints:
    if old.size == 1 and new.size == 1 and old.item() == new.item():
        return old
    whole = np.empty(size, dtype=np.result_type(old, new))
    whole[:] = old
    whole[columns] = new
    return whole


S = TypeVar("S", bound=State)
C = TypeVar("C")


@dataclass(frozen=True)
class Stage(Generic[S, C]):
    """One step of a turn.

    Attributes
    ----------
    rule : callable
        ``rule(dice, state, scene) -> state``.
    when : callable, optional
        ``when(state, scene) -> bools [R]``: the columns the stage concerns; the others pass it by untouched.
    times : int
        How often the stage is played in a row (one shot after the other, where each may change the next).
    """

    rule: Callable[[Dice, S, C], S]
    when: Callable[[S, C], Bools] | None = None
    times: int = 1

    @property
    def name(self) -> str:
        """The rule's name, with what was bound to it: part of the address of its dice."""
        if isinstance(self.rule, partial):
            return " ".join([self.rule.func.__name__, *(f"{k}={v}" for k, v in sorted(self.rule.keywords.items()))])
        return self.rule.__name__


@dataclass(frozen=True)
class PlayerTurn(Generic[S, C]):
    """The stages of one side's turn, in order."""

    name: str
    stages: tuple[Stage[S, C], ...]

    def addressed(self) -> list[tuple[Stage[S, C], str]]:
        """Return each stage with its name and number among its namesakes: part of the address of its dice."""
        seen: Counter[str] = Counter()
        named = []
        for stage in self.stages:
            named.append((stage, f"{stage.name} {seen[stage.name]}"))
            seen[stage.name] += 1
        return named


@dataclass(frozen=True)
class Outcome:
    """What every rule set says of a state, in the same words; all ``[R]``.

    Attributes
    ----------
    end : array of `End`
        How the assault has ended, or `End.GOING_ON`.
    attackers_lost, defenders_lost : array of int
        Models removed as casualties so far.
    cleared : array of bool
        No living defender is inside.
    """

    end: Ints
    attackers_lost: Ints
    defenders_lost: Ints
    cleared: Bools


@dataclass(frozen=True)
class Assault(Generic[S, C]):
    """A scenario under one set of rules, ready to be played by any engine.

    Attributes
    ----------
    rules : str
        The id of the rule set or house rule.
    scene : object
        What does not change: profiles, numbers, tables.
    start : State
        The state before the first turn, ``[1]``.
    turn : tuple of PlayerTurn
        One turn: a player turn of each side, in order.
    limit : int
        Turns after which the building counts as held.
    outcome : callable
        ``outcome(state, scene) -> Outcome``, asked after every stage.
    translation : mapping
        How the scenario was put into the rule set's own terms.
    """

    rules: str
    scene: C
    start: S
    turn: tuple[PlayerTurn[S, C], ...]
    limit: int
    outcome: Callable[[S, C], Outcome]
    translation: Mapping[str, str]


def ending(*, destroyed: Bools, captured: Bools, broken: Bools) -> Ints:
    """Return the end of each column, by the order of precedence in `End`."""
    ends = ((broken, End.BROKEN), (captured, End.CAPTURED), (destroyed, End.DESTROYED))
    return reduce(np.maximum, (np.asarray(there) * np.int8(end) for there, end in ends))

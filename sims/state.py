"""The state of an assault: arrays over trials or distinct states, their records, and parts of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self, cast

import numpy as np

from sims.dice import Ints

Phrase = str | tuple[str, ...] | Mapping[int, str]
"""What the log says of a field: what it counts; or what a new number above 0 comes to, then one below; or each code."""


def count(words: str = "", *, after: str = "", otherwise: str = "", close: bool = False) -> Any:
    """Declare a number that starts at 0. The log says what it counts, and how it changes.

    The log leaves out a field without words. Its lines follow the order of the fields. `after` names another field that
    they follow instead: fields themselves keep their places, for chances are added up in their order.

    `otherwise` says what is so as long as it is 0; a position is taken to be so unless more is known.

    `close` marks attackers who are in the building: there are none while inches separate the two.
    """
    return _zero(words, after, otherwise, close=close)


def number(above: str, below: str = "") -> Any:
    """Declare a number that starts at 0. The log has a phrase for one above 0 and one for one below, {} the number."""
    return _zero((above, below) if below else (above,))


def flag(words: str = "", *, after: str = "", otherwise: str = "") -> Any:
    """Declare a truth that starts at 0, false. The log says when it comes true; the rest is as in `count`."""
    return _zero({1: words} if words else "", after, otherwise)


def code(words: Mapping[int, str] | None = None, *, otherwise: str = "") -> Any:
    """Declare a number that stands for something and starts at 0. The log has words for some of its values.

    `otherwise` says what 0 stands for, as in `count`.
    """
    return _zero(words or "", otherwise=otherwise)


def counts(words: str, *, close: bool = False) -> Any:
    """Declare a tuple of numbers, such as the models of each group. The start gives it; the log adds it up.

    Where an assault has names for its parts, and the words a {part}, the log tells each part by its name.

    `close` is as in `count`.
    """
    return _field({"": words}, close=close)


def codes(words: Mapping[int, str]) -> Any:
    """Declare a tuple of numbers that stand for something, with words for some of their values. The start gives it."""
    return _field({"": words})


def record(*, after: str = "", **words: Phrase) -> Any:
    """Declare a record, and the words of its fields. The start gives it.

    `after` names another record: the log tells each field after the same one of that.
    """
    return _field({f".{name}": phrase for name, phrase in words.items()}, after)


def _zero(phrase: Phrase, after: str = "", otherwise: str = "", *, close: bool = False) -> Any:
    start = partial(np.zeros, 1, np.int64)
    return _field({"": phrase} if phrase else {}, after, otherwise, close=close, default_factory=start)


def _field(
    words: Mapping[str, Phrase], after: str = "", otherwise: str = "", *, close: bool = False, **start: Any
) -> Any:
    """Return a field with the words of its parts, by what follows its name; never with a default, for `State.part`."""
    return field(metadata={"words": words, "after": after, "otherwise": otherwise, "close": close}, **start)


@dataclass(frozen=True)
class State:
    """What changes in an assault; subclasses add fields.

    Each field is one line: its name, its type, and what the log says of it (`count`, `number`, `flag`, `code`,
    `counts`, `record`). A comment says what else it means. A field that the start has to give and the log leaves out
    has only a type.

    A field is an array ``[..., R]``, a tuple of fields, or a *record*: a State of its own, such as a unit. An array
    that is the same everywhere may have length 1. One that no later stage reads is reset to a constant, so that equal
    states can merge.
    """

    told = MappingProxyType(dict[str, Phrase]())
    """What the log says of each field that means something to a player; those of records after a dot."""
    otherwise = MappingProxyType(dict[str, str]())
    """What is so as long as a field is 0."""
    close = tuple[str, ...]()
    """The fields of attackers who are in the building."""
    rolls = MappingProxyType(dict[str, Mapping[int, str]]())
    """By label, what the answers of a roll mean, where its mechanic has no words or others."""

    def __init_subclass__(cls) -> None:
        """Gather what the log says of the fields."""
        told, order, otherwise, close = dict(cls.told), [*cls.told], dict(cls.otherwise), [*cls.close]
        for name, line in vars(cls).items():
            if isinstance(line, Field):
                words, after = line.metadata.get("words", {}), line.metadata.get("after")
                if says := line.metadata.get("otherwise"):
                    otherwise[name] = says
                if line.metadata.get("close"):
                    close.append(name)
                for part, phrase in words.items():
                    told[f"{name}{part}"] = phrase
                    order.insert(order.index(f"{after}{part}") + 1 if after else len(order), f"{name}{part}")
        cls.told = MappingProxyType({name: told[name] for name in order})
        cls.otherwise = MappingProxyType(otherwise)
        cls.close = tuple(close)

    def replace(self, **changes: Any) -> Self:
        """Return the state with some fields changed."""
        if unknown := changes.keys() - self.__dataclass_fields__.keys():
            raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
        values = {**self.__dict__, **changes}
        if part := self._part:
            values["_part"] = Part(part.whole, part.columns, {**part.changes, **changes})
        return self._of(values)

    def arrays(self) -> list[Ints]:
        """Return all arrays, those in tuples and records one after the other."""
        arrays: list[Ints] = []
        each(arrays.append, self)
        return [np.asarray(array) for array in arrays]

    def rebuild(self, arrays: Sequence[Ints]) -> Self:
        """Return a state of the same layout made of other arrays."""
        left = iter(arrays)
        return cast(Self, each(lambda _: next(left), self))

    def take(self, columns: Ints) -> Self:
        """Return the state of some columns only."""
        return cast(Self, each(lambda array: _taken(array, columns), self))

    def part(self, columns: Ints | None) -> Self:
        """Return the state of some columns, or of all; each field is taken when it is first read.

        Most rules read and change a few fields of many; a part remembers its changes, and a record in it its own.
        """
        return self._of({"_part": Part(self, columns, {})})

    @property
    def _part(self) -> "Part | None":
        return self.__dict__.get("_part")

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of a part that have been changed."""
        return self._part.changes if self._part else {}

    @property
    def changed(self) -> set[str]:
        """The names of the arrays of a part that have been changed, those of records after a dot."""
        whole = self._part.whole if self._part else self
        names = set[str]()
        for name, new in self.changes.items():
            names.update(_names(name, new, getattr(whole, name), "changed") if isinstance(new, State) else [name])
        return names

    @property
    def read(self) -> set[str]:
        """The names of the arrays of a part that have been read, those of records after a dot."""
        whole = self._part.whole if self._part else self
        taken = ((name, value) for name, value in self.__dict__.items() if name != "_part")
        return {name for field, value in taken for name in _names(field, value, getattr(whole, field), "read")}

    def with_changes(self, function: Callable[[Ints], Ints]) -> Self:
        """Return a part with a function applied to every array that has been changed."""
        whole = self._part.whole if self._part else self
        changes = dict[str, Any]()
        for name, new in self.changes.items():
            if isinstance(new, State) and _within(new, getattr(whole, name)):
                changes[name] = new.with_changes(function)
            else:
                changes[name] = each(function, new)
        return self.replace(**changes)

    def put(self, part: Self, size: int) -> Self:
        """Return the state, ``[size]``, with what has been changed in a part of it."""
        assert part._part is not None
        _, columns, changes = part._part
        return self.replace(
            **{name: _put_field(columns, size, getattr(self, name), new) for name, new in changes.items()}
        )

    def __getattr__(self, name: str) -> Any:
        """Take a field of a part."""
        part = self.__dict__.get("_part")
        if part is None or name not in self.__dataclass_fields__:
            raise AttributeError(f"{type(self).__name__} has no field {name}")
        whole, columns, _ = part
        value = getattr(whole, name)
        if isinstance(value, State):
            own: Any = value.part(columns)
        else:
            own = value if columns is None else each(lambda a: _taken(a, columns), value)
        self.__dict__[name] = own
        return own

    def _of(self, values: dict[str, Any]) -> Self:
        state = object.__new__(type(self))
        object.__setattr__(state, "__dict__", values)
        return state


class Part(NamedTuple):
    """What a state is a part of: which state, which of its columns (None for all), and what has been changed since."""

    whole: State
    columns: Ints | None
    changes: dict[str, Any]


def kept(array: Ints) -> Ints:
    """Return numbers as states are kept: in 16 bits, a quarter of the memory to move; none comes near 32,767."""
    return cast(Ints, array.astype(np.int16))


def each(function: Callable[..., Any], field: Any, *others: Any) -> Any:
    """Apply a function to a field's array, or to each array of its tuple or record, beside those of like fields."""
    if isinstance(field, State):
        names = field.__dataclass_fields__
        if others:
            return field._of({n: each(function, getattr(field, n), *(getattr(o, n) for o in others)) for n in names})
        values = {name: getattr(field, name) for name in names}
        return field._of(
            {n: function(v) if isinstance(v, np.ndarray) else each(function, v) for n, v in values.items()}
        )
    if isinstance(field, tuple):
        return tuple([each(function, *values) for values in zip(field, *others, strict=True)])
    return function(field, *others)


def _within(value: State, old: Any) -> bool:
    """Return whether a record is a part of what stood in its field: one of which something was read or changed."""
    part = value._part
    return part is not None and part.whole is old


def _names(field: str, value: Any, old: Any, what: Literal["changed", "read"]) -> Iterator[str]:
    """Yield the names of the arrays of a field: of a part of a record those changed or read, else all of them."""
    if isinstance(value, State) and _within(value, old):
        yield from (f"{field}.{name}" for name in getattr(value, what))
    elif isinstance(value, State):
        for name in value.__dataclass_fields__:
            yield from _names(f"{field}.{name}", getattr(value, name), None, what)
    else:
        yield field


def _put_field(columns: Ints | None, size: int, old: Any, new: Any) -> Any:
    """Return a field with what is new in some columns."""
    if isinstance(new, State) and _within(new, old):
        return old.put(new, size)
    return each(lambda array: array, new) if columns is None else each(partial(_put, columns, size), old, new)


def _taken(array: Ints, columns: Ints) -> Ints:
    return array if array.size == 1 else array.take(columns)


def _put(columns: Ints, size: int, old: Ints, new: Ints) -> Ints:
    if old.size == 1 and new.size == 1 and old.item() == new.item():
        return old
    whole = np.empty(size, dtype=np.result_type(old, new))
    whole[:] = old
    whole[columns] = new
    return whole

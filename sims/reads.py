"""Which values of a book or a scene are read while something is played: what is never read cannot matter."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from typing import Any, TypeVar, cast

from sims.reading import Strict, undotted
from sims.rulebook import Book
from sims.scenario import Scenario

T = TypeVar("T")

Key = tuple[str | int, ...]
Seen = dict[int, tuple[Strict, set[str]]]
"""What was read from files and has been looked at: by its id, with the names of its fields that were."""
NOTES = "_notes"
"""Where a noting copy has what it notes."""


@contextmanager
def watched() -> Iterator[Seen]:
    """Note every look at what was read from a file; to hash it, as caches do that know an answer, is a look as well."""
    seen: Seen = {}
    plain = object.__getattribute__

    def noted(self: Strict, name: str) -> Any:
        if name[0] != "_" or name == "__dict__":
            seen.setdefault(id(self), (self, set()))[1].add(name)
        return plain(self, name)

    Strict.__getattribute__ = noted  # type: ignore[method-assign, assignment]
    try:
        yield seen
    finally:
        del Strict.__getattribute__


def leaves_read(book: Book, seen: Seen) -> frozenset[str]:
    """Return the values of a book that have been looked at, by the keys of `Book.leaves`."""
    of = {key: (owner, name) for key, owner, name in fields(book)}
    found = set[str]()
    for leaf in book.leaves():
        parts = undotted(leaf)
        own: Key = parts if parts[:2] in of else ("game", *parts)
        owner, name = next(of[own[:n]] for n in range(len(own), 0, -1) if own[:n] in of)
        if {name, "__dict__"} & seen.get(owner, (None, set()))[1]:
            found.add(leaf)
    return frozenset(found)


def fields(model: Any, key: Key = ()) -> Iterator[tuple[Key, int, str]]:
    """Yield every field of a book: its key, and which object has it under which name."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        yield (*key, name), id(model), name
        inner = value.items() if isinstance(value, dict) else [(None, value)]
        for part, item in inner:
            if isinstance(item, Strict):
                yield from fields(item, (*key, name) if part is None else (*key, name, part))


def noting(one: T, seen: set[str], within: str = "") -> T:
    """Return a copy that notes which of its fields are looked at, and which of its scenario's.

    Parameters
    ----------
    one : dataclass
        What else there may be is taken to be looked at as a whole.
    seen : set
        The names of the fields are added to it, those of a scenario after a dot.
    """
    if not is_dataclass(one):
        seen.add(within)
        return one
    kind: Any = type(one)
    copy = object.__new__(_noting(kind))
    inner = {name: value for name, value in vars(one).items() if isinstance(value, Scenario)}
    own = {name: noting(value, seen, f"{name}.") for name, value in inner.items()}
    notes = {name: f"{within}{name}" for name in vars(one) if name not in own}
    object.__getattribute__(copy, "__dict__").update(vars(one) | own | {NOTES: (seen, notes)})
    return cast(T, copy)


@cache
def _noting(kind: Any) -> Any:
    """Return a kind of object that is as another, but for noting what is looked at."""
    plain = object.__getattribute__

    def noted(self: Any, name: str) -> Any:
        seen, notes = plain(self, "__dict__")[NOTES]
        if name in notes:
            seen.add(notes[name])
        return plain(self, name)

    return type(kind.__name__, (kind,), {"__getattribute__": noted})


def differing(one: Any, other: Any, within: str = "") -> Iterator[str]:
    """Yield the fields in which two of a kind differ, by the names that `noting` has for them."""
    if not is_dataclass(one):
        yield from [within] * bool(one != other)
        return
    for name, value in vars(one).items():
        beside = getattr(other, name)
        if isinstance(value, Scenario):
            yield from differing(value, beside, f"{name}.")
        elif value is not beside and value != beside:
            yield f"{within}{name}"

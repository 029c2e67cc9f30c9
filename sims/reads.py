"""Which values of a book are read while something is played: what is never read cannot matter."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sims.reading import Strict, undotted
from sims.rulebook import Book

Key = tuple[str | int, ...]
Seen = dict[int, tuple[Strict, set[str]]]
"""What was read from files and has been looked at: by its id, with the names of its fields that were."""


@contextmanager
def watched() -> Iterator[Seen]:
    """Note every look at what was read from a file; to hash it, as caches do that know an answer, is a look as well."""
    seen: Seen = {}
    plain = object.__getattribute__

    def noted(self: Strict, name: str) -> Any:
        if name[0] != "_" or name == "__dict__":
            seen.setdefault(id(self), (self, set()))[1].add(name)
        return plain(self, name)

    watching = Strict.__dict__.get("__getattribute__")
    Strict.__getattribute__ = noted  # type: ignore[method-assign, assignment]
    try:
        yield seen
    finally:
        if watching:
            Strict.__getattribute__ = watching  # type: ignore[method-assign]
        else:
            del Strict.__getattribute__


def look_again(seen: Seen) -> None:
    """Look at all that was looked at once: whoever watches now notes it, where an answer is remembered."""
    for model, names in seen.values():
        for name in names:
            getattr(model, name)


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

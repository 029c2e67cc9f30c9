"""Which values of a book are read while something is played: what is never read cannot matter."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sims.dice.mechanics import distribution
from sims.dice.tables import sampler, table
from sims.reading import Strict, undotted
from sims.rulebook import Book

Key = tuple[str | int, ...]
Seen = dict[int, tuple[Strict, set[str]]]
"""What was read from files and has been looked at: by its id, with the names of its fields that were."""


@contextmanager
def watched() -> Iterator[Seen]:
    """Note every look at what was read from a file; what hashes or compares it does not look at it.

    What is remembered is not looked at again, so it is forgotten first.
    """
    for remembered in (distribution, table, sampler):
        remembered.cache_clear()
    seen: Seen = {}
    plain = object.__getattribute__

    def noted(self: Strict, name: str) -> Any:
        if name[0] != "_" or (name == "__dict__" and sys._getframe(1).f_code.co_name not in ("hash_func", "__eq__")):
            seen.setdefault(id(self), (self, set()))[1].add(name)
        return plain(self, name)

    Strict.__getattribute__ = noted  # type: ignore[method-assign, assignment]
    try:
        yield seen
    finally:
        del Strict.__getattribute__


def leaves_read(book: Book, seen: Seen) -> set[str]:
    """Return the values of a book that have been looked at, by the keys of `Book.leaves`."""
    of = {key: (owner, name) for key, owner, name in fields(book)}
    found = set[str]()
    for leaf in book.leaves():
        parts = undotted(leaf)
        own: Key = parts if parts[:2] in of else ("game", *parts)
        owner, name = next(of[own[:n]] for n in range(len(own), 0, -1) if own[:n] in of)
        if {name, "__dict__"} & seen.get(owner, (None, set()))[1]:
            found.add(leaf)
    return found


def fields(model: Any, key: Key = ()) -> Iterator[tuple[Key, int, str]]:
    """Yield every field of a book: its key, and which object has it under which name."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        yield (*key, name), id(model), name
        inner = value.items() if isinstance(value, dict) else [(None, value)]
        for part, item in inner:
            if isinstance(item, Strict):
                yield from fields(item, (*key, name) if part is None else (*key, name, part))

"""Books with a value changed by a legal step: what a house rule may change, and how."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any, Literal, get_args, get_origin

from sims.errors import CasemateError
from sims.reading import Strict
from sims.reading import dotted as dotted_key
from sims.rulebook import Book

Key = tuple[str | int, ...]
Edits = dict[Key, Any]
ABOUT = {"source", "unit", "note"}


def game_of(kind: type[Book]) -> type[Book] | None:
    return kind.model_fields["game"].annotation if "game" in kind.model_fields else None


@cache
def printed(kind: type[Book]) -> Book:
    return kind.load()


@cache
def unchanged(kind: type[Book]) -> Any:
    return printed(kind).model_dump(mode="json", exclude_unset=True)


def with_edits(kind: type[Book], edits: Edits) -> Book:
    """Return the book of a rule set with other values, as a house rule writes them: of an array the whole."""
    values = {}
    for key, value in edits.items():
        own = tuple(part for part in key if part not in ("game", "choice"))
        items = next((n for n, part in enumerate(own) if isinstance(part, int)), len(own))
        leaf, place = dotted_key(own[:items]), own[items:]
        if place:
            whole = values.setdefault(leaf, deepcopy(printed(kind).leaves()[leaf]))
            at(whole, place[:-1])[place[-1]] = value
        else:
            values[leaf] = deepcopy(value)
    return printed(kind).with_values(values)


def leaves(value: Any, key: Key) -> Iterator[Key]:
    """Yield the keys of every number, die and choice; arrays item by item, an empty one as itself."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ABOUT:
                yield from leaves(inner, (*key, name))
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from leaves(inner, (*key, i))
    else:
        yield key


def offered(kind: type[Book]) -> Iterator[Key]:
    data = unchanged(kind)
    for at, book in (((), data), (("game",), data.get("game", {}))):
        yield from leaves(book.get("tables", {}), (*at, "tables"))
        yield from ((*at, "rulings", name, "choice") for name in book.get("rulings", {}))


def at(data: Any, key: Key) -> Any:
    for part in key:
        data = data[part]
    return data


def steps(kind: type[Book], key: Key) -> Iterator[Edits]:
    """Yield ways to change one leaf: the next numbers, the least, another word; an item of an array may also move."""
    data = unchanged(kind)
    value = at(data, key)
    if "rulings" in key:
        yield from ({key: option} for option in at(data, key[:-1])["options"] if option != value)
        return
    if value == [] or isinstance(key[-1], int):
        yield from moves(data, key)
    if isinstance(value, bool):
        yield {key: not value}
    elif isinstance(value, int):
        yield from ({key: other} for other in (value + 1, value - 1, 1, 0, 2, 6, 10, 24) if other != value)
    elif isinstance(value, str):
        words = choices(annotation(kind, key))
        yield from ({key: other} for other in (*words, "D6", "2D6", "D3", 1, 2) if other != value)


def moves(data: Any, key: Key) -> Iterator[Edits]:
    """Yield an item moved to the array beside its own, or one of those moved into an empty array; or an item gone."""
    own = key[:-1] if isinstance(key[-1], int) else key
    items = at(data, own)
    table = next(n for n, part in enumerate(key) if part == "tables") + 2
    beside = [other for other in arrays(at(data, key[:table]), key[:table]) if other != own]
    for other in beside:
        theirs = at(data, other)
        if items == []:
            yield from ({own: [item], other: [t for t in theirs if t != item]} for item in theirs)
        else:
            yield {own: [i for i in items if i != items[key[-1]]], other: [*theirs, items[key[-1]]]}
    if items:
        yield {own: [*items[: key[-1]], *items[key[-1] + 1 :]]}


def arrays(value: Any, key: Key) -> Iterator[Key]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from arrays(inner, (*key, name))
    elif isinstance(value, list):
        yield key


def annotation(kind: Any, key: Key) -> Any:
    """Return the type that a book gives to the field of a key."""
    model, found = kind, None
    for part in key:
        if isinstance(model, type) and issubclass(model, Strict):
            found = model.model_fields[part].annotation
            model = found
        else:
            inner = [a for a in get_args(model) if isinstance(a, type) and issubclass(a, Strict)]
            model = inner[0] if inner else model
    return found


def choices(kind: Any) -> list[str]:
    """Return every word that a type allows."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for inner in get_args(kind) for word in choices(inner)]


def fits(kind: type[Book], edits: Edits) -> bool:
    """Return whether a book may be changed so."""
    try:
        with_edits(kind, edits)
    except CasemateError:
        return False
    return True


def keyed(text: str) -> Key:
    return tuple(int(part) if part.isdecimal() else part for part in text.split("."))


def dotted(key: Key) -> str:
    return ".".join(map(str, key))

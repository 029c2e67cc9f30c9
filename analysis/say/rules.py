"""What single values of a book are called, and where they stand."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sims.reading import undotted
from sims.rulebook import Book, Ruling, Table
from sims.rulesets import RuleSet


def where_of(book: Book, key: str) -> str:
    """Say where a value of a book stands: its table's source; or the clause of a ruling, and what the option means."""
    found = holder(book, key)
    return f"{found.clause}: {found.said}" if isinstance(found, Ruling) else found.source


def holder(book: Book, key: str) -> Table | Ruling:
    """Return the table or ruling that a key leads into, or raise `KeyError` if the book has none."""
    section, name, *_ = undotted(key)
    for each in (book, getattr(book, "game", None)):
        part = getattr(each, section, None)
        if part is not None and name in type(part).model_fields:
            found: Table | Ruling = getattr(part, name)
            return found
    raise KeyError(key)


def is_of_base_game(book: Book, key: str) -> bool:
    """Return whether a value is one of the base game that the building rules lean on."""
    section, name, *_ = undotted(key)
    return name not in type(getattr(book, section)).model_fields


def part_words(before: Book, after: Book, part: Mapping[str, Any]) -> str:
    """Say what changed: each key with its value before and now, then where it stands."""
    was, now = before.leaves(), after.leaves()
    keys = ", ".join(f"{key.partition('.')[2]}: {change_words(was[key], now[key])}" for key in part)
    return f"{keys} [{'; '.join(dict.fromkeys(where_of(after, key) for key in part))}]"


def part_name(part: Mapping[str, Any]) -> str:
    """Say what changed in a part: the last words of its key, or its table."""
    keys = [key.split(".") for key in part]
    return ".".join(keys[0][1:]) if len(keys) == 1 else keys[0][1]


def step_words(book: Book, step: Mapping[str, Any]) -> str:
    """Say what a step changes: each key without its section, what it was and what it is."""
    was = book.leaves()
    return ", ".join(f"{key.partition('.')[2]}: {change_words(was[key], value)}" for key, value in step.items())


def change_words(before: Any, now: Any) -> str:
    """Say how a value changes; of an array only what differs, if its length does not."""
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        places = [i for i, (one, other) in enumerate(zip(before, now, strict=True)) if one != other]
        return ", ".join(f"place {i + 1}: {change_words(before[i], now[i])}" for i in places)
    return f"{value_words(before)} -> {value_words(now)}"


def value_words(value: Any) -> str:
    """Write a value as files do, but for the quotes of words."""
    return str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def titles(sets: Sequence[RuleSet]) -> list[str]:
    """Return a name to show for each of several sets of rules: its title, with its id where two share one."""
    titles = [one.title for one in sets]
    return [one.title if titles.count(one.title) == 1 else f"{one.title} ({one.id})" for one in sets]

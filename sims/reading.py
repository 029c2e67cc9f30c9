"""Files from people: read strictly, and refused in words that name file, line, key and what was expected."""

import json
import re
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from sims.errors import MOST_FAULTS, CasemateError, UnfitError, closest, nearest, visible

MAX_BYTES = 2**18
MAX_DEPTH = 12
MOST_BASES = 50
"""Files of which each is the base of the one before."""
TOO_LONG = "a number has more than the 64 bits that TOML allows"
_TOKENS = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|\#[^\n]*|[\[{\]}\n]""", re.DOTALL
)
"""What decides in TOML whether a statement ends with a line: strings, comments, brackets and ends of lines."""
_CURLY = re.compile(r"[“”„‘’‚]")
_QUOTED = re.compile(r"""\"[^"]*"|'[^']*'|\#.*""")
"""What in a line may hold curly quotes."""

Key = tuple[str | int, ...]
Whole = Annotated[tuple[int, ...], Field(strict=False)]
"""A TOML array of integers."""
Names = Annotated[tuple[str, ...], Field(strict=False)]
"""A TOML array of strings."""


class Strict(BaseModel):
    """What is read from a file: frozen, exact in its types, with no key that is not known."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @classmethod
    def own_table(cls, name: str) -> "type[Strict] | None":
        """Return the model of a table that may stand here beside the fields; None if there is none of that name."""
        return None

    @classmethod
    def own_keys(cls) -> Iterable[str]:
        """Return the keys that may stand here beside the fields."""
        return ()


M = TypeVar("M", bound=Strict)


@dataclass(frozen=True)
class Source:
    """A TOML file: its name for messages, its text and what it holds; values given by key have no name and no text."""

    name: str
    text: str
    data: dict[str, Any]

    def gives(self, key: Key) -> bool:
        """Return whether it holds a key."""
        return _holds(self.data, key)

    def line(self, key: Key) -> int | None:
        """Return the line where a key is given, the last of several, or None if the file does not give it."""
        return self._lines.get(key)

    @cached_property
    def _lines(self) -> dict[Key, int]:
        """The line of every key: where the first statement ends that gives it."""
        found, table, items = dict[Key, int](), Key(), Counter[Key]()
        for statement, line in _statements(self.text):
            data = _shown(tomllib.loads(statement))
            if statement.startswith("["):
                table = _table(data, items)
                given: Iterable[Key] = (table[:n] for n in range(1, len(table) + 1))
            else:
                given = ((*table, *key) for key in _keys(data))
            for key in given:
                found.setdefault(key, line)
        return found

    def error(self, key: Key, message: str) -> CasemateError:
        """Return the error to raise about a key; a missing key is placed at its table."""
        for end in range(len(key), 0, -1):
            line = self.line(key[:end])
            if line is not None:
                return CasemateError(f"{self.name}, line {line}: {dotted(key)}: {message}")
        return CasemateError(f"{self.name and f'{self.name}: '}{dotted(key)}: {message}")


def _statements(text: str) -> Iterator[tuple[str, int]]:
    """Yield the statements of valid TOML, each with the number of the line it ends in."""
    start, line, depth = 0, 1, 0
    for token in _TOKENS.finditer(text):
        if token[0] == "\n" and not depth:
            yield text[start : token.start()].strip(), line
            start = token.end()
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        line += token[0].count("\n")
    yield text[start:].strip(), line


def _table(header: dict[str, Any], items: Counter[Key]) -> Key:
    """Return the table that a header opens; `items` counts those of each list of tables."""
    table, inner = Key(), header
    while inner:
        if isinstance(inner, list):
            items[table] += 1
            break
        [(part, inner)] = inner.items()
        table = (*table, items[table] - 1, part) if table in items else (*table, part)
    return (*table, items[table] - 1) if table in items else table


def _keys(data: Any) -> Iterator[Key]:
    """Yield the keys of data, those of tables and lists in it as well."""
    for part, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (part,)
        yield from ((part, *key) for key in _keys(inner))


def dotted(key: Key) -> str:
    """Write a key as in TOML, items of a list by their place from 1: ``roll[2].faces``."""
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{bare(part)}" for part in key).removeprefix(".")


def bare(name: str) -> str:
    """Write one part of a key as in TOML: in quotes where it needs them."""
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name, ensure_ascii=False)


@cache
def undotted(key: str) -> tuple[str, ...]:
    """Take a key apart that is written as in TOML.

    >>> undotted('tables.cover."stone house"')
    ('tables', 'cover', 'stone house')

    Raises:
        CasemateError: If it is not one key.
    """
    try:
        data: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        data = {}
    parts: list[str] = []
    while isinstance(data, dict) and len(data) == 1:
        [(part, data)] = data.items()
        parts.append(part)
    if data != 0 or len(parts) > MAX_DEPTH:
        raise CasemateError(f'"{key}" is not a key; expected one such as attackers.models')
    return tuple(parts)


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by dotted key as the tables of a file.

    >>> nested({"attackers.models": 12, "attackers.plan": "smoke"})
    {'attackers': {'models': 12, 'plan': 'smoke'}}
    """
    data: dict[str, Any] = {}
    for key, value in values.items():
        *tables, last = undotted(key)
        inner = data
        for table in tables:
            inner = inner.setdefault(table, {})
            if not isinstance(inner, dict):
                raise CasemateError(f"{key}: what it stands in has a value of its own")
        inner[last] = value
    return data


def read(path: Path) -> Source:
    """Read a TOML file that a person gave.

    Raises:
        CasemateError: If the file is missing, unreadable, a pipe, too large, not text, nested too deeply or not TOML.
    """
    return parse(str(path), read_text(path, MAX_BYTES, "TOML"))


def read_text(path: Path, most: int, what: str) -> str:
    """Return the text of a file that a person gave, of so many bytes at most; editors may begin it with a mark.

    Raises:
        CasemateError: If the file is missing, unreadable, a pipe, too large or not text in UTF-8.
    """
    if path.is_fifo():  # it would be waited for as long as nobody writes to it
        raise CasemateError(f"{path}: cannot be read: this is a pipe, not a file")
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:  # a null character is an error in a value
        raise CasemateError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
    if len(raw) > most:
        raise CasemateError(f"{path}: the file is too large; expected at most {most // 1024} kB of {what}")
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise CasemateError(f"{path}: this file is in UTF-16; expected {what} in UTF-8: save it again in that encoding")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CasemateError(f"{path}: this is not a text file; expected {what}") from error


def parse(name: str, text: str) -> Source:
    """Parse TOML.

    Raises:
        CasemateError: If it is not TOML, is empty, nests too deeply or holds a number of more than 64 bits.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        where = f", line {place[1]}, column {place[2]}" if place else ""
        what = re.sub(r"\s*\(at .*\)", "", str(error))
        if place and (curly := _CURLY.search(_QUOTED.sub("", text.split("\n")[int(place[1]) - 1]))):
            what = f'a curly quote, {curly[0]}; expected a straight one, "'
        raise CasemateError(f"{name}{where}: not valid TOML: {what}") from error
    except ValueError as error:  # Python reads no number of some thousand digits
        raise CasemateError(f"{name}: {TOO_LONG}") from error
    if not data:
        raise CasemateError(f"{name}: the file is empty; expected TOML")
    if _deeper(data, MAX_DEPTH):
        raise CasemateError(f"{name}: tables nest deeper than {MAX_DEPTH} levels")
    if any(not -(2**63) <= n < 2**63 for n in _whole_numbers(data)):
        raise CasemateError(f"{name}: {TOO_LONG}")
    return Source(name, text, _shown(data))


def _shown(data: Any) -> Any:
    """Return data with the control characters in its texts written out, wherever they may be shown."""
    match data:
        case dict():
            return {visible(key): _shown(value) for key, value in data.items()}
        case list():
            return [*map(_shown, data)]
        case str():
            return visible(data)
        case _:
            return data


def validate(model: type[M], data: dict[str, Any], sources: Sequence[Source]) -> M:
    """Turn data into a model, or say all that is wrong with it.

    Args:
        sources: The files the data came from; an error is placed in the first that holds its key.

    Raises:
        UnfitError: With a line for each fault.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found: dict[Key, list[ErrorDetails]] = {}
        for details in error.errors():
            found.setdefault(_key(details, data), []).append(details)
        outer = {key[:n] for key in found for n in range(len(key))}  # of a union, the member is meant that goes on
        told = islice((key for key in found if key not in outer), MOST_FAULTS)
        raise UnfitError("\n".join(_fault(model, key, found[key], sources) for key in told)) from error


def _key(details: ErrorDetails, data: dict[str, Any]) -> Key:
    """Return where a fault is; pydantic's marks of which member of a union it tried are not keys."""
    key: Key = ()
    for part in details["loc"]:
        if _holds(data, (*key, part)):
            key = (*key, part)
    return (*key, details["loc"][-1]) if details["type"] == "missing" else key


_TYPES = {
    "int_type": "expected a whole number",
    "string_type": "expected text",
    "bool_type": "expected true or false",
    "dict_type": "expected a table",
    "model_type": "expected a table",
}
"""What pydantic's names of faults mean to a person; others say it themselves."""
_NAME = re.compile("'([^']*)'")


def _fault(model: type[Strict], key: Key, several: Sequence[ErrorDetails], sources: Sequence[Source]) -> str:
    """Say what is wrong with a key: several faults if it may be one of several things."""
    details = several[0]
    match details["type"]:
        case "extra_forbidden":
            message = f"unknown key; {_near_key(key, _siblings(model, key))}"
        case "missing":
            message = "this item is missing" if isinstance(key[-1], int) else "this key is missing"
        case _:
            first, *others = dict.fromkeys(_expected(details, key) for details in several)
            expected = " or ".join([first, *(other.removeprefix("expected ") for other in others)])
            message = f"{expected}{_got(details)}{_close(several)}"
    places = [(source, _in_file(key, source)) for source in sources]
    giving = (place for n in (len(key), len(key) - 1) if n for place in places if place[0].gives(place[1][:n]))
    source, place = next(giving, (sources[-1], key))
    return str(source.error(place, message))


def error_in(sources: Sequence[Source], key: Key, message: str) -> CasemateError:
    """Return the error to raise about a key of several files laid over each other: in the first that gives it.

    If none does it is placed at what it stands in.
    """
    giving = (source for n in range(len(key), 0, -1) for source in sources if source.gives(key[:n]))
    return next(giving, sources[0]).error(key, message)


def _in_file(key: Key, source: Source) -> Key:
    """Return a key as a file has it that is laid over one part of the whole, as a house rule over its base game."""
    return key if len(key) == 1 or key[0] in source.data else key[1:]


def _expected(details: ErrorDetails, key: Key) -> str:
    kind = details["type"]
    if kind == "tuple_type":
        header = dotted(tuple(part for part in key if isinstance(part, str)))
        return "expected a list in brackets" + f" or tables headed [[{header}]]" * isinstance(details["input"], dict)
    if kind == "too_short":
        return f"expected {details['ctx']['min_length']} or more items"
    if kind == "too_long":
        return f"expected at most {details['ctx']['max_length']} items"
    return _TYPES.get(kind) or details["msg"].replace("Input should be", "expected").removeprefix("Value error, ")


def _close(several: Sequence[ErrorDetails]) -> str:
    """Say which of the names that are expected comes closest to the one given, if any does."""
    given = several[0]["input"]
    names = [
        name for each in several if each["type"] == "literal_error" for name in _NAME.findall(each["ctx"]["expected"])
    ]
    close = closest(given, names) if isinstance(given, str) else None
    return f'; did you mean "{close}"?' if close else ""


def _got(details: ErrorDetails) -> str:
    """Return what stands in the file, in short; nothing where the fault is in what a table says as a whole."""
    match details["input"]:
        case dict():
            return "" if details["type"] == "value_error" else ", got a table"
        case list() | tuple():
            return ", got a list"
        case bool() as value:
            return f", got {str(value).lower()}"
        case str() as value:
            return f", got '{value}'"
        case value:
            return f", got {value}"


def _near_key(key: Key, valid: Iterable[str]) -> str:
    """Say which key may be meant: the one of that name in a table beside the others, in full, or the nearest."""
    keys, given = [*valid], str(key[-1])
    inside = next((each for each in keys if each.endswith(f".{given}")), None)
    return f'did you mean "{dotted((*key[:-1], *undotted(inside)))}"?' if inside else nearest(given, keys)


def _siblings(model: type[Strict], key: Key) -> Iterable[str]:
    at: Any = model
    for part in key[:-1]:
        annotation = _within(at, part)
        inner = [a for a in (annotation, *getattr(annotation, "__args__", ())) if hasattr(a, "model_fields")]
        at = inner[0] if inner else annotation
    return (*at.model_fields, *at.own_keys()) if hasattr(at, "model_fields") else ()


def _within(at: Any, part: str | int) -> Any:
    """Return what stands in a model under a key; in a list or mapping what each item is."""
    if part in getattr(at, "model_fields", {}):
        return at.model_fields[part].annotation
    own = at.own_table(str(part)) if hasattr(at, "model_fields") else None
    return own or at


def _holds(data: Any, key: Key) -> bool:
    for part in key:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _deeper(data: Any, than: int) -> bool:
    return than == 0 or any(_deeper(inner, than - 1) for inner in _inner(data))


def _whole_numbers(data: Any) -> Iterable[int]:
    return [data] if isinstance(data, int) else chain.from_iterable(map(_whole_numbers, _inner(data)))


def _inner(data: Any) -> Iterable[Any]:
    return data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()

"""Rule books as data: strict TOML tables, rulings with alternatives, and house rules laid over them.

A book is a `Book` subclass that names its tables, and a ``tables.toml`` beside it that holds every number with its
section. Where the text is silent or contradicts itself the decision is a *ruling*: a question, the choice made and
its alternatives. A *house rule* is a small TOML file that names its base and overrides values or rulings; nothing in
it is ever evaluated as code.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from sims.dice import D3, Die, parse_die
from sims.errors import CasemateError, Faults, nearest
from sims.reading import Names, Source, Strict, dotted, nested, parse, validate


@dataclass(frozen=True)
class Thrown:
    """How dice are read from a file: as text in their notation, or as a number where nothing is thrown.

    Attributes:
        D3: How a book reads a D3 off a D6.
        alone: Whether it has to be a single D6, because a rule looks at its face as well.
    """

    D3: Die = D3
    alone: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate text to a `Die`, and write a `Die` as text again."""
        written = core_schema.plain_serializer_function_ser_schema(
            lambda die: int(die.name) if die.name.isdecimal() else die.name
        )
        return core_schema.no_info_plain_validator_function(self._read, serialization=written)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe the text that is read."""
        what = "a die read off a single D6, such as D3 or D6" if self.alone else "dice as text, such as D3 or 2D6"
        return {"type": ["string", "integer"], "format": "dice", "description": f"{what}, or a number"}

    def _read(self, value: Any) -> Die:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError('expected dice as text, such as "D3" or "2D6", or a number')
        try:
            die = parse_die(str(value), self.D3)
        except CasemateError as error:
            raise ValueError(str(error)) from error
        if self.alone and die.sides != (6,):
            raise ValueError('expected a die that is read off a single D6, such as "D3" or "D6"')
        return die


Roll = Annotated[Die, Thrown()]
"""Dice that a table names."""


class Table(Strict):
    """A table of the book: where it stands, and in what unit its numbers are."""

    source: str
    unit: str = ""
    note: str = ""


class Ruling(Strict):
    """A decision where the book leaves one open, with what else a player may choose."""

    clause: str
    question: str
    choice: str
    options: dict[str, str]

    @model_validator(mode="after")
    def _choice_is_an_option(self) -> Self:
        if self.choice not in self.options:
            raise ValueError(f'no option "{self.choice}"; {nearest(self.choice, self.options)}')
        return self

    @property
    def said(self) -> str:
        """The option in force, in words."""
        return self.options[self.choice]

    def __call__(self, option: str) -> bool:
        """Return whether an option is the one in force.

        Raises:
            KeyError: If the ruling has no such option: a slip in the rules, not in a file.
        """
        if option not in self.options:
            raise KeyError(f'"{self.question}" has no option "{option}"')
        return option == self.choice


class Rulings(Strict):
    """The rulings of a book; a subclass names each as a field."""


MOST = 200
"""The largest number of a house rule: whatever it is multiplied by in play fits the 16 bits that states are kept in."""


Colour = Literal["blue", "green", "orange", "purple", "sky", "vermillion"]


class Header(Strict):
    """What a book is, and the colour that a set of rules has in every picture."""

    id: str
    title: str
    edition: str
    colour: Colour = "sky"
    documents: Names


class Book(Strict):
    """Every number and ruling of one set of rules.

    A subclass has `ruleset`, `tables`, `rulings` and, where it leans on a base game, `game`: that game's book. A house
    rule may override what stands in either.
    """

    package: ClassVar[str]
    """The package that holds its files."""
    files: ClassVar[tuple[str, ...]] = ("tables.toml",)
    """Where its numbers are: what editions of a game share first, then what is one edition's own."""

    ruleset: Header
    rulings: Rulings

    @classmethod
    def load(cls, house: Source | None = None) -> Self:
        """Read the book, with a house rule laid over it.

        Raises:
            CasemateError: If the house rule has unknown keys or values that do not fit: file, line, key, what was
                expected of each.
        """
        data, sources = cls._data()
        book = validate(cls, data, sources)
        return book if house is None else book.under(house)

    def under(self, house: Source) -> Self:
        """Return the book with a house rule laid over it.

        Raises:
            CasemateError: If the house rule has unknown keys or values that do not fit: file, line, key, what was
                expected of each.
        """
        data, faults = self.model_dump(exclude_unset=True), Faults()
        _lay_over(data, house, faults)
        with faults:
            book = validate(type(self), data, [house])
        faults.tell()
        return book

    def leaves(self) -> dict[str, Any]:
        """Return every value that a house rule may change, under the key it writes: numbers, dice, words and choices.

        An array is one value; so is the option that a ruling has chosen.
        """
        data = self.model_dump(mode="json", exclude_unset=True)
        found = dict[str, Any]()
        for book in (data.get("game", {}), data):
            found |= {dotted(key): value for key, value in _leaves(("tables",), book.get("tables", {}))}
            found |= {dotted(("rulings", name)): ruling["choice"] for name, ruling in book.get("rulings", {}).items()}
        return found

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """Return the book with some values changed, by the keys of `leaves`.

        Raises:
            CasemateError: If a key is unknown or a value does not fit.
        """
        return self.under(Source("", "", nested(values))) if values else self

    def with_rulings(self, choices: Mapping[str, str]) -> Self:
        """Return the book with some rulings switched by name.

        Raises:
            CasemateError: If there is no such ruling or option.
        """
        known, own = dict(self.all_rulings()), type(self.rulings).model_fields
        for name, choice in choices.items():
            if name not in known:
                raise CasemateError(f'there is no ruling "{name}"; {nearest(name, known)}')
            if choice not in known[name].options:
                raise CasemateError(f'{name} cannot be "{choice}"; {nearest(choice, known[name].options)}')
        switched = {n: known[n].model_copy(update={"choice": choice}) for n, choice in choices.items() if n in own}
        changes: dict[str, Any] = {"rulings": self.rulings.model_copy(update=switched)}
        game = getattr(self, "game", None)
        if isinstance(game, Book):
            changes["game"] = game.with_rulings({n: choice for n, choice in choices.items() if n not in own})
        return self.model_copy(update=changes)

    def part(self, kind: type["Book"]) -> "Book | None":
        """Return what this is of a kind of book: itself, or the book of its base game; None if it is neither."""
        if isinstance(self, kind):
            return self
        game = getattr(self, "game", None)
        return game if isinstance(game, kind) else None

    @classmethod
    def _data(cls) -> tuple[dict[str, Any], list[Source]]:
        folder = cls.package.replace(".", "/")
        sources = [parse(f"{folder}/{f}", (files(cls.package) / f).read_text("utf-8")) for f in cls.files]
        data: dict[str, Any] = {}
        for source in sources:
            for section, named in deepcopy(source.data).items():
                data.setdefault(section, {}).update(named)
        if "game" in cls.model_fields:
            game: type[Book] = cls.model_fields["game"].annotation  # type: ignore[assignment]
            data["game"], more = game._data()
            sources += more
        return data, sources

    def all_rulings(self) -> Iterator[tuple[str, Ruling]]:
        """Yield every ruling by name, those of the base game last."""
        for name in type(self.rulings).model_fields:
            yield name, getattr(self.rulings, name)
        game = getattr(self, "game", None)
        if isinstance(game, Book):
            yield from game.all_rulings()


class HouseRule(Strict):
    """The head of a house-rule file; its tables and rulings are checked against its base."""

    base: str
    title: str = ""
    tables: dict[str, Any] = Field(default_factory=dict)
    rulings: dict[str, Any] = Field(default_factory=dict)


def _lay_over(data: dict[str, Any], house: Source, faults: Faults) -> None:
    """Lay the tables and rulings of a house rule over a book's data, but for what does not fit."""
    tables, rulings = (house.data.get(section, {}) for section in ("tables", "rulings"))
    for name, table in tables.items() if isinstance(tables, dict) else ():
        with faults:
            _lay(_section(data, "tables", name, house), name, table, ("tables", name), house, faults)
    for name, choice in rulings.items() if isinstance(rulings, dict) else ():
        with faults:
            ruling = _section(data, "rulings", name, house)[name]
            if choice not in [*ruling["options"]]:
                raise house.error(("rulings", name), f'no option "{choice}"; {nearest(str(choice), ruling["options"])}')
            ruling["choice"] = choice


def _section(data: dict[str, Any], section: str, name: str, house: Source) -> dict[str, Any]:
    """Find which book has a table or ruling: the rule set's, or that of its base game."""
    own: dict[str, Any] = data.get(section, {})
    game: dict[str, Any] = data.get("game", {}).get(section, {})
    if name not in own and name not in game:
        raise house.error((section, name), f"unknown {section[:-1]}; {nearest(name, {*own, *game})}")
    return own if name in own else game


def _lay(into: dict[str, Any], name: str, value: Any, key: tuple[str, ...], house: Source, faults: Faults) -> None:
    if isinstance(into[name], dict) and isinstance(value, dict):
        for inner, inner_value in value.items():
            with faults:
                if inner not in into[name]:
                    raise house.error((*key, inner), f"unknown key; {nearest(inner, into[name])}")
                _lay(into[name], inner, inner_value, (*key, inner), house, faults)
    elif far := next((n for n in _numbers(value) if abs(n) > MOST), None):
        raise house.error(key, f"expected a number from -{MOST} to {MOST}, got {far}")
    else:
        into[name] = value


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        yield from chain.from_iterable(map(_numbers, value))
    elif isinstance(value, int):
        yield value


def _leaves(key: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(value, dict):
        yield key, value
        return
    for name, inner in value.items():
        if name not in Table.model_fields:
            yield from _leaves((*key, name), inner)


def differences(a: Book, b: Book) -> dict[str, tuple[Any, Any]]:
    """Return what differs between two books of one kind: by key the value in `a` and that in `b`.

    Raises:
        CasemateError: If they are not of one kind.
    """
    if type(a) is not type(b):
        raise CasemateError(f"{a.ruleset.id} and {b.ruleset.id} have no common base; expected rules made from one")
    ours, theirs = a.leaves(), b.leaves()
    return {key: (ours.get(key), theirs.get(key)) for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)}

"""Inputs of questions: what a rule takes, as a person writes it, and what it means.

What many rules take alike is described here once, with its bounds. In a rule such a parameter is a number or an array,
elementwise; a question gives it one number.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args, get_origin

from sims.dice import Dice
from sims.dice.source import Argument
from sims.errors import CasemateError
from sims.profiles import MOST_MODELS
from sims.rulebook import Book

Progress = Callable[[float, int], None]
"""``progress(done, of)``, called now and then by a rule that takes long."""
NONE = 7
"""What "none" stands for where a save or an AP goes into arrays: a 7 cannot be rolled, and pierces no save."""


@dataclass(frozen=True)
class Number:
    """What a person gives for a number within bounds: a fraction where the rule takes one, else a whole number.

    Attributes:
        doc: What it means; a docstring may say it more closely.
        least, most: Its bounds.
        none: What "none" stands for, where a person may say that.
    """

    doc: str
    least: int | None = None
    most: int | None = None
    none: int | None = None


@dataclass(frozen=True)
class Editions:
    """The books that an input `edition` chooses among; a house rule brings its own.

    Attributes:
        names (type): A `Literal` of their names, the first of which is meant if none is given.
    """

    names: Any
    books: tuple[type[Book], ...]


Count = Annotated[Argument, Number("How many.", 0, MOST_MODELS)]
Some = Annotated[Argument, Number("How many, at least one.", 1, MOST_MODELS)]
Many = Annotated[Argument, Number("How many.", 0, 10**6)]
Inches = Annotated[Argument, Number("Inches.", 0, 10**6)]
Armour = Annotated[Argument, Number("Armour Value.", 0, 20)]
Most = Annotated[Argument | None, Number("What can be lost at most; not counted if not given.", 0, MOST_MODELS)]
Skill = Annotated[Argument, Number("Weapon Skill or Ballistic Skill.", 0, 20)]
Strength = Annotated[Argument, Number("Strength.", 0, 20)]
Toughness = Annotated[Argument, Number("Toughness.", 0, 20)]
Initiative = Annotated[Argument, Number("Initiative.", 0, 20)]
Attacks = Annotated[Argument, Number("Attacks of a model.", 0, 60)]
Leadership = Annotated[Argument, Number("Leadership.", 0, 20)]
Save = Annotated[Argument, Number("Armour save, or none.", 1, 7, none=NONE)]
Invulnerable = Annotated[Argument, Number("Invulnerable save, or none.", 1, 7, none=NONE)]
Piercing = Annotated[Argument, Number("Armour piercing of the weapon, or none for '-'.", 1, 7, none=NONE)]
Chance = Annotated[Fraction, Number("A chance.", 0, 1)]
Truth = Annotated[Argument, bool]
"""Yes or no, elementwise."""
Length = Annotated[Any, Fraction]
"""Inches, whole or not, elementwise."""


@dataclass(frozen=True)
class Input:
    """One input of a question: its name, what it takes, its default, and what it means."""

    name: str
    kind: Any
    default: Any
    doc: str
    number: Number | None = None

    @property
    def required(self) -> bool:
        """Whether the question cannot do without it."""
        return self.default is inspect.Parameter.empty

    @property
    def choices(self) -> list[str]:
        """The words and numbers that it takes by name."""
        return [str(v) for k in _members(self.kind) if get_origin(k) is Literal for v in get_args(k)]

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types that it takes: int, Fraction, bool or str."""
        return tuple(k for k in _members(self.kind) if isinstance(k, type))

    @property
    def takes(self) -> str:
        """What it takes, for a person."""
        kinds = {int: "a whole number", Fraction: "a number or fraction", bool: "yes or no", str: "text"}
        return " | ".join(self.choices + [kinds[k] for k in self.kinds if k in kinds])

    def read(self, text: str) -> Any:
        """Turn what a person wrote into a value, or raise `CasemateError` if it does not fit."""
        for kind in _members(self.kind):
            value = _value(kind, text.strip())
            if value is not None:
                return value
        bound = " of at most nine digits" if re.fullmatch(r"[+-]?\d{10,}", text.strip()) else ""
        raise CasemateError(f'{self.name} cannot be "{text}"; expected {self.takes}{bound}')

    def given(self, value: Any) -> Any:
        """Return a value as the rule takes it: "none" is a number where arrays go.

        Raises:
            ValueError: If a number is out of bounds.
        """
        number = self.number
        if number is None:
            return value
        if value == "none":
            return number.none
        if number.least is not None and number.most is not None and not number.least <= value <= number.most:
            raise ValueError(f"{self.name} cannot be {value}; expected {number.least} to {number.most}")
        return value


def at_most(limit: int, **given: int) -> None:
    """Refuse, by a `ValueError`, numbers that are negative or so large that nobody would wait for the answer."""
    for name, value in given.items():
        Input(name, int, 0, "", Number("", 0, limit)).given(value)


def inputs_of(taker: Callable[..., Any]) -> Iterator[Input]:
    """Yield the inputs of a rule, or of a record, with their descriptions from the docstring.

    The book, the dice and who is told of progress are given by who asks; a parameter that is a record stands for its
    fields.
    """
    described = _descriptions(inspect.getdoc(taker) or "")
    for name, parameter in inspect.signature(taker).parameters.items():
        if is_record(parameter.annotation):
            yield from inputs_of(parameter.annotation)
        elif editions := editions_of(parameter.annotation):
            yield Input("edition", editions.names, get_args(editions.names)[0], described.get("edition") or "")
        elif not (is_book(parameter.annotation) or is_dice(parameter.annotation) or is_told(parameter.annotation)):
            yield _input(parameter, described.get(name))


def _descriptions(doc: str) -> dict[str, str]:
    """Return what a docstring says of each name in its sections, all its lines as one."""
    entries = re.findall(r"^ {4}([\w, ]+)(?: \([^)]*\))?: (.+(?:\n {8}.+)*)", doc, flags=re.MULTILINE)
    return {name: " ".join(text.split()) for names, text in entries for name in names.split(", ")}


def _input(parameter: inspect.Parameter, doc: str | None) -> Input:
    said = getattr(parameter.annotation, "__metadata__", ())
    if plain := next((kind for kind in said if isinstance(kind, type)), None):
        return Input(parameter.name, plain, parameter.default, doc or "")
    number = next((n for n in said if isinstance(n, Number)), None)
    if number is None:
        return Input(parameter.name, parameter.annotation, parameter.default, doc or "")
    default = "none" if number.none is not None and parameter.default == number.none else parameter.default
    whole = get_args(parameter.annotation)[0] is not Fraction
    kind: Any = (int if whole else Fraction) if number.none is None else Literal["none"] | int
    return Input(parameter.name, kind, default, doc or number.doc, number)


def taken(taker: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a rule or a record takes, those of records put together."""
    found = {}
    for name, parameter in inspect.signature(taker).parameters.items():
        if is_record(parameter.annotation):
            found[name] = parameter.annotation(**taken(parameter.annotation, values))
        elif name in values:
            found[name] = values[name]
    return found


def is_record(kind: Any) -> bool:
    """Return whether a parameter stands for the fields of a record."""
    return isinstance(kind, type) and is_dataclass(kind)


def is_book(kind: Any) -> bool:
    """Return whether a parameter takes a book of rules."""
    return bool(books_of(kind))


def books_of(kind: Any) -> Mapping[str, type[Book]]:
    """Return the kinds of book that a parameter may take, by edition; "" where there is one."""
    if editions := editions_of(kind):
        return dict(zip(get_args(editions.names), editions.books, strict=True))
    return {"": kind} if isinstance(kind, type) and issubclass(kind, Book) else {}


def editions_of(kind: Any) -> Editions | None:
    """Return the editions among which a parameter chooses, if it does."""
    return next((said for said in getattr(kind, "__metadata__", ()) if isinstance(said, Editions)), None)


def is_dice(kind: Any) -> bool:
    """Return whether a parameter takes the dice."""
    return kind is Dice


def is_told(kind: Any) -> bool:
    """Return whether a parameter takes who is told of progress."""
    return bool(kind == Progress)


def _members(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union, the narrowest first."""
    order = {bool: 1, int: 2, Fraction: 3, str: 4}
    members = get_args(kind) if get_origin(kind) not in (None, Literal) else (kind,)
    return tuple(sorted((m for m in members if m is not type(None)), key=lambda m: order.get(m, 0)))


def _value(kind: Any, text: str) -> Any:
    if get_origin(kind) is Literal:
        return next((v for v in get_args(kind) if str(v).lower() == text.lower()), None)
    if kind is bool:
        return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(text.lower())
    if kind is int:
        return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else None
    if kind is Fraction:
        return Fraction(text) if re.fullmatch(r"[+-]?\d{1,9}([./]\d{1,9})?", text) and "/0" not in text else None
    return text if kind is str else None

"""Questions: rule functions that ``casemate odds`` can call.

There is no second implementation for asking: the decorator `asks` opens the very function that an assault plays.
"""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from operator import eq, ge, gt, le, lt
from typing import Any, Literal, TypeVar, get_args, get_origin

from sims.clauses import CITATION, clause, with_needs
from sims.dice import PMF
from sims.errors import CasemateError, nearest
from sims.rulebook import Book, Ruling

Answer = PMF | Fraction | int | bool | str | list[Any] | frozenset[Any]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Input:
    """One input of a question: its name, what it takes, its default, and what it means."""

    name: str
    kind: Any
    default: Any
    doc: str

    @property
    def required(self) -> bool:
        """Whether the question cannot do without it."""
        return self.default is inspect.Parameter.empty

    @property
    def takes(self) -> str:
        """What it takes, for a person."""
        kinds = {int: "a whole number", Fraction: "a number or fraction", bool: "yes or no", str: "text"}
        choices = [str(v) for k in _members(self.kind) if get_origin(k) is Literal for v in get_args(k)]
        return " | ".join(choices + [kinds[k] for k in _members(self.kind) if k in kinds])

    def read(self, text: str) -> Any:
        """Turn what a person wrote into a value.

        Raises
        ------
        CasemateError
            If it does not fit.
        """
        for kind in _members(self.kind):
            value = _value(kind, text.strip())
            if value is not None:
                return value
        bound = " of at most nine digits" if re.fullmatch(r"[+-]?\d{10,}", text.strip()) else ""
        raise CasemateError(f'{self.name} cannot be "{text}"; expected {self.takes}{bound}')


def _members(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union, the narrowest first."""
    order = {bool: 1, int: 2, Fraction: 3, str: 4}
    members = get_args(kind) if get_origin(kind) not in (None, Literal) else (kind,)
    return tuple(sorted((m for m in members if m is not type(None)), key=lambda m: order.get(m, 0)))


def _value(kind: Any, text: str) -> Any:
    if get_origin(kind) is Literal:
        return next((v for v in get_args(kind) if str(v) == text), None)
    if kind is bool:
        return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(text.lower())
    if kind is int:
        return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else None
    if kind is Fraction:
        return Fraction(text) if re.fullmatch(r"[+-]?\d{1,9}([./]\d{1,9})?", text) and "/0" not in text else None
    return text if kind is str else None


@dataclass(frozen=True)
class Question:
    """A rule function that can be asked.

    Attributes
    ----------
    clauses : tuple of str
        The clauses it answers for.
    name : str
        A readable name.
    function : callable
        Keyword inputs in, `Answer` out. A parameter called `rules` gets the book that its annotation names; one that
        is a dataclass, what several questions ask alike, stands for its fields.
    needs : tuple of str
        Clauses that decide it too, with all that they need in turn.
    """

    clauses: tuple[str, ...]
    name: str
    function: Callable[..., Answer]
    needs: tuple[str, ...] = ()

    @property
    def book(self) -> type[Book] | None:
        """The kind of book it reads, if any."""
        rules = inspect.signature(self.function).parameters.get("rules")
        return rules.annotation if rules else None

    @property
    def inputs(self) -> dict[str, Input]:
        """The inputs by name, those first without which it cannot do."""
        return {i.name: i for i in sorted(_inputs(self.function), key=lambda i: not i.required)}

    @property
    def rulings(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The rulings that may decide it: name to choice and options; on its clauses and on what they need."""
        if self.book is None:
            return {}
        about = {*self.clauses, *(needed for id in self.clauses for needed in clause(id).needs)}
        about |= with_needs(self.needs)
        every = _rulings(self.book).items()
        return {name: (r.choice, tuple(r.options)) for name, r in every if r.clause in about}

    def answer(self, given: Mapping[str, str], house: Book | None = None) -> Answer:
        """Answer for inputs as a person writes them; rulings are switched by name among them.

        Parameters
        ----------
        given : mapping
            Inputs and rulings by name.
        house : Book, optional
            The book of a house rule, to be asked in place of the printed one.

        Raises
        ------
        CasemateError
            If an input is missing, unknown or does not fit, or the house rule is not about what is asked.
        """
        inputs = self.inputs
        book = self._asked(house)
        rulings = dict(book.all_rulings()) if book else {}
        for name in given:
            if name not in inputs and name not in rulings:
                raise CasemateError(f'"{self.name}" has no input "{name}"; {nearest(name, {*inputs, *rulings})}')
        absent = [i.name for i in inputs.values() if i.required and i.name not in given]
        if absent:
            expected = ", ".join(f"{name}= ({inputs[name].takes})" for name in absent)
            raise CasemateError(f'the question "{self.name}" also needs {expected}')
        values = {name: inputs[name].read(text) for name, text in given.items() if name in inputs}
        if book is not None:
            values["rules"] = book.with_rulings({name: text for name, text in given.items() if name in rulings})
        try:
            return self.function(**_taken(self.function, values))
        except ValueError as error:
            raise CasemateError(f"{self.clauses[0]}: {error}") from error

    def _asked(self, house: Book | None) -> Book | None:
        """Return the book that the question reads, the house rule's if there is one."""
        if house is None:
            return _book(self.book) if self.book else None
        found = house.part(self.book) if self.book else None
        if found is None:
            reads = f"it reads {_book(self.book).ruleset.title}" if self.book else "no book of rules changes its answer"
            raise CasemateError(f'"{self.name}" is not a question of {house.ruleset.title}; {reads}')
        return found


def _inputs(taker: Callable[..., Any]) -> Iterator[Input]:
    """Yield the inputs of a function, or of a dataclass, with their descriptions from the docstring."""
    doc = inspect.getdoc(taker) or ""
    described = dict(re.findall(r"^(\w+) : [^\n]*\n {4}(.+)$", doc, flags=re.MULTILINE))
    for name, p in inspect.signature(taker).parameters.items():
        if isinstance(p.annotation, type) and is_dataclass(p.annotation):
            yield from _inputs(p.annotation)
        elif name != "rules":
            yield Input(name, p.annotation, p.default, described.get(name, ""))


def _taken(taker: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a function or a dataclass takes, those of dataclasses put together."""
    taken = {}
    for name, p in inspect.signature(taker).parameters.items():
        if isinstance(p.annotation, type) and is_dataclass(p.annotation):
            taken[name] = p.annotation(**_taken(p.annotation, values))
        elif name in values:
            taken[name] = values[name]
    return taken


@cache
def _book(kind: type[Book]) -> Book:
    return kind.load()


def _rulings(kind: type[Book]) -> dict[str, Ruling]:
    return dict(_book(kind).all_rulings())


_QUESTIONS: list[Question] = []


def asks(*clauses: str, name: str, needs: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Open a rule function to `casemate odds`, under the ids of its clauses and a readable name.

    The function takes its inputs by name and answers with a PMF, a fraction, a number, a truth, text or a collection
    of these. Its docstring describes each input in the numpydoc form. The rulings listed with it are those on its
    clauses and on what these need by the index; `needs` adds clauses, with all that they need.
    """

    def register(function: F) -> F:
        _QUESTIONS.append(Question(clauses, name, function, needs))
        return function

    return register


def at_most(limit: int, **given: int) -> None:
    """Refuse numbers of a question that are negative, or so large that nobody would wait for the answer.

    Raises
    ------
    ValueError
        If one is not from 0 to the limit.
    """
    for name, value in given.items():
        if not 0 <= value <= limit:
            raise ValueError(f"{name} cannot be {value}; expected 0 to {limit}")


@cache
def questions() -> tuple[Question, ...]:
    """Return every question of every game and rule set; the folders are the registry."""
    for package in ("sims.games", "sims.rulesets"):
        module = import_module(package)
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            import_module(found.name)
    return tuple(_QUESTIONS)


def question(name: str, given: Iterable[str] = ()) -> Question:
    """Return the question for a clause id or a readable name.

    Where a clause has several, the one that takes most of the inputs given; of equals the first.

    Raises
    ------
    CasemateError
        If there is none.
    """
    wanted = name.strip().lower()
    every = questions()
    fitting = [q for q in every if wanted == q.name.lower() or wanted in {c.lower() for c in q.clauses}]
    if fitting:
        names = set(given)
        return max(fitting, key=lambda q: len(names & q.inputs.keys()))
    if CITATION.fullmatch(name.upper()):
        known = clause(name)
        raise CasemateError(
            f"{known.id} ({known.title}) cannot be asked yet; 'casemate rules {known.id}' shows what it says"
        )
    raise CasemateError(f'there is no clause, question or dice notation "{name}"; {nearest(name, _names(every))}')


def _names(every: Iterable[Question]) -> set[str]:
    return {q.name for q in every} | {c for q in every for c in q.clauses}


_COMPARED = {">=": ge, "<=": le, "=": eq, ">": gt, "<": lt}
_CHANCE = re.compile(r"P ?\( ?(>=|<=|=|>|<) ?([+-]?\d{1,9}) ?\)", re.IGNORECASE)
_BETWEEN = re.compile(r"P ?\( ?([+-]?\d{1,9}) ?\.\. ?([+-]?\d{1,9}) ?\)", re.IGNORECASE)


def reduce(answer: Answer, ask: str) -> Fraction | int:
    """Return one number that is asked of a distribution.

    Parameters
    ----------
    answer : Answer
    ask : str
        ``mean``, ``variance``, ``median``, ``outcomes`` (how many there are), ``P(>=15)``, ``P(<=4)``, ``P(>3)``,
        ``P(<3)``, ``P(=7)`` or ``P(11..16)``, both ends included.

    Raises
    ------
    CasemateError
        If the answer is no distribution, or what is asked is none of these.
    """
    wanted = " ".join(ask.split())
    if not isinstance(answer, PMF):
        raise CasemateError(f'"{wanted}" can only be asked of a distribution; the answer here is {answer}')
    match wanted.lower():
        case "mean":
            return answer.mean
        case "variance":
            return answer.variance
        case "median":
            return answer.quantile(0.5)
        case "outcomes":
            return len(answer.outcomes)
    if chance := _CHANCE.fullmatch(wanted):
        compared, value = _COMPARED[chance[1]], int(chance[2])
        return answer.where(lambda outcome: bool(compared(outcome, value)))
    if between := _BETWEEN.fullmatch(wanted):
        low, high = int(between[1]), int(between[2])
        return answer.where(lambda outcome: low <= outcome <= high)
    raise CasemateError(
        f'"{wanted}" cannot be asked of a distribution; '
        "expected mean, variance, median, outcomes, P(>=15), P(<=4), P(>3), P(<3), P(=7) or P(11..16)"
    )


def as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON has it.

    Returns
    -------
    dict
        ``{"pmf": {outcome: fraction}}`` for a distribution, ``{"value": fraction, "float": number}`` for a number,
        and ``{"value": ...}`` for truth, text, lists and sets, these sorted. Fractions and numbers are text.
    """
    if isinstance(answer, PMF):
        return {"pmf": {str(outcome): str(chance) for outcome, chance in answer}}
    if isinstance(answer, Fraction | int) and not isinstance(answer, bool):
        return {"value": str(answer), "float": float(answer)}
    return {"value": _plain(answer)}


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return [_plain(item) for item in sorted(value)]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, bool | int | str) else str(value)

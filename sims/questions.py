"""Questions: rules that ``casemate odds`` can call.

There is no second implementation for asking: the decorator `asks` opens the very rule that an assault plays.
"""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from typing import Any, Literal, TypeVar, get_origin

import numpy as np

from sims.answers import Answer, reduce
from sims.clauses import CITATION, clause, with_needs
from sims.dice import Bools, Draw, Ints, exactly
from sims.errors import CasemateError, nearest
from sims.inputs import Input, Progress, books_of, inputs_of, is_book, is_dice, is_told, taken
from sims.rulebook import Book, Ruling

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Question:
    """A rule that can be asked.

    Attributes:
        clauses: The clauses it answers for.
        name: A readable name.
        function: The rule. A parameter whose type is a `Book` gets that book, one whose type is `Dice` exact dice in
            fractions, one whose type is `Progress` who is told how far it has come; one that is a record, what several
            rules take alike, stands for its fields.
        needs: Clauses that decide it too, with all that they need in turn.
        ask: What is asked of the distribution that the rule answers, such as ``P(pinned)``; "" for all of it.
    """

    clauses: tuple[str, ...]
    name: str
    function: Callable[..., Any]
    needs: tuple[str, ...] = ()
    ask: str = ""

    @property
    def books(self) -> Mapping[str, type[Book]]:
        """The kinds of book it may read, by edition; "" where there is one."""
        return next(filter(None, map(books_of, self._parameters.values())), {})

    @property
    def book(self) -> type[Book] | None:
        """The kind of book it reads if no edition is named, if any."""
        return next(iter(self.books.values()), None)

    @property
    def _parameters(self) -> dict[str, Any]:
        return {name: p.annotation for name, p in inspect.signature(self.function).parameters.items()}

    @property
    def inputs(self) -> dict[str, Input]:
        """The inputs by name, those first without which it cannot do."""
        return {i.name: i for i in sorted(inputs_of(self.function), key=lambda i: not i.required)}

    @property
    def rulings(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The rulings that may decide it: name to choice and options; on its clauses and on what they need."""
        if self.book is None:
            return {}
        about = {*self.clauses, *(needed for id in self.clauses for needed in clause(id).needs)}
        about |= with_needs(self.needs)
        every = _rulings(self.book).items()
        return {name: (r.choice, tuple(r.options)) for name, r in every if r.clause in about}

    def lacking(self, given: Iterable[str]) -> list[str]:
        """Return the inputs that it needs and that are not among those given."""
        names = {*given}
        return [i.name for i in self.inputs.values() if i.required and i.name not in names]

    def lacks(self, given: Iterable[str]) -> str:
        """Say which inputs it needs that are not among those given."""
        expected = ", ".join(f"{name}= ({self.inputs[name].takes})" for name in self.lacking(given))
        return f'the question "{self.name}" also needs {expected}'

    @property
    def distributed(self) -> bool:
        """Whether it can answer with a distribution, as far as its type says."""
        answers = inspect.signature(self.function).return_annotation
        plain = answers in (Fraction, int, bool, str, Bools) or get_origin(answers) is Literal
        rolled = any(map(is_dice, self._parameters.values()))
        return not (self.ask or plain or (answers == Ints and not rolled))

    def answer(
        self, given: Mapping[str, str], house: Book | None = None, progress: Progress = lambda done, of: None
    ) -> Answer:
        """Answer for inputs as a person writes them; rulings are switched by name among them.

        Args:
            given: Inputs and rulings by name.
            house: The book of a house rule, to be asked in place of the printed one.

        Raises:
            CasemateError: If an input is missing, unknown or does not fit, or the house rule is not about what is
                asked.
        """
        inputs = self.inputs
        book = self._asked(house, given.get("edition", ""))
        rulings = dict(book.all_rulings()) if book else {}
        for name in given:
            if name not in inputs and name not in rulings:
                raise CasemateError(f'"{self.name}" has no input "{name}"; {self._takes(name)}')
        if self.lacking(given):
            raise CasemateError(self.lacks(given))
        values = {name: inputs[name].read(text) for name, text in given.items() if name in inputs}
        switched = {name: text for name, text in given.items() if name in rulings}
        try:
            values = {name: inputs[name].given(value) for name, value in values.items()}
            return self._answered(values, book.with_rulings(switched) if book else None, progress)
        except ValueError as error:
            raise CasemateError(f"{self.clauses[0]}: {error}") from error

    def _takes(self, name: str) -> str:
        """Say what it takes in place of an input that it does not: its own inputs first, then the rulings on it."""
        own = nearest(name, self.inputs) if self.inputs else "it takes none"
        close = "did you mean"
        if own.startswith(close) or not self.rulings:
            return own
        ruling = nearest(name, self.rulings)
        return ruling if ruling.startswith(close) else f"{own}; or a ruling, {ruling}"

    def _answered(self, values: dict[str, Any], book: Book | None, progress: Progress) -> Answer:
        """Call the rule, and return what it answers as a person is told it."""
        values |= {name: book for name, kind in self._parameters.items() if is_book(kind)}
        values |= {name: progress for name, kind in self._parameters.items() if is_told(kind)}
        rule = partial(self.function, **taken(self.function, values))
        thrown = next((name for name, kind in self._parameters.items() if is_dice(kind)), None)
        answer = exactly(lambda dice: rule(**{thrown: dice})) if thrown else rule()
        if thrown and inspect.signature(self.function).return_annotation == Bools:
            return answer[1]
        if isinstance(answer, Draw):
            answer = answer.pmf
        if isinstance(answer, np.ndarray | np.generic):
            answer = answer.item()
        return reduce(answer, self.ask) if self.ask else answer

    def _asked(self, house: Book | None, edition: str) -> Book | None:
        """Return the book that the question reads: of an edition if one is named, the house rule's if there is one."""
        if house is None:
            kind = self.books.get(edition, self.book)
            return _book(kind) if kind else None
        parts = {name: part for name, kind in self.books.items() if (part := house.part(kind))}
        if not parts:
            reads = f"it reads {_book(self.book).ruleset.title}" if self.book else "no book of rules changes its answer"
            raise CasemateError(f'"{self.name}" is not a question of {house.ruleset.title}; {reads}')
        ((name, found),) = parts.items()
        if edition not in ("", name):
            raise CasemateError(f"edition cannot be {edition} under {house.ruleset.title}; expected {name}, or none")
        return found


@cache
def _book(kind: type[Book]) -> Book:
    return kind.load()


def _rulings(kind: type[Book]) -> dict[str, Ruling]:
    return dict(_book(kind).all_rulings())


_QUESTIONS: list[Question] = []


def asks(*clauses: str, name: str, needs: tuple[str, ...] = (), ask: str = "") -> Callable[[F], F]:
    """Open a rule to `casemate odds`, under the ids of its clauses and a readable name.

    The rule takes its inputs by name and answers with a `Draw`, of which the distribution is told; with numbers or
    truths; with a PMF, a fraction, text or a collection of these. A rule that takes dice is answered by exact dice in
    fractions: its numbers by their distribution, its truths by their chance. Each input is described by its type, or
    more closely under `Args:`. `ask` is what is asked of a distribution. The rulings listed with it are those on
    its clauses and on what these need by the index; `needs` adds clauses, with all that they need.
    """

    def register(function: F) -> F:
        _QUESTIONS.append(Question(clauses, name, function, needs, ask))
        return function

    return register


@cache
def questions() -> tuple[Question, ...]:
    """Return every question of every game and rule set; the folders are the registry."""
    for package in ("sims.games", "sims.rulesets"):
        _import_all_of(package)
    return tuple(_QUESTIONS)


def _import_all_of(package: str) -> None:
    """Import every module below a package, but for folders that begin with "_", such as the template of rule sets."""
    for found in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        if found.ispkg and "._" not in found.name:
            _import_all_of(found.name)
        elif not found.ispkg:
            import_module(found.name)


def question(name: str, given: Iterable[str] = ()) -> Question:
    """Return the question for a clause id or a readable name: the first of those `meant`.

    Raises:
        CasemateError: If there is none, or if the inputs do not tell which is meant.
    """
    return meant(name, given)[0]


def meant(name: str, given: Iterable[str] = ()) -> list[Question]:
    """Return the questions that a clause id or a readable name and the names of inputs stand for, in the book's order.

    Where a clause has several they are those that take most of the inputs given, and of these those that lack nothing.

    Raises:
        CasemateError: If there is none, or if there are several and each lacks an input.
    """
    every = questions()
    if fitting := questions_about(name):
        names = set(given)
        most = max(len(names & q.inputs.keys()) for q in fitting)
        likely = [q for q in fitting if len(names & q.inputs.keys()) == most]
        whole = [q for q in likely if not q.lacking(names)]
        if whole or len(likely) == 1:
            return whole or likely
        _refuse_unknown(name, names, fitting)
        by_name = ", ".join(f'"{q.name}" ({" ".join(f"{i}=" for i in q.lacking(names))})' for q in likely)
        raise CasemateError(f"{name.strip()} is several questions; ask one by name, or give what it needs: {by_name}")
    if CITATION.fullmatch(name.upper()):
        known = clause(name)
        raise CasemateError(
            f"{known.id} ({known.title}) cannot be asked yet; 'casemate rules {known.id}' shows what it says"
        )
    raise CasemateError(f'there is no clause, question or dice notation "{name}"; {nearest(name, _names(every))}')


def _refuse_unknown(name: str, given: Iterable[str], fitting: Iterable[Question]) -> None:
    """Refuse an input that none of the questions of a name takes."""
    inputs = {i for q in fitting for i in q.inputs}
    rulings = {ruling for q in fitting if q.book for ruling in _rulings(q.book)}
    if unknown := sorted({*given} - inputs - rulings):
        raise CasemateError(f'no question of {name.strip()} has an input "{unknown[0]}"; {nearest(unknown[0], inputs)}')


def questions_about(name: str) -> list[Question]:
    """Return the questions that a clause id or a readable name stands for."""
    wanted, plain = name.strip().lower(), _plain(name)
    return [q for q in questions() if plain == alias(q) or wanted in {c.lower() for c in q.clauses}]


def alias(asked: Question) -> str:
    """Return the name of a question as it can be typed without quotes: ``wound-roll``."""
    return _plain(asked.name)


def _plain(name: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", name.lower().replace("'", "")))


def _names(every: Iterable[Question]) -> set[str]:
    return {q.name for q in every} | {c for q in every for c in q.clauses}

"""What is played and asked to see whether a number matters: small assaults, and the questions of ``casemate odds``."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from time import process_time
from typing import Any, get_args

from sims.engines import solve
from sims.errors import BudgetError, CasemateError
from sims.profiles import MOST_MODELS
from sims.questions import Question, question, questions
from sims.reading import parse
from sims.reads import leaves_read, watched
from sims.rulebook import Book
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, DefencePlan, Scenario, build, load_scenario
from tests.checks import CHECKS, written
from tests.rulesets.numbers_books import game_of, printed
from tests.rulesets.numbers_inputs import ASSAULTS, BUILT, EVERYWHERE, INPUTS, SHIPPED, WALLS


@dataclass(eq=False)
class Trial:
    """An assault or a question, and how to get its answer."""

    kind: type[Book]
    name: str
    ask: Callable[[Book], Any]
    quick: bool = False

    def answer(self, book: Book, otherwise: Any = None) -> Any:
        """Return what comes out under a book; a refusal is an answer too, unless it is only for want of room."""
        try:
            return self.ask(book)
        except BudgetError:
            return otherwise
        except CasemateError as error:
            return str(error)

    @cached_property
    def tried(self) -> tuple[Any, frozenset[str], float]:
        """Played or asked with nothing changed: what comes out, the leaves of the book that were read, and the time."""
        start, book = process_time(), printed(self.kind)
        with watched() as seen:
            before = self.answer(book)
        return before, leaves_read(book, seen), process_time() - start

    @property
    def before(self) -> Any:
        return self.tried[0]

    @property
    def reads(self) -> frozenset[str]:
        return self.tried[1]

    @property
    def effort(self) -> float:
        """How long it takes, and how little it is to the point."""
        return self.tried[2] * len(self.reads)


def rounded(value: Any) -> Any:
    return round(float(value), 10)


def outcome(rules: str, scenario: Any, book: Book) -> Any:
    result = solve(replace(rule_set(rules), book=book).assault(scenario))
    chances: dict[tuple[int, ...], float] = defaultdict(float)
    for *row, weight in zip(*(c.tolist() for c in result.columns.values()), result.weights.tolist(), strict=True):
        chances[tuple(row)] += weight
    ends = {row: rounded(weight) for row, weight in chances.items() if rounded(weight)}
    tallies = {name: rounded(value) for name, value in result.tallies.items() if rounded(value)}
    return ends, tallies, [(rounded(a), rounded(d)) for a, d in result.course]


def assaults(rules: str) -> Iterator[Trial]:
    """Yield every assault; who goes in is fixed, so that no number matters only to what the attackers choose."""
    all_in = {"attackers.send": MOST_MODELS, "attackers.first_in": "leader"}
    for text, plan in product(ASSAULTS, get_args(AttackPlan)):
        yield trial_of(rules, build(parse("assault.toml", text), "assault", {"attackers.plan": plan} | all_in))
    for how in BUILT:
        yield trial_of(rules, build(parse("walls.toml", WALLS.format(*how, "demolish")), "walls", all_in))
    for (name, changes), plan, defence in product(SHIPPED.items(), get_args(AttackPlan), get_args(DefencePlan)):
        plans = {"attackers.plan": plan, "defenders.plan": defence, **all_in, "attackers.send": 2}
        yield trial_of(rules, load_scenario(name, EVERYWHERE | changes | plans))


def trial_of(rules: str, scenario: Scenario) -> Trial:
    name = f"{scenario.title}: {scenario.plan}, {scenario.defence}"
    return Trial(type(rule_set(rules).book), name, lambda book: outcome(rules, scenario, book))


def examples() -> Iterator[tuple[Question, dict[str, str]]]:
    """Yield every question with the inputs of every check of the catalogue, and more."""
    inputs: dict[str, list[dict[str, str]]] = defaultdict(list, deepcopy(INPUTS))
    for check in CHECKS:
        given = {n: written(v) for n, v in {**check.get("inputs", {}), **check.get("rulings", {})}.items()}
        inputs[question(check.get("question", check["clause"]), given).name].append(given)
    for found in questions():
        alone = [{}] if not any(put.required for put in found.inputs.values()) else []
        yield from ((found, given) for given in inputs[found.name] or alone)


def asked(kind: type[Book]) -> Iterator[Trial]:
    """Yield the questions about a rule set and its game, with their inputs."""
    game = game_of(kind)
    folders = tuple(f"{package}." for package in (kind.package, *([game.package] if game else [])))
    for found, given in examples():
        if found.function.__module__.startswith(folders):
            yield Trial(kind, f"{found.name} {given}", partial(asked_of, found, given), quick=True)


def asked_of(found: Question, given: dict[str, str], book: Book) -> str:
    """Answer a question by a book, whichever edition of its game it is."""
    return said(found.answer({name: text for name, text in given.items() if name != "edition"}, book))


def said(answer: Any) -> str:
    return repr(sorted(answer) if isinstance(answer, frozenset) else answer)

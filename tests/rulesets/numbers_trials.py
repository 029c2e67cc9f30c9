"""What is played and asked to see whether a number matters: small assaults, and the questions of ``casemate odds``."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from time import process_time
from typing import Any, get_args

from sims.engines import solve
from sims.errors import BudgetError, CasemateError
from sims.questions import Question, question, questions
from sims.reading import parse
from sims.reads import fields, watched
from sims.rulebook import Book
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, DefencePlan, Scenario, build, load_scenario
from tests.checks import CHECKS, written
from tests.rulesets.numbers_books import Key, forget, game_of
from tests.rulesets.numbers_inputs import ASSAULTS, BUILT, EVERYWHERE, INPUTS, SHIPPED, WALLS


@dataclass(eq=False)
class Trial:
    """An assault or a question, and how to get its answer."""

    kind: type[Book]
    name: str
    ask: Callable[[], Any]
    quick: bool = False

    def answer(self, otherwise: Any = None) -> Any:
        """Return what comes out; a refusal is an answer too, unless it is only for want of room."""
        try:
            return self.ask()
        except BudgetError:
            return otherwise
        except CasemateError as error:
            return str(error)

    @cached_property
    def tried(self) -> tuple[Any, set[Key], float]:
        """Played or asked with nothing changed: what comes out, the keys of the book that were read, and the time."""
        start = process_time()
        forget()
        with watched() as seen:
            before = self.answer()
        cost = process_time() - start
        game, reads = game_of(self.kind), set()
        for book in [model for model, _ in seen.values() if isinstance(model, Book)]:
            at = () if type(book) is self.kind else ("game",) if game and type(book) in game.__mro__ else None
            if at is not None:
                read = (key for key, owner, name in fields(book) if {name, "__dict__"} & seen.get(owner, (0, set()))[1])
                reads |= {(*at, *key) for key in read}
        return before, reads, cost

    @property
    def before(self) -> Any:
        return self.tried[0]

    @property
    def reads(self) -> set[Key]:
        return self.tried[1]

    @property
    def effort(self) -> float:
        """How long it takes, and how little it is to the point."""
        return self.tried[2] * len(self.reads)


def rounded(value: Any) -> Any:
    return round(float(value), 10)


def outcome(rules: str, scenario: Any) -> Any:
    result = solve(rule_set(rules).assault(scenario))
    chances: dict[tuple[int, ...], float] = defaultdict(float)
    for *row, weight in zip(*(c.tolist() for c in result.columns.values()), result.weights.tolist(), strict=True):
        chances[tuple(row)] += weight
    ends = {row: rounded(weight) for row, weight in chances.items() if rounded(weight)}
    tallies = {name: rounded(value) for name, value in result.tallies.items() if rounded(value)}
    return ends, tallies, [(rounded(a), rounded(d)) for a, d in result.course]


def assaults(rules: str) -> Iterator[Trial]:
    for text, plan in product(ASSAULTS, get_args(AttackPlan)):
        yield trial_of(rules, build(parse("assault.toml", text), "assault", {"attackers.plan": plan}))
    for how in BUILT:
        yield trial_of(rules, build(parse("walls.toml", WALLS.format(*how, "demolish")), "walls"))
    for (name, changes), plan, defence in product(SHIPPED.items(), get_args(AttackPlan), get_args(DefencePlan)):
        plans = {"attackers.plan": plan, "defenders.plan": defence}
        yield trial_of(rules, load_scenario(name, EVERYWHERE | changes | plans))


def trial_of(rules: str, scenario: Scenario) -> Trial:
    name = f"{scenario.title}: {scenario.plan}, {scenario.defence}"
    return Trial(type(rule_set(rules).book), name, lambda: outcome(rules, scenario))


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
            yield Trial(kind, f"{found.name} {given}", lambda q=found, given=given: said(q.answer(given)), quick=True)


def said(answer: Any) -> str:
    return repr(sorted(answer) if isinstance(answer, frozenset) else answer)

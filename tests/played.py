"""Which clauses are played: what runs while their checks are answered also runs while assaults are played.

``python -m tests.played [ID ...]`` says of each done clause that is not played what keeps it from being so. An id is
that of a clause, its beginning, a document's, or a rule set's: then only its documents are asked about and only its
assaults played, which is quick.

Every function of `sims.games` and `sims.rulesets` counts, lambdas and comprehensions with the function they stand in;
not so what only loads a book, or words the translation or an answer. A function that no assault plays is an *adapter*,
and excepted, unless it decides something: if in its own frame, not in those it calls, it

- reads a field of what stands in a book (of a table, of the rulings), or asks a ruling;
- throws dice: calls what `sims.dice` has, but for what adds up and weighs answers; or a mechanic's `pmf` or `throw`; or
  names a die, a test, a mechanic or a distribution of a module.

What a rule is given counts too. If assaults only ever give a parameter one truth, one word that questions offer, or 0,
and a check gives it something else, then what the check is about is never asked in play, and that is told. Another
number is only another number; None is left to who calls. A default counts as given; of a record, such as a `Hit`, its
fields count. Here small assaults count too, of forces and walls that no scenario has, by the book as printed.
"""

import dis
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, partial
from itertools import product, starmap
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple, get_args

import numpy as np

import sims.questions
from sims.clauses import status
from sims.dice import PMF, Die, Test
from sims.engines import play
from sims.errors import CasemateError
from sims.reading import Strict, parse
from sims.rulebook import Book
from sims.rulesets import RuleSet, rule_set, rule_set_ids
from sims.rulesets.choosing import Way
from sims.scenario import AttackPlan, DefencePlan, Scenario, build, load_scenario, scenario_ids
from sims.state import State
from tests.checks import CHECKS, ask
from tests.rulesets.numbers_inputs import ASSAULTS, BUILT, WALLS

RULES = ("sims.games.", "sims.rulesets.")
TRIALS = 64
"""Of each assault: as many rules run as in a thousand."""
ALL_IN = Way(60, "leader")
"""How attackers go in who have nothing to choose."""
MAKES = {
    "sims.dice.pmf": {"__init__", "of", "die", "chance", "compound", "keep"},
    "sims.dice.draws": {"__init__", "made", "passed"},
}
"""What makes a distribution or a draw; the rest of these modules asks, weighs and adds up what rules have answered."""
WITHIN = re.compile(r"\.<locals>\.<(lambda|listcomp|setcomp|dictcomp|genexpr)>")


VARIES = 2
"""So many values of a parameter say that it varies; no more are kept."""


@dataclass
class Ran:
    """Which rules ran, and what was given to their parameters: a few of the values, two if it varied."""

    rules: set[str] = field(default_factory=set)
    given: dict[tuple[str, str], set[Any]] = field(default_factory=dict)

    def give(self, rule: str, parameter: str, values: set[Any]) -> None:
        """Note what a parameter of a rule was given."""
        known = self.given.setdefault((rule, parameter), set())
        known |= {*sorted(values - known, key=repr)[: VARIES - len(known)]}

    def add(self, other: "Ran") -> None:
        """Note what else ran."""
        self.rules |= other.rules
        for key, values in other.given.items():
            self.give(*key, values)


def values_of(value: Any) -> Iterator[tuple[str, set[Any]]]:
    """Yield the numbers, truths and words that an argument is, with where they stand in a record of such alone."""
    if isinstance(value, np.ndarray):
        if value.size and value.dtype.kind in "biuf":
            yield "", {value.min().item(), value.max().item()}
    elif isinstance(value, bool | int | str | np.generic):
        yield "", {value.item() if isinstance(value, np.generic) else value}
    elif is_dataclass(value) and not isinstance(value, State | type):
        parts = {each.name: [*values_of(getattr(value, each.name))] for each in fields(value)}
        if all(parts.values()):
            yield from ((f".{name}{place}", found) for name, part in parts.items() for place, found in part)


class Known(NamedTuple):
    """What is known of code: the rule it belongs to, if any, and what a call of it shows of the caller."""

    rule: str | None
    shows: str | None
    parameters: tuple[str, ...] = ()
    words: bool = False
    """It loads a book, or words the translation or the answers of a mechanic: what runs in it is not played."""


class Tracer:
    """Notes which rules run, and which of them decide something.

    Args:
        packages: Where rules stand: the names of their modules begin so.
    """

    def __init__(self, packages: tuple[str, ...] = RULES) -> None:
        self.packages = packages
        self.known: dict[CodeType, Known] = {}
        self.decides: dict[str, str] = {}
        """Rules that decide something, and how that shows."""

    @contextmanager
    def running(self) -> Iterator[Ran]:
        """Note what runs, from scratch: nothing is remembered from before."""
        ran, within_words = Ran(), 0

        def note(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal within_words
            found = self.known.get(frame.f_code) or self.look_at(frame)
            if found.shows and frame.f_back:
                self.blame(frame.f_back, found.shows)
            if found.words:
                within_words += 1
                frame.f_trace_lines = False
                return leave
            if found.rule and not within_words:
                ran.rules.add(found.rule)
                self.note_given(ran, found.rule, found.parameters, frame)
            return None

        def leave(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal within_words
            within_words -= event == "return"
            return leave

        def read(model: Strict, name: str) -> Any:
            kind = type(model)
            held = kind.__module__.startswith((*self.packages, "sims.rulebook")) and not issubclass(kind, Book)
            if held and name in kind.__pydantic_fields__:
                self.blame(sys._getframe(1), f"reads {kind.__name__}.{name}")
            return object.__getattribute__(model, name)

        forget()
        before = sys.gettrace()
        Strict.__getattribute__ = read
        sys.settrace(note)
        try:
            yield ran
        finally:
            sys.settrace(before)
            del Strict.__getattribute__

    def note_given(self, ran: Ran, rule: str, parameters: Iterable[str], frame: FrameType) -> None:
        """Note what the parameters of a rule are given that are not known to vary."""
        for name in parameters:
            if len(ran.given.get((rule, name), ())) < VARIES:
                for place, values in values_of(frame.f_locals.get(name)):
                    ran.give(rule, f"{name}{place}", values)

    def look_at(self, frame: FrameType) -> Known:
        """Find out about code that is met for the first time."""
        code, module = frame.f_code, module_of(frame)
        ours = module.startswith(self.packages) and not code.co_filename.startswith("<")
        name = WITHIN.sub("", code.co_qualname)
        alone = f" in line {code.co_firstlineno}" if "<" in name else ""
        rule = f"{module}.{name}{alone}" if ours else None
        whole = rule is not None and code.co_qualname == name
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if whole else ()
        words = ours and (code.co_qualname == "translation" or code.co_qualname.endswith(".answers"))
        self.known[code] = Known(rule, shown_by_calling(module, code), named, words or code.co_qualname == "Book.load")
        if rule and (dice := dice_named(code, frame.f_globals)):
            self.decides.setdefault(rule, f"names {dice}")
        return self.known[code]

    def blame(self, frame: FrameType, why: str) -> None:
        """Note that code decides something, if it is a rule's."""
        found = self.known.get(frame.f_code)
        if found and found.rule:
            self.decides.setdefault(found.rule, why)

    def unplayed(self, ran: Ran, played: Ran) -> list[str]:
        """Return what keeps something asked from being played.

        That is rules that decide and are not played, or that none is, or what is given to them otherwise in play.
        """
        apart = [f"{rule} {self.decides[rule]}" for rule in sorted(ran.rules - played.rules) if rule in self.decides]
        apart += self.given_alike(ran, played)
        return apart or ["nothing that plays runs"] * (not ran.rules & played.rules)

    def given_alike(self, ran: Ran, played: Ran) -> list[str]:
        """Return where what is asked gives a parameter something else than the truth, word or 0 of every assault."""
        found = []
        for (rule, parameter), values in sorted(ran.given.items()):
            only = played.given.get((rule, parameter), set())
            if len(only) == 1 and not values <= only:
                (value,) = only
                if value in offered() if isinstance(value, str) else not value or isinstance(value, bool):
                    found.append(f"{rule} is only played with {parameter} = {value}")
        return found


def module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def shown_by_calling(module: str, code: CodeType) -> str | None:
    """Return what who calls this does: throws dice, asks a ruling, or neither."""
    name = code.co_qualname
    if module == "sims.rulebook":
        return "asks a ruling" if name == "Ruling.__call__" else None
    if module in MAKES:
        throws = code.co_name in MAKES[module]
    else:
        throws = module.startswith("sims.dice") or name.endswith((".pmf", ".throw"))
    return f"calls {name} of {module}" if throws else None


def dice_named(code: CodeType, names: dict[str, Any]) -> str | None:
    """Return the first die, test, mechanic or distribution of a module that code names, as ``wh40k.TO_WOUND``."""
    value, said = None, ""
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            value, said = names.get(step.argval), step.argval
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, ModuleType):
            value, said = getattr(value, step.argval, None), f"{said}.{step.argval}"
        else:
            value = None
        kind = value if isinstance(value, type) else type(value)
        if isinstance(value, PMF) or issubclass(kind, Die | Test) or {"pmf", "throw"} <= {*dir(kind)}:
            return said
    return None


@cache
def offered() -> set[str]:
    """Return the words that inputs of questions are chosen from."""
    return {word for asked in sims.questions.questions() for given in asked.inputs.values() for word in given.choices}


@cache
def caches() -> list[Callable[[], None]]:
    """Return what forgets the answers of rules and of mechanics; what loads a book does not count, so books stay."""
    sims.questions.questions()
    modules = [module for name, module in sys.modules.items() if name.startswith(("sims.dice", *RULES))]
    found = [value for module in modules for value in vars(module).values()]
    return [*{f.cache_clear for f in found if hasattr(f, "cache_clear")}]


def forget() -> None:
    for clear in caches():
        clear()


def books(rules: RuleSet) -> Iterator[Book]:
    """Yield the book as printed, then for each k with the k-th other option of every ruling that has so many."""
    others = {n: [o for o in ruling.options if o != ruling.choice] for n, ruling in rules.book.all_rulings()}
    for k in range(1 + max(map(len, others.values()), default=0)):
        yield rules.book.with_rulings(
            {name: options[k - 1] for name, options in others.items() if 0 < k <= len(options)}
        )


class Game(NamedTuple):
    """An assault by one of the books, as they are numbered, with what both sides mean to do."""

    book: int
    scenario: str
    plan: AttackPlan
    defence: DefencePlan


Choose = Callable[[Iterable[Game]], Iterable[Game]]
"""Which assaults of a rule set are played."""


def small_assaults() -> Iterator[Scenario]:
    """Yield the small assaults in which every number of a book matters."""
    for text, plan in product(ASSAULTS, get_args(AttackPlan)):
        yield build(parse("small.toml", text), "small", {"attackers.plan": plan})
    for how in BUILT:
        yield build(parse("walls.toml", WALLS.format(*how, "demolish")), "walls")


def going_in(rules: RuleSet, scenario: Scenario) -> Scenario:
    """Return a scenario that leaves nothing to choose to the attackers, under any book."""
    try:
        return (rules.choice(scenario).way or ALL_IN).taken(scenario)
    except CasemateError:
        return ALL_IN.taken(scenario)


def play_all(tracer: Tracer, rules: RuleSet, choose: Choose = list) -> Ran:
    """Return what runs while every scenario is played with every pair of plans, under every book.

    Of small assaults it is only noted what they give to the rules. What attackers choose under the rules as printed is
    found before, for what is played to find it is no assault.
    """
    by, ran = [*books(rules)], Ran()
    every = product(range(len(by)), scenario_ids(), get_args(AttackPlan), get_args(DefencePlan))
    for game in choose(starmap(Game, every)):
        scenario = going_in(rules, replace(load_scenario(game.scenario), plan=game.plan, defence=game.defence))
        with tracer.running() as now, suppress(CasemateError):
            play(replace(rules, book=by[game.book]).assault(scenario), trials=TRIALS)
        ran.add(now)
    for small in map(partial(going_in, rules), small_assaults()):
        with tracer.running() as now, suppress(CasemateError):
            play(rules.assault(small), trials=TRIALS)
        ran.add(Ran(given=now.given))
    return ran


@cache
def measured(*rules: str, choose: Choose = list) -> dict[str, list[str]]:
    """Return for each clause that is asked what keeps it from being played, nothing if it is.

    Args:
        *rules: The rule sets whose assaults are played; all if none is named.
        choose: Which of their assaults are.
    """
    tracer = Tracer()
    played = Ran()
    for name in rules or rule_set_ids():
        played.add(play_all(tracer, rule_set(name), choose))
    asked = defaultdict[str, list[Ran]](list)
    for check in CHECKS:
        with tracer.running() as ran:
            ask(check)
        asked[check["clause"]].append(ran)
    return {id: sorted({why for ran in runs for why in tracer.unplayed(ran, played)}) for id, runs in asked.items()}


def main(*ids: str) -> None:
    """Print what keeps the clauses asked for, or all, from being played."""
    rules = [id for id in ids if id in rule_set_ids()]
    about = (*ids, *(document for id in rules for document in rule_set(id).book.ruleset.documents))
    why = measured(*rules)
    for document, found in status().items():
        for id in found.done:
            if why.get(id) and (not ids or document in about or id.startswith(about)):
                print(id, *why[id], sep="\n    ")


if __name__ == "__main__":
    main(*sys.argv[1:])

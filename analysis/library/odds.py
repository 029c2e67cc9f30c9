"""One clause or one notation asked, and the answer said."""

import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from analysis.say import tables
from analysis.say.blocks import reflow
from analysis.say.console import console
from analysis.say.numbers import percent
from sims.answers import Answer, as_json, check, reduce
from sims.clauses import clause, examples
from sims.dice import PMF, parse_notation
from sims.dice.notation import EXAMPLES
from sims.errors import CasemateError
from sims.inputs import Input, Progress
from sims.questions import Question, alias, meant, question, questions, questions_about
from sims.rulesets import RuleSet, rule_set

BAR = 16
"""The width of the longest bar."""


@dataclass(frozen=True)
class Asked:
    """A question, what was given for it, and its answer.

    Attributes:
        question: None for a notation.
        text: What was asked: a clause, the name of a question, or a notation.
        inputs: Every input with its value, and the rulings that were switched.
        rule_set: The house rule that was asked.
        wanted: What was asked of a distribution.
        also: Other questions of the same clause that the same inputs answer.
    """

    question: Question | None
    text: str
    inputs: Mapping[str, Any]
    answer: Answer
    rule_set: RuleSet | None = None
    wanted: str | None = None
    also: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return it as the JSON contract has it."""
        head = {"notation": self.text} if self.question is None else {"clause": self._clause(self.question)}
        inputs = {name: _plain(value) for name, value in self.inputs.items()}
        return head | {"inputs": inputs} | ({"rules": self.rule_set.id} if self.rule_set else {}) | as_json(self.answer)

    def title(self) -> str:
        """Say what was asked."""
        given = ", ".join(f"{name}={_said(value)}" for name, value in self.inputs.items() if value is not None)
        what = f"{self._clause(self.question)} {self.question.name}" if self.question else self.text
        return what + (f" ({given})" if given else "") + (f" under {self.rule_set.title}" if self.rule_set else "")

    def _clause(self, asked: Question) -> str:
        return next((id for id in asked.clauses if id == self.text.upper()), asked.clauses[0])


def odds(text: str, /, *, ask: str | None = None, rules: str | Path | RuleSet | None = None, **inputs: Any) -> Asked:
    """Ask any dice, or any clause of the rule books, for exact odds.

    >>> from analysis import odds
    >>> odds("2D6").answer.at_least(9)
    Fraction(5, 18)
    >>> odds("ST-030", n=2, T=4, building_class="defensible", ask="mean").answer
    Fraction(8, 9)

    `show(odds("2D6"))` prints every outcome. ``casemate odds ST-030 --help`` lists what a clause takes.

    Args:
        text: Dice as players write them, the id of a clause, or the name of a question.
        ask: What to ask of a distribution: ``"mean"``, ``"P(>=9)"``.
        rules: The house rule to ask, in place of the printed book.
        inputs: What the clause takes, and rulings to switch.

    Returns:
        An answer, whose ``answer`` is a fraction, a number or a distribution.
    """
    given = [f"{name}={value}" for name, value in inputs.items()]
    return answer_to(text, given, ask, None if rules is None else rule_set(rules))


def answer_to(
    text: str,
    given: Iterable[str],
    wanted: str | None = None,
    rule_set: RuleSet | None = None,
    progress: Progress = lambda done, of: None,
) -> Asked:
    """Ask a clause, a question by its name, or dice notation.

    Args:
        given: Inputs and rulings, each as ``name=value``.
        wanted: What to ask of the answer, such as ``mean`` or ``P(>=15)``.
        rule_set: The rule set or house rule to ask, in place of the printed book.

    Raises:
        CasemateError: If there is no such question, or something given does not fit.
    """
    pairs = _as_called(text, _pairs(given))
    if wanted:
        check(wanted)
    try:
        pmf = parse_notation(text)
    except CasemateError as unread:
        found, *others = _questions(text, pairs, unread)
    else:
        if not pairs and not rule_set:
            return Asked(None, text, {}, reduce(pmf, wanted) if wanted else pmf)
        found, *others = _questions(
            text, pairs, CasemateError(f'"{text}" is dice notation, which takes no inputs and no rules')
        )
    if wanted and not found.distributed:
        raise CasemateError(f'"{wanted}" can only be asked of a distribution; "{found.name}" answers without one')
    unknown = pairs.keys() - found.inputs.keys()
    if not unknown and found.lacking(pairs) and (example := examples().get(text.upper())):
        raise CasemateError(f"{found.lacks(pairs)}; for example: casemate odds {example[0]}")
    answer = found.answer(pairs, rule_set.book if rule_set else None, progress)
    inputs = {i.name: i.read(pairs[i.name]) if i.name in pairs else i.default for i in found.inputs.values()}
    inputs |= {name: value for name, value in pairs.items() if name not in inputs}
    if rule_set:
        inputs.pop("edition", None)
    also = tuple(other.name for other in others)
    return Asked(found, text, inputs, reduce(answer, wanted) if wanted else answer, rule_set, wanted, also)


def asked_by(command: str) -> Asked:
    """Ask what somebody would type after ``casemate odds``: ``BASE-005 BS=4 twin_linked=yes``."""
    text, *given = shlex.split(command)
    wanted = None
    if "--ask" in given:
        at = given.index("--ask")
        _, wanted = given[at : at + 2]
        del given[at : at + 2]
    return answer_to(text, given, wanted)


def _questions(text: str, pairs: Mapping[str, str], unread: CasemateError) -> list[Question]:
    """Find what is meant, the likeliest question first.

    What has digits and neither looks like a clause nor begins with a word was meant as dice, and fails as such.
    """
    try:
        return meant(text, pairs)
    except CasemateError:
        if re.search(r"\d", text) and not re.match(r"\s*([A-Za-z]{2,}-?\d+\s*$|[A-Za-z]{4,})", text):
            raise unread from None
        raise


def _pairs(given: Iterable[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in given:
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise CasemateError(f'"{part}" is not an input; expected name=value; dice stand in one pair of quotes')
        if name.strip() in pairs:
            raise CasemateError(f"{name.strip()} is given twice")
        pairs[name.strip()] = value.strip()
    return pairs


def _as_called(text: str, pairs: Mapping[str, str]) -> dict[str, str]:
    """Return inputs and rulings under the names and options that a question has for them, whatever their case."""
    about = questions_about(text)
    rulings = {name: options for q in about for name, (_, options) in q.rulings.items()}
    names = {*rulings, *(name for q in about for name in q.inputs)}
    called: dict[str, str] = {}
    for given, value in pairs.items():
        name = _in_any_case(given, names)
        if name in called:
            raise CasemateError(f"{name} is given twice")
        called[name] = _in_any_case(value, rulings.get(name, ()))
    return called


def _in_any_case(given: str, among: Collection[str]) -> str:
    """Return the one of some words that is given in capitals or not; what is given if there is none, or several."""
    fitting = [word for word in among if word.lower() == given.lower()]
    return fitting[0] if len(fitting) == 1 and given not in among else given


def show(asked: Asked) -> None:
    """Print an answer for a person."""
    out = console()
    out.print(Text(asked.title(), style="bold"))
    if isinstance(asked.answer, PMF):
        _show_pmf(out, asked.answer)
    else:
        out.print(_said(asked.answer, chance=not asked.wanted or asked.wanted.strip().lower().startswith("p")))
    if asked.also:
        names = ", ".join(f'"{name}"' for name in asked.also)
        out.print(Text(f"The same inputs answer other questions of this clause, by name: {names}.", style="dim"))


def _show_pmf(out: Console, pmf: PMF) -> None:
    rows = list[list[tables.Cell]]()
    most, left = max(pmf.weights), pmf.total
    for outcome, weight in zip(pmf.outcomes, pmf.weights, strict=True):
        bar = ("█" * round(BAR * weight / most) or "▏").ljust(BAR)
        said = f"{outcome} {pmf.names[outcome]}" if outcome in pmf.names else str(outcome)
        at_most = pmf.total - left + weight
        chances = [percent(count / pmf.total) for count in (weight, left, at_most)]
        rows.append([said, chances[0], Text(bar, style="blue"), *chances[1:]])
        left -= weight
    tables.draw(out, ("outcome", "chance", "", "at least", "at most"), rows, words=1 if pmf.names else 0)
    if not pmf.of_words:
        out.print(f"mean {_said(pmf.mean, chance=False)}")


def _said(value: Any, *, chance: bool = True) -> str:
    """Write an answer for a person: a fraction also as decimal and, if it may be a chance, in percent."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction) and value.denominator > 1:
        exact = f"{value} = " if value.denominator < 10**20 else ""  # longer ones tell nobody anything
        share = f" = {percent(float(value))}" if chance and 0 < value < 1 else ""
        return f"{exact}{float(value):.6g}{share}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_said, value)) or "none"
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(_said, value))) or "none"
    return "none" if value is None else str(value)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def show_help(text: str) -> None:
    """Print what a clause or question says, what it takes and which rulings decide it."""
    out = console()
    for found in questions_about(text) or [question(text)]:
        known = clause(text if text.upper() in found.clauses else found.clauses[0])
        out.print(Text(f"{known.id} {known.title}", style="bold"))
        out.print(reflow(known.rule))
        if known.formula:
            out.print(f"\nFormula: {reflow(known.formula)}")
        usage = f" {_usage(found)}" if found.inputs else ""
        by_name = f"{alias(found)} ..." if found.inputs else alias(found)
        out.print(Text(f"\ncasemate odds {known.id}{usage}   or   casemate odds {by_name}", "bold"))
        _show_inputs(out, found)


def _usage(found: Question) -> str:
    return " ".join(f"{i.name}=..." if i.required else f"[{i.name}=...]" for i in found.inputs.values())


def _show_inputs(out: Console, found: Question) -> None:
    rows = [
        (i.name, i.takes, "needed" if i.required else _said(i.default), f"{i.doc}{_bounds(i)}")
        for i in found.inputs.values()
    ]
    if rows:
        tables.draw(out, ("input", "takes", "default", "what it is"), rows, words=4)
    else:
        out.print("It takes no inputs.")
    if found.rulings:
        _show_rulings(out, found)


def _show_rulings(out: Console, found: Question) -> None:
    """Print the rulings on a question, where the book leaves it open: they are given as inputs are."""
    rows = [
        (name, choice, ", ".join(option for option in options if option != choice))
        for name, (choice, options) in found.rulings.items()
    ]
    tables.draw(out, ("ruling", "in force", "or"), rows, words=3)


def _bounds(given: Input) -> str:
    """Say the bounds of an input that has any."""
    number = given.number
    return "" if number is None or number.most is None else f" From {number.least} to {number.most:,}."


def show_notation() -> None:
    """Print what dice notation there is, by examples with their answers."""
    out = console()
    out.print("Dice as players write them, in quotes; capitals do not matter, and spaces may stand between parts.\n")
    rows = [(text, meaning, in_short(parse_notation(text))) for text, meaning in EXAMPLES.items()]
    tables.draw(out, ("notation", "what it is", "answer"), rows, words=3)


def notation_as_data() -> dict[str, Any]:
    """Return what dice notation there is as JSON has it."""
    return {"notation": [{"example": text, "meaning": meaning} for text, meaning in EXAMPLES.items()]}


def in_short(answer: Answer) -> str:
    """Say an answer on one line: of a number its range and mean, of words the likeliest."""
    if not isinstance(answer, PMF):
        return _said(answer)
    if answer.of_words:
        weight, word = max(zip(answer.weights, map(answer.names.get, answer.outcomes), strict=True))
        return f"most often {word}, {percent(weight / answer.total)}"
    if set(answer.outcomes) <= {0, 1}:
        return percent(float(answer[1]))
    return f"{answer.outcomes[0]} to {answer.outcomes[-1]}, mean {float(answer.mean):.4g}"


def show_questions() -> None:
    """Print everything that can be asked."""
    out = console()
    out.print(
        "What can be asked, by clause or by name (wound-roll, or in quotes); 'casemate odds CLAUSE --help' shows the "
        "inputs of one, 'casemate odds --notation' how dice are written.\n"
    )
    rows = [
        (" ".join(found.clauses), found.name, " ".join(found.inputs))
        for found in sorted(questions(), key=lambda q: q.clauses)
    ]
    tables.draw(out, ("clause", "name", "inputs"), rows, words=3)

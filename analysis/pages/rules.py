"""Every clause of every document, for the page of rules."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.comparing.compare import Progress
from analysis.library.catalogue import is_played, state
from analysis.library.odds import in_short
from analysis.library.search import citations, sample
from sims.clauses import Clause, Document, clause, documents, only_asked
from sims.questions import Question, alias, questions
from sims.rulebook import Ruling
from sims.rulesets import rule_set, rule_set_ids

OnClause = tuple[str, str, Ruling]
"""A ruling on a clause: whose it is, its name, and what it says."""


@dataclass(frozen=True)
class Try:
    """Odds to try: what to type, and what it answers; nothing where the inputs have to be looked up first."""

    command: str
    answer: str


@dataclass(frozen=True)
class Told:
    """A clause as the page tells it.

    Attributes:
        state: Done, partial or missing.
        played: Whether it is played, or why it is only asked.
        rulings: The rulings on it, in every set of rules.
        places: The names in the code that cite it.
    """

    clause: Clause
    state: str
    played: str
    rulings: tuple[OnClause, ...]
    tries: tuple[Try, ...]
    places: tuple[str, ...]


def chapters(progress: Progress = lambda done, of: None) -> Mapping[Document, Mapping[str, list[Told]]]:
    """Return what there is to tell of every clause, by document and section.

    Args:
        progress: ``progress(done, of)`` in questions asked.
    """
    tries = dict[str, list[Try]]()
    every = questions()
    for done, question in enumerate(every, 1):
        for id in question.clauses:
            tries.setdefault(id, []).append(_try(question, clause(id).rule))
        progress(done, len(every))
    rulings = dict[str, list[OnClause]]()
    for rules in rule_set_ids():
        for name, ruling in rule_set(rules).book.all_rulings():
            rulings.setdefault(ruling.clause, []).append((rules, name, ruling))
    found = dict[Document, dict[str, list[Told]]]()
    for document in documents().values():
        sections = found.setdefault(document, {})
        for each in document.clauses:
            told = _told(each, rulings.get(each.id, ()), tries.get(each.id, ()))
            sections.setdefault(each.section, []).append(told)
    return found


def _try(question: Question, rule: str) -> Try:
    asked = sample(question, rule)
    if asked is None:
        return Try(f"casemate odds {question.clauses[0]} --help", "")
    inputs = ((question.inputs[name], value) for name, value in asked.inputs.items())
    given = shlex.join(f"{of.name}={value}" for of, value in inputs if of.required or value != of.default)
    return Try(f"casemate odds {alias(question)} {given}".rstrip(), in_short(asked.answer))


def _told(clause: Clause, rulings: Iterable[OnClause], tries: Iterable[Try]) -> Told:
    played = "played" if is_played(clause.id) else only_asked().get(clause.id, "")
    places = citations().get(clause.id, ())
    return Told(clause, state(clause.id), played, tuple(rulings), tuple(tries), places)

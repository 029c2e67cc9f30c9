"""Every clause of every document, for the page of rules."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from analysis.library.catalogue import is_played, state
from analysis.library.odds import asked_by, in_short
from analysis.library.search import citations
from sims.clauses import Clause, Document, documents, examples, only_asked
from sims.engines import Progress
from sims.errors import CasemateError
from sims.rulebook import Ruling
from sims.rulesets import rule_set, rule_set_ids

OnClause = tuple[str, str, Ruling]
"""A ruling on a clause: whose it is, its name, and what it says."""


@dataclass(frozen=True)
class Try:
    """Odds to try: what to type, and what it answers."""

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
    """Return what there is to tell of every clause, by document and section."""
    tries = dict[str, list[Try]]()
    for done, (id, texts) in enumerate(examples().items(), 1):
        tries[id] = [*_tries(texts)]
        progress(done, len(examples()))
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


def _tries(texts: Iterable[str]) -> Iterator[Try]:
    """Yield odds to try; an example that is refused, for it was written before its question changed, is left out."""
    for text in texts:
        with suppress(CasemateError):
            yield Try(f"casemate odds {text}", in_short(asked_by(text).answer))


def _told(clause: Clause, rulings: Iterable[OnClause], tries: Iterable[Try]) -> Told:
    played = "played" if is_played(clause.id) else only_asked().get(clause.id, "")
    places = citations().get(clause.id, ())
    return Told(clause, state(clause.id), played, tuple(rulings), tuple(tries), places)

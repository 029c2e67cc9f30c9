"""Search: where a word stands in the tables, rulings and clauses of all rules."""

from collections.abc import Iterator
from typing import NamedTuple

from analysis.rule_words import where_of
from sims.clauses import documents
from sims.reading import undotted
from sims.rulesets import rule_set, rule_set_ids


class Hit(NamedTuple):
    """Where a word was found: a clause's id or the key of a value, whose it is, and what it says."""

    id: str
    of: str
    says: str


def hits(word: str) -> list[Hit]:
    """Return where a word stands, capitals apart: in ids first, then in what is said."""
    sought = word.lower()
    by_id = [hit for hit in _everything() if sought in hit.id.lower()]
    return [*by_id, *(hit for hit in _everything() if hit not in by_id and sought in hit.says.lower())]


def _everything() -> Iterator[Hit]:
    for id in rule_set_ids():
        book = rule_set(id).book
        for key in dict.fromkeys(".".join(undotted(leaf)[:2]) for leaf in book.leaves() if leaf.startswith("tables.")):
            yield Hit(key, id, where_of(book, key))
        for name, ruling in book.all_rulings():
            yield Hit(f"rulings.{name}", id, f"{ruling.question} ({ruling.clause}: {ruling.said})")
    for document in documents().values():
        for clause in document.clauses:
            yield Hit(clause.id, document.id, f"{clause.title}: {clause.rule}")

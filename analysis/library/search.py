"""Search: where a word stands in the tables, rulings and clauses of all rules."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from analysis.say.rules import where_of
from sims.clauses import CITATION, documents
from sims.reading import undotted
from sims.rulebook import Book
from sims.rulesets import RuleSet, rule_set, rule_set_ids


class Hit(NamedTuple):
    """Where a word was found: a clause's id or the key of a value, whose it is, and what it says."""

    id: str
    of: str
    says: str


def hits(word: str, sets: Sequence[RuleSet] = ()) -> list[Hit]:
    """Return the places that hold a word, capitals apart: ids first, then what is said.

    Args:
        sets: The rules to look in, with their documents and base games; all rules and documents if not given.
    """
    sought, places = word.lower(), [*_places(sets)]
    by_id = [hit for hit in places if sought in hit.id.lower()]
    return [*by_id, *(hit for hit in places if hit not in by_id and sought in hit.says.lower())]


def _places(sets: Sequence[RuleSet]) -> Iterator[Hit]:
    for one in sets or map(rule_set, rule_set_ids()):
        id, book = one.id, one.book
        for key in dict.fromkeys(".".join(undotted(leaf)[:2]) for leaf in book.leaves() if leaf.startswith("tables.")):
            yield Hit(key, id, where_of(book, key))
        for name, ruling in book.all_rulings():
            yield Hit(f"rulings.{name}", id, f"{ruling.question} ({ruling.clause}: {ruling.said})")
    books = [book for one in sets for book in (one.book, getattr(one.book, "game", None)) if isinstance(book, Book)]
    own = {id for book in books for id in book.ruleset.documents}
    for document in documents().values():
        for clause in document.clauses if document.id in own or not sets else ():
            yield Hit(clause.id, document.id, f"{clause.title}: {clause.rule}")


ROOMS = ("sims.games", "sims.rulesets")
"""The packages that hold rules; a folder in them that begins with "_" plays none."""


@cache
def citations() -> dict[str, tuple[str, ...]]:
    """Return for each clause the names that cite it, such as ``sims.games.wh40k.rules.wound_goal``."""
    found = dict[str, dict[str, None]]()
    for room in ROOMS:
        folder = Path(next(iter(import_module(room).__path__)))
        for file in sorted(folder.rglob("*.py")):
            parts = [room, *file.relative_to(folder).with_suffix("").parts]
            if any(part.startswith("_") and part != "__init__" for part in parts):
                continue
            module = ".".join(part for part in parts if part != "__init__")
            for name, text in _texts(ast.parse(file.read_text("utf-8")), module):
                for _, id in CITATION.findall(" ".join(text.split())):
                    found.setdefault(id, {})[name] = None
    return {id: tuple(names) for id, names in found.items()}


def _texts(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Yield every text that stands by itself in a module, with the name of what it stands in."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield from _texts(each, f"{name}.{each.name}")
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str):
            yield name, each.value.value

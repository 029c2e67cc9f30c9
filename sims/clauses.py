"""The clauses of the rule documents: what they say and which are done.

The *index*, in ``sims/data/clauses``, restates every clause of the documents. The *status* of a clause follows from
where it is cited in the code and what the tests assert; ``python -m sims.clauses`` (``make clauses``) writes it anew.

A docstring cites a clause by its id, or with the word *partly* before the id where part of it is not modelled yet. A
clause is done when it is cited, nowhere as partly, and all its checks are asserted in ``tests/clauses`` or, for a
clause without checks, a test is marked with its id. Notes are done when they can be shown.
"""

import ast
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from sims.errors import CasemateError
from sims.reading import Names, Strict, parse, read, validate

CITATION = re.compile(r"(partly )?\b([A-Z]{2,}-\d{3})\b")
"""How code names a clause."""


class Clause(Strict):
    """A clause of a rule document, in our words; how many checks the catalogue has of it, and a digest of them."""

    id: str
    title: str
    section: str
    kind: str
    scope: str
    rule: str
    formula: str = ""
    unclear: str = ""
    reading: str = ""
    edition: str = ""
    needs: Names = ()
    checks: int = 0
    digest: str = ""


class Document(Strict):
    """A rule document and all its clauses."""

    id: str
    title: str
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True)
class Status:
    """How far the clauses of a document are done."""

    done: tuple[str, ...]
    partial: tuple[str, ...]
    missing: tuple[str, ...]


@cache
def documents() -> dict[str, Document]:
    """Return every document by its id."""
    found = {}
    for file in sorted((files("sims") / "data/clauses").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            source = parse(file.name, file.read_text("utf-8"))
            data = source.data | {"clauses": tuple(source.data["clauses"])}
            document = validate(Document, data, [source])
            found[document.id] = document
    return found


@cache
def clauses() -> dict[str, Clause]:
    """Return every clause by its id."""
    return {clause.id: clause for document in documents().values() for clause in document.clauses}


def clause(name: str) -> Clause:
    """Return a clause by its id.

    Raises
    ------
    CasemateError
        If there is no such clause.
    """
    known = clauses()
    if name.upper() not in known:
        raise CasemateError(f'there is no clause "{name}"; {_near_clause(name, known)}')
    return known[name.upper()]


def with_needs(ids: Iterable[str]) -> set[str]:
    """Return clauses with all that they need, and what these need in turn; chapters without an id are left out."""
    known, found, left = clauses(), set[str](), [*ids]
    while left:
        id = left.pop()
        if id in known and id not in found:
            found.add(id)
            left += known[id].needs
    return found


def is_meant(name: str) -> bool:
    """Return whether a name is meant as an id: the letters that ids of a document begin with, and a number."""
    letters, digits = _letters_and_digits(name)
    return bool(digits) and letters in _prefixes(clauses())


def _letters_and_digits(name: str) -> tuple[str, str]:
    return re.sub("[^A-Z]", "", name.upper()), re.sub("[^0-9]", "", name)


def _prefixes(ids: Iterable[str]) -> list[str]:
    return sorted({id.split("-")[0] for id in ids})


def _near_clause(name: str, known: Iterable[str]) -> str:
    """Name the closest id; the documents' prefixes if nothing is close."""
    prefixes = _prefixes(known)
    letters, digits = _letters_and_digits(name)
    if letters in prefixes and digits:
        same = [id for id in known if id.startswith(f"{letters}-")]
        return f'did you mean "{min(same, key=lambda id: abs(int(id.split("-")[1]) - int(digits)))}"?'
    return "expected an id such as ST-030; documents begin with " + ", ".join(prefixes)


@cache
def status() -> dict[str, Status]:
    """Return the committed status of every document."""
    data = parse("status.toml", (files("sims") / "data/status.toml").read_text("utf-8")).data
    return {
        id: _sorted_out(document, set(data.get(id, {}).get("done", ())), set(data.get(id, {}).get("partial", ())))
        for id, document in documents().items()
    }


def _sorted_out(document: Document, done: set[str], partial: set[str]) -> Status:
    ids = [clause.id for clause in document.clauses]
    rest = [id for id in ids if id not in done and id not in partial]
    return Status(tuple(i for i in ids if i in done), tuple(i for i in ids if i in partial), tuple(rest))


def citations(source: str) -> tuple[set[str], set[str]]:
    """Return the clauses that the docstrings of a module cite without reserve, and those they cite as partly done."""
    found = [match for text in _docstrings(source) for match in CITATION.findall(text)]
    return {id for partly, id in found if not partly}, {id for partly, id in found if partly}


def _docstrings(source: str) -> Iterator[str]:
    """Yield every text that stands by itself: the docstrings of modules, classes, functions and constants."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield " ".join(node.value.value.split())


def marks(source: str) -> set[str]:
    """Return the clauses that a module of tests marks: the arguments of ``pytest.mark.clause``."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    marked = (call for call in calls if ast.unparse(call.func).endswith("mark.clause"))
    return {str(arg.value) for call in marked for arg in call.args if isinstance(arg, ast.Constant)}


def cited(root: Path) -> tuple[set[str], set[str]]:
    """Return the clauses cited in the code of a checkout, without reserve and as partly done.

    A folder that begins with "_", such as the template of rule sets, plays no rules.
    """
    plain, partly = set[str](), set[str]()
    modules = (f for f in sorted((root / "sims").rglob("*.py")) if not f.parent.name.startswith("_"))
    for file in modules:
        more, more_partly = citations(file.read_text("utf-8"))
        plain |= more
        partly |= more_partly
    return plain, partly


def compute_status(root: Path) -> dict[str, dict[str, list[str]]]:
    """Return which clauses of each document are done and which partly, from the citations and tests of a checkout.

    Parameters
    ----------
    root : Path
        The checkout, which holds ``sims`` and ``tests``.

    Raises
    ------
    CasemateError
        If a file of checks is no TOML.
    """
    plain, partly = cited(root)
    tests = (root / "tests").rglob("*.py")
    marked = {id for file in tests for id in marks(file.read_text("utf-8"))}
    checks = (check for file in (root / "tests/clauses").glob("*.toml") for check in read(file).data["check"])
    asserted = Counter(check["clause"] for check in checks)

    def done(clause: Clause) -> bool:
        if clause.scope == "note":
            return True
        tested = asserted[clause.id] >= clause.checks if clause.checks else clause.id in marked
        return clause.id in plain - partly and tested

    return {
        id: {
            "done": [c.id for c in document.clauses if done(c)],
            "partial": [c.id for c in document.clauses if c.id in plain | partly and not done(c)],
        }
        for id, document in documents().items()
    }


def status_text(root: Path) -> str:
    """Return ``sims/data/status.toml`` as the citations and tests of a checkout have it."""
    parts = ["# Written by 'make clauses' from citations and tests; do not edit.\n"]
    for id, lists in compute_status(root).items():
        parts.append(f"\n[{id}]\n")
        for name, ids in lists.items():
            listed = textwrap.fill(
                ", ".join(f'"{i}"' for i in ids), 116, initial_indent="    ", subsequent_indent="    "
            )
            parts.append(f"{name} = [\n{listed},\n]\n" if ids else f"{name} = []\n")
    return "".join(parts)


def main() -> None:
    """Write the status of every clause anew, and say how many are done."""
    root = Path(__file__).parent.parent
    (root / "sims/data/status.toml").write_text(status_text(root), "utf-8")
    status.cache_clear()
    for id, found in status().items():
        sys.stdout.write(f"{id}: {len(found.done)} done, {len(found.partial)} partial, {len(found.missing)} missing\n")


if __name__ == "__main__":
    main()

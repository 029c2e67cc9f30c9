"""The clauses of the rule documents: what they say and which are done.

The *index*, in ``sims/data/clauses``, restates every clause of the documents. The *status* of a clause follows from
where it is cited in the code and what the tests assert; ``make clauses`` writes it anew.

A docstring cites a clause by its id (``ST-030``), or as ``partly ST-030`` where part of it is not modelled yet. A
clause is done when it is cited without reserve and all its checks are asserted in ``tests/clauses``, or, for a clause
without checks, a test is marked with its id. Notes are done when they can be shown.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sims.errors import CasemateError
from sims.reading import Names, Strict, parse, validate

CITATION = re.compile(r"(partly )?\b((?:ARAP|GB|ST|GW|RC|BASE)-\d{3})\b")
"""How code names a clause."""


class Clause(Strict):
    """A clause of a rule document, in our words."""

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


def _near_clause(name: str, known: Iterable[str]) -> str:
    """Name the closest id; the documents' prefixes if nothing is close."""
    prefixes = sorted({id.split("-")[0] for id in known})
    letters, digits = re.sub("[^A-Z]", "", name.upper()), re.sub("[^0-9]", "", name)
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
    """Return the clauses that a piece of code cites without reserve, and those it cites as partly done."""
    found = CITATION.findall(source)
    return {id for part, id in found if not part}, {id for part, id in found if part}

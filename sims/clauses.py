"""The clauses of the rule documents: what they say and which are done.

The *index*, in ``sims/data/clauses``, restates every clause of the documents; that of a document of one's own may stand
in the folder of its rule set, ``clauses.toml``. The *status* of a clause follows from where it is cited in the code,
what the tests assert and what assaults play; ``make clauses`` writes it, and examples of each clause from its checks.
Done clauses that have checks and that no assault plays stand in ``sims/data/asked.toml``, with the reason.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from sims.errors import CasemateError
from sims.reading import Names, Strict, parse, validate

SIMS = Path(str(files("sims")))
RULE_SETS = [SIMS / "rulesets"]
"""Where the folders of rule sets are."""

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
    """How far the clauses of a document are done; which of those done are played, as far as that is measured."""

    done: tuple[str, ...]
    partial: tuple[str, ...]
    missing: tuple[str, ...]
    played: tuple[str, ...]


@cache
def documents() -> dict[str, Document]:
    """Return every document by its id."""
    found = {}
    own = (file for folder in RULE_SETS for file in folder.glob("[!_]*/clauses.toml"))
    for file in (*sorted(SIMS.glob("data/clauses/*.toml")), *sorted(own)):
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
    """Return a clause by its id, or raise `CasemateError` if there is no such clause."""
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
    data = _data("status.toml")
    return {id: _sorted_out(document, data.get(id, {})) for id, document in documents().items()}


def _data(name: str) -> dict[str, Any]:
    return parse(name, (SIMS / "data" / name).read_text("utf-8")).data


def _sorted_out(document: Document, lists: dict[str, list[str]]) -> Status:
    ids = [clause.id for clause in document.clauses]
    done, partial, played = (tuple(i for i in ids if i in lists.get(n, ())) for n in ("done", "partial", "played"))
    return Status(done, partial, tuple(i for i in ids if i not in done + partial), played)


@cache
def examples() -> dict[str, tuple[str, ...]]:
    """Return for each clause what to ask `odds` to see what it says: one example of each of its questions."""
    return {id: tuple(texts) for id, texts in _data("examples.toml").items()}


@cache
def only_asked() -> dict[str, str]:
    """Return why no assault plays what a done clause is asked of: its kind, and more closely."""
    return {id: f"{kind}: {why}" for kind, reasons in _data("asked.toml").items() for id, why in reasons.items()}

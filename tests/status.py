"""The status of every clause, from citations, checks and what assaults play; ``make clauses`` writes it anew.

It also writes an example of each question of a clause, taken from the checks.

A docstring cites a clause by its id, or with the word *partly* before the id where part of it is not modelled yet. A
clause is done when the package that owns its document cites it, nowhere as partly, and all its checks are asserted in
``tests/clauses`` or, for a clause without checks, a test is marked with its id. Notes are done when they can be shown.
A clause that is cited elsewhere alone is partly done. `tests.played` measures which clauses are played.
"""

import ast
import json
import shlex
import textwrap
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sims.clauses import CITATION, Clause, clauses, documents, only_asked, status
from sims.questions import alias, question
from sims.reading import read
from tests.checks import CHECKS, asked_by
from tests.conftest import ROOT
from tests.played import measured


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


class Cited(NamedTuple):
    """The clauses cited in the code of a checkout."""

    plain: set[str]
    """By the package that owns their document, without reserve."""
    partly: set[str]
    """By the same, as partly done."""
    elsewhere: set[str]
    """By others that lean on them."""


def cited(root: Path) -> Cited:
    """Return the clauses cited in the code of a checkout.

    What stands outside the packages of games and rule sets may speak for any document. A folder that begins with "_",
    such as the template of rule sets, plays no rules.
    """
    found, owned = Cited(set(), set(), set()), owners(root)
    document_of = {clause.id: id for id, document in documents().items() for clause in document.clauses}
    for file in (f for f in sorted((root / "sims").rglob("*.py")) if not f.parent.name.startswith("_")):
        kind, package, *_ = *file.relative_to(root / "sims").parts, "", ""
        speaks_for_all = kind not in ("games", "rulesets") or package.endswith(".py")
        plain, partly = citations(file.read_text("utf-8"))
        mine = {id for id in plain | partly if speaks_for_all or package in owned.get(document_of.get(id, ""), ())}
        for ids, more in zip(found, (plain & mine, partly & mine, (plain | partly) - mine), strict=True):
            ids |= more
    return found


def owners(root: Path) -> dict[str, set[str]]:
    """Return which packages own each document: the base games whose tables name it, else the rule sets."""
    owned: dict[str, set[str]] = {}
    for kind in ("rulesets", "games"):
        named = defaultdict(set)
        for file in (root / "sims" / kind).glob("*/*.toml"):
            for id in tomllib.loads(file.read_text("utf-8")).get("ruleset", {}).get("documents", ()):
                named[id].add(file.parent.name)
        owned |= named
    return owned


def compute_status(root: Path) -> dict[str, dict[str, list[str]]]:
    """Return which clauses of each document are done and which partly, from the citations and tests of a checkout.

    Args:
        root: The checkout, which holds ``sims`` and ``tests``.

    Raises:
        CasemateError: If a file of checks is no TOML.
    """
    plain, partly, elsewhere = cited(root)
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
            "partial": [c.id for c in document.clauses if c.id in plain | partly | elsewhere and not done(c)],
        }
        for id, document in documents().items()
    }


def status_text(root: Path, why: Mapping[str, list[str]]) -> str:
    """Return ``sims/data/status.toml`` as the citations and tests of a checkout have it, and what is played.

    Args:
        root: The checkout.
        why: By clause what keeps it from being played.
    """
    parts = ["# Written by 'make clauses' from citations, tests and what assaults play; do not edit.\n"]
    for id, lists in compute_status(root).items():
        parts.append(f"\n[{id}]\n")
        for name, ids in (lists | {"played": [i for i in lists["done"] if why.get(i) == []]}).items():
            listed = textwrap.fill(
                ", ".join(f'"{i}"' for i in ids), 116, initial_indent="    ", subsequent_indent="    "
            )
            parts.append(f"{name} = [\n{listed},\n]\n" if ids else f"{name} = []\n")
    return "".join(parts)


@cache
def first_checks() -> dict[str, list[dict[str, Any]]]:
    """Return for each clause, of its checks the first that asks each of its questions."""
    found = defaultdict[str, dict[str, dict[str, Any]]](dict)
    for check in CHECKS:
        found[check["clause"]].setdefault(asked_by(check)[0].name, check)
    return {id: [*checks.values()] for id, checks in sorted(found.items())}


def examples_text() -> str:
    """Return ``sims/data/examples.toml``: what to type after ``casemate odds`` to ask the first checks."""
    lines = (f"{id} = {json.dumps([*map(_typed, checks)])}" for id, checks in first_checks().items())
    return "\n".join(["# Written by 'make clauses' from the checks; do not edit.", *lines, ""])


def _typed(check: dict[str, Any]) -> str:
    about, inputs = asked_by(check)
    name = check["clause"] if about is question(check["clause"], inputs) else alias(about)
    given = [f"{key}={value}" for key, value in inputs.items()]
    return shlex.join([name, *given, *(["--ask", check["ask"]] if "ask" in check else [])])


def unlike_the_list() -> list[str]:
    """Return what ``sims/data/asked.toml`` should say of the committed status, where it does not."""
    done = (clauses()[id] for found in status().values() for id in found.done if id not in found.played)
    asked = {clause.id for clause in done if clause.checks and clause.scope != "note"}
    lacking = [f"{id} is not played: list it (python -m tests.played {id} says why)" for id in asked - {*only_asked()}]
    return sorted(lacking + [f"{id} is not only asked: take it off the list" for id in {*only_asked()} - asked])


def main() -> None:
    """Write the status of every clause anew; say how many are done, and where the list of those only asked is wrong."""
    (ROOT / "sims/data/status.toml").write_text(status_text(ROOT, measured()), "utf-8")
    (ROOT / "sims/data/examples.toml").write_text(examples_text(), "utf-8")
    status.cache_clear()
    for id, found in status().items():
        done = f"{len(found.done)} done ({len(found.played)} played)"
        print(f"{id}: {done}, {len(found.partial)} partial, {len(found.missing)} missing")
    print(*unlike_the_list(), sep="\n")


if __name__ == "__main__":
    main()

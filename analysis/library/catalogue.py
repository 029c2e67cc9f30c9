"""What there is: rule sets, their tables and rulings, the clauses of the documents and how far they are done."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from analysis.library.search import Hit, hits
from analysis.say import blocks, tables
from analysis.say.blocks import reflow
from analysis.say.console import console
from analysis.say.rules import value_words, where_of
from sims.clauses import Clause, Document, clause, documents, is_meant, only_asked, status
from sims.errors import CasemateError, nearest
from sims.reading import bare
from sims.rulebook import Book, Ruling
from sims.rulesets import RuleSet, rule_set, rule_set_ids

ABOUT = ("source", "unit", "note")
"""The keys of a table that are not numbers of the book."""
MOST_HITS = 40
LONGEST = 160
"""Characters of what a hit says that are shown."""


def coverage() -> dict[str, Any]:
    """Return how far the clauses of each document are done, as the JSON contract has it."""
    return {
        "documents": [
            {
                "id": document.id,
                "clauses": len(document.clauses),
                "done": len(status()[document.id].done),
                "played": list(status()[document.id].played),
                "partial": list(status()[document.id].partial),
                "missing": list(status()[document.id].missing),
            }
            for document in documents().values()
        ]
    }


def description(name: str) -> dict[str, Any]:
    """Return a clause, a document or a set of rules as JSON, or raise `CasemateError` if there is none of that name."""
    found = find(name)
    match found:
        case Clause():
            measured = is_played(found.id) or found.id in only_asked()
            how = {"played": is_played(found.id) if measured else None, "only_asked": only_asked().get(found.id, "")}
            rulings = list(_rulings_as_data(found))
            return found.model_dump() | {"status": state(found.id)} | how | {"rulings": rulings}
        case Document():
            clauses = [{"id": c.id, "title": c.title, "status": state(c.id)} for c in found.clauses]
            return {"id": found.id, "title": found.title, "clauses": clauses}
        case RuleSet():
            head = {"id": found.id, "title": found.title, "base": found.base}
            return head | {
                "changes": [[key, *change] for key, change in found.changes().items()],
                "book": found.book.model_dump(),
            }


def _rulings_as_data(found: Clause) -> Iterator[dict[str, Any]]:
    for rules, name, ruling in rulings_of(found):
        yield {"rules": rules, "name": name, **ruling.model_dump()}


def find(name: str) -> Clause | Document | RuleSet:
    """Return the clause, document, rule set or house rule of a name, or raise `CasemateError` if there is none."""
    if name in documents():
        return documents()[name]
    if name in rule_set_ids() or name.endswith(".toml"):
        return rule_set(name)
    if is_meant(name):
        return clause(name)
    raise CasemateError(
        f'there is no clause, document or rule set "{name}"; {nearest(name, [*documents(), *rule_set_ids()])}'
    )


def state(id: str) -> str:
    """Return how far a clause is done."""
    for found in status().values():
        if id in found.done:
            return "done"
        if id in found.partial:
            return "partial"
    return "missing"


def is_played(id: str) -> bool:
    """Return whether what a clause is asked of is what assaults play."""
    return any(id in found.played for found in status().values())


def played_words(id: str) -> str:
    """Say whether assaults play a clause, or why it is only asked; nothing where that cannot be measured."""
    if is_played(id):
        return "played"
    return f"only asked ({only_asked()[id]})" if id in only_asked() else ""


def rulings_of(found: Clause) -> Iterator[tuple[str, str, Ruling]]:
    """Yield the rulings on a clause in every set of rules: whose they are, their names, and what they say."""
    for rules in rule_set_ids():
        for name, ruling in rule_set(rules).book.all_rulings():
            if ruling.clause == found.id:
                yield rules, name, ruling


def show_all() -> None:
    """Print the sets of rules with their tables and rulings, and the coverage of every document."""
    out = console()
    out.print(Text("Sets of rules", style="bold"))
    for one in map(rule_set, rule_set_ids()):
        out.print(Text.assemble((one.id, "bold"), f"  {one.title}: {one.book.ruleset.edition}"))
        _inset(out, f"tables: {', '.join(name for name, _ in _tables(one.book))}")
        choices = ", ".join(f"{name} = {ruling.choice}" for name, ruling in one.book.all_rulings())
        _inset(out, f"rulings: {choices or 'none'}")
    rows = []
    for entry in coverage()["documents"]:
        counts = (entry["clauses"], entry["done"], *(len(entry[name]) for name in ("played", "partial", "missing")))
        rows.append((entry["id"], *map(str, counts)))
    tables.draw(out, ("document", "clauses", "done", "played", "partial", "missing"), rows)
    out.print("Done clauses that have checks are played, or only asked; 'casemate rules ID' says why.")
    out.print("'casemate rules NAME' shows one set of rules, one document, or one clause such as ST-030.")


def show(name: str) -> None:
    """Print a clause, a document or a set of rules; or where a word stands in them, if nothing is called so.

    Raises:
        CasemateError: If there is none of that name, and the word stands nowhere.
    """
    out = console()
    try:
        found = find(name)
    except CasemateError:
        if is_meant(name) or not (places := hits(name)):
            raise
        _show_hits(out, f'Where "{name}" stands', places)
        return
    match found:
        case Clause():
            _show_clause(out, found)
        case Document():
            out.print(Text(f"{found.id}: {found.title}", style="bold"))
            for each in found.clauses:
                out.print(f"{each.id:9} {state(each.id):8} {played_words(each.id).partition(' (')[0]:11} {each.title}")
        case RuleSet():
            _show_rules(out, found)


def show_places(word: str, sets: Sequence[RuleSet]) -> None:
    """Print where a word stands in some sets of rules, or raise `CasemateError` if it stands nowhere."""
    within = ", ".join(one.id for one in sets)
    if not (places := hits(word, sets)):
        raise CasemateError(f'"{word}" is nowhere in {within}; "casemate rules {word}" looks in all rules')
    _show_hits(console(), f'Where "{word}" is in {within}', places)


def _show_hits(out: Console, heading: str, found: list[Hit]) -> None:
    rows = [(hit.id, hit.of, _beginning(hit.says)) for hit in found[:MOST_HITS]]
    more = f", the first {MOST_HITS} of {len(found)}" if len(found) > MOST_HITS else ""
    blocks.show(out, [f"{heading}{more}:", blocks.Grid(("", "in", "says"), tuple(rows), 3)])


def _beginning(text: str) -> str:
    """Return the first words of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} ..."


def _show_clause(out: Console, found: Clause) -> None:
    document = next(d for d in documents().values() if found in d.clauses)
    out.print(Text(f"{found.id} {found.title}", style="bold"))
    how = ", ".join(part for part in (state(found.id), played_words(found.id)) if part)
    out.print(Text(f"{document.title}, {found.section}; {found.kind}, {found.scope}; {how}", style="dim"))
    out.print(f"\n{reflow(found.rule)}")
    parts = {
        "Formula": found.formula,
        "Open question": found.unclear,
        "Our reading": found.reading,
        "Edition": found.edition,
        "Leans on": ", ".join(found.needs),
    }
    for heading, text in parts.items():
        if text:
            out.print(Text.assemble(f"\n{heading}: ", reflow(text)))
    for rules, name, ruling in rulings_of(found):
        out.print(f"\nIn {rules} the ruling {name} decides:")
        _show_ruling(out, ruling)


def _show_ruling(out: Console, ruling: Ruling) -> None:
    _inset(out, ruling.question)
    for option, meaning in ruling.options.items():
        chosen = option == ruling.choice
        _inset(out, f"{'*' if chosen else '-'} {option}: {meaning}", style="bold" if chosen else "")


def _show_rules(out: Console, rule_set: RuleSet) -> None:
    out.print(Text(f"{rule_set.id}: {rule_set.title}", style="bold"))
    out.print(Text(rule_set.book.ruleset.edition, style="dim"))
    if rule_set.made_from:
        changes = rule_set.changes()
        out.print(f"\nA house rule made from {rule_set.made_from.id}. It changes{':' if changes else ' nothing.'}")
        rows = [(key, value_words(b), value_words(a), where_of(rule_set.book, key)) for key, (b, a) in changes.items()]
        blocks.show(out, [blocks.Grid(("key", rule_set.made_from.id, "here", "where"), tuple(rows), 4)] if rows else [])
    for name, table in _tables(rule_set.book):
        out.print(Text.assemble("\n[tables.", (name, "bold"), f"]  {table['source']}"))
        if table.get("unit"):
            _inset(out, table["unit"], style="dim")
        for line in settings(table):
            _inset(out, line)
        if table.get("note"):
            _inset(out, f"note: {table['note']}", style="dim")
    for name, ruling in rule_set.book.all_rulings():
        out.print(Text.assemble("\n[rulings] ", (name, "bold"), f"  {ruling.clause}"))
        _show_ruling(out, ruling)


def _inset(out: Console, text: str, style: str = "") -> None:
    out.print(Padding(Text(text, style=style), (0, 0, 0, 4), expand=False))


def _tables(book: Book) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables of a book by name, those of its base game last."""
    data = book.model_dump(exclude_unset=True)
    yield from data["tables"].items()
    yield from data.get("game", {}).get("tables", {}).items()


def settings(table: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield the numbers of a table, each as a house rule writes it."""
    for key, value in table.items():
        name = prefix + bare(key)
        if isinstance(value, dict):
            yield from settings(value, f"{name}.")
        elif key not in ABOUT:
            yield f"{name} = {json.dumps(value, ensure_ascii=False)}"

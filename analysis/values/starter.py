"""A house rule to start from: every value that it may change, as it is, with what it may be."""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.say.rules import holder
from analysis.values.schema import Node, leaf, schema
from sims.errors import CasemateError, nearest
from sims.reading import bare, dotted, undotted
from sims.rulebook import Book, Ruling
from sims.rulesets import RuleSet


def starter(
    rule_set: RuleSet, base: str, title: str, only: Collection[str] = (), switched: Mapping[str, str] | None = None
) -> str:
    """Return the text of a house-rule file that changes nothing yet but the rulings that it switches.

    Args:
        base: What the file calls that.
        only: The tables that it is about; all tables, and the rulings, if not given.
        switched: The options that it takes of rulings, by their names.

    Raises:
        CasemateError: If there is no such table, ruling or option.
    """
    leaves = rule_set.book.leaves()
    tables = dict.fromkeys(undotted(key)[1] for key in leaves if key.startswith("tables."))
    for name in only:
        if name not in tables:
            raise CasemateError(f'{rule_set.id} has no table "{name}"; {nearest(name, tables)}')
    switched = switched or {}
    yet = "It changes some rulings" if switched else "It changes nothing yet"
    lines = [
        f"# A house rule made from {base}. {yet}: take the # off a value, and change it.",
        f"base = {json.dumps(base)}",
        f"title = {json.dumps(title, ensure_ascii=False)}",
    ]
    whole = schema(rule_set)
    for name in tables:
        if name in only or not (only or switched):
            of_table = {key: value for key, value in leaves.items() if undotted(key)[:2] == ("tables", name)}
            lines += ["", *_table(rule_set.book, whole, of_table)]
    if switched or not only:
        lines += ["", *_rulings(rule_set.book.with_rulings(switched), switched)]
    return "\n".join(lines) + "\n"


def base_of(base: str, rule_set: RuleSet, file: Path) -> str:
    """Return what a file calls its base: the id of a rule set, or the way to another house rule."""
    return base if rule_set.made_from is None else Path(os.path.relpath(base, file.parent)).as_posix()


def _table(book: Book, whole: Node, leaves: dict[str, Any]) -> Iterator[str]:
    table = holder(book, next(iter(leaves)))
    assert not isinstance(table, Ruling)
    yield from (f"# {line}" for line in (table.source, table.unit, table.note) if line)
    header: tuple[str, ...] = ()
    for key, value in leaves.items():
        *above, name = undotted(key)
        if tuple(above) != header:
            header = tuple(above)
            yield f"[{dotted(header)}]"
        about = _takes(leaf(whole, key))
        yield f"# {bare(name)} = {json.dumps(value, ensure_ascii=False)}{about and f'  # {about}'}"


def _rulings(book: Book, switched: Collection[str]) -> Iterator[str]:
    yield "[rulings]"
    for name, ruling in book.all_rulings():
        yield f"# {ruling.clause}: {ruling.question}"
        yield from (f"#   {option}: {meaning}" for option, meaning in ruling.options.items())
        yield f"{'' if name in switched else '# '}{name} = {json.dumps(ruling.choice)}"


def _takes(node: Node) -> str:
    """Say what a value may be."""
    if "enum" in node:
        return f"one of {', '.join(node['enum'])}"
    if node.get("format") == "dice":
        return "dice such as D3 or 2D6, or a number"
    least, most = node.get("minimum"), node.get("maximum")
    if node.get("type") == "integer" and least is not None and most is not None:
        return f"{least} to {most}"
    return f"at least {least}" if least is not None else ""

"""What a house rule may write: the JSON Schema of the files that are made from one set of rules."""

from collections.abc import Mapping
from typing import Any

from sims.reading import undotted
from sims.rulebook import Book
from sims.rulesets import RuleSet

Node = dict[str, Any]


def schema(rule_set: RuleSet) -> Node:
    """Return the JSON Schema of house rules made from a rule set: every table, key and ruling, with what each takes."""
    tables, rulings = dict[str, Node](), dict[str, Node]()
    for book in (getattr(rule_set.book, "game", None), rule_set.book):
        if isinstance(book, Book):
            tables |= _tables(book)
            rulings |= _rulings(book)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A house rule made from {rule_set.id}",
        "required": ["base"],
        **_object(
            {
                "base": {"type": "string", "description": f"{rule_set.base}, or the file of a house rule made from it"},
                "title": {"type": "string"},
                "tables": _object(tables),
                "rulings": _object(rulings),
            }
        ),
    }


def leaf(whole: Node, key: str) -> Node:
    """Return what a schema says of one value, by the key that a house rule writes."""
    node = whole
    for part in undotted(key):
        node = node["properties"][part]
    return node


def _tables(book: Book) -> dict[str, Node]:
    data = book.model_dump(exclude_unset=True)["tables"]
    written = type(book).model_json_schema()
    named = _found(written["properties"]["tables"], written["$defs"])["properties"]
    return {name: _opened(named[name], data[name], written["$defs"]) for name in data}


def _rulings(book: Book) -> dict[str, Node]:
    own = type(book.rulings).model_fields
    chosen = {name: ruling for name, ruling in book.all_rulings() if name in own}
    return {
        name: {"description": f"{ruling.question} ({ruling.clause})", "enum": [*ruling.options]}
        for name, ruling in chosen.items()
    }


def _object(properties: Mapping[str, Node]) -> Node:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def _found(node: Node, defs: Mapping[str, Node]) -> Node:
    """Return what a reference stands for."""
    return defs[node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node


def _opened(node: Node, value: Any, defs: Mapping[str, Node]) -> Node:
    """Return a part of a schema without references; of a table the keys that are there, for none can be added."""
    node = _found(node, defs)
    if not isinstance(value, dict):
        return {
            name: _without_references(part, defs) for name, part in node.items() if name not in ("title", "default")
        }
    of = node.get("properties", {})
    inner = {name: _opened(of.get(name, node.get("additionalProperties")), item, defs) for name, item in value.items()}
    about = {"description": node["description"]} if "description" in node else {}
    return about | _object(inner)


def _without_references(part: Any, defs: Mapping[str, Node]) -> Any:
    if isinstance(part, dict):
        return {name: _without_references(inner, defs) for name, inner in _found(part, defs).items()}
    return [_without_references(inner, defs) for inner in part] if isinstance(part, list) else part

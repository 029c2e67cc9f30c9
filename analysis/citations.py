"""Where clauses are implemented: the functions, types and modules of rules whose docstrings cite them."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from sims.clauses import CITATION

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

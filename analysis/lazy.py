"""Packages whose names are loaded when they are first used.

Such a package imports its names under ``TYPE_CHECKING`` alone, where type checkers and editors see them; what is read
there says which module each name is loaded from. (scikit-image and others do the same by `lazy_loader.attach_stub`.)
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def lazy(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` of a package, which has its `__all__` as well, and its `__dir__`."""
    itself = sys.modules[package]

    @cache
    def homes() -> dict[str, str]:
        """Return for each name the module that has it."""
        import ast

        code = ast.parse(Path(str(itself.__file__)).read_text("utf-8"))
        (block,) = (node for node in code.body if isinstance(node, ast.If))
        imports = [node for node in block.body if isinstance(node, ast.ImportFrom) and node.module]
        return {alias.name: str(node.module) for node in imports for alias in node.names}

    def get(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=itself)
        module = homes()[name]
        found = import_module(f"{package}.{name}") if module == package else getattr(import_module(module), name)
        setattr(itself, name, found)
        return found

    return get, lambda: sorted({*vars(itself), *homes()})

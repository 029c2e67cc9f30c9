"""Packages whose names are loaded when they are first used.

Such a package imports its names under ``TYPE_CHECKING`` alone, where type checkers and editors see them; what is read
there says which module each name is loaded from. (scikit-image and others do the same by `lazy_loader.attach_stub`.)
Every start of the command comes by here, so nothing is imported that is not used.
"""

import sys

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than the rest of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def lazy(package: str) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """Return the `__getattr__` of a package, which has its `__all__` as well, and its `__dir__`."""
    itself, homes = sys.modules[package], dict[str, tuple[str, str]]()

    def names() -> dict[str, tuple[str, str]]:
        """Return for each name the module that has it, and what it is called there."""
        if not homes:
            import ast

            with open(str(itself.__file__), encoding="utf-8") as file:
                code = ast.parse(file.read())
            (block,) = (node for node in code.body if isinstance(node, ast.If))
            for node in block.body:
                if isinstance(node, ast.ImportFrom) and node.module:
                    homes.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
        return homes

    def get(name: str) -> "Any":
        if name == "__all__":
            return sorted(names())
        if name not in names():
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=itself)
        from importlib import import_module

        module, own = homes[name]
        found = import_module(f"{package}.{own}") if module == package else getattr(import_module(module), own)
        setattr(itself, name, found)
        return found

    return get, lambda: sorted({*names(), *(name for name in vars(itself) if name.startswith("__"))})

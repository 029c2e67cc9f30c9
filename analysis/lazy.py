"""Packages whose names are loaded when they are first used.

Such a package imports its names under ``TYPE_CHECKING`` alone, where type checkers and editors see them; what is read
there says which module each name is loaded from; of a module that stands there with a star the package offers every
public function and class. (scikit-image and others do the same by `lazy_loader.attach_stub`.)
Every start of the command comes by here, so nothing is imported that is not used.
"""

import sys

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than the rest of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def read(file: str) -> str:
    """Return the code of a file."""
    with open(file, encoding="utf-8") as code:
        return code.read()


def lazy(package: str) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """Return the `__getattr__` of a package, which has its `__all__` as well, and its `__dir__`."""
    itself, homes = sys.modules[package], dict[str, tuple[str, str]]()

    def names() -> dict[str, tuple[str, str]]:
        """Return for each name the module that has it, and what it is called there."""
        if not homes:
            import ast

            (block,) = (node for node in ast.parse(read(str(itself.__file__))).body if isinstance(node, ast.If))
            for node in block.body:
                if isinstance(node, ast.ImportFrom) and node.module:
                    homes.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
                    if homes.pop("*", None):
                        homes.update({name: (node.module, name) for name in made_in(node.module)})
        return homes

    def made_in(module: str) -> list[str]:
        """Return the public functions and classes of a module of the package, which is not loaded for it."""
        import re

        code = read(f"{itself.__path__[0]}/{module.rpartition('.')[2]}.py")
        return re.findall(r"^(?:class|def) ([A-Za-z]\w*)", code, flags=re.MULTILINE)

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

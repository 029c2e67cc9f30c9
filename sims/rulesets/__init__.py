"""Sets of building rules; the folders are the registry.

Each folder is a package that offers two names: `Rules`, its kind of book, and `assault`, which turns a scenario and a
book into something that an engine can play. Rule sets do not see their siblings.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from sims.assault import Assault
from sims.errors import CasemateError, Faults, nearest
from sims.reading import read, validate
from sims.rulebook import Book, HouseRule, differences
from sims.scenario import Scenario


@dataclass(frozen=True)
class RuleSet:
    """A set of building rules, or a house rule made from one.

    Attributes
    ----------
    id : str
        The folder, or the name of the house rule's file.
    title : str
    base : str
        The folder.
    book : Book
        Every number and ruling in force.
    """

    id: str
    title: str
    base: str
    book: Book
    _play: Callable[[Scenario, Any], Assault[Any, Any]]

    def assault(self, scenario: Scenario) -> Assault[Any, Any]:
        """Return the scenario under these rules, ready to be played."""
        return self._play(scenario, self.book)

    def changes(self) -> list[tuple[str, Any, Any]]:
        """List what a house rule changes: key, the base's value, its own."""
        return differences(type(self.book).load(), self.book)


def rule_set_ids() -> list[str]:
    """Return the ids of the rule sets that come with Casemate."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg and not m.name.startswith("_"))


def rule_set(name: str) -> RuleSet:
    """Return a rule set by its id, or a house rule from its file.

    Raises
    ------
    CasemateError
        If there is no such rule set, or the file does not fit its base.
    """
    if name in rule_set_ids():
        module = import_module(f"{__name__}.{name}")
        book = module.Rules.load()
        return RuleSet(name, book.ruleset.title, name, book, module.assault)
    path = Path(name)
    if path.suffix != ".toml" and not path.exists():
        message = f'there is no rule set "{name}"; {nearest(name, rule_set_ids())} (or the file of a house rule)'
        raise CasemateError(message)
    source, faults = read(path), Faults()
    base = source.data.get("base")
    with faults:
        house = validate(HouseRule, source.data, [source])
    if base in rule_set_ids():
        module = import_module(f"{__name__}.{base}")
        with faults:
            book = module.Rules.load(source)
    elif isinstance(base, str):
        with faults:
            raise source.error(("base",), f'unknown rule set "{base}"; {nearest(base, rule_set_ids())}')
    faults.tell()
    return RuleSet(path.stem, house.title or path.stem, house.base, book, module.assault)

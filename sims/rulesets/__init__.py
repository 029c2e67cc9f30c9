"""Sets of building rules; the folders are the registry.

Each folder is a package that offers two names: `Rules`, its kind of book, and `assault`, which turns a scenario and a
book into something that an engine can play. Where its rules leave to the attackers how they go in, it offers a third,
`ways`: those that they may choose from. Rule sets do not see their siblings.
"""

import json
import os
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from sims.assault import Assault
from sims.errors import CasemateError, Faults, nearest
from sims.reading import MOST_BASES, Source, read, validate
from sims.reads import Seen, look_again, watched
from sims.rulebook import Book, HouseRule, differences
from sims.rulesets.choosing import Choice, Way, choice
from sims.scenario import Scenario

REMEMBERED = 256
"""Scenarios whose choices a set of rules remembers, the last ones: a sweep may have very many."""


@dataclass(frozen=True)
class RuleSet:
    """A set of building rules, or a house rule made from one.

    Attributes:
        id: The folder, or the name of the house rule's file.
        base: The folder.
        book: Every number and ruling in force.
        made_from: What a house rule names as its base: the rule set, or another house rule.
        file: The file of a house rule, from here.
    """

    id: str
    title: str
    base: str
    book: Book = field(repr=False)
    _play: Callable[[Scenario, Any], Assault[Any, Any]] = field(repr=False)
    _ways: Callable[[Scenario, Any], Sequence[Way]] = field(repr=False)
    made_from: "RuleSet | None" = None
    file: str | None = None
    _chosen: dict[Scenario, tuple[Choice, Seen]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def leaves(self) -> Mapping[str, Any]:
        """Every value of the book in force, by its key; to be asked for while nobody notes what is read of a book."""
        return self.book.leaves()

    @cached_property
    def digest(self) -> str:
        """A digest of these values, and of nothing else; to be asked for as they are."""
        return sha256(json.dumps(self.leaves, sort_keys=True).encode("ascii")).hexdigest()

    @property
    def look(self) -> str:
        """How it looks in every chart: the colour of its book, and "dashed" for a house rule."""
        colour = self.book.ruleset.colour
        return f"{colour}, dashed" if self.made_from else colour

    def assault(self, scenario: Scenario) -> Assault[Any, Any]:
        """Return the scenario under these rules, ready to be played; the attackers choose what it leaves to them."""
        found = self.choice(scenario)
        return replace(self._play(found.taken(scenario), self.book), chosen=found.words)

    def ways(self, scenario: Scenario) -> Sequence[Way]:
        """Return the ways to go in that the attackers choose from; one or none where there is nothing to choose."""
        return self._ways(scenario, self.book)

    def choice(self, scenario: Scenario) -> Choice:
        """Return how the attackers go in, of all ways that the scenario leaves open and keep to the end the best.

        Where a garrison comes out before anybody goes in, it is what they would choose if it stayed inside.
        """
        asked = replace(scenario, may_change=False, one_of_several=False)
        ways = self.ways(asked)
        if len(ways) < 2:
            return Choice(next(iter(ways), None), ways)
        if asked not in self._chosen:
            with watched() as seen:
                found = choice(ways, lambda way: self._play(way.taken(asked), self.book))
                if found.named and not found.won and asked.defence == "sally":
                    found = replace(self.choice(replace(asked, defence="hold")), won={})
            self._chosen[asked] = found, seen
            if len(self._chosen) > REMEMBERED:
                del self._chosen[next(iter(self._chosen))]
        found, seen = self._chosen[asked]
        look_again(seen)
        return found

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """Return the rules with some values of the book changed, by the keys of `Book.leaves`.

        Raises:
            CasemateError: If a key is unknown or a value does not fit.
        """
        return replace(self, book=self.book.with_values(values)) if values else self

    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Return what a house rule changes in its base: by key, as it is written, the base's value and its own."""
        return differences(self.made_from.book, self.book) if self.made_from else {}


def rule_set_ids() -> list[str]:
    """Return the ids of the rule sets that come with Casemate."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg and not m.name.startswith("_"))


def rule_set(name: str | Path | RuleSet) -> RuleSet:
    """Read one set of rules: those that come with Casemate by their id, a house rule by the path of its file.

    What is a `RuleSet` already is returned as it is.

    >>> rule_set("storming")
    RuleSet(id='storming', title='Storming buildings', base='storming', made_from=None, file=None)

    Raises:
        CasemateError: If there is no such rule set, or the file does not fit its base.
    """
    return name if isinstance(name, RuleSet) else _rule_set(str(name), Path(name), ())


Rules = str | Path | RuleSet | Iterable[str | Path | RuleSet]
"""Sets of rules by their ids, house rules by the paths of their files: in a list, or in one text with commas."""


def rule_sets_of(names: Rules) -> list[RuleSet]:
    """Read several sets of rules: ``"all"`` are those that come with Casemate.

    >>> [each.id for each in rule_sets_of("storming, gemini")]
    ['storming', 'gemini']

    Raises:
        CasemateError: If none is named, a name is unknown, or two go by the same id.
    """
    if isinstance(names, str | Path | RuleSet):
        names = map(str.strip, names.split(",")) if isinstance(names, str) else [names]
    if not isinstance(names, Iterable):
        raise CasemateError(f"expected the names of sets of rules, or the paths of their files, got {names!r}")
    found: dict[str, RuleSet] = {}
    for name in with_all(names):
        one = rule_set(name)
        if one.id in found:
            raise CasemateError(f'two sets of rules are called "{one.id}"; give each once, under a name of its own')
        found[one.id] = one
    if not found:
        raise CasemateError("no set of rules is named; expected ids and paths, or all")
    return list(found.values())


def with_all(names: Iterable[Any], ids: Callable[[], list[str]] = rule_set_ids) -> list[Any]:
    """Return names, with those of all that there are in place of ``all``."""
    return [each for name in names for each in (ids() if name == "all" else [name])]


def _rule_set(name: str, path: Path, above: tuple[Path, ...]) -> RuleSet:
    """Return a rule set, or a house rule; `above` are the files that it is the base of."""
    if name in rule_set_ids():
        return _shipped(name)
    if not name or (path.suffix != ".toml" and not path.exists()):
        message = f'there is no rule set "{name}"; {nearest(name, rule_set_ids())}'
        if name == "all" or "," in name:
            message = f'one set of rules is asked for, not "{name}"; {nearest("", rule_set_ids())}'
        raise CasemateError(f"{message} (or the file of a house rule)")
    source, faults = read(path), Faults()
    with faults:
        house = validate(HouseRule, source.data, [source])
    base = source.data.get("base")
    if isinstance(base, str):
        with faults:
            under = _base(base, source, (*above, path.resolve()))
            book = under.book.under(source)
    faults.tell()
    title, file = house.title or path.stem, os.path.relpath(path)
    return RuleSet(path.stem, title, under.base, book, under._play, under._ways, under, file)


@cache
def _shipped(name: str) -> RuleSet:
    """Return a set of rules that comes with Casemate; what attackers choose under it is not sought twice."""
    module = import_module(f"{__name__}.{name}")
    book = module.Rules.load()
    ways = getattr(module, "ways", lambda scenario, book: ())
    return RuleSet(name, book.ruleset.title, name, book, module.assault, ways)


def _base(name: str, source: Source, above: tuple[Path, ...]) -> RuleSet:
    """Return the base that a house rule names: a rule set, or another file beside its own."""
    path = above[-1].parent / name
    if len(above) > MOST_BASES:
        raise source.error(("base",), f"more than {MOST_BASES} house rules are made from each other")
    if path.resolve() in above:
        raise source.error(("base",), f'"{name}" is made from this house rule itself')
    if name not in rule_set_ids() and not path.exists():
        if path.suffix == ".toml":
            raise source.error(("base",), f'there is no file "{path}"')
        raise source.error(("base",), f'unknown rule set "{name}"; {nearest(name, rule_set_ids())}')
    return _rule_set(name, path, above)

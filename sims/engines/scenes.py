"""Dependency tracking: what a rule looks at in its scene. What it never looks at cannot matter to what it does."""

from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from itertools import zip_longest
from typing import Any

INNER = ("scenario", "attackers", "defenders", "groups")
"""The fields of a scene that are looked into: which parts of a side are looked at, not whether it is."""
NOTES = "_notes"
"""Where a noting copy has what it notes."""


def noting(scene: Any, seen: set[str], within: str = "") -> Any:
    """Return a copy of a scene that notes which of its fields are looked at, and which of those it looks into.

    Args:
        scene (dataclass): What else there may be is taken to be looked at as a whole.
        seen: The names of the fields are added to it, those within another after its name and a dot.
    """
    if isinstance(scene, tuple):
        return tuple(noting(each, seen, f"{within}{i}.") for i, each in enumerate(scene))
    if not is_dataclass(scene):
        seen.add(within)
        return scene
    fields = vars(scene)
    inner = {name: noting(fields[name], seen, f"{within}{name}.") for name in INNER if name in fields}
    notes = {name: {f"{within}{name}"} for name in fields if name not in inner}
    notes["__dict__"] = set[str]().union(*notes.values())
    kind: Any = type(scene)
    copy = object.__new__(_noting(kind))
    object.__getattribute__(copy, "__dict__").update(fields | inner | {NOTES: (seen, notes)})
    return copy


@cache
def _noting(kind: Any) -> Any:
    """Return a kind of object that is as another, but for noting what is looked at."""
    plain = object.__getattribute__

    def noted(self: Any, name: str) -> Any:
        seen, notes = plain(self, "__dict__").get(NOTES, (set[str](), {}))  # none, if made of a copy: that has noted it
        seen.update(notes.get(name, ()))
        return plain(self, name)

    return type(kind.__name__, (kind,), {"__getattribute__": noted})


def differing(one: Any, other: Any, within: str = "") -> Iterator[str]:
    """Yield the fields in which two scenes differ, by the names that `noting` has for them."""
    if isinstance(one, tuple):
        for i, (mine, its) in enumerate(zip_longest(one, other)):
            yield from differing(mine, its, f"{within}{i}.")
        return
    if not is_dataclass(one) or other is None:
        yield from [within] * bool(one != other)
        return
    for name, value in vars(one).items():
        beside = getattr(other, name)
        if name in INNER:
            yield from differing(value, beside, f"{within}{name}.")
        elif value is not beside and value != beside:
            yield f"{within}{name}"

"""Every number, die and ruling that a rule set offers for change makes a difference somewhere.

Each is changed by a legal step, and what reads it is played and asked again: small assaults, and the questions of
``casemate odds``. What reads it is found by watching a book while they are played and asked with nothing changed. The
first that comes out otherwise is enough, so what is likeliest to is tried first. A new number that fails here wants an
assault, an input or a companion in `numbers_inputs`, or should go; one that is slow wants a hint there.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import product, takewhile
from typing import Any, TypeVar

import pytest

from sims.reading import dotted as written
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos import building
from tests.rulesets.numbers_books import Edits, Key, dotted, fits, keyed, offered, steps, with_edits
from tests.rulesets.numbers_inputs import SHOWN_BY, UNDER
from tests.rulesets.numbers_trials import Trial, asked, assaults

FEW = 8
"""How many trials are tried together: all of them with the first step before any with the last."""
NEAR = 2
"""How much of their keys two numbers share at least that the same trials are likely to show to matter."""
V = TypeVar("V")


def leaf(key: Key) -> str:
    """Return the value of a book that a key stands in: a whole array is read at once."""
    own = tuple(part for part in key if part not in ("game", "choice"))
    return written(tuple(takewhile(lambda part: isinstance(part, str), own)))


def table(key: Key) -> Key:
    """Return the table that a key stands in; a ruling stands by itself."""
    return key[: key.index("tables") + 2] if "tables" in key else key


def for_key(among: dict[str, V], key: Key, otherwise: V) -> V:
    """Return what stands under the first pattern that a key fits."""
    return next((value for pattern, value in among.items() if fnmatchcase(dotted(key), pattern)), otherwise)


class Search:
    """What makes a difference to which trials of a rule set; they are tried out when they are first needed."""

    def __init__(self, rules: str, trials: Iterable[Trial]) -> None:
        self.rules, self.kind = rules, type(rule_set(rules).book)
        self.trials = [*trials]
        self.shown: list[tuple[Key, Trial]] = []

    def unread(self, keys: Iterable[Key]) -> list[str]:
        """Return the keys whose values no trial looks at, though what goes with them be changed."""
        left = {leaf(key) for key in keys if not for_key(UNDER.get(self.rules, {}), key, {})}
        for trial in self.trials:
            left -= trial.reads if left else left
        return sorted(left)

    def inert(self, keys: Iterable[Key]) -> list[str]:
        """Return the keys that change nothing, and the options of rulings that do not."""
        found = []
        for key in keys:
            ways = [*steps(self.kind, key)]
            if "rulings" in key:
                found += [f"{dotted(key)} = {way[key]}" for way in ways if not self.matters(key, [way])]
            elif not self.matters(key, ways):
                found.append(dotted(key))
        return found

    def matters(self, key: Key, ways: list[Edits]) -> bool:
        """Return whether any way to change a key makes a difference to a trial."""
        also = {keyed(k): value for k, value in for_key(UNDER.get(self.rules, {}), key, {}).items()}
        legal = [also | way for way in ways if fits(self.kind, also | way)]
        leaves = {leaf(k) for k in (key, *also)}
        for few in self.likeliest_first(key):
            reading = [trial for trial in few if leaves & trial.reads]
            by = self.first_to_differ(also, legal, reading)
            if by:
                self.shown.append((key, by))
                return True
        return False

    def likeliest_first(self, key: Key) -> Iterator[list[Trial]]:
        """Yield the trials a few at a time: the one said to, those that showed its neighbours, the quick, the rest."""
        title = for_key(SHOWN_BY.get(self.rules, {}), key, "")
        near = [(-common(other, key), -n, trial) for n, (other, trial) in enumerate(self.shown)]
        near = [trial for parts, _, trial in sorted(near) if -parts >= NEAR]
        yield [*dict.fromkeys([*(t for t in self.trials if title and title in t.name), *near])][:FEW]
        yield sorted((t for t in self.trials if t.quick), key=lambda trial: trial.effort)
        slow = [t for t in self.trials if not t.quick]
        for start in range(0, len(slow), FEW):
            yield sorted(slow[start : start + FEW], key=lambda trial: trial.effort)

    def first_to_differ(self, also: Edits, ways: list[Edits], trials: list[Trial]) -> Trial | None:
        """Return the first trial that comes out otherwise by a change; what may be for want of room does not count."""
        before = cache(lambda trial: self.under(also, trial) if also else trial.before)
        ranked = sorted(product(enumerate(trials, 1), enumerate(ways, 1)), key=lambda pair: pair[0][0] * pair[1][0])
        for (_, trial), (_, way) in ranked:
            if self.under(way, trial, before(trial)) != before(trial):
                return trial
        return None

    def under(self, edits: Edits, trial: Trial, otherwise: Any = None) -> Any:
        return trial.answer(with_edits(self.kind, edits), otherwise)


def common(one: Key, other: Key) -> int:
    """Return how many parts two keys have in common, from the left."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def test_a_number_that_nothing_reads_is_caught(monkeypatch):
    """The short form: doors that any question asks about, with their width in the book and then in code."""
    kind = type(rule_set("realm_of_chaos").book)
    doors = [key for key in offered(kind) if "doors" in key]

    def inert():
        return Search("realm_of_chaos", (t for t in asked(kind) if "to pass doors" in t.name)).inert(doors)

    def in_code(rules, single=0, double=0, barn=0):
        return 4 * single + 8 * double + 12 * barn

    assert inert() == []
    monkeypatch.setattr(building, "door_width", in_code)
    assert inert() == ["tables.doors.single", "tables.doors.double", "tables.doors.barn"]


def test_what_is_said_of_keys_still_concerns_some(rules):
    """Keys and titles of assaults in the hints are those of today."""
    kind = type(rule_set(rules).book)
    names = [trial.name for trial in assaults(rules)]
    hints = SHOWN_BY.get(rules, {})
    assert [title for title in hints.values() if not any(title in name for name in names)] == []
    keys = [dotted(key) for key in offered(kind)]
    patterns = [*hints, *UNDER.get(rules, {})]
    assert [pattern for pattern in patterns if not any(fnmatchcase(key, pattern) for key in keys)] == []


@pytest.mark.slow
def test_every_number_die_and_ruling_makes_a_difference(rules, some):
    """The short form: every one is looked at, and of each table one makes a difference, and every ruling."""
    kind = type(rule_set(rules).book)
    search = Search(rules, (*asked(kind), *assaults(rules)))
    assert search.unread(offered(kind)) == []
    assert search.inert(some(offered(kind), table)) == []

"""Lines of a list that says when to do what.

The first line that holds counts, and the last always holds::

within 6 inches and 9 attackers or fewer: smoke
else: storm
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.told.fields import Columns
from sims.dice import Bools, Ints
from sims.words import counted


class Bounds(NamedTuple):
    """The least and the greatest that a number may be; none where it is open."""

    least: int | None = None
    most: int | None = None


class Line(NamedTuple):
    """When to go by which plan: `where` is what has to hold, by the words of the log."""

    where: Mapping[str, Bounds]
    plan: str

    @property
    def words(self) -> str:
        """The line in words."""
        return f"{' and '.join(_said(name, *of) for name, of in self.where.items()) or 'else'}: {self.plan}"

    def with_bounds(self, name: str, of: Bounds) -> "Line":
        """Return the line with other bounds of a number; open ones are left out."""
        where = {**self.where, name: of}
        return Line({each: bounds for each, bounds in where.items() if bounds != Bounds()}, self.plan)

    def holds(self, columns: Columns) -> Bools:
        """Return where the line holds, ``[N]``."""
        holds = np.ones(len(next(iter(columns.values()))), dtype=np.bool_)
        for name, (least, most) in self.where.items():
            if least is not None:
                holds &= columns[name] >= least
            if most is not None:
                holds &= columns[name] <= most
        return holds

    def with_both_bounds(self, columns: Columns) -> "Line":
        """Return the line with both bounds where a number cannot be less than the one, or more than the other."""
        where = {name: self.where[name] for name in columns if name in self.where}
        for name, (least, most) in where.items():
            if least == columns[name].max() or most == columns[name].min():
                where[name] = Bounds(*[least if most is None else most] * 2)
        return Line(where, self.plan)


def _said(name: str, least: int | None, most: int | None) -> str:
    """Say what has to hold."""
    if name == "distance":
        return _away(least, most)
    if name == "turn":
        return _when(least, most)
    if least == most:
        return counted(most or 0, name.removesuffix("s"))
    if least is None:
        return f"{most} {name} or fewer"
    return f"{least} {name} or more" if most is None else f"{least} to {most} {name}"


def _away(least: int | None, most: int | None) -> str:
    """Say how far away."""
    if least is None:
        return f"within {_inches(most or 0)}"
    if most is None:
        return f"more than {_inches(least - 1)} away"
    return f"{_inches(least)} away" if least == most else f"{least} to {_inches(most)} away"


def _inches(n: int) -> str:
    return "an inch" if n == 1 else f"{n} inches"


def _when(first: int | None, last: int | None) -> str:
    """Say in which turns."""
    if first is None:
        return f"up to turn {last}"
    if last is None:
        return f"from turn {first} on"
    return f"in turn {first}" if first == last else f"in turns {first} to {last}"


def plans_named(lines: Sequence[Line], columns: Columns, plans: Sequence[str]) -> Ints:
    """Return which of some plans a list names, ``[N]``: the plan of the first line that holds."""
    holding = [line.holds(columns) for line in lines]
    return np.select(holding, [plans.index(line.plan) for line in lines])


def shortest_list(lines: Sequence[Line], columns: Columns, plans: Sequence[str]) -> tuple[Line, ...]:
    """Return the shortest list that can be made of lines of which one holds in each place, and says the same there.

    Each plan is tried as what the last line says, whose own lines then are not needed; of the others is left out what
    need not be said. Of lists with as many lines and conditions as each other it is that of the fewest letters.
    """
    same = plans_named(lines, columns, plans)
    lists = [_without_needless(found, columns, plans, same) for found in _with_each_last(lines)]
    return min(lists, key=_length)


def _length(lines: Sequence[Line]) -> tuple[int, int, int]:
    """Return how long a list is: its lines, what has to hold, its letters."""
    return len(lines), sum(len(line.where) for line in lines), sum(len(line.words) for line in lines)


def _with_each_last(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield lists that say the same, each with another plan in its last line."""
    for last in dict.fromkeys(line.plan for line in lines):
        others = [line for line in lines if line.plan != last]
        yield [*sorted(others, key=lambda line: len(line.where)), Line({}, last)]


def _without_needless(found: list[Line], columns: Columns, plans: Sequence[str], same: Ints) -> tuple[Line, ...]:
    """Return a list without the lines and the bounds that it says the same without."""
    while True:
        for shorter in _shorter(found):
            if (plans_named(shorter, columns, plans) == same).all():
                found = shorter
                break
        else:
            return tuple(found)


def _shorter(found: list[Line]) -> Iterator[list[Line]]:
    """Yield lists that have a line less, or a bound less in one line; the last line stays."""
    for i, line in enumerate(found[:-1]):
        yield [*found[:i], *found[i + 1 :]]
        for name, of in line.where.items():
            for less in Bounds(None, of.most), Bounds(of.least, None):
                if less != of:
                    yield [*found[:i], line.with_bounds(name, less), *found[i + 1 :]]

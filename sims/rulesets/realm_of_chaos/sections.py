"""The plan of a building: its sections, what adjoins what, where the doors are, and how far it is between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sims.dice import Bools

FAR = 99
"""More steps than from any section to another."""


class Section(NamedTuple):
    """A place in a building: the number of its column, and its level, 1 on the ground."""

    column: int
    level: int


@dataclass(frozen=True)
class Column:
    """Sections one above the other.

    Attributes:
        levels: How many.
        door: How many models pass its doors in a turn, in or out; 0 if it has none.
        places: How many models shoot from each of its sections: one to a full inch of its wall.
        ceilings: How high each level is, in feet, if it is said.
    """

    levels: int
    door: int
    places: int
    ceilings: tuple[int, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The sections of a building (partly RC-002), in the order of its columns, in each from the ground up.

    Attributes:
        names: Of the columns.
        beside: Of each column the numbers of those that share a wall with it.
        closed: The sections that are too low for the party that walks in it.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    beside: tuple[tuple[int, ...], ...]
    closed: frozenset[int] = frozenset()

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Every section."""
        return tuple(Section(c, level) for c, own in enumerate(self.columns) for level in range(1, own.levels + 1))

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """What each section is called, such as A1."""
        return tuple(f"{self.names[column]}{level}" for column, level in self.sections)

    @cached_property
    def ground(self) -> tuple[int, ...]:
        """The number of the ground section of each column."""
        return tuple(i for i, section in enumerate(self.sections) if section.level == 1)

    @cached_property
    def upwards(self) -> tuple[int, ...]:
        """The sections, those on the ground first."""
        return (*self.ground, *(i for i in range(len(self.sections)) if i not in self.ground))

    @cached_property
    def doors(self) -> tuple[int, ...]:
        """The sections that a door leads to."""
        return tuple(i for i, column in zip(self.ground, self.columns, strict=True) if column.door)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The sections that adjoin each: above, below, and on its level in the columns beside its own (RC-065)."""
        number = {section: i for i, section in enumerate(self.sections) if i not in self.closed}
        near = (
            [(c, level - 1), (c, level + 1), *((other, level) for other in self.beside[c])]
            for c, level in self.sections
        )
        return tuple(tuple(sorted(number[Section(*n)] for n in each if Section(*n) in number)) for each in near)

    @cached_property
    def ceilings(self) -> tuple[int | None, ...]:
        """How many feet high each section is, if it is said."""
        by_column = [column.ceilings or (None,) * column.levels for column in self.columns]
        return tuple(by_column[column][level - 1] for column, level in self.sections)

    def above(self, section: int) -> int | None:
        """Return the section on top of one, if there is any."""
        column, level = self.sections[section]
        return section + 1 if level < self.columns[column].levels else None

    @cached_property
    def steps(self) -> npt.NDArray[np.int16]:
        """How many steps it is from each section to each, never diagonally, ``[K, K]`` (RC-006)."""
        steps = np.full((len(self.sections),) * 2, FAR, dtype=np.int16)
        for start in range(len(self.sections)):
            for n, reached in enumerate(waves((start,), self.neighbours)):
                steps[start, list(reached)] = n
        return steps

    @cached_property
    def farthest(self) -> int:
        """The most steps from any section to one that can be reached from it."""
        return int(self.steps.max(where=self.steps < FAR, initial=0))

    @cached_property
    def fronts(self) -> tuple[int, ...]:
        """The columns in the order in which they are attacked: the first with a door, those beside it, and so on."""
        first = self.sections[self.doors[0]].column if self.doors else 0
        return tuple(column for wave in waves((first,), self.beside) for column in wave)

    @cached_property
    def entries(self) -> tuple[int, ...]:
        """The sections with doors; without any the ground section of the first column."""
        return self.doors or (self.ground[self.fronts[0]],)

    @cached_property
    def within_reach(self) -> frozenset[int]:
        """The sections to which those who walk in it get from a door."""
        return frozenset(
            i for wave in waves((i for i in self.entries if i not in self.closed), self.neighbours) for i in wave
        )

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """How many steps it is from each section to the nearest door."""
        return tuple(int(n) for n in self.steps[list(self.entries)].min(axis=0))

    @cached_property
    def inwards(self) -> tuple[int, ...]:
        """The sections, those nearest to a door first."""
        return tuple(sorted(range(len(self.sections)), key=lambda i: (self.depths[i], i)))

    @cached_property
    def onwards(self) -> tuple[int, ...]:
        """The sections, those nearest to the first door first, so that the first ones hang together (RC-010)."""
        steps = self.steps[self.entries[0]].tolist()
        return tuple(sorted(range(len(self.sections)), key=lambda i: (steps[i], i)))

    @cached_property
    def deepest_first(self) -> tuple[int, ...]:
        """The sections, those farthest from a door first."""
        return tuple(sorted(range(len(self.sections)), key=lambda i: (-self.depths[i], i)))

    @cached_property
    def from_the_top(self) -> tuple[int, ...]:
        """The sections as they are filled from the top, so that those filled always hang together (RC-010).

        The highest first, then always the highest that adjoins one of those; of equals the nearest to a door.
        """

        def rank(i: int) -> tuple[int, int, int]:
            return -self.sections[i].level, self.depths[i], i

        taken = [min(range(len(self.sections)), key=rank)]
        while len(taken) < len(self.sections):
            taken.append(min({n for i in taken for n in self.neighbours[i]} - {*taken}, key=rank))
        return tuple(taken)

    def hangs_together(self, held: Sequence[Bools]) -> Bools:
        """Return whether a unit is an unbroken chain of neighbouring sections, elementwise (RC-010).

        Args:
            held: Whether it is in each section; who is outside is in none.
        """
        coded = (np.left_shift(truth.astype(np.int64), i) for i, truth in enumerate(held))
        found, inverse = np.unique(sum(coded, np.zeros(1, np.int64)), return_inverse=True)
        whole = [self._is_chain({i for i in range(len(held)) if code >> i & 1}) for code in found.tolist()]
        return np.array(whole, dtype=np.bool_)[inverse.reshape(-1)]

    def _is_chain(self, places: set[int]) -> bool:
        near = [tuple(n for n in each if n in places) for each in self.neighbours]
        return {i for wave in waves(sorted(places)[:1], near) for i in wave} == places


@dataclass(frozen=True)
class Party:
    """Models of a side who are counted together inside: those up to 10 feet, and those who are taller (RC-005).

    Attributes:
        groups: Their numbers in the force.
        plan: The building as they walk in it.
        places: For how many models each of them counts, by section.
    """

    groups: tuple[int, ...]
    plan: Plan
    places: tuple[int, ...]


def everybody(plan: Plan, groups: int) -> Party:
    """Return the one party of a side of so many groups, each of whom takes one place."""
    return Party(tuple(range(groups)), plan, (1,) * len(plan.sections))


def waves(start: Iterable[int], near: Sequence[Sequence[int]]) -> Iterable[tuple[int, ...]]:
    """Yield what is reached from some places by no step, by one, by two, and so on, each place once, in their order."""
    wave = tuple(start)
    seen = {*wave}
    while wave:
        yield wave
        wave = tuple(dict.fromkeys(n for i in wave for n in near[i] if n not in seen))
        seen |= {*wave}

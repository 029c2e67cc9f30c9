"""How a unit stands that something with an area is fired at, and what is between it and who fires."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.games.arap.book import Arap
from sims.games.arap.rolls.circumstances import COVERS, unit_in_cover
from sims.geometry import Points, Stretches, behind_walls, formation, stretches
from sims.ground import Band, Wall, kind_at, through_smoke
from sims.scenario import Force

OPEN, SOFT, HARD = range(len(COVERS))


@dataclass(frozen=True)
class Ranks:
    """How models stand who have room: so many abreast, with inches from middle to middle, and each so many across."""

    files: int
    gap: float
    across: float

    @classmethod
    def of(cls, book: Arap, force: Force) -> "Ranks":
        """Return how a force stands: as its scenario has it, or as the book does (ARAP-153)."""
        how = book.tables.formation
        files, gap = (how.files, how.gap) if force.formation is None else (force.formation.files, force.formation.gap)
        return cls(files, float(gap), float(how.across))

    def places(self, models: int) -> Points:
        """Return where so many models stand, ``[models]``, the middle of the first rank at 0."""
        return formation(models, self.files, self.gap)


@dataclass(frozen=True)
class Walls:
    """Low walls before a building: points are inches from it, and to the side."""

    ends: tuple[tuple[complex, complex], ...] = ()

    @classmethod
    def of(cls, walls: Sequence[Wall]) -> "Walls":
        """Return the walls of a scenario."""
        return cls(tuple((complex(*wall.start), complex(*wall.end)) for wall in walls))

    def before(self, inches: int) -> Stretches:
        """Return them as they lie before a unit whose first rank is so far from the building."""
        return stretches((start - inches, end - inches) for start, end in self.ends)


OPEN_GROUND = Walls()
"""No walls."""


class Lane(NamedTuple):
    """What a shot meets between a building and a unit outside it, ``[R]`` each.

    Attributes:
        ground: What cover the unit has from the ground that it stands on: `OPEN`, `SOFT` or `HARD`.
        cover: The same from the ground or from walls, for the unit as a whole (ARAP-109, ARAP-110).
        smoke: Whether it goes through smoke.
        walls: The walls on the way.
    """

    ground: Ints
    cover: Ints
    smoke: Bools
    walls: Walls = OPEN_GROUND


CLEAR = Lane(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.bool_))


def lane(ranks: Ranks, walls: Walls, bands: Sequence[Band], models: Ints, inches: Ints) -> Lane:
    """Return what is between a building and a unit before it: nothing where the scenario has neither walls nor bands.

    Source: Hard and Soft Cover (ARAP-109, ARAP-110).

    Args:
        models: In the unit.
        inches: From the building to its first rank.
    """
    if not walls.ends and not bands:
        return CLEAR
    farthest = range(int(np.max(inches, initial=0)) + 1)
    covers = {"open": OPEN, "soft": SOFT, "hard": HARD, "smoke": OPEN}
    ground = np.array([covers[kind_at(bands, n)] for n in farthest])[inches]
    smoke = np.array([through_smoke(bands, n) for n in farthest])[inches]
    behind = np.zeros_like(models + inches)
    for there, column in each_of(models, inches):
        behind[there] = np.count_nonzero(behind_wall(ranks, walls, *column))
    return Lane(ground, np.where(unit_in_cover(models, behind), HARD, ground), smoke, walls)


@lru_cache(maxsize=2**12)
def behind_wall(ranks: Ranks, walls: Walls, models: int, inches: int) -> Bools:
    """Return which models of a unit have a wall between them and a building so far off, ``[models]``."""
    return behind_walls(complex(-inches), ranks.places(models), walls.before(inches))


def each_of(*arguments: Argument) -> Iterator[tuple[Bools, tuple[int, ...]]]:
    """Yield all different columns of some arguments, each with where it stands in what they are together."""
    together = np.stack(np.broadcast_arrays(*arguments))
    different, which = np.unique(together.reshape(len(arguments), -1), axis=1, return_inverse=True)
    for i, column in enumerate(different.T.tolist()):
        yield (which == i).reshape(together.shape[1:]), tuple(column)

"""Rows of a marker over a unit: how often each model is under it, how many are, and what of that is behind a wall.

The marker is aimed at the model nearest to the middle of the unit (ARAP-147). It strays by half of the range at most
(ARAP-149), and a wall stops one that strays (ARAP-152).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from analysis.rows.scatter import MOST, Variant, inches_words
from sims.dice import Ints
from sims.dice.tables import Floats
from sims.errors import CasemateError
from sims.games.arap.areas.aim import strays
from sims.geometry import Field, formation, landing, law, nearest_to_centre, points, stretches
from sims.geometry.cover import BEHIND, OPEN
from sims.ground import MOST_WALLS, WIDEST
from sims.profiles import MOST_MODELS
from sims.words import counted

FARTHEST = 120
"""Inches from the first rank to the shooter, or to the end of a wall, at most."""
SHORTEST = 0.1
"""Inches of wall, at least: less is no wall."""

Wall = tuple[float, float, float, float]
"""Both ends, ``x, y, x, y``, in inches."""


@dataclass(frozen=True)
class Shot:
    """A marker that is shot at a unit in ranks; `CasemateError` where there can be none.

    Places are in inches from the middle of the first rank: x away from the shooter, y to the shooter's left.

    Attributes:
        scatter: How the marker scatters, and how far.
        files: Models abreast, in one rank.
        gap: Inches from the middle of one model to that of the next.
        base: Inches that a model is across; 0 for its centre.
        distance: Inches from the shooter to the first rank.
        marker: Inches that the marker is across.
        walls: The two ends of each.
    """

    scatter: Variant
    models: int
    files: int = 5
    gap: float = 2
    base: float = 0.75
    distance: float = 24
    marker: float = 3
    walls: Sequence[Wall] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.models <= MOST_MODELS:
            raise CasemateError(f"a unit cannot have {counted(self.models, 'model')}; expected 1 to {MOST_MODELS}")
        if self.files < 1:
            raise CasemateError(f"models cannot stand {self.files} abreast; expected 1 or more")
        if not 0 <= self.base <= MOST:
            raise CasemateError(f"the base cannot be {self.base:g} inches; expected 0 to {MOST}")
        if not (self.gap > 0 and self.gap >= self.base):
            least = f"{self.base:g} or more, for models are as wide" if self.base else "more than 0"
            raise CasemateError(f"the gap cannot be {self.gap:g} inches; expected {least}")
        files = min(self.files, self.models)
        ranks = -(-self.models // files)
        for number, across, advice in ((files, "wide", "fewer files"), (ranks, "deep", "more files")):
            inches = (number - 1) * self.gap + self.base
            if not inches <= WIDEST:
                raise CasemateError(
                    f"the unit cannot be {inches:g} inches {across}; expected {WIDEST} at most: {advice}, or a smaller "
                    "gap"
                )
        if not 0 < self.marker <= MOST:
            raise CasemateError(
                f"a marker cannot be {self.marker:g} inches across; expected more than 0, and {MOST} at most"
            )
        if not 0 < self.distance <= FARTHEST:
            raise CasemateError(
                f"the distance cannot be {self.distance:g} inches; expected more than 0, and {FARTHEST} at most"
            )
        if len(self.walls) > MOST_WALLS:
            raise CasemateError(f"there cannot be {len(self.walls)} walls; expected {MOST_WALLS} at most")
        for wall in self.walls:
            _check_wall(wall)

    @cached_property
    def field(self) -> Field:
        """What the marker is thrown at."""
        there = formation(self.models, self.files, self.gap)
        walls = stretches((complex(*wall[:2]), complex(*wall[2:])) for wall in self.walls)
        aim = complex(there[nearest_to_centre(there)])
        return Field(complex(-self.distance), aim, points(there), (self.marker + self.base) / 2, walls)

    @property
    def strays(self) -> list[tuple[float, int]]:
        """How far it may stray, and the weight of each distance."""
        measured = abs(self.field.aim - self.field.shooter)
        return [(float(inches), weight) for inches, weight in strays(self.scatter.inches, measured)]


def _check_wall(wall: Wall) -> None:
    said = ",".join(f"{inches:g}" for inches in wall)
    if not all(abs(inches) <= FARTHEST for inches in wall):
        raise CasemateError(f"the wall {said} cannot be there; expected no number beyond -{FARTHEST} and {FARTHEST}")
    length = abs(complex(*wall[:2]) - complex(*wall[2:]))
    if length < SHORTEST:
        fault = f"is only {inches_words(length)} long" if length else "has no length"
        raise CasemateError(f"the wall {said} {fault}; expected ends at least {SHORTEST:g} inches apart")


class UnderRow(NamedTuple):
    """The chance that a model is under the marker, in the open and behind a wall, or that so many models are.

    `of` is "model", with its number and its place, or "count", with so many models and no place.
    """

    of: Literal["model", "count"]
    number: int
    x: float | None
    y: float | None
    under: float
    open: float
    behind: float

    @property
    def place(self) -> tuple[float, float]:
        """Where the model is."""
        return self.x or 0.0, self.y or 0.0


def under_rows(shot: Shot) -> list[UnderRow]:
    """Return who is under a marker, of all ways in which it may scatter: each model, then how many."""
    covered, weights = law(shot.field, shot.strays)
    total = sum(weights)
    return _rows(shot, covered, np.array([weight / total for weight in weights]))


def thrown_rows(shot: Shot, markers: int, seed: int = 1) -> list[UnderRow]:
    """Return who was under so many markers that were thrown: the shares that `under_rows` has the chances of."""
    luck = np.random.default_rng(seed)
    inches, weights = (np.array(each, dtype=float) for each in zip(*shot.strays, strict=True))
    far = luck.choice(inches, size=markers, p=weights / weights.sum())
    covered = shot.field.covered(landing(shot.field, far, luck.uniform(0, 2 * np.pi, markers)))
    return _rows(shot, covered, np.full(markers, 1 / markers))


def _rows(shot: Shot, covered: Ints, shares: Floats) -> list[UnderRow]:
    """Return rows by what each model is to the markers, ``[K, M]``, and by the share of each of these, ``[K]``."""
    kinds = (covered > 0, covered == OPEN, covered == BEHIND)
    each = [shares @ kind for kind in kinds]
    many = [np.bincount(kind.sum(axis=1), shares, shot.models + 1) for kind in kinds]
    most = int(np.flatnonzero(many[0])[-1])
    rows = [
        UnderRow("model", n + 1, float(at.real), float(at.imag), *(float(kind[n]) for kind in each))
        for n, at in enumerate(shot.field.targets.starts)
    ]
    return rows + [UnderRow("count", n, None, None, *(float(kind[n]) for kind in many)) for n in range(most + 1)]

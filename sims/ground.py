"""The ground of an assault: how units stand on it, and what lies between the building and where attackers begin.

Inches are counted from the building; to the side they are counted from the way on which the attackers come, positive to
the left of who looks out of the building.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from sims.reading import Strict

Kind = Literal["open", "soft", "hard", "smoke"]
"""What a band of ground is: open, cover for those who stand in it, or smoke."""

WIDEST = 72
"""The most inches that a unit is wide or deep: the length of a table."""
MOST_WALLS = 40
MOST_BANDS = 20

Inch = Annotated[float, Field(ge=-120, le=120, strict=False)]
Place = Annotated[tuple[Inch, Inch], Field(strict=False)]
"""Inches from the building, and inches to the side."""


class Formation(Strict):
    """How a unit stands: so many abreast, with so many inches from the middle of one model to that of the next."""

    files: Annotated[int, Field(ge=1)]
    gap: Annotated[float, Field(gt=0, strict=False)]

    @model_validator(mode="after")
    def _on_the_table(self) -> Self:
        if (self.files - 1) * self.gap > WIDEST:
            raise ValueError(f"expected a rank of at most {WIDEST} inches, got {(self.files - 1) * self.gap:g}")
        return self

    def deep(self, models: int) -> float:
        """Return the inches from the first rank to the last of so many models."""
        return (-(-models // self.files) - 1) * self.gap


class Wall(Strict):
    """A low wall, from one place to another: one can see and shoot over it, and is in hard cover behind it."""

    start: Place
    end: Place

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if self.start == self.end:
            raise ValueError(f"expected a wall with a length, got one from {list(self.start)} to where it begins")
        if min(self.start[0], self.end[0]) <= 0:
            raise ValueError("expected a wall before the building, more than 0 inches from it, not across it")
        return self


class Band(Strict):
    """A stretch of the way, right across it, from so many inches off the building to so many: its edge there is not."""

    near: Annotated[int, Field(ge=0, le=120)]
    far: Annotated[int, Field(ge=0, le=120)]
    ground: Kind

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.far <= self.near:
            raise ValueError(f"expected a band that ends farther off than at {self.near}, where it begins")
        return self

    def holds(self, inches: int) -> bool:
        """Return whether a unit so far from the building stands in it."""
        return self.near <= inches < self.far


def _apart(bands: tuple[Band, ...]) -> tuple[Band, ...]:
    for one, other in pairwise(sorted(bands, key=lambda band: band.near)):
        if other.near < one.far:
            both = f"one goes on to {one.far}, another begins at {other.near}"
            raise ValueError(f"expected bands that do not overlap: {both}")
    return bands


Walls = Annotated[tuple[Wall, ...], Field(strict=False, max_length=MOST_WALLS)]
Bands = Annotated[tuple[Band, ...], Field(strict=False, max_length=MOST_BANDS), AfterValidator(_apart)]


SAID = {"open": "open ground", "soft": "soft cover", "hard": "hard cover", "smoke": "smoke"}


def in_words(walls: Sequence[Wall], bands: Sequence[Band]) -> list[str]:
    """Return what lies on the way, part by part, the nearest to the building first."""
    nearest = sorted(bands, key=lambda band: band.near)
    parts = [f"{SAID[band.ground]} from {band.near} to {band.far} inches off the building" for band in nearest]
    return parts + ["a low wall from ({:g}, {:g}) to ({:g}, {:g})".format(*wall.start, *wall.end) for wall in walls]


def kind_at(bands: Sequence[Band], inches: int) -> Kind:
    """Return on what a unit stands so far from the building; where nothing is said it is open ground."""
    return next((band.ground for band in bands if band.holds(inches)), "open")


def through_smoke(bands: Sequence[Band], inches: int) -> bool:
    """Return whether a shot between the building and what is so far off goes through smoke."""
    return any(band.ground == "smoke" and band.near < inches for band in bands)

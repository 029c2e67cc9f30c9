"""What the attackers want, and the garrison does not: as it is named, or as a file weighs it."""

from math import ceil, log10
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field, create_model

from sims.engines.contest import CAPTURED, Aim
from sims.errors import CasemateError, nearest
from sims.reading import Strict, read, validate


class Objective(NamedTuple):
    """What the attackers want, and what it is called."""

    name: str
    aim: Aim

    @property
    def chance(self) -> bool:
        """Whether what it comes to is a chance."""
        return self.name in CHANCES

    @property
    def point(self) -> float:
        """What a point is: a game of a hundred; of weights a hundredth of the heaviest."""
        return 0.01 * max(map(abs, self.aim))

    @property
    def decimals(self) -> int:
        """How many decimals tell a tenth of a point."""
        return max(0, ceil(1 - log10(self.point)))


CHANCES = {"captured": CAPTURED, "cleared": Aim(cleared=1), "destroyed": Aim(destroyed=1)}
"""What may be asked for by name."""

TO_CAPTURE = Objective("captured", CAPTURED)

LIGHTEST = 0.001
"""The least that the heaviest weight may be, up or down: what differs by far less is taken for the same."""

Weight = Annotated[float, Field(ge=-100, le=100)]
_WEIGHTS: dict[str, Any] = dict.fromkeys(Aim._fields, (Weight, 0.0))
Weights: type[Strict] = create_model("Weights", __base__=Strict, **_WEIGHTS)
"""What each end is worth to the attackers, each model lost, and a cleared building."""


class ObjectiveFile(Strict):
    """An objective as its file gives it."""

    weights: Weights


def objective(name: str) -> Objective:
    """Return an objective by its name, or as a file weighs it.

    Raises:
        CasemateError: If there is none of that name, or something in the file is no weight, or nothing weighs enough.
    """
    if name in CHANCES:
        return Objective(name, CHANCES[name])
    if not name.endswith(".toml") and not Path(name).is_file():
        raise CasemateError(f'--for: there is no objective "{name}"; {nearest(name, CHANCES)} (or a file of weights)')
    source = read(Path(name))
    aim = Aim(**validate(ObjectiveFile, source.data, [source]).weights.model_dump())
    if max(map(abs, aim)) < LIGHTEST:
        raise source.error(("weights",), f"nothing weighs as much as {LIGHTEST} here; expected a weight that does")
    return Objective(Path(name).stem, aim)

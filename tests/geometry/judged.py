"""The judge's law of scatter where a marker that does not scatter is stopped by no wall: who aims sees over it."""

from collections import defaultdict
from typing import Any

from tests.geometry import plane_oracle


def judged(shooter: Any, aim: Any, inches: Any, *more: Any) -> dict[tuple[int, ...], float]:
    """The law of `plane_oracle.by_arcs`, of what has scattered and what has not."""
    found = defaultdict[tuple[int, ...], float](float)
    for far, chance in inches.items():
        for covered, share in plane_oracle.by_arcs(shooter, aim, {far: chance}, *more, flies=not far).items():
            found[covered] += share
    return found

"""Access points: those that are viable for a squad (ST-023)."""

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from sims.dice import Ints
from sims.dice.source import Argument
from sims.inputs import at_most
from sims.profiles import MOST_MODELS
from sims.questions import asks
from sims.rulesets.storming.book import Storming


def near_enough(book: Storming, distances: Sequence[Fraction | int]) -> int:
    """Return how many access points are within reach of a model (ST-023)."""
    reach = book.tables.viable.reach
    exclusive = book.rulings.two_inches("exclusive")
    return sum(d < reach if exclusive else d <= reach for d in distances)


def viable(book: Storming, near: int, models: Argument) -> Ints:
    """Return the viable access points of those near enough (ST-023)."""
    return np.asarray(np.minimum(near, models) if book.rulings.points_per_model("one") else near + 0 * models)


_PART = r"\d{1,4}/[1-9]\d{0,3}"
_INCHES = rf"(?:\d{{1,4}}\s+{_PART}|{_PART}|\d{{1,4}}(?:\.\d{{1,4}})?)(?![\d./])"
"""Inches as people write them: 2, 2.5, 5/2 or 2 1/2."""


@asks("ST-023", name="viable access points")
def viable_points(book: Storming, distances: str, models: int = MOST_MODELS) -> int:
    """Return how many access points are viable (ST-023).

    Args:
        distances: Inches from each access point to the nearest model of the squad, with spaces or commas between: 1, 2
            1/2, 3.
        models: Of the squad that stand near them.

    Raises:
        ValueError: If a distance is no number.
    """
    at_most(200, models=models)
    written = re.fullmatch(rf"\s*({_INCHES}([\s,;]+{_INCHES})*)?\s*", distances)
    if written is None:
        raise ValueError(f'distances cannot be "{distances}"; expected inches such as "1, 2, 3" or "2 1/2"')
    found = [sum(map(Fraction, part[0].split())) for part in re.finditer(_INCHES, distances)]
    return int(viable(book, near_enough(book, found), models))

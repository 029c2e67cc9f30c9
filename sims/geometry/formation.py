"""How a unit stands: so many models abreast, in ranks one behind the other."""

import numpy as np

from sims.geometry.plane import Points


def formation(models: int, files: int, gap: float) -> Points:
    """Return where models stand, ``[models]``: the first rank across the line of fire, the others behind it.

    The middle of the first rank is at 0, and fire comes along the real axis from below; a last rank that is not full
    stands in the middle.

    Args:
        files: Models abreast.
        gap: Inches from the middle of one model to that of the next, to the side and behind.
    """
    number = np.arange(models)
    rank = number // files
    abreast = np.minimum(files, models - rank * files)
    return np.asarray(gap * (rank + 1j * (number % files - (abreast - 1) / 2)))


def nearest_to_centre(models: Points) -> int:
    """Return which model is nearest to the centre of all: the first of several."""
    return int(np.argmin(np.round(np.abs(models - models.mean()), 9)))

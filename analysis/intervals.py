"""Intervals for what was sampled: a share, a mean, a quantile.

Each covers the true value in at least about 95 runs of 100, also after few trials or when all of them agreed: a
sampled answer never looks exact.
"""

from math import ceil, floor, sqrt
from statistics import NormalDist

import numpy as np

from sims.dice import Ints
from sims.dice.tables import Floats

Z = NormalDist().inv_cdf(0.975)
"""How many standard errors a 95 % interval reaches to either side."""


def wilson(successes: Ints | int, trials: int, z: float = Z) -> tuple[Floats, Floats]:
    """Return Wilson's score interval for a share, elementwise.

    Parameters
    ----------
    successes : int or array of int
    trials : int
        At least 1.
    z : float

    Returns
    -------
    low, high : arrays of float
        Within 0 to 1, of the shape of `successes`.
    """
    share = np.asarray(successes) / trials
    spread = z * np.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    centre, shrink = share + z**2 / (2 * trials), 1 + z**2 / trials
    low = np.where(share == 0, 0.0, np.clip((centre - spread) / shrink, 0, share))
    high = np.where(share == 1, 1.0, np.clip((centre + spread) / shrink, share, 1))
    return low, high


def mean_interval(
    total: float, squares: float, trials: int, *, lowest: float, highest: float, z: float = Z
) -> tuple[float, float]:
    """Return an interval for the mean of a bounded number.

    The interval of Agresti and Coull, for any number with bounds: z**2 trials more, half of them at either bound. With
    many trials they weigh nothing; with few, or where all agreed, they keep the interval from closing.

    Parameters
    ----------
    total, squares : float
        Sum of the values and of their squares.
    trials : int
        At least 1.
    lowest, highest : float
        Bounds of a single value.
    z : float
    """
    mean = total / trials
    n = trials + z**2
    centre = (total + z**2 * (lowest + highest) / 2) / n
    variance = (squares + z**2 * (lowest**2 + highest**2) / 2) / n - centre**2
    spread = z * sqrt(max(variance, 0) / n)
    return min(max(centre - spread, lowest), mean), max(min(centre + spread, highest), mean)


def quantile_interval(
    values: Ints, counts: Ints, q: float, *, lowest: int, highest: int, z: float = Z
) -> tuple[int, int]:
    """Return an interval for a quantile: two order statistics, whatever the distribution.

    The trial in rank r, counted from the least, lies below the quantile as long as r is well below q times the trials.

    Parameters
    ----------
    values : array of int, [N]
        The distinct values, in increasing order.
    counts : array of int, [N]
        Trials that came to each.
    q : float
        Between 0 and 1.
    lowest, highest : int
        Bounds of a single value: what is left to say where there are too few trials for a rank.
    z : float
    """
    trials = int(counts.sum())
    spread = z * sqrt(trials * q * (1 - q))
    first, last = floor(trials * q - spread), ceil(trials * q + spread) + 1
    ranks = np.cumsum(counts)
    low = int(values[np.searchsorted(ranks, first)]) if first >= 1 else lowest
    high = int(values[np.searchsorted(ranks, last)]) if last <= trials else highest
    return low, high

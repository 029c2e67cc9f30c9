"""Intervals for what was sampled: a share, a mean, a quantile.

Each covers the true value in about 95 runs of 100, also after few trials or when all of them agreed: a
sampled answer never looks exact.
"""

from functools import cache
from math import ceil, exp, factorial, floor, sqrt
from statistics import NormalDist

import numpy as np

from sims.dice import Ints
from sims.dice.tables import Floats


def reach(shared: int = 1) -> float:
    """Return how many standard errors a 95 % interval reaches to either side, or one of several that share its error.

    All of `shared` intervals hold their values at once in some 95 cases of 100 (Bonferroni): looks at the same trials,
    answers of one report. For rare ends it can be fewer (see `wilson`).
    """
    return NormalDist().inv_cdf(1 - 0.025 / shared)


Z = reach()
CAUGHT = NormalDist().inv_cdf(0.99)
"""How many standard errors further what is there 99 times in 100 lies."""


def wilson(successes: Ints | int, trials: int, z: float = Z) -> tuple[Floats, Floats]:
    """Return between which chances some successes leave us: Wilson's score interval for a share, elementwise.

    After few successes, one to three at 95 %, Wilson's own lower end is too high: a rare thing can be in its interval
    84 times in 100. A Poisson number gives the lower end there (Brown, Cai and DasGupta, 2001), and the upper end after
    few failures. Then the least is 92.6 in 100 from 50 trials on; on average it is more than 95.

    >>> low, high = wilson(26, 120)
    >>> round(float(low), 2), round(float(high), 2)
    (0.15, 0.3)

    Args:
        trials: At least 1.

    Returns:
        low, high: Within 0 to 1, of the shape of `successes`.
    """
    share = np.asarray(successes) / trials
    spread = z * np.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    centre, shrink = share + z**2 / (2 * trials), 1 + z**2 / trials
    low = np.where(share == 0, 0.0, np.clip((centre - spread) / shrink, 0, share))
    high = np.where(share == 1, 1.0, np.clip((centre + spread) / shrink, share, 1))
    for few in range(1, floor(z**2) + 1):
        end = rare_end(few, z) / trials
        low = np.where(np.equal(successes, few), np.minimum(low, end), low)
        high = np.where(np.equal(successes, trials - few), np.maximum(high, 1 - end), high)
    return low, high


@cache
def rare_end(successes: int, z: float = Z) -> float:
    """Return the mean at which a Poisson number reaches some successes or more as often as an interval errs.

    >>> round(rare_end(1), 4)  # - log(0.95)
    0.0513
    """
    error = 2 * NormalDist().cdf(-z)
    low, high = 0.0, float(successes)
    for _ in range(60):
        mean = (low + high) / 2
        fewer = exp(-mean) * sum(mean**n / factorial(n) for n in range(successes))
        low, high = (mean, high) if 1 - fewer < error else (low, mean)
    return low


def mean_interval(
    total: float, squares: float, trials: int, *, lowest: float, highest: float, z: float = Z
) -> tuple[float, float]:
    """Return an interval for the mean of a bounded number.

    The interval of Agresti and Coull, for any number with bounds: z**2 trials more, half of them at either bound. With
    many trials they weigh nothing; with few, or where all agreed, they keep the interval from closing.

    Args:
        total, squares: Sum of the values and of their squares.
        trials: At least 1.
        lowest, highest: Bounds of a single value.
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

    Args:
        values ([N]): The distinct values, in increasing order.
        counts ([N]): Trials that came to each.
        q: Between 0 and 1.
        lowest, highest: Bounds of a single value: what is left to say where there are too few trials for a rank.
    """
    trials = int(counts.sum())
    spread = z * sqrt(trials * q * (1 - q))
    first, last = floor(trials * q - spread), ceil(trials * q + spread) + 1
    ranks = np.cumsum(counts)
    low = int(values[np.searchsorted(ranks, first)]) if first >= 1 else lowest
    high = int(values[np.searchsorted(ranks, last)]) if last <= trials else highest
    return low, high


def paired_interval(first: int, second: int, trials: int, z: float = Z) -> tuple[float, float]:
    """Return the interval of Bonett and Price (2012) for the difference of two shares of the same trials.

    It is Wald's, of the trials in which the two differ, with one more of either kind.

    Args:
        first, second: Trials in which a thing came in the first alone, and in the second alone.
        trials: At least 1.

    Returns:
        low, high: The second share less the first, within -1 to 1.
    """
    n = trials + 2
    lost, won = (first + 1) / n, (second + 1) / n
    spread = z * sqrt((won + lost - (won - lost) ** 2) / n)
    return max(won - lost - spread, -1.0), min(won - lost + spread, 1.0)


def trials_for(distance: float, variance: float, z: float) -> int:
    """Return after how many trials an interval ends short of what is so far from the truth, 99 times in 100.

    A tenth more than of normal numbers, for intervals are a little wider; rounded up to two digits.

    Args:
        distance: Above 0.
        variance: Of what a single trial says.
        z: How many standard errors the interval reaches to either side.
    """
    trials = ceil(1.1 * variance * ((z + CAUGHT) / distance) ** 2)
    step = 10 ** max(len(str(trials)) - 2, 0)
    return -(-trials // step) * step

"""Sequential testing: more trials are played until chances are known well enough, and intervals pay for each look.

With n looks at most, each interval misses in 5 % / n of cases (Bonferroni), so all hold at once in some 95 %.
"""

from collections.abc import Iterable, Mapping
from itertools import count

from analysis.points.intervals import reach, wilson
from analysis.points.margins import margins
from analysis.points.responses import Estimate, responses
from sims.engines import Sampled, Until

MOST = 10_000_000
"""After so many trials nothing is doubled any more."""


def looks(trials: int, width: float | None) -> int:
    """Return how many looks the error is shared over: as many as the widest interval, that of one half, may take.

    There are two at least, so that the share of each covers as well by how much Wilson's interval misses 95 of 100.

    Args:
        trials: At the first look; each later one has twice as many.
        width: How far an interval may reach to either side; None where nothing is played on.
    """
    if width is None:
        return 1
    return next(n for n in count(2) if trials << n > MOST or _half(trials << (n - 1), n) <= width)


def _half(trials: int, shared: int) -> float:
    """Return how far the interval of one half reaches to either side."""
    low, high = wilson(trials // 2, trials, reach(shared))
    return float(high - low) / 2


def until(trials: int, width: float) -> Until:
    """Return when a sampled assault has been played enough: no interval of a chance reaches further than a width."""
    return Until(looks(trials, width), lambda found: _enough(found, width))


def _enough(found: Sampled, width: float) -> bool:
    return furthest(responses(margins(found))) <= width


def furthest(found: Mapping[str, Estimate]) -> float:
    """Return how far the widest interval of a chance reaches to either side: the four ends, and a cleared building."""
    return max((half(each) for name, each in found.items() if name.startswith("p_")), default=0.0)


def half(of: Estimate) -> float:
    """Return half the width of an interval; 0 where there is none."""
    low, high = of.ends
    return (high - low) / 2


def short(found: Iterable[Mapping[str, Estimate]], width: float | None) -> int:
    """Return in how many assaults the most trials were not enough for a width."""
    return sum(width is not None and furthest(each) > width for each in found)

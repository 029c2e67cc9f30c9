"""Which rulings come first where they are listed: those of which another option moves an end most, in drawn games."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from analysis.comparing.compare import Comparison
from analysis.points.intervals import reach
from analysis.points.margins import ENDS
from analysis.points.paired import drawn_columns, paired
from analysis.points.point import SEED, How, Point
from analysis.points.responses import Estimate
from analysis.values.steps import steps
from sims.engines import Progress
from sims.errors import CasemateError
from sims.reads import leaves_read, watched

GAMES = 4_000
"""Games that are drawn with each option: a quarter of them would take three quarters of the time."""


def foremost(point: Point, seed: int = SEED, progress: Progress | None = None) -> list[str]:
    """Return the rulings of which another option is seen to move an end, by their keys, the furthest first.

    Every other option of every ruling that the assault reads is played alone, on the dice of the assault as it is,
    trial by trial. An option that cannot be played moves nothing. The attackers go in as they do in the assault as it
    is.

    Args:
        point: By plans; it is drawn, however it says that it is computed.

    Raises:
        CasemateError: If the assault as it is cannot be drawn: too much of it can happen, where it is rolled.
    """
    scenario = point.rule_set.choice(point.meant).taken(point.scenario)
    one = replace(point, scenario=scenario, how=How("sampled", trials=GAMES, seed=seed))
    with watched() as seen:
        was = [*drawn_columns(one, GAMES)]
    read = leaves_read(one.rule_set.book, seen)
    keys = [key for name, _ in one.rule_set.book.all_rulings() if (key := f"rulings.{name}") in read]
    options = [*chain.from_iterable(steps(one.rule_set, keys).values())]
    found = list[tuple[str, Mapping[str, Estimate]]]()
    for done, option in enumerate(options):
        if progress:
            progress(done, len(options))
        with suppress(CasemateError):
            both = paired(one, one.under(one.rule_set.with_values(option)), was=was)
            found.append((next(iter(option)), both.differences(reach(len(options) * len(ENDS)))))
    return furthest(found)


def seed_of(comparison: Comparison) -> int:
    """Return the seed of the games that put the rulings of a comparison in order: its own, where it is sampled."""
    return comparison.how.seed if comparison.sampled else SEED


def furthest(found: Iterable[tuple[str, Mapping[str, Estimate]]]) -> list[str]:
    """Return the keys whose options are seen to move an end, for the interval of a difference does not hold zero.

    Args:
        found: Key and, for one of its options, by how much each response is larger with it. Keys that move an end as
            far as each other stay in this order.
    """
    far = dict[str, float]()
    for key, differences in found:
        for moved in (differences[f"p_{end}"] for end in ENDS):
            low, high = moved.ends
            if low > 0 or high < 0:
                far[key] = max(far.get(key, 0.0), abs(moved.value))
    return sorted(far, key=lambda key: -far[key])

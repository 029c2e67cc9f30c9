"""Whole assaults as the exact engine has them, beside what brute force says."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sims.assault import Assault, End
from sims.engines import Exact, solve

ENDS = (End.DESTROYED, End.CAPTURED, End.BROKEN, End.HELD)
TALLY = "tally: "
"""What brute force says of a tally has its name, after this."""

Expected = Mapping[str, Fraction]


def share(result: Exact, end: End) -> Fraction:
    return sum(result.weights[result.columns["end"] == end], Fraction(0))


def mean(result: Exact, column: str) -> Fraction:
    return sum(result.weights * result.columns[column], Fraction(0))


def ends_and_losses(result: Exact) -> dict[str, Any]:
    """Return what is always judged, by the names that brute force gives it."""
    lost = {f"{side} lost": mean(result, f"{side}_lost") for side in ("attackers", "defenders")}
    return {end.name.lower(): share(result, end) for end in ENDS} | lost


def compared(result: Exact, expected: Expected) -> Iterator[tuple[str, Any, Fraction]]:
    """Yield what is judged, as it was played and as brute force says: ends, losses, and what else brute force knows."""
    cleared = {"cleared": mean(result, "cleared")} if "cleared" in expected else {}
    told = {name: result.tallies.get(name.removeprefix(TALLY), 0) for name in expected if name.startswith(TALLY)}
    for name, played in (ends_and_losses(result) | cleared | told).items():
        yield name, played, expected[name]


def agree(result: Exact, expected: Expected) -> None:
    for name, played, judged in compared(result, expected):
        assert played == judged, name


def named(unit: Iterable[str], models: Iterable[int]) -> tuple[str, ...]:
    """The models of a side by name, who are so many of each kind, in the order of the whole unit."""
    return tuple(name for name, n in zip(dict.fromkeys(unit), models, strict=True) for _ in range(n))


@dataclass(frozen=True, eq=False)
class Case:
    """A small assault: as the engines play it, and what brute force says of it.

    `judge_from` has brute force play on from the start of a player turn, when so many are left. It is given the state,
    with plain numbers in its fields, and reads all that it knows of: what it leaves unread has to be as at the start.
    """

    play: Callable[[], Assault[Any, Any]]
    judge: Callable[[], Expected]
    judge_from: Callable[[Any, int], Expected] | None = None

    @cached_property
    def assault(self) -> Assault[Any, Any]:
        return self.play()

    @cached_property
    def expected(self) -> Expected:
        """What brute force says; what a test looks up in it does not become a part of it, so that it can be compared."""
        found = self.judge()
        return Counter(found) if isinstance(found, defaultdict) else found

    @cached_property
    def result(self) -> Exact:
        """What the exact engine says, in true fractions."""
        return solve(self.assault, number=Fraction)

    def agree(self) -> None:
        agree(self.result, self.expected)

"""What attackers choose of what a scenario leaves open: how many go in by each door, and who first.

However they go in, they do so for the whole assault. Ways are played to the end, and the best is taken: the best
number, and then who goes first by that number. If that is not the leader, the other numbers are tried again so. Of the
way that is taken neither another number nor others in front would do better.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sims.assault import Assault, End
from sims.engines import Result, play, solved
from sims.engines.learner import Learner
from sims.errors import BudgetError
from sims.scenario import FirstIn, Scenario

TIE = 1e-9
"""Ways whose chances lie no farther apart are as good as each other."""

PATIENCE = 2**22
"""Transitions that one way may have: some one or two seconds. Where that is too few, all ways are sampled."""

HANGS_ON = ("scenario.send", "scenario.first_in", "order_in")
"""What a rule looks at in its scene where it matters how they go in."""

TRIALS = 2**14
"""How often each way is then played, all by the same luck."""


FIRST: Mapping[FirstIn, str] = {
    "leader": "the leader first",
    "ordinary": "ordinary models first",
    "idle": "those first who cannot hurt the walls",
}
"""Who goes in before the others, in words."""


class Way(NamedTuple):
    """How attackers go in: how many by each door, where the rules leave them that, and who first."""

    send: int | None
    first_in: FirstIn

    def taken(self, scenario: Scenario) -> Scenario:
        """Return a scenario in which the attackers go in so."""
        return replace(scenario, send=self.send, first_in=self.first_in)

    @property
    def by_door(self) -> str:
        """How many go in."""
        return f"{self.send} by each door"

    @property
    def first(self) -> str:
        """Who goes in before the others."""
        return FIRST[self.first_in]


def in_ways(scenario: Scenario, send: Sequence[int | None], first_in: Sequence[FirstIn]) -> list[Way]:
    """Return the ways to go in that a scenario leaves open.

    Args:
        send: The numbers to choose from; of those that are as good as each other the first is taken.
        first_in: Who may go first; likewise.
    """
    numbers = [scenario.send] if scenario.send else send
    leading = [scenario.first_in] if scenario.first_in else first_in
    return [Way(number, who) for who in leading for number in numbers]


def best_of(ways: Sequence[Way], won: Mapping[Way, float]) -> Way:
    """Return the way that wins most often of those that were played; of some that are as good the first."""
    most = max(won.values(), default=0)
    return next(way for way in ways if won.get(way, most) >= most - TIE)


def next_ways(ways: Sequence[Way], won: Mapping[Way, float]) -> list[Way]:
    """Return the ways that have to be played next to find the best; none where it is found."""
    best, left = best_of(ways, won), [way for way in ways if way not in won]
    numbers = [way for way in left if way.first_in == best.first_in]
    return numbers or [way for way in left if way.send == best.send]


@dataclass(frozen=True)
class Choice:
    """How the attackers go in.

    Attributes:
        way: What they choose; None where these rules know no way to go in.
        ways: All that they can choose from.
        won: The chance to capture or destroy the building by each way that was played; none where it is all the same.
        sampled: Whether these chances were sampled.
    """

    way: Way | None = None
    ways: Sequence[Way] = ()
    won: Mapping[Way, float] = field(default_factory=dict)
    sampled: bool = False

    def taken(self, scenario: Scenario) -> Scenario:
        """Return a scenario in which the attackers go in as they choose."""
        return self.way.taken(scenario) if self.way else scenario

    @property
    def named(self) -> str:
        """What was chosen, of what there was to choose."""
        return self._name(self.way) if self.way else ""

    def _name(self, way: Way) -> str:
        """Return a way in words, without what all ways have in common."""
        numbers, leading = ({*each} for each in zip(*self.ways, strict=True))
        return ", ".join([way.by_door] * (len(numbers) > 1) + [way.first] * (len(leading) > 1))

    @property
    def words(self) -> str:
        """What was chosen, and what another choice would do; nothing where it is all the same.

        Sampled chances are not shown, for they would need an interval: the next best way is named instead.
        """
        if self.way is None or not self.won:
            return ""
        if self.sampled:
            second = max((way for way in self.won if way != self.way), key=self.won.__getitem__)
            best = f"{self.named}, the best of {len(self.won)} ways in {TRIALS:,} sampled games of each"
            return f"{best}; the next best is {self._name(second)}"
        others = {way.by_door: way for way in self.won if way.first_in == self.way.first_in}
        others |= {way.first: way for way in self.won if way.send == self.way.send}
        told = [f"{name} {100 * self.won[way]:.1f}" for name, way in others.items() if way != self.way]
        return f"{self.named}: {100 * self.won[self.way]:.1f} games in 100 captured or destroyed ({', '.join(told)})"


def choice(ways: Sequence[Way], made: Callable[[Way], Assault[Any, Any]]) -> Choice:
    """Return what attackers choose among some ways.

    Args:
        ways: Two or more; of those that are as good as each other the first is taken.
        made: The assault in which they go in so.
    """
    asked, first = set[str](), ways[0]

    def exactly(way: Way) -> float:
        chain = Learner(made(way), budget=PATIENCE)
        won = _won(solved(chain))
        asked.update(chain.looked_at)
        return won

    def drawn(way: Way) -> float:
        return _won(play(made(way), trials=TRIALS))

    try:
        won = {first: exactly(first)}
        if asked.isdisjoint(HANGS_ON):
            return Choice(first, ways)
        won = _played(ways, won, exactly)
        return Choice(best_of(ways, won), ways, won)
    except BudgetError:
        won = _played(ways, {}, drawn)
        return Choice(best_of(ways, won), ways, won, sampled=True)


def _played(ways: Sequence[Way], won: Mapping[Way, float], play: Callable[[Way], float]) -> dict[Way, float]:
    """Return the chances to win by all ways that have to be played."""
    while some := next_ways(ways, won):
        won = {**won, **{way: play(way) for way in some}}
    return {way: won[way] for way in ways if way in won}


def _won(result: Result) -> float:
    ends = result.columns["end"]
    return float(result.probabilities[(ends == End.CAPTURED) | (ends == End.DESTROYED)].sum())

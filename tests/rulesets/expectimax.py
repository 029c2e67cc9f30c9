"""Best play by brute force: who acts tries every plan at the start of his player turn, in fractions, to the turn limit.

What a player turn leads to is said by the brute force of a rule set, which knows nothing of what it judges. The plan of
the other side stays in force; who moves second has declared his before the game.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from quicktions import Fraction

from tests.rulesets import gemini_oracle, gw_updated_oracle, realm_of_chaos_oracle, storming_oracle

SIDES = ("attackers", "defenders")
ALL = {"attackers": ("storm", "demolish", "shoot", "smoke"), "defenders": ("hold", "sally")}


class Plans(NamedTuple):
    attackers: str
    defenders: str


Chances = Mapping[Any, Fraction]
Turn = tuple[Chances, Chances]
"""The chance of every end in a player turn, and of how things may stand where it goes on."""
CAPTURED = {"captured": Fraction(1)}


def merged(ways: Iterable[tuple[Any, Fraction]]) -> Turn:
    """Add up ways that a player turn may go, by brute forces that say in the state itself how it has ended."""
    ends, live = defaultdict[str, Fraction](Fraction), defaultdict[Any, Fraction](Fraction)
    for then, chance in ways:
        if then.end:
            ends[then.end] += chance
        else:
            live[then] += chance
    return ends, live


@dataclass(frozen=True, eq=False)
class Expectimax:
    """An assault in which sides choose.

    `play(plans, side, now)` is a player turn of a side; `committed(side, now)` says where it goes on by its plan; `aim`
    is what ends are worth to the attackers.
    """

    start: Hashable
    turns: int
    first: str
    play: Callable[[Plans, str, Any], Turn]
    committed: Callable[[str, Any], bool] = lambda side, now: False
    aim: Mapping[str, Fraction] = field(default_factory=lambda: CAPTURED)

    @cached_property
    def sides(self) -> tuple[str, str]:
        return SIDES if self.first == "attackers" else SIDES[::-1]

    @cached_property
    def _known(self) -> tuple[dict[Any, Turn], dict[Any, Fraction]]:
        return {}, {}

    def turn(self, plans: Plans, side: str, now: Any) -> Turn:
        turns, _ = self._known
        if (plans, side, now) not in turns:
            turns[plans, side, now] = self.play(plans, side, now)
        return turns[plans, side, now]

    def worth(self, now: Any, left: int, plans: Plans, choosing: tuple[str, ...]) -> Fraction:
        """What it is worth to those who choose, when so many player turns are left, by the plans in force."""
        if not left:
            return self.aim.get("held", Fraction(0))
        _, known = self._known
        if (now, left, plans, choosing) not in known:
            known[now, left, plans, choosing] = self._worth(now, left, plans, choosing)
        return known[now, left, plans, choosing]

    def _worth(self, now: Any, left: int, plans: Plans, choosing: tuple[str, ...]) -> Fraction:
        side = self.sides[left % 2]
        may = self.may_take_up(side, now, plans) if side in choosing else [plans]
        best = max if side == "attackers" else min
        return best(self.by(now, left, chosen, choosing) for chosen in may)

    def may_take_up(self, side: str, now: Any, plans: Plans) -> list[Plans]:
        """The pairs of plans by which a player turn may be played, by those in force."""
        own = (getattr(plans, side),) if self.committed(side, now) else ALL[side]
        return [plans._replace(**{side: plan}) for plan in own]

    def by(self, now: Any, left: int, plans: Plans, choosing: tuple[str, ...]) -> Fraction:
        """The same once a plan has been taken up."""
        ends, live = self.turn(plans, self.sides[left % 2], now)
        ended = sum((c * self.aim.get(end, 0) for end, c in ends.items()), Fraction(0))
        return ended + sum(c * self.worth(then, left - 1, plans, choosing) for then, c in live.items())

    def begun(self, plans: Plans, *choosing: str) -> Fraction:
        return self.worth(self.start, 2 * self.turns, plans, choosing)

    @property
    def pairs(self) -> list[Plans]:
        return [Plans(*pair) for pair in product(*ALL.values())]

    @property
    def fixed(self) -> dict[Plans, Fraction]:
        """What every pair of plans is worth that nobody changes."""
        return {pair: self.begun(pair) for pair in self.pairs}

    @property
    def replies(self) -> dict[str, list[Fraction]]:
        """What choosing is worth to a side against each plan of the other."""
        found = {}
        for side, other, best in (("attackers", "defenders", max), ("defenders", "attackers", min)):
            worths = {pair: self.begun(pair, side) for pair in self.pairs}
            found[side] = [
                best(worth for pair, worth in worths.items() if getattr(pair, other) == plan) for plan in ALL[other]
            ]
        return found

    @property
    def best(self) -> Fraction:
        """What it is worth if both choose: first who moves second declares his plan, the plan of the other is his choice."""
        worths = {pair: self.begun(pair, *SIDES) for pair in self.pairs}
        first, second = self.sides
        declared = [{worth for pair, worth in worths.items() if getattr(pair, second) == plan} for plan in ALL[second]]
        assert all(len(worth) == 1 for worth in declared), first
        values = [worth for (worth,) in declared]
        return min(values) if second == "defenders" else max(values)


def storming(game: storming_oracle.Game) -> Expectimax:
    """A game by the storming rules; walls that are not known are rolled for when attackers first come at them."""
    walls = storming_oracle.start(game)
    start = replace(next(iter(walls)), av=game.armour or 0)

    def play(chosen: Plans, side: str, now: storming_oracle.At) -> Turn:
        """Whatever they are about, both sides see from then on what the walls are."""
        turn = storming_oracle.attackers_turn if side == "attackers" else storming_oracle.garrisons_turn
        rolled = side == "attackers" and not now.av and not now.out
        told = [(replace(now, av=at.av), chance) for at, chance in walls.items()] if rolled else [(now, Fraction(1))]
        by = replace(game, plan=chosen.attackers, defence=chosen.defenders)
        return merged((replace(then, clear=False), p * c) for known, p in told for then, c in turn(by, known))

    return Expectimax(start, game.turns, game.first, play)


def gw_updated(setups: Mapping[str, gw_updated_oracle.Setup]) -> Expectimax:
    """A set-up by the updated building rules, as it is under each plan of the attackers."""
    any_plan = next(iter(setups.values()))

    def play(chosen: Plans, side: str, now: gw_updated_oracle.Now) -> Turn:
        """Who has come out goes on as in a sally."""
        sally = chosen.defenders == "sally" or now.garrison == gw_updated_oracle.OUTSIDE
        assault = gw_updated_oracle.Assault(replace(setups[chosen.attackers], sally=sally))
        live = defaultdict[Any, Fraction](Fraction)
        for then, chance in (assault.attack if side == "attackers" else assault.defend)(now, Fraction(1)):
            live[then] += chance
        ends = {end: assault.ends[end] for end in ("broken", "captured")}
        return ends | {"destroyed": sum(assault.fallen.values(), Fraction(0))}, live

    first = "defenders" if any_plan.defenders_first else "attackers"
    return Expectimax(gw_updated_oracle.start(any_plan), any_plan.turns, first, play)


def realm_of_chaos(
    games: Mapping[str, realm_of_chaos_oracle.Assault],
    away: int,
    turns: int,
    first: str,
) -> Expectimax:
    """A game by the Realm of Chaos rules, as it is under each plan of the attackers; who is inside has to go on by it."""
    chosen = {
        Plans(attack, defence): realm_of_chaos_oracle.Assault(
            game.us, game.them, game.house, attack, game.halt, defence
        )
        for (attack, game), defence in product(games.items(), ALL["defenders"])
    }

    def play(by: Plans, side: str, now: realm_of_chaos_oracle.Now) -> Turn:
        after = chosen[by].player_turn({now: Fraction(1)}, side, first)
        return merged((replace(then, fought_outside=False, waited=False), c) for then, c in after.items())

    start = next(iter(chosen.values())).start(away)
    return Expectimax(start, turns, first, play, committed=lambda side, now: side == "attackers" and any(now.inside))


def gemini(
    siege: gemini_oracle.Siege,
    attackers: int,
    defenders: int,
    away: int,
    turns: int,
) -> Expectimax:
    """A siege by the Gemini rules."""
    chosen = {Plans(*pair): replace(siege, plan=pair[0], defence=pair[1]) for pair in product(*ALL.values())}

    def play(by: Plans, side: str, now: gemini_oracle.Now) -> Turn:
        turn = chosen[by].attackers_turn if side == "attackers" else chosen[by].defenders_turn
        return merged((then, chance) for chance, then in turn(now))

    return Expectimax(gemini_oracle.start(siege, attackers, defenders, away), turns, siege.first, play)

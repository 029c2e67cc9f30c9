"""Both sides choose: best play of an assault, as a zero-sum stochastic game with alternating moves.

Whoever acts takes up a plan at the start of the player turn; the plan of the other side stays in force. Nothing is
hidden, so the best plan is found state by state, by backward induction from the turn limit. Neither side gains by
throwing dice about what to do. With P_a,d(s, s') by the plans a and d::

    V_t(s, d) = max_a sum_s' P_a,d(s, s') V_t+1(s', a)      in a player turn of the attackers, d in force
    V_t(s, a) = min_d sum_s' P_a,d(s, s') V_t+1(s', d)      in one of the garrison, a in force

    start of the attackers' turn     storm:  0.61  <- the greatest     start of the garrison's turn    hold:  0.61
    garrison on hold                 shoot:  0.48                      attackers on storm              sally: 0.43  <-
                                     smoke:  0.55                                                             the least

The chains of all pairs of plans lie beside each other, so all number the same states. A state is *met* by a pair of
plans that are in force. The plan of the side that acts matters in two cases only: where the side is committed to it,
and where two plans tie.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, cast

import numpy as np

from sims.assault import Assault, Outcome
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines.chain import ENDS, Chain
from sims.engines.exact import Progress
from sims.engines.learner import TRANSITIONS
from sims.scenario import Side
from sims.state import State

BUDGET = 3 * TRANSITIONS
"""Transitions that may be learnt, unless told otherwise: with states, rows and values some five gigabytes."""

TIE = 1e-9
"""Plans whose values lie no farther apart are as good as each other."""

SIDES: tuple[Side, Side] = ("attackers", "defenders")

CHOOSING: tuple[tuple[Side, ...], ...] = (("attackers", "defenders"), ("attackers",), ("defenders",), ())
"""Who chooses: there is a value for each; the plan of who does not is fixed."""
BOTH, ATTACKERS, DEFENDERS, NOBODY = range(4)


class Pair(NamedTuple):
    """The plans that are in force."""

    attackers: str
    defenders: str


class Aim(NamedTuple):
    """What the attackers want, and the garrison the opposite: points for an end, a model lost, a building cleared."""

    broken: float = 0
    captured: float = 0
    destroyed: float = 0
    held: float = 0
    attackers_lost: float = 0
    defenders_lost: float = 0
    cleared: float = 0


CAPTURED = Aim(captured=1)


class Opening(NamedTuple):
    """The start of a player turn."""

    turn: int
    side: Side


@dataclass(frozen=True)
class Choice:
    """What each plan of who acts is worth at the start of his player turn.

    Attributes:
        states ([K]): The numbers of the states that may be there, in order.
        committed ([K]): Where he goes on by the plan that he has.
        worth ([K, A, D, 4]): What it is worth to go on by each pair of plans, of which the other side's is in force, to
            those who choose later by `CHOOSING`; it means nothing where no game comes to a state with the other side's
            plan in force.
    """

    states: Ints
    committed: Bools
    worth: Numbers

    def best(self, side: Side, chooses: int) -> Ints:
        """Return the best plan of a side by the plans that are in force, ``[K, A, D]``: one that is as good stays."""
        worth = self.worth[..., chooses]
        own = SIDES.index(side)
        best = worth.max(axis=1, keepdims=True) if side == "attackers" else worth.min(axis=2, keepdims=True)
        as_good = abs(worth - best) <= TIE
        stays = as_good | self.committed[:, np.newaxis, np.newaxis]
        return np.where(stays, in_force(worth.shape, side), as_good.argmax(axis=1 + own, keepdims=True))


def in_force(shape: tuple[int, ...], side: Side) -> Ints:
    """Return which plan of a side is in force by the pairs of plans, ``[K, A, D]``."""
    return np.indices(shape, sparse=True)[1 + SIDES.index(side)] + np.zeros(shape, dtype=np.intp)


@dataclass(frozen=True)
class Solution:
    """What an assault is worth to those who choose well, from its first state on.

    Attributes:
        choices: For each opening but those where nothing goes on.
        start ([A, D, 4]): What the assault is worth by `CHOOSING`; by the plans that are in force before anybody has
            chosen.
    """

    contest: "Contest"
    aim: Aim
    choices: Mapping[Opening, Choice]
    start: Numbers

    @property
    def begins(self) -> Pair:
        """The plans in force before anybody has chosen, if both choose; for who moves first, any stands here."""
        attacks, defences = self.contest.attacks, self.contest.defences
        both = self.start[:, :, BOTH]
        if self.contest.sides[0] == "attackers":
            return Pair(attacks[0], defences[int((both[0] <= both[0].min() + TIE).argmax())])
        return Pair(attacks[int((both[:, 0] >= both[:, 0].max() - TIE).argmax())], defences[0])

    @property
    def fixed(self) -> Numbers:
        """What each pair of plans is worth that nobody changes, ``[A, D]``."""
        return self.start[:, :, NOBODY]

    @property
    def replies(self) -> dict[Side, Numbers]:
        """What choosing is worth to each side against each plan of the other that does not change."""
        return {
            "attackers": self.start[:, :, ATTACKERS].max(axis=0),
            "defenders": self.start[:, :, DEFENDERS].min(axis=1),
        }

    @property
    def best(self) -> Any:
        """What it is worth if both choose; who moves second has declared his plan before the game."""
        first = self.contest.sides[0]
        both = self.start[:, :, BOTH]
        return both.max(axis=0).min() if first == "attackers" else both.min(axis=1).max()


class Contest:
    """An assault whose sides may change their plans, as far as it has been learnt.

    Args:
        assaults: The same scenario and rules under every pair of the plans that the sides have to choose from; plans
            may change.
        budget: The most transitions that may be learnt, with those of the chain beside.
        since: Where it begins: with the first player turn, if not given.
        states (State, optional): What may be there, distinct, ``[K]``; the start of the assault, if not given.
        beside: That of the same scenario, rules and kind of number.
        progress: Told the player turns learnt, and how many there are.

    Attributes:
        attacks, defences (tuple of str): The plans of each side.
        sides (tuple of str): Who has the first player turn, and who the second.
        openings (list of Opening): Where somebody chooses, in order.
        start (tuple of array): The states in which it begins, ``[K]``, and a weight of one for each.
        chains (dict): The chain of each pair of plans; all number the same states.
        met (dict): For each side and the plans that are in force, the states in which its player turn may begin, and
            the first turn that each may.

    Raises:
        BudgetError: If there is more to learn.
    """

    def __init__(
        self,
        assaults: Mapping[Pair, Assault[Any, Any]],
        number: type[float] | type[Fraction] = float,
        budget: int = BUDGET,
        *,
        since: Opening | None = None,
        states: State | None = None,
        beside: Chain | None = None,
        progress: Progress | None = None,
    ) -> None:
        pairs = [*assaults]
        self.attacks = tuple(dict.fromkeys(pair.attackers for pair in pairs))
        self.defences = tuple(dict.fromkeys(pair.defenders for pair in pairs))
        first = assaults[pairs[0]]
        self.limit = first.limit
        self.sides = tuple(cast(Side, player.name) for player in first.turn)
        self.chains = dict[Pair, Chain]()
        for pair, assault in assaults.items():
            beside = self.chains[pair] = Chain(assault, number, budget, beside)
        self.one = Fraction(1) if number is Fraction else 1.0
        self._first = first
        start = self.chains[pairs[0]].meet(first.start if states is None else states)
        self.start = start, np.full(start.size, self.one)
        every = [Opening(turn, side) for turn, side in product(range(1, self.limit + 1), self.sides)]
        self.openings = every[every.index(since) if since else 0 :]
        self.met = {
            side: dict.fromkeys(pairs, (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8))) for side in self.sides
        }
        self._learn(progress)

    @property
    def states(self) -> Any:
        """All states, numbered."""
        return self.chains[Pair(self.attacks[0], self.defences[0])].states

    @property
    def rules(self) -> str:
        """The id of the rules."""
        return self._first.rules

    @property
    def end(self) -> Ints:
        """The `End` of every state."""
        return next(iter(self.chains.values())).end

    def outcome(self, states: Ints) -> Outcome:
        """Return what some states have cost."""
        return self._first.outcome(self.states.take(states), self._first.scene)

    def place(self, pair: Pair) -> tuple[int, int]:
        """Return where a pair of plans stands in arrays ``[A, D]``."""
        return self.attacks.index(pair.attackers), self.defences.index(pair.defenders)

    def same(self, side: Side) -> dict[str, str]:
        """Return the plans of a side that make of every state what one before them makes, and which that is."""
        plans, others = (self.attacks, self.defences)[:: 1 if side == "attackers" else -1]
        first = dict[str, str]()
        for plan in plans:
            before = dict.fromkeys(first.values())
            first[plan] = next((one for one in before if self._alike(side, one, plan, others)), plan)
        return {plan: one for plan, one in first.items() if plan != one}

    def _alike(self, side: Side, one: str, plan: str, others: tuple[str, ...]) -> bool:
        pairs = [(one, plan, other) for other in others]
        if side == "attackers":
            return all(self.chains[Pair(a, d)].does_as(self.chains[Pair(b, d)]) for a, b, d in pairs)
        return all(self.chains[Pair(a, b)].does_as(self.chains[Pair(a, d)]) for b, d, a in pairs)

    def distinct(self) -> "Contest":
        """Return it without the plans that are played as others: whoever chooses loses nothing by it."""
        fewer = copy(self)
        attacks, defences = self.same("attackers"), self.same("defenders")
        fewer.attacks = tuple(plan for plan in self.attacks if plan not in attacks)
        fewer.defences = tuple(plan for plan in self.defences if plan not in defences)
        fewer.chains = {Pair(a, d): self.chains[Pair(a, d)] for a, d in product(fewer.attacks, fewer.defences)}
        fewer.met = {side: {pair: met[pair] for pair in fewer.chains} for side, met in self.met.items()}
        return fewer

    def _learn(self, progress: Progress | None) -> None:
        """Follow every choice of both sides to the turn limit, or until nothing new comes up."""
        fresh = dict.fromkeys(self.chains, self.start[0])
        for n, opening in enumerate(self.openings):
            if progress:
                progress(n, len(self.openings))
            fresh = self._moved(opening, fresh)
        for chain in self.chains.values():
            chain.close()

    def _moved(self, opening: Opening, fresh: Mapping[Pair, Ints]) -> dict[Pair, Ints]:
        """Return what a player turn newly leads to, by the plans that are then in force."""
        for pair, states in fresh.items():
            before, since = self.met[opening.side][pair]
            new = np.setdiff1d(states, before)
            self.met[opening.side][pair] = (
                np.append(before, new),
                np.append(since, np.full(new.size, opening.turn, dtype=np.int8)),
            )
        own = SIDES.index(opening.side)
        found = dict[Pair, Ints]()
        for pair, chain in self.chains.items():
            came = [
                states if had == pair else states[~self.committed(states, opening.side)]
                for had, states in fresh.items()
                if had[1 - own] == pair[1 - own]
            ]
            found[pair] = chain.reach(opening.side, np.unique(np.concatenate(came)), opening.turn)
        return found

    def committed(self, states: Ints, side: Side) -> Bools:
        """Return where a side has to go on by the plan that it has."""
        committed = self._first.committed(self.states.glance(states), self._first.scene, side)
        return np.broadcast_to(committed, states.shape)

    def called(self, states: Ints) -> Ints:
        """Return the ends of some states when the turn limit has come."""
        return self._first.called(self.states.glance(states), self.end[states])

    def _there(self, opening: Opening) -> Ints:
        """Return the states in which a player turn may begin, in order."""
        met = [states[since <= opening.turn] for states, since in self.met[opening.side].values()]
        return np.unique(np.concatenate(met))

    def solve(self, aim: Aim = CAPTURED, progress: Progress | None = None) -> Solution:
        """Return what every choice is worth, found from the turn limit back."""
        at_the_limit = self._at_the_limit(aim)
        later = at_the_limit[:, np.newaxis] * np.ones(len(CHOOSING), dtype=at_the_limit.dtype)
        after, shape = np.zeros(0, dtype=np.int64), (len(self.attacks), len(self.defences), len(CHOOSING))
        now = np.zeros((0, *shape), dtype=later.dtype)
        choices = dict[Opening, Choice]()
        for opening in reversed(self.openings):
            if progress:
                progress(len(choices), len(self.openings))
            there = self._there(opening)
            worth = np.empty((there.size, *shape), dtype=later.dtype)
            for a, d in np.ndindex(shape[:2]):
                values = later.copy()
                values[after] = now[:, a, d]
                self.chains[Pair(self.attacks[a], self.defences[d])].carry_back(opening.side, values)
                worth[:, a, d] = values[there]
            choices[opening] = Choice(there, self.committed(there, opening.side), worth)
            after, now = there, _chosen(choices[opening], opening.side)
        return Solution(self, aim, choices, now[0])

    def _at_the_limit(self, aim: Aim) -> Numbers:
        """Return the value of every state when the turn limit has come, ``[N]``."""
        ends = self._first.called(self.states.all, self.end)
        outcome = self._first.outcome(self.states.all, self._first.scene)
        columns = [*(ends == end for end in ENDS), outcome.attackers_lost, outcome.defenders_lost, outcome.cleared]
        return np.asarray(
            sum(of * np.full(ends.shape, self.one) * points for of, points in zip(columns, aim, strict=True))
        )


def _chosen(choice: Choice, side: Side) -> Numbers:
    """Return what states are worth by the plans in force, ``[K, A, D, 4]``, before a side chooses."""
    best = choice.worth.max(axis=1, keepdims=True) if side == "attackers" else choice.worth.min(axis=2, keepdims=True)
    free = np.array([side in who for who in CHOOSING]) & ~choice.committed[:, np.newaxis, np.newaxis, np.newaxis]
    return np.where(free, best, choice.worth)

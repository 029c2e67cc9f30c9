"""Policy evaluation, forwards: how likely each state is when a side chooses, and every outcome that follows.

With the chances P by the plans that the policy takes up in each state: w_t+1(s') = sum_s w_t(s) P(s, s').
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sims.assault import End
from sims.dice import Ints
from sims.dice.tables import Numbers
from sims.engines.contest import CHOOSING, SIDES, Choice, Contest, Opening, Pair, Solution, in_force
from sims.engines.finished import Finished
from sims.engines.result import Exact

Policy = Callable[[Opening, Choice], Ints]
"""``policy(opening, choice)``: which plan who acts takes up, by state and by the plans in force, ``[K, A, D]``."""


@dataclass(frozen=True)
class Followed:
    """What comes of a policy.

    Attributes:
        visits ([K, A, D]): For each opening how likely each state of its `Choice` is, by the plans that are in force.
    """

    visits: Mapping[Opening, Numbers]
    result: Exact


def best_play(chooses: int) -> Policy:
    """Return the policy of those who choose, by `CHOOSING`: the best plan each time; who does not choose keeps his."""

    def policy(opening: Opening, choice: Choice) -> Ints:
        if opening.side in CHOOSING[chooses]:
            return choice.best(opening.side, chooses)
        return in_force(choice.worth.shape[:3], opening.side)

    return policy


def follow(of: Solution, policy: Policy, begins: Pair) -> Followed:
    """Follow a policy of both sides from the start.

    Args:
        begins: The plans in force before anybody has chosen; who moves second has declared his.
    """
    contest = of.contest
    run, visits = _Run(contest, {begins: contest.start}), dict[Opening, Numbers]()
    for opening in contest.openings:
        choice = of.choices[opening]
        visits[opening] = run.visits(choice)
        run.play(opening, choice, visits[opening], policy(opening, choice))
    return Followed(visits, run.finished.result(contest.rules, dict(run.tallies)))


@dataclass
class _Run:
    """The states in which a player turn begins, by the plans in force, and what has been set aside."""

    contest: Contest
    now: dict[Pair, tuple[Ints, Numbers]]
    finished: Finished = field(default_factory=Finished)
    tallies: Counter[str] = field(default_factory=Counter)

    def visits(self, choice: Choice) -> Numbers:
        """Return how likely each state is, by the plans in force."""
        visits: Numbers = np.full(choice.worth.shape[:3], 0 * self.contest.one)
        for pair, (states, weights) in self.now.items():
            a, d = self.contest.place(pair)
            visits[np.searchsorted(choice.states, states), a, d] = weights
        return visits

    def play(self, opening: Opening, choice: Choice, visits: Numbers, taken: Ints) -> None:
        """Play a player turn by the plans that are taken up, and set aside what it ends."""
        own = SIDES.index(opening.side)
        self.now = {}
        for pair, chain in self.contest.chains.items():
            place = self.contest.place(pair)
            other = np.take(visits * (taken == place[own]), place[1 - own], axis=2 - own).sum(axis=1)
            there = np.flatnonzero(other)
            states, weights = chain.carry(opening.side, choice.states[there], other[there], self.tallies)
            self.now[pair] = self._left(opening, states, weights)
        if opening.side == self.contest.sides[1]:
            self.finished.close((self.contest.outcome(states), weights) for states, weights in self.now.values())

    def _left(self, opening: Opening, states: Ints, weights: Numbers) -> tuple[Ints, Numbers]:
        """Set aside the states that have ended, and return the others."""
        end = self.contest.end[states]
        last = (opening.turn, opening.side) == (self.contest.limit, self.contest.sides[1])
        end = self.contest.called(states) if last else end
        over = np.flatnonzero(end)
        if over.size:
            self.finished.add(self.contest.outcome(states[over]), end[over], opening.turn, weights[over])
        left = np.flatnonzero(end == End.GOING_ON)
        return states[left], weights[left]

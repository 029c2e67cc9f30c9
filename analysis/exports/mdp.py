"""An assault in which one side chooses, as an explicit model, a decision process (MDP), for other programs.

Where he may take up another plan at the start of his player turn, a state has an action for each; what comes then is as
in the model of a chain (`analysis.exports.dtmc`), beside that of the other plans::

    turn 1, attackers to move            before "charge"
    state 0, init --+-- storm -- 1 --> state 2 --+-- 1/2 --> state 5, turn 1, defenders to move, storm in force
                    |                            +-- 1/2 --> state 7, broken
                    +-- shoot -- 1 --> state 3 ...

The other side keeps its plan, so the greatest and the least chance of an end are what the best replies to it come to.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from analysis.exports.dtmc import Layer, Layered, number_states, state_labels
from sims.assault import End
from sims.dice import Bools, Ints
from sims.engines import Chain
from sims.engines.contest import Contest, Opening, Pair
from sims.scenario import Side


class Decisions(Layered):
    """A model of an assault in which one side chooses; in its contest the other side has one plan."""

    kind = "MDP"

    def __init__(self, contest: Contest, side: Side) -> None:
        super().__init__()
        self._contest, self._side = contest, side
        ends = contest.called(np.arange(len(contest.states)))
        self._number: dict[Pair, Ints] = {pair: number_states(ends) for pair in contest.chains}
        met = [*self._met()]
        for opening, (begins, moved) in zip(reversed(contest.openings), reversed(met), strict=True):
            for pair, chain in contest.chains.items():
                self._back(chain, opening.side, moved[pair], self._number[pair])
            free = np.unique(np.concatenate([states[~self._stays(states)] for states in begins.values()]))
            if opening.side == side and free.size:
                self._choose(free, opening)
        if contest.sides[0] != side:  # who moves second declares his plan before the game
            self._choose(contest.start[0], None)

    def _stays(self, states: Ints) -> Bools:
        return self._contest.committed(states, self._side)

    def _met(self) -> Iterator[tuple[dict[Pair, Ints], dict[Pair, list[Ints]]]]:
        """Yield what is met at every opening, and before each step that follows, by the plans in force."""
        begins = dict.fromkeys(self._contest.chains, self._contest.start[0])
        for opening in self._contest.openings:
            moved, after = defaultdict[Pair, list[Ints]](list), dict[Pair, Ints]()
            for pair, chain in self._contest.chains.items():
                others = (
                    states if had == pair else states[~self._stays(states)]
                    for had, states in begins.items()
                    if had == pair or opening.side == self._side
                )
                after[pair] = _passed(chain, opening.side, np.unique(np.concatenate([*others])), moved[pair])
            yield begins, moved
            begins = after

    def _back(self, chain: Chain, player_turn: str, moved: list[Ints], number: Ints) -> None:
        """Add a player turn by one pair of plans, from its end back."""
        places = [place for step, place in chain.turn if step.player_turn == player_turn]
        for place, states in zip(reversed(places), reversed(moved), strict=True):
            if (moves := place.transitions) and states.size:
                self.add(moves.take(np.flatnonzero(np.isin(moves.source, states))), number)

    def _choose(self, states: Ints, opening: Opening | None) -> None:
        """Add states in which he takes up any plan."""
        from scipy.sparse import csr_array

        own = 0 if self._side == "attackers" else 1
        plans = [pair[own] for pair in self._contest.chains]
        then = np.stack([number[states] for number in self._number.values()], axis=1).ravel()
        rows = csr_array((np.ones(then.size), then, np.arange(then.size + 1)), shape=(then.size, self.size))
        words = state_labels(next(iter(self._contest.chains.values())), states)
        labels = [f" turn_{opening.turn} {opening.side}_to_move{words[i]}" if opening else "" for i in states]
        self.layers.append(Layer(rows, labels, plans))
        for number in self._number.values():
            number[states] = self.size + np.arange(states.size)
        self.size += states.size


def _passed(chain: Chain, player_turn: str, states: Ints, moved: list[Ints]) -> Ints:
    """Return what some states may come to in a player turn and go on from; note those that each step moves."""
    there = np.zeros(len(chain.states), dtype=np.bool_)
    there[states] = True
    for step, place in chain.turn:
        if step.player_turn != player_turn:
            continue
        moves = place.transitions
        rows = np.flatnonzero(there[moves.source]) if moves else np.zeros(0, dtype=np.intp)
        moved.append(moves.source[rows] if moves else rows)
        if moves and rows.size:
            there[moves.source[rows]] = False
            there[moves.take(rows).target] = True
    return np.flatnonzero(there & (chain.end == End.GOING_ON))

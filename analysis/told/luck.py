"""Luck and choice in a game: what each plan has cost, by what the best was worth, and what the dice have done."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from analysis.points.margins import SIDES
from sims.assault import End
from sims.engines.contest import BOTH, Opening, Pair, Solution
from sims.replay import Replay
from sims.scenario import Side
from sims.state import State, kept


@dataclass(frozen=True)
class Turning:
    """A player turn of a game, or what was declared before it.

    Attributes:
        opening: None for what who moves second has declared before the game.
        plan, best: What he did, and what was best.
        cost: How much more the best was worth to him: the chance of a capture that he gave away.
        luck: What the dice of the player turn have added to the chance of a capture.
    """

    opening: Opening | None
    side: Side
    plan: str
    best: str
    cost: float
    luck: float


@dataclass(frozen=True)
class Choices:
    """What the choices of a game and its dice have done to the chance of a capture.

    Attributes:
        start: The chance before the game, if both play their best.
        end: Whether it was captured.
    """

    start: float
    end: float
    turns: tuple[Turning, ...]

    def cost(self, side: Side) -> float:
        """Return what the choices of a side have cost it."""
        return sum(turn.cost for turn in self.turns if turn.side == side)

    @property
    def luck(self) -> float:
        """What the dice have added to the chance of a capture."""
        return sum(turn.luck for turn in self.turns)


def choices(played: Replay, of: Solution) -> Choices:
    """Return what the choices of a game and its dice have done.

    Args:
        played: By plans that may change, which both sides have kept.
        of: What the assault is worth to those who choose among all plans.
    """
    made = [_declared(played, of), *_made(played, of)]
    captured = float(played.end == End.CAPTURED)
    later = [before for _, before, _ in made[1:]] + [captured]
    turns = (replace(turn, luck=then - now) for (turn, _, now), then in zip(made, later, strict=True))
    return Choices(float(of.best), captured, tuple(turns))


def _declared(played: Replay, of: Solution) -> tuple[Turning, float, float]:
    """Return what who moves second has declared, with the chance of a capture before and after that."""
    contest, plans = of.contest, _plans(played)
    side = contest.sides[1]
    own = SIDES.index(side)
    now, before = float(of.start[(*contest.place(plans), BOTH)]), float(of.best)
    return Turning(None, side, plans[own], of.begins[own], abs(before - now), 0), before, now


def _made(played: Replay, of: Solution) -> Iterator[tuple[Turning, float, float]]:
    """Yield each player turn with the chance of a capture before and after its choice."""
    contest, plans = of.contest, _plans(played)
    place = contest.place(plans)
    for opening, state in _begun(played, contest.openings):
        choice, own = of.choices[opening], SIDES.index(opening.side)
        number = contest.states.find([kept(each) for each in state.arrays()], 1)
        row = int(np.searchsorted(choice.states, number[0]))
        best = int(choice.best(opening.side, BOTH)[(row, *place)])
        other = (best, place[1]) if own == 0 else (place[0], best)
        before, now = (float(choice.worth[(row, *pair, BOTH)]) for pair in (other, place))
        name = (contest.attacks, contest.defences)[own][best]
        yield Turning(opening, opening.side, plans[own], name, abs(before - now), 0), before, now


def _begun(played: Replay, openings: Iterable[Opening]) -> Iterator[tuple[Opening, State]]:
    """Yield each player turn with the state at its start, also those in which nothing was to be done."""
    moves = {key: [*made] for key, made in groupby(played.moves, lambda move: (move.turn, move.player))}
    state = played.assault.start
    for opening in openings:
        yield opening, state
        made = moves.get(opening, [])
        state = made[-1].after if made else state
        if made and made[-1] is played.moves[-1] and played.end != End.HELD:
            return


def _plans(played: Replay) -> Pair:
    game = played.assault.scene.scenario
    return Pair(game.plan, game.defence)


def as_data(found: Choices) -> dict[str, Any]:
    """Return luck and choice as JSON has them."""
    return {
        "start": found.start,
        "cost": {side: found.cost(side) for side in SIDES},
        "luck": found.luck,
        "turns": [
            {
                "turn": turn.opening.turn if turn.opening else 0,
                "side": turn.side,
                "plan": turn.plan,
                "best": turn.best,
                "cost": turn.cost,
                "luck": turn.luck,
            }
            for turn in found.turns
        ],
    }

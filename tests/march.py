"""A toy whose best play is known by thought: attackers march on a gate, which they take from near by alone."""

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from sims.assault import Assault, End, Outcome, PlayerTurn, Stage
from sims.dice import D6, Dice, Ints, roll
from sims.engines.contest import Contest, Pair, Solution
from sims.state import State, code, count


@dataclass(frozen=True)
class March(State):
    """Attackers on the march; who storms from afar is lost, who storms from near by takes the gate on 4 and more."""

    distance: Ints = count("inches to the building")
    end: Ints = code()


ONE = SimpleNamespace(groups=[SimpleNamespace(title="one")])


@dataclass(frozen=True)
class Plans:
    """A scene that has one model on each side."""

    plan: str
    defence: str
    scenario = SimpleNamespace(attackers=ONE, defenders=ONE)

    def standing(self, state: March, side: str) -> tuple[Ints, ...]:
        return (np.ones_like(state.distance),)


def advance(dice: Dice, state: March, scene: Plans) -> March:
    if scene.plan == "shoot":
        return state.replace(distance=np.maximum(state.distance - 1, 1))
    face = roll(dice, "storm", D6)
    won = (face >= 4) & (state.distance == 1) & (scene.defence == "hold")
    return state.replace(end=np.where(won, End.CAPTURED, np.where(state.distance > 1, End.BROKEN, 0)))


def still(dice: Dice, state: March, scene: Plans) -> March:
    return state


def march(distance: int = 3, turns: int = 4, defences: tuple[str, ...] = ("hold",), number=Fraction) -> Solution:
    """Return an assault on a gate, that nobody takes while its garrison sallies."""

    def assault(pair: Pair) -> Assault:
        turn = tuple(
            PlayerTurn(side, (Stage(side, rule),)) for side, rule in (("attackers", advance), ("defenders", still))
        )
        start = March(np.array([distance]))

        def outcome(state: March, scene: Plans) -> Outcome:
            return Outcome(np.zeros(1, int), np.zeros(1, int), state.end == End.CAPTURED)

        return Assault("gate", Plans(*pair), start, turn, turns, lambda state, _: state.end, outcome, {})

    pairs = [Pair(plan, defence) for plan in ("storm", "shoot") for defence in defences]
    return Contest({pair: assault(pair) for pair in pairs}, number=number).solve()

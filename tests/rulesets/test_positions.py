"""What positions are worth: brute force plays on from states in mid-game, and the chain has carried back the same."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from itertools import combinations, groupby, product
from typing import Any

import numpy as np
import pytest

from analysis.told.arrivals import Games, Taken
from analysis.told.fields import fields as told
from sims.assault import End, Step
from sims.engines.chain import ENDS, Chain, values
from sims.engines.contest import Opening, Pair
from sims.state import State
from tests.rulesets.judging import Case, Expected

POSITIONS: dict[str, dict[str, str]] = {
    "storming": {
        "storm, hold, attackers first": "attackers defenders distance",
        "second round, 3 on 2": "fireteam",
        "demolish, hold, defenders first": "armour shaken",
        "demolish, sally, defenders first": "armour shaken place",
        "smoke, grenades": "attackers defenders",
        "ruins, storm, hold, attackers first, grenades": "place",
        "room rolled for, shoot, defenders first": "armour capacity",
        "who falls: drawn, two inside, two in support": "attackers defenders",
    },
    "gemini": {
        "D6 against D6 at one window": "attackers.models defenders.models attackers.due defenders.due distance exposed",
        "a wall shot down": "damage defenders.due",
        "a door forced for grenades": "forced attackers.due",
        "flamers at the ports of a bunker": "ports_open",
        "marksmen who only shoot": "defenders.pinned",
        "two floors by stairs": "held here",
        "a jump down by the ladder": "held here",
        "three floors, whose garrison stays": "held here defenders.models",
        "marksmen inside": "attackers.pinned",
        "a bunker shot open": "cracks",
        "a sally of those who are shaken on the way out": "hull cracks shaken dazed place met",
        "who falls: spread, with a bearer at a chief": "attackers.kinds defenders.kinds",
        "they rout where the table ends behind them": "attackers.routs distance attackers.due",
        "they flee in their own turns alone, and rally at the end of them": "attackers.routs place met",
    },
    "gw_updated": {
        "burning, storm": "attackers defenders distance AV occupants_snap garrison",
        "demolish": "weapons weapons_snap occupants_snap",
        "claim, no door, hull points": "hull",
        "smoke, garrison first": "garrison",
        "sally, storm": "garrison gap",
        "sally, demolish": "occupants_snap gap",
        "several Wounds, masonry of twice the Toughness": "wounded",
        "mixed, both led": "attackers_others_hurt defenders_others_hurt",
        "several Wounds outside, shaken, garrison first": "wounded defenders_hurt",
    },
    "realm_of_chaos": {
        "storm, reserves upstairs": "outside inside garrison winner fired distance",
        "storm, sally, two wounds each": "attackers_hurt defenders_hurt out open",
        "demolish, crowded": "damage unstable",
        "demolish, garrison first": "unsafe",
        "demolish, two columns, some storm": "unsound stands",
        "shoot, no door": "stands damage",
        "smoke, hit by the fire, a fight that ends by it": "burning inside damage",
        "shoot, they wait outside, who falls: drawn, guns inside": "defenders_kinds out",
        "demolish, some storm, who falls: drawn": "attackers_kinds",
    },
}
"""By rule set the cases that are judged in mid-game, each with fields that must differ there from what they were at first."""

PUT_IN = {
    "storming": ("storm, hold, attackers first", "demolish, sally, defenders first"),
    "gemini": ("D6 against D6 at one window", "who falls: spread, with a bearer at a chief"),
    "gw_updated": ("burning, storm", "several Wounds outside, shaken, garrison first"),
    "realm_of_chaos": ("storm, reserves upstairs", "demolish, garrison first"),
}
"""By rule set the cases that are judged in mid-game where no game comes to: models and inches are put in."""

LEFT_OVER = {"moved"}
"""What the attackers' turn leaves behind, and their next one sets anew before anybody reads it; not known to brute force."""


@pytest.mark.parametrize(("judged", "name"), [(judged, name) for judged, names in POSITIONS.items() for name in names])
def test_a_position_is_worth_what_brute_force_says(judged, name):
    case: Case = import_module(f"tests.rulesets.{judged}_cases").CASES[name]
    found, start, met = values(case.assault, number=Fraction), fields(case.assault.start), set[str]()
    for step, left in starts_of_player_turns(found.chain):
        before = found.before(step)
        for i, state in telling(found.chain, step):
            differs = {field for field, value in fields(state).items() if value != start[field]}
            seen = state.part(None)
            expected = case.judge_from(seen, left)
            assert differs - LEFT_OVER <= seen.read, step
            assert before[i].tolist() == worth(expected), (step, fields(state))
            met |= differs
    assert set(POSITIONS[judged][name].split()) <= met


@pytest.mark.parametrize(("judged", "name"), [(judged, name) for judged, names in PUT_IN.items() for name in names])
def test_a_position_that_no_game_comes_to_is_played_on_from_as_it_is_given(judged, name):
    case: Case = import_module(f"tests.rulesets.{judged}_cases").CASES[name]
    assault, put_in = case.assault, 0
    game, learnt = assault.scene.scenario, Chain(assault)
    start = fields(assault.start)
    for step, left in starts_of_player_turns(learnt):
        opening = Opening(step.turn, step.player_turn)
        for given in some_of(game.attackers.models, game.defenders.models, game.distance):
            taken = Games({Pair(game.plan, game.defence): assault}, opening, learnt, lambda done: None).taken(given)
            assert isinstance(taken, Taken), given
            if taken.share:
                continue
            made = values(assault, since=step, states=taken.states, number=Fraction)
            before = made.before(step)[made.chain.states.find(taken.states.arrays(), taken.weights.size)]
            for i, numbers in enumerate(zip(*np.broadcast_arrays(*taken.states.arrays()), strict=True)):
                state = assault.start.rebuild([int(n) for n in numbers])
                words = told(assault, taken.states.take(np.array([i])))
                assert {word: words[word].item() for word in given} == given
                seen = state.part(None)
                expected = case.judge_from(seen, left)
                assert {f for f, of in fields(state).items() if of != start[f]} - LEFT_OVER <= seen.read
                assert before[i].tolist() == worth(expected), (step, given, fields(state))
                put_in += 1
    assert put_in > 3


def some_of(attackers: int, defenders: int, distance: int) -> list[dict[str, int]]:
    """A few numbers of models and inches, from one of each up to those at the start."""
    every = [*product(range(1, attackers + 1), range(1, defenders + 1), range(1, distance + 1))]
    chosen = np.random.default_rng(33).permutation(len(every))[:6]
    return [dict(zip(("attackers", "defenders", "distance"), every[i], strict=True)) for i in chosen]


def worth(expected: Expected) -> list[Fraction]:
    """What brute force says, in the order of values."""
    names = [*(end.name.lower() for end in ENDS), "attackers lost", "defenders lost"]
    return [expected.get(name, Fraction(0)) for name in names]


def starts_of_player_turns(chain: Chain) -> Iterator[tuple[Step, int]]:
    """The first step of each player turn of the last two turns, from turn 2 on, and how many player turns are left."""
    steps = [step for step, _ in chain.turn]
    first = [next(own) for _, own in groupby(steps, lambda step: step.player_turn)]
    limit = chain.assault.limit
    every = [step._replace(turn=turn) for turn in range(max(2, limit - 1), limit + 1) for step in first]
    yield from zip(every, range(len(every), 0, -1), strict=True)


def telling(chain: Chain, step: Step) -> Iterator[tuple[int, State]]:
    """Some of the states that can be there before a step, each with its number, in plain numbers.

    Of any two fields, every two values that go together do so in one of them.
    """
    there = np.flatnonzero(chain.known(step) & (chain.end == End.GOING_ON))
    assert there.size, step
    shuffled = np.random.default_rng(21).permutation(there)
    every, met = np.stack(np.broadcast_arrays(*chain.states.take(shuffled).arrays()), axis=1), set[Any]()
    for i, numbers in zip(shuffled, every.tolist(), strict=True):
        if new := {*combinations(enumerate(numbers), 2)} - met:
            met |= new
            yield i, chain.assault.start.rebuild(numbers)


def fields(state: State) -> Mapping[str, Any]:
    """The fields of a state by name, those of records after a dot."""
    found = dict[str, Any]()
    for name in state.__dataclass_fields__:
        value = getattr(state, name)
        inner = fields(value) if isinstance(value, State) else {}
        found |= {f"{name}.{field}": of for field, of in inner.items()} or {name: value}
    return found

"""No stage and no argument of a draw is played that brute force would not miss, but for those in one list."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from sims.assault import Assault, Outcome, PlayerTurn, Stage, State, ending
from sims.dice import D6, AtLeast, Capped, Ints, Volley, roll
from sims.games.wh40k.rules import TO_WOUND
from tests.rulesets.changes import unnoticed
from tests.rulesets.judging import TALLY, Case

JUDGED = sorted(path.name.removesuffix("_cases.py") for path in Path(__file__).parent.glob("*_cases.py"))
"""The rule sets that have a table of cases."""


def places(draw: str, *places: int | str) -> list[str]:
    return [f"{draw}, last argument" if place == "last" else f"{draw}, argument {place}" for place in places]


UNNOTICED: dict[str, dict[str, str]] = {}
"""Of a rule set the changes that none of its cases notices, each with a true reason why none can; so far there are none."""


@pytest.mark.slow
@pytest.mark.parametrize("judged", JUDGED)
def test_every_stage_is_judged(judged):
    cases = import_module(f"tests.rulesets.{judged}_cases").CASES
    assert disputed(cases.values(), UNNOTICED.get(judged, {})) == []


def disputed(cases: Iterable[Case], listed: Iterable[str]) -> list[str]:
    """Return where a list of unnoticed changes is not what the cases say."""
    found = set(map(str, unnoticed(cases)))
    return [
        *(f"no case notices: {change}" for change in sorted(found - set(listed))),
        *(f"listed, but noticed or not played: {change}" for change in sorted(set(listed) - found)),
    ]


# An assault made up to be judged: one shot at a house with one man in it, who may run a few inches.


@dataclass(frozen=True)
class Shot(State):
    hit: Ints
    gone: Ints


def shoot(dice, state, scene):
    return state.replace(hit=dice.draw("shot", Volley((TO_WOUND,)), 1, 4))


def run(dice, state, scene):
    dice.tally("inches", roll(dice, "inches", D6, state.hit))
    return state.replace(gone=state.hit)


def look(dice, state, scene):
    return state


def idle(dice, state, scene):
    dice.within("elsewhere").draw("idle", Capped(AtLeast(D6)), 4, 1)
    return state


def by_number(dice, state, scene):
    """Ask of a table that has two rows, and do nothing with the answer."""
    dice.draw("row", Volley((TO_WOUND,)), 1, np.array([4, 4])[state.hit])
    return state


def case(*rules, **also: Fraction) -> Case:
    """A turn of so many stages, and what one works out by hand: hit on 4+, the man gone, 7/2 inches if he is."""
    zero = np.zeros(1, dtype=np.int64)
    assault = Assault(
        rules="made up",
        scene=None,
        start=Shot(hit=zero, gone=zero),
        turn=(PlayerTurn("attackers", tuple(map(Stage, rules))),),
        limit=1,
        end=lambda state, scene: ending(destroyed=state.gone > 0, captured=False, broken=False),
        outcome=lambda state, scene: Outcome(0 * state.gone, state.gone, state.gone > 0),
        translation={},
    )
    half, none = Fraction(1, 2), Fraction(0)
    ends = {"destroyed": half, "captured": none, "broken": none, "held": half}
    return Case(lambda: assault, lambda: {**ends, "attackers lost": none, "defenders lost": half, **also})


INCHES = {f"{TALLY}inches": Fraction(7, 4)}


def test_what_is_played_and_judged_is_noticed():
    assert disputed([case(shoot, run, **INCHES)], []) == []
    case(shoot, run, **INCHES).agree()


def test_what_is_told_and_not_judged_is_not_noticed():
    change = 'attackers: run, "inches", last argument'
    assert disputed([case(shoot, run)], []) == [f"no case notices: {change}"]
    assert disputed([case(shoot, run)], [change]) == []


def test_a_stage_that_does_nothing_is_not_noticed():
    assert disputed([case(shoot, look, run, **INCHES)], []) == ["no case notices: attackers: look"]
    draws = places('attackers: idle, "idle"', 1, "last")
    expected = [f"no case notices: {change}" for change in ("attackers: idle", *draws)]
    assert disputed([case(shoot, idle, run, **INCHES)], []) == expected


def test_what_is_listed_and_noticed_is_told_apart():
    listed = ["attackers: shoot", "attackers: gone"]
    said = [f"listed, but noticed or not played: {change}" for change in sorted(listed)]
    assert disputed([case(shoot, run, **INCHES)], listed) == said


def test_one_case_of_several_is_enough():
    quiet, loud = case(shoot, run), case(shoot, run, **INCHES)
    assert disputed([quiet, loud], []) == disputed([loud, quiet], []) == []


def test_a_value_that_cannot_be_tells_nothing():
    """A second shot would look into a row that the table has not: that is refused, and so the shot moves down."""
    assert disputed([case(shoot, by_number, run, **INCHES)], []) == [
        "no case notices: attackers: by_number",
        *(f"no case notices: {change}" for change in places('attackers: by_number, "row"', 1, "last")),
    ]

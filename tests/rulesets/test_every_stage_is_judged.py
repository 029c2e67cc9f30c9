"""No stage and no draw is played that brute force would not miss if it were gone or moved, but for those in lists."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from itertools import product, starmap
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import D6, AtLeast, Capped, Ints, Volley, roll
from sims.errors import CasemateError
from sims.games.wh40k.rules import TO_WOUND
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, DefencePlan, load_scenario, scenario_ids
from sims.state import State
from tests.played import Choose as ChooseGames
from tests.played import Game, books
from tests.rulesets.changes import Choose, unnoticed, unreached
from tests.rulesets.judging import TALLY, Case
from tests.rulesets.led_setups import led_by

JUDGED = sorted(path.name.removesuffix("_cases.py") for path in Path(__file__).parent.glob("*_cases.py"))
"""The rule sets that have a table of cases."""


def places(draw: str, *places: int | str) -> list[str]:
    return [f"{draw}, last argument" if place == "last" else f"{draw}, argument {place}" for place in places]


UNNOTICED: dict[str, dict[str, str]] = {
    "storming": {
        'attackers: damage, "saves against instant death", last argument': (
            "one wound slays a model, and only the result of a close combat counts how many there were"
        ),
    },
}
"""Of a rule set the changes that none of its cases notices, each with a true reason why none can."""

UNREACHED: dict[str, dict[str, str]] = {
    "storming": {
        'attackers: unlike_save, "one group"': (
            "by a ruling it is drawn who falls of those who fall alike; it is judged where all attackers do"
        ),
    },
    "gemini": dict.fromkeys(
        (
            f"{player}: wall_falls, {draw}"
            for player in ("attackers", "defenders")
            for draw in ('"collapsing wall, attackers, one group"', '"one group"')
        ),
        "by a ruling a wall falls on attackers too, and no brute force has several kinds of them there",
    ),
}
"""Of a rule set the stages, and the draws of a stage, that assaults play and none of its cases, each with the true reason."""


@pytest.mark.slow
@pytest.mark.parametrize("judged", JUDGED)
def test_every_stage_that_is_played_is_judged_or_listed(judged, some):
    """The short form: every scenario under every pair of plans, each by one book: as it is, or with other options."""
    played = assaults(judged, lambda games: some(games, lambda game: game[1:]))
    assert strays(played, cases_of(judged), UNREACHED.get(judged, {})) == []


@pytest.mark.slow
@pytest.mark.parametrize("judged", JUDGED)
def test_every_stage_is_judged(judged, some):
    """The short form: each stage taken out, and one argument of each draw; and all that is listed."""
    listed = UNNOTICED.get(judged, {})

    def choose(changes):
        return some(changes, lambda change: change if str(change) in listed else change[:3])

    assert disputed(cases_of(judged), listed, choose) == []


def cases_of(judged: str) -> Iterable[Case]:
    """Return the cases of its tables, and after them those in which a leader is another than his men."""
    cases = import_module(f"tests.rulesets.{judged}_cases")
    return [*cases.CASES.values(), *getattr(cases, "IN_FLOATS", {}).values(), *led_by(judged)]


def assaults(judged: str, choose: ChooseGames) -> Iterator[Assault[Any, Any]]:
    """Yield those chosen of every scenario with every pair of plans, by the book and under other options of its rulings."""
    rules = rule_set(judged)
    by = [*books(rules)]
    every = product(range(len(by)), scenario_ids(), get_args(AttackPlan), get_args(DefencePlan))
    for game in choose(starmap(Game, every)):
        scenario = replace(load_scenario(game.scenario), plan=game.plan, defence=game.defence)
        with suppress(CasemateError):
            yield replace(rules, book=by[game.book]).assault(scenario)


def strays(played: Iterable[Assault[Any, Any]], cases: Iterable[Case], listed: Iterable[str]) -> list[str]:
    """Return where a list of stages and draws that no case reaches is not what assaults and cases play."""
    found = set(unreached(played, cases))
    return [
        *(f"no case reaches: {what}" for what in sorted(found - set(listed))),
        *(f"listed, but reached or not played: {what}" for what in sorted(set(listed) - found)),
    ]


def disputed(cases: Iterable[Case], listed: Iterable[str], choose: Choose = sorted) -> list[str]:
    """Return where a list of unnoticed changes is not what the cases say."""
    found = set(map(str, unnoticed(cases, choose)))
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
        turn=(PlayerTurn("attackers", tuple(Stage(rule.__name__, rule) for rule in rules)),),
        limit=1,
        end=lambda state, scene: ending(destroyed=state.gone > 0, captured=False, broken=False),
        outcome=lambda state, scene: Outcome(0 * state.gone, state.gone, state.gone > 0),
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


def test_what_is_played_and_not_reached_is_told():
    quiet, loud = case(shoot), case(shoot, run, idle)
    said = [f"no case reaches: attackers: {rule}" for rule in ("idle", "run")]
    assert strays([loud.assault], [quiet], []) == said
    assert strays([loud.assault], [quiet], ["attackers: idle", "attackers: run"]) == []
    assert strays([loud.assault], [quiet, loud], ["attackers: run"]) == [
        "listed, but reached or not played: attackers: run"
    ]


def test_a_draw_that_no_case_makes_is_told():
    def aim(dice, state, scene):
        dice.draw(f"{scene}", Capped(AtLeast(D6)), 4, 1)
        if scene:
            dice.draw("aim", Capped(AtLeast(D6)), 4, 1)
        return state

    small = case(aim).assault
    large = replace(small, scene=1)
    assert strays([large], [Case(lambda: replace(small, scene=0), dict)], []) == [
        'no case reaches: attackers: aim, "aim"'
    ]

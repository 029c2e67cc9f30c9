"""Gemini: a garrison that has won in the open pursues routers, by a ruling; hatred; what all engines make of it."""

from fractions import Fraction

import numpy as np
import pytest

from sims.dice import exactly
from sims.games.arap import melee
from sims.games.arap.activation import activate
from sims.games.arap.moving.charge import FAR, NEAR, SHORT
from sims.games.arap.nerve import pursuit
from sims.games.arap.unit import PURSUES, RALLIED, RUNS
from sims.rulesets.gemini import turn
from sims.rulesets.gemini.sections import pursuit as chase
from sims.rulesets.gemini.sections import sally
from sims.rulesets.gemini.state import APART, FOUGHT
from sims.scenario import Scenario, load_scenario
from tests.rulesets.gemini_cases import gemini
from tests.rulesets.scripted import scripted
from tests.rulesets.test_conformance import engines_agree

SMALL = {
    "attackers.models": 5,
    "defenders.models": 4,
    "turns": 3,
    "distance": 10,
    "building.levels": 1,
    "defenders.plan": "sally",
    "attackers.plan": "shoot",
    "units.trooper.Ld": 6,
}
HATRED = {"units.trooper.gemini.hates": True}
GAMES = [
    ({}, {"pursuit": "reluctant"}),
    ({"attackers.plan": "storm", "edge": 3} | HATRED, {"pursuit": "eager"}),
    ({"building.levels": 2}, {"pursuit": "reluctant", "pursuit_order": "halts_first"}),
    ({"units.trooper.move": 8}, {"pursuit": "reluctant", "rally_when": "end_of_turn", "free_hacks": "attacks"}),
    ({}, {"pursuit": "reluctant", "flight": "lines", "suppression": "test"}),
]


def small(**changes) -> Scenario:
    return load_scenario("farmhouse", SMALL | changes)


def in_pursuit(assault, distance: int, routs: int):
    start = assault.start
    return start.replace(
        place=np.array([APART]),
        distance=np.array([distance]),
        attackers=start.attackers.replace(routs=np.array([routs])),
        defenders=start.defenders.replace(routs=np.array([PURSUES])),
    )


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("changes", "rulings"), GAMES)
def test_all_engines_agree(changes, rulings):
    engines_agree(gemini(routers="rally", **rulings).assault(small(**changes)))


@pytest.mark.parametrize("ruling", [{"routers": "for_good"}, {"routers": "rally", "pursuit": "none"}])
def test_without_routers_or_pursuit_nobody_pursues(ruling):
    rules = gemini(**{"pursuit": "eager"} | ruling)
    stages = [stage.name for each in rules.assault(small()).turn for stage in each.stages]
    assert not {"pursue", "free hacks", "halt"} & {*stages}


@pytest.mark.parametrize(
    ("order", "phase"),
    [
        ("moves_first", ["flee", "pursue", "free hacks", "rally", "halt"]),
        ("halts_first", ["flee", "rally", "halt", "pursue", "free hacks"]),
    ],
)
def test_every_player_turn_begins_with_routers_and_pursuers(order, phase):
    """Nothing else is in the compulsory phase: no scenario has weather, beasts or reserves."""
    assault = gemini(routers="rally", pursuit="reluctant", pursuit_order=order).assault(small())
    for player_turn in assault.turn:
        assert [stage.name for stage in player_turn.stages[: len(phase) + 1]][:-1] == phase
        assert player_turn.stages[len(phase)].name == "try nerve"


@pytest.mark.clause("ARAP-212")
@pytest.mark.parametrize("gap", [1, 2, 9])
def test_a_pursuit_move_catches_as_the_question_says(gap):
    """Both flee and pursue by the same dice; the routers have turned and run at once already."""
    book = gemini(routers="rally", pursuit="eager").book.game

    def caught(run: int) -> Fraction:
        return exactly(lambda dice: pursuit.pursue(dice, book, 4, np.array([gap + run]))).at_most(2)

    fled = book.tables.rout.flee.pmf
    assert sum(fled[run] * caught(run) for run in fled.outcomes) == pursuit.caught(book, 4, 4, gap, 2, turned=True)


@pytest.mark.clause("ARAP-214")
@pytest.mark.parametrize(
    ("own", "move", "choice", "chance"),
    [
        ({}, 4, "eager", 1),
        ({}, 4, "reluctant", Fraction(5, 12)),
        ({"hates": True}, 4, "reluctant", Fraction(7, 12)),
        ({}, 3, "reluctant", 0),
        ({}, 3, "eager", 1),
        ({"frenzy": True}, 3, "reluctant", 1),
    ],
)
def test_who_pursues_routers(own, move, choice, chance):
    """By Leadership 7, at -1 against the hated; slow units need not, the frenzied always do."""
    rules = gemini(routers="rally", pursuit=choice)
    keys = {f"units.trooper.gemini.{key}": value for key, value in own.items()}
    force = small(**keys, **{"defenders.unit": "trooper", "units.trooper.move": move}).defenders
    won = np.array([True])
    goes = exactly(lambda dice: pursuit.goes_after(dice, rules.book.game, force, 7, won).astype(int))
    assert goes.at_least(1) == chance


@pytest.mark.parametrize(
    ("routing", "rolled", "how", "left"),
    [(RUNS, 3, SHORT, 1), (RUNS, 2, SHORT, 2), (RALLIED, 3, NEAR, 1), (0, 3, NEAR, 1), (0, 2, NEAR, 1)],
)
def test_pursuers_who_reach_those_who_have_rallied_charge_them(routing, rolled, how, left):
    """From within their move, so that nobody stands and fires; those who run are hacked at."""
    assault = gemini(routers="rally", pursuit="reluctant").assault(small())
    state = in_pursuit(assault, 4, routing)
    after = chase.pursue(scripted({"pursuit": str(rolled)}), state, assault.scene)
    assert (after.charge.tolist(), after.distance.tolist(), after.followed.tolist()) == ([how], [left], [4 - left])
    assert chase.hacking(after, assault.scene).tolist() == [routing == RUNS]
    assert chase.may_halt(after, assault.scene).tolist() == [routing == RUNS]
    assert sally.free(after, assault.scene).tolist() == [routing == RUNS]
    charged = [sally.has_charged(after, assault.scene, side).tolist() for side in ("attackers", "defenders")]
    assert charged == [[False], [routing != RUNS]]


def test_those_who_have_rallied_stand_and_fire_at_pursuers_from_afar():
    assault = gemini(routers="rally", pursuit="eager").assault(small())
    after = chase.pursue(scripted({"pursuit": "8"}), in_pursuit(assault, 9, 0), assault.scene)
    assert after.charge.tolist() == [FAR]


@pytest.mark.clause("ARAP-213")
def test_a_charge_at_pursuers_ends_the_pursuit_and_they_do_not_fire():
    assault = gemini(routers="rally", pursuit="eager").assault(small())
    state = in_pursuit(assault, 6, 0)
    ready = state.replace(attackers=state.attackers.replace(points=np.array([1])))
    after = sally.charge(scripted({"charge": "reaches"}), ready, assault.scene, "attackers")
    assert (after.charge.tolist(), after.defenders.routs.tolist()) == ([NEAR], [0])


def test_pursuers_pick_no_dice_up():
    book = gemini().book.game
    start = gemini().assault(small()).start
    unit, enemy = start.defenders.replace(routs=np.array([PURSUES])), start.attackers
    reaction = exactly(lambda dice: activate(dice, book, enemy, unit, (3, 3), 3)[1].points)
    assert reaction.outcomes == (0,)


@pytest.mark.clause("ARAP-042")
@pytest.mark.parametrize("routs", [RUNS, PURSUES])
def test_routers_and_pursuers_are_not_able(routs):
    """Not even where their side throws as many dice as it may."""
    start = gemini().assault(small()).start
    for own, other in ((start.attackers, start.defenders), (start.defenders, start.attackers)):
        unit = own.replace(routs=np.array([routs]))
        thrown = exactly(
            lambda dice, unit=unit, other=other: activate(dice, gemini().book.game, unit, other, (5, 5), 3)[0].points
        )
        assert thrown.outcomes == (0,)


@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_a_try_that_a_reaction_has_cost_is_lost_in_the_own_turn_alone(side):
    """Also where both are locked in a fight, and nobody is activated (ARAP-050)."""
    assault = gemini(pick_ups="only_try").assault(small())
    units = {who: assault.start.unit(who).replace(spent=np.array([1])) for who in ("attackers", "defenders")}
    after = turn.end_turn(scripted({}), assault.start.replace(place=np.array([FOUGHT]), **units), assault.scene, side)
    assert [after.unit(who).spent.tolist() for who in units] == [[int(who != side)] for who in units]


@pytest.mark.clause("ARAP-211")
@pytest.mark.parametrize(("choice", "hacks"), [("one_each", (2,)), ("attacks", (4,))])
def test_how_many_free_hacks_each_has(choice, hacks):
    force = small(**{"units.trooper.A": 2, "defenders.unit": "trooper"}).defenders
    groups = (0,) * (len(force.groups) - 1)
    counts = pursuit.hacks(gemini(free_hacks=choice).book.game, force, (*groups, np.array(2)))
    assert tuple(int(n) for n in counts)[len(groups) :] == hacks


@pytest.mark.clause("ARAP-216")
@pytest.mark.parametrize(("outcome", "left"), [("passed", 0), ("failed", PURSUES)])
def test_who_halts_is_a_unit_like_others(outcome, left):
    assault = gemini(routers="rally", pursuit="reluctant").assault(small())
    after = chase.halt(scripted({"test to halt": outcome}), in_pursuit(assault, 9, RUNS), assault.scene)
    assert after.defenders.routs.tolist() == [left]


@pytest.mark.clause("ARAP-203")
def test_hatred_is_worth_a_point_to_those_who_hate():
    """A wound difference of 1 and hatred: 2 to -1."""
    book = gemini().book.game
    assert melee.lead(book, np.array([1]), 0, 1).tolist() == [3]
    assert melee.lead(book, np.array([1]), 0, -1).tolist() == [1]
    assert melee.lead(book, np.array([1]), 1, -1).tolist() == [2]


def test_the_translation_says_who_pursues():
    said = {
        choice: gemini(routers="rally", pursuit=choice).assault(small()).translation["Attackers who rout"]
        for choice in ("none", "reluctant", "eager")
    }
    slow = small(**{"defenders.unit": "trooper", "units.trooper.move": 3})
    said["slow"] = gemini(routers="rally", pursuit="reluctant").assault(slow).translation["Attackers who rout"]
    assert "by a short cut no garrison pursues them" in said["none"]
    assert "slow does not pursue them" in said["slow"]
    assert "tests to halt after each move" in said["reluctant"]
    assert "never halts" in said["eager"]

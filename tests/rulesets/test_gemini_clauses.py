"""Gemini: clauses of the base game that have no number to be asked, each by a test that fails without the rule."""

from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest

from sims.assault import End
from sims.dice import GOAL, ExactDice, once
from sims.engines import solve
from sims.games.arap import shooting
from sims.games.arap.allocation import Attack, Marks
from sims.games.arap.moving import charge as moving
from sims.games.arap.moving import moves
from sims.games.arap.nerve import casualties, pursuit
from sims.games.arap.reactions import Condition, may_react
from sims.games.arap.stand_and_fire import may_fire
from sims.games.arap.unit import PURSUES, RALLIED, RUNS, Band
from sims.rulesets.gemini import plans, turn
from sims.rulesets.gemini.sections import charge, storm
from sims.rulesets.gemini.state import INSIDE, LOCKED
from sims.scenario import load_scenario
from tests.rulesets.gemini_cases import gemini, scenario
from tests.rulesets.gemini_oracle import House, Siege, Troops
from tests.rulesets.scripted import scripted
from tests.rulesets.test_gemini import state_of


def certain() -> ExactDice:
    return ExactDice(np.array([Fraction(1)], dtype=object))


def storm_of(I: int = 3):
    """Return five attackers of some Initiative against five at a house with two openings."""
    return gemini().assault(scenario(Siege(Troops(I=I), Troops(), House(openings=2)), 5, 5, 6, 2))


def sallied(**changes: int):
    """Return an assault whose garrison sallies, and a state of it."""
    assault = gemini().assault(replace(load_scenario("farmhouse"), defence="sally"))
    return assault, state_of(assault, **changes)


def stages_where(assault, state, side: str) -> list[str]:
    """Name the stages of a side's turn that are played in a state."""
    (player,) = (player for player in assault.turn if player.name == side)
    return [s.name for s in player.stages if s.when is None or np.all(s.when(state, assault.scene))]


@pytest.mark.clause("ARAP-043")
def test_a_unit_has_one_try_in_each_turn():
    """And none where a reaction has used it up, or where the unit routs: it is gone before."""
    assault = storm_of()
    for player in assault.turn:
        assert [stage.name for stage in player.stages].count("throw activation") == 1
    throw = turn.throw_activation
    tried = throw(scripted({"activation dice": [1, 1, 1]}), assault.start, assault.scene, side="attackers")
    assert tried.attackers.points.tolist() == [3]
    spent = throw(certain(), state_of(assault, attackers__spent=1), assault.scene, side="attackers")
    assert spent.attackers.points.max() == 0
    owing = state_of(assault, attackers__due=1)
    routed = turn.try_nerve(scripted({"heavy-casualty test": [6, 5]}), owing, assault.scene, side="attackers")
    assert assault.end(routed, assault.scene).tolist() == [End.BROKEN]


@pytest.mark.clause("ARAP-045")
def test_what_is_not_used_in_a_turn_is_lost_and_fights_come_at_its_end():
    assault, locked = sallied(place=LOCKED, attackers__points=2, defenders__points=1)
    for side in ("attackers", "defenders"):
        played = stages_where(assault, locked, side)
        assert played[-2:] == ["result locked", "end turn"]
        after = turn.end_turn(scripted(), locked, assault.scene, side=side)
        assert (after.attackers.points.tolist(), after.defenders.points.tolist()) == ([0], [0])


@pytest.mark.clause("ARAP-052")
@pytest.mark.parametrize(("points", "left", "distance"), [(3, 1, 4), (2, 0, 4), (1, 0, 8), (0, 0, 12)])
def test_each_move_takes_an_action_point(points, left, distance):
    unit = Band.fresh(load_scenario("farmhouse").attackers).replace(points=np.array([points]))
    after, inches = moves.advance(unit, 4, np.array([12]), 6, 0)
    assert (after.points.tolist(), inches.tolist()) == ([left], [distance])


@pytest.mark.clause("ARAP-053")
def test_those_who_cannot_shoot_get_no_further_move():
    """The unit has come near enough with one move, and gives the rest to shooting, whoever has no weapon for it."""
    changes = {"attackers.plan": "shoot", "attackers.models": 5, "attackers.leader": None, "distance": 14}
    for specials in ([], [{"count": 4, "weapon": "sword"}]):
        assault = gemini().assault(load_scenario("farmhouse", changes | {"attackers.specials": specials}))
        ready = state_of(assault, attackers__points=3)
        after = turn.advance(scripted(), ready, assault.scene)
        assert (after.distance.tolist(), after.attackers.points.tolist()) == ([12], [0])


@pytest.mark.clause("ARAP-054")
def test_units_in_a_fight_need_no_activation_and_do_nothing_else():
    assault, locked = sallied(place=LOCKED)
    for side in ("attackers", "defenders"):
        played = stages_where(assault, locked, side)
        assert not [name for name in played if name.startswith(("throw", "activate", "shoot", "charge"))]
        assert "garrison strikes locked, step 1" in played
        assert "throw activation" in stages_where(assault, locked.replace(place=np.array([INSIDE])), side)
    waiting = locked.defenders.replace(points=np.array([2]))
    charged = moving.after_charge(gemini().book.game, locked.attackers, waiting, np.array([True]))
    assert charged[1].points.tolist() == [0]


@pytest.mark.clause("ARAP-055")
@pytest.mark.parametrize(
    ("reaction", "barred"),
    [
        ("run", ["pinned", "engaged", "routing", "pursuing"]),
        ("intercept", ["pinned", "engaged", "routing", "pursuing", "behind"]),
        ("stand_and_fire", ["pinned", "routing", "pursuing", "behind"]),
    ],
)
def test_who_may_react_in_another_turn(reaction, barred):
    """Each by the list of its own section (ARAP-178, ARAP-180, ARAP-185); one reason not to is enough.

    Who is charged may not intercept, and who is not may do nothing else.
    """
    book, charged = gemini().book.game, reaction != "intercept"
    names = [each.name for each in fields(Condition) if each.name != "charged"]
    unit = Condition(charged=charged)
    assert [name for name in names if not may_react(book, reaction, replace(unit, **{name: True}))] == barred
    assert may_react(book, reaction, unit)
    assert not may_react(book, reaction, Condition(charged=not charged))
    units = replace(unit, pinned=np.array([False, True, False]), engaged=np.array([False, True, True]))
    assert may_react(book, reaction, units).tolist() == [True, False, reaction == "stand_and_fire"]


@pytest.mark.clause("ARAP-055")
@pytest.mark.parametrize(
    ("changes", "fires"),
    [
        ({}, True),
        ({"routs": RUNS}, False),
        ({"routs": RALLIED}, True),
        ({"routs": PURSUES}, False),
        ({"pinned": 1}, False),
    ],
)
def test_who_stands_and_fires_by_the_table_of_reactions_needs_no_activation(changes, fires):
    """Not one point is used, nor the next try; a house rule on the table is played."""
    assault = storm_of()
    state = state_of(assault, charge=moving.FAR, distance=8, **{f"defenders__{k}": v for k, v in changes.items()})
    assert charge.can_stand_and_fire(state, assault.scene).tolist() == [fires]
    house = gemini().book.with_values({"tables.reactions.charged": []})
    scene = replace(gemini(), book=house).assault(assault.scene.scenario).scene
    assert charge.can_stand_and_fire(state, scene).tolist() == [False]
    shot = scripted({"stand and fire": [1, 1], "shots at the chargers": 0})
    fired = charge.stand_and_fire(shot, state, assault.scene).defenders
    assert (fired.points.tolist(), fired.spent.tolist()) == ([0], [0])


@pytest.mark.clause("ARAP-130")
@pytest.mark.parametrize(("pinned", "owes", "may_be_pinned"), [(0, 1, True), (1, 0, False), (2, 0, False)])
def test_the_pinned_take_no_further_tests(pinned, owes, may_be_pinned):
    """Neither for a quarter lost nor for pinning, which would last them into another turn."""
    book = gemini().book.game
    assert casualties.due(book, np.array([4]), np.array([8]), np.array([pinned])).tolist() == [owes]
    force = load_scenario("farmhouse").attackers
    unit = Band.fresh(force).replace(pinned=np.array([pinned]))
    at = Marks.of(book, force, unit, None, unit.models)
    hit = once(GOAL, 1).times(1)
    _, after, _ = shooting.under_fire(certain(), book, unit, at, None, lambda _: [Attack(hit)], 1, 7, own_turn=True)
    assert bool((after != pinned).any()) is may_be_pinned


@pytest.mark.clause("ARAP-131")
def test_the_pinned_have_no_cover_from_a_charge_and_do_not_fire_at_it():
    assault = storm_of(I=4)
    for pinned, I in ((0, 1), (1, 4), (2, 4)):
        state = state_of(assault, charge=moving.FAR, defenders__pinned=pinned)
        assert [own.tolist() for own in storm.initiatives(state, assault.scene, "attackers")] == [[I]]
        charged = Condition.when_charged(state.defenders)
        assert may_fire(assault.scene.book.game, state.charge, charged).tolist() == [not pinned]
        fighting = state.replace(attackers_in=np.array([2]), defenders_in=np.array([2]))
        dice = certain()
        struck = storm.strike(dice, fighting, assault.scene, step=(3,), last=False)
        assert (dice.weights * (5 - struck.attackers.models)).sum() == 2 * Fraction(1, 3) * Fraction(1, 2) * Fraction(
            2, 3
        )


@pytest.mark.clause("ARAP-167")
def test_a_charge_takes_an_action_point_and_ends_what_a_unit_does():
    """One that fails too; points beyond the one it takes are for shooting before it."""
    assault = storm_of()
    ready = {points: state_of(assault, attackers__points=points) for points in (0, 1)}
    assert [plans.charging(state, assault.scene).tolist() for state in ready.values()] == [[False], [True]]
    assert moving.besides_a_charge(np.arange(4)).tolist() == [0, 0, 1, 2]
    far = ready[1].replace(distance=np.array([12]))
    for faces, how in (([4, 4], moving.FAR), ([1, 2], moving.SHORT)):
        after = charge.charge(scripted({"charge": faces}), far, assault.scene)
        assert (after.charge.tolist(), after.attackers.points.tolist()) == ([how], [0])


@pytest.mark.clause("ARAP-184")
def test_wounds_of_those_who_stand_and_fire_count_in_the_fight():
    assault = storm_of()
    charged = state_of(assault, charge=moving.FAR, distance=8)
    shot = scripted({"stand and fire": [1, 1], "shots at the chargers": 2})
    fired = charge.stand_and_fire(shot, charged, assault.scene)
    assert (fired.margin.tolist(), fired.attackers.models.tolist()) == ([-2], [3])
    fighting = fired.replace(attackers_in=np.array([2]), defenders_in=np.array([2]))
    blows = scripted({"blows at the defenders": 1, "blows at the attackers": 0})
    assert storm.strike(blows, fighting, assault.scene, step=(1, 3), last=True).margin.tolist() == [-1]


@pytest.mark.clause("ARAP-122")
def test_what_is_noted_under_fire():
    """The size before, what falls, and the tests that are due: pinning at once, heavy casualties in its own next turn."""
    book, force = gemini().book.game, load_scenario("farmhouse").attackers
    unit, last = Band.fresh(force), np.array([True])
    size, lost = force.models, (np.array([2]), np.array([force.models // 2]))
    for few, fallen in zip(lost, (0, 2), strict=True):
        left = unit.replace(models=unit.models - fallen)
        among = left.standing
        after, so_far = casualties.after_fire(
            certain(), book, left, force, (few,), unit.pinned, np.array([fallen]), last, False, among
        )
        assert after.models.item() == size - fallen - few
        assert bool(after.due.any()) is bool(book.tables.casualties.quarter * (fallen + few) >= size)
        assert so_far.tolist() == [0]
    assert casualties.after_fire(
        certain(), book, unit, force, (lost[1],), unit.pinned, np.array([0]), last, True, unit.standing
    )[0].due.tolist() == [0]


@pytest.mark.clause("ARAP-125")
def test_those_fall_whom_something_with_an_area_has_hit():
    """Nobody outside it falls for them, whoever the owner would give up first."""
    book, force = gemini(who_falls="owner").book.game, load_scenario("farmhouse").attackers
    unit = Band.fresh(force)
    leader = tuple(n * (i == 0) for i, n in enumerate(unit.standing))
    after = unit.wounded(certain(), book, force, (np.array([1]),), "", leader)
    assert after.standing[0].tolist() == [0]
    assert after.models.item() == force.models - 1


OLDER = {"title": "Veteran of older wars", "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7, "Sv": 5}


@pytest.mark.clause("ARAP-036")
def test_a_profile_of_older_sets_lacks_its_movement_alone():
    """It moves as ordinary men do unless its Movement is added."""
    few = {"attackers.unit": "older", "attackers.models": 4, "attackers.specials": [], "attackers.leader": None}
    few |= {"defenders.models": 3, "turns": 3, "building.levels": 1}
    plain, ordinary, fast = (
        solve(gemini().assault(load_scenario("farmhouse", few | {"units.older": OLDER | added})))
        for added in ({}, {"move": 4}, {"move": 6})
    )
    assert np.array_equal(plain.weights, ordinary.weights)
    assert not np.array_equal(plain.weights, fast.weights)


@pytest.mark.parametrize("frenzied", [False, True])
def test_who_is_locked_with_another_enemy_cannot_pursue(frenzied):
    """ARAP-214, which says so of frenzied troops too: they are held."""
    book = gemini().book.game
    assert pursuit.holds_back(book, 2, frenzied=frenzied, locked=True) == 1
    assert pursuit.holds_back(book, 2, frenzied=frenzied) < 1


@pytest.mark.clause("ARAP-056")
@pytest.mark.parametrize(("choice", "tries"), [("once", [1, 0, 0]), ("again", [1, 1, 1])])
def test_to_hack_a_lock_is_a_sole_action(choice, tries):
    """One who knows how, with a point for each of three tries, tries once in a player turn; others force the door."""
    siege = Siege(Troops(I=4), Troops(), House(kind="door"), hacks=8)
    assault = gemini(hacking=choice).assault(scenario(siege, 1, 2, 1, 1))
    hacks = [stage for step, stage in assault.steps(1) if step.player_turn == "attackers" and stage.name == "hack lock"]
    state, found = assault.start.replace(attackers=assault.start.attackers.replace(points=np.array([3]))), []
    for nth in range(3):
        able = nth < len(hacks) and bool(hacks[nth].when(state, assault.scene).item())
        found.append(int(able))
        if able:
            state = hacks[nth].rule(scripted({"hack the lock": "failed"}), state, assault.scene)
    assert (found, state.attackers.points.tolist()) == (tries, [3 - sum(tries)])

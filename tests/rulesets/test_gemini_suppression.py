"""Gemini: hits that hurt few slow a unit down, by a ruling; who is spared; what all engines make of it."""

from fractions import Fraction

import numpy as np
import pytest

from sims.dice import LOW, PMF, UNDER, exactly, without_a_roll
from sims.dice.mechanics import Beside
from sims.engines import solve
from sims.games.arap.activation import activate, recovered
from sims.games.arap.allocation import Attack, Marks
from sims.games.arap.moving import charge
from sims.games.arap.nerve import casualties, rout, suppression
from sims.games.arap.shooting import under_fire
from sims.games.arap.unit import (
    PINNED,
    PINNED_NEXT,
    RUNS,
    SUPPRESSED,
    SUPPRESSED_NEXT,
    SUPPRESSED_TWICE,
    SUPPRESSION,
    Band,
)
from sims.rulesets.gemini.openings.ports import AtPorts, EachAtPorts
from sims.scenario import Scenario, load_scenario
from tests.dice.test_finding import thrown
from tests.rulesets.gemini_cases import gemini
from tests.rulesets.scripted import scripted
from tests.rulesets.test_conformance import engines_agree

SMALL = {"attackers.models": 6, "defenders.models": 4, "turns": 3, "building.levels": 1}
UP = {"building.levels": 2, "defenders.plan": "sally"}
GAMES = [
    ("farmhouse", {}, {}),
    ("farmhouse", {"defenders.plan": "sally"}, {"suppressed_turn": "next_turn"}),
    ("farmhouse", UP, {"suppressed_by": "two_at_least"}),
    ("farmhouse", {"attackers.plan": "smoke"}, {"routers": "rally"}),
    ("farmhouse", {"attackers.plan": "shoot"}, {"who_falls": "drawn", "hits_shared": "evenly"}),
    ("farmhouse", {"units.trooper.gemini.fearless": True}, {}),
    ("bunker-rush", {"attackers.plan": "shoot"}, {}),
    ("bunker-rush", {"attackers.plan": "smoke"}, {"halved_hits": "each_model"}),
    ("toll-house", {"attackers.plan": "shoot"}, {"suppressed_by": "more_than_a_quarter"}),
    ("bastion", {"attackers.plan": "shoot"}, {}),
    ("farmhouse", {"units.trooper.invulnerable": 6, "attackers.plan": "shoot"}, {}),
    ("farmhouse", {"defenders.plan": "sally"}, {"suppressed_turn": "next_turn", "charged_units": "tests"}),
]


def small(name: str = "farmhouse", **changes) -> Scenario:
    return load_scenario(name, SMALL | changes)


def ends(rules, scenario: Scenario) -> list[tuple]:
    result = solve(rules.assault(scenario))
    return [result.weights.tolist(), *(column.tolist() for column in result.columns.values())]


@pytest.mark.slow
@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("name", "changes", "rulings"), GAMES)
def test_all_engines_agree(name, changes, rulings):
    engines_agree(gemini(suppression="test", **rulings).assault(small(name, **changes)))


@pytest.mark.parametrize(
    ("by", "needed"),
    [
        ("a_quarter", {4: 1, 5: 2, 7: 2, 8: 2, 10: 3, 12: 3}),
        ("more_than_a_quarter", {4: 2, 5: 2, 7: 2, 8: 3, 10: 3, 12: 4}),
        ("two_at_least", {1: 2, 4: 2, 5: 2, 7: 2, 8: 2, 10: 3, 12: 3}),
    ],
)
def test_how_many_hits_call_for_a_test(by, needed):
    """ARAP-137: a quarter or more, and two readings by which a unit of four needs two."""
    book = gemini(suppressed_by=by).book.game
    assert suppression.hits_needed(book, np.array([*needed])).tolist() == [*needed.values()]


def after(hits: int, *, lost: int = 0, lasts: bool = True, unit: dict | None = None, rules=None, force=None):
    """What a unit of six owes after so many hits and losses, and the hits that are kept."""
    book, force = (rules or gemini(suppression="test")).book.game, force or small().attackers
    begun = Band.fresh(force).replace(**{name: np.array([value]) for name, value in (unit or {}).items()})
    before = suppression.before_fire(book, force, begun, begun.models, np.array([False]), np.array([0]))
    left = begun.replace(models=begun.models - lost)
    heavy = casualties.heavy(book, np.array([lost]), begun.models)
    made = before.more(np.minimum(np.array([hits]), before.matter))
    owes, so_far = suppression.after_fire(book, force, left, made, heavy, np.array([lasts]))
    return owes.due.item(), so_far.item()


@pytest.mark.clause("ARAP-141")
@pytest.mark.parametrize(
    ("given", "due"),
    [
        ({"hits": 2}, SUPPRESSION),
        ({"hits": 1}, 0),
        ({"hits": 2, "lost": 1}, SUPPRESSION),
        ({"hits": 2, "lost": 2}, 0),
        ({"hits": 2, "unit": {"pinned": PINNED}}, 0),
        ({"hits": 2, "unit": {"pinned": PINNED_NEXT}}, 0),
        ({"hits": 2, "unit": {"pinned": SUPPRESSED_NEXT}}, SUPPRESSION),
        ({"hits": 2, "unit": {"routs": RUNS}}, 0),
        ({"hits": 6, "lost": 6}, 0),
    ],
)
def test_who_owes_a_test(given, due):
    """Neither those who have lost a quarter, nor the pinned, nor routers; nor who is no more."""
    assert after(**given) == (due, 0)


def test_hits_are_kept_while_more_shots_come():
    assert after(1, lasts=False) == (0, 1)
    assert after(9, lasts=False) == (0, 2)
    assert after(2, lost=2, lasts=False) == (0, 0)


@pytest.mark.clause("ARAP-139")
@pytest.mark.parametrize(
    ("profile", "spared"),
    [
        ({}, False),
        ({"invulnerable": 6}, True),
        ({"gemini.size": 3}, True),
        ({"gemini.size": 2}, False),
        ({"gemini.fearless": True}, True),
    ],
)
def test_who_cannot_be_suppressed(profile, spared):
    """By the ordinary models of a unit."""
    force = small(**{f"units.trooper.{key}": value for key, value in profile.items()}).attackers
    assert after(6, force=force)[0] == (0 if spared else SUPPRESSION)


@pytest.mark.parametrize(("choice", "due"), [("yes", SUPPRESSION), ("no", 0)])
def test_a_swarm_by_its_ruling(choice, due):
    """ARAP-139: that spares it, or does not."""
    rules = gemini(suppression="test", suppressed_swarms=choice)
    animals = small(**{"units.trooper.gemini.swarm": True}).attackers
    assert after(6, rules=rules, force=animals) == (due, 0)
    assert after(6, rules=rules) == (SUPPRESSION, 0)


@pytest.mark.parametrize(("choice", "can"), [("no", False), ("yes", True)])
def test_a_leader_who_alone_is_left(choice, can):
    """ARAP-139: with his men he is suppressed as they are."""
    rules, force = gemini(suppression="test", suppressed_characters=choice), small().attackers
    assert [i for i, group in enumerate(force.groups) if group.leads] == [0]
    alone = tuple(np.array([int(i == 0)]) for i in range(len(force.groups) - 1))
    unit, book = Band.fresh(force).replace(models=np.array([1]), kinds=alone), rules.book.game
    assert suppression.can_be(book, force, unit).tolist() == [can]
    assert suppression.can_be(book, force, Band.fresh(force)).tolist() == [True]


@pytest.mark.parametrize(("turn", "lasts"), [("this_turn", SUPPRESSED), ("next_turn", SUPPRESSED_NEXT)])
@pytest.mark.parametrize(
    ("before", "answer", "held_up"),
    [(0, "failed", None), (0, "passed", 0), (PINNED, None, PINNED)],
)
def test_who_fails_is_suppressed(turn, lasts, before, answer, held_up):
    """ARAP-140: in the turn that starts, or by another reading in the next; nobody who is pinned tests."""
    book = gemini(suppression="test", suppressed_turn=turn).book.game
    unit = Band.fresh(small().attackers).replace(due=np.array([SUPPRESSION]), pinned=np.array([before]))
    tested = suppression.try_suppression(scripted({"suppression test": answer} if answer else {}), book, unit, 7)
    assert (tested.due.tolist(), tested.pinned.tolist()) == ([0], [lasts if held_up is None else held_up])


@pytest.mark.parametrize(("answer", "held_up"), [("failed", SUPPRESSED_TWICE), ("passed", SUPPRESSED)])
def test_who_is_suppressed_for_this_turn_may_be_for_the_next_one_too(answer, held_up):
    """ARAP-140, where a test concerns the turn after the one that starts; both turns cost an action."""
    book = gemini(suppression="test", suppressed_turn="next_turn").book.game
    unit = Band.fresh(small().attackers).replace(due=np.array([SUPPRESSION]), pinned=np.array([SUPPRESSED]))
    tested = suppression.try_suppression(scripted({"suppression test": answer}), book, unit, 7)
    assert (tested.due.tolist(), tested.pinned.tolist()) == ([0], [held_up])


def test_it_costs_an_action_of_the_own_turn_once():
    """Not of dice that are picked up; the enemy picks up as many as ever (ARAP-140)."""
    book, (ours, theirs) = gemini().book.game, (Band.fresh(f) for f in (small().attackers, small().defenders))
    each = (
        (0, 0, 0),
        (SUPPRESSED, 1, 0),
        (SUPPRESSED_NEXT, 0, SUPPRESSED_NEXT),
        (SUPPRESSED_TWICE, 1, SUPPRESSED_NEXT),
    )
    for held_up, fewer, left in each:
        unit = ours.replace(pinned=np.array([held_up]))
        own = exactly(lambda dice, unit=unit: activate(dice, book, unit, theirs, (4, 4), 3)[0].points)
        picked = exactly(lambda dice, unit=unit: activate(dice, book, theirs, unit, (4, 4), 3)[1].points)
        assert own == (3 @ PMF.chance(Fraction(2, 3))).map(lambda n, fewer=fewer: max(n - fewer, 0))
        assert picked == 3 @ PMF.chance(Fraction(2, 9))
        paid = activate(scripted({"activation dice": 3}), book, unit, theirs, (4, 4), 3)[0]
        assert paid.pinned.tolist() == [left]
    assert recovered(np.arange(6)).tolist() == [0, 0, PINNED, 0, SUPPRESSED, SUPPRESSED]


def test_who_is_drawn_into_close_combat_is_suppressed_no_longer():
    """ARAP-141; the pinned stay pinned."""
    book, fresh = gemini(suppression="test").book.game, Band.fresh(small().attackers)
    for engaged, held_up, left in ((1, SUPPRESSED_NEXT, 0), (0, SUPPRESSED_NEXT, SUPPRESSED_NEXT), (1, PINNED, PINNED)):
        unit = fresh.replace(pinned=np.array([held_up]))
        both = charge.after_charge(book, unit, unit, np.array([bool(engaged)]))
        assert [side.pinned.tolist() for side in both] == [[left], [left]]


PORT_SHOTS = [
    (AtPorts(((UNDER,), (UNDER, LOW)), 2), (1, 3, 2, 4, 3)),
    (EachAtPorts((UNDER, LOW), 2), (1, 3, 4, 3)),
    (EachAtPorts((UNDER,), 2), (2, 2, 4)),
]


@pytest.mark.parametrize(("mechanic", "arguments"), PORT_SHOTS)
@pytest.mark.parametrize("matter", [0, 1, 2])
def test_hits_through_ports_are_counted(mechanic, arguments, matter):
    """By every fall of the dice."""
    beside = Beside(mechanic, 10)
    law = beside.pmf(*arguments, matter)
    assert dict(law) == thrown(beside, (*arguments, matter), {})
    assert law.map(lambda both: both % 10) == mechanic.pmf(*arguments)


def test_off_nothing_of_it_moves_anything():
    """Neither the threshold, nor who is spared, nor the turn."""
    plain = ends(gemini(suppression="off"), small())
    other = {"suppressed_by": "two_at_least", "suppressed_turn": "next_turn", "suppressed_characters": "yes"}
    assert ends(gemini(suppression="off", **other), small()) == plain


def test_it_is_told():
    said = gemini(suppression="test").assault(small()).translation["Suppression"]
    assert "an action less in that turn" in said
    assert "5-inch marker" in said
    assert "short cut" in gemini(suppression="off").assault(small()).translation["Suppression"]


def test_the_fearless_take_no_test():
    """ARAP-013, ARAP-135: neither for losses, nor for pinning, nor for hits, nor after a lost round."""
    force = small(**{"units.trooper.gemini.fearless": True}).attackers
    book, unit = gemini(suppression="test").book.game, Band.fresh(force)
    dead, none = tuple(np.array([3 * (i == len(force.bodies) - 1)]) for i in range(len(force.bodies))), np.array([0])
    left, fallen = casualties.after_fire(
        scripted(), book, unit, force, dead, none, none, np.array([True]), False, unit.standing
    )
    assert (left.models.item(), left.due.tolist(), fallen.tolist()) == (unit.models.item() - 3, [0], [0])
    at, wound = Marks.of(book, force, unit, None, unit.models), [Attack(without_a_roll(np.array([1])))]
    _, pinned, _ = under_fire(scripted(), book, unit, at, None, lambda _: wound, 1, 2, own_turn=False)
    assert pinned.tolist() == [0]
    tests, fails = rout.rout_test(
        scripted(), book, (unit, unit), np.array([-3]), np.array([-3]), (2, 2), unrolled=(True, False)
    )
    assert (tests.tolist(), fails.tolist()) == ([True], [False])

"""The chances in a game: judged by enumeration, by `solve`, and by what they have to add up to."""

import json
from fractions import Fraction
from itertools import product

import pytest

from analysis.cli import run
from analysis.points.point import point
from analysis.told import chances as module
from analysis.told.chances import Course, Shift
from analysis.told.fields import fields
from analysis.told.replay import chances, heading, rolled
from sims.dice import GOAL as GOAL_ON_A_DIE
from sims.dice import Volley
from sims.engines import chain, solve
from sims.replay import Replay, replay
from sims.rulesets import rule_set
from sims.script import RollFile, Script
from tests.engines import test_engines as races
from tests.engines.test_engines import found, race

pytestmark = pytest.mark.usefixtures("small_batches")

GOAL, TURNS = 9, 3


def by_enumeration(total: int, turns: int) -> dict[str, Fraction]:
    """Go through every sequence of faces of a race that stands at a total, with so many turns left."""
    ends = dict.fromkeys(("destroyed", "captured", "broken", "held"), Fraction(0))
    for faces in product(range(1, 7), repeat=turns):
        now, end = total, "held"
        for face in faces:
            first, now = now == 0, min(now + face, GOAL)
            if now >= GOAL or (face == 1 and not first):
                end = "captured" if now >= GOAL else "broken"
                break
        ends[end] += Fraction(1, 6**turns)
    return ends


@pytest.mark.parametrize("seed", range(5))
def test_chances_are_those_of_every_way_the_dice_can_fall(seed):
    assault = race(GOAL, TURNS)
    played, course = replay(assault, seed=seed), Course(assault)
    assert course.now == pytest.approx({end: float(p) for end, p in by_enumeration(0, TURNS).items()}, abs=1e-15)
    for move in played.moves:
        (shift,) = course.follow(move)
        total, over = int(move.after.total[0]), move is played.moves[-1]
        expected = by_enumeration(total, TURNS - move.turn) if not over else {played.end.name.lower(): 1}
        assert course.now == pytest.approx({end: float(expected.get(end, 0)) for end in course.now}, abs=1e-15)
        assert shift.roll is move.rolls[0]


@pytest.mark.parametrize("plan", ["storm", "demolish", "smoke"])
def test_what_the_rolls_do_adds_up_to_how_the_game_ended(skirmish, rules, plan):
    """Between two moves nothing changes: what the last roll has left is what the chain says before the next move."""
    assault = point(skirmish, rule_set(rules), {"attackers.plan": plan, "defenders.plan": "sally"}).assault
    exact = solve(assault)
    ends = found_ends(exact)
    course = Course(assault)
    assert course.now == pytest.approx(ends, abs=1e-12)
    several = 0
    for seed in range(4):
        played, course = replay(assault, seed=seed), Course(assault)
        start = course.now
        for move in played.moves:
            states = course._values.chain.states
            (number,) = states.find([a.astype("int16") for a in move.before.arrays()], 1)
            before = course._values.before(move.step)[number]
            assert [before[2], before[1], before[0], before[3]] == pytest.approx([*course.now.values()], abs=1e-12)
            several += len(course.follow(move)) > 1
        over = {end: float(end == played.end.name.lower()) for end in start}
        assert course.now == pytest.approx(over, abs=1e-12)
        for end, chance in start.items():
            assert chance + sum(shift.change[end] for shift in course.shifts) == pytest.approx(over[end], abs=1e-12)
        sizes = [shift.size for shift in course.turning_points]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes == sorted((shift.size for shift in course.shifts), reverse=True)[: len(sizes)]
    assert several or rules != "gemini"


@pytest.mark.parametrize("faces", [(4, 5), (4, 1), (1, 6, 1), (2, 2, 2)])
def test_a_game_that_is_written_down_has_the_chances_of_every_way_the_dice_can_fall(faces):
    assault = race(GOAL, TURNS)
    played = replay(assault, script=Script([RollFile(label="move", answer=face) for face in faces]))
    course, total = Course(assault), 0
    for turn, (face, move) in enumerate(zip(faces, played.moves, strict=True), 1):
        course.follow(move)
        total = min(total + face, GOAL)
        over = turn == len(faces)
        expected = {played.end.name.lower(): 1} if over else by_enumeration(total, TURNS - turn)
        assert course.now == pytest.approx({end: float(expected.get(end, 0)) for end in course.now}, abs=1e-15)


@pytest.fixture
def _too_large(monkeypatch):
    """Have every chain be too large, and much left out."""
    monkeypatch.setitem(chain.values.__kwdefaults__, "budget", 10)
    monkeypatch.setattr(module, "WITHIN", 1e-3)
    monkeypatch.setattr(module, "FAINT", 1e-2)


def test_chances_in_a_large_assault_are_within_their_bounds(skirmish, rules, request):
    """Also after rolls that hardly ever come up: then they are found again from there."""
    assault = point(skirmish, rule_set(rules)).assault
    games = [replay(assault, seed=seed) for seed in range(6)]
    exact = [[Course(assault).now, *followed(Course(assault), played)] for played in games]
    request.getfixturevalue("_too_large")
    most = 0.0
    for played, true in zip(games, exact, strict=True):
        course = Course(assault)
        for low, chance in zip([course.now, *followed(course, played)], true, strict=True):
            for end in chance:
                assert low[end] - 1e-12 <= chance[end] <= low[end] + 1e-2 + 1e-12
        most = max(most, course.left_out)
    assert 0 < most <= 1e-2


def followed(course: Course, played: Replay) -> list[dict[str, float]]:
    """Return the chances after each move."""
    return [(course.follow(move) and course.now) or course.now for move in played.moves]


@pytest.mark.usefixtures("_too_large")
def test_that_chances_are_certified_is_said(skirmish, capsys):
    assert run(["play", skirmish, "--rules", "storming", "--seed", "3", "--chances"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "Chances are certified: no chance is off by more than 0.001 games in 100."
    assert run(["play", skirmish, "--rules", "storming", "--seed", "3", "--chances", "--json"]) == 0
    assert 0 < json.loads(capsys.readouterr().out)["left_out"] <= 1e-2


def test_a_roll_without_words_of_its_own_is_told_by_what_the_move_did():
    """What the attacks on a bunker come to is a code; what is left of it stands in the state."""
    game, told = point("bunker-rush", rule_set("gemini")).assault, []
    for move in (move for seed in range(8) for move in replay(game, seed=seed).moves):
        for roll in (roll for roll in move.rolls if roll.label == "attacks on the bunker"):
            told.append(rolled(Shift(move, roll, {}, {})).removeprefix(f"{heading(move)}, attacks on the bunker: "))
            before, after = (fields(game, state) for state in (move.before, move.after))
            assert (told[-1] == "to no effect") == (before == after)
            damage = after["structural damage"].item()
            assert (f"structural damage: {damage}" in told[-1]) == (damage != before["structural damage"])
    assert "to no effect" in told
    assert "structural damage: 1" in told


def test_what_is_said_before_and_now_and_its_move_add_up():
    """From 3.04 to 3.46 %: 3.0 and 3.5 as they are said, so that it has moved by 0.5."""
    assert chances({"captured": 0.0346}, {"captured": 0.0042}) == "captured 3.5 % (+0.5)"
    assert chances({"captured": 0.0346}) == "captured 3.5 %"


def test_only_what_is_certain_reads_0_or_100_per_cent():
    assert chances({"captured": 0.9998, "broken": 0.0002}, {"captured": 0.001, "broken": -0.001}) == (
        "captured >99.9 % (+0.1), broken <0.1 % (-0.1)"
    )
    assert chances({"captured": 1.0, "broken": 0.0}, {"captured": 0.2, "broken": -0.2}) == (
        "captured 100.0 % (+20.0), broken 0.0 % (-20.0)"
    )


def test_a_draw_that_is_certain_is_no_roll():
    """It comes first, and takes no answer away from the one that is rolled."""

    def two(dice, state, scene):
        dice.draw("nobody", Volley((GOAL_ON_A_DIE,)), 0, 4)
        return races.move(dice, state, scene)

    assault = race(GOAL, TURNS, two)
    played, course = replay(assault, seed=1), Course(assault)
    for done in played.moves:
        assert [roll.label for roll in done.rolls] == ["move"]
        course.follow(done)
    assert course.now == pytest.approx({end: float(end == played.end.name.lower()) for end in course.now}, abs=1e-15)


def test_the_turning_points_are_the_three_rolls_that_have_moved_most():
    course = Course(race(GOAL, TURNS))
    course.shifts = [Shift(None, None, {}, {"held": by, "broken": -by}) for by in (0.02, -0.3, 0.009, 0.1, 0.3)]
    assert [shift.size for shift in course.shifts] == pytest.approx([0.02, 0.3, 0.009, 0.1, 0.3])
    assert course.turning_points == [course.shifts[i] for i in (1, 4, 3)]
    course.shifts = course.shifts[:3]
    assert course.turning_points == [course.shifts[i] for i in (1, 0)]


def by_faces(roll):
    return {"faces": roll.faces}


def by_answer(roll):
    """The answer as it is said; where it says nothing to a player, the faces."""
    return {"answer": roll.said} if roll.said else {"faces": roll.faces}


@pytest.mark.parametrize("written", [by_faces, by_answer])
def test_scripted_games_are_found_in_the_chain_as_thrown_ones_are(skirmish, rules, written):
    assault = point(skirmish, rule_set(rules), {"defenders.plan": "sally"}).assault
    for seed in range(2):
        thrown, course = replay(assault, seed=seed), Course(assault)
        shifts = [shift for move in thrown.moves for shift in course.follow(move)]
        rolls = [RollFile(label=r.label, turn=m.turn, **written(r)) for m in thrown.moves for r in m.rolls]
        scripted, course = replay(assault, script=Script(rolls)), Course(assault)
        start = course.now
        again = [shift for move in scripted.moves for shift in course.follow(move)]
        assert all(shift.roll.scripted for shift in again)
        assert [shift.roll.label for shift in again] == [roll.label for roll in rolls]
        for ours, theirs in zip(again, shifts, strict=True):
            assert (ours.chances, ours.change) == (theirs.chances, theirs.change)
        for end, chance in start.items():
            over = float(end == scripted.end.name.lower())
            assert chance + sum(shift.change[end] for shift in again) == pytest.approx(over, abs=1e-12)


def found_ends(result):
    chances = dict.fromkeys(("destroyed", "captured", "broken", "held"), 0.0)
    for (end, _), weight in found(result).items():
        chances[end] += float(weight)
    return chances


def test_the_command_tells_and_writes_them(skirmish, capsys):
    assert run(["play", skirmish, "--seed", "3", "--chances"]) == 0
    out = capsys.readouterr().out
    assert "Before the first move: " in out
    assert "  chances: " in out
    assert run(["play", skirmish, "--seed", "3", "--chances", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    changes = [roll["change"]["captured"] for move in data["moves"] for roll in move["rolls"]]
    assert data["chances"]["captured"] + sum(changes) == pytest.approx(float(data["end"] == "captured"), abs=1e-12)
    assert data["moves"][-1]["chances"][data["end"]] == pytest.approx(1)
    assert run(["play", skirmish, "--seed", "3", "--json"]) == 0
    assert "chances" not in json.loads(capsys.readouterr().out)

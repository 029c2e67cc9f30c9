"""The chances in a game: judged by enumeration, by `solve`, and by what they have to add up to."""

import json
from fractions import Fraction
from itertools import product

import pytest

from analysis.chances import Course
from analysis.cli import run
from analysis.point import point
from sims.engines import solve
from sims.replay import replay
from sims.rulesets import rule_set
from tests.engines.test_engines import found, race

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

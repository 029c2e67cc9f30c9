"""Answers that are known within bounds: what is said of them is true of the exact ones, and never called exact."""

import json
from dataclasses import replace

import pytest

from analysis.cli import run
from analysis.deciding.baseline import Verdict, judge
from analysis.points.packing import pack, pack_result, unpack, unpack_result
from analysis.points.point import How, Point, point
from analysis.points.responses import Estimate, captured_by_turn, difference, losses, lost_by_turn
from analysis.say.engine import certified_words, engine
from analysis.say.numbers import interval
from sims.engines import Bounded

WITHIN = 0.01


@pytest.fixture(scope="module", params=["gemini", "gw_updated", "realm_of_chaos", "storming"])
def both(request) -> tuple[Point, Point]:
    """The same assault, exactly and within coarse bounds."""
    exact = point("toll-house", request.param, how=How("exact"))
    return exact, replace(exact, how=How("bounded", within=WITHIN))


@pytest.fixture
def ask(capsys, tmp_path, monkeypatch):
    """Run the command line and return its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def asked(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        return code, *capsys.readouterr()

    return asked


def holds(bounds: Estimate, true: Estimate) -> bool:
    low, high = bounds.ends
    return low - 1e-12 <= true.value <= high + 1e-12


def test_every_response_lies_within_its_bounds(both):
    exact, bounded = both
    true, found = exact.responses(exact.play()), bounded.responses(bounded.play())
    assert found.keys() == true.keys()
    assert all(holds(found[name], true[name]) for name in true), found
    assert all(found[name].certified and not found[name].sampled for name in true if name.startswith("p_"))


def test_turns_and_losses_lie_within_their_bounds(both):
    results = [each.play() for each in both]
    margins = [each.read().margins for each in both]
    for side, most in zip(("attackers", "defenders"), both[0].models, strict=True):
        true, found = (lost_by_turn(result, side, most) for result in results)
        assert all(map(holds, found, true))
        true, found = (losses(each, side) for each in margins)
        assert all(holds(found.get(n, Estimate(0.0, beyond=WITHIN)), chance) for n, chance in true.items())
    true, found = map(captured_by_turn, margins)
    assert all(map(holds, found, true))


def test_a_bounded_answer_comes_back_from_its_bytes(both):
    result = both[1].play()
    assert isinstance(result, Bounded)
    again = unpack_result(pack_result(result))
    assert isinstance(again, Bounded)
    assert again.left_out == result.left_out > 0
    assert again.weights.tolist() == result.weights.tolist()
    margins = both[1].read().margins
    assert unpack(pack(margins)).left_out == margins.left_out > 0


def test_bounds_of_a_difference_are_those_of_both_added():
    low, high = difference(Estimate(0.5, beyond=0.01), Estimate(0.6, beyond=0.02)).ends
    assert (low, high) == pytest.approx((0.09, 0.12), abs=1e-15)
    mixed = difference(Estimate(0.5, 0.4, 0.7), Estimate(0.6, beyond=0.02)).ends
    assert mixed == pytest.approx((-0.1, 0.22), abs=1e-15)


@pytest.mark.parametrize(
    ("after", "margin", "verdict"),
    [
        (0.505, 0.0, Verdict.CANNOT_TELL),
        (0.505, 0.05, Verdict.WITHIN),
        (0.505, 0.01, Verdict.CANNOT_TELL),
        (0.6, 0.01, Verdict.CHANGED),
    ],
)
def test_a_move_that_is_smaller_than_the_bounds_cannot_be_told(after, margin, verdict):
    assert judge([0.5, 0.5, 0.51], [after, after, after + 0.01], margin, sampled=False) is verdict


def test_how_far_a_number_can_be_off_is_said():
    assert certified_words(How("bounded")).endswith("off by more than 0.0001 games in 100")
    assert certified_words(How("bounded", within=0.01)).endswith("off by more than 1 game in 100")
    assert certified_words(How("bounded", within=1e-9)).endswith("off by more than 0.0000001 games in 100")
    assert engine(How(), 3, 0) == "All numbers are exact."
    assert engine(How(), 3, 0, 3).startswith("All are certified: ")
    assert engine(How(), 3, 1, 1).startswith("1 point is certified: ")
    assert "exact" not in engine(How("bounded"), 3, 0)


def test_bounds_that_can_be_seen_are_shown():
    assert interval(Estimate(0.5, beyond=1e-6), 100) == ""
    assert interval(Estimate(0.5, beyond=0.01), 100) == "50.0–51.0"


@pytest.mark.parametrize(
    "asked",
    [
        ["compare", "toll-house", "--rules", "storming"],
        ["sweep", "toll-house", "--vary", "turns=1,2", "--rules", "storming"],
        ["versus", "storming", "gw_updated", "--scenario", "toll-house"],
    ],
)
def test_commands_say_that_numbers_are_certified(asked, ask):
    engine = ["--engine", "bounded", "--within", "0.001", "--no-store"]
    code, out, _ = ask(*asked, *engine)
    said = " ".join(out.split())
    assert code == 0
    assert "certified: no chance is off by more than 0.1 games in 100" in said
    assert "exact" not in said.lower()


def test_json_has_the_bounds_and_what_was_left_out(ask):
    asked = ["compare", "toll-house", "--rules", "storming", "--engine", "bounded", "--within", "0.001", "--json"]
    (found,) = json.loads(ask(*asked)[1])["results"]
    assert (found["engine"], found["trials"]) == ("bounded", None)
    captured = found["responses"]["p_captured"]
    assert captured["certified"]
    assert 0 < captured["high"] - captured["low"] == pytest.approx(found["left_out"], abs=1e-15)
    assert found["left_out"] <= 0.001


@pytest.mark.parametrize("given", ["0", "-1", "0.02", "1e-13", "nan", "a little"])
def test_a_tolerance_that_is_none_is_refused(given, ask):
    code, out, err = ask("compare", "--within", given)
    assert (code, out) == (2, "")
    assert f'expected a chance from 1e-12 to 0.01, got "{given}"' in err


@pytest.mark.parametrize("engine", ["exact", "sampled", "rolled"])
def test_a_tolerance_is_for_what_is_bounded(engine, ask):
    code, out, err = ask("compare", "--engine", engine, "--within", "0.001")
    assert (code, out) == (2, "")
    assert f"expected --engine bounded or auto, got {engine}" in err

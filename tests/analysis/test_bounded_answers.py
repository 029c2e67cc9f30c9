"""Answers that are known within bounds: what is said of them is true of the exact ones, and never called exact."""

import json
from dataclasses import replace

import pytest

from analysis.cli import run
from analysis.deciding.baseline import Verdict, judge
from analysis.deciding.solve import Level, Solution
from analysis.deciding.versus_words import larger
from analysis.findings import assaults as findings_of_assaults
from analysis.findings import plans as findings_of_plans
from analysis.points.packing import pack, pack_result, unpack, unpack_result
from analysis.points.point import How, Point, point
from analysis.points.responses import Estimate, captured_by_turn, difference, losses, lost_by_turn
from analysis.rows.assaults import TurnRow
from analysis.rows.plans import PlansRow
from analysis.say.engine import certified_words, engine
from analysis.say.numbers import interval, percent
from sims.engines import Bounded
from sims.rulesets import rule_set

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


@pytest.mark.parametrize(("margin", "verdict"), [(0.0, Verdict.CANNOT_TELL), (0.01, Verdict.SAME)])
def test_the_same_number_is_the_same_if_its_bounds_are_within_the_margin(margin, verdict):
    answer = [0.5, 0.5, 0.505]
    assert judge(answer, answer, margin, sampled=False) is verdict
    assert judge(answer, answer, margin, sampled=True) is Verdict.SAME


def test_a_target_is_met_within_the_bounds():
    """0.6 lies below what is certified at 3 attackers, within what is at 2, above what is at 1."""
    by_models = {1: Estimate(0.55, beyond=0.01), 2: Estimate(0.595, beyond=0.01), 3: Estimate(0.61, beyond=0.01)}
    levels = tuple(Level(models, answer) for models, answer in by_models.items())
    met = Solution(rule_set("storming"), 2, levels, 0.6, whole=True)
    assert [(low.value, high.value) for low, high in met.crossings] == [(2, 2)]
    passed = Solution(rule_set("storming"), 2, levels[::2], 0.6, whole=True)
    assert [(low.value, high.value) for low, high in passed.crossings] == [(1, 3)]


def test_a_chance_that_is_certified_is_never_told_as_never():
    replies = [PlansRow("A", "blue", plan, "hold", 0.0, None, None, "attackers") for plan in ("storm", "shoot")]
    known = [row._replace(certified=True) for row in replies]
    assert findings_of_plans.against(replies, "hold", "p_captured").endswith(": never under A")
    assert findings_of_plans.against(known, "hold", "p_captured").endswith(": almost never under A")
    turns = [TurnRow("A", "blue", turn, 0.0, None, None) for turn in (1, 2)]
    assert findings_of_assaults.turns(turns) == "Never captured under A"
    known_turns = [row._replace(certified=True) for row in turns]
    assert findings_of_assaults.turns(known_turns) == "Captured in less than 1 game in 100 under A"


@pytest.mark.parametrize("beyond", [1e-6, 0.01])
def test_a_certified_0_reads_as_next_to_nothing(beyond):
    assert percent(Estimate(0.0, beyond=beyond).in_words) == "<0.1 %"
    assert Estimate(0.0).in_words == 0
    assert Estimate(0.25, beyond=beyond).in_words == 0.25


def test_plans_within_the_bounds_are_not_told_as_alike():
    rows = [
        PlansRow("A", "blue", plan, "hold", 0.5, None, None, "attackers", certified=True) for plan in ("storm", "smoke")
    ]
    said = findings_of_plans.against(rows, "hold", "p_captured")
    assert said.endswith("by storm under A (50 games in 100; as often, as far as bounds tell, by smoke)")


def test_a_difference_within_the_bounds_is_none_that_they_can_tell():
    where = ("under A", "under B")
    wide = difference(Estimate(0.5, beyond=0.01), Estimate(0.505, beyond=0.01))
    said = larger("p_captured", where, (0.5, 0.505), wide)
    none = "no difference that the bounds can tell"
    assert said == f"{none}: the building is captured in 50.0 games in 100 under A, 50.5 under B"
    apart = difference(Estimate(0.5, beyond=0.01), Estimate(0.6, beyond=0.01))
    said = larger("p_captured", where, (0.5, 0.6), apart)
    assert said == "the building is captured in 10 games in 100 more (9.0 to 11.0) under B (60) than under A (50)"


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

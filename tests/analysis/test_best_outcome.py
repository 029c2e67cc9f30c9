"""Best play as a whole outcome: of design points, of levels of a sweep, of receipts and baselines."""

import json

import numpy as np
import pytest

from analysis.cli import run
from analysis.points.plans import BEST, Plans, outcome, own_plans, solution_of
from analysis.points.point import How, Point, point
from analysis.sweeps.sweep import sweep
from sims.engines import solve
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario

SMALL = {"attackers.models": 4, "defenders.models": 2, "turns": 3, "distance": 12}
SMALL |= {f"{side}.specials": [] for side in ("attackers", "defenders")}


def test_the_outcome_of_best_play_is_captured_as_often_as_best_play_is_worth(rules):
    game, under = load_scenario("farmhouse", SMALL), rule_set(rules)
    for plans in ((BEST, BEST), ("storm", BEST), (BEST, "hold")):
        found = outcome(game, under, plans)
        captured = float(found.weights[found.columns["end"] == 2].sum())
        assert captured == pytest.approx(float(solution_of(game, under, plans).best), abs=1e-12)
        assert found.weights.sum() == pytest.approx(1, abs=1e-12)


def test_a_side_that_has_one_plan_alone_plays_it():
    game, under = load_scenario("farmhouse", SMALL), rule_set("storming")
    found, plain = (
        outcome(game, under, ("smoke", "hold")),
        solve(point("farmhouse", under, SMALL | {"attackers.plan": "smoke"}).assault),
    )
    assert [*found.columns] == [*plain.columns]
    for name, column in plain.columns.items():
        assert (found.columns[name] == column).all()
    assert found.weights == pytest.approx(plain.weights, abs=1e-12)
    assert np.array(found.course) == pytest.approx(np.array(plain.course), abs=1e-12)
    assert {name: float(of) for name, of in found.tallies.items()} == pytest.approx(
        {name: float(of) for name, of in plain.tallies.items()}, abs=1e-12
    )


def test_best_is_a_level_of_a_sweep_beside_the_plans():
    rows = sweep(
        "farmhouse",
        {"attackers.plan": ["storm", "smoke", BEST], "defenders.plan": ["hold", BEST]}
        | {key: [value] for key, value in SMALL.items() if "specials" not in key},
        rules=["storming"],
    )
    worth = rows[rows.response == "p_captured"].set_index(["attackers.plan", "defenders.plan"]).value
    for plan in ("storm", "smoke"):
        assert worth[BEST, "hold"] >= worth[plan, "hold"] - 1e-12
        assert worth[plan, BEST] <= worth[plan, "hold"] + 1e-12
        assert worth[BEST, BEST] >= worth[plan, BEST] - 1e-12


def test_best_play_has_a_name_and_an_id_of_its_own():
    under = rule_set("storming")
    plain = point("farmhouse", under, SMALL)
    best = point("farmhouse", under, SMALL | {"attackers.plan": BEST})
    assert best.plans == (BEST, "hold")
    assert "attackers.plan=best" in best.name
    assert best.id != plain.id
    assert own_plans(best.scenario) == plain.plans


def test_best_play_is_never_sampled():
    asked = Point(rule_set("storming"), load_scenario("farmhouse", SMALL), Plans(BEST, BEST), How(engine="sampled"))
    with pytest.raises(CasemateError, match="best play is found exactly; expected --engine exact or auto, got sampled"):
        asked.play()


def test_where_it_cannot_be_found_it_is_not_said_how_long_that_takes(capsys):
    assert run(["solve", "toll-house", "--vary", "attackers.models", "--play", "best", "--engine", "sampled"]) == 2
    told = capsys.readouterr().err
    assert told == "casemate: best play is found exactly; expected --engine exact or auto, got sampled\n"


@pytest.fixture
def suite(tmp_path):
    """A suite of one small game."""
    scenario = tmp_path / "small.toml"
    scenario.write_text(
        'base = "farmhouse"\nturns = 3\ndistance = 8\n[attackers]\nmodels = 6\n[defenders]\nmodels = 4\n'
    )
    file = tmp_path / "suite.toml"
    file.write_text('scenarios = ["small.toml"]\n')
    return file


def test_a_receipt_of_best_play_is_of_each_scenario_once(suite, tmp_path, capsys):
    rule = tmp_path / "rule.toml"
    rule.write_text('base = "storming"\n[rulings]\ncharge_bonus = "no"\n')
    assert (
        run(["receipt", str(rule), "--suite", str(suite), "--play", "best", "--no-store", "--json", "--workers", "1"])
        == 0
    )
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert [(line["plan"], line["defence"]) for line in found["assaults"]] == [(BEST, BEST)]
    assert "finding best play takes up to 60 seconds for each of about 12 assaults: up to 12 minutes" in said.err


def test_a_baseline_of_best_play_is_met_by_the_same_rules(suite, tmp_path, capsys):
    file = tmp_path / "baseline.json"
    assert run(["baseline", "write", str(file), "--rules", "storming", "--suite", str(suite), "--play", "best"]) == 0
    assert {(answer["plan"], answer["defence"]) for answer in json.loads(file.read_text())["answers"]} == {(BEST, BEST)}
    assert run(["baseline", "check", str(file)]) == 0
    capsys.readouterr()


def test_what_is_asked_of_best_play_keeps_a_plan_that_is_given(tmp_path, capsys):
    """A garrison that must sally never loses the house less often than one that chooses, and somewhere more often."""
    small = tmp_path / "cramped.toml"
    small.write_text(
        'base = "farmhouse"\nturns = 2\ndistance = 8\n[attackers]\nmodels = 4\nspecials = []\n'
        "[defenders]\nmodels = 2\nspecials = []\n[building]\ncapacity = 3\n"
    )
    asked = ["solve", str(small), "--vary", "defenders.models", "--rules", "storming", "--play", "best"]
    captured = []
    for defence in ([], ["--defence", "sally"]):
        assert run([*asked, *defence, "--no-store", "--json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["solutions"]
        captured.append([level["value"] for level in found["levels"]])
    chosen, sallied = captured
    assert len(chosen) == len(sallied) == 3
    assert all(must >= may - 1e-12 for may, must in zip(chosen, sallied, strict=True))
    assert any(must > may + 0.001 for may, must in zip(chosen, sallied, strict=True))

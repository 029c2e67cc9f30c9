"""Exported models, answered by the model checker Storm, which shares no code with Casemate: `make judge`."""

import pytest

from analysis.cli import run
from sims.assault import End
from sims.engines import solve
from sims.rulesets import rule_set
from sims.scenario import load_scenario

stormpy = pytest.importorskip("stormpy", reason="Storm is not installed; make judge installs it")


@pytest.fixture(params=["skirmish", "farmhouse"])
def scenario(request, skirmish):
    return skirmish if request.param == "skirmish" else request.param


def test_storm_answers_as_solve_answers(scenario, rules, tmp_path):
    file = str(tmp_path / "model.drn")
    assert run(["export", scenario, "--rules", rules, "--out", file]) == 0
    model = stormpy.build_model_from_drn(file)
    (start,) = model.initial_states

    def chance(formula: str) -> float:
        (asked,) = stormpy.parse_properties(f"P=? [F {formula}]")
        return stormpy.model_checking(model, asked).get_value(start)

    exact = solve(rule_set(rules).assault(load_scenario(scenario)))
    for end in (End.BROKEN, End.CAPTURED, End.DESTROYED, End.HELD):
        expected = exact.weights[exact.columns["end"] == end].sum()
        assert chance(f'"{end.name.lower()}"') == pytest.approx(expected, rel=0, abs=1e-9)
    still = exact.weights[exact.columns["turn"] > 2].sum()
    assert chance('"turn_3" & "attackers_to_move"') == pytest.approx(still, rel=0, abs=1e-9)

"""Exported models, answered by the model checker Storm, which shares no code with Casemate: `make judge`."""

from functools import cache
from typing import get_args

import pytest

from analysis.cli import run
from analysis.points.plans import contest
from sims.assault import End
from sims.engines import solve
from sims.engines.contest import SIDES, Aim
from sims.rulesets import rule_set
from sims.scenario import DefencePlan, load_scenario
from tests.ratios import by_the_processor

stormpy = pytest.importorskip("stormpy", reason="Storm is not installed; make judge installs it")

AIMS = {"captured": Aim(captured=1), "destroyed": Aim(destroyed=1), "broken": Aim(broken=1)}
ENDS = (End.BROKEN, End.CAPTURED, End.DESTROYED, End.HELD)


@pytest.fixture(params=["skirmish", "farmhouse"])
def scenario(request, skirmish):
    return skirmish if request.param == "skirmish" else request.param


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The file of a scenario under a set of rules, written once."""
    folder = tmp_path_factory.mktemp("exported")

    @cache
    def written(scenario: str, rules: str, *options: str) -> str:
        file = str(folder / f"{len(list(folder.iterdir()))}.drn")
        assert run(["export", scenario, "--rules", rules, "--out", file, *options]) == 0
        return file

    return written


class Storm:
    """A model that Storm has read, with its solver for chains without a cycle: quicker here than what it takes by itself."""

    def __init__(self, file: str) -> None:
        self.model = stormpy.build_model_from_drn(file)
        self.environment = stormpy.Environment()
        acyclic = stormpy.environments.EquationSolverType.ACYCLIC
        self.environment.solver().set_linear_equation_solver_type(acyclic)

    def chance(self, formula: str) -> float:
        (asked,) = stormpy.parse_properties(f"P=? [F {formula}]")
        (start,) = self.model.initial_states
        return stormpy.model_checking(self.model, asked, environment=self.environment).get_value(start)

    def ends(self) -> dict[End, float]:
        return {end: self.chance(f'"{end.name.lower()}"') for end in ENDS}


def test_storm_answers_as_solve_answers(scenario, rules, exported):
    storm = Storm(exported(scenario, rules))
    exact = solve(rule_set(rules).assault(load_scenario(scenario)))
    ends = storm.ends()
    for end in ENDS:
        expected = exact.weights[exact.columns["end"] == end].sum()
        assert ends[end] == pytest.approx(expected, rel=0, abs=1e-9)
    still = exact.weights[exact.columns["turn"] > 2].sum()
    assert storm.chance('"turn_3" & "attackers_to_move"') == pytest.approx(still, rel=0, abs=1e-9)


@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize("defence", get_args(DefencePlan))
def test_the_attackers_best_reply_is_worth_the_greatest_chance_that_storm_finds(
    skirmish, rules, defence, first, exported, tmp_path
):
    """By policy iteration, on the decision process in which the attackers choose."""
    scenario = tmp_path / f"{first}.toml"
    scenario.write_text(f'base = "{skirmish}"\ntitle = "First"\nfirst = "{first}"\n')
    model = stormpy.build_model_from_drn(exported(str(scenario), rules, "--choose", "attackers", "--defence", defence))
    environment = stormpy.Environment()
    environment.solver().min_max().method = stormpy.environments.MinMaxMethod.POLICY_ITERATION
    (start,) = model.initial_states
    found = contest(load_scenario(str(scenario)), rule_set(rules), defences=(defence,))
    replies = dict[str, float]()
    for end, aim in AIMS.items():
        (asked,) = stormpy.parse_properties(f'Pmax=? [F "{end}"]')
        greatest = stormpy.model_checking(model, asked, environment=environment).get_value(start)
        (replies[end],) = found.solve(aim).replies["attackers"]
        assert greatest == pytest.approx(replies[end], rel=0, abs=1e-9)
    assert max(replies.values()) > 0.001


@pytest.mark.parametrize("reads", [True, False], ids=["who reads and checks", "who checks what is read"])
def test_solve_against_storm(reads, rules, exported, ratio):
    """Casemate plays the farmhouse; Storm says how it ends, from the file or from a chain that is ready."""
    file, chosen, scenario = exported("farmhouse", rules), rule_set(rules), load_scenario("farmhouse")
    storm = Storm(file)
    ratio(
        lambda: solve(chosen.assault(scenario)),
        (lambda: Storm(file).ends()) if reads else storm.ends,
        target=1,
        rounds=3 if reads else 5,
        seconds=by_the_processor,
    )

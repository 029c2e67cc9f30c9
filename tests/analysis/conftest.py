from dataclasses import dataclass

import numpy as np
import pytest

from analysis.comparing.compare import Comparison, alternatives, compare
from analysis.points import point
from analysis.points.point import How
from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import D6, Dice, Ints, roll
from sims.rulesets import rule_sets_of
from sims.scenario import load_scenario
from sims.state import State


@dataclass(frozen=True)
class Gate(State):
    """One die a turn: on a 6 the gate is taken (two defenders fall), on a 1 the last attacker falls."""

    face: Ints


def rush(dice: Dice, state: Gate, scene: None) -> Gate:
    return state.replace(face=roll(dice, "rush", D6))


def end(state: Gate, scene: None) -> Ints:
    return ending(destroyed=state.face > 6, captured=state.face == 6, broken=state.face == 1)


def outcome(state: Gate, scene: None) -> Outcome:
    captured = state.face == 6
    return Outcome(np.where(state.face == 1, 1, 0), np.where(captured, 2, 0), captured)


@pytest.fixture(scope="session")
def gate() -> Assault:
    turn = (PlayerTurn("attackers", (Stage("rush", rush),)),)
    return Assault("gate", None, Gate(np.array([0])), turn, 2, end, outcome)


@pytest.fixture(scope="session")
def house_rule(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("rules") / "heavy-grenades.toml"
    path.write_text('base = "storming"\ntitle = "Grenades & <b>$x$</b>"\n[tables.grenade]\nS = 6\n')
    return str(path)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Assault]:
    """What was played in this process, one after the other."""
    played, plain = [], point.run

    def run(assault, **how):
        played.append(assault)
        return plain(assault, **how)

    monkeypatch.setattr(point, "run", run)
    return played


@pytest.fixture(scope="session")
def exact(house_rule: str) -> Comparison:
    scenario = load_scenario("farmhouse")
    return compare(scenario, rule_sets_of(["storming", house_rule]), how=How("exact"), plans=alternatives(scenario))


@pytest.fixture(scope="session")
def sampled() -> Comparison:
    return compare(load_scenario("farmhouse"), rule_sets_of(["storming"]), how=How("sampled", trials=2000, seed=2))

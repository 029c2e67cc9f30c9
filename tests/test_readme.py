"""What the README tells a reader to type works as it stands there."""

import json
import re
import shlex
from io import StringIO
from typing import Any

import pytest

from analysis.cli import run
from analysis.point import point
from analysis.sweep import sweep
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [
    line.split("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
    for line in block.splitlines()
    if line.startswith("casemate ")
]

PROGRAMS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A folder in which the files of the README have been saved."""
    for name, text in re.findall(r"Save this as\s`([\w-]+\.toml)`.*?```toml\n(.*?)```", README, flags=re.DOTALL):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO())
    return tmp_path


def test_there_is_something_to_type():
    assert len(COMMANDS) > 10


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_work(reader, command, capsys):
    """Where every level of a range is played, with the same corners in larger steps."""
    wide = command.replace("=5..20 ", "=5..20:5 ").replace("=4..15 ", "=4..15:11 ")
    assert run(shlex.split(wide)[1:]) == 0
    told = capsys.readouterr()
    assert told.out or told.err.startswith(
        ("The chart: ", "The page of rules: ", "The baseline: ", "The house rule: ", "The model: ")
    )


def test_the_picture_of_the_readme_is_what_is_played(tmp_path):
    drawn = tmp_path / "farmhouse.svg"
    assert run(["chart", "ends", "--out", str(drawn)]) == 0
    assert drawn.read_text("utf-8") == (ROOT / "notebooks/farmhouse.svg").read_text("utf-8"), "make picture"


def test_the_logs_of_the_readme_are_those_of_its_games(capsys):
    plain, with_chances = re.findall(r"```\n(turn .*?)```", README, flags=re.DOTALL)
    for log, asked in ((plain, ["--seed", "1"]), (with_chances, ["--seed", "2", "--chances"])):
        assert run(["play", "--rules", "storming", *asked]) == 0
        assert log in capsys.readouterr().out


def test_scenario_of_the_readme_plays(reader, capsys):
    assert run(["compare", "barn.toml", "--rules", "storming", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scenario"] == "barn"


def test_json_of_the_readme_is_what_odds_print(capsys):
    assert run(["odds", "ARAP-015", "target=0", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"clause": "ARAP-015", "inputs": {"target": 0}, "value": "1/12", "float": 1 / 12}
    assert '`{"clause": "ARAP-015", "inputs": {"target": 0}, "value": "1/12"' in README


def test_the_sweep_of_the_readme_is_drawn(reader):
    """With the same corners, in larger steps."""
    (code,) = (code for code in PROGRAMS if "sweep" in code)
    wide = code.replace("range(5, 21)", "range(5, 21, 5)").replace("range(4, 16)", "range(4, 16, 11)")
    assert wide.count(", 5)") == wide.count(", 11)") == 1
    names = dict[str, Any]()
    exec(wide, names)
    assert (reader / "heat-map.png").stat().st_size > 1000
    assert names["grid"].shape == (2, 4)
    one = point("farmhouse", rule_set("storming"), {"attackers.models": 10, "defenders.models": 15})
    assert names["grid"].loc[15, 10] == pytest.approx(one.responses(one.play())["p_captured"].value, abs=1e-12)


def test_the_design_point_of_the_readme_answers(reader):
    (code,) = (code for code in PROGRAMS if "one.play()" in code)
    names = dict[str, Any]()
    exec(code, names)
    assert names["one"].name == "storming/farmhouse?attackers.models=12&tables.grenade.hits=D6"
    (code,) = (code for code in PROGRAMS if "paired(" in code)
    exec(code, names)
    assert sum(names["both"].chances["p_captured"]) == 10_000


def test_who_moves_first_is_worth_what_the_readme_says():
    (told,) = re.findall(
        r"capture the farmhouse in (\d+) % of games if they\sdo, in (\d+) % if the garrison does", README
    )
    rows = sweep("farmhouse", {"first": ["attackers", "defenders"]}, rules=["storming"])
    captured = rows[rows["response"] == "p_captured"]["value"]
    assert [f"{100 * value:.0f}" for value in captured] == [*told]


def test_scenario_of_the_readme_starts_from_another(reader):
    third, farmhouse = load_scenario("third-door.toml"), load_scenario("farmhouse")
    assert (third.building.doors, third.defenders.models, third.title) == (3, 10, "The farmhouse with a third door")
    assert third.attackers == farmhouse.attackers
    assert third.building.with_own() == farmhouse.building.model_copy(update={"doors": 3})


@pytest.mark.slow
def test_the_receipt_of_the_readme_is_what_is_printed(reader, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    (sample,) = re.findall(r"```\n(Heavy grenades: .*?)```", README, flags=re.DOTALL)
    (reader / "suite.toml").write_text('scenarios = ["farmhouse", "toll-house", "keep-gate"]\n')
    assert run(["receipt", "heavy-grenades.toml", "--suite", "suite.toml", "--workers", "1"]) == 0
    printed = {" ".join(line.split()) for line in capsys.readouterr().out.splitlines()}
    assert [line for line in sample.splitlines() if " ".join(line.split()) not in printed] == []


def test_the_position_of_the_readme_is_worth_what_it_says(reader, capsys):
    (shown,) = re.findall(r"```\n(Updated building rules.*?)```", README, flags=re.DOTALL)
    assert run(["position", "position.toml", "--rules", "gw_updated"]) == 0
    told = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert shown.splitlines() == told[told.index("Updated building rules") :][: len(shown.splitlines())]

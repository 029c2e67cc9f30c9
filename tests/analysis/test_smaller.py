"""Who is refused because an assault is too large under his rules is told what to type, and that does what it says."""

import re
import shlex
from functools import partial

import pytest

from analysis.cli import run
from analysis.points import plans
from analysis.points.smaller import command
from analysis.told import arrivals
from sims.engines.contest import Contest
from sims.rulesets import rule_set

RALLY = 'base = "gemini"\n[rulings]\nrouters = "rally"\n'
WRITTEN = {"rulings.flight": ("inches", "lines")}
TYPED = r"""; type "casemate (new-rule .*?)", then (--rules (?:'[^']+'|\S+))"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A house rule in the folder of the test, and best play of ten transitions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plans, "Contest", partial(Contest, budget=10))
    (tmp_path / "a house.toml").write_text(RALLY)
    return "a house.toml"


def written_by(message: str) -> list[str]:
    """Type what a message says; return the option that it names the new rules by."""
    typed, option = re.search(TYPED, " ".join(message.split())).groups()
    assert run(shlex.split(typed)) == 0
    return shlex.split(option)


def test_best_play_that_is_too_large(house, capsys):
    assert run(["best", "toll-house", "--rules", house]) == 2
    refused = capsys.readouterr().err
    assert "more than 10 transitions; there are fewer with fewer models" in refused
    option = written_by(refused)
    assert rule_set(option[1]).changes() == WRITTEN
    capsys.readouterr()
    assert run(["best", "toll-house", *option]) == 2
    option = written_by(capsys.readouterr().err)
    assert rule_set(option[1]).changes() == {"rulings.routers": ("rally", "for_good")}
    capsys.readouterr()
    assert run(["best", "toll-house", *option]) == 2
    assert "; type" not in capsys.readouterr().err


def test_a_file_that_is_there_is_not_named_again(house, capsys):
    for name in ("a house-smaller.toml", "a house-smaller2.toml"):
        assert run(["best", "toll-house", "--rules", house]) == 2
        assert written_by(capsys.readouterr().err)[1] == name


def test_a_position_that_is_too_large(house, tmp_path, capsys, monkeypatch):
    for name in ("TRANSITIONS", "LEARNT"):
        monkeypatch.setattr(arrivals, name, 10)
    (tmp_path / "mine.toml").write_text('scenario = "toll-house"\nturn = 2\n')
    assert run(["position", "mine.toml", "--rules", house]) == 2
    assert rule_set(written_by(capsys.readouterr().err)[1]).changes() == WRITTEN


def test_nothing_is_typed_where_no_ruling_helps():
    gemini = rule_set("gemini")
    assert command({}, gemini) == command({"building.levels": 1}, gemini) == ""
    assert command({"building.levels": 1, "rulings.flight": "lines"}, gemini).endswith("--rules gemini-smaller.toml")

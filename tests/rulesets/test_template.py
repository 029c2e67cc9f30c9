"""A fifth rule set is a copied folder: found, playable and comparable without an edit anywhere else."""

import shutil
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

import sims.rulesets
from analysis import cli
from sims.assault import End
from sims.engines import play, run
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, load_scenario


@pytest.fixture
def fifth(tmp_path, monkeypatch):
    """The recipe of CONTRIBUTING: copy the template, replace its name."""
    template = Path(sims.rulesets.__path__[0]) / "_template"
    shutil.copytree(template, tmp_path / "fifth", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "fifth").iterdir():
        path.write_text(path.read_text("utf-8").replace("_template", "fifth"), "utf-8")
    monkeypatch.setattr(sims.rulesets, "__path__", [*sims.rulesets.__path__, str(tmp_path)])
    yield "fifth"
    for name in [n for n in sys.modules if n.startswith("sims.rulesets.fifth")]:
        del sys.modules[name]


def test_the_template_itself_is_no_rule_set():
    assert "_template" not in rule_set_ids()


def test_a_copy_is_found_and_plays(fifth):
    assert fifth in rule_set_ids()
    assault = rule_set(fifth).assault(load_scenario("farmhouse"))
    exact = run(assault, engine="exact")
    assert abs(exact.weights.sum() - 1) < 1e-12
    drawn = play(assault, trials=4000, seed=1)
    for end in End:
        p = exact.weights[exact.columns["end"] == end].sum()
        seen = drawn.counts[drawn.columns["end"] == end].sum() / 4000
        assert abs(p - seen) < 6.5 * (p * (1 - p) / 4000) ** 0.5 + 1e-9  # a false alarm in 10 thousand million


def test_a_copy_is_compared_and_says_what_each_side_does(fifth, tmp_path, capsys):
    assert cli.run(["compare", "--rules", f"{fifth},storming", "--out", str(tmp_path / "page.html")]) == 0
    assert "Template" in (tmp_path / "page.html").read_text("utf-8")
    for plan, defence in product(get_args(AttackPlan), get_args(DefencePlan)):
        game = replace(load_scenario("farmhouse"), plan=plan, defence=defence)
        assert {"Building", "Attackers", "Garrison"} <= rule_set(fifth).assault(game).translation.keys()


def test_a_copy_takes_house_rules(fifth, tmp_path):
    house = tmp_path / "wide.toml"
    house.write_text('base = "fifth"\ntitle = "Wide door"\n[tables.door]\nwidth = 8\n')
    scenario = load_scenario("farmhouse")
    captured = {}
    for name in (fifth, str(house)):
        result = run(rule_set(name).assault(scenario), engine="exact")
        captured[name] = result.weights[result.columns["end"] == 2].sum()
    assert captured[fifth] != captured[str(house)]

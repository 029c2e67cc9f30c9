"""Sweeps: every cell is what a single run says, impossible ones say why, and what is told is what was found."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from analysis.charts import sweep_chart
from analysis.charts.palette import LOOKS
from analysis.cli import run
from analysis.pages import sweep as pages
from analysis.points.margins import margins
from analysis.points.plans import Plans
from analysis.points.point import How, point
from analysis.points.responses import NAMES, responses
from analysis.rows.sweeps import LevelRow, level_rows
from analysis.say.numbers import games, in_100
from analysis.sweeps.design import design
from analysis.sweeps.study import typed_factors
from analysis.sweeps.sweep import answers, sweep
from analysis.sweeps.words import Found
from sims.engines import run as play_one
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario, scenario_ids
from tests.conftest import INTERRUPTIBLE, ROOT, SKIRMISH

GRID = {"attackers.models": [4, 12], "defenders.models": range(5, 9, 3), "turns": [2]}
PLANS = {"attackers.plan": ["storm", "smoke"], "defenders.plan": ["hold", "sally"]}


def test_every_cell_is_a_single_run(skirmish, rules):
    table = sweep(skirmish, {**GRID, **PLANS}, rules=[rules])
    assert len(table) == 16 * len(NAMES)
    for name, cell in table.groupby("point"):
        first = cell.iloc[0]
        plans = Plans(first["attackers.plan"], first["defenders.plan"])
        counts = {key: int(first[key]) for key in GRID}
        alone = point(skirmish, rule_set(rules), counts, plans=plans)
        expected = {key: estimate.value for key, estimate in alone.responses(alone.play()).items()}
        assert dict(zip(cell["response"], cell["value"], strict=True)) == pytest.approx(expected, abs=1e-12), name
        assert {*cell["id"]} == {alone.id}
    assert table[["low", "high", "refused"]].isna().all(axis=None)


WRITTEN = """
base = "{base}"
title = "Written out"
distance = {distance}
first = "defenders"
[attackers]
models = 9
plan = "demolish"
[defenders]
models = 7
[building]
doors = 3
[units.trooper]
{trooper}
"""


def test_a_cell_is_what_files_say_that_are_written_by_hand(tmp_path):
    """Nothing here goes through a design point: a scenario and a house rule are written, loaded and played."""
    (tmp_path / "base.toml").write_text(SKIRMISH)
    trooper = (
        'title = "Line trooper"\nWS = 3\nBS = 3\nS = 3\nT = 4\nI = 3\nA = 1\nLd = 7\nSv = 5\ngrenades = ["assault"]'
    )
    house = '[tables.grenade]\nhits = "D6"\n[rulings]\nsecond_round = "yes"\n'
    (tmp_path / "house.toml").write_text(f'base = "storming"\n{house}')
    values = {
        "attackers.models": [9], "defenders.models": [7], "building.doors": [3], "units.trooper.T": [4],
        "first": ["defenders"], "attackers.plan": ["demolish"], "distance": [4, 9],
        "tables.grenade.hits": ["D6"], "rulings.second_round": ["yes"],
    }  # fmt: skip
    table = sweep(str(tmp_path / "base.toml"), values, rules=["storming"])
    for distance in (4, 9):
        path = tmp_path / f"written-{distance}.toml"
        path.write_text(WRITTEN.format(base="base.toml", distance=distance, trooper=trooper))
        result = play_one(rule_set(str(tmp_path / "house.toml")).assault(load_scenario(str(path))))
        expected = {name: estimate.value for name, estimate in responses(margins(result)).items()}
        cell = table[table["distance"] == distance]
        assert dict(zip(cell["response"], cell["value"], strict=True)) == pytest.approx(expected, abs=1e-12)


def test_rules_and_scenarios_are_factors_and_a_sampled_cell_is_the_single_run(skirmish):
    how = How("sampled", trials=300, seed=5)
    table = sweep(None, {"scenario": ["bunker-rush", skirmish], "rules": ["gemini", "storming"]}, how=how)
    for scenario, name in (("bunker-rush", "bunker-rush"), (skirmish, Path(skirmish).stem)):
        for rules in ("gemini", "storming"):
            alone = point(scenario, rule_set(rules), how=how)
            expected = [[name, e.value, e.low, e.high] for name, e in alone.responses(alone.play()).items()]
            cell = table[(table["scenario"] == name) & (table["rules"] == rules)]
            assert cell[["response", "value", "low", "high"]].to_numpy().tolist() == expected


def test_two_workers_say_the_same(skirmish):
    one, two = (sweep(skirmish, GRID, rules=["storming", "gw_updated"], workers=n) for n in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_who_are_the_responses():
    one = point("bunker-rush", rule_set("storming"), how=How("sampled", trials=10))
    assert tuple(one.responses(one.play())) == NAMES


def reasons(table):
    """What is refused, by rules and level."""
    refused = table[table["refused"].notna()]
    assert refused[["response", "value", "low", "high"]].isna().all(axis=None)
    assert not refused["point"].duplicated().any()
    return dict(zip(refused["point"], refused["refused"], strict=True))


def test_a_point_that_one_set_of_rules_does_not_play_is_a_row_and_the_sweep_goes_on(skirmish):
    table = sweep(skirmish, {"building.doors": [0, 1]}, rules=["storming", "gemini"])
    ((name, why),) = reasons(table).items()
    assert name == f"storming/{Path(skirmish).stem}?building.doors=0"
    assert "expected one with a way in" in why
    assert table[table["refused"].isna()].groupby("rules")["building.doors"].unique().map(list).to_dict() == {
        "gemini": [0, 1],
        "storming": [1],
    }
    assert table["id"].notna().all()


def test_a_point_that_a_scenario_has_no_room_for_is_a_row(skirmish):
    table = sweep(skirmish, {"building": ["hut", "house"], "defenders.models": [8, 12]}, rules=["storming"])
    ((name, why),) = reasons(table).items()
    assert name == f"storming/{Path(skirmish).stem}?building=hut&defenders.models=12"
    assert "expected at most 10" in why
    assert table.loc[table["point"] == name, "id"].isna().all()
    assert table["point"].nunique() == 4


def test_a_point_that_is_too_large_to_be_exact_is_a_row(skirmish):
    how = How("exact", budget=4000)
    table = sweep(skirmish, {"attackers.models": [6, 14]}, rules=["storming"], how=how)
    ((name, why),) = reasons(table).items()
    assert name.endswith("attackers.models=14")
    assert "more than 4,000 transitions" in why
    with pytest.raises(CasemateError, match=r"none of these points can be played: .*transitions"):
        sweep(skirmish, {"attackers.models": [6, 14]}, rules=["storming"], how=How("exact", budget=2))


def test_what_comes_first_is_there_before_the_rest_is_played(skirmish):
    arriving = answers(design(typed_factors(["distance=6,7"]), skirmish, ["storming"]))
    told = []
    for answer in arriving:
        told.append(answer.cell.said["distance"])
        assert {*answer.responses} == {*NAMES}
    assert told == [6, 7]


@pytest.fixture
def small(skirmish, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return ["sweep", skirmish, "--workers", "1", "--vary", "attackers.models=8..14:6", "--vary", "building.doors=0,1"]


def test_the_command_writes_every_row_and_tells_the_least_and_the_most(small, skirmish, capsys):
    assert run([*small, "--rules", "storming,gw_updated", "--out", "rows"]) == 0
    out, err = capsys.readouterr()
    assert err == f"The rows: {Path('rows/sweep.csv')}\nThe page: {Path('rows/sweep.html')}\n"
    table = sweep(skirmish, {"attackers.models": [8, 14], "building.doors": [0, 1]}, rules=["storming", "gw_updated"])
    rows = list(csv.DictReader(Path("rows/sweep.csv").read_text().splitlines()))
    assert [*rows[0]] == [*table.columns]
    assert [(row["point"], row["response"] or None) for row in rows] == [
        (row.point, row.response if isinstance(row.response, str) else None) for row in table.itertuples()
    ]
    assert [float(row["value"]) for row in rows if row["value"]] == table["value"].dropna().tolist()
    assert "2 points cannot be played: " in out
    captured = table[table["response"] == "p_captured"].set_index(["rules", "attackers.models", "building.doors"])[
        "value"
    ]
    for rules, title in (("storming", "Storming buildings"), ("gw_updated", "Updated building rules")):
        for which, at in (("least", captured[rules].idxmin()), ("most", captured[rules].idxmax())):
            line = next(line.split() for line in out.splitlines() if line.split()[:-3] == [*title.split(), which])
            assert float(line[-1]) == pytest.approx(100 * captured[rules][at], abs=0.0501)
    assert sorted(os.listdir("rows")) == ["sweep.csv", "sweep.html"]


def test_json_is_the_same_rows(small, skirmish, capsys):
    assert run([*small, "--rules", "storming", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    table = sweep(skirmish, {"attackers.models": [8, 14], "building.doors": [0, 1]}, rules=["storming"])
    assert data["points"] == 4
    assert data["columns"] == [*table.columns]
    assert data["rows"] == table.astype(object).where(table.notna(), None).to_dict(orient="records")


def test_one_factor_is_told_level_by_level(skirmish, capsys):
    assert (
        run(["sweep", skirmish, "--vary", "building.doors=0..2", "--rules", "storming,gemini", "--workers", "1"]) == 0
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    table = sweep(skirmish, {"building.doors": [0, 1, 2]}, rules=["gemini", "storming"])
    captured = table[table["response"] == "p_captured"].pivot(index="building.doors", columns="rules", values="value")
    assert ["building.doors", "Storming", "buildings", "Gemini", "building", "rules"] in lines
    assert ["0", "-", f"{100 * captured['gemini'][0]:.1f}"] in lines
    assert ["2", f"{100 * captured['storming'][2]:.1f}", f"{100 * captured['gemini'][2]:.1f}"] in lines


def test_points_that_set_different_keys_to_one_number_are_told_apart(skirmish, tmp_path, monkeypatch, capsys):
    (tmp_path / "points.toml").write_text("[[points]]\nturns = 2\n[[points]]\nbuilding.doors = 2\n")
    asked = ["--study", str(tmp_path / "points.toml"), "--rules", "storming", "--workers", "1"]
    assert run(["sweep", skirmish, *asked]) == 0
    told = dict(line.split() for line in capsys.readouterr().out.splitlines() if "=2 " in line)
    table = sweep(skirmish, [{"turns": 2}, {"building.doors": 2}], rules=["storming"])
    captured = table[table["response"] == "p_captured"]["value"].tolist()
    assert captured[0] != captured[1]
    assert told == dict(zip(("turns=2", "building.doors=2"), (f"{100 * each:.1f}" for each in captured), strict=True))


def test_compare_all_is_the_sweep_over_scenarios_and_rules(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sampled = ["--engine", "sampled", "--trials", "20"]
    assert run(["compare", "--all", *sampled, "--plan", "smoke", "--rules", "all", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    table = sweep(None, {"scenario": ["all"], "attackers.plan": ["smoke"]}, how=How("sampled", trials=20))
    assert [row["value"] for row in data["rows"]] == table["value"].tolist()
    assert {(row["scenario"], row["rules"]) for row in data["rows"]} == {
        (scenario, rules) for scenario in scenario_ids() for rules in rule_set_ids()
    }
    assert run(["compare", "--all", *sampled, "--out", "all", "--rules", "storming"]) == 0
    assert f"{len(scenario_ids())} scenarios: destroyed %, captured %, broken %, held %" in capsys.readouterr().out
    assert sorted(os.listdir("all")) == ["sweep.csv", "sweep.html"]
    again = "casemate compare --all --rules storming --engine sampled --trials 20"
    assert f"<pre>{again}</pre>" in Path("all/sweep.html").read_text()
    assert run(["compare", "bastion", "--all"]) == 2
    assert capsys.readouterr().err == "casemate: expected either bastion or --all\n"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ([], "nothing is varied; expected --vary KEY=LEVELS"),
        (["--vary", "distance=5", "--response", "p_capture"], 'did you mean "p_captured"?'),
        (["--vary", "distance=5", "--out", "file"], "file: nothing can be written in it: it is a file"),
        (["--vary", "distance=5", "--out", "no/such"], 'there is no folder "no"'),
        (["--vary", "scenario=bastion"], "scenario is given twice"),
        (["--study", "nonsense"], 'there is no study "nonsense"; expected one of plans, support'),
        (["--vary", "attackers.modles=5", "--out", "rows"], 'did you mean "models"?'),
        (["--vary", "distance=5,6", "--engine", "exact", "--budget", "2", "--out", "rows"], "none of these points"),
    ],
)
def test_what_cannot_be_swept_is_one_message_and_nothing_is_written(small, skirmish, asked, words, capsys):
    Path("file").write_text("")
    assert run(["sweep", skirmish, "--rules", "storming", "--workers", "1", *asked]) == 2
    out, err = capsys.readouterr()
    assert words in err
    assert (out, err.count("\n")) == ("", 1)
    assert not Path("rows/sweep.csv").exists()


ASKED = ["sweep", "--vary", "attackers.models=20..60", "--out", "rows", "--rules", "gemini,storming"]


def begun(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """Begin a long sweep, and wait until it plays."""
    code = "from analysis.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    going = subprocess.Popen(
        [sys.executable, "-c", code, *ASKED, *options],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        preexec_fn=INTERRUPTIBLE,
    )
    deadline = time.monotonic() + 60
    while not (folder / "rows").is_dir() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    return going


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "code", "says"),
    [(signal.SIGINT, 130, b"casemate: interrupted; what was finished is in the store"), (signal.SIGTERM, 143, b"")],
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_sweep_that_is_ended_leaves_no_file(tmp_path, told, code, says, workers):
    going = begun(tmp_path, "--workers", workers)
    going.send_signal(told)
    _, err = going.communicate(timeout=60)
    assert going.returncode == code
    assert err.startswith(says) if says else err == says
    assert os.listdir(tmp_path / "rows") == []


def test_more_attackers_do_better(skirmish):
    table = sweep(skirmish, {"attackers.models": [8, 14]}, rules=["storming"])
    few, many = table[table["response"] == "p_captured"]["value"]
    assert few < many


@pytest.mark.parametrize("sampled", [False, True])
def test_every_set_of_rules_is_drawn_however_many(sampled):
    low, high = (0.1, 0.3) if sampled else (None, None)
    rows = [
        LevelRow(f"rules {i}", look, level, 0.01 * (level + i), low, high)
        for i, look in enumerate(LOOKS)
        for level in (5, 10)
    ]
    (axes,) = sweep_chart(rows, factor="distance", title="Twelve").axes
    assert [line.get_label() for line in axes.lines] == [f"rules {i}" for i in range(len(LOOKS))]
    drawn = [value for line in axes.lines for value in line.get_ydata()]
    assert drawn == [row.value for row in rows]
    assert len(axes.collections) == (len(LOOKS) if sampled else 0)


def test_lines_that_coincide_have_one_name_and_those_that_do_not_move_say_so():
    rows = [LevelRow(name, "blue", level, 0.2, None, None) for name in ("one", "other", "more") for level in (5, 10)]
    rows += [LevelRow("third", "green", level, 0.1 * level, None, None) for level in (5, 10)]
    (axes,) = sweep_chart(rows, factor="distance").axes
    said = [text.get_text().replace("\n", " ").replace("\u00a0", " ") for text in axes.texts if text.get_text()]
    assert said == ["one, other and more 20 %, one line, it changes nothing", "third  100 %"]


def test_rows_of_a_frame_are_its_values(skirmish, house_rule):
    table = sweep(skirmish, {"attackers.models": [8, 30, 14]}, rules=["storming", house_rule])
    assert table["low"].isna().all()
    rows = level_rows(table, "attackers.models")
    captured = table[table["response"] == "p_captured"]
    assert [row.value for row in rows] == captured["value"].tolist()
    assert [(row.rules, row.look, row.level, row.low) for row in rows] == [
        (rules, look, level, None)
        for rules, look in (("Storming buildings", "vermillion"), ("Grenades & <b>$x$</b>", "vermillion, dashed"))
        for level in (8, 30, 14)
    ]


@pytest.mark.parametrize(
    ("vary", "drawn"),
    [
        (["attackers.models=8,14"], "captured in"),
        (["attackers.models=8,14", "defenders.models=4..6"], "Captured in 50 % of games or more"),
        (["attackers.plan=storm,shoot", "first=attackers,defenders"], ""),
    ],
)
def test_the_page_of_a_sweep_draws_one_or_two_numbers(vary, drawn, skirmish, tmp_path, monkeypatch):
    """It opens with the title of that chart, whose numbers are those of the rows; what the terminal says stands below.

    The command that it ends with writes the same rows.
    """
    monkeypatch.chdir(tmp_path)
    asked = [part for each in vary for part in ("--vary", each)]
    assert run(["sweep", skirmish, *asked, "--rules", "storming", "--no-store", "--workers", "1", "--out", "rows"]) == 0
    page = Path("rows/sweep.html").read_text()
    assert page.count("<svg") == (2 if drawn else 0)
    (lead,) = re.findall(r'<p class="lead">(.*)</p>', page)
    assert drawn in lead
    assert "<figcaption></figcaption>" not in page
    assert "All numbers are exact." in page
    values = [
        float(row["value"])
        for row in csv.DictReader(Path("rows/sweep.csv").read_text().splitlines())
        if row["response"] == "p_captured"
    ]
    assert values
    assert all(f", {value:.4g}" in page for value in values if drawn)
    (again,) = re.findall(r"<pre>casemate (.*)</pre>", page)
    assert run([*shlex.split(unescape(again)), "--no-store", "--workers", "1", "--out", "again"]) == 0
    assert Path("again/sweep.csv").read_text() == Path("rows/sweep.csv").read_text()


def test_the_page_of_a_sweep_that_is_not_drawn_opens_with_the_least_and_the_most(skirmish, tmp_path):
    asked = ["--vary", "attackers.plan=storm,shoot", "--vary", "first=attackers,defenders", "--rules", "storming"]
    assert run(["sweep", skirmish, *asked, "--workers", "1", "--out", str(tmp_path)]) == 0
    (lead,) = re.findall(r'<p class="lead">(.*)</p>', (tmp_path / "sweep.html").read_text())
    both = {"attackers.plan": ["storm", "shoot"], "first": ["attackers", "defenders"]}
    table = sweep(skirmish, both, rules=["storming"])
    captured = table[table["response"] == "p_captured"]["value"]
    assert captured.min() < 0.005 < captured.max() < 0.995
    told = f"{games(captured.min())} to {in_100(games(captured.max()))}"
    assert lead == f"The building is captured in {told} under Storming buildings."


def test_the_page_of_a_sweep_of_one_point_opens_with_its_number(skirmish, tmp_path):
    sampled = ["--engine", "sampled", "--trials", "50", "--seed", "3"]
    asked = ["--vary", "attackers.models=14", "--rules", "storming", "--response", "p_broken", *sampled]
    assert run(["sweep", skirmish, *asked, "--workers", "1", "--out", str(tmp_path)]) == 0
    page = (tmp_path / "sweep.html").read_text()
    table = sweep(skirmish, {"attackers.models": [14]}, rules=["storming"], how=How("sampled", trials=50, seed=3))
    (broken,) = table[table["response"] == "p_broken"]["value"]
    assert f"are broken in about {in_100(games(broken))} under Storming buildings.</p>" in page
    assert "As the scenario has it, but for attackers.models:" in page
    assert "--response p_broken --engine sampled --trials 50 --seed 3</pre>" in page


def test_several_sets_of_rules_may_be_named_in_one_text(skirmish):
    rows = sweep(skirmish, {"turns": [1, 2]}, rules="storming, gw_updated")
    assert {*rows["rules"]} == {"storming", "gw_updated"}
    with pytest.raises(CasemateError, match='there is no rule set ""'):
        sweep(skirmish, {"turns": [1, 2]}, rules="")


@pytest.mark.parametrize(("asked", "said"), [(["p_held", "p_captured"], "captured"), (["p_held"], "held")])
def test_of_several_responses_captures_are_told(asked, said):
    of = design(typed_factors(["turns=1,5"]), "toll-house", ["storming"])
    found = Found(of, asked)
    for answer in answers(of):
        found.add(answer)
    assert pages.opening(found, found.answers).startswith(f"From 1 to 5 turns the building is {said} in ")

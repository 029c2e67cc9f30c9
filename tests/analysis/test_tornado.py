"""Tornado: every bar is what single runs say, and everything that a player would vary is told once."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.colors import same_color
from matplotlib.patches import Rectangle

from analysis.charts import tornado_chart
from analysis.charts.palette import LOOKS
from analysis.charts.style import PAPER
from analysis.charts.tornado import MOST_BARS
from analysis.cli import run
from analysis.findings import sweeps
from analysis.points.point import How, point
from analysis.points.responses import Estimate
from analysis.rows.sweeps import SwingRow, swing_rows
from analysis.say.axes import step_words
from analysis.say.blocks import Grid
from analysis.sweeps import scenario_steps
from analysis.sweeps.scenario_steps import steps
from analysis.sweeps.sensitivity_words import steps_summary
from analysis.sweeps.sweep import answers
from analysis.sweeps.tornado import COLUMNS, Bar, End, Tornado, one_by_one, tornados
from sims.rulesets import rule_set
from sims.scenario import load_scenario

SMALL = """
base = "farmhouse"
title = "A small one"
distance = 5
turns = 1
[attackers]
models = 5
specials = []
[defenders]
models = 4
specials = []
[building]
doors = 1
"""
RULES = ["storming", "realm_of_chaos"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("scenarios") / "small.toml"
    path.write_text(SMALL)
    return str(path)


@pytest.fixture(scope="module")
def found(small) -> list[Tornado]:
    asked = steps(small)
    return tornados(asked, answers(one_by_one(asked, small, RULES)))


def captured(small: str, rules: str, changes: dict) -> float:
    one = point(small, rule_set(rules), changes)
    return one.responses(one.play())["p_captured"].value


def test_what_a_player_would_vary_is_one_step_down_and_up(small):
    asked = {}
    for step in steps(small):
        asked.setdefault((step.key, step.of, step.now), []).append(step.value)
    statlines = {key: values for key, values in asked.items() if key[0].startswith("units.")}
    assert {key: values for key, values in asked.items() if key not in statlines} == {
        ("attackers.models", "attackers", 5): [4, 6],
        ("defenders.models", "defenders", 4): [3, 5],
        ("distance", "", 5): [4, 6],
        ("turns", "", 1): [0, 2],
        ("first", "", "attackers"): ["defenders"],
        ("building.doors", "", 1): [0, 2],
    }
    assert {key[:2] for key in statlines if key[0].endswith(".T")} == {
        ("units.trooper.T", "attackers"),
        ("units.trooper-sergeant.T", "attackers"),
        ("units.veteran.T", "defenders"),
    }
    veteran = {
        key.removeprefix("units.veteran."): (now, values) for (key, _, now), values in asked.items() if "vet" in key
    }
    assert veteran == {
        "WS": (3, [2, 4]), "BS": (4, [3, 5]), "S": (3, [2, 4]), "T": (3, [2, 4]), "W": (1, [0, 2]), "I": (3, [2, 4]),
        "A": (1, [0, 2]), "Ld": (8, [7, 9]), "Sv": (4, [3, 5]), "invulnerable": (None, [6]), "move": (4, [3, 5]),
        "bulk": (1, [0, 2]),
    }  # fmt: skip


MIRROR = """
base = "farmhouse"
title = "Mirror"
distance = 5
turns = 1
attackers = { unit = "trooper", models = 6, specials = [], leader = { unit = "trooper", weapon = "pistol" } }
defenders = { models = 5, specials = [], unit = "trooper" }
[units.trooper]
title = "Trooper"
WS = 3
BS = 3
S = 3
T = {T}
I = 3
A = 1
Ld = 7
Sv = 6
invulnerable = 2
gemini = { size = 2 }
"""


def test_saves_go_down_to_two_and_up_to_none_and_what_single_rules_ask_is_there(tmp_path):
    path = tmp_path / "mirror.toml"
    path.write_text(MIRROR.replace("{T}", "3"))
    asked = [step for step in steps(str(path)) if step.key.startswith("units.trooper.") and step.of == "attackers"]
    saves = {
        (step.key.rpartition(".")[2], step.value, step.down) for step in asked if "v" in step.key.rpartition(".")[2]
    }
    assert saves - {("move", 3, True), ("move", 5, False)} == {
        ("Sv", 5, True),
        ("Sv", None, False),
        ("invulnerable", 3, False),
    }
    assert not any(step.refused for step in asked if step.value is None)
    assert [step.value for step in asked if step.key == "units.trooper.gemini.size"] == [1, 3]


def test_a_unit_that_both_sides_field_is_changed_for_each_alone(tmp_path):
    """A file writes a unit of its own for the side whose Toughness goes up."""
    path, other = tmp_path / "mirror.toml", tmp_path / "other.toml"
    path.write_text(MIRROR.replace("{T}", "3"))
    asked = [step for step in steps(str(path)) if step.key == "units.trooper.T"]
    assert [(step.of, step.value) for step in asked] == [
        ("attackers", 2), ("attackers", 4), ("defenders", 2), ("defenders", 4),
    ]  # fmt: skip
    (one,) = tornados(asked, answers(one_by_one(asked, str(path), ["storming"])))
    ends = {(bar.of, end.value): end.response.value for bar in one.bars for end in bar.ends}
    for side, toughness in ends:
        text = MIRROR.replace("{T}", "3").replace("[units.trooper]", "[units.tough]")
        tough = "[units.trooper]" + text.partition("[units.tough]")[2]
        head, mark, rest = text.replace("T = 3", f"T = {toughness}").partition("[units.tough]")
        lines = [line.replace('"trooper"', '"tough"') if line.startswith(side) else line for line in head.splitlines()]
        other.write_text("\n".join([*lines, ""]) + mark + rest + tough)
        assert ends[side, toughness] == pytest.approx(captured(str(other), "storming", {}), abs=1e-12)
    assert len(ends) == 4
    assert len({round(value, 9) for value in ends.values()}) == 4
    assert one.inert == ()


def test_a_leader_of_another_unit_stays_what_he_is(tmp_path):
    """Both sides field troopers, and a veteran leads those who attack."""
    path = tmp_path / "led.toml"
    path.write_text(MIRROR.replace("{T}", "3").replace('leader = { unit = "trooper"', 'leader = { unit = "veteran"'))
    changes = {step.of: {*step.changes} for step in steps(str(path)) if step.key == "units.trooper.T"}
    assert changes == {
        "attackers": {"units.trooper-of-the-attackers", "attackers.unit"},
        "defenders": {"units.trooper-of-the-defenders", "defenders.unit"},
    }


def test_every_bar_is_single_runs(found, small):
    assert [one.rules for one in found] == RULES
    for one in found:
        now = captured(small, one.rules, {})
        assert one.now.value == pytest.approx(now, abs=1e-12)
        for bar in one.bars:
            played = {end.value: captured(small, one.rules, {bar.key: end.value}) for end in bar.ends}
            assert {end.value: end.response.value for end in bar.ends} == pytest.approx(played, abs=1e-12)
            assert bar.swing == pytest.approx(max(now, *played.values()) - min(now, *played.values()), abs=1e-12)
        assert [bar.swing for bar in one.bars] == sorted((bar.swing for bar in one.bars), reverse=True)
        assert len(one.bars) > 5


def test_down_is_below_what_it_is_and_up_above(found, small):
    for bar in (bar for one in found for bar in one.bars if isinstance(bar.now, int)):
        assert bar.down is None or bar.down.value < bar.now, bar.key
        assert bar.up is None or bar.up.value is None or bar.up.value > bar.now, bar.key
    assert {(bar.now, bar.down) for one in found for bar in one.bars if bar.key == "first"} == {("attackers", None)}
    (save,) = [step for step in steps(small) if step.key == "units.veteran.invulnerable"]
    assert (save.now, save.value, save.down) == (None, 6, True)


@pytest.mark.parametrize(
    ("down", "up", "swing", "seen"),
    [
        (0.75, 0.625, 0.25, True),  # both ways it is more
        (0.5, 0.5006, 0.0006, True),
        (0.5, 0.5004, 0.0004, False),  # less than 0.05 of 100 games
    ],
)
def test_a_swing_reaches_from_the_scenario_as_it_is(down, up, swing, seen, small):
    (one,) = tornados(*answered(small, down, up))
    (bar,) = one.bars
    assert bar.swing == pytest.approx(swing, abs=1e-12)
    assert (bar.down, bar.up) == (End(3, Estimate(down)), End(5, Estimate(up)))
    assert one.seen == [bar] * seen


def test_what_does_not_swing_is_no_bar(small):
    (one,) = tornados(*answered(small, 0.5, 0.5))
    assert (one.bars, one.inert) == ((), ("defenders.models",))


def answered(small, *chances):
    """A step down and up of four defenders, with these answers where it is 0.5 as it is."""
    asked = [step for step in steps(small) if step.key == "defenders.models"]
    cells = answers(one_by_one(asked, small, ["storming"]), How("sampled", trials=1))
    values = zip(cells, (0.5, *chances), strict=True)
    return asked, [each._replace(responses={"p_captured": Estimate(value)}) for each, value in values]


def test_what_changes_nothing_plays_to_the_same(found, small):
    one = found[0]
    assert {"units.trooper-sergeant.BS", "units.veteran.move"} <= {*one.inert}
    for key in one.inert[::4]:
        for step in steps(small):
            if step.key == key and not step.refused:
                assert captured(small, one.rules, {key: step.value}) == pytest.approx(one.now.value, abs=1e-12)


def test_every_step_is_told_once(found, small):
    asked = {(step.key, step.value) for step in steps(small)}
    for one in found:
        played = [(bar.key, end.value) for bar in one.bars for end in bar.ends]
        refused = [(step.key, step.value) for step in one.refused]
        inert = [(key, value) for key, value in asked if key in one.inert and (key, value) not in refused]
        assert sorted(map(str, [*played, *refused, *inert])) == sorted(map(str, asked))


def test_steps_that_cannot_be_played_say_why(found):
    storming, chaos = ({step.name: step.refused for step in one.refused} for one in found)
    assert "expected one with a way in" in storming["building.doors=0"]
    assert "building.doors=0" not in chaos
    assert "expected greater than or equal to 1, got 0" in storming["units.veteran.W=0"]
    assert storming["units.veteran.W=0"] == chaos["units.veteran.W=0"]


def test_steps_that_cannot_be_played_are_left_out_and_counted_in_one_line(found):
    storming = found[0]
    told = [each for each in steps_summary([storming]) if isinstance(each, str)]
    assert told[-1] == f"{len(storming.refused)} steps left out, which cannot be played."
    assert len(storming.refused) > 1
    assert not any(step.name in each or step.refused in each for step in storming.refused for each in told)


def test_rows_hold_every_step_that_moves_or_is_refused(found):
    one = found[0]
    rows = [*one.rows()]
    assert [*rows[0], "certified"] == [*COLUMNS]  # which is said of bounded answers alone
    assert len(rows) == sum(len(bar.ends) for bar in one.bars) + len(one.refused)
    for row in rows:
        assert (row["refused"] is None) is (row["value"] is not None)
        assert row["refused"] or row["change"] == row["value"] - one.now.value


@pytest.fixture
def few(monkeypatch):
    """Leave most of the statlines out, for they take their time."""
    whole = scenario_steps.steps
    kept = ("units.veteran.T", "units.veteran.W", "units.veteran.move")
    monkeypatch.setattr(
        scenario_steps,
        "steps",
        lambda name: [s for s in whole(name) if not s.key.startswith("units.") or s.key in kept],
    )
    monkeypatch.setenv("COLUMNS", "120")


def test_the_command_tells_the_same_on_the_terminal_in_json_and_as_rows(small, few, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["sensitivity", small, "--rules", "storming", "--workers", "1"]
    assert run([*asked, "--json", "--out", "rows"]) == 0
    told = capsys.readouterr()
    assert told.err == f"The rows: {Path('rows/sensitivity.csv')}\n"
    data = json.loads(told.out)
    (result,) = data["results"]
    now = result["now"]["value"]
    assert now == pytest.approx(captured(small, "storming", {}), abs=1e-12)
    rows = list(csv.DictReader(Path("rows/sensitivity.csv").read_text().splitlines()))
    first = result["bars"][0]
    assert (rows[0]["key"], rows[0]["now"]) == (first["key"], str(first["now"]))
    assert float(rows[0]["value"]) == (first["down"] or first["up"])["value"]
    assert run(asked) == 0
    printed = capsys.readouterr().out
    scenario, bar = load_scenario(small), result["bars"][0]
    ends = [now, *(end["value"] for end in (bar["down"], bar["up"]) if end)]
    least, most = (f"{100 * chance:.0f}" for chance in (min(ends), max(ends)))
    said = " ".join(printed[: printed.index("\n\n")].split())
    assert said.startswith(f"{scenario.title}: most hangs on ")
    assert said.endswith(f"(by one step the building is captured in {least} to {most} games in 100).")
    lines = [line.split() for line in printed.splitlines()]
    for bar in result["bars"]:
        if 100 * bar["swing"] >= 0.05:
            (line,) = [line for line in lines if line[:1] == [bar["key"]]]
            assert line[-1] == f"{100 * bar['swing']:.1f}"
            for end in filter(None, (bar["down"], bar["up"])):
                assert f"{100 * end['value']:.1f}" in line
    assert ["All", "numbers", "are", "exact."] in lines


def test_a_scenario_that_some_rules_do_not_play_is_said(few, tmp_path, capsys):
    path, file = tmp_path / "shut.toml", tmp_path / "shut.svg"
    path.write_text(SMALL.replace("doors = 1", "doors = 0"))
    both, one = (["--workers", "1", "--rules", names] for names in ("storming,realm_of_chaos", "storming"))
    assert run(["sensitivity", str(path), *both, "--json"]) == 0
    shut, open_ = json.loads(capsys.readouterr().out)["results"]
    assert (shut["now"], shut["bars"]) == (None, [])
    assert "expected one with a way in" in shut["refused"][0]["refused"]
    assert open_["now"]["low"] is None
    assert run(["sensitivity", str(path), *both, "--chart", str(file)]) == 0
    err = capsys.readouterr().err
    assert "Storming buildings is not drawn: " in err
    assert "shut.toml, line 13: building.doors: Brick farmhouse: it has no door" in err
    assert "Realm of Chaos buildings" in file.read_text()
    for drawn in ([], ["--chart", str(file)]):
        assert run(["sensitivity", str(path), *one, *drawn]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "the scenario as it is cannot be played: " in err
        assert "line 13: building.doors: Brick farmhouse" in err


def test_plans_and_responses_are_those_asked_for(small, few, capsys):
    asked = ["--rules", "storming", "--plan", "shoot", "--response", "defenders_lost_mean", "--workers", "1"]
    assert run(["sensitivity", small, *asked, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    one = point(small, rule_set("storming"), {"attackers.plan": "shoot"})
    assert result["now"]["value"] == pytest.approx(one.responses(one.play())["defenders_lost_mean"].value, abs=1e-12)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--response", "p_capture"], 'did you mean "p_captured"?'),
        (["--rules", "stroming"], 'did you mean "storming"?'),
        (["--out", "no/such"], 'there is no folder "no"'),
        (["nowhere"], 'there is no scenario "nowhere"'),
    ],
)
def test_what_cannot_be_asked_is_one_message(asked, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["sensitivity", *asked]) == 2
    out, err = capsys.readouterr()
    assert words in err
    assert (out, err.count("\n")) == ("", 1)


TITLED, LOOKED = {"storming": "Storming buildings"}, {"storming": "vermillion"}


def a_tornado(n: int) -> Tornado:
    bars = [
        Bar(f"units.u.n{i}", "attackers", 3, End(2, Estimate(0.5 - 0.4 / i)), End(4, Estimate(0.5 + 0.2 / i)), 0.6 / i)
        for i in range(1, n + 1)
    ]
    return Tornado("storming", "p_captured", Estimate(0.5), tuple(bars), (), ())


def test_bars_are_as_long_as_their_steps():
    rows = swing_rows([a_tornado(3)], TITLED, LOOKED)
    (axes,) = tornado_chart(rows).axes
    drawn = [(bar.get_x(), bar.get_width()) for bar in axes.patches if isinstance(bar, Rectangle)]
    assert [start for start, _ in drawn] == [0.5] * 6
    assert [width for _, width in drawn] == pytest.approx([by / i for i in (1, 2, 3) for by in (-0.4, 0.2)])
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"Attackers' u: n{i}\u00a0\u00a03" for i in (1, 2, 3)
    ]
    assert [text.get_text() for text in axes.texts] == ["2", "4"] * 3
    assert len({bar.get_hatch() for bar in axes.patches}) == 2


def test_the_title_says_what_most_hangs_on_under_each_set_of_rules():
    house = replace(a_tornado(2), rules="house")
    titles = {"storming": "A", "house": "B"}
    rows = swing_rows([a_tornado(2), house], titles, LOOKED | {"house": "vermillion, dashed"})
    title = tornado_chart(rows).title
    assert title == (
        "Most hangs on the attackers' u: n1 under A (by one step the building is captured in 10 to 70 games in 100), "
        "under B (10 to 70)"
    )
    doors = SwingRow("C", "blue", 6.0, "building.doors", "", "1", "up", "2", 4.5, 4.0, 5.0)
    assert sweeps.largest_swings([doors], "turns_mean") == (
        "Most hangs on doors under C (by one step turns, on average: 4.5 to 6.0) (sampled)"
    )


def test_a_swing_is_told_also_where_its_ends_round_alike():
    bar = SwingRow("A", "blue", 0.371, "building.doors", "", "1", "up", "2", 0.374, None, None)
    told = "Most hangs on doors under A (by one step the building is captured in {})"
    for now, value, words in (
        (0.371, 0.374, "37.1 to 37.4 games in 100"),
        (0.0, 0.002, "0 to less than 1 game in 100"),
        (0.001, 0.0032, "0.1 to 0.3 games in 100"),
        (0.00001, 0.0032, "0.001 to 0.320 games in 100"),
        (0.998, 0.99999, "99.800 to 99.999 games in 100"),
        (0.999, 1.0, "more than 99 to 100 games in 100"),
        (0.001, 0.01, "less than 1 to 1 game in 100"),
    ):
        assert sweeps.largest_swings([bar._replace(now=now, value=value)], "p_captured") == told.format(words)
    turns = bar._replace(now=4.51, value=4.54)
    assert "turns, on average: 4.51 to 4.54" in sweeps.largest_swings([turns], "turns_mean")


def test_a_swing_is_the_difference_of_the_numbers_in_its_row():
    """From 30.04 to 34.06 of 100: 30.0 to 34.1, 4.1 apart."""
    bar = Bar("building.doors", "", 2, End(1, Estimate(0.3004)), End(3, Estimate(0.3406)), 0.0402)
    one = Tornado("storming", "p_captured", Estimate(0.32), (bar,), (), ())
    (grid,) = (block for block in steps_summary([one]) if isinstance(block, Grid))
    assert grid.rows[0][1:] == ("1:\u00a030.0", "3:\u00a034.1", "4.1")


def test_a_swing_is_that_of_one_step_of_one_side():
    """The other side's unit of the same key, and another key of the same side, would swing further."""
    first = SwingRow("A", "blue", 0.5, "units.u.T", "attackers", "3", "down", "2", 0.2, None, None)
    up = first._replace(step="up", to="4", value=0.6)
    theirs, other = up._replace(of="defenders", value=0.9), up._replace(key="units.u.S", value=0.1)
    assert "20 to 60 games" in sweeps.largest_swings([first, up, theirs, other], "p_captured")


def test_bars_of_a_house_rule_are_hollow_and_dashed():
    filled, hollow = (
        tornado_chart(swing_rows([a_tornado(1)], TITLED, {"storming": look})).axes[0].patches
        for look in ("vermillion", "vermillion, dashed")
    )
    colour = LOOKS["vermillion"].colour
    assert all(same_color(bar.get_facecolor(), colour) and bar.get_linestyle() in ("-", "solid") for bar in filled)
    assert all(same_color(bar.get_facecolor(), PAPER) and same_color(bar.get_edgecolor(), colour) for bar in hollow)
    assert {bar.get_linestyle() for bar in hollow} <= {"--", "dashed"}


def test_steps_are_called_by_the_words_of_the_table():
    assert step_words("units.veteran.A", "defenders") == "garrison's veteran: Attacks"
    assert step_words("units.trooper-sergeant.invulnerable", "attackers") == (
        "attackers' trooper-sergeant: invulnerable save"
    )
    assert step_words("building.doors", "") == "doors"
    assert step_words("defenders.models", "defenders") == "models in the garrison"


def test_a_tornado_draws_the_largest_and_says_how_many_more():
    (wide,) = tornado_chart(swing_rows([a_tornado(MOST_BARS + 5)], TITLED, LOOKED)).axes
    assert len(wide.patches) == 2 * MOST_BARS
    assert "and 5 more" in wide.get_title(loc="left")


def test_steps_that_change_nothing_have_no_rows():
    assert swing_rows([a_tornado(0)], TITLED, LOOKED) == []


def test_the_command_draws(small, few, tmp_path, capsys):
    file = tmp_path / "tornado.svg"
    assert run(["sensitivity", small, "--rules", "storming", "--workers", "1", "--chart", str(file), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["response"] == "p_captured"
    assert err == f"The chart: {file}\n"
    drawn = file.read_text()
    assert "Most hangs on " in drawn
    assert "A small one: storm against hold. All numbers are exact." in drawn


def test_what_no_step_moves_is_answered_and_not_drawn(small, few, tmp_path, monkeypatch, capsys):
    file, some = tmp_path / "tornado.svg", scenario_steps.steps
    monkeypatch.setattr(scenario_steps, "steps", lambda name: [s for s in some(name) if s.key == "attackers.models"])
    asked = ["--rules", "storming", "--plan", "shoot", "--response", "p_destroyed", "--workers", "1"]
    assert run(["sensitivity", small, *asked, "--chart", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "these change nothing" in out
    assert err == "casemate: there is nothing to draw: no single step changes how often the building is destroyed\n"
    assert not file.exists()


def test_sampled_bars_have_intervals(small):
    asked = [step for step in steps(small) if step.key == "attackers.models"]
    how = How("sampled", trials=200, seed=3)
    (one,) = tornados(asked, answers(one_by_one(asked, small, ["storming"]), how))
    (bar,) = one.bars
    for end in bar.ends:
        alone = point(small, rule_set("storming"), {"attackers.models": end.value}, how=how)
        assert end.response == alone.responses(alone.play())["p_captured"]

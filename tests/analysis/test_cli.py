import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import warnings
from fractions import Fraction
from html import unescape
from importlib.metadata import version
from io import StringIO
from pathlib import Path

import pytest

from analysis.cli import main, run
from analysis.commands import assaults
from analysis.commands.options import DEFAULT_SCENARIO
from analysis.library import catalogue
from analysis.pages import report
from sims.questions import alias, questions
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import scenario_ids
from tests.conftest import INTERRUPTIBLE

pytestmark = pytest.mark.usefixtures("rulings_as_in_the_book")

SMALL = ["--engine", "sampled", "--trials", "50", "--rules", "storming"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def ask(capsys: pytest.CaptureFixture):
    """Run a command that answers, and return what it printed."""

    def asked(*arguments: str) -> str:
        code = run(arguments)
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    return asked


def test_help_names_every_command_and_each_explains_itself(ask) -> None:
    shown = ask("--help")
    for command in ("compare", "odds", "rules", "scenarios"):
        assert f"casemate {command}" in shown
        assert f"Usage: casemate {command}" in ask(command, "--help")


def test_version(ask) -> None:
    assert ask("--version").strip() == version("casemate")


def test_the_default_scenario_is_there() -> None:
    assert DEFAULT_SCENARIO in scenario_ids()


def test_compare_prints_a_table_and_writes_a_page(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    assert run(["compare", *SMALL]) == 0
    out, err = capsys.readouterr()
    assert "captured" in out
    assert "Storming" in out
    assert err.splitlines() == [
        "casemate: playing the other plans",
        "casemate: drawing the charts of the page",
        f"The page with charts: {Path('reports/farmhouse.html')}",
        "casemate: putting the rulings on the page in order, the rest of it is there",
    ]
    assert [p.name for p in (tmp_path / "reports").iterdir()] == ["farmhouse.html"]


def test_a_page_with_other_rules_is_kept(capsys: pytest.CaptureFixture, tmp_path: Path, house_rule: str) -> None:
    """The page is called by the rules where one of the scenario's name compares others, or is none of Casemate's."""
    pages = tmp_path / "pages"
    usual, other = pages / "farmhouse.html", pages / "farmhouse-storming-heavy-grenades.html"
    assert run(["compare", *SMALL, "--out", "pages"]) == 0
    before = usual.read_text()
    capsys.readouterr()
    assert run(["compare", *SMALL, "--out", "pages", "--rules", house_rule]) == 0
    assert (
        f"The page with charts: {other.relative_to(tmp_path)}; {usual.relative_to(tmp_path)} compares other rules and "
        "stays as it is\n"
    ) in capsys.readouterr().err
    assert (usual.read_text(), {*pages.iterdir()}) == (before, {usual, other})
    assert report.beside(usual, ["storming"]) == usual
    assert report.beside(other, ["heavy-grenades", "storming"]) == other
    assert report.beside(other, ["storming"]) == pages / "farmhouse-storming-heavy-grenades-storming.html"
    usual.write_text("My own notes.")
    assert report.beside(usual, ["storming"]) == pages / "farmhouse-storming.html"
    assert report.beside(pages / "none.html", ["storming"]) == pages / "none.html"


def test_compare_json_is_nothing_but_json_and_writes_no_page(ask, tmp_path: Path) -> None:
    data = json.loads(ask("compare", *SMALL, "--json"))
    assert data["results"][0]["rules"] == "storming"
    assert data["results"][0]["trials"] == 50
    assert not list(tmp_path.iterdir())


def test_compare_json_writes_the_page_asked_for(ask, tmp_path: Path) -> None:
    json.loads(ask("compare", *SMALL, "--json", "--out", "mine.html"))
    assert [p.name for p in tmp_path.iterdir()] == ["mine.html"]


def test_a_folder_that_is_given_as_such_is_made_if_its_parent_is_there(tmp_path: Path) -> None:
    assert run(["compare", *SMALL, "--out", "pages"]) == 0
    assert [p.name for p in (tmp_path / "pages").iterdir()] == ["farmhouse.html"]
    assert run(["compare", *SMALL, "--out", "pages/more.html"]) == 0
    assert (tmp_path / "pages/more.html").is_file()


def test_a_house_rule_that_changes_nothing_is_told_so(ask, tmp_path: Path) -> None:
    (tmp_path / "same.toml").write_text('base = "storming"\n[tables.grenade]\nhits = "D3"\n')
    sampled = ["--engine", "sampled", "--trials", "20"]
    assert "same: changes nothing: as Storming buildings" in ask("compare", "--rules", "storming,same.toml", *sampled)
    assert "It changes nothing." in ask("rules", "same.toml")


def test_compare_takes_rules_repeated_or_with_commas_and_files(ask, house_rule: str) -> None:
    sampled = ["--engine", "sampled", "--trials", "20", "--json"]
    both = ask("compare", "--rules", f"storming, {house_rule}", *sampled)
    assert [r["rules"] for r in json.loads(both)["results"]] == ["storming", "heavy-grenades"]
    assert ask("compare", "--rules", "storming", "--rules", house_rule, *sampled) == both


def test_compare_says_for_each_rule_set_what_it_leaves_out(ask, tmp_path: Path) -> None:
    (tmp_path / "flamers.toml").write_text(
        'title = "Flamers"\ndistance = 12\nturns = 2\nbuilding = "hut"\n'
        '[attackers]\nunit = "trooper"\nmodels = 4\nweapon = "rifle"\n'
        '[defenders]\nunit = "trooper"\nmodels = 4\nweapon = "flamer"\n'
    )
    said = " ".join(ask("compare", "flamers.toml").split())
    assert "Gemini building rules: not modelled yet" not in said
    assert "Flamer of the garrison, which does not fire" in said
    assert "Storming buildings: never fired: Rifle of the attackers (nobody inside can be shot at)" in said
    assert "Flamer of the garrison, which does not fire" in (tmp_path / "reports/flamers.html").read_text()
    gemini, _, chaos, storming = json.loads(ask("compare", "flamers.toml", "--json"))["results"]
    assert (gemini["not_modelled"], gemini["never_fired"], storming["not_modelled"]) == (None, None, None)
    assert "Flamer of the garrison" in chaos["not_modelled"]
    assert "Storming buildings: not used of the building: archetype, material, door, firing inches" in said
    assert chaos["not_used"].startswith("archetype, military, firing points, armour")


def test_compare_takes_another_plan(ask) -> None:
    storm, shoot = (json.loads(ask("compare", *SMALL, "--json", "--plan", plan)) for plan in ("storm", "shoot"))
    assert shoot["results"] != storm["results"]


def test_compare_gives_the_same_answer_for_the_same_seed(ask) -> None:
    first, again, other = (ask("compare", *SMALL, "--json", "--seed", seed) for seed in ("5", "5", "6"))
    assert first == again != other


def test_play_says_its_seed_first_and_the_same_seed_plays_the_same_game(ask) -> None:
    told = ask("play")
    seed = re.match(r"Seed (\d+): with --seed \1 the same dice fall\.\n", told)[1]
    assert ask("play", "--seed", seed) == told
    assert json.loads(ask("play", "--seed", seed, "--json"))["seed"] == int(seed)
    assert isinstance(json.loads(ask("play", "--json"))["seed"], int)


def test_play_asks_for_rolls_on_standard_error_and_ends_politely(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("nonsense\n= 2\n\n"))
    assert run(["play", "--ask-me", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Seed 3: ")
    assert "fire from the building: 2, as written" in out
    assert re.search(r"\nThe game was left in turn \d\.\n$", out)
    assert 'expected faces such as "4 2 6", or = and the answer; got "nonsense"' in err
    monkeypatch.setattr("sys.stdin", StringIO("= 2\n"))
    assert run(["play", "--ask-me", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["end"] == "going_on"


def test_a_game_that_is_saved_as_a_script_is_played_again(
    ask, monkeypatch, tmp_path: Path, skirmish: str, rules
) -> None:
    """By the command on its first line: the same moves to the same end, each roll as it is written."""
    of = [skirmish, "--rules", rules, "--plan", "smoke", "--json"]
    monkeypatch.setattr("sys.stdin", StringIO("= 2\n1\n" + "\n" * 500))
    played = json.loads(ask("play", *of, "--ask-me", "--seed", "4", "--save-script", "game.toml"))
    command, end = (tmp_path / "game.toml").read_text().splitlines()[:2]
    again = json.loads(ask(*shlex.split(command)[2:], "--json"))

    def told(game):
        return [(move["move"], [line.replace(", as written", "") for line in move["lines"]]) for move in game["moves"]]

    assert (played["end"], played["turn"], told(played)) == (again["end"], again["turn"], told(again))
    assert (played["seed"], again["seed"]) == (4, None)
    assert end.startswith("# The ")
    assert end.endswith(f"in turn {played['turn']}.") or played["end"] == "held"


def test_a_game_that_was_left_is_saved_as_far_as_it_went(ask, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("= 2\n\n"))
    ask("play", "--ask-me", "--seed", "3", "--save-script", "game.toml")
    text = (tmp_path / "game.toml").read_text()
    assert text.splitlines()[0] == "# casemate play farmhouse --rules storming --script game.toml"
    assert text.count("[[roll]]") == 2
    assert '[[roll]]\nlabel = "fire from the building"\nturn = 1\nanswer = "2"\n' in text
    assert "faces = [" in text
    assert "fire from the building: 2, as written" in ask("play", "--script", "game.toml", "--seed", "1")


def test_odds_of_a_clause(ask) -> None:
    assert json.loads(ask("odds", "ARAP-015", "target=-2", "--json")) == {
        "clause": "ARAP-015",
        "inputs": {"target": -2},
        "value": "1/36",
        "float": pytest.approx(1 / 36),
    }
    assert "1/36 = 0.0277778 = 2.8 %" in ask("odds", "arap-015", "target=-2")


def test_odds_by_a_readable_name_are_those_of_the_clause(ask) -> None:
    by_name = json.loads(ask("odds", "wound roll", "S=4", "T=3", "--json"))
    assert by_name == json.loads(ask("odds", "ARAP-009", "S=4", "T=3", "--json"))


def test_odds_take_names_without_quotes_and_inputs_in_any_case(ask) -> None:
    plain = json.loads(ask("odds", "ST-030", "n=2", "T=4", "building_class=stronghold", "--json"))
    assert json.loads(ask("odds", "st-030", "N=2", "t=4", "Building_Class=Stronghold", "--json")) == plain
    by_name = json.loads(ask("odds", "wound roll", "S=4", "T=3", "--json"))
    assert by_name == json.loads(ask("odds", "wound-roll", "s=4", "t=3", "--json"))
    assert "casemate odds wound-roll ..." in ask("odds", "wound-roll", "--help")
    question = next(q for q in questions() if len(q.rulings) == 1 and not any(i.required for i in q.inputs.values()))
    ((name, (_, options)),) = question.rulings.items()
    answers = [
        ask("odds", alias(question), f"{n}={o}", "--json")
        for n, o in ((name, options[-1]), (name.upper(), options[-1].upper()))
    ]
    assert answers[0] == answers[1]


def test_odds_say_at_least_and_at_most(ask) -> None:
    """2D6 are 8 or less, as Leadership is rolled under, in 26 of 36 throws, and 8 or more in 15."""
    (line,) = [line for line in ask("odds", "2D6").splitlines() if line.split()[:1] == ["8"]]
    assert re.findall(r"[\d.]+ %", line) == ["13.9 %", "41.7 %", "72.2 %"]


def test_odds_notation_shows_how_dice_are_written(ask) -> None:
    shown = ask("odds", "--notation")
    assert "Ld8" in shown
    assert "72.2 %" in shown
    rows = json.loads(ask("odds", "--notation", "--json"))["notation"]
    assert {"R3D6P2 up", "4+ reroll"} <= {row["example"] for row in rows}


def test_odds_of_a_house_rule(ask, tmp_path: Path) -> None:
    """Two grenades of D6 hits each, 7 in the mean and not 4; 5 of 6 wound, and cover saves a third of these."""
    (tmp_path / "heavy.toml").write_text('base = "storming"\ntitle = "Heavy"\n[tables.grenade]\nhits = "D6"\nS = 10\n')
    given = ("odds", "ST-030", "n=2", "T=1", "building_class=defensible", "--ask", "mean", "--json")
    mean = Fraction(json.loads(ask(*given, "--rules", str(tmp_path / "heavy.toml")))["value"])
    assert mean == 7 * Fraction(5, 6) * Fraction(2, 3)
    assert "under Heavy" in ask(*given[:-1], "--rules", str(tmp_path / "heavy.toml"))


def test_what_rules_print_can_be_pasted_into_a_house_rule(tmp_path: Path) -> None:
    for id in rule_set_ids():
        book = rule_set(id).book.model_dump(exclude_unset=True)
        for tables in (part["tables"] for part in (book, book.get("game")) if part):
            lines = [f"[tables.{name}]\n" + "\n".join(catalogue.settings(table)) for name, table in tables.items()]
            (tmp_path / "same.toml").write_text(f'base = "{id}"\ntitle = "Same"\n' + "\n".join(lines))
            assert rule_set(str(tmp_path / "same.toml")).changes() == {}


def test_odds_of_a_notation(ask) -> None:
    data = json.loads(ask("odds", "2D6", "--json"))
    assert data == {"notation": "2D6", "inputs": {}, "pmf": data["pmf"]}
    assert data["pmf"]["2"] == "1/36"
    assert json.loads(ask("odds", "R3D6P2 up", "--ask", "P(>=12)", "--json"))["value"] == "2/27"
    shown = ask("odds", "2D6")
    assert "mean 7" in shown
    assert "at least" in shown
    assert "16.7 %" in shown


def test_outcomes_that_are_codes_are_shown_with_their_names(ask) -> None:
    """Strength 8 on Armour Value 12: a 4 glances, 5 and 6 penetrate."""
    shown = ask("odds", "BASE-016", "S=8", "AV=12")
    assert re.search(r"1 a glancing hit +16\.7 %", shown)
    assert "mean" not in shown
    chance = ask("odds", "BASE-016", "S=8", "AV=12", "--ask", "P(a penetrating hit)", "--json")
    assert json.loads(chance)["value"] == "1/3"


def test_odds_names_other_questions_that_the_same_inputs_answer(ask) -> None:
    shown = ask("odds", "GB-140", "column=penetrating", "damage=2")
    assert re.search(r"3 structural +33\.3 %", shown)
    assert "result=" not in shown
    assert '"hits until a bunker collapses"' in " ".join(shown.split())
    assert "by name" not in ask("odds", "GB-140", "hull=3", "hits=p")


def test_odds_help_says_the_bounds_of_numbers(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")  # each row on one line
    assert "From 0 to 60." in ask("odds", "ST-030", "--help")


def test_odds_help_says_what_an_input_is_to_the_end(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")  # each row on one line
    shown = " ".join(ask("odds", "ST-045", "--help").split())
    assert "who wins with what chance if not given." in shown


def test_odds_help_lists_inputs_and_what_the_clause_says(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")  # each row on one line
    shown = ask("odds", "ARAP-015", "--help")
    for part in ("target", "a whole number", "needed", "natural 1 followed by a second roll", "extended-low-roll"):
        assert part in shown


def test_odds_alone_lists_what_can_be_asked(ask) -> None:
    assert "ARAP-015" in ask("odds")


def test_rules_json_is_the_contract(ask) -> None:
    found = {d["id"]: d for d in json.loads(ask("rules", "--json"))["documents"]}
    assert set(found["gemini-arap"]) == {"id", "clauses", "done", "played", "partial", "missing"}
    for document in found.values():
        assert document["done"] + len(document["partial"]) + len(document["missing"]) == document["clauses"]
        assert len(document["played"]) <= document["done"]


def test_rules_lists_rule_sets_tables_rulings_and_coverage(ask) -> None:
    shown = ask("rules")
    for part in ("storming", "fireteam", "wound_allocation", "gw-updated-buildings"):
        assert part in shown


def test_rules_look_for_a_word_in_some_rules_only(ask, house_rule: str) -> None:
    """A defensible building has a door (ST-006); which doors are locked is asked by Gemini alone."""
    every, shown = ask("rules", "door"), ask("rules", "door", "--rules", "storming")
    assert 'Where "door" is in storming:' in shown
    assert "ST-006" in shown
    assert "locked_doors" in every
    for other in ("gemini", "locked_doors", "realm_of_chaos", "GW-", "RC-", "GB-"):
        assert other not in shown
    assert "tables.grenade" in ask("rules", "grenade", "--rules", house_rule)
    both = ask("rules", "at least one door", "--rules", "storming,gemini")
    assert "ST-006" in both
    assert "locked_doors" in ask("rules", "door", "--rules", "storming,gemini")


def test_rules_show_a_clause_with_its_ruling(ask) -> None:
    shown = ask("rules", "st-034")
    for part in ("ST-034", "Open question", "In storming the ruling wound_allocation", "* one_each", "fireteam_first"):
        assert part in shown
    data = json.loads(ask("rules", "ST-034", "--json"))
    assert data["rulings"][0]["choice"] == "one_each"
    assert data["status"] in ("done", "partial", "missing")


def test_rules_say_whether_a_clause_is_played_or_why_it_is_only_asked(ask) -> None:
    assert "done, played" in ask("rules", "ST-035")
    assert "done, only asked (a calculator: converts" in " ".join(ask("rules", "ARAP-007").split())
    assert json.loads(ask("rules", "ST-035", "--json"))["played"] is True
    data = json.loads(ask("rules", "ARAP-007", "--json"))
    assert data["played"] is False
    assert data["only_asked"].startswith("a calculator: converts")


def test_rules_show_a_rule_set_a_house_rule_and_a_document(ask, house_rule: str) -> None:
    assert "defensible.armour = " in ask("rules", "storming")
    assert re.search(r"tables\.grenade\.S +3 +6 +Storming Buildings", ask("rules", house_rule))
    assert "ST-001" in ask("rules", "storming-buildings")
    assert json.loads(ask("rules", house_rule, "--json"))["changes"] == [["tables.grenade.S", 3, 6]]
    assert json.loads(ask("rules", "storming-buildings", "--json"))["clauses"][0]["id"] == "ST-001"


def test_scenarios_shows_one(ask, tmp_path: Path) -> None:
    shown = ask("scenarios", "farmhouse")
    assert "1 Veteran (machine gun), 11 Veterans (rifle)" in shown
    assert "the attackers move first" in shown
    assert "Power blade" in shown
    assert "Veteran: grenades assault, krak" in shown
    assert "Armour Value 10" in ask("scenarios", "toll-house")
    assert "mounted: 2 machine guns" in " ".join(ask("scenarios", "bastion").split())
    (tmp_path / "mine.toml").write_text('base = "farmhouse"\nfirst = "defenders"\n')
    assert "the defenders move first" in ask("scenarios", "mine.toml")


def test_scenarios_json(ask) -> None:
    every = json.loads(ask("scenarios", "--json"))
    assert [*every["scenarios"]] == scenario_ids()
    assert every["units"]["ogre"]["W"] == 3
    assert every["buildings"]["house"]["levels"] == 2
    assert every["buildings"]["house"]["gemini"]["windows"] == 2
    one = json.loads(ask("scenarios", "farmhouse", "--json"))
    assert (one["scenario"], one["first"], one["building"]["doors"]) == ("farmhouse", "attackers", 2)
    assert [group["count"] for group in one["defenders"]["groups"]] == [1, 11]
    assert one["defenders"]["groups"][0]["weapon"]["title"] == "Machine gun"


def test_scenarios_lists_what_there_is(ask) -> None:
    shown = ask("scenarios")
    for part in (*scenario_ids(), "trooper", "fusion-gun", "bunker"):
        assert part in shown


FILES = {
    "empty.toml": b"",
    "binary.toml": b"\x81\x00\x01",
    "syntax.toml": b'base = "storming"\ntitle = \n',
    "key.toml": b'base = "storming"\ntitle = "x"\n[tables.grenade]\nStrength = 4\n',
    "nan.toml": b'base = "storming"\ntitle = "x"\n[tables.grenade]\nS = nan\n',
    "base.toml": b'base = "stroming"\ntitle = "x"\n',
    "good.toml": b'base = "storming"\ntitle = "Heavy"\n[tables.grenade]\nhits = "D6"\n',
    "before.toml": b'base = "farmhouse"\nedge = -1\n',
    "beyond.toml": b'base = "farmhouse"\nedge = 73\n',
    "trait.toml": b'base = "farmhouse"\n[units.zealot]\ntitle = "Zealot"\nWS = 3\nBS = 3\nS = 3\nT = 3\nI = 3\nA = 1\n'
    b"Ld = 7\n[units.zealot.gemini]\nfearles = true\n",
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["comprae"], 'Did you mean "compare"?'),
        (["--verbose"], "--verbose"),
        (["compare", "farmhose"], 'did you mean "farmhouse"?'),
        (["compare", "farmhouse", "storming"], "storming"),
        (["compare", "--trial", "5"], "Did you mean --trials?"),
        (["compare", "--trials"], "requires an argument"),
        (["compare", "--trials", "0"], "Must be >= 1"),
        (["compare", "--trials", "-5"], "Must be >= 1"),
        (["compare", "--trials", "nan"], "nan"),
        (["compare", "--trials", "1.5"], "1.5"),
        (["compare", "--trials", "9" * 30], "Must be <="),
        (["compare", "--seed", "-1"], "Must be >= 0"),
        (["compare", "--budget", "0"], "Must be >= 1"),
        (["compare", "--budget", "10000000000"], "Must be <= 268435456"),
        (["compare", "--budget", "2", "--engine", "exact", "--rules", "storming"], "use engine bounded or sampled"),
        (["compare", "--engine", "magic"], "exact"),
        (["compare", "--plan", "hide"], "storm"),
        (["compare", "--rules", "stroming"], 'did you mean "storming"?'),
        (["compare", "--rules", "storming,"], "beside a comma; expected one of"),
        (["compare", "--rules", "storming,storming"], 'called "storming"'),
        (["compare", "--rules", ""], "beside a comma"),
        (["compare", "--rules", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["compare", "--rules", "empty.toml"], "the file is empty"),
        (["compare", "--rules", "binary.toml"], "not a text file"),
        (["compare", "--rules", "syntax.toml"], "syntax.toml, line 2"),
        (["compare", "--rules", "key.toml"], "key.toml, line 4: tables.grenade.Strength: unknown key"),
        (["compare", "--rules", "nan.toml"], "nan.toml, line 4: tables.grenade.S"),
        (["compare", "--rules", "base.toml"], 'base.toml, line 1: base: unknown rule set "stroming"'),
        (["compare", "empty.toml"], "the file is empty"),
        (["compare", "before.toml"], "before.toml, line 2: edge: expected greater than or equal to 0, got -1\n"),
        (["compare", "beyond.toml"], "beyond.toml, line 2: edge: expected less than or equal to 72, got 73\n"),
        (
            ["compare", "trait.toml"],
            'trait.toml, line 12: units.zealot.gemini.fearles: unknown key; did you mean "fearless"?\n',
        ),
        (["compare", "--out", "key.toml/page.html"], "cannot be written"),
        (
            ["compare", "--out", "nowhere/page.html"],
            'nowhere/page.html: cannot be written: there is no folder "nowhere"',
        ),
        (["compare", "--out", "nowhere/pages"], 'nowhere/pages: cannot be written: there is no folder "nowhere"'),
        (["chart", "support", "--out", "nowhere/doors.svg"], 'cannot be written: there is no folder "nowhere"'),
        (
            ["chart", "support", "--seed", "7"],
            "Unknown option: --seed. casemate chart support --help lists those there",
        ),
        (["chart", "game", "--attackers", "5"], "Unknown option: --attackers. casemate chart game --help lists"),
        (["chart", "gaem", "--seed", "7"], 'there is no chart "gaem"; did you mean "game"?'),
        (["chart", "game", "farmhose"], 'did you mean "farmhouse"?'),
        (["chart", "game", "--out", "game.docx"], "expected a file ending in .svg, .png or .pdf"),
        (["chart", "game", "--out", "nowhere/game.svg"], 'cannot be written: there is no folder "nowhere"'),
        (["chart", "game", "--script", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["chart", "game", "--seed", "-1"], "Must be >= 0"),
        (["rulings", "--rules", "all"], 'there is no command "rulings"; did you mean "casemate chart rulings"?'),
        (["chart", "rulings", "--rules", "all"], 'one set of rules is asked for, not "all"; expected one of gemini, '),
        (["chart", "bunker", "--rules", "gemini,storming"], 'not "gemini,storming"; expected one of gemini, '),
        (["chart", "breach", "--strengths"], "--strengths requires at least 1"),
        (["chart", "burning", "--damage"], "--damage requires at least 1"),
        (["chart", "support", "--attackers"], "--attackers requires at least 1"),
        (["compare", "--out", "page.txt"], "expected a file ending in .html"),
        (["odds", "nonsense"], 'there is no clause, question or dice notation "nonsense"'),
        (["odds", "leadership 3"], 'notation "leadership 3"; did you mean "Leadership test"?'),
        (["odds", "ARAP-999"], 'there is no clause "ARAP-999"'),
        (["odds", "ARAP-015"], "also needs target="),
        (["odds", "ARAP-015", "target"], "expected name=value"),
        (["odds", "ARAP-015", "target=1", "target=2"], "given twice"),
        (["odds", "ARAP-015", "target=1", "Target=2"], "target is given twice"),
        (["odds", "ARAP-015", "target=nan"], 'cannot be "nan"'),
        (["odds", "ARAP-015", "target=1000000000000"], "expected a whole number of at most nine digits"),
        (["odds", "ARAP-015", "tarket=1"], 'did you mean "target"?'),
        (["odds", "999999999D6"], "too many"),
        (["play", "--save-script", "game.txt"], '--save-script cannot be "game.txt"; expected a file ending in .toml'),
        (["play", "--save-script", "nowhere/game.toml"], 'there is no folder "nowhere"'),
        (["odds", "2D6", "S=4"], "takes no inputs"),
        (["odds", "2D6+"], "2D6+"),
        (["odds", "2D6", "--ask", "P(>)"], "cannot be asked"),
        (["odds", "ARAP-015", "target=0", "--ask", "mean"], "distribution"),
        (["odds", "ST-043", "stormings=many", "--ask", "P(>)"], "cannot be asked of a distribution"),
        (["odds", "BASE-016", "S=8", "AV=12", "--ask", "mean"], "words, which have no mean; expected P(...) of "),
        (["odds", "ST-043", "x=1"], "it takes none; or a ruling"),
        (["odds", "GB-140"], '"hits until a bunker collapses" (column=)'),
        (["rules", "stroming"], 'did you mean "storming"?'),
        (["odds", "ARAP-015", "target=1", "--rules", "good.toml"], "no book of rules changes its answer"),
        (["odds", "GW-029", "--rules", "good.toml"], "is not a question of"),
        (["odds", "2D6", "--rules", "good.toml"], "takes no inputs and no rules"),
        (["rules", "ST-999"], 'there is no clause "ST-999"'),
        (
            ["rules", "locked_doors", "--rules", "storming"],
            '"locked_doors" is nowhere in storming; "casemate rules locked_doors" looks',
        ),
        (["rules", "door", "--rules", "stroming"], 'did you mean "storming"?'),
        (
            ["rules", "--rules", "storming"],
            "--rules says where a word is looked for: casemate rules door --rules storming",
        ),
        (["rules", "st30"], 'did you mean "ST-030"?'),
        (["compare", ""], 'there is no scenario ""; expected one of across-the-wire, bastion'),
        (["compare", "--defence", "hide"], "sally"),
        (["receipt", "storming"], "storming has no base to compare it with"),
        (["receipt", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["receipt", "good.toml", "--against", "gemini"], "have no common base"),
        (["receipt", "good.toml", "--suite", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["receipt", "good.toml", "--out", "receipt.pdf"], "expected a file ending in .md or .html"),
        (["receipt", "good.toml", "--out", "nowhere/receipt.md"], 'there is no folder "nowhere"'),
        (["explain", "storming", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["solve"], "expected either --vary KEY or --any"),
        (["solve", "--any", "--rules", "storming,gemini"], "--any takes one set of rules; got storming, gemini"),
        (["solve", "--vary", "turns", "--target", "1.5"], "expected a chance from 0 to 1"),
        (["solve", "--vary", "first", "--rules", "storming"], "expected a whole number or dice"),
        (["solve", "--vary", "attackers.modles", "--rules", "storming"], 'did you mean "attackers.models"?'),
        (["solve", "farmhose", "--vary", "turns"], 'did you mean "farmhouse"?'),
        (["solve", "--vary", "tables.grenade.hits", "--rules", "gemini"], "none of gemini has tables.grenade.hits"),
        (["baseline", "write", "x.json", "--rules", "stroming"], 'did you mean "storming"?'),
        (["baseline", "write", "x.txt", "--rules", "storming"], "expected a file ending in .json"),
        (["baseline", "write", "nowhere/x.json", "--rules", "storming"], 'there is no folder "nowhere"'),
        (["baseline", "check", "nowhere.json"], "nowhere.json: cannot be read"),
        (["new-rule", "good.toml", "--base", "storming"], "good.toml: is there already"),
        (["new-rule", "x.toml", "--base", "storming", "--tables", "grenad"], 'did you mean "grenade"?'),
        (["new-rule", "x.toml", "--base", "gemini", "--rulings", "flight=line"], 'did you mean "lines"?'),
        (["new-rule", "x.toml", "--base", "gemini", "--rulings", "fligt=lines"], 'did you mean "flight"?'),
        (["new-rule", "x.txt", "--base", "storming"], "expected a file ending in .toml"),
        (["rules", "--schema"], "--schema needs a rule set"),
    ],
)
def test_bad_input_gives_one_message_and_nothing_else(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.startswith("casemate: ")
    assert "Traceback" not in err
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("arguments", [["compare", *SMALL, "--out", "a.txt"], ["compare", *SMALL, "--rules", "b.toml"]])
def test_bad_input_is_found_before_anything_is_computed(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assaults, "compare_rules", lambda *_, **__: pytest.fail("computed"))
    assert run(arguments) == 2


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), MemoryError()])
def test_a_full_disk_or_memory_is_said_in_a_sentence(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(assaults, "compare_rules", fail)
    assert run(["compare", *SMALL]) == 2
    assert capsys.readouterr().err.startswith("casemate: ")


def _start(*arguments: str) -> "subprocess.Popen[str]":
    code = "from analysis.cli import main; main()"
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=pipe, stderr=pipe, text=True, preexec_fn=INTERRUPTIBLE
    )


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("more", [[], ["--no-store"]], ids=["kept", "no-store"])
def test_an_interrupt_ends_at_once_and_cleanly(more: list[str], tmp_path: Path) -> None:
    with _start("compare", "--engine", "rolled", "--trials", "10000000", *more) as process:
        while not more and not Path(os.environ["CASEMATE_STORE"]).exists():
            time.sleep(0.01)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    kept = "what was finished is in the store, if there is one, and the same command goes on from there"
    said = f"casemate: interrupted; {'nothing is kept with --no-store' if more else kept}\n"
    assert (process.returncode, out) == (130, "")
    early = "casemate: interrupted; nothing is kept of it\n"  # on a slow machine it comes before anything is played
    assert err in ([said, early] if more else [said])
    assert not list(tmp_path.iterdir())


def test_no_interrupt_is_silent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def stop(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.commands.app", stop)
    assert run(["play"]) == 130
    assert capsys.readouterr() == ("", "casemate: interrupted; nothing is kept of it\n")


@pytest.mark.parametrize(("ended", "code"), [(KeyboardInterrupt(), 130), (SystemExit(129), 129)])
def test_what_fails_over_its_end_has_the_code_of_the_end(ended, code, monkeypatch, capsys) -> None:
    """As when workers are only just being started, and what starts them cannot be left in the middle."""

    def fail(_: list[str]) -> None:
        try:
            raise ended
        finally:
            raise UnboundLocalError

    monkeypatch.setattr("analysis.commands.app", fail)
    assert run(["play"]) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
@pytest.mark.parametrize("arguments", [("odds",), ("rules", "--json")])
def test_a_broken_pipe_is_quiet(arguments: tuple[str, ...]) -> None:
    with _start(*arguments) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(10) == 141


def test_start_up_loads_nothing_heavy() -> None:
    code = """
import sys
from analysis.cli import run
for arguments in (["--help"], ["odds", "2D6"], ["compare", "--rules", "storming", "--json", "--no-store"]):
    assert run(arguments) == 0
print([name for name in ("matplotlib", "pandas", "scipy.stats", "joblib", "sqlite3") if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_receipt_is_written_for_both_readers(skirmish: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rule, suite = tmp_path / "heavy.toml", tmp_path / "suite.toml"
    rule.write_text(
        'base = "storming"\ntitle = "Heavy"\n[tables.grenade]\nhits = "D6"\n[rulings]\nsecond_round = "yes"\n'
    )
    suite.write_text(f'[[games]]\nscenario = "{skirmish}"\n[[games]]\nscenario = "{skirmish}"\nplan = "smoke"\n')
    asked = ["receipt", str(rule), "--suite", str(suite), "--workers", "1"]
    assert run([*asked, "--out", str(tmp_path / "a.md")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("So far, under the scenarios' own plans: a storm takes a skirmish in 9")
    assert "\nHeavy: the attackers do better. A storm takes a skirmish in 9" in out
    assert "captured of 100" in out
    assert (tmp_path / "a.md").read_text().startswith("# Heavy\n\nHeavy: the attackers do better.")
    assert run([*asked, "--out", str(tmp_path / "a.html"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["own_plans"] for one in data["assaults"]] == [True, False]
    page = (tmp_path / "a.html").read_text()
    assert "<svg" in page
    assert "<h1>Heavy</h1>" in page
    assert page.count("All numbers are exact.") == 2  # below the chart, and where it says how it was computed
    written = ["casemate", "receipt", str(rule), "--suite", str(suite)]
    assert shlex.split(unescape(re.findall("<pre>(.*?)</pre>", page, re.DOTALL)[-1])) == written


def test_a_null_edit_has_an_empty_receipt(skirmish: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rule, suite = tmp_path / "same.toml", tmp_path / "suite.toml"
    rule.write_text('base = "storming"\n[tables.grenade]\nhits = "D3"\n')
    suite.write_text(f'[[games]]\nscenario = "{skirmish}"\n')
    assert run(["receipt", str(rule), "--suite", str(suite), "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("same changes nothing: as storming.")
    assert "What is changed" not in out
    assert run(["receipt", str(rule), "--suite", str(suite), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["assaults"] == []


def test_explain_and_solve_say_what_they_found(scuffle: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rule = tmp_path / "heavy.toml"
    rule.write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n[rulings]\nsecond_round = "yes"\n')
    assert run(["explain", "storming", str(rule), "--scenario", scuffle, "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "grenade.hits: D3 -> D6 [Storming Buildings, support (ST-030)]" in out
    assert run(["explain", "storming", "gw_updated", "--scenario", scuffle, "--workers", "1"]) == 0
    assert "are no house rules of one book" in capsys.readouterr().out
    assert run(["explain", str(rule), "--scenario", scuffle, "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["worth"]
    assert run(["solve", "--any", "--rules", "storming", "--target", "1.5"]) == 2
    assert "target of p_captured cannot be 1.5" in capsys.readouterr().err
    assert run(["solve", scuffle, "--vary", "units.trooper.T", "--rules", "storming", "--target", "0.5", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["solutions"]
    assert [level["level"] for level in found["levels"]] == [*range(1, 11)]


def test_a_gate_tells_by_its_exit_code(skirmish: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, file, rule = tmp_path / "suite.toml", str(tmp_path / "own.json"), tmp_path / "heavy.toml"
    suite.write_text(f'[[games]]\nscenario = "{skirmish}"\n')
    rule.write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n')
    of = ["--workers", "1"]
    assert run(["baseline", "write", file, "--rules", "storming", "--suite", str(suite), *of]) == 0
    assert run(["baseline", "check", file, *of]) == 0
    assert run(["baseline", "check", file, "--rules", str(rule), *of, "--json"]) == 1
    data = json.loads(capsys.readouterr().out.partition("the same.\n")[2])
    assert data["changes"][0]["where"] == "tables.grenade.hits"
    assert run(["baseline", "check", file, "--rules", str(rule), *of]) == 1
    short = capsys.readouterr().out
    assert short.startswith("Changed: 1 value; ")
    assert run(["baseline", "check", file, "--rules", str(rule), *of, "--all"]) == 1
    assert len(capsys.readouterr().out) > len(short)
    assert (
        run(
            ["baseline", "write", (other := str(tmp_path / "b.json")), "--rules", str(rule), *of, "--suite", str(suite)]
        )
        == 0
    )
    assert run(["baseline", "check", other, *of]) == 2
    assert "expected its file: --rules FILE" in capsys.readouterr().err
    sampled = ["--engine", "sampled", "--trials", "200"]
    assert run(["baseline", "write", file, "--rules", "storming", "--suite", str(suite), *of, *sampled]) == 2
    assert (
        run(["baseline", "write", file, "--rules", "storming", "--suite", str(suite), *of, *sampled, "--accept", "x"])
        == 0
    )
    assert run(["baseline", "check", file, *of]) == 0


VALUE = r'# ((?:"[^"]+"|[\w-]+) = .*)'
"""A value in a new house rule, which is a comment."""


def test_json_of_a_receipt_holds_what_undoes_it(skirmish: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rule, suite = tmp_path / "heavy.toml", tmp_path / "suite.toml"
    rule.write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n')
    suite.write_text(f'[[games]]\nscenario = "{skirmish}"\n')
    asked = ["receipt", str(rule), "--suite", str(suite), "--workers", "1", "--json"]
    assert run(asked) == 0
    assert json.loads(capsys.readouterr().out)["undo"] is None
    assert run([*asked, "--undo"]) == 0
    undo = json.loads(capsys.readouterr().out)["undo"]
    assert undo["response"] == "p_captured"
    assert any("tables.grenade.hits" in one["values"] for one in undo["remedies"])


def test_a_baseline_of_other_rules_is_refused(skirmish: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, file = tmp_path / "suite.toml", str(tmp_path / "own.json")
    suite.write_text(f'[[games]]\nscenario = "{skirmish}"\n')
    assert run(["baseline", "write", file, "--rules", "storming", "--suite", str(suite), "--workers", "1"]) == 0
    capsys.readouterr()
    assert run(["baseline", "check", file, "--rules", "gw_updated"]) == 2
    assert capsys.readouterr().err.endswith("written of rules made from storming; gw_updated is made from gw_updated\n")


def test_a_new_rule_changes_nothing_until_it_is_changed(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for rules in rule_set_ids():
        file = tmp_path / f"{rules}.toml"
        assert run(["new-rule", str(file), "--base", rules]) == 0
        assert rule_set(str(file)).changes() == {}
        taken = [line for line in file.read_text().splitlines() if re.fullmatch(VALUE, line)]
        bare = file.with_name(f"{rules}-bare.toml")
        bare.write_text(re.sub(f"(?m)^{VALUE}$", r"\1", file.read_text()))
        assert rule_set(str(bare)).book == rule_set(rules).book
        assert len(taken) == len(rule_set(rules).book.leaves())
    own = tmp_path / "own.toml"
    assert run(["new-rule", str(own), "--base", str(tmp_path / "storming.toml"), "--tables", "grenade"]) == 0
    assert own.read_text().count("[tables.") == 1
    assert rule_set(str(own)).made_from.id == "storming"
    switched = tmp_path / "switched.toml"
    assert run(["new-rule", str(switched), "--base", "gemini", "--rulings", "routers=rally, flight=lines"]) == 0
    changes = rule_set(str(switched)).changes()
    assert {key: now for key, (_, now) in changes.items()} == {"rulings.routers": "rally", "rulings.flight": "lines"}
    assert capsys.readouterr().out == ""


def test_a_word_is_looked_for_ids_first(capsys: pytest.CaptureFixture) -> None:
    assert run(["rules", "grenade"]) == 0
    out = capsys.readouterr().out
    assert out.startswith('Where "grenade" stands')
    assert out.index("tables.grenade") < out.index("ARAP-")
    assert run(["rules", "storming", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["properties"]["tables"]["properties"]["grenade"]


def test_that_a_process_is_replaced_which_has_grown_large_is_not_told(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["casemate", "scenarios", "--json"])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SystemExit):
            main()
        warnings.warn("A worker stopped while some jobs were given to the executor.", UserWarning, stacklevel=1)

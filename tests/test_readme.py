"""What the README and the help tell a reader to type works as it stands there."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from cyclopts import App

from analysis.cli import run
from analysis.commands import app, choosing
from analysis.library.catalogue import coverage
from analysis.points.point import point
from analysis.sweeps.sweep import sweep
from sims.profiles import library
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
GUIDES = {path.stem: path.read_text("utf-8") for path in (ROOT / "analysis/guides").glob("*.md")}
PAGES = [README, *GUIDES.values()]
COMMANDS = sorted(
    {
        line.split("#")[0].strip()
        for page in PAGES
        for block in re.findall(r"```sh\n(.*?)```", page, flags=re.DOTALL)
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("casemate ")
    }
)
ANSWERS = [
    (" ".join(command.split()), json.loads(shape))
    for page in PAGES
    for command, shape in re.findall(r"`(casemate [^`]*?--json)`:\n\n```json\n(.*?)```", page, flags=re.DOTALL)
]


@pytest.fixture
def reader(tmp_path, tmp_path_factory, monkeypatch, rulings_as_in_the_book):
    """A folder in which the files of the README and the help have been saved; what one command has played is kept.

    Where several processes share the tests, they share it too: each has a folder of its own beside it.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    monkeypatch.setenv("CASEMATE_STORE", str(shared / "reader.sqlite"))
    for page in PAGES:
        for name, text in re.findall(r"Save\sthis\sas\s`([\w-]+\.toml)`.*?```toml\n(.*?)```", page, flags=re.DOTALL):
            (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO())
    return tmp_path


def test_there_is_something_to_type():
    assert len(COMMANDS) > 30


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_work(reader, command, capsys):
    """Where every level of a range is played, with the same corners in larger steps; baselines are of one scenario."""
    wide = command.replace("=5..20 ", "=5..20:5 ").replace("=4..15 ", "=4..15:11 ")
    (reader / "few.toml").write_text('scenarios = ["bunker-rush"]\n')
    if "baseline check" in command:
        assert run(shlex.split(command.replace(" check ", " write ") + " --suite few.toml")[1:]) == 0
    assert run(shlex.split(f"{wide} --suite few.toml" if "baseline write" in command else wide)[1:]) == 0
    told = capsys.readouterr()
    assert told.out or told.err.startswith(
        ("The chart: ", "The page of rules: ", "The baseline: ", "The house rule: ", "The model: ")
    )


def test_every_file_that_the_readme_asks_about_is_shown_in_it_or_made_by_a_command_before():
    """Files of the help that have the same name are no help to somebody who reads the README alone."""
    commands = [command for command in README.splitlines() if command.startswith("casemate ")]
    there = set(re.findall(r"Save\sthis\sas\s`([\w-]+\.toml)`", README))
    asked = set[str]()
    for command in commands:
        made = set(re.findall(r"(?:--out|new-rule) ([\w-]+\.toml)", command))
        asked |= set(re.findall(r"[\w-]+\.toml", command)) - made - there
        there |= made
    assert {"position.toml", "my-rule.toml"} <= there
    assert asked == set()


def test_the_help_shows_a_unit_a_weapon_and_a_building_of_ones_own(capsys, tmp_path):
    """Read as a file, as the help prints it at 80 columns."""
    assert run(["scenarios", "--help"]) == 0
    shown = capsys.readouterr().out
    (tmp_path / "chapel.toml").write_text(
        shown[shown.index('base     = "farmhouse"') : shown.index("casemate scenarios farmhouse --json")]
    )
    mine, shelf = load_scenario(str(tmp_path / "chapel.toml")), library()
    titles = [{one.title for one in kind.values()} for kind in (shelf.units, shelf.weapons, shelf.buildings)]
    own = [mine.attackers.unit, mine.attackers.groups[-1].weapon, mine.building]
    assert [one.title for one in own] == ["Raider", "Blunderbuss", "Chapel"]
    assert not any(one.title in known for one, known in zip(own, titles, strict=True))
    assert all(rule_set(rules).assault(mine) for rules in rule_set_ids())


def test_the_position_of_the_readme_is_saved_and_asked_about(tmp_path, monkeypatch, capsys, rulings_as_in_the_book):
    """In an empty folder."""
    monkeypatch.chdir(tmp_path)
    typed = [line.split("#")[0] for line in README.splitlines() if line.startswith("casemate ") and "position" in line]
    assert [run(shlex.split(command)[1:]) for command in typed] == [0, 0]
    assert "turn 3, the attackers to move" in capsys.readouterr().out


def test_the_picture_of_the_readme_is_what_is_played(tmp_path):
    drawn = tmp_path / "farmhouse.svg"
    assert run(["chart", "ends", "--out", str(drawn)]) == 0
    assert drawn.read_text("utf-8") == (ROOT / "notebooks/farmhouse.svg").read_text("utf-8"), "make picture"


def programs() -> list[str]:
    return [code for page in PAGES for code in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)]


def logs(page: str) -> list[str]:
    return re.findall(r"```\n(turn .*?)```", page, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("log", "asked"), [(logs(GUIDES["play"])[0], ["--seed", "1"]), (logs(README)[0], ["--seed", "2", "--chances"])]
)
def test_logs_are_those_of_their_games(log, asked, capsys):
    assert run(["play", "--rules", "storming", *asked]) == 0
    assert log in capsys.readouterr().out
    assert logs(README)[0] == logs(GUIDES["play"])[1]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shape"), ANSWERS)
def test_json_is_as_it_is_said(reader, command, shape, capsys):
    if command == "casemate store --json":
        assert run(["sweep", "--vary", "turns=1,2", "--rules", "storming"]) == 0
        capsys.readouterr()
    assert run(shlex.split(command)[1:]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer.keys() == shape.keys()
    assert [*missing(shape, answer)] == []


def missing(shape: Any, answer: Any, at: str = "") -> Iterator[str]:
    """Yield where an answer lacks what its example has; an example shows the first of a list, and the kind of a value."""
    if isinstance(shape, dict) and shape:
        for key in shape:
            yield from missing(shape[key], answer[key], f"{at}.{key}") if key in answer else [f"{at}.{key}"]
    elif isinstance(shape, list) and shape:
        yield from missing(shape[0], answer[0], f"{at}[0]") if answer else [f"{at}[0]"]
    elif (
        shape is not None
        and answer is not None
        and type(shape) is not type(answer)
        and {type(shape), type(answer)} != {int, float}
    ):
        yield f"{at}: {answer}"


def test_what_the_help_shows_as_it_is_typed_fits_into_80_columns():
    blocks = [block for guide in GUIDES.values() for block in re.findall(r"```\w*\n(.*?)```", guide, flags=re.DOTALL)]
    assert len(blocks) > 30
    assert [line for block in blocks for line in block.splitlines() if len(line) > 78] == []


def test_what_is_asked_for_as_json_is_shown_in_the_help():
    asking = {name for name in app if not name.startswith("-") and name != "chart" and "--json" in options(app[name])}
    shown = {name for name, guide in GUIDES.items() if "## For programs" in guide}
    assert asking == shown


def options(command: App) -> set[str]:
    """Return the options of a command, or of those below it."""
    own = (
        {name for each in command.assemble_argument_collection() for name in each.names}
        if command.default_command
        else set()
    )
    return own.union(*(options(command[name]) for name in command if not name.startswith("-")))


def test_how_far_the_books_are_done_is_what_is_counted():
    rows = re.findall(r"^\| [^|]+ \|((?: \d+ \|){5})$", README, flags=re.MULTILINE)
    counted = [
        [each["clauses"], each["done"], *(len(each[kind]) for kind in ("played", "partial", "missing"))]
        for each in coverage()["documents"]
    ]
    assert [[int(n) for n in row.replace("|", " ").split()] for row in rows] == counted


def test_a_whole_scenario_is_shown_that_plays(reader, capsys):
    assert run(["compare", "barn.toml", "--rules", "storming", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scenario"] == "barn"


def test_json_of_odds_is_what_they_print(capsys):
    """Here each value is held against the answer, which the catalogue has."""
    ((_, shape),) = {command: shape for command, shape in ANSWERS if "odds" in command}.items()
    assert run(["odds", "ARAP-015", "target=0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == shape
    assert shape == {"clause": "ARAP-015", "inputs": {"target": 0}, "value": "1/12", "float": 1 / 12}


def test_the_sweep_of_the_readme_is_drawn(reader):
    """With the same corners, in larger steps."""
    (code,) = (code for code in programs() if "sweep" in code)
    wide = code.replace("range(5, 21)", "range(5, 21, 5)").replace("range(4, 16)", "range(4, 16, 11)")
    assert wide.count(", 5)") == wide.count(", 11)") == 1
    names = dict[str, Any]()
    exec(wide, names)
    assert (reader / "heat-map.png").stat().st_size > 1000
    assert names["grid"].shape == (2, 4)
    one = point("farmhouse", rule_set("storming"), {"attackers.models": 10, "defenders.models": 15})
    assert names["grid"].loc[15, 10] == pytest.approx(one.responses(one.play())["p_captured"].value, abs=1e-12)


def test_what_the_readme_asks_in_python_answers_as_it_says(reader, capsys):
    (code,) = (code for code in programs() if "solve(" in code)
    names = dict[str, Any]()
    exec(code, names)
    assert "captured" in capsys.readouterr().out
    told = re.findall(r"^(.+)  # (\d+|Fraction\(.*\))$", code, flags=re.MULTILINE)
    assert [repr(eval(asked, names)) for asked, _ in told] == [answer for _, answer in told]
    assert len(told) == 2


def test_the_design_point_of_the_readme_answers(reader):
    (code,) = (code for code in programs() if "one.play()" in code)
    names = dict[str, Any]()
    exec(code, names)
    assert names["one"].name == "storming/farmhouse?attackers.models=12&tables.grenade.hits=D6"
    (code,) = (code for code in programs() if "paired(" in code)
    exec(code, names)
    assert sum(names["both"].chances["p_captured"]) == 10_000


def test_who_moves_first_is_worth_what_the_readme_says():
    (told,) = re.findall(
        r"capture the farmhouse in (\d+) % of games\s+if they do, in (\d+) % if the garrison does", README
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
    """It begins so, but for the line below the head of the table."""
    monkeypatch.setenv("COLUMNS", "120")
    (sample,) = re.findall(r"```\n(So far, .*?)\.\.\.\n```", README, flags=re.DOTALL)
    assert run(["receipt", "heavy-grenades.toml"]) == 0
    printed = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if "───" not in line]
    shown = [" ".join(line.split()) for line in sample.splitlines()]
    assert printed[: len(shown)] == shown


def test_the_position_of_the_help_is_worth_what_it_says(reader, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "78")
    (shown,) = re.findall(r"```\n(Updated building rules.*?)```", GUIDES["position"], flags=re.DOTALL)
    assert run(["position", "position.toml", "--rules", "gw_updated"]) == 0
    told = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert shown.splitlines() == told[told.index("Updated building rules") :][: len(shown.splitlines())]


def test_what_the_help_adds_to_a_position_is_answered(reader, tmp_path):
    page = choosing.position.__doc__ or ""
    (guide,) = re.findall(r"(?s)```toml\n(.*?)```", GUIDES["position"])
    added = re.findall(r'`("[^"`]+" = [^`]+)`', page)
    assert len(added) == 2
    for line in (*added, *re.findall(r'`("[^"`]+"\s+= [^`]+)`', GUIDES["position"])):
        path = tmp_path / "added.toml"
        path.write_text(f"{guide}{line}\n")
        assert run(["position", str(path), "--rules", "storming"]) == 0, line


def test_best_play_of_the_help_is_what_is_printed(reader, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "78")
    shown = re.findall(r"(?m)^```\n([^`]*─[^`]*)^```", GUIDES["best"])
    assert run(["best", "toll-house", "--rules", "storming"]) == 0
    told = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert len(shown) == 3
    for block in shown:
        parts = re.split(r"(?m)^(?= garrison )", block)
        assert [part for part in parts if part.rstrip() not in told] == []


@pytest.mark.slow
def test_best_play_of_the_readme_is_what_is_printed(reader, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "78")
    (command, shown) = re.search(r"`casemate (best [^`]*)` begins like this:\n\n```\n([^`]*)```", README).groups()
    assert run(shlex.split(command)) == 0
    told = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert told.lstrip().startswith(shown)
    (brought_down,) = re.findall(r"brought down in (\d+) of these 100 games", README)
    assert f"destroyed {brought_down}." in told

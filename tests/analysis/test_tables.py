"""Tables on terminals of three widths: every table of every command, and some that are hard to draw."""

import ast
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console
from rich.text import Text

import analysis
from analysis import show, verdict
from analysis.best_play.best import Question, best_of
from analysis.cli import run
from analysis.commands import app
from analysis.comparing import foremost
from analysis.pages import report
from analysis.say import blocks, tables
from sims.rulesets import rule_set
from sims.scenario import load_scenario

WIDTHS = (60, 80, 120)
WHOLE = re.compile(r"\([-+]?\d[\d.]* to [-+]?\d[\d.]*\)|\S*\d %|\S+")
"""What may not be broken: an interval, a percentage, any word, number or id."""

HOUSE = """
base = "storming"
title = "Harder to take"
[tables.classes]
defensible.armour = 9
stronghold.armour = 11
[tables.grenade]
S = 4
"""
POSITION = """
scenario = "skirmish.toml"
turn = 2
to_move = "attackers"
attackers = 9
defenders = 6
"""
SUITE = """
[[games]]
scenario = "skirmish.toml"
plan = "storm"
defence = "hold"
[[games]]
scenario = "skirmish.toml"
plan = "smoke"
defence = "hold"
"""
ONE = ("skirmish.toml", "--rules", "storming")
FEW = ("--engine", "sampled", "--trials", "2000")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("compare", "skirmish.toml", "--rules", "storming,gemini,realm_of_chaos,house.toml", *FEW),
    ("sweep", "skirmish.toml", "--vary", "building.doors=1..2", "--rules", "all,house.toml"),
    ("sweep", *ONE, "--vary", "building.doors=1..2", *FEW),
    ("sweep", *ONE, "--vary", "building.doors=1..2", "--vary", "attackers.models=8..14", "--target", "0.9"),
    ("sensitivity", *ONE),
    ("sensitivity", *ONE, "--vary", "building.doors=1..2", "--vary", "turns=2..3"),
    ("receipt", "house.toml", "--suite", "suite.toml", "--undo"),
    ("receipt", "house.toml", "--suite", "suite.toml", *FEW),
    ("explain", "storming", "--scenario", "skirmish.toml"),
    ("explain", "storming", "house.toml", "--scenario", "skirmish.toml", *FEW),
    ("explain", "storming", "gemini", "--scenario", "skirmish.toml"),
    ("solve", *ONE, "--vary", "attackers.models", "--target", "0.4"),
    ("solve", *ONE, "--any", "--target", "0.4"),
    ("best", *ONE),
    ("versus", "house.toml", "storming", "--scenario", "skirmish.toml"),
    ("play", *ONE, "--seed", "1", "--chances", "--against", "best"),
    ("position", "position.toml", "--rules", "storming"),
    ("baseline", "write", "storming.json", "--rules", "storming", "--suite", "suite.toml"),
    ("baseline", "check", "storming.json", "--rules", "house.toml"),
    ("store",),
    ("rules",),
    ("rules", "house.toml"),
    ("rules", "grenade"),
    ("rules", "ST-030"),
    ("scenarios",),
    ("scenarios", "farmhouse"),
    ("odds",),
    ("odds", "--notation"),
    ("odds", "2D6"),
    ("odds", "ST-030", "--help"),
    ("odds", "BASE-017", "--help"),
    ("chart", "--list"),
    ("export", *ONE, "--out", "model.drn"),
    ("new-rule", "new.toml", "--base", "storming"),
)


class Drawn(NamedTuple):
    """What a table was drawn from."""

    command: str
    headings: Sequence[tables.Cell]
    rows: Sequence[Sequence[tables.Cell]]
    rest: tuple[Any, ...]
    named: dict[str, Any]

    def at(self, width: int) -> list[str]:
        out = Console(width=width, record=True, file=StringIO(), markup=False, highlight=False, emoji=False)
        tables.draw(out, self.headings, self.rows, *self.rest, **self.named)
        return out.export_text().splitlines()


class Recorded(NamedTuple):
    tables: list[Drawn]
    places: set[tuple[str, str]]
    commands: set[str]


def _where(up: int) -> tuple[str, str]:
    """Return the file and the function that a call is made in."""
    code = sys._getframe(up + 1).f_code
    return code.co_filename, code.co_name


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, skirmish: str) -> Recorded:
    """Run every command once, and note what its tables are drawn from, and by which functions."""
    found = Recorded([], set(), set())
    folder = tmp_path_factory.mktemp("tables")
    for name, text in {
        "skirmish.toml": Path(skirmish).read_text(),
        "house.toml": HOUSE,
        "position.toml": POSITION,
        "suite.toml": SUITE,
    }.items():
        (folder / name).write_text(text)
    plain_draw, plain_grid = tables.draw, blocks.Grid.__init__

    def draw(out: Console, headings: Any, rows: Any, *rest: Any, **named: Any) -> None:
        found.places.add(_where(1))
        found.tables.append(Drawn(command, headings, rows, rest, named))
        plain_draw(out, headings, rows, *rest, **named)

    def grid(self: blocks.Grid, *given: Any, **named: Any) -> None:
        found.places.add(_where(1))
        plain_grid(self, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        patch.setenv("CASEMATE_STORE", str(folder / "store.sqlite"))
        patch.setattr(tables, "draw", draw)
        patch.setattr(blocks.Grid, "__init__", grid)
        patch.setattr(foremost, "foremost", lambda *_, **__: {})  # as in the book
        patch.setattr(report, "page", lambda *_: "")  # its charts take longer than all tables
        codes = dict[str, int]()
        for arguments in COMMANDS:
            command = " ".join(arguments)
            codes[command] = run(arguments)
            found.commands.add(arguments[0])
        command = "verdict"
        question = Question(load_scenario("skirmish.toml"))
        show([*verdict(question, [best_of(question, rule_set("storming"))])])
    assert {command for command, code in codes.items() if code not in (0, 1)} == set()
    return found


def broken(table: Drawn, width: int) -> dict[str, int]:
    """Return what of a table is not on one of its lines at a width, as often as it is in its cells."""
    lines = table.at(width)
    wanted = Counter(each for row in table.rows for cell in row for each in WHOLE.findall(str(cell)))
    there = Counter(each for line in lines for each in WHOLE.findall(line))
    filled = (i for i in range(1, len(table.headings)) if any(str(row[i]) for row in table.rows))
    heads = [each for i in filled for each in WHOLE.findall(str(table.headings[i]))]
    return wanted - there + Counter(each for each in heads if not any(each in line for line in lines))


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_no_table_of_any_command_breaks_a_word_or_is_too_wide(recorded: Recorded, width: int) -> None:
    assert {(t.command, *broken(t, width)) for t in recorded.tables if broken(t, width)} == set()
    assert {(t.command, line) for t in recorded.tables for line in t.at(width) if len(line) > width} == set()


@pytest.mark.slow
def test_every_table_of_every_command_is_drawn(recorded: Recorded) -> None:
    """Every function that makes a table has made one; who adds a table adds a command that draws it."""
    folder = Path(analysis.__file__).parent
    places = {
        (str(file), name) for file in folder.rglob("*.py") for name in _makers(ast.parse(file.read_text("utf-8")))
    }
    assert sorted(places - recorded.places) == []
    assert {*app.resolved_commands()} - recorded.commands - {"--help", "-h", "--version"} == set()


def _makers(tree: ast.AST) -> set[str]:
    """Return the functions in which a table is made."""
    return {
        each.name
        for each in ast.walk(tree)
        if isinstance(each, ast.FunctionDef)
        and any(
            isinstance(call, ast.Call) and ast.unparse(call.func) in ("Grid", "blocks.Grid", "tables.draw")
            for call in ast.walk(each)
        )
    }


def test_rich_draws_tables_in_one_module_alone() -> None:
    folder = Path(analysis.__file__).parent
    drawing = [file.relative_to(folder) for file in folder.rglob("*.py") if "rich.table" in file.read_text("utf-8")]
    assert [str(file).replace(os.sep, "/") for file in drawing] == ["say/tables.py"]


KEY = "tables.basic_moves.creatures.most_dreadnoughts_and_robots"
HARD: dict[str, Callable[[], Drawn]] = {
    "a receipt of three keys, sampled": lambda: Drawn(
        "",
        ("captured of 100", "other plans", "before", "now", ""),
        (("farmhouse", "demolish against sally", "69.8 (68.7–71.2)", "70.5 (69.2–71.9)", "+0.7 (-1.3 to +2.6)"),),
        (2,),
        {},
    ),
    "a key as long as they come": lambda: Drawn(
        "",
        ("key", "before", "now", "where"),
        ((KEY, "8", "9", "Creatures and how far they move (ARAP-040)"),),
        (4,),
        {},
    ),
    "many sets of rules with long names": lambda: Drawn(
        "", ("", *(f"house_rule_of_a_long_name_{n}" for n in range(6))), (("captured", *["70.0 %"] * 6),), (), {}
    ),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("hard", HARD.values(), ids=HARD)
def test_what_is_hard_to_draw_stays_whole(hard: Callable[[], Drawn], width: int) -> None:
    assert broken(hard(), width) == {}
    assert max(map(len, hard().at(width))) <= width


def test_a_table_that_a_terminal_is_too_narrow_for_is_drawn_in_parts_or_row_by_row() -> None:
    ends = Drawn("", ("rules", "captured", "broken"), (("storming", "70.3 %", "29.7 %"),), (), {})
    assert [" ".join(line.split()) for line in ends.at(24) if line.strip(" ─")] == [
        "rules captured",
        "storming 70.3 %",
        "rules broken",
        "storming 29.7 %",
    ]
    key = Drawn("", ("key", "now", "where"), (("tables.grenade.S", "4", "Storming (ST-030)"),), (3,), {})
    assert key.at(24) == ["", "tables.grenade.S", "  now: 4", "  where: Storming", "    (ST-030)", ""]


def test_lines_go_on_further_to_the_right_than_they_begin() -> None:
    out = Console(width=30, record=True, file=StringIO())
    tables.hang(out, "   needs 4+ to hit: 1, 2, 3, 4, 5, 6, 6, 6, 5", indent=2)
    first, *others = out.export_text().splitlines()
    assert first.startswith("     needs 4+ to hit:")
    assert others
    assert all(line.startswith(" " * 7) and len(line) <= 30 for line in others)


def test_a_style_stays_with_its_words() -> None:
    text = tables.wrapped(Text.assemble("one two ", ("three", "bold")), 8)
    assert text.plain == "one two\nthree"
    assert [text.plain[span.start : span.end] for span in text.spans] == ["three"]

"""The recipe of CONTRIBUTING for one more clause, walked with an invented one in a copy of the checkout.

Broken glass, an optional clause on a feature of buildings: attackers who come in by a window may be wounded. It takes five
files; beside them only the index of clauses, which has every clause of a document already, but no invented one.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT

INDEX = """
[[clauses]]
id = "GB-901"
title = "Broken glass"
section = "Windows"
kind = "chance"
scope = "assault"
rule = "If players agree on it, whoever comes in by a window takes a hit of Strength 3."
needs = ["ARAP-009"]
checks = 2
digest = "000000000000"
"""
NUMBERS = """
[tables.glass]
source = "Windows (GB-901)"
unit = "Strength of a hit"
S = 3

[rulings.broken_glass]
clause = "GB-901"
question = "Do windows hurt those who come in by them?"
choice = "no"
[rulings.broken_glass.options]
no = "they do not"
yes = "each model takes a hit"
"""
TYPES = '''class Glass(Table):
    """Windows with broken glass."""

    S: int


'''
RULE = '''"""Broken glass in windows."""

import numpy as np

from sims.dice import Dice, Draw
from sims.games.arap.rolls.wounds import wound
from sims.inputs import Count, Toughness
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.state import Scene, Siege, wounded


@asks("GB-901", name="broken glass", needs=("ARAP-009",))
def cut(book: Gemini, entering: Count, T: Toughness) -> Draw:
    """Return the wounds of those who come in by windows with broken glass (GB-901).

    Args:
        entering: Models that come in.
    """
    return wound(book.game, book.tables.glass.S, T).times(entering)


def broken_glass(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let glass wound the attackers who come in.

    Source: Windows (GB-901).
    """
    T = scene.scenario.attackers.unit.T
    wounds = cut(scene.book, state.attackers_in, T).made(dice, "broken glass")
    dice.tally("attackers lost to glass", wounds)
    after = wounded(dice, state, scene, "attackers", wounds, "broken glass")
    return after.replace(attackers_in=np.minimum(state.attackers_in, after.attackers.models))


def has_glass(scene: Scene) -> bool:
    """Return whether the building has windows with broken glass."""
    return scene.book.rulings.broken_glass("yes") and OwnBuilding.of(scene.scenario.building).windows > 0
'''
CHECKS = """
[[check]]
clause = "GB-901"
given = "one model of Toughness 3"
inputs = { entering = 1, T = 3 }
ask = "P(=1)"
expect = "1/2"

[[check]]
clause = "GB-901"
given = "two models of Toughness 4"
inputs = { entering = 2, T = 4 }
ask = "mean"
expect = "2/3"
"""
STAGE = """
    if glass.has_glass(scene):
        yield Stage("broken glass", glass.broken_glass, when=storm.fighting)"""

GEMINI = Path("sims/rulesets/gemini")
Edit = Callable[[str], str]


def added(text: str) -> Edit:
    return lambda before: f"{before.rstrip()}\n{text}"


def after(pattern: str, text: str) -> Edit:
    """Put something behind the one place that a pattern finds."""

    def edit(before: str) -> str:
        (found,) = re.finditer(pattern, before)
        return before[: found.end()] + text + before[found.end() :]

    return edit


def instead(old: str, new: str) -> Edit:
    def edit(before: str) -> str:
        assert before.count(old) == 1
        return before.replace(old, new)

    return edit


def each(*edits: Edit) -> Edit:
    def edit(before: str) -> str:
        for one in edits:
            before = one(before)
        return before

    return edit


RECIPE: dict[Path, Edit] = {
    GEMINI / "tables.toml": added(NUMBERS),
    GEMINI / "book.py": each(
        after(r"from sims\.rulebook import Book, Ruling, Rulings", ", Table"),
        after(r"(?=class GeminiTables)", TYPES),
        after(r'class GeminiTables\(Strict\):\n    """[^"]*"""\n', "\n    glass: Glass"),
        after(r'class GeminiRulings\(Rulings\):\n    """[^"]*"""\n', "\n    broken_glass: Ruling"),
    ),
    GEMINI / "openings/glass.py": added(RULE),
    GEMINI / "order.py": each(
        after(r"from sims\.rulesets\.gemini\.openings import ", "glass, "),
        after(r'Stage\("engage", storm\.engage, when=storm\.entering\)', STAGE),
    ),
    Path("tests/clauses/gemini-buildings.toml"): added(CHECKS),
}
MEASURED = """
import json
from pathlib import Path
import tests.played as played
from sims.rulesets import rule_set
from tests.checks import CHECKS, ask
import tests.status as status
from sims.clauses import status as committed

tracer = played.Tracer()
played.caches()
played.scenario_ids = lambda: ["farmhouse"]
stormed = lambda games: [game for game in games if game.book <= 1 and game.plan == "storm"]
runs = played.play_all(tracer, rule_set("gemini"), stormed)
mine = [check for check in CHECKS if check["clause"] == "GB-901"]
why = set()
for check in mine:
    with tracer.running() as asked:
        assert str(ask(check)) == check["expect"]
    why |= {*tracer.unplayed(asked, runs)}
done = status.compute_status(Path.cwd())["gemini-buildings"]["done"]
known = {id: [] for found in committed().values() for id in found.played}
text = status.status_text(Path.cwd(), known | {"GB-901": sorted(why)})
(Path.cwd() / "sims/data/status.toml").write_text(text)
committed.cache_clear()
found = {"checks": len(mine), "done": "GB-901" in done, "why": sorted(why), "wrong": status.unlike_the_list()}
print(json.dumps(found))
"""


def edited(root: Path, file: Path, edit: Edit) -> None:
    path = root / file
    path.write_text(edit(path.read_text("utf-8") if path.exists() else ""), "utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the checkout with the invented clause in it."""
    root = tmp_path_factory.mktemp("checkout")
    for top in ("sims", "tests"):
        shutil.copytree(ROOT / top, root / top, ignore=shutil.ignore_patterns("__pycache__"))
    edited(root, Path("sims/data/clauses/gemini-buildings.toml"), added(INDEX))
    for file, edit in RECIPE.items():
        edited(root, file, edit)
    return root


def measured(root: Path) -> dict[str, object]:
    """Ask and play the clause in a checkout of its own."""
    env = os.environ | {"PYTHONPATH": str(root)}
    run = subprocess.run(
        [sys.executable, "-c", MEASURED], cwd=root, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_one_more_clause_takes_five_files():
    assert len(RECIPE) == 5


@pytest.mark.slow
def test_an_invented_clause_is_asked_and_played(checkout):
    assert measured(checkout) == {"checks": 2, "done": True, "why": [], "wrong": []}


@pytest.mark.slow
def test_a_stage_with_a_strength_of_its_own_is_found_out(checkout, tmp_path):
    """The same clause, asked as before, and played with Strength 6: it is played no more."""
    other = tmp_path / "checkout"
    shutil.copytree(checkout, other)
    played = "cut(scene.book, state.attackers_in, T)"
    edited(
        other, GEMINI / "openings/glass.py", instead(played, "wound(scene.book.game, 6, T).times(state.attackers_in)")
    )
    found = measured(other)
    assert found["why"] == ["sims.rulesets.gemini.openings.glass.cut reads GeminiTables.glass"]
    assert found["wrong"] == ["GB-901 is not played: list it (python -m tests.played GB-901 says why)"]

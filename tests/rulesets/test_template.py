"""A fifth rule set is a copied folder: found, playable and comparable without an edit anywhere else."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from textwrap import dedent
from typing import get_args

import pytest

import sims.clauses
import sims.questions
import sims.rulesets
from analysis import cli
from sims.assault import End
from sims.clauses import clauses, documents, status
from sims.engines import play, run
from sims.questions import question, questions
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, load_scenario
from tests.conftest import ROOT
from tests.test_clauses import digest


def copied(rulesets: Path, name: str) -> Path:
    """Walk the recipe of CONTRIBUTING: copy the template to a folder of rule sets, replace its name."""
    template = Path(sims.rulesets.__path__[0]) / "_template"
    shutil.copytree(template, rulesets / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (rulesets / name).iterdir():
        path.write_text(path.read_text("utf-8").replace("_template", name), "utf-8")
    return rulesets / name


@pytest.fixture
def fifth(tmp_path, monkeypatch):
    """A copy of the template, found beside the rule sets of this checkout."""
    copied(tmp_path, "fifth")
    monkeypatch.setattr(sims.questions, "_QUESTIONS", [*questions()])
    monkeypatch.setattr(sims.rulesets, "__path__", [*sims.rulesets.__path__, str(tmp_path)])
    monkeypatch.setattr(sims.clauses, "RULE_SETS", [*sims.clauses.RULE_SETS, tmp_path])
    found = (questions, documents, clauses, status)
    for of in found:
        of.cache_clear()
    yield "fifth"
    for of in found:
        of.cache_clear()
    for name in [n for n in sys.modules if n.startswith("sims.rulesets.fifth")]:
        del sys.modules[name]


def test_the_template_itself_is_no_rule_set():
    assert "_template" not in rule_set_ids()
    assert "_template" not in documents()
    assert not [q for q in questions() if "_template" in q.function.__module__]


def test_a_copy_has_clauses_of_its_own_that_can_be_asked(fifth):
    """By hand: each of two blows fells with a half of a half; the book says four at the door."""
    assert [clause.id for clause in documents()[fifth].clauses][:2] == ["TPL-001", "TPL-002"]
    assert str(question("TPL-002").answer({"n": "2"})[0]) == "9/16"
    assert question("TPL-004").answer({"models": "9"}) == 4


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


# The recipe in a checkout of its own, with a rule that the template does not have.

STAKES = {
    "clauses.toml": """
        [[clauses]]
        id = "TPL-006"
        title = "Stakes before the door"
        section = "The Door"
        kind = "chance"
        scope = "assault"
        rule = "Each attacker who comes to the door falls on the stakes by a roll of the die."
        checks = 1
        digest = "{digest}"
        """,
    "tables.toml": """
        [tables.stakes]
        source = "Template, Stakes (TPL-006)"
        unit = "goal on a D6"
        fall = 6
        """,
    "rules.py": '''

        @asks("TPL-006", name="models on the stakes")
        def on_the_stakes(book: Template, models: Count) -> Draw:
            """Return how many attackers fall on the stakes (TPL-006)."""
            return Draw(Volley((GOAL,)), (models, book.tables.stakes.fall))


        def cross_the_stakes(dice: Dice, state: Fray, scene: Scene) -> Fray:
            """Let attackers come to the door by the stakes.

            Source: Template, Stakes (TPL-006).
            """
            dead = on_the_stakes(scene.book, total(state.attackers)).made(dice, "stakes")
            dice.tally("attackers lost on the stakes", dead)
            return state.replace(attackers=give_up(state.attackers, dead))
        ''',
}
"""What a clause of one's own adds to the ends of files."""
BETWEEN = {
    "book.py": (
        "class TemplateTables",
        """
        class Stakes(Table):
            \"\"\"What fells an attacker.\"\"\"

            fall: Annotated[int, Field(ge=2, le=6)]


        """,
        "    door: Door\n",
        "    door: Door\n    stakes: Stakes\n",
    ),
    "order.py": (
        '        yield Stage("fight", rules.fight',
        '        yield Stage("cross the stakes", rules.cross_the_stakes, when=lambda state, _: state.distance == 0)\n',
        "",
        "",
    ),
}
"""What it adds before a line, and another line that it changes."""
CHECK = {"given": "two attackers at the door: P(none falls)", "expect": "25/36"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout with a copy of the template that has a rule of its own; and what its other files were before."""
    root = tmp_path_factory.mktemp("checkout")
    for part in ("sims", "analysis", "tests"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__", "reports"))
    for file in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "requirements.lock", "Makefile"):
        shutil.copy(ROOT / file, root / file)
    before = contents(root)
    folder = copied(root / "sims/rulesets", "fifth")
    checked = digest([(CHECK["given"], CHECK["expect"])])
    for name, more in STAKES.items():
        text = (folder / name).read_text("utf-8") + dedent(more).replace("{digest}", checked)
        (folder / name).write_text(text, "utf-8")
    for name, (line, more, old, new) in BETWEEN.items():
        text = (folder / name).read_text("utf-8")
        assert line in text
        assert old in text
        more = dedent(more).lstrip("\n") if more.startswith("\n") else more
        (folder / name).write_text(text.replace(line, more + line, 1).replace(old, new, 1), "utf-8")
    check = f"""
        document = "fifth"
        [[check]]
        clause = "TPL-006"
        given = "{CHECK["given"]}"
        inputs = {{ models = 2 }}
        ask = "P(=0)"
        expect = "{CHECK["expect"]}"
        """
    (root / "tests/clauses/fifth.toml").write_text(dedent(check), "utf-8")
    return root, before


def contents(root: Path) -> dict[Path, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and not {"__pycache__", ".hypothesis"} & {*path.parts})
    return {path.relative_to(root): path.read_bytes() for path in files}


def python(root: Path, *arguments: str) -> str:
    """Run Python in a checkout; return what it says."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.slow
def test_a_copy_with_a_rule_of_its_own_passes_the_suite(checkout):
    """All that asks for rule sets, in the files that do; nothing but the folder and the checks is new, nothing else has changed.

    What is generated, the status of clauses, is left as it is.
    """
    root, before = checkout
    every = [path for part in ("rulesets", "analysis") for path in sorted((root / "tests" / part).glob("test_*.py"))]
    asking = [str(path) for path in every if re.search(r"\brules[,)]|rule_set_ids|pasted", path.read_text("utf-8"))]
    told = python(root, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", "fifth or TPL-0 or pasted or every_question",
                  "tests/test_clauses.py", "tests/test_rulebook.py", "tests/test_questions.py", *asking)  # fmt: skip
    assert re.search(r"test_conformance\.py::\w+\[.*fifth.* PASSED", told)
    after = contents(root)
    own = {path for path in after if path.is_relative_to("sims/rulesets/fifth")} | {Path("tests/clauses/fifth.toml")}
    assert {path: text for path, text in after.items() if path not in own} == before


PLAYED = """
from sims.rulesets import rule_set
from tests.checks import CHECKS, ask
from tests.played import Tracer, caches, play_all
tracer = Tracer()
caches()
played = play_all(tracer, rule_set("fifth"))
(check,) = (check for check in CHECKS if check["clause"] == "TPL-006")
with tracer.running() as ran:
    ask(check)
print(tracer.unplayed(ran, played), "sims.rulesets.fifth.rules.on_the_stakes" in ran.rules & played.rules)
"""


@pytest.mark.slow
def test_a_rule_of_ones_own_is_played_as_it_is_asked(checkout):
    root, _ = checkout
    assert python(root, "-c", PLAYED).strip() == "[] True"

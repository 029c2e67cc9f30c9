"""The types of a user's own Python are checked: the package says that it has some, and ships them."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from analysis import charts
from tests.conftest import ROOT

USER = """
from typing import assert_type

import analysis
from analysis import How, Played, charts, compare, odds, rows, show, solve, versus
from analysis.charts import Chart

found = compare("farmhouse", rules=["storming"], how=How("sampled", trials=100), known=Played())
assert_type(found.entries[0].responses["p_captured"].value, float)
show(found)
assert_type(charts.end_chart(rows.end_rows(found)), Chart)
assert_type(solve("farmhouse", "attackers.models")[0].nearest.value, int | str)
assert_type(versus("storming", "gemini").lines[0].after["p_captured"].low, float | None)
assert_type(analysis.load_scenario("farmhouse").attackers.models, int)
odds("2D6").answer
compare(3)
compare("farmhouse", rulez="storming")
"""


@pytest.mark.slow
def test_a_checker_finds_the_types_and_what_is_wrong_in_a_script(tmp_path):
    """By the strictest settings, and by none of ours."""
    script = tmp_path / "script.py"
    script.write_text(USER)
    asked = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", "--cache-dir=cache"]
    said = subprocess.run(
        [*asked, script.name], capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"MYPYPATH": str(ROOT)}
    )
    errors = re.findall(r"^script.py:(\d+): error: .*\[([a-z-]+)\]$", said.stdout, flags=re.MULTILINE)
    lines = USER.splitlines()
    wrong = [lines.index(each) + 1 for each in lines if "compare(3)" in each or "rulez" in each]
    assert errors == [(str(wrong[0]), "arg-type"), (str(wrong[1]), "call-arg")], said.stdout + said.stderr


def test_what_is_installed_says_that_it_has_types(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        check=True,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert {"analysis/py.typed", "sims/py.typed"} <= {*ZipFile(wheel).namelist()}


@pytest.mark.parametrize("door", ["analysis", "charts"])
def test_what_checkers_are_told_is_there_is_what_is_there(door):
    import analysis

    module = {"analysis": analysis, "charts": charts}[door]
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    (told,) = (
        ast.literal_eval(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert sorted(told) == sorted(module.__all__)

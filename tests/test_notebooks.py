"""Notebooks hold text, calls and figures; that they run is tested by running them (see `addopts`)."""

import ast
import json
from pathlib import Path

import pytest

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text("utf-8"))["cells"]


def test_there_is_a_notebook():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_are_committed_without_output(path):
    assert not [c for c in cells(path) if c.get("outputs") or c.get("execution_count")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_define_no_functions(path):
    for cell in cells(path):
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            assert not [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)]

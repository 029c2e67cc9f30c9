"""Notebooks hold text, calls and figures, and they run."""

import ast
import json
import re
from pathlib import Path

import pytest
from nbmake.nb_run import NotebookRun

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
READ = [path for path in NOTEBOOKS if path.stem[0].isdigit()]
"""Those that are read one after the other; the explorer is a panel alone."""


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


@pytest.mark.slow
@pytest.mark.parametrize("path", READ, ids=lambda p: p.stem)
def test_notebooks_run_and_show_their_charts(path):
    """What they say of their numbers, their cells assert; a cell that ends with a chart shows a picture of it."""
    played = NotebookRun(path, default_timeout=300).execute()
    assert played.error is None, played.error.trace
    charts = [
        c for c in played.nb.cells if c.cell_type == "code" and re.search(r"^\w+_chart\(", c.source, re.MULTILINE)
    ]
    assert charts
    for cell in charts:
        assert any("image/png" in output.get("data", {}) for output in cell.outputs), cell.source

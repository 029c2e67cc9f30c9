"""Notebooks hold text, calls and figures, and they run."""

import ast
import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
READ = [path for path in NOTEBOOKS if path.stem[0].isdigit()]
"""Those that are read one after the other; the explorer is a panel alone."""


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text("utf-8"))["cells"]


def test_notebooks_are_numbered_in_reading_order():
    assert [path.stem.split("-")[0] for path in READ] == [f"{n:02}" for n in range(1, 13)]


@pytest.mark.parametrize("path", READ, ids=lambda p: p.stem)
def test_notebooks_begin_with_their_number_and_take_ten_minutes(path):
    """A reader follows them: a title, one idea a section, and no more cells of code than that."""
    first, *_ = cells(path)
    assert "".join(first["source"]).startswith(f"# {int(path.stem.split('-')[0])}. ")
    assert 6 <= sum(cell["cell_type"] == "code" for cell in cells(path)) <= 12


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
def test_notebooks_run_and_show_their_charts(path, monkeypatch):
    """What they say of their numbers, their cells assert; a cell that ends with a chart shows a picture of it.

    They run small here: with larger steps, over fewer assaults. `make notebooks` runs all of them.
    """
    from nbmake.nb_run import NotebookRun  # here, for it takes seconds to load that no other test needs

    monkeypatch.setenv("CASEMATE_SMALL", "1")
    played = NotebookRun(path, default_timeout=300).execute()
    assert played.error is None, played.error.trace
    charts = [
        c
        for c in played.nb.cells
        if c.cell_type == "code" and re.search(r"^charts\.\w+_chart\(", c.source, re.MULTILINE)
    ]
    assert charts
    for cell in charts:
        assert any("image/png" in output.get("data", {}) for output in cell.outputs), cell.source

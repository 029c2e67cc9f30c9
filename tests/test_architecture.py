"""The house: which way imports run, what the lock may say, what start-up may load."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

BELOW = {
    "sims.errors": set(),
    "sims.dice": {"sims.errors"},
    "sims.geometry": {"sims.dice"},
    "sims.reading": {"sims.errors"},
    "sims.rulebook": {"sims.errors", "sims.dice", "sims.reading"},
    "sims.reads": {"sims.reading", "sims.rulebook"},
    "sims.clauses": {"sims.errors", "sims.reading"},
    "sims.inputs": {"sims.errors", "sims.dice", "sims.profiles", "sims.rulebook"},
    "sims.answers": {"sims.errors", "sims.dice"},
    "sims.questions": {"sims.errors", "sims.dice", "sims.clauses", "sims.rulebook", "sims.inputs", "sims.answers"},
    "sims.profiles": {"sims.reading"},
    "sims.ground": {"sims.reading"},
    "sims.scenario": {"sims.errors", "sims.reading", "sims.profiles", "sims.ground"},
    "sims.words": set(),
    "sims.state": {"sims.dice"},
    "sims.assault": {"sims.dice", "sims.scenario", "sims.state", "sims.words"},
    "sims.forces": {"sims.dice", "sims.rulebook", "sims.scenario"},
    "sims.engines": {"sims.errors", "sims.dice", "sims.state", "sims.assault", "sims.scenario"},
}
"""What each part of the house may import; parts not named here are judged below."""
ROOMS = (
    "points",
    "say",
    "values",
    "told",
    "best_play",
    "comparing",
    "sweeps",
    "deciding",
    "library",
    "exports",
    "rows",
    "findings",
    "charts",
    "pages",
    "explorer",
    "commands",
)
"""The rooms of `analysis`; each may import those before it. The command line comes last."""
FOUNDATION = {*BELOW} - {"sims.engines"}


def modules() -> list[Path]:
    return [p for top in ("sims", "analysis") for p in sorted((ROOT / top).rglob("*.py"))]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """Every module of ours that a file imports, also inside functions, or by its name in a string."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found |= {name.value for name in node.args if isinstance(name, ast.Constant)}
    return {name for name in found if name.split(".")[0] in {"sims", "analysis"}}


def running_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All of a module that can run: what stands under `if TYPE_CHECKING` is for the type checker alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from running_nodes(child)


def needed(path: Path, names: set[str]) -> set[str]:
    """The modules, of some names, that a file imports when it runs, at its head or inside functions."""
    found = set[str]()
    for node in running_nodes(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inside if inside <= names else {node.module, *inside}
    return found & names


def within(name: str, parts: set[str]) -> bool:
    return any(name == part or name.startswith(f"{part}.") for part in parts)


def allowed(name: str) -> set[str]:
    """The parts that a module may import."""
    part = next((p for p in BELOW if within(name, {p})), None)
    if part:
        return BELOW[part] | {part}
    if name.startswith("sims.games"):
        own = {".".join(name.split(".")[:3])} if name.count(".") > 1 else set()
        return FOUNDATION | own | {"sims.games.common"}
    if name.startswith("sims.rulesets."):
        own = {".".join(name.split(".")[:3])}
        return FOUNDATION | own | {"sims.games", "sims.engines", "sims.rulesets.choosing"}
    if name == "sims.rulesets":
        return FOUNDATION | {"sims.rulesets.choosing"}
    room = name.partition(".")[2].partition(".")[0]
    before = ROOMS[: ROOMS.index(room) + 1] if room in ROOMS else ROOMS
    return {"sims", name, "analysis.lazy", *(f"analysis.{each}" for each in before)}


def loaded(code: str) -> set[str]:
    """Every module that a fresh Python has loaded after some code."""
    said = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules, sep='\\n')"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    return set(said.stdout.splitlines())


def test_a_chart_is_loaded_when_it_is_asked_for():
    woken = {name for name in loaded("from analysis.charts import capture_chart") if name.startswith("analysis.")}
    assert not {name for name in woken if within(name, {"analysis.comparing", "analysis.sweeps", "analysis.deciding"})}
    assert {name for name in woken if name.startswith("analysis.rows.")} == {"analysis.rows.assaults"}
    assert len(woken) < 20


def test_the_door_loads_nothing():
    assert {name for name in loaded("import analysis") if name.split(".")[0] in {"sims", "analysis", "numpy"}} == {
        "analysis",
        "analysis.lazy",
    }
    started = loaded("from analysis.cli import run\nrun(['--version'])")
    assert not {"analysis.printing", "matplotlib", "pandas", "scipy"} & started
    assert not [name for name in started if name.startswith(("analysis.charts.", "analysis.pages."))]


def shown_code() -> dict[str, str]:
    """The Python that users are shown, by where it stands."""
    found = dict[str, str]()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        found[path.name] = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    for path in (ROOT / "README.md", *sorted((ROOT / "analysis" / "guides").glob("*.md"))):
        blocks = re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        found |= {path.name: "\n".join(blocks)} if blocks else {}
    return found


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in shown_code().items()])
def test_what_users_are_shown_comes_in_by_the_one_door(code):
    nodes = [*ast.walk(ast.parse(code))]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in modules if name and name.split(".")[0] in {"sims", "analysis"}} <= {"analysis"}


def test_every_folder_of_analysis_is_a_room():
    assert {*ROOMS} == {path.parent.name for path in (ROOT / "analysis").glob("*/__init__.py")} - {"studies"}


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_run_one_way(path):
    name = name_of(path)
    bare = {"sims", "analysis"} if name.startswith("analysis") else {"sims", *_packages_above(name)}
    wrong = {i for i in imports(path) if not within(i, allowed(name)) and i not in bare}
    assert not wrong, f"{name} may not import {sorted(wrong)}"


def test_no_imports_run_in_a_circle():
    """Also not inside functions."""
    paths = {name_of(path): path for path in modules()}
    assert len(paths) > 300
    try:
        TopologicalSorter({name: needed(path, {*paths}) for name, path in paths.items()}).prepare()
    except CycleError as error:
        pytest.fail(f"imports run in a circle: {' <- '.join(error.args[1])}")


def _packages_above(name: str) -> set[str]:
    """`from sims.games.wh40k import rules` also reads as an import of the packages above it."""
    return {"sims.games"} if name.startswith(("sims.rulesets", "sims.games")) else set()


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_nothing_imports_the_command_line(path):
    if name_of(path) != "analysis.cli":
        assert not [i for i in imports(path) if within(i, {"analysis.cli"})]


@pytest.mark.parametrize("path", [p for p in modules() if "charts" not in p.parts], ids=name_of)
def test_matplotlib_is_imported_in_charts_alone(path):
    assert not re.search(r"^\s*(import|from) matplotlib", path.read_text("utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_analysis_sees_public_names_of_sims_only(path):
    if name_of(path).startswith("analysis"):
        assert not [i for i in imports(path) if i.startswith("sims") and any(p.startswith("_") for p in i.split("."))]


@pytest.mark.parametrize("path", [p for p in modules() if name_of(p).startswith("sims")], ids=name_of)
def test_what_begins_with_an_underscore_is_used_where_it_is_made(path):
    made, used = set[str](), set[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                made.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                made.add(name)
            case ast.Attribute(attr=name) if re.match(r"_[a-z]", name):
                used.add(name)
    others = used - made - {"_replace", "_exit"}  # of named tuples, and of the system
    assert not others, f"{name_of(path)} reaches for {sorted(others)}"


LOCKS = {"requirements.lock": 100, "tests/judge.lock": 3, "tests/browser.lock": 3}
"""The locks, and how many packages each has at least; what the judge and the browser need stands apart: it is large."""


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host(lock):
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize(("lock", "least"), LOCKS.items())
def test_everything_in_a_lock_is_hashed(lock, least):
    text = (ROOT / lock).read_text("utf-8")
    pins = re.findall(r"^([a-z0-9][\w.-]*)==.*?(?=^\S|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    blocks = re.split(r"^(?=[a-z0-9][\w.-]*==)", text, flags=re.MULTILINE)[1:]
    assert len(pins) == len(blocks) >= least
    assert all("--hash=sha256:" in block for block in blocks)


def test_every_dependency_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    everything, *apart = ((ROOT / lock).read_text("utf-8") for lock in LOCKS)
    own = dict(zip(("judge", "browser"), apart, strict=True))
    wanted = dict.fromkeys(project["dependencies"], everything)
    for extra, dependencies in project["optional-dependencies"].items():
        wanted |= dict.fromkeys(dependencies, own.get(extra, everything))
    for dependency, lock in wanted.items():
        name = re.match(r"[\w.-]+", dependency)
        assert name
        assert re.search(rf"^{re.escape(name[0])}==", lock, flags=re.MULTILINE), dependency


def test_what_only_the_judge_and_the_browser_need_is_not_set_up():
    assert not re.search(
        r"^(stormpy|playwright)==", (ROOT / "requirements.lock").read_text("utf-8"), flags=re.MULTILINE
    )


def test_the_project_reads_nothing_outside_itself():
    """Only tests may look beside the checkout, and they say so where they skip."""
    outside = re.compile(rf"\.\./|\bshared/|{re.escape(str(Path.home()))}/")
    for path in modules():
        assert not outside.search(path.read_text("utf-8")), path

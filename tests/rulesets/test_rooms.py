"""The rooms of a rule set: the same files with the same functions everywhere, and an order of play above the rules."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import sims.questions
import sims.rulesets
from sims.questions import questions
from sims.rulesets import rule_set_ids
from tests.test_architecture import imports

FOLDERS = [*rule_set_ids(), "_template"]
ROOMS = {
    "book": (),
    "state": ("Scene",),
    "setting": ("set_up",),
    "order": ("assault", "attackers_turn", "defenders_turn", "start", "end", "outcome"),
    "words": ("translation",),
}
"""The modules that every rule set has, and what each offers."""
DOZEN = 12
"""Modules beside these rooms; a folder with more wants chapters."""


def modules(rules: str) -> list[Path]:
    return sorted((Path(sims.rulesets.__path__[0]) / rules).rglob("*.py"))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_rule_set_has_the_same_rooms(name, monkeypatch):
    monkeypatch.setattr(sims.questions, "_QUESTIONS", [*questions()])  # the template's are nobody's
    folder = Path(sims.rulesets.__path__[0]) / name
    assert (folder / "tables.toml").is_file()
    for room, offers in ROOMS.items():
        module = import_module(f"sims.rulesets.{name}.{room}")
        for offered in offers:
            assert getattr(module, offered).__module__ == module.__name__, f"{room} has no {offered} of its own"


@pytest.mark.parametrize("name", FOLDERS)
def test_no_rule_imports_what_stands_above_it(name):
    """The engines and the order of play are for questions about whole assaults alone, and those for nobody."""
    above = {f"sims.rulesets.{name}.order": {"__init__", "whole"}, "sims.engines": {"whole"}}
    above[f"sims.rulesets.{name}.whole"] = set()
    folder = Path(sims.rulesets.__path__[0]) / name
    for path in modules(name):
        room = path.stem if path.parent == folder else None
        wrong = {each for each, rooms in above.items() if room not in rooms and within(imports(path), each)}
        assert not wrong, f"{path} imports {sorted(wrong)}"


def within(seen: set[str], module: str) -> bool:
    """Return whether a module, or something in it, is among what is imported."""
    return any(found == module or found.startswith(f"{module}.") for found in seen)


@pytest.mark.parametrize("name", FOLDERS)
def test_chapters_begin_empty_and_rooms_are_not_crowded(name):
    folder = Path(sims.rulesets.__path__[0]) / name
    for path in folder.glob("*/__init__.py"):
        docstring, *rest = ast.parse(path.read_text("utf-8")).body
        assert isinstance(docstring, ast.Expr)
        assert not rest, f"{path} says more than what the chapter is about"
    for place in {path.parent for path in modules(name)}:
        others = [path for path in place.glob("*.py") if path.stem not in {*ROOMS, "__init__"}]
        assert len(others) <= DOZEN, f"{place} wants chapters"

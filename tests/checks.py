"""The checks of the rule catalogue in ``tests/clauses``, and how each is asked: as ``casemate odds`` asks."""

import tomllib
from pathlib import Path
from typing import Any

from sims.answers import Answer, reduce
from sims.questions import Question, question
from tests.conftest import ROOT

FILES = sorted((ROOT / "tests/clauses").glob("*.toml"))


def checks(file: Path) -> list[dict[str, Any]]:
    return tomllib.loads(file.read_text("utf-8"))["check"]


CHECKS = [check for file in FILES for check in checks(file)]


def written(value: Any) -> str:
    """Write an input as a person gives it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def asked_by(check: dict[str, Any]) -> tuple[Question, dict[str, str]]:
    """Return the question of a check, and what it is given."""
    inputs = {name: written(value) for name, value in {**check.get("inputs", {}), **check.get("rulings", {})}.items()}
    found = question(check.get("question", check["clause"]), inputs)
    assert check["clause"] in found.clauses
    return found, inputs


def ask(check: dict[str, Any]) -> Answer:
    found, inputs = asked_by(check)
    answer = found.answer(inputs)
    return reduce(answer, check["ask"]) if "ask" in check else answer

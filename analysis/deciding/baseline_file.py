"""The file of a baseline: JSON with a line for each value, profile and assault."""

import json
from collections import Counter
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from analysis.deciding.baseline import VERSION, Baseline, Margin, baseline_of
from analysis.points.point import How
from analysis.points.suite import Game
from analysis.say import files
from analysis.say.files import existing_folder, writable
from sims.engines import Progress
from sims.errors import CasemateError
from sims.reading import read_text
from sims.rulesets import RuleSet

MOST_BYTES = 2**24
"""Of a file that is read: some 40,000 answers."""


def text(baseline: Baseline) -> str:
    """Return a baseline as its file has it: JSON with a line for each value, profile and assault."""
    return "{\n" + ",\n".join(_section(name, value) for name, value in baseline.model_dump().items()) + "\n}\n"


def load(path: str | Path) -> Baseline:
    """Read a baseline.

    Raises:
        CasemateError: If there is none, or it is cut short, is none of this program, or of a later version of it.
    """
    try:
        data = json.loads(read_text(Path(path), MOST_BYTES, "JSON"), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise CasemateError(f"{path}: this is no baseline, or not all of one: {error}") from error
    version = data.get("baseline") if isinstance(data, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise CasemateError(f"{path}: written by a later Casemate (baseline {version}; this one reads {VERSION})")
    try:
        found = Baseline.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise CasemateError(f"{path}: this is no baseline: {where}: {first['msg']}") from error
    if len(found.answers) != found.assaults:
        raise CasemateError(
            f"{path}: this is not all of a baseline: {len(found.answers)} answers; expected {found.assaults}"
        )
    if twice := [answer for answer, n in Counter(map(str, found.answers)).items() if n > 1]:
        raise CasemateError(f"{path}: this is no baseline: it has two answers of {twice[0]}")
    return found


def write(
    file: str | Path,
    rule_set: RuleSet,
    games: Sequence[Game],
    how: How,
    margin: Margin,
    *,
    accept: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> str:
    """Write a baseline, and say what was done; one that says otherwise is written over with a reason alone.

    Raises:
        CasemateError: If it cannot be written, or would be written over without a reason.
    """
    file = Path(file)
    if file.suffix != ".json":
        raise CasemateError(f'a baseline cannot be "{file}"; expected a file ending in .json')
    writable(file, existing_folder(file))
    there = load(file) if file.exists() else None
    accepted = there.accepted if there else []
    new = baseline_of(rule_set, games, how, margin, accepted=accepted, workers=workers, progress=progress)
    if there and text(there) == text(new):
        return f"The baseline says the same: {file}"
    if there and not accept:
        raise CasemateError(
            f'{file}: what is there says otherwise ("casemate baseline check" tells what); to write over it give '
            '--accept "reason"'
        )
    if there and accept:
        new = new.model_copy(update={"accepted": [*accepted, accept]})
    files.write(file, text(new))
    return f"The baseline: {file}"


def _finite(text: str) -> float:
    if not isfinite(number := float(text)):
        raise ValueError(f"{text} is no number")
    return number


def _section(name: str, value: Any) -> str:
    match value:
        case dict() if name not in ("engine", "margin"):
            lines = [f" {json.dumps(key)}: {json.dumps(item)}" for key, item in value.items()]
            return f'"{name}": {{\n' + ",\n".join(lines) + "\n}"
        case tuple() | list() if value:
            return f'"{name}": [\n' + ",\n".join(f" {json.dumps(item)}" for item in value) + "\n]"
        case _:
            return f'"{name}": {json.dumps(value)}'

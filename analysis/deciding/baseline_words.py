"""What `casemate baseline check` says."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.deciding.baseline import Baseline, Change, Verdict, asks
from analysis.say.blocks import Block, Grid, Heading


def summary(before: Baseline, found: Sequence[Change]) -> Iterator[Block]:
    """Yield what has changed, as blocks: the worst first."""
    words = {Verdict.CHANGED: "changed", Verdict.CANNOT_TELL: "cannot tell", Verdict.WITHIN: "within the margin"}
    for verdict, word in words.items():
        rows = [
            (change.where, _shown(change.before), _shown(change.after), _apart(change))
            for change in found
            if change.verdict is verdict
        ]
        if rows:
            yield Heading(f"{word.capitalize()}: {len(rows)}")
            yield Grid(("", "before", "now", "by"), tuple(rows))
    answers = {f"{answer}: {name}" for answer in before.answers for name in answer.responses}
    yield f"{before.rules}: {len(answers - {change.where for change in found})} answers are the same."
    if trials := asks(before):
        yield (
            "Of 100 reports on sampled answers 95 hold no wrong verdict. A move of twice the margin is told as changed "
            f"99 times in 100 with --trials {trials}."
        )


def as_data(before: Baseline, found: Sequence[Change]) -> dict[str, Any]:
    """Return what has changed as the JSON contract has it."""
    return {
        "changes": [
            {"where": one.where, "before": one.before, "now": one.after, "verdict": one.verdict.name.lower()}
            for one in found
        ],
        "trials_asked": asks(before),
    }


def _apart(change: Change) -> str:
    """Say by how much an answer or a number has moved."""
    was, now = (one[0] if isinstance(one, list) and one else one for one in (change.before, change.after))
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (was, now))
    return f"{now - was:+.3g}" if numbers and was != now else ""


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list) and value and all(isinstance(one, float) for one in value):
        return f"{value[0]:.6g} ({value[1]:.6g} to {value[2]:.6g})"
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)

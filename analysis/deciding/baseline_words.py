"""What `casemate baseline check` says."""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, inf, log10
from typing import Any

from analysis.deciding.baseline import Answer, Baseline, Change, Verdict, asks
from analysis.points.margins import ENDS
from analysis.points.plans import BEST
from analysis.points.responses import Estimate, scale
from analysis.say.blocks import Block, Grid
from analysis.say.numbers import apart, interval
from analysis.sweeps.words import what
from sims.words import counted

MOST_LINES = 10
"""How many lines a check prints unless all are asked for."""
WORDS = {Verdict.CHANGED: "changed", Verdict.CANNOT_TELL: "cannot tell", Verdict.WITHIN: "within the margin"}


def summary(before: Baseline, found: Sequence[Change], *, everything: bool = False) -> Iterator[Block]:
    """Yield what has changed, as blocks: a headline, the values, and the largest move of each assault.

    Args:
        everything: List every answer of every assault, not just ten lines.
    """
    assaults = {str(answer): answer for answer in before.answers}
    values = [change for change in found if _assault(change) not in assaults]
    answers = sorted((change for change in found if _assault(change) in assaults), key=_order)
    yield _headline(values, answers, assaults)
    shown = [*values, *answers] if everything else _largest(values, answers)
    for verdict, word in WORDS.items():
        some = [change for change in shown if change.verdict is verdict]
        if rows := tuple(_answer_row(one) if _assault(one) in assaults else _value_row(one) for one in some):
            yield Grid((word, "before", "now", "by"), rows)
    if left := len(found) - len(shown):
        of_values = sum(change not in shown for change in values)
        yield f"--all lists {left} more{f', {of_values} of them values' if of_values else ''}."
    asked = {f"{answer}: {name}" for answer in before.answers for name in answer.responses}
    yield f"{before.rules}: {len(asked - {change.where for change in found})} answers are the same."
    if trials := asks(before):
        yield (
            "Of 100 reports on sampled answers some 95 hold no wrong verdict. A move of twice the margin is told as "
            f"changed 99 times in 100 with --trials {trials}."
        )


def _headline(values: Sequence[Change], answers: Sequence[Change], assaults: Mapping[str, Answer]) -> str:
    """Return how much has changed, and which answer most."""
    beyond, unsure, within = (sum(change.verdict is verdict for change in answers) for verdict in WORDS)
    parts = [counted(len(values), "value")] if values else []
    if values or beyond:
        parts.append(f"{counted(beyond, 'answer')} beyond the margin")
    if unsure:
        parts.append(f"{counted(unsure, 'answer')} that cannot be told")
    if not parts:
        return "Nothing has changed" + f": {counted(within, 'answer')} moved within the margin" * bool(within) + "."
    most = next((one for one in answers if one.verdict is not Verdict.WITHIN and None not in one[1:3]), None)
    if most:
        parts.append(f"most: {_move(most, assaults[_assault(most)])}")
    return f"{'Changed' if values or beyond else 'Cannot tell'}: {'; '.join(parts)}."


def _move(change: Change, of: Answer) -> str:
    """Return how far an answer has moved, in round numbers: "farmhouse by storm against hold, captured 70 to 74"."""
    plans = "best play" if of.plan == of.defence == BEST else f"{of.plan} against {of.defence}"
    response = _response(change)
    was, now = apart(_number(change.before), _number(change.after), chance=response.startswith("p_"))
    return f"{of.scenario} by {plans}, {what(response).removesuffix(' %')} {was} to {now}"


def _largest(values: Sequence[Change], answers: Sequence[Change]) -> list[Change]:
    """Return ten lines: values, up to half of them where assaults fill the rest, and each assault's largest move."""
    firsts = dict[str, Change]()
    for change in answers:
        if change.verdict is not Verdict.WITHIN:
            firsts.setdefault(_assault(change), change)
    return [*values[: max(MOST_LINES // 2, MOST_LINES - len(firsts))], *firsts.values()][:MOST_LINES]


def _order(change: Change) -> tuple[float, ...]:
    """Return a key that sorts answers: the worst verdict first, then ends, other chances, means; the largest first."""
    by = inf if None in change[1:3] else abs(_number(change.after) - _number(change.before))
    response = _response(change)
    kind = 0 if response.removeprefix("p_") in ENDS else 1 if response.startswith("p_") else 2
    return -change.verdict, kind, -round(by, 3)


def _assault(change: Change) -> str:
    return change.where.rpartition(": ")[0]


def _response(change: Change) -> str:
    return change.where.rpartition(": ")[2]


def _number(answer: float | list[float]) -> float:
    """Return an answer without its interval."""
    return answer[0] if isinstance(answer, list) else answer


def _answer_row(change: Change) -> tuple[str, ...]:
    """Return the line of an answer, with enough digits to write two figures of its move."""
    response = _response(change)
    label, factor = f"{_assault(change)}: {what(response)}", scale(response)
    if None in change[1:3]:
        return label, *(_written(one, factor, 1) for one in change[1:3]), ""
    by = factor * abs(_number(change.after) - _number(change.before))
    digits = max(1, 1 + ceil(-log10(by))) if by else 1
    was, now = (f"{factor * _number(one):.{digits}f}" for one in change[1:3])
    return label, *(_written(one, factor, digits) for one in change[1:3]), f"{float(now) - float(was):+.{digits}f}"


def _written(answer: float | list[float] | None, factor: int, digits: int) -> str:
    """Write an answer, with its interval if it was sampled."""
    if answer is None:
        return "nothing"
    apart = interval(Estimate(*answer), factor) if isinstance(answer, list) else ""
    return f"{factor * _number(answer):.{digits}f}" + f" ({apart})" * bool(apart)


def _value_row(change: Change) -> tuple[str, ...]:
    """Return the line of a value of the rules, or of what is played."""
    was, now = change.before, change.after
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (was, now))
    return change.where, _shown(was), _shown(now), f"{now - was:+.3g}" if numbers else ""


def _shown(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def as_data(before: Baseline, found: Sequence[Change]) -> dict[str, Any]:
    """Return what has changed as the JSON contract has it."""
    return {
        "changes": [
            {"where": one.where, "before": one.before, "now": one.after, "verdict": one.verdict.name.lower()}
            for one in found
        ],
        "trials_asked": asks(before),
    }

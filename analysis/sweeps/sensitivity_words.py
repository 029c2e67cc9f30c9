"""What `casemate sensitivity` says."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.points.responses import scale
from analysis.say.blocks import Block, Grid, Heading
from analysis.say.numbers import moved
from analysis.sweeps.indices import Indices
from analysis.sweeps.scenario_steps import value_words
from analysis.sweeps.tornado import Bar, End, Tornado
from analysis.sweeps.words import MOST_REASONS, number, what
from sims.words import counted


def steps_summary(found: Sequence[Tornado]) -> Iterator[Block]:
    """Yield what each step is worth under each set of rules, the largest swing first; then how many are left out."""
    for one in found:
        yield Heading(one.rules)
        if one.now is None:
            yield f"The scenario as it is cannot be played: {one.refused[0].refused}"
            continue
        yield f"{what(one.response)}: {number(one.response, one.now)} as it is; then one step down and one step up"
        rows = [_row(one, bar) for bar in one.seen]
        yield Grid(("as it is", "down", "up", "swing"), tuple(rows))
        if small := len(one.bars) - len(one.seen):
            yield f"{small} more {'swings' if small == 1 else 'swing'} it by less than 0.05."
        if one.inert:
            yield f"By one step these change nothing: {', '.join(one.inert)}."
        if one.refused:
            yield f"{counted(len(one.refused), 'step')} left out, which cannot be played."


def still_words(found: Sequence[Tornado], titles: Mapping[str, str]) -> Iterator[str]:
    """Say under which sets of rules, whose names are given by id, no step is seen to change anything."""
    for one in found:
        if one.now and not one.seen:
            changes = "changes" if one.now.low is None else "is seen to change"
            yield f"{titles[one.rules]}: nothing {changes} it by one step."


def _row(one: Tornado, bar: Bar) -> tuple[str, ...]:
    def cell(end: End | None) -> str:
        return f"{value_words(end.value)}:\u00a0{number(one.response, end.response)}" if end else ""

    whose = f" ({bar.of})" if bar.key.startswith("units.") else ""
    written = [scale(one.response) * end.response.value for end in bar.ends]
    written += [scale(one.response) * one.now.value] if one.now else []
    swing = f"{moved(min(written), max(written)):.1f}"
    return f"{bar.key} {value_words(bar.now)}{whose}", cell(bar.down), cell(bar.up), swing


def steps_data(scenario: str, response: str, found: Sequence[Tornado]) -> dict[str, Any]:
    """Return the same as JSON has it."""

    def ends(bar: Bar) -> dict[str, Any]:
        steps = {
            name: {"level": end.value, **end.response.data} if end else None
            for name, end in (("down", bar.down), ("up", bar.up))
        }
        return {"key": bar.key, "of": bar.of, "now": bar.now, **steps, "swing": bar.swing}

    return {
        "scenario": scenario,
        "response": response,
        "results": [
            {
                "rules": one.rules,
                "now": one.now.data if one.now else None,
                "bars": [ends(bar) for bar in one.bars],
                "inert": [*one.inert],
                "refused": [
                    {"key": step.key, "of": step.of, "level": step.value, "refused": step.refused}
                    for step in one.refused
                ],
            }
            for one in found
        ],
    }


def indices_summary(found: Sequence[Indices]) -> Iterator[Block]:
    """Yield whose share of the spread is which under each set of rules."""
    for one in found:
        yield Heading(one.rules)
        if one.mean is None or one.deviation is None:
            yield f"{gap_words(one)}:"
            yield from (f"{name}: {why}" for name, why in one.refused[:MOST_REASONS])
            continue
        spread = (f"{scale(one.response) * value:.1f}" for value in (one.mean, one.deviation))
        yield "{} over {}: mean {}, standard deviation {}".format(
            what(one.response), counted(one.points, "point"), *spread
        )
        if not one.indices:
            yield "It does not vary over these levels, so no factor has a share."
            continue
        rows = sorted(one.indices, key=lambda index: -index.total)
        cells = (
            (index.factor, str(index.levels), f"{100 * index.first:.1f}", f"{100 * index.total:.1f}") for index in rows
        )
        yield Grid(("share of the variance, %", "levels", "first order", "total"), tuple(cells))
        if len(rows) > 1:
            yield f"First orders leave {100 * one.together:.1f} %: what factors do together."


def gap_words(one: Indices) -> str:
    """Say how many points of a grid cannot be played."""
    return f"{len(one.refused):,} of {counted(one.points, 'point')} cannot be played, and shares take the whole grid"


def indices_data(found: Sequence[Indices]) -> dict[str, Any]:
    """Return the same as JSON has it."""
    return {
        "results": [
            {
                "rules": one.rules,
                "response": one.response,
                "points": one.points,
                "mean": one.mean,
                "deviation": one.deviation,
                "indices": [index._asdict() for index in one.indices],
                "refused": [{"point": name, "refused": why} for name, why in one.refused],
            }
            for one in found
        ]
    }

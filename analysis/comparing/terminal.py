"""A comparison on the terminal, and as JSON."""

from collections.abc import Iterator
from typing import Any, get_args

from rich.text import Text

from analysis.comparing import words
from analysis.comparing.compare import Comparison
from analysis.comparing.table import Cell, Line, plan_lines, table_lines
from analysis.say import scenarios, tables
from analysis.say.console import console
from sims.scenario import DefencePlan
from sims.words import CHOSEN, NEVER_FIRED, NOT_MODELLED, NOT_USED


def show(comparison: Comparison, opening: str) -> None:
    """Print a comparison: what it finds, and tables with as many rule sets side by side as fit."""
    out = console()
    scenario = comparison.scenario
    out.print(Text(scenario.title, style="bold"))
    out.print(Text(opening))
    for name, fact in scenarios.setting(scenario).items():
        out.print(Text.assemble((f"{name}: ", "bold"), fact))
    lines = table_lines(comparison)
    breaks = [n for n, line in enumerate(lines) if line.label in ("held", "defenders lost")]
    tables.draw(out, _headings(comparison), [*map(_row, lines)], breaks=breaks)
    out.print(Text(words.engine_words(comparison), style="dim"))
    for title, entry in zip(comparison.names(), comparison.entries, strict=True):
        if entry.rule_set.made_from and not entry.rule_set.changes():
            as_base = f"changes nothing: as {entry.rule_set.made_from.title}"
            out.print(Text.assemble((f"{title}: ", "bold"), as_base))
        for term, meaning in words.left_out(entry).items():
            out.print(Text.assemble((f"{title}: ", "bold"), f"{term[0].lower()}{term[1:]}: {meaning}"))
    out.file.flush()


def show_plans(comparison: Comparison) -> None:
    """Print how the assault ends under other plans."""
    out = console()
    out.print(Text("If one side means to do something else", style="bold"))
    tables.draw(out, _headings(comparison), [*_plan_rows(comparison)])
    for title, entry in zip(comparison.names(), comparison.entries, strict=True):
        for plan, why in words.alike(entry, comparison.scenario).items():
            out.print(Text.assemble((f"{title}: {plan}: ", "bold"), why))


def _headings(comparison: Comparison) -> list[str]:
    return ["", *comparison.names()]


def _plan_rows(comparison: Comparison) -> Iterator[list[tables.Cell]]:
    for plan, (same, lines) in plan_lines(comparison).items():
        if plan != comparison.scenario.plan:
            side = "garrison" if plan in get_args(DefencePlan) else "plan:"
            yield [Text(f"{side} {plan}", style="bold"), *same]
            for line in lines if not all(same) else ():
                yield _row(line._replace(label=f"  {line.label}"))


def _row(line: Line) -> list[tables.Cell]:
    return [line.label, *map(_written, line.cells)]


def _written(cell: Cell) -> Text:
    return Text.assemble(cell.text, (f"\n{cell.interval}", "dim") if cell.interval else "")


def as_data(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as the JSON contract has it."""
    return {
        "scenario": comparison.scenario.id,
        "results": [
            {
                "rules": entry.rule_set.id,
                "engine": entry.result.engine,
                "trials": entry.result.trials,
                "left_out": entry.result.left_out,
                "not_modelled": entry.translation.get(NOT_MODELLED),
                "never_fired": entry.translation.get(NEVER_FIRED),
                "not_used": entry.translation.get(NOT_USED),
                "chosen": entry.translation.get(CHOSEN),
                "responses": {name: estimate.data for name, estimate in entry.responses.items()},
            }
            | ({} if entry.best is None else {"best": entry.best if isinstance(entry.best, float) else None})
            for entry in comparison.entries
        ],
    }

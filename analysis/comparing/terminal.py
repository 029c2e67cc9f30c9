"""A comparison on the terminal, and as JSON."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.comparing import words
from analysis.comparing.compare import Comparison
from analysis.comparing.table import Cell, Line, plan_lines, table_lines
from analysis.say import scenarios
from analysis.say.console import console
from sims.scenario import DefencePlan
from sims.words import NEVER_FIRED, NOT_MODELLED

LABEL, COLUMN = 16, 15
"""The least width of the first column and of the others."""


def show(comparison: Comparison) -> None:
    """Print a comparison as tables, as many rule sets side by side as fit."""
    out = console()
    scenario = comparison.scenario
    out.print(Text(scenario.title, style="bold"))
    for name, fact in scenarios.setting(scenario).items():
        out.print(Text.assemble((f"{name}: ", "bold"), fact))
    _side_by_side(out, comparison, _main_table)
    out.print(Text(words.engine_words(comparison), style="dim"))
    for entry in comparison.entries:
        if entry.rule_set.made_from and not entry.rule_set.changes():
            as_base = f"changes nothing: as {entry.rule_set.made_from.id}"
            out.print(Text.assemble((f"{entry.rule_set.id}: ", "bold"), as_base))
        for term, meaning in words.left_out(entry).items():
            out.print(Text.assemble((f"{entry.rule_set.id}: ", "bold"), f"{term[0].lower()}{term[1:]}: {meaning}"))
    out.file.flush()


def show_plans(comparison: Comparison) -> None:
    """Print how the assault ends under other plans."""
    out = console()
    out.print(Text("If one side means to do something else", style="bold"))
    _side_by_side(out, comparison, _plan_table)
    for entry in comparison.entries:
        for plan, why in words.alike(entry, comparison.scenario).items():
            out.print(Text.assemble((f"{entry.rule_set.id}: {plan}: ", "bold"), why))


def _side_by_side(out: Console, comparison: Comparison, table: Callable[[Comparison, slice], Table]) -> None:
    beside = max(1, (out.width - LABEL) // COLUMN)
    for first in range(0, len(comparison.entries), beside):
        out.print(table(comparison, slice(first, first + beside)))


def _empty_table(comparison: Comparison, columns: slice) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("", min_width=LABEL - 2, no_wrap=True)
    for entry in comparison.entries[columns]:
        table.add_column(Text(entry.rule_set.id, overflow="fold"), justify="right", min_width=COLUMN - 4)
    return table


def _main_table(comparison: Comparison, columns: slice) -> Table:
    table = _empty_table(comparison, columns)
    for line in table_lines(comparison):
        _add(table, line, columns, end_section=line.label in ("held", "defenders lost"))
    return table


def _plan_table(comparison: Comparison, columns: slice) -> Table:
    table = _empty_table(comparison, columns)
    for plan, (same, lines) in plan_lines(comparison).items():
        if plan != comparison.scenario.plan:
            side = "garrison" if plan in get_args(DefencePlan) else "plan:"
            table.add_row(Text(f"{side} {plan}", style="bold"), *same[columns])
            for line in lines if not all(same[columns]) else ():
                _add(table, line._replace(label=f"  {line.label}"), columns)
    return table


def _add(table: Table, line: Line, columns: slice, *, end_section: bool = False) -> None:
    table.add_row(line.label, *(_written(cell) for cell in line.cells[columns]), end_section=end_section)


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
                "not_modelled": entry.translation.get(NOT_MODELLED),
                "never_fired": entry.translation.get(NEVER_FIRED),
                "responses": {name: asdict(estimate) for name, estimate in entry.responses.items()},
            }
            | ({} if entry.best is None else {"best": entry.best if isinstance(entry.best, float) else None})
            for entry in comparison.entries
        ],
    }

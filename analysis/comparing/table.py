"""The tables of a comparison, as lines of text that the terminal and the page share."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from analysis.comparing import words
from analysis.comparing.compare import Comparison, Entry
from analysis.points.margins import ENDS, SIDES
from analysis.points.plans import Plans
from analysis.points.responses import Estimate
from analysis.say import numbers
from sims.scenario import Side


class Cell(NamedTuple):
    """One value and, where it was sampled, its interval."""

    text: str
    interval: str = ""


class Line(NamedTuple):
    """One line of a table: what it says, what that means, and a cell for each set of rules."""

    label: str
    meaning: str
    cells: tuple[Cell, ...]


class PlanLines(NamedTuple):
    """What a plan comes to: for each set of rules as which other one, if so; and lines of the numbers of the others."""

    same: tuple[str, ...]
    lines: tuple[Line, ...]


MEANINGS = {
    "destroyed": "nothing of the building stands that could hold a model",
    "captured": "attackers inside, or free to enter, and no defender left inside",
    "broken": "the attackers routed or wiped out",
    "held": "the turn limit came",
}


BEST = "captured, both\nplaying their best"


def table_lines(comparison: Comparison) -> list[Line]:
    """Return the main table: a line for each response, a cell for each set of rules."""
    models = comparison.entries[0].models
    best = any(entry.best is not None for entry in comparison.entries)
    asked: list[tuple[str, str, Callable[[Entry], Cell]]] = [
        *((end, MEANINGS[end], partial(_chance, f"p_{end}")) for end in ENDS),
        ("cleared", "no living defender inside", partial(_chance, "p_cleared")),
        *[(BEST, "each changing its plan where that serves it", _best)] * best,
        ("turns", f"to the end, of {comparison.scenario.turns}; the mean", _turns),
        *((f"{s} lost", f"of {getattr(models, s)}; the mean (nine games in ten)", partial(_losses, s)) for s in SIDES),
        ("engine", "how it was computed", lambda entry: Cell(entry.result.engine)),
    ]
    return [Line(label, meaning, tuple(cell(e) for e in comparison.entries)) for label, meaning, cell in asked]


def plan_lines(comparison: Comparison) -> dict[str, PlanLines]:
    """Return, for each plan that was played, how the assault ends under each set of rules.

    A plan that comes to the same as one before it says so instead of its numbers.
    """
    by_plans = [(entry.by_plans(), entry.alike()) for entry in comparison.entries]

    def numbers(plans: Plans) -> Iterator[Line]:
        shown = [None if plans in alike else responses[plans] for responses, alike in by_plans]
        for end in ENDS if any(shown) else ():
            yield Line(end, MEANINGS[end], tuple(_share(own[f"p_{end}"]) if own else Cell("") for own in shown))

    def same(plans: Plans) -> Iterator[str]:
        for _, alike in by_plans:
            yield words.as_under(plans, alike[plans], comparison.scenario) if plans in alike else ""

    return {
        words.telling_plan(plans, comparison.scenario): PlanLines(tuple(same(plans)), tuple(numbers(plans)))
        for plans in by_plans[0][0]
    }


def _share(estimate: Estimate) -> Cell:
    return Cell(numbers.percent(estimate.in_words), numbers.interval(estimate, factor=100))


def _chance(name: str, entry: Entry) -> Cell:
    return _share(entry.responses[name])


def _best(entry: Entry) -> Cell:
    return Cell(numbers.percent(entry.best) if isinstance(entry.best, float) else "too large")


def _turns(entry: Entry) -> Cell:
    turns = entry.responses["turns_mean"]
    return Cell(numbers.number(turns.value), numbers.interval(turns))


def _losses(side: Side, entry: Entry) -> Cell:
    mean, low, high = (entry.responses[f"{side}_lost_{what}"] for what in ("mean", "q05", "q95"))
    return Cell(f"{numbers.number(mean.value)} ({low.value:.0f}–{high.value:.0f})", numbers.interval(mean))

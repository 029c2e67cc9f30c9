"""Rows of sweeps: a response over the levels of a factor, lines of a target, what one step is worth."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.contours import Contours
from analysis.rows import look_of
from analysis.scenario_steps import told
from analysis.sweep import LOOKS, Answer
from analysis.tornado import Tornado

if TYPE_CHECKING:
    import pandas as pd


class LevelRow(NamedTuple):
    """A response at one level of a factor under one set of rules, with its interval where sampled."""

    rules: str
    look: str
    level: float
    value: float
    low: float | None
    high: float | None


class ContourRow(NamedTuple):
    """A point of a line on which a response meets a target; the response is greater on the left of the line."""

    rules: str
    look: str
    line: int
    point: int
    x: float
    y: float


class SwingRow(NamedTuple):
    """What one step of a value comes to under one set of rules: a step down or up, or to another word.

    `now` is the response as it is; `of` says whose value it is, `at` what it is, `to` what the step makes of it.
    """

    rules: str
    look: str
    now: float
    key: str
    of: str
    at: str
    step: str
    to: str
    value: float
    low: float | None
    high: float | None


def looks(found: Iterable[Answer]) -> dict[str, str]:
    """Return how the sets of rules look that answers belong to, by id."""
    return {answer.rules: look_of(answer.rule_set) for answer in found}


def level_rows(table: "pd.DataFrame", factor: str, response: str = "p_captured") -> list[LevelRow]:
    """Return a response over the levels of a factor, from what `analysis.sweep.sweep` gives; refused points have none.

    Parameters
    ----------
    table : pandas.DataFrame
    factor, response : str
    """
    drawn = table[table["response"] == response]
    values = zip(*(drawn[name].tolist() for name in ("rules", factor, "value", "low", "high")), strict=True)
    return [
        LevelRow(rules, table.attrs[LOOKS][rules], float(level), value, *(None if x != x else x for x in (low, high)))
        for rules, level, value, low, high in values
    ]


def contour_rows(found: Iterable[Contours], looks: Mapping[str, str]) -> list[ContourRow]:
    """Return the points of the lines under each set of rules."""
    return [
        ContourRow(one.rules, looks[one.rules], n, i, float(x), float(y))
        for one in found
        for n, line in enumerate(one.lines, 1)
        for i, (x, y) in enumerate(line, 1)
    ]


def swing_rows(found: Sequence[Tornado], looks: Mapping[str, str]) -> list[SwingRow]:
    """Return what single steps come to under each set of rules that plays the scenario as it is, the largest first."""
    rows = []
    for one in found:
        now = one.now.value if one.now else 0.0
        for bar in one.seen if one.now else ():
            for end, step in ((bar.down, "down"), (bar.up, "up")):
                if end:
                    kind = "another" if isinstance(end.value, str) else step
                    moved: tuple[Any, ...] = (told(bar.now), kind, told(end.value), *vars(end.response).values())
                    rows.append(SwingRow(one.rules, looks[one.rules], now, bar.key, bar.of, *moved))
    return rows

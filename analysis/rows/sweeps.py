"""Rows of sweeps: a response over the levels of a factor or two, lines of a target, what one step is worth."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.say.axes import level_words
from analysis.say.rules import titles
from analysis.sweeps.contours import Contours, Plane, is_number
from analysis.sweeps.design import Design, Factor
from analysis.sweeps.scenario_steps import value_words
from analysis.sweeps.sweep import LOOKS, TITLES, Answer
from analysis.sweeps.tornado import Tornado
from sims.errors import CasemateError
from sims.words import counted

if TYPE_CHECKING:
    import pandas as pd


class LevelRow(NamedTuple):
    """A response at one level of a factor, a number or a word, under one set of rules, with its interval if sampled."""

    rules: str
    look: str
    level: float | str
    value: float
    low: float | None
    high: float | None


class PlaneRow(NamedTuple):
    """A response at a level each of two factors under one set of rules, with its interval where sampled."""

    rules: str
    look: str
    x: float
    y: float
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


class RangeRow(NamedTuple):
    """The least and the greatest response over a plane under one set of rules; None where no point can be played."""

    rules: str
    least: float | None
    most: float | None
    sampled: bool


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


def looks_of(found: Iterable[Answer]) -> dict[str, str]:
    """Return how the sets of rules look that answers belong to, by id."""
    return {answer.rules: answer.rule_set.look for answer in found}


def level_rows(table: "pd.DataFrame", factor: str, response: str = "p_captured") -> list[LevelRow]:
    """Return a response over the levels of a factor, from what `analysis.sweeps.sweep` gives.

    Refused points have none.
    """
    drawn = table[table["response"] == response]
    values = zip(*(drawn[name].tolist() for name in ("rules", factor, "value", "low", "high")), strict=True)
    titles, looks = table.attrs[TITLES], table.attrs[LOOKS]
    return [
        LevelRow(titles[rules], looks[rules], float(level), value, *(None if x != x else x for x in (low, high)))
        for rules, level, value, low, high in values
    ]


def answer_rows(of: Design, found: Sequence[Answer], response: str) -> list[LevelRow]:
    """Return a response over the levels of the one factor that a design varies; refused points have none."""
    by = one_factor(of)
    place, titles = of.factors.index(by), titles_of(found)
    numbers = all(is_number(level.values.get(by.name)) for level in by.levels)
    rows = []
    for answer in found:
        if not answer.refused:
            level = answer.cell.levels[place]
            at = float(level.values[by.name]) if numbers else level_words(level.said.get(by.name, by.label(level)))
            rows.append(LevelRow(titles[answer.rules], answer.rule_set.look, at, *_estimate(answer, response)))
    return rows


def cell_rows(found: Sequence[Answer], response: str) -> list[LevelRow]:
    """Return a response at some cells of a design, whatever their levels; refused points have none."""
    titles = titles_of(found)
    return [
        LevelRow(titles[answer.rules], answer.rule_set.look, "", *_estimate(answer, response))
        for answer in found
        if not answer.refused
    ]


def one_factor(of: Design) -> Factor:
    """Return the one factor that a design varies, or raise `CasemateError` if it varies none, or several."""
    if len(of.varied) != 1:
        fixed = (f"{each.name}={each.label(each.levels[0])}" for each in of.factors if each.name != "rules")
        said = ", ".join([each.name for each in of.varied] or fixed)
        levels = "one thing at several levels, such as --vary attackers.models=5..20"
        raise CasemateError(f"a chart is drawn over {levels}, or over two numbers; got {said}")
    return of.varied[0]


def titles_of(found: Iterable[Answer]) -> dict[str, str]:
    """Return the names to show of the sets of rules that answers belong to, by id."""
    sets = {answer.rules: answer.rule_set for answer in found}
    return dict(zip(sets, titles([*sets.values()]), strict=True))


def _estimate(answer: Answer, response: str) -> tuple[float, float | None, float | None]:
    estimate = answer.responses[response]
    return estimate.value, estimate.low, estimate.high


def left_out(found: Sequence[Answer]) -> list[str]:
    """Say which points cannot be played under which rules, and why."""
    titles, why = titles_of(found), dict[tuple[str, str], int]()
    for answer in found:
        if answer.refused:
            key = titles[answer.rules], answer.refused
            why[key] = why.get(key, 0) + 1
    return [f"{name}: {counted(n, 'point')} cannot be played: {reason}" for (name, reason), n in why.items()]


def plane_rows(on: Plane, found: Iterable[Answer]) -> list[PlaneRow]:
    """Return a response over a plane under each set of rules; refused points have none."""
    found = list(found)
    titles = titles_of(found)
    return [
        PlaneRow(
            titles[answer.rules],
            answer.rule_set.look,
            float(answer.cell.values[on.x.name]),
            float(answer.cell.values[on.y.name]),
            *_estimate(answer, on.response),
        )
        for answer in found
        if not answer.refused
    ]


def contour_rows(found: Iterable[Contours], titles: Mapping[str, str], looks: Mapping[str, str]) -> list[ContourRow]:
    """Return the points of the lines under each set of rules, whose names and looks are given by id."""
    return [
        ContourRow(titles[one.rules], looks[one.rules], n, i, float(x), float(y))
        for one in found
        for n, line in enumerate(one.lines, 1)
        for i, (x, y) in enumerate(line, 1)
    ]


def range_rows(found: Iterable[Contours], titles: Mapping[str, str]) -> list[RangeRow]:
    """Return between what a response lies over the plane under each set of rules, whose names are given by id."""
    return [RangeRow(titles[one.rules], one.least, one.most, one.sampled) for one in found]


def swing_rows(found: Sequence[Tornado], titles: Mapping[str, str], looks: Mapping[str, str]) -> list[SwingRow]:
    """Return what single steps come to under each set of rules that plays the scenario as it is, the largest first.

    The names and looks of sets of rules are given by id.
    """
    rows = []
    for one in found:
        now = one.now.value if one.now else 0.0
        for bar in one.seen if one.now else ():
            for end, step in ((bar.down, "down"), (bar.up, "up")):
                if end:
                    kind = "another" if isinstance(end.value, str) else step
                    moved: tuple[Any, ...] = (
                        value_words(bar.now),
                        kind,
                        value_words(end.value),
                        *end.response.drawn,
                    )
                    rows.append(SwingRow(titles[one.rules], looks[one.rules], now, bar.key, bar.of, *moved))
    return rows

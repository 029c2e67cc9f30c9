"""Rows of the studies that come with Casemate: what clears a building."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from analysis.points.point import AUTO, How
from analysis.points.responses import ALIKE, firsts
from analysis.sweeps.design import Design, Factor, design, factor
from analysis.sweeps.study import study
from analysis.sweeps.sweep import answers
from analysis.values.keys import of_rules
from sims.engines import Progress
from sims.rulesets import RuleSet, rule_set

PANELS = {"support": ("attackers.arms", "access"), "plans": ("arms", "plan")}
"""What a chart of a study has side by side, and what has a line each."""


class ClearRow(NamedTuple):
    """The chance that a building is cleared; `low` and `high` where it was sampled."""

    look: str
    panel: str
    line: str
    attackers: int
    cleared: float
    low: float | None
    high: float | None
    certified: bool = False


def clear_rows(
    name: str,
    scenario: str,
    rules: str,
    levels: Sequence[int] | None = None,
    *,
    how: How = AUTO,
    progress: Progress | None = None,
) -> list[ClearRow]:
    """Return the chance to clear a building by attackers, as a study has it.

    Levels that set what the rules do not have are left out, and so are points that cannot be played; panels that come
    to the same everywhere are one, and so are lines.

    Args:
        name: "support" or "plans".
        levels: Numbers of attackers; those of the study if not given.

    Raises:
        CasemateError: If a name is unknown, a level does not fit the scenario, or nothing can be played.
    """
    panel, line = PANELS[name]
    look, rows = rule_set(rules).look, list[ClearRow]()
    for answer in answers(clear_design(name, scenario, rules, levels), how, progress=progress):
        if not answer.refused:
            said, cleared = answer.cell.said, answer.responses["p_cleared"]
            where = look, said[panel], said[line], said["attackers.models"]
            rows.append(ClearRow(*where, *cleared.drawn, cleared.certified))
    return named_alike(named_alike(rows, "panel"), "line")


def clear_design(name: str, scenario: str, rules: str, levels: Sequence[int] | None = None) -> Design:
    """Return the assaults of a study, see `clear_rows`."""
    by_name = {each.name: _within(each, rule_set(rules)) for each in study(name)}
    own = by_name.pop("attackers.models")
    return design([*by_name.values(), factor(own.name, levels) if levels else own], scenario, [rules])


def _within(of: Factor, rules: RuleSet) -> Factor:
    """Return a factor without the levels that set what rules do not have."""
    leaves = rules.book.leaves()
    return Factor(of.name, tuple(x for x in of.levels if all(key in leaves for key in x.values if of_rules(key))))


def named_alike(rows: Sequence[ClearRow], what: Literal["panel", "line"]) -> list[ClearRow]:
    """Return rows with one panel, or line, in place of several that are the same everywhere; it has all their names."""
    other = "panel" if what == "line" else "line"
    chances = dict[str, dict[tuple[str, int], float]]()
    for row in rows:
        chances.setdefault(getattr(row, what), {})[getattr(row, other), row.attackers] = row.cleared
    names = dict[str, list[str]]()
    for name, first in firsts(chances, _everywhere).items():
        names.setdefault(first, []).append(name)
    shown = {first: " or ".join(alike) for first, alike in names.items()}
    return [ClearRow(**{**row._asdict(), what: shown[name]}) for row in rows if (name := getattr(row, what)) in shown]


def _everywhere(one: Mapping[Any, float], other: Mapping[Any, float]) -> bool:
    return one.keys() == other.keys() and all(abs(one[point] - chance) < ALIKE for point, chance in other.items())

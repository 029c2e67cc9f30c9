"""Which plans are best in which turns."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from analysis.rows import names
from analysis.rows.choices import ChoiceRow
from analysis.say.numbers import listed
from sims.scenario import Side

SELDOM = 0.01
"""A plan that is best in no more of the choices that matter is not named."""

GIVEN = 0.5
"""Points; that the plans which are drawn give away fewer is not told."""

CALLED: dict[Side, str] = {"attackers": "attackers", "defenders": "garrison"}


def by_turn(rows: Sequence[ChoiceRow]) -> str:
    """Say which plan is best most often in which turns under each set of rules, and which others are at times."""
    said = [f"{_plans([row for row in rows if row.rules == name])} under {name}" for name in names(rows)]
    return f"Best for the {CALLED[rows[0].side]}: {'; '.join(said)}"


def _plans(rows: Sequence[ChoiceRow]) -> str:
    leading = [(turn, plans[0]) for turn, of in groupby(rows, lambda row: row.turn) if (plans := in_order(of))]
    runs = [(plan, [turn for turn, _ in run]) for plan, run in groupby(leading, lambda each: each[1])]
    said = [f"{plan} in {turns(of)}" for plan, of in runs]
    others = [plan for plan in in_order(rows) if plan not in dict(runs)]
    return ", ".join([*said, *([f"at times {listed(others)}"] if others else [])]) or "any plan"


def in_order(rows: Iterable[ChoiceRow]) -> list[str]:
    """Return the plans that are best where the choice matters, the one that is so most often first."""
    often = dict[str, float]()
    for row in rows:
        if row.plan:
            often[row.plan] = often.get(row.plan, 0) + row.chance
    named = [plan for plan, chance in often.items() if chance > SELDOM * sum(often.values())]
    return sorted(named, key=lambda plan: -often[plan])


def turns(of: Sequence[int]) -> str:
    """Say turns: turn 3, turns 2 to 4, turns 2, 3 and 5."""
    if len(of) == 1:
        return f"turn {of[0]}"
    if len(of) > 2 and of[-1] - of[0] == len(of) - 1:
        return f"turns {of[0]} to {of[-1]}"
    return f"turns {listed([*map(str, of)])}"


def best_play(side: Side, against: str | None) -> str:
    """Say who plays his best: both sides, or one against a plan that the other keeps to."""
    if against is None:
        return "both sides play their best"
    if side == "attackers":
        return f"the attackers play their best against {keeping('defenders', against)}"
    return f"the garrison plays its best against {keeping('attackers', against)}"


def keeping(side: Side, plan: str) -> str:
    """Name a side that keeps to a plan."""
    return f"attackers who keep to {plan}" if side == "attackers" else f"a garrison that keeps to {plan}"


def what_is_shown(rows: Sequence[ChoiceRow]) -> str:
    """Say what a cell shows, and in which turns no choice matters."""
    whose = {"attackers": "attackers'", "defenders": "garrison's"}[rows[0].side]
    told = (
        f"A cell: the plan that gives least away when so many models are left at the start of the {whose} player turn, "
        "and of plans that are as good the usual one. Where fewer than 1 game in 1,000 comes nothing is drawn."
    )
    return "\n".join([told, *_given(rows), *_still(rows)])


def _given(rows: Sequence[ChoiceRow]) -> Iterable[str]:
    """Yield what the plans of the cells give away under each set of rules, where that is half a point and more."""
    for name in names(rows):
        points = sum(row.gives for row in rows if row.rules == name)
        if points >= GIVEN:
            yield (
                f"{name}: what no cell shows tells for another plan at times; in all, the plans drawn give away "
                f"{points:.1f} points."
            )


def _still(rows: Sequence[ChoiceRow]) -> Iterable[str]:
    """Yield in which turns no choice matters under which rules."""
    for name in names(rows):
        own = [row for row in rows if row.rules == name]
        none = [turn for turn, of in groupby(own, lambda row: row.turn) if not any(row.plan for row in of)]
        if none:
            yield f"{name}: in {turns(none)} no choice is worth a tenth of a point."

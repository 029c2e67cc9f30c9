"""What an assault comes to under several sets of rules."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from analysis.findings import as_sampled
from analysis.rows import names
from analysis.rows.assaults import BothRow, EndRow, LeftRow, LossMark, TurnRow, end_rows
from analysis.say.numbers import A_GAME, games, listed

if TYPE_CHECKING:
    from analysis.comparing.compare import Comparison

TAKEN = {
    "captured": "the attackers take {} in",
    "destroyed": "{} is destroyed in",
    "broken": "the attackers are broken in",
    "held": "{} holds out in",
}
"""What has become of a building, by the end."""
CLOSE = 0.01
"""Ends that are as often as each other but for this are told together."""
NOTICED = 0.25
"""A difference between means of models that is smaller is no finding."""
IN_100 = " games in 100"
"""Said of the first number alone."""


def opening(comparison: "Comparison") -> str:
    """Say in a sentence what a comparison finds."""
    title = comparison.scenario.building.title
    found = ends(end_rows(comparison), f"the {title[0].lower()}{title[1:]}")
    several = len(comparison.entries) > 1
    return f"The same assault: {found[0].lower()}{found[1:]}." if several else f"{found}."


def ends(rows: Sequence[EndRow], building: str = "the building") -> str:
    """Say how an assault ends most often under each set of rules, those that end alike together."""
    order, clear, close = [*TAKEN], list[EndRow](), list[tuple[EndRow, EndRow]]()
    for name in names(rows):
        first, *others = sorted((row for row in rows if row.rules == name), key=lambda row: -row.share)
        if others and _as_often(first, others[0]):
            close.append((first, others[0]))
        else:
            clear.append(first)
    clear.sort(key=lambda row: (order.index(row.end), -row.share))
    said = []
    for end, alike in groupby(clear, lambda row: row.end):
        parts = [f"{_often(row)} under {row.rules}" for row in alike]
        said.append(f"{TAKEN[end].format(building)} {', in '.join(parts)}")
    for pair in close:
        parts = [f"{TAKEN[row.end].format(building)} {_often(row)}" for row in pair]
        said.append(f"{' and '.join(parts)} under {pair[0].rules}")
    before, unit, after = "; ".join(said).partition(IN_100)
    found = f"{before}{unit}{after.replace(IN_100, '')}"
    return f"{found[0].upper()}{found[1:]}"


def _often(row: EndRow) -> str:
    return f"{'about ' * (row.low is not None)}{games(row.share)}{IN_100}"


def _as_often(first: EndRow, second: EndRow) -> bool:
    """Return whether an end is no more often than the next: by a game in 100, or as far as intervals tell."""
    overlap = first.low is not None and second.high is not None and first.low <= second.high
    return overlap or first.share - second.share < CLOSE


def turns(rows: Sequence[TurnRow]) -> str:
    """Say by which turn half of the captures have come under each set of rules; of a few nobody wants the half."""
    by_turn, seldom, never, unseen = dict[int, list[str]](), list[str](), list[str](), list[str]()
    for name in names(rows):
        line = [row for row in rows if row.rules == name]
        if not (line[-1].captured or line[-1].certified):
            (never if all(row.low is None for row in line) else unseen).append(name)
        elif line[-1].captured < A_GAME:
            seldom.append(name)
        else:
            half = next(row.turn for row in line if row.captured >= line[-1].captured / 2)
            by_turn.setdefault(half, []).append(name)
    said = [f"by turn {turn} under {listed(by_turn[turn])}" for turn in sorted(by_turn)]
    parts = [f"At least half of the captures come {', '.join(said)}"] if said else []
    parts += [f"captured in less than 1 game in 100 under {listed(seldom)}"] if seldom else []
    parts += [f"captured in none of the games sampled under {listed(unseen)}"] if unseen else []
    told = "; ".join([*parts, *([f"never captured under {listed(never)}"] if never else [])])
    return as_sampled(f"{told[0].upper()}{told[1:]}", [row for row in rows if row.rules not in unseen])


def survivors(rows: Sequence[LeftRow]) -> str:
    """Say how many of the garrison are left at the end under each set of rules, those that spare most first."""
    last = sorted((next(row for row in rows[::-1] if row.rules == name) for name in names(rows)), key=lambda r: -r.left)
    most = max(row.left for row in rows if row.turn == 0)
    parts = [f"{'about ' * (row.low is not None)}{row.left:.1f} under {row.rules}" for row in last]
    return f"Left of the garrison of {most:.0f} at the end, on average: {', '.join(parts)}"


def losses(marks: Sequence[LossMark]) -> str:
    """Say under which rules the attackers lose least and most, if it is a difference that a player would notice."""
    mine = sorted((mark for mark in marks if mark.side == "attackers"), key=lambda mark: mark.mean)
    least, most = mine[0], mine[-1]
    if most.mean - least.mean < NOTICED:
        means = dict.fromkeys(f"{mark.mean:.1f}" for mark in (least, most))
        everywhere = " under each set of rules" if len(mine) > 1 else ""
        return f"The attackers lose {' to '.join(means)} models on average{everywhere}"
    return (
        f"The attackers lose least under {least.rules}, {least.mean:.1f} models on average, "
        f"and most under {most.rules}, {most.mean:.1f}"
    )


def both(rows: Sequence[BothRow]) -> str:
    """Say which losses of both sides are the likeliest under each set of rules."""
    most = [max((row for row in rows if row.rules == name), key=lambda row: row.chance) for name in names(rows)]
    parts = [f"{row.attackers_lost} against {row.defenders_lost} under {row.rules}" for row in most]
    return as_sampled(f"Likeliest losses, attackers against garrison: {', '.join(parts)}", rows)

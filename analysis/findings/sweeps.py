"""What a response comes to over the levels of what is varied."""

from collections.abc import Sequence
from itertools import pairwise

from analysis.findings import as_sampled
from analysis.findings.assaults import IN_100
from analysis.points.responses import ALIKE
from analysis.rows import names
from analysis.rows.sweeps import ContourRow, LevelRow, PlaneRow, RangeRow, SwingRow
from analysis.say.axes import CHANCES, number_words, response_words, step_words
from analysis.say.numbers import apart, goal, in_100, listed
from analysis.sweeps.contours import Plane
from analysis.sweeps.design import Factor
from sims.words import counted

SLIGHT = 0.001
"""A chance that moves by less, a tenth of a game in 100, is not told by from where to where."""


def still(rows: Sequence[LevelRow]) -> bool:
    """Return whether a response is the same at all of several levels."""
    return len(rows) > 1 and _span(rows) < ALIKE


def _span(rows: Sequence[LevelRow]) -> float:
    values = [row.value for row in rows]
    return max(values) - min(values)


def over_levels(rows: Sequence[LevelRow], factor: str, response: str) -> str:
    """Say between what a response moves under each set of rules, and where nothing moves it, or next to nothing."""
    about = "about " if any(row.low is not None for row in rows) else ""
    chance, said, flat, slight = response in CHANCES, list[str](), list[str](), list[str]()
    for name in names(rows):
        own = _in_order([row for row in rows if row.rules == name])
        if still(own):
            flat.append(name)
        elif chance and len(own) > 1 and _span(own) < SLIGHT:
            slight.append(name)
        else:
            said.append(f"{_from_to(own, chance=chance, unit=chance and not said)} under {name}")
    what = f"{CHANCES[response]} in" if chance else f"{response_words(response)},"
    moves = f"{about}{', '.join(said)}"
    if moves.startswith(f"{about}between "):
        moves = f"between {about}{moves.removeprefix(f'{about}between ')}"
    parts = [f"{_levels(rows, factor, chance=chance)}{what} {moves}"] * bool(said)
    of = f" in how often {CHANCES[response]}" if chance else ""
    for move, under in (("no difference", flat), ("next to no difference", slight)):
        if under:
            parts.append(f"{'' if parts else f'{factor}: '}{move}{'' if parts else of} under {listed(under)}")
    told = "; ".join(parts)
    return told[0].upper() + told[1:]


def _in_order(rows: Sequence[LevelRow]) -> Sequence[LevelRow]:
    """Return numbers from the least to the greatest, and words as they are."""
    if any(isinstance(row.level, str) for row in rows):
        return rows
    return sorted(rows, key=lambda row: row.level)


def _levels(rows: Sequence[LevelRow], factor: str, *, chance: bool) -> str:
    """Say over which levels, before what happens there: "from 1 to 4 doors " or "grenade: Strength from 2 to 5: "."""
    numbers = [row.level for row in rows if not isinstance(row.level, str)]
    if not numbers:
        return ""
    over = f"from {min(numbers):g} to {max(numbers):g}"
    counts = ":" not in factor
    return f"{over} {factor}{' ' if chance else ': '}" if counts else f"{factor} {over}: "


def _from_to(rows: Sequence[LevelRow], *, chance: bool, unit: bool) -> str:
    """Say the least and the greatest value: from the first level to the last, if they are there, else between which.

    Of words it is said which they belong to, the least first.
    """
    least, most = min(rows, key=_value), max(rows, key=_value)
    at_the_ends = abs(abs(rows[0].value - rows[-1].value) - _span(rows)) < ALIKE
    numbered = not isinstance(rows[0].level, str)
    one, other = (rows[0], rows[-1]) if numbered and at_the_ends else (least, most)
    first, last = apart(one.value, other.value, chance=chance)
    below = f"{first}{_of_word(one)} to " * (one is not other)
    of = (IN_100 if below else in_100(last).removeprefix(last)) * unit
    if numbered and not at_the_ends:
        return f"between {first} and {last}{of}"
    return f"{below}{last}{_of_word(other)}{of}"


def _of_word(row: LevelRow) -> str:
    return f" ({row.level})" if isinstance(row.level, str) and row.level else ""


def _value(row: LevelRow) -> float:
    return row.value


def plane(rows: Sequence[PlaneRow], response: str, target: float) -> str:
    """Say in how much of a plane a response comes to a target, under each set of rules."""
    said, cells = list[str](), 0
    for name in names(rows):
        own = [row.value for row in rows if row.rules == name]
        met = sum(value >= target - ALIKE for value in own)
        of = f" of {counted(len(own), 'combination')}" * (len(own) != cells)
        said.append(f"{met or 'none'}{of} under {name}")
        cells = len(own)
    told = goal(response, target)
    return as_sampled(f"{told[0].upper()}{told[1:]} or more: {listed(said)}", rows)


def widest(rows: Sequence[PlaneRow], response: str) -> str:
    """Say how far the widest interval reaches beyond what it is of; nothing where all is exact."""
    reaches = [
        max(row.value - row.low, row.high - row.value) for row in rows if row.low is not None and row.high is not None
    ]
    if not reaches:
        return ""
    return f"Intervals reach up to ± {f'{100 * max(reaches):.1f} %' if response in CHANCES else f'{max(reaches):.2f}'}."


def lines(rows: Sequence[ContourRow], on: Plane, ranges: Sequence[RangeRow] = ()) -> str:
    """Say at one level of one number between which of the other a response meets a target, under each set of rules.

    Where no line is at all, the ranges of the response say whether it is more or less at every point.
    """
    told = _crossed(rows, on) if rows else _without(on, ranges)
    told = f"{told[0].upper()}{told[1:]}"
    return f"{told} (sampled)" if any(each.sampled for each in ranges) else told


def _crossed(rows: Sequence[ContourRow], on: Plane) -> str:
    """Say between which levels lines pass, at that level that lines of most sets of rules pass."""
    cuts = (on.x, on.y, *_cut(rows, on.x, "x", "y")), (on.y, on.x, *_cut(rows, on.y, "y", "x"))
    one, other, at, passed = max(cuts, key=lambda cut: sum(map(bool, cut[-1].values())))
    said = list[str]()
    for name, found in passed.items():
        if found:
            where = listed([*dict.fromkeys(_between(_numbers(other), value) for value in found)])
            said.append(f"{where if said else number_words(other.name, where)} under {name}")
    others = [name for name, found in passed.items() if not found]
    told = f"{goal(on.response, on.target)} {number_words(one.name, f'{at:g}')}: {', '.join(said)}"
    return f"{told}; elsewhere under {listed(others)}" if others else told


def _without(on: Plane, ranges: Sequence[RangeRow]) -> str:
    """Say under which sets of rules a response is more than its target at every point, and under which less."""
    more = [each.rules for each in ranges if each.least is not None and each.least > on.target]
    less = [each.rules for each in ranges if each.most is not None and each.most < on.target]
    some = (more, "more than "), (less, "less than ")
    parts = [
        f"{goal(on.response, on.target, than)} at every point played under {listed(which)}"
        for which, than in some
        if which
    ]
    rest = [each.rules for each in ranges if each.rules not in (*more, *less)]
    if rest or not parts:
        under = f" under {listed(rest)}" if rest else ""
        parts.append(f"no line where {goal(on.response, on.target)}{under}")
    return "; ".join(parts)


def _numbers(of: Factor) -> list[float]:
    return sorted(float(level.values[of.name]) for level in of.levels)


def _between(levels: Sequence[float], value: float) -> str:
    """Say between which levels a value lies, or at which."""
    below = max((level for level in levels if level <= value + ALIKE), default=levels[0])
    above = min((level for level in levels if level >= value - ALIKE), default=levels[-1])
    return f"{below:g}" if above <= below else f"between {below:g} and {above:g}"


def _cut(rows: Sequence[ContourRow], of: Factor, along: str, across: str) -> tuple[float, dict[str, list[float]]]:
    """Return a level of one number, and by which values of the other lines pass it under each set of rules.

    It is the one that lines of most sets of rules pass, and of those the nearest to the middle of the lines. On it
    lines pass between neighbouring levels of the other number, which were played, so that what is said of them is true
    however the response moves from one to the next.
    """
    values = [getattr(row, along) for row in rows]
    middle = (min(values) + max(values)) / 2
    passed = {
        at: {name: _passed([row for row in rows if row.rules == name], at, along, across) for name in names(rows)}
        for at in _numbers(of)
    }
    best = max(passed, key=lambda at: (sum(map(bool, passed[at].values())), -abs(at - middle)))
    return best, passed[best]


def _passed(rows: Sequence[ContourRow], at: float, along: str, across: str) -> list[float]:
    """Return by which values of the other number lines pass a level of one."""
    found = set[float]()
    for one, other in pairwise(rows):
        (a, b), (c, d) = ((getattr(row, along), getattr(row, across)) for row in (one, other))
        if one.line == other.line and a != c and min(a, c) <= at <= max(a, c):
            found.add(b + (at - a) / (c - a) * (d - b))
    return sorted(found)


def largest_swings(rows: Sequence[SwingRow], response: str) -> str:
    """Say what one step of moves a response most under each set of rules, and between what."""
    chance, said, last = response in CHANCES, list[str](), ""
    what = f"{CHANCES[response]} in" if chance else f"{response_words(response)}:"
    for name in names(rows):
        first, *others = (row for row in rows if row.rules == name)
        values = [first.now, first.value, *(row.value for row in others if (row.key, row.of) == (first.key, first.of))]
        low, high = apart(min(values), max(values), chance=chance)
        moved = f"{low} to {in_100(high) if chance and not said else high}"
        told = f"under {name} ({moved if said else f'by one step {what} {moved}'})"
        of = f"{'the ' * first.key.startswith('units.')}{step_words(first.key, first.of)}"
        said.append(told if of == last else f"on {of} {told}")
        last = of
    return as_sampled(f"Most hangs {', '.join(said)}", rows)

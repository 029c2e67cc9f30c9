"""What a response comes to over the levels of what is varied."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor

from analysis.axis_words import CHANCES, response_words, step_words
from analysis.compare import ALIKE
from analysis.findings import as_sampled, games, listed
from analysis.rows import names
from analysis.rows.sweeps import ContourRow, LevelRow, PlaneRow, SwingRow
from analysis.words import wanted
from sims.words import counted


def still(rows: Sequence[LevelRow]) -> bool:
    """Return whether a response is the same at all of several levels."""
    values = [row.value for row in rows]
    return len(rows) > 1 and max(values) - min(values) < ALIKE


def swept(rows: Sequence[LevelRow], factor: str, response: str) -> str:
    """Say between what a response moves under each set of rules, and where nothing moves it."""
    about = "about " if any(row.low is not None for row in rows) else ""
    chance, said, flat = response in CHANCES, list[str](), list[str]()
    for name in names(rows):
        own = [row for row in rows if row.rules == name]
        if still(own):
            flat.append(name)
        else:
            said.append(f"{_from_to(own, chance=chance)}{' games of 100' * (chance and not said)} under {name}")
    what = f"{CHANCES[response]} in" if chance else f"{response_words(response)}:"
    parts = [f"{_levels(rows, factor)}{what} {about}{', '.join(said)}"] * bool(said)
    if flat:
        parts.append(f"{'' if said else f'{factor}: '}no difference under {listed(flat)}")
    told = "; ".join(parts)
    return told[0].upper() + told[1:]


def _levels(rows: Sequence[LevelRow], factor: str) -> str:
    numbers = [row.level for row in rows if not isinstance(row.level, str)]
    return f"from {min(numbers):g} to {max(numbers):g} {factor} " if numbers else ""


def _from_to(rows: Sequence[LevelRow], *, chance: bool) -> str:
    """Say the least and the greatest value, that of the lower level first; of words, those of which level they are."""
    both = sorted({min(rows, key=_value), max(rows, key=_value)}, key=rows.index)
    of_word = [f" ({row.level})" if isinstance(row.level, str) else "" for row in both]
    values = [games(row.value) if chance else f"{row.value:.1f}" for row in both]
    return " to ".join(dict.fromkeys(value + word for value, word in zip(values, of_word, strict=True)))


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
    told = wanted(response, target)
    return as_sampled(f"{told[0].upper()}{told[1:]} or more: {listed(said)}", rows)


def widest(rows: Sequence[PlaneRow], response: str) -> str:
    """Say how far the widest interval reaches beyond what it is of; nothing where all is exact."""
    reaches = [
        max(row.value - row.low, row.high - row.value) for row in rows if row.low is not None and row.high is not None
    ]
    if not reaches:
        return ""
    return f"Intervals reach up to ± {f'{100 * max(reaches):.1f} %' if response in CHANCES else f'{max(reaches):.2f}'}."


def lines(rows: Sequence[ContourRow], x: str, y: str, response: str, target: float) -> str:
    """Say at one value of one number by which of the other a response meets a target, under each set of rules."""
    told = wanted(response, target)
    if not rows:
        return f"Nowhere {told}"
    cuts = (x, y, *_cut(rows, "x", "y")), (y, x, *_cut(rows, "y", "x"))
    one, other, at, passed = max(cuts, key=lambda cut: sum(map(bool, cut[-1].values())))
    said = [f"{listed([f'{each:g}' for each in found])} under {name}" for name, found in passed.items() if found]
    others = [name for name, found in passed.items() if not found]
    found = f"{told} with {at} {one}, by {other}: {', '.join(said)}" if said else f"{told} under {listed(others)}"
    found += f"; elsewhere under {listed(others)}" if said and others else ""
    return found[0].upper() + found[1:]


def _cut(rows: Sequence[ContourRow], along: str, across: str) -> tuple[int, dict[str, list[float]]]:
    """Return a whole value of one number, and by which of the other lines pass it under each set of rules.

    It is the one that lines of most sets of rules pass, and of those the nearest to the middle.
    """
    values = [getattr(row, along) for row in rows]
    middle = (min(values) + max(values)) / 2
    passed = {
        at: {name: _passed([row for row in rows if row.rules == name], at, along, across) for name in names(rows)}
        for at in range(floor(min(values)), ceil(max(values)) + 1)
    }
    best = max(passed, key=lambda at: (sum(map(bool, passed[at].values())), -abs(at - middle)))
    return best, passed[best]


def _passed(rows: Sequence[ContourRow], at: float, along: str, across: str) -> list[float]:
    """Return by which values of the other number, to a tenth, lines pass a value of one."""
    found = set[float]()
    for one, other in pairwise(rows):
        (a, b), (c, d) = ((getattr(row, along), getattr(row, across)) for row in (one, other))
        if one.line == other.line and a != c and min(a, c) <= at <= max(a, c):
            found.add(round(b + (at - a) / (c - a) * (d - b), 1))
    return sorted(found)


def swung(rows: Sequence[SwingRow], response: str) -> str:
    """Say what one step of moves a response most under each set of rules, and between what."""
    chance, said, last = response in CHANCES, list[str](), ""
    what = f"{CHANCES[response]} in" if chance else f"{response_words(response)}:"
    for name in names(rows):
        first, *others = (row for row in rows if row.rules == name)
        values = [first.now, first.value, *(row.value for row in others if (row.key, row.of) == (first.key, first.of))]
        ends = (games(value) if chance else f"{value:.1f}" for value in (min(values), max(values)))
        moved = f"{' to '.join(dict.fromkeys(ends))}{' games of 100' * (chance and not said)}"
        told = f"under {name} ({moved if said else f'by one step {what} {moved}'})"
        of = f"{'the ' * first.key.startswith('units.')}{step_words(first.key, first.of)}"
        said.append(told if of == last else f"on {of} {told}")
        last = of
    return as_sampled(f"Most hangs {', '.join(said)}", rows)

"""What a response comes to over the levels of what is varied."""

from collections.abc import Sequence

from analysis.axis_words import CHANCES, response_words
from analysis.compare import ALIKE
from analysis.findings import as_sampled, games, listed
from analysis.rows import names
from analysis.rows.sweeps import LevelRow, PlaneRow
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

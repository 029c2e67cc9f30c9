"""What stands in a state, by the words of the log: a position is given, saved and told by them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from analysis.points.margins import SIDES
from sims.assault import Assault, Scene
from sims.dice import Ints
from sims.forces import total
from sims.scenario import Force
from sims.state import Phrase, State

ALSO = {"inches to the building": "distance"}
"""Words of the log that have a shorter form."""

Columns = dict[str, Ints]
"""By its words, what stands in each of some states, ``[N]``: a number, or whether something is so."""


def fields(assault: Assault[Any, Scene], states: State) -> Columns:
    """Return what stands in states: how many models each side has left and of which kind, and all that the log tells.

    Codes have a column for each that has words; a number that the log tells by its sign has one for each sign.
    """
    found = dict[str, Ints]()
    for side in SIDES:
        found |= _side(side, getattr(assault.scene.scenario, side), assault.scene.standing(states, side))
    for name, phrase in states.told.items():
        if phrase not in SIDES:
            found |= {ALSO.get(words, words): column for words, column in _told(phrase, attrgetter(name)(states))}
    columns = np.broadcast_arrays(*found.values())
    return dict(zip(found, columns, strict=True))


def _side(side: str, force: Force, standing: tuple[Ints, ...]) -> Iterator[tuple[str, Ints]]:
    """Yield the models of a side, and those of each group where there are several."""
    yield side, total(standing)
    titles = [group.title for group in force.groups]
    seen = Counter[str]()
    for title, models in zip(titles, standing, strict=True) if len(titles) > 1 else ():
        seen[title] += 1
        nth = f" ({seen[title]})" if titles.count(title) > 1 else ""
        yield f"{side}: {title}{nth}", models


def _told(phrase: Phrase, of: Any) -> Iterator[tuple[str, Ints]]:
    """Yield what the log tells of a field."""
    if isinstance(phrase, str):
        numbers = of if isinstance(of, tuple) else (of,)
        yield from [(phrase, total(numbers))] if numbers else []
        yield from ((f"{phrase}, {i}", n) for i, n in enumerate(numbers, 1) if len(numbers) > 1)
    elif isinstance(phrase, Mapping):
        yield from ((words, of == code) for code, words in phrase.items())
    else:
        signs = zip(phrase, (1, -1), strict=False)
        yield from ((words.replace("{}", "").strip(" :"), np.maximum(sign * of, 0)) for words, sign in signs)


def is_so(word: str, value: int | bool) -> str:
    """Say what stands there by one word of the log."""
    if isinstance(value, bool):
        return word if value else f"not so: {word}"
    return f"{word} {value}"

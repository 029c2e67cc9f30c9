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
    for each in assault.told:
        if each.words not in SIDES:
            found |= {ALSO.get(words, words): column for words, column in _told(each.words, each.of(states))}
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


def with_given(assault: Assault[Any, Scene], states: State, given: Mapping[str, int | bool]) -> State:
    """Return states with what is given put in, by the words of `fields`.

    Models of a side that are too few come back as ordinary ones first, those that are too many fall like that. Not all
    that is given can be so: `fields` of the states says what is.
    """
    for each in assault.told:
        if each.words not in SIDES:
            changed = _changed(each.words, each.of(states), given)
            if each.part is not None:
                whole = attrgetter(each.field)(states)
                changed = (*whole[: each.part], changed, *whole[each.part + 1 :])
            states = _put(states, each.field, changed)
    for side in SIDES:
        standing = assault.scene.standing(states, side)
        states = assault.scene.with_standing(
            states, side, _models(side, getattr(assault.scene.scenario, side), standing, given)
        )
    return states


def _put(states: State, name: str, value: Any) -> State:
    """Return states with a field changed; the field of a record after a dot."""
    field, _, inner = name.partition(".")
    return states.replace(**{field: _put(getattr(states, field), inner, value) if inner else value})


def _changed(phrase: Phrase, of: Any, given: Mapping[str, int | bool]) -> Any:
    """Return a field with what is given of it put in; of several numbers only each by itself."""
    if isinstance(phrase, str):
        if isinstance(of, tuple):
            names = [phrase] if len(of) == 1 else [f"{phrase}, {i}" for i in range(1, len(of) + 1)]
            return tuple(_given(name, n, given) for name, n in zip(names, of, strict=True))
        return _given(ALSO.get(phrase, phrase), of, given)
    if isinstance(phrase, Mapping):
        for code, words in phrase.items():
            if words in given and not given[words]:
                of = np.where(of == code, next((other for other in (0, *phrase) if other != code), 1), of)
        so = [code for code, words in phrase.items() if given.get(words)]
        return np.array(so[:1]) if so else of
    for words, sign in zip(phrase, (1, -1), strict=False):
        now = np.maximum(sign * of, 0)
        then = _given(words.replace("{}", "").strip(" :"), now, given)
        of = np.where(then == now, of, sign * then)
    return of


def _given(word: str, of: Ints, given: Mapping[str, int | bool]) -> Ints:
    return np.array([int(given[word])]) if word in given else of


def _models(side: str, force: Force, standing: tuple[Ints, ...], given: Mapping[str, int | bool]) -> tuple[Ints, ...]:
    """Return a side with the models that are given of it, by group."""
    _, *words = [word for word, _ in _side(side, force, standing)]
    models = [_given(word, n, given) for word, n in zip(words, standing, strict=True)] if words else [*standing]
    if side in given:
        for i in reversed(range(len(models))):
            if not words or words[i] not in given:
                missing = given[side] - total(tuple(models))
                models[i] = np.clip(models[i] + missing, 0, force.groups[i].count)
    return tuple(models)


def is_so(word: str, value: int | bool) -> str:
    """Say what stands there by one word of the log."""
    if isinstance(value, bool):
        return word if value else f"not so: {word}"
    return f"{word} {value}"

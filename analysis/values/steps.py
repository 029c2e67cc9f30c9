"""One step of a value of a book, as far as the book allows: the next numbers and dice, the other words and options."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from analysis.values.schema import Node, leaf, schema
from sims.dice import Die, parse_die
from sims.errors import CasemateError, nearest
from sims.rulesets import RuleSet

Step = Mapping[str, Any]
"""Values by the keys of a book, one step from those in force."""

MOST_ITEMS = 20
"""A table of more numbers goes up and down row by row."""
MOST = 12
"""The highest number that stands in the place of dice."""


def steps(rule_set: RuleSet, keys: Iterable[str] | None = None) -> dict[str, list[Step]]:
    """Return, for keys of a book, the changes of values that are one step from those in force.

    A number goes up and down by one, and so does each number of an array, or each row of a large table; dice go to the
    next lower and the next higher mean, the wider first; of words, options of a ruling and yes or no all others are one
    step away. Faces that are shared out among arrays of a table move from one to another, so that such a step changes
    two keys. What the book refuses is left out, so that some keys have no step.

    Args:
        keys: Some of those of `Book.leaves`; all of them if not given.

    Raises:
        CasemateError: If there is no such key.
    """
    leaves, whole = rule_set.book.leaves(), schema(rule_set)
    found = dict[str, list[Step]]()
    for key in leaves if keys is None else keys:
        if key not in leaves:
            raise CasemateError(f"{rule_set.id} has no {key}; {nearest(key, leaves)}")
        alone: list[Step] = [{key: other} for other in _near(leaf(whole, key), leaves[key])]
        found[key] = _allowed(rule_set, alone) or _allowed(rule_set, _moved(leaves, key))
    return found


def _allowed(rule_set: RuleSet, ways: Iterable[Step]) -> list[Step]:
    return [way for way in ways if is_allowed(rule_set, way)]


def is_allowed(rule_set: RuleSet, values: Step) -> bool:
    """Return whether a book takes some values."""
    try:
        rule_set.book.with_values(values)
    except CasemateError:
        return False
    return True


def dice(rule_set: RuleSet, key: str) -> list[int | str]:
    """Return the dice and numbers that a key may have, the one in force among them, by their mean, the wider first."""
    now = rule_set.book.leaves()[key]
    some = dict(ladder()) | {now: parse_die(str(now))}
    return [name for name in sorted(some, key=lambda name: _rank(some[name])) if is_allowed(rule_set, {key: name})]


def _rank(die: Die) -> tuple[Fraction, Fraction]:
    return die.pmf.mean, -die.pmf.variance


@cache
def ladder() -> tuple[tuple[int | str, Die], ...]:
    """Return dice and numbers that stand in rules, each with what it throws, by their mean, the wider first."""
    some = [f"{'' if n == 1 else n}{die}{more}" for die in ("D3", "D6") for n in (1, 2, 3) for more in ("", "+1", "+2")]
    names: list[int | str] = [*range(MOST + 1), *some]
    found = [(name, parse_die(str(name))) for name in names]
    return tuple(sorted(found, key=lambda pair: _rank(pair[1])))


def _near(node: Node, value: Any) -> Iterator[Any]:
    match node, value:
        case {"format": "dice"}, _:
            yield from _next_dice(value)
        case _, bool():
            yield not value
        case _, int():
            yield from (value - 1, value + 1)
        case {"items": {"enum": _}}, list():
            yield from _one_more_or_less(node["items"]["enum"], value)
        case _, [[*_], *_] if sum(map(len, value)) > MOST_ITEMS:
            yield from (
                [*value[:i], [n + by for n in row], *value[i + 1 :]] for i, row in enumerate(value) for by in (-1, 1)
            )
        case _, list():
            yield from _item_by_item(node, value)
        case {"anyOf": [*_, {"format": "fraction"}]}, _:
            part = Fraction(1, Fraction(value).denominator)
            yield from (str(Fraction(value) - part), str(Fraction(value) + part))
        case _, _:
            yield from (word for word in words(node) if word != value)


def _item_by_item(node: Node, values: Sequence[Any]) -> Iterator[list[Any]]:
    for i, value in enumerate(values):
        yield from ([*values[:i], other, *values[i + 1 :]] for other in _near(_item(node, i), value))


def _item(node: Node, place: int) -> Node:
    return node["prefixItems"][place] if "prefixItems" in node else node["items"]


def _one_more_or_less(words: Sequence[str], values: Sequence[str]) -> Iterator[list[str]]:
    for word in words:
        yield [other for other in values if other != word] if word in values else [*values, word]


def words(node: Node) -> Iterator[str]:
    """Yield every word that a part of a schema allows."""
    yield from node.get("enum", ())
    yield from [node["const"]] if "const" in node else []
    for one in node.get("anyOf", ()):
        yield from words(one)


def _next_dice(value: int | str) -> Iterator[int | str]:
    mean: Fraction = parse_die(str(value)).pmf.mean
    yield from [name for name, die in ladder() if die.pmf.mean < mean][-1:]
    yield from [name for name, die in ladder() if die.pmf.mean > mean][:1]


def _moved(leaves: Mapping[str, Any], key: str) -> Iterator[Step]:
    """Yield the faces of an array moved to those that hold the next one; into an empty array, any face of another."""
    own, table = leaves[key], ".".join(key.split(".")[:2]) + "."
    beside = {other: faces for other, faces in leaves.items() if other != key and other.startswith(table)}
    for other, theirs in beside.items() if isinstance(own, list) else ():
        if not isinstance(theirs, list):
            continue
        for face in own:
            if {face - 1, face + 1} & {*theirs}:
                yield {key: [one for one in own if one != face], other: sorted([*theirs, face])}
        for face in theirs if not own else ():
            yield {key: [face], other: [one for one in theirs if one != face]}

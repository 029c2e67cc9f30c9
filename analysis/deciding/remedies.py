"""Remedies: which single value of a book, a step or a few away, brings a response to where it is wanted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.points.batches import play
from analysis.points.point import Played, Point
from analysis.points.responses import Estimate, sensible
from analysis.points.stopping import short
from analysis.say.blocks import Block, Grid
from analysis.say.engine import not_enough
from analysis.say.numbers import goal, signed, with_interval
from analysis.say.rules import change_words, is_of_base_game
from analysis.values.steps import Step, steps
from sims.engines import Progress
from sims.errors import CasemateError, nearest

MOST_STEPS = 6
"""How far a value that helps is followed."""
MOST_TURNS = 2
"""How far a designer turns a value to put a balance back."""
LEVERS = 8
"""Values that a designer is shown at most."""
SHOWN = 5
"""Remedies whose side effects are played."""
LITTLE = 0.001
"""What brings a response no nearer than this, a game in a thousand, is no remedy."""


@dataclass(frozen=True)
class Remedy:
    """One value changed until it helps no more.

    Attributes:
        steps: How many steps that is away.
        left: How far that is from what is wanted.
    """

    key: str
    values: Step
    steps: int
    response: Estimate
    left: float


@dataclass(frozen=True)
class Remedies:
    """What brings a response of an assault to where it is wanted.

    Attributes:
        found: The best first.
        moves: For each of the first remedies, how far it moves the response in the others, None where one is
            impossible; None for those after.
    """

    point: Point
    response: str
    target: float
    found: list[Remedy]
    others: list[Point]
    moves: list[list[float | None] | None]


def seek(
    point: Point,
    response: str,
    target: float,
    others: Sequence[Point],
    known: Played,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Remedies:
    """Seek remedies, and what the first of them do to other assaults; with the inputs of `remedies`."""
    found = remedies(point, response, target, known, workers=workers, progress=progress)
    moves = side_effects(found[:SHOWN], others, response, known, workers=workers)
    return Remedies(point, response, target, found, [*others], [*moves, *[None] * len(found[SHOWN:])])


def levers(
    point: Point,
    response: str,
    target: float,
    others: Sequence[Point],
    known: Played,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Remedies:
    """Seek the values that a designer would turn first to put a response back; with the inputs of `remedies`.

    They are turned by a step or two: those that the house rule changes, then others of its book, then those of the base
    game. What does not make up half of the difference is left out, unless nothing does.
    """
    every = remedies(point, response, target, known, most_steps=MOST_TURNS, workers=workers, progress=progress)
    half = abs(point.responses(known.of(point))[response].value - target) / 2
    rules, changed = point.rule_set, point.rule_set.changes()
    found = sorted(
        [one for one in every if one.left <= half] or every,
        key=lambda one: (one.key not in changed, is_of_base_game(rules.book, one.key)),
    )[:LEVERS]
    moves = side_effects(found, others, response, known, workers=workers)
    return Remedies(point, response, target, found, [*others], [*moves])


def remedies(
    point: Point,
    response: str,
    target: float,
    known: Played,
    *,
    most_steps: int = MOST_STEPS,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Remedy]:
    """Try every value of a book one step either way, follow those that help, and return these, the best first.

    Args:
        most_steps: How far those that help are followed.

    Raises:
        CasemateError: If there is no such response, or the target is no chance.
    """
    sensible(response, target)
    reading = known.read(point)
    now = point.responses(reading.margins)
    if response not in now:
        raise CasemateError(f'there is no response "{response}"; {nearest(response, now)}')
    ways = [(key, way) for key, some in steps(point.rule_set, sorted(reading.leaves)).items() for way in some]
    results = play((_with(point, way) for _, way in ways), known, workers=workers, progress=progress)
    found = dict[str, Remedy]()
    gap = abs(now[response].value - target)
    for (key, way), result in zip(ways, results, strict=True):
        if isinstance(result, CasemateError):
            continue
        answer = point.responses(result)[response]
        one = Remedy(key, way, 1, answer, abs(answer.value - target))
        if one.left < (found[key].left if key in found else gap - LITTLE):
            found[key] = one
    followed = [_followed(point, one, response, target, known, most_steps) for one in found.values()]
    return sorted(followed, key=lambda one: (round(one.left, 4), one.steps, one.key))


def _with(point: Point, values: Step) -> Point:
    return point.under(point.rule_set.with_values(values))


def _followed(point: Point, one: Remedy, response: str, target: float, known: Played, most: int) -> Remedy:
    """Take steps on as long as each brings the response nearer to what is wanted."""
    start = point.rule_set.book.leaves()[one.key]
    while one.steps < most:
        here = _with(point, one.values)
        better = one
        for way in steps(here.rule_set, [one.key])[one.key]:
            if places(start, way[one.key]) > 1:
                continue
            try:
                answer = point.responses(known.of(here.under(here.rule_set.with_values(way))))[response]
            except CasemateError:
                continue
            left = abs(answer.value - target)
            if left < better.left:
                better = Remedy(one.key, {**one.values, **way}, one.steps + 1, answer, left)
        if better is one:
            return one
        one = better
    return one


def places(before: Any, now: Any) -> int:
    """Return in how many places a value differs: one, or as many as items of an array do."""
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return sum(one != other for one, other in zip(before, now, strict=True))
    return 1


def side_effects(
    found: Sequence[Remedy], others: Sequence[Point], response: str, known: Played, *, workers: int = 1
) -> list[list[float | None]]:
    """Return how far each remedy moves a response in other assaults; None where it makes one impossible."""
    books = [others[0].rule_set.with_values(one.values) for one in found] if others else []
    asked = [each.under(book) for book in books for each in others]
    before = [*play(others, known, workers=workers)]
    results = iter([*play(asked, known, workers=workers)])  # all: workers left alone would warn
    moves: list[list[float | None]] = []
    for _ in found:
        row: list[float | None] = []
        for each, was in zip(others, before, strict=True):
            now = next(results)
            known_both = not isinstance(now, CasemateError) and not isinstance(was, CasemateError)
            row.append(_moved(each, was, now, response) if known_both else None)
        moves.append(row)
    return moves


def _moved(point: Point, was: Any, now: Any, response: str) -> float:
    return point.responses(now)[response].value - point.responses(was)[response].value


def blocks(sought: Remedies) -> Iterator[Block]:
    """Yield remedies as a table: what is changed, what comes of it, and what the first do to other assaults."""
    point, response = sought.point, sought.response
    scale = 100 if response.startswith("p_") else 1
    was, rows = point.rule_set.book.leaves(), []
    where = f"{point.scenario.title}, {point.rule_set.title}, {goal(response, sought.target)}"
    if sought.found:
        one = min(sought.found, key=lambda found: abs(found.response.value - sought.target))
        change = ", ".join(f"{key}: {change_words(was[key], value)}" for key, value in one.values.items())
        yield f"{where}: one value changed comes nearest with {change} ({with_interval(one.response, scale)})."
    else:
        yield f"{where}: no single value brings it nearer by a game in a thousand."
    for one, moves in zip(sought.found, sought.moves, strict=True):
        change = ", ".join(f"{key}: {change_words(was[key], value)}" for key, value in one.values.items())
        aside = [
            f"{each.scenario.id} {signed(scale * move) if move is not None else 'impossible'}"
            for each, move in zip(sought.others, moves or (), strict=False)
            if move is None or signed(scale * move) != signed(0)
        ]
        elsewhere = ", ".join(aside) or "nothing" * bool(moves)
        rows.append((change, str(one.steps), with_interval(one.response, scale), elsewhere))
    if rows:
        yield Grid(("change", "steps", "gives", "and elsewhere"), tuple(rows), 4)
    answers = ({response: one.response} for one in sought.found)
    yield from not_enough(point.how, short(answers, point.how.until))


def as_data(sought: Remedies) -> dict[str, Any]:
    """Return the same as JSON has it."""
    names = [each.name for each in sought.others]
    return {
        "response": sought.response,
        "target": sought.target,
        "remedies": [
            {
                "values": dict(one.values),
                "steps": one.steps,
                "value": one.response.value,
                "others": dict(zip(names, moves, strict=True)) if moves is not None else None,
            }
            for one, moves in zip(sought.found, sought.moves, strict=True)
        ],
    }

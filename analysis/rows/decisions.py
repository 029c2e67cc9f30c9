"""Rows of what is decided: what a change of rules does, what rulings are worth, where a response meets a target."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from analysis.points.responses import ALIKE
from analysis.rows.sweeps import LevelRow
from analysis.say.rules import holder, part_name, titles
from sims.rulebook import Ruling

if TYPE_CHECKING:
    from analysis.deciding.explain import Part, Sensitivity, Sharing
    from analysis.deciding.receipt import Line, Receipt
    from analysis.deciding.solve import Solution
    from analysis.deciding.versus import Versus
    from analysis.points.point import Point
    from analysis.points.suite import Game


class MoveRow(NamedTuple):
    """The chance of something in one assault, before a change of rules and now.

    `low` and `high` say from where to where it has moved, where that was sampled.
    """

    label: str
    look: str
    before: float
    now: float
    low: float | None = None
    high: float | None = None


class ShareRow(NamedTuple):
    """How much of a move one part of a change has done."""

    label: str
    part: str
    share: float


class SharedRow(NamedTuple):
    """A move, and how much of it one part of the change has done; none where the change is not shared out."""

    label: str
    look: str
    before: float
    now: float
    low: float | None
    high: float | None
    part: str | None = None
    share: float | None = None


class RulingRow(NamedTuple):
    """What a response is if a ruling is another: its clause and question, the option in force, and the other."""

    look: str
    clause: str
    question: str
    at: str
    to: str
    now: float
    value: float
    low: float | None
    high: float | None


class VersusRow(NamedTuple):
    """A response of one assault under A and under B; `low` and `high` say how much larger that of B may be.

    `first` and `second` are what the two are called in a sentence ("under Storming buildings"), `look` is how B looks.
    """

    plan: str
    defence: str
    first: str
    second: str
    look: str
    one: float
    other: float
    low: float | None
    high: float | None
    certified: bool = False


class CrossingRow(NamedTuple):
    """The neighbouring levels between which a response meets its target, and how far from one to the other."""

    rules: str
    look: str
    one: float | str
    other: float | str
    part: float
    target: float


def solve_rows(found: "Sequence[Solution]") -> tuple[list[LevelRow], list[CrossingRow]]:
    """Return what a response is at the levels that were tried, and where it meets its target, under each set of rules.

    Levels are words where any is one, such as a die.
    """
    words = any(isinstance(level.value, str) for one in found for level in one.levels)
    level, lines, met = str if words else float, list[LevelRow](), list[CrossingRow]()
    for name, one in zip(titles([one.rule_set for one in found]), found, strict=True):
        look = one.rule_set.look
        lines += [LevelRow(name, look, level(each.value), *each.response.drawn) for each in one.levels]
        for low, high in one.crossings:
            apart = high.response.value - low.response.value
            part = (one.target - low.response.value) / apart if apart else 0.0
            met.append(CrossingRow(name, look, level(low.value), level(high.value), part, one.target))
    return lines, met


def move_rows(found: "Receipt") -> list[MoveRow]:
    """Return what moves by a point or more in a receipt: those by end, and within it those with own plans first."""
    look, rows = found.after.look, list[MoveRow]()
    for label, end, line in _moved(found):
        before = line.before[end].value
        apart = line.apart[end].ends if end in line.apart else None
        interval = [min(max(before + by, 0.0), 1.0) for by in apart] if apart else (None, None)
        rows.append(MoveRow(label, look, before, line.after[end].value, *interval))
    return rows


def share_rows(found: "Receipt", parts: "Sequence[Part]", shares: "Mapping[Game, Sharing]") -> list[ShareRow]:
    """Return how much of each of these moves each part of the change has done."""
    return [
        ShareRow(label, part_name(part), float(share))
        for label, end, line in _moved(found)
        if line.game in shares
        for part, share in zip(parts, shares[line.game].shares[end], strict=True)
    ]


def shared_rows(moves: Sequence[MoveRow], shares: Sequence[ShareRow]) -> list[SharedRow]:
    """Return moves, each once for every part of the change with what that has done of it."""
    rows = list[SharedRow]()
    for move in moves:
        parts = [(each.part, each.share) for each in shares if each.label == move.label]
        rows += [SharedRow(*move, *part) for part in parts] or [SharedRow(*move)]
    return rows


def versus_rows(found: "Versus", response: str = "p_captured") -> list[VersusRow]:
    """Return a response of both contestants for each pair of plans, those that were asked for first."""
    first, second = found.pair
    return [
        VersusRow(
            *line.point.plans,
            first.where,
            second.where,
            second.rule_set.look,
            line.before[response].value,
            line.after[response].value,
            *line.by(response).drawn[1:],
            line.by(response).certified,
        )
        for line in found.lines
    ]


def _moved(found: "Receipt") -> "Iterator[tuple[str, str, Line]]":
    """Yield what each move is called, which end it is of, and the game."""
    from analysis.deciding.receipt_opening import by_end, merge_alike  # here, for no other row needs it

    ends = [(end, lines) for end, _, lines in by_end(found)]
    for end, lines in ends:
        of = f": {end.removeprefix('p_')}" if len(ends) > 1 else ""
        yield from ((f"{line.point.scenario.id}, {plans}{of}", end, line) for plans, line in merge_alike(lines))


def ruling_rows(point: "Point", found: "Sensitivity", response: str) -> list[RulingRow]:
    """Return what a response is with each option of a ruling that moves it, those that move it most first."""
    now, look, rows = found.before[response].value, point.rule_set.look, list[RulingRow]()
    for worth in found.worth:
        estimate = worth.responses[response]
        for key, option in (pair for step in worth.steps for pair in step.items()):
            ruling = holder(point.rule_set.book, key)
            if isinstance(ruling, Ruling) and abs(estimate.value - now) >= ALIKE:
                words = ruling.clause, ruling.question, ruling.said, ruling.options[option]
                rows.append(RulingRow(look, *words, now, *estimate.drawn))
    return rows

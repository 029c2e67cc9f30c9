"""A receipt: what a change of rules does to a suite of assaults, which part of it does that, and what it is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.batches import play
from analysis.compare import same
from analysis.explain import Part, Sharing, parts, shared
from analysis.margins import ENDS, SIDES
from analysis.point import AUTO, How, Played, Point, own, point
from analysis.responses import Estimate
from analysis.solve import Level
from analysis.suite import Game, points
from sims.engines import Progress
from sims.errors import CasemateError
from sims.rulebook import differences
from sims.rulesets import RuleSet
from sims.scenario import Side

A_POINT = 0.01
"""A move of so much, one game of a hundred, is told."""
COLUMNS = 3
"""Parts of a change that have a column each; of more, `explain` tells."""
FARTHEST = 10
"""How many models more or less are tried, to weigh a change in them."""

Answers = Mapping[str, Estimate]


@dataclass(frozen=True)
class Line:
    """One assault before and after.

    Attributes
    ----------
    game : Game
        The scenario by the name it was given by, and both plans.
    point : Point
        The assault under the rules as they were.
    before, after : mapping
        The responses.
    """

    game: Game
    point: Point
    before: Answers
    after: Answers

    @property
    def own(self) -> bool:
        """Whether both sides have the scenario's own plans."""
        return self.point.plans == own(self.point.scenario)

    @property
    def still(self) -> bool:
        """Whether nothing has moved."""
        return same(self.before, self.after)

    @property
    def sampled(self) -> bool:
        """Whether an answer has an error."""
        return any(found["p_held"].low is not None for found in (self.before, self.after))

    def move(self, response: str) -> float:
        """Return how far a response has moved."""
        return self.after[response].value - self.before[response].value

    def moves(self, least: float = A_POINT) -> bool:
        """Return whether the chance of any end has moved by so much."""
        return any(abs(self.move(f"p_{end}")) >= least for end in ENDS)


@dataclass(frozen=True)
class Receipt:
    """What a change of rules does to a suite.

    Attributes
    ----------
    before, after : RuleSet
    lines : tuple of Line
        The games that can be played under both, in the order of the suite.
    refused : mapping
        The games that cannot, and why.
    """

    before: RuleSet
    after: RuleSet
    lines: tuple[Line, ...]
    refused: Mapping[Game, str]

    @property
    def how(self) -> How:
        """How the games were computed."""
        return self.lines[0].point.how if self.lines else AUTO

    @property
    def sampled(self) -> bool:
        """Whether any answer has an error."""
        return any(line.sampled for line in self.lines)

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What differs between the two books."""
        return differences(self.before.book, self.after.book)

    def moved(self, response: str) -> list[Line]:
        """Return the games in which a response moves by a point: those with own plans first, then by how far."""
        found = [line for line in self.lines if abs(line.move(response)) >= A_POINT]
        return sorted(found, key=lambda line: (not line.own, -abs(line.move(response))))


def receipt(
    before: RuleSet,
    after: RuleSet,
    games: Sequence[Game],
    *,
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Receipt:
    """Play a suite under two sets of rules; nothing is played if they are the same.

    Raises
    ------
    CasemateError
        If the two are not of one kind.
    """
    known = Played() if known is None else known
    if not differences(before.book, after.book):
        return Receipt(before, after, (), {})
    asked = points(games, before, how)
    first = [*play(asked, known, workers=workers, progress=_half(progress, 0))]
    now = play([was.under(after) for was in asked], known, workers=workers, progress=_half(progress, 1))
    lines, refused = list[Line](), dict[Game, str]()
    for game, was, one, other in zip(games, asked, first, now, strict=True):
        if isinstance(one, CasemateError) or isinstance(other, CasemateError):
            refused[game] = str(one if isinstance(one, CasemateError) else other)
        else:
            lines.append(Line(game, was, was.responses(one), was.responses(other)))
    return Receipt(before, after, tuple(lines), refused)


def _half(progress: Progress | None, part: int) -> Progress | None:
    """Return a progress for the first half of a work, or for the second."""
    return (lambda done, of: progress(done + part * of, 2 * of)) if progress else None


def divided(found: Receipt) -> list[Part]:
    """Return the parts of a change that it can be shared over; none if they are too many."""
    try:
        return parts(found.before, found.after)
    except CasemateError:
        return []


def shares(
    found: Receipt, lines: Sequence[Line], known: Played, *, workers: int = 1, progress: Progress | None = None
) -> tuple[list[Part], dict[Game, Sharing]]:
    """Share what a change does to some games over its parts, if these are few: the parts, and what each is worth.

    Parameters
    ----------
    lines : sequence of Line
        Some of those of the receipt.
    known : Played
        Results that are there already; new ones are added.
    """
    changed = divided(found)
    if not 1 < len(changed) <= COLUMNS:
        return [], {}
    points = [line.point for line in lines]
    each = shared(points, found.after, changed, known, workers=workers, progress=progress)
    pairs = zip(lines, each, strict=True)
    return changed, {line.game: sharing for line, sharing in pairs if isinstance(sharing, Sharing)}


@dataclass(frozen=True)
class Weight:
    """What a change comes to in models of one side: the neighbouring numbers between which the old chance is met.

    Attributes
    ----------
    side : str
    present : int
        Its models.
    levels : tuple of Level
        The last number on this side of the old chance and the first beyond it; none if no number tried is.
    """

    side: Side
    present: int
    levels: tuple[Level, ...]


def weigh(line: Line, after: RuleSet, response: str, known: Played) -> list[Weight]:
    """Return what a change is worth in one game, in attackers and in models inside: so many undo it."""
    return [weight for side in SIDES if (weight := _weigh(line, after, response, side, known)).levels]


def _weigh(line: Line, after: RuleSet, response: str, side: Side, known: Played) -> Weight:
    """Try more and more models of a side, or fewer and fewer, until the old chance is passed."""
    target, now = line.before[response].value, getattr(line.point.models, side)
    helps_attackers = line.move(response) > 0
    step = -1 if helps_attackers == (side == "attackers") else 1
    levels = [Level(now, line.after[response])]
    for n in range(now + step, now + step * (FARTHEST + 1), step):
        try:
            each = point(line.game.scenario, after, {f"{side}.models": n}, plans=line.point.plans, how=line.point.how)
            levels.append(Level(n, each.responses(known.of(each))[response]))
        except CasemateError:
            return Weight(side, now, ())  # no such assault: too few, too many for the files or the rules
        if (levels[-1].response.value - target) * (levels[0].response.value - target) <= 0:
            return Weight(side, now, (levels[-2], levels[-1]))
    return Weight(side, now, ())

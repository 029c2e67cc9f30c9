"""A receipt: what a change of rules does to a suite of assaults, which part of it does that, and what it is worth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path
from typing import Any, Literal

from analysis.deciding.explain import Part, Sharing, parts, sharings
from analysis.deciding.solve import Level
from analysis.points.batches import play as played
from analysis.points.intervals import reach, trials_for
from analysis.points.margins import ENDS, SIDES, Margins
from analysis.points.paired import DIFFER, told_apart, trials_of_both
from analysis.points.plans import BEST, own_plans
from analysis.points.point import AUTO, How, Played, Point, point
from analysis.points.responses import Estimate, difference, same
from analysis.points.stopping import half, looks
from analysis.points.suite import Game, games_for, load, points, shipped_games
from sims.engines import Progress
from sims.engines.processes import parallel
from sims.errors import CasemateError
from sims.rulebook import differences
from sims.rulesets import RuleSet, rule_set
from sims.scenario import Side

A_POINT = 0.01
"""A move of so much, one game of a hundred, is told."""
MOVED = 0.25
"""A mean of models or turns that moves by less is not told."""
COLUMNS = 3
"""Parts of a change that have a column each; of more, `explain` tells."""
FARTHEST = 10
"""How many models more or less are tried, to weigh a change in them."""

Answers = Mapping[str, Estimate]


@dataclass(frozen=True)
class Line:
    """One assault before and after.

    Attributes:
        game: The scenario by the name it was given by, and both plans.
        trials: Of both, if they are sampled.
        apart: By how much chances and means have moved, if they are sampled and not the same, with intervals that share
            an error over the whole receipt.
    """

    game: Game
    point: Point
    before: Answers
    after: Answers
    trials: int | None = None
    apart: Answers = field(default_factory=dict)

    @property
    def own(self) -> bool:
        """Whether both sides have the scenario's own plans, or play their best."""
        return self.point.plans == own_plans(self.point.scenario) or self.point.plans == (BEST, BEST)

    @property
    def still(self) -> bool:
        """Whether nothing has moved."""
        return same(self.before, self.after)

    @property
    def sampled(self) -> bool:
        """Whether an answer has an error."""
        return any(found["p_held"].sampled for found in (self.before, self.after))

    @property
    def certified(self) -> bool:
        """Whether an answer is known within bounds."""
        return any(found["p_held"].certified for found in (self.before, self.after))

    def by(self, response: str) -> Estimate:
        """Return by how much a response is larger after than before, as an estimate."""
        return self.apart.get(response) or difference(self.before[response], self.after[response])

    def move(self, response: str) -> float:
        """Return how far a response has moved; not at all where that may be luck."""
        low, high = self.by(response).ends
        if low < 0 < high:
            return 0.0
        return self.after[response].value - self.before[response].value

    def moves(self, least: float = A_POINT) -> bool:
        """Return whether the chance of any end has moved by so much."""
        return any(abs(self.move(f"p_{end}")) >= least for end in ENDS)

    @property
    def in_doubt(self) -> bool:
        """Whether an end may have moved by a point, and may not have moved."""
        ends = [self.apart[f"p_{end}"].ends for end in ENDS if self.apart]
        return any(low < 0 < high and max(-low, high) >= A_POINT for low, high in ends)


@dataclass(frozen=True)
class Receipt:
    """What a change of rules does to a suite.

    Attributes:
        lines: The games that can be played under both, in the order of the suite.
        refused: The games that cannot, and why.
        shared: How many sampled answers share the error of one interval.
    """

    before: RuleSet
    after: RuleSet
    lines: tuple[Line, ...]
    refused: Mapping[Game, str]
    shared: int = 1

    @property
    def how(self) -> How:
        """How the games were computed."""
        return self.lines[0].point.how if self.lines else AUTO

    @property
    def sampled(self) -> bool:
        """Whether any answer has an error."""
        return any(line.sampled for line in self.lines)

    @property
    def answers(self) -> Iterator[Answers]:
        """The responses of all games, before and after."""
        return (answers for line in self.lines for answers in (line.before, line.after))

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What differs between the two books."""
        return differences(self.before.book, self.after.book)

    @property
    def asks(self) -> int | None:
        """How many trials tell a move of two points, or of half a model or turn, 99 times in 100; None if exact."""
        z = reach(self.shared * looks(self.how.trials, self.how.until))
        asked = (
            _asks(name, each, line.trials, z) for line in self.lines if line.trials for name, each in line.apart.items()
        )
        return max(asked, default=None)

    @property
    def in_doubt(self) -> list[Line]:
        """The games in which an end may have moved by a point, and may not have moved."""
        return [line for line in self.lines if line.in_doubt]

    def movers(self, response: str) -> list[Line]:
        """Return the games in which a response moves by a point: those with own plans first, then by how far."""
        found = [line for line in self.lines if abs(line.move(response)) >= A_POINT]
        return sorted(found, key=lambda line: (not line.own, -abs(line.move(response))))


def receipt(
    rules: str | Path | RuleSet,
    against: str | Path | RuleSet | None = None,
    games: str | Path | Sequence[Game] | None = None,
    *,
    play: Literal["fixed", "best"] = "fixed",
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Receipt:
    """Find out what a house rule does: play many assaults without it and with it.

    >>> from analysis import games, receipt
    >>> found = receipt("storming", against="storming", games=games(["farmhouse"]))
    >>> found.lines  # these two are the same, so nothing has to be played
    ()

    `show(found)` prints it; `rows.move_rows(found)` are the moves for `charts.move_chart`.

    Args:
        rules: The path of a house rule.
        against: The rules that it is compared with; its base if not given.
        games: The assaults: the path of a suite, or what `games` returns; if not given all scenarios that come with
            Casemate, under all pairs of plans.
        play: Keep to these plans, or let both sides play their best.

    Raises:
        CasemateError: If there is nothing to compare the rules with, or the two are not of one kind.
    """
    known, after = Played() if known is None else known, rule_set(rules)
    before = after.made_from if against is None else rule_set(against)
    if before is None:
        raise CasemateError(f"{after.id} is no house rule; say against which rules it is compared")
    if games is None:
        games = shipped_games()
    suite = games_for(load(Path(games)) if isinstance(games, str | Path) else games, play)
    if not differences(before.book, after.book):
        return Receipt(before, after, (), {})
    asked = points(suite, before, how)
    pairs = [(was, was.under(after)) for was in asked]
    lines, refused, shared = lines_of(suite, pairs, known, workers=workers, progress=progress)
    return Receipt(before, after, lines, refused, shared)


def lines_of(
    suite: Sequence[Game],
    pairs: Sequence[tuple[Point, Point]],
    known: Played,
    *,
    shared: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[tuple[Line, ...], dict[Game, str], int]:
    """Play each game of a suite as two design points.

    Args:
        pairs: The points of each game.
        shared: How many intervals share the error of one; all that the lines have together if not given.

    Returns:
        The lines of the games that can be played twice; the others, and why not; and how many intervals share an error.
    """
    first = [*played([one for one, _ in pairs], known, workers=workers, progress=_half(progress, 0))]
    now = played([other for _, other in pairs], known, workers=workers, progress=_half(progress, 1))
    lines, jobs, refused = list[Line](), list[tuple[Point, Point, Margins, Margins]](), dict[Game, str]()
    for game, (one, other), was, is_ in zip(suite, pairs, first, now, strict=True):
        if isinstance(was, CasemateError) or isinstance(is_, CasemateError):
            refused[game] = str(was if isinstance(was, CasemateError) else is_)
        else:
            lines.append(Line(game, one, one.responses(was), other.responses(is_), trials_of_both(was, is_)))
            jobs.append((one, other, was, is_))
    if shared is None:
        shared = max(1, len(DIFFER) * sum(line.sampled for line in lines))
    doubtful = [i for i, line in enumerate(lines) if line.sampled and not line.still]
    asked = [(*jobs[i], shared) for i in doubtful]
    apart = _spread(asked, workers) if workers > 1 and len(asked) > 1 else starmap(told_apart, asked)
    for i, found in zip(doubtful, apart, strict=True):
        lines[i] = replace(lines[i], apart=found)
    return tuple(lines), refused, shared


def _spread(jobs: Iterable[tuple[Any, ...]], workers: int) -> Iterable[dict[str, Estimate]]:
    from joblib import delayed  # a third of a second to import

    return parallel(workers)(delayed(told_apart)(*job) for job in jobs)


def _asks(name: str, apart: Estimate, trials: int, z: float) -> int:
    """Return how many trials tell a move of twice what is told; a chance that moves so far is as often another."""
    chance = name.startswith("p_")
    distance = 2 * (A_POINT if chance else MOVED)
    return trials_for(distance, max(trials * (half(apart) / z) ** 2, distance * chance), z)


def _half(progress: Progress | None, part: int) -> Progress | None:
    """Return a progress for the first half of a work, or for the second."""
    return (lambda done, of: progress(done + part * of, 2 * of)) if progress else None


def parts_to_share(found: Receipt) -> list[Part]:
    """Return the parts of a change that it can be shared over; none if they are too many."""
    try:
        return parts(found.before, found.after)
    except CasemateError:
        return []


def shares(
    found: Receipt, lines: Sequence[Line], known: Played, *, workers: int = 1, progress: Progress | None = None
) -> tuple[list[Part], dict[Game, Sharing]]:
    """Share what a change does to some games over its parts, if these are few: the parts, and what each is worth."""
    changed = parts_to_share(found)
    if not 1 < len(changed) <= COLUMNS:
        return [], {}
    points = [line.point for line in lines]
    each = sharings(points, changed, known, workers=workers, progress=progress)
    pairs = zip(lines, each, strict=True)
    return changed, {line.game: sharing for line, sharing in pairs if isinstance(sharing, Sharing)}


@dataclass(frozen=True)
class Weight:
    """What a change comes to in models of one side: the neighbouring numbers between which the old chance is met.

    Attributes:
        levels: The last number on this side of the old chance and the first beyond it; none if no number tried is.
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

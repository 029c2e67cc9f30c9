"""Explain: what each part of a change is worth, and what each value of a book is worth one step either way."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, combinations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from analysis.points.batches import play
from analysis.points.intervals import reach
from analysis.points.margins import ENDS, Margins
from analysis.points.paired import weighted
from analysis.points.plans import as_plans, own_plans
from analysis.points.point import AUTO, FARMHOUSE, How, Played, Point
from analysis.points.responses import Estimate, check_response, responses, same
from analysis.values.steps import Step, is_allowed, steps
from sims.engines import Progress
from sims.errors import CasemateError, nearest
from sims.rulebook import differences
from sims.rulesets import RuleSet, rule_set
from sims.scenario import Scenario, load_scenario

MOST_PARTS = 7
"""Parts that a change is shared over at most; all their combinations are played."""

SEEN = 0.001
"""A chance that moves less looks the same where it is told."""

Part = Mapping[str, Any]
"""Values that changed together, by the keys of a book."""


def parts(before: RuleSet, after: RuleSet) -> list[Part]:
    """Return in what parts one book became another: each key, or all keys of a table where they are many.

    Keys that the book does not take without each other are one part as well.

    Raises:
        CasemateError: If the two are not of one kind, or differ in more tables than can be shared out.
    """
    changed = {key: value for key, (_, value) in differences(before.book, after.book).items()}
    alone: list[Part] = [{key: value} for key, value in changed.items()]
    if len(alone) <= MOST_PARTS and all(is_allowed(before, together(some)) for some in subsets(alone)):
        return alone
    tables = dict[str, dict[str, Any]]()
    for key, value in changed.items():
        tables.setdefault(".".join(key.split(".")[:2]), {})[key] = value
    if len(tables) > MOST_PARTS:
        message = f"{after.id} differs from {before.id} in {len(tables)} tables and rulings"
        raise CasemateError(f"{message}; expected at most {MOST_PARTS} to share a difference over")
    return [*tables.values()]


def together(some: Iterable[Part]) -> dict[str, Any]:
    """Return the values of several parts."""
    return {key: value for part in some for key, value in part.items()}


def subsets(some: Sequence[Part]) -> Iterable[tuple[Part, ...]]:
    """Return every choice of parts: none, one, ... all of them."""
    return chain.from_iterable(combinations(some, n) for n in range(len(some) + 1))


def shapley(n: int, worth: Mapping[frozenset[int], Fraction]) -> list[Fraction]:
    """Return the share of each of n players in what all of them are worth: the mean of what he adds, over all orders.

    Args:
        worth: For every set of players, 0 to n - 1, what it is worth.
    """
    shares = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        share = Fraction(0)
        for size in range(n):
            weight = Fraction(1, n * comb(n - 1, size))
            for some in map(frozenset, combinations(others, size)):
                share += weight * (worth[some | {i}] - worth[some])
        shares.append(share)
    return shares


@dataclass(frozen=True)
class Sharing:
    """How a difference is shared over the parts of a change.

    Attributes:
        before, after: The responses under both books.
        shares: By response, the share of each part; they add up to the difference of the played numbers.
        within: By response, the 95 % interval of each share; of chances and means, where a number was sampled.
    """

    before: Mapping[str, Estimate]
    after: Mapping[str, Estimate]
    parts: Sequence[Part]
    shares: Mapping[str, Sequence[Fraction]]
    within: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)

    def estimates(self, response: str) -> list[Estimate]:
        """Return the share of each part in a response, with its interval if it was sampled."""
        shares = map(float, self.shares[response])
        if response not in self.within:
            return [*map(Estimate, shares)]
        return [Estimate(share, *ends) for share, ends in zip(shares, self.within[response], strict=True)]


def sharings(
    points: Sequence[Point],
    changed: Sequence[Part],
    known: Played,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Iterator[Sharing | CasemateError]:
    """Share what a change of the book does to assaults over its parts; or say why one of them cannot be played.

    Args:
        points: Assaults under the book as it was.
        changed: The parts of the change, see `parts`.
    """
    choices = [frozenset(some) for n in range(len(changed) + 1) for some in combinations(range(len(changed)), n)]
    answers: list[list[Margins | CasemateError]] = [[] for _ in points]
    every: list[list[Point]] = [[] for _ in points]
    for done, some in enumerate(choices):
        if progress:
            progress(done, len(choices))
        books = (each.rule_set.with_values(together(changed[i] for i in sorted(some))) for each in points)
        asked = [each.under(book) for each, book in zip(points, books, strict=True)]
        for found, one, all_, result in zip(answers, asked, every, play(asked, known, workers=workers), strict=True):
            found.append(result)
            all_.append(one)
    for point, some_books, played in zip(points, every, answers, strict=True):
        refused = [result for result in played if isinstance(result, CasemateError)]
        if refused:
            yield refused[0]
            continue
        margins = [result for result in played if isinstance(result, Margins)]
        yield _within(_shared(point, changed, choices, margins), choices, some_books, margins)


def _shared(
    point: Point, changed: Sequence[Part], choices: Sequence[frozenset[int]], played: Sequence[Margins]
) -> Sharing:
    answers = [point.responses(result) for result in played]
    worth = {
        name: {some: Fraction(found[name].value) for some, found in zip(choices, answers, strict=True)}
        for name in answers[0]
    }
    return Sharing(answers[0], answers[-1], changed, {name: shapley(len(changed), of) for name, of in worth.items()})


def _within(
    found: Sharing, choices: Sequence[frozenset[int]], points: Sequence[Point], played: Sequence[Margins]
) -> Sharing:
    """Return a sharing with the intervals of its shares, if any of its numbers was sampled.

    Exact numbers have no error, so that those that were sampled alone are played again, trial by trial.
    """
    drawn = [i for i, margins in enumerate(played) if margins.trials is not None]
    if not drawn:
        return found
    trials = min(trials for margins in played if (trials := margins.trials) is not None)
    n, z = len(found.parts), reach(max(margins.looks for margins in played))
    by_choice = [shapley(n, _alone(choices, i)) for i in drawn]
    weights = [[*map(float, of)] for of in zip(*by_choice, strict=True)]
    within = dict[str, list[tuple[float, float]]]()
    answers = [responses(margins) for margins in played]
    for name, ends in weighted([points[i] for i in drawn], weights, trials, z).items():
        within[name] = []
        for share, each, (low, high) in zip(found.shares[name], weights, ends, strict=True):
            told = sum(weight * answers[i][name].value for weight, i in zip(each, drawn, strict=True))
            known = float(share) - told
            within[name].append((min(low + known, float(share)), max(high + known, float(share))))
    return replace(found, within=within)


def _alone(choices: Sequence[frozenset[int]], i: int) -> dict[frozenset[int], Fraction]:
    """Return what every choice of parts is worth if one alone is worth anything."""
    return {some: Fraction(some == choices[i]) for some in choices}


@dataclass(frozen=True)
class Worth:
    """What one step is worth: all of `steps`, each alone, come to the same."""

    steps: tuple[Step, ...]
    responses: Mapping[str, Estimate]


@dataclass(frozen=True)
class Sensitivity:
    """What each value of a book is worth in one assault.

    Attributes:
        before: The responses with nothing changed.
        worth: The steps that change something, those that move the response asked for most first.
        inert: The keys that are read and change nothing by one step.
        unread: The keys that the assault never reads, so that they cannot matter.
        refused: Why some steps make the assault impossible.
    """

    before: Mapping[str, Estimate]
    worth: tuple[Worth, ...]
    inert: tuple[str, ...]
    unread: tuple[str, ...]
    refused: tuple[str, ...]


def sensitivity(
    point: Point,
    response: str = "p_captured",
    *,
    section: str = "",
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Sensitivity:
    """Play one assault with every value of its book one step either way, or those of a section: its rulings."""
    known = Played() if known is None else known
    first, looked = known.read(point)
    read = {key for key in looked if key.startswith(section)}
    before = point.responses(first)
    ways = [(key, way) for key, some in steps(point.rule_set, sorted(read)).items() for way in some]
    points = [point.under(point.rule_set.with_values(way)) for _, way in ways]
    groups, moving, refused = list[Worth](), set[str](), list[str]()
    played = play(points, known, workers=workers, progress=progress)
    for (key, way), result in zip(ways, played, strict=True):
        if isinstance(result, CasemateError):
            refused.append(f"{key}: {result}")
            continue
        answers = point.responses(result)
        if not same(before, answers):
            moving.add(key)
            groups = _joined(groups, Worth((way,), answers))
    groups.sort(key=lambda worth: -abs(worth.responses[response].value - before[response].value))
    unread = {key for key in point.leaves if key.startswith(section)} - read
    return Sensitivity(before, tuple(groups), tuple(sorted(read - moving)), tuple(sorted(unread)), tuple(refused))


def explain(
    rules: str | Path | RuleSet,
    other: str | Path | RuleSet | None = None,
    scenario: str | Path | Scenario = FARMHOUSE,
    *,
    section: str = "",
    response: str = "p_captured",
    plans: tuple[str, str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Sensitivity | Sharing:
    """Find out what each value of a set of rules is worth in one assault, or which change of a house rule does what.

    >>> from analysis import explain
    >>> found = explain("storming", section="rulings.second_round")
    >>> found.worth[0].steps
    ({'rulings.second_round': 'yes'},)
    >>> round(found.worth[0].responses["p_captured"].value, 2)
    0.78

    ``explain("storming", "my-house-rule.toml")`` shares the difference between the two over the keys that differ.

    Args:
        other: What it is compared with: rules made from the same book.
        section: Which values are tried: those whose key begins like this, such as ``"rulings."``.
        response: What sorts the answer: the values that move it most come first.

    Raises:
        CasemateError: If the two are not made from one book, or the assault cannot be played.
    """
    game, known = load_scenario(scenario), Played() if known is None else known
    first = Point(rule_set(rules), game, as_plans(plans) if plans else own_plans(game), how)
    if other is None:
        check_response(response)
        if not any(key.startswith(section) for key in first.leaves):
            raise CasemateError(
                f'no key of {first.rule_set.id} begins with "{section}"; {nearest(section, first.leaves)}'
            )
        return sensitivity(first, response, section=section, known=known, workers=workers, progress=progress)
    after = rule_set(other)
    found = next(sharings([first], parts(first.rule_set, after), known, workers=workers, progress=progress))
    if isinstance(found, CasemateError):
        raise found
    return found


class Swing(NamedTuple):
    """What another option of a ruling does: the end that it moves most, and how often that comes before and then."""

    option: str
    end: str
    before: Estimate
    then: Estimate

    @property
    def by(self) -> float:
        """How far the end moves."""
        return abs(self.then.value - self.before.value)

    @property
    def seen(self) -> bool:
        """Whether that is a tenth of a point, and no luck: the intervals of sampled numbers lie apart."""
        (low, high), (least, most) = self.before.ends, self.then.ends
        return self.by >= SEEN and (most < low or high < least)


def swings(found: Sensitivity) -> dict[str, Swing]:
    """Return of each ruling that is seen to move an end the option that moves one most, in order of how far."""
    furthest = dict[str, Swing]()
    for worth in found.worth:
        end = max(ENDS, key=lambda name: abs(worth.responses[f"p_{name}"].value - found.before[f"p_{name}"].value))
        for (key, option), *_ in (list(step.items()) for step in worth.steps):
            swing = Swing(option, end, found.before[f"p_{end}"], worth.responses[f"p_{end}"])
            furthest[key] = max(furthest.get(key, swing), swing, key=lambda one: one.by)
    seen = ((key, swing) for key, swing in furthest.items() if swing.seen)
    return dict(sorted(seen, key=lambda pair: -pair[1].by))


def _joined(groups: list[Worth], new: Worth) -> list[Worth]:
    """Return steps with a new one, beside those that come to the same if there are any."""
    for i, worth in enumerate(groups):
        if same(worth.responses, new.responses):
            return [*groups[:i], Worth((*worth.steps, *new.steps), worth.responses), *groups[i + 1 :]]
    return [*groups, new]

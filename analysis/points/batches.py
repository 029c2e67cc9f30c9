"""Batches: design points that begin as starts of one chain, answered together."""

import json
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, TypeGuard

import numpy as np

from analysis.points.margins import ENDS, SIDES, Margins
from analysis.points.plans import BEST
from analysis.points.point import Played, Point, Reading
from sims.assault import Assault
from sims.dice.tables import Numbers
from sims.engines import Ahead, Progress, ahead
from sims.engines.processes import parallel
from sims.engines.walk import LEARNT
from sims.errors import BudgetError, CasemateError
from sims.reads import leaves_read, watched
from sims.rulesets.choosing import Way, best_of, next_ways
from sims.scenario import Force, Scenario, Side

FEW = 4
"""So few points are answered sooner one by one."""

Answer = Reading | CasemateError


def play(
    points: Iterable[Point], known: Played, *, workers: int | str = 1, progress: Progress | None = None
) -> Iterator[Margins | CasemateError]:
    """Play design points, none twice, and yield the margins of each in their order, or why it cannot be played.

    A batch is played whole if any of it is not known, so that its answers never depend on what is.

    Args:
        workers: Processes that play, or the address of a Dask scheduler whose workers do.
    """
    points = list(points)
    every = {each.id: each for each in points}
    found = {key: known.find(each) for key, each in every.items()}
    new = {key for key, answer in found.items() if answer is None}
    jobs = [some for some in batches([*every.values()]) if _lacking(some, new)]
    played = {each.id for some in jobs for each in some}
    arriving, answers = _arriving(jobs, workers, progress), dict[str, Answer]()
    for each in points:
        while each.id in played and each.id not in answers:
            for one, answer in next(arriving):
                answers[one.id] = answer
                if isinstance(answer, Reading | BudgetError):
                    known.add(one, answer)
        match answers.get(each.id) or found[each.id] or _alone(each):
            case Reading(margins):
                yield margins
            case error:
                yield error


def _lacking(some: Sequence[Point], new: Collection[str]) -> bool:
    """Return whether a batch has to be played; where all but the impossible is known, it has not."""
    unknown = [each for each in some if each.id in new]
    return len(unknown) == len(some) or any(_is_playable(each) for each in unknown)


def _is_playable(point: Point) -> bool:
    """Return whether there is an assault to play, however its attackers go in."""
    ways = _ways(point)
    scenario = ways[0].taken(point.scenario) if ways else point.scenario
    return isinstance(_built(point, scenario), Assault)


def _arriving(
    jobs: Sequence[Sequence[Point]], workers: int | str, progress: Progress | None
) -> Iterator[Iterable[tuple[Point, Answer]]]:
    """Yield the points of each batch with their answers as soon as they are there; tell how many have been played."""
    done, of = 0, sum(map(len, jobs))

    def tell(part: int, whole: int, size: int = 0) -> None:
        if progress:
            progress(done + size * part // whole, of)

    tell(0, 1)
    here = ((i, answers_of(some, partial(tell, size=len(some)))) for i, some in enumerate(jobs))
    for i, answers in _spread(jobs, workers) or here:
        done += len(jobs[i])
        tell(0, 1)
        yield zip(jobs[i], answers, strict=True)


def _spread(jobs: Sequence[Sequence[Point]], workers: int | str) -> Iterator[tuple[int, list[Answer]]] | None:
    """Return what comes of batches on other processes or on a cluster, and which it is; None if none are asked for."""
    if isinstance(workers, str):
        from analysis.points.cluster import spread  # which asks for Dask

        return enumerate(spread(workers, answers_of, jobs)) if jobs else None
    return _parallel(jobs, workers) if workers > 1 and len(jobs) > 1 else None


def _parallel(jobs: Iterable[Sequence[Point]], workers: int) -> Iterator[tuple[int, list[Answer]]]:
    from joblib import delayed  # a third of a second to import
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    spread = parallel(workers, return_as="generator_unordered")
    arriving = spread(delayed(_numbered)(i, some) for i, some in enumerate(jobs))
    try:
        for each in arriving:  # noqa: UP028, as what is delegated to would be closed, and warn, before the last line
            yield each
    except TerminatedWorkerError as error:
        raise CasemateError(
            "a process that plays was killed, perhaps for want of memory; what was finished is in the store, if there "
            "is one, and the same command goes on from there; --workers 1 needs the least memory"
        ) from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever stops half-way knows that work is thrown away
            arriving.close()


def _numbered(i: int, some: Sequence[Point]) -> tuple[int, list[Answer]]:
    return i, answers_of(some)


def batches(points: Sequence[Point]) -> list[list[Point]]:
    """Return points in batches: those that differ in models, distance and turn limit alone; others are alone."""
    found = dict[Any, list[Point]]()
    for n, each in enumerate(points):
        found.setdefault(_family(each) if _may_join(each) else n, []).append(each)
    parts = list[list[Point]]()
    for some in found.values():
        parts += [some] if len(some) >= FEW else [[each] for each in some]
    return parts


def answers_of(points: Sequence[Point], progress: Progress | None = None) -> list[Answer]:
    """Return what comes of a batch, or why a point cannot be played; of a single one by the engine it asks for.

    A batch with too many states for one chain goes in halves.
    """
    if len(points) < FEW:
        return [_alone(each, progress) for each in points]
    try:
        return _choosing(points, progress)
    except BudgetError:
        half = len(points) // 2
        return answers_of(points[:half], progress) + answers_of(points[half:], progress)


def _may_join(point: Point) -> bool:
    """Return whether a point is to be exact if possible, by plans, and not to stay within a budget of its own."""
    return point.how.engine in ("auto", "exact") and point.how.budget == LEARNT and BEST not in point.plans


def _family(point: Point) -> str:
    """Return what points have in common that may be answered together: all but their starts."""
    said = {key: value for key, value in point.decisive.items() if key not in ("distance", "turns")}
    for side in SIDES:
        *specials, (*who, _) = said[side]["groups"]
        said[side] = {**said[side], "groups": [*specials, who]}
    return json.dumps([point.rule_set.base, point.rule_set.digest, point.plans, point.how, said], sort_keys=True)


def _alone(point: Point, progress: Progress | None = None) -> Answer:
    try:
        return point.read(progress)
    except CasemateError as error:
        return error


def _choosing(points: Sequence[Point], progress: Progress | None) -> list[Answer]:
    """Answer starts of one chain in which the attackers choose how they go in, each start for itself.

    By each way that one of them has to play, all are played together that have to play it.
    """
    with watched() as seen:
        ways = [_ways(each) for each in points]
    if max(map(len, ways)) < 2:
        return _together(points, progress)
    played = [dict[Way, Answer]() for _ in points]
    rounds, of = count(), max(map(len, ways))

    def tell(done: float, whole: int, before: int) -> None:
        if progress:
            progress(min(before + done / whole, of), of)

    while todo := _next(ways, played):
        for way, some in todo.items():
            asked = [replace(points[i], scenario=way.taken(points[i].scenario)) for i in some]
            answers = answers_of(asked, partial(tell, before=next(rounds)))
            for i, answer in zip(some, answers, strict=True):
                played[i][way] = answer
    leaves = leaves_read(points[0].rule_set.book, seen)
    return [_chosen(leaves, *each) for each in zip(points, ways, played, strict=True)]


def _ways(point: Point) -> Sequence[Way]:
    """Return the ways to go in that the attackers choose from; none where the point cannot be played."""
    try:
        return point.rule_set.ways(point.meant)
    except CasemateError:
        return ()


def _next(ways: Sequence[Sequence[Way]], played: Sequence[Mapping[Way, Answer]]) -> dict[Way, list[int]]:
    """Return the ways that have to be played next, and by which points."""
    todo = dict[Way, list[int]]()
    for i, (some, answers) in enumerate(zip(ways, played, strict=True)):
        won = {way: _won(answer) for way, answer in answers.items()}
        for way in next_ways(some, won) if len(some) > 1 else ():
            todo.setdefault(way, []).append(i)
    return todo


def _chosen(leaves: frozenset[str], point: Point, ways: Sequence[Way], played: Mapping[Way, Answer]) -> Answer:
    """Return what comes of a point by the best way; one that is too large to be exact chooses for itself."""
    readings = {way: answer for way, answer in played.items() if _is_exact(answer)}
    if not readings or len(readings) < len(played):
        return _alone(point)
    best = best_of(ways, {way: _won(answer) for way, answer in readings.items()})
    return Reading(readings[best].margins, leaves.union(*(answer.leaves for answer in readings.values())))


def _is_exact(answer: Answer) -> TypeGuard[Reading]:
    return isinstance(answer, Reading) and answer.margins.trials is None and not answer.margins.left_out


def _won(answer: Answer) -> float:
    """Return the chance that the building is captured or destroyed."""
    if not _is_exact(answer):
        return 0.0
    return float(answer.margins.ends[[[*ENDS].index(end) for end in ("captured", "destroyed")]].sum())


def _together(points: Sequence[Point], progress: Progress | None) -> list[Answer]:
    """Answer starts of one chain; those that a rule tells apart by more than their states are a batch of their own."""
    with watched() as seen:
        starts = [_built(each, each.scenario) for each in points]
        able = {i: start for i, start in enumerate(starts) if isinstance(start, Assault)}
        whole = _built(points[0], _largest([points[i].scenario for i in able] or [points[0].scenario]))
        if isinstance(whole, Assault):
            found = dict(zip(able, ahead(whole, list(able.values()), progress=progress), strict=True))
    if not isinstance(whole, Assault):
        return [_alone(each) for each in points]
    leaves = leaves_read(points[0].rule_set.book, seen)

    apart = [i for i, answer in found.items() if answer is None]
    one_by_one = len(apart) == len(found)
    left = [points[i] for i in apart]
    others = dict(zip(apart, map(_alone, left) if one_by_one else _by_distance(left), strict=True))

    def answer(i: int, start: Assault[Any, Any] | CasemateError) -> Answer:
        if isinstance(start, CasemateError):
            return start
        here = found[i]
        return others[i] if here is None else Reading(_margins(here), leaves)

    return [answer(i, start) for i, start in enumerate(starts)]


def _by_distance(points: Sequence[Point]) -> list[Answer]:
    """Answer points that begin at one distance together: by that rules tell them apart most often."""
    at = dict[int, list[int]]()
    for i, each in enumerate(points):
        at.setdefault(each.scenario.distance, []).append(i)
    found = dict[int, Answer]()
    for some in at.values():
        found |= dict(zip(some, answers_of([points[i] for i in some]), strict=True))
    return [found[i] for i in range(len(points))]


def _built(point: Point, scenario: Scenario) -> Assault[Any, Any] | CasemateError:
    """Return the assault of a point with the numbers of a scenario, or why there is none."""
    try:
        return replace(point, scenario=replace(scenario, one_of_several=True)).assault
    except CasemateError as error:
        return error


def _largest(scenarios: Sequence[Scenario]) -> Scenario:
    """Return a scenario with the most of everything in which some differ."""

    def force(of: Callable[[Scenario], Force]) -> Force:
        return max((of(each) for each in scenarios), key=lambda one: one.models)

    return replace(
        scenarios[0],
        distance=max(each.distance for each in scenarios),
        turns=max(each.turns for each in scenarios),
        attackers=force(lambda each: each.attackers),
        defenders=force(lambda each: each.defenders),
    )


def _margins(of: Ahead) -> Margins:
    lost: dict[Side, Numbers] = {"attackers": of.attackers_lost, "defenders": of.defenders_lost}
    return Margins(np.array([of.ends[end] for end in ENDS.values()]), lost, of.cleared, None, 1)

"""A baseline: what a set of rules, and the suite it was played over, said once; and what has changed since.

A baseline is a file of its own: every value of the book, every unit, weapon, building and scenario, and every answer.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from analysis.points.batches import play
from analysis.points.intervals import reach, trials_for
from analysis.points.margins import Margins
from analysis.points.plans import Best, Plans
from analysis.points.point import MOST_BUDGET, MOST_SEED, MOST_TRIALS, MOST_WITHIN, How, Played
from analysis.points.responses import NAMES, Estimate, difference
from analysis.points.stopping import half, looks
from analysis.points.suite import Game, points
from sims.engines import WITHIN, Engine, Progress
from sims.errors import CasemateError
from sims.profiles import library
from sims.reading import Source, Strict, validate
from sims.rulesets import RuleSet
from sims.scenario import AttackPlan, DefencePlan, written

VERSION = 1
"""What this program writes."""
DIGITS = 12
SAME = 1e-9
"""By how much exact answers differ at most that are the same."""


class Verdict(IntEnum):
    """What became of an answer, the worse the higher."""

    SAME = 0
    WITHIN = 1
    CANNOT_TELL = 2
    CHANGED = 3


Size = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Trials = Annotated[int, Field(ge=1, le=MOST_TRIALS)]
Response = float | Annotated[list[float], Field(min_length=3, max_length=3)]


class Margin(Strict):
    """How far an answer may move: a chance, and a mean of models or turns."""

    chance: Size = 0.01
    mean: Size = 0.25

    def of(self, response: str) -> float:
        """Return the margin of a response."""
        return self.chance if response.startswith("p_") else self.mean


class Recipe(Strict):
    """How the answers were computed: the fields of a `How`."""

    engine: Engine
    budget: Annotated[int, Field(ge=1, le=MOST_BUDGET)]
    trials: Trials
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)]
    until: Annotated[float, Field(gt=0, lt=0.5)] | None = None
    within: Annotated[float, Field(gt=0, le=MOST_WITHIN)] = WITHIN

    @property
    def how(self) -> How:
        """The same for design points."""
        return How(self.engine, self.budget, self.trials, self.seed, self.until, self.within)


class Answer(Strict):
    """What one assault answered: each response, exact a number, else its value with its interval or bounds.

    All sampled answers of a baseline share the error of one interval, so that 95 of 100 baselines hold no wrong one.
    """

    scenario: str
    plan: AttackPlan | Best
    defence: DefencePlan | Best
    trials: Trials | None = None
    responses: Annotated[dict[str, Response], Field(min_length=1)]

    @property
    def game(self) -> Game:
        """The game that was played."""
        return Game(self.scenario, Plans(self.plan, self.defence))

    def __str__(self) -> str:
        """Say which assault it was."""
        return f"{self.scenario}, {self.plan} against {self.defence}"


class Baseline(Strict):
    """A baseline as its file has it.

    Attributes:
        baseline: The version of the file.
        rules: The id of the set of rules, or the name of the house rule's file.
        base: The id of the rule set that they are made from.
        assaults: How many answers it has.
        accepted: Why it was written over, each time.
        leaves: Every value of the book.
        units, weapons, buildings, scenarios: What was played, by value.
    """

    baseline: int
    rules: str
    base: str
    engine: Recipe
    margin: Margin
    accepted: list[str]
    leaves: dict[str, Any]
    units: dict[str, dict[str, Any]]
    weapons: dict[str, dict[str, Any]]
    buildings: dict[str, dict[str, Any]]
    scenarios: dict[str, dict[str, Any]]
    assaults: int
    answers: Annotated[tuple[Answer, ...], Field(strict=False, min_length=1)]


class Change(NamedTuple):
    """One thing that is not as it was: where it stands, what it was and is, and what that comes to."""

    where: str
    before: Any
    after: Any
    verdict: Verdict


def baseline_of(
    rule_set: RuleSet,
    games: Sequence[Game],
    how: How,
    margin: Margin,
    *,
    accepted: Sequence[str] = (),
    workers: int = 1,
    progress: Progress | None = None,
) -> Baseline:
    """Play a suite and return what it says.

    ``baseline(rule_set("storming"), games(["farmhouse"]), How(), Margin())`` is played in some seconds.

    Args:
        games: The assaults.
        how: How they are computed.
        margin: How far an answer may move.
        accepted: Why it was written over, each time.

    Raises:
        CasemateError: If a scenario or a value does not fit.
    """
    engine = validate(Recipe, how._asdict(), [Source("", "", {})])
    asked = points(games, rule_set, how)
    answers = list[Answer]()
    results = [*play(asked, Played(), workers=workers, progress=progress)]  # all: workers left alone would warn
    shared = _shared(result.trials for result in results if isinstance(result, Margins))
    for point, result in zip(asked, results, strict=True):
        if isinstance(result, CasemateError):
            raise result
        found = {name: _rounded(estimate) for name, estimate in point.responses(result, shared).items()}
        plan, defence = point.plans
        name = games[len(answers)].scenario
        answers.append(Answer(scenario=name, plan=plan, defence=defence, trials=result.trials, responses=found))
    scenarios = {game.scenario: written(game.scenario) for game in games}
    shelf = {kind: {name: each.written for name, each in of.items()} for kind, of in library()}
    for name, scenario in scenarios.items():
        for kind in ("units", "weapons"):
            own = {n: each for n, each in scenario[kind].items() if shelf[kind].get(n) != each}
            shelf[kind] |= {f"{name}: {n}": each for n, each in own.items()}
    played = {name: {key: one[key] for key in one if key not in shelf} for name, one in scenarios.items()}
    return Baseline(
        baseline=VERSION,
        rules=rule_set.id,
        base=rule_set.base,
        engine=engine,
        margin=margin,
        accepted=list(accepted),
        leaves=rule_set.book.leaves(),
        assaults=len(answers),
        answers=tuple(answers),
        **json.loads(json.dumps(_untitled(shelf | {"scenarios": played}))),
    )


def changes(before: Baseline, after: Baseline) -> list[Change]:
    """Return what is not as it was: values that decide, then answers, each with what that comes to.

    Only the answers that both have are compared; a value that decides is changed whatever the answers say.
    """
    found = [
        Change(key, *values, Verdict.CHANGED)
        for kind in ("leaves", "units", "weapons", "buildings", "scenarios")
        for key, values in _differences(_flat(getattr(before, kind)), _flat(getattr(after, kind)))
    ]
    was = {str(answer): answer for answer in before.answers}
    for answer in after.answers:
        known = was.get(str(answer))
        old_answers = known.responses if known else {}
        sampled = answer.trials is not None or (known is not None and known.trials is not None)
        for name in {**old_answers, **answer.responses} if old_answers else ():
            old, value = old_answers.get(name), answer.responses.get(name)
            if (verdict := judge(old, value, before.margin.of(name), sampled=sampled)) is not Verdict.SAME:
                found.append(Change(f"{answer}: {name}", old, value, verdict))
    return found


def judge(
    before: float | list[float] | None, after: float | list[float] | None, margin: float, *, sampled: bool = True
) -> Verdict:
    """Return what became of an answer: exact ones are compared as they are, others with their intervals or bounds.

    A sampled answer cannot be told while the interval of the difference, taken as of independent samples, reaches over
    the margin; the same numbers are the same, but for certified ones whose bounds are wider than the margin. As the
    intervals share their error, 95 of 100 reports hold no wrong verdict.
    """
    if before is None or after is None:
        return Verdict.CHANGED
    in_doubt = isinstance(after, list) and not sampled and after[2] - after[1] > margin
    if before == after and not in_doubt:
        return Verdict.SAME
    low, high = difference(_estimate(before, sampled=sampled), _estimate(after, sampled=sampled)).ends
    if low == high and abs(low) <= SAME:
        return Verdict.SAME
    if max(abs(low), abs(high)) <= margin:
        return Verdict.WITHIN
    return Verdict.CHANGED if low > margin or high < -margin else Verdict.CANNOT_TELL


def _estimate(answer: float | list[float], *, sampled: bool = True) -> Estimate:
    """Return an answer as its file has it: a list that was not sampled is a number with its bounds."""
    if not isinstance(answer, list):
        return Estimate(answer)
    value, low, high = answer
    return Estimate(value, low, high) if sampled else Estimate(value, beyond=high - value)


def fits(
    file: Path, before: Baseline, rule_set: RuleSet, suite: Sequence[Game] | None = None, engine: str | None = None
) -> None:
    """See that a baseline is of rules of the same base, and of a suite and an engine.

    Raises:
        CasemateError: If it is of another.
    """
    if rule_set.base != before.base:
        raise CasemateError(
            f"{file}: written of rules made from {before.base}; {rule_set.id} is made from {rule_set.base}"
        )
    own = before.engine.engine
    if engine is not None and engine != own:
        raise CasemateError(
            f"{file}: written with the engine {own}, not {engine}; numbers of two engines are not compared"
        )
    if suite is not None and {*suite} != {answer.game for answer in before.answers}:
        missing = sorted({game.scenario for game in suite} ^ {answer.scenario for answer in before.answers})
        which = ", ".join(missing) or "the plans"
        raise CasemateError(f"{file}: written over another suite, which differs in {which}")


def check(
    before: Baseline,
    rule_set: RuleSet,
    *,
    seed: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Change]:
    """Play the suite of a baseline again, from its own seed or another, and return what has changed since.

    ``check(load_baseline(file), rule_set("my-house-rule.toml"))`` is empty if nothing has.

    Raises:
        CasemateError: If a scenario is no more there, or cannot be played.
    """
    games = [answer.game for answer in before.answers]
    how = before.engine.how if seed is None else before.engine.how._replace(seed=seed)
    return changes(before, baseline_of(rule_set, games, how, before.margin, workers=workers, progress=progress))


def code(found: Sequence[Change]) -> int:
    """Return the exit code for what has changed: 0 for nothing beyond its margin, 1 changed, 3 cannot tell."""
    worst = max((change.verdict for change in found), default=Verdict.SAME)
    return {Verdict.CHANGED: 1, Verdict.CANNOT_TELL: 3}.get(worst, 0)


def asks(of: Baseline) -> int | None:
    """Return how many trials tell a move of twice the margin, of a chance or a mean, as a change 99 times in 100.

    Returns:
        None where nothing is sampled, or there is no margin.
    """
    sampled = [answer for answer in of.answers if answer.trials is not None]
    if not sampled or not (of.margin.chance and of.margin.mean):
        return None
    z = reach(_shared(answer.trials for answer in sampled) * looks(of.engine.trials, of.engine.until))
    return max(
        trials_for(of.margin.of(name), _variance(name, _estimate(found), answer.trials or 1, of.margin, z), z)
        for answer in sampled
        for name, found in answer.responses.items()
        if name.startswith("p_") or name.endswith("_mean")
    )


def _variance(name: str, found: Estimate, trials: int, margin: Margin, z: float) -> float:
    """Return the variance of a difference of two trials, if an answer moves by twice its margin."""
    if not name.startswith("p_"):
        return 2 * trials * (half(found) / z) ** 2
    p = min(found.value, 1 - found.value)
    moved = min(p + 2 * margin.chance, 0.5)
    return p * (1 - p) + moved * (1 - moved)


def _shared(trials: Iterable[int | None]) -> int:
    """Return how many answers share the error of one interval, by the trials of all assaults: none of exact ones."""
    return max(1, len(NAMES) * sum(each is not None for each in trials))


def _rounded(estimate: Estimate) -> float | list[float]:
    numbers = estimate.data["value"], estimate.data["low"], estimate.data["high"]
    said = [float(f"{number:.{DIGITS}g}") for number in numbers if number is not None]
    return said[0] if len(said) == 1 else said


def _untitled(values: Any) -> Any:
    """Return values without what things are called and told: that decides nothing."""
    if isinstance(values, dict):
        return {key: _untitled(value) for key, value in values.items() if key not in ("title", "plural", "story")}
    return values


def _flat(values: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    flat = dict[str, Any]()
    for key, value in values.items():
        flat |= _flat(value, f"{above}{key}.") if isinstance(value, dict) else {f"{above}{key}": value}
    return flat


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    for key in {**before, **after}:
        if before.get(key) != after.get(key):
            yield key, (before.get(key), after.get(key))

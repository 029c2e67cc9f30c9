"""What a position is worth: the chance of each end from there, under every plan and set of rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, get_args

import numpy as np

from analysis.points.margins import ENDS
from analysis.points.plans import assaults_by_plans
from analysis.told.fields import Columns, fields
from sims.assault import Assault, End, Scene
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines import Chain, Progress, values
from sims.engines.chain import ENDS as COLUMNS
from sims.engines.contest import BOTH, Contest, Opening, Pair
from sims.engines.merging import Group, merge
from sims.errors import BudgetError
from sims.rulesets import RuleSet
from sims.scenario import AttackPlan, DefencePlan, Scenario, Side
from sims.state import State


@dataclass(frozen=True)
class Position:
    """A game at the start of a player turn, as far as it is known.

    Attributes:
        scenario: With the plans that both sides have played by so far.
        to_move: The side whose player turn begins.
        given: What is known of it, by the words of the log.
    """

    scenario: Scenario
    turn: int
    to_move: Side
    given: Mapping[str, int | bool]


class Spread(NamedTuple):
    """A chance in several states: its mean, and the least and the greatest."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Worth:
    """What a position is worth under a set of rules.

    Attributes:
        under: The plans by which games come to it.
        share: The share of those games that do.
        states: How many states of a game fit it.
        apart: What those differ in, by the words of the log: the least and the greatest.
        chances: For each pair of plans to go on with, those so far first, the chance of each end.
        best: For each plan that who is to move may take up now, the chance that the building is captured if both sides
            then play their best; None where that has too many states.
    """

    rule_set: RuleSet
    under: tuple[Pair, ...]
    share: float
    states: int
    apart: Mapping[str, tuple[int, int]]
    chances: Mapping[Pair, Mapping[str, Spread]]
    best: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Never:
    """A position that no game comes to under a set of rules, and what is given of the nearest to which games do.

    Nothing is near where every game is over by then.
    """

    rule_set: RuleSet
    nearest: Mapping[str, int | bool]


@dataclass(frozen=True)
class Unknown:
    """A position that speaks of what a set of rules does not have."""

    rule_set: RuleSet
    words: tuple[str, ...]


@dataclass(frozen=True)
class TooLarge:
    """A position of an assault that has too many states under a set of rules, and what helps."""

    rule_set: RuleSet
    why: str


Refusal = Never | Unknown | TooLarge


def worth(position: Position, rule_set: RuleSet, progress: Progress | None = None) -> Worth | Refusal:
    """Return what a position is worth under a set of rules.

    What it leaves open is averaged over the states that games come to by the plans so far; if they never do, by every
    pair of plans by which some do.
    """
    try:
        return _worth(position, rule_set, progress)
    except BudgetError as error:
        return TooLarge(rule_set, str(error))


def _worth(position: Position, rule_set: RuleSet, progress: Progress | None) -> Worth | Never | Unknown:
    pairs = every_pair(Pair(position.scenario.plan, position.scenario.defence))

    def done(steps: int) -> None:
        if progress:
            progress(steps, 3 * len(pairs))

    assaults = assaults_by_plans(position.scenario, rule_set, pairs)
    first = assaults[pairs[0]]
    words = fields(first, first.start)
    if unknown := [word for word in position.given if word not in words]:
        return Unknown(rule_set, tuple(unknown))
    come = list[_Arrivals]()
    learnt = Chain(first)
    for n, (plans, assault) in enumerate(assaults.items(), 1):
        come.append(_arrivals(assault, plans, position, learnt))
        done(n)
        if come[0].fits.any():
            break
    there = [arrivals for arrivals in come if arrivals.fits.any()]
    if not there:
        return Never(rule_set, _nearest(come, position.given))
    arrays, weights = merge([arrivals.fitting for arrivals in there])
    columns = fields(first, first.start.rebuild(arrays))
    chances = {}
    for n, plans in enumerate(pairs, 1):
        chances[plans] = _chances(assaults[plans], position, arrays, weights, learnt)
        done(len(pairs) + n)
    best = _best(assaults, position, first.start.rebuild(arrays), weights, learnt)
    done(3 * len(pairs))
    return Worth(
        rule_set,
        tuple(arrivals.plans for arrivals in there),
        float(sum(arrivals.weights[arrivals.fits].sum() for arrivals in there)) / len(there),
        weights.size,
        {word: (min(of), max(of)) for word, of in _differing(columns)},
        chances,
        best,
    )


def every_pair(first: Pair) -> list[Pair]:
    """Return every pair of plans, the one given before the others."""
    pairs = [Pair(*pair) for pair in product(get_args(AttackPlan), get_args(DefencePlan))]
    return list(dict.fromkeys([first, *pairs]))


def _best(
    assaults: Mapping[Pair, Assault[Any, Scene]], position: Position, states: State, weights: Numbers, learnt: Chain
) -> dict[str, float] | None:
    """Return what it is worth to take up each plan in some states, by their weights, if both then play their best.

    In states in which he has to go on by the plan that he has he does; if in all of them, there is no other plan.
    """
    opening, game = Opening(position.turn, position.to_move), position.scenario
    try:
        contest = Contest(assaults, since=opening, states=states, beside=learnt)
    except BudgetError:
        return None
    choice = contest.solve().choices[opening]
    rows = np.searchsorted(choice.states, contest.start[0])
    a, d = contest.place(Pair(game.plan, game.defence))
    worth, bound = choice.worth[rows, :, :, BOTH], choice.committed[rows]
    attacking = opening.side == "attackers"
    plans, worth, has = (contest.attacks, worth[:, :, d], a) if attacking else (contest.defences, worth[:, a], d)
    if bound.all():
        plans, worth = plans[has : has + 1], worth[:, [has]]
    else:
        worth = np.where(bound[:, np.newaxis], worth[:, [has]], worth)
    return dict(zip(plans, (weights / weights.sum() @ worth).tolist(), strict=True))


@dataclass(frozen=True)
class _Arrivals:
    """The states that games come to at the time of a position by some plans, and which of them fit it.

    Attributes:
        arrays: ``[N] or [1]``.
        weights ([N]): How likely each is.
        columns: What stands in them.
        fits: ``[N]``.
    """

    plans: Pair
    arrays: Sequence[Ints]
    weights: Numbers
    columns: Columns
    fits: Bools

    @property
    def fitting(self) -> Group:
        """The states that fit, and their weights."""
        return [array if array.size == 1 else array[self.fits] for array in self.arrays], self.weights[self.fits]


def _arrivals(assault: Assault[Any, Scene], plans: Pair, position: Position, learnt: Chain) -> _Arrivals:
    """Follow every game by some plans to the time of a position."""
    chain = Chain(assault, beside=learnt)
    weights = chain.weights(assault.opening(position.turn, position.to_move))
    there = np.flatnonzero((weights != 0) & (chain.end[: weights.size] == End.GOING_ON))
    states = chain.states.take(there)
    columns = {word: np.broadcast_to(of, there.shape) for word, of in fields(assault, states).items()}
    fits = np.ones(there.shape, dtype=np.bool_)
    for word, value in position.given.items():
        fits &= columns[word] == value
    return _Arrivals(plans, states.arrays(), weights[there], columns, fits)


def _chances(
    assault: Assault[Any, Scene], position: Position, arrays: Sequence[Ints], weights: Numbers, learnt: Chain
) -> dict[str, Spread]:
    """Return the chance of each end in some states, by their weights."""
    moment = assault.opening(position.turn, position.to_move)
    found = values(assault, since=moment, states=assault.start.rebuild(arrays), beside=learnt)
    worth = found.before(moment)[found.chain.states.find(arrays, weights.size)]
    means, lows, highs = weights @ worth / weights.sum(), worth.min(axis=0), worth.max(axis=0)
    spreads = {end: Spread(*map(float, of)) for end, *of in zip(COLUMNS, means, lows, highs, strict=False)}
    return {name: spreads[end] for name, end in ENDS.items()}


def _differing(columns: Columns) -> Iterator[tuple[str, list[int]]]:
    """Yield what differs among states."""
    for word, of in columns.items():
        several = np.unique(of).tolist()
        if len(several) > 1:
            yield word, several


def _nearest(come: Sequence[_Arrivals], given: Mapping[str, int | bool]) -> dict[str, int | bool]:
    """Return what is given of a position as it stands in the nearest state, the likeliest of several."""
    found = list[tuple[float, float, dict[str, int | bool]]]()
    for arrivals in come:
        if not arrivals.weights.size:
            continue
        off = sum(abs(arrivals.columns[word].astype(int) - value) for word, value in given.items())
        i = int(np.lexsort([-arrivals.weights, np.broadcast_to(off, arrivals.weights.shape)])[0])
        stands = {word: arrivals.columns[word][i].item() for word in given}
        found.append((float(np.broadcast_to(off, arrivals.weights.shape)[i]), -float(arrivals.weights[i]), stands))
    return min(found, key=lambda one: one[:2])[2] if found else {}

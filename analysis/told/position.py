"""What a position is worth: the chance of each end from there, under every plan and set of rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple, get_args

import numpy as np

from analysis.points.margins import ENDS
from analysis.points.plans import assaults_by_plans
from analysis.points.smaller import with_command
from analysis.told.arrivals import Games, Taken, filled_in
from analysis.told.fields import Columns, fields
from analysis.told.nearest import Fault, nearest
from sims.assault import Assault, Moment, Scene
from sims.dice import Ints
from sims.dice.tables import Numbers
from sims.engines import WITHIN, Chain, Progress, Values, values, values_within
from sims.engines.chain import ENDS as COLUMNS
from sims.engines.contest import BOTH, Choice, Contest, Opening, Pair, in_force
from sims.engines.follow import best_play, follow
from sims.errors import BudgetError
from sims.rulesets import RuleSet
from sims.scenario import AttackPlan, DefencePlan, Scenario, Side
from sims.state import State

COMING, GOING_ON = 1e-6, 0.9
"""What is left out of the games that come to a position, and of those that go on from there, of what may be."""


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
        under: The plans by which games come to it, or next to it.
        share: The share of those games that come to just what is given; 0 if something had to be put in.
        states: How many states of a game it is taken as.
        taken: What was not given and is so there, by the words of the log: the least and the greatest. All else is as
            at the start.
        apart: What those differ in, by the words of the log: the least and the greatest.
        chances: For each pair of plans to go on with, those so far first, the chance of each end.
        best: For each plan that who is to move may take up now, the chance that the building is captured if both sides
            then play their best; None where that has too many states.
        best_ends: The chance of each end by the best of those plans, if both then play their best.
        left_out: By how much the chances may be off, for states were left out that hardly ever come up, of those
            that come to the position and of those that follow; 0 if they are exact.
        too_large: Pairs of plans that have too many states even so.
    """

    rule_set: RuleSet
    under: tuple[Pair, ...]
    share: float
    states: int
    taken: Mapping[str, tuple[int, int]]
    apart: Mapping[str, tuple[int, int]]
    chances: Mapping[Pair, Mapping[str, Spread]]
    best: Mapping[str, float] | None = None
    best_ends: Mapping[str, float] | None = None
    left_out: float = 0.0
    too_large: Sequence[Pair] = ()


@dataclass(frozen=True)
class Never:
    """A position that cannot be under a set of rules.

    Attributes:
        nearest: What is given, as the nearest position that can be has it.
        faults: What of it is at fault, by the words of the log.
    """

    rule_set: RuleSet
    nearest: Mapping[str, int | bool]
    faults: Mapping[str, Fault] = field(default_factory=dict)


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

    What it leaves open is averaged over the states that games come to by the plans so far. If none comes to just what
    is given, that is put into the nearest of them. Where there are too many states, those are left out that hardly ever
    come up.
    """
    try:
        return _worth(position, rule_set, progress)
    except BudgetError:
        pass
    try:
        return _worth(position, rule_set, progress, WITHIN)
    except BudgetError as error:
        return TooLarge(rule_set, str(with_command(error, rule_set)))


def _worth(
    position: Position, rule_set: RuleSet, progress: Progress | None, within: float = 0.0
) -> Worth | Never | Unknown:
    pairs = every_pair(Pair(position.scenario.plan, position.scenario.defence))

    def done(steps: int) -> None:
        if progress:
            progress(steps, 3 * len(pairs))

    assaults = assaults_by_plans(position.scenario, rule_set, pairs)
    first = assaults[pairs[0]]
    words = fields(first, first.start)
    if unknown := [word for word in position.given if word not in words]:
        return Unknown(rule_set, tuple(unknown))
    learnt, moment = Chain(first), Opening(position.turn, position.to_move)
    games = Games(assaults, moment, learnt, done, COMING * within)
    taken = games.taken(position.given)
    if not taken:
        return Never(rule_set, *nearest(games, position.given))
    chances, too_large, otherwise = dict[Pair, Mapping[str, Spread]](), list[Pair](), set[str]()
    for n, plans in enumerate(pairs, 1):
        at = assaults[plans].opening(position.turn, position.to_move)
        try:
            found = _values(assaults[plans], at, taken.states, learnt, GOING_ON * within)
        except BudgetError:
            if not within or not chances:
                raise
            too_large.append(plans)
        else:
            chances[plans], every = _chances(found, at, taken), found.chain.states.all
            otherwise |= {name for name in every.otherwise if getattr(every, name).any()}
        done(len(pairs) + n)
    best = None if within else _best(assaults, position, taken.states, taken.weights, learnt)
    not_averaged = games.left_out / float(taken.weights.sum()) if taken.share else 0.0
    done(3 * len(pairs))
    return Worth(
        rule_set,
        taken.under,
        taken.share,
        taken.weights.size,
        filled_in(first, taken.states, position.given, otherwise),
        {word: (min(of), max(of)) for word, of in _differing(fields(first, taken.states))},
        chances,
        best[0] if best else None,
        best[1] if best else None,
        min(GOING_ON * within + not_averaged, 1.0),
        too_large,
    )


def every_pair(first: Pair) -> list[Pair]:
    """Return every pair of plans, the one given before the others."""
    pairs = [Pair(*pair) for pair in product(get_args(AttackPlan), get_args(DefencePlan))]
    return list(dict.fromkeys([first, *pairs]))


def _best(
    assaults: Mapping[Pair, Assault[Any, Scene]], position: Position, states: State, weights: Numbers, learnt: Chain
) -> tuple[dict[str, float], dict[str, float]] | None:
    """Return what each plan of the side to move is worth in some states, if both then play their best.

    Also return the chance of each end by the best of them. States count by their weights. Where a side is committed to
    its plan it goes on by that; if it is in all of the states, there is no other plan.
    """
    opening, game = Opening(position.turn, position.to_move), position.scenario
    try:
        contest = Contest(assaults, since=opening, states=states, beside=learnt)
    except BudgetError:
        return None
    solution = contest.solve()
    choice = solution.choices[opening]
    rows = np.searchsorted(choice.states, contest.start[0])
    a, d = contest.place(Pair(game.plan, game.defence))
    worth, bound = choice.worth[rows, :, :, BOTH], choice.committed[rows]
    attacking = opening.side == "attackers"
    plans, worth, has = (contest.attacks, worth[:, :, d], a) if attacking else (contest.defences, worth[:, a], d)
    if bound.all():
        plans, worth = plans[has : has + 1], worth[:, [has]]
    else:
        worth = np.where(bound[:, np.newaxis], worth[:, [has]], worth)
    shares = weights / weights.sum()
    best = dict(zip(plans, (shares @ worth).tolist(), strict=True))
    first = (max if attacking else min)(best, key=lambda plan: best[plan])
    own, later = (contest.attacks if attacking else contest.defences).index(first), best_play(BOTH)

    def policy(at: Opening, choice: Choice) -> Ints:
        if at != opening:
            return later(at, choice)
        return np.where(choice.committed[:, None, None], in_force(choice.worth.shape[:3], at.side), own)

    contest.start = contest.start[0], shares
    ends = follow(solution, policy, Pair(game.plan, game.defence)).result
    return best, {name: float(ends.weights[ends.columns["end"] == end].sum()) for name, end in ENDS.items()}


def _values(assault: Assault[Any, Scene], at: Moment, states: State, learnt: Chain, within: float) -> Values:
    """Return the values of an assault from some states on."""
    if within:
        return values_within(assault, within, since=at, states=states)
    return values(assault, since=at, states=states, beside=learnt)


def _chances(found: Values, at: Moment, taken: Taken) -> dict[str, Spread]:
    """Return the chance of each end in some states, by their weights."""
    weights = taken.weights
    worth = found.of(taken.states.arrays(), weights.size, found.before(at))
    means, lows, highs = weights @ worth / weights.sum(), worth.min(axis=0), worth.max(axis=0)
    spreads = {end: Spread(*map(float, of)) for end, *of in zip(COLUMNS, means, lows, highs, strict=False)}
    return {name: spreads[end] for name, end in ENDS.items()}


def _differing(columns: Columns) -> Iterator[tuple[str, list[int]]]:
    """Yield what differs among states."""
    for word, of in columns.items():
        several = np.unique(of).tolist()
        if len(several) > 1:
            yield word, several

"""What sampled answers promise, counted over repetitions: few in every run of the tests, many in `make statistics`."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.deciding.baseline import Answer, Baseline, Margin, Verdict, asks, baseline_of, changes, judge
from analysis.deciding.receipt import A_POINT, Line, Receipt
from analysis.points.intervals import reach, wilson
from analysis.points.margins import margins
from analysis.points.paired import DIFFER, Paired, Pairs, told_apart
from analysis.points.point import How
from analysis.points.responses import Estimate, responses
from analysis.points.stopping import until
from analysis.points.suite import Game, points
from sims.assault import End
from sims.engines import Sampled
from sims.rulesets import RuleSet


def held(successes: int, trials: int, shared: int = 1) -> Sampled:
    """Return a result in which a building is captured so often, and held in all other trials."""
    ends = np.array([End.CAPTURED, End.HELD], dtype=np.int64)
    zero, one = np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64)
    columns = {"end": ends, "turn": one, "attackers_lost": zero, "defenders_lost": zero, "cleared": zero}
    counts = np.array([successes, trials - successes])
    return Sampled("coin", columns, counts, {}, ((0.0, 0.0),), "sampled", trials, 1, shared)


def covered(p: float, trials: int, repetitions: int, rng: np.random.Generator) -> float:
    """Return how often Wilson's interval holds a chance, after a fixed number of trials."""
    low, high = wilson(rng.binomial(trials, p, repetitions), trials)
    return float(np.mean((low <= p) & (p <= high)))


def covered_until(p: float, trials: int, width: float, repetitions: int, rng: np.random.Generator) -> float:
    """Return how often the interval that is shown holds a chance, where trials are doubled until it is narrow."""
    rule, hits = until(trials, width), 0
    for _ in range(repetitions):
        played, found = 0, held(0, 1)
        successes = 0
        for look in range(rule.looks):
            successes += int(rng.binomial((trials << look) - played, p))
            played = trials << look
            found = held(successes, played, rule.looks)
            if rule.enough(found):
                break
        low, high = responses(margins(found))["p_captured"].ends
        assert (high - low) / 2 <= width
        hits += low <= p <= high
    return hits / repetitions


def wrong_baselines(rules: RuleSet, games: Sequence[Game], trials: int, seeds: Sequence[int]) -> int:
    """Return in how many reports, on rules that are the same from another seed, an answer is called changed."""
    none, wrong = Margin(chance=0, mean=0), 0
    for first in seeds:
        old, new = (
            baseline_of(rules, games, How("sampled", trials=trials, seed=seed), none)
            for seed in (2 * first, 2 * first + 1)
        )
        wrong += any(one.verdict is Verdict.CHANGED for one in changes(old, new))
    return wrong


def wrong_receipts(rules: RuleSet, games: Sequence[Game], trials: int, seeds: Sequence[int]) -> int:
    """Return in how many receipts, on rules that are the same from another seed, anything moves."""
    return sum(
        any(line.move(name) for line in null_receipt(rules, games, trials, seed).lines for name in DIFFER)
        for seed in seeds
    )


def null_receipt(rules: RuleSet, games: Sequence[Game], trials: int, seed: int) -> Receipt:
    """Return a receipt of rules that are the same, played from two seeds."""
    asked = points(games, rules, How("sampled", trials=trials, seed=2 * seed))
    others = [replace(was, how=was.how._replace(seed=2 * seed + 1)) for was in asked]
    shared, lines = len(DIFFER) * len(games), list[Line]()
    for game, was, now in zip(games, asked, others, strict=True):
        one, other = (each.read().margins for each in (was, now))
        apart = told_apart(was, now, one, other, shared)
        lines.append(Line(game, was, was.responses(one), now.responses(other), trials, apart))
    return Receipt(rules, rules, tuple(lines), {}, shared)


def drawn_anew(old: Baseline, p: float, trials: int, answers: int) -> Baseline:
    """Return a baseline with one chance, sampled, in as many assaults as share the error of all."""
    shown = [p, *(float(end) for end in wilson(round(p * trials), trials))]
    first = old.answers[0]
    each = Answer(
        scenario=first.scenario, plan=first.plan, defence=first.defence, trials=trials, responses={"p_captured": shown}
    )
    return old.model_copy(update={"answers": (each,) * answers, "margin": Margin()})


def caught(of: Baseline, p: float, repetitions: int, rng: np.random.Generator) -> float:
    """Return how often a chance that moves by twice the margin is called changed, at the trials asked for."""
    trials, shared = asks(of), 12 * len(of.answers)
    assert trials is not None
    moved = p + 2 * of.margin.chance if p < 0.5 else p - 2 * of.margin.chance
    found = 0
    for old, new in zip(rng.binomial(trials, p, repetitions), rng.binomial(trials, moved, repetitions), strict=True):
        answers = [[n / trials, *(float(end) for end in wilson(int(n), trials, reach(shared)))] for n in (old, new)]
        found += judge(answers[0], answers[1], of.margin.chance) is Verdict.CHANGED
    return found / repetitions


def caught_on_common_dice(null: Receipt, apart: float, pilot: int, repetitions: int, rng: np.random.Generator) -> float:
    """Return how often a chance that moves by two points is told, at the trials that a first receipt asks for.

    Args:
        apart: The share of trials in which the thing comes on one side alone; 0.02 at least.
        pilot: The trials of the first receipt.
    """
    z = reach(null.shared)
    chances = [(apart - 2 * A_POINT) / 2, (apart + 2 * A_POINT) / 2, 1 - apart]

    def line(trials: int) -> Line:
        first, second, neither = map(int, rng.multinomial(trials, chances))
        chance = dict.fromkeys(
            (f"p_{end}" for end in ("destroyed", "captured", "broken", "held")), Pairs(0, first, second, neither)
        )
        answers = (
            {name: Estimate(0.0) for name in chance},
            {name: Estimate((second - first) / trials) for name in chance},
        )
        return replace(
            null.lines[0],
            before=answers[0],
            after=answers[1],
            trials=trials,
            apart=Paired(trials, chance, {}).differences(z),
        )

    asked = replace(null, lines=(line(pilot),)).asks
    assert asked is not None
    return sum(line(asked).moves() for _ in range(repetitions)) / repetitions

"""Common dice: two assaults trial by trial are what their trials are one by one."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy.stats import binom

from analysis.points.intervals import paired_interval, reach
from analysis.points.margins import ENDS
from analysis.points.paired import DIFFER, Moves, Paired, Pairs, paired, told_apart, trials_of_both
from analysis.points.point import How, point
from analysis.points.responses import Estimate, difference
from sims.dice import source
from sims.engines import COLUMNS, play, sampled
from sims.rulesets import rule_set

STORMING = rule_set("storming")
HEAVY = STORMING.with_values({"tables.grenade.hits": "D6"})
TRIALS = 24


def one_by_one(assault, engine, seed):
    """Return the outcome of each trial: by what the trials up to it come to more than those before."""
    found, before = [], Counter()
    for n in range(1, TRIALS + 1):
        result = play(assault, engine=engine, trials=n, seed=seed)
        rows = zip(*(result.columns[name].tolist() for name in COLUMNS), strict=True)
        now = Counter(dict(zip(rows, result.counts.tolist(), strict=True)))
        (outcome,) = (now - before).elements()
        found.append(dict(zip(COLUMNS, outcome, strict=True)))
        before = now
    return found


@pytest.fixture(scope="module")
def both(skirmish):
    """Grenades matter where the attackers stand off and throw them."""
    changes = {"attackers.plan": "smoke"}
    return [point(skirmish, rules, changes) for rules in (STORMING, HEAVY)]


@pytest.mark.parametrize("engine", ["sampled", "rolled"])
@pytest.mark.parametrize("seeds", [(1, 1), (1, 2)])
def test_counts_are_those_of_trials_played_one_by_one(both, engine, seeds, monkeypatch):
    """In batches of 16, so that the trials of several stand one behind the other."""
    monkeypatch.setattr(sampled, "BATCH", 16)
    monkeypatch.setattr(source, "BATCH", 16)
    points = [replace(one, how=How(engine, trials=TRIALS, seed=s)) for one, s in zip(both, seeds, strict=True)]
    first, second = (one_by_one(one.assault, engine, s) for one, s in zip(points, seeds, strict=True))
    found = paired(*points)
    came = {f"p_{name}": (lambda trial, end=end: trial["end"] == end) for name, end in ENDS.items()}
    came["p_cleared"] = lambda trial: trial["cleared"] == 1
    for name, there in came.items():
        cells = Counter((there(a), there(b)) for a, b in zip(first, second, strict=True))
        by_hand = Pairs(cells[True, True], cells[True, False], cells[False, True], cells[False, False])
        assert found.chances[name] == by_hand, name
    columns = {"turns_mean": "turn", "attackers_lost_mean": "attackers_lost", "defenders_lost_mean": "defenders_lost"}
    for name, column in columns.items():
        apart = [b[column] - a[column] for a, b in zip(first, second, strict=True)]
        assert found.means[name][:2] == (sum(apart), sum(d * d for d in apart))
        assert max(map(abs, apart)) <= found.means[name].most
    assert {*came, *columns} == {*DIFFER}


def test_common_dice_are_common(both):
    """Of the same rules no trial differs; under heavier grenades some do, and from another seed many more."""
    one, other = (replace(each, how=How("sampled", trials=2000)) for each in both)
    again = replace(one, how=How("sampled", trials=2000, seed=2))
    discordant = [sum(paired(*pair).chances["p_captured"][1:3]) for pair in ((one, one), (one, other), (one, again))]
    assert discordant[0] == 0 < discordant[1] < discordant[2]


def test_a_difference_is_that_of_the_answers(both):
    one, other = (replace(each, how=How("sampled", trials=3000)) for each in both)
    before, after = (each.responses(each.play()) for each in (one, other))
    for name, apart in paired(one, other).differences().items():
        assert apart.value == pytest.approx(after[name].value - before[name].value, abs=1e-12)
        assert apart.low <= apart.value <= apart.high
        low, high = difference(before[name], after[name]).ends
        assert apart.high - apart.low < high - low  # what common dice are for


def test_one_that_is_exact_is_set_apart_by_the_interval_of_the_other(both):
    one, other = both[0], replace(both[1], how=How("sampled", trials=500))
    was, now = (each.read().margins for each in (one, other))
    apart = told_apart(one, other, was, now, 8)
    before, after = one.responses(was), other.responses(now, 8)
    assert {*apart} == {*DIFFER}
    for name in apart:
        assert apart[name].low == pytest.approx(after[name].low - before[name].value, abs=1e-12)
        assert apart[name].high == pytest.approx(after[name].high - before[name].value, abs=1e-12)


def test_looks_and_trials_are_those_of_both(both):
    """The error is shared over the looks of the one that was looked at more often."""
    one, other = (replace(each, how=How("sampled", trials=60)) for each in both)
    many = replace(one.read().margins, looks=3)
    few = replace(one, how=How("sampled", trials=40)).read().margins
    exact = both[0].read().margins
    for was, now in ((many, few), (few, many)):
        assert trials_of_both(was, now) == 40
        assert told_apart(one, other, was, now, 2) == paired(one, other, 40).differences(reach(6))
    assert (trials_of_both(exact, many), trials_of_both(exact, exact)) == (60, None)


def test_a_mean_moves_by_no_more_than_the_larger_of_both(skirmish):
    small, large = (
        point(skirmish, STORMING, {"turns": n, "attackers.models": 3 + n, "defenders.models": 4 + n}) for n in (1, 2)
    )
    for pair in ((small, large), (large, small)):
        means = paired(*pair, trials=1).means
        assert [means[name].most for name in ("turns_mean", "attackers_lost_mean", "defenders_lost_mean")] == [2, 5, 6]


def test_the_interval_is_that_of_bonett_and_price():
    """By the example of statpsych, the authors' package: f = (12, 4, 26, 6) gives 0.44, from 0.2548067 to 0.6251933."""
    assert paired_interval(4, 26, 48) == pytest.approx((0.2548067, 0.6251933), abs=1e-7)
    """By hand: of 98 trials 8 and 3, so 9 and 4 of 100; the variance is (0.13 - 0.05**2) / 100 = 0.001275."""
    spread = 2 * sqrt(0.001275)
    assert paired_interval(3, 8, 98, z=2) == pytest.approx((0.05 - spread, 0.05 + spread), abs=1e-12)
    assert paired_interval(8, 3, 98, z=2) == pytest.approx((-0.05 - spread, -0.05 + spread), abs=1e-12)


def test_the_interval_of_a_mean_that_moves_is_that_of_agresti_and_coull():
    """By hand: to 96 trials come four, half of them at either bound; the variance is (60 + 64) / 100 - 0.48**2."""
    found = Paired(96, {}, {"turns_mean": Moves(48, 60, 4)}).differences(z=2)["turns_mean"]
    spread = 2 * sqrt(1.0096 / 100)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.48 - spread, 0.48 + spread), abs=1e-12)


def test_the_interval_stays_open_and_within_its_bounds():
    low, high = paired_interval(0, 0, 1000)
    assert low == -high < 0
    assert paired_interval(0, 1, 1)[1] == 1
    assert paired_interval(1, 0, 1)[0] == -1


@pytest.mark.parametrize("chances", [(0.2, 0.2), (0.05, 0.02), (0.001, 0.002), (0.5, 0.1)])
@pytest.mark.parametrize("trials", [50, 1000])
def test_the_interval_covers(chances, trials):
    """At least 94 % where 95 are meant: a false alarm in one of a million."""
    first, second = chances
    drawn = np.random.default_rng(6).multinomial(trials, [first, second, 1 - first - second], 3000)
    ends = [paired_interval(int(f), int(s), trials) for f, s, _ in drawn]
    hits = sum(low <= second - first <= high for low, high in ends)
    assert hits >= binom.ppf(1e-6, 3000, 0.94)


def test_a_difference_of_exact_answers_has_no_width():
    found = difference(Estimate(0.25), Estimate(0.5))
    assert found.ends == (0.25, 0.25)
    assert not found.sampled
    assert not found.certified

"""What sampled answers promise, over so many repetitions that `make test` has no time for them."""

import numpy as np
import pytest

from analysis.deciding.baseline import Margin, baseline_of
from analysis.points import suite
from analysis.points.point import How
from sims.rulesets import rule_set
from tests import sampling

REPETITIONS = 10_000
REPORTS = 300
STORMING = rule_set("storming")


@pytest.fixture(scope="module")
def games():
    return suite.under_all_plans(["farmhouse", "keep-gate"])


@pytest.mark.parametrize("p", np.arange(1, 10) / 10)
@pytest.mark.parametrize("trials", [1000, 100_000])
def test_a_fixed_number_of_trials_covers(p, trials):
    """From 94 to 96 %: some four and a half standard errors of 10,000 repetitions to either side."""
    rng = np.random.default_rng([1, trials, round(10 * p)])
    assert 0.94 <= sampling.covered(p, trials, REPETITIONS, rng) <= 0.96


@pytest.mark.parametrize("p", np.arange(1, 10) / 10)
@pytest.mark.parametrize(("trials", "width"), [(500, 0.02), (100_000, 0.005)])
def test_playing_on_covers(p, trials, width):
    """At least 95 %, which Bonferroni's share keeps with two standard errors to spare and more."""
    rng = np.random.default_rng([2, trials, round(10 * p)])
    assert sampling.covered_until(p, trials, width, REPETITIONS, rng) >= 0.95


def test_reports_on_nothing_new_hold_no_wrong_verdict(games):
    """Of 300 at most 5 %, though no margin forgives anything."""
    wrong = sampling.wrong_baselines(STORMING, games, 500, range(REPORTS))
    print(f"{wrong} of {REPORTS} baselines")
    assert wrong <= 0.05 * REPORTS


def test_receipts_of_nothing_new_tell_no_move(games):
    """Of 300 at most 5 %."""
    wrong = sampling.wrong_receipts(STORMING, games, 500, range(REPORTS))
    print(f"{wrong} of {REPORTS} receipts")
    assert wrong <= 0.05 * REPORTS


@pytest.mark.parametrize("p", [0, 0.01, 0.1, 0.3, 0.5, 0.8, 1])
@pytest.mark.parametrize("answers", [1, 40])
def test_twice_the_margin_is_caught(games, p, answers):
    old = baseline_of(STORMING, games[:1], How("sampled", trials=100), Margin())
    rng = np.random.default_rng([3, answers, round(100 * p)])
    assert sampling.caught(sampling.drawn_anew(old, p, 2000, answers), p, REPETITIONS, rng) >= 0.99


@pytest.mark.parametrize("apart", [0.02, 0.05, 0.2, 0.5, 1])
def test_two_points_are_told_on_common_dice(games, apart):
    null = sampling.null_receipt(STORMING, games, 100, 1)
    rng = np.random.default_rng([4, round(100 * apart)])
    assert sampling.caught_on_common_dice(null, apart, 2000, REPETITIONS, rng) >= 0.99

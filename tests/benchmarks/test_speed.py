"""How fast, against what else could be done in the same run."""

from itertools import count

import numpy as np
import pytest

from sims.dice import BATCH, Address
from sims.dice.source import throw_faces
from sims.engines import play, solve
from sims.rulesets import rule_set
from sims.scenario import load_scenario

ROWS = 40


@pytest.mark.benchmark(group="dice")
def test_thrown_dice_against_plain_integers(ratio):
    """Addressed dice, the making of their generator included, against one long stream."""
    number, plain = count(), np.random.default_rng(1)
    ratio(
        lambda: throw_faces(Address(1, 0, 1, "a", "stage", 0).generator(str(next(number))), 6, ROWS),
        lambda: plain.integers(1, 7, dtype=np.uint8, size=(ROWS, BATCH)),
        target=0.8,
    )


@pytest.mark.benchmark(group="engines")
def test_exact_against_a_million_rolled_trials(ratio, rules, benchmark):
    assault = rule_set(rules).assault(load_scenario("farmhouse"))
    trials = 1000 if benchmark.disabled else 1_000_000
    ratio(lambda: solve(assault), lambda: play(assault, engine="rolled", trials=trials), target=20, rounds=3)


@pytest.mark.benchmark(group="engines")
def test_sampled_against_rolled_trials(ratio, rules, benchmark):
    assault = rule_set(rules).assault(load_scenario("farmhouse"))
    trials = 1000 if benchmark.disabled else 4 * BATCH
    ratio(
        lambda: play(assault, engine="sampled", trials=trials),
        lambda: play(assault, engine="rolled", trials=trials),
        target=5,
    )

"""How fast, beside another library that answers the same question: by Casemate's exact engine, and by icepool."""

from collections import defaultdict
from fractions import Fraction
from functools import partial

import pytest

from sims.assault import End
from sims.engines import Exact, solve
from sims.reading import parse
from sims.rulesets import rule_set
from sims.scenario import Scenario, build
from tests.benchmarks import by_icepool
from tests.ratios import alone


def farmhouse(attackers: int, defenders: int, distance: int, turns: int) -> Scenario:
    """The fight that the program for icepool knows."""
    text = f"""
    title = "Troopers and veterans"
    distance = {distance}
    turns = {turns}
    building = "house"
    attackers = {{ unit = "trooper", models = {attackers}, weapon = "rifle", plan = "storm" }}
    defenders = {{ unit = "veteran", models = {defenders}, weapon = "rifle" }}
    """
    return build(parse("farmhouse.toml", text), "farmhouse")


STORMING = rule_set("storming")
FIGHT, SMALL = (20, 12, 24, 8), (3, 2, 8, 3)


def by_casemate(scenario: Scenario, number: type[float] | type[Fraction] = float) -> Exact:
    return solve(STORMING.assault(scenario), number=number)


@pytest.mark.parametrize("fight", [SMALL, (9, 11, 30, 5), (12, 4, 14, 4), FIGHT])
def test_icepool_and_casemate_give_each_end_with_each_loss_the_same_chance(fight):
    attackers, defenders, *_ = fight
    theirs = by_icepool.assault(*fight)
    result = by_casemate(farmhouse(*fight))
    ours = defaultdict(float)
    columns = (result.columns[name].tolist() for name in ("end", "attackers_lost", "defenders_lost"))
    for end, a, d, chance in zip(*columns, result.weights.tolist(), strict=True):
        ours[End(end).name.lower(), attackers - a, defenders - d] += chance
    assert ours.keys() == set(theirs)
    assert ours == pytest.approx({at: float(theirs.probability(at)) for at in theirs}, rel=0, abs=1e-12)
    assert len({at.end for at in theirs}) == 3


@pytest.mark.benchmark(group="beside others")
def test_a_whole_assault_against_icepool(ratio):
    """Everything from the loaded scenario and book; each in a new process, in which neither knows anything yet."""
    ratio(partial(by_casemate, farmhouse(*FIGHT)), partial(by_icepool.assault, *FIGHT), target=5, seconds=alone)


@pytest.mark.benchmark(group="beside others")
def test_a_whole_assault_in_fractions_as_icepool_has_them(ratio, benchmark):
    """Asked for fractions, Casemate is the slower of the two."""
    fight = SMALL if benchmark.disabled else FIGHT
    ours = partial(by_casemate, farmhouse(*fight), Fraction)
    ratio(ours, partial(by_icepool.assault, *fight), target=0.1, rounds=3, seconds=alone)

"""How fast, beside another library that answers the same question: by Casemate's exact engine, and by icepool."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest
from icepool import Die, coin, d6

from sims.assault import End
from sims.dice import PMF
from sims.engines import Exact, solve
from sims.reading import parse
from sims.rulesets import rule_set
from sims.scenario import Scenario, build
from tests.benchmarks import by_icepool
from tests.ratios import alone, by_the_processor


def farmhouse(attackers: int, defenders: int, distance: int, turns: int) -> Scenario:
    """The fight that the program for icepool knows."""
    text = f"""
    title = "Troopers and veterans"
    distance = {distance}
    turns = {turns}
    building = "house"
    attackers = {{ unit = "trooper", models = {attackers}, weapon = "rifle", plan = "storm", send = 5 }}
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


@pytest.mark.parametrize(
    ("fight", "target"),
    [((10, 6, 24, 8), 1), (FIGHT, 5), ((40, 15, 24, 12), 10)],
    ids=["10 against 6", "20 against 12", "40 against 15"],
)
@pytest.mark.benchmark(group="beside others")
def test_a_whole_assault_against_icepool(ratio, benchmark, fight, target):
    """Everything from the loaded scenario and book; each in a new process, in which neither knows anything yet."""
    fight = SMALL if benchmark.disabled else fight
    ours, theirs = partial(by_casemate, farmhouse(*fight)), partial(by_icepool.assault, *fight)
    ratio(ours, theirs, target=target, rounds=5, seconds=alone)


@pytest.mark.benchmark(group="beside others")
def test_a_whole_assault_in_fractions_as_icepool_has_them(ratio, benchmark):
    """Asked for fractions, Casemate is the slower of the two."""
    fight = SMALL if benchmark.disabled else FIGHT
    ours = partial(by_casemate, farmhouse(*fight), Fraction)
    ratio(ours, partial(by_icepool.assault, *fight), target=0.1, rounds=3, seconds=alone)


SHOTS, UNSAVED = 20, Fraction(4, 6) * Fraction(3, 6) * Fraction(4, 6)


def unsaved_by_casemate() -> PMF:
    return SHOTS @ PMF.chance(UNSAVED)


def unsaved_by_icepool() -> Die[int]:
    return coin(UNSAVED.numerator, UNSAVED.denominator).pool(SHOTS).sum()  # six times as fast as `@`


def test_icepool_and_casemate_give_each_number_of_unsaved_wounds_the_same_chance():
    theirs = SHOTS @ ((d6 >= 3) & (d6 >= 4) & (d6 < 5))
    assert theirs.simplify() == unsaved_by_icepool().simplify()
    assert dict(unsaved_by_casemate()) == {k: theirs.probability(k) for k in theirs}


@pytest.mark.benchmark(group="beside others")
def test_unsaved_wounds_of_twenty_shots_against_icepool(ratio):
    """Hits on 3+, wounds on 4+, saves on 5+, one coin for each shot: in fractions, a hundred times. Icepool keeps what it likes."""

    def often(job: Callable[[], object]) -> Callable[[], object]:
        return lambda: [job() for _ in range(100)]

    ratio(often(unsaved_by_casemate), often(unsaved_by_icepool), target=1, seconds=by_the_processor)

"""How fast, against what else could be done in the same run."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import count, cycle
from time import process_time
from typing import Any

import numpy as np
import pytest

from analysis.explorer import Panel
from analysis.points.batches import play as play_points
from analysis.points.plans import contest
from analysis.points.point import AUTO, Played, Reading
from analysis.points.store import Store
from analysis.sweeps.design import design
from analysis.sweeps.study import typed_factors
from analysis.sweeps.sweep import answers, rows_writer
from sims.assault import Assault
from sims.dice import BATCH, BUDGET, Address
from sims.dice.die import scatter_less
from sims.dice.mechanics import distributions
from sims.dice.source import throw_faces
from sims.engines import bounded, play, solve
from sims.games.arap.areas.marker import models_under
from sims.games.arap.areas.ranks import behind_wall
from sims.games.arap.areas.template import figures_under
from sims.geometry import Field, formation, landing, law, nearest_to_centre, points, stretches
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import Scenario, load_scenario
from tests.ratios import by_the_processor

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
def test_across_the_wire_against_a_hundred_thousand_rolled_trials(ratio, benchmark):
    """Markers and streams over formations, with their laws made anew."""
    assault = rule_set("gemini").assault(load_scenario("across-the-wire"))
    trials = 1000 if benchmark.disabled else 100_000

    def exactly() -> None:
        for kept in (models_under, figures_under, behind_wall):
            kept.cache_clear()
        solve(assault)

    ratio(exactly, lambda: play(assault, engine="rolled", trials=trials), target=2, rounds=3, seconds=by_the_processor)


def farmhouse(floors: int) -> Assault[Any, Any]:
    """The farmhouse with its garrison on so many floors."""
    return rule_set("gemini").assault(load_scenario("farmhouse", {"building.levels": floors}))


@pytest.mark.parametrize(("floors", "beside", "target"), [(2, 1, 0.1), (4, 2, 1 / 1.3)])
@pytest.mark.benchmark(group="floors")
def test_exactly_over_more_floors_against_fewer(ratio, floors, beside, target):
    more, fewer = farmhouse(floors), farmhouse(beside)
    ratio(lambda: solve(more), lambda: solve(fewer), target=target, rounds=3, seconds=by_the_processor)


@pytest.mark.parametrize(("engine", "target"), [("sampled", 0.7), ("rolled", 0.65)])
@pytest.mark.benchmark(group="floors")
def test_trials_over_two_floors_against_one_section(ratio, benchmark, engine, target):
    floors, section = farmhouse(2), farmhouse(1)
    trials = 1000 if benchmark.disabled else 20_000
    first, second = (partial(play, assault, engine=engine, trials=trials) for assault in (floors, section))
    ratio(first, second, target=target, rounds=3, seconds=by_the_processor)


def ruled(name: str, quick: bool, **rulings: str) -> Assault[Any, Any]:
    """A scenario under Gemini by other rulings; with a few models if it has to be quick."""
    few = {"attackers.models": 6, "defenders.models": 4} if quick else {}
    rules = rule_set("gemini")
    chosen = replace(rules, book=rules.book.with_rulings(rulings))
    return chosen.assault(load_scenario(name, few))


@pytest.mark.parametrize(("engine", "times"), [(solve, 10), (bounded, 10), (partial(play, trials=20_000), 1.5)])
@pytest.mark.parametrize("name", ["farmhouse", "toll-house", "bunker-rush"])
@pytest.mark.benchmark(group="routs")
def test_routers_who_come_back_against_those_who_do_not(ratio, benchmark, name, engine, times):
    """Exactly, and within 1e-6, not more than ten times as long; trials 1.5 times."""
    back, gone = (ruled(name, benchmark.disabled, routers=routers) for routers in ("rally", "for_good"))
    ratio(lambda: engine(back), lambda: engine(gone), target=1 / times, rounds=1, seconds=by_the_processor)


@pytest.mark.parametrize("name", ["farmhouse", "toll-house", "bunker-rush"])
@pytest.mark.benchmark(group="routs")
def test_flights_in_inches_against_lines(ratio, benchmark, name):
    """Lines are to halve it at least."""
    lines, inches = (ruled(name, benchmark.disabled, routers="rally", flight=how) for how in ("lines", "inches"))
    ratio(lambda: solve(lines), lambda: solve(inches), target=2, rounds=1, seconds=by_the_processor)


@pytest.mark.parametrize(("fresh", "times"), [(True, 1.7), (False, 1.1)], ids=["first", "later"])
@pytest.mark.parametrize("name", ["farmhouse", "toll-house", "bunker-rush"])
@pytest.mark.benchmark(group="suppression")
def test_hits_that_are_counted_against_those_that_are_not(ratio, benchmark, name, fresh, times):
    """At the first run, without tables, not more than 1.7 times as long; later 1.1 times."""

    def run(assault: Assault[Any, Any]) -> None:
        if fresh:
            distributions.cache_clear()
        solve(assault)

    counted, plain = (ruled(name, benchmark.disabled, suppression=how) for how in ("test", "off"))
    ratio(lambda: run(counted), lambda: run(plain), target=1 / times, rounds=3, seconds=by_the_processor)


def house(columns: int = 2, levels: int = 2, deployment: str = "spread") -> Assault[Any, Any]:
    """The farmhouse under Realm of Chaos, with so many columns in a row; of two it is as it comes."""
    size = {"building.footprint": [4 * columns, 4]} if columns != 2 else {}
    given = {"building.levels": levels, "defenders.deployment": deployment, "attackers.first_in": "leader"}
    return rule_set("realm_of_chaos").assault(load_scenario("farmhouse", given | size))


@pytest.mark.parametrize("deployment", ["spread", "top", "gives ground"])
@pytest.mark.benchmark(group="sections")
def test_exactly_over_the_house_against_behind_the_doors(ratio, deployment):
    """Not more than 1.5 times as long: a ratio of 1 / 1.5."""
    ours, doors = house(deployment=deployment), house(deployment="doors")
    ratio(lambda: solve(ours), lambda: solve(doors), target=1 / 1.5, rounds=3, seconds=by_the_processor)


@pytest.mark.benchmark(group="sections")
def test_exactly_over_six_sections_against_behind_the_doors(ratio):
    """Not more than six times as long: a ratio of 1 / 6."""
    six, doors = house(3), house(deployment="doors")
    ratio(lambda: solve(six), lambda: solve(doors), target=1 / 6, rounds=3, seconds=by_the_processor)


@pytest.mark.benchmark(group="sections")
def test_exactly_by_doors_to_two_columns_against_one(ratio):
    """Two fights with losses of their own: not more than 24 times as long, a ratio of 1 / 24."""
    both = {f"{name}.{key}": value for name, other in ("AB", "BA") for key, value in wing(other).items()}
    own = {f"building.realm_of_chaos.columns.{key}": value for key, value in both.items()}
    two, one = rule_set("realm_of_chaos").assault(load_scenario("farmhouse", own)), house()
    ratio(lambda: solve(two), lambda: solve(one), target=1 / 24, rounds=2, seconds=by_the_processor)


def wing(beside: str) -> dict[str, Any]:
    """A column of two levels with a door, by its keys."""
    return {"levels": ["wood", "wood"], "beside": [beside], "doors": ["single"]}


@pytest.mark.parametrize(("columns", "levels", "times"), [(3, 3, 6), (6, 4, 12)])
@pytest.mark.benchmark(group="sections")
def test_trials_over_many_sections_against_behind_the_doors(ratio, benchmark, columns, levels, times):
    many, doors = house(columns, levels), house(deployment="doors")
    trials = 1000 if benchmark.disabled else 20_000
    first, second = (partial(play, assault, engine="sampled", trials=trials) for assault in (many, doors))
    ratio(first, second, target=1 / times, rounds=3, seconds=by_the_processor)


WALLS = {"in the open": [], "in a house": [(-1 - 6j, -1 + 1j), (-1 - 6j, 5 - 6j), (5 - 6j, 5 + 6j), (-1 + 6j, 5 + 6j)]}


@pytest.mark.parametrize("walls", WALLS.values(), ids=WALLS)
@pytest.mark.benchmark(group="geometry")
def test_the_law_of_scatter_against_a_million_thrown_markers(ratio, benchmark, walls):
    """Ten models in two ranks. A million markers tell a chance to three digits, the law to fourteen."""
    models, inches, luck = formation(10, 5, 2), scatter_less(4).pmf, np.random.default_rng(1)
    shares = np.array(inches.weights) / inches.total
    batches, size = (1, 1000) if benchmark.disabled else (10, 100_000)

    def field() -> Field:  # a new one each time, for it keeps what it has found
        return Field(-24, models[nearest_to_centre(models)], points(models), 1.875, stretches(walls))

    def thrown() -> None:
        for _ in range(batches):
            there, far = field(), luck.choice(inches.outcomes, size=size, p=shares)
            under = there.covered(landing(there, far, luck.uniform(0, 2 * np.pi, size)))
            np.unique(under @ 3 ** np.arange(models.size), return_counts=True)

    def by_arcs() -> None:
        law(field(), zip(inches.outcomes, inches.weights, strict=True))

    ratio(by_arcs, thrown, target=50, rounds=5, seconds=by_the_processor)


LARGE = {
    rules: {"attackers.models": attackers, "defenders.models": defenders, "building.capacity": defenders}
    for rules, attackers, defenders in (
        ("storming", 60, 40), ("realm_of_chaos", 30, 20), ("gemini", 30, 20), ("gw_updated", 60, 40),
    )
}  # fmt: skip
FASTER = {"storming": 30, "realm_of_chaos": 2, "gemini": 1.5, "gw_updated": 1.3}
"""How many times as fast such an assault is to be answered within a millionth as exactly."""


@pytest.mark.benchmark(group="engines")
def test_bounded_against_exact_of_many(ratio, rules, benchmark):
    assault = rule_set(rules).assault(load_scenario("farmhouse", {} if benchmark.disabled else LARGE[rules]))
    ratio(
        lambda: bounded(assault),
        lambda: solve(assault, budget=2 * BUDGET),
        target=FASTER[rules],
        rounds=1,
        seconds=by_the_processor,
    )


@pytest.mark.benchmark(group="engines")
def test_bounded_against_exact_of_the_farmhouse(ratio, rules):
    assault = rule_set(rules).assault(load_scenario("farmhouse"))
    ratio(lambda: bounded(assault), lambda: solve(assault), target=1, seconds=by_the_processor)


@pytest.mark.benchmark(group="engines")
def test_sampled_against_rolled_trials(ratio, rules, benchmark):
    assault = rule_set(rules).assault(load_scenario("farmhouse"))
    trials = 1000 if benchmark.disabled else 4 * BATCH
    ratio(
        lambda: play(assault, engine="sampled", trials=trials),
        lambda: play(assault, engine="rolled", trials=trials),
        target=5,
    )


@pytest.mark.benchmark(group="explorer")
def test_a_change_in_the_explorer_against_its_aim(ratio, rules, monkeypatch):
    """From a slider to both charts: half a second for Gemini, 0.3 seconds for the others."""
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    panel, sizes = Panel(), cycle((11, 12))
    for id, box in panel.rules.items():
        box.value = id == rules

    def change() -> None:
        panel.numbers["defenders.models"].value = next(sizes)
        assert [*panel.draw()]

    change()
    ratio(change, lambda: busy(0.5 if rules == "gemini" else 0.3), target=1)


SMALL = {"attackers.models": 5, "defenders.models": 3, "turns": 2}


@pytest.mark.benchmark(group="best play")
def test_best_play_of_all_four_against_a_minute(ratio, benchmark):
    """All plans of both sides at the farmhouse, learnt and solved."""
    farmhouse = load_scenario("farmhouse", SMALL if benchmark.disabled else {})
    least = 0.1 if benchmark.disabled else 60
    ratio(lambda: best_play(farmhouse), lambda: busy(least), target=1, rounds=1, seconds=by_the_processor)


@pytest.mark.benchmark(group="engines")
def test_the_sergeant_of_the_toll_house_against_one_who_is_as_his_men_are(ratio, rules):
    """Not more than 1.5 times as long: a ratio of 1 / 1.5."""
    led, alike = (
        rule_set(rules).assault(
            load_scenario("toll-house", {"attackers.send": 5, "attackers.first_in": "leader"} | own)
        )
        for own in ({}, {"units.trooper-sergeant.Sv": 4})
    )
    ratio(lambda: solve(led), lambda: solve(alike), target=1 / 1.5, rounds=5, seconds=by_the_processor)


@pytest.mark.benchmark(group="engines")
def test_the_captain_at_the_gate_against_the_gate_of_the_keep(ratio, rules):
    """Not more than six times as long: a ratio of 1 / 6."""
    led, gate = (rule_set(rules).assault(load_scenario(name)) for name in ("captain-at-the-gate", "keep-gate"))
    ratio(lambda: solve(led), lambda: solve(gate), target=1 / 6, rounds=3, seconds=by_the_processor)


@pytest.mark.benchmark(group="best play")
def test_best_play_over_16_turns_against_8(ratio, benchmark):
    """Not more than 1.7 times as long: a ratio of 1 / 1.7."""
    few = SMALL if benchmark.disabled else {}
    eight, sixteen = (load_scenario("farmhouse", few | {"turns": turns}) for turns in (8, 16))
    rules = ["storming"] if benchmark.disabled else rule_set_ids()
    ratio(
        lambda: best_play(sixteen, rules),
        lambda: best_play(eight, rules),
        target=1 / 1.7,
        rounds=1,
        seconds=by_the_processor,
    )


def best_play(scenario: Scenario, rules: Iterable[str] = rule_set_ids()) -> None:
    """Solve it; all over the house the garrison of Realm of Chaos has too many positions, so it is behind the doors."""
    for id in rules:
        posted = replace(scenario, deployment="doors") if id == "realm_of_chaos" else scenario
        contest(posted, rule_set(id)).solve()


@pytest.mark.benchmark(group="batches")
def test_a_thousand_points_of_one_chain_against_single_runs(ratio, benchmark):
    """5 to 20 attackers, 4 to 15 defenders and six distances."""
    levels = ["attackers.models=5..20", "defenders.models=4..15", "distance=10..25:3"]
    few = ["attackers.models=5,6", "defenders.models=4,5", "distance=8,10"]
    of = design(typed_factors(few if benchmark.disabled else levels), "farmhouse", ["storming"])
    points = [point for _, point in of.points(AUTO)]
    ratio(
        lambda: [*play_points(points, Played())],
        lambda: [point.play() for point in points],
        target=30,
        rounds=1,
    )


@pytest.mark.benchmark(group="batches")
def test_four_sets_of_rules_by_16_by_12_against_ten_seconds(ratio, benchmark):
    levels = ["attackers.models=5..6", "defenders.models=4..5"]
    of = design(
        typed_factors(levels if benchmark.disabled else ["attackers.models=5..20", "defenders.models=4..15"]),
        "farmhouse",
    )
    points = [point for _, point in of.points(AUTO)]
    ratio(lambda: [*play_points(points, Played())], lambda: busy(10 * len(points) / 768), target=1, rounds=1)


@pytest.mark.benchmark(group="batches")
def test_two_workers_against_one_where_points_do_not_go_together(ratio, benchmark):
    levels = ["units.trooper.BS=2..3", "units.veteran.BS=2..3"]
    more = ["units.trooper.BS=2..5", "units.veteran.BS=2..5", "attackers.plan=storm,smoke"]
    rules = ["storming"] if benchmark.disabled else ["storming", "gemini"]
    of = design(typed_factors(levels if benchmark.disabled else more), "farmhouse", rules)
    points = [point for _, point in of.points(AUTO)]
    ratio(
        lambda: [*play_points(points, Played(), workers=2)],
        lambda: [*play_points(points, Played())],
        target=1.7,
        rounds=1,
    )


@pytest.mark.benchmark(group="store")
def test_a_sweep_from_the_store_against_a_thousand_cells_a_second(ratio, tmp_path):
    """From the factors to the rows in a file; whose margins they are makes no odds."""
    of = design(
        typed_factors(["attackers.models=5..20", "defenders.models=4..15"]), "farmhouse", ["storming", "gemini"]
    )
    readings = dict[str, Reading]()

    def swept() -> None:
        with Store(tmp_path / "store") as known, rows_writer(tmp_path / "rows.csv", of) as write:
            for answer in answers(of, known=known):
                write(answer)

    with Store(tmp_path / "store") as known:
        for _, point in of.points(AUTO):
            if point.rule_set.id not in readings:
                readings[point.rule_set.id] = point.read()
            known.add(point, readings[point.rule_set.id])
    ratio(swept, lambda: busy(len(of) / 1000), target=1)


def busy(seconds: float) -> None:
    """Do nothing for so many seconds of processor time."""
    end = process_time() + seconds
    while process_time() < end:
        pass

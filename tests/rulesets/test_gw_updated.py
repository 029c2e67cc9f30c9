"""The updated building rules: whole assaults judged by brute force, figures of the text, and what must be monotone."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from scipy.stats import binom

from sims.assault import End
from sims.dice import PMF
from sims.engines import Exact, play, solve
from sims.errors import CasemateError
from sims.questions import question
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.gw_updated.masonry import casualties_inside
from sims.scenario import Scenario, load_scenario, scenario_ids
from tests.rulesets.gw_updated_cases import BURNT, CASES, CHARGED, DEMOLISH, RULED, STORM, besieged
from tests.rulesets.gw_updated_oracle import Setup
from tests.rulesets.judging import ENDS, share


def besiege(setup: Setup, **how: Any) -> Exact:
    return solve(besieged(setup, **how), number=Fraction)


# A brute force written from the text judges whole assaults.


@pytest.mark.parametrize("name", CASES)
def test_a_whole_assault_is_what_brute_force_says(name):
    CASES[name].agree()


@pytest.mark.parametrize("name", BURNT)
def test_templates_burn_whoever_brings_the_walls_down(name):
    setup, plan = BURNT[name]
    assert CASES[name].result.tallies["defenders lost to templates"] > 0
    idle = besiege(setup, plan=plan, rulings={"templates_at_fire_points": "none"})
    assert CASES[name].expected["captured"] > share(idle, End.CAPTURED)


def test_a_whole_shoot_out_destroys_less_than_a_demolition():
    """From 12 inches one die beats Armour Value 13 on a 6 only; the melta rule needs half range."""
    assert 0 < CASES["shoot"].expected["destroyed"] < CASES["demolish"].expected["destroyed"]


@pytest.mark.parametrize("name", RULED)
def test_every_ruling_matters(name):
    assert CASES[name].expected["destroyed"] != CASES["storm, a flamer and a pistol"].expected["destroyed"]


@pytest.mark.parametrize("name", CHARGED)
def test_who_charges_better_destroys_more(name):
    """With a weapon in either hand, with one in both, and over difficult ground."""
    assert CASES[name].expected["destroyed"] < CASES["charge"].expected["destroyed"]


def test_those_without_room_are_lost():
    crowded, roomy = CASES["storm, no room for all"], CASES["storm"]
    assert crowded.expected["defenders lost"] > roomy.expected["defenders lost"]
    assert crowded.result.tallies["defenders lost for want of room"] > 0


# Exact, sampled and rolled agree under every plan.


def drawn_shares_agree(scenario: Scenario) -> None:
    """Each end's count is binomial: for each engine the chance of a false alarm is below 1e-9."""
    assault = rule_set("gw_updated").assault(scenario)
    trials, exact = 2**15, solve(assault)
    for engine in ("sampled", "rolled"):
        drawn = play(assault, engine=engine, trials=trials, seed=30)
        for end in ENDS:
            p = min(1.0, float(exact.weights[exact.columns["end"] == end].sum()))
            count = int(drawn.counts[drawn.columns["end"] == end].sum())
            assert 2 * min(binom.cdf(count, trials, p), binom.sf(count - 1, trials, p)) > 1e-9 / 4, (engine, end.name)


@pytest.mark.usefixtures("small_batches")
def test_drawn_shares_agree_with_exact_ones(some):
    """The short form: each plan in one scenario, and each scenario."""
    games = product(scenario_ids(), ["storm", "demolish", "shoot"])
    for scenario_id, plan in some(games, lambda game: game[0], lambda game: game[1]):
        drawn_shares_agree(replace(load_scenario(scenario_id), plan=plan))


# What must be monotone.


@pytest.mark.parametrize("Sv", [3, 4])
def test_a_better_save_never_costs_the_garrison(Sv):
    """Losses of one penetrating hit, by the chance that masonry kills."""
    rules = rule_set("gw_updated").book
    better, worse = (casualties_inside(rules, "structural collapse", 3, goal, 10).pmf for goal in (Sv, Sv + 1))
    assert all(better.at_least(n) <= worse.at_least(n) for n in range(11))
    assert better.mean < worse.mean


def test_thicker_walls_stand_longer():
    thin, thick = (besiege(replace(STORM, AV=AV)) for AV in (9, 11))
    assert share(thick, End.DESTROYED) < share(thin, End.DESTROYED)


def test_mighty_bulwark_keeps_a_building_up():
    without = besiege(replace(DEMOLISH, bulwark=False), archetype="keep", plan="demolish")
    assert share(without, End.DESTROYED) > share(besiege(DEMOLISH, archetype="keep", plan="demolish"), End.DESTROYED)


def test_more_attackers_bring_down_or_empty_more():
    """P(captured) alone need not rise: a building that falls cannot be entered (GW-042), and more hits make it fall."""
    few, more = (load_scenario("farmhouse", {"attackers.models": n}) for n in (10, 16))
    cleared = [solve(rule_set("gw_updated").assault(s)) for s in (few, more)]
    shares = [(r.weights * r.columns["cleared"]).sum() for r in cleared]
    assert shares[0] < shares[1]


def test_more_fusion_guns_capture_less():
    """GW-042 makes it so: what falls cannot be entered. The owner keeps his special weapons to the last."""
    flamers = {"weapon": "flamer", "count": 2}
    armed = ([flamers, {"weapon": "fusion-gun", "count": n}] for n in (1, 3))
    squads = (load_scenario("farmhouse", {"attackers.specials": specials}) for specials in armed)
    owner = replace(rule_set("gw_updated"), book=rule_set("gw_updated").book.with_rulings({"who_falls": "owner"}))
    few, many = (solve(owner.assault(squad)) for squad in squads)
    assert share(many, End.DESTROYED) > share(few, End.DESTROYED)
    assert share(many, End.CAPTURED) < share(few, End.CAPTURED)


def test_nothing_brings_down_walls_that_nobody_can_hurt():
    for plan in ("storm", "demolish", "shoot"):
        assault = rule_set("gw_updated").assault(
            replace(load_scenario("keep-gate", {"attackers.specials": []}), plan=plan)
        )
        result = solve(assault)
        assert result.weights[result.columns["end"] == End.DESTROYED].sum() == 0
        assert result.weights[result.columns["end"] == End.CAPTURED].sum() == 0
        assert assault.translation["Against the walls"] == "nothing that they have can hurt them"


def test_hits_on_a_building_have_a_victim_only_if_somebody_is_in_it():
    with pytest.raises(CasemateError, match="occupants cannot be 0; expected 1 to 60"):
        question("victim inside").answer({"occupants": "0"})


def test_the_damage_table_must_hold_every_total():
    rules = rule_set("gw_updated").book
    text = parse("house.toml", 'base = "gw_updated"\ntitle = "x"\n[tables.damage.breach]\nresults = [0]')
    with pytest.raises(CasemateError, match="every total from 0 up must stand in one row"):
        type(rules).load(text)


def test_a_row_that_no_total_stands_for_is_no_result():
    house = """
        base = "gw_updated"
        title = "x"
        [tables.damage]
        breach.results = []
        tremor.results = [0, 1, 2]
    """
    book = type(rule_set("gw_updated").book).load(parse("house.toml", house))
    with pytest.raises(CasemateError, match="no total of the damage table stands for breach"):
        question("armour left").answer({"AV": "14", "breaches": "1"}, book)
    assert question("armour left").answer({"AV": "14", "catastrophic": "1"}, book) == PMF.of({11: 1, 12: 1, 13: 1})

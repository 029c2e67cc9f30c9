"""Explain: shares of a change add up, and what a value is worth is what playing it says."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from scipy.stats import norm

from analysis.deciding.explain import Sensitivity, Sharing, Worth, parts, sensitivity, shapley, sharings, together
from analysis.deciding.explain_words import causes_data, shares_data, shares_verdict, worth_verdict
from analysis.deciding.explain_words import shares as told_shares
from analysis.deciding.explain_words import worth as told_worth
from analysis.points.intervals import mean_interval
from analysis.points.margins import ENDS
from analysis.points.paired import paired
from analysis.points.point import How, Played, point
from analysis.points.responses import Estimate
from analysis.say.blocks import Grid
from analysis.values.steps import steps
from sims.errors import CasemateError
from sims.rulesets import rule_set

STORMING = rule_set("storming")
CHANGES = {"tables.grenade.hits": "D6", "rulings.second_round": "yes", "rulings.charge_bonus": "no"}


def over_orders(point, changed, after):
    """Share a difference by brute force: the mean, over every order, of what each part adds when it is changed."""
    answers = {}

    def chance(some):
        if some not in answers:
            each = point.under(point.rule_set.with_values(together(changed[i] for i in sorted(some))))
            answers[some] = Fraction(each.responses(each.play())["p_captured"].value)
        return answers[some]

    shares = [Fraction(0)] * len(changed)
    orders = [*permutations(range(len(changed)))]
    for order in orders:
        for n, i in enumerate(order):
            shares[i] += (chance(frozenset(order[: n + 1])) - chance(frozenset(order[:n]))) / len(orders)
    return shares


def test_shares_are_those_of_a_brute_force_over_orders_and_add_up_exactly(skirmish):
    start, after = point(skirmish, STORMING), STORMING.with_values(CHANGES)
    changed = parts(STORMING, after)
    (found,) = sharings([start], changed, Played())
    assert len(changed) == 3
    assert list(found.shares["p_captured"]) == over_orders(start, changed, after)
    for name, each in found.shares.items():
        assert sum(each) == Fraction(found.after[name].value) - Fraction(found.before[name].value)
    assert any(share != 0 for share in found.shares["p_captured"])


def test_what_is_told_of_shares_is_an_account_that_adds_up(skirmish):
    start, after = point(skirmish, STORMING), STORMING.with_values(CHANGES)
    (found,) = sharings([start], parts(STORMING, after), Played())
    (grid,) = (block for block in told_shares(start, after, found) if isinstance(block, Grid))
    before, *each, now = ([float(cell) for cell in row[1:]] for row in grid.rows)
    assert [row[0] for row in grid.rows] == ["storming", "grenade.hits", "charge_bonus", "second_round", "storming"]
    for i, end in enumerate(now):
        assert before[i] + sum(part[i] for part in each) == pytest.approx(end, abs=1e-9)
    column = grid.headings.index("captured") - 1
    assert now[column] == pytest.approx(100 * found.after["p_captured"].value, abs=0.05)


def test_sampled_shares_have_intervals_that_hold_the_exact_ones(skirmish):
    """In 30 explanations of three shares each; 95 in 100 hold, so that 78 of 90 are fewer than in a billion runs."""
    after, held, tried = STORMING.with_values(CHANGES), 0, 0
    changed = parts(STORMING, after)
    (exact,) = sharings([point(skirmish, STORMING)], changed, Played())
    assert exact.within == {}
    assert shares_data(exact)["shares_within"] is None
    for seed in range(30):
        start = point(skirmish, STORMING, how=How("sampled", trials=800, seed=seed))
        (found,) = sharings([start], changed, Played())
        assert {"p_captured", "p_held", "turns_mean", "attackers_lost_mean"} <= found.within.keys()
        for share, told, (low, high) in zip(
            exact.shares["p_captured"], found.shares["p_captured"], found.within["p_captured"], strict=True
        ):
            assert low <= told <= high
            assert 0 < high - low < 0.2
            held += low <= share <= high
            tried += 1
    assert held >= tried - 12
    assert shares_data(found)["shares_within"]["p_captured"] == [[*ends] for ends in found.within["p_captured"]]
    (grid,) = (block for block in told_shares(start, after, found) if isinstance(block, Grid))
    assert all(" to " in cell for row in grid.rows[1:-1] for cell in row[1:])


def test_the_share_of_a_part_that_is_alone_is_as_wide_as_the_difference(skirmish):
    """By common dice: much narrower than the intervals of the two answers together."""
    start = point(skirmish, STORMING, {"attackers.plan": "smoke"}, how=How("sampled", trials=2000))
    after = STORMING.with_values({"tables.grenade.hits": "D6"})
    (found,) = sharings([start], parts(STORMING, after), Played())
    ((low, high),) = found.within["p_captured"]
    trial_by_trial = paired(start, start.under(after)).differences()["p_captured"]
    assert (low, high) == pytest.approx(trial_by_trial.ends, abs=0.002)
    each = [answers["p_captured"] for answers in (found.before, found.after)]
    assert high - low < sum(one.high - one.low for one in each)


def test_shapley_of_a_game_by_hand():
    """Two left gloves and a right one: a pair is worth 1; the right hand has 2/3 of it."""
    worth = {
        frozenset(some): Fraction(2 in some and len(some) > 1)
        for some in [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    }
    assert shapley(3, worth) == [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]


def test_keys_that_need_each_other_are_one_part():
    moved = STORMING.with_values({"tables.vehicle_damage.stunned": [], "tables.vehicle_damage.shaken": [1, 2]})
    (part,) = parts(STORMING, moved)
    assert part == {"tables.vehicle_damage.shaken": [1, 2], "tables.vehicle_damage.stunned": []}


def test_many_keys_count_by_table_and_too_many_tables_are_refused():
    ways = [way for some in steps(STORMING).values() for way in some[:1] if len(way) == 1]
    tables = {next(iter(way)).split(".")[1]: way for way in ways if next(iter(way)).startswith("tables.")}
    eight = together(list(tables.values())[:8])
    with pytest.raises(CasemateError, match="differs from storming in 8 tables and rulings; expected at most 7"):
        parts(STORMING, STORMING.with_values(eight))
    alone = together([way for way in ways if next(iter(way)).startswith("tables.cover.saves")][:7])
    assert parts(STORMING, STORMING.with_values(alone)) == [{key: value} for key, value in alone.items()]
    cover = [way for way in ways if next(iter(way)).startswith("tables.cover.saves")][:9]
    (part,) = parts(STORMING, STORMING.with_values(together(cover)))
    assert len(part) == 9


def test_books_of_two_kinds_are_not_shared():
    with pytest.raises(CasemateError, match="have no common base"):
        parts(STORMING, rule_set("gemini"))


@pytest.fixture(scope="module")
def worth(skirmish):
    return sensitivity(point(skirmish, STORMING))


def test_every_value_is_worth_what_playing_it_says(worth, skirmish):
    start = point(skirmish, STORMING)
    for one in (worth.worth[0], worth.worth[-1]):
        for step in one.steps:
            each = start.under(STORMING.with_values(step))
            answers = each.responses(each.play())
            assert {n: a.value for n, a in answers.items()} == pytest.approx(
                {n: a.value for n, a in one.responses.items()}, abs=1e-12
            )


def test_every_leaf_is_told_once(worth):
    moving = {key for one in worth.worth for step in one.steps for key in list(step)[:1]}
    told = [*moving, *worth.inert, *worth.unread]
    refused = {line.partition(":")[0] for line in worth.refused}
    assert sorted({*told} | refused) == sorted(STORMING.book.leaves())
    assert not {*worth.inert} & {*worth.unread}


def test_steps_that_come_to_the_same_stand_together(worth):
    (one,) = [one for one in worth.worth if {"rulings.charge_bonus": "no"} in one.steps]
    assert {"tables.attacks.charging": 0} in one.steps


def test_a_step_is_told_with_what_it_means(worth, skirmish):
    grid = next(block for block in told_worth(point(skirmish, STORMING), worth, every=True) if isinstance(block, Grid))
    (step,) = [row[0] for row in grid.rows if "charge_bonus: yes -> no" in row[0]]
    assert step.endswith("]")
    assert "(BASE-010)]" in step or "[ST-033: no bonus inside a building]" in step


def test_what_is_read_and_does_not_matter_is_not_told_as_moving(worth):
    moving = {key for one in worth.worth for step in one.steps for key in step}
    assert worth.inert
    assert moving.isdisjoint(worth.inert)


def test_losses_by_cause_are_sampled_as_they_are_exact(skirmish):
    """Rate: some 1e-5 for each of few numbers; the seed is fixed."""
    exact, sampled = (point(skirmish, STORMING, how=How(engine, trials=4000)) for engine in ("exact", "sampled"))
    found = [causes_data([(each, each.play())] * 2)["causes"][0]["lost"] for each in (exact, sampled)]
    assert all(" lost " in name for lost in found for name in lost)
    for name, mean in found[0].items():
        if mean["value"] > 0.01:
            about = found[1][name]
            assert about["low"] < about["value"] < about["high"]
            assert abs(mean["value"] - about["value"]) < 2.3 * (about["high"] - about["low"]) / 2
    looked_at = replace(sampled.play(), looks=5)  # their error is shared: 0.025 / 5 lie beyond either end
    wider = causes_data([(sampled, looked_at)] * 2)["causes"][0]["lost"]
    for name, about in wider.items():
        most = getattr(sampled.models, name.split(" lost ")[0])
        ends = mean_interval(*looked_at.tallies[name], 4000, lowest=0, highest=most, z=norm.isf(0.005))
        assert (about["low"], about["high"]) == pytest.approx(ends, abs=1e-12)


def test_what_is_never_read_does_not_matter(worth, skirmish):
    start = point(skirmish, STORMING)
    before = start.responses(start.play())
    for key in worth.unread[:: max(1, len(worth.unread) // 6)]:
        for way in steps(STORMING, [key])[key][:1]:
            each = start.under(STORMING.with_values(way))
            assert each.responses(each.play()) == before


def ends(**chances):
    return {f"p_{end}": each for end, each in {**dict.fromkeys(ENDS, Estimate(0.0)), **chances}.items()}


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        (("0.06", "0.01"), "captured in 81 games in 100, 74 before; most of it by grenade.hits (+6.0)"),
        (("0.09", "-0.02"), "captured in 81 games in 100, 74 before; more than all of it by grenade.hits (+9.0)"),
        (("0.03", "0.04"), "captured in 81 games in 100, 74 before; most of it by charge_bonus (+4.0)"),
    ],
)
def test_the_first_sentence_of_shares_says_which_part_does_most_and_whether_that_is_most_of_it(shares, told):
    before, after = (ends(captured=Estimate(chance)) for chance in (0.74, 0.81))
    changed = [{"tables.grenade.hits": "D6"}, {"rulings.charge_bonus": "no"}]
    found = Sharing(before, after, changed, {"p_captured": [*map(Fraction, shares)]})
    assert shares_verdict(STORMING, found) == f"Storming buildings: {told}."


def test_what_may_be_luck_is_not_told_as_a_move():
    before, after = (ends(captured=Estimate(chance, chance - 0.02, chance + 0.02)) for chance in (0.74, 0.75))
    found = Sharing(before, after, [{"tables.grenade.hits": "D6"}], {"p_captured": [Fraction("0.01")]})
    assert shares_verdict(STORMING, found).endswith("no end of this assault is seen to move, in the games drawn.")
    still = Sharing(before := ends(captured=Estimate(0.5)), before, found.parts, {"p_captured": [Fraction(0)]})
    assert shares_verdict(STORMING, still) == "Storming buildings: no end of this assault moves."


def test_the_step_that_moves_any_end_most_is_told_first():
    """The first moves captures most, the second the attackers who break, which is more."""
    before = ends(captured=Estimate(0.2), broken=Estimate(0.8))
    by_key = {
        "tables.grenade.hits": ends(captured=Estimate(0.4), broken=Estimate(0.6)),
        "tables.grenade.S": ends(captured=Estimate(0.2), broken=Estimate(0.37)),
    }
    steps = tuple(Worth(({key: 2},), answer) for key, answer in by_key.items())
    found = Sensitivity(before, steps, (), (), ())
    told = worth_verdict(STORMING.book, found)
    assert told.startswith("No step moves this assault more than grenade.S: ")
    assert told.endswith(": broken in 37 games in 100, 80 as it is.")
    none = worth_verdict(STORMING.book, replace(found, worth=()))
    assert none == "No value of the book moves this assault by one step."


def test_the_largest_come_first(worth):
    moves = [abs(one.responses["p_captured"].value - worth.before["p_captured"].value) for one in worth.worth]
    assert moves == sorted(moves, reverse=True)

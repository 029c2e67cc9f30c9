"""Realm of Chaos: whole assaults against brute force, single rules against figures worked by hand, what is monotone."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any, get_args

import numpy as np
import pytest
from scipy.stats import binom

from sims.assault import End
from sims.engines import Exact, run, solve
from sims.errors import CasemateError
from sims.games.common import order_of_blows
from sims.games.fantasy.book import OwnUnit
from sims.games.fantasy.open_fight import score_of_formation
from sims.questions import question
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos import setting, shooting
from sims.rulesets.realm_of_chaos.building import has_headroom, places_for, shooters, walls
from sims.rulesets.realm_of_chaos.damage import fabric, siege
from sims.rulesets.realm_of_chaos.inside import fight, movement, rout, ways
from sims.rulesets.realm_of_chaos.order import attackers_turn, defenders_turn, start
from sims.rulesets.realm_of_chaos.order import end as end_of
from sims.rulesets.realm_of_chaos.outside import open_fight, sally
from sims.rulesets.realm_of_chaos.outside.sight import shoots_over, shoots_over_a_building
from sims.rulesets.realm_of_chaos.setting import set_up
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, LEVEL, NEIGHBOURS, OTHER, SECTION
from sims.scenario import AttackPlan, DefencePlan, load_scenario, scenario_ids
from tests.rulesets.judging import ENDS, mean, share
from tests.rulesets.realm_of_chaos_cases import (
    CASES,
    DUELS,
    FOOTMAN,
    GUNNERS,
    QUICK,
    SMASHERS,
    THREE,
    assault,
    book,
    scenario,
)
from tests.rulesets.realm_of_chaos_oracle import House
from tests.rulesets.realm_of_chaos_states import at, fall_in, no_dice, outcomes, values, where


def play(*sides: Any, **setting: Any) -> Exact:
    return solve(assault(*sides, **setting), number=Fraction)


# A brute force written from the text judges whole assaults.


@pytest.mark.parametrize("name", CASES)
def test_a_whole_assault_is_what_brute_force_says(name):
    CASES[name].agree()


def test_the_cases_reach_every_end():
    reached = {end for case in CASES.values() for end, p in case.expected.items() if p}
    assert {"destroyed", "captured", "broken", "held"} <= reached


def test_floats_agree_with_the_fractions():
    case = CASES["demolish, high tower"]
    true, rounded = case.result, solve(case.assault)
    assert [c.tolist() for c in true.columns.values()] == [c.tolist() for c in rounded.columns.values()]
    assert np.abs(true.probabilities - rounded.weights).max() < 1e-12


@pytest.mark.usefixtures("small_batches")
def test_drawn_and_exact_shares_agree_for_every_plan(some):
    """Each end state's count is binomial; a false alarm over all plans and scenarios has a chance below 1e-9.

    The short form: each pair of plans in one scenario, and each scenario.
    """
    trials, plans = 2**15, product(get_args(AttackPlan), get_args(DefencePlan))
    for scenario_id, (plan, defence) in some(
        product(scenario_ids(), plans), lambda game: game[0], lambda game: game[1]
    ):
        planned = replace(load_scenario(scenario_id), plan=plan, defence=defence)
        assault = rule_set("realm_of_chaos").assault(planned)
        exact = solve(assault)
        assert abs(exact.weights.sum() - 1) < 1e-12
        drawn = {engine: run(assault, engine=engine, trials=trials, seed=9) for engine in ("sampled", "rolled")}
        for (engine, sample), end in product(drawn.items(), ENDS):
            p = min(1.0, float(exact.weights[exact.columns["end"] == end].sum()))
            count = int(sample.counts[sample.columns["end"] == end].sum())
            tail = 2 * min(binom.cdf(count, trials, p), binom.sf(count - 1, trials, p))
            assert tail > 1e-9 / 320, (planned.title, plan, defence, engine, end.name, p, count)


# Single rules, on a state made by hand.


@pytest.fixture
def scene():
    return set_up(scenario(replace(FOOTMAN, number=16), replace(FOOTMAN, number=15), House(levels=2), plan="storm",
                           away=8, turns=4, first="attackers"), rule_set("realm_of_chaos").book)  # fmt: skip


def test_a_garrison_that_keeps_the_doors_fills_the_ground_section_and_waits_above(scene):
    assert where(scene, start(scene).garrison) == {"A1": 12, "A2": 3}


@pytest.mark.clause("RC-011", "RC-014")
def test_attackers_enter_by_the_door_and_only_by_charging(scene):
    """Eight inches are a charge for a move of 4, nine are not; the door lets four in."""
    near = movement.advance(no_dice(), at(scene, distance=8), scene)
    far = movement.advance(no_dice(), at(scene, distance=9), scene)
    assert (near.distance, far.distance) == (0, 5)
    assert (movement.may_go_in(near, scene), movement.may_go_in(far, scene)) == (True, False)
    inn = movement.enter(no_dice(), near, scene)
    assert (where(scene, inn.inside), where(scene, inn.fight)) == ({"A1": 4}, {"A1": LEVEL})
    assert values(inn, scene, "outside", "margin") == (12, 1)


def test_no_more_enter_than_the_section_holds(scene):
    inn = movement.enter(no_dice(), at(scene, outside=6, inside={"A1": 10}, distance=0), scene)
    assert values(inn, scene, "outside", "inside A1") == (4, 12)


def test_the_garrison_steps_down_to_replace_losses(scene):
    after = movement.step(no_dice(), at(scene, garrison={"A1": 10, "A2": 3}, inside={"A1": 4}), scene)
    assert where(scene, after.garrison) == {"A1": 12, "A2": 1}
    assert where(scene, after.fight) == {"A1": LEVEL}


@pytest.mark.clause("RC-019")
@pytest.mark.parametrize(("ruling", "scored"), [("same_engagement", 0), ("charges_again", 1)])
def test_who_joins_a_fight_of_his_unit_is_in_the_same_engagement(scene, ruling, scored):
    """Four attackers fight ten defenders: four more come in by the door, or two more step down."""
    own = replace(scene, book=book(rulings={"joining_a_fight": ruling}))
    fought = at(own, outside=12, inside={"A1": 4}, garrison={"A1": 10, "A2": 3}, distance=0)
    for joins, side in ((movement.enter, 1), (movement.step, -1)):
        after = joins(no_dice(), fought, own)
        assert values(after, own, "fight A1", "margin") == (LEVEL, side * scored)


def test_a_section_that_is_not_fought_over_is_charged_anew(scene):
    """All who were inside have fallen, and the next four come in."""
    again = movement.enter(no_dice(), at(scene, outside=8, inside={}, distance=0), scene)
    assert values(again, scene, "inside A1", "fight A1", "margin") == (4, LEVEL, 1)


def test_a_garrison_that_lost_the_ground_charges_down_from_above(scene):
    after = movement.step(no_dice(), at(scene, garrison={"A2": 3}, inside={"A1": 4}), scene)
    assert values(after, scene, "garrison A1", "fight A1", "margin") == (3, LEVEL + DEFENDERS, -1)


@pytest.mark.clause("RC-007")
def test_nobody_moves_inside_but_in_the_movement_phase(scene):
    """There is room for two of the three upstairs; attackers are too far away for anything else to happen."""
    moved = set[str]()
    for stage in (*attackers_turn(scene), *defenders_turn(scene)):
        state = at(scene, garrison={"A1": 10, "A2": 3}, distance=60)
        if stage.when is None or stage.when(state, scene).all():
            after = stage.rule(no_dice(), state, scene)
            here, above = after.garrison
            moved |= {stage.name} if (here != 10).any() or (above != 3).any() else set()
    assert moved == {"step"}


@pytest.mark.clause("RC-008")
@pytest.mark.parametrize("move", [1, 4, 12])
def test_nothing_inside_slows_anybody(scene, move):
    """A step is a step, whatever the inches of a move."""
    side = scene.scenario.defenders
    slow = side.unit.model_copy(update={"move": move})
    groups = tuple(replace(group, profile=slow) for group in side.groups)
    own = set_up(replace(scene.scenario, defenders=replace(side, unit=slow, groups=groups)), scene.book)
    after = movement.step(no_dice(), at(own, garrison={"A1": 10, "A2": 3}), own)
    assert where(own, after.garrison) == {"A1": 12, "A2": 1}


@pytest.mark.clause("RC-032")
def test_a_building_on_a_hill_shoots_over_all_that_is_lower():
    rules = rule_set("realm_of_chaos").book
    for level, between in product((1, 2, 3), ("hedge", "wood", "hill")):
        assert shoots_over(rules, level, between, True)
        assert shoots_over(rules, level, between) == (level >= (2 if between == "hedge" else 3))


def test_a_building_in_the_way_is_shot_over_within_half_of_the_longer_range():
    """A range of 24 inches is 27 downhill."""
    rules = rule_set("realm_of_chaos").book
    over = [shoots_over_a_building(rules, 3, 2, inches, 24) for inches in (13, 14)]
    far = [shoots_over_a_building(rules, level, 2, inches, 24) for level, inches in ((4, 27), (4, 28), (2, 1))]
    assert (over, far) == ([True, False], [True, False, False])
    own = {ruling: book(rulings={"lower_than": ruling}) for ruling in ("shooters", "building")}
    assert [shoots_over_a_building(own[of], 3, 2, 20, 24, levels=4) for of in own] == [False, True]
    assert [shoots_over_a_building(rules, 1, 2, inches, 24, on_a_hill=True) for inches in (27, 28)] == [True, False]


@pytest.mark.parametrize(("feet", "ceiling", "goes"), [(10, 6, True), (11, 10, False), (15, 15, True), (15, 14, False)])
def test_a_tall_creature_needs_a_high_ceiling(feet, ceiling, goes):
    """RC-005: up to ten feet everybody finds room."""
    assert has_headroom(rule_set("realm_of_chaos").book, feet, ceiling) == goes


@pytest.mark.clause("RC-023")
@pytest.mark.parametrize(
    ("models", "sections", "expected"),
    [
        (24, "A1 A2", "allowed"),
        (36, "B2, A2, A1", "allowed"),
        (12, "B2", "allowed"),
        (25, "A1 A2", "not allowed"),  # they have room for 24
        (2, "A1 A2 B2", "not allowed"),  # nobody is in one of them
        (24, "A1 B2", "not allowed"),  # apart
        (36, "A1 A2 B1", "not allowed"),  # routers go one of the two ways
        (24, "B2 B3", "not allowed"),  # they were not there
        (1, "", "not allowed"),
    ],
)
def test_victors_stand_along_the_way_of_the_routers(models, sections, expected):
    """From B2 to the exit in A1."""
    assert ways.along_the_way(book(), models, sections, "B2", "A1") == expected


@pytest.mark.clause("RC-024", "RC-025")
def test_who_follows_out_is_strung_out_from_the_exit_and_who_does_not_stands_still():
    assert (rout.next_move(True), rout.next_move()) == ("follows", "reforms, and does not move")
    assert [int(rout.pursuers_in(book(), 30, nth)) for nth in (1, 2, 3, 4)] == [12, 12, 6, 0]
    assert sum(int(rout.pursuers_in(book(), 25, nth)) > 0 for nth in range(1, 9)) == 3


def test_a_victor_may_stay_inside_but_not_in_the_open():
    """RC-024, BASE-055."""
    assert (rout.needed_to_stay(True), rout.needed_to_stay(False)) == ("none", "Leadership")


def test_a_very_tall_creature_that_has_to_stoop_may_go_in_by_one_reading_and_takes_more_room():
    stooping = book(rulings={"tall_places": "stooping"})
    assert has_headroom(stooping, 15, 10)
    assert [int(places_for(stooping, 15, ceiling)) for ceiling in (14, 15)] == [2, 1]


def test_a_shield_is_a_part_of_a_save():
    with pytest.raises(CasemateError, match=r"fantasy\.shield: a shield is a part of the save: give Sv, such as 6"):
        load_scenario("keep-gate", {"units.goblin.fantasy.shield": True, "defenders.unit": "goblin"})


def test_the_translation_says_whose_shields_do_not_count():
    keep, house = (rule_set("realm_of_chaos").assault(load_scenario(name)) for name in ("keep-gate", "farmhouse"))
    told = [game.translation["A unit that routs"] for game in (keep, house)]
    assert "; shields do not count against free hacks (Man-at-arms); victors inside do not follow" in told[0]
    assert "shield" not in told[1]


def test_an_unsafe_section_is_left_by_those_who_may_not_stay(scene):
    after = movement.step(no_dice(), at(scene, unsafe=1), scene)
    assert where(scene, after.garrison) == {"A1": 6, "A2": 9}


def test_twelve_from_above_cause_three_wounds_and_follow_up_hits_better(scene):
    """Twelve WS3 S3 from above on WS3 T3 with a save of 6: 12 x 1/2 x 1/2 x 5/6, at most the 12 there."""
    fought = {"garrison": {"A1": 12}, "outside": 4, "inside": {"A1": 12}}
    state, level = (at(scene, **fought, fight={"A1": LEVEL + higher}) for higher in (DEFENDERS, 0))
    won = level.replace(winner=np.array([DEFENDERS]))
    for now, expected in ((state, Fraction(5, 2)), (level, Fraction(5, 3)), (won, Fraction(5, 2))):
        found = outcomes(partial(fight.strike, turn=0, section=0), now, scene, "inside A1")
        assert sum(p * (12 - n) for (n,), p in found.items()) == expected


@pytest.mark.clause("BASE-051")
@pytest.mark.parametrize(
    ("us", "them", "winner"),
    [
        (8, 7, ATTACKERS),  # two complete ranks of four against one
        (7, 4, 0),  # a rank that is not complete does not count
        (3, 1, 0),
        (12, 8, ATTACKERS),
        (16, 15, ATTACKERS),
        (11, 12, DEFENDERS),
    ],
)
def test_ranks_decide_a_round_in_the_open_that_is_even_otherwise(scene, us, them, winner):
    for ruling, expected in (("drawn_up", winner), ("loose", 0)):
        own = replace(scene, book=book(rulings={"formation_in_the_open": ruling}))
        state = at(own, outside=us, garrison={"A2": 15 - them}, out=them, open=1)
        found = outcomes(open_fight.decide, state, own, "winner", "routing")
        assert {won or -routs for (won, routs), p in found.items() if p} == {expected}  # who routs has lost


@pytest.mark.clause("BASE-051")
@pytest.mark.parametrize(
    ("ruling", "wins", "draw"),
    [
        ("after_the_blows", Fraction(4610875, 10077696), 0.174149),
        ("before_the_blows", Fraction(1591475, 2519424), 0.259596),
    ],
)
def test_when_ranks_are_counted_decides_rounds(scene, ruling, wins, draw):
    """Eight, in two ranks of four of which the first strikes, against five; a blow kills by 1/3 x 1/2.

    Worked out apart from this code: by convolution, from the clause.
    """
    own = replace(scene, book=book(rulings={"ranks_counted": ruling}))
    state = at(own, outside=8, garrison={}, out=5, open=1)
    counted = open_fight.count_ranks(no_dice(), state, own) if ruling == "before_the_blows" else state
    found: dict[int, Fraction] = {}
    for kills, falls in product(range(5), range(6)):
        chance = binomial(4, kills) * binomial(5, falls)
        left = {"outside": 8 - falls, "out": 5 - kills}
        struck = counted.replace(margin=counted.margin + kills - falls, **{k: np.array([n]) for k, n in left.items()})
        for (won, routs), p in outcomes(open_fight.decide, struck, own, "winner", "routing").items():
            found[won or -routs] = found.get(won or -routs, Fraction(0)) + chance * p
    assert found[ATTACKERS] == wins
    assert float(found[0]) == pytest.approx(draw, abs=5e-7)
    assert sum(found.values()) == 1


@pytest.mark.clause("BASE-050")
@pytest.mark.parametrize(
    ("rulings", "blows"),
    [({}, (4, 3)), ({"fighting_in_the_open": "all"}, (9, 3)), ({"formation_in_the_open": "loose"}, (9, 3))],
)
def test_in_the_open_the_front_rank_fights(scene, rulings, blows):
    """Nine against three, ranks of four: the most who can fall to blows that kill one each."""
    own = replace(scene, book=book(rulings=rulings))
    state = at(own, outside=9, garrison={"A2": 12}, out=3, open=1)
    wide = at(own, outside=9, garrison={"A2": 3}, out=12, open=1)
    (clash,) = (partial(open_fight.clash, turn=turn) for turn in range(len(own.order)))
    fallen = {(9 - us, 3 - them) for us, them in outcomes(clash, state, own, "outside", "out")}
    assert (max(n for _, n in fallen), max(n for n, _ in fallen)) == (3, blows[1])
    fallen = {12 - them for (them,) in outcomes(clash, wide, own, "out")}
    assert max(fallen) == blows[0]


@pytest.mark.clause("BASE-052")
@pytest.mark.parametrize(
    ("winner", "distance", "expected"),
    [(ATTACKERS, 6, 4), (ATTACKERS, 1, 0), (ATTACKERS, 0, 0), (DEFENDERS, 0, 2), (DEFENDERS, 6, 8), (0, 6, 6)],
)
def test_who_loses_in_the_open_is_pushed_back_two_inches_and_followed(scene, winner, distance, expected):
    """Nobody has lost a quarter, so nobody routs; with his back to the wall nobody goes farther."""
    state = at(scene, outside=16, garrison={"A2": 3}, out=12, open=1, distance=distance, margin=2 * winner - 1)
    found = outcomes(open_fight.decide, state, scene, "winner", "distance", "open")
    assert found == {(winner, expected, 1): 1}
    alone = at(scene, outside=16, garrison={"A2": 3}, out=0, open=1, distance=6, margin=3)
    assert outcomes(open_fight.decide, alone, scene, "distance") == {(6,): 1}


@pytest.mark.clause("BASE-056")
def test_a_charge_goes_up_to_double_rate_and_helps_to_hit_in_its_first_round(scene):
    """A move of four: 8 inches are reached, 9 are not; a charge declared from there is not made by walking nearer."""
    far = [movement.advance(no_dice(), at(scene, outside=16, distance=n), scene).distance.item() for n in (8, 9)]
    assert far == [0, 5]
    first, later = at(scene, outside=1, out=1, open=1, charged=ATTACKERS), at(scene, outside=1, out=1, open=1)
    hits = [
        sum(p for (out,), p in outcomes(partial(open_fight.clash, turn=0), state, scene, "out").items() if not out)
        for state in (first, later)
    ]
    assert hits == [
        Fraction(1, 2) * Fraction(5, 12),
        Fraction(1, 3) * Fraction(5, 12),
    ]  # a hit wounds by 1/2, 5/6 not saved


@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_a_player_turn_goes_from_moves_to_shots_to_blows_and_both_sides_strike(scene, side):
    """BASE-043: only who has the turn moves and shoots."""
    own = set_up(replace(scene.scenario, defence="sally"), scene.book)
    turn = [*(attackers_turn if side == "attackers" else defenders_turn)(own)]
    at_which = {stage.name: nth for nth, stage in enumerate(turn)}
    phases = {
        "attackers": (["advance", "enter"], ["shoot into A1", "shoot into A2"]),
        "defenders": (["come out", "step"], ["garrison fires"]),
    }
    (moves, shots), (others_moves, others_shots) = phases[side], phases[OTHER[side]]
    blows = [name for name in at_which if name.startswith(("strike in", "clash"))]
    assert max(at_which[n] for n in moves) < min(at_which[n] for n in shots)
    assert max(at_which[n] for n in shots) < min(at_which[n] for n in blows)
    assert not {*at_which} & {*others_moves, *others_shots}
    assert {stage.by for stage in turn if stage.name in blows} <= {"both sides", "attackers", "defenders"}
    assert {turn.name.split(",")[0] for turn in turn if turn.name in blows} == {"strike in A1", "strike in A2", "clash"}


def binomial(n: int, k: int) -> Fraction:
    return comb(n, k) * Fraction(1, 6) ** k * Fraction(5, 6) ** (n - k)


@pytest.mark.parametrize(("frontage", "winner"), [(4, 0), (2, DEFENDERS)])
def test_three_ranks_beyond_the_first_count_at_most(scene, frontage, winner):
    """Twenty and twelve, the garrison ahead by a wound: by fours three ranks count against two, by twos all have three."""
    own = replace(scene, book=book(House(frontage=frontage, least=2)))
    state = at(own, outside=20, garrison={"A2": 3}, out=12, open=1, margin=-1)
    assert {won for (won,), p in outcomes(open_fight.decide, state, own, "winner").items() if p} == {winner}


def test_a_standard_scores_while_anybody_can_carry_it(scene):
    bearer = scene.scenario.attackers.unit.with_own(OwnUnit(standard=True))
    game, force = scene.book.game, replace(scene.scenario.attackers, unit=bearer)
    assert score_of_formation(game, force, np.array([0, 1, 4, 8, 40])).tolist() == [0, 1, 1, 2, 4]
    assert score_of_formation(game, scene.scenario.attackers, np.array([0, 1, 4, 8, 40])).tolist() == [0, 0, 0, 1, 3]


@pytest.mark.parametrize(
    ("margin", "left", "routs"), [(-1, 12, Fraction(7, 12)), (-1, 13, 0), (1, 12, Fraction(0)), (0, 4, 0)]
)
def test_only_a_loser_with_a_quarter_lost_tests(scene, margin, left, routs):
    """Leadership 6: 21 of 36 rolls are higher. Of 16 attackers 4 are a quarter."""
    state = at(scene, outside=left - 4, inside={"A1": 4}, garrison={"A1": 12}, fight={"A1": LEVEL}, margin=margin)
    found = outcomes(fight.result, state, scene, "routing")
    assert found.get((ATTACKERS,), 0) == routs


def test_the_margin_does_not_change_the_rout_test(scene):
    one, five = (at(scene, outside=0, inside={"A1": 4}, fight={"A1": LEVEL}, margin=m) for m in (-1, -5))
    assert outcomes(fight.result, one, scene, "routing") == outcomes(fight.result, five, scene, "routing")


def test_routers_from_upstairs_have_two_sections_to_cross(scene):
    """Ten S3 pursuers, two hacks each, T3 save 6: 20 x 1/2 x 5/6 of fifty routers, had there been so many."""
    for upstairs, sections in ((0, 1), (3, 2)):
        garrison = {"A1": 15 - upstairs, "A2": upstairs}
        state = at(scene, outside=4, inside={"A1": 6}, garrison=garrison, routing=DEFENDERS)
        found = outcomes(rout.hack_defenders, state, scene, "defenders")
        p, n = Fraction(5, 12), 10 * sections
        none_killed = (1 - p) ** n
        assert found[(15,)] == none_killed
        one = n * p * (1 - p) ** (n - 1)
        assert found[(14,)] == one


def test_routed_attackers_are_hacked_by_the_whole_garrison_or_by_those_engaged():
    for ruling, hacks in (("every_member", 5), ("those_engaged", 3)):
        rules = book(rulings={"hacking": ruling})
        own = set_up(scenario(replace(FOOTMAN, number=9), replace(FOOTMAN, number=5), House(levels=2), plan="storm",
                              away=8, turns=4, first="attackers"), rules)  # fmt: skip
        there = {"inside": {"A1": 4}, "garrison": {"A1": 3, "A2": 2}, "fight": {"A1": LEVEL}}
        state = at(own, outside=5, **there, routing=ATTACKERS)
        found = outcomes(rout.hack_attackers, state, own, "outside", "broken")
        assert found[9, 1] == Fraction(7, 12) ** hacks


@pytest.mark.parametrize(
    ("damage", "ruling", "unsafe", "falls"),
    [
        (6, "add_up", Fraction(1, 6), Fraction(1, 2)),
        (7, "add_up", 0, Fraction(2, 3)),
        (9, "add_up", 0, 1),
        (6, "latest", Fraction(1, 6), Fraction(1, 2)),
    ],
)
def test_the_stability_roll(damage, ruling, unsafe, falls):
    rules = book(rulings={"lasting_results": ruling})
    small = set_up(scenario(FOOTMAN, FOOTMAN, House(levels=2), plan="storm", away=8, turns=4, first="attackers"), rules)
    found = outcomes(fabric.stability, at(small, damage=damage), small, "unsafe", "falling")
    assert sum(p for (u, _), p in found.items() if u) == unsafe
    assert sum(p for (_, f), p in found.items() if f) == falls


def test_results_add_up_or_replace_each_other():
    for ruling, kept in (("add_up", 1), ("latest", 0), ("one_test", 1)):
        rules = book(rulings={"lasting_results": ruling})
        small = set_up(scenario(FOOTMAN, FOOTMAN, House(), plan="storm", away=8, turns=4, first="attackers"), rules)
        state = at(small, damage=6, unsafe=1)
        found = outcomes(fabric.stability, state, small, "unsafe", "unstable", "tested")
        assert found[kept, 1, int(ruling == "one_test")] == Fraction(1, 3)  # a 2 or a 3


@pytest.mark.parametrize(("levels", "falls"), [(1, Fraction(1, 2)), (2, Fraction(1, 2)), (3, Fraction(2, 3))])
def test_a_three_brings_down_what_bears_more_than_one_level(levels, falls):
    small = set_up(scenario(FOOTMAN, FOOTMAN, House(levels=levels), plan="storm", away=8, turns=4, first="attackers"),
                   rule_set("realm_of_chaos").book)  # fmt: skip
    found = outcomes(fabric.stability, at(small, damage=6), small, "falling")
    assert found[(SECTION,)] == falls


def test_a_crowded_section_falls_by_a_two(scene):
    assert outcomes(fabric.stability, at(scene, damage=6), scene, "falling")[(SECTION,)] == Fraction(5, 6)


def test_who_lives_through_a_collapse():
    """Ground models get out by the door on a 6; those above only where a standing column is next to theirs."""
    for footprint, falling, lives, standing in (
        ([4, 4], SECTION, False, 0), ([8, 4], SECTION, True, 1), ([8, 4], NEIGHBOURS, False, 0),
        ([12, 4], NEIGHBOURS, False, 1),
    ):  # fmt: skip
        wide = scenario(FOOTMAN, replace(FOOTMAN, number=2), House(levels=2), plan="storm", away=8, turns=4,
                        first="attackers")  # fmt: skip
        wide = replace(wide, building=wide.building.model_copy(update={"footprint": tuple(footprint)}))
        own = set_up(wide, rule_set("realm_of_chaos").book)
        state = at(own, garrison={"A1": 1, "A2": 1}, falling=falling)
        found = outcomes(fall_in, state, own, "defenders", "stands")
        both = Fraction(1, 36) if lives else 0
        assert found.get((2, standing), 0) == both
        assert found[1, standing] == (Fraction(10, 36) if lives else Fraction(1, 6))


@pytest.mark.clause("RC-057")
def test_the_game_goes_on_in_the_column_that_stands():
    """The front is now the next column, of which each finds the section beside his: unhurt, not alight, and without a door."""
    wide = scenario(FOOTMAN, replace(FOOTMAN, number=2), House(levels=2, columns=2), plan="storm", away=8, turns=4,
                    first="attackers")  # fmt: skip
    own = set_up(wide, rule_set("realm_of_chaos").book)
    hurt = dict.fromkeys(("damage", "unsafe", "unstable", "unsound", "burning", "winner"), 1)
    fell = at(own, garrison={"A1": 1, "A2": 1}, falling=SECTION, **hurt)
    fields = ("garrison A1", "garrison A2", "out", "stands A", "falling", *hurt)
    anew = {key for key, p in outcomes(fall_in, fell, own, "garrison B1", "garrison B2", *fields).items() if p}
    assert anew == {(low, high, *(0 for _ in fields)) for low, high in product((0, 1), repeat=2)}
    assert end_of(at(own, stands={"B": 1}), own) == End.GOING_ON
    assert end_of(at(own, stands={}), own) == End.DESTROYED
    stands = at(own, distance=0, stands={"B": 1}, garrison={"B1": 2})
    assert where(own, movement.enter(no_dice(), stands, own).inside) == {}
    rubble = set_up(wide, book(rulings={"way_in_after_a_collapse": "over_the_rubble"}))
    assert where(rubble, movement.enter(no_dice(), stands, rubble).inside) == {"B1": 3}


@pytest.mark.parametrize(("models", "out"), [(12, 0), (20, 8)])
def test_those_who_find_no_room_beside_theirs_are_put_outside(models, out):
    """One level: twelve on the ground, the others beside them, where no more than twelve can be; all save on 2+."""
    sure = scenario(FOOTMAN, replace(FOOTMAN, number=models, Sv=2), House(columns=2), plan="storm", away=8, turns=4,
                    first="attackers")  # fmt: skip
    own = set_up(sure, rule_set("realm_of_chaos").book)
    found = outcomes(fall_in, at(own, falling=SECTION), own, "defenders", "out", "garrison B1")
    assert found[models, out, 12] == Fraction(5, 6) ** 12
    assert sally.may_be_outside(own)


def test_nobody_finds_room_beside_enemies_in_a_collapse():
    """Two of the garrison in A1, both saved on a 6: B1 is free, or an attacker stands in it and they get out by the door."""
    own = set_up(scenario(FOOTMAN, replace(FOOTMAN, number=2), House(columns=2), plan="storm", away=8, turns=4,
                          first="attackers"), rule_set("realm_of_chaos").book)  # fmt: skip
    for inside, beside, out in (({}, 2, 0), ({"B1": 1}, 0, 2)):
        state = at(own, garrison={"A1": 2}, inside=inside, falling=SECTION)
        found = outcomes(fall_in, state, own, "garrison B1", "out")
        assert found[beside, out] == Fraction(1, 36)


@pytest.mark.clause("RC-057")
def test_attackers_in_a_falling_section_get_out_by_the_way_they_came_in_or_beside():
    """Of one on the ground and one above, each saved by a 6, the first gets outside and the other into B2, if it is free."""
    own = set_up(scenario(FOOTMAN, replace(FOOTMAN, number=1), House(levels=2, columns=2), plan="storm", away=8, turns=4,
                          first="attackers"), rule_set("realm_of_chaos").book)  # fmt: skip
    for garrison, beside in (({"B1": 1}, 1), ({"B2": 1}, 0)):
        state = at(own, outside=1, inside={"A1": 1, "A2": 1}, garrison=garrison, falling=SECTION)
        found = outcomes(fall_in, state, own, "outside", "inside B2", "inside")
        assert found[2, beside, beside] == Fraction(1, 36) + (Fraction(5, 36) if not beside else 0)


def test_everyone_may_use_the_door_of_a_fallen_column_by_another_ruling():
    rules = book(rulings={"doors_after_collapse": "any_door"})
    two = replace(FOOTMAN, number=2)
    own = set_up(scenario(FOOTMAN, two, House(levels=2), plan="storm", away=8, turns=4, first="attackers"), rules)
    found = outcomes(fall_in, at(own, garrison={"A1": 1, "A2": 1}, falling=SECTION), own, "defenders")
    assert found[(2,)] == Fraction(1, 36)


def test_an_ogre_under_masonry_saves_on_four_and_takes_d3_wounds():
    bastion = scenario(FOOTMAN, replace(FOOTMAN, number=1), House(), plan="storm", away=8, turns=4, first="attackers")
    ogre = bastion.defenders.unit.model_copy(update={"W": 3, "T": 5})
    group = replace(bastion.defenders.groups[0], profile=ogre)
    own = set_up(replace(bastion, defenders=replace(bastion.defenders, unit=ogre, groups=(group,))),
                 rule_set("realm_of_chaos").book)  # fmt: skip
    for hurt, dies in ((0, Fraction(1, 6)), (1, Fraction(1, 3)), (2, Fraction(1, 2))):
        state = at(own, defenders_hurt=hurt, falling=SECTION)
        assert outcomes(fall_in, state, own, "defenders")[(0,)] == dies


@pytest.mark.clause("RC-027")
@pytest.mark.parametrize(
    ("inches", "ruling", "parts"),
    [
        (5, "one_after_the_other", [4, 1]),
        (5, "evenly", [Fraction(5, 2)] * 2),
        (8, "one_after_the_other", [4, 4]),
        (3, "one_after_the_other", [3, 0]),
        (11, "one_after_the_other", [4, 4, 3]),
        (11, "evenly", [Fraction(11, 3)] * 3),
        (60, "one_after_the_other", [4, 4]),  # no section has a wall of more than four inches
        (60, "evenly", [4, 4]),
    ],
)
def test_a_wall_is_split_over_its_sections(inches, ruling, parts):
    assert [*walls(book(rulings={"wall_of_a_section": ruling}), Fraction(inches), len(parts))] == parts


@pytest.mark.clause("RC-027")
@pytest.mark.parametrize(("ruling", "full", "fell"), [("one_after_the_other", 10, 2), ("evenly", 8, 4)])
def test_five_inches_of_wall_are_five_on_each_level(ruling, full, fell):
    """Two levels of two sections, all full; then the column is gone that has the first four inches."""
    house = scenario(
        replace(FOOTMAN, number=16), replace(FOOTMAN, number=40), House(levels=2, columns=2, wall=5), plan="shoot",
        away=8, turns=4, first="attackers",
    )  # fmt: skip
    own = set_up(house, book(rulings={"wall_of_a_section": ruling}))
    for state, fires in (
        (at(own, distance=8), full),
        (at(own, distance=8, garrison={"B1": 12, "B2": 12}, stands={"B": 1}), fell),
    ):
        assert {*outcomes(shooting.garrison_fires, state, own, "fired")} == {(fires,)}


@pytest.mark.parametrize(("distance", "fired"), [(24, (4, 3)), (27, (0, 3)), (28, (0, 0))])
def test_those_upstairs_fire_farther_and_it_is_remembered_where_who_fired(scene, distance, fired):
    """Twelve on the ground at four inches of wall, three upstairs; a range of 24, or 27 downhill."""
    after = outcomes(shooting.garrison_fires, at(scene, distance=distance), scene, "fired A1", "fired A2")
    assert set(after) == {fired}


def fire_into_the_building(dice, state, scene):
    """All stages: section by section, and who fired is forgotten."""
    for i, title in enumerate(scene.plan.titles):
        if shooting.has_targets(i)(state, scene).all():
            state = shooting.shoot_in(dice.within(title), state, scene, i)
    return shooting.cease_fire(dice, state, scene)


@pytest.mark.clause("RC-034", "RC-037")
@pytest.mark.parametrize(
    ("distance", "fired", "ground", "upstairs"),
    [
        (4, (0, 3), 0, 3),
        (4, (4, 0), 4, 0),
        (4, (4, 3), 4, 3),
        (22, (4, 3), 4, 3),
        (23, (4, 3), 4, 0),  # 24 inches are 22 uphill
        (4, (0, 9), 0, 3),
    ],
)
def test_those_who_fired_can_be_shot_at_wherever_they_are_and_nobody_else(scene, distance, fired, ground, upstairs):
    state = at(scene, distance=distance, fired={"A1": fired[0], "A2": fired[1]})
    assert [bool(shooting.has_targets(i)(state, scene)) for i in (0, 1)] == [n > 0 for n in fired]
    found = outcomes(fire_into_the_building, state, scene, "garrison A1", "garrison A2", "fired")
    left = {(12 - low, 3 - high, 0) for low in range(ground + 1) for high in range(upstairs + 1)}
    assert set(found) == left


def test_shots_into_a_building_are_shared_out_over_those_who_fired(scene):
    """Sixteen BS3 S3 within half range: six of them, three sevenths, at those upstairs, who have hard cover either way."""
    state = at(scene, distance=4, fired={"A1": 4, "A2": 3}, unsafe=1)
    found = outcomes(fire_into_the_building, state, scene, "defenders", "garrison A2")
    falls = Fraction(1, 2) * Fraction(5, 6)  # S3 on T3, a save of 6
    soft, hard = Fraction(1, 3) * falls, Fraction(1, 6) * falls
    assert found[15, 3] == (1 - soft) ** 10 * (1 - hard) ** 6


@pytest.mark.parametrize(
    ("counts", "fired", "up"),
    [
        ((1, 3), (1, 1), (0, 2)),
        ((1, 3), (0, 1), (1, 3)),
        ((1, 3), (1, 0), (0, 0)),
        ((1, 1, 1, 1), (1, 1), (0, 1, 0, 1)),
        ((1, 1, 1, 1), (1, 3), (0, 1, 1, 1)),
        ((1, 1, 14), (4, 3), (0, 0, 6)),
        ((2, 1), (1, 2), (1, 1)),
    ],
)
def test_groups_of_one_have_their_part_in_the_shots_at_those_upstairs(scene, counts, fired, up):
    """The part of the whole unit is rounded, not that of each group; each column of a state by itself."""
    force = scene.scenario.attackers
    groups = tuple(replace(force.groups[0], count=count) for count in counts)
    own = set_up(replace(scene.scenario, attackers=replace(force, groups=groups)), scene.book)
    state = at(own, distance=4).replace(fired=tuple(np.array([n, 0]) for n in fired))
    low, high = (np.broadcast_arrays(*shooting.aimed_at(state, own, i), fired[0] * np.ones(2))[:-1] for i in (0, 1))
    assert [n.tolist() for n in high] == [[n, 0] for n in up]
    assert [n.tolist()[0] for n in low] == [(n - above) * (fired[0] > 0) for n, above in zip(counts, up, strict=True)]


def test_those_who_shoot_come_near_enough_to_reach_those_upstairs():
    halts = {}
    for models in (12, 13):
        sides = FOOTMAN, replace(FOOTMAN, number=models), House(levels=2)
        setting = {"plan": "shoot", "away": 30, "turns": 4, "first": "attackers"}
        halts[models] = set_up(scenario(*sides, **setting), rule_set("realm_of_chaos").book).halt
    assert halts == {12: 24, 13: 22}


def test_no_more_are_shot_inside_than_fired(scene):
    state, into_the_ground = at(scene, fired={"A1": 1}, distance=4), partial(shooting.shoot_in, section=0)
    found = outcomes(into_the_ground, state, scene, "defenders")
    assert set(found) == {(15,), (14,)}
    rules = book(rulings={"targets_inside": "whole_unit"})
    wide = replace(scene, book=rules)
    assert len(outcomes(into_the_ground, state, wide, "defenders")) == 13  # none to all twelve on the ground


def test_shots_at_the_fabric_may_hit_by_themselves(scene):
    gunners = scenario(replace(GUNNERS, number=1), THREE, House(T=10), plan="demolish", away=9, turns=4,
                       first="attackers")  # fmt: skip
    for ruling, chance in (("large_target", Fraction(5, 6) * Fraction(1, 3)), ("automatic", Fraction(1, 3))):
        own = set_up(gunners, book(rulings={"hitting_the_fabric": ruling}))
        assert outcomes(siege.shoot_at_fabric, start(own), own, "damage")[(1,)] == chance


def test_blows_go_by_initiative():
    sides = load_scenario("bunker-rush")
    order = order_of_blows(sides.attackers, sides.defenders)
    by_initiative = [
        {g.profile.I for i, g in enumerate(force.groups) if i in who}
        for step in order
        for force, who in zip((sides.attackers, sides.defenders), step, strict=True)
    ]
    assert by_initiative == [{3}, {3}, {2}, set()]


def test_each_switch_of_the_timing_moves_the_collapse():
    """Damage of the first turn is rolled for in the second; at once, or once a game turn, it is sooner or later."""
    us, them = replace(SMASHERS, number=3), THREE
    kwargs = {"plan": "demolish", "away": 4, "turns": 2, "first": "attackers"}
    fallen = {
        ruling: share(play(us, them, House(), {"stability_rolls": ruling}, **kwargs), End.DESTROYED)
        for ruling in ("at_once", "every_player_turn", "every_game_turn")
    }
    assert fallen["at_once"] > fallen["every_player_turn"] > fallen["every_game_turn"] > 0


@pytest.mark.parametrize(
    ("case", "ruling", "option"),
    [
        ("storm, reserves upstairs", "charge_result", "lost"),
        ("storm, reserves upstairs", "way_out", "strictly_between"),
        ("storm, garrison first", "needs_beyond_six", "impossible"),
    ],
)
def test_other_rulings_change_the_assault(case, ruling, option):
    duel = DUELS[case]
    usual, other = CASES[case].result, play(*duel[:3], {ruling: option}, **duel.setting)
    differs = [share(usual, end) != share(other, end) for end in ENDS]
    differs += [mean(usual, f"{side}_lost") != mean(other, f"{side}_lost") for side in ("attackers", "defenders")]
    assert any(differs)


def test_strictly_between_leaves_those_at_the_door_unhacked():
    rules = book(rulings={"way_out": "strictly_between"})
    own = set_up(scenario(FOOTMAN, THREE, House(), plan="storm", away=8, turns=4, first="attackers"), rules)
    state = at(own, outside=0, inside={"A1": 3}, routing=ATTACKERS)
    assert outcomes(rout.hack_attackers, state, own, "outside") == {(3,): 1}


def test_a_grid_of_sections_holds_more():
    wide = load_scenario("keep-gate")
    plans = {s: set_up(wide, book(rulings={"sections_of_a_floor": s})).plan for s in ("row", "grid")}
    assert {s: len(plan.columns) for s, plan in plans.items()} == {"row": 2, "grid": 4}


def test_a_full_section_has_as_many_at_its_walls_as_the_book_in_force_lets_in():
    assert [int(shooters(book(House(room=room)), Fraction(30))) for room in (12, 9)] == [12, 9]


@pytest.mark.parametrize("way", ["uphill", "downhill"])
def test_a_range_up_or_down_is_asked_within_bounds(way):
    ranged = question(f"range {way}").answer
    assert ranged({"inches": "0"}) == 0
    for inches in ("-24", "1001"):
        with pytest.raises(CasemateError, match=f"inches cannot be {inches}; expected 0 to 1000"):
            ranged({"inches": inches})


def test_a_garrison_that_does_not_fit_is_refused():
    full = scenario(FOOTMAN, replace(FOOTMAN, number=13), House(), plan="storm", away=8, turns=4, first="attackers")
    with pytest.raises(CasemateError, match=r"holds 12 models .* got 13"):
        rule_set("realm_of_chaos").assault(full)


# The plans of the attackers.


def test_nothing_brings_down_what_nobody_can_hurt_so_they_go_in():
    storms, demolishes = (
        run(
            rule_set("realm_of_chaos").assault(
                replace(load_scenario("keep-gate", {"attackers.specials": []}), plan=plan)
            ),
            engine="exact",
        )
        for plan in ("storm", "demolish")
    )
    assert np.array_equal(storms.weights, demolishes.weights)
    assert {k: v.tolist() for k, v in storms.columns.items()} == {k: v.tolist() for k, v in demolishes.columns.items()}


def test_attackers_halt_where_they_do_most_damage():
    """S9 shots within reach from afar beat the walk; blows of S10 are worth the walk."""
    gunners = scenario(GUNNERS, THREE, House(T=10), plan="demolish", away=18, turns=4, first="attackers")
    smashers = scenario(SMASHERS, THREE, House(T=10), plan="demolish", away=18, turns=4, first="attackers")
    gunners, smashers = (set_up(s, rule_set("realm_of_chaos").book) for s in (gunners, smashers))
    assert (gunners.shooters, gunners.strikers, smashers.shooters, smashers.strikers) == ((0,), (), (), (0,))
    assert (gunners.halt, smashers.halt) == (18, 0)
    assert setting.expected_damage(gunners, 18) == 4 * 3 * Fraction(2, 3) * Fraction(1, 3)


def test_those_who_are_left_go_in_when_nobody_can_hurt_the_walls_any_more():
    """The boss and the rockets of the rush fall last, so it takes a shorter list to see it: one with a fist, and four."""
    rush = load_scenario("bunker-rush", {"attackers.specials": [], "attackers.models": 4})
    own = set_up(replace(rush, plan="demolish"), rule_set("realm_of_chaos").book)
    assert own.strikers == (0,)
    assert bool(setting.besieging(at(own, outside=1), own))
    fallen = replace(own, besiegers=())
    assert bool(setting.storming(at(fallen, outside=4), fallen))
    assert not bool(setting.storming(at(fallen, outside=4, damage=6), fallen))


# What must be monotone.


@pytest.mark.parametrize("plan", ["storm", "demolish"])
def test_a_better_save_never_hurts_the_side_that_has_it(plan):
    """A tie in Initiative, so that nobody gains by dying first."""
    kwargs = {"plan": plan, "away": 6, "turns": 3, "first": "attackers"}
    captured, lost = [], []
    for Sv in (6, 5, 4, 3, 2):
        result = play(replace(SMASHERS, Sv=Sv), THREE, House(levels=2, room=2), **kwargs)
        captured.append(share(result, End.CAPTURED) + share(result, End.DESTROYED))
        lost.append(mean(result, "attackers_lost"))
    assert captured == sorted(captured)
    assert lost == sorted(lost, reverse=True)


def test_more_attackers_take_the_building_more_often():
    shares = []
    for n in (4, 6, 8, 10, 12):
        us = replace(QUICK, number=n)
        result = play(us, replace(THREE, number=5), House(), plan="storm", away=8, turns=3, first="attackers")
        shares.append(share(result, End.CAPTURED))
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_a_wider_door_helps_the_attackers():
    us, them = replace(QUICK, number=6), replace(THREE, number=6)
    kwargs = {"plan": "storm", "away": 8, "turns": 2, "first": "attackers"}
    shares = [share(play(us, them, House(door=d), **kwargs), End.CAPTURED) for d in (1, 2, 4, 8)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]

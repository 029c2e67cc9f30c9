"""The dice rules of Gemini-ARAP against brute force: every reading, arrays, and what is refused.

The catalogue's own checks are in ``tests/clauses/gemini-arap.toml``.
"""

from fractions import Fraction

import numpy as np
import pytest

from sims.clauses import clause
from sims.dice import BEST_OF_TWO_TWICE, PMF
from sims.errors import CasemateError
from sims.games.arap import Arap
from sims.games.arap.moving import measuring
from sims.games.arap.rolls import characteristics, hits, scatter, wounds
from sims.questions import question
from tests import oracle

ARAP = Arap.load()
D6S = range(1, 7)


def ruled(**choices: str) -> Arap:
    return Arap.load().with_rulings(choices)


def ask(name, **given):
    return question(name, given).answer({key: str(value) for key, value in given.items()})


# Hitting.


@pytest.mark.parametrize("choice", ["allowed", "impossible"])
def test_to_hit(choice):
    for skill in range(11):
        for modifiers in range(-5, 4):
            rolls = [(a, b) for a in D6S for b in D6S]
            target = min(5, skill + modifiers)
            if choice == "allowed":
                wanted = Fraction(sum(oracle.low(target, a, b) for a, b in rolls), 36)
            else:
                wanted = Fraction(sum(oracle.plain_low(target, a) for a, _ in rolls), 36)
            answer = ask("ARAP-005", base=skill, modifiers=modifiers, extended_to_hit=choice)
            assert answer == wanted


def test_targets_of_whole_arrays():
    skill, modifiers = np.array([[5, 6, 7], [5, 6, 7]]), np.array([[-1], [-2]])
    assert hits.hit_target(ARAP, skill, modifiers).tolist() == [[4, 5, 5], [3, 4, 5]]


def test_a_lower_cap_of_a_house_rule_counts():
    tables = ARAP.tables.model_copy(update={"to_hit": ARAP.tables.to_hit.model_copy(update={"best": 4})})
    house = ARAP.model_copy(update={"tables": tables})
    assert hits.hit(house, 9).pmf[1] == Fraction(2, 3)


def test_old_goals_keep_their_chance():
    for goal in range(2, 7):
        assert ask("chance of a high goal", goal=goal) == oracle.passing("GOAL", goal)
    with pytest.raises(CasemateError, match="from 2 to 6, got 7"):
        ask("chance of a high goal", goal=7)


def test_shots_need_a_ballistic_skill():
    assert ask("ARAP-008", attack="melee", WS=3, BS=5) == Fraction(1, 2)
    with pytest.raises(CasemateError, match="shooting needs BS="):
        ask("ARAP-008", attack="shooting", WS=3)


# Wounding and saving.


def test_wound_goals_of_whole_arrays():
    S, T = np.arange(1, 11)[:, None], np.arange(1, 11)
    goals = wounds.wound_goal(ARAP, S, T)
    assert goals.tolist() == [[max(2, t + 4 - s) for t in range(1, 11)] for s in range(1, 11)]
    assert goals[2].tolist() == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]  # the book's column for S 3


def test_wound_chances():
    for S in range(1, 11):
        for T in range(1, 11):
            assert ask("wound roll", S=S, T=T) == oracle.passing("HIGH", max(2, T + 4 - S))
            assert ask("wound goal", S=S, T=T) == max(2, T + 4 - S)


def test_high_goals_only_where_they_may_be_tried():
    goal = np.arange(2, 13)
    assert wounds.goal_where_allowed(ARAP, goal, True).tolist() == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
    assert wounds.goal_where_allowed(ARAP, goal, False).tolist() == [2, 3, 4, 5, 6, 7, 10, 10, 10, 10, 10]
    near = np.array([True, False])
    assert wounds.goal_where_allowed(ARAP, np.array([8, 8]), near).tolist() == [8, 10]


@pytest.mark.parametrize(
    ("distance", "reach", "chance"), [("6", 12, "1/18"), ("25/4", 12, "0"), (12, 48, "1/18"), ("12.5", 48, "0")]
)
def test_short_range_is_inclusive(distance, reach, chance):
    assert ask("ARAP-010", goal=8, distance=distance, range=reach) == Fraction(chance)


def test_short_range_of_whole_arrays():
    reach = np.array([6, 12, 24, 48])
    assert measuring.short_range(ARAP, reach).tolist() == [3, 6, 12, 12]
    near = measuring.within(np.array([4, 6, 12, 13]), measuring.short_range(ARAP, reach))
    assert near.tolist() == [False, True, True, False]


def test_a_shot_has_a_distance_within_its_range():
    with pytest.raises(CasemateError, match="needs distance= and range="):
        ask("ARAP-010", goal=8)
    with pytest.raises(CasemateError, match="out of range; expected at most 24"):
        ask("ARAP-010", goal=7, distance=25, range=24)


def test_melta():
    for goal in range(1, 12):
        assert ask("ARAP-004", goal=goal) == oracle.passing("BEST_OF_TWO", goal)
        assert ask("ARAP-004", goal=goal, close="no") == oracle.passing("HIGH", goal)
        switched = ask("ARAP-004", goal=goal, melta_confirming="best_of_two")
        assert switched == oracle.passing("BEST_OF_TWO_TWICE", goal)
    assert ask("ARAP-004", goal=7, melta_confirming="best_of_two") == Fraction(11, 48)
    assert wounds.melta(ruled(melta_confirming="best_of_two"), 7).tests == (BEST_OF_TWO_TWICE.named("to wound"),)


def test_saves():
    for goal in range(12):
        assert ask("ARAP-011", save=goal) == oracle.passing("HIGH", goal)
        assert ask("ARAP-011", save=goal, extended_saves="impossible") == oracle.passing("GOAL", goal)
    for choice in ("allowed", "impossible"):
        assert ask("ARAP-011", save="none", extended_saves=choice) == 0


def test_a_volley_under_the_book():
    """Ten shots at BS 3 with S 4 against T 4 and a 5+ save, as an assault draws them."""
    shot = hits.hit(ARAP, 3).then(wounds.wound(ARAP, 4, 4)).then(wounds.save(ARAP, 5).failed)
    killed = Fraction(1, 2) * Fraction(1, 2) * Fraction(2, 3)
    assert dict(shot.times(10).pmf) == oracle.volley(10, killed)


# Tests against characteristics.

MORALE = {"pinning", "heavy_casualties", "suppression", "rout", "dangerous_ground"}
CONTROL = {"rally", "not_pursuing", "halting_pursuit", "breaking_off"}


@pytest.mark.clause("ARAP-013")
def test_classes_of_leadership_tests():
    kinds = set(ARAP.tables.leadership_tests.classes)
    assert kinds == {*MORALE, *CONTROL, "confusion"}
    for kind in kinds:
        expected = "morale" if kind in MORALE else "control" if kind in CONTROL else "plain"
        assert ask("class of a Leadership test", test=kind) == expected
    assert ask("class of a Leadership test", test="pinning", pinning_class="plain") == "plain"


@pytest.mark.clause("ARAP-013")
def test_what_a_unit_passes_without_a_roll():
    def passed(passes: str, **rulings: str) -> set[str]:
        kinds = ARAP.tables.leadership_tests.classes
        return {kind for kind in kinds if ask("passes without a roll", test=kind, passes=passes, **rulings)}

    assert passed("none") == set()
    assert passed("morale_checks") == MORALE
    assert passed("morale_checks", pinning_class="plain") == MORALE - {"pinning"}
    assert passed("every_test") == {*MORALE, *CONTROL, "confusion"}
    assert passed("rally") == {"rally"}
    assert ask("ARAP-012", target=2, test="rout", passes="morale_checks") == 1
    assert ask("ARAP-012", target=7, test="confusion", passes="morale_checks") == Fraction(7, 12)


def test_leadership():
    for target in range(-3, 14):
        always, plain = oracle.passing("LEADERSHIP", target), oracle.passing("PLAIN_LEADERSHIP", target)
        for kind in ("rout", "rally", "confusion", "pinning"):
            assert ask("ARAP-012", target=target, test=kind) == always
            switched = ask("ARAP-012", target=target, test=kind, double_one="morale_checks")
            assert switched == (always if kind in MORALE else plain)


def test_initiative():
    for target in range(-4, 11):
        assert ask("ARAP-020", target=target) == oracle.passing("LOW", target)
        switched = ask("ARAP-020", target=target, extended_initiative="impossible")
        assert switched == oracle.passing("PLAIN_LOW", target)


def test_strength_and_toughness():
    for value in range(-1, 11):
        assert ask("ARAP-021", value=value) == oracle.passing("UNDER", value)
        assert ask("ARAP-021", value=value, six_fails="yes") == oracle.passing("PLAIN_LOW", value)


# Odd dice.


def test_odd_dice():
    scores = {"D2": oracle.d2, "D3": oracle.d3, "AvD": oracle.average}
    for die, score in scores.items():
        assert dict(ask("odd dice", die=die, dice=3)) == oracle.scored(
            [6] * 3, lambda *fallen, score=score: sum(map(score, fallen))
        )
        assert [ask("odd die as it fell", die=die, face=face) for face in D6S] == [score(face) for face in D6S]
    assert [ask("odd die as it fell", die="D5", face=face) for face in range(10)] == [5, 1, 2, 3, 4, 5, 1, 2, 3, 4]


def test_tens_and_units():
    assert ask("ARAP-018", die="D100", tens=0, units=0) == 100
    assert ask("ARAP-018", die="D100", tens=0, units=7) == 7
    assert ask("ARAP-018", die="D100", tens=3, units=0) == 30
    assert ask("ARAP-018", die="D66", tens=2, units=5) == 25


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("odd die as it fell", {"die": "D3", "face": 7}, "a D6 does not show 7; expected 1 to 6"),
        ("odd die as it fell", {"die": "D3", "face": 0}, "a D6 does not show 0"),
        ("odd die as it fell", {"die": "D5", "face": 11}, "a D10 does not show 11; expected 0 to 9"),
        ("ARAP-018", {"die": "D66", "dice": 2}, "not added up"),
        ("ARAP-003", {"dice": 2, "keep": 3}, "between 1 and the 2 thrown, got 3"),
        ("ARAP-003", {"dice": 2, "keep": 1, "sides": 0}, "at least one side"),
        ("ARAP-003", {"dice": 999999, "keep": 2}, "expected at most"),
        ("ARAP-003", {"dice": 3, "keep": 1, "sides": 999999999}, "expected at most"),
        ("ARAP-030", {"throws": 999999999}, "expected at most"),
        ("ARAP-022", {"degrees": 181}, "0 to 180 degrees, got 181"),
    ],
)
def test_dice_that_cannot_be(name, given, message):
    with pytest.raises(CasemateError, match=message):
        ask(name, **given)


# Scatter.


def test_scatter_less_skill():
    for skill in range(-3, 11):
        assert dict(ask("ARAP-026", BS=skill)) == oracle.scored([6, 6], oracle.scatter_less(skill))
        switched = ask("ARAP-026", BS=skill + 1, modifiers=-1, subtracted_skill="capped")
        assert dict(switched) == oracle.scored([6, 6], oracle.scatter_less(min(skill, 5)))


@pytest.mark.parametrize(
    ("choice", "double"),
    [
        ("top_two", oracle.top_two_match),
        ("any_two", oracle.any_two_match),
        ("pointer_and_base", oracle.pointer_and_base_match),
    ],
)
def test_three_dice_scatter(choice, double):
    found = ask("three-dice scatter", three_dice_double=choice)
    assert dict(found) == oracle.scored([6] * 3, oracle.three_dice(double))
    shown = ask("double of three dice", three_dice_double=choice)
    assert shown == oracle.scored([6] * 3, lambda *fallen: int(double(*fallen)))[1]


def test_crazed_animals():
    assert dict(ask("ARAP-030", throws=3)) == oracle.added(*[oracle.scored([6, 6], oracle.crazed)] * 3)
    assert dict(ask("ARAP-030", move=8)) == oracle.scored([6, 6], oracle.crazed_move)
    own = ask("ARAP-030", move=8, crazed_distance="own_move")
    assert own == PMF.of({-8: 1, 8: 11})


def test_direction_is_uniform():
    assert scatter.direction(Fraction(180)) == 1
    assert scatter.direction(Fraction(0)) == 0


# Measuring.


def test_sizes():
    assert measuring.melee_radius(ARAP, np.array([1, 2, 3, 4])).tolist() == [1, 2, 3, 4]
    assert measuring.large(ARAP, np.array([1, 2, 3, 4])).tolist() == [False, False, True, True]
    assert ask("size of a figure", figure="ogryn") == 2
    with pytest.raises(CasemateError, match='no figure "titn"; did you mean "titan"'):
        ask("melee radius", figure="titn")


def test_scales_and_t_stick():
    assert ask("distance at another scale", distance="5/2", scale="2 cm") == 5
    assert ask("distance at another scale", distance=6, scale="1 cm") == 6
    assert [ask("T-stick", part=part) for part in ("arm", "span", "height")] == [Fraction(3, 2), 3, Fraction(5, 2)]


def test_limits_of_whole_arrays():
    assert measuring.within(np.array([2, 3, 4]), 3).tolist() == [True, True, False]


# The book.


def test_every_open_point_is_a_ruling():
    kernel = {f"ARAP-{n:03}" for n in range(1, 35)}
    unclear = {id for id in kernel if clause(id).unclear}
    assert unclear == {ruling.clause for _, ruling in ARAP.all_rulings()} & kernel


def test_every_option_of_every_ruling_can_be_chosen():
    for name, ruling in ARAP.all_rulings():
        for option in ruling.options:
            assert getattr(ruled(**{name: option}).rulings, name)(option)


def test_kinds_of_test_are_those_of_the_table():
    assert set(characteristics.Kind.__args__) == set(ARAP.tables.leadership_tests.classes)
    assert set(characteristics.Passes.__args__) == {
        "none",
        "every_test",
        "morale_checks",
        *characteristics.Kind.__args__,
    }


@pytest.mark.parametrize(
    "asked",
    ["ARAP-107 BS=0 aimed=yes", "shot-by-corrective-aiming BS=0 turn=2", "wound-by-a-laser-through-smoke S=5 T=3"],
)
def test_what_cannot_be_fired_has_no_chance(asked):
    """Nobody shoots with a Ballistic Skill of 0 (ARAP-106), nor a weak laser through smoke (ARAP-113)."""
    name, *given = asked.split()
    inputs = dict(pair.split("=") for pair in given)
    assert question(name, inputs).answer(inputs) == 0

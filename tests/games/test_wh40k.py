"""The 40k base rules against the printed charts, and a mirror match."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.dice import ExactDice, together
from sims.errors import CasemateError
from sims.games.common import IMPOSSIBLE
from sims.games.wh40k import areas, fire, structures, transport
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.book import Fifth, Sixth, Wh40k
from sims.inputs import NONE
from sims.profiles import Unit, library
from sims.questions import question
from sims.reading import parse
from sims.scenario import Group, build

RULES = Wh40k.load()
WS_CHART = [
    [4, 4, 5, 5, 5, 5, 5, 5, 5, 5],
    [3, 4, 4, 4, 5, 5, 5, 5, 5, 5],
    [3, 3, 4, 4, 4, 4, 5, 5, 5, 5],
    [3, 3, 3, 4, 4, 4, 4, 4, 5, 5],
    [3, 3, 3, 3, 4, 4, 4, 4, 4, 4],
    [3, 3, 3, 3, 3, 4, 4, 4, 4, 4],
    [3, 3, 3, 3, 3, 3, 4, 4, 4, 4],
    [3, 3, 3, 3, 3, 3, 3, 4, 4, 4],
    [3, 3, 3, 3, 3, 3, 3, 3, 4, 4],
    [3, 3, 3, 3, 3, 3, 3, 3, 3, 4],
]
"""The striker's WS down, the target's across (BASE-009)."""

WOUND_CHART = ["4566NNNNNN", "34566NNNNN", "234566NNNN", "2234566NNN", "22234566NN",
               "222234566N", "2222234566", "2222223456", "2222222345", "2222222234"]  # fmt: skip
"""Strength down, Toughness across, N for never (BASE-011)."""


@pytest.mark.parametrize(("A", "D"), [*product(range(1, 11), repeat=2)])
def test_the_need_to_hit_is_that_of_the_chart(A, D):
    assert wh40k.need_to_hit(RULES, A, D) == WS_CHART[A - 1][D - 1]


@pytest.mark.parametrize(("S", "T"), [*product(range(1, 11), repeat=2)])
def test_the_need_to_wound_is_that_of_the_chart(S, T):
    printed = WOUND_CHART[S - 1][T - 1]
    assert wh40k.need_to_wound(RULES, S, T) == (IMPOSSIBLE if printed == "N" else int(printed))


@pytest.mark.parametrize(
    ("BS", "chance"),
    [(0, "0"), (1, "1/6"), (2, "1/3"), (3, "1/2"), (4, "2/3"), (5, "5/6"), (6, "31/36"), (7, "8/9"), (8, "11/12"),
     (9, "17/18"), (10, "35/36")],
)  # fmt: skip
def test_ballistic_skill(BS, chance):
    """By algebra, and by going through both faces (BASE-002, BASE-003)."""
    test = wh40k.to_hit_with(7, 12, 2)
    assert wh40k.shot(RULES, BS).pmf[1] == test.chance(BS) == Fraction(chance)
    faces = [np.array(f) for f in zip(*product(range(1, 7), repeat=2), strict=True)]
    assert Fraction(int(test.passes(BS, *faces).sum()), 36) == Fraction(chance)


@pytest.mark.parametrize(
    ("Sv", "inv", "AP", "cover", "fails"),
    [(3, None, None, None, "1/3"), (3, None, 3, None, "1"), (5, None, None, 4, "1/2"), (2, 5, 2, None, "2/3"),
     (5, None, 5, None, "1"), (5, None, 5, 4, "1/2"), (None, None, None, None, "1"), (2, 5, 3, None, "1/6")],
)  # fmt: skip
def test_saves(Sv, inv, AP, cover, fails):
    """BASE-013."""
    unit = Unit(title="x", WS=3, BS=3, S=3, T=3, I=3, A=1, Ld=7, Sv=Sv, invulnerable=inv)
    at, none = wh40k.Target.of(unit), {None: NONE}
    unsaved = wh40k.unsaved(at.Sv, none.get(AP, AP), none.get(cover, cover), at.invulnerable)
    assert unsaved.pmf[1] == Fraction(fails)


@pytest.mark.parametrize(
    ("S", "T", "times", "wounds"), [(6, 3, 2, 1), (6, 4, 2, 3), (8, 4, 2, 1), (6, 4, 1, 1), (8, 4, 3, 3)]
)
def test_a_wound_of_so_many_times_the_toughness_takes_a_model_away(S, T, times, wounds):
    """Of twice the Toughness, as the book has it (BASE-012); the model has three Wounds."""
    book = Sixth.load(parse("house.toml", f"[tables.instant_death]\ntimes = {times}"))
    tough = library().units["ogre"].model_copy(update={"T": T, "W": 3})
    assert wh40k.wounds_to_kill(book, S, tough) == wounds


@pytest.mark.parametrize(
    ("S", "AV", "dice", "glances", "penetrates"),
    [(9, 14, 1, "1/6", "1/6"), (8, 14, 1, "1/6", "0"), (6, 10, 1, "1/6", "1/3"), (8, 14, 2, "5/36", "7/12"),
     (4, 11, 1, "0", "0"), (8, 13, 1, "1/6", "1/6")],
)  # fmt: skip
def test_armour_penetration(S, AV, dice, glances, penetrates):
    """BASE-016; the chance of a 2D6 glance is that of rolling just what is missing."""
    found = structures.ArmourRoll().pmf(1, dice, S, AV)
    assert found[structures.GLANCING] == Fraction(glances)
    assert found[structures.PENETRATING] == Fraction(penetrates)


@pytest.mark.parametrize(
    ("hit", "AP", "destroyed"),
    [("penetrating", 3, "1/3"), ("penetrating", 1, "1/2"), ("penetrating", None, "1/6"), ("glancing", 3, "0"),
     ("glancing", 1, "1/6")],
)  # fmt: skip
def test_vehicle_damage(hit, AP, destroyed):
    """P(wrecked or explodes) of BASE-017."""
    table = Fifth.load().tables.vehicle_damage
    kind = {"penetrating": structures.PENETRATING, "glancing": structures.GLANCING}[hit]
    rolled = structures.DamageRoll(table)
    falls = [total for total, row in rolled.answers.items() if row in ("wrecked", "explodes")]
    assert rolled.pmf(kind, NONE if AP is None else AP).where(lambda total: total in falls) == Fraction(destroyed)


# A mirror match in the open, both sides striking at once, is even.


@pytest.mark.parametrize("unit", sorted(library().units))
def test_a_mirror_match_is_even(unit):
    text = f'title = "Mirror"\ndistance = 0\nbuilding = "keep"\n[attackers]\nunit = "{unit}"\nmodels = 4\nweapon = "pistol"\n'
    scenario = build(parse("mirror.toml", text + text.split("[attackers]")[1].join(["[defenders]", ""])), "mirror")
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    wounds = []
    for label, force, target in (
        ("attackers", scenario.attackers, scenario.defenders.unit),
        ("defenders", scenario.defenders, scenario.attackers.unit),
    ):
        standing = tuple(np.array([g.count]) for g in force.groups)
        blows = wh40k.blows(RULES, force, wh40k.attacks(RULES, force, standing, charging=False), target.WS)
        draw = together(blow.unsaved(RULES, wh40k.Target.of(target)) for blow in blows)
        wounds.append(draw.made(dice, label))
    weights = dice.weights
    a, d = (np.broadcast_to(w, weights.shape) for w in wounds)
    assert weights[a > d].sum() == weights[d > a].sum()
    assert weights.sum() == 1


# Clauses without a check of their own.


@pytest.mark.clause("BASE-007")
def test_template_weapons_do_not_count_single_shots():
    """They never roll to hit: a volley leaves them out, and support lets them make D3 hits without cover."""
    force = build(parse("x.toml", FLAMERS), "x").attackers
    at = wh40k.Target.of(force.unit)
    assert wh40k.shooting(RULES, force, (np.array([3]),), at, np.array([6])) == []


FLAMERS = """
title = "Flamers"
distance = 6
building = "house"
[attackers]
unit = "trooper"
models = 3
weapon = "flamer"
[defenders]
unit = "trooper"
models = 1
weapon = "rifle"
"""


@pytest.mark.clause("BASE-018", "BASE-031")
def test_those_who_cannot_be_placed_are_lost():
    assert transport.placed(np.array([4, 4, 0]), np.array([3, 9, 5])).tolist() == [3, 4, 0]


@pytest.mark.clause("BASE-026")
def test_a_building_may_be_attacked_that_is_occupied_or_claimed():
    """By the rulebook only one that is occupied; by the updated rules an empty one too, while it is claimed."""
    asked, sure = question("BASE-026"), ("yes", "no")
    assert [asked.answer({"occupied": occupied}) for occupied in sure] == [True, False]
    assert [asked.answer({"occupied": "no", "claimed": claimed}) for claimed in sure] == [True, False]


@pytest.mark.clause("BASE-030")
@pytest.mark.parametrize(
    ("models", "capacity", "farthest", "gets_in"),
    [(10, 10, 2, True), (11, 10, 2, False), (10, 10, 3, False)],
)
def test_a_unit_gets_in_whole_and_from_two_inches(models, capacity, farthest, gets_in):
    given = {"models": str(models), "capacity": str(capacity), "farthest": str(farthest)}
    assert question("embark").answer(given) is gets_in


@pytest.mark.clause("BASE-030")
@pytest.mark.parametrize(
    ("edition", "enemy", "inches"),
    [("5th", 10, 2), ("6th", 10, 6), ("5th", 3, 2), ("6th", 7, 6), ("5th", 2, 1), ("6th", 4, 3), ("6th", 1, 0)],
)
def test_who_gets_out_stays_an_inch_from_the_enemy(edition, enemy, inches):
    assert question("disembark").answer({"edition": edition}) == {"5th": 2, "6th": 6}[edition]
    assert question("disembark").answer({"edition": edition, "enemy": str(enemy)}) == inches


def test_an_enemy_within_an_inch_closes_an_access_point():
    with pytest.raises(CasemateError, match="enemy cannot be 0; expected 1 or more"):
        question("disembark").answer({"enemy": "0"})


def test_templates_reach_those_inside_where_a_building_has_fire_points():
    """One building without them, and two that have some (BASE-028)."""
    points, at = np.array([0, 1, 6]), wh40k.Target(3, 5)
    assert fire.burns_inside(Sixth.load(), points).tolist() == [False, True, True]
    hits, *_ = fire.through_fire_points(Sixth.load(), np.array([2, 2, 1]), wh40k.Hit(4, 5), at, points).arguments
    assert hits.tolist() == [0, 2, 1]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("spared by Random Allocation", {"models": "0"}, "models cannot be 0; expected 1 to 60"),
        ("walls of a building", {"building": "bastion", "known": "-4"}, "known cannot be -4; expected 1 to 20"),
        ("capacity of a building", {"building": "bastion", "own": "0"}, "own cannot be 0; expected 1 to 60"),
    ],
)
def test_no_unit_and_no_building_is_less_than_nothing(name, given, message):
    with pytest.raises(CasemateError, match=message):
        question(name).answer(given)


@pytest.mark.parametrize("weapon", sorted(library().weapons))
def test_two_one_handed_weapons_are_a_pistol_and_a_blade(weapon):
    """Beside a pistol: other pistols and blades for one hand; no rifle, and no hammer for both hands."""
    arms = library().weapons
    found = Group(library().units["trooper"], arms["pistol"], arms[weapon], 1).two_weapons
    assert found == (weapon in ("pistol", "sword", "power-blade"))
    assert not Group(library().units["trooper"], arms[weapon], None, 1).two_weapons


@pytest.mark.parametrize(("BS", "stays"), [(3, "7/18"), (4, "4/9")])
def test_a_marker_stays_where_it_is_aimed(BS, stays):
    """By algebra, and by going through the scatter die and 2D6."""
    scatter = areas.scatter(Fifth.load().tables.scatter.hits)
    assert scatter.chance(BS) == Fraction(stays)
    faces = [np.array(f) for f in zip(*product(range(1, 7), repeat=3), strict=True)]
    assert Fraction(int(scatter.passes(BS, *faces).sum()), 216) == Fraction(stays)

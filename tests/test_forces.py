"""Who falls: by the owner's choice, spread evenly over the unit, or drawn; of all, or of a part of a unit."""

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb, prod

import numpy as np
import pytest

from sims.dice import ExactDice, Share
from sims.forces import by_body, fall, fallen, give_up, picked, standing, stretches, total, wound
from sims.games.wh40k.book import Fifth
from sims.geometry.formation import formation
from sims.scenario import Force, Group, load_scenario
from tests.oracle import left_after

WHO = {who: Fifth.load().with_rulings({"who_falls": who}).rulings.who_falls for who in ("owner", "spread", "drawn")}
TROOPERS = load_scenario("farmhouse").attackers


def exact() -> ExactDice:
    return ExactDice(np.array([Fraction(1)], dtype=object))


def unit(*counts: int) -> Force:
    """Return a unit of so many of each group."""
    groups = tuple(Group(TROOPERS.unit, None, None, n) for n in counts)
    return Force(TROOPERS.unit, groups)


def names(counts: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(name for name, n in zip("abcd", counts, strict=False) for _ in range(n))


def counted(side: tuple[str, ...], groups: int) -> tuple[int, ...]:
    return tuple(side.count(name) for name in "abcd"[:groups])


def law(dice: ExactDice, models: tuple[np.ndarray, ...]) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each number of models of the groups."""
    *several, weights = np.broadcast_arrays(*models, dice.weights)
    found: dict[tuple[int, ...], Fraction] = {}
    for index in np.ndindex(weights.shape):
        key = tuple(int(n[index]) for n in several)
        if weights[index]:
            found[key] = found.get(key, Fraction(0)) + weights[index]
    return found


UNITS = [(1, 2, 5), (1, 1, 2, 3), (2, 3), (4,), (1, 1)]


@pytest.mark.parametrize(
    ("who", "counts", "others"), [*product(("owner", "spread"), UNITS, [(0,), (1,), (0, 1), (0, 2)])]
)
def test_attacks_find_bodies_in_the_order_in_which_they_fall(who, counts, others):
    """Whoever of a part falls, by models one after the other: the stretches of bodies say the same of every number."""
    tough, last = TROOPERS.unit.model_copy(update={"T": 5}), len(counts) - 1
    force = Force(
        TROOPERS.unit,
        tuple(Group(tough if i in others and i < last else TROOPERS.unit, None, None, n) for i, n in enumerate(counts)),
    )
    for lost, part in product(range(sum(counts)), product(*(range(n + 1) for n in counts))):
        alive = standing(WHO[who], force, np.array([sum(counts) - lost]))
        able = tuple(np.minimum(n, left) for n, left in zip(part, alive, strict=True))
        row = [body for body, n in stretches(WHO[who], force, alive, able) for _ in range(n.item())]
        assert len(row) == total(able)
        for dead in range(len(row) + 1):
            gone = by_body(force, fallen(exact(), WHO[who], force, alive, np.array([dead]), "blows", able))
            assert [n.item() for n in gone] == [row[:dead].count(body) for body in range(len(force.bodies))]


@pytest.mark.parametrize(("who", "counts"), [*product(WHO, UNITS)])
def test_a_part_of_a_unit_falls_as_one_model_after_the_other_would(who, counts):
    """Every part of every unit that has lost models in its order, and any number of casualties among the part."""
    full = names(counts)
    force = unit(*counts)
    for lost in range(len(full)):
        standing = {left for left, _ in left_after(who, full, full, full, lost)}
        for left in standing:
            for part in product(*(range(n + 1) for n in counted(left, len(counts)))):
                able = names(part)
                for dead in range(len(able) + 2):
                    expected: dict[tuple[int, ...], Fraction] = {}
                    for (after, _), chance in left_after(who, full, left, able, dead).items():
                        key = counted(after, len(counts))
                        expected[key] = expected.get(key, Fraction(0)) + chance
                    dice = exact()
                    models = tuple(np.array([n]) for n in counted(left, len(counts)))
                    among = tuple(np.array([n]) for n in part)
                    seen = fall(dice, WHO[who], force, models, np.array([dead]), "blows", among)
                    assert law(dice, seen) == expected, (left, part, dead)


def test_kinds_stand_evenly_over_the_unit():
    """A leader, two with flamers, seventeen others: the flamers after a quarter and three quarters, he in the middle."""
    force, who = unit(1, 2, 17), WHO["spread"]
    left = [standing(who, force, np.array([n])) for n in range(20, -1, -1)]
    falls = [next(i for i in range(3) if a[i] != b[i]) for a, b in pairwise(left)]
    assert falls == [2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("order", ["owner", "spread"])
def test_who_is_left_of_a_whole_unit_follows_from_how_many_are(order):
    """However casualties come, one by one or all at once, the same models are left, also if nobody has counted them."""
    force, who = unit(1, 2, 5), WHO[order]
    for lost in range(9):
        at_once = fall(exact(), who, force, tuple(np.array([n]) for n in (1, 2, 5)), np.array([lost]), "at once")
        by_one = tuple(np.array([n]) for n in (1, 2, 5))
        for i in range(lost):
            by_one = fall(exact(), who, force, by_one, np.array([1]), f"one {i}")
        told = standing(who, force, np.array([8 - lost]))
        assert [n.item() for n in at_once] == [n.item() for n in by_one] == [n.item() for n in told]


def test_who_was_passed_over_goes_first_once_he_can():
    """The flamers stay out of a fight that costs five others; then one of them is due."""
    force, who = unit(1, 2, 5), WHO["spread"]
    models = tuple(np.array([n]) for n in (1, 2, 5))
    others = tuple(np.array([n]) for n in (0, 0, 3))
    after = fall(exact(), who, force, models, np.array([3]), "fight", others)
    assert [n.item() for n in after] == [1, 2, 2]
    assert [n.item() for n in fallen(exact(), who, force, after, np.array([2]), "fire")] == [1, 1, 0]


def test_the_owner_gives_up_ordinary_models_first_and_no_more_than_there_are():
    left = give_up((np.array([1, 1, 1]), np.array([2, 2, 2])), np.array([1, 3, 9]))
    assert [n.tolist() for n in left] == [[1, 0, 0], [1, 0, 0]]


def test_victims_are_picked_evenly():
    """Of 10 models 3 fall; the one special model is spared with 7/10."""
    chances = Share().pmf(3, 10, 1)
    assert chances[0] == Fraction(7, 10)
    dice = exact()
    dead = picked(dice, (np.array([1]), np.array([2]), np.array([7])), np.array([3]), ["a", "b", "c"])
    everybody = np.broadcast_arrays(*dead, dice.weights)
    assert (sum(everybody[:3])[everybody[3] > 0] == 3).all()
    assert (everybody[3] * everybody[0]).sum() == Fraction(3, 10)
    assert (everybody[3] * everybody[1]).sum() == Fraction(6, 10)


@pytest.mark.clause("ARAP-125")
@pytest.mark.parametrize("centre", [0.9 + 0.3j, -0.4 - 1.7j, 3.1 + 1.2j, 1 - 4.3j])
def test_the_nearest_to_a_centre_are_drawn_at_random_where_anybody_may_stand_anywhere(centre):
    """Six stand in ranks of three, in every order; of those under a marker of five inches some fall, nearest first."""
    counts, places = (1, 2, 3), formation(6, 3, 2)
    away = np.abs(places - centre)
    under = sorted((i for i in range(6) if away[i] <= 2.5), key=lambda i: away[i])
    orders = {*permutations(names(counts))}
    for dead in range(len(under) + 1):
        nearest: dict[tuple[int, ...], Fraction] = {}
        for order in orders:
            key = counted(tuple(order[i] for i in under[:dead]), 3)
            nearest[key] = nearest.get(key, Fraction(0)) + Fraction(1, len(orders))
        drawn: dict[tuple[int, ...], Fraction] = {}
        for part in product(*(range(n + 1) for n in counts)):
            if sum(part) != len(under):
                continue
            chance = Fraction(prod(map(comb, counts, part)), comb(6, len(under)))
            models, among = (tuple(np.array([n]) for n in some) for some in (counts, part))
            dice = exact()
            falls = fallen(dice, WHO["drawn"], unit(*counts), models, np.array([dead]), "marker", among)
            for key, given in law(dice, falls).items():
                drawn[key] = drawn.get(key, Fraction(0)) + chance * given
        assert drawn == nearest


def test_dice_for_victims_are_those_of_the_distribution():
    """Thrown dice-offs, trial by trial: every way three of four can fall has a quarter of the words."""

    def cast(part, sides, rows):
        pick = int(part.split()[1])
        return np.array([{4: [1, 2, 3, 4], 3: [1, 1, 1, 1], 2: [1, 1, 1, 1]}[sides]]) if pick else None

    dead = Share().throw(cast, np.full(4, 1), np.full(4, 4), np.full(4, 1))
    assert dead.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("hurt", "wounds", "left", "carried"), [(0, 2, 4, 2), (2, 1, 3, 0), (0, 7, 2, 1), (0, 12, 0, 0), (2, 99, 0, 0)]
)
def test_wounds_fall_on_one_model_after_the_other(hurt, wounds, left, carried):
    """Four models of three Wounds."""
    tough = TROOPERS.unit.model_copy(update={"W": 3})
    force = Force(tough, (Group(tough, None, None, 4),))
    four = (np.array([4]),)
    (after,), still = wound(exact(), WHO["owner"], force, four, np.array([hurt]), np.array([wounds]), "dead")
    assert (after.tolist(), still.tolist()) == ([left], [carried])

"""Gemini's brute force of hacked locks, fire out on several sides and deployment by number, against figures by hand."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from quicktions import Fraction

from tests.rulesets.gemini_cases import BY_NUMBER, CROWD, HACKING, LOCKED, PICKERS, SIDES
from tests.rulesets.gemini_oracle import Floors, House, LedSiege, MixedFloors, Siege, Troops, start, whole_assault

UNARMED = Troops(range=0)
PICKED = Siege(PICKERS, UNARMED, LOCKED, hacks=8)
LED = LedSiege(PICKERS, UNARMED, LOCKED, hacks=8, hackers="leader")
HACKED = Fraction(5, 12)
"""6 or less on two dice."""
FORCED = {1: Fraction(1, 18), 2: Fraction(1, 6), 3: Fraction(1, 2), 4: Fraction(5, 6)}
"""So many of Strength 1 and 2 for each helper, at Toughness 5: on 8 or more, 6, 4 and 2."""


def chance(ways, what) -> Fraction:
    """Of those ways to go on for which something is so."""
    return sum((c for c, s, *_ in ways if what(s)), Fraction(0))


def opened(siege: Siege, attackers: int, points: int) -> Fraction:
    return chance(siege.force(start(siege, attackers, 2, 1), points), lambda s: s.opened)


@cache
def played(siege: Siege, *numbers: int) -> dict[str, Fraction]:
    return dict(whole_assault(siege, *numbers))


def kind(case: tuple[Siege, *tuple[int, ...]]) -> type[Siege]:
    """What a set-up is judged by."""
    return type(case[0])


# Hacking a lock


@pytest.mark.parametrize(("value", "passes"), [(4, 1), (7, 10), (8, 15), (10, 26), (3, 1), (1, 1), (14, 36)])
def test_one_try_is_two_dice_at_the_value_less_two(value, passes):
    """GB-061 has 10, 15 and 26 of 36 at 7, 8 and 10; two ones always open."""
    assert passes == sum(x + y <= value - 2 or x + y == 2 for x, y in product(range(1, 7), repeat=2))
    assert opened(replace(PICKED, hacks=value), 1, 1) == Fraction(passes, 36)


def test_one_hacker_tries_once_and_then_forces():
    left = (1 - HACKED) * (1 - FORCED[1])
    assert [opened(PICKED, 1, points) for points in (0, 1, 2, 3)] == [
        0,
        HACKED,
        HACKED + (1 - HACKED) * FORCED[1],
        1 - left * (1 - FORCED[1]),
    ]


def test_two_hackers_try_one_after_the_other():
    """With a point each; of three the last is for forcing, in which the one helps the other."""
    shut = (1 - HACKED) ** 2
    assert [1 - opened(PICKED, 2, points) for points in (1, 2, 3)] == [1 - HACKED, shut, shut * (1 - FORCED[2])]


def test_points_are_left_to_whoever_is_quick():
    ways = PICKED.force(start(PICKED, 2, 2, 1), 3)
    found = {(s.opened, left): c for c, s, left in ways}
    shut = (1 - HACKED) ** 2
    assert found == {
        (True, 2): HACKED,
        (True, 1): (1 - HACKED) * HACKED,
        (True, 0): shut * FORCED[2],
        (False, 0): shut * (1 - FORCED[2]),
    }


def test_who_hacks_again_and_again_forces_nothing():
    for hackers in (1, 2, 4):
        assert 1 - opened(replace(PICKED, hack_again=True), hackers, 3) == (1 - HACKED) ** 3


def test_nobody_hacks_without_a_value_or_from_afar_or_a_door_that_is_open():
    for siege in (replace(PICKED, hacks=0), replace(PICKED, hackers="leader"), replace(LED, leader_A=0)):
        for again in (False, True):
            assert opened(replace(siege, hack_again=again), 3, 2) == 1 - (1 - FORCED[3]) ** 2
    afar = start(PICKED, 2, 2, 2)
    assert PICKED.force(afar, 3) == [(1, afar, 3)]
    unlocked = replace(PICKED, house=House(openings=1))
    assert unlocked.force(start(unlocked, 2, 2, 1), 3) == [(1, start(unlocked, 2, 2, 1), 3)]


def test_the_leader_alone_tries_while_he_lives():
    assert 1 - opened(LED, 3, 3) == (1 - HACKED) * (1 - FORCED[3]) ** 2
    assert 1 - opened(replace(LED, hack_again=True), 3, 3) == (1 - HACKED) ** 3
    bereft = replace(start(LED, 3, 2, 1), a=2, squad=("other", "other"))
    for siege in (LED, replace(LED, hack_again=True)):
        assert chance(siege.force(bereft, 2), lambda s: not s.opened) == (1 - FORCED[2]) ** 2


def test_a_leader_who_is_hurt_can_hack():
    siege, *_ = HACKING["a door hacked by a leader who is another, and floors"]
    assert isinstance(siege, MixedFloors)
    hurt = replace(start(siege, 2, 3, 1), squad=("leader'", "other"))
    assert chance(siege.force(hurt, 1), lambda s: s.opened) == HACKED
    assert chance(siege.force(replace(hurt, squad=("other", "other")), 1), lambda s: s.opened) == FORCED[2]


@pytest.mark.parametrize(("turn", "point"), [("attackers_turn", Fraction(4, 6)), ("defenders_turn", Fraction(2, 6))])
def test_one_hacker_in_a_player_turn(turn, point):
    """Initiative 4 has each of three dice by 4/6; in the turn of the others, who have 3/6, what they fail: 1/2 of it."""
    ways = getattr(PICKED, turn)(start(PICKED, 1, 2, 1))
    shut = Fraction(0)
    for dice in product((True, False), repeat=3):
        points, c = sum(dice), Fraction(1)
        for die in dice:
            c *= point if die else 1 - point
        shut += c * ((1 - HACKED) * (1 - FORCED[1]) ** (points - 1) if points else 1)
    assert chance(ways, lambda s: not s.opened) == shut


def test_who_has_failed_tries_again_in_the_next_player_turn():
    begun = start(PICKED, 1, 2, 1)
    first, second = (
        chance(turn(begun), lambda s: not s.opened) for turn in (PICKED.attackers_turn, PICKED.defenders_turn)
    )
    both = sum(
        c * chance(PICKED.defenders_turn(s), lambda s: not s.opened)
        for c, s in PICKED.attackers_turn(begun)
        if not s.opened
    )
    assert both == first * second


@pytest.mark.slow
def test_it_matters_that_locks_are_hacked(some):
    for siege, *numbers in some(HACKING.values(), kind):
        with_it = played(siege, *numbers)
        assert all(with_it[end] > 0 for end in ("captured", "broken", "held"))
        assert sum(with_it[end] for end in ("captured", "broken", "held")) == 1
        others = [replace(siege, hacks=0), replace(siege, hack_again=not siege.hack_again)]
        others += [replace(siege, hackers="all")] * (siege.hackers == "leader")
        assert all(with_it != played(other, *numbers) for other in others if other != siege)


# Sides


@pytest.mark.parametrize(("sides", "inside", "fire"), [(4, 12, 12), (2, 12, 8), (3, 10, 10), (1, 12, 6), (2, 5, 5)])
def test_how_many_fire_out_of_a_house(sides, inside, fire):
    """The first four are those of GB-112; whoever has fired is seen.

    BS 3 out of hard cover hits by 4 or less; Strength 3 wounds on 4 or more, and is saved on 5 or more.
    """
    siege = Siege(Troops(), CROWD, House(openings=2, sides=sides), plan="shoot")
    begun = start(siege, 20, inside, 20)
    assert siege.at_windows(begun) == fire
    ways = siege.garrison_fires(begun, 1, own_turn=True)
    assert {s.shown for _, s in ways} == {fire}
    assert all(siege.targets(s) == fire for _, s in ways)
    assert sum(c * (20 - s.a) for c, s in ways) == fire * Fraction(4, 6) * Fraction(3, 6) * Fraction(4, 6)


def test_a_bunker_does_not_care_about_sides():
    house = House(kind="bunker", T=14, points=3, fire_out=2, sides=4)
    assert Siege(Troops(), CROWD, house).at_windows(start(Siege(Troops(), CROWD, house), 2, 9, 9)) == 2


def test_seven_who_charge_can_all_fall_to_eight():
    """Two dice by 3/6 have one shot each; it hits by 2 or less, wounds on 4 or more and is saved on 5 or more: 1/9.

    The garrison has no blow that hits.
    """
    falls = Fraction(1, 9)
    all_fall = Fraction(3, 4) * (8 * falls**7 * (1 - falls) + falls**8)
    for sides, expected in ((1, Fraction(0)), (2, all_fall)):
        siege = Siege(Troops(), replace(CROWD, WS=-9), House(openings=2, sides=sides))
        ways = siege.stand_and_fire(start(siege, 7, 10, 8), False)
        assert chance(ways, lambda s: s.a == 0) == expected


def test_each_section_fires_out_on_its_sides():
    """Of twenty in three sections nine, six and five."""
    for sides, fire, near in ((1, 6 + 6 + 5, 6), (2, 8 + 6 + 5, 8), (3, 20, 9)):
        siege = Floors(Troops(), CROWD, House(openings=2, sides=sides), sections=3, deployment=9, plan="shoot")
        begun = start(siege, 8, 20, 20)
        assert siege.each_section(begun) == [9, 6, 5]
        assert siege.at_windows(begun) == fire
        seen = replace(begun, shown=fire)
        assert siege.in_sight(seen) == (near, fire - near)
        assert siege.targets(seen) == fire


def test_nobody_needs_a_window_for_attackers_inside():
    siege = Floors(Troops(), CROWD, House(openings=2, sides=2), deployment=9)
    assert siege.at_windows(replace(start(siege, 4, 10, 1), held=1)) == 9


@pytest.mark.slow
def test_it_matters_where_enemies_are_seen(some):
    """But not to a bunker."""
    for siege, *numbers in some(SIDES.values(), lambda case: case[0].house.kind):
        with_it = played(siege, *numbers)
        assert sum(with_it.get(end, 0) for end in ("captured", "broken", "held", "destroyed")) == 1
        one_side = played(replace(siege, house=replace(siege.house, sides=1)), *numbers)
        assert (with_it == one_side) == (siege.house.kind == "bunker")


# Deployment by number


@pytest.mark.parametrize(
    ("sections", "room", "defenders", "number", "stand"),
    [
        (2, 12, 4, 1, [1, 3]),
        (3, 12, 6, 2, [2, 2, 2]),
        (3, 12, 6, 1, [1, 3, 2]),
        (4, 12, 9, 1, [1, 3, 3, 2]),
        (3, 12, 5, 0, [0, 3, 2]),
        (2, 12, 4, 9, [4, 0]),
        (2, 3, 5, 4, [3, 2]),
        (2, 3, 5, 1, [2, 3]),
        (1, 12, 4, 1, [4]),
    ],
)
def test_where_they_stand_by_number(sections, room, defenders, number, stand):
    """No more than there are, or have room; nor fewer than find none behind them."""
    siege = Floors(Troops(), CROWD, House(openings=1), sections=sections, room=room, deployment=number)
    begun = start(siege, 4, defenders, 6)
    assert begun.here == stand[0]
    assert siege.each_section(begun) == stand


def test_who_is_met_in_the_next_section():
    siege, *_ = BY_NUMBER["three floors, one of six below"]
    begun = start(siege, 4, 6, 1)
    after = siege.taken(siege.slain(begun, 1))
    assert (after.held, after.d, after.here, siege.each_section(after)) == (1, 5, 3, [3, 2])


@pytest.mark.parametrize(("evens_out", "stand"), [("own_turn", [2, 2]), ("stays", [1, 3])])
def test_they_spread_when_they_act_if_they_do(evens_out, stand):
    siege = Floors(Troops(), CROWD, House(openings=1), deployment=1, evens_out=evens_out, plan="shoot")
    begun = start(siege, 4, 4, 20)
    assert siege.each_section(siege.evened(begun)) == stand
    assert {tuple(siege.each_section(s)) for _, s in siege.defenders_turn(begun) if s.d == 4} == {tuple(stand)}
    assert {tuple(siege.each_section(s)) for _, s in siege.attackers_turn(begun) if s.d == 4} == {(1, 3)}


def test_a_chief_stands_where_the_one_is():
    siege, *_ = BY_NUMBER["two floors, a chief below by himself"]
    begun = start(siege, 3, 4, 6)
    assert siege.stand(begun) == (("leader",), ("other",) * 3)
    assert replace(siege, specials="behind").stand(begun) == (("other",), ("leader", "other", "other"))


@pytest.mark.slow
def test_it_matters_how_many_stand_below(some):
    """Two of six on three floors are spread as any."""
    for siege, *numbers in some(BY_NUMBER.values(), kind):
        with_it = played(siege, *numbers)
        assert sum(with_it[end] for end in ("captured", "broken", "held")) == 1
        evenly = -(-numbers[1] // siege.sections)
        assert (with_it == played(replace(siege, deployment="spread"), *numbers)) == (siege.deployment == evenly)


@pytest.mark.parametrize("name", BY_NUMBER)
def test_by_name_they_stand_as_by_number(name):
    siege, *numbers = BY_NUMBER[name]
    for named, number in (("spread", -(-numbers[1] // siege.sections)), ("doors", numbers[1]), ("top", 0)):
        by_name, by_number = (start(replace(siege, deployment=stand), *numbers[:3]) for stand in (named, number))
        assert by_name == by_number

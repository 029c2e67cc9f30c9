"""Gemini's brute force of halls, shut inner doors and smashed locks, against figures worked out by hand."""

from collections import defaultdict
from dataclasses import replace

import pytest
from quicktions import Fraction

from tests.rulesets.gemini_cases import BOTH_WAYS, BURNERS, DWELLERS, HALL, INDOORS, SHUT, STORMERS
from tests.rulesets.gemini_oracle import (
    Body,
    Floors,
    House,
    LedFloors,
    MixedFloors,
    Now,
    NowFloors,
    Siege,
    Troops,
    start,
    whole_assault,
)

SMALL_ROOMS = replace(HALL, hall=False)
LONG = replace(HALL, sections=4)
NEW = {"hall": False, "inner_doors": "open", "smashed_opens": False}
"""What there was before."""


def inside(siege: Floors, a: int, d: int, here: int, held: int = 1) -> NowFloors:
    return replace(start(siege, a, d, 1), held=held, here=here)


def chance(ways, what) -> Fraction:
    """Of those ways to go on for which something is so."""
    return sum((c for c, s, *_ in ways if what(s)), Fraction(0))


def found(ways) -> dict[Now, Fraction]:
    law: dict[Now, Fraction] = defaultdict(Fraction)
    for c, s in ways:
        law[s] += c
    return dict(law)


@pytest.mark.parametrize("name", INDOORS)
def test_it_matters(name):
    siege, *numbers = INDOORS[name]
    before = {field: old for field, old in NEW.items() if getattr(siege, field, old) != old}
    assert len(before) == 1
    law = whole_assault(siege, *numbers)
    assert all(law[end] > 0 for end in ("captured", "broken", "held"))
    assert sum(law[end] for end in ("captured", "broken", "held")) == 1
    assert law != whole_assault(replace(siege, **before), *numbers)


# Halls. A stormer (WS 4 with a sword, S 4) kills on 4 and 3+ through a save of 6+, a dweller (WS 2, S 3) through one of 5+


HITS = Fraction(2, 3) * Fraction(2, 3) * Fraction(5, 6)
HIT_BACK = Fraction(1, 3) * Fraction(1, 2) * Fraction(2, 3)
ROUTED = Fraction(15, 36)
"""One of Leadership 7 who has lost by the charge alone."""
KILLS = 1 - (1 - HITS) ** 2
"""One who has two Attacks, as he charges."""
DUEL = (1 - HIT_BACK) * (KILLS + (1 - KILLS) * ROUTED)
"""One who charges another, who strikes first, and has him out."""


def test_one_charges_through_an_empty_section_at_one_behind_it():
    ways = list(HALL.charge(inside(HALL, 1, 1, 0)))
    assert chance(ways, lambda s: s.end == "broken") == HIT_BACK
    assert chance(ways, lambda s: s.end == "captured") == DUEL
    repulsed = (1 - HIT_BACK) * (1 - KILLS) * (1 - ROUTED)
    assert chance(ways, lambda s: (s.end, s.held, s.here, s.a, s.d) == ("", 2, 1, 1, 1)) == repulsed


def test_elsewhere_he_stops_in_the_empty_one():
    s = inside(SMALL_ROOMS, 1, 1, 0)
    assert found(SMALL_ROOMS.charge(s)) == {replace(s, held=2, here=1): 1}


def test_nobody_charges_through_one_from_outside():
    s = inside(HALL, 2, 3, 0, held=0)
    assert found(HALL.charge(s)) == {replace(s, held=1, here=2): 1}


def test_nobody_charges_through_one_where_somebody_is():
    for d, here in ((1, 1), (3, 2), (3, 1)):
        s = inside(HALL, 2, d, here)
        assert found(HALL.charge(s)) == found(SMALL_ROOMS.charge(s))


@pytest.mark.parametrize(("d", "here"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_those_behind_are_even_in_what_is_left(d, here):
    """Of four sections two: the nearer has the odd one."""
    met = inside(LONG, 3, d, here, held=2)
    assert LONG.each_section(met) == [here, d - here]
    assert found(LONG.charge(inside(LONG, 3, d, 0))) == found(LONG.fight(met, 0))


def test_a_chief_behind_is_met():
    fields = {name: getattr(HALL, name) for name in HALL.__dataclass_fields__}
    for kind, more in ((LedFloors, {}), (MixedFloors, {"chief": Body(T=4, W=2, Sv=4, inv=5)})):
        siege = kind(**fields, leader_A=2, chief_A=3, **more)
        ways = siege.charge(inside(siege, 2, 2, 0))
        assert found(ways) == found(siege.fight(inside(siege, 2, 2, 2, held=2), 0))


def test_shots_clear_a_section_that_is_then_run_through():
    """At two or fewer in cover, BS 4 hits by 1, 4 wounds 3 on 3 or more, and the save is of 6; two shots a point."""
    falls = Fraction(1, 6) * Fraction(2, 3) * Fraction(5, 6)
    cleared = 1 - (1 - falls) ** 2
    s = inside(HALL, 1, 2, 1)
    assert chance(HALL.act(s, 2, own_turn=True), lambda s: s.end == "captured") == cleared * DUEL
    assert chance(SMALL_ROOMS.act(s, 2, own_turn=True), lambda s: s.end == "captured") == 0
    assert chance(SMALL_ROOMS.act(s, 2, own_turn=True), lambda s: (s.held, s.d) == (2, 1)) >= cleared


def test_whoever_is_met_behind_an_empty_section_has_been_drawn_in():
    """He does no more in that turn, which is his; he to whom an empty section is lost acts."""
    for siege, drawn in ((HALL, True), (SMALL_ROOMS, False)):
        assert {met for *_, met in siege.act(inside(siege, 1, 1, 0), 1, own_turn=False)} == {drawn}
    assert not any(met for *_, met in HALL.act(inside(HALL, 2, 3, 0, held=0), 1, own_turn=False))


# Inner doors


OPEN_DOORS = [
    BOTH_WAYS,
    replace(BOTH_WAYS, ours=BURNERS),
    replace(BOTH_WAYS, across=False, theirs=Troops(weapon="heavy", shots=2)),
    LedFloors(STORMERS, DWELLERS, House(openings=2), grenades=True, garrison_grenades=True, across=True, chief_A=2),
    MixedFloors(
        STORMERS, DWELLERS, House(openings=2), grenades=True, garrison_grenades=True, across=True,
        leader=Body(T=4, W=2, Sv=4),
    ),
]  # fmt: skip


@pytest.mark.parametrize("siege", OPEN_DOORS)
def test_nothing_goes_through_a_shut_door(siege):
    shut = replace(siege, inner_doors="shut")
    s = inside(shut, 4, 4, 3)
    for points in (1, 2, 3):
        for own_turn in (True, False):
            assert found(shut.garrison_fires(s, points, own_turn)) == {s: 1}
            assert found(shut.attackers_fire(s, points, own_turn)) == {s: 1}
    assert found(siege.garrison_fires(s, 2, True)) != {s: 1} != found(siege.attackers_fire(s, 2, True))


@pytest.mark.parametrize("siege", OPEN_DOORS)
def test_all_but_one_point_are_lost_to_chargers(siege):
    shut = replace(siege, inner_doors="shut", defence="sally")
    s = inside(shut, 3, 4, 3)
    once = {now: c for c, now, _ in shut.act(s, 1, own_turn=True)}
    assert once == found(shut.charge(s)) == {now: c for c, now, _ in shut.act(s, 3, own_turn=True)}
    even = shut.evened(s)
    assert found(shut.charge_back(even)) == found(shut.garrison_acts(s, 1)) == found(shut.garrison_acts(s, 3))


@pytest.mark.parametrize("siege", OPEN_DOORS)
def test_charges_are_as_through_an_open_door(siege):
    shut = replace(siege, inner_doors="shut")
    for s in (inside(siege, 3, 4, 2), inside(siege, 3, 2, 0)):
        assert found(shut.charge(s)) == found(siege.charge(s))
        assert found(shut.charge_back(s)) == found(siege.charge_back(s))


def test_inner_doors_do_not_matter_outside():
    s = inside(SHUT, 3, 4, 2, held=0)
    for afar in (s, replace(s, away=2), replace(s, away=12)):
        assert found(SHUT.garrison_fires(afar, 1, True)) == found(BOTH_WAYS.garrison_fires(afar, 1, True))
        assert found(SHUT.attackers_fire(afar, 1, True)) == found(BOTH_WAYS.attackers_fire(afar, 1, True))


# Smashed locks. A door of Toughness 5 has 2 more for each of three who help, a lock of 2 is for one alone


SMASHED = Siege(Troops(S=3, I=4, range=0), Troops(range=0), House(kind="door"), smashed_opens=True)
WAYS_IN = {
    1: ((1, 3), (1, 3), (1, 2), (5, 6)),  # a lock on 5; a door on 8, 6, 4 and 2
    2: ((1, 2), (1, 2), (2, 3), (5, 6)),  # 4; 7, 5, 3 and 2
    3: ((2, 3), (2, 3), (5, 6), (5, 6)),  # 3; 6, 4, 2 and 2
    4: ((5, 6), (5, 6), (5, 6), (5, 6)),  # 2; 5, 3, 2 and 2
    5: ((5, 6), (5, 6), (5, 6), (5, 6)),
}
"""By Strength, how likely it is to open for one, two, three and four."""


def opened(siege: Siege, attackers: int, points: int) -> Fraction:
    return chance(siege.force(start(siege, attackers, 2, 1), points), lambda s: s.opened)


@pytest.mark.parametrize("S", WAYS_IN)
def test_whichever_is_likelier(S):
    siege = replace(SMASHED, ours=Troops(S=S, range=0))
    assert [opened(siege, n, 1) for n in (1, 2, 3, 4)] == [Fraction(*way) for way in WAYS_IN[S]]
    assert opened(siege, 9, 1) == opened(siege, 4, 1)


def test_both_ways_are_taken():
    """One or two of Strength 3 smash a lock, three force the door; by force alone it is 1/6 and 1/2."""
    forced = replace(SMASHED, smashed_opens=False)
    assert [opened(forced, n, 1) for n in (1, 2, 3)] == [Fraction(1, 6), Fraction(1, 2), Fraction(5, 6)]
    assert [opened(SMASHED, n, 1) for n in (1, 2, 3)] == [Fraction(2, 3), Fraction(2, 3), Fraction(5, 6)]


def test_each_point_is_a_blow():
    left = {(s.opened, left): c for c, s, left in SMASHED.force(start(SMASHED, 1, 2, 1), 3)}
    third = Fraction(1, 3)
    assert left == {
        (True, 2): 2 * third,
        (True, 1): 2 * third**2,
        (True, 0): 2 * third**3,
        (False, 0): third**3,
    }


def test_a_lock_is_hacked_first():
    """By 6 or less of two dice; who hacks again and again never strikes it."""
    hacked = Fraction(15, 36)
    siege = replace(SMASHED, hacks=8)
    assert [1 - opened(siege, 1, n) for n in (1, 2, 3)] == [(1 - hacked) / 3**n for n in (0, 1, 2)]
    assert 1 - opened(replace(siege, hack_again=True), 1, 3) == (1 - hacked) ** 3
    assert 1 - opened(replace(siege, hackers="leader"), 1, 3) == Fraction(1, 27)


def test_a_lock_is_out_of_reach_from_afar():
    afar = start(SMASHED, 1, 2, 2)
    assert SMASHED.force(afar, 3) == [(1, afar, 3)]


@pytest.mark.parametrize(("turn", "point"), [("attackers_turn", Fraction(4, 6)), ("defenders_turn", Fraction(2, 6))])
def test_one_who_smashes_in_a_player_turn(turn, point):
    """Each of three dice is a blow that leaves the lock by 1/3; as in `test_one_hacker_in_a_player_turn`."""
    ways = getattr(SMASHED, turn)(start(SMASHED, 1, 2, 1))
    assert chance(ways, lambda s: not s.opened and not s.end) == (1 - point * Fraction(2, 3)) ** 3

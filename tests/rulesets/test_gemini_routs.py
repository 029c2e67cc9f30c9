"""Gemini's brute force of attackers who rout, flee and rally, against figures worked out by hand."""

from collections import defaultdict
from dataclasses import replace

import pytest
from quicktions import Fraction

from tests.rulesets.gemini_cases import COWARDS, HELD_BY_TWO, LED_DWELLERS, ROUTED, SALLIED_AT, STEADY, THROWN_OUT, TWO
from tests.rulesets.gemini_oracle import (
    Floors,
    LedFloors,
    Now,
    Siege,
    control,
    flights,
    morale,
    play_on,
    start,
    whole_assault,
)

ENDS = ("captured", "broken", "held", "destroyed")
SEVEN = replace(HELD_BY_TWO, ours=replace(COWARDS, Ld=7))
DICE = {n: Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}
"""Two of them."""


def routing(siege: Siege, away: int, begun: int = 12, a: int = 3, d: int = 2) -> Now:
    return replace(start(siege, a, d, begun), away=away, routs=True)


def found(ways) -> dict[Now, Fraction]:
    law: dict[Now, Fraction] = defaultdict(Fraction)
    for c, s in ways:
        law[s] += c
    return dict(law)


def chance(ways, what) -> Fraction:
    """Of those ways to go on for which something is so."""
    return sum((c for c, s in ways if what(s)), Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUTED)
def test_it_matters_that_they_may_rally(name):
    siege, *numbers = ROUTED[name]
    law = whole_assault(siege, *numbers)
    assert sum(law[end] for end in ENDS) == 1
    assert law["captured"] > 0 < law["broken"]
    other = "rally" if siege.routers == "for_good" else "for_good"
    assert law != whole_assault(replace(siege, routers=other), *numbers)


# how they flee


def test_flights():
    """ARAP-063."""
    assert flights(4) == flights(6) == DICE
    fast = flights(7)
    assert sum(c for n, c in fast.items() if n >= 7) == Fraction(29, 36)
    assert sum(n * c for n, c in fast.items()) == Fraction(203, 24)
    assert sum(c for n, c in fast.items() if n <= 4) == Fraction(11, 216)


def test_the_first_inches_and_a_flight():
    """ARAP-206."""
    siege = replace(HELD_BY_TWO, rally_when="end_of_turn", edge=60)
    first = [(c, s) for c, s in siege.rout(start(siege, 3, 2, 12), 0)]
    assert {s.away: c for c, s in first} == dict.fromkeys(range(1, 7), Fraction(1, 6))
    far = sum(c * chance(siege.compulsory(s, "d"), lambda s: s.away >= 12) for c, s in first)
    assert far == Fraction(3, 8)


@pytest.mark.parametrize(("edge", "inches"), [(0, [6] * 6), (3, [7, 8, 9, 9, 9, 9]), (12, [7, 8, 9, 10, 11, 12])])
def test_a_test_for_heavy_casualties_has_them_rout_from_where_they_stand(edge, inches):
    """ARAP-134, Leadership 6: they rout by 1/3; nobody goes over the edge, and nobody tests to rally."""
    siege = replace(HELD_BY_TWO, ours=replace(COWARDS, Ld=6), edge=edge)
    owing = replace(start(siege, 3, 2, 6), a_due=True, stormed=True)
    ways = found(siege.nerve(owing, "a"))
    assert chance(((c, s) for s, c in ways.items()), lambda s: s.routs) == Fraction(1, 3)
    assert sorted(s.away for s in ways if s.routs) == sorted(set(inches))
    for s, c in ways.items():
        assert not s.routs or c == Fraction(inches.count(s.away), 18)
        assert not any((s.a_due, s.end, s.fled, s.routs and s.stormed))


def test_who_routs_in_the_open_flees_from_where_they_met():
    met = replace(start(SALLIED_AT, 2, 2, 10), place="locked", away=1, met=True)
    lost = [(c, s) for c, s in SALLIED_AT.outcome(met, "d", 0) if s.routs]
    stands = morale(COWARDS.Ld)
    assert {s.away: c for c, s in lost} == {1 + die: (1 - stands) / 6 for die in range(1, 7)}
    assert all(s.place == "out" and s.met and not SALLIED_AT.fighting_on(s) for _, s in lost)


@pytest.mark.parametrize(
    ("bands", "near", "far", "met"),
    [
        (((5, 8, "hard"),), 2, 4, False),
        (((5, 8, "hard"),), 2, 5, True),
        (((5, 8, "soft"),), 7, 12, True),
        (((5, 8, "soft"),), 8, 12, False),
        (((5, 8, "hard"),), 1, 12, True),
        (((5, 8, "smoke"),), 1, 12, False),
        (((5, 8, "soft"),), 6, 6, True),
    ],
)
def test_cover_on_the_way(bands, near, far, met):
    siege = replace(HELD_BY_TWO, bands=bands)
    assert siege.through_cover(near, routing(siege, far)) is met
    assert not siege.through_cover(near, replace(routing(siege, far), place="out"))


# how they rally


def test_a_control_roll():
    """ARAP-208; with no double 1 that passes by itself."""
    assert [control(n) for n in (7, 8, 6)] == [Fraction(7, 12), Fraction(13, 18), Fraction(5, 12)]
    assert (control(1), morale(1)) == (0, Fraction(1, 36))


@pytest.mark.parametrize(
    ("Ld", "away", "fled", "rallies"),
    [
        (7, 8, 1, Fraction(7, 12)),
        (7, 9, 1, Fraction(13, 18)),
        (5, 9, 1, Fraction(5, 12)),
        (7, 9, 2, Fraction(299, 324)),
        (7, 8, 2, Fraction(119, 144)),
        (6, 24, 1, Fraction(119, 144)),
        (6, 24, 2, 1 - Fraction(5, 12) ** 3),
    ],
)
def test_tests_to_rally(Ld, away, fled, rallies):
    """ARAP-208 and 209: from more than 8 inches, through cover, and at the edge, where whoever fails is gone."""
    siege = replace(HELD_BY_TWO, ours=replace(COWARDS, Ld=Ld))
    s = replace(routing(siege, away), fled=fled)
    halted, running = replace(s, routs=False, rallied=True, fled=0), replace(s, fled=0)
    gone = replace(running, end="broken") if away == 24 else running
    assert found(siege.rally(s, "d", "after_the_move")) == {halted: rallies, gone: 1 - rallies}
    assert found(siege.rally(s, "d", "end_of_turn")) == {s: 1}


UNHURT = replace(SEVEN, theirs=replace(STEADY, range=1), plan="shoot", edge=60)
"""The edge is far off, nobody fires at them, and they charge nobody."""


def test_who_rallies_in_his_own_turn_acts_in_it():
    """With a free move beyond 12 inches, and others by his dice, to within 12."""
    ways = list(UNHURT.attackers_turn(routing(UNHURT, 10)))
    still = {n: sum(c for c, s in ways if s.routs and s.away == 10 + n) for n in DICE}
    assert still == {n: c * Fraction(5, 18) for n, c in DICE.items()}
    assert not any(s.rallied for _, s in ways)
    halted = {away: sum(c for c, s in ways if not s.routs and s.away == away) for away in range(1, 23)}
    assert sum(halted.values()) == Fraction(13, 18)
    none = Fraction(1, 3) ** 3
    assert halted[18] == DICE[12] * Fraction(13, 18) * none
    assert halted[10] == halted[11] == 0 < halted[12]


def test_who_rallies_in_the_other_turn_waits():
    """He throws no dice and picks none up; in his own turn he is able again."""
    s = replace(start(SEVEN, 3, 2, 6), rallied=True)
    assert all(r == 0 for _, _, r in SEVEN.activations("d", s))
    assert sum(c for c, *_ in SEVEN.activations("d", s)) == 1
    assert {now.rallied for _, now in SEVEN.compulsory(s, "d")} == {True}
    assert {now.rallied for _, now in SEVEN.compulsory(s, "a")} == {False}
    assert {now.away for _, now in SEVEN.defenders_turn(s)} == {6}


@pytest.mark.parametrize("side", ["a", "d"])
@pytest.mark.parametrize("moves", ["every_player_turn", "own_turn"])
@pytest.mark.parametrize("when", ["after_the_move", "end_of_turn"])
def test_when_they_flee_and_rally(side, moves, when):
    siege = replace(UNHURT, routers_move=moves, rally_when=when)
    ways = list(getattr(siege, "attackers_turn" if side == "a" else "defenders_turn")(routing(siege, 10)))
    if (side, moves) == ("d", "own_turn"):
        assert found(ways) == {routing(siege, 10): 1}
        return
    assert chance(ways, lambda s: s.routs) == Fraction(5, 18)
    waits = chance(ways, lambda s: s.rallied)
    assert waits == (0 if (side, when) == ("a", "after_the_move") else Fraction(13, 18))
    assert all(s.fled == 0 for _, s in ways)


def test_who_has_just_routed_does_not_rally_at_the_end_of_that_turn():
    siege = replace(SEVEN, rally_when="end_of_turn")
    owing = replace(start(siege, 3, 2, 6), a_due=True)
    routed = chance(siege.nerve(owing, "a"), lambda s: s.routs)
    assert chance(siege.attackers_turn(owing), lambda s: s.routs and s.away > 6) >= routed


# what is done to them


def test_routers_are_shot_at_and_owe_nothing():
    """Nor are they pinned; and of these who have rallied a quarter owes a test."""
    siege = replace(HELD_BY_TWO, theirs=replace(STEADY, pinning=True, BS=5))
    s = routing(siege, 6)
    for now, owes in ((s, False), (replace(s, routs=False, rallied=True), True)):
        ways = list(siege.garrison_fires(now, 1, own_turn=True))
        hit = chance(ways, lambda s: 0 < s.a < 3)
        assert hit > 0
        assert (chance(ways, lambda s: s.a_due) > 0, chance(ways, lambda s: s.a_pinned > 0) > 0) == (owes, owes)


def test_nobody_comes_out_at_routers():
    """He does at who has rallied; in the open he fires with all of his points, and charges nobody."""
    siege = replace(SALLIED_AT, theirs=replace(SALLIED_AT.theirs, Ld=9))
    s = routing(siege, 5, a=2)
    assert {now.place for _, now in siege.garrison_acts(s, 2)} == {"in"}
    assert "in" not in {now.place for _, now in siege.garrison_acts(replace(s, routs=False, rallied=True), 1)}
    out = replace(s, place="out", met=True, parted=True)
    ways = siege.act_outside(out, "d", 2, own_turn=True)
    assert {(now.place, now.away) for _, now, _ in ways} == {("out", 5)}
    fired = {now: c for c, now in siege.shots_outside(out, "d", 2, own_turn=True)}
    assert fired == {now: c for c, now, _ in ways}


def test_pinned_turns_run_out_while_they_rout():
    s = replace(routing(HELD_BY_TWO, 6), a_pinned=1)
    assert {now.a_pinned for _, now in HELD_BY_TWO.attackers_turn(s) if now.routs} == {0}
    assert {now.a_pinned for _, now in HELD_BY_TWO.defenders_turn(s) if now.routs} == {1}


def test_who_routs_at_the_turn_limit_is_broken():
    s = routing(HELD_BY_TWO, 6)
    assert play_on(HELD_BY_TWO, s, s, 0)["broken"] == 1
    assert play_on(HELD_BY_TWO, s, replace(s, routs=False, rallied=True), 0)["held"] == 1


# sections of a house


@pytest.mark.parametrize(
    "siege", [THROWN_OUT, LedFloors(COWARDS, STEADY, TWO, room=2, leader_A=2, who="drawn", routers="rally")]
)
@pytest.mark.parametrize(("a", "left"), [(2, 0), (3, 1), (5, 3)])
def test_those_inside_die_and_the_others_rout_out_of_the_house(siege: Floors, a, left):
    s = replace(start(siege, a, 3, 3), held=1, here=3, away=1)
    ways = [now for _, now in siege.result(s, -1) if now.routs or now.end]
    assert {(now.a, now.end) for now in ways} == {(left, "" if left else "broken")}
    if left:
        assert {now.away for now in ways} == set(range(1, 7))
        assert {(now.held, now.here, now.d, now.stormed) for now in ways} == {(0, 2, 3, False)}
        assert all(len(now.squad) == left and "leader" not in now.squad for now in ways if isinstance(siege, LedFloors))


def test_the_garrison_stays_where_it_is_if_no_section_was_taken():
    s = replace(start(THROWN_OUT, 3, 3, 3), here=1, away=1)
    assert {now.here for _, now in THROWN_OUT.result(s, -1)} == {1}
    led = replace(LED_DWELLERS, evens_out="stays")
    assert {now.here for _, now in led.rout(replace(start(led, 3, 3, 6), here=1), 0)} == {1}

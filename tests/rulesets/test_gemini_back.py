"""Gemini's brute force of a garrison that charges back inside the house, against figures worked out by hand."""

from collections import defaultdict
from dataclasses import replace

import pytest
from quicktions import Fraction

from tests.rulesets.gemini_cases import BACK, BACK_DOWN, DWELLERS, JUMP, STORMERS, TWO
from tests.rulesets.gemini_oracle import Body, Floors, LedFloors, MixedFloors, Now, NowFloors, start, whole_assault

ENDS = ("captured", "broken", "held")
DEEP, DEEP_JUMP = (replace(siege, sections=3) for siege in (BACK_DOWN, JUMP))


def inside(siege: Floors, a: int, d: int, here: int, held: int = 1) -> NowFloors:
    return replace(start(siege, a, d, 1), held=held, here=here)


def chance(ways, what) -> Fraction:
    """Of those ways to go on for which something is so."""
    return sum((c for c, s in ways if what(s)), Fraction(0))


def without_charges(siege: Floors) -> Floors:
    """The same, but nobody moves who charges back."""
    kind = type(siege)
    quiet = type("Quiet", (kind,), {"charge_back": lambda self, s: [(Fraction(1), s)]})
    return quiet(**{name: getattr(siege, name) for name in siege.__dataclass_fields__})


@pytest.mark.slow
def test_it_matters_that_they_charge_back(some):
    for siege, *numbers in some(BACK.values(), lambda case: type(case[0])):
        back = whole_assault(siege, *numbers)
        assert all(back[end] > 0 for end in ENDS)
        assert sum(back[end] for end in ENDS) == 1
        assert back != whole_assault(replace(siege, defence="hold"), *numbers)
        assert back != whole_assault(without_charges(siege), *numbers)


# jumps: of Initiative 3 who rolls 1 to 3 lands; Strength 3 wounds Toughness 3 on 4 or more


DEAD = 1 - (Fraction(1, 2) + Fraction(1, 4) + Fraction(1, 8)) / 3


def test_one_who_jumps():
    """D3 hits: he lives through one by 1/2, two by 1/4, three by 1/8."""
    assert Fraction(17, 24) == DEAD  # of GB-030
    ways = list(DEEP_JUMP.landing(inside(DEEP_JUMP, 2, 3, 2), 1))
    found = {(landed, fell): c for c, _, landed, fell in ways}
    assert found == {(1, 0): Fraction(1, 2), (0, 1): Fraction(1, 2) * Fraction(7, 24), (0, 0): Fraction(17, 48)}
    assert all((s.d, s.here) == (3 - (n + k == 0), 2 - (n + k == 0)) for _, s, n, k in ways)


def test_two_who_jump():
    found = {(landed, fell): c for c, _, landed, fell in JUMP.landing(inside(JUMP, 2, 2, 2), 2)}
    lands, falls, dies = Fraction(1, 2), Fraction(7, 48), Fraction(17, 48)
    assert found == {
        (2, 0): lands**2, (1, 1): 2 * lands * falls, (1, 0): 2 * lands * dies,
        (0, 2): falls**2, (0, 1): 2 * falls * dies, (0, 0): dies**2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "lives"),
    [
        (Body(T=4), (Fraction(2, 3) + Fraction(4, 9) + Fraction(8, 27)) / 3),
        (Body(T=3, Sv=2), 1 - DEAD),  # whatever armour he wears
        (Body(T=3, inv=4), (Fraction(3, 4) + Fraction(9, 16) + Fraction(27, 64)) / 3),
        (Body(T=1), (Fraction(1, 6) + Fraction(1, 36) + Fraction(1, 216)) / 3),
        (Body(T=6), Fraction(1)),  # 7 would need a second die
    ],
)
def test_who_lives_through_a_fall(body, lives):
    assert JUMP.wounds_of_fall(body)[0] == lives


def test_who_is_steadier_falls_less():
    """A 6 always fails."""
    for I, lands in ((4, Fraction(2, 3)), (5, Fraction(5, 6)), (8, Fraction(5, 6))):
        siege = replace(JUMP, theirs=replace(DWELLERS, I=I))
        assert next(c for c, _, landed, _ in siege.landing(inside(siege, 1, 1, 1), 1) if landed) == lands


def test_nobody_jumps_down_the_stairs():
    s = inside(BACK_DOWN, 2, 2, 2)
    assert list(BACK_DOWN.landing(s, 2)) == [(1, s, 2, 0)]


def test_a_chief_of_two_wounds_who_falls():
    """Of D3 hits each costs him one Wound by 1/3 * 2/3: Toughness 4, saved by 5 or more."""
    siege, *_ = BACK["a nimble jump, and a save that counts in a fall"]
    s, p = inside(siege, 1, 1, 1), Fraction(2, 9)
    found = {(landed, fell): c for c, _, landed, fell in siege.landing(s, 1)}
    none = ((1 - p) + (1 - p) ** 2 + (1 - p) ** 3) / 3
    one = (p + 2 * p * (1 - p) + 3 * p * (1 - p) ** 2) / 3
    assert found == {
        (("leader",), ()): Fraction(2, 3),
        ((), ("leader",)): none / 3,
        ((), ("leader'",)): one / 3,
        ((), ()): (1 - none - one) / 3,
    }


# fights: a stormer (WS 4 with a sword, S 4) kills on 4 and 3+ through a save of 6+, a dweller (WS 2, S 3) through one of 5+


HITS = Fraction(2, 3) * Fraction(2, 3) * Fraction(5, 6)
HIT_BACK = Fraction(1, 3) * Fraction(1, 2) * Fraction(2, 3)


def stands(Ld: int) -> Fraction:
    return Fraction(sum(x + y <= Ld for x in range(1, 7) for y in range(1, 7)), 36)


def test_one_against_one_by_the_stairs():
    """He who is charged strikes first; who comes down has two attacks and wins if nobody has fallen."""
    ways = list(BACK_DOWN.charge_back(inside(BACK_DOWN, 1, 1, 1)))
    slain = (1 - HITS) * (1 - (1 - HIT_BACK) ** 2)
    nobody = (1 - HITS) * (1 - HIT_BACK) ** 2
    assert chance(ways, lambda s: s.end == "captured") == HITS
    assert chance(ways, lambda s: s.end == "broken") == slain + nobody * (1 - stands(7))
    assert chance(ways, lambda s: not s.end and (s.a, s.d, s.here, s.held) == (1, 1, 1, 1)) == nobody * stands(7)


def test_one_against_one_with_grenades():
    """Of equal Initiative both strike at once."""
    siege = replace(BACK_DOWN, garrison_grenades=True)
    slain = 1 - (1 - HIT_BACK) ** 2
    ways = list(siege.charge_back(inside(siege, 1, 1, 1)))
    assert chance(ways, lambda s: s.end == "captured") == HITS * (1 - slain)
    assert chance(ways, lambda s: (s.a, s.d, s.end) == (0, 0, "broken")) == slain * HITS
    first = replace(siege, theirs=replace(DWELLERS, I=4))
    ways = list(first.charge_back(inside(first, 1, 1, 1)))
    assert chance(ways, lambda s: s.end == "captured") == (1 - slain) * HITS
    assert chance(ways, lambda s: s.a == 0) == slain + (1 - slain) * (1 - HITS) * (1 - stands(7))


def test_those_inside_who_are_pinned_strike_by_initiative():
    s = inside(BACK_DOWN, 2, 2, 2)
    assert [BACK_DOWN.at_initiative_back(now) for now in (s, replace(s, a_pinned=1))] == [1, 3]


def test_one_against_one_by_a_jump():
    """Who has fallen has one attack; whoever dies of it has no fight."""
    s = replace(inside(JUMP, 1, 1, 1), a_due=True)
    ways = list(JUMP.charge_back(s))
    lands, falls, dies = Fraction(1, 2), Fraction(7, 48), Fraction(17, 48)
    assert chance(ways, lambda s: s.end == "captured") == dies + (lands + falls) * HITS
    nobody = (1 - HITS) * (lands * (1 - HIT_BACK) ** 2 + falls * (1 - HIT_BACK))
    assert chance(ways, lambda s: not s.end and not s.a_due) == nobody * stands(7)


def test_whoever_is_down():
    """Nobody strikes at him, and there is no fight; who lands has charged, and a round without a wound is won."""
    siege = replace(JUMP, failed_jump="down")
    ways = list(siege.charge_back(inside(siege, 1, 1, 1)))
    lands, falls, dies = Fraction(1, 2), Fraction(7, 48), Fraction(17, 48)
    assert chance(ways, lambda s: s.end == "captured") == dies + lands * HITS
    nobody = lands * (1 - HITS) * (1 - HIT_BACK) ** 2
    assert chance(ways, lambda s: not s.end) == nobody * stands(7) + falls


def test_all_who_jumped_are_dead():
    """One more waits above: nothing else has happened, and the section is empty."""
    s = replace(inside(DEEP_JUMP, 1, 2, 1), a_due=True)
    ((c, after),) = [(c, s) for c, s in DEEP_JUMP.charge_back(s) if s.a_due]
    assert (c, after.d, after.here, after.held, after.end) == (Fraction(17, 48), 1, 0, 1, "")


def test_whom_those_below_kill_first():
    """Of one who landed and one who fell either may be the one who is left to strike, with two attacks or one."""
    ways = list(JUMP.exchange_back(inside(JUMP, 1, 2, 2), 1, 1, 1))
    left = (1 - (1 - HIT_BACK) ** 2) / 2 + HIT_BACK / 2
    assert chance([(c, s) for c, s, _ in ways], lambda s: (s.a, s.d) == (0, 1)) == HITS * left
    both = 1 - (1 - HIT_BACK) ** 3
    assert chance([(c, s) for c, s, _ in ways], lambda s: (s.a, s.d) == (0, 2)) == (1 - HITS) * both
    assert sum(c for c, *_ in ways) == 1


# what comes of it


def test_the_dice_of_both_sides():
    """Two charge, or with a 1 one; whoever is left has two attacks. If nobody has fallen, those inside have lost."""
    ways = list(DEEP.charge_back(inside(DEEP, 1, 4, 2)))
    one, two = Fraction(1, 6), Fraction(5, 6)
    miss = 1 - HIT_BACK
    neither = (1 - HITS) * (one * miss**2 + two * miss**4)
    lost_one = HITS * (one + two * miss**2)
    assert chance(ways, lambda s: s.end == "broken") == 1 - lost_one - neither * stands(7)
    assert chance(ways, lambda s: s.d == 4 and s.a == 1 and s.here == 2) == neither * stands(7)
    assert chance(ways, lambda s: not s.end and (s.d, s.here) == (3, 1)) == lost_one * stands(6)
    assert chance(ways, lambda s: (s.d, s.here) == (2, 0)) == lost_one * (1 - stands(6))


def test_a_garrison_that_routs_leaves_an_empty_section():
    """It has lost by one: each of those who are still there is killed, and attackers do not move in."""
    s = inside(DEEP, 3, 4, 1)
    empty = replace(s, d=3, here=0)
    assert {now: c for c, now in DEEP.outcome_back(s, -1)} == {s: stands(6), empty: 1 - stands(6)}
    assert {now.end for _, now in DEEP.outcome_back(replace(s, d=1), -1)} == {"", "captured"}
    ((c, taken),) = DEEP.fight(empty, 0)
    assert (c, taken.held, taken.here, taken.d) == (1, 2, 3, 3)


def test_attackers_who_rout_die_inside():
    siege = replace(BACK_DOWN, room=2, routers="rally")
    s = inside(siege, 5, 2, 2)
    for difference in (0, 2, 4):
        after: dict[tuple[int, bool], Fraction] = defaultdict(Fraction)
        for c, now in siege.outcome_back(s, difference):
            after[now.a, now.routs] += c
        ld = 7 - min(difference, 3)
        assert after == {(5, False): stands(ld), (3, True): 1 - stands(ld)}
    gone = replace(siege, routers="for_good")
    assert {(now.a, now.end) for _, now in gone.outcome_back(s, 0)} == {(5, ""), (3, "broken")}


def test_nobody_comes_out_who_has_attackers_inside():
    """With one point he charges, with two he shoots first; who has none of his next to them shoots with both."""
    assert all(s.place == "in" for _, s in BACK_DOWN.garrison_acts(inside(BACK_DOWN, 3, 3, 3), 3))
    assert all(s.place != "in" or s.end for _, s in BACK_DOWN.garrison_acts(inside(BACK_DOWN, 3, 3, 3, held=0), 1))
    s = inside(BACK_DOWN, 3, 4, 4)
    one = {now: c for c, now in BACK_DOWN.garrison_acts(s, 1)}
    assert one == {now: c for c, now in BACK_DOWN.charge_back(s)}
    two: dict[Now, Fraction] = defaultdict(Fraction)
    for c, shot in BACK_DOWN.garrison_fires(s, 1, True):
        for c2, after in [(1, shot)] if shot.end else BACK_DOWN.charge_back(shot):
            two[after] += c * c2
    assert two == {now: c for c, now in BACK_DOWN.garrison_acts(s, 2)}
    stays = replace(BACK_DOWN, sections=3, evens_out="stays")
    apart = inside(stays, 3, 3, 0)
    assert stays.garrison_acts(apart, 2) == replace(stays, defence="hold").garrison_acts(apart, 2)


# the same by other ways


def turned(siege: Floors) -> Floors:
    """The roles exchanged."""
    roles = {"ours": siege.theirs, "theirs": siege.ours, "grenades": siege.garrison_grenades}
    if isinstance(siege, LedFloors):
        roles |= {"leader_A": siege.chief_A, "chief_A": siege.leader_A}
    return replace(siege, **roles)


LED = LedFloors(STORMERS, DWELLERS, TWO, defence="sally", leader_A=2, chief_A=3)


@pytest.mark.parametrize("siege", [BACK_DOWN, LED, replace(LED, who="drawn"), replace(LED, who="owner")])
@pytest.mark.parametrize(("more", "I"), [({}, 3), ({"garrison_grenades": True}, 4), ({"garrison_grenades": True}, 2)])
@pytest.mark.parametrize(("a", "d"), [(3, 4), (2, 5), (7, 7)])
def test_a_charge_back_is_a_storm_from_section_to_section(siege, more, I, a, d):
    siege = replace(siege, **more, theirs=replace(DWELLERS, I=I))
    found: dict[tuple, Fraction] = defaultdict(Fraction)
    for c, s in siege.charge_back(inside(siege, a, d, d)):
        found[s.a, s.d, s.end] += c
    storm: dict[tuple, Fraction] = defaultdict(Fraction)
    for c, s in turned(siege).fight(inside(turned(siege), d, a, a), 0):
        storm[s.d, s.a, {"captured": "broken", "broken": "captured", "": ""}[s.end]] += c
    assert found == storm


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a charge back down the stairs", "a jump, whoever falls is down"])
def test_nobody_leads(name):
    siege, *numbers = BACK[name]
    fields = {name: getattr(siege, name) for name in siege.__dataclass_fields__}
    led = LedFloors(**fields, leader_A=0)
    assert whole_assault(led, 3, 3, *numbers[2:]) == whole_assault(siege, 3, 3, *numbers[2:])


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"failed_jump": "down", "room": 2}])
def test_models_alike_fall_as_those_who_are_drawn(more):
    siege, *_ = BACK["a chief who jumps"]
    fields = {name: getattr(siege, name) for name in siege.__dataclass_fields__} | {"who": "drawn", **more}
    led, mixed = LedFloors(**fields), MixedFloors(**fields)
    assert whole_assault(mixed, 3, 3, 4, 2) == whole_assault(led, 3, 3, 4, 2)

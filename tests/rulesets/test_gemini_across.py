"""Gemini's brute force of flames and grenades from section to section, against figures worked out by hand."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product

import pytest
from quicktions import Fraction

from tests.rulesets.gemini_cases import ACROSS, BOTH_WAYS, BURNERS, UP
from tests.rulesets.gemini_oracle import LedFloors, MixedFloors, NowFloors, start, whole_assault


def inside(a: int, d: int, here: int, held: int = 1) -> NowFloors:
    return replace(start(UP, a, d, 1), held=held, here=here)


def chance(ways, what) -> Fraction:
    """Of those ways to go on for which something is so."""
    return sum((c for c, s in ways if what(s)), Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("name", ACROSS)
def test_it_matters_that_they_are_used(name):
    siege, *numbers = ACROSS[name]
    with_them = whole_assault(siege, *numbers)
    assert all(with_them[end] > 0 for end in ("captured", "broken", "held"))
    assert sum(with_them[end] for end in ("captured", "broken", "held")) == 1
    assert with_them != whole_assault(replace(siege, across=False), *numbers)


@pytest.mark.slow
def test_who_has_neither_plays_as_before():
    plain = replace(UP, grenades=False)
    assert whole_assault(plain, 3, 3, 6, 3) == whole_assault(replace(plain, across=False), 3, 3, 6, 3)


def test_one_flame_at_three():
    """BS 4: by 1 or 2 all are hit, else each on 3 or less; it wounds on 3 or more, without a save."""
    ways = list(replace(UP, ours=BURNERS).blasts(inside(1, 3, 3), "a"))
    assert chance(ways, lambda s: s.d == 3) == Fraction(1, 3) * Fraction(1, 27) + Fraction(2, 3) * Fraction(8, 27)
    assert chance(ways, lambda s: s.end == "captured") == Fraction(10, 81)
    assert sum(c * (3 - s.d) for c, s in ways) == 3 * Fraction(4, 9)  # of GB-102


@pytest.mark.parametrize(
    ("side", "state", "sections", "neighbours"),
    [
        ("a", inside(4, 4, 2), 3, ["own", "beyond"]),
        ("a", inside(4, 4, 4), 2, ["own"]),
        ("d", inside(4, 4, 4), 2, ["own"]),
        ("d", inside(4, 4, 4, held=2), 3, ["own", "beyond"]),
    ],
)
def test_where_one_grenade_comes_down(side, state, sections, neighbours):
    """Face by face: to hit, for the section, and for which of two neighbours."""
    siege = replace(BOTH_WAYS, sections=sections)
    goal, fallen = (3 if side == "a" else 2), Counter()
    for hit, same, which in product(range(1, 7), repeat=3):
        if hit <= goal or same <= 4:
            fallen["there"] += 1
        else:
            fallen[neighbours[which % len(neighbours)]] += 1
    found = siege.landings(state, side, 1)
    places = {"there": (1, 0, 0), "own": (0, 1, 0), "beyond": (0, 0, 1)}
    assert {place: found.get(key, 0) for place, key in places.items()} == {
        place: Fraction(fallen[place], 216) for place in places
    }


def test_a_shooting_of_one_who_throws_and_one_who_shoots():
    """At one in the section attacked and one behind: 7/9 of grenades come down there, 1/9 each back and behind.

    A grenade kills one of the garrison by 1/2 * 5/6, an attacker by 1/2 * 2/3: one who is left has thrown. A shot hits on
    1, wounds on 3 or more.
    """
    siege, grenade = replace(UP, sections=3), Fraction(5, 12)
    shot = 1 - (1 - Fraction(1, 6) * Fraction(2, 3) * Fraction(5, 6)) ** 2
    ways = siege.attackers_fire(inside(2, 2, 1), 1, True)
    assert chance(ways, lambda s: s.end == "broken") == Fraction(1, 9) * Fraction(1, 9)
    assert chance(ways, lambda s: s.end == "captured") == Fraction(1, 9) * grenade * shot
    alive = Fraction(7, 9) * (1 - grenade) + Fraction(1, 9) * Fraction(4, 9) + Fraction(1, 9)
    assert chance(ways, lambda s: s.here == 0) == Fraction(7, 9) * grenade + alive * shot
    assert all(s.d_due == (s.d < 2) and not s.a_due for _, s in ways if not s.end)


def test_own_grenades_leave_fewer_to_shoot():
    """Three, one of whom throws: one of those who are left counts as him."""
    left: dict[tuple[int, int | None], Fraction] = defaultdict(Fraction)
    for c, s in replace(UP, sections=3).blasts(inside(3, 4, 2), "a"):
        left[s.a, s.guns] += c
    back, dead = Fraction(1, 12), Fraction(1, 3)
    assert left[2, 1] == back * 3 * dead * (1 - dead) ** 2
    assert left[1, 0] == back * 3 * dead**2 * (1 - dead)
    assert left[3, 2] == 1 - back * (1 - (1 - dead) ** 3)


def test_two_of_the_garrison_who_throw():
    """Of five with BS 3 two throw: each comes down back by 2/9, and kills an attacker there by 1/3, of its own by 5/12."""
    ways = list(BOTH_WAYS.blasts(inside(3, 5, 5), "d"))
    nobody = Fraction(0)
    for first, second in product((True, False), repeat=2):
        chance_of = Fraction(1)
        for back in (first, second):
            chance_of *= Fraction(2, 9) * Fraction(7, 12) ** 5 if back else Fraction(7, 9) * Fraction(2, 3) ** 3
        nobody += chance_of
    assert chance(ways, lambda s: s.a == 3 and s.d == 5) == nobody
    after = BOTH_WAYS.garrison_fires(inside(3, 5, 5), 1, True)
    assert all(s.a_due == (s.a < 3) and not s.d_due for _, s in after if not s.end)


LED_UP, *_ = ACROSS["grenades both ways, a leader who is another"]


def squads(siege, grenades: int) -> dict[tuple[str, ...], Fraction]:
    """Who is left of a leader and two men after so many grenades among them."""
    left: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for c, s in siege.grenades_in(replace(start(siege, 3, 3, 1), held=1), "a", grenades):
        assert (s.a, s.d) == (len(s.squad), 3)
        left[s.squad] += c
    return left


def test_grenades_at_a_leader_among_two_men():
    """Strength 3 wounds Toughness 4 on 5 or more, and his save is 4+; it wounds a man on 4 or more, whose save is 5+."""
    hurt, dead = Fraction(1, 3) * Fraction(1, 2), Fraction(1, 2) * Fraction(2, 3)
    one = squads(LED_UP, 1)
    for leader, c in (("leader", 1 - hurt), ("leader'", hurt)):
        for men in range(3):
            assert one[leader, *["other"] * men] == c * (1, 2, 1)[men] * (1 - dead) ** men * dead ** (2 - men)
    assert len(one) == 6
    two = squads(LED_UP, 2)
    assert sum(c for squad, c in two.items() if "leader" in squad) == (1 - hurt) ** 2
    assert sum(c for squad, c in two.items() if "leader'" in squad) == 2 * hurt * (1 - hurt)
    assert two["other", "other"] == hurt**2 * (1 - dead) ** 4


def test_a_grenade_at_a_leader_who_looks_out():
    """On 5 or less another is hit instead, who may have been hit himself; nobody, if both have fallen."""
    hurt, dead, passed = Fraction(1, 6), Fraction(1, 3), Fraction(5, 6)
    left = squads(replace(LED_UP, look_out=True), 1)
    assert sum(c for squad, c in left.items() if "leader'" in squad) == (1 - passed) * hurt
    assert left["leader", "other", "other"] == (1 - dead) ** 2 * (passed * (1 - dead) + (1 - passed) * (1 - hurt))
    one, both = 2 * dead * (1 - dead), dead**2
    assert left[("leader",)] == both * (passed + (1 - passed) * (1 - hurt)) + one * passed * dead
    assert left["leader'", "other"] == one * (1 - passed) * hurt


def test_one_flame_at_a_chief():
    """BS 4 at more than two: by 1 or 2 all are hit, else each on 3 or less; Strength 4 wounds Toughness 4 on 4 or more.

    By AP 4 he has none but a save of 5+; a man is wounded on 3 or more, and has none.
    """
    siege, *_ = ACROSS["flames at a chief who is another"]
    ways = list(siege.blasts(replace(start(siege, 1, 4, 1), held=1), "a"))
    hurt, dead = Fraction(1, 2) * Fraction(2, 3), Fraction(2, 3)
    sure, half = Fraction(1, 3), Fraction(2, 3)
    assert chance(ways, lambda s: "leader'" in s.guard) == sure * hurt + half * hurt / 2
    assert chance(ways, lambda s: (s.here, s.d) == (1, 3) and "leader" in s.guard) == (
        sure * dead * (1 - hurt) + half * dead / 2 * (1 - hurt / 2)
    )


@pytest.mark.slow
@pytest.mark.parametrize("more", [{"bearers": 1, "room": 2}, {"sections": 3, "specials": "behind"}])
def test_models_alike_fall_as_those_who_are_drawn(more):
    kinds = {"leader_A": 2, "chief_A": 2, "who": "drawn", "grenades": True, "garrison_grenades": True, "across": True}
    led, mixed = (kind(LED_UP.ours, LED_UP.theirs, LED_UP.house, **kinds, **more) for kind in (LedFloors, MixedFloors))
    assert whole_assault(mixed, 3, 3, 4, 2) == whole_assault(led, 3, 3, 4, 2)

"""A close combat in the open, against figures worked by hand and rounds gone through blow by blow."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from sims.dice import LEADERSHIP, ExactDice, together
from sims.games.common import order_of_blows
from sims.games.wh40k import open_fight
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.book import Wh40k
from sims.games.wh40k.combat import CAUGHT
from sims.reading import parse
from sims.scenario import Force, build

RULES = Wh40k.load()

SIDES = """
title = "In the open"
distance = 6
building = "keep"
[attackers]
unit = "man"
models = 5
weapon = "pistol"
leader = { unit = "captain", melee = "fist" }
specials = [{ weapon = "pistol", melee = "hammer" }]
[defenders]
unit = "brute"
models = 4
weapon = "pistol"
leader = { unit = "boss", weapon = "pistol", melee = "blade" }
[units.man]
title = "Man"
WS = 3
BS = 3
S = 3
T = 3
I = 3
A = 1
Ld = 7
Sv = 5
[units.captain]
title = "Captain"
WS = 5
BS = 3
S = 3
T = 3
I = 5
A = 3
Ld = 9
[units.brute]
title = "Brute"
WS = 4
BS = 2
S = 4
T = 4
W = 2
I = 2
A = 2
Ld = 7
Sv = 4
[units.boss]
title = "Boss"
WS = 4
BS = 2
S = 5
T = 4
W = 2
I = 3
A = 3
Ld = 8
[weapons.fist]
title = "Fist"
kind = "melee"
S = 8
AP = 2
[weapons.hammer]
title = "Hammer"
kind = "melee"
S_bonus = 2
two_handed = true
[weapons.blade]
title = "Blade"
kind = "melee"
AP = 4
"""


def sides(text: str = SIDES) -> tuple[Force, Force]:
    scenario = build(parse("sides.toml", text), "sides")
    return scenario.attackers, scenario.defenders


def counts(*numbers: int) -> tuple[np.ndarray, ...]:
    return tuple(np.array([n]) for n in numbers)


def pmf(striking, models, who, target, most, charged=0, rules=RULES):
    struck = open_fight.blows(rules, striking, models, who, target, charged)
    return together(blow.unsaved(rules, wh40k.Target.of(target)) for blow in struck).up_to(np.array([most])).pmf


def by_hand(attacks, hits, wounds, saves):
    """Unsaved wounds of so many blows, going through the faces of three dice for one and adding blow by blow."""
    p = Fraction(sum(h >= hits and w >= wounds and s < saves for h, w, s in product(range(1, 7), repeat=3)), 216)
    ways = {0: Fraction(1)}
    for _ in range(attacks):
        ways = {n: ways.get(n, 0) * (1 - p) + ways.get(n - 1, 0) * p for n in range(len(ways) + 1)}
    return ways


def test_groups_strike_in_order_of_initiative():
    """The captain has I5; the men and the boss have I3 and strike together; the brutes have I2."""
    attackers, defenders = sides()
    assert order_of_blows(attackers, defenders) == [((0,), ()), ((1, 2), (0,)), ((), (1,))]


def test_groups_of_one_force_with_no_blow_between_strike_together():
    attackers, defenders = sides(SIDES.replace("I = 2", "I = 6").replace("I = 3\nA = 3", "I = 7\nA = 3"))
    assert order_of_blows(attackers, defenders) == [((), (0, 1)), ((0, 1, 2), ())]


@pytest.mark.parametrize(("charged", "each"), [(0, 1), (1, 2)])
def test_blows_of_ordinary_models(charged, each):
    """WS3 v WS4 hits on 4+, S3 v T4 wounds on 5+, Sv4+ is not pierced; a charge is worth one Attack a model."""
    attackers, defenders = sides()
    found = pmf(attackers, counts(1, 1, 3), (2,), defenders.unit, 8, charged)
    expected = by_hand(3 * each, 4, 5, 4)
    assert {n: found[n] for n in expected} == expected


def test_a_charge_is_worth_what_the_book_says():
    attackers, defenders = sides()
    tables = RULES.tables.model_copy(update={"attacks": RULES.tables.attacks.model_copy(update={"charging": 2})})
    found = pmf(attackers, counts(1, 1, 3), (2,), defenders.unit, 9, 1, RULES.model_copy(update={"tables": tables}))
    expected = by_hand(3 * 3, 4, 5, 4)
    assert {n: found[n] for n in expected} == expected


def test_blows_with_weapons_of_their_own():
    """Fist: WS5 v WS4 3+, S8 2+, no save. Hammer: WS3 4+, S5 v T4 3+, Sv4+. The blade pierces Sv5+, so none is left.

    The blade is a second weapon beside a pistol; the hammer takes both hands, and the fist has nothing beside it.
    """
    attackers, defenders = sides()
    fist, hammer = by_hand(3, 3, 2, 7), by_hand(1, 4, 3, 4)
    both = pmf(attackers, counts(1, 1, 3), (0, 1), defenders.unit, 8)
    for n in range(5):
        assert both[n] == sum(fist.get(k, 0) * hammer.get(n - k, 0) for k in range(n + 1))
    blade = by_hand(3 + 1, 3, 2, 7)
    assert pmf(defenders, counts(1, 3), (0,), attackers.unit, 5)[3] == blade[3] == Fraction(2000, 6561)


def test_blows_beyond_what_is_left_do_not_count():
    """Two wounds left, or one: three fists that all strike home count no more, and nobody is left."""
    attackers, defenders = sides()
    fist = by_hand(3, 3, 2, 7)
    scene = SimpleNamespace(
        scenario=SimpleNamespace(attackers=attackers, defenders=defenders), book=SimpleNamespace(game=RULES)
    )
    for hurt, most in ((0, 2), (1, 1)):
        state = open_fight.Fight(
            attackers=counts(1, 1, 3),
            defenders=counts(0, 1),
            defenders_hurt=np.array([hurt]),
            attackers_others_hurt=(),
            defenders_others_hurt=(),
            attackers_begun=(),
            defenders_begun=(),
        )
        dice = ExactDice(np.array([Fraction(1)]))
        after = open_fight.trade_blows(dice, state, scene, ((0,), ()), (0, 0))
        played = zip(after.lead.flat, after.defenders[1].flat, dice.weights.flat, strict=True)
        found = {(lead, left): chance for lead, left, chance in played if chance}
        short = {(n, 1): fist[n] for n in range(most)}
        assert found == short | {(most, 0): sum(fist[n] for n in range(most, 4))}
        assert dice.tallies["defenders lost in close combat"] == sum(lead * p for (lead, _), p in found.items())


def test_whose_charge_it_is_may_differ_from_column_to_column():
    attackers, _ = sides()
    acting = Force(attackers.unit, (attackers.groups[0], attackers.groups[2]))
    models = (np.array([1, 1]), np.array([3, 2]))
    found = wh40k.attacks(RULES, acting, models, charging=np.array([True, False]))
    assert [n.tolist() for n in found] == [[4, 3], [6, 2]]


def test_the_loser_tests_on_its_best_leadership_less_the_margin():
    """The captain's 9 while he stands, then 7; the boss's 8. Two wounds behind on 9: 7 or less is 7/12."""
    attackers, defenders = sides()
    lead = np.array([-2, -2, 1, 0])
    one = (np.array([1, 0, 1, 1]), np.array([0, 0, 0, 0]), np.array([2, 2, 2, 2]))
    other = (np.array([1, 1, 1, 1]), np.array([3, 3, 3, 3]))
    _, targets = open_fight.nerve(lead, attackers, one, defenders, other).arguments
    assert targets[:3].tolist() == [7, 5, 7]
    assert LEADERSHIP.chance(7) == Fraction(21, 36)
    assert open_fight.tests_morale(lead, one, other).tolist() == [True, True, True, False]


def test_who_is_wiped_out_and_who_met_nobody_does_not_test():
    one, other = (np.array([0, 2]),), (np.array([3, 0]),)
    assert open_fight.tests_morale(np.array([-2, 2]), one, other).tolist() == [False, False]


def test_the_winner_catches_by_initiative():
    """I3 men against I2 brutes: the men run one better, the brutes one worse (BASE-036)."""
    attackers, defenders = sides()
    _, targets = open_fight.pursuit(np.array([True, False]), attackers, defenders).arguments
    assert targets.tolist() == [1, -1]
    faces = list(product(range(1, 7), repeat=2))
    men_caught = Fraction(sum(brute + 2 >= man + 3 for brute, man in faces), 36)
    brutes_caught = Fraction(sum(man + 3 >= brute + 2 for brute, man in faces), 36)
    assert [CAUGHT.chance(int(t)) for t in targets] == [men_caught, brutes_caught]

"""Gemini: whole assaults against brute force, the worked figures of the rules that an assault plays, what is monotone."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.assault import End
from sims.dice import LOW, PMF, ExactDice
from sims.engines import play, run, solve
from sims.errors import CasemateError
from sims.games.arap.melee import initiative_steps, weapon_skill
from sims.games.arap.moving.charge import REACHED, REACHED_FAST, ChargeRoll
from sims.games.arap.nerve.casualties import FALTERS, ROUTS, STANDS, HeavyCasualtyTest, as_if_fallen, heavy
from sims.games.arap.rolls.characteristics import leadership_test
from sims.reading import parse
from sims.rulesets import RuleSet, rule_set
from sims.rulesets.gemini import turn
from sims.rulesets.gemini.bunkers import bunker
from sims.rulesets.gemini.bunkers.bombardment import Bombardment
from sims.rulesets.gemini.bunkers.hits_table import Bunker, HitsTable
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections import giving_way, storm
from sims.scenario import Scenario, build, load_scenario
from tests.rulesets.gemini_cases import (
    BACK,
    CASES,
    DRAWN_OF_THREE,
    DWELLERS,
    HACKING,
    INDOORS,
    LED_DWELLERS,
    STORMERS,
    TWO,
    WHOLE,
    gemini,
    scenario,
)
from tests.rulesets.gemini_oracle import Floors, House, Siege, Troops
from tests.rulesets.judging import ENDS, mean, share
from tests.rulesets.scripted import scripted

FALSE_ALARM = 1e-9
"""Chance that a statistical test here fails although nothing is wrong, for each test."""


# A brute force written from the books judges whole assaults.


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("who falls: ")])
def test_a_whole_assault_is_what_brute_force_says(name):
    CASES[name].agree()


@pytest.mark.slow
def test_who_falls_in_a_whole_assault_is_what_brute_force_says(some):
    """The short form: each siege by one ruling, and each ruling in one."""
    games = (name for name in CASES if name.startswith("who falls: "))
    for name in some(games, lambda name: name.split(", ")[0], lambda name: name.split(", ", 1)[1]):
        CASES[name].agree()


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN_OF_THREE)
def test_who_falls_is_drawn_of_three_kinds_as_brute_force_says(name):
    DRAWN_OF_THREE[name].agree()


def test_the_set_ups_reach_what_they_are_about():
    """Each of them ends in more than one way, and the bunker both falls and is taken."""
    for name in WHOLE:
        assert CASES[name].expected["captured"] > 0 < CASES[name].expected["broken"], name
    assert CASES["a bunker shot open"].expected["destroyed"] > 0


# Exact, sampled and rolled agree on the plans that a scenario file does not choose; the conformance suite does the rest.


@pytest.mark.usefixtures("small_batches")
def test_every_plan_agrees_with_thrown_dice(some):
    """Each plan of the attackers but that of the file, which the conformance suite plays.

    The short form: each of them in one scenario, and each scenario.
    """
    every = product(["farmhouse", "bunker-rush", "bastion", "keep-gate"], ["storm", "demolish", "shoot"])
    others = ((name, plan) for name, plan in every if load_scenario(name).plan != plan)
    for name, plan in some(others, lambda game: game[0], lambda game: game[1]):
        agrees_with_thrown_dice(replace(load_scenario(name), plan=plan, turns=3))


def agrees_with_thrown_dice(game: Scenario, **rulings: str) -> None:
    """Each count is binomial; the chance of a false alarm over both engines and the ends is below `FALSE_ALARM`."""
    from scipy.stats import binom

    assault, trials = gemini(**rulings).assault(game), 2**15
    expected = solve(assault)
    for engine in ("sampled", "rolled"):
        drawn = play(assault, engine=engine, trials=trials, seed=11)
        for end in ENDS:
            p = min(1.0, float(share(expected, end)))
            count = int(drawn.counts[drawn.columns["end"] == end].sum())
            assert 2 * min(binom.cdf(count, trials, p), binom.sf(count - 1, trials, p)) > FALSE_ALARM / 8, (end, p)


# Worked figures of the rules that an assault plays.


def pmf_of(mechanic, *arguments: int) -> PMF:
    return mechanic.pmf(*arguments)


@pytest.mark.parametrize(
    ("wanted", "reached"),
    [(2, Fraction(1)), (4, Fraction(11, 12)), (7, Fraction(7, 12)), (12, Fraction(1, 36)), (13, Fraction(0))],
)
def test_charges_reach(wanted, reached):
    """ARAP-168, move 4 and radius 2 at 8, 10, 13, 18 and 19 inches."""
    assert pmf_of(ChargeRoll(2), wanted, 12)[REACHED] == reached


def test_a_charge_that_fails_goes_its_highest_die():
    """ARAP-172: needing 8 of two dice."""
    rolled = pmf_of(ChargeRoll(2), 8, 12)
    fails = 1 - rolled[REACHED]
    assert fails == Fraction(7, 12)
    assert rolled[4] / fails == Fraction(2, 7)
    assert sum(k * rolled[k] for k in range(1, 7)) / fails == Fraction(26, 7)


def test_fast_units_charge_with_the_two_best_of_three_dice():
    """ARAP-062: 11 inches of move 4."""
    assert pmf_of(ChargeRoll(3), 7, 12)[REACHED] == Fraction(29, 36)


def test_a_long_charge_is_fast():
    """ARAP-187: more than 12 inches of move 4."""
    assert pmf_of(ChargeRoll(2), 2, 8)[REACHED_FAST] == Fraction(5, 18)


@pytest.mark.parametrize(
    ("target", "stands", "pinned", "routs"),
    [
        (7, Fraction(7, 12), Fraction(1, 4), Fraction(1, 6)),
        (6, Fraction(5, 12), Fraction(1, 4), Fraction(1, 3)),
        (10, Fraction(11, 12), Fraction(1, 36), Fraction(1, 18)),
        (1, Fraction(1, 36), Fraction(17, 36), Fraction(1, 2)),
    ],
)
def test_heavy_casualties(target, stands, pinned, routs):
    """ARAP-134."""
    mechanic = HeavyCasualtyTest(leadership_test(gemini().book.game, "heavy_casualties"))
    found = pmf_of(mechanic, 1, target)
    assert (found[STANDS], found[FALTERS], found[ROUTS]) == (stands, pinned, routs)
    assert pmf_of(mechanic, 0, target)[STANDS] == 1


@pytest.mark.parametrize(
    ("losses", "size", "due"), [(3, 12, 1), (2, 10, 0), (3, 10, 1), (2, 8, 1), (1, 5, 0), (1, 4, 1)]
)
def test_a_quarter_lost_calls_for_a_test(losses, size, due):
    """ARAP-133, through the garrison's own shots."""
    assert bool(heavy(gemini().book.game, losses, size)) is bool(due)


@pytest.mark.parametrize("half", ["no", "yes"])
def test_earlier_losses_stand_for_others_that_come_to_the_same_tests(half):
    """The least of them: of who has fallen matters only which test comes after how many more (ARAP-133)."""

    def tests(fallen, left):
        """A quarter of those who were there before the shooting began, or half of them."""
        lost, begun = range(fallen, fallen + left + 1), fallen + left
        return [0 if n == 0 or 4 * n < begun else 2 if half == "yes" and 2 * n >= begun else 1 for n in lost]

    game, most = gemini(half_losses=half).book.game, 13
    for left in range(most):
        numbers = np.arange(most)
        found = as_if_fallen(game, numbers, np.full(most, left))
        assert [min(n for n in numbers if tests(n, left) == tests(fallen, left)) for fallen in numbers] == [*found]


@pytest.mark.parametrize(
    ("ours", "theirs", "steps"),
    [
        ({4, 5}, {3}, [(5, 4), (3,)]),
        ({3}, {3}, [(3,)]),
        ({1, 4}, {3}, [(4,), (3,), (1,)]),
        ({2, 3}, {3}, [(3,), (2,)]),
        ({2}, {5, 4}, [(5, 4), (2,)]),
    ],
)
def test_steps_of_initiative(ours, theirs, steps):
    """ARAP-193: steps in which one side alone strikes one after the other are one."""
    assert initiative_steps(ours, theirs) == steps


def state_of(assault, **changes):
    state = assault.start
    for name, value in changes.items():
        field, _, own = name.partition("__")
        array = np.array([value])
        state = state.replace(**{field: getattr(state, field).replace(**{own: array}) if own else array})
    return state


@pytest.mark.parametrize(
    ("own", "points", "reaction"), [([1, 2, 6], 2, 1), ([6, 6, 6], 0, 3), ([6, 1, 5], 1, 2), ([3, 3, 3], 3, 0)]
)
def test_failed_dice_are_picked_up(own, points, reaction):
    """ARAP-047, ARAP-050: Initiative 3; every die picked up shows a 1."""
    assault = gemini().assault(load_scenario("farmhouse"))
    dice = scripted({"activation dice": own, "dice picked up": [1] * reaction})
    after = turn.throw_activation(dice, assault.start, assault.scene, side="attackers")
    assert (int(after.attackers.points[0]), int(after.defenders.points[0])) == (points, reaction)


def test_pinned_units_have_two_actions_fewer():
    """ARAP-129: three dice at Initiative 3 leave one action in one of eight turns."""
    assault = gemini().assault(load_scenario("farmhouse"))
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = turn.throw_activation(dice, state_of(assault, attackers__pinned=1), assault.scene, side="attackers")
    acting = (dice.weights * (after.attackers.points > 0)).sum()
    assert acting == Fraction(1, 8)
    assert turn.end_turn(dice, after, assault.scene, side="attackers").attackers.pinned.max() == 0


@pytest.mark.parametrize(("openings", "a", "d", "pairs"), [(1, 10, 8, 2), (2, 10, 8, 4), (3, 5, 8, 5), (4, 10, 6, 6)])
def test_pairs_at_the_openings(openings, a, d, pairs):
    """GB-126."""
    siege = Siege(Troops(), Troops(), House(openings=openings))
    assault = gemini(doorway_fight="pairs").assault(scenario(siege, a, d, 1, 1))
    after = storm.engage(scripted(), state_of(assault, charge=1), assault.scene)
    assert (int(after.attackers_in[0]), int(after.defenders_in[0])) == (pairs, pairs)


@pytest.mark.parametrize(("a", "expected"), [(10, Fraction(7, 2)), (5, Fraction(10, 3)), (3, Fraction(5, 2))])
def test_dice_at_a_single_opening(a, expected):
    """GB-124."""
    siege = Siege(Troops(), Troops(), House(openings=1))
    assault = gemini().assault(scenario(siege, a, 10, 1, 1))
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = storm.engage(dice, state_of(assault, charge=1), assault.scene)
    assert (dice.weights * after.attackers_in).sum() == expected
    more = (dice.weights * (after.attackers_in > after.defenders_in)).sum()
    assert a < 10 or more == Fraction(5, 12)


@pytest.mark.parametrize(
    ("arms", "by_option"),
    [
        ({"weapon": "rifle"}, {"pistols": 2, "blades": 2, "everybody": 3}),
        ({"weapon": "pistol"}, {"pistols": 3, "blades": 2, "everybody": 3}),
        ({"weapon": "rifle", "melee": "sword"}, {"pistols": 3, "blades": 3, "everybody": 3}),
    ],
)
def test_a_rifle_butt_is_an_improvised_weapon(arms, by_option):
    """ARAP-195: at -1 for Weapon Skill 3."""
    found = load_scenario("farmhouse", {"defenders.unit": "trooper", "defenders.specials": [], **{
        f"defenders.{key}": value for key, value in arms.items()
    }})  # fmt: skip
    (group,) = found.defenders.groups
    skills = {o: weapon_skill(gemini(close_combat_weapons=o).book.game, group) for o in by_option}
    assert skills == by_option


@pytest.mark.parametrize(
    ("grenades", "killed", "lost"),
    [(False, Fraction(3128, 6561), Fraction(1, 18)), (True, Fraction(368, 729), Fraction(361, 13122))],
)
def test_one_to_one_in_the_doorway(grenades, killed, lost):
    """GB-125: those in cover strike first at chargers who have no grenades."""
    ours, theirs = Troops(WS=4, S=4, T=4, I=4, Sv=3, sword=True), Troops(WS=3, Sv=5, sword=True)
    siege = Siege(ours, theirs, House(openings=2), grenades=grenades)
    assault = gemini().assault(scenario(siege, 1, 1, 1, 1))
    state, weights = state_of(assault, charge=1, attackers_in=1, defenders_in=1), np.array([Fraction(1)], dtype=object)
    *first, last = storm.steps(assault.scene, "attackers")
    for steps, final in [*((s, False) for s in first), (last, True)]:
        dice = ExactDice(weights)
        state = storm.strike(dice, state, assault.scene, step=steps, last=final)
        state = state.rebuild([np.broadcast_to(a, dice.weights.shape).reshape(-1) for a in state.arrays()])
        weights = dice.weights.reshape(-1)
    assert weights[state.defenders.models == 0].sum() == killed
    assert weights[state.attackers.models == 0].sum() == lost


@pytest.mark.parametrize(
    ("Ld", "wounds", "routs"),
    [
        (7, 2, Fraction(13, 18)),
        (8, 0, Fraction(5, 18)),
        (8, 3, Fraction(13, 18)),
        (8, 5, Fraction(13, 18)),
        (9, 1, Fraction(5, 18)),
        (4, 3, Fraction(35, 36)),
    ],
)
def test_defenders_that_lose_rout(Ld, wounds, routs):
    """GB-127, the attackers having the point for charging."""
    assault = gemini().assault(scenario(Siege(Troops(), Troops(Ld=Ld), House(openings=2)), 9, 9, 1, 1))
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = giving_way.result(dice, state_of(assault, charge=1, margin=wounds), assault.scene)
    assert (dice.weights * (after.defenders.models == 0)).sum() == routs
    assert np.unique(after.distance).tolist() == [1]


@pytest.mark.parametrize(("damage", "bulk", "through"), [(3, 1, 3), (3, 2, 1), (5, 2, 2), (2, 3, 0), (4, 3, 1)])
def test_holes_admit(damage, bulk, through):
    """GB-017."""
    found = load_scenario("farmhouse")
    force = replace(found.attackers, unit=found.attackers.unit.model_copy(update={"bulk": bulk}))
    assault = gemini().assault(replace(found, attackers=force, plan="demolish"))
    assert int(way_in.holes(state_of(assault, damage=damage), assault.scene)[0]) == through


@pytest.mark.parametrize(("sv", "expected"), [(6, Fraction(25, 6)), (5, Fraction(10, 3)), (3, Fraction(5, 3))])
def test_occupants_of_a_bunker_that_falls(sv, expected):
    """GB-143: ten of them."""
    siege = Siege(Troops(), Troops(Sv=sv), House(kind="bunker", T=14, points=3))
    assault = gemini().assault(scenario(siege, 2, 10, 1, 1))
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = bunker.collapse(dice, state_of(assault, falling=1), assault.scene)
    assert (dice.weights * (10 - after.defenders.models)).sum() == expected


# The Bunker Hits Table as data.

HOUSE = """
base = "gemini"
title = "Bunkers that stand"
[tables.bunker_hits.penetrating]
collapse = {collapse}
"""


def house_rule(collapse: str) -> RuleSet:
    rules = rule_set("gemini")
    book = type(rules.book).load(parse("stand.toml", HOUSE.format(collapse=collapse)))
    return replace(rules, book=book)


def test_a_total_that_is_not_listed_has_no_effect():
    """Only a 6 brings the bunker down, a 5 does nothing; totals above the table count as its last."""
    table = HitsTable.of(house_rule("[6]").book)
    hit, armed = np.array(2), np.array(False)
    results = [int(table.result(hit, np.array(face), 0, armed)) for face in range(1, 7)]
    assert results == [2, 2, 3, 3, 0, 4]
    assert int(table.result(hit, np.array(6), 3, armed)) == 4


def test_the_house_rule_of_the_readme_makes_bunkers_stand():
    found = replace(load_scenario("bastion"), turns=2)
    stands, falls = (solve(r.assault(found)) for r in (house_rule("[6]"), gemini()))
    assert 0 < share(stands, End.DESTROYED) < share(falls, End.DESTROYED)


@pytest.mark.parametrize(
    ("collapse", "said"),
    [("[4, 5, 6]", "each total once (4 stands in two results)"), ("[0]", "from 1 to 36"), ('"six"', "expected")],
)
def test_a_table_that_does_not_fit_is_refused(collapse, said):
    with pytest.raises(CasemateError, match=r"stand.toml, line \d") as error:
        house_rule(collapse)
    assert said in str(error.value)


@pytest.mark.usefixtures("small_batches")
def test_many_hull_points_are_more_than_16_bits_can_tell():
    """States of trials are kept in 16 bits; the number for a bunker, which is drawn, needs more."""
    book = type(gemini().book).load(parse("thick.toml", 'base = "gemini"\n[tables.hull_points]\nsizes = [[30, 12]]\n'))
    assault = replace(gemini(), book=book).assault(replace(load_scenario("bunker-rush"), turns=2))
    trials, exact = 4000, solve(assault)
    for engine in ("sampled", "rolled"):
        drawn = run(assault, engine=engine, trials=trials)
        there = drawn.counts[drawn.columns["end"] == End.DESTROYED].sum() / trials
        allowed = (np.log(2 / FALSE_ALARM) / (2 * trials)) ** 0.5
        assert abs(there - share(exact, End.DESTROYED)) < allowed


def test_attacks_on_a_bunker_are_thrown_as_they_are_counted():
    """The faces of each die, in a script: a glance off the hull, a penetrating hit that cracks it, a miss."""
    mechanic = Bombardment(HitsTable.of(gemini().book), LOW)
    faces = {"to hit 0": [1, 1, 6], "to hit 1": [1, 1, 1], "penetration 0": [5, 6, 6], "penetration 1": [1, 1, 1]}
    faces["Bunker Hits Table"] = [6, 3, 6]

    def cast(part: str, sides: int, rows: int):
        return np.array(faces[part][:rows])[:, None]

    before = Bunker(3, 0, 1, 0, 0).code()
    after = Bunker.decode(mechanic.throw(cast, *(np.array([a]) for a in (3, 3, 1, 8, 13, int(before)))))
    assert [int(np.ravel(v)[0]) for v in (after.hull, after.cracks, after.mounted, after.shaken, after.falling)] == [
        1, 1, 1, 0, 0,
    ]  # fmt: skip


# Rulings.


OPTIONS = {name: list(ruling.options) for name, ruling in rule_set("gemini").book.all_rulings()}
RULINGS = [(name, option) for name, options in OPTIONS.items() for option in options]


@pytest.mark.parametrize(("name", "option"), RULINGS)
def test_every_ruling_can_be_switched(name, option):
    result = solve(gemini(**{name: option}).assault(replace(SCENES["fort"], turns=1)))
    assert abs(result.weights.sum() - 1) < 1e-12


VILLAGE = """
title = "Village"
distance = 12
turns = 2
[attackers]
unit = "ogre"
models = 6
weapon = "marksman-rifle"
leader = { unit = "trooper-sergeant" }
[defenders]
unit = "juggernaut"
models = 6
weapon = "carbine"
[building]
title = "House"
archetype = "house"
footprint = [5, 5]
material = "wood"
gemini.windows = 2
firing_inches = 4
capacity = 12
"""
FORT = """
title = "Fort"
distance = 6
turns = 2
[attackers]
unit = "vanguard"
models = 6
weapon = "heavy-rifle"
plan = "demolish"
specials = [{ weapon = "fusion-gun", count = 2 }, { weapon = "beam-cannon" }]
[defenders]
unit = "trooper"
models = 5
weapon = "marksman-rifle"
[building]
title = "Fort"
archetype = "bastion"
footprint = [6, 6]
material = "armour"
military = true
firing_inches = 6
capacity = 20
weapons = ["machine-gun"]
"""
GATE = """
title = "Gate"
distance = 4
turns = 2
[attackers]
unit = "man-at-arms"
models = 5
weapon = "pistol"
melee = "war-hammer"
plan = "demolish"
[defenders]
unit = "militia"
models = 3
weapon = "rifle"
[building]
title = "Keep"
archetype = "keep"
footprint = [6, 4]
material = "stone"
military = true
doors = 1
capacity = 12
"""
SCENES = {
    name: build(parse(f"{name}.toml", text), name)
    for name, text in {"village": VILLAGE, "fort": FORT, "gate": GATE}.items()
} | {
    "tower": scenario(Floors(STORMERS, DWELLERS, TWO), 4, 4, 6, 3),
    "grenades": scenario(Floors(STORMERS, DWELLERS, TWO, grenades=True), 4, 4, 6, 3),
    "led tower": scenario(LED_DWELLERS, 3, 3, 6, 2),
    "lock": scenario(*HACKING["a lock that all can hack"]),
    "one lock": scenario(*INDOORS["a lock that one smashes"]),
    "loft": scenario(*BACK["a jump down by the ladder"]),
}
DECIDES = {
    "pick_ups": "village",
    "saves": "village",
    "pinning_tests": "village",
    "half_losses": "village",
    "pinned_turn": "village",
    "charge_bonus": "village",
    "stand_and_fire": "village",
    "fast_charge": "village",
    "combat_score": "village",
    "close_combat_weapons": "village",
    "unit_leadership": "village",
    "locked_doors": "gate",
    "evens_out": "tower",
    "between_sections": "tower",
    "across_doorways": "grenades",
    "grenades_between": "grenades",
    "specials_stand": "led tower",
    "surplus_wounds": "village",
    "doorway_fight": "village",
    "routed_defenders": "village",
    "losing_attackers": "village",
    "hacking": "lock",
    "smashed_lock": "one lock",
    "failed_jump": "loft",
    "renewed_storm": "village",
    "melta_penetration": "fort",
    "last_hull_point": "fort",
    "armament_roll": "fort",
    "blows_at_walls": "gate",
    "door_holes": "gate",
    "armour_values": "gate",
}
"""Rulings that decide something, and where."""


@pytest.mark.parametrize("ruling", DECIDES)
def test_a_ruling_that_decides_something_changes_the_outcome(ruling):
    seen = set()
    for option in OPTIONS[ruling]:
        result = solve(gemini(**{ruling: option}).assault(SCENES[DECIDES[ruling]]))
        losses = (float(mean(result, f"{side}_lost")) for side in ("attackers", "defenders"))
        seen.add((*(float(share(result, end)) for end in ENDS), *losses))
    assert len(seen) > 1


# What must be monotone.


def captured(siege: Siege, attackers: int, defenders: int) -> float:
    return float(share(solve(gemini().assault(scenario(siege, attackers, defenders, 12, 3))), End.CAPTURED))


def test_a_better_save_never_hurts_the_side_that_has_it():
    ours = [captured(Siege(Troops(Sv=sv), Troops(), House(openings=2)), 6, 4) for sv in (6, 5, 4, 3, 2)]
    theirs = [captured(Siege(Troops(), Troops(Sv=sv), House(openings=2)), 6, 4) for sv in (2, 3, 4, 5, 6)]
    assert ours == sorted(ours)
    assert theirs == sorted(theirs)


def test_more_attackers_never_take_it_less_often():
    shares = [captured(Siege(Troops(), Troops(), House(openings=2), grenades=True), n, 4) for n in range(1, 11)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_grenades_help_the_chargers():
    bare, thrown = (Siege(Troops(), Troops(), House(openings=2), grenades=g) for g in (False, True))
    assert captured(bare, 6, 4) < captured(thrown, 6, 4)


def test_a_bunker_that_nobody_can_hurt_holds():
    siege = Siege(Troops(), Troops(), House(kind="bunker", T=14, points=3), plan="demolish")
    result = solve(gemini().assault(scenario(siege, 6, 6, 12, 2)))
    assert share(result, End.DESTROYED) == 0
    assert result.tallies.get("defenders lost in the fight", 0) == 0

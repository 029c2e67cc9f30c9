"""The updated building rules: whole assaults judged by brute force, figures of the text, and what must be monotone."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from sims.assault import End
from sims.dice import ExactDice
from sims.engines import Exact, play, solve
from sims.errors import CasemateError
from sims.games.wh40k.allocation import Share, fall_at_random
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.gw_updated.odds import casualties_inside
from sims.scenario import Scenario, build, load_scenario
from tests.rulesets.gw_updated_oracle import Setup, whole_assault
from tests.rulesets.judging import ENDS, agree, mean, share

NAMES = {"fusion": "fusion-gun", "machine gun": "machine-gun"}
SERGEANT = 'leader = { unit = "sergeant", weapon = "pistol", melee = "blade" }'


def side(unit: str, carried: tuple[str, ...]) -> str:
    """Write a side: a sergeant leads, the first weapons are special, the last is everybody's."""
    specials = [k for k in dict.fromkeys(carried) if k not in (carried[-1], "sergeant")]
    rows = ", ".join(f'{{ weapon = "{NAMES.get(k, k)}", count = {carried.count(k)} }}' for k in specials)
    leader = SERGEANT if "sergeant" in carried else ""
    everybody = NAMES.get(carried[-1], carried[-1])
    return f'unit = "{unit}"\nmodels = {len(carried)}\nweapon = "{everybody}"\nspecials = [{rows}]\n{leader}'


def profile(unit: str, initiative: int, *, sergeant: bool = False, krak: bool = False) -> str:
    """Write the profile of everybody, or of a sergeant."""
    return f"""
        [units.{unit}]
        title = "{unit}"
        WS = {4 if sergeant else 3}
        BS = 3
        S = 3
        T = 3
        I = {initiative}
        A = {2 if sergeant else 1}
        Ld = {8 if sergeant else 7}
        Sv = 5
        {'grenades = ["krak"]' if krak else ""}
    """


def scenario(setup: Setup, archetype: str, plan: str) -> Scenario:
    weapons = ", ".join(f'"{NAMES.get(k, k)}"' for k in setup.weapons)
    text = f"""
        title = "Example"
        distance = {setup.distance}
        turns = {setup.turns}
        first = "{"defenders" if setup.defenders_first else "attackers"}"
        [building]
        title = "Building"
        archetype = "{archetype}"
        footprint = [4, 4]
        material = "brick"
        firing_points = {setup.points}
        capacity = 20
        weapons = [{weapons}]
        [attackers]
        plan = "{plan}"
        {side("model", setup.attackers)}
        [defenders]
        plan = "{"sally" if setup.sally else "hold"}"
        {side("guard", setup.defenders)}
        {profile("model", setup.attackers_I, krak=setup.krak)}
        {profile("guard", setup.defenders_I)}
        {profile("sergeant", 4, sergeant=True, krak=setup.krak)}
        [weapons.blade]
        title = "Blade"
        kind = "melee"
        AP = 2
        two_handed = {str(setup.two_handed).lower()}
    """
    return build(parse("example.toml", text), "example")


def besiege(
    setup: Setup, *, archetype: str = "hut", plan: str = "storm", rulings: dict[str, str] | None = None
) -> Exact:
    """Play a set-up in true fractions; its Armour Value and room override the book's."""
    rules = rule_set("gw_updated")
    book = rules.book.with_rulings(rulings or {})
    buildings = book.tables.buildings
    walls = getattr(buildings, archetype).model_copy(update={"AV": setup.AV, "mighty_bulwark": setup.bulwark})
    tables = book.tables.model_copy(
        update={
            "buildings": buildings.model_copy(update={archetype: walls}),
            "forced_exit": book.tables.forced_exit.model_copy(update={"room": setup.room}),
        }
    )
    own = replace(rules, book=book.model_copy(update={"tables": tables}))
    return solve(own.assault(scenario(setup, archetype, plan)), number=Fraction)


def agrees(result: Exact, setup: Setup) -> None:
    agree(result, whole_assault(setup))


# A brute force written from the text judges whole assaults.

STORM = Setup(
    AV=9,
    attackers=("fusion", "flamer", "pistol"),
    defenders=("machine gun", "rifle", "rifle"),
    krak=True,
    shooters=("fusion", "flamer", "pistol"),
    distance=12,
    turns=1,
)
"""Shots, a flamer at the fire points, and krak grenades or fists at walls that fists can hurt once they crumble."""

DEMOLISH = Setup(
    AV=15,
    attackers=("fusion", "fusion", "pistol"),
    defenders=("rifle", "rifle"),
    weapons=("machine gun", "autocannon"),
    bulwark=True,
    shooters=("fusion",),
    distance=16,
    halt=6,
    charges=False,
    turns=3,
)
"""Melta at a keep with Mighty Bulwark and two kinds of emplaced weapons."""


@pytest.mark.parametrize(
    "setup",
    [
        STORM,
        replace(STORM, distance=19, turns=2, attackers=("flamer", "pistol"), shooters=("flamer", "pistol")),
        replace(STORM, distance=6, turns=2, attackers=("flamer",), shooters=("flamer",), points=2),
        replace(STORM, krak=False, AV=8, attackers=("pistol", "pistol"), shooters=("pistol",), defenders_first=True),
    ],
)
def test_a_whole_storm_is_what_brute_force_says(setup):
    agrees(besiege(setup), setup)


def test_a_whole_demolition_is_what_brute_force_says():
    agrees(besiege(DEMOLISH, archetype="keep", plan="demolish"), DEMOLISH)


BURNING = Setup(
    AV=11,
    attackers=("flamer", "pistol"),
    defenders=("machine gun", "rifle"),
    krak=True,
    distance=14,
    turns=2,
)
"""Flamers that cannot hurt the walls burn those inside before the charge, and then all strike with krak grenades."""

STANDING_BY = replace(BURNING, AV=13, attackers=("fusion", "flamer", "pistol"), krak=False, shooters=("fusion",))
"""A flamer burns at every turn within 8 inches while the fusion gun brings the walls down from 6."""


@pytest.mark.parametrize(
    ("setup", "plan"),
    [
        (BURNING, "storm"),
        (replace(BURNING, distance=7, defenders_first=True), "demolish"),
        (replace(STANDING_BY, halt=6, charges=False), "demolish"),
        (replace(STANDING_BY, charges=False, turns=3), "storm"),
    ],
)
def test_templates_burn_whoever_brings_the_walls_down(setup, plan):
    result = besiege(setup, plan=plan)
    agrees(result, setup)
    assert result.tallies["defenders lost to templates"] > 0
    idle = besiege(setup, plan=plan, rulings={"templates_at_fire_points": "none"})
    assert share(result, End.CAPTURED) > share(idle, End.CAPTURED)


def test_a_whole_shoot_out_is_what_brute_force_says():
    """From 12 inches one die beats Armour Value 13 on a 6 only; the melta rule needs half range."""
    setup = replace(DEMOLISH, AV=13, bulwark=False, halt=12, defenders_first=True)
    result = besiege(setup, archetype="bastion", plan="shoot")
    agrees(result, setup)
    assert 0 < share(result, End.DESTROYED) < share(besiege(DEMOLISH, archetype="keep", plan="demolish"), End.DESTROYED)


@pytest.mark.parametrize(
    ("rulings", "changes"),
    [
        ({"shots_at_buildings": "automatic"}, {"automatic": True}),
        ({"glancing_hits": "hull_points"}, {"hull": 3}),
        ({"armour_in_a_volley": "at_its_start"}, {"volley_at_its_start": True}),
        ({"templates_at_fire_points": "none"}, {"templates_inside": False}),
    ],
)
def test_every_ruling_is_what_brute_force_says(rulings, changes):
    base = replace(STORM, attackers=("flamer", "pistol"), shooters=("flamer", "pistol"))
    setup = replace(base, **changes)
    result = besiege(setup, rulings=rulings)
    agrees(result, setup)
    assert share(result, End.DESTROYED) != share(besiege(base), End.DESTROYED)


@pytest.mark.parametrize(("option", "collapses"), [("total_collapse", True), ("no_effect", False)])
def test_walls_of_armour_value_nothing_are_what_brute_force_says(option, collapses):
    setup = replace(STORM, AV=2, attackers=("pistol",), shooters=("pistol",), collapse_at_nothing=collapses)
    agrees(besiege(setup, rulings={"armour_of_nothing": option}), setup)


LED = replace(STORM, krak=False, AV=8, attackers=("sergeant", "pistol"), shooters=("sergeant", "pistol"), distance=13)
"""A sergeant with a pistol and a blade, at walls that blows can hurt, seven inches of charge away."""


@pytest.mark.parametrize(
    ("rulings", "changes"),
    [
        ({}, {"two_handed": True}),
        ({"second_weapon_attack": "no"}, {"second_weapon": False}),
        ({"charge_ground": "difficult"}, {"difficult": True}),
    ],
)
def test_a_charge_at_the_walls_is_what_brute_force_says(rulings, changes):
    """With a weapon in either hand, with one in both, and over difficult ground."""
    setup, usual = replace(LED, **changes), besiege(LED)
    result = besiege(setup, rulings=rulings)
    agrees(usual, LED)
    agrees(result, setup)
    assert share(result, End.DESTROYED) < share(usual, End.DESTROYED)


def test_those_without_room_are_lost():
    setup = replace(STORM, room=1)
    result = besiege(setup)
    agrees(result, setup)
    assert mean(result, "defenders_lost") > mean(besiege(STORM), "defenders_lost")
    assert result.tallies["defenders lost for want of room"] > 0


@pytest.mark.parametrize(("option", "who"), [("intact", ("fusion",)), ("damaged", ("fusion", "pistol"))])
def test_who_goes_for_the_walls_is_a_ruling(option, who):
    """Pistols cannot hurt Armour Value 10 as built; the fusion gun may bring it down to what they can hurt."""
    armed = ("fusion", "pistol", "pistol")
    setup = replace(STORM, AV=10, krak=False, attackers=armed, shooters=who, charges=False)
    agrees(besiege(setup, rulings={"attackers_of_walls": option}), setup)


# Exact, sampled and rolled agree under every plan.


def drawn_shares_agree(scenario: Scenario) -> None:
    """Each end's count is binomial: for each engine the chance of a false alarm is below 1e-9."""
    assault = rule_set("gw_updated").assault(scenario)
    trials, exact = 2**15, solve(assault)
    for engine in ("sampled", "rolled"):
        drawn = play(assault, engine=engine, trials=trials, seed=30)
        for end in ENDS:
            p = min(1.0, float(exact.weights[exact.columns["end"] == end].sum()))
            count = int(drawn.counts[drawn.columns["end"] == end].sum())
            assert 2 * min(binom.cdf(count, trials, p), binom.sf(count - 1, trials, p)) > 1e-9 / 4, (engine, end.name)


@pytest.mark.parametrize("plan", ["storm", "demolish", "shoot"])
def test_drawn_shares_agree_with_exact_ones(scenario_id, plan):
    drawn_shares_agree(replace(load_scenario(scenario_id), plan=plan))


# Who is picked at random.


def test_victims_are_picked_evenly():
    """BASE-041: of 10 models 3 fall; the one special model is spared with 7/10."""
    chances = Share().pmf(3, 10, 1)
    assert chances[0] == Fraction(7, 10)
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    left = fall_at_random(dice, (np.array([1]), np.array([2]), np.array([7])), np.array([3]), ["a", "b", "c"])
    everybody = np.broadcast_arrays(*left, dice.weights)
    assert (sum(everybody[:3])[everybody[3] > 0] == 7).all()
    assert (everybody[3] * everybody[0]).sum() == Fraction(7, 10)
    assert (everybody[3] * everybody[1]).sum() == Fraction(14, 10)


def test_dice_for_victims_are_those_of_the_distribution():
    """Thrown dice-offs, trial by trial: every way three of four can fall has a quarter of the words."""

    def cast(part, sides, rows):
        pick = int(part.split()[1])
        return np.array([{4: [1, 2, 3, 4], 3: [1, 1, 1, 1], 2: [1, 1, 1, 1]}[sides]]) if pick else None

    fallen = Share().throw(cast, np.full(4, 1), np.full(4, 4), np.full(4, 1))
    assert fallen.tolist() == [1, 0, 0, 0]


# What must be monotone.


@pytest.mark.parametrize("Sv", [3, 4])
def test_a_better_save_never_costs_the_garrison(Sv):
    """Losses of one penetrating hit, by the chance that masonry kills."""
    rules = rule_set("gw_updated").book
    better, worse = (casualties_inside(rules, "structural collapse", 3, goal, 10) for goal in (Sv, Sv + 1))
    assert all(better.at_least(n) <= worse.at_least(n) for n in range(11))
    assert better.mean < worse.mean


def test_thicker_walls_stand_longer():
    thin, thick = (besiege(replace(STORM, AV=AV)) for AV in (9, 11))
    assert share(thick, End.DESTROYED) < share(thin, End.DESTROYED)


def test_mighty_bulwark_keeps_a_building_up():
    without = besiege(replace(DEMOLISH, bulwark=False), archetype="keep", plan="demolish")
    assert share(without, End.DESTROYED) > share(besiege(DEMOLISH, archetype="keep", plan="demolish"), End.DESTROYED)


def test_more_attackers_bring_down_or_empty_more():
    """P(captured) alone need not rise: a building that falls cannot be entered (GW-042), and more hits make it fall."""
    few, more = (load_scenario("farmhouse", {"attackers.models": n}) for n in (10, 16))
    cleared = [solve(rule_set("gw_updated").assault(s)) for s in (few, more)]
    shares = [(r.weights * r.columns["cleared"]).sum() for r in cleared]
    assert shares[0] < shares[1]


def test_more_fusion_guns_capture_less():
    """GW-042 makes it so: what falls cannot be entered."""
    one, three = (replace(STORM, attackers=("fusion",) * n + ("flamer",), turns=2) for n in (1, 3))
    few, many = (besiege(replace(s, krak=False), archetype="hut") for s in (one, three))
    assert share(many, End.DESTROYED) > share(few, End.DESTROYED)
    assert share(many, End.CAPTURED) < share(few, End.CAPTURED)


def test_nothing_brings_down_walls_that_nobody_can_hurt():
    for plan in ("storm", "demolish", "shoot"):
        assault = rule_set("gw_updated").assault(
            replace(load_scenario("keep-gate", {"attackers.specials": []}), plan=plan)
        )
        result = solve(assault)
        assert result.weights[result.columns["end"] == End.DESTROYED].sum() == 0
        assert result.weights[result.columns["end"] == End.CAPTURED].sum() == 0
        assert assault.translation["Against the walls"] == "nothing that they have can hurt them"


def test_the_damage_table_must_hold_every_total():
    rules = rule_set("gw_updated").book
    text = parse("house.toml", 'base = "gw_updated"\ntitle = "x"\n[tables.damage.breach]\nresults = [0]')
    with pytest.raises(CasemateError, match="every total from 0 up must stand in one row"):
        type(rules).load(text)

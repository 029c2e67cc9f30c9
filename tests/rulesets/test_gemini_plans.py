"""Gemini: smoking a garrison out, and sallies, against brute force; what each plan plays; clauses that they complete."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sims.assault import End
from sims.dice import HIGH, Volley
from sims.engines import play, solve, values
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.rulesets.gemini import plans, turn
from sims.rulesets.gemini.book import OwnBuilding, OwnUnit
from sims.rulesets.gemini.openings import smoke
from sims.rulesets.gemini.openings.blasts import EVERYBODY, Blasts, Grenade
from sims.rulesets.gemini.sections import fire, sally
from sims.rulesets.gemini.state import MAY_NOT_FIRE, STUNNED
from sims.scenario import Scenario, load_scenario
from tests.rulesets.gemini_cases import CASES, PLANNED, gemini, scenario
from tests.rulesets.judging import ENDS, ends_and_losses, mean, share
from tests.rulesets.scripted import scripted
from tests.rulesets.test_gemini import FALSE_ALARM, state_of

# What the assaults that brute force judges are about.


def test_the_set_ups_reach_what_they_are_about():
    """Flames, grenades and fights in the open happen, and both sides win them."""
    for name, (siege, *_) in PLANNED.items():
        expected = CASES[name].expected
        assert expected["captured"] > 0, name
        assert expected["broken"] > 0, name
        if siege.defence == "sally":
            assert expected["outside"] > Fraction(1, 10), name
            assert expected["cleared"] > expected["captured"] + expected["destroyed"], name
        tallies = CASES[name].result.tallies
        used = siege.plan == "smoke" or siege.ours.weapon == "template"
        assert bool(tallies.get("defenders lost to flames and grenades", 0) > 0) is used, name


# Exact, sampled and rolled agree on the plans of both sides that the scenario files do not choose.

PLAYED = [
    ("farmhouse", "smoke", "hold"),
    ("farmhouse", "smoke", "sally"),
    ("bunker-rush", "smoke", "hold"),
    ("bunker-rush", "shoot", "sally"),
    ("bastion", "smoke", "hold"),
    ("bastion", "demolish", "sally"),
    ("keep-gate", "smoke", "hold"),
    ("keep-gate", "storm", "sally"),
]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("name", "plan", "defence"), PLAYED)
def test_every_plan_agrees_with_thrown_dice(name, plan, defence):
    """Each count is binomial; the chance of a false alarm over both engines and the ends is below `FALSE_ALARM`."""
    from scipy.stats import binom

    assault = gemini().assault(replace(load_scenario(name), plan=plan, defence=defence, turns=2))
    expected, trials = solve(assault), 2**15
    for engine in ("sampled", "rolled"):
        drawn = play(assault, engine=engine, trials=trials, seed=12)
        for end in ENDS:
            p = min(1.0, float(share(expected, end)))
            count = int(drawn.counts[drawn.columns["end"] == end].sum())
            assert 2 * min(binom.cdf(count, trials, p), binom.sf(count - 1, trials, p)) > FALSE_ALARM / 8, (end, p)


# What each plan plays, and says.


def found(name: str, plan: str, defence: str = "hold", **changes) -> Scenario:
    return replace(
        load_scenario(name, {k.replace("__", "."): v for k, v in changes.items()}), plan=plan, defence=defence
    )


def figures(scenario: Scenario, **rulings: str) -> tuple[float, ...]:
    result = solve(gemini(**rulings).assault(scenario))
    return (*(float(share(result, end)) for end in ENDS), *(float(mean(result, f"{s}_lost")) for s in SIDES))


SIDES = ("attackers", "defenders")


@pytest.mark.parametrize("defence", ["hold", "sally"])
def test_who_has_nothing_to_smoke_with_shoots(defence):
    """Men-at-arms with crossbows; and troopers before a house without an opening."""
    assert figures(found("keep-gate", "smoke", defence)) == figures(found("keep-gate", "shoot", defence))
    assert gemini().assault(found("keep-gate", "smoke")).translation["Attackers"].startswith("as under shoot")
    closed = found("farmhouse", "smoke")
    closed = replace(
        closed, building=closed.building.model_copy(update={"doors": 0}).with_own(OwnBuilding(windows=0)), turns=2
    )
    assert figures(closed) == figures(replace(closed, plan="shoot"))
    assert "no opening" in gemini().assault(closed).translation["Attackers"]


def test_nobody_goes_in_who_smokes_the_garrison_out():
    for name in ("farmhouse", "bunker-rush"):
        tallies = solve(gemini().assault(found(name, "smoke"))).tallies
        assert tallies["defenders lost to flames and grenades"] > 0
        assert tallies.get("defenders lost in the fight", 0) == 0


def test_demolishers_storm_once_those_who_can_hurt_the_wall_are_lost():
    house = gemini().assault(found("farmhouse", "demolish"))
    fusion_gun_alone = replace(house.scene, gunners=(2,), strikers=())
    assert goes_for(house, fusion_gun_alone, 1, 2, 1, 16) == plans.BATTER
    assert goes_for(house, fusion_gun_alone, 0, 0, 1, 0) == plans.BATTER
    assert goes_for(house, fusion_gun_alone, 1, 2, 0, 16) == plans.ENTER
    bunker = gemini().assault(found("bunker-rush", "storm"))
    assert goes_for(bunker, bunker.scene, 1, 2, 1, 14) == plans.BATTER
    assert goes_for(bunker, bunker.scene, 0, 1, 0, 0) == plans.BATTER
    assert goes_for(bunker, bunker.scene, 1, 0, 0, 14) == plans.STRIKE


def goes_for(assault, scene, *attackers: int) -> int:
    """What so many attackers of each group go for."""
    left = [np.array([n]) for n in attackers]
    squad = assault.start.attackers.replace(models=sum(left), kinds=tuple(left[:-1]))
    return int(plans.intent(assault.start.replace(attackers=squad), scene)[0])


def test_a_garrison_that_sallies_lets_the_building_go():
    """With attackers who stay outside; and it stays where a charge does not count on reaching them.

    From one floor: all twelve of both have often broken them before it comes out.
    """
    result = solve(gemini().assault(found("farmhouse", "shoot", "sally", building__levels=1)))
    assert float(mean(result, "cleared")) > 0.9
    stays = pytest.approx(figures(found("keep-gate", "shoot", "hold")), rel=0, abs=1e-12)
    assert figures(found("keep-gate", "shoot", "sally")) == stays


def test_the_stunned_cannot_sally_and_the_shaken_can():
    assault = gemini().assault(found("bunker-rush", "storm", "sally"))
    thrown = {"activation dice": [1, 1, 1], "dice picked up": []}
    for shaken, points in ((MAY_NOT_FIRE, 3), (STUNNED, 0)):
        before = state_of(assault, dazed=shaken, distance=8)
        after = turn.throw_activation(scripted(thrown), before, assault.scene, side="defenders")
        assert int(after.defenders.points[0]) == points
        assert bool(sally.can_sally(after, assault.scene)[0]) is (points > 0)
        assert not bool(fire.can_fire(after, assault.scene, nth=1)[0])


@pytest.mark.parametrize(("defence", "may_change"), [("hold", False), ("hold", True), ("sally", False)])
def test_the_shaken_are_told_from_the_stunned_where_the_garrison_may_sally_some_time(defence, may_change):
    game = found("bunker-rush", "demolish", defence, turns=1, distance=10, attackers__models=4)
    states = values(gemini().assault(replace(game, may_change=may_change))).chain.states.all
    told = {MAY_NOT_FIRE, STUNNED} if may_change or defence == "sally" else {STUNNED}
    assert {*np.unique(states.shaken).tolist()} == {0, *told}


@pytest.mark.parametrize(("M", "die", "as_good_as"), [(4, 2, 2), (4, 4, 5), (4, 6, 5), (2, 4, 3), (2, 6, 7)])
def test_gaps_that_no_charge_tells_apart_are_one(M, die, as_good_as):
    """From 3 or 4 inches nobody is fired at with a move of 4; with a move of 2 even 7 inches can be too far.

    Flames at those who charge tell every gap from which they are fired at.
    """
    base, burning = (found("farmhouse", "storm", "sally", **armed) for armed in ({"attackers__specials": []}, {}))
    slow = {
        side: replace(getattr(base, side), unit=getattr(base, side).unit.model_copy(update={"move": M}))
        for side in SIDES
    }
    scene = gemini().assault(replace(base, **slow)).scene
    assert int(sally.as_far(scene)[1 + die]) == as_good_as
    assert sally.as_far(gemini().assault(burning).scene)[3:].tolist() == [2, 2, 5, 6, 7]


def test_each_template_weapon_burns_within_its_own_range():
    torch = {"title": "Torch", "kind": "template", "range": 4, "S": 4}
    specials = [{"weapon": "flamer", "count": 2}, {"weapon": "torch", "count": 3}]
    assault = gemini().assault(found("farmhouse", "smoke", weapons={"torch": torch}, attackers__specials=specials))
    for inches, fired in ((8, [2, 0]), (4, [2, 3])):
        state = state_of(assault, distance=inches, volleys=1)
        thrown = smoke.burning_shots(state, assault.scene, 1, assault.scene.scenario.defenders.unit)
        assert [int(np.ravel(n)[0]) for _, (n, *_) in thrown] == fired


@pytest.mark.parametrize(
    ("name", "plan", "told"),
    [("keep-gate", "demolish", True), ("bastion", "storm", True), ("keep-gate", "storm", False)],
)
def test_what_blows_at_a_structure_lack_is_said_where_they_are_struck(name, plan, told):
    """No charge bonus, and no stand and fire."""
    said = gemini().assault(found(name, plan)).translation["Attackers"]
    assert ("no charge bonus" in said) is told
    assert ("nobody stands and fires" in said) is told


@pytest.mark.parametrize("option", ["stay_open", "last_turn", "none"])
def test_when_ports_are_smoked_through_is_said_in_the_words_of_the_ruling(option):
    """GB-149."""
    rules = gemini(shutters=option)
    said, ruling = rules.assault(found("bunker-rush", "smoke")).translation["Attackers"], rules.book.rulings.shutters
    assert {words for words in ruling.options.values() if words in said} == ({ruling.said} - {ruling.options["none"]})


def test_other_sections_are_spoken_of_where_there_are_any():
    for name, one in (("bunker-rush", True), ("bastion", False)):
        assert ("other sections" not in gemini().assault(load_scenario(name)).translation["Building"]) is one


HOUSE = {"attackers.models": 6, "defenders.models": 4, "turns": 2, "distance": 12, "building.levels": 1}


def answer(**building):
    changes = HOUSE | {f"building.{key.replace('__', '.')}": value for key, value in building.items()}
    return ends_and_losses(solve(gemini().assault(load_scenario("farmhouse", changes))))


def test_a_door_that_is_locked_is_none_while_another_stands_open():
    two_of_three, one, three = (
        answer(doors=doors, gemini__windows=0, gemini__locked=locked) for doors, locked in ((3, 2), (1, 0), (3, 0))
    )
    assert two_of_three == one != three


def test_doors_are_locked_as_the_ruling_has_it_or_as_the_building_says():
    every, changes = gemini(locked_doors="every"), HOUSE | {"building.doors": 1}
    shut = ends_and_losses(solve(every.assault(load_scenario("farmhouse", changes))))
    assert shut == answer(doors=1, gemini__locked=1) != answer(doors=1)
    opened = load_scenario("farmhouse", changes | {"building.gemini.locked": 0})
    assert ends_and_losses(solve(every.assault(opened))) == answer(doors=1)
    assert (
        "1 locked door, which nobody forces"
        in gemini().assault(load_scenario("farmhouse", {"building.gemini.locked": 1})).translation["Ways in"]
    )


@pytest.mark.parametrize(
    ("gate", "wide", "resists", "points"),
    [("light_wooden", "single", 6, 1), ("hive_world_interior", "single", 5, 4), ("vault", "double", 6, 20)],
)
def test_a_gate_is_of_the_kind_that_the_building_says(gate, wide, resists, points):
    """GB-059, GB-060."""
    changes = {"building.gemini.gate": gate, "building.door": wide, "attackers.plan": "demolish"}
    scene = gemini().assault(load_scenario("keep-gate", changes)).scene
    assert (scene.structure, scene.resists, scene.points) == ("door", resists, points)


def test_a_light_door_is_sooner_down_than_a_heavy_one():
    few = {"attackers.models": 6, "defenders.models": 4, "turns": 2, "attackers.plan": "demolish"}
    light, heavy = (
        share(solve(gemini().assault(load_scenario("keep-gate", few | {"building.gemini.gate": gate}))), End.CAPTURED)
        for gate in ("light_wooden", "heavy_steel")
    )
    assert light > heavy


def test_no_more_doors_are_locked_than_there_are():
    with pytest.raises(
        CasemateError, match=r"building.gemini.locked: expected at most 2, the doors of the building, got 3$"
    ):
        load_scenario("farmhouse", {"building.gemini.locked": 3})


@pytest.mark.parametrize(("interior", "told"), [("hard_cover", "on 4 or less"), ("open", "on 3 or less")])
def test_what_a_blast_meets_inside_is_the_buildings(interior, told):
    """GB-117: for flames and grenades alike, and said in the translation."""
    house = found("farmhouse", "smoke", turns=2, attackers__models=8, defenders__models=6)
    own = OwnBuilding(windows=2, interior=interior)
    other = replace(house, building=house.building.with_own(own))
    assert told in gemini().assault(other).translation["Flames and grenades"]
    lost = [solve(gemini().assault(s)).tallies["defenders lost to flames and grenades"] for s in (house, other)]
    assert lost[1] < lost[0]


def test_a_blast_meets_as_many_models_as_are_left():
    """Two models of two wounds, one of them hurt: a second blast finds two models after one wound, one after two."""
    blasts = Blasts((Grenade(Volley(()), (HIGH,)),), 2)
    half = Fraction(1, 2)
    first = {0: half**2, 1: half, 2: half**2}
    after = {0: {0: half**2, 1: half, 2: half**2}, 1: {0: half, 1: half}, 2: {0: half, 1: half}}
    expected: dict[int, Fraction] = {}
    for a, chance in first.items():
        for b, more in after[a].items():
            expected[a + b] = expected.get(a + b, Fraction(0)) + chance * more
    drawn = blasts.pmf(2, EVERYBODY, 4, 3)
    assert {k: drawn[k] for k in drawn.outcomes} == expected


# The Armour Value that a scenario knows.


def test_a_known_armour_value_counts_for_bunkers():
    """GB-135: the weaker the walls, the more often they come down."""
    fallen = []
    for armour in (12, 13, 14):
        known = found("bastion", "demolish")
        known = replace(known, building=known.building.model_copy(update={"armour": armour}), turns=2)
        assault = gemini().assault(known)
        assert assault.scene.resists == armour
        assert f"Armour Value {armour} (as the scenario has it)" in assault.translation["Structure"]
        fallen.append(float(share(solve(assault), End.DESTROYED)))
    assert fallen == sorted(fallen, reverse=True)
    assert fallen[0] > fallen[-1]
    own = replace(found("bastion", "demolish"), turns=2)
    assert float(share(solve(gemini().assault(own)), End.DESTROYED)) == fallen[-1]


def test_a_known_armour_value_is_not_used_for_other_buildings():
    house = found("farmhouse", "demolish")
    house = replace(house, turns=2)
    known = replace(house, building=house.building.model_copy(update={"armour": 9}))
    assert figures(known) == figures(house)
    assert "not used" in gemini().assault(known).translation["Structure"]
    assert "not used" not in gemini().assault(house).translation["Structure"]


def test_a_house_rule_says_what_is_a_bunker():
    """GB-135: an Armour Value for keeps, and none for bastions."""
    book = '[tables.armoured]\nbunkers = ["bunker", "keep"]\n'
    keep, bastion = (gemini(book).assault(found(name, "demolish")).scene for name in ("keep-gate", "bastion"))
    assert (keep.structure, keep.sealed) == ("armour", True)
    assert (bastion.structure, bastion.sealed) == ("door", False)


# Rulings.

PORTS = scenario(PLANNED["flamers at the ports of a bunker"][0], 4, 6, 6, 2)
WINDOWS = scenario(PLANNED["flamers at two windows"][0], 3, 6, 8, 2)
SMALL = {"distance": 6, "turns": 2, "attackers__models": 8, "attackers__specials": [], "defenders__models": 8}
IN_THE_OPEN = found("farmhouse", "storm", "sally", **SMALL, defenders__specials=[])
OGRES = found("farmhouse", "storm", "sally", **SMALL | {"attackers__unit": "ogre"}, defenders__specials=[])
OGRES = replace(OGRES, attackers=replace(OGRES.attackers, unit=OGRES.attackers.unit.with_own(OwnUnit(size=3))))
DECIDES = {
    "shutters": (PORTS, {}),
    "template_shots": (WINDOWS, {}),
    "grenade_throws": (found("farmhouse", "smoke", **SMALL, defenders__specials=[]), {}),
    "template_in_section": (WINDOWS, {}),
    "template_missed": (WINDOWS, {"template_in_section": "hard_cover"}),
    "resumed_charge": (IN_THE_OPEN, {}),
    "flinch_radius": (OGRES, {}),
}
"""Rulings that decide something, where, and the rulings beside them."""


@pytest.mark.parametrize("ruling", DECIDES)
def test_every_option_of_a_ruling_that_decides_something_changes_the_outcome(ruling):
    where, others = DECIDES[ruling]
    options = list(dict(gemini().book.all_rulings())[ruling].options)
    seen = {figures(where, **others, **{ruling: option}) for option in options}
    assert len(seen) == len(options) or (ruling == "shutters" and len(seen) > 1)


# What must be monotone.


def test_more_flamers_never_leave_more_of_the_garrison():
    siege = PLANNED["flamers at two windows"][0]
    lost = [float(mean(solve(gemini().assault(scenario(siege, n, 8, 8, 2))), "defenders_lost")) for n in range(1, 7)]
    assert lost == sorted(lost)
    assert lost[0] < lost[-1]


def test_a_better_save_helps_against_flames_and_in_the_open():
    for name in ("grenades through a window", "a sally against grenades"):
        siege, *numbers = PLANNED[name]
        left = []
        for sv in (6, 5, 4, 3):
            tough = replace(siege, theirs=replace(siege.theirs, Sv=sv))
            left.append(float(share(solve(gemini().assault(scenario(tough, *numbers))), End.CAPTURED)))
        assert left == sorted(left, reverse=True)


@pytest.mark.parametrize(
    ("table", "change", "term"),
    [
        ("storming", "abreast = 1", "Ways in"),
        ("plans", "counted_on = 5", "Attackers"),
        ("plans", "attackers_dice = 2", "Activation"),
        ("sections", "fire_out = 3", "Fire from the building"),
    ],
)
def test_the_translation_says_the_numbers_in_force(table, change, term, tmp_path):
    """A number that a house rule changes is not typed into the text."""
    (tmp_path / "own.toml").write_text(f'base = "gemini"\ntitle = "Own"\n[tables.{table}]\n{change}\n')
    told = [
        rules.assault(load_scenario("farmhouse")).translation
        for rules in (gemini(), rule_set(str(tmp_path / "own.toml")))
    ]
    assert {name for name in told[0] if told[0][name] != told[1][name]} == {term}

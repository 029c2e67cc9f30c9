"""Storming buildings: template and blast weapons at walls and at models, by hand; and which weapons never fire."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.assault import End
from sims.engines import play as draw
from sims.profiles import Weapon
from sims.questions import question
from sims.scenario import Force, Group, Scenario, load_scenario
from tests.rulesets.judging import mean, share
from tests.rulesets.storming_cases import GUARDSMAN, RUINS, scenario, under
from tests.rulesets.test_storming_clauses import played
from tests.rulesets.test_storming_plans import told

D6 = range(1, 7)
CANNON = Weapon(title="Cannon", kind="heavy", range=48, S=9, AP=2)
MORTAR = Weapon(title="Mortar", kind="blast", range=48, S=4, AP=6, blast=3)
FLAMER = Weapon(title="Flamer", kind="template", range=8, S=4, AP=5)


def near(reach: int) -> Fraction:
    """A marker stays near: a third on a hit, else when 2D6 show no more, by going through all three dice."""
    faces = list(product(D6, D6, D6))
    return Fraction(sum(arrow <= 2 or a + b <= reach for arrow, a, b in faces), 216)


def rearmed(force: Force, *weapons: Weapon) -> Force:
    """The same models, one with each weapon."""
    return Force(force.unit, tuple(Group(force.unit, weapon, None, 1) for weapon in weapons))


def siege(*weapons: Weapon, **options) -> Scenario:
    """Guardsmen, one with each weapon, fire at one inside a house of Armour Value 10."""
    game = scenario(GUARDSMAN, len(weapons), 1, **{"plan": "shoot", **options})
    house = game.building.model_copy(update={"armour": 10})
    return replace(game, attackers=rearmed(game.attackers, *weapons), building=house)


def falls(S: int, hits: Fraction) -> Fraction:
    """The chance that a shot brings down AV10: it hits, penetrates (or glances), and the table says 5 or more."""
    total = Fraction(0)
    for face, result in product(D6, D6):
        if S + face < 10:
            continue
        total += result - (2 if S + face == 10 else 0) >= 5
    return hits * total / 36


# At the walls.


@pytest.mark.parametrize(
    ("changes", "hits"),
    [({}, Fraction(1, 2)), ({"kind": "blast", "blast": 5}, near(3 + 2)), ({"kind": "template"}, Fraction(1))],
)
def test_a_shot_at_the_walls_hits_as_its_kind_does(changes, hits):
    """BS3 hits on 4+, a marker if it drifts no more than two of the house's four inches, a template always."""
    result = played(siege(CANNON.model_copy(update=changes), distance=20))
    assert share(result, End.DESTROYED) == falls(9, hits)


def test_blast_weapons_bring_walls_down_like_heavy_ones():
    """Two of a kind, six turns long."""
    game = siege(CANNON, CANNON, distance=20, turns=6)
    marked = siege(*[CANNON.model_copy(update={"kind": "blast", "blast": 5})] * 2, distance=20, turns=6)
    heavy, blast = (float(share(played(g), End.DESTROYED)) for g in (game, marked))
    assert blast > 0.9 * heavy > 0.5


@pytest.mark.parametrize("kind", ["heavy", "blast", "assault"])
def test_who_moves_fires_no_marker(kind):
    """A second weapon that reaches twelve inches only brings both nearer."""
    weapon = CANNON.model_copy(update={"kind": kind})
    short = CANNON.model_copy(update={"kind": "assault", "range": 12})
    alone = share(played(siege(weapon, distance=18)), End.DESTROYED)
    both = share(played(siege(weapon, short, distance=18)), End.DESTROYED)
    only = share(played(siege(short, distance=18)), End.DESTROYED)
    assert both == (only if kind != "assault" else 1 - (1 - alone) * (1 - only))


def test_a_template_is_no_use_beyond_its_reach():
    assert share(played(siege(FLAMER.model_copy(update={"S": 9}), distance=15)), End.DESTROYED) == 0


# At models.


def killed(game: Scenario, text: str = "", side: str = "attackers") -> Fraction:
    return mean(played(game, text), f"{side}_lost")


def manned(weapon: Weapon, distance: int = 6) -> Scenario:
    """One guardsman with a weapon at the only firing point; many outside, who cannot hurt the walls."""
    game = scenario(GUARDSMAN, 20, 1, firing_points=1, plan="shoot", distance=distance)
    house = game.building.model_copy(update={"armour": 14})
    return replace(game, defenders=rearmed(game.defenders, weapon), building=house)


WOUNDS = Fraction(2, 3)


def test_the_garrison_fires_its_templates():
    """D3 hits, S4 on T3: 3+, and AP5 leaves no 5+ save."""
    assert killed(manned(FLAMER)) == 2 * WOUNDS
    assert killed(manned(FLAMER, distance=9)) == 0


@pytest.mark.parametrize(("blast", "hits"), [(3, 2), (5, Fraction(7, 2))])
def test_the_garrison_fires_its_markers(blast, hits):
    """BS3: the marker stays if 2D6 show 3 or less; AP6 leaves the 5+ save."""
    weapon = MORTAR.model_copy(update={"blast": blast})
    assert killed(manned(weapon)) == near(3) * hits * WOUNDS * Fraction(2, 3)


@pytest.mark.parametrize(
    ("weapon", "expected"), [(MORTAR, near(3) * 2 * WOUNDS * Fraction(2, 3)), (FLAMER, 2 * WOUNDS)]
)
def test_mounted_templates_and_markers_are_fired_alike(weapon, expected):
    game = manned(weapon)
    unmanned = game.building.model_copy(update={"firing_points": 0})
    assert killed(replace(game, mounted=(weapon,), building=unmanned)) == expected


@pytest.mark.parametrize(
    ("weapon", "expected"), [(MORTAR, near(3) * 2 * WOUNDS * Fraction(1, 2)), (FLAMER, 2 * WOUNDS)]
)
def test_ruins_cover_from_markers_and_not_from_templates(weapon, expected):
    game = scenario(GUARDSMAN, 1, 20, plan="shoot", distance=6)
    game = replace(game, attackers=rearmed(game.attackers, weapon), first="attackers")
    assert killed(game, RUINS, "defenders") == expected


def test_nobody_with_BS_0_aims_a_marker():
    game = manned(MORTAR)
    blind = game.defenders.unit.model_copy(update={"BS": 0})
    assert killed(replace(game, defenders=rearmed(Force(blind, ()), MORTAR))) == 0


@pytest.mark.parametrize(("area", "expected"), [("template", 2), ("small marker", 2 * near(4)), ("large marker", Fraction(7, 2) * near(4))])  # fmt: skip
def test_hits_may_be_asked_for(area, expected):
    assert question("hits of a template or marker on models").answer({"area": area}).mean == expected


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("engine", ["sampled", "rolled"])
def test_drawn_markers_agree_with_the_exact_engine(engine):
    """Within 6.2 standard errors: a false alarm in less than one run of 10^8."""
    game = replace(manned(MORTAR, distance=20), plan="demolish")
    marked = CANNON.model_copy(update={"kind": "blast", "blast": 5})
    game = replace(game, attackers=rearmed(game.attackers, marked, marked, FLAMER), turns=3)
    exact, trials = played(game, number=float), 2**14
    drawn = draw(under(game), engine=engine, trials=trials, seed=5)
    for end in End:
        p = float(share(exact, end))
        seen = drawn.counts[drawn.columns["end"] == end].sum() / trials
        assert abs(seen - p) <= 6.2 * np.sqrt(p * (1 - p) / trials) + 1e-12
    m = float(mean(exact, "attackers_lost"))
    spread = float((exact.weights * exact.columns["attackers_lost"] ** 2).sum()) - m**2
    seen = (drawn.probabilities * drawn.columns["attackers_lost"]).sum()
    assert abs(seen - m) <= 6.2 * np.sqrt(spread / trials)


# What the translation says of weapons.


def test_the_translation_names_every_weapon_that_never_fires():
    game = load_scenario("farmhouse")
    stormed = told(game)["Never fired"]
    assert "Rifle of the attackers (nobody inside can be shot at)" in stormed
    assert "Flamer" not in stormed
    solid = game.building.model_copy(update={"armour": 11})
    shot = told(replace(game, plan="shoot", building=solid))["Never fired"]
    assert "Rifle of the attackers (it cannot hurt the walls)" in shot
    silent = replace(game, building=game.building.model_copy(update={"firing_points": 0}))
    assert "Machine gun of the garrison (no firing point)" in told(silent)["Never fired"]
    mounted = told(load_scenario("bastion"), RUINS)
    assert mounted["Never fired"] == "mounted Machine gun (ruins have none)"


def test_the_translation_says_how_templates_and_markers_are_played():
    assert told(manned(FLAMER))["Templates and markers"] == "D3 hits for each template on models outside"
    says = told(manned(MORTAR))["Templates and markers"]
    assert says.startswith("D3 hits for each small marker on models outside; markers that drift hit no models")
    assert "no farther than 2 inches" in says
    assert "Templates and markers" not in told(load_scenario("bunker-rush"))

"""Scenarios: what comes with Casemate, and what a file may not say."""

import csv
import re

import numpy as np
import pytest

from sims.errors import CasemateError
from sims.forces import at_full_strength, best, chosen, give_up, together, total, without
from sims.profiles import library
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.gemini import book as gemini
from sims.rulesets.realm_of_chaos import book as realm_of_chaos
from sims.scenario import build, load_scenario, scenario_ids
from tests.conftest import ROOT

GOOD = """\
title = "Test"
distance = 12
building = "hut"

[attackers]
unit = "trooper"
models = 10
weapon = "rifle"

[defenders]
unit = "militia"
models = 5
weapon = "rifle"
"""


def load(text: str = GOOD):
    return build(parse("mine.toml", text), "mine")


def test_enough_comes_with_casemate():
    shelf = library()
    assert len(shelf.units) >= 10
    assert len(shelf.weapons) >= 12
    assert {b.archetype for b in shelf.buildings.values()} == {
        "hut",
        "house",
        "stone house",
        "bunker",
        "bastion",
        "keep",
    }
    assert len(scenario_ids()) >= 4


def test_the_default_is_a_real_fight():
    scenario = load_scenario("farmhouse")
    assert scenario.turns >= 4
    for force in (scenario.attackers, scenario.defenders):
        assert force.models >= 10
        assert len({group.weapon for group in force.groups}) >= 2


def test_our_units_span_real_statlines():
    path = ROOT.parent / "shared/data/battlescribe/unit_profiles.csv"
    if not path.exists():
        pytest.skip("the table of real statlines is not beside the checkout")
    with path.open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if all(r[k].isdigit() for k in ("WS", "S", "T", "Ld"))]
    ours = library().units.values()
    for key in ("WS", "S", "T", "Ld"):
        real = np.array([int(r[key]) for r in rows])
        low, high = np.quantile(real, [0.1, 0.9])
        assert min(getattr(u, key) for u in ours) <= low, key
        assert max(getattr(u, key) for u in ours) >= high, key


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('unit = "trooper"', 'unit = "troper"', 'line 6: attackers.unit: unknown unit "troper"; did you mean "trooper"?'),
        ('weapon = "rifle"', 'weapon = "riffle"', 'line 8: attackers.weapon: unknown weapon "riffle"; did you mean "rifle"?'),
        ('"hut"', '"hutt"', 'line 3: building: unknown building "hutt"; did you mean "hut"?'),
        ("models = 10", "models = -3", "line 7: attackers.models: expected greater than or equal to 1, got -3"),
        ("models = 10", "models = 10.5", "line 7: attackers.models: expected"),
        ("models = 10", "models = 5000", "line 7: attackers.models: expected at most 60 models: an assault of more has too many states to be followed exactly, got 5000"),
        ("distance = 12", "distance = nan", "line 2: distance: expected"),
        ("distance", "distence", 'line 2: distence: unknown key; did you mean "distance"?'),
        ("models = 5", "models = 11", "defenders.models: expected at most 10 (Mud hut), got 11"),
        ('"militia"\nmodels = 5', '"ogre"\nmodels = 4', "at most 10 (Mud hut), got 4, who take 12 places"),
        ('weapon = "rifle"', 'weapon = "rifle"\nplan = "strom"', "attackers.plan: expected 'storm', 'demolish', 'shoot' or 'smoke'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(old, new, said):
    with pytest.raises(CasemateError) as error:
        load(GOOD.replace(old, new, 1))
    assert said in str(error.value)
    assert str(error.value).startswith("mine.toml")


def test_a_file_may_bring_units_of_its_own():
    own = (
        GOOD.replace('"militia"', '"giant"')
        + '[units.giant]\ntitle = "Giant"\nWS=3\nBS=0\nS=7\nT=6\nW=6\nI=3\nA=4\nLd=9\n'
    )
    assert load(own).defenders.unit.W == 6


def test_saves_are_read_as_players_write_them():
    giant = '[units.giant]\ntitle = "Giant"\nWS=3\nBS=0\nS=7\nT=6\nI=3\nA=4\nLd=9\nSv = {}\ninvulnerable = {}\n'
    own = GOOD.replace('"militia"', '"giant"') + giant
    unit = load(own.format('"3+"', '"5+"')).defenders.unit
    assert (unit.Sv, unit.invulnerable) == (3, 5)
    assert unit == load(own.format(3, 5)).defenders.unit
    for wrong in ('"7+"', '"+3"', '"3"', '"-"'):
        with pytest.raises(CasemateError, match=r"mine.toml, line \d+: units.giant.Sv: expected"):
            load(own.format(wrong, 5))


OWN = (
    GOOD.replace('building = "hut"\n', "")
    + """
[building]
title = "Shed"
archetype = "hut"
footprint = [4, 4]
material = "wood"
capacity = 6
[building.gemini]
windows = 3
[building.realm_of_chaos]
levels = 2
"""
)


def test_what_one_set_of_rules_alone_asks_has_a_table_of_its_own():
    building = load(OWN).building
    assert gemini.OwnBuilding.of(building).windows == 3
    assert realm_of_chaos.OwnBuilding.of(building).levels == 2
    assert gemini.OwnBuilding.of(load().building.with_own(gemini.OwnBuilding(windows=5))).windows == 5
    assert [*building.own] == ["gemini", "realm_of_chaos"]


def test_levels_of_one_set_of_rules_go_before_those_of_the_building():
    rules = rule_set("realm_of_chaos")
    for changes, levels in (
        ({"building.levels": 3}, 3),
        ({"building.levels": 3, "building.realm_of_chaos.levels": 1}, 1),
    ):
        assert rules.assault(load_scenario("farmhouse", changes)).scene.plan.columns[0].levels == levels
    assert rules.assault(load_scenario("across-the-wire")).scene.plan.columns[0].levels == 1


def test_what_a_profile_does_not_say_has_a_default():
    for unit in library().units.values():
        assert gemini.OwnUnit.of(unit).size == 2
    plain = load(OWN.replace("[building.gemini]\nwindows = 3\n", "")).building
    assert gemini.OwnBuilding.of(plain).windows == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "windows = 3",
            "windows = -1",
            "line 21: building.gemini.windows: expected greater than or equal to 0, got -1",
        ),
        ("windows = 3", "window = 3", 'line 21: building.gemini.window: unknown key; did you mean "windows"?'),
        ("[building.gemini]", "[building.gemnii]", 'building.gemnii: unknown key; did you mean "gemini"?'),
        ("[building.gemini]\n", "", 'building.windows: unknown key; did you mean "building.gemini.windows"?'),
        ("[building.realm_of_chaos]\n", "", "building.gemini.levels: unknown key"),
        ("[building.gemini]", "[building.storming]", "building.storming: unknown key"),
        ("[building.gemini]\nwindows = 3", "gemini = 3", "building.gemini: expected a table, got 3"),
    ],
)
def test_a_section_is_checked_by_the_rules_it_is_named_for(old, new, said):
    with pytest.raises(CasemateError) as error:
        load(OWN.replace(old, new))
    assert said in str(error.value)


@pytest.mark.parametrize(("key", "meant"), [('links = "ladder"', "gemini.links"), ("windows = 1", "gemini.windows")])
def test_a_key_of_one_set_of_rules_is_told_its_place(key, meant):
    with pytest.raises(CasemateError, match=f'unknown key; did you mean "buildings.shed.{meant}"'):
        load(GOOD + f'[buildings.shed]\ntitle = "Shed"\narchetype = "hut"\nfootprint = [4, 4]\nmaterial = "wood"\n'
             f"capacity = 6\n{key}\n")  # fmt: skip


def test_profiles_that_differ_in_a_section_differ():
    one, other = load(OWN).building, load(OWN.replace("windows = 3", "windows = 4")).building
    assert one != other
    assert one == load(OWN).building


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            'specials = [{ unit = "ogr", weapon = "flamer" }]',
            'attackers.specials[1].unit: unknown unit "ogr"; did you mean "ogre"?',
        ),
        ('leader = { unit = "ogr" }', 'attackers.leader.unit: unknown unit "ogr"; did you mean "ogre"?'),
    ],
)
def test_who_leads_or_is_special_has_to_be_known(written, said):
    with pytest.raises(CasemateError, match=f"line 8: {re.escape(said)}"):
        load(GOOD.replace("models = 10", f"models = 10\n{written}", 1))


@pytest.mark.parametrize("W", [0, 11])
def test_nobody_has_no_wound_or_more_than_ten(W):
    profile = f'title = "Boss"\nWS = 4\nBS = 4\nS = 4\nT = 4\nW = {W}\nI = 4\nA = 2\nLd = 8\n'
    with pytest.raises(CasemateError, match=rf"mine.toml, line \d+: units.boss.W: expected .*, got {W}"):
        load(f"{GOOD}\n[units.boss]\n{profile}")


def test_specials_may_be_other_models():
    led = load(GOOD.replace("models = 10", 'models = 10\nspecials = [{ unit = "ogre", weapon = "flamer" }]', 1))
    ogre, _ = led.attackers.bodies
    assert (ogre.profile.title, ogre.groups) == ("Ogre", (0,))
    assert led.attackers.mixed
    assert not load().attackers.mixed


def test_leader_and_specials_are_counted_among_the_models():
    scenario = load_scenario("farmhouse")
    assert scenario.attackers.models == sum(g.count for g in scenario.attackers.groups)
    too_few = GOOD.replace("models = 10", 'models = 1\nspecials = [{ weapon = "flamer", count = 3 }]', 1)
    with pytest.raises(CasemateError, match="expected at least 3"):
        load(too_few)


BASED = 'base = "{base}"\n[building]\ndoors = 4\n[attackers.leader]\nmelee = "sword"\n'


def test_a_file_may_start_from_another_and_say_what_is_different(tmp_path):
    """Key by key; a building that is named stays what it is but for what is said of it, its sections included."""
    (tmp_path / "mine.toml").write_text(BASED.format(base="farmhouse"))
    (tmp_path / "yours.toml").write_text('base = "mine.toml"\ndistance = 9\n')
    base, yours = load_scenario("farmhouse"), load_scenario(str(tmp_path / "yours.toml"))
    assert (yours.id, yours.distance) == ("yours", 9)
    assert yours.building == base.building.model_copy(update={"doors": 4})
    assert yours.building.levels == 2
    leader, was = yours.attackers.groups[0], base.attackers.groups[0]
    assert (leader.profile, leader.weapon, leader.melee.title) == (was.profile, was.weapon, "Sword")
    assert yours.defenders == base.defenders


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("[attackers]\nmodels = 30\n[building]\ndoors = 4\n", "The farmhouse, changed: attackers.models 30, doors 4"),
        ("turns = 8\n[defenders]\nmodels = 12\n", "The farmhouse"),  # as they are in the farmhouse
        ("building = 'hut'\ndefenders.models = 10\n", "The farmhouse, changed: building hut, defenders.models 10"),
        ("[attackers]\nspecials = []\n[building]\nmilitary = true\n", "The farmhouse, changed: attackers.specials, military true"),
        ("[building.gemini]\nwindows = 1\n", "The farmhouse, changed: gemini.windows 1"),
        (
            "distance = 9\nturns = 4\nfirst = 'defenders'\nattackers.models = 10\ndefenders.models = 9\n",
            "The farmhouse, changed: distance 9, turns 4, first defenders and 2 more",
        ),
        ("title = 'Mine'\ndistance = 9\n", "Mine"),
    ],
)  # fmt: skip
def test_a_changed_scenario_without_a_title_says_what_is_changed(tmp_path, text, title):
    (tmp_path / "mine.toml").write_text(f'base = "farmhouse"\n{text}')
    (tmp_path / "yours.toml").write_text('base = "mine.toml"\nturns = 5\n')
    assert load_scenario(str(tmp_path / "mine.toml")).title == title
    assert load_scenario("farmhouse", {"distance": 9}).title == "The farmhouse"
    if title == "Mine":
        assert load_scenario(str(tmp_path / "yours.toml")).title == "Mine, changed: turns 5"


def test_the_story_of_a_base_is_not_told_of_other_forces(tmp_path):
    (tmp_path / "mine.toml").write_text('base = "farmhouse"\nstory = "Eight attack."\n[attackers]\nmodels = 8\n')
    (tmp_path / "yours.toml").write_text('base = "mine.toml"\n[attackers]\nmodels = 9\n')
    stories = [load_scenario(str(tmp_path / f"{name}.toml")).story for name in ("mine", "yours")]
    assert stories == ["Eight attack.", ""]
    assert "Twenty" in load_scenario("farmhouse").story


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BASED.format(base="farmhose"), 'mine.toml, line 1: base: there is no scenario "farmhose"; did you mean "farmhouse"?'),
        (BASED.format(base="mine.toml"), 'mine.toml, line 1: base: "mine.toml" starts from this scenario itself'),
        ("base = 3\n", "mine.toml, line 1: base: there is no scenario"),
        ('base = "farmhouse"\n[attackers]\nmodels = 2\n', "mine.toml, line 3: attackers.models: expected at least 4"),
        ('base = "farmhouse"\n[building]\ndors = 2\n', 'mine.toml, line 3: building.dors: unknown key; did you mean "doors"?'),
        ('base = "yours.toml"\nturns = 4\n', "yours.toml, line 2: title: expected text, got 3"),
        ('base = "farmhouse"\n[weapons]\n[defenders]\nmodels = 16\n', "line 4: defenders.models: expected at most 15 (Brick farmhouse)"),
    ],
)  # fmt: skip
def test_a_file_that_starts_from_another_is_refused_with_its_own_line(tmp_path, text, said):
    (tmp_path / "mine.toml").write_text(text)
    (tmp_path / "yours.toml").write_text('base = "farmhouse"\ntitle = 3\n')
    with pytest.raises(CasemateError) as error:
        load_scenario(str(tmp_path / "mine.toml"))
    assert said in str(error.value)


def test_parts_of_a_building_that_is_named_can_be_changed():
    base, changed = load_scenario("farmhouse"), load_scenario("farmhouse", {"building.doors": 5})
    assert changed.building == base.building.model_copy(update={"doors": 5})
    windows = load_scenario("farmhouse", {"building.gemini.windows": 7}).building
    assert gemini.OwnBuilding.of(windows).windows == 7
    assert windows.levels == 2
    own = load_scenario("farmhouse", {"buildings": {"shed": base.building.written}, "building": "shed"})
    assert own.building == base.building


def test_units_are_counted_in_the_singular_and_the_plural():
    ours = library().units
    said = [ours[id].counted(n) for id, n in (("veteran", 1), ("veteran", 11), ("man-at-arms", 4), ("footman", 2))]
    assert said == ["1 Veteran", "11 Veterans", "4 Men-at-arms", "2 Footmen"]
    assert ours["vanguard"].counted(3) == "3 Vanguards in power armour"


@pytest.mark.parametrize("name", ["farmhose", "FARMHOUSE"])
def test_an_unknown_scenario_names_the_nearest(name):
    with pytest.raises(CasemateError, match='did you mean "farmhouse"'):
        load_scenario(name)


# Counting models.


def models(*counts: int):
    return tuple(np.array([n]) for n in counts)


def read(these) -> list[int]:
    return [int(n[0]) for n in these]


@pytest.mark.parametrize(
    ("casualties", "left"),
    [(0, [1, 2, 5]), (3, [1, 2, 2]), (6, [1, 1, 0]), (7, [1, 0, 0]), (8, [0, 0, 0]), (99, [0, 0, 0])],
)
def test_ordinary_models_fall_first_and_the_leader_last(casualties, left):
    assert read(give_up(models(1, 2, 5), np.array([casualties]))) == left


def test_choosing_parting_and_joining():
    squad = models(1, 2, 5)
    team = chosen(squad, 4, [2, 0, 1])
    assert read(team) == [0, 0, 4]
    assert read(without(squad, team)) == [1, 2, 1]
    assert read(together(team, without(squad, team))) == [1, 2, 5]
    assert total(team).tolist() == [4]


def test_the_best_leadership_is_that_of_models_left():
    force = load_scenario("farmhouse").attackers
    assert best(force, at_full_strength(force), lambda g: g.profile.Ld).tolist() == [8]
    led_by_none = (np.array([0]), *at_full_strength(force)[1:])
    assert best(force, led_by_none, lambda g: g.profile.Ld).tolist() == [7]


@pytest.mark.parametrize(
    ("kind", "blast", "expected"),
    [
        ("blast", 0, "weapons.mortar.blast: expected 3 or 5, the inches across its marker, as its kind is blast"),
        ("heavy", 3, "weapons.mortar.blast: expected 0, as its kind is heavy: only weapons of kind blast have a"),
    ],
)
def test_weapons_have_a_marker_if_their_kind_is_blast(kind, blast, expected):
    with pytest.raises(CasemateError) as error:
        load_scenario("across-the-wire", {"weapons.mortar.kind": kind, "weapons.mortar.blast": blast})
    assert expected in str(error.value)

"""What is said beside the first numbers of weapons, levels and features that rules leave out, judged by play."""

from dataclasses import replace
from itertools import product

import pytest

from sims.engines import run
from sims.errors import CasemateError
from sims.profiles import Weapon
from sims.reading import parse
from sims.rulesets import rule_set
from sims.scenario import Scenario, build, load_scenario
from sims.words import NEVER_FIRED, NOT_MODELLED

OTHERWISE = {
    "WS": 5,
    "BS": 5,
    "S": 5,
    "T": 5,
    "W": 2,
    "I": 5,
    "A": 3,
    "Ld": 10,
    "Sv": 2,
    "invulnerable": 4,
    "move": 6,
    "bulk": 3,
    "kind": "jump infantry",
    "grenades": ["assault", "krak"],
}
"""Another value of each characteristic than that of an ordinary man."""
UNSAID = {
    "gemini": {"bulk", "kind"},
    "gw_updated": {"move"},
    "realm_of_chaos": {"bulk", "kind", "grenades"},
    "storming": {"move"},
}
"""What the books have no such thing for: Gemini and Fantasy no kinds of infantry and no bulk, Fantasy no grenades, and in
40k everybody on foot moves six inches."""
IDLE_INSIDE = {"grenades", "kind"}
"""What counts for those alone who go in."""
OUTVOTED = {("gw_updated", "flanker"): {"T"}}
"""What counts for those alone who are most of their unit when it is hit: he falls before he is (BASE-064)."""
PLANS = [("storm", "hold"), ("demolish", "hold"), ("shoot", "hold"), ("smoke", "hold"), ("shoot", "sally")]
BUILDINGS = ["house", "bunker"]


def armed(side: str, weapon: str, building: str, plan: str = "storm", defence: str = "hold") -> Scenario:
    """A small assault in which two models of a side carry a weapon, and the others pistols."""
    special = f'specials = [{{ weapon = "{weapon}", count = 2 }}]'
    text = f"""
        title = "Armed"
        distance = 13
        turns = 4
        building = "{building}"
        [attackers]
        unit = "vanguard"
        models = 5
        weapon = "pistol"
        plan = "{plan}"
        {special if side == "attackers" else ""}
        [defenders]
        unit = "trooper"
        models = 4
        weapon = "pistol"
        plan = "{defence}"
        {special if side == "defenders" else ""}
    """
    return build(parse("armed.toml", text), "armed")


def changed(scenario: Scenario, side: str, **stats: object) -> Scenario:
    """The same assault, the weapon of those two with other numbers."""
    force = getattr(scenario, side)
    other: Weapon = force.groups[0].weapon.model_copy(update=stats)
    return replace(
        scenario, **{side: replace(force, groups=(replace(force.groups[0], weapon=other), *force.groups[1:]))}
    )


def told(rules: str, scenario: Scenario) -> str:
    translation = rule_set(rules).assault(scenario).translation
    return "; ".join(translation.get(term, "") for term in (NOT_MODELLED, NEVER_FIRED))


def answer(rules: str, scenario: Scenario) -> str:
    return run(rule_set(rules).assault(scenario), engine="exact").frame().round(12).to_csv()


def named(rules: str, scenario: Scenario, side: str) -> bool:
    owner = "garrison" if side == "defenders" else "attackers"
    return f"{getattr(scenario, side).groups[0].weapon.title} of the {owner}" in told(rules, scenario)


@pytest.mark.parametrize("building", BUILDINGS)
@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_a_weapon_that_is_named_decides_nothing(rules, side, building):
    """Its Strength of 1 in place of its own moves no outcome."""
    for weapon, plans in product(("rifle", "flamer", "mortar", "machine-gun", "fusion-gun"), PLANS):
        game = armed(side, weapon, building, *plans)
        if named(rules, game, side):
            assert answer(rules, game) == answer(rules, changed(game, side, S=1)), (weapon, plans)


@pytest.mark.parametrize("building", BUILDINGS)
@pytest.mark.parametrize("weapon", ["mortar", "flamer", "rifle"])
@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_a_weapon_that_never_decides_anything_is_named(rules, side, weapon, building):
    """Whatever the plans; Strength 10 and six shots are what would tell."""
    games = [armed(side, weapon, building, *plans) for plans in PLANS]
    if all(answer(rules, g) == answer(rules, changed(g, side, S=10, AP=1, shots=6)) for g in games):
        assert all(named(rules, game, side) for game in games)


@pytest.mark.parametrize(
    ("rule_set_id", "side", "weapon"),
    [
        ("gemini", "defenders", "mortar"),
        ("gemini", "attackers", "mortar"),
        ("gw_updated", "defenders", "mortar"),
        ("realm_of_chaos", "defenders", "flamer"),
    ],
)
def test_what_decides_nothing_today_is_found(rule_set_id, side, weapon):
    """The tests above are about something: these weapons are silent, whatever their numbers."""
    game = armed(side, weapon, "house")
    assert named(rule_set_id, game, side)
    assert answer(rule_set_id, game) == answer(rule_set_id, changed(game, side, S=10, AP=1, shots=6))


@pytest.mark.parametrize(
    ("rule_set_id", "scenario", "changes", "says"),
    [
        ("gemini", "bastion", {"building.footprint": [12, 6]}, "the garrison is all in one ground section"),
        ("gemini", "bastion", {}, "krak grenades"),
        ("gemini", "across-the-wire", {}, "the attackers' weapons with a marker, until the garrison has come out"),
        ("realm_of_chaos", "bastion", {}, "mounted Machine gun"),
        (
            "realm_of_chaos",
            "farmhouse",
            {"defenders.unit": "juggernaut", "defenders.models": 7},
            "invulnerable saves of the garrison",
        ),
    ],
)
def test_features_that_are_left_out_are_named(rule_set_id, scenario, changes, says):
    assert says in told(rule_set_id, load_scenario(scenario, changes))


def test_sections_that_the_garrison_spreads_over_are_not_left_out():
    assert "section" not in told("realm_of_chaos", load_scenario("keep-gate"))


@pytest.mark.parametrize("rule_set_id", ["gemini", "realm_of_chaos"])
def test_a_hut_of_one_section_leaves_no_section_out(rule_set_id):
    assert "section" not in told(rule_set_id, armed("attackers", "rifle", "hut"))


KINDS = ("captain", "flanker", "man", "boss", "guard")


def men(plan: str, defence: str, **changes: dict[str, object]) -> Scenario:
    """A small assault of five kinds of men, all alike but for what is changed."""
    profile = {"WS": 3, "BS": 3, "S": 3, "T": 3, "I": 3, "A": 1, "Ld": 7, "Sv": 5, "move": 4}
    kinds = {kind: {"title": kind, **profile, **changes.get(kind, {})} for kind in KINDS}
    armed = {"weapon": "rifle", "melee": "power-blade"}
    given = {
        "units": kinds,
        "turns": 4,
        "distance": 14,
        "attackers": {
            "unit": "man",
            "models": 6,
            **armed,
            "plan": plan,
            "send": 5,
            "leader": {"unit": "captain", **armed},
            "specials": [{"weapon": "flamer"}, {"weapon": "fusion-gun"}, {"unit": "flanker", **armed}],
        },
        "defenders": {"unit": "guard", "models": 4, **armed, "plan": defence, "leader": {"unit": "boss", **armed}},
        "building.doors": 1,
        "building.capacity": 5,
    }
    return load_scenario("farmhouse", given)


@pytest.mark.parametrize("who", KINDS)
@pytest.mark.parametrize("book", UNSAID)
def test_no_characteristic_is_silently_inert(book, who):
    """Another value moves an answer by some plans, or it is said that it changes nothing, or what is wrong with it."""
    before = {plans: heard(book, men(*plans)) for plans in PLANS}
    silent = set[str]()
    for name, value in OTHERWISE.items():
        try:
            if all(heard(book, men(*plans, **{who: {name: value}})) == said for plans, said in before.items()):
                silent.add(name)
        except CasemateError:
            assert name in ("bulk", "kind")  # there is no room for them inside
    assert silent <= UNSAID[book] | (IDLE_INSIDE if who in ("boss", "guard") else set()) | OUTVOTED.get(
        (book, who), set()
    )


def heard(rules: str, game: Scenario) -> tuple[str, str]:
    return told(rules, game), answer(rules, game)


def test_that_a_leader_falls_as_who_he_is_is_said():
    led, own = men("storm", "hold", captain={"W": 2}), "each takes them by its own Toughness, Wounds and save"
    assert own in rule_set("realm_of_chaos").assault(led).translation["Who falls"]
    assert own not in rule_set("realm_of_chaos").assault(men("storm", "hold")).translation["Who falls"]


@pytest.mark.parametrize("book", ["gemini", "realm_of_chaos"])
def test_that_a_leader_moves_as_his_men_do_is_said(book):
    said = "a move of 5 inches of the attackers' captain (who moves as a man does)"
    assert said in told(book, men("storm", "hold", captain={"move": 5}))
    assert "who moves as" not in told(book, men("storm", "hold"))

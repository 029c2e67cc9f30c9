"""Design points: named by what is changed, known by what decides the answer, played once."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import get_args

import pytest

from analysis.points import point as module
from analysis.points.batches import play
from analysis.points.plans import Plans
from analysis.points.point import How, Played, point, scenario_values
from analysis.values.steps import steps
from sims.engines import Engine
from sims.errors import CasemateError
from sims.reading import Strict
from sims.reads import leaves_read, watched
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario, scenario_ids

STORMING = rule_set("storming")


def test_a_name_holds_what_is_changed_and_plans_that_are_not_the_scenarios_own():
    values = {"attackers.models": 12, "tables.grenade.hits": "D6"}
    assert point("farmhouse", STORMING, values).name == (
        "storming/farmhouse?attackers.models=12&tables.grenade.hits=D6"
    )
    assert point("farmhouse", STORMING).name == "storming/farmhouse"
    smoked = point("farmhouse", STORMING, plans=Plans("smoke", "hold"))
    assert smoked.name == point("farmhouse", STORMING, {"attackers.plan": "smoke"}).name
    assert smoked.name == "storming/farmhouse?attackers.plan=smoke"


SAME = point("farmhouse", STORMING).id


@pytest.mark.parametrize(
    ("values", "same"),
    [
        ({"attackers.models": 20}, True),
        ({"title": "Another", "story": "Nothing happens.", "units.trooper.title": "Guard"}, True),
        ({"tables.grenade.hits": "D3", "rulings.charge_bonus": "yes"}, True),
        ({"tables.grenade.hits": "D6"}, False),
        ({"rulings.charge_bonus": "no"}, False),
        ({"units.trooper.T": 4}, False),
        ({"weapons.rifle.S": 4}, False),
        ({"building.doors": 3}, False),
        ({"first": "defenders"}, False),
        ({"turns": 7}, False),
    ],
)
def test_an_id_tells_points_apart_by_what_decides_the_answer(values, same):
    assert (point("farmhouse", STORMING, values).id == SAME) == same


@pytest.mark.parametrize(
    "values",
    [
        {"distance": 23},
        {"attackers.models": 9},
        {"attackers.unit": "trooper"},
        {"attackers.leader.melee": "power-blade"},
        {"defenders.leader.weapon": "rifle"},
        {"defenders.specials": []},
        {"building.weapons": ["machine-gun"]},
        {"building.realm_of_chaos.levels": 2},
        {"weapons.machine-gun.S": 6},
        {"units.vanguard-captain.W": 3},
    ],
)
def test_all_of_a_scenario_decides(values):
    """The bastion has a leader, specials and mounted weapons on whom something can be changed."""
    assert point("bastion", STORMING, values).id != point("bastion", STORMING).id


def test_an_id_knows_the_rules_and_how_many_are_played():
    assert point("farmhouse", STORMING).frame != point("farmhouse", rule_set("gw_updated")).frame
    few, many = (point("farmhouse", STORMING, how=How("sampled", trials=n)).id for n in (10, 20))
    assert few != many


def test_what_is_hashed_is_looked_at_as_a_whole():
    """A cache that knows an answer by a table has looked at all of that table."""
    book = STORMING.book
    with watched() as seen:
        hash(book.tables.grenade)
    grenade = {key for key in book.leaves() if key.startswith("tables.grenade.")}
    assert grenade
    assert leaves_read(book, seen) == grenade
    with watched() as seen:
        assert book.tables.grenade.S
    assert leaves_read(book, seen) == {"tables.grenade.S"}
    assert book.tables.grenade.hits
    assert leaves_read(book, seen) == {"tables.grenade.S"}


def test_an_id_knows_plans_and_how_it_is_computed_as_far_as_that_decides():
    def of(how, **given):
        return point("farmhouse", STORMING, how=how, **given).id

    assert of(How("exact", seed=1)) == of(How("exact", seed=2, trials=5))
    assert (
        len({of(How(seed=1)), of(How(seed=2)), of(How("exact")), of(How("exact", budget=10)), of(How("rolled"))}) == 5
    )
    assert of(How("rolled", budget=1)) == of(How("rolled", budget=2))
    assert point("farmhouse", STORMING, plans=Plans("smoke", "hold")).id == point(
        "farmhouse", STORMING, {"attackers.plan": "smoke"}
    ).id != SAME  # fmt: skip


@pytest.mark.parametrize("field", ["WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv", "move", "bulk"])
def test_an_id_knows_every_number_of_a_profile(skirmish, field):
    own = load_scenario(skirmish).attackers.unit.written[field]
    changed = point(skirmish, STORMING, {f"units.trooper.{field}": own + (1 if own < 5 else -1)})
    assert changed.id != point(skirmish, STORMING).id


@pytest.mark.parametrize(
    "values",
    [
        {"defenders.deployment": "doors"},
        {"defenders.deployment": {"A1": 12}},
        {"bands": [{"near": 6, "far": 12, "ground": "hard"}]},
        {"walls": [{"start": [6, -5], "end": [6, 5]}]},
        {"attackers.formation": {"files": 4, "gap": 1.5}},
        {"defenders.formation": {"files": 4, "gap": 1.5}},
    ],
    ids=str,
)
def test_where_models_stand_and_what_lies_between_changes_the_id(values):
    assert point("farmhouse", STORMING, values).id != SAME


def test_the_order_of_columns_which_breaks_ties_changes_the_id():
    one = {name: {"levels": ["wood"], "beside": [other]} for name, other in ("AB", "BA")}
    other = dict(reversed(one.items()))
    ids = {point("farmhouse", STORMING, {"building.realm_of_chaos.columns": columns}).id for columns in (one, other)}
    assert len(ids) == 2


@pytest.mark.parametrize("engine", get_args(Engine))
def test_what_models_are_called_changes_neither_luck_nor_id(skirmish, rules, engine):
    demolish, how = Plans("demolish", "hold"), How(engine, trials=2000)
    drawn = {"rulings.who_falls": "drawn"} if "rulings.who_falls" in rule_set(rules).book.leaves() else {}
    retitled = {"units.trooper.title": "Guard", "weapons.rifle.title": "Gun"}
    one, other = (
        point(skirmish, rule_set(rules), {**drawn, **values}, plans=demolish, how=how) for values in ({}, retitled)
    )
    assert one.responses(one.play()) == other.responses(other.play())
    assert one.id == other.id


@pytest.mark.parametrize("scenario", scenario_ids())
def test_what_an_id_is_made_of_has_no_float(rules, scenario):
    written = json.dumps([rule_set(rules).book.leaves(), scenario_values(load_scenario(scenario))])

    def refused(text):
        raise AssertionError(text)

    json.loads(written, parse_float=refused)
    with pytest.raises(TypeError, match="has no place in the digest"):
        module._refused(Fraction(1, 2))


def test_no_id_is_played_twice(skirmish, runs):
    known = Played()
    same = replace(STORMING, id="mine", title="Mine")
    results = [known.of(point(skirmish, each)) for each in (STORMING, same, STORMING)]
    assert len(runs) == 1
    assert results[0] is results[1] is results[2]


def test_a_book_that_differs_where_nobody_looks_is_not_played_anew(skirmish, runs):
    known, now = Played(), point(skirmish, STORMING)
    known.of(now)
    unread = sorted({*now.leaves} - now.read().leaves)
    del runs[:]
    for key, ways in steps(STORMING, unread).items():
        for way in ways[:1]:
            each = now.under(STORMING.with_values(way))
            assert known.of(each) is known.of(now), key
    assert runs == []
    first = now.responses(known.of(now))
    some = [ways[0] for ways in steps(STORMING, unread).values() if ways][::10]
    for way in some:
        each = now.under(STORMING.with_values(way))
        assert each.responses(each.play()) == first
    read = now.read().leaves
    for key, ways in steps(STORMING, sorted(read)).items():
        for way in ways:
            assert known.find(now.under(STORMING.with_values(way))) is None, key
    del runs[-1]
    known.of(now.under(STORMING.with_values({"tables.grenade.hits": "D6"})))
    assert len(runs) == len(some) + 1


def test_what_is_looked_at_is_noted_every_time(rules):
    """What a first assault has worked out of a book must not hide from a second one what that depends on."""
    one = point("farmhouse", rule_set(rules), {"turns": 3}, plans=Plans("demolish", "hold"))
    assert one.read().leaves == one.read().leaves


def test_nothing_read_from_a_file_keeps_what_it_has_worked_out():
    """A kept value is looked at without a look at what it was made of; a cache by value hashes that, which is noted."""

    def kinds(kind):
        return {kind}.union(*(kinds(inner) for inner in kind.__subclasses__()))

    for rules in rule_set_ids():
        rule_set(rules)
    kept = [
        f"{kind.__module__}.{kind.__name__}.{name}"
        for kind in kinds(Strict)
        for name, value in vars(kind).items()
        if isinstance(value, cached_property)
    ]
    assert kept == []


def test_points_are_played_in_order_by_any_number_of_workers(skirmish):
    points = [point(skirmish, STORMING, {"turns": turns}) for turns in (1, 2, 1, 3)]
    alone, spread = ([*play(points, Played(), workers=workers)] for workers in (1, 2))
    for one, other, each in zip(alone, spread, points, strict=True):
        assert each.responses(one) == each.responses(other) == each.responses(each.play())


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"tables.grenade.hits": "D7"}, "tables.grenade.hits"),
        ({"units.trooprt.T": 4}, 'units: there is no "trooprt"; did you mean "trooper"?'),
        ({"attackers.models": 99}, "attackers.models: expected at most 60 models"),
        ({"attackers models": 9}, '"attackers models" is not a key'),
        ({"attackers": 9, "attackers.models": 9}, "attackers.models: what it stands in has a value of its own"),
    ],
)
def test_what_does_not_fit_is_refused(values, said):
    with pytest.raises(CasemateError, match=said.replace("?", r"\?")):
        point("farmhouse", STORMING, values)

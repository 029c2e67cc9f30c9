"""Design points: named by what is changed, known by what decides the answer, played once."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from analysis import point as module
from analysis.point import How, Plans, Played, by_value, point
from sims.errors import CasemateError
from sims.rulesets import rule_set
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


@pytest.mark.parametrize("scenario", scenario_ids())
def test_what_an_id_is_made_of_has_no_float(rules, scenario):
    written = json.dumps([rule_set(rules).book.leaves(), by_value(load_scenario(scenario))])

    def refused(text):
        raise AssertionError(text)

    json.loads(written, parse_float=refused)
    with pytest.raises(TypeError, match="has no place in the digest"):
        module._refused(Fraction(1, 2))


def test_no_id_is_played_twice(monkeypatch):
    played = []
    monkeypatch.setattr(module.Point, "play", lambda self, progress=None: played.append(self.name))
    known = Played()
    same = replace(STORMING, id="mine", title="Mine")
    for each in (STORMING, same, STORMING.with_values({"tables.fireteam.slots": 6})):
        known.of(point("farmhouse", each))
    assert len(played) == len(known) == 2


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

"""One step of a value: the book takes it, it is not the value in force, and it is the next one."""

import pytest

from analysis.values.schema import schema
from analysis.values.steps import dice, is_allowed, ladder, steps
from sims.errors import CasemateError
from sims.reading import undotted
from sims.rulesets import rule_set

STORMING, GEMINI, GW = (rule_set(name) for name in ("storming", "gemini", "gw_updated"))


def test_every_step_changes_the_book_and_every_leaf_has_one(rules):
    base = rule_set(rules)
    leaves = base.book.leaves()
    found = steps(base)
    for key, ways in found.items():
        for way in ways:
            assert key in way
            assert base.book.with_values(way).leaves() == leaves | dict(way)
            assert all(leaves[one] != value for one, value in way.items())
    assert {key for key, ways in found.items() if not ways} <= {"tables.classes.ruins.storm", "tables.stability.die"}


@pytest.mark.parametrize(
    ("of", "key", "values"),
    [
        (STORMING, "tables.fireteam.slots", [4, 6]),
        (STORMING, "tables.grenade.hits", [1, "D3+1"]),
        (STORMING, "rulings.charge_bonus", ["no"]),
        (GEMINI, "tables.t_stick.arm", ["1", "2"]),
    ],
)
def test_numbers_dice_words_and_fractions_go_to_the_next(of, key, values):
    assert [way[key] for way in steps(of, [key])[key]][: len(values)] == values


def test_faces_move_to_the_result_beside_their_own():
    key = "tables.vehicle_damage.stunned"
    assert steps(STORMING, [key])[key] == [
        {key: [], "tables.vehicle_damage.shaken": [1, 2]},
        {key: [], "tables.vehicle_damage.weapon_destroyed": [2, 3]},
    ]


def test_one_number_of_an_array_moves_at_a_time():
    key = "tables.to_wound.needs"
    needs = STORMING.book.leaves()[key]
    for way in steps(STORMING, [key])[key]:
        moved = [other - need for other, need in zip(way[key], needs, strict=True)]
        assert sorted(map(abs, moved)) == [0] * (len(needs) - 1) + [1]


def test_dice_are_ordered_by_mean_and_the_wider_come_first():
    order = [(die.pmf.mean, -die.pmf.variance) for _, die in ladder()]
    assert order == sorted(order)
    names = [name for name, _ in ladder()]
    assert names.index("D3") + 1 == names.index(2)
    assert dice(STORMING, "tables.capacity.dice") == [
        name for name in names if is_allowed(STORMING, {"tables.capacity.dice": name})
    ]


def test_an_unknown_key_is_refused_by_name():
    with pytest.raises(
        CasemateError, match=r'storming has no tables\.grenade\.hit; did you mean "tables\.grenade\.hits"'
    ):
        steps(STORMING, ["tables.grenade.hit"])


def test_a_schema_knows_every_leaf_and_stands_alone(rules):
    base = rule_set(rules)
    whole = schema(base)
    assert "$ref" not in str(whole)

    def keys(node, key=()):
        if "properties" not in node:
            return {key}
        return {found for name, inner in node["properties"].items() for found in keys(inner, (*key, name))}

    about = {"source", "unit", "note"}
    named = {key for key in keys(whole) if key[0] in ("tables", "rulings") and key[-1] not in about}
    assert named == {undotted(key) for key in base.book.leaves()}

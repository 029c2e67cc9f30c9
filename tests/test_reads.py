"""What a book is read for: noticed whether it is read for the first time or from what is kept."""

from analysis.points.plans import Plans
from analysis.points.point import point
from sims.reading import Strict
from sims.reads import leaves_read, look_again, watched
from sims.rulesets import rule_set


class Table(Strict):
    plain: int = 2


def test_a_hash_is_a_look_and_a_look_is_noticed_by_name():
    table = Table()
    with watched() as seen:
        assert table.plain == 2
    assert seen[id(table)][1] == {"plain"}
    with watched() as seen:
        hash(table)
    assert "__dict__" in seen[id(table)][1]
    assert table.plain == 2
    assert seen[id(table)][1] <= {"__dict__"}


def test_a_book_is_read_for_the_same_however_often(rules, skirmish):
    """A value that is kept from the first time must not pass for one that nobody looks at."""
    used = rule_set(rules)
    found = [point(skirmish, used, plans=Plans("smoke", "sally")).read().leaves for _ in range(3)]
    fresh = point(skirmish, rule_set(rules), plans=Plans("smoke", "sally")).read().leaves
    assert found == [fresh] * 3
    assert fresh


def test_the_damage_table_is_noticed_in_the_second_assault_too():
    used = rule_set("gw_updated")
    for scenario in ("farmhouse", "toll-house"):
        leaves = point(scenario, used, {"turns": 2}).read().leaves
        assert "tables.damage.partial_collapse.results" in leaves, scenario


def test_what_is_only_told_is_not_read_by_who_plays():
    """No wall falls at the farmhouse; whom one would hit is said all the same."""
    one = point("farmhouse", rule_set("gemini"), {"turns": 1})
    played, assault = one.read().leaves, one.assault
    with watched() as seen:
        assert assault.translation == one.assault.translation
    assert "rulings.falling_wall" in leaves_read(one.rule_set.book, seen) - played


def test_who_watches_inside_another_hides_nothing_afterwards():
    """What is looked at inside is noted there; what is looked at again is noted by both."""
    inner, outer = Table(), Table()
    with watched() as all_seen:
        with watched() as seen:
            assert inner.plain == 2
        assert outer.plain == 2
        look_again(seen)
    assert {*seen} == {id(inner)}
    assert {*all_seen} == {id(inner), id(outer)}
    assert "__getattribute__" not in vars(Strict)

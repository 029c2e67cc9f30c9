"""States, and parts of states."""

from dataclasses import dataclass

import numpy as np
import pytest

from sims.dice import Ints
from sims.state import State, code, count, counts, flag, number, record


@dataclass(frozen=True)
class Fray(State):
    men: tuple[Ints, Ints]
    walls: Ints
    rain: Ints

    @property
    def every_man(self) -> Ints:
        return self.men[0] + self.men[1]


@pytest.fixture
def fray() -> Fray:
    return Fray((np.array([5, 6, 7, 8]), np.array([1, 1, 0, 1])), np.array([3, 2, 1, 0]), np.array([0]))


PLACES = np.array([1, 3])


def test_a_part_reads_its_columns(fray):
    part = fray.part(PLACES)
    assert isinstance(part, Fray)
    assert part.walls.tolist() == [2, 0]
    assert [n.tolist() for n in part.men] == [[6, 8], [1, 1]]
    assert part.every_man.tolist() == [7, 9]
    assert part.rain is fray.rain
    assert part.changes == {}


def test_a_part_takes_only_what_is_read(fray):
    part = fray.part(PLACES)
    assert part.walls is part.walls
    assert set(part.__dict__) == {"_part", "walls"}


def test_what_changes_in_a_part_is_put_back_and_nothing_else(fray):
    part = fray.part(PLACES)
    after = part.replace(walls=part.walls + 10).replace(men=(part.men[0] - 1, part.men[1]))
    assert set(after.changes) == {"walls", "men"}
    whole = fray.put(after, 4)
    assert whole.walls.tolist() == [3, 12, 1, 10]
    assert [n.tolist() for n in whole.men] == [[5, 5, 7, 7], [1, 1, 0, 1]]
    assert whole.rain is fray.rain
    assert whole.changes == {}
    assert fray.walls.tolist() == [3, 2, 1, 0]


def test_a_constant_spreads_only_where_it_changes(fray):
    part = fray.part(PLACES)
    assert fray.put(part.replace(rain=0 * part.rain), 4).rain.tolist() == [0]
    assert fray.put(part.replace(rain=1 + part.rain), 4).rain.tolist() == [0, 1, 0, 1]
    assert fray.put(part.replace(rain=np.array([True, False])), 4).rain.tolist() == [0, 1, 0, 0]


def test_a_part_of_all_columns_is_the_state_itself(fray):
    part = fray.part(None)
    assert part.walls is fray.walls
    assert fray.put(part.replace(walls=part.walls + 1), 4).walls.tolist() == [4, 3, 2, 1]


@dataclass(frozen=True)
class Band(State):
    men: Ints
    spent: Ints


@dataclass(frozen=True)
class Field(State):
    one: Band
    other: Band
    gates: tuple[Band, Ints]
    rain: Ints


@pytest.fixture
def meadow() -> Field:
    def band(*men: int) -> Band:
        return Band(np.array(men), np.array([0]))

    return Field(band(5, 6, 7, 8), band(1, 2, 3, 4), (band(9, 9, 9, 9), np.array([0, 1, 0, 1])), np.array([0]))


def test_records_are_taken_apart_and_put_together(meadow):
    assert [a.tolist() for a in meadow.arrays()] == [
        [5, 6, 7, 8], [0], [1, 2, 3, 4], [0], [9, 9, 9, 9], [0], [0, 1, 0, 1], [0],
    ]  # fmt: skip
    again = meadow.rebuild([a + 1 for a in meadow.arrays()])
    assert isinstance(again.gates[0], Band)
    assert again.one.men.tolist() == [6, 7, 8, 9]
    assert again.gates[0].spent.tolist() == [1]
    assert meadow.take(PLACES).other.men.tolist() == [2, 4]


def test_a_part_of_a_record_is_read_and_changed_field_by_field(meadow):
    part = meadow.part(PLACES)
    after = part.replace(one=part.one.replace(men=part.one.men - part.other.men))
    assert part.read == {"one.men", "other.men"}
    assert after.changed == {"one.men"}
    whole = meadow.put(after.with_changes(lambda a: a * 10), 4)
    assert whole.one.men.tolist() == [5, 40, 7, 40]
    assert whole.one.spent is meadow.one.spent
    assert whole.other is meadow.other
    assert not whole.changed
    assert whole.one._part is None


def test_changes_of_a_record_add_up(meadow):
    part = meadow.part(PLACES)
    part = part.replace(one=part.one.replace(spent=np.array([1])))
    part = part.replace(one=part.one.replace(men=0 * part.one.men))
    assert part.changed == {"one.men", "one.spent"}
    whole = meadow.put(part, 4)
    assert whole.one.men.tolist() == [5, 0, 7, 0]
    assert whole.one.spent.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("columns", [PLACES, None])
def test_a_record_may_take_the_place_of_another(meadow, columns):
    """A part of one record put where another stood is new in all its fields."""
    part = meadow.part(columns)
    after = part.replace(one=part.other)
    assert after.changed == {"one.men", "one.spent"}
    whole = meadow.put(after.with_changes(lambda a: a), 4)
    assert whole.one.men.tolist() == ([5, 2, 7, 4] if columns is PLACES else [1, 2, 3, 4])
    assert whole.one._part is None


def test_a_field_that_does_not_exist_is_refused(fray):
    with pytest.raises(TypeError, match="Fray has no field wals"):
        fray.replace(wals=np.array([0]))
    for state in (fray, fray.part(PLACES)):
        with pytest.raises(AttributeError, match="wals"):
            np.asarray(state.wals)


@dataclass(frozen=True, kw_only=True)
class Crew(State):
    men: Ints = count()
    tired: Ints = flag()


@dataclass(frozen=True, kw_only=True)
class Ships(State):
    ours: Crew = record(men="our men", tired={1: "we are tired"})
    theirs: Crew = record(after="ours", men="their men")
    guns: tuple[Ints, ...] = counts("guns")
    lead: Ints = count()
    wind: Ints = code({1: "a fair wind", 2: "a storm"})
    rain: Ints = flag("it rains", after="theirs.men")


@dataclass(frozen=True, kw_only=True)
class Fleet(Ships):
    depth: Ints = number("{} fathoms")
    lead: Ints = number("we are ahead by {}", "they are ahead by {}")


FLEET = Fleet(ours=Crew(men=np.array([9])), theirs=Crew(), guns=(np.array([3]), np.array([4])))


def test_the_log_tells_fields_in_the_order_of_their_lines_or_after_another():
    assert [*Fleet.told.items()] == [
        ("ours.men", "our men"),
        ("theirs.men", "their men"),
        ("rain", {1: "it rains"}),
        ("ours.tired", {1: "we are tired"}),
        ("guns", "guns"),
        ("wind", {1: "a fair wind", 2: "a storm"}),
        ("depth", ("{} fathoms",)),
        ("lead", ("we are ahead by {}", "they are ahead by {}")),
    ]
    assert "lead" not in Ships.told
    assert dict(Crew.told) == {}


def test_a_field_with_new_words_keeps_its_place():
    assert [*Fleet.__dataclass_fields__] == ["ours", "theirs", "guns", "lead", "wind", "rain", "depth"]


def test_fields_start_at_0_each_with_an_array_of_its_own_but_for_what_the_start_gives():
    zeros = [FLEET.ours.tired, FLEET.theirs.men, FLEET.lead, FLEET.wind, FLEET.rain, FLEET.depth]
    assert [(zero.tolist(), zero.dtype) for zero in zeros] == [([0], np.int64)] * 6
    assert len({*map(id, zeros)}) == 6
    with pytest.raises(TypeError, match="guns"):
        Fleet(ours=FLEET.ours, theirs=FLEET.theirs)


def test_a_part_reads_its_own_array_of_a_field_that_starts_at_0():
    part = FLEET.replace(wind=np.array([0, 1, 2])).part(np.array([2]))
    assert part.wind.tolist() == [2]

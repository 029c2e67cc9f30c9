"""States, and parts of states."""

from dataclasses import dataclass

import numpy as np
import pytest

from sims.assault import State
from sims.dice import Ints


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


def test_a_field_that_does_not_exist_is_refused(fray):
    with pytest.raises(TypeError, match="Fray has no field wals"):
        fray.replace(wals=np.array([0]))
    for state in (fray, fray.part(PLACES)):
        with pytest.raises(AttributeError, match="wals"):
            state.wals  # noqa: B018

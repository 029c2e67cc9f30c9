"""Sweeps: design points named by their values, and every set of rules drawn."""

import pytest

from analysis.charts import sweep_chart
from analysis.sweep import SweepRow, sweep


def test_a_design_point_is_named_by_its_values():
    (name,) = {row.point for row in sweep("bunker-rush", ["storming"], "attackers.models", [12])}
    assert name == "storming/bunker-rush?attackers.models=12"


def test_a_sweep_has_every_level_and_more_attackers_do_better():
    rows = sweep("farmhouse", ["storming"], "attackers.models", [8, 20])
    captured = {row.level: row.value for row in rows if row.response == "p_captured"}
    assert list(captured) == [8, 20]
    assert captured[8] < captured[20]
    assert all(row.low is None for row in rows)


def test_doors_of_a_building_are_swept():
    rows = sweep("farmhouse", ["storming"], "building.doors", [1, 2])
    captured = {row.level: row.value for row in rows if row.response == "p_captured"}
    assert captured[1] != captured[2]
    as_it_is = sweep("farmhouse", ["storming"], "turns", [8])
    assert captured[2] == next(row.value for row in as_it_is if row.response == "p_captured")


@pytest.mark.parametrize("sampled", [False, True])
def test_every_set_of_rules_is_drawn_however_many(sampled):
    low, high = (0.1, 0.3) if sampled else (None, None)
    rows = [
        SweepRow(f"r{i}", f"rules {i}", level, "p_captured", 0.2, low, high) for i in range(9) for level in (5.0, 10.0)
    ]
    (axes,) = sweep_chart(rows, "p_captured", factor="attackers", title="Nine").axes
    assert [line.get_label() for line in axes.lines] == [f"rules {i}" for i in range(9)]
    assert [list(line.get_ydata()) for line in axes.lines] == [[0.2, 0.2]] * 9
    assert len(axes.collections) == (9 if sampled else 0)

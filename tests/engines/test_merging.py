"""Merging: equal states become one, also where a key of all their fields would not fit 63 bits."""

import numpy as np
import pytest

from sims.dice.tables import Radix
from sims.engines.merging import distinct, merge, summed


def states(luck: np.random.Generator, fields: int, size: int, most: int) -> np.ndarray:
    """Return some states, ``[fields, size]``, of which many are equal and whose fields are wide."""
    few = luck.integers(0, most, size=(fields, size // 4))
    few[:, :2] = [[0, most - 1]] * fields
    return few[:, luck.integers(size // 4, size=size)]


@pytest.mark.parametrize("drawn", [0, 3, 9])
@pytest.mark.parametrize("fields", [4, 9, 40])
def test_wide_states_are_merged_as_rows_are(fields, drawn):
    """As many fields as `drawn` have an axis of their own; NumPy sorts the same rows."""
    luck = np.random.default_rng([fields, drawn])
    moved = min(drawn, fields)
    still = states(luck, fields - moved, 60, 30_000) if fields > moved else np.zeros((0, 60), dtype=int)
    by_draw = states(luck, moved, 5 * 60, 30_000).reshape(moved, 5, 60) if moved else np.zeros((0, 5, 60), dtype=int)
    passed = states(luck, fields, 40, 30_000)
    joint, alone = luck.integers(0, 3, size=(5, 60)) / 4, luck.integers(1, 3, size=40) / 4
    groups = [([*still, *by_draw], joint), ([*passed], alone)]
    if fields > 4:
        with pytest.raises(OverflowError):
            Radix([*passed])

    rows = np.concatenate(
        [
            np.concatenate([np.broadcast_to(still[:, None], (fields - moved, 5, 60)), by_draw]).reshape(fields, -1),
            passed,
        ],
        axis=1,
    )
    weights = np.concatenate([joint.reshape(-1), alone])
    rows, weights = rows[:, weights > 0], weights[weights > 0]
    expected, place = np.unique(rows, axis=1, return_inverse=True)
    found = distinct(groups)
    assert found.size == expected.shape[1]
    order = np.lexsort(np.array(found.states)[::-1])
    assert np.array_equal(np.array(found.states)[:, order], expected)
    assert np.array_equal(np.array(found.states)[:, found.place], rows)
    assert merge(groups)[1][order].tolist() == summed(weights, place.reshape(-1), found.size).tolist()

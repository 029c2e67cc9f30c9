"""States of Realm of Chaos made by hand, in plain words, and read back: both sides by the names of the sections."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from sims.dice import Dice, ExactDice, Ints
from sims.forces import total
from sims.rulesets.realm_of_chaos.damage import collapse
from sims.rulesets.realm_of_chaos.order import start
from sims.rulesets.realm_of_chaos.state import Places, Scene, Siege


def no_dice() -> ExactDice:
    """Dice for what needs none."""
    return ExactDice(np.ones(1))


def names(scene: Scene, field: str) -> tuple[str, ...]:
    """What the parts of a field are called: its sections, or the columns that stand."""
    return scene.plan.names if field == "stands" else scene.plan.titles


def at(scene: Scene, **values: int | Mapping[str, int]) -> Siege:
    """The start, but for some fields; what has a number for each section is given by name, 0 where it is not named."""
    return start(scene).replace(
        **{
            field: places(scene, value, field) if isinstance(value, Mapping) else np.array([value])
            for field, value in values.items()
        }
    )


def places(scene: Scene, given: Mapping[str, int], field: str = "") -> Places:
    """A number for each section, 0 where it is not named."""
    assert {*given} <= {*names(scene, field)}
    return tuple(np.array([given.get(name, 0)]) for name in names(scene, field))


def where(scene: Scene, found: Places) -> dict[str, int]:
    """What is not 0 in the sections, by their names."""
    return {title: int(n.item()) for title, n in zip(scene.plan.titles, found, strict=True) if n.item()}


def read(state: Siege, scene: Scene, field: str) -> Ints:
    """A field of a state, such as "outside"; "inside A2" is that of a section, "inside" then that of all together."""
    name, _, part = field.partition(" ")
    found = getattr(state, name)
    if part:
        return found[names(scene, name).index(part)]
    return total(found) if isinstance(found, tuple) else found


def values(state: Siege, scene: Scene, *fields: str) -> tuple[int, ...]:
    """Some fields of a state in which nothing is left to chance."""
    return tuple(int(read(state, scene, field).item()) for field in fields)


def outcomes(rule: Any, state: Siege, scene: Scene, *fields: str) -> dict[tuple[int, ...], Fraction]:
    """Every outcome of a rule for one state, by some of its fields."""
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    after = rule(dice, state, scene)
    every = np.broadcast_arrays(dice.weights, *(read(after, scene, field) for field in fields))
    found: dict[tuple[int, ...], Fraction] = {}
    for weight, *key in zip(*(v.reshape(-1) for v in every), strict=True):
        if weight:
            found[tuple(int(k) for k in key)] = found.get(tuple(int(k) for k in key), Fraction(0)) + weight
    return found


def fall_in(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """A collapse: who is in a section that falls saves or is killed, the attackers first, and the column is gone."""
    for side in ("attackers", "defenders"):
        for i in scene.plan.deepest_first:
            if collapse.is_buried(i, side)(state, scene).any():
                state = collapse.bury(dice.within(f"{side} in {scene.plan.titles[i]}"), state, scene, i, side)
    return collapse.collapse(dice, state, scene)

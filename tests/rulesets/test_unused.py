"""The keys of a building that rules are told not to use change nothing, and all others change something: by play."""

import re
from functools import cache
from itertools import product
from typing import Any, get_args

import pytest

from sims.engines import COLUMNS, Engine, run
from sims.errors import CasemateError
from sims.profiles import Building
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario
from sims.words import NOT_MODELLED, NOT_USED

pytestmark = pytest.mark.slow

LEVELS: dict[str, list[Any]] = {
    "archetype": ["hut", "bunker", "keep"],
    "footprint": [[2, 2], [12, 12]],
    "material": ["wattle", "stone", "armour"],
    "military": [False, True],
    "doors": [1, 2, 5],
    "door": ["single", "barn"],
    "firing_points": [0, 1, 12],
    "firing_inches": [0, 1, 20],
    "capacity": [4, 14, 60],
    "levels": [1, 3],
    "weapons": [[], ["machine-gun"]],
    "armour": [7, 10, 14],
    "gemini.windows": [0, 3],
    "gemini.interior": ["hard_cover", "open"],
    "gemini.hull": [1, 9],
    "gemini.links": ["ladder"],
    "gemini.locked": [0, 1, 2],
    "gemini.gate": ["light_wooden", "vault"],
    "gemini.sides": [1, 2],
    "gemini.open": [True],
    "gemini.inner_doors": ["shut"],
    "realm_of_chaos.levels": [1, 3],
    "realm_of_chaos.ceiling": [8, 14],
    "realm_of_chaos.columns": [
        {"A": {"levels": ["brick"], "doors": ["single"]}},
        {"A": {"levels": ["stone", "stone"]}},
    ],
}
PLANS = [*product(get_args(AttackPlan), get_args(DefencePlan))]
FEW = {"attackers.models": 6, "defenders.models": 4, "turns": 2, "distance": 12}
"""So that every answer is exact at once."""
GAMES = {
    **{name: (name, FEW) for name in ("farmhouse", "bunker-rush", "keep-gate")},
    "a mortar": ("farmhouse", FEW | {"attackers.weapon": "mortar"}),
    "one floor": ("farmhouse", FEW | {"building.levels": 1}),
    "a crowd": ("farmhouse", FEW | {"defenders.models": 14, "turns": 3, "distance": 24}),
}
MORE = {
    "a wooden bunker": (
        "bunker-rush",
        FEW | {"building.material": "wood", "turns": 6, "attackers.models": 10, "defenders.models": 6},
    ),
    "a full house": ("farmhouse", {}),
    "a full house with one window": ("farmhouse", {"building.gemini.windows": 1}),
    "a tower": ("watchtower", {}),
}
"""Games too large for what is exact and tried often: walls come down, both sides are many, some are tall."""


def keys(rules: str) -> list[str]:
    """The keys of a building that rules can ask for."""
    own = Building.own_table(rules)
    return [key for key in Building.model_fields if key != "title"] + [
        f"{rules}.{key}" for key in (own.model_fields if own else ())
    ]


def game(name: str, plans: tuple[str, str], **changes: Any) -> Scenario:
    base, fixed = (GAMES | MORE)[name]
    changed = {f"building.{key}": value for key, value in changes.items()}
    return load_scenario(base, {**fixed, "attackers.plan": plans[0], "defenders.plan": plans[1], **changed})


@cache
def unused(rules: str, name: str, plans: tuple[str, str]) -> dict[str, str]:
    """What rules are told not to use of a building, with the remark to each."""
    told = rule_set(rules).assault(game(name, plans)).translation[NOT_USED]
    found = dict(re.fullmatch(r"([a-z ]+?)(?: \((.*)\))?", each).groups() for each in told.split(", "))
    by_name = {key: key.rpartition(".")[2].replace("_", " ") for key in keys(rules)}
    assert {*found} <= {*by_name.values()}
    return {key: found[name] for key, name in by_name.items() if name in found}


@cache
def plain(rules: str, name: str, plans: tuple[str, str], engine: Engine) -> dict[tuple[int, ...], float]:
    return outcomes(rules, game(name, plans), engine)


def outcomes(rules: str, scenario: Scenario, engine: Engine) -> dict[tuple[int, ...], float]:
    """The chance of each outcome; of those drawn how often each came, on the same dice whatever the building."""
    found = run(rule_set(rules).assault(scenario), engine=engine, trials=100, seed=1)
    columns = zip(*(found.columns[name].tolist() for name in COLUMNS), strict=True)
    return dict(zip(columns, found.probabilities.tolist(), strict=True))


def moved(rules: str, name: str, plans: tuple[str, str], key: str, level: Any, engine: Engine = "exact") -> float:
    """By how much the chance of any outcome moves with another level; not at all where that cannot be played."""
    try:
        other = outcomes(rules, game(name, plans, **{key: level}), engine)
    except CasemateError:
        return 0.0
    before = plain(rules, name, plans, engine)
    return max(abs(before.get(each, 0.0) - other.get(each, 0.0)) for each in {*before, *other})


def test_every_key_has_levels():
    assert {*LEVELS} == {key for rules in rule_set_ids() for key in keys(rules)}


def test_what_is_not_used_moves_nothing(rules, some):
    """Exactly; where a remark says until when that is so, less than a game in a thousand may move."""
    cases = [
        (name, plans, key, remark)
        for name, plans in product(GAMES, PLANS)
        for key, remark in unused(rules, name, plans).items()
    ]
    assert cases
    for name, plans, key, remark in some(cases, lambda case: (case[0], case[2]), lambda case: case[1]):
        far = max(
            moved(rules, name, plans, key, level) for level in LEVELS[key] if level or "beyond" not in str(remark)
        )
        assert far <= (0.001 if str(remark).startswith("until") else 1e-9), (name, plans, key)


@pytest.mark.parametrize("key", LEVELS)
def test_what_is_used_moves_something(rules, key):
    if key not in keys(rules):
        pytest.skip("these rules do not know it")
    cases = [(name, plans) for name, plans in product(GAMES | MORE, PLANS) if key not in unused(rules, name, plans)]
    silent = rule_set(rules).assault(load_scenario("bastion")).translation.get(NOT_MODELLED, "")
    if not cases or (key == "weapons" and "mounted Machine gun" in silent):
        return  # which is told
    assert any(moved(rules, *case, key, level, "sampled") for case in cases for level in LEVELS[key])

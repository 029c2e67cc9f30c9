"""Leaders and specials who are others than their men, where no brute force judges them: who falls spread, or drawn."""

from dataclasses import replace
from typing import get_args

import pytest

from analysis.told.fields import fields, with_given
from analysis.told.replay import effects, roll_lines
from sims.engines import play, solve
from sims.replay import replay
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, Scenario, load_scenario
from tests.rulesets.judging import ends_and_losses
from tests.rulesets.test_conformance import FALSE_ALARM, shares_agree

WHO = ("owner", "spread", "drawn")
MAN = {"WS": 3, "BS": 4, "S": 4, "T": 3, "I": 3, "A": 1, "Ld": 7, "Sv": 5, "move": 4}
PLANS = [(plan, defence, 1) for plan in get_args(AttackPlan) for defence in ("hold", "sally")] + [
    ("demolish", "hold", 0)
]
"""Plans, and doors of the building."""


def rules(who: str):
    ours = rule_set("realm_of_chaos")
    game = ours.book.game.with_rulings({"who_falls": who})
    book = ours.book.with_rulings({"models_in_a_fire": "hit", "arson": "at_the_walls"})
    return replace(ours, book=book.model_copy(update={"game": game}))


def led(plan: str, defence: str, doors: int, **others: dict[str, object]) -> Scenario:
    """A small assault of men, some of whom are others: the captain, his hammermen, the garrison's champion."""
    kinds = {
        name: {"title": name, **MAN, **others.get(name, {})} for name in ("man", "captain", "hammerman", "champion")
    }
    given = {
        "units": kinds,
        "weapons.brand": {"title": "Brand", "kind": "assault", "range": 8, "S": 4, "realm_of_chaos": {"flaming": True}},
        "weapons.ram": {"title": "Ram", "kind": "melee", "S": 10},
        "turns": 3 if doors else 4,
        "distance": 8,
        "attackers": {
            "unit": "man",
            "models": 4,
            "weapon": "brand",
            "leader": {"unit": "captain", "weapon": "brand"},
            "specials": [{"unit": "hammerman", "weapon": "brand", "melee": "ram", "count": 2}],
            "plan": plan,
            "first_in": "leader",
        },
        "defenders": {
            "unit": "man",
            "models": 3,
            "weapon": "brand",
            "leader": {"unit": "champion", "weapon": "brand"},
            "specials": [],
            "plan": defence,
        },
        "building.material": "wattle",
        "building.footprint": [8, 4],
        "building.doors": doors,
    }
    return load_scenario("farmhouse", given)


@pytest.mark.parametrize("who", WHO[1:])
@pytest.mark.parametrize("plans", PLANS, ids=str)
def test_who_differs_in_nothing_that_these_rules_know_falls_as_his_men_do(who, plans):
    """Invulnerable saves mean nothing here, and yet their bearers are told apart: all else goes on as it does alike."""
    charmed = {name: {"invulnerable": 4} for name in ("captain", "hammerman", "champion")}
    alike, apart = led(*plans), led(*plans, **charmed)
    assert [len(force.bodies) for force in (alike.attackers, apart.attackers, apart.defenders)] == [1, 2, 2]
    expected, found = (ends_and_losses(solve(rules(who).assault(game))) for game in (alike, apart))
    assert found == pytest.approx(expected, abs=1e-12)


OTHERS = {
    "captain": {"T": 4, "W": 3, "Sv": 3, "A": 2, "Ld": 9},
    "hammerman": {"T": 5, "W": 2, "Sv": None},
    "champion": {"T": 5, "W": 3, "Sv": 4, "A": 2},
}


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("plans", [PLANS[0], PLANS[4], PLANS[5], PLANS[6], PLANS[8]], ids=str)
def test_drawn_and_exact_shares_agree(who, plans):
    """Four counts for each engine, together below `FALSE_ALARM`."""
    assault, trials = rules(who).assault(led(*plans, **OTHERS)), 2**13
    exact = solve(assault)
    for engine in ("sampled", "rolled"):
        shares_agree(exact, play(assault, engine=engine, trials=trials, seed=23), FALSE_ALARM / 8)


def test_a_wounded_leader_is_told_and_can_be_given():
    assault = rules("owner").assault(led(*PLANS[8], **OTHERS))
    moves = [move for seed in range(30) for move in replay(assault, seed=seed).moves]
    told = {line for move in moves for line in effects(move)} | {roll_lines(roll)[0] for m in moves for roll in m.rolls}
    ours, theirs = (f"wounds on the {side}' leader and specials" for side in ("attackers", "defenders"))
    assert {f"{theirs}: 0 to 2", "body 1/wounds: 2"} <= told
    assert "fire from the building: man 1, hammerman 1" in told
    words = {f"{ours}, 2": 1, theirs: 2, "defenders": 1}
    found = fields(assault, with_given(assault, assault.start, words))
    assert {word: found[word].item() for word in words} == words
    assert found[ours] == 1
    alike = rules("owner").assault(led(*PLANS[8]))
    assert not [word for word in fields(alike, alike.start) if "leader and specials" in word]

"""Morale under fire in the storming rules, judged by a brute force that was written from the texts alone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sims.assault import Assault
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.storming.book import Storming
from sims.scenario import build
from tests.rulesets.judging import Case
from tests.rulesets.storming_nerve_cases import SETUPS, expected

IN_THE_GAME = {"under_fire", "reaching_the_edge", "sweeping_advance", "second_round", "wound_allocation"}


def written(setup: Mapping[str, Any]) -> str:
    """A set-up as a scenario file."""
    kind = 'kind = "jump infantry"' if setup["jump"] else ""
    thrown = 'grenades = ["assault"]' if setup["grenades"] else ""

    def unit(name: str, profile: Mapping[str, int], *more: str) -> str:
        return "\n".join([f'[units.{name}]\ntitle = "{name}"', *(f"{k} = {v}" for k, v in profile.items()), *more])

    def side(name: str, models: int, plan: str, arms: tuple[str, ...], leader: Any, specials: Mapping[str, int]) -> str:
        weapon, *melee = arms
        armed = f'weapon = "{weapon}"' + "".join(f', melee = "{each}"' for each in melee)
        guns = {"flamer": "flamer", "gunner": "machine-gun"}
        rows = ", ".join(f'{{ weapon = "{guns[who]}", count = {n} }}' for who, n in specials.items())
        led = f'leader = {{ unit = "{name}-leader", {armed} }}' if leader else ""
        return "\n".join(
            [
                f'[{name}]\nunit = "{name}"\nmodels = {models}\nplan = "{plan}"',
                armed.replace(", ", "\n"),
                f"specials = [{rows}]" if rows else "",
                led,
            ]
        )

    ours, theirs = setup["ours"], setup["theirs"]
    return "\n".join(
        [
            f'title = "Example"\ndistance = {setup["distance"]}\nturns = {setup["turns"]}\nfirst = "{setup["first"]}"',
            f"edge = {setup['edge']}",
            '[building]\ntitle = "House"\narchetype = "house"\nfootprint = [4, 4]\nmaterial = "brick"\ncapacity = 20',
            f"doors = {setup['doors']}\nfiring_points = {setup['firing_points']}\nweapons = {[*setup['mounted']]}",
            f"armour = {setup['armour']}" if setup["armour"] else "",
            side(
                "attackers",
                setup["attackers"],
                setup["plan"],
                setup["arms"],
                setup["our_leader"],
                setup["our_specials"],
            ),
            f'send = {setup["send"]}\nfirst_in = "leader"',
            side(
                "defenders",
                setup["defenders"],
                setup["defence"],
                setup["garrison_arms"],
                setup["their_leader"],
                setup["their_specials"],
            ),
            unit("attackers", ours, kind, thrown),
            unit("attackers-leader", setup["our_leader"] or ours, kind, thrown),
            unit("defenders", theirs),
            unit("defenders-leader", setup["their_leader"] or theirs),
        ]
    )


def ruled(setup: Mapping[str, Any]) -> Storming:
    """The book that a set-up is played by; those alike fall as their owner wants."""
    dice = {2: "two_dice", 3: "three_dice"}[setup["rulings"]["dice_after_storming"]]
    chosen = {k: v for k, v in setup["rulings"].items() if k in IN_THE_GAME}
    chosen |= {"who_falls": "owner", "jump_falling_back": dice}
    text = "[rulings]\n" + "".join(f'{k} = "{v}"\n' for k, v in chosen.items())
    if setup["building_class"] != "defensible":
        text += f'[tables.agreed]\nbuilding_class = "{setup["building_class"]}"\n'
    return Storming.load(parse("house.toml", text))


def game(setup: Mapping[str, Any]) -> Assault[Any, Any]:
    rules = replace(rule_set("storming"), book=ruled(setup))
    return rules.assault(build(parse("example.toml", written(setup)), "example"))


CASES = {
    name: Case(lambda setup=setup: game(setup), lambda name=name: expected(name)) for name, setup in SETUPS.items()
}


@pytest.mark.parametrize("name", CASES)
def test_a_whole_assault_is_what_brute_force_says(name):
    CASES[name].agree()

"""Morale under fire in the updated building rules, judged by a brute force that was written from the texts alone."""

import pytest

from tests.rulesets.gw_updated_cases import besieged
from tests.rulesets.gw_updated_nerve_cases import SETUPS, Given, expected, rulings
from tests.rulesets.judging import Case


def case(name: str, given: Given) -> Case:
    def play():
        return besieged(given.setup, archetype=given.archetype, plan=given.plan, rulings=rulings(name))

    return Case(play, lambda: expected(name))


CASES = {name: case(name, given) for name, given in SETUPS.items()}


@pytest.mark.parametrize("name", CASES)
def test_a_whole_assault_is_what_brute_force_says(name):
    CASES[name].agree()

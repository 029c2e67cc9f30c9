"""A leader with another Toughness, other Wounds or saves than his men: games that were written from the books judge him."""

import pytest

from tests.rulesets.led_setups import cases

ALIKE, LED = dict(cases(alike=True)), dict(cases())
BY_HIS_MEN = [name for name in LED if name.startswith("S08")]
"""Where it matters that a unit that runs or gives chase has the Initiative of its ordinary models (BASE-036)."""


@pytest.fixture
def name(request):
    """The name of a set-up; those by Gemini but the first take up to a minute each, and are for `make thorough`."""
    if (
        request.param.startswith("M")
        and not request.param.startswith("M1 ")
        and not request.config.getoption("thorough")
    ):
        pytest.skip("takes up to a minute: make thorough")
    return request.param


@pytest.mark.parametrize("name", ALIKE, indirect=True)
def test_who_falls_as_his_men_do_is_what_brute_force_says(name):
    ALIKE[name].agree()


@pytest.mark.parametrize("name", [name for name in LED if name not in BY_HIS_MEN], indirect=True)
def test_a_leader_falls_as_who_he_is(name):
    LED[name].agree()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a unit has the Initiative of its ordinary models")
@pytest.mark.parametrize("name", BY_HIS_MEN)
def test_those_who_run_have_the_initiative_that_most_have(name):
    LED[name].agree()

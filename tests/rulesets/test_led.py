"""A leader with another Toughness, other Wounds or saves than his men: games that were written from the books judge him.

No set of rules plays him as who he is yet, so what is judged is that they do not: once one does, its cases have to agree.
"""

import pytest

from tests.rulesets.led_setups import FANTASY, GEMINI, STORMING, UPDATED, WHO, cases

ALIKE, LED = dict(cases(alike=True)), dict(cases())
FIRST = (*STORMING, *FANTASY, *(name for name, *_ in GEMINI), *(f"{name}, {WHO[0]}" for name, *_ in UPDATED))
AS_TODAY = ("S00", "R00", "G7 ")
"""In whom it makes no difference: who is as his men are, or dies at once of all that hits him, as they do."""
OTHERS = [name for name in FIRST if name in LED and not name.startswith(AS_TODAY)]
"""Each as it is told first; its variants wait for the rules."""


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


@pytest.mark.parametrize("name", [name for name in LED if name.startswith(AS_TODAY)])
def test_where_it_makes_no_difference_who_he_is_it_is_what_brute_force_says(name):
    LED[name].agree()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a leader falls as if he were one of his men")
@pytest.mark.parametrize("name", OTHERS, indirect=True)
def test_a_leader_is_who_he_is(name):
    LED[name].agree()

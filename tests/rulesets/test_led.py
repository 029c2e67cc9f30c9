"""A leader with another Toughness, other Wounds or saves than his men: games that were written from the books judge him.

Not every set of rules plays him as who he is yet; of those others it is judged that they do not: once one does, its cases
have to agree.
"""

import pytest

from tests.rulesets.led_setups import FIRST, cases

ALIKE, LED = dict(cases(alike=True)), dict(cases())
AS_TODAY = ("S00", "R00", "G7 ")
"""In whom it makes no difference: who is as his men are, or dies at once of all that hits him, as they do."""
PLAYED = ("S", "G")
"""Rules that play a leader as who he is."""
BY_HIS_MEN = ("S08",)
"""Where it matters that a unit that runs or gives chase has the Initiative of its ordinary models (BASE-036)."""
OTHERS = [name for name in FIRST if name in LED and not name.startswith((*AS_TODAY, *PLAYED))]
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


@pytest.mark.parametrize(
    "name", [name for name in LED if name.startswith(PLAYED) and not name.startswith((*AS_TODAY, *BY_HIS_MEN))]
)
def test_a_leader_falls_as_who_he_is(name):
    LED[name].agree()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a unit has the Initiative of its ordinary models")
@pytest.mark.parametrize("name", [name for name in FIRST if name.startswith(BY_HIS_MEN)])
def test_the_initiative_of_those_who_run_is_that_of_most(name):
    LED[name].agree()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a leader falls as if he were one of his men")
@pytest.mark.parametrize("name", OTHERS, indirect=True)
def test_a_leader_is_who_he_is(name):
    LED[name].agree()

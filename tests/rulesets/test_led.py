"""A leader with another Toughness, other Wounds or saves than his men: games that were written from the books judge him.

No set of rules plays him as who he is yet, so what is judged is that they do not: once one does, its cases have to agree.
"""

import pytest

from tests.rulesets.led_cases import FANTASY, STORMING, cases

ALIKE, LED = dict(cases(alike=True)), dict(cases())
OTHERS = [name for name in (*STORMING, *FANTASY) if name in LED and not name.startswith(("S00", "R00"))]
"""Each as it is told first; its variants wait for the rules."""


@pytest.mark.parametrize("name", ALIKE)
def test_who_falls_as_his_men_do_is_what_brute_force_says(name):
    ALIKE[name].agree()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a leader falls as if he were one of his men")
@pytest.mark.parametrize("name", OTHERS)
def test_a_leader_is_who_he_is(name):
    LED[name].agree()

"""Models that do not fall alike under GW's updated rules: other rulings, and engines that draw."""

from dataclasses import replace

import pytest

from sims.engines import play, solve
from tests.rulesets.gw_updated_cases import CASES, case
from tests.rulesets.judging import mean
from tests.rulesets.led_setups import STORM, UPDATED, chief
from tests.rulesets.test_conformance import FALSE_ALARM, shares_agree

RULED = {
    "owner": ({"who": "owner"}, {"who_falls": "owner"}),
    "drawn for each wound": ({"who": "drawn", "drawn_afresh": True}, {"who_falls": "drawn"}),
    "nobody looks out": ({"look_out": False}, {"look_out": "no"}),
}


@pytest.mark.parametrize("ruled", RULED)
@pytest.mark.parametrize("name", ["G5", "G13", "G21"])
def test_who_is_played_as_who_he_is_under_other_rulings(name, ruled):
    plan, setup, rulings = next(how for title, *how in UPDATED if title.startswith(f"{name} "))
    changes, chosen = RULED[ruled]
    case(replace(setup, **changes), plan=plan, rulings=rulings | chosen).agree()


def test_a_leader_who_may_pass_wounds_on_lives_longer():
    look_out, alone = (
        case(replace(STORM, **chief("attackers", W=2)), rulings={"look_out": option}).result for option in ("yes", "no")
    )
    assert mean(look_out, "attackers_lost") > mean(alone, "attackers_lost")


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("name", ["mixed, under fire", "mixed, masonry", "mixed, both led"])
def test_drawn_and_exact_shares_agree_of_models_that_are_not_alike(name):
    """Four counts for each engine, together below `FALSE_ALARM`."""
    assault = CASES[name].assault
    for engine in ("sampled", "rolled"):
        shares_agree(solve(assault), play(assault, engine=engine, trials=2**13, seed=23), FALSE_ALARM / 8)

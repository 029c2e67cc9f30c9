"""What a position is worth, told."""

import pytest

from analysis.points.plans import Plans
from analysis.told.nearest import Fault
from analysis.told.position import Never, Position, Spread, TooLarge, Unknown, Worth
from analysis.told.position_words import about, best, opening, refusal, show, stands, taken
from sims.rulesets import rule_set
from sims.scenario import load_scenario

HOLD, SALLY = Plans("storm", "hold"), Plans("storm", "sally")
RULES = rule_set("storming")
CHANCES = {
    "destroyed": Spread(0, 0, 0),
    "captured": Spread(0.5, 0.5, 0.5),
    "broken": Spread(0.3, 0.2, 0.45),
    "held": Spread(0.2, 0.2, 0.2002),
}


def test_what_stands_there_is_told_and_of_what_is_not_there_how_much():
    assert stands({"attackers": 4, "the door is forced": True}) == "attackers 4, the door is forced"
    few = {"attackers": 4, "defenders": 0, "the door is forced": False}
    assert stands(few) == "attackers 4, defenders 0, not so: the door is forced"
    more = few | {"hull": 0, "burning": False}
    assert stands(more) == "attackers 4, defenders 0, not so: the door is forced, hull 0, not so: burning"
    assert stands(more | {"met": False}) == "attackers 4, defenders 0; 4 other things none or not so"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Never(RULES, {"distance": 2}), "This cannot be. The nearest that can: distance 2."),
        (
            Never(RULES, {"distance": 24}, {"distance": Fault(36, (0, 24))}),
            "This cannot be: distance 36 is too much (at most 24 here). The nearest that can: distance 24.",
        ),
        (
            Never(RULES, {"attackers": 1}, {"attackers": Fault(0, (1, 2))}),
            "This cannot be: attackers 0 is too few (at least 1). The nearest that can: attackers 1.",
        ),
        (
            Never(RULES, {"Armour Value": 9}, {"Armour Value": Fault(7, (0, 9, 10))}),
            "This cannot be: Armour Value 7 never comes up (it is 0, 9 or 10 here). The nearest that can: Armour Value 9.",
        ),
        (
            Never(RULES, {"burning": False}, {"burning": Fault(True, (False,))}),
            'This cannot be: "burning" never comes up while the game goes on. The nearest that can: not so: burning.',
        ),
        (
            Never(RULES, {"hull": 0}, {"hull": Fault(2, (0,))}),
            '"hull": this building has none under these rules.',
        ),
        (
            Never(RULES, {"wounds on the attackers": 0}, {"wounds on the attackers": Fault(2, (0,))}),
            '"wounds on the attackers": no model here has any under these rules.',
        ),
        (TooLarge(RULES, "too much"), "Not answered: too much."),
        (Unknown(RULES, ("one", "two")), 'These rules know nothing of "one", "two".'),
        (Unknown(RULES, tuple("abcde")), 'These rules know nothing of "a", "b", "c" and 2 things more.'),
    ],
)
def test_why_there_is_no_answer_is_told(answer, says):
    assert refusal(answer) == says


def test_by_which_plans_games_come_there_and_how_far_apart_they_lie():
    one = Worth(RULES, (HOLD,), 0.25, 1, {}, {}, {})
    assert about(one, HOLD) == "25.0 % of games played storm and hold come to it, in one way."
    several = Worth(RULES, (SALLY,), 0.25, 2, {}, {}, {})
    assert about(several, HOLD).startswith(
        "No game played storm and hold comes to it. 25.0 % of games played storm and sally come to it, in 2 ways. "
    )


def test_what_a_position_is_taken_as_is_said():
    so = {"distance": (2, 6), "the door is forced": (False, True), "the garrison is in the building": (True, True)}
    assert taken(Worth(RULES, (HOLD,), 0, 1, so, {}, {})) == (
        "Taken as: the door is forced or not, the garrison is in the building, distance 2 to 6, all else as at the start."
    )


def test_a_building_that_is_mostly_destroyed_is_said_to_be():
    at = Position(load_scenario("farmhouse"), 2, "attackers", {})

    def said(captured: float, destroyed: float) -> str:
        ends = {"captured": captured, "destroyed": destroyed, "broken": 0.0, "held": 1 - captured - destroyed}
        return opening(Worth(RULES, (HOLD,), 1, 1, {}, {}, {}, {"storm": captured}, ends), at)

    assert said(0.38, 0.06) == (
        "Under Storming buildings, the attackers capture the building in 38 of 100 games from here if both play their "
        "best; it is destroyed in 6 of 100 games."
    )
    assert said(0.38, 0.07).endswith("if both play their best: about even; it is destroyed in 7 of 100 games.")
    assert said(0.446, 0.0) == (
        "Under Storming buildings, the attackers capture the building in 45 of 100 games from here if both play their "
        "best: about even."
    )
    assert said(0.1, 0.6) == (
        "Under Storming buildings, the building is destroyed in 60 of 100 games from here if both play their best; "
        "the attackers capture it in 10 of 100 games."
    )
    assert said(0, 0) == (
        "Under Storming buildings, the attackers capture the building in no game from here if both play their best."
    )
    ends = {"captured": 0.1, "destroyed": 0.6}
    assert "captured 10.0 %, destroyed 60.0 % if both play their best" in best({"storm": 0.1}, "attackers", ends)


def test_ends_that_cannot_come_have_no_column_and_chances_that_are_one_no_range(capsys):
    answer = Worth(RULES, (HOLD,), 1, 2, {}, {}, {HOLD: CHANCES, SALLY: CHANCES | {"held": Spread(0.2, 0.2, 0.2)}})
    show(Position(load_scenario("farmhouse"), 2, "defenders", {}), [answer])
    out = capsys.readouterr().out
    assert "The farmhouse, turn 2, the defenders to move" in out
    assert "destroyed" not in out
    assert [out.count(said) for said in ("captured", "50.0 %", "30.0 %", "20.0\u201345.0", "20.0 %")] == [1, 2, 2, 2, 2]
    assert out.count("\u2013") == 2

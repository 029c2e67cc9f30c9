"""Odds to try, taken from the checks, and answers on one line."""

from fractions import Fraction

import pytest

from analysis.library.odds import asked_by, in_short, odds
from sims.answers import Answer
from sims.clauses import examples
from sims.dice import PMF
from sims.errors import CasemateError
from tests.checks import ask as ask_check
from tests.status import first_checks


@pytest.mark.parametrize("id", examples())
def test_an_example_of_a_clause_asks_what_one_of_its_checks_asks(id):
    assert [asked_by(text).answer for text in examples()[id]] == [ask_check(check) for check in first_checks()[id]]


def test_an_example_asks_what_its_clause_says():
    assert examples()["BASE-005"] == ("BASE-005 BS=2 twin_linked=yes",)
    assert asked_by("BASE-005 BS=2 twin_linked=yes").answer == Fraction(5, 9)


def test_what_is_asked_of_a_distribution_may_stand_anywhere():
    assert asked_by("ARAP-016 --ask 'P(=1)' die=D3").answer == Fraction(1, 3)


def test_who_leaves_out_an_input_is_shown_an_example():
    with pytest.raises(
        CasemateError, match=r"also needs BS=.*; for example: casemate odds BASE-005 BS=2 twin_linked=yes"
    ):
        odds("BASE-005")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Fraction(1, 3), "1/3 = 0.333333 = 33.3 %"),
        (True, "yes"),
        (PMF.of({0: 3, 1: 1}), "25.0 %"),
        (PMF.of({1: 1}), "100.0 %"),
        (PMF.of({2: 1, 3: 1, 7: 2}), "2 to 7, mean 4.75"),
        (PMF.of({-1: 1, 0: 1}), "-1 to 0, mean -0.5"),
        (PMF.of({0: 1, 1: 3, 2: 1}).named({0: "stands", 1: "falls", 2: "burns"}), "most often falls, 60.0 %"),
    ],
)
def test_an_answer_is_said_on_one_line(answer: Answer, said: str):
    assert in_short(answer) == said

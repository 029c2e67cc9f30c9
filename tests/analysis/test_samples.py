"""Odds to try for the page of rules, and answers on one line."""

from fractions import Fraction

import pytest

from analysis.library.odds import in_short
from analysis.library.search import sample
from sims.answers import Answer
from sims.dice import PMF
from sims.questions import question


@pytest.mark.parametrize(
    ("name", "rule", "given"),
    [
        ("armour save", "", {"save": 4}),  # a number or none
        ("attack on a building", "", {"occupied": True}),
        ("damage to the fabric", "", {"material": "stone", "S": 4}),
        ("tests until collapse", "", {"damage": 6}),  # fewer points are never rolled for
        ("to hit with BS", "With BS 6 or more", {"BS": 6}),
        ("damage roll", "AP2 adds 1, AP1 adds 2", {"AP": 2}),
        ("to hit with BS", "With ABS 6 or 7 BS more", {"BS": 4}),
    ],
)
def test_a_question_is_tried_with_numbers_first_words_and_what_its_rule_names(name, rule, given):
    asked = sample(question(name), rule)
    assert asked is not None
    assert {key: asked.inputs[key] for key in given} == given
    assert all(
        asked.inputs[each.name] == each.default for each in question(name).inputs.values() if each.name not in given
    )


def test_what_nobody_can_guess_is_not_tried():
    assert sample(question("failed cover save"), "") is None


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

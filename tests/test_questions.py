"""Asking: inputs as a person writes them, what is asked of a distribution, and answers as JSON."""

import contextlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from time import process_time
from typing import Literal

import numpy as np
import pytest

from sims.answers import as_json, check, reduce
from sims.clauses import clauses
from sims.dice import D6, GOAL, LEADERSHIP, PMF, Bools, Dice, Draw, Ints, Volley, passes, roll
from sims.errors import CasemateError
from sims.games.arap import Arap
from sims.inputs import NONE, Count, Input, Leadership, Piercing, Save, Strength, Toughness, Truth
from sims.questions import Question, _book, alias, meant, question, questions, questions_about
from sims.reading import parse
from sims.reads import Seen, watched
from sims.rulebook import Book, Ruling
from sims.rulesets import rule_set
from tests.rulesets.numbers_trials import examples

TWO = 2 @ PMF.die(6)


@pytest.mark.parametrize(
    ("ask", "expect"),
    [
        ("mean", 7),
        ("Mean", 7),
        ("variance", Fraction(35, 6)),
        ("median", 7),
        ("outcomes", 11),
        ("P(>=10)", Fraction(6, 36)),
        ("P(<=4)", Fraction(6, 36)),
        ("P(>10)", Fraction(3, 36)),
        ("P(<4)", Fraction(3, 36)),
        ("P(=7)", Fraction(6, 36)),
        (" p( >= 10 ) ", Fraction(6, 36)),
        ("P(3..5)", Fraction(9, 36)),
        ("P( 3 .. 5 )", Fraction(9, 36)),
        ("P(5..3)", 0),
        ("P(=-1)", 0),
        ("P(>-1)", 1),
    ],
)
def test_reduce(ask, expect):
    assert reduce(TWO, ask) == expect


@pytest.mark.parametrize("ask", ["", "mode", "P(10)", "P(>=ten)", "P(>=1.5)", "P(=>3)", "P(1...3)", "P(>=9999999999)"])
def test_reduce_says_what_can_be_asked(ask):
    with pytest.raises(CasemateError, match=r"expected mean, variance, median, .*P\(11\.\.16\)"):
        reduce(TWO, ask)


@pytest.mark.parametrize("answer", [Fraction(1, 6), 4, True, "text", [1, 2], frozenset({1})])
def test_only_distributions_are_reduced(answer):
    with pytest.raises(CasemateError, match="only be asked of a distribution"):
        reduce(answer, "mean")


@pytest.mark.parametrize(
    ("answer", "expect"),
    [
        (Fraction(1, 36), {"value": "1/36", "float": 1 / 36}),
        (Fraction(2), {"value": "2", "float": 2.0}),
        (4, {"value": "4", "float": 4.0}),
        (True, {"value": True}),
        ("claimed by A", {"value": "claimed by A"}),
        ([1, "a", Fraction(1, 2)], {"value": [1, "a", "1/2"]}),
        (frozenset({"A2", "A1"}), {"value": ["A1", "A2"]}),
        (frozenset({3, 1, 2}), {"value": [1, 2, 3]}),
        (PMF.of({2: 1, -1: 2}), {"pmf": {"-1": "2/3", "2": "1/3"}}),
    ],
)
def test_as_json(answer, expect):
    assert as_json(answer) == expect
    assert json.loads(json.dumps(as_json(answer))) == expect


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (int, " 4 ", 4),
        (int, "-2", -2),
        (Fraction, "25/8", Fraction(25, 8)),
        (Fraction, "2.5", Fraction(5, 2)),
        (bool, "yes", True),
        (bool, "No", False),
        (str, "titan", "titan"),
        (Literal["up", "down"], "down", "down"),
        (Literal[25, 40], "40", 40),
        (Literal["none"] | int, "none", "none"),
        (Literal["none"] | int, "3", 3),
        (int | None, "3", 3),
    ],
)
def test_inputs(kind, text, value):
    read = Input("it", kind, 0, "").read(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("kind", "text", "takes"),
    [
        (int, "4.5", "a whole number"),
        (int, "9" * 10, "a whole number of at most nine digits"),
        (Fraction, "1/0", "a number or fraction"),
        (bool, "maybe", "yes or no"),
        (Literal["up", "down"], "sideways", "up | down"),
        (Literal["none"] | int, "some", "none | a whole number"),
    ],
)
def test_inputs_that_do_not_fit(kind, text, takes):
    with pytest.raises(CasemateError) as error:
        Input("it", kind, 0, "").read(text)
    assert str(error.value) == f'it cannot be "{text}"; expected {takes}'


@dataclass(frozen=True)
class Aim:
    """Who is aimed at.

    Attributes:
        T: Toughness of the target.
    """

    T: Toughness
    Sv: Save = NONE


def volley(book: Arap, n: Count, at: Aim, AP: Piercing = NONE) -> Draw:
    """Return the shots that wound and are not saved."""
    pierced = np.asarray(AP) <= at.Sv
    return Draw(Volley((GOAL, GOAL.failed)), (n, np.minimum(at.T, 6), np.where(pierced, 7, at.Sv)))


def flight(dice: Dice, Ld: Leadership) -> Bools:
    """Return whether a unit runs."""
    return ~passes(dice, "nerve", LEADERSHIP, Ld)


def steps(dice: Dice, most: Count) -> Ints:
    """Return how far it goes."""
    return np.minimum(roll(dice, "first", D6) + roll(dice, "second", D6), most)


def strongest(S: Strength, other: Strength) -> Ints:
    """Return the higher Strength."""
    return np.maximum(S, other)


def test_what_many_rules_take_alike_is_described_once():
    inputs = Question((), "", volley).inputs
    assert {n: (i.takes, i.default) for n, i in inputs.items() if not i.required} == {
        "Sv": ("none | a whole number", "none"),
        "AP": ("none | a whole number", "none"),
    }
    assert [n for n, i in inputs.items() if i.required] == ["n", "T"]
    assert inputs["T"].doc == "Toughness of the target."
    assert inputs["n"].doc == "How many."


def halved(models: Count, covered: Truth = False) -> Ints:
    """Return how many models are left.

    Args:
        covered: Whether they are in cover: behind a wall, a hedge or whatever else stops what would have hit half of
            them.
    """
    return np.where(np.asarray(covered) > 0, models, np.asarray(models) // 2)


def test_a_truth_is_asked_with_yes_or_no():
    ask = Question((), "", halved)
    assert (ask.inputs["covered"].takes, ask.inputs["covered"].default) == ("yes or no", False)
    assert [ask.answer({"models": "7", **more}) for more in ({}, {"covered": "yes"}, {"covered": "no"})] == [3, 7, 3]


@dataclass(frozen=True)
class Wood:
    """What stands between.

    Attributes:
        trees, bushes: How many.
        depth (in inches): From the edge to those who
            are in it, e.g. 2: no more.
    """

    trees: int
    bushes: int
    depth: int


def seen(wood: Wood, far: int, models: Count) -> bool:
    """Return whether they are seen.

    Args:
        far: Inches.

    Raises:
        ValueError: If nobody is there.
    """
    return wood.depth < far < models


def test_descriptions_are_read_whole():
    assert Question((), "", halved).inputs["covered"].doc.endswith("would have hit half of them.")
    assert {name: given.doc for name, given in Question((), "", seen).inputs.items()} == {
        "trees": "How many.",
        "bushes": "How many.",
        "depth": "From the edge to those who are in it, e.g. 2: no more.",
        "far": "Inches.",
        "models": "How many.",
    }


def test_a_rule_that_throws_once_answers_with_its_distribution():
    """Three shots, wounding on 4+; no save, a save of 5+ (fails 4 times in 6), the same pierced."""
    ask = Question(("ST-030",), "", volley)
    assert ask.answer({"n": "3", "T": "4"}) == 3 @ PMF.chance(Fraction(1, 2))
    assert ask.answer({"n": "3", "T": "4", "Sv": "5"}) == 3 @ PMF.chance(Fraction(1, 3))
    assert ask.answer({"n": "3", "T": "4", "Sv": "5", "AP": "5"}) == 3 @ PMF.chance(Fraction(1, 2))
    assert ask.answer({"n": "3", "T": "4", "Sv": "none", "AP": "none"}) == 3 @ PMF.chance(Fraction(1, 2))


def test_a_rule_with_dice_is_answered_by_exact_dice():
    assert Question((), "", flight).answer({"Ld": "7"}) == Fraction(15, 36)
    assert Question((), "", steps).answer({"most": "4"}) == PMF.of({2: 1, 3: 2, 4: 33})
    assert Question((), "", steps, ask="mean").answer({"most": "12"}) == 7


def test_elementwise_rules_answer_with_plain_numbers():
    answer = Question((), "", strongest).answer({"S": "3", "other": "5"})
    assert answer == 5
    assert type(answer) is int


def test_numbers_out_of_bounds_are_refused_by_name():
    for given, message in (({"n": "61", "T": "4"}, "n cannot be 61; expected 0 to 60"), ({"n": "1", "T": "-1"}, "T ")):
        with pytest.raises(CasemateError, match=f"ST-030: {message}"):
            Question(("ST-030",), "", volley).answer(given)


def test_outcomes_are_asked_for_by_their_names():
    pmf = PMF.of({0: 3, 1: 2, 2: 1}).named({0: "passed", 1: "pinned", 2: "pinned"})
    assert reduce(pmf, "P(pinned)") == Fraction(1, 2)
    assert reduce(pmf, "p( Passed )") == Fraction(1, 2)
    with pytest.raises(CasemateError, match='no outcome is called "pined"; did you mean "pinned"'):
        reduce(pmf, "P(pined)")
    with pytest.raises(CasemateError, match=r"P\(11\.\.16\), or P\(\.\.\.\) of passed, pinned"):
        reduce(pmf, "mode")


def test_every_question_is_described():
    for asked in questions():
        assert {*asked.clauses, *asked.needs} <= clauses().keys()
        for given in asked.inputs.values():
            assert given.doc, f"{asked.name}: {given.name} is not described"
            assert given.doc.endswith("."), f"{asked.name}: {given.name} is described in half a sentence"
            assert given.takes, f"{asked.name}: {given.name} does not say what it takes"


def test_the_rulings_of_a_question_are_those_on_all_that_it_leans_on():
    """Of a whole storming the blows, which its own clause needs but at third hand, and those of its base game."""
    assert {"second_round", "charge_bonus", "blows", "cover_save"} <= question(
        "taken within so many stormings"
    ).rulings.keys()
    assert {"extended_saves", "extended_to_hit"} <= question("GB-148", {"BS"}).rulings.keys()


class Refusal(str):
    """Why a question has no answer."""


def answered(asked: Question, given: dict[str, str]) -> object:
    try:
        return asked.answer(given)
    except CasemateError as error:
        return Refusal(error)


def asked_about(asked: Question, given: dict[str, str], seen: Seen) -> Iterator[tuple[str, Ruling]]:
    """Yield the rulings of a question's book whose choice was looked at while it was answered: no other can matter."""
    kind = asked.books.get(given.get("edition", ""), asked.book)
    for name, ruling in _book(kind).all_rulings() if kind else ():
        if {"choice", "__dict__"} & seen.get(id(ruling), (None, set()))[1]:
            yield name, ruling


@pytest.mark.slow
def test_every_ruling_that_changes_an_answer_is_listed_with_its_question(some):
    """A question that fails here wants the clause of the ruling among the `needs` of its `asks`.

    The short form: of the examples in which a question looks at a ruling that is not listed, one.
    """
    looked_at = []
    for asked, given in examples():
        with watched() as seen:
            before = answered(asked, given)
        rulings = [*asked_about(asked, given, seen)]
        otherwise = (answered(asked, {**given, name: option}) for name, ruling in rulings for option in ruling.options)
        assert any(not isinstance(answer, Refusal) for answer in chain([before], otherwise)), f"does not fit: {before}"
        for name, ruling in rulings:
            if name not in {*asked.rulings, *asked.inputs}:
                looked_at.append((asked, given, before, name, ruling))
    hidden = {
        (asked.name, name, ruling.clause)
        for asked, given, before, name, ruling in some(looked_at, lambda case: (case[0].name, case[3]))
        if any(answered(asked, {**given, name: option}) != before for option in ruling.options)
    }
    assert hidden == set()


def test_names_of_questions_are_unique():
    names = [asked.name.lower() for asked in questions()]
    assert len(names) == len(set(names))


def test_a_question_is_found_by_clause_name_and_inputs():
    assert question("arap-016", {"die"}).name == "odd dice"
    assert question("ARAP-016", {"die", "face"}).name == "odd die as it fell"
    assert question("Odd Dice").name == "odd dice"
    assert question("ARAP-030", {"move", "crazed_distance"}).name == "crazed animal's move"


def test_of_equal_questions_the_one_that_lacks_fewest_is_meant():
    """One wants inches, the other nothing."""
    assert question("GW-026").inputs.keys() == {"own_turn", "escape_hatch", "pinned", "emergency"}
    assert question("GW-026", {"inches"}).name == "charge after leaving"


def test_where_the_inputs_do_not_tell_which_is_meant_the_names_are_listed():
    with pytest.raises(CasemateError) as error:
        question("GB-140")
    for name in (
        '"hits on a bunker" (hull= hits=)',
        '"Bunker Hits Table" (column=)',
        '"hits until a bunker collapses"',
    ):
        assert name in str(error.value)
    with pytest.raises(CasemateError, match='no question of GB-140 has an input "colum"; did you mean "column"'):
        question("GB-140", {"colum": "penetrating"})
    assert question("GB-140", {"hull", "hits"}).name == "hits on a bunker"
    assert question("GB-140", {"column"}).name == "Bunker Hits Table"
    assert [q.name for q in meant("GB-140", {"column"})] == ["Bunker Hits Table", "hits until a bunker collapses"]


def test_the_inputs_are_named_before_the_rulings():
    asked = question("assault grenades")
    inputs = "Sv, T, building_class, defenders, invulnerable, n"
    with pytest.raises(CasemateError, match=f'no input "foo"; expected one of {inputs}; or a ruling, .*cover_save'):
        asked.answer({"foo": "1"})
    with pytest.raises(CasemateError, match='did you mean "cover_save"'):
        asked.answer({"coversave": "best"})


@pytest.mark.parametrize(
    ("name", "given", "naming", "outcomes"),
    [
        (
            "Bunker Hits Table",
            {"column": "glancing", "damage": "1", "armed": "yes"},
            "result",
            {"shaken": "shaken", "stunned": "stunned", "structural": "structural", "collapse": "collapse"},
        ),
        ("shot at a bunker", {"S": "8", "AV": "12"}, "effect", {"a glancing hit": "glancing", "no effect": None}),
        ("face behind a D3", {"score": "2"}, "face", {3: "3", 4: "4"}),
        (
            "whole storming",
            {"fireteam": "2", "defenders": "3", "WS": "4", "S": "4", "T": "3", "Ld": "8"},
            "result",
            {who: who for who in ("attackers win", "draw", "defenders win")},
        ),
    ],
)
def test_an_outcome_that_is_not_named_is_any(name, given, naming, outcomes):
    """The distribution that is answered then has the chance of each outcome that can be named."""
    asked = question(name)
    everything = asked.answer(given)
    for outcome, named in outcomes.items():
        chance = reduce(everything, f"P(={outcome})" if isinstance(outcome, int) else f"P({outcome})")
        rest = 1 - asked.answer({**given, naming: "any"}) if named is None else asked.answer({**given, naming: named})
        assert chance == rest > 0


@pytest.mark.parametrize(
    ("name", "distributed"),
    [
        ("assault grenades", True),
        ("Armour Value", True),
        ("losses in a storming", True),
        ("whole storming", True),
        ("failed save against grenades", False),
        ("largest Fireteam", False),
        ("taken within so many stormings", False),
        ("weapon survives", False),
        ("class of a building", False),
    ],
)
def test_whether_a_question_answers_with_a_distribution_is_known_beforehand(name, distributed):
    assert question(name).distributed is distributed


def test_what_is_asked_is_checked_without_an_answer():
    for ask in ("mean", "P(>=10)", "P(3..5)", "P(pinned)"):
        check(ask)
    with pytest.raises(CasemateError, match="expected mean, variance"):
        check("P(>)")


def test_how_far_a_long_question_has_come_is_told():
    told = []
    given = {"stormings": "3", "squad": "2", "defenders": "1", "WS": "4", "S": "4", "T": "4", "Ld": "8"}
    question("taken within so many stormings").answer(given, None, lambda done, of: told.append((done, of)))
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_what_would_take_minutes_is_refused_at_once():
    crowd = {"stormings": "20", "squad": "20", "defenders": "20", "k": "3", "A": "3", "second_round": "yes"}
    begun = process_time()
    with pytest.raises(CasemateError, match="ST-043: this would take minutes; expected fewer models"):
        question("taken within so many stormings").answer({**crowd, "WS": "4", "S": "4", "T": "4", "Ld": "8"})
    assert process_time() - begun < 20


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("ARAP-005", {}, "also needs base= (a whole number)"),
        ("ARAP-005", {"bas": "3"}, 'has no input "bas"; did you mean "base"?'),
        ("ARAP-005", {"base": "three"}, 'base cannot be "three"; expected a whole number'),
        ("ARAP-005", {"base": "3", "extended_to_hit": "alowed"}, 'cannot be "alowed"; did you mean "allowed"?'),
        ("ARAP-005", {"base": "3", "extended_to_hit": "x'\n[a]"}, "expected one of allowed, impossible"),
        ("ARAP-003", {"dice": "2", "keep": "9"}, "between 1 and the 2 thrown, got 9"),
        ("ARAP-001", {}, "cannot be asked yet; 'casemate rules ARAP-001' shows"),
        ("ARAP-999", {}, 'there is no clause "ARAP-999"'),
        ("scater", {}, 'did you mean "scatter"?'),
    ],
)
def test_what_cannot_be_asked(name, given, message):
    with pytest.raises(CasemateError) as error:
        question(name, given).answer(given)
    assert message in str(error.value)


def test_two_rulings_are_switched_at_once():
    """A pinning test that is no morale check and so has no automatic pass on a double 1: neither alone does that."""
    given = {"target": "1", "test": "pinning"}
    rulings = {"double_one": "morale_checks", "pinning_class": "plain"}
    asked = question("Leadership test")
    assert [asked.answer({**given, name: choice}) for name, choice in rulings.items()] == [Fraction(1, 36)] * 2
    assert asked.answer({**given, **rulings}) == 0


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("whole storming", {"fireteam": "900"}, "fireteam cannot be 900; expected 0 to 20"),
        ("whole storming", {"T": "0"}, "T cannot be 0; expected greater than or equal to 1"),
        ("armour rolls", {"occupied": "999999999"}, "occupied cannot be 999999999; expected 0 to 1000"),
        (
            "viable access points",
            {"distances": "near"},
            'distances cannot be "near"; expected inches such as "1, 2, 3"',
        ),
    ],
)
def test_numbers_that_nobody_would_wait_for_are_refused(name, given, message):
    storming = {"result": "draw", "fireteam": "1", "defenders": "1", "WS": "3", "S": "3", "T": "3", "Ld": "7"}
    with pytest.raises(CasemateError, match=re.escape(message)):
        question(name).answer((storming if name == "whole storming" else {}) | given)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("models at a single opening", {"side", "models"}),
        ("lead at a single opening", {"attackers", "defenders"}),
        ("flinch", {"gap"}),
        ("engaged after a flinch", {"gap", "loser", "winner"}),
    ],
)
def test_what_a_stage_alone_decides_is_no_input(name, inputs):
    """Whether there is a fight at a single opening, or a flinch, is not for who asks what it comes to."""
    assert {*question(name).inputs} == inputs


LIKELY, EXTREME = (0, 1, 2, 3, 4, 5, 6, 7, 9, 12), (-(10**9), -7, -1, 20, 60, 100, 1000, 10**6, 10**9, 2**63, 10**30)


@pytest.mark.slow
def test_no_number_gives_a_traceback():
    """Every question with a dozen sets of numbers, likely and not: an answer, or an error in words."""
    chance = random.Random(1)
    for ask, _ in product(questions(), range(12)):
        given = {}
        for name, wanted in ask.inputs.items():
            if wanted.required or chance.random() < 0.5:
                choices = [c for c in wanted.takes.split(" | ") if " " not in c]
                numbers = choices or (LIKELY if chance.random() < 0.6 else EXTREME)
                given[name] = str(chance.choice(numbers))
        with contextlib.suppress(CasemateError):
            ask.answer(given)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("building sections", {"width": "-7", "length": "0"}, "width cannot be -7"),
        ("weapon survives", {"w": "0"}, "w cannot be 0"),
        ("weapon survives", {"w": "4", "m": "-7"}, "m cannot be -7"),
        ("embark", {"models": "-3", "capacity": "2"}, "models cannot be -3"),
        ("winner of a storming", {"by_attackers": "-1", "by_defenders": "2"}, "by_attackers cannot be -1"),
        (
            "alive to strike",
            {"attacks": "3", "kills": "5", "I": "4", "target_I": "3"},
            "kills cannot be 5; expected 0 to 1",
        ),
        ("turn that ends by a bust", {"I": "4", "thrown": "3", "picked_up": "3"}, "picked_up cannot be 3"),
        ("turn that ends by a bust", {"I": "4", "thrown": "3", "picked_up": "-1/2"}, "picked_up cannot be -1/2"),
        ("taken within so many storms", {"chance": "7/2", "storms": "2"}, "chance cannot be 7/2; expected 0 to 1"),
        ("hull points", {"capacity": "-5"}, "capacity cannot be -5"),
        ("hull points", {"capacity": "10", "profile": "-3"}, "profile cannot be -3; expected 1 to 60"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(name, given, message):
    with pytest.raises(CasemateError, match=message):
        question(name).answer(given)


def house(base: str, change: str) -> Book:
    book = type(rule_set(base).book).load(parse("house.toml", change))
    return book.model_copy(update={"ruleset": book.ruleset.model_copy(update={"title": "House"})})


def test_a_question_that_takes_an_edition_takes_the_book_of_a_house_rule():
    """Its edition is that of the rules that it changes: 9 inches out under the 6th, and a 5th-edition cover of 2+."""
    far = house("gw_updated", "tables.movement.disembark = 9")
    assert [question("disembark").answer({"edition": e}, None) for e in ("5th", "6th")] == [2, 6]
    assert question("disembark").answer({}, far) == question("disembark").answer({"edition": "6th"}, far) == 9
    with pytest.raises(CasemateError, match="edition cannot be 5th under House; expected 6th, or none"):
        question("disembark").answer({"edition": "5th"}, far)
    sure = house("storming", "tables.cover.saves.ruins = 2")
    assert question("failed cover save").answer({"cover": "ruins"}, sure) == Fraction(1, 6)
    assert question("charge").answer({"distance": "7"}, far) == Fraction(21, 36)
    with pytest.raises(CasemateError, match="is not a question of House; it reads"):
        question("disembark").answer({}, house("gemini", "tables.hull_points.larger = 6"))


def test_nobody_takes_a_building_within_no_stormings():
    given = {"stormings": "0", "squad": "3", "defenders": "2", "WS": "4", "S": "4", "T": "4", "Ld": "8"}
    assert question("taken within so many stormings").answer(given) == 0


def test_each_question_has_an_alias_of_its_own():
    """The name as it is typed without quotes; no id of a clause reads like it."""
    aliases = [alias(q) for q in questions()]
    assert len({*aliases, *(id.lower() for id in clauses())}) == len(aliases) + len(clauses())
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", each) for each in aliases)
    for asked in questions():
        assert questions_about(alias(asked)) == questions_about(asked.name) == [asked]

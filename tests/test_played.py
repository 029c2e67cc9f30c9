"""What tells asked from played: rules made up here, some played, some only asked."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sims.dice import D6, GOAL, PMF, Dice, Draw, Ints, Volley, exactly, roll, together
from sims.dice.mechanics import Cast
from sims.rulebook import Ruling, Table
from sims.rulesets import rule_set
from tests.played import Tracer, books


class Grenade(Table):
    S: int


@dataclass(frozen=True)
class Splinters:
    """A mechanic of the rules' own."""

    arity = 1

    def pmf(self, *arguments: int) -> PMF:
        return PMF.die(6).cap(arguments[0])

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        raise NotImplementedError


GRENADE = Grenade(source="a book", S=3)
TWICE = Ruling(clause="XX-001", question="twice?", choice="no", options={"yes": "", "no": ""})
DICE = {"GOAL": GOAL}


def need(S: int, T: int) -> int:
    return max(2, 4 + T - S)


def thrown(table: Grenade, n: int, T: int) -> Draw:
    """The rule that is played."""
    return Draw(Volley((GOAL,)), (n, need(table.S, T)))


def thrown_again(table: Grenade, n: int, T: int) -> Draw:
    """The same, written twice."""
    return Draw(Volley((GOAL,)), (n, need(table.S, T)))


def with_its_own_number(n: int, T: int) -> PMF:
    return hits(n, need(4, T))


def hits(n: int, needed: int) -> PMF:
    return Draw(Volley((GOAL,)), (n, needed)).pmf


def mixed(table: Grenade) -> PMF:
    few, many = thrown(table, 1, 3), together(thrown(table, n, 4).up_to(2) for n in (2, 3))
    return PMF.mixture((Fraction(1, 2), pmf.map(lambda k: k + 1)) for pmf in (few.pmf, many.pmf))


def read_by_itself(table: Grenade) -> PMF:
    return PMF.mixture((Fraction(1, 2), thrown(table, n, 4).pmf) for n in (table.S, 2))


def ruled_by_itself(table: Grenade) -> Draw:
    return thrown(table, 2 if TWICE("yes") else 1, 3)


def named_by_itself(table: Grenade) -> Any:
    return thrown(table, 1, 3), [GOAL for _ in range(1)]


def chosen_by_itself(table: Grenade) -> Fraction:
    return thrown(table, 1, 3).pmf.mean * DICE["GOAL"].chance(4)


def made_by_itself(table: Grenade) -> PMF:
    return thrown(table, 1, 3).pmf + PMF.die(6)


def scored(dice: Dice, table: Grenade) -> Ints:
    return thrown(table, 1, 3).made(dice, "grenade") + roll(dice, "more", D6)


def splintered(n: int) -> PMF:
    return Draw(Splinters(), (n,)).pmf


def translation() -> PMF:
    return hits(2, 4)


def nothing() -> int:
    return 2


CHANCES = {
    "high": lambda n: GOAL.chance(n),
    "low": lambda n: 1 - GOAL.chance(n),
}


PLAYED = (lambda: thrown(GRENADE, 2, 4), lambda: exactly(scored, GRENADE))


def kept_from(question: Callable[[], Any], *, playing: tuple[Callable[[], Any], ...] = PLAYED) -> list[str]:
    """Return what keeps a question from being played, of the assaults given."""
    tracer = Tracer((__name__,))
    with tracer.running() as played:
        for assault in playing:
            assault()
    with tracer.running() as ran:
        question()
    return [why.removeprefix(f"{__name__}.") for why in tracer.unplayed(ran, played)]


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (lambda: thrown(GRENADE, 1, 3), []),
        (lambda: mixed(GRENADE), []),
        (lambda: exactly(scored, GRENADE), []),
        (lambda: thrown_again(GRENADE, 1, 3), ["thrown_again names Volley"]),
        (lambda: with_its_own_number(1, 3), ["hits names Volley"]),
        (lambda: read_by_itself(GRENADE), ["read_by_itself reads Grenade.S"]),
        (lambda: ruled_by_itself(GRENADE), ["ruled_by_itself asks a ruling"]),
        (lambda: named_by_itself(GRENADE), ["named_by_itself names GOAL"]),
        (lambda: chosen_by_itself(GRENADE), ["chosen_by_itself calls _goal_chance of sims.dice.targets"]),
        (lambda: made_by_itself(GRENADE), ["made_by_itself calls PMF.die of sims.dice.pmf"]),
        (nothing, ["nothing that plays runs"]),
    ],
)
def test_what_is_asked_of_other_code_than_is_played_is_told(question, why):
    assert kept_from(question) == why


def test_a_rule_is_played_only_if_an_assault_comes_to_it():
    assert kept_from(lambda: thrown(GRENADE, 1, 3), playing=(nothing,))
    assert not kept_from(lambda: hits(1, 3), playing=(lambda: hits(2, 4),))


def test_functions_without_a_name_are_told_apart():
    assert not kept_from(lambda: CHANCES["high"](2), playing=(lambda: CHANCES["high"](3),))
    assert kept_from(lambda: CHANCES["low"](2), playing=(lambda: CHANCES["high"](3),))


@dataclass(frozen=True)
class Aim:
    """What a shot is given together."""

    T: int
    cover: str = "none"


def aimed(n: int, at: Aim, moved: Any = False) -> PMF:
    """A rule with a number, a record and a truth, elementwise."""
    return hits(n, at.T)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (lambda: aimed(3, Aim(5)), []),
        (lambda: aimed(3, Aim(5), moved=True), ["aimed is only played with moved = False"]),
        (lambda: aimed(3, Aim(5, "wood")), ["aimed is only played with at.cover = none"]),
        (lambda: aimed(3, Aim(5), moved=np.array([0, 1])), ["aimed is only played with moved = False"]),
        (lambda: aimed(3, Aim(5), moved=np.array([0, 0])), []),
    ],
)
def test_what_is_given_otherwise_than_in_play_is_told(asked, why):
    """Another number is only another number."""
    assert kept_from(asked, playing=(lambda: aimed(2, Aim(4)), lambda: aimed(2, Aim(4)))) == why
    varied = (lambda: aimed(2, Aim(4, "wall")), lambda: aimed(2, Aim(4), moved=np.array([True, False])))
    assert kept_from(asked, playing=varied) == []


def test_nothing_is_not_only_another_number():
    assert kept_from(lambda: hits(3, 4), playing=(lambda: hits(0, 4),)) == ["hits is only played with n = 0"]
    assert kept_from(lambda: hits(3, 4), playing=(lambda: hits(0, 4), lambda: hits(1, 4))) == []


def test_what_the_translation_gives_is_not_given_in_play():
    told = kept_from(lambda: hits(3, 4), playing=(translation, lambda: hits(0, 4)))
    assert told == ["hits is only played with n = 0"]


def test_what_only_words_the_translation_is_not_played():
    assert kept_from(lambda: hits(2, 4), playing=(translation, nothing))


def test_what_is_remembered_is_seen_to_run_all_the_same():
    splintered(2)
    assert not kept_from(lambda: splintered(2), playing=(lambda: splintered(2),))
    tracer = Tracer((__name__,))
    for _ in range(2):
        with tracer.running() as ran:
            splintered(2)
        assert f"{__name__}.Splinters.pmf" in ran.rules


def test_every_option_of_every_ruling_is_played_under_some_book(rules):
    every = rule_set(rules)
    played = [dict(book.all_rulings()) for book in books(every)]
    assert played[0] == dict(every.book.all_rulings())
    for name, ruling in every.book.all_rulings():
        assert {rulings[name].choice for rulings in played} == set(ruling.options)

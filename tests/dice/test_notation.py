"""Dice as players write them, against brute force; and what is said of bad notation."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dice import PMF, notation, parse_die, parse_notation
from sims.dice.notation import EXAMPLES, MAX_TEXT
from sims.errors import CasemateError
from sims.games.common import D3
from tests import oracle


def chance(p: Fraction) -> oracle.Chances:
    return {k: w for k, w in ((0, 1 - p), (1, p)) if w}


SUMS = [
    ("D6", [6], lambda a: a),
    ("2D6", [6, 6], lambda a, b: a + b),
    ("3D6+2", [6] * 3, lambda *f: sum(f) + 2),
    ("2D6-4", [6, 6], lambda a, b: a + b - 4),
    ("5xD3", [6], lambda a: 5 * oracle.d3(a)),
    ("D3x5", [6], lambda a: 5 * oracle.d3(a)),
    ("5×D3", [6], lambda a: 5 * oracle.d3(a)),
    ("2D6*10", [6, 6], lambda a, b: 10 * (a + b)),
    ("D66", [6, 6], oracle.d66),
    ("D100", [10, 10], oracle.d100),
    ("D3", [6], oracle.d3),
    ("D5", [10], oracle.d5),
    ("D2", [6], oracle.d2),
    ("D10", [10], lambda a: a),
    ("AvD", [6], oracle.average),
    ("2AvD", [6, 6], lambda a, b: oracle.average(a) + oracle.average(b)),
    ("R4D6P2 up", [6] * 4, oracle.picked(2, True)),
    ("R3D6P2 down", [6] * 3, oracle.picked(2, False)),
    ("R3D6P2↓", [6] * 3, oracle.picked(2, False)),
    ("R2D6P1↑", [6] * 2, oracle.picked(1, True)),
    ("R2D6P1 up", [6] * 2, oracle.picked(1, True)),
    ("D6+D3", [6, 6], lambda a, b: a + oracle.d3(b)),
    ("D6 - D3 + 2", [6, 6], lambda a, b: a - oracle.d3(b) + 2),
    ("2D6+R2D6P1 down", [6] * 4, lambda a, b, c, d: a + b + min(c, d)),
    ("4-D6", [6], lambda a: 4 - a),
    ("scatter", [6, 6], oracle.scatter),
    ("scatter, double or 7", [6, 6], oracle.scatter_as_gw),
    ("scatter only", [6, 6], oracle.scatter_only),
    ("scatter-4", [6, 6], oracle.scatter_less(4)),
    ("scatter + 1", [6, 6], oracle.scatter_less(-1)),
    ("short scatter", [6, 6], oracle.short_scatter),
    ("Short  Scatter only", [6, 6], oracle.short_scatter_only),
    ("three-dice scatter", [6] * 3, oracle.three_dice(oracle.top_two_match)),
    ("veer", [6, 6], oracle.veer),
    ("crazed animal", [6, 6], oracle.crazed),
]


@pytest.mark.parametrize(("text", "sides", "score"), SUMS, ids=[text for text, _, _ in SUMS])
def test_dice(text, sides, score):
    expected = oracle.scored(sides, score)
    assert dict(parse_notation(text)) == expected
    assert dict(parse_notation(text.upper())) == expected
    assert dict(parse_notation(f"  {text.lower()} ")) == expected


def test_spaces_are_free():
    assert parse_notation("R 4 D 6 P 2 up + 3 x D 3") == parse_notation("r4d6p2up+3xd3")


TARGETS = {
    "1+": oracle.passing("HIGH", 1),
    "3+": oracle.passing("HIGH", 3),
    "6+": oracle.passing("HIGH", 6),
    "7+": oracle.passing("HIGH", 7),
    "10+": Fraction(0),
    "6/4+": oracle.passing("HIGH", 7),
    "6/5+": oracle.passing("HIGH", 8),
    "6/6": oracle.passing("HIGH", 9),
    "4-": oracle.passing("LOW", 4),
    "6-": oracle.passing("LOW", 6),
    "1/3-": oracle.passing("LOW", 0),
    "1/2-": oracle.passing("LOW", -1),
    "1/1": oracle.passing("LOW", -2),
    "0-": oracle.passing("LOW", 0),
}


@pytest.mark.parametrize("text", TARGETS)
def test_targets(text):
    assert dict(parse_notation(text)) == chance(TARGETS[text])


def test_volleys():
    assert dict(parse_notation("5@4+")) == oracle.volley(5, oracle.passing("HIGH", 4))
    assert dict(parse_notation("4 @ 4- @ 3+")) == oracle.volley(4, TARGETS["4-"], TARGETS["3+"])
    assert dict(parse_notation("3@1/3-@6/4+")) == oracle.volley(3, TARGETS["1/3-"], TARGETS["6/4+"])
    hits = oracle.scored([6], oracle.d3)
    assert dict(parse_notation("D3@3+")) == oracle.bursts(1, hits, TARGETS["3+"])
    assert parse_notation("10@10+")[0] == 1


@given(n=st.integers(1, 30), sides=st.integers(1, 12), plus=st.integers(0, 20))
def test_mean_of_what_is_written(n, sides, plus):
    pmf = parse_notation(f"{n}D{sides}+{plus}")
    assert sum(pmf.chances) == 1
    assert pmf.mean == Fraction(n * (sides + 1), 2) + plus


BAD = [
    ("", 'read ""', "stopped at the end", "dice"),
    ("   ", 'read ""', "stopped at the end", "dice"),
    ("0D6", 'read ""', 'stopped at "0D6"', "above zero"),
    ("0AvD", 'read ""', 'stopped at "0AvD"', "above zero"),
    ("0xD6", 'read ""', 'stopped at "0xD6"', "above zero"),
    ("D0", 'read "D"', 'stopped at "0"', "above zero"),
    ("D", 'read "D"', "stopped at the end", "a number"),
    ("2D6+", 'read "2D6+"', "stopped at the end", "dice"),
    ("2D6++3", 'read "2D6+"', 'stopped at "+3"', "dice"),
    ("2D6 hello", 'read "2D6"', 'stopped at "hello"', "the end"),
    ("hello", 'read ""', 'stopped at "hello"', "dice"),
    ("2D66", 'read "2D"', 'stopped at "66"', "D66"),
    ("D1001", 'read "D"', 'stopped at "1001"', "1000 sides"),
    ("R2D6P3 up", 'read "R2D6P"', 'stopped at "3 up"', "the 2 dice thrown"),
    ("R2D6P0 up", 'read "R2D6P"', 'stopped at "0 up"', "above zero"),
    ("R3D6P2", 'read "R3D6P2"', "stopped at the end", "up or down"),
    ("R3D6", 'read "R3D6"', "stopped at the end", '"P"'),
    ("3R3D6P2 up", 'read "3"', 'stopped at "R3D6P2 up"', "the end"),
    ("10@", 'read "10@"', "stopped at the end", "a target"),
    ("10@4", 'read "10@"', 'stopped at "4"', "a target"),
    ("6/7+", 'read "6"', 'stopped at "/7+"', "the end"),
    ("3+4+", 'read "3+4+"', "stopped at the end", "dice"),
    ("-3", 'read ""', 'stopped at "-3"', "dice"),
    ("D6x", 'read "D6x"', "stopped at the end", "a number"),
    ("1234567890D6", 'read ""', 'stopped at "1234567890D6"', "9 digits"),
    ("2 3D6", 'read "2"', 'stopped at "3D6"', "the end"),
    ("__import__('os')", 'read ""', "stopped at", "dice"),
    ("²D6", 'read ""', "stopped at", "dice"),
]


@pytest.mark.parametrize(("text", "read", "stopped", "expected"), BAD)
def test_bad_notation(text, read, stopped, expected):
    with pytest.raises(CasemateError) as error:
        parse_notation(text)
    said = str(error.value)
    assert f'"{text}" is not dice notation' in said
    assert read in said
    assert stopped in said
    assert expected in said.split("; expected ")[1]


@pytest.mark.parametrize(
    "text",
    ["999999999D6", "999999999@4+", "999999999AvD", "R999999999D6P2 up", "700D6@4+", "600D6+600D6", "99999D1000"],
)
def test_absurd_sizes_are_refused(text):
    with pytest.raises(CasemateError, match="expected at most"):
        parse_notation(text)


def test_long_text_is_refused():
    with pytest.raises(CasemateError, match=f"too long; expected at most {MAX_TEXT}"):
        parse_notation("+".join(["D6"] * MAX_TEXT))


@given(st.text(alphabet="0123469dDrRpPxX@+-/ avupscter↑", max_size=14))
def test_any_text_is_read_or_refused_in_words(text):
    try:
        total, said = sum(parse_notation(text).chances), "expected"
    except CasemateError as error:
        total, said = 1, str(error)
    assert total == 1
    assert "expected" in said


THROWN = [
    "D6",
    "D2",
    "D10",
    "AvD",
    "2D6",
    "3D2",
    "6D6",
    "D6+1",
    "2D6-2",
    "R3D6P2 down",
    "r4d6p1 up",
    "D6 + 54",
    "0",
    "7",
    "60",
]


@pytest.mark.parametrize("text", THROWN)
def test_dice_that_are_thrown_are_those_that_are_reckoned_with(text):
    """Every way the faces can fall, read, against the distribution of the same text."""
    read = parse_die(text)
    faces = product(*(range(1, sides + 1) for sides in read.sides))
    ways = Counter(int(read.read(*map(np.array, fallen))) for fallen in faces)
    assert PMF.of(ways) == read.pmf == parse_notation(text)
    assert parse_die(read.name) == parse_die(read.name)
    assert parse_die(read.name).pmf == read.pmf


def test_a_d3_is_read_as_the_book_reads_it():
    assert [int(parse_die("D3").read(np.array(face))) for face in range(1, 7)] == [1, 2, 3, 1, 2, 3]
    assert [int(parse_die("D3", D3).read(np.array(face))) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert parse_die("2D3", D3).pmf == parse_notation("2D3")


@pytest.mark.parametrize(
    "text",
    ["", "D", "D7", "7D6", "0D6", "D6-2", "61", "6D10+1", "R3D6P4 up", "R2D6P0 up", "D66", "3+", "x" * 99, "9" * 60],
)
def test_dice_that_are_not_thrown(text):
    with pytest.raises(CasemateError, match="expected dice such as D3, 2D6"):
        parse_die(text)


FACES = range(1, 7)


def by_hand(passes, dice: int, again) -> Fraction:
    """The chance of a test whose throw is taken once more where `again` says so, over all faces of both throws."""
    throws = list(product(FACES, repeat=dice))
    good = sum(passes(*(second if again(*first) else first)) for first in throws for second in throws)
    return Fraction(good, len(throws) ** 2)


def _confirmed(a: int, b: int) -> bool:
    return a == 6 and b >= 4


@pytest.mark.parametrize("reroll", ["reroll", "re-roll", "REROLL"])
@pytest.mark.parametrize(
    ("text", "passes", "dice"),
    [
        ("4+", lambda a: a >= 4, 1),
        ("2-", lambda a: a <= 2, 1),
        ("6/4+", _confirmed, 2),
        ("Ld8", lambda a, b: a + b <= 8, 2),
        ("ld 5", lambda a, b: a + b <= 5, 2),
        ("Ld1", lambda a, b: a + b == 2, 2),
    ],
)
def test_a_test_is_taken_once_more_if_it_fails(text, passes, dice, reroll):
    assert parse_notation(text) == PMF.chance(by_hand(passes, dice, lambda *_: False))
    assert parse_notation(f"{text} {reroll}") == PMF.chance(by_hand(passes, dice, lambda *first: not passes(*first)))


@pytest.mark.parametrize(("text", "passes", "dice"), [("3+", lambda a: a >= 3, 1), ("6/4+", _confirmed, 2)])
def test_a_high_roll_is_taken_once_more_if_it_shows_a_1(text, passes, dice):
    assert parse_notation(f"{text} reroll 1") == PMF.chance(by_hand(passes, dice, lambda *first: first[0] == 1))


def test_attacks_re_roll_each_test_of_theirs():
    hit, wound = Fraction(3, 4), Fraction(2, 3) * Fraction(7, 6)
    assert parse_notation("5@4+ reroll@3+ reroll 1") == 5 @ PMF.chance(hit * wound)


@pytest.mark.parametrize("text", ["4- reroll 1", "Ld8 reroll 1", "4+ reroll 6", "2D6 reroll", "Ld", "4+ reroll reroll"])
def test_re_rolls_that_mean_nothing_are_refused(text):
    with pytest.raises(CasemateError, match="is not dice notation"):
        parse_notation(text)


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_of_the_notation_can_be_read(text):
    assert parse_notation(text).total


def test_every_sign_of_the_grammar_has_an_example():
    """Each word in quotes in the grammar stands in an example, or in what is said of one."""
    grammar = notation.__doc__.split("::")[1].split("``")[0]
    words = re.findall(r'"([^"]+)"', grammar)
    said = " ".join(f"{text} {meaning}" for text, meaning in EXAMPLES.items()).lower()
    assert len(words) > 30
    assert {w for w in words if w.lower() not in said} == {"↑", "↓"}


@pytest.mark.parametrize("text", ["3", "D3", "2D6", "D6+1", "R3D6P2 down"])
def test_dice_are_equal_that_are_read_again(text):
    first = parse_die(text)
    parse_die.cache_clear()
    assert parse_die(text) == first
    assert hash(parse_die(text)) == hash(first)

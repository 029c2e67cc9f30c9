"""Heavy tests take one case of each kind, the same one whatever stands beside it."""

from tests.conftest import one_of_each

CASES = [f"{kind}{n}" for kind in "abc" for n in range(5)]


def first_letter(case: str) -> str:
    return case[0]


def test_one_case_of_each_kind_is_taken():
    assert sorted(map(first_letter, one_of_each(CASES, first_letter))) == ["a", "b", "c"]


def test_it_hangs_on_neither_the_order_nor_the_other_kinds():
    taken = one_of_each(CASES, first_letter)
    assert one_of_each(CASES[::-1], first_letter) == taken
    assert {*one_of_each(CASES[5:], first_letter)} == {case for case in taken if case[0] != "a"}


def test_it_is_not_always_the_first():
    many = [(kind, n) for kind in range(50) for n in range(3)]
    assert {n for _, n in one_of_each(many, lambda case: case[0])} == {0, 1, 2}


def test_of_several_kinds_it_is_one_of_each_and_none_else():
    pairs = [(letter, n) for letter in "abcd" for n in range(6)]
    taken = one_of_each(pairs, lambda case: case[0], lambda case: case[1])
    assert {*taken} == {*one_of_each(pairs, lambda case: case[0])} | {*one_of_each(pairs, lambda case: case[1])}
    assert len({*taken}) == len(taken)

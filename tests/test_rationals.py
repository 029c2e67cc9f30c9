"""Fractions of brute force are those of the standard library."""

import fractions
from operator import add, mul, sub

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rationals import Fraction


@pytest.mark.parametrize("of", [add, sub, mul])
@given(st.fractions(), st.one_of(st.fractions(), st.integers(), st.booleans(), st.floats(-1e9, 1e9)))
def test_they_come_to_the_same_in_lowest_terms(of, one, other):
    for found, plain in ((of(Fraction(one), other), of(one, other)), (of(other, Fraction(one)), of(other, one))):
        assert found == plain
        assert isinstance(found, Fraction) is isinstance(plain, fractions.Fraction)
        assert found.as_integer_ratio() == plain.as_integer_ratio()


@given(st.fractions(), st.fractions())
def test_two_of_them_too(one, other):
    for of in (add, sub, mul):
        assert of(Fraction(one), Fraction(other)).as_integer_ratio() == of(one, other).as_integer_ratio()
